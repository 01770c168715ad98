//! A copy of a function's body in another function.

use crate::ir::{Block, BlockCall, BlockData, Def, Function, Inst, InstData, Local, Terminator, Value, ValueList};
use dxil_base::entity::Entity;

/// A copy of a callee in a caller.
pub(super) struct InlinedCopy {
    /// The caller's value of each local of the callee.
    pub values: Vec<Value>,
    pub first_inst: usize,
    pub first_block: usize,
    pub first_index: u32,
    /// The block that returns jump to.
    pub behind: Block,
}

impl InlinedCopy {
    /// Copies the body. Returns the copy's entry block.
    pub fn run(&mut self, caller: &mut Function, callee: &Function, args: &[Value], has_result: bool) -> Block {
        for local in &callee.locals {
            let value = match local.def {
                Def::Arg(n) if (n as usize) < args.len() => args[n as usize],
                def => {
                    let value = Value::local(caller.locals.len());
                    let def = match def {
                        Def::Param(block) => Def::Param(self.block(block)),
                        Def::Inst(inst) => Def::Inst(Inst::new(self.first_inst + inst.index())),
                        arg => arg,
                    };
                    caller.locals.push(Local { ty: local.ty, def });
                    value
                }
            };
            self.values.push(value);
        }
        caller.indices.extend_from_slice(&callee.indices);
        for (inst, data) in callee.insts.iter() {
            let data = self.inst(caller, callee, data);
            let _: Inst = caller.insts.push(data);
            let _: Inst = caller.results.push(callee.result(inst).map(|result| self.value(result)));
        }
        for data in callee.blocks.values() {
            let params = data.params.iter().map(|&param| self.value(param)).collect();
            let insts = data.insts.iter().map(|inst| Inst::new(self.first_inst + inst.index())).collect();
            let terminator = self.terminator(caller, callee, &data.terminator, has_result);
            let _: Block = caller.blocks.push(BlockData { params, insts, terminator, hints: data.hints });
        }
        Block::new(self.first_block)
    }

    pub fn block(&self, block: Block) -> Block {
        Block::new(self.first_block + block.index())
    }

    pub fn value(&self, value: Value) -> Value {
        value.as_local().and_then(|i| self.values.get(i)).copied().unwrap_or(value)
    }

    fn list(&self, caller: &mut Function, callee: &Function, list: ValueList) -> ValueList {
        let values: Vec<Value> = callee.list(list).iter().map(|&value| self.value(value)).collect();
        caller.make_list(&values)
    }

    fn inst(&self, caller: &mut Function, callee: &Function, data: &InstData) -> InstData {
        let mut data = *data;
        match &mut data {
            InstData::Op { args, .. } | InstData::Call { args, .. } => *args = self.list(caller, callee, *args),
            InstData::Gep { indices, .. } => *indices = self.list(caller, callee, *indices),
            InstData::ExtractValue { first, .. } | InstData::InsertValue { first, .. } => *first += self.first_index,
            _ => {}
        }
        data.for_each_value_mut(|value| *value = self.value(*value));
        data
    }

    fn terminator(
        &self,
        caller: &mut Function,
        callee: &Function,
        terminator: &Terminator,
        has_result: bool,
    ) -> Terminator {
        let mut to = |target: &BlockCall| BlockCall {
            block: self.block(target.block),
            args: self.list(caller, callee, target.args),
        };
        match terminator {
            Terminator::Jump(target) => Terminator::Jump(to(target)),
            Terminator::Branch { condition, then, otherwise } => {
                Terminator::Branch { condition: self.value(*condition), then: to(then), otherwise: to(otherwise) }
            }
            Terminator::Switch { selector, default, cases } => Terminator::Switch {
                selector: self.value(*selector),
                default: to(default),
                cases: cases.iter().map(|(label, target)| (*label, to(target))).collect(),
            },
            Terminator::Return(value) => {
                let value: Vec<Value> = value.iter().map(|&value| self.value(value)).filter(|_| has_result).collect();
                Terminator::Jump(BlockCall { block: self.behind, args: caller.make_list(&value) })
            }
            Terminator::Unreachable => Terminator::Unreachable,
        }
    }
}
