//! `pNext` chains.
//!
//! In: a chain, and the structures of it that have members of their own in the record. Out: the
//! other structures as bytes, or only their `sType` if their bytes have no meaning outside the
//! process.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::digest::Bytes;
use dxil_capture::model::{Chain, Structure};

use crate::vulkan::{chain, plain};

/// Structures without effect on the created object: outputs of Vulkan, and debug names.
const SILENT: [vk::StructureType; 5] = [
    vk::PipelineCreationFeedbackCreateInfo::STRUCTURE_TYPE,
    vk::RenderPassCreationFeedbackCreateInfoEXT::STRUCTURE_TYPE,
    vk::RenderPassSubpassFeedbackCreateInfoEXT::STRUCTURE_TYPE,
    vk::DebugUtilsObjectNameInfoEXT::STRUCTURE_TYPE,
    vk::ShaderModuleValidationCacheCreateInfoEXT::STRUCTURE_TYPE,
];

/// The structures of a chain, except for those that have members of their own in the record.
///
/// # Safety
/// `p_next` must be a valid chain.
pub unsafe fn chain(p_next: *const c_void, elsewhere: &[vk::StructureType]) -> Chain {
    let mut out = Chain::default();
    // SAFETY: the caller's chain.
    for node in unsafe { chain::nodes(p_next) } {
        // SAFETY: a node of a valid chain starts with a header.
        let s_type = unsafe { (*node).s_type };
        if elsewhere.contains(&s_type) || SILENT.contains(&s_type) {
            continue;
        }
        // SAFETY: a node of the caller's chain.
        match unsafe { plain::bytes_of(node) } {
            Some(bytes) => out.structures.push(Structure { s_type: s_type.as_raw(), bytes: Bytes(bytes) }),
            None => out.lost.push(s_type.as_raw()),
        }
    }
    out
}

/// A chain that lists only a create info that the writer does not know as lost.
pub fn lost(s_type: vk::StructureType) -> Chain {
    Chain { lost: vec![s_type.as_raw()], ..Chain::default() }
}
