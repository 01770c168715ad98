//! The bare graph of a function, as [`structure`] takes it.
//!
//! In: an IR function. Out: [`structure::Graph`] with the same block numbers. What must hold: a side marked as never taken really is not. DXC
//! keeps a block that breaks from a wave-sensitive loop in the loop's cycle by ending it in `br i1 %c, exit, latch`, where `%c` is
//! `load @dx.break.cond == 0` and the global is zero (DXC's `CleanupDxBreak`): the break is always taken.

use crate::dxil::ir::{self, Block, CmpOp, ConstKind, InstData, Terminator, Value};
use crate::dxil::ops::Tangle;
use crate::entity::Entity;
use crate::structure::{self, Side};

/// The name of the global that DXC's breaks test.
const BREAK_CONDITION: &str = "dx.break.cond";

fn graph_block(block: Block) -> structure::Block {
    structure::Block::new(block.index())
}

/// The graph of a function.
pub fn graph(module: &ir::Module, function: &ir::Function) -> structure::Graph {
    let mut graph = structure::Graph::new();
    for (_, block) in function.blocks.iter() {
        let terminator = match &block.terminator {
            Terminator::Jump(to) => structure::Terminator::Jump(graph_block(to.block)),
            Terminator::Branch { then, otherwise, condition } => structure::Terminator::Branch {
                then: graph_block(then.block),
                els: graph_block(otherwise.block),
                never: is_break(module, function, *condition).then_some(Side::Else),
            },
            Terminator::Switch { default, cases, .. } => structure::Terminator::Switch {
                cases: cases.iter().map(|(label, to)| (*label, graph_block(to.block))).collect(),
                default: graph_block(default.block),
            },
            Terminator::Return(_) => structure::Terminator::Return,
            Terminator::Unreachable => structure::Terminator::Unreachable,
        };
        let tangled = block.insts.iter().any(|&inst| match function.insts[inst] {
            InstData::Op { op, .. } => op.info().tangle != Tangle::None,
            InstData::Call { .. } => true,
            _ => false,
        });
        let ends = matches!(block.terminator, Terminator::Return(None) | Terminator::Unreachable);
        graph.blocks.push(structure::BlockData {
            terminator,
            tangled,
            cheap: ends && block.insts.is_empty() && block.params.is_empty(),
            size: block.insts.len() as u32,
        });
    }
    graph
}

/// Whether a condition is DXC's `dx.break.cond[0] == 0`, of a constant global that is zero.
fn is_break(module: &ir::Module, function: &ir::Function, condition: Value) -> bool {
    let Some((_, &InstData::Cmp { op: CmpOp::Eq, lhs, rhs })) = function.def_inst(condition) else { return false };
    let Some((_, &InstData::Load { ptr, .. })) = function.def_inst(lhs) else { return false };
    let base = match ptr.as_const() {
        Some(pointer) => match &module.consts[pointer].kind {
            ConstKind::Gep { base, .. } => &module.consts[*base].kind,
            other => other,
        },
        None => match function.def_inst(ptr) {
            Some((_, InstData::Gep { base, .. })) => match base.as_const() {
                Some(base) => &module.consts[base].kind,
                None => return false,
            },
            _ => return false,
        },
    };
    let ConstKind::GlobalAddr(global) = *base else { return false };
    let global = &module.globals[global];
    let zero = global.init.is_some_and(|init| module.consts[init].kind == ConstKind::Null);
    module.const_uint(rhs) == Some(0) && &*global.name == BREAK_CONDITION && zero
}
