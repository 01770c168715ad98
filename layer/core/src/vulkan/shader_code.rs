//! The visitor of all shader code in a create info.
//!
//! In: any create info. Out: every array of stages and all code that Vulkan reads from it, at any
//! nesting. Refusal, substitution and inspection all use [`visit`], so a structure with shader code
//! is added in one place: a row of `structures!` below.

use std::ops::ControlFlow;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::vulkan::arrays::{bytes, slice};
use crate::vulkan::chain::{self, Header};
use crate::vulkan::newer::PipelineBinaryCreateInfo;
use crate::vulkan::reads;

/// A pipeline stage of the application, without its lifetime: it is used only during the
/// application's call.
pub type Stage = vk::PipelineShaderStageCreateInfo<'static>;

/// Shader code in a create info.
pub struct ShaderCode<'a> {
    /// The name of the structure that has it.
    pub structure: &'static str,
    /// That structure is the visited create info, not one in its chain or nested in it.
    pub own: bool,
    /// The code.
    pub code: Code<'a>,
}

/// The forms of shader code in a create info.
#[derive(Clone, Copy)]
pub enum Code<'a> {
    /// An array of stages, each with a module or with code in its chain.
    Stages(&'a [Stage]),
    /// Code, which is SPIR-V according to its structure.
    Bytes(&'a [u8]),
}

/// The code of one stage.
pub enum StageCode<'a> {
    /// The code of a module.
    Module(vk::ShaderModule),
    /// The code of a `VkShaderModuleCreateInfo` in the chain of the stage.
    Chained(&'a [u8]),
    /// The code that a `VkPipelineShaderStageModuleIdentifierCreateInfoEXT` in the chain names.
    Identified(&'a [u8]),
}

/// The code that Vulkan reads of a stage: that of its module, or, without a module, what its chain
/// has or identifies.
///
/// # Safety
/// The stage must be valid, and what it points to must outlive the result.
pub unsafe fn stage_code<'a>(stage: &Stage) -> Option<StageCode<'a>> {
    if stage.module != vk::ShaderModule::null() {
        return Some(StageCode::Module(stage.module));
    }
    // SAFETY: the chain of a valid stage.
    if let Some(info) = unsafe { chain::find::<vk::ShaderModuleCreateInfo<'_>>(stage.p_next) } {
        // SAFETY: the code of a valid create info.
        return Some(StageCode::Chained(unsafe { bytes(info.p_code.cast(), info.code_size) }));
    }
    // SAFETY: the chain of a valid stage.
    let info = unsafe { chain::find::<vk::PipelineShaderStageModuleIdentifierCreateInfoEXT<'_>>(stage.p_next) }?;
    // SAFETY: the identifier of a valid structure.
    Some(StageCode::Identified(unsafe { bytes(info.p_identifier.cast(), info.identifier_size as usize) }))
}

/// A visitor, which may end the visit.
pub type Each<'f, 'a> = dyn FnMut(ShaderCode<'a>) -> ControlFlow<()> + 'f;

/// A structure that is being visited.
struct Visited<'f, 'g, 'a> {
    structure: &'static str,
    own: bool,
    each: &'f mut Each<'g, 'a>,
}

impl<'a> Visited<'_, '_, 'a> {
    fn stages(self, stages: &'a [Stage]) -> ControlFlow<()> {
        (self.each)(ShaderCode { structure: self.structure, own: self.own, code: Code::Stages(stages) })
    }
    fn bytes(self, code: &'a [u8]) -> ControlFlow<()> {
        (self.each)(ShaderCode { structure: self.structure, own: self.own, code: Code::Bytes(code) })
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
    if unsafe { reads::made_from_binaries(p_next) } {
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
macro_rules! structures {
    ($($ty:ty, $name:literal: |$info:ident, $found:ident| $visit:expr;)*) => {
        /// # Safety
        /// `node` must be a valid Vulkan structure; what it points to must outlive `'a`.
        unsafe fn structure<'a>(node: *const Header, own: bool, each: &mut Each<'_, 'a>) -> ControlFlow<()> {
            // SAFETY: the header of a valid structure.
            match unsafe { (*node).s_type } {
                $(<$ty>::STRUCTURE_TYPE => {
                    // SAFETY: the sType says what the node is.
                    let $info = unsafe { &*node.cast::<$ty>() };
                    let $found = Visited { structure: $name, own, each };
                    $visit
                })*
                _ => ControlFlow::Continue(()),
            }
        }
    };
}

structures! {
    vk::GraphicsPipelineCreateInfo<'static>, "VkGraphicsPipelineCreateInfo": |info, found| {
        // SAFETY: a valid create info.
        found.stages(unsafe { reads::stages(info) })
    };
    vk::ComputePipelineCreateInfo<'static>, "VkComputePipelineCreateInfo": |info, found| {
        found.stages(std::slice::from_ref(&info.stage))
    };
    vk::RayTracingPipelineCreateInfoKHR<'static>, "VkRayTracingPipelineCreateInfoKHR": |info, found| {
        // SAFETY: the array of a valid create info.
        found.stages(unsafe { slice(info.p_stages, info.stage_count) })
    };
    vk::RayTracingPipelineCreateInfoNV<'static>, "VkRayTracingPipelineCreateInfoNV": |info, found| {
        // SAFETY: the array of a valid create info.
        found.stages(unsafe { slice(info.p_stages, info.stage_count) })
    };
    vk::ExecutionGraphPipelineCreateInfoAMDX<'static>, "VkExecutionGraphPipelineCreateInfoAMDX": |info, found| {
        // SAFETY: the array of a valid create info.
        found.stages(unsafe { slice(info.p_stages, info.stage_count) })
    };
    vk::GraphicsPipelineShaderGroupsCreateInfoNV<'static>, "VkGraphicsPipelineShaderGroupsCreateInfoNV":
    |info, found| {
        let Visited { structure, own, each } = found;
        // SAFETY: the array of a valid structure.
        for group in unsafe { slice(info.p_groups, info.group_count) } {
            // SAFETY: the array of a valid group.
            let stages = unsafe { slice(group.p_stages, group.stage_count) };
            Visited { structure, own, each: &mut *each }.stages(stages)?;
        }
        ControlFlow::Continue(())
    };
    PipelineBinaryCreateInfo, "VkPipelineBinaryCreateInfoKHR": |info, found| {
        // SAFETY: null, or a valid structure.
        unsafe { found.nested(info.pipeline_create_info.cast()) }
    };
    vk::ShaderCreateInfoEXT<'static>, "VkShaderCreateInfoEXT": |info, found| {
        // A binary is in the driver's own format.
        if info.code_type != vk::ShaderCodeTypeEXT::SPIRV {
            return ControlFlow::Continue(());
        }
        // SAFETY: the code of a valid create info.
        found.bytes(unsafe { bytes(info.p_code, info.code_size) })
    };
    vk::ShaderModuleCreateInfo<'static>, "VkShaderModuleCreateInfo": |info, found| {
        // SAFETY: the code of a valid create info.
        found.bytes(unsafe { bytes(info.p_code.cast(), info.code_size) })
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The structures of a create info that have code, and whether the code is its own.
    fn found<T>(info: &T) -> Vec<(&'static str, bool, usize)> {
        let mut out = Vec::new();
        let mut each = |found: ShaderCode<'_>| {
            let count = match found.code {
                Code::Stages(stages) => stages.len(),
                Code::Bytes(code) => code.len(),
            };
            out.push((found.structure, found.own, count));
            ControlFlow::Continue(())
        };
        // SAFETY: the tests make valid structures.
        let _ = unsafe { visit(std::ptr::from_ref(info).cast(), &mut each) };
        out
    }

    #[test]
    fn code_is_found_in_the_chain_of_a_nested_create_info() {
        let stages = [Stage::default(); 3];
        let group = vk::GraphicsShaderGroupCreateInfoNV::default().stages(&stages);
        let group = [group, group];
        let mut groups = vk::GraphicsPipelineShaderGroupsCreateInfoNV::default().groups(&group);
        let graphics = vk::GraphicsPipelineCreateInfo::default().stages(&stages[..2]).push_next(&mut groups);
        let groups = ("VkGraphicsPipelineShaderGroupsCreateInfoNV", false, 3);
        assert_eq!(found(&graphics), [("VkGraphicsPipelineCreateInfo", true, 2), groups, groups]);
        // VkPipelineCreateInfoKHR and VkPipelineBinaryCreateInfoKHR.
        let key = [1_000_483_007, &raw const graphics as usize];
        let binary = [1_000_483_001, 0, 0, 0, key.as_ptr() as usize];
        let nested = [("VkGraphicsPipelineCreateInfo", false, 2), groups, groups];
        assert_eq!(found(&key), nested);
        assert_eq!(found(&binary), nested);
    }

    #[test]
    fn a_pipeline_from_binaries_has_no_code() {
        let binaries = [1_000_483_002u64, 0, 1, 0];
        let compute = vk::ComputePipelineCreateInfo { p_next: binaries.as_ptr().cast(), ..Default::default() };
        assert_eq!(found(&compute), []);
        let key = [1_000_483_007, &raw const compute as usize];
        assert_eq!(found(&key), []);
    }

    #[test]
    fn binaries_of_shader_objects_are_not_code() {
        let code = [0u8; 8];
        let spirv = vk::ShaderCreateInfoEXT::default().code(&code).code_type(vk::ShaderCodeTypeEXT::SPIRV);
        assert_eq!(found(&spirv), [("VkShaderCreateInfoEXT", true, 8)]);
        assert_eq!(found(&spirv.code_type(vk::ShaderCodeTypeEXT::BINARY)), []);
    }
}
