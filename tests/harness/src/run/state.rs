//! The graphics state of a pass: as structures for a pipeline, and as commands for shader objects.
//!
//! In: the directives of a pass. Out: create infos' parts, or recorded commands. What must hold:
//! both forms say the same, because the judges are the same.

use ash::ext::{line_rasterization, shader_object};
use ash::vk;

use crate::spec::{Blend, Pass};
use crate::vulkan::Context;

/// The stencil state of a pass with a stencil buffer.
pub(super) const STENCIL: vk::StencilOpState = vk::StencilOpState {
    fail_op: vk::StencilOp::KEEP,
    pass_op: vk::StencilOp::REPLACE,
    depth_fail_op: vk::StencilOp::KEEP,
    compare_op: vk::CompareOp::ALWAYS,
    compare_mask: 0,
    write_mask: 0xff,
    reference: 1,
};

/// The bindings and attributes of the vertex buffers.
pub(super) fn vertex_input(
    pass: &Pass,
) -> (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>) {
    let both = (0..).zip(&pass.vertex).map(|(binding, input)| {
        let rate = if input.per_instance { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX };
        let stride = input.format.words * 4;
        let attribute = vk::VertexInputAttributeDescription::default();
        (
            vk::VertexInputBindingDescription::default().binding(binding).stride(stride).input_rate(rate),
            attribute.location(input.location).binding(binding).format(input.format.vk),
        )
    });
    both.unzip()
}

/// The viewports and scissors.
pub(super) fn viewports(pass: &Pass) -> (Vec<vk::Viewport>, Vec<vk::Rect2D>) {
    let [width, height] = pass.area();
    let column = width as f32 / pass.viewports as f32;
    let viewport = |i: u32| vk::Viewport {
        x: i as f32 * column,
        width: column,
        height: height as f32,
        max_depth: 1.0,
        ..Default::default()
    };
    let viewports: Vec<_> = (0..pass.viewports).map(viewport).collect();
    let scissor = vk::Rect2D { extent: vk::Extent2D { width, height }, ..Default::default() };
    let scissors = vec![scissor; viewports.len()];
    (viewports, scissors)
}

/// The blending of each target.
pub(super) fn blending(pass: &Pass) -> vk::PipelineColorBlendAttachmentState {
    let attachment = vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA);
    let factors = match pass.blend {
        Blend::Replace => None,
        Blend::DualSource => Some([vk::BlendFactor::ONE, vk::BlendFactor::SRC1_COLOR, vk::BlendFactor::SRC1_ALPHA]),
        Blend::Add => Some([vk::BlendFactor::ONE; 3]),
        Blend::Alpha => {
            let rest = vk::BlendFactor::ONE_MINUS_SRC_ALPHA;
            Some([vk::BlendFactor::SRC_ALPHA, rest, rest])
        }
    };
    let Some([source, color, alpha]) = factors else { return attachment };
    attachment
        .blend_enable(true)
        .src_color_blend_factor(source)
        .dst_color_blend_factor(color)
        // Alpha is coverage: the source's alpha is added without being weighted by itself.
        .src_alpha_blend_factor(vk::BlendFactor::ONE)
        .dst_alpha_blend_factor(alpha)
}

/// Records the commands that set the state of a pass, all of which is dynamic with shader objects.
pub(super) fn set(context: &Context, commands: vk::CommandBuffer, objects: &shader_object::Device, pass: &Pass) {
    let device = &context.gpu.device;
    set_geometry(commands, objects, pass);
    set_raster(commands, device, objects, pass);
    if context.extensions.contains(&line_rasterization::NAME) {
        // lavapipe draws other lines with shader objects until the mode is set, though it is the
        // default one. SAFETY: the command buffer is recording, and the device has the extension.
        unsafe {
            objects.cmd_set_line_rasterization_mode(commands, vk::LineRasterizationModeEXT::DEFAULT);
            objects.cmd_set_line_stipple_enable(commands, false);
        }
    }
    set_depth_and_stencil(commands, device, objects, pass);
    set_blending(commands, device, objects, pass);
}

/// Vertex input, assembly and tessellation. A mesh shader has none of these.
fn set_geometry(commands: vk::CommandBuffer, objects: &shader_object::Device, pass: &Pass) {
    if pass.is_mesh() {
        return;
    }
    let (bindings, attributes) = vertex_input(pass);
    let binding = |it: &vk::VertexInputBindingDescription| {
        let info = vk::VertexInputBindingDescription2EXT::default().binding(it.binding).stride(it.stride);
        info.input_rate(it.input_rate).divisor(1)
    };
    let attribute = |it: &vk::VertexInputAttributeDescription| {
        let info = vk::VertexInputAttributeDescription2EXT::default().location(it.location).binding(it.binding);
        info.format(it.format).offset(it.offset)
    };
    let bindings: Vec<_> = bindings.iter().map(binding).collect();
    let attributes: Vec<_> = attributes.iter().map(attribute).collect();
    // SAFETY: the command buffer is recording, the device has VK_EXT_shader_object, and the arrays
    // outlive the calls.
    unsafe {
        objects.cmd_set_vertex_input(commands, &bindings, &attributes);
        objects.cmd_set_primitive_topology(commands, pass.topology);
        objects.cmd_set_primitive_restart_enable(commands, false);
        if pass.topology == vk::PrimitiveTopology::PATCH_LIST {
            objects.cmd_set_patch_control_points(commands, pass.control_points);
            objects.cmd_set_tessellation_domain_origin(commands, vk::TessellationDomainOrigin::UPPER_LEFT);
        }
    }
}

/// Viewports, rasterization and samples.
fn set_raster(commands: vk::CommandBuffer, device: &ash::Device, objects: &shader_object::Device, pass: &Pass) {
    let (viewports, scissors) = viewports(pass);
    let samples = vk::SampleCountFlags::from_raw(pass.samples);
    // SAFETY: as in `set_geometry`. A pass has at most 8 samples, so one word is the sample mask.
    unsafe {
        objects.cmd_set_viewport_with_count(commands, &viewports);
        objects.cmd_set_scissor_with_count(commands, &scissors);
        objects.cmd_set_rasterizer_discard_enable(commands, false);
        objects.cmd_set_polygon_mode(commands, vk::PolygonMode::FILL);
        objects.cmd_set_cull_mode(commands, pass.cull);
        objects.cmd_set_front_face(commands, pass.front);
        objects.cmd_set_depth_bias_enable(commands, false);
        objects.cmd_set_depth_clamp_enable(commands, false);
        device.cmd_set_line_width(commands, 1.0);
        objects.cmd_set_rasterization_samples(commands, samples);
        objects.cmd_set_sample_mask(commands, samples, &[u32::MAX]);
        objects.cmd_set_alpha_to_coverage_enable(commands, false);
        objects.cmd_set_alpha_to_one_enable(commands, false);
    }
}

fn set_depth_and_stencil(
    commands: vk::CommandBuffer,
    device: &ash::Device,
    objects: &shader_object::Device,
    pass: &Pass,
) {
    let compare = pass.depth.map_or(vk::CompareOp::NEVER, |depth| depth.compare);
    let (faces, stencil) = (vk::StencilFaceFlags::FRONT_AND_BACK, STENCIL);
    // SAFETY: as in `set_geometry`.
    unsafe {
        objects.cmd_set_depth_test_enable(commands, pass.depth.is_some());
        objects.cmd_set_depth_write_enable(commands, pass.depth.is_some());
        objects.cmd_set_depth_compare_op(commands, compare);
        objects.cmd_set_depth_bounds_test_enable(commands, false);
        objects.cmd_set_stencil_test_enable(commands, pass.stencil);
        objects.cmd_set_stencil_op(
            commands,
            faces,
            stencil.fail_op,
            stencil.pass_op,
            stencil.depth_fail_op,
            stencil.compare_op,
        );
        device.cmd_set_stencil_compare_mask(commands, faces, stencil.compare_mask);
        device.cmd_set_stencil_write_mask(commands, faces, stencil.write_mask);
        device.cmd_set_stencil_reference(commands, faces, stencil.reference);
    }
}

fn set_blending(commands: vk::CommandBuffer, device: &ash::Device, objects: &shader_object::Device, pass: &Pass) {
    let (blend, targets) = (blending(pass), pass.targets.len());
    let equation = vk::ColorBlendEquationEXT::default()
        .src_color_blend_factor(blend.src_color_blend_factor)
        .dst_color_blend_factor(blend.dst_color_blend_factor)
        .color_blend_op(blend.color_blend_op)
        .src_alpha_blend_factor(blend.src_alpha_blend_factor)
        .dst_alpha_blend_factor(blend.dst_alpha_blend_factor)
        .alpha_blend_op(blend.alpha_blend_op);
    // SAFETY: as in `set_geometry`.
    unsafe {
        objects.cmd_set_logic_op_enable(commands, false);
        device.cmd_set_blend_constants(commands, &[0.0; 4]);
    }
    // These commands take at least one attachment
    // (VUID-vkCmdSetColorBlendEnableEXT-attachmentCount-arraylength).
    if targets > 0 {
        // SAFETY: as in `set_geometry`.
        unsafe {
            objects.cmd_set_color_blend_enable(commands, 0, &vec![blend.blend_enable; targets]);
            objects.cmd_set_color_blend_equation(commands, 0, &vec![equation; targets]);
            objects.cmd_set_color_write_mask(commands, 0, &vec![blend.color_write_mask; targets]);
        }
    }
}
