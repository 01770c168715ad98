//! The state of graphics pipelines that translation depends on, as far as Vulkan reads it.
//!
//! In: a create info. Out: a [`GraphicsState`]. What must hold: a pointer that Vulkan ignores is
//! not dereferenced ([`reads`]). Unknown state is `None`: state of another library, and dynamic
//! state.

use ash::vk;

use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::reads::{self, Read, Rules, Subset, Uses};

/// The state of a graphics pipeline that translation depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphicsState {
    /// Nothing is rasterised.
    pub rasterizer_discard: Option<bool>,
    /// The create info has the stages before rasterization, and another library has the pixel
    /// shader.
    pub pixel_shader_elsewhere: bool,
    /// The number of colour attachments that the pipeline may write.
    pub color_attachments: Option<u32>,
    /// The number of samples, at their standard locations.
    pub samples: Option<u32>,
    /// The pixel shader may run several times for a pixel, whatever it reads.
    pub sample_shading: bool,
    /// A colour attachment is blended with two sources.
    pub dual_source: Option<bool>,
    /// If `dual_source` is unknown because of dynamic state: its value according to members that
    /// Vulkan ignores.
    pub stated_dual_source: bool,
}

/// With one of these dynamic, a command sets the samples or their locations.
const DYNAMIC_SAMPLES: [vk::DynamicState; 3] = [
    vk::DynamicState::RASTERIZATION_SAMPLES_EXT,
    vk::DynamicState::SAMPLE_LOCATIONS_EXT,
    vk::DynamicState::SAMPLE_LOCATIONS_ENABLE_EXT,
];

impl GraphicsState {
    /// The state if all of it is dynamic.
    pub const UNKNOWN: Self = Self {
        rasterizer_discard: None,
        pixel_shader_elsewhere: false,
        color_attachments: None,
        samples: None,
        sample_shading: false,
        dual_source: None,
        stated_dual_source: false,
    };

    /// The state that Vulkan reads from a create info. `subpass_colors` is the number of colour
    /// attachments that the subpass uses, for a pipeline with a render pass.
    ///
    /// # Safety
    /// `info` must be valid.
    pub unsafe fn read(info: &vk::GraphicsPipelineCreateInfo<'_>, subpass_colors: Option<u32>) -> Self {
        let subpass = Uses { colors: subpass_colors, depth_stencil: None };
        // SAFETY: the caller's create info.
        let read = unsafe { Read::new(info, subpass, Rules::LEAST) };
        let Read { subsets, reads, rasterizer_discard, color_attachments, .. } = read;
        // SAFETY: Vulkan reads the structure.
        let multisample = unsafe { reads::read(reads.multisample, info.p_multisample_state) };
        let samples = match multisample.filter(|_| read.output) {
            Some(state) if !DYNAMIC_SAMPLES.iter().any(|state| read.dynamic.contains(state)) => {
                // SAFETY: the chain of a valid structure.
                unsafe { standard_samples(state) }
            }
            _ => None,
        };
        let mut state = Self {
            rasterizer_discard,
            pixel_shader_elsewhere: subsets.contains(Subset::PRE_RASTERIZATION_SHADERS)
                && !subsets.contains(Subset::FRAGMENT_SHADER)
                && rasterizer_discard != Some(true),
            color_attachments,
            samples,
            sample_shading: multisample.is_some_and(|state| {
                runs_several_times(state, read.all(&[vk::DynamicState::RASTERIZATION_SAMPLES_EXT]))
            }),
            dual_source: None,
            stated_dual_source: false,
        };
        if rasterizer_discard == Some(true) || color_attachments == Some(0) {
            state.dual_source = Some(false);
        }
        // SAFETY: Vulkan reads the structure.
        if let Some(blend) = unsafe { reads::read(reads.color_blend_attachments, info.p_color_blend_state) } {
            // SAFETY: Vulkan reads the array of the valid structure.
            let targets = unsafe { slice(blend.p_attachments, blend.attachment_count) };
            let enable = read.all(&[vk::DynamicState::COLOR_BLEND_ENABLE_EXT]);
            let equation = read.all(&[vk::DynamicState::COLOR_BLEND_EQUATION_EXT]);
            state.dual_source = dual_source(targets, enable, equation);
            state.stated_dual_source = targets.iter().any(|t| t.blend_enable == vk::TRUE && takes_second_source(t));
        }
        state
    }
}

impl GraphicsState {
    /// Whether the second target of a pixel shader is the second source of blending, if that is
    /// known. With dynamic blending, a pipeline with one colour attachment has no other use for a
    /// second target, and D3D allows two sources only with one target (Direct3D 11.3 functional
    /// specification, "Dual Source Color Blending").
    pub fn second_source(&self) -> Option<bool> {
        match (self.dual_source, self.stated_dual_source, self.color_attachments) {
            (Some(known), ..) => Some(known),
            (None, true, _) => Some(true),
            (None, false, Some(count)) => Some(count == 1),
            (None, false, None) => None,
        }
    }
}

/// Whether the state makes a pixel shader run several times for a pixel: at least minSampleShading
/// times the number of samples, rounded up (Vulkan, "Sample Shading").
fn runs_several_times(state: &vk::PipelineMultisampleStateCreateInfo<'_>, dynamic_samples: bool) -> bool {
    let samples = if dynamic_samples { vk::SampleCountFlags::TYPE_64 } else { state.rasterization_samples };
    state.sample_shading_enable == vk::TRUE && state.min_sample_shading * samples.as_raw() as f32 > 1.0
}

/// The samples of a pipeline, if they are at their standard locations.
///
/// # Safety
/// The structure must be valid.
unsafe fn standard_samples(state: &vk::PipelineMultisampleStateCreateInfo<'_>) -> Option<u32> {
    // SAFETY: the chain of a valid structure.
    let locations = unsafe { chain::find::<vk::PipelineSampleLocationsStateCreateInfoEXT<'_>>(state.p_next) };
    match locations {
        Some(locations) if locations.sample_locations_enable == vk::TRUE => None,
        _ => Some(state.rasterization_samples.as_raw()),
    }
}

/// Whether an attachment is blended with two sources, where commands may set what is dynamic.
fn dual_source(targets: &[vk::PipelineColorBlendAttachmentState], enable: bool, equation: bool) -> Option<bool> {
    // An attachment may blend with two sources unless a member that Vulkan reads excludes it.
    let may = |t: &vk::PipelineColorBlendAttachmentState| {
        (enable || t.blend_enable == vk::TRUE) && (equation || takes_second_source(t))
    };
    match targets.iter().any(may) {
        false => Some(false),
        true if !enable && !equation => Some(true),
        true => None,
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
