//! The one visitor of all shader code in a create info.
//!
//! In: any create info. Out: every array of stages and every piece of code that Vulkan reads from
//! it, wherever it is nested. Refusal, substitution and inspection all use [`visit`], so a structure
//! that carries shader code is added in one place: a row of `carriers!` below.

use std::ops::ControlFlow;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::vulkan::arrays::{bytes, slice};
use crate::vulkan::chain::{self, Header};
use crate::vulkan::newer::PipelineBinaryCreateInfo;
use crate::vulkan::pipeline_state;

/// A pipeline stage of the application, without its lifetime: it is used only during the
/// application's call.
pub type Stage = vk::PipelineShaderStageCreateInfo<'static>;

/// Shader code in a create info.
pub struct Carrier<'a> {
    /// The name of the structure that has it.
    pub structure: &'static str,
    /// That structure is the visited create info itself, not one in its chain or nested in it.
    pub own: bool,
    /// The code.
    pub code: Code<'a>,
}

/// The forms of shader code in a create info.
#[derive(Clone, Copy)]
pub enum Code<'a> {
    /// An array of stages, each with a module or with code in its chain.
    Stages(&'a [Stage]),
    /// Code itself, SPIR-V by its declaration.
    Bytes(&'a [u8]),
}

/// The code of one stage.
pub enum StageCode<'a> {
    /// A module has it.
    Module(vk::ShaderModule),
    /// A `VkShaderModuleCreateInfo` in the chain of the stage has it.
    Chained(&'a [u8]),
}

/// The code that Vulkan reads of a stage: that of its module, and only without one that of its
/// chain.
///
/// # Safety
/// The stage must be valid, and what it points to must outlive the result.
pub unsafe fn stage_code<'a>(stage: &Stage) -> Option<StageCode<'a>> {
    if stage.module != vk::ShaderModule::null() {
        return Some(StageCode::Module(stage.module));
    }
    // SAFETY: the chain of a valid stage.
    let info = unsafe { chain::find::<vk::ShaderModuleCreateInfo<'_>>(stage.p_next) }?;
    // SAFETY: the code of a valid create info.
    Some(StageCode::Chained(unsafe { bytes(info.p_code.cast(), info.code_size) }))
}

/// A visitor; it may end the visit.
pub type Each<'f, 'a> = dyn FnMut(Carrier<'a>) -> ControlFlow<()> + 'f;

/// A structure that is being visited.
struct Found<'f, 'g, 'a> {
    structure: &'static str,
    own: bool,
    each: &'f mut Each<'g, 'a>,
}

impl<'a> Found<'_, '_, 'a> {
    fn stages(self, stages: &'a [Stage]) -> ControlFlow<()> {
        (self.each)(Carrier { structure: self.structure, own: self.own, code: Code::Stages(stages) })
    }
    fn bytes(self, code: &'a [u8]) -> ControlFlow<()> {
        (self.each)(Carrier { structure: self.structure, own: self.own, code: Code::Bytes(code) })
    }
    /// # Safety
    /// As for [`visit`].
    unsafe fn nested(self, info: *const Header) -> ControlFlow<()> {
        // SAFETY: by the caller's contract.
        unsafe { walk(info, false, self.each) }
    }
}

/// Calls `each` for all shader code that Vulkan reads from a create info.
///
/// # Errors
/// `Break`, if `each` ended the visit.
///
/// # Safety
/// `info` must be null or a valid Vulkan structure; what it points to must outlive `'a`.
pub unsafe fn visit<'a>(info: *const Header, each: &mut Each<'_, 'a>) -> ControlFlow<()> {
    // SAFETY: the caller's structure.
    unsafe { walk(info, true, each) }
}

/// # Safety
/// As for [`visit`].
unsafe fn walk<'a>(info: *const Header, own: bool, each: &mut Each<'_, 'a>) -> ControlFlow<()> {
    // SAFETY: null, or the header of a valid structure.
    let Some(header) = (unsafe { info.as_ref() }) else { return ControlFlow::Continue(()) };
    let p_next = header.p_next.cast();
    // SAFETY: the chain of a valid structure.
    if unsafe { pipeline_state::made_from_binaries(p_next) } {
        return ControlFlow::Continue(());
    }
    // SAFETY: a valid structure.
    unsafe { structure(info, own, each) }?;
    // SAFETY: the chain of a valid structure.
    for node in unsafe { chain::nodes(p_next) } {
        // SAFETY: a node of that chain.
        unsafe { structure(node, false, each) }?;
    }
    ControlFlow::Continue(())
}

/// Makes `structure`: it visits one structure, not its chain. A row is a type, its Vulkan name, and
/// what Vulkan reads from it.
macro_rules! carriers {
    ($($ty:ty, $name:literal: |$info:ident, $found:ident| $visit:expr;)*) => {
        /// # Safety
        /// `node` must be a valid Vulkan structure; what it points to must outlive `'a`.
        unsafe fn structure<'a>(node: *const Header, own: bool, each: &mut Each<'_, 'a>) -> ControlFlow<()> {
            // SAFETY: the header of a valid structure.
            match unsafe { (*node).s_type } {
                $(<$ty>::STRUCTURE_TYPE => {
                    // SAFETY: the sType says what the node is.
                    let $info = unsafe { &*node.cast::<$ty>() };
                    let $found = Found { structure: $name, own, each };
                    $visit
                })*
                _ => ControlFlow::Continue(()),
            }
        }
    };
}

carriers! {
    // SAFETY: a valid create info.
    vk::GraphicsPipelineCreateInfo<'static>, "VkGraphicsPipelineCreateInfo":
        |info, found| found.stages(unsafe { pipeline_state::stages(info) });
    vk::ComputePipelineCreateInfo<'static>, "VkComputePipelineCreateInfo":
        |info, found| found.stages(std::slice::from_ref(&info.stage));
    // SAFETY: the array of a valid create info.
    vk::RayTracingPipelineCreateInfoKHR<'static>, "VkRayTracingPipelineCreateInfoKHR":
        |info, found| found.stages(unsafe { slice(info.p_stages, info.stage_count) });
    // SAFETY: the array of a valid create info.
    vk::RayTracingPipelineCreateInfoNV<'static>, "VkRayTracingPipelineCreateInfoNV":
        |info, found| found.stages(unsafe { slice(info.p_stages, info.stage_count) });
    // SAFETY: the array of a valid create info.
    vk::ExecutionGraphPipelineCreateInfoAMDX<'static>, "VkExecutionGraphPipelineCreateInfoAMDX":
        |info, found| found.stages(unsafe { slice(info.p_stages, info.stage_count) });
    vk::GraphicsPipelineShaderGroupsCreateInfoNV<'static>, "VkGraphicsPipelineShaderGroupsCreateInfoNV":
        |info, found| {
            let Found { structure, own, each } = found;
            // SAFETY: the array of a valid structure.
            for group in unsafe { slice(info.p_groups, info.group_count) } {
                // SAFETY: the array of a valid group.
                let stages = unsafe { slice(group.p_stages, group.stage_count) };
                Found { structure, own, each: &mut *each }.stages(stages)?;
            }
            ControlFlow::Continue(())
        };
    // SAFETY: null, or a valid structure.
    PipelineBinaryCreateInfo, "VkPipelineBinaryCreateInfoKHR":
        |info, found| unsafe { found.nested(info.pipeline_create_info.cast()) };
    // A binary is in the driver's own format, whatever it begins with.
    // SAFETY: the code of a valid create info.
    vk::ShaderCreateInfoEXT<'static>, "VkShaderCreateInfoEXT":
        |info, found| match info.code_type {
            vk::ShaderCodeTypeEXT::SPIRV => found.bytes(unsafe { bytes(info.p_code, info.code_size) }),
            _ => ControlFlow::Continue(()),
        };
    // SAFETY: the code of a valid create info.
    vk::ShaderModuleCreateInfo<'static>, "VkShaderModuleCreateInfo":
        |info, found| found.bytes(unsafe { bytes(info.p_code.cast(), info.code_size) });
}
