//! What create infos of pipelines have in common.

use std::ffi::c_void;

use ash::vk;

use crate::vulkan::arrays::slice;
use crate::vulkan::chain::Header;
use crate::vulkan::pipeline_state::GraphicsState;
use crate::vulkan::reads::{self, Flags, Read, Rules, Uses};
use crate::vulkan::shader_code::Stage;

/// The create info of a pipeline whose stages can be replaced.
pub trait PipelineCreateInfo: Copy + 'static {
    /// The command's result for unusable shader code: `VK_ERROR_INVALID_SHADER_NV`, or
    /// `VK_ERROR_UNKNOWN` if the command cannot return that.
    const INVALID: vk::Result;

    /// `pNext`.
    fn p_next(&self) -> *const c_void;
    /// Replaces the chain.
    fn set_next(&mut self, p_next: *const c_void);
    /// `flags`, which flags in the chain override.
    fn legacy_flags(&mut self) -> &mut vk::PipelineCreateFlags;
    /// `layout`.
    fn layout(&self) -> vk::PipelineLayout;
    /// `basePipelineIndex`.
    fn base_index(&mut self) -> &mut i32;
    /// `basePipelineHandle`.
    fn base_handle(&self) -> vk::Pipeline;
    /// Replaces the stages by the same number of others.
    fn set_stages(&mut self, stages: &[Stage]);
    /// The graphics state that Vulkan reads; `None` for other pipelines. `colors` gives the number
    /// of colour attachments that a subpass of a render pass uses.
    ///
    /// # Safety
    /// The create info must be valid.
    unsafe fn graphics_state(&self, colors: &dyn Fn(vk::RenderPass, u32) -> Option<u32>) -> Option<GraphicsState>;

    /// The vertex attributes that Vulkan reads from the create info; `None` if another library or a
    /// command has them, or the pipeline has no vertices.
    ///
    /// # Safety
    /// The create info must be valid and outlive the result.
    unsafe fn vertex_attributes<'a>(&self) -> Option<&'a [vk::VertexInputAttributeDescription]> {
        None
    }

    /// The create info as the head of its chain.
    fn header(&self) -> *const Header {
        std::ptr::from_ref(self).cast()
    }

    /// The effective flags.
    ///
    /// # Safety
    /// The create info must be valid.
    unsafe fn flags(&self) -> Flags {
        let legacy = *self.clone().legacy_flags();
        // SAFETY: the chain of a valid create info.
        unsafe { reads::flags(self.p_next(), legacy) }
    }
}

/// The members of [`PipelineCreateInfo`] for fields that all create infos have by one name.
macro_rules! common_fields {
    () => {
        fn p_next(&self) -> *const c_void {
            self.p_next
        }
        fn set_next(&mut self, p_next: *const c_void) {
            self.p_next = p_next;
        }
        fn legacy_flags(&mut self) -> &mut vk::PipelineCreateFlags {
            &mut self.flags
        }
        fn layout(&self) -> vk::PipelineLayout {
            self.layout
        }
        fn base_index(&mut self) -> &mut i32 {
            &mut self.base_pipeline_index
        }
        fn base_handle(&self) -> vk::Pipeline {
            self.base_pipeline_handle
        }
    };
}

impl PipelineCreateInfo for vk::ComputePipelineCreateInfo<'static> {
    const INVALID: vk::Result = vk::Result::ERROR_INVALID_SHADER_NV;
    common_fields!();
    fn set_stages(&mut self, stages: &[Stage]) {
        if let Some(stage) = stages.first() {
            self.stage = *stage;
        }
    }
    unsafe fn graphics_state(&self, _: &dyn Fn(vk::RenderPass, u32) -> Option<u32>) -> Option<GraphicsState> {
        None
    }
}

impl PipelineCreateInfo for vk::GraphicsPipelineCreateInfo<'static> {
    const INVALID: vk::Result = vk::Result::ERROR_INVALID_SHADER_NV;
    common_fields!();
    fn set_stages(&mut self, stages: &[Stage]) {
        self.p_stages = stages.as_ptr();
    }
    unsafe fn graphics_state(&self, colors: &dyn Fn(vk::RenderPass, u32) -> Option<u32>) -> Option<GraphicsState> {
        // SAFETY: the caller's create info.
        Some(unsafe { GraphicsState::read(self, colors(self.render_pass, self.subpass)) })
    }
    unsafe fn vertex_attributes<'a>(&self) -> Option<&'a [vk::VertexInputAttributeDescription]> {
        let unknown = Uses { colors: None, depth_stencil: None };
        // SAFETY: the caller's create info.
        let reads = unsafe { Read::new(self, unknown, Rules::LEAST) }.reads.vertex_input;
        // SAFETY: Vulkan reads the structure.
        let state = unsafe { reads::read(reads, self.p_vertex_input_state) }?;
        // SAFETY: the array of a valid structure.
        Some(unsafe { slice(state.p_vertex_attribute_descriptions, state.vertex_attribute_description_count) })
    }
}

/// The create infos of ray-tracing pipelines and execution graphs. Groups refer to stages by index,
/// so only the array of stages changes.
macro_rules! without_graphics {
    ($info:ident, $invalid:ident) => {
        impl PipelineCreateInfo for vk::$info<'static> {
            const INVALID: vk::Result = vk::Result::$invalid;
            common_fields!();
            fn set_stages(&mut self, stages: &[Stage]) {
                self.p_stages = stages.as_ptr();
            }
            unsafe fn graphics_state(&self, _: &dyn Fn(vk::RenderPass, u32) -> Option<u32>) -> Option<GraphicsState> {
                None
            }
        }
    };
}

without_graphics!(ExecutionGraphPipelineCreateInfoAMDX, ERROR_UNKNOWN);
without_graphics!(RayTracingPipelineCreateInfoKHR, ERROR_UNKNOWN);
without_graphics!(RayTracingPipelineCreateInfoNV, ERROR_INVALID_SHADER_NV);
