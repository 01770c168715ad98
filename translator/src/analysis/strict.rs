//! Whether definitions dominate their uses: whether a program is in strict SSA form.
//!
//! In: a verified module. Out: whether the definition of each local dominates every use in a block
//! that the entry reaches. What must hold: nothing. LLVM requires the property ("Well-Formedness"),
//! so that compilers write such modules only, but input may be otherwise, and lowering accepts
//! that.
//!
//! Dominance is transitive. So in strict code the operands of a value are defined wherever the
//! value may be used.

use crate::ir::{Block, Function, Inst, Module, Value};
use dxil_base::entity::SecondaryMap;
use dxil_structure::analysis::{Cfg, Dominators};

/// The blocks of a function as a graph.
pub fn graph(function: &Function) -> Cfg<Block> {
    Cfg::new(function.blocks.len(), |block, out| {
        out.extend(function.blocks[block].terminator.targets().map(|call| call.block));
    })
}

/// The block of each instruction, and its number in the block, counted from one.
pub fn positions(function: &Function) -> SecondaryMap<Inst, Option<(Block, usize)>> {
    let mut positions = SecondaryMap::filled(function.insts.len(), None);
    for (id, block) in function.blocks.iter() {
        for (number, &inst) in block.insts.iter().enumerate() {
            positions[inst] = Some((id, number + 1));
        }
    }
    positions
}

/// Whether all functions of a module are strict. Linear in the code but for the dominators.
pub fn is_strict(module: &Module) -> bool {
    module.functions.values().all(is_strict_function)
}

fn is_strict_function(function: &Function) -> bool {
    // Within a block, the verifier requires the order.
    if function.blocks.len() < 2 {
        return true;
    }
    let mut defining: Vec<Option<Block>> = vec![None; function.locals.len()];
    for (id, block) in function.blocks.iter() {
        let results = block.insts.iter().filter_map(|&inst| function.result(inst));
        for local in results.chain(block.params.iter().copied()).filter_map(Value::as_local) {
            if let Some(definition) = defining.get_mut(local) {
                *definition = Some(id);
            }
        }
    }
    let dominators = Dominators::new(&graph(function));
    function.blocks.iter().all(|(id, block)| {
        let mut is_strict = true;
        let mut used = |value: Value| {
            // An argument has no block.
            let definition = value.as_local().and_then(|local| defining.get(local).copied().flatten());
            is_strict &= definition.is_none_or(|block| block == id || dominators.dominates(block, id));
        };
        block.insts.iter().for_each(|&inst| function.for_each_operand(inst, &mut used));
        function.for_each_terminator_operand(&block.terminator, &mut used);
        is_strict
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::verify::verify;
    use crate::ir::{
        BinaryOp, BlockCall, BlockData, ConstKind, ControlFlowHints, Func, InstData, Terminator, Type, ValueList,
    };
    use dxil_base::entity::Entity;

    /// A function of blocks, each with one sum of the given sum and one (of one and one for none),
    /// and the blocks that it branches to.
    fn sums(blocks: &[(Option<usize>, &[usize])]) -> Module {
        let mut module = Module::default();
        let [void, truth, word] = [Type::Void, Type::Int(1), Type::Int(32)].map(|ty| module.types.intern(ty));
        let one = module.consts.value(word, ConstKind::Int(1));
        let condition = module.consts.value(truth, ConstKind::Undef);
        let mut function = Function::new("main".into(), void, 0);
        let sums: Vec<Inst> = (blocks.iter()).map(|_| function.make_inst(InstData::Fence, Some(word))).collect();
        for (&(lhs, targets), &sum) in blocks.iter().zip(&sums) {
            let lhs = lhs.and_then(|number| function.result(sums[number])).unwrap_or(one);
            function.insts[sum] = InstData::Binary { op: BinaryOp::Add, precise: false, lhs, rhs: one };
            let to = |&block: &usize| BlockCall { block: Block::new(block), args: ValueList::default() };
            let terminator = match targets {
                [] => Terminator::Return(None),
                [block] => Terminator::Jump(to(block)),
                [then, otherwise, ..] => Terminator::Branch { condition, then: to(then), otherwise: to(otherwise) },
            };
            let hints = ControlFlowHints::default();
            let _: Block = function.blocks.push(BlockData { params: Vec::new(), insts: vec![sum], terminator, hints });
        }
        let _: Func = module.functions.push(function);
        module
    }

    #[test]
    fn definitions_dominate_uses() {
        for (blocks, wanted) in [
            // One of two branches defines what the block behind them uses.
            (&[(None, &[1, 2][..]), (None, &[3]), (None, &[3]), (Some(1), &[])][..], false),
            (&[(None, &[1, 2]), (None, &[3]), (None, &[3]), (Some(0), &[])], true),
            // A loop uses what is defined behind it.
            (&[(None, &[2]), (None, &[2, 3]), (Some(1), &[1]), (None, &[])], false),
            (&[(None, &[2]), (Some(2), &[2, 3]), (None, &[1]), (Some(1), &[])], true),
            // A block that never runs uses anything, and defines nothing for others.
            (&[(None, &[2]), (None, &[2]), (Some(1), &[])], false),
            (&[(None, &[2]), (Some(2), &[1]), (Some(0), &[])], true),
        ] {
            let module = sums(blocks);
            verify(&module).expect("the verifier requires less");
            assert_eq!(is_strict(&module), wanted, "{blocks:?}");
        }
    }
}
