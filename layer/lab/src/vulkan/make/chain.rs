//! The structures of a `pNext` chain.

use std::ffi::c_void;

use dxil_capture::model::Chain;

use crate::vulkan::arena::Arena;
use crate::vulkan::objects::Objects;

/// The head of a chain of the record's structures; null without any.
pub fn chained(arena: &Arena, objects: &mut Objects<'_>, chain: &Chain) -> *const c_void {
    before(arena, objects, chain, std::ptr::null())
}

/// The head of a chain of the record's structures, and then `next`.
pub fn before(arena: &Arena, objects: &mut Objects<'_>, chain: &Chain, mut next: *const c_void) -> *const c_void {
    objects.lost.extend_from_slice(&chain.lost);
    for structure in chain.structures.iter().rev() {
        let mut words = vec![u64::from(structure.s_type as u32), next as u64];
        let (whole, rest) = structure.bytes.0.as_chunks::<8>();
        words.extend(whole.iter().map(|bytes| u64::from_le_bytes(*bytes)));
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            words.push(u64::from_le_bytes(last));
        }
        next = arena.all(words).cast();
    }
    next
}
