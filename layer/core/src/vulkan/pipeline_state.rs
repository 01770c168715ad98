//! Which state Vulkan reads from the create info of a graphics pipeline, decided once, as plain
//! data.
//!
//! In: a create info. Out: a [`GraphicsState`]: which members Vulkan reads, and what they say. What
//! must hold: a pointer that Vulkan ignores is not followed, because it may be stale. The clauses
//! are those of the specification's `VkGraphicsPipelineCreateInfo` ("Graphics Pipelines").
//!
//! A fact that does not follow from what Vulkan reads here is [`Fact::Unknown`]: state that another
//! library brings, or that a command sets later.

use std::ffi::c_void;

use ash::vk;

use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::newer::{PIPELINE_CREATE_2_DESCRIPTOR_HEAP, PipelineBinaryInfo};

use vk::GraphicsPipelineLibraryFlagsEXT as Subset;

/// A fact about a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact<T> {
    /// What Vulkan reads from the create info says so.
    Known(T),
    /// The create info does not decide it.
    Unknown,
}

impl<T> Fact<T> {
    /// The fact, or what an unknown one is taken for.
    pub fn or(self, otherwise: T) -> T {
        match self {
            Fact::Known(value) => value,
            Fact::Unknown => otherwise,
        }
    }
}

/// The creation flags that count.
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

/// The flags of a pipeline: `VkPipelineCreateInfo::flags` is ignored where the chain has its
/// successor.
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
    info: &vk::GraphicsPipelineCreateInfo<'static>,
) -> &'a [vk::PipelineShaderStageCreateInfo<'static>] {
    // SAFETY: the caller's create info.
    let reads = unsafe {
        subsets(info).intersects(Subset::PRE_RASTERIZATION_SHADERS | Subset::FRAGMENT_SHADER)
            && !made_from_binaries(info.p_next)
    };
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
    /// `pRasterizationState`.
    pub rasterization: bool,
    /// `pMultisampleState`.
    pub multisample: bool,
    /// `pColorBlendState`.
    pub color_blend: bool,
    /// `VkPipelineColorBlendStateCreateInfo::pAttachments`.
    pub color_blend_attachments: bool,
}

/// The state of a graphics pipeline that translation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphicsState {
    /// The members that Vulkan reads.
    pub reads: Reads,
    /// Nothing is rasterised. Where the state is dynamic, the fragment state is read as if
    /// something were.
    pub rasterizer_discard: Fact<bool>,
    /// The create info has the stages before rasterization, and another library has the pixel
    /// shader.
    pub pixel_shader_elsewhere: bool,
    /// The number of colour attachments that the pipeline may write. Where it is unknown, because the
    /// caller does not know the subpass, the blend state is read as if there were some.
    pub color_attachments: Fact<u32>,
    /// The number of samples, at their standard locations.
    pub samples: Fact<u32>,
    /// A colour attachment is blended with two sources.
    pub dual_source: Fact<bool>,
    /// Where `dual_source` is unknown because of dynamic state: what the create info says all the
    /// same in members that Vulkan ignores.
    pub stated_dual_source: bool,
}

/// With all of these dynamic, `pRasterizationState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-pRasterizationState-09039).
const DYNAMIC_RASTERIZATION: [vk::DynamicState; 8] = [
    vk::DynamicState::DEPTH_CLAMP_ENABLE_EXT,
    vk::DynamicState::RASTERIZER_DISCARD_ENABLE,
    vk::DynamicState::POLYGON_MODE_EXT,
    vk::DynamicState::CULL_MODE,
    vk::DynamicState::FRONT_FACE,
    vk::DynamicState::DEPTH_BIAS_ENABLE,
    vk::DynamicState::DEPTH_BIAS,
    vk::DynamicState::LINE_WIDTH,
];

/// With all of these dynamic, `pMultisampleState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-09026). Whether `alphaToOne` has to be
/// dynamic too depends on a feature; the layer does not need the structure then.
const DYNAMIC_MULTISAMPLE: [vk::DynamicState; 3] = [
    vk::DynamicState::RASTERIZATION_SAMPLES_EXT,
    vk::DynamicState::SAMPLE_MASK_EXT,
    vk::DynamicState::ALPHA_TO_COVERAGE_ENABLE_EXT,
];

/// With all of these dynamic, `pAttachments` is ignored (`VkPipelineColorBlendStateCreateInfo`).
/// Whether advanced blending has to be dynamic too depends on a feature; the layer does not need the
/// array then.
const DYNAMIC_ATTACHMENTS: [vk::DynamicState; 3] = [
    vk::DynamicState::COLOR_BLEND_ENABLE_EXT,
    vk::DynamicState::COLOR_BLEND_EQUATION_EXT,
    vk::DynamicState::COLOR_WRITE_MASK_EXT,
];

/// With these dynamic as well, `pColorBlendState` may be null
/// (VUID-VkGraphicsPipelineCreateInfo-renderPass-09030 and -09033).
const DYNAMIC_COLOR_BLEND: [vk::DynamicState; 3] =
    [vk::DynamicState::LOGIC_OP_ENABLE_EXT, vk::DynamicState::LOGIC_OP_EXT, vk::DynamicState::BLEND_CONSTANTS];

/// With one of these dynamic, a command decides on the samples or their locations.
const DYNAMIC_SAMPLES: [vk::DynamicState; 3] = [
    vk::DynamicState::RASTERIZATION_SAMPLES_EXT,
    vk::DynamicState::SAMPLE_LOCATIONS_EXT,
    vk::DynamicState::SAMPLE_LOCATIONS_ENABLE_EXT,
];

impl GraphicsState {
    /// The state where commands decide on everything.
    pub const UNKNOWN: Self = Self {
        reads: Reads {
            dynamic_state: false,
            rasterization: false,
            multisample: false,
            color_blend: false,
            color_blend_attachments: false,
        },
        rasterizer_discard: Fact::Unknown,
        pixel_shader_elsewhere: false,
        color_attachments: Fact::Unknown,
        samples: Fact::Unknown,
        dual_source: Fact::Unknown,
        stated_dual_source: false,
    };

    /// The state that Vulkan reads from a create info. `subpass_colors` is the number of colour
    /// attachments that the subpass uses, for a pipeline with a render pass.
    ///
    /// # Safety
    /// `info` must be valid.
    pub unsafe fn read(info: &vk::GraphicsPipelineCreateInfo<'_>, subpass_colors: Fact<u32>) -> Self {
        // SAFETY: the caller's create info.
        let subsets = unsafe { subsets(info) };
        let mut reads = Reads { dynamic_state: !subsets.is_empty(), ..Reads::default() };
        let mut dynamic: &[vk::DynamicState] = &[];
        // SAFETY: with a subset of the state here, `pDynamicState` is null or valid.
        if let Some(state) = unsafe { read(reads.dynamic_state, info.p_dynamic_state) } {
            // SAFETY: the array of a valid structure.
            dynamic = unsafe { slice(state.p_dynamic_states, state.dynamic_state_count) };
        }
        let all = |states: &[vk::DynamicState]| states.iter().all(|state| dynamic.contains(state));

        reads.rasterization = subsets.contains(Subset::PRE_RASTERIZATION_SHADERS) && !all(&DYNAMIC_RASTERIZATION);
        // SAFETY: Vulkan reads the structure.
        let rasterization = unsafe { read(reads.rasterization, info.p_rasterization_state) };
        let rasterizer_discard = match rasterization {
            Some(state) if !all(&[vk::DynamicState::RASTERIZER_DISCARD_ENABLE]) => {
                Fact::Known(state.rasterizer_discard_enable == vk::TRUE)
            }
            _ => Fact::Unknown,
        };

        // "If rasterizerDiscardEnable is VK_FALSE or VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE is
        // used, this state must be specified" (fragment output state).
        let output = subsets.contains(Subset::FRAGMENT_OUTPUT_INTERFACE) && rasterizer_discard != Fact::Known(true);
        reads.multisample = output && !all(&DYNAMIC_MULTISAMPLE);
        // SAFETY: Vulkan reads the structure.
        let samples = match unsafe { read(reads.multisample, info.p_multisample_state) } {
            Some(state) if !DYNAMIC_SAMPLES.iter().any(|state| dynamic.contains(state)) => {
                // SAFETY: the chain of a valid structure.
                unsafe { standard_samples(state) }
            }
            _ => Fact::Unknown,
        };

        // A fragment shader library has the render pass too, but the attachment formats of dynamic
        // rendering belong to the output state.
        let color_attachments = match (output, info.render_pass == vk::RenderPass::null()) {
            (_, false) => subpass_colors,
            (false, true) => Fact::Unknown,
            // SAFETY: the caller's create info, which has the fragment output state and no render
            // pass.
            (true, true) => Fact::Known(unsafe { rendered_colors(info.p_next) }),
        };
        reads.color_blend =
            output && color_attachments != Fact::Known(0) && !(all(&DYNAMIC_COLOR_BLEND) && all(&DYNAMIC_ATTACHMENTS));
        reads.color_blend_attachments = reads.color_blend && !all(&DYNAMIC_ATTACHMENTS);
        let mut state = Self {
            reads,
            rasterizer_discard,
            pixel_shader_elsewhere: subsets.contains(Subset::PRE_RASTERIZATION_SHADERS)
                && !subsets.contains(Subset::FRAGMENT_SHADER)
                && rasterizer_discard != Fact::Known(true),
            color_attachments,
            samples,
            dual_source: Fact::Unknown,
            stated_dual_source: false,
        };
        if rasterizer_discard == Fact::Known(true) || color_attachments == Fact::Known(0) {
            state.dual_source = Fact::Known(false);
        }
        // SAFETY: Vulkan reads the structure.
        if let Some(blend) = unsafe { read(reads.color_blend_attachments, info.p_color_blend_state) } {
            // SAFETY: Vulkan reads the array of the valid structure.
            let targets = unsafe { slice(blend.p_attachments, blend.attachment_count) };
            let enable = all(&[vk::DynamicState::COLOR_BLEND_ENABLE_EXT]);
            let equation = all(&[vk::DynamicState::COLOR_BLEND_EQUATION_EXT]);
            state.dual_source = dual_source(targets, enable, equation);
            state.stated_dual_source = targets.iter().any(|t| t.blend_enable == vk::TRUE && takes_second_source(t));
        }
        state
    }
}

impl GraphicsState {
    /// Whether the second target of a pixel shader is the second source of blending, as far as that is
    /// known. Where commands decide on blending, a pipeline with one colour attachment has no other
    /// use for a second target, and D3D allows two sources with one target only (Direct3D 11.3 functional
    /// specification, "Dual Source Color Blending").
    pub fn second_source(&self) -> Fact<bool> {
        match (self.dual_source, self.stated_dual_source, self.color_attachments) {
            (Fact::Known(known), ..) => Fact::Known(known),
            (Fact::Unknown, true, _) => Fact::Known(true),
            (Fact::Unknown, false, Fact::Known(count)) => Fact::Known(count == 1),
            (Fact::Unknown, false, Fact::Unknown) => Fact::Unknown,
        }
    }
}

/// A structure that Vulkan reads, if it is there.
///
/// # Safety
/// Where `reads` is true, the pointer must be null or valid, and outlive the result.
unsafe fn read<'a, T>(reads: bool, pointer: *const T) -> Option<&'a T> {
    // SAFETY: the caller's contract.
    if reads { unsafe { pointer.as_ref() } } else { None }
}

/// The samples of a pipeline, if they are at their standard locations.
///
/// # Safety
/// The structure must be valid.
unsafe fn standard_samples(state: &vk::PipelineMultisampleStateCreateInfo<'_>) -> Fact<u32> {
    // SAFETY: the chain of a valid structure.
    let locations = unsafe { chain::find::<vk::PipelineSampleLocationsStateCreateInfoEXT<'_>>(state.p_next) };
    match locations {
        Some(locations) if locations.sample_locations_enable == vk::TRUE => Fact::Unknown,
        _ => Fact::Known(state.rasterization_samples.as_raw()),
    }
}

/// The number of colour attachments of a pipeline without a render pass
/// (`VkPipelineRenderingCreateInfo`; a format of `VK_FORMAT_UNDEFINED` is an unused attachment).
///
/// # Safety
/// `p_next` must be the chain of a valid create info with fragment output state and no render pass.
unsafe fn rendered_colors(p_next: *const c_void) -> u32 {
    // SAFETY: the caller's chain.
    let Some(rendering) = (unsafe { chain::find::<vk::PipelineRenderingCreateInfo<'_>>(p_next) }) else {
        return 0;
    };
    // SAFETY: Vulkan reads the array (VUID-VkGraphicsPipelineCreateInfo-renderPass-06579).
    let formats = unsafe { slice(rendering.p_color_attachment_formats, rendering.color_attachment_count) };
    formats.iter().filter(|&&format| format != vk::Format::UNDEFINED).count() as u32
}

/// Whether an attachment is blended with two sources, where commands may set what is dynamic.
fn dual_source(targets: &[vk::PipelineColorBlendAttachmentState], enable: bool, equation: bool) -> Fact<bool> {
    // An attachment may blend with two sources unless a member that Vulkan reads rules it out.
    let may = |t: &vk::PipelineColorBlendAttachmentState| {
        (enable || t.blend_enable == vk::TRUE) && (equation || takes_second_source(t))
    };
    match targets.iter().any(may) {
        false => Fact::Known(false),
        true if !enable && !equation => Fact::Known(true),
        true => Fact::Unknown,
    }
}

fn takes_second_source(target: &vk::PipelineColorBlendAttachmentState) -> bool {
    use vk::BlendFactor as F;
    let factors = [
        target.src_color_blend_factor,
        target.dst_color_blend_factor,
        target.src_alpha_blend_factor,
        target.dst_alpha_blend_factor,
    ];
    factors.iter().any(|&factor| {
        matches!(factor, F::SRC1_COLOR | F::ONE_MINUS_SRC1_COLOR | F::SRC1_ALPHA | F::ONE_MINUS_SRC1_ALPHA)
    })
}

#[cfg(test)]
mod tests;
