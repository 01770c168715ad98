//! The root signatures that an application chains to pipelines, stages, shader modules and shader
//! objects (`DxilRootSignatureInfo` of layer/include/dxil_layer.h).
//!
//! In: a chain. Out: the root signatures of its structure, and the chain without it. What must
//! hold: no layer below and no driver sees the structure; a chain of the application is never
//! written.

use std::ffi::c_void;
use std::sync::Arc;

use ash::vk::TaggedStructure;

use crate::intercept::scratch::Scratch;
use crate::translate::{Failure, GivenRootSignatures, parse_root_signature};
use crate::translator::{Error, RootSignature};
use crate::vulkan::arrays::bytes;
use crate::vulkan::chain;
use crate::vulkan::copies::Prefix;
use crate::vulkan::newer::RootSignatureInfo;

/// The root signatures of the structure in a chain; none if there is no structure.
///
/// # Errors
/// The translator's, with the member of the structure.
///
/// # Safety
/// `p_next` must be a valid chain.
pub unsafe fn read(p_next: *const c_void) -> Result<GivenRootSignatures, Failure> {
    // SAFETY: the caller's chain.
    let Some(info) = (unsafe { chain::find::<RootSignatureInfo>(p_next) }) else { return Ok(Default::default()) };
    let parse = |data: *const c_void, size: usize, member: &str| -> Result<Option<Arc<RootSignature>>, Failure> {
        if data.is_null() {
            return Ok(None);
        }
        // SAFETY: the bytes of a valid structure.
        let read = parse_root_signature(unsafe { bytes(data.cast(), size) });
        read.map(|signature| Some(Arc::new(signature))).map_err(|error| {
            let message = format!("DxilRootSignatureInfo::{member}: {}", error.message());
            Failure::new(None, None, Error::new(error.kind(), error.place(), message))
        })
    };
    let global = parse(info.global, info.global_size, "pGlobal")?;
    Ok(GivenRootSignatures { global, local: parse(info.local, info.local_size, "pLocal")? })
}

/// Whether a chain has the structure.
///
/// # Safety
/// `p_next` must be a valid chain.
pub unsafe fn is_in(p_next: *const c_void) -> bool {
    // SAFETY: the caller's chain.
    unsafe { chain::find::<RootSignatureInfo>(p_next) }.is_some()
}

/// A chain without the structure.
pub struct Without {
    /// The chain, which lives as long as this.
    pub head: *const c_void,
    copies: Prefix,
}

/// Takes the structure out of a chain; `None` if it is not there. What it points to is not read.
///
/// # Errors
/// A structure of unknown size precedes it.
///
/// # Safety
/// `p_next` must be a valid chain.
pub unsafe fn without(p_next: *const c_void) -> Result<Option<Without>, Failure> {
    // SAFETY: the caller's chain, whose nodes start with a header.
    let at = unsafe { chain::nodes(p_next).position(|node| (*node).s_type == RootSignatureInfo::STRUCTURE_TYPE) };
    let Some(at) = at else { return Ok(None) };
    // SAFETY: the chain has as many nodes.
    let (copies, head) = unsafe { Prefix::without(p_next, at) }.map_err(|unknown| {
        Failure::unsupported(format!(
            "DxilRootSignatureInfo is taken out of a copy of its pNext chain, whose structure {unknown} is unknown to the \
             layer; chain DxilRootSignatureInfo before that structure"
        ))
    })?;
    Ok(Some(Without { head, copies }))
}

/// The same for a chain of a call, whose copies live as long as the scratch. Returns the chain
/// without the structure.
///
/// # Errors
/// As for [`without`].
///
/// # Safety
/// `p_next` must be a valid chain, which outlives the scratch.
pub unsafe fn take_out(p_next: *const c_void, scratch: &mut Scratch<'_>) -> Result<Option<*const c_void>, Failure> {
    // SAFETY: the caller's chain.
    let Some(Without { head, copies }) = (unsafe { without(p_next) })? else { return Ok(None) };
    scratch.prefix(copies);
    Ok(Some(head))
}

/// The root signature of all stages of a pipeline, of which each may have the same.
///
/// # Errors
/// Two stages have different ones.
pub fn common<'a>(
    stages: impl IntoIterator<Item = &'a GivenRootSignatures>,
) -> Result<Option<Arc<RootSignature>>, Failure> {
    let mut all = stages.into_iter().filter_map(|given| given.global.as_ref());
    let Some(first) = all.next() else { return Ok(None) };
    if all.any(|other| other != first) {
        let reason = "the stages have different root signatures (DxilRootSignatureInfo::pGlobal), and a pipeline has one; \
                      chain that of the pipeline to its create info";
        return Err(Failure::unsupported(reason));
    }
    Ok(Some(first.clone()))
}
