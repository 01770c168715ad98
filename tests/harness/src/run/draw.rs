//! Offscreen draws, with dynamic rendering.

use ash::vk;

use super::{Bound, Outputs, Pipeline, Shader, first_pipeline, words};
use crate::error::{Error, Result};
use crate::spec::{Depth, Fixture, Indices, VertexInput, Work};
use crate::vulkan::memory::{Buffer, Image, ImageShape, image_view};
use crate::vulkan::{Context, Format};

/// An image and its view.
struct Picture<'c> {
    context: &'c Context,
    image: Image<'c>,
    view: vk::ImageView,
}

impl<'c> Picture<'c> {
    fn new(context: &'c Context, format: Format, shape: ImageShape) -> Result<Self> {
        let used = if format.aspect() == vk::ImageAspectFlags::COLOR {
            vk::ImageUsageFlags::COLOR_ATTACHMENT
        } else {
            vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
        };
        let image = Image::new(context, shape, format.aspect(), used | vk::ImageUsageFlags::TRANSFER_SRC)?;
        let kind = if shape.layers > 1 { vk::ImageViewType::TYPE_2D_ARRAY } else { vk::ImageViewType::TYPE_2D };
        let view = image_view(context, &image, format, kind)?;
        Ok(Self { context, image, view })
    }
}

impl Drop for Picture<'_> {
    fn drop(&mut self) {
        // SAFETY: the queue is idle and the view belongs to this device.
        unsafe { self.context.device.destroy_image_view(self.view, None) };
    }
}

/// An attachment: what is drawn to, and what that is resolved to where it has several samples.
struct Attachment<'c> {
    drawn: Picture<'c>,
    resolved: Option<Picture<'c>>,
    format: Format,
}

impl<'c> Attachment<'c> {
    fn new(context: &'c Context, format: Format, size: [u32; 2], layers: u32, samples: u32) -> Result<Self> {
        let shape = ImageShape { layers, ..ImageShape::flat(format, size) };
        let several = samples > 1 && format.aspect() == vk::ImageAspectFlags::COLOR;
        let resolved = several.then(|| Picture::new(context, format, shape)).transpose()?;
        Ok(Self { drawn: Picture::new(context, format, ImageShape { samples, ..shape })?, resolved, format })
    }

    fn layout(&self) -> vk::ImageLayout {
        match self.format {
            Format::DEPTH => vk::ImageLayout::DEPTH_ATTACHMENT_OPTIMAL,
            Format::STENCIL => vk::ImageLayout::STENCIL_ATTACHMENT_OPTIMAL,
            _ => vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
        }
    }

    fn pictures(&self) -> impl Iterator<Item = &Picture<'c>> {
        std::iter::once(&self.drawn).chain(&self.resolved)
    }

    fn info(&self, clear: vk::ClearValue) -> vk::RenderingAttachmentInfo<'static> {
        let info = vk::RenderingAttachmentInfo::default()
            .image_view(self.drawn.view)
            .image_layout(self.layout())
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear);
        let Some(resolved) = &self.resolved else { return info };
        let integer = self.format.is_integer();
        let mode = if integer { vk::ResolveModeFlags::SAMPLE_ZERO } else { vk::ResolveModeFlags::AVERAGE };
        info.resolve_mode(mode).resolve_image_view(resolved.view).resolve_image_layout(self.layout())
    }

    fn read(&self) -> Result<Vec<u32>> {
        let image = &self.resolved.as_ref().unwrap_or(&self.drawn).image;
        let bytes = image.download(self.format.aspect(), self.format.bytes(), self.layout())?;
        Ok(words(&bytes))
    }
}

/// What a draw fetches: vertex buffers and indices.
struct Geometry<'c> {
    vertex: Vec<Buffer<'c>>,
    index: Option<(Buffer<'c>, vk::IndexType)>,
}

impl<'c> Geometry<'c> {
    fn new(fixture: &Fixture, context: &'c Context) -> Result<Self> {
        let Work::Draw { vertices, instances, first_vertex, first_instance } = fixture.work else {
            return Err(Error::Spec("a draw without `draw`".into()));
        };
        let buffer = |input: &VertexInput| {
            let reached = if input.per_instance { first_instance + instances } else { first_vertex + vertices };
            let count = u64::from(input.count.unwrap_or(reached)) * u64::from(input.format.words);
            let needed = vk::FormatFeatureFlags::VERTEX_BUFFER;
            if !context.format_features(input.format.vk).buffer_features.contains(needed) {
                return Err(Error::Skip(format!("the driver has no vertices of {:?}", input.format.vk)));
            }
            Buffer::new(context, vk::BufferUsageFlags::VERTEX_BUFFER, &input.pattern.bytes(0, count))
        };
        let index = |indices: &Indices| {
            let words = (0..u64::from(vertices)).map(|index| indices.pattern.word(index));
            let bytes: Vec<u8> = match indices.kind {
                vk::IndexType::UINT16 => words.flat_map(|word| (word as u16).to_le_bytes()).collect(),
                _ => words.flat_map(u32::to_le_bytes).collect(),
            };
            Buffer::new(context, vk::BufferUsageFlags::INDEX_BUFFER, &bytes).map(|buffer| (buffer, indices.kind))
        };
        Ok(Self {
            vertex: fixture.vertex.iter().map(buffer).collect::<Result<_>>()?,
            index: fixture.indices.as_ref().map(index).transpose()?,
        })
    }

    /// Binds the buffers and draws.
    fn draw(&self, context: &Context, commands: vk::CommandBuffer, work: Work) {
        let Work::Draw { vertices, instances, first_vertex, first_instance } = work else { return };
        let device = &context.device;
        // SAFETY: the command buffer is recording inside rendering; buffers live until the queue is idle.
        unsafe {
            for (binding, buffer) in (0..).zip(&self.vertex) {
                device.cmd_bind_vertex_buffers(commands, binding, &[buffer.handle], &[0]);
            }
            match &self.index {
                Some((buffer, kind)) => {
                    device.cmd_bind_index_buffer(commands, buffer.handle, 0, *kind);
                    let offset = first_vertex.cast_signed();
                    device.cmd_draw_indexed(commands, vertices, instances, 0, offset, first_instance);
                }
                None => device.cmd_draw(commands, vertices, instances, first_vertex, first_instance),
            }
        }
    }
}

fn pipeline<'c>(
    fixture: &Fixture,
    context: &'c Context,
    bound: &Bound<'_>,
    shaders: &[Shader<'_>],
    size: [u32; 2],
) -> Result<Pipeline<'c>> {
    let stages: Vec<_> = shaders.iter().map(Shader::info).collect();
    let mut bindings = Vec::new();
    let mut attributes = Vec::new();
    for (binding, input) in (0..).zip(&fixture.vertex) {
        let rate = if input.per_instance { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX };
        bindings.push(
            vk::VertexInputBindingDescription::default()
                .binding(binding)
                .stride(input.format.words * 4)
                .input_rate(rate),
        );
        attributes.push(
            vk::VertexInputAttributeDescription::default()
                .location(input.location)
                .binding(binding)
                .format(input.format.vk),
        );
    }
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(fixture.topology);
    let patches = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(fixture.control_points);
    let [width, height] = size;
    let column = width as f32 / fixture.viewports as f32;
    let viewports: Vec<_> = (0..fixture.viewports)
        .map(|i| vk::Viewport {
            x: i as f32 * column,
            width: column,
            height: height as f32,
            max_depth: 1.0,
            ..Default::default()
        })
        .collect();
    let scissor = vk::Rect2D { extent: vk::Extent2D { width, height }, ..Default::default() };
    let scissors = vec![scissor; viewports.len()];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .front_face(fixture.front)
        .cull_mode(fixture.cull)
        .line_width(1.0);
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(fixture.samples));
    let mut depth = vk::PipelineDepthStencilStateCreateInfo::default();
    if let Some(Depth { compare, .. }) = fixture.depth {
        depth = depth.depth_test_enable(true).depth_write_enable(true).depth_compare_op(compare);
    }
    if fixture.stencil {
        let replace = vk::StencilOpState {
            pass_op: vk::StencilOp::REPLACE,
            compare_op: vk::CompareOp::ALWAYS,
            write_mask: 0xff,
            reference: 1,
            ..Default::default()
        };
        depth = depth.stencil_test_enable(true).front(replace).back(replace);
    }
    let mut attachment =
        vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA);
    if fixture.dual_source {
        attachment = attachment
            .blend_enable(true)
            .src_color_blend_factor(vk::BlendFactor::ONE)
            .dst_color_blend_factor(vk::BlendFactor::SRC1_COLOR)
            .src_alpha_blend_factor(vk::BlendFactor::ONE)
            .dst_alpha_blend_factor(vk::BlendFactor::SRC1_ALPHA);
    }
    let blends = vec![attachment; fixture.targets.len()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let formats: Vec<_> = fixture.targets.iter().map(|target| target.format.vk).collect();
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    if fixture.depth.is_some() {
        rendering = rendering.depth_attachment_format(Format::DEPTH.vk);
    }
    rendering = rendering.view_mask(view_mask(fixture));
    if fixture.stencil {
        rendering = rendering.stencil_attachment_format(Format::STENCIL.vk);
    }
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .tessellation_state(&patches)
        .vertex_input_state(&vertex_input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .layout(bound.layout)
        .push_next(&mut rendering);
    // SAFETY: every pointer in the create info outlives the call; modules and layout are alive.
    let result = unsafe { context.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    first_pipeline(context, "vkCreateGraphicsPipelines", result)
}

/// A bit for each view.
fn view_mask(fixture: &Fixture) -> u32 {
    (1 << fixture.views) - 1
}

/// Draws and reads the targets back.
pub(super) fn draw(fixture: &Fixture, context: &Context, bound: &Bound<'_>, shaders: &[Shader<'_>]) -> Result<Outputs> {
    let layers = fixture.targets.first().map_or(1, |target| target.layers);
    let attach = |format, size| Attachment::new(context, format, size, layers, fixture.samples);
    let targets = fixture.targets.iter().map(|target| attach(target.format, target.size));
    let targets = targets.collect::<Result<Vec<_>>>()?;
    // Without targets there is still an area to rasterise: pixel shaders can write buffers alone.
    let size = fixture.targets.first().map_or([64, 64], |target| target.size);
    let depth = fixture.depth.map(|depth| attach(Format::DEPTH, size).map(|made| (made, depth))).transpose()?;
    let stencil = fixture.stencil.then(|| attach(Format::STENCIL, size)).transpose()?;
    let geometry = Geometry::new(fixture, context)?;
    let pipeline = pipeline(fixture, context, bound, shaders, size)?;
    let colors: Vec<_> = targets.iter().map(|target| target.info(vk::ClearValue::default())).collect();
    let depth_info = depth.as_ref().map(|(attachment, depth)| {
        attachment.info(vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: depth.clear, stencil: 0 } })
    });
    let stencil_info = stencil.as_ref().map(|attachment| attachment.info(vk::ClearValue::default()));
    let area = vk::Rect2D { extent: vk::Extent2D { width: size[0], height: size[1] }, ..Default::default() };
    let mut rendering = vk::RenderingInfo::default().render_area(area).layer_count(layers).color_attachments(&colors);
    rendering = rendering.view_mask(view_mask(fixture));
    if let Some(info) = &depth_info {
        rendering = rendering.depth_attachment(info);
    }
    if let Some(info) = &stencil_info {
        rendering = rendering.stencil_attachment(info);
    }
    context.submit(|commands| {
        for attachment in targets.iter().chain(depth.as_ref().map(|(attachment, _)| attachment)).chain(&stencil) {
            for picture in attachment.pictures() {
                picture.image.transition(commands, vk::ImageLayout::UNDEFINED, attachment.layout());
            }
        }
        bound.bind(commands, vk::PipelineBindPoint::GRAPHICS);
        // SAFETY: the command buffer is recording; everything bound lives until the queue is idle.
        unsafe {
            context.device.cmd_begin_rendering(commands, &rendering);
            context.device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, pipeline.handle);
            geometry.draw(context, commands, fixture.work);
            context.device.cmd_end_rendering(commands);
        }
        bound.finish(commands);
    })?;
    let mut outputs = Outputs::new();
    for (index, target) in targets.iter().enumerate() {
        outputs.push((format!("target{index}"), target.read()?));
    }
    if let Some((attachment, _)) = depth.filter(|(_, depth)| depth.out) {
        outputs.push(("depth".to_owned(), attachment.read()?));
    }
    if let Some(attachment) = stencil {
        outputs.push(("stencil".to_owned(), attachment.read()?));
    }
    Ok(outputs)
}
