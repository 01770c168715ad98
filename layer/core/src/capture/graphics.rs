//! The state of graphics pipelines: vertices, primitives, viewports, render targets.
//!
//! What must hold: a pointer is dereferenced only if Vulkan does so according to [`Read`].

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::model::{
    Attribute, Chain, Graphics, InputAssembly, Rasterization, Rect, RenderPass, Rendering, Target, VertexBinding,
    VertexInput, Viewport, ViewportState,
};

use crate::capture::chains::{chain, lost};
use crate::capture::fragment;
use crate::capture::objects::Capture;
use crate::capture::passes;
use crate::vulkan::arrays::slice;
use crate::vulkan::chain as chains;
use crate::vulkan::reads::{Read, Reads, Uses, read};

type Info = vk::GraphicsPipelineCreateInfo<'static>;
type Subsets = vk::GraphicsPipelineLibraryCreateInfoEXT<'static>;
type RenderingInfo = vk::PipelineRenderingCreateInfo<'static>;
type Locations = vk::RenderingAttachmentLocationInfoKHR<'static>;
type Divisors = vk::PipelineVertexInputDivisorStateCreateInfoKHR<'static>;

/// The structures in the chain of a pipeline that have members in [`Graphics`].
pub const STRUCTURES: [vk::StructureType; 3] =
    [Subsets::STRUCTURE_TYPE, RenderingInfo::STRUCTURE_TYPE, Locations::STRUCTURE_TYPE];

/// Determines what Vulkan reads of a create info.
///
/// # Safety
/// `info` must be valid and outlive the result.
pub unsafe fn read_of<'a>(info: &Info, capture: &Capture) -> Read<'a> {
    let pass = capture.passes.get(info.render_pass);
    let uses = pass.and_then(|pass| passes::uses(&pass, info.subpass));
    let unknown = Uses { colors: None, depth_stencil: None };
    // SAFETY: the caller's create info.
    unsafe { Read::new(info, uses.unwrap_or(unknown), capture.rules) }
}

/// Copies the state of a create info.
///
/// # Safety
/// `info` must be valid, and `what` must have been read from it.
pub unsafe fn graphics(info: &Info, what: &Read<'_>, capture: &Capture) -> Graphics {
    let reads = &what.reads;
    // SAFETY: a valid create info, whose members are null or valid where Vulkan reads them.
    unsafe {
        Graphics {
            subsets: chains::find::<Subsets>(info.p_next).map(|library| library.flags.as_raw()),
            vertex_input: read(reads.vertex_input, info.p_vertex_input_state).map(|state| vertex_input(state)),
            input_assembly: read(reads.input_assembly, info.p_input_assembly_state).map(|state| input_assembly(state)),
            tessellation: read(reads.tessellation, info.p_tessellation_state).map(|state| tessellation(state)),
            viewport: read(reads.viewport, info.p_viewport_state).map(|state| viewport(state, reads)),
            rasterization: read(reads.rasterization, info.p_rasterization_state).map(|state| rasterization(state)),
            multisample: read(reads.multisample, info.p_multisample_state).map(|s| fragment::multisample(s, what)),
            depth_stencil: read(reads.depth_stencil, info.p_depth_stencil_state).map(|s| fragment::depth_stencil(s)),
            color_blend: read(reads.color_blend, info.p_color_blend_state).map(|s| fragment::color_blend(s, what)),
            dynamic: what.dynamic.iter().map(|state| state.as_raw()).collect(),
            target: if reads.render_pass { target(info, reads, capture) } else { None },
        }
    }
}

/// # Safety
/// `state` must be valid.
unsafe fn vertex_input(state: &vk::PipelineVertexInputStateCreateInfo<'_>) -> VertexInput {
    // SAFETY: the chain and the arrays of a valid structure.
    let (divisors, bindings, attributes) = unsafe {
        let divisors = chains::find::<Divisors>(state.p_next);
        (
            divisors.map_or(&[][..], |d| slice(d.p_vertex_binding_divisors, d.vertex_binding_divisor_count)),
            slice(state.p_vertex_binding_descriptions, state.vertex_binding_description_count),
            slice(state.p_vertex_attribute_descriptions, state.vertex_attribute_description_count),
        )
    };
    let binding = |b: &vk::VertexInputBindingDescription| VertexBinding {
        binding: b.binding,
        stride: b.stride,
        rate: b.input_rate.as_raw(),
        divisor: divisors.iter().find(|divisor| divisor.binding == b.binding).map(|divisor| divisor.divisor),
    };
    let attribute = |a: &vk::VertexInputAttributeDescription| Attribute {
        location: a.location,
        binding: a.binding,
        format: a.format.as_raw(),
        offset: a.offset,
    };
    VertexInput {
        bindings: bindings.iter().map(binding).collect(),
        attributes: attributes.iter().map(attribute).collect(),
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(state.p_next, &[Divisors::STRUCTURE_TYPE]) },
    }
}

/// # Safety
/// `state` must be valid.
unsafe fn input_assembly(state: &vk::PipelineInputAssemblyStateCreateInfo<'_>) -> InputAssembly {
    InputAssembly {
        topology: state.topology.as_raw(),
        primitive_restart: state.primitive_restart_enable != vk::FALSE,
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(state.p_next, &[]) },
    }
}

/// # Safety
/// `state` must be valid.
unsafe fn tessellation(state: &vk::PipelineTessellationStateCreateInfo<'_>) -> (u32, Chain) {
    // SAFETY: the chain of a valid structure.
    (state.patch_control_points, unsafe { chain(state.p_next, &[]) })
}

/// # Safety
/// `state` must be valid, its arrays where Vulkan reads them.
unsafe fn viewport(state: &vk::PipelineViewportStateCreateInfo<'_>, reads: &Reads) -> ViewportState {
    let viewport = |v: &vk::Viewport| Viewport {
        origin: [v.x.into(), v.y.into()],
        extent: [v.width.into(), v.height.into()],
        depth: [v.min_depth.into(), v.max_depth.into()],
    };
    let scissor = |r: &vk::Rect2D| Rect { offset: [r.offset.x, r.offset.y], extent: [r.extent.width, r.extent.height] };
    // SAFETY: arrays that Vulkan reads.
    let (viewports, scissors) = unsafe {
        (
            if reads.viewports { slice(state.p_viewports, state.viewport_count) } else { &[] },
            if reads.scissors { slice(state.p_scissors, state.scissor_count) } else { &[] },
        )
    };
    ViewportState {
        viewport_count: state.viewport_count,
        viewports: viewports.iter().map(viewport).collect(),
        scissor_count: state.scissor_count,
        scissors: scissors.iter().map(scissor).collect(),
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(state.p_next, &[]) },
    }
}

/// # Safety
/// `state` must be valid.
unsafe fn rasterization(state: &vk::PipelineRasterizationStateCreateInfo<'_>) -> Rasterization {
    let bias = [state.depth_bias_constant_factor, state.depth_bias_clamp, state.depth_bias_slope_factor];
    Rasterization {
        depth_clamp: state.depth_clamp_enable != vk::FALSE,
        discard: state.rasterizer_discard_enable != vk::FALSE,
        polygon_mode: state.polygon_mode.as_raw(),
        cull_mode: state.cull_mode.as_raw(),
        front_face: state.front_face.as_raw(),
        depth_bias_enable: state.depth_bias_enable != vk::FALSE,
        depth_bias: bias.map(Into::into),
        line_width: state.line_width.into(),
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(state.p_next, &[]) },
    }
}

/// The render target of a pipeline.
///
/// # Safety
/// `info` must be valid, and Vulkan must read its `renderPass`.
unsafe fn target(info: &Info, reads: &Reads, capture: &Capture) -> Option<Target> {
    if info.render_pass != vk::RenderPass::null() {
        let unknown = || RenderPass { chain: lost(vk::RenderPassCreateInfo2::STRUCTURE_TYPE), ..RenderPass::default() };
        let pass = capture.passes.get(info.render_pass).map_or_else(unknown, |pass| (*pass).clone());
        return Some(Target::RenderPass(pass, info.subpass));
    }
    // SAFETY: the chain of a valid create info.
    let (rendering, locations) =
        unsafe { (chains::find::<RenderingInfo>(info.p_next), chains::find::<Locations>(info.p_next)) };
    let rendering = rendering?;
    if !reads.formats {
        return Some(Target::Rendering(Rendering { view_mask: rendering.view_mask, ..Rendering::default() }));
    }
    // Without the array, the location of an attachment is its index.
    let locations = locations.filter(|locations| !locations.p_color_attachment_locations.is_null());
    // SAFETY: the arrays of valid structures that Vulkan reads.
    let (formats, locations) = unsafe {
        (
            slice(rendering.p_color_attachment_formats, rendering.color_attachment_count),
            locations.map(|l| slice(l.p_color_attachment_locations, l.color_attachment_count).to_vec()),
        )
    };
    Some(Target::Rendering(Rendering {
        view_mask: rendering.view_mask,
        colors: formats.iter().map(|format| format.as_raw()).collect(),
        depth: rendering.depth_attachment_format.as_raw(),
        stencil: rendering.stencil_attachment_format.as_raw(),
        locations,
    }))
}
