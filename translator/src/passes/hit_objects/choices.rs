//! Makes hit objects that are neither a hit nor a miss where a phi or a `select` chooses them.
//!
//! In: a function in strict SSA form. Out: the same function without a `select` of hit objects, and
//! with a `MakeNop` on each branch that passes one to a phi. What must hold: the hit objects of a
//! phi share a variable ([`crate::analysis::hit_objects`]), so none of them may be needed where
//! another one is. DXC makes an empty hit object where a variable is declared, which is before the
//! operation that makes the other one.

use super::super::growth::Growth;
use crate::analysis::hit_objects::is_empty;
use crate::ir::{
    Block, BlockCall, BlockData, ControlFlowHints, Def, Func, Function, Inst, InstData, Module, Terminator, TypeId,
    Value, ValueList,
};
use crate::ops::OpCode;
use dxil_base::error::Result;

/// Rewrites a function, whose hit objects have the type `ty`. Returns whether it has such a choice.
///
/// # Errors
/// `Limit` if the code that is added is too much.
pub(super) fn make(module: &mut Module, func: Func, ty: TypeId, growth: &mut Growth<'_>) -> Result<bool> {
    let function = &mut module.functions[func];
    let (locals, bytes) = (function.locals.len(), function.bytes());
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        selects(function, block, ty);
    }
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        passed(function, block, ty);
    }
    let changed = function.locals.len() > locals;
    growth.add(function, function.locals.len() - locals, function.bytes() - bytes)?;
    Ok(changed)
}

fn jump(block: Block, args: ValueList) -> Terminator {
    Terminator::Jump(BlockCall { block, args })
}

fn add_block(function: &mut Function, insts: Vec<Inst>, terminator: Terminator) -> Block {
    let hints = ControlFlowHints::default();
    function.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints })
}

/// Replaces each `select` of hit objects in a block by branches.
fn selects(function: &mut Function, block: Block, ty: TypeId) {
    let is_choice = |function: &Function, inst: Inst| {
        matches!(function.insts[inst], InstData::Select { .. })
            && function.result(inst).and_then(Value::as_local).is_some_and(|local| function.locals[local].ty == ty)
    };
    // From the end, so that each instruction moves once.
    while let Some(at) = function.blocks[block].insts.iter().rposition(|&inst| is_choice(function, inst)) {
        let behind = function.blocks[block].insts.split_off(at + 1);
        let Some(inst) = function.blocks[block].insts.pop() else { return };
        let (InstData::Select { condition, then, otherwise }, Some(result)) =
            (function.insts[inst], function.result(inst))
        else {
            return;
        };
        let rest = std::mem::replace(&mut function.blocks[block].terminator, Terminator::Unreachable);
        let hints = std::mem::take(&mut function.blocks[block].hints);
        let join = function.blocks.next_key();
        let local = result.as_local().and_then(|local| function.locals.get_mut(local));
        local.into_iter().for_each(|local| local.def = Def::Param(join));
        // The instruction is in no block, but analyses look at all instructions.
        (function.insts[inst], function.results[inst]) = (InstData::Fence, None);
        let _: Block = function.blocks.push(BlockData { params: vec![result], insts: behind, terminator: rest, hints });
        let [then, otherwise] = [then, otherwise].map(|object| {
            let args = function.make_list(&[object]);
            let block = add_block(function, Vec::new(), jump(join, args));
            BlockCall { block, args: ValueList::default() }
        });
        function.blocks[block].terminator = Terminator::Branch { condition, then, otherwise };
    }
}

/// Makes the empty hit objects that the end of a block passes to phis.
fn passed(function: &mut Function, block: Block, ty: TypeId) {
    let passes =
        |function: &Function, call: BlockCall| function.list(call.args).iter().any(|&arg| is_empty(function, arg));
    if !function.blocks[block].terminator.targets().any(|call| passes(function, call)) {
        return;
    }
    let mut terminator = std::mem::replace(&mut function.blocks[block].terminator, Terminator::Unreachable);
    let is_jump = matches!(terminator, Terminator::Jump(_));
    for call in terminator.targets_mut() {
        if !passes(function, *call) {
            continue;
        }
        let (mut args, mut made) = (function.list(call.args).to_vec(), Vec::new());
        for arg in &mut args {
            if is_empty(function, *arg) {
                let data = InstData::Op { op: OpCode::HitObject_MakeNop, precise: false, args: ValueList::default() };
                let inst = function.make_inst(data, Some(ty));
                made.push(inst);
                *arg = function.result(inst).unwrap_or(*arg);
            }
        }
        let args = function.make_list(&args);
        if is_jump {
            function.blocks[block].insts.append(&mut made);
            call.args = args;
        } else {
            let to = jump(call.block, args);
            *call = BlockCall { block: add_block(function, made, to), args: ValueList::default() };
        }
    }
    function.blocks[block].terminator = terminator;
}
