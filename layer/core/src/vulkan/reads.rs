//! Which members Vulkan reads from the create info of a graphics pipeline, as plain data.
//!
//! In: a create info, and the attachments of its subpass. Out: [`Read`]. What must hold: a pointer
//! that Vulkan ignores is not dereferenced, because it may be invalid. If a rule depends on unknown
//! state, less is read. The rules are those of the specification's `VkGraphicsPipelineCreateInfo`
//! ("Graphics Pipelines").

use std::ffi::c_void;

use ash::vk;

use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::newer::{PIPELINE_CREATE_2_DESCRIPTOR_HEAP, PipelineBinaryInfo};

use vk::DynamicState as D;
pub use vk::GraphicsPipelineLibraryFlagsEXT as Subset;

/// The effective creation flags.
#[derive(Clone, Copy)]
pub struct Flags {
    /// The bits of `VkPipelineCreateFlags2`.
    pub bits: u64,
    /// They are those of a `VkPipelineCreateFlags2CreateInfo` in the chain.
    pub chained: bool,
}

impl Flags {
    /// Whether the flag is set.
    pub fn has(self, flag: vk::PipelineCreateFlags) -> bool {
        self.bits & u64::from(flag.as_raw()) != 0
    }

    /// Whether the pipeline takes its resources from descriptor heaps instead of a pipeline layout
    /// (VK_EXT_descriptor_heap).
    pub fn uses_descriptor_heaps(self) -> bool {
        self.bits & PIPELINE_CREATE_2_DESCRIPTOR_HEAP != 0
    }
}

/// The flags of a pipeline: `VkPipelineCreateFlags2CreateInfo` in the chain overrides `flags`.
///
/// # Safety
/// `p_next` must be a valid chain.
pub unsafe fn flags(p_next: *const c_void, flags: vk::PipelineCreateFlags) -> Flags {
    // SAFETY: the caller's chain.
    match unsafe { chain::find::<vk::PipelineCreateFlags2CreateInfoKHR<'_>>(p_next) } {
        Some(flags2) => Flags { bits: flags2.flags.as_raw(), chained: true },
        None => Flags { bits: u64::from(flags.as_raw()), chained: false },
    }
}

/// Whether a pipeline is made from binaries, so that Vulkan ignores its shader code
/// (`VkPipelineBinaryInfoKHR`).
///
/// # Safety
/// `p_next` must be a valid chain.
pub unsafe fn made_from_binaries(p_next: *const c_void) -> bool {
    // SAFETY: the caller's chain.
    unsafe { chain::find::<PipelineBinaryInfo>(p_next) }.is_some_and(|info| info.binary_count > 0)
}

/// The subsets of state that the create info itself has (`VkGraphicsPipelineLibraryCreateInfoEXT`,
/// and what its omission means).
///
/// # Safety
/// `info` must be valid.
unsafe fn subsets(info: &vk::GraphicsPipelineCreateInfo<'_>) -> Subset {
    // SAFETY: the chain of a valid create info.
    if let Some(library) = unsafe { chain::find::<vk::GraphicsPipelineLibraryCreateInfoEXT<'_>>(info.p_next) } {
        return library.flags;
    }
    // SAFETY: as above.
    let libraries = unsafe { chain::find::<vk::PipelineLibraryCreateInfoKHR<'_>>(info.p_next) };
    // SAFETY: as above.
    let flags = unsafe { flags(info.p_next, info.flags) };
    if flags.has(vk::PipelineCreateFlags::LIBRARY_KHR) || libraries.is_some_and(|l| l.library_count > 0) {
        return Subset::empty();
    }
    Subset::VERTEX_INPUT_INTERFACE
        | Subset::PRE_RASTERIZATION_SHADERS
        | Subset::FRAGMENT_SHADER
        | Subset::FRAGMENT_OUTPUT_INTERFACE
}

/// The stages that Vulkan reads: none where no subset has shaders, or the pipeline is made from
/// binaries.
///
/// # Safety
/// `info` must be valid and outlive the result.
pub unsafe fn stages<'a>(
    info: &vk::GraphicsPipelineCreateInfo<'_>,
) -> &'a [vk::PipelineShaderStageCreateInfo<'static>] {
    // SAFETY: the caller's create info.
    let reads = unsafe { subsets(info).intersects(SHADERS) && !made_from_binaries(info.p_next) };
    if !reads {
        return &[];
    }
    // SAFETY: Vulkan reads the stages, so the array is valid.
    unsafe { slice(info.p_stages.cast(), info.stage_count) }
}

/// The members with state that Vulkan reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// `pDynamicState`.
    pub dynamic_state: bool,
    /// `pVertexInputState`.
    pub vertex_input: bool,
    /// `pInputAssemblyState`.
    pub input_assembly: bool,
    /// `pTessellationState`.
    pub tessellation: bool,
    /// `pViewportState`.
    pub viewport: bool,
    /// `VkPipelineViewportStateCreateInfo::pViewports`.
    pub viewports: bool,
    /// `VkPipelineViewportStateCreateInfo::pScissors`.
    pub scissors: bool,
    /// `pRasterizationState`.
    pub rasterization: bool,
    /// `pMultisampleState`.
    pub multisample: bool,
    /// `pDepthStencilState`.
    pub depth_stencil: bool,
    /// `pColorBlendState`.
    pub color_blend: bool,
    /// `VkPipelineColorBlendStateCreateInfo::pAttachments`.
    pub color_blend_attachments: bool,
    /// `layout`.
    pub layout: bool,
    /// `renderPass`, and without one `VkPipelineRenderingCreateInfo`.
    pub render_pass: bool,
    /// The formats of `VkPipelineRenderingCreateInfo`.
    pub formats: bool,
}

/// The attachments that the subpass of a pipeline uses; `None` if they are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// The number of colour attachments.
    pub colors: Option<u32>,
    /// It has a depth or stencil attachment.
    pub depth_stencil: Option<bool>,
}

/// What pipelines of a device may omit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// VK_EXT_extended_dynamic_state3 is enabled: structures whose state is dynamic may be null.
    pub dynamic_state3: bool,
    /// `dynamicPrimitiveTopologyUnrestricted`: with that extension, `pInputAssemblyState` is one of
    /// them.
    pub any_topology: bool,
}

impl Rules {
    /// The rules with which the least is read.
    pub const LEAST: Self = Self { dynamic_state3: true, any_topology: true };
}

/// What Vulkan reads from a create info.
#[derive(Clone, Copy)]
pub struct Read<'a> {
    /// The subsets of state that the create info has.
    pub subsets: Subset,
    /// The members that Vulkan reads.
    pub reads: Reads,
    /// The dynamic state.
    pub dynamic: &'a [D],
    /// Nothing is rasterised. `None` if that is dynamic; then the fragment state is read.
    pub rasterizer_discard: Option<bool>,
    /// The create info has fragment output state that is not discarded.
    pub output: bool,
    /// The number of colour attachments that the pipeline may write. `None` if the caller does not
    /// know the subpass; then the blend state is read.
    pub color_attachments: Option<u32>,
}

/// With all of these dynamic, `pRasterizationState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-pRasterizationState-09039).
const DYNAMIC_RASTERIZATION: [D; 8] = [
    D::DEPTH_CLAMP_ENABLE_EXT,
    D::RASTERIZER_DISCARD_ENABLE,
    D::POLYGON_MODE_EXT,
    D::CULL_MODE,
    D::FRONT_FACE,
    D::DEPTH_BIAS_ENABLE,
    D::DEPTH_BIAS,
    D::LINE_WIDTH,
];

/// With all of these dynamic, `pMultisampleState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09026). Whether `alphaToOne` has to be
/// dynamic too depends on a feature; the layer does not need the structure then.
const DYNAMIC_MULTISAMPLE: [D; 3] = [D::RASTERIZATION_SAMPLES_EXT, D::SAMPLE_MASK_EXT, D::ALPHA_TO_COVERAGE_ENABLE_EXT];

/// With all of these dynamic, `pAttachments` is ignored (`VkPipelineColorBlendStateCreateInfo`).
/// Whether advanced blending has to be dynamic too depends on a feature; the layer does not need
/// the array then.
const DYNAMIC_ATTACHMENTS: [D; 3] = [D::COLOR_BLEND_ENABLE_EXT, D::COLOR_BLEND_EQUATION_EXT, D::COLOR_WRITE_MASK_EXT];

/// With these dynamic as well, `pColorBlendState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-renderPass-09030 and -09033).
const DYNAMIC_COLOR_BLEND: [D; 3] = [D::LOGIC_OP_ENABLE_EXT, D::LOGIC_OP_EXT, D::BLEND_CONSTANTS];

/// With these dynamic, `pViewportState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-rasterizerDiscardEnable-09024).
const DYNAMIC_VIEWPORT: [D; 2] = [D::VIEWPORT_WITH_COUNT, D::SCISSOR_WITH_COUNT];

/// With these dynamic, `pInputAssemblyState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-dynamicPrimitiveTopologyUnrestricted-09031).
const DYNAMIC_INPUT_ASSEMBLY: [D; 2] = [D::PRIMITIVE_RESTART_ENABLE, D::PRIMITIVE_TOPOLOGY];

/// With all of these dynamic, `pDepthStencilState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-renderPass-09028 and -09035).
const DYNAMIC_DEPTH_STENCIL: [D; 7] = [
    D::DEPTH_TEST_ENABLE,
    D::DEPTH_WRITE_ENABLE,
    D::DEPTH_COMPARE_OP,
    D::DEPTH_BOUNDS_TEST_ENABLE,
    D::STENCIL_TEST_ENABLE,
    D::STENCIL_OP,
    D::DEPTH_BOUNDS,
];

impl<'a> Read<'a> {
    /// Determines what Vulkan reads from a create info. `subpass` has the attachments of the
    /// subpass, for a pipeline with a render pass.
    ///
    /// # Safety
    /// `info` must be valid, and what it points to must outlive the result.
    pub unsafe fn new(info: &vk::GraphicsPipelineCreateInfo<'_>, subpass: Uses, rules: Rules) -> Self {
        // SAFETY: the caller's create info.
        let subsets = unsafe { subsets(info) };
        let has = |subset| subsets.contains(subset);
        let mut reads = Reads { dynamic_state: !subsets.is_empty(), ..Reads::default() };
        let mut dynamic: &'a [D] = &[];
        // SAFETY: with a subset of the state here, `pDynamicState` is null or valid.
        if let Some(state) = unsafe { read(reads.dynamic_state, info.p_dynamic_state) } {
            // SAFETY: the array of a valid structure.
            dynamic = unsafe { slice(state.p_dynamic_states, state.dynamic_state_count) };
        }
        let all = |states: &[D]| states.iter().all(|state| dynamic.contains(state));
        let any = |states: &[D]| states.iter().any(|state| dynamic.contains(state));
        let may_be_null = |states: &[D]| rules.dynamic_state3 && all(states);
        // SAFETY: the caller's create info.
        let stages = unsafe { stages(info) }.iter().fold(vk::ShaderStageFlags::empty(), |all, s| all | s.stage);
        let is_mesh = stages.contains(vk::ShaderStageFlags::MESH_EXT);
        reads.layout = subsets.is_empty() || subsets.intersects(SHADERS);
        reads.render_pass = subsets.intersects(SHADERS | Subset::FRAGMENT_OUTPUT_INTERFACE);

        // Without the stages it is unknown whether one of them is a mesh shader.
        // SAFETY: the chain of the caller's create info.
        let is_known = unsafe { !made_from_binaries(info.p_next) };
        let vertices = has(Subset::VERTEX_INPUT_INTERFACE) && !is_mesh && is_known;
        reads.vertex_input = vertices && !all(&[D::VERTEX_INPUT_EXT]);
        reads.input_assembly = vertices && !(rules.any_topology && may_be_null(&DYNAMIC_INPUT_ASSEMBLY));

        let before = has(Subset::PRE_RASTERIZATION_SHADERS);
        let tessellation = vk::ShaderStageFlags::TESSELLATION_CONTROL | vk::ShaderStageFlags::TESSELLATION_EVALUATION;
        reads.tessellation = before && stages.contains(tessellation) && !may_be_null(&[D::PATCH_CONTROL_POINTS_EXT]);
        reads.rasterization = before && !all(&DYNAMIC_RASTERIZATION);
        // SAFETY: Vulkan reads the structure.
        let rasterization = unsafe { read(reads.rasterization, info.p_rasterization_state) };
        let rasterizer_discard = match rasterization {
            Some(state) if !all(&[D::RASTERIZER_DISCARD_ENABLE]) => Some(state.rasterizer_discard_enable == vk::TRUE),
            _ => None,
        };
        let discards = rasterizer_discard == Some(true);
        reads.viewport = before && !discards && !may_be_null(&DYNAMIC_VIEWPORT);
        reads.viewports = reads.viewport && !any(&[D::VIEWPORT, D::VIEWPORT_WITH_COUNT]);
        reads.scissors = reads.viewport && !any(&[D::SCISSOR, D::SCISSOR_WITH_COUNT]);

        // "If rasterizerDiscardEnable is VK_FALSE or VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE is
        // used, this state must be specified" (fragment output state; so for the fragment shader
        // state).
        let output = has(Subset::FRAGMENT_OUTPUT_INTERFACE) && !discards;
        let fragment = has(Subset::FRAGMENT_SHADER) && !discards;
        // With a fragment shader alone the pointer is null or valid
        // (VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-06629).
        reads.multisample = (output || fragment) && !all(&DYNAMIC_MULTISAMPLE);

        // A fragment shader library has the render pass too, but the attachment formats of dynamic
        // rendering are part of the output state.
        let no_pass = info.render_pass == vk::RenderPass::null();
        reads.formats = no_pass && output;
        // SAFETY: the caller's create info, which has fragment output state and no render pass.
        let rendered = reads.formats.then(|| unsafe { rendered(info.p_next) });
        let uses = match (rendered, no_pass) {
            (Some(rendered), _) => rendered,
            (None, false) => subpass,
            (None, true) => Uses { colors: None, depth_stencil: None },
        };
        let color_attachments = uses.colors;
        // Without a render pass a fragment shader alone needs the state (VUID-…-renderPass-06590).
        let depth_stencil = uses.depth_stencil == Some(true) || (no_pass && !output);
        reads.depth_stencil = fragment && depth_stencil && !may_be_null(&DYNAMIC_DEPTH_STENCIL);
        reads.color_blend =
            output && color_attachments != Some(0) && !(all(&DYNAMIC_COLOR_BLEND) && all(&DYNAMIC_ATTACHMENTS));
        reads.color_blend_attachments = reads.color_blend && !all(&DYNAMIC_ATTACHMENTS);
        Self { subsets, reads, dynamic, rasterizer_discard, output, color_attachments }
    }

    /// Whether all of these states are dynamic.
    pub fn all(&self, states: &[D]) -> bool {
        states.iter().all(|state| self.dynamic.contains(state))
    }
}

/// The subsets with shaders.
const SHADERS: Subset = Subset::from_raw(Subset::PRE_RASTERIZATION_SHADERS.as_raw() | Subset::FRAGMENT_SHADER.as_raw());

/// A structure, if Vulkan reads it and it is not null.
///
/// # Safety
/// If `reads` is true, the pointer must be null or valid, and outlive the result.
pub unsafe fn read<'a, T>(reads: bool, pointer: *const T) -> Option<&'a T> {
    // SAFETY: the caller's contract.
    if reads { unsafe { pointer.as_ref() } } else { None }
}

/// The attachments of a pipeline without a render pass (`VkPipelineRenderingCreateInfo`; a format
/// of `VK_FORMAT_UNDEFINED` is an unused attachment).
///
/// # Safety
/// `p_next` must be the chain of a valid create info with fragment output state and no render pass.
unsafe fn rendered(p_next: *const c_void) -> Uses {
    // SAFETY: the caller's chain.
    let Some(rendering) = (unsafe { chain::find::<vk::PipelineRenderingCreateInfo<'_>>(p_next) }) else {
        return Uses { colors: Some(0), depth_stencil: Some(false) };
    };
    // SAFETY: Vulkan reads the array (VUID-VkGraphicsPipelineCreateInfo-renderPass-06579).
    let formats = unsafe { slice(rendering.p_color_attachment_formats, rendering.color_attachment_count) };
    let used = |format: &&vk::Format| **format != vk::Format::UNDEFINED;
    let depth_stencil = [rendering.depth_attachment_format, rendering.stencil_attachment_format];
    Uses {
        colors: Some(formats.iter().filter(used).count() as u32),
        depth_stencil: Some(depth_stencil.iter().any(|format| used(&format))),
    }
}

#[cfg(test)]
mod tests;
