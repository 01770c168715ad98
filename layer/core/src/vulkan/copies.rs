//! Structures that the layer makes, and copies of a chain's front so that a node in it can be
//! changed.
//!
//! In: the application's chains, which are never written. Out: copies of the nodes up to the one
//! that changes; the rest of the chain is shared. What must hold: a structure without a row in
//! `sizes` is never copied.

use std::ffi::c_void;

use ash::vk;

use crate::vulkan::chain::{Header, nodes};
use crate::vulkan::sizes::size_of_structure;

/// A structure that the layer copied or made. It consists of words of eight bytes, because Vulkan
/// structures have the alignment of pointers.
pub struct Node(Box<[u64]>);

impl Node {
    /// A zeroed structure of this type and size.
    pub fn new(s_type: vk::StructureType, size: usize) -> Self {
        let mut node = Self(vec![0u64; size.max(size_of::<Header>()).div_ceil(8)].into_boxed_slice());
        // SAFETY: the box is at least as large and as aligned as a structure's header.
        unsafe { (*node.as_mut_ptr().cast::<vk::BaseOutStructure<'_>>()).s_type = s_type };
        node
    }

    /// A copy of a node, if its size is known.
    ///
    /// # Safety
    /// `node` must be a valid Vulkan structure.
    pub unsafe fn copy(node: *const Header) -> Option<Self> {
        // SAFETY: header of a valid structure.
        let s_type = unsafe { (*node).s_type };
        let size = size_of_structure(s_type)?;
        let mut copy = Self::new(s_type, size);
        // SAFETY: the structure has `size` bytes, the box at least as many.
        unsafe { std::ptr::copy_nonoverlapping(node.cast::<u8>(), copy.as_mut_ptr().cast::<u8>(), size) };
        Some(copy)
    }

    /// The structure.
    pub fn as_ptr(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }

    /// The structure, for writing.
    pub fn as_mut_ptr(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }

    /// Sets its `pNext`.
    pub fn set_next(&mut self, next: *const c_void) {
        // SAFETY: every node starts with a header.
        unsafe { (*self.as_mut_ptr().cast::<Header>()).p_next = next.cast() };
    }

    /// Sets the `VkBool32` at a byte offset, if that is inside the structure and after its header.
    pub fn set_bool(&mut self, offset: usize) {
        if offset >= size_of::<Header>()
            && let Some(end) = offset.checked_add(4)
            && end <= self.0.len() * 8
        {
            // SAFETY: in bounds by the check; VkBool32 members are aligned to four bytes.
            unsafe { *self.as_mut_ptr().byte_add(offset).cast::<vk::Bool32>() = vk::TRUE };
        }
    }

    /// The `VkBool32` at a byte offset.
    pub fn get_bool(&self, offset: usize) -> bool {
        offset.is_multiple_of(4)
            && offset + 4 <= self.0.len() * 8
            // SAFETY: in bounds by the check.
            && unsafe { *self.as_ptr().byte_add(offset).cast::<vk::Bool32>() != vk::FALSE }
    }
}

/// A copy of a chain's first nodes, linked to each other; the last one points into the original
/// chain.
#[derive(Default)]
pub struct Prefix {
    /// The copies, in chain order.
    pub nodes: Vec<Node>,
}

impl Prefix {
    /// Copies the first `count` nodes.
    ///
    /// # Errors
    /// The index of the first node whose size is not known.
    ///
    /// # Safety
    /// `p_next` must be a valid chain of Vulkan structures with at least `count` nodes.
    pub unsafe fn copy(p_next: *const c_void, count: usize) -> Result<Self, usize> {
        let mut prefix = Self::default();
        // SAFETY: the caller's chain.
        for (index, node) in unsafe { nodes(p_next) }.take(count).enumerate() {
            // SAFETY: a node of that chain.
            prefix.nodes.push(unsafe { Node::copy(node) }.ok_or(index)?);
        }
        for i in 1..prefix.nodes.len() {
            let next = prefix.nodes[i].as_ptr();
            prefix.nodes[i - 1].set_next(next);
        }
        Ok(prefix)
    }

    /// The chain without the node that `at` others precede, with copies of these.
    ///
    /// # Errors
    /// As for [`copy`](Self::copy).
    ///
    /// # Safety
    /// `p_next` must be a valid chain of Vulkan structures with more than `at` nodes.
    pub unsafe fn without(p_next: *const c_void, at: usize) -> Result<(Self, *const c_void), usize> {
        // SAFETY: the caller's chain.
        let mut prefix = unsafe { Self::copy(p_next, at) }?;
        // SAFETY: the caller's chain, whose nodes start with a header.
        let rest = unsafe { nodes(p_next).nth(at).map_or(std::ptr::null(), |node| (*node).p_next.cast()) };
        if let Some(last) = prefix.nodes.last_mut() {
            last.set_next(rest);
        }
        let head = prefix.head(rest);
        Ok((prefix, head))
    }

    /// The chain that starts with the copies, or `otherwise` if there are none.
    pub fn head(&self, otherwise: *const c_void) -> *const c_void {
        self.nodes.first().map_or(otherwise, Node::as_ptr)
    }
}
