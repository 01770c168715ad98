//! What is attached to instructions: hints of control flow, `precise`, places and variables of the
//! source.

use super::decoder::{IR, Input};
use super::function::BodyDecoder;
use super::tables::Callee;
use crate::ir::debug::{FunctionDebug, LocationId, Point, VariableValue};
use crate::ir::*;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_bitcode as bitcode;
use dxil_bitcode::{Inst as B, ValueDef, ValueId};

/// Operands of a node of hints that are read. DXC writes at most three, and many branches may refer
/// to one node.
const HINTS: usize = 8;

impl BodyDecoder<'_, '_> {
    /// Applies the attachments of instructions.
    pub(super) fn attachments(&mut self, input: Input<'_>) {
        if input.body.attachments.is_empty() {
            return;
        }
        let kinds = || ["dx.precise", "dx.controlflow.hints", "llvm.loop"].map(|kind| input.module.metadata_kind(kind));
        let [precise, hint, of_loop] = *self.decoder.attachment_kinds.get_or_insert_with(kinds);
        for attachment in &input.body.attachments {
            let kind = Some(attachment.kind);
            if kind == precise
                && let Some(inst) = self.memory.numbers.get(attachment.at)
                && let InstData::Op { precise, .. } = &mut self.out.insts[inst]
            {
                *precise = true;
            }
            let (is_hint, is_loop) = (kind == hint, kind == of_loop);
            if !is_hint && !is_loop {
                continue;
            }
            let block = input.body.blocks.values().as_slice().partition_point(|block| block.end <= attachment.at);
            let Some(block) = self.out.blocks.values_mut().nth(block) else { continue };
            if is_hint {
                hints(input, &mut block.hints, attachment.node);
            }
            if is_loop {
                loop_hints(input, &mut block.hints, attachment.node);
            }
        }
    }

    /// Gives the decoded instructions their places in the source, and collects the values of
    /// variables.
    pub(super) fn debug(&mut self, input: Input<'_>) -> Result<()> {
        if self.decoder.debug.is_none() {
            return Ok(());
        }
        let body = input.body;
        let mut debug = Box::<FunctionDebug>::default();
        let mut locations = body.locations.iter().peekable();
        for (id, range) in body.blocks.iter() {
            let mut waiting = debug.values.len();
            for (inst_id, inst) in body.block_insts(id) {
                let location = locations.next_if(|(at, _)| *at == inst_id).map(|&(_, location)| location);
                while locations.next_if(|(at, _)| *at == inst_id).is_some() {}
                let location = match (location, &mut self.decoder.debug) {
                    (Some(location), Some(reader)) => reader.location(location)?,
                    _ => None,
                };
                let point = if let Some(number) = self.memory.numbers.get(inst_id) {
                    debug.insts[number] = location;
                    Point::Before(number)
                } else if inst_id.index() + 1 == range.end.index() {
                    debug.terminators[Block::new(id.index())] = location;
                    Point::End(Block::new(id.index()))
                } else {
                    if let (B::Call { callee, args, .. }, Some(location)) = (inst.inst, location) {
                        debug.values.extend(self.variable(input, inst.bit, callee, args, location)?);
                    }
                    continue;
                };
                debug.values.iter_mut().skip(waiting).for_each(|value| value.point = point);
                waiting = debug.values.len();
            }
        }
        self.out.debug = Some(debug);
        Ok(())
    }

    /// The value of a variable that `llvm.dbg.value` and `llvm.dbg.declare` give (LLVM, "Source
    /// Level Debugging with LLVM"): `(value, offset, variable, expression)`, of which the latter
    /// has no offset. `None` for anything else.
    fn variable(
        &mut self,
        input: Input<'_>,
        bit: u32,
        callee: ValueId,
        args: bitcode::List<ValueId>,
        location: LocationId,
    ) -> Result<Option<VariableValue>> {
        let node = |id: ValueId| match input.value(id)?.def {
            ValueDef::Metadata(node) => Some(node),
            _ => None,
        };
        let Some(ValueDef::Function(function)) = input.value(callee).map(|value| value.def) else {
            return Ok(None);
        };
        let (in_memory, value, variable, expression) =
            match (self.decoder.tables.callees.get(function.index()), &input.body.operands[args]) {
                (Some(Callee::Variable { in_memory: true }), &[value, variable, expression]) => {
                    (true, value, variable, expression)
                }
                (Some(Callee::Variable { in_memory: false }), &[value, offset, variable, expression])
                    if input.constant_int(offset) == Some(0) =>
                {
                    (false, value, variable, expression)
                }
                _ => return Ok(None),
            };
        let (Some(value), Some(variable), Some(expression)) = (node(value), node(variable), node(expression)) else {
            return Ok(None);
        };
        let Some(bitcode::Metadata::Value(value)) = input.metadata(value) else { return Ok(None) };
        let Some(reader) = &mut self.decoder.debug else { return Ok(None) };
        let (Some(variable), Some(expression)) = (reader.variable(variable)?, reader.expression(expression)) else {
            return Ok(None);
        };
        self.decoder.fuel.items::<[VariableValue; 2]>(Place::Bit(bit.into()), IR, 1)?;
        // What the IR cannot hold has no value.
        let Ok(value) = self.value(input, bit, value) else { return Ok(None) };
        let in_memory = in_memory || expression.in_memory;
        let point = Point::End(Block::new(0));
        Ok(Some(VariableValue { point, variable, location, piece: expression.piece, value, in_memory }))
    }
}

/// Reads the hints of a branch: `!{!"dx.controlflow.hints", i32 n, …}` or a list of such nodes.
/// DXC writes `!{!1}` with `!1 = !{!"dx.controlflow.hints", i32 1}`.
fn hints(input: Input<'_>, hints: &mut ControlFlowHints, node: bitcode::MetadataId) {
    let operands = |id| match input.metadata(id) {
        Some(bitcode::Metadata::Node { operands, .. }) => &input.module.metadata_operands[operands],
        _ => &[][..],
    };
    let mut apply = |list: &[bitcode::MetadataOperand]| {
        for &operand in list.iter().take(HINTS) {
            if let bitcode::MetadataView::Value(value) = input.metadata_view(operand) {
                // DxilConstants.h, DXIL::ControlFlowHint.
                match input.constant_int(value) {
                    Some(1) => hints.branch = true,
                    Some(2) => hints.flatten = true,
                    _ => {}
                }
            }
        }
    };
    for &operand in operands(node).iter().take(HINTS) {
        match input.metadata_view(operand) {
            bitcode::MetadataView::Node(_, inner) => apply(inner),
            _ => apply(std::slice::from_ref(&operand)),
        }
    }
}

/// Reads the metadata that DXC writes for `[loop]` and `[unroll]`: `!{self,
/// !{!"llvm.loop.unroll.disable"}}` (LLVM Language Reference, "llvm.loop").
fn loop_hints(input: Input<'_>, hints: &mut ControlFlowHints, node: bitcode::MetadataId) {
    let Some(bitcode::Metadata::Node { operands, .. }) = input.metadata(node) else { return };
    for &operand in input.module.metadata_operands[operands].iter().take(HINTS) {
        let bitcode::MetadataView::Node(_, &[name, ..]) = input.metadata_view(operand) else {
            continue;
        };
        match input.metadata_view(name) {
            bitcode::MetadataView::String(b"llvm.loop.unroll.disable") => hints.no_unroll = true,
            bitcode::MetadataView::String(
                b"llvm.loop.unroll.full" | b"llvm.loop.unroll.enable" | b"llvm.loop.unroll.count",
            ) => hints.unroll = true,
            _ => {}
        }
    }
}
