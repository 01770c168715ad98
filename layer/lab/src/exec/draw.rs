//! What a graphics pipeline needs besides its resources: targets, vertices, and the draw.
//!
//! In: the state of the pipeline's record. Out: commands in an open command buffer. What must hold:
//! one triangle covers the target, so that the pixel shader runs for every pixel.

use ash::{ext, vk};
use dxil_capture::model::{Graphics, Pipeline, Rendering, Target};
use dxil_vulkan::{Buffer, Gpu};

use super::fill::{Kind, NumberSource};
use super::pass::Pass;
use super::stop::{CannotRun, DrawFault, Stop};
use super::target::{Attachment, TARGET, attachment, rendering_info};
use super::texel::element_of;
use crate::results::Element;
use crate::vulkan::Made;

/// The most vertices of a draw in which only the first triangle covers the target.
const LONGEST_SINGLE: u32 = 47;
/// All pixels of the targets.
const AREA: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: TARGET, height: TARGET } };
/// The stream of random numbers of vertex buffers.
const VERTEX_STREAM: u64 = 0xfffe << 48;

/// What a graphics pipeline needs besides.
pub struct Draw<'g> {
    gpu: &'g Gpu,
    vertex_buffers: Vec<(u32, Buffer<'g>)>,
    vertices: u32,
    instances: u32,
    into: DrawnInto<'g>,
    dynamic: Vec<vk::DynamicState>,
    mesh: Option<ext::mesh_shader::Device>,
}

/// What a graphics pipeline draws into.
enum DrawnInto<'g> {
    /// Targets without a render pass, and whether the last one has a stencil.
    Rendering { colors: Vec<Option<Attachment<'g>>>, depth: Option<Box<Attachment<'g>>>, stencil: bool },
    /// The attachments of a render pass.
    Pass(Pass<'g>, Vec<Attachment<'g>>),
}

impl<'g> Draw<'g> {
    /// Makes targets and vertices.
    ///
    /// # Errors
    /// What the lab does not draw with, or the driver's error.
    pub fn new(gpu: &'g Gpu, (pipeline, made): (&Pipeline, &Made<'_>), source: NumberSource) -> Result<Self, Stop> {
        let lacks = |what| Stop::from(CannotRun::Draw(what));
        let Some(state) = &pipeline.graphics else { return Err(lacks(DrawFault::NoState)) };
        if state.subsets.is_some() || !pipeline.libraries.is_empty() {
            return Err(lacks(DrawFault::Libraries));
        }
        let dynamic: Vec<_> = state.dynamic.iter().map(|state| vk::DynamicState::from_raw(*state)).collect();
        let known = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
        if let Some(other) = dynamic.iter().find(|state| !known.contains(state)) {
            return Err(lacks(DrawFault::Dynamic(*other)));
        }
        let into = match &state.target {
            Some(Target::Rendering(rendering)) => {
                let samples = state.multisample.as_ref().map_or(1, |it| it.samples);
                rendered(gpu, rendering, samples)?
            }
            Some(Target::RenderPass(pass, _)) => {
                let (pass, attachments) = Pass::new(gpu, (pass, made.render_pass))?;
                DrawnInto::Pass(pass, attachments)
            }
            None => return Err(lacks(DrawFault::NoState)),
        };
        let is_mesh = pipeline.stages.iter().any(|stage| stage.stage == vk::ShaderStageFlags::MESH_EXT.as_raw());
        // A first triangle that covers the target is enough where positions are attributes. A
        // shader that finds its corners in buffers draws what its numbers give, so that there are
        // more of them.
        let (more, instances) = if source.kind() == Kind::Around { (1, 1) } else { (16, 8) };
        let vertices = vertices(state) * more;
        Ok(Self {
            gpu,
            vertex_buffers: vertex_buffers(gpu, state, vertices, source)?,
            vertices,
            instances,
            into,
            dynamic,
            mesh: is_mesh.then(|| ext::mesh_shader::Device::new(&gpu.instance.handle, &gpu.device)),
        })
    }

    /// Whether edges of triangles may go through the targets.
    pub fn has_edges(&self) -> bool {
        self.instances > 1
    }

    /// The targets that can be copied back.
    pub fn targets(&self) -> impl Iterator<Item = &Attachment<'g>> {
        self.attachments().filter(|target| target.result().image.shape.samples == 1)
    }

    fn attachments(&self) -> impl Iterator<Item = &Attachment<'g>> {
        let (colors, depth, of_pass) = match &self.into {
            DrawnInto::Rendering { colors, depth, .. } => (&colors[..], depth.as_deref(), &[][..]),
            DrawnInto::Pass(_, attachments) => (&[][..], None, &attachments[..]),
        };
        colors.iter().flatten().chain(depth).chain(of_pass)
    }

    /// Gives the attachments of a render pass their contents.
    ///
    /// # Errors
    /// The driver's.
    pub fn prepare(&self) -> Result<(), Stop> {
        match &self.into {
            DrawnInto::Rendering { .. } => Ok(()),
            DrawnInto::Pass(pass, attachments) => pass.clear(attachments),
        }
    }

    /// Draws.
    ///
    /// # Safety
    /// The command buffer must be open, and the pipeline and its sets bound.
    pub unsafe fn record(&self, commands: vk::CommandBuffer) {
        // SAFETY: live objects of this device, in the layouts that are named.
        unsafe {
            match &self.into {
                DrawnInto::Rendering { colors, depth, stencil } => {
                    self.begin(commands, colors, depth.as_deref(), *stencil);
                    self.draw(commands);
                    self.gpu.end_rendering(commands);
                }
                DrawnInto::Pass(pass, attachments) => {
                    pass.begin(commands);
                    self.draw(commands);
                    pass.end(commands, attachments);
                }
            }
        }
    }

    /// Begins to draw without a render pass.
    ///
    /// # Safety
    /// The command buffer must be open.
    unsafe fn begin(
        &self,
        commands: vk::CommandBuffer,
        colors: &[Option<Attachment<'g>>],
        depth: Option<&Attachment<'g>>,
        stencil: bool,
    ) {
        let colors: Vec<_> = colors.iter().map(|target| rendering_info(target.as_ref())).collect();
        let depth_info = rendering_info(depth);
        let mut rendering = vk::RenderingInfo::default().render_area(AREA).layer_count(1).color_attachments(&colors);
        if depth.is_some() {
            rendering = rendering.depth_attachment(&depth_info);
            if stencil {
                rendering = rendering.stencil_attachment(&depth_info);
            }
        }
        // SAFETY: live objects of this device, in the layouts that are named.
        unsafe {
            for target in self.attachments() {
                for image in target.images() {
                    image.image.transition(commands, vk::ImageLayout::UNDEFINED, vk::ImageLayout::GENERAL);
                }
            }
            self.gpu.begin_rendering(commands, &rendering);
        }
    }

    /// # Safety
    /// The command buffer must be in a render pass, or between the begin and the end of rendering.
    unsafe fn draw(&self, commands: vk::CommandBuffer) {
        let device = &self.gpu.device;
        // SAFETY: live objects of this device.
        unsafe {
            for state in &self.dynamic {
                if *state == vk::DynamicState::VIEWPORT {
                    let size = TARGET as f32;
                    let viewport =
                        vk::Viewport { x: 0.0, y: 0.0, width: size, height: size, min_depth: 0.0, max_depth: 1.0 };
                    device.cmd_set_viewport(commands, 0, &[viewport]);
                } else {
                    device.cmd_set_scissor(commands, 0, &[AREA]);
                }
            }
            for (binding, buffer) in &self.vertex_buffers {
                device.cmd_bind_vertex_buffers(commands, *binding, &[buffer.handle], &[0]);
            }
            match &self.mesh {
                Some(mesh) => mesh.cmd_draw_mesh_tasks(commands, 2 * self.instances, 1, 1),
                None => device.cmd_draw(commands, self.vertices, self.instances, 0, 0),
            }
        }
    }
}

/// The targets of a pipeline without a render pass.
fn rendered<'g>(gpu: &'g Gpu, rendering: &Rendering, samples: u32) -> Result<DrawnInto<'g>, Stop> {
    if rendering.view_mask != 0 || rendering.locations.is_some() {
        return Err(CannotRun::Draw(DrawFault::Views).into());
    }
    let mut colors = Vec::new();
    for (index, format) in rendering.colors.iter().enumerate() {
        let format = vk::Format::from_raw(*format);
        colors.push(match format {
            vk::Format::UNDEFINED => None,
            _ => Some(attachment(gpu, format, (samples, true), format!("target {index}"))?),
        });
    }
    let depth = depth_format(rendering);
    let depth = depth.map(|format| attachment(gpu, format, (samples, true), "depth".to_owned())).transpose()?;
    let depth = depth.map(Box::new);
    Ok(DrawnInto::Rendering { colors, depth, stencil: rendering.stencil != 0 })
}

fn depth_format(rendering: &Rendering) -> Option<vk::Format> {
    [rendering.depth, rendering.stencil].map(vk::Format::from_raw).into_iter().find(|it| *it != vk::Format::UNDEFINED)
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

/// The buffers of the vertex attributes. The first attribute with floating-point numbers has the
/// corners of a triangle that covers the target; the others have numbers of the source.
fn vertex_buffers<'g>(
    gpu: &'g Gpu,
    state: &Graphics,
    vertices: u32,
    source: NumberSource,
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
