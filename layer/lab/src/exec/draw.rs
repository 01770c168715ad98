//! What a graphics pipeline needs besides its resources: targets, vertices, and the draw.
//!
//! In: the state of the pipeline's record. Out: commands in an open command buffer. What must hold: one
//! triangle covers the target, so that the pixel shader runs for every pixel.

use ash::{ext, vk};
use dxil_capture::model::{Graphics, Pipeline, Rendering, Target};
use dxil_vulkan::{Buffer, Gpu};

use super::fill::{Kind, Source};
use super::picture::{Image, Spec, aspects};
use super::stop::{CannotRun, DrawFault, Stop};
use super::texel::element_of;
use crate::results::Element;

/// The most vertices of a draw in which only the first triangle covers the target.
const LONGEST_SINGLE: u32 = 47;
/// The width and height of targets, in pixels.
const TARGET: u32 = 32;
/// The stream of random numbers of vertex buffers.
const VERTEX_STREAM: u64 = 0xfffe << 48;

/// What a graphics pipeline needs besides.
pub struct Draw<'g> {
    gpu: &'g Gpu,
    vertex_buffers: Vec<(u32, Buffer<'g>)>,
    vertices: u32,
    instances: u32,
    colors: Vec<Option<Attachment<'g>>>,
    depth: Option<Attachment<'g>>,
    stencil: bool,
    dynamic: Vec<vk::DynamicState>,
    mesh: Option<ext::mesh_shader::Device>,
}

/// A target of a graphics pipeline.
pub struct Attachment<'g> {
    /// The image that is drawn to.
    pub drawn: Image<'g>,
    /// The image that the samples are brought together in, if there are several.
    resolved: Option<Image<'g>>,
    /// Its name among the results.
    pub name: String,
}

impl<'g> Attachment<'g> {
    /// The image that is copied back.
    pub fn result(&self) -> &Image<'g> {
        self.resolved.as_ref().unwrap_or(&self.drawn)
    }
}

impl<'g> Draw<'g> {
    /// Makes targets and vertices.
    ///
    /// # Errors
    /// What the lab does not draw with, or the driver's error.
    pub fn new(gpu: &'g Gpu, pipeline: &Pipeline, source: Source) -> Result<Self, Stop> {
        let lacks = |what| Stop::from(CannotRun::Draw(what));
        let Some(state) = &pipeline.graphics else { return Err(lacks(DrawFault::NoState)) };
        if state.subsets.is_some() || !pipeline.libraries.is_empty() {
            return Err(lacks(DrawFault::Libraries));
        }
        let Some(Target::Rendering(rendering)) = &state.target else { return Err(lacks(DrawFault::RenderPass)) };
        if rendering.view_mask != 0 || rendering.locations.is_some() {
            return Err(lacks(DrawFault::Views));
        }
        let dynamic: Vec<_> = state.dynamic.iter().map(|state| vk::DynamicState::from_raw(*state)).collect();
        let known = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
        if let Some(other) = dynamic.iter().find(|state| !known.contains(state)) {
            return Err(lacks(DrawFault::Dynamic(*other)));
        }
        let samples = state.multisample.as_ref().map_or(1, |it| it.samples);
        let mut colors = Vec::new();
        for (index, format) in rendering.colors.iter().enumerate() {
            let format = vk::Format::from_raw(*format);
            colors.push(match format {
                vk::Format::UNDEFINED => None,
                _ => Some(attachment(gpu, format, samples, format!("target {index}"))?),
            });
        }
        let depth = depth_format(rendering);
        let depth = depth.map(|format| attachment(gpu, format, samples, "depth".to_owned())).transpose()?;
        let is_mesh = pipeline.stages.iter().any(|stage| stage.stage == vk::ShaderStageFlags::MESH_EXT.as_raw());
        // A first triangle that covers the target is enough where positions are attributes. A shader that finds
        // its corners in buffers draws what its numbers give, so that there are more of them.
        let (more, instances) = if source.kind() == Kind::Around { (1, 1) } else { (16, 8) };
        let vertices = vertices(state) * more;
        Ok(Self {
            gpu,
            vertex_buffers: vertex_buffers(gpu, state, vertices, source)?,
            vertices,
            instances,
            colors,
            depth,
            stencil: rendering.stencil != 0,
            dynamic,
            mesh: is_mesh.then(|| ext::mesh_shader::Device::new(&gpu.instance.handle, &gpu.device)),
        })
    }

    /// Whether edges of triangles may go through the targets.
    pub fn has_edges(&self) -> bool {
        self.instances > 1
    }

    /// The targets.
    pub fn attachments(&self) -> impl Iterator<Item = &Attachment<'g>> {
        self.colors.iter().flatten().chain(&self.depth)
    }

    /// Draws.
    ///
    /// # Safety
    /// The command buffer must be open, and the pipeline and its sets bound.
    pub unsafe fn record(&self, commands: vk::CommandBuffer) {
        let device = &self.gpu.device;
        let area =
            vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: TARGET, height: TARGET } };
        let colors: Vec<_> = self.colors.iter().map(|target| info(target.as_ref())).collect();
        let depth = info(self.depth.as_ref());
        let mut rendering = vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&colors);
        if self.depth.is_some() {
            rendering = rendering.depth_attachment(&depth);
            if self.stencil {
                rendering = rendering.stencil_attachment(&depth);
            }
        }
        // SAFETY: live objects of this device, in the layouts that are named.
        unsafe {
            for target in self.attachments() {
                for image in [Some(&target.drawn), target.resolved.as_ref()].into_iter().flatten() {
                    image.image.transition(commands, vk::ImageLayout::UNDEFINED, vk::ImageLayout::GENERAL);
                }
            }
            device.cmd_begin_rendering(commands, &rendering);
            for state in &self.dynamic {
                if *state == vk::DynamicState::VIEWPORT {
                    let size = TARGET as f32;
                    let viewport =
                        vk::Viewport { x: 0.0, y: 0.0, width: size, height: size, min_depth: 0.0, max_depth: 1.0 };
                    device.cmd_set_viewport(commands, 0, &[viewport]);
                } else {
                    device.cmd_set_scissor(commands, 0, &[area]);
                }
            }
            for (binding, buffer) in &self.vertex_buffers {
                device.cmd_bind_vertex_buffers(commands, *binding, &[buffer.handle], &[0]);
            }
            match &self.mesh {
                Some(mesh) => mesh.cmd_draw_mesh_tasks(commands, 2 * self.instances, 1, 1),
                None => device.cmd_draw(commands, self.vertices, self.instances, 0, 0),
            }
            device.cmd_end_rendering(commands);
        }
    }
}

fn info(target: Option<&Attachment<'_>>) -> vk::RenderingAttachmentInfo<'static> {
    let Some(target) = target else { return vk::RenderingAttachmentInfo::default() };
    let layout = vk::ImageLayout::GENERAL;
    let mut info = vk::RenderingAttachmentInfo::default()
        .image_view(target.drawn.view.handle)
        .image_layout(layout)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE);
    if let Some(resolved) = &target.resolved {
        // Integers and depths have no average (VUID-VkRenderingAttachmentInfo-imageView-06129 to 06131).
        let format = target.drawn.image.shape.format;
        let is_averaged = aspects(format) == vk::ImageAspectFlags::COLOR && element_of(format) != Element::Integer;
        let mode = if is_averaged { vk::ResolveModeFlags::AVERAGE } else { vk::ResolveModeFlags::SAMPLE_ZERO };
        info = info.resolve_mode(mode).resolve_image_view(resolved.view.handle).resolve_image_layout(layout);
    }
    info
}

fn depth_format(rendering: &Rendering) -> Option<vk::Format> {
    [rendering.depth, rendering.stencil].map(vk::Format::from_raw).into_iter().find(|it| *it != vk::Format::UNDEFINED)
}

fn attachment(gpu: &Gpu, format: vk::Format, samples: u32, name: String) -> Result<Attachment<'_>, Stop> {
    let usage = match aspects(format) {
        vk::ImageAspectFlags::COLOR => vk::ImageUsageFlags::COLOR_ATTACHMENT,
        _ => vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
    };
    let mut spec = Spec::new(vk::ImageViewType::TYPE_2D, [TARGET, TARGET, 1], usage);
    spec.shape.format = format;
    let resolved = if samples == 1 { None } else { Some(Image::new(gpu, spec)?) };
    spec.shape.samples = samples;
    Ok(Attachment { drawn: Image::new(gpu, spec)?, resolved, name })
}

/// The vertices of a draw: one triangle, or two patches or other primitives.
fn vertices(state: &Graphics) -> u32 {
    use vk::PrimitiveTopology as Topology;
    let topology = state.input_assembly.as_ref().map_or(0, |it| it.topology);
    match Topology::from_raw(topology) {
        Topology::PATCH_LIST => state.tessellation.as_ref().map_or(3, |(points, _)| *points * 2),
        Topology::TRIANGLE_LIST => 3,
        Topology::LINE_LIST_WITH_ADJACENCY => 8,
        Topology::TRIANGLE_LIST_WITH_ADJACENCY => 12,
        _ => 6,
    }
}

/// The buffers of the vertex attributes. The first attribute with floating-point numbers has the corners
/// of a triangle that covers the target; the others have numbers of the source.
fn vertex_buffers<'g>(
    gpu: &'g Gpu,
    state: &Graphics,
    vertices: u32,
    source: Source,
) -> Result<Vec<(u32, Buffer<'g>)>, Stop> {
    const CORNERS: [[f32; 4]; 3] = [[-1.0, -1.0, 0.5, 1.0], [3.0, -1.0, 0.5, 1.0], [-1.0, 3.0, 0.5, 1.0]];
    let Some(input) = &state.vertex_input else { return Ok(Vec::new()) };
    let element = |format: i32| element_of(vk::Format::from_raw(format));
    let position = input.attributes.iter().filter(|it| element(it.format) == Element::Float);
    let position = position.min_by_key(|it| it.location).map(|it| it.location);
    let mut buffers = Vec::new();
    for binding in &input.bindings {
        let stride = (binding.stride as usize).max(16);
        let mut bytes = vec![0; stride * vertices as usize];
        for attribute in input.attributes.iter().filter(|it| it.binding == binding.binding) {
            let kind = element(attribute.format);
            let corners = if Some(attribute.location) == position { &CORNERS[..] } else { &[] };
            let stream = VERTEX_STREAM | u64::from(attribute.location);
            for index in 0..vertices as usize * 4 {
                let (vertex, component) = (index / 4, index % 4);
                // In a draw of many triangles, each covers the target.
                let corner = if vertices > LONGEST_SINGLE { vertex % 3 } else { vertex };
                let word = match (corners.get(corner), kind) {
                    (Some(corner), _) => corner[component].to_bits(),
                    (None, Element::Float) => source.float(stream, index as u64).to_bits(),
                    (None, Element::Integer) => source.integer(stream, index as u64),
                    // Smaller numbers may be any.
                    (None, _) => source.bits(stream, index as u64) as u32,
                };
                let start = vertex * binding.stride as usize + attribute.offset as usize + component * 4;
                if let Some(place) = bytes.get_mut(start..start + 4) {
                    place.copy_from_slice(&word.to_le_bytes());
                }
            }
        }
        buffers.push((binding.binding, Buffer::new(gpu, vk::BufferUsageFlags::VERTEX_BUFFER, &bytes)?));
    }
    Ok(buffers)
}
