//! The ends of nodes: merge instructions and terminators.
//!
//! In: a node whose instructions are emitted. Out: its terminator, and before it what later nodes
//! read of this one: structures as one value, spilled values, negated conditions.

use rspirv::spirv::{LoopControl, Op, SelectionControl};

use super::emitter::Emitter;
use crate::analysis::entry::{Interlock, ir_block};
use crate::ir::{Block, InstData, Terminator};
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::numbers::operators;
use crate::lower::stages::{amplification, demote, interlock};
use crate::ops::OpCode;
use crate::ops::consts::ShaderStage;
use dxil_base::error::Result;
use dxil_spirv_builder as spirv;
use dxil_spirv_builder::{Id, OpenBlock, Terminated};
use dxil_structure::{Condition, Exit, Merge, NodeData, SelectorValue, SwitchOperand};

impl Emitter<'_> {
    /// Emits the merge instruction and the terminator of a node.
    pub fn exit<'m, 'p>(
        &mut self,
        cx: &mut FunctionCx<'_, '_>,
        mut code: OpenBlock<'m, 'p>,
        data: &NodeData,
    ) -> Result<Terminated<'m, 'p>> {
        self.negate(cx, &mut code, data)?;
        for &value in &self.flow.wholes[cx.node] {
            let whole = cx.whole(&mut code, value)?;
            self.wholes.insert((value, cx.node), whole);
            code.check_size()?;
        }
        for &value in &self.flow.spills[cx.node] {
            let id = match self.wholes.get(&(value, cx.node)) {
                Some(&whole) => whole,
                None => cx.value(&mut code, value)?,
            };
            self.spills.store(cx, &mut code, value, id)?;
        }
        let merge = self.merge(cx, data)?;
        match &data.exit {
            Exit::Jump(arc) => {
                let to = self.label(cx, arc.to)?;
                match data.merge {
                    Merge::None => code.branch(to),
                    _ => code.branch_merging(to, merge),
                }
            }
            Exit::Branch { condition, arcs: [then, els] } => {
                let test = self.test(cx, &mut code, condition)?;
                code.branch_conditional(test, self.label(cx, then.to)?, self.label(cx, els.to)?, merge)
            }
            Exit::Switch { operand, values, arcs } => {
                let on = match operand {
                    SwitchOperand::Switch(block) => {
                        let value = self.condition_value(cx, ir_block(*block))?;
                        cx.value(&mut code, value)?
                    }
                    SwitchOperand::Selector(selector) => self.selector(cx, *selector)?,
                };
                let mut cases = Vec::new();
                for (values, arc) in values.iter().zip(arcs) {
                    let to = self.label(cx, arc.to)?;
                    cases.extend(values.iter().map(|&value| (value, to)));
                }
                let Some(default) = arcs.last() else { return Err(bug!(cx.entry.place, "a switch has no default")) };
                code.switch(on, self.label(cx, default.to)?, &cases, merge)
            }
            Exit::Return(block) => self.ret(cx, code, ir_block(*block)),
            Exit::Unreachable => match self.last_operation(data) {
                Some(OpCode::IgnoreHit) => code.ignore_intersection(),
                Some(OpCode::AcceptHitAndEndSearch) => code.terminate_ray(),
                _ => code.unreachable(),
            },
        }
    }

    /// The merge instruction of a node, with the hints of its block.
    fn merge(&self, cx: &FunctionCx<'_, '_>, data: &NodeData) -> Result<spirv::Merge> {
        let hints = data.origin.map(|b| self.function.blocks[ir_block(b)].hints).unwrap_or_default();
        Ok(match data.merge {
            Merge::None => spirv::Merge::None,
            Merge::Selection(to) => {
                let control = match (hints.branch, hints.flatten) {
                    (true, false) => SelectionControl::DONT_FLATTEN,
                    (false, true) => SelectionControl::FLATTEN,
                    _ => SelectionControl::NONE,
                };
                spirv::Merge::Selection { merge: self.label(cx, to)?, control }
            }
            Merge::Loop { merge, continuing, header } => spirv::Merge::Loop {
                merge: self.label(cx, merge)?,
                continue_target: self.label(cx, continuing)?,
                control: header
                    .and_then(|header| self.unrolling.get(&ir_block(header)).copied())
                    .unwrap_or(LoopControl::NONE),
            },
        })
    }

    /// The condition of a branch.
    fn test(&self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, condition: &Condition) -> Result<Id> {
        Ok(match condition {
            Condition::Branch(block) => {
                let value = self.condition_value(cx, ir_block(*block))?;
                cx.value(code, value)?
            }
            Condition::Operand { block, values } => {
                let value = self.condition_value(cx, ir_block(*block))?;
                let operand = cx.value(code, value)?;
                operators::equals_any(cx, code, operand, value, values)?
            }
            Condition::Selector(selector) => self.selector(cx, *selector)?,
            Condition::SelectorIs(selector, n) => {
                let (value, n) = (self.selector(cx, *selector)?, code.const_u32(*n));
                let bool_ty = code.type_bool();
                code.binary(Op::IEqual, bool_ty, value, n)
            }
        })
    }

    /// Returns from the function, as a block does.
    fn ret<'m, 'p>(
        &self,
        cx: &mut FunctionCx<'_, '_>,
        mut code: OpenBlock<'m, 'p>,
        block: Block,
    ) -> Result<Terminated<'m, 'p>> {
        if cx.analysis.interlock == Some(Interlock::Whole) {
            interlock::end(&mut code);
            demote::end(cx, &mut code)?;
            return code.ret();
        }
        match self.function.blocks[block].terminator {
            Terminator::Return(Some(value)) => {
                let value = cx.value(&mut code, value)?;
                code.ret_value(value)
            }
            _ if cx.input.entry.stage == ShaderStage::Amplification && cx.func == cx.input.entry.func => {
                amplification::end(cx, code)
            }
            _ => {
                demote::end(cx, &mut code)?;
                code.ret()
            }
        }
    }

    /// The operation that ends a node's block, if the block's last instruction is one.
    fn last_operation(&self, data: &NodeData) -> Option<OpCode> {
        let block = self.function.blocks.get(ir_block(data.origin?))?;
        match self.function.insts[*block.insts.last()?] {
            InstData::Op { op, .. } => Some(op),
            _ => None,
        }
    }

    /// Computes the negated conditions that the node's arcs assign to selectors.
    fn negate(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, data: &NodeData) -> Result<()> {
        for arc in data.exit.arcs() {
            for &(_, value) in &self.layout.sets[arc.sets] {
                if let SelectorValue::Condition { block, negated: true } = value {
                    let block = ir_block(block);
                    let condition = self.condition_value(cx, block)?;
                    let (condition, ty) = (cx.value(code, condition)?, code.type_bool());
                    let id = code.unary(Op::LogicalNot, ty, condition);
                    self.negated.insert((block, cx.node), id);
                }
            }
        }
        Ok(())
    }
}
