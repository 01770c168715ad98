//! The memory that a program occupies, for caches that limit theirs.
//!
//! In: a [`Program`]. Out: bytes on the heap, computed from the capacity of its collections. What
//! must hold: the result is at most the bytes that the allocator hands out, and less by no more
//! than 1 KiB and a twelfth (`tests/memory_size.rs` measures it). Allocator overhead is not
//! counted.

use std::sync::Arc;

use foldhash::HashSet;

use crate::analysis::program::{Entry, Program};
use crate::ir::data_layout::Sizes;
use crate::ir::declarations::{Signature, SignatureElement};
use crate::ir::{BlockCall, ConstKind, Function, Inst, Local, Module, Terminator, Type, TypeId, Value};

fn vec<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

impl Program {
    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        let entries: usize = self.entries.values().map(entry).sum();
        // Entry points may share signatures.
        let mut seen = HashSet::default();
        let all = self.entries.values().flat_map(|entry| [&entry.inputs, &entry.outputs, &entry.patch_constants]);
        let signatures: usize = all.filter(|all| seen.insert(Arc::as_ptr(all))).map(|one| signature(one)).sum();
        let names: usize =
            self.resources.values().map(|r| r.name.len() + r.source_name.as_ref().map_or(0, |name| name.len())).sum();
        let named = self.named_part.as_ref().map_or(0, |part| part.len());
        let maps = self.entries.heap_bytes()
            + self.resources.heap_bytes()
            + self.handles.heap_bytes()
            + self.reached.heap_bytes();
        let sizes = self.sizes.get().map_or(0, Sizes::heap_bytes);
        maps + entries + signatures + names + named + sizes + module(&self.module)
    }
}

fn entry(entry: &Entry) -> usize {
    entry.name.len() + entry.reachable.resources.heap_bytes()
}

fn signature(signature: &Signature) -> usize {
    let element = |e: &SignatureElement| e.name.len() + size_of_val::<[u32]>(&e.indices);
    // An `Arc` has two counts before its content.
    let shared = 2 * size_of::<usize>() + size_of::<Signature>();
    shared + signature.heap_bytes() + signature.elements.iter().map(element).sum::<usize>()
}

fn module(module: &Module) -> usize {
    let types = module.types.iter().map(|(_, ty)| match ty {
        Type::Struct { name, fields, .. } => name.len() + size_of_val::<[TypeId]>(fields),
        Type::Other(text) => text.len(),
        _ => 0,
    });
    let consts = module.consts.iter().map(|(_, constant)| match &constant.kind {
        ConstKind::Aggregate(parts) | ConstKind::Gep { indices: parts, .. } => size_of_val(&**parts),
        ConstKind::Unsupported(reason) => reason.len(),
        _ => 0,
    });
    let globals = module.globals.values().map(|global| global.name.len());
    let maps = module.types.heap_bytes() + module.consts.heap_bytes() + module.globals.heap_bytes();
    let content = types.sum::<usize>() + consts.sum::<usize>() + globals.sum::<usize>();
    let debug = module.debug.as_ref().map_or(0, |debug| debug.heap_bytes());
    maps + content + debug + module.functions.heap_bytes() + module.functions.values().map(function).sum::<usize>()
}

fn function(function: &Function) -> usize {
    let blocks = function.blocks.values().map(|block| {
        let cases = match &block.terminator {
            Terminator::Switch { cases, .. } => size_of_val::<[(u64, BlockCall)]>(cases),
            _ => 0,
        };
        vec::<Value>(&block.params) + vec::<Inst>(&block.insts) + cases
    });
    let lists = vec(&function.args) + vec::<Local>(&function.locals) + vec(&function.indices) + vec(&function.pool);
    let maps = function.insts.heap_bytes() + function.results.heap_bytes() + function.blocks.heap_bytes();
    let debug = function.debug.as_ref().map_or(0, |debug| debug.heap_bytes());
    function.name.len() + lists + maps + debug + blocks.sum::<usize>()
}
