//! The critical section that the rasterizer-ordered views of a pixel shader need.
//!
//! In: the functions that an entry reaches. Out: where the section begins and ends. What must hold:
//! every access to a rasterizer-ordered view lies inside, and every invocation begins and ends the
//! section exactly once, whatever path it takes (SPV_EXT_fragment_shader_interlock). So the section
//! reaches from the first to the last access where all of them lie in the entry block; otherwise it
//! is the whole shader. D3D orders the accesses of overlapping pixels (D3D11.3 functional
//! specification, "Rasterizer Ordered Views"); a wider section orders more than that, and costs
//! time only.

use super::handle;
use crate::dxil::ir::{Func, Function, Inst, InstData, Type};
use crate::dxil::ops::OpType;
use crate::dxil::program::{Entry, Program};
use crate::entity::Entity;
use crate::error::Place;

/// Where the section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interlock {
    /// From the first instruction to the last, both in the entry block.
    Run(Inst, Inst),
    /// From the start to every return.
    Whole,
}

/// The section that the functions an entry reaches need, if any.
pub fn find(program: &Program, entry: &Entry, functions: &[Func]) -> Option<Interlock> {
    let mut run: Option<(Inst, Inst)> = None;
    let mut elsewhere = false;
    for &func in functions {
        let function = &program.module.functions[func];
        for (_, block) in function.blocks.iter() {
            for &inst in block.insts.iter().filter(|&&inst| is_ordered(program, function, inst)) {
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

fn is_ordered(program: &Program, function: &Function, inst: Inst) -> bool {
    let InstData::Op { op, args, .. } = function.insts[inst] else { return false };
    let ty = function.result(inst).map(|v| program.module.type_of(function, v));
    if ty.is_some_and(|ty| program.module.types[ty] == Type::Handle) {
        return false;
    }
    let place = Place::Inst { func: function.number, inst: inst.index() as u32 };
    let operands = op.info().operands.iter().zip(function.list(args));
    operands.filter(|(operand, _)| operand.ty == OpType::Handle).any(|(_, &value)| {
        let found = handle::resolve(program, function, place, value);
        found.is_ok_and(|found| program.resources[found.resource].rasterizer_ordered)
    })
}
