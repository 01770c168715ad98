//! The critical section that the rasterizer-ordered views of a pixel shader need.
//!
//! In: a pixel shader and its reachable set. Out: where the section begins and ends. What must
//! hold: every access to a rasterizer-ordered view lies inside the section, and every invocation
//! begins and ends the section exactly once on every path (SPV_EXT_fragment_shader_interlock). So
//! the section runs from the first access to the last if all of them are in the entry block.
//! Otherwise it is the whole shader. D3D orders the accesses of overlapping pixels (D3D11.3
//! functional specification, "Rasterizer Ordered Views"). A wider section orders more than D3D asks
//! for: it is correct, and only costs time.

use crate::analysis::handles::HandleTable;
use crate::analysis::program::{Entry, Program};
use crate::ir::resources::ResourceId;
use crate::ir::{Function, Inst, InstData};

/// The extent of the critical section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interlock {
    /// From the first instruction to the last, both in the entry block.
    Run(Inst, Inst),
    /// From the start to every return.
    Whole,
}

/// The section that an entry needs for the accesses in the functions it reaches, if any.
pub fn find(program: &Program, entry: &Entry) -> Option<Interlock> {
    let accessed = |id: ResourceId| entry.reachable.resources.contains(id);
    if !program.resources.iter().any(|(id, resource)| resource.rasterizer_ordered && accessed(id)) {
        return None;
    }
    let mut run: Option<(Inst, Inst)> = None;
    let mut elsewhere = false;
    for &func in &program.reached[entry.reachable.functions] {
        let (function, handles) = (&program.module.functions[func], program.handles.of(func));
        for (_, block) in function.blocks.iter() {
            for &inst in block.insts.iter().filter(|&&inst| is_ordered(program, function, handles, inst)) {
                let first = function.blocks.values().next();
                let in_entry_block = func == entry.func && first.is_some_and(|b| std::ptr::eq(b, block));
                match &mut run {
                    _ if !in_entry_block => elsewhere = true,
                    Some((_, last)) => *last = inst,
                    None => run = Some((inst, inst)),
                }
            }
        }
    }
    if elsewhere { Some(Interlock::Whole) } else { run.map(|(first, last)| Interlock::Run(first, last)) }
}

fn is_ordered(program: &Program, function: &Function, handles: HandleTable<'_>, inst: Inst) -> bool {
    let InstData::Op { op, args, .. } = function.insts[inst] else { return false };
    if op.makes_handle() {
        return false;
    }
    handles.of(op, function.list(args)).any(|found| program.resources[found.resource].rasterizer_ordered)
}
