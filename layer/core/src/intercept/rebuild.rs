//! The create info of a pipeline for the driver, with replaced stages: its own, and those of the
//! shader groups in its chain.
//!
//! In: a create info. Out: `None` if no change is needed; else a copy. What must hold: replacements
//! live in the [`Scratch`]; everything else that the copy points to belongs to the application.

use std::ops::ControlFlow;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::features::robustness::Robustness;
use crate::intercept::dxil_stage::Refusal;
use crate::intercept::inspect::is_dxil;
use crate::intercept::root_signatures;
use crate::intercept::scratch::Scratch;
use crate::intercept::substitute::{Pipeline, substitute};
use crate::translate::Failure;
use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::copies::Prefix;
use crate::vulkan::create_info::PipelineCreateInfo;
use crate::vulkan::shader_code::{self, Code, ShaderCode};

type Groups = vk::GraphicsPipelineShaderGroupsCreateInfoNV<'static>;

/// The name of that structure. The shipped layer does not translate its DXIL.
const GROUPS: &str = "VkGraphicsPipelineShaderGroupsCreateInfoNV";

/// The create info for the driver; `None` if no change is needed. `may_compile` is as in
/// [`Pipeline`].
///
/// # Errors
/// Why the pipeline cannot be created.
///
/// # Safety
/// The create info must be valid and outlive the scratch.
pub unsafe fn rebuilt<T: PipelineCreateInfo>(
    info: &T,
    may_compile: bool,
    scratch: &mut Scratch<'_>,
) -> Result<Option<T>, Refusal> {
    // SAFETY: the caller's create info.
    let flags = unsafe { info.flags() };
    let device = scratch.device;
    let colors = |pass, subpass| device.colors_of_subpass(pass, subpass);
    // SAFETY: the chain of the caller's create info.
    let given = unsafe { root_signatures::read(info.p_next()) }?;
    let pipeline = Pipeline {
        given: &given,
        layout: info.layout(),
        uses_descriptor_heaps: flags.uses_descriptor_heaps(),
        // SAFETY: the caller's create info.
        robustness: unsafe { chain::find(info.p_next()) }.map(Robustness::from_info),
        may_compile,
        // SAFETY: the caller's create info.
        state: &|| unsafe { info.graphics_state(&colors) },
        // SAFETY: the caller's create info, which outlives the scratch.
        attributes: &|| unsafe { info.vertex_attributes() },
    };
    let mut out: Option<T> = None;
    let mut groups = false;
    let mut result = Ok(());
    let mut each = |found: ShaderCode<'_>| {
        match found.code {
            // SAFETY: the stages of the caller's create info.
            Code::Stages(stages) if found.own => match unsafe { substitute(stages, &pipeline, scratch) } {
                Ok(None) => {}
                Ok(Some(stages)) => out.get_or_insert(*info).set_stages(scratch.stages(stages)),
                Err(refusal) => result = Err(refusal),
            },
            // SAFETY: code in the caller's create info.
            _ if unsafe { is_dxil(device, &found) } => {
                if cfg!(feature = "nv-shader-groups") && found.structure == GROUPS {
                    groups = true;
                } else {
                    let reason = format!("DXIL in {} is not translated", found.structure);
                    result = Err(Failure::unsupported(reason).into());
                }
            }
            _ => {}
        }
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    // SAFETY: the caller's create info.
    let _ = unsafe { shader_code::visit(info.header(), &mut each) };
    result?;
    // SAFETY: the chain of the caller's create info.
    if let Some(head) = unsafe { root_signatures::take_out(info.p_next(), scratch) }? {
        out.get_or_insert(*info).set_next(head);
    }
    if cfg!(feature = "nv-shader-groups") && groups {
        let own = scratch.requests.len();
        let mismatches = std::mem::take(&mut scratch.mismatches);
        // SAFETY: the caller's create info, which has groups.
        let result = unsafe { rebuild_groups(out.get_or_insert(*info), &pipeline, scratch) };
        // The stages of groups are not stages of the create info.
        scratch.requests.truncate(own);
        scratch.mismatches = mismatches;
        result?;
    }
    Ok(out)
}

/// Replaces the stages of shader groups (VK_NV_device_generated_commands) in a copy of the chain.
///
/// # Errors
/// As for [`rebuilt`].
///
/// # Safety
/// As for [`rebuilt`].
unsafe fn rebuild_groups<T: PipelineCreateInfo>(
    info: &mut T,
    pipeline: &Pipeline<'_>,
    scratch: &mut Scratch<'_>,
) -> Result<(), Refusal> {
    // SAFETY: the chain of a valid create info, whose nodes start with a header.
    let at =
        unsafe { chain::nodes(info.p_next()) }.position(|node| unsafe { (*node).s_type } == Groups::STRUCTURE_TYPE);
    let Some(at) = at else { return Ok(()) };
    // SAFETY: the chain has as many nodes.
    let mut prefix = unsafe { Prefix::copy(info.p_next(), at + 1) }.map_err(|unknown| {
        let reason = format!(
            "DXIL in VkGraphicsPipelineShaderGroupsCreateInfoNV needs a copy of the pipeline's pNext chain, whose structure \
             {unknown} is unknown to the layer; chain that structure after the groups"
        );
        Failure::unsupported(reason)
    })?;
    if let Some(node) = prefix.nodes.last_mut() {
        // SAFETY: the last copied node is the one that was found above.
        let groups = unsafe { &mut *node.as_mut_ptr().cast::<Groups>() };
        // SAFETY: the array of a valid structure.
        let mut list = unsafe { slice(groups.p_groups, groups.group_count) }.to_vec();
        for group in &mut list {
            // SAFETY: the array of a valid group.
            let stages = unsafe { slice(group.p_stages, group.stage_count) };
            // SAFETY: the stages of the caller's create info.
            if let Some(stages) = unsafe { substitute(stages, pipeline, scratch) }? {
                group.p_stages = scratch.stages(stages).as_ptr();
            }
        }
        groups.p_groups = scratch.groups(list).cast();
    }
    info.set_next(prefix.head(info.p_next()));
    scratch.prefix(prefix);
    Ok(())
}
