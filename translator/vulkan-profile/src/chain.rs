//! Walking chains of Vulkan structures.
//!
//! In: the application's chains, which are never written. What must hold: of a structure of unknown
//! type only the header `{sType, pNext}` is read.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

/// What every Vulkan structure begins with.
pub type Header = vk::BaseInStructure<'static>;

/// The nodes of a chain, in order.
///
/// # Safety
/// `p_next` must be a valid chain of Vulkan structures that outlives the iterator.
pub unsafe fn nodes(p_next: *const c_void) -> impl Iterator<Item = *const Header> {
    let mut next = p_next.cast::<Header>();
    std::iter::from_fn(move || {
        if next.is_null() {
            return None;
        }
        let node = next;
        // SAFETY: a node of a valid chain starts with sType and pNext.
        next = unsafe { (*node).p_next };
        Some(node)
    })
}

/// The first node of type `T` in a chain.
///
/// # Safety
/// `p_next` must be a valid chain of Vulkan structures that outlives the result.
pub unsafe fn find<'a, T: TaggedStructure>(p_next: *const c_void) -> Option<&'a T> {
    // SAFETY: the caller's chain, whose nodes start with a header.
    let node = unsafe { nodes(p_next) }.find(|&node| unsafe { (*node).s_type } == T::STRUCTURE_TYPE)?;
    // SAFETY: the sType says that the node is a `T`.
    Some(unsafe { &*node.cast::<T>() })
}
