//! Decodes function bodies: instructions, and phis as block parameters.

use super::decoder::{Callee, Decoder, IR, KnownOperation};
use super::operators::{binary_op, cast_op, cmp_op, rmw_op};
use crate::ir::debug::{FunctionDebug, LocationId, Point, VariableValue};
use crate::ir::verify::Rules;
use crate::ir::*;
use dxil_base::entity::{Entity, EntitySet, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_bitcode as bitcode;
use dxil_bitcode::{Attachment, Body, Inst as B, InstId, ValueDef, ValueId};

/// Operands of a node of hints that are read. DXC writes at most three, and many branches may refer
/// to one node.
const HINTS: usize = 8;

/// The state of decoding one body.
struct BodyDecoder<'d, 'a> {
    decoder: &'d mut Decoder<'a>,
    body: &'a Body,
    out: Function,
    /// The values of all phis, sorted by [`EdgeValue::key`].
    incoming: Vec<EdgeValue>,
    /// The instructions of the IR by those of the bitcode, in order, if debug information is read.
    numbers: Option<Vec<(InstId, Inst)>>,
    /// Whether the function keeps the contract of the verifier, as far as it is made.
    proven: bool,
}

/// The value of a phi on an edge.
#[derive(Clone, Copy)]
struct EdgeValue {
    /// The edge, by [`edge_between`].
    edge: u32,
    /// The number of the phi in its block.
    phi: u32,
    value: ValueId,
}

impl EdgeValue {
    fn key(&self) -> u64 {
        u64::from(self.edge) << 32 | u64::from(self.phi)
    }
}

/// The number of an edge. Block numbers have at most 16 bits ([`limits::BLOCKS`]).
fn edge_between(from: bitcode::BlockId, to: bitcode::BlockId) -> u32 {
    (from.index() << 16 | to.index()) as u32
}

impl<'a> Decoder<'a> {
    /// Decodes one function. The result says whether it keeps the contract of the verifier.
    pub(super) fn function(
        &mut self,
        id: bitcode::FunctionId,
        function: &'a bitcode::Function,
        body: &'a Body,
    ) -> Result<(Function, bool)> {
        let place = Place::Function(id.index() as u32);
        limits::check(place, "basic blocks", body.blocks.len(), limits::BLOCKS)?;
        limits::check(place, "instructions", body.insts.len(), limits::INSTRUCTIONS)?;
        let values = body.values.len() * size_of::<(Local, Option<Value>, Option<Const>)>();
        let insts = body.insts.len() * size_of::<(InstData, Option<Value>, Inst)>();
        self.fuel.bytes(place, IR, values + insts + body.blocks.len() * size_of::<BlockData>())?;
        let ret = match self.input.types.get(function.ty) {
            Some(&bitcode::Type::Function { ret, .. }) => self.ty(ret),
            _ => return Err(malformed!(place, "the type of the function is not a function type")),
        };
        let mut out = Function {
            locals: Vec::with_capacity(body.values.len()),
            insts: PrimaryMap::with_capacity(body.insts.len()),
            results: PrimaryMap::with_capacity(body.insts.len()),
            blocks: PrimaryMap::with_capacity(body.blocks.len()),
            indices: Vec::with_capacity(body.indices.len()),
            pool: Vec::with_capacity(body.operands.len() + body.incoming.len()),
            attributes: function.attributes.map_or_else(Attributes::default, |list| self.attributes(list)),
            ..Function::new(self.name(function.name)?, ret, id.index() as u32)
        };
        let module_values = self.values.len();
        self.values.reserve(body.values.len());
        self.make_locals(&mut out, body, module_values + body.args as usize);
        out.args = self.values.iter().skip(module_values).copied().flatten().collect();
        self.body = Some(body);
        let numbers = self.debug.is_some().then(Vec::new);
        let incoming = Vec::with_capacity(body.incoming.len());
        let mut decoder = BodyDecoder { decoder: self, body, out, incoming, numbers, proven: true };
        decoder.collect_phis()?;
        decoder.blocks()?;
        decoder.debug()?;
        // The uses of a value whose definition is removed are not in order.
        decoder.proven &= !empty_unreachable(&mut decoder.out);
        decoder.control_flow();
        let BodyDecoder { decoder, out, proven, .. } = decoder;
        decoder.body = None;
        decoder.consts.truncate(module_values);
        decoder.values.truncate(module_values);
        Ok((out, proven))
    }

    /// Makes the locals of all values before this one, in LLVM's order. The definition of an
    /// instruction's result is set when the instruction is decoded.
    fn make_locals(&mut self, out: &mut Function, body: &Body, end: usize) {
        let first = body.first_value as usize;
        for value in body.values.get(self.values.len() - first..end - first).unwrap_or_default() {
            let def = match value.def {
                ValueDef::Argument(n) => Some(Def::Arg(n)),
                ValueDef::Inst(_) => Some(Def::Arg(u32::MAX)),
                _ => None,
            };
            let local = def.map(|def| out.make_local(self.ty(value.ty), def));
            self.values.push(local);
        }
    }
}

/// Removes the code of blocks that the entry does not reach. LLVM permits such code, and permits
/// uses in it that no definition dominates. Returns whether there was such a block.
fn empty_unreachable(function: &mut Function) -> bool {
    let mut reached: EntitySet<Block> = EntitySet::new();
    let mut stack: Vec<Block> = function.blocks.keys().take(1).collect();
    while let Some(block) = stack.pop() {
        let Some(data) = function.blocks.get(block) else { continue };
        if reached.insert(block) {
            stack.extend(data.terminator.targets().map(|target| target.block));
        }
    }
    let (blocks, mut any) = (function.blocks.keys(), false);
    for (_, data) in blocks.zip(function.blocks.values_mut()).filter(|(block, _)| !reached.contains(*block)) {
        for inst in std::mem::take(&mut data.insts) {
            // Code that visits all instructions ignores fences.
            function.insts[inst] = InstData::Fence;
            function.results[inst] = None;
        }
        data.params.clear();
        data.terminator = Terminator::Unreachable;
        any = true;
    }
    any
}

impl<'a> BodyDecoder<'_, 'a> {
    /// Collects the values that the phis of each block have for each of its edges.
    fn collect_phis(&mut self) -> Result<()> {
        for (to, _) in self.body.blocks.iter() {
            let phis = self.body.block_insts(to).map_while(|(_, i)| match i.inst {
                B::Phi { incoming, .. } => Some((incoming, i.place())),
                _ => None,
            });
            let mut edges = None;
            for (phi, (incoming, place)) in (0..).zip(phis) {
                self.decoder.fuel.items::<EdgeValue>(place, IR, incoming.len())?;
                // The phis of a block have one value for each of its predecessors (LLVM Language
                // Reference, "'phi' Instruction").
                let first = *edges.get_or_insert(incoming.len());
                if incoming.len() != first {
                    return Err(malformed!(
                        place,
                        "a phi has {} incoming values, but the first phi of its block has {first}",
                        incoming.len()
                    ));
                }
                let values = self.body.incoming[incoming].iter();
                self.incoming.extend(values.map(|edge| EdgeValue {
                    edge: edge_between(edge.block, to),
                    phi,
                    value: edge.value,
                }));
            }
        }
        self.incoming.sort_by_key(EdgeValue::key);
        // A switch with several cases for one block has as many equal edges. The last value counts,
        // and the sort is stable.
        self.incoming.dedup_by(|later, kept| {
            let same = later.key() == kept.key();
            if same {
                kept.value = later.value;
            }
            same
        });
        Ok(())
    }

    /// The values of the target's phis on an edge, as the arguments of a branch.
    fn edge_args(&mut self, place: Place, from: bitcode::BlockId, to: bitcode::BlockId) -> Result<ValueList> {
        let (edge, start) = (edge_between(from, to), self.out.pool.len());
        let mut next = self.incoming.partition_point(|value| value.edge < edge);
        while let Some(&incoming) = self.incoming.get(next).filter(|value| value.edge == edge) {
            next += 1;
            if incoming.phi as usize != self.out.pool.len() - start {
                return Err(malformed!(
                    place,
                    "a phi of block {} has a value for block {}, but a phi before it has none",
                    to.index(),
                    from.index()
                ));
            }
            let value = self.value(place, incoming.value)?;
            self.out.pool.push(value);
        }
        let len = self.out.pool.len() - start;
        self.decoder.fuel.items::<Value>(place, IR, len)?;
        Ok(ValueList::from_range(start, len))
    }

    fn blocks(&mut self) -> Result<()> {
        let body = self.body;
        let mut attachments = body.attachments.as_slice();
        for (id, range) in body.blocks.iter() {
            let (block, first) = (Block::new(id.index()), self.out.insts.next_key());
            let (mut params, mut terminator) = (Vec::new(), Terminator::Unreachable);
            let mut hints = ControlFlowHints::default();
            for (inst_id, inst) in body.block_insts(id) {
                let precise = attachments.first().is_some_and(|first| first.at == inst_id)
                    && self.attached(&mut attachments, inst_id, &mut hints);
                if let B::Phi { .. } = inst.inst {
                    // LLVM Language Reference, "'phi' Instruction".
                    if self.out.insts.next_key() != first {
                        return Err(malformed!(inst.place(), "a phi stands after another instruction of its block"));
                    }
                    params.extend(self.define(inst, Def::Param(block)));
                } else if inst_id.index() + 1 == range.end.index() {
                    terminator = self.terminator(id, inst)?;
                } else {
                    let before = self.out.insts.len();
                    self.instruction(inst, precise)?;
                    if let (Some(numbers), Some(last)) = (&mut self.numbers, self.out.insts.len().checked_sub(1)) {
                        numbers.extend((last >= before).then_some((inst_id, Inst::new(last))));
                    }
                }
            }
            let insts = (first.index()..self.out.insts.len()).map(Inst::new).collect();
            let _: Block = self.out.blocks.push(BlockData { params, insts, terminator, hints });
        }
        Ok(())
    }

    /// Gives the decoded instructions their places in the source, and collects the values of
    /// variables.
    fn debug(&mut self) -> Result<()> {
        let (body, Some(numbers)) = (self.body, self.numbers.take()) else { return Ok(()) };
        let mut debug = Box::<FunctionDebug>::default();
        let (mut locations, mut numbers) = (body.locations.iter().peekable(), numbers.into_iter().peekable());
        for (id, range) in body.blocks.iter() {
            let mut waiting = debug.values.len();
            for (inst_id, inst) in body.block_insts(id) {
                let location = locations.next_if(|(at, _)| *at == inst_id).map(|&(_, location)| location);
                while locations.next_if(|(at, _)| *at == inst_id).is_some() {}
                let location = match (location, &mut self.decoder.debug) {
                    (Some(location), Some(reader)) => reader.location(location)?,
                    _ => None,
                };
                let point = if let Some((_, number)) = numbers.next_if(|(at, _)| *at == inst_id) {
                    debug.insts[number] = location;
                    Point::Before(number)
                } else if inst_id.index() + 1 == range.end.index() {
                    debug.terminators[Block::new(id.index())] = location;
                    Point::End(Block::new(id.index()))
                } else {
                    if let (B::Call { callee, args, .. }, Some(location)) = (inst.inst, location) {
                        debug.values.extend(self.variable(inst.place(), callee, args, location)?);
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

    /// The value of a variable that `llvm.dbg.value` and `llvm.dbg.declare` give (LLVM, "Source Level
    /// Debugging with LLVM"): `(value, offset, variable, expression)`, of which the latter has no
    /// offset. `None` for anything else.
    fn variable(
        &mut self,
        place: Place,
        callee: ValueId,
        args: bitcode::List<ValueId>,
        location: LocationId,
    ) -> Result<Option<VariableValue>> {
        let input = self.decoder.input;
        let node = |id: ValueId| match input.value(Some(self.body), id)?.def {
            ValueDef::Metadata(node) => Some(node),
            _ => None,
        };
        let Some(ValueDef::Function(function)) = input.value(Some(self.body), callee).map(|value| value.def) else {
            return Ok(None);
        };
        let (in_memory, value, variable, expression) =
            match (self.decoder.callees.get(function.index()), &self.body.operands[args]) {
                (Some(Callee::Variable { in_memory: true }), &[value, variable, expression]) => {
                    (true, value, variable, expression)
                }
                (Some(Callee::Variable { in_memory: false }), &[value, offset, variable, expression])
                    if input.constant_int(Some(self.body), offset) == Some(0) =>
                {
                    (false, value, variable, expression)
                }
                _ => return Ok(None),
            };
        let (Some(value), Some(variable), Some(expression)) = (node(value), node(variable), node(expression)) else {
            return Ok(None);
        };
        let Some(bitcode::Metadata::Value(value)) = input.metadata(Some(self.body), value) else { return Ok(None) };
        let Some(reader) = &mut self.decoder.debug else { return Ok(None) };
        let (Some(variable), Some(expression)) = (reader.variable(variable)?, reader.expression(expression)) else {
            return Ok(None);
        };
        self.decoder.fuel.items::<[VariableValue; 2]>(place, IR, 1)?;
        // What the IR cannot hold has no value.
        let Ok(value) = self.value(place, value) else { return Ok(None) };
        let in_memory = in_memory || expression.in_memory;
        let point = Point::End(Block::new(0));
        Ok(Some(VariableValue { point, variable, location, piece: expression.piece, value, in_memory }))
    }

    /// Takes the attachments of an instruction from the start of those that are left: hints for its
    /// block, and whether it is precise.
    #[inline(never)]
    fn attached(&self, left: &mut &[Attachment<InstId>], inst: InstId, hints: &mut ControlFlowHints) -> bool {
        let mut precise = false;
        while let Some((attachment, rest)) = left.split_first().filter(|(attachment, _)| attachment.at == inst) {
            *left = rest;
            let kind = Some(attachment.kind);
            precise |= kind == self.decoder.precise_kind;
            if kind == self.decoder.hints_kind {
                self.hints(hints, attachment.node);
            }
            if kind == self.decoder.loop_kind {
                self.loop_hints(hints, attachment.node);
            }
        }
        precise
    }

    /// Reads the hints of a branch: `!{!"dx.controlflow.hints", i32 n, …}` or a list of such nodes.
    /// DXC writes `!{!1}` with `!1 = !{!"dx.controlflow.hints", i32 1}`.
    fn hints(&self, hints: &mut ControlFlowHints, node: bitcode::MetadataId) {
        let input = self.decoder.input;
        let operands = |id| match input.metadata(Some(self.body), id) {
            Some(bitcode::Metadata::Node { operands, .. }) => &input.metadata_operands[operands],
            _ => &[][..],
        };
        let mut apply = |list: &[bitcode::MetadataOperand]| {
            for &operand in list.iter().take(HINTS) {
                if let bitcode::MetadataView::Value(value) = input.metadata_view(Some(self.body), operand) {
                    // DxilConstants.h, DXIL::ControlFlowHint.
                    match input.constant_int(Some(self.body), value) {
                        Some(1) => hints.branch = true,
                        Some(2) => hints.flatten = true,
                        _ => {}
                    }
                }
            }
        };
        for &operand in operands(node).iter().take(HINTS) {
            match input.metadata_view(Some(self.body), operand) {
                bitcode::MetadataView::Node(_, inner) => apply(inner),
                _ => apply(std::slice::from_ref(&operand)),
            }
        }
    }

    /// Reads the metadata that DXC writes for `[loop]` and `[unroll]`: `!{self,
    /// !{!"llvm.loop.unroll.disable"}}` (LLVM Language Reference, "llvm.loop").
    fn loop_hints(&self, hints: &mut ControlFlowHints, node: bitcode::MetadataId) {
        let input = self.decoder.input;
        let Some(bitcode::Metadata::Node { operands, .. }) = input.metadata(Some(self.body), node) else { return };
        for &operand in input.metadata_operands[operands].iter().take(HINTS) {
            let bitcode::MetadataView::Node(_, &[name, ..]) = input.metadata_view(Some(self.body), operand) else {
                continue;
            };
            match input.metadata_view(Some(self.body), name) {
                bitcode::MetadataView::String(b"llvm.loop.unroll.disable") => hints.no_unroll = true,
                bitcode::MetadataView::String(
                    b"llvm.loop.unroll.full" | b"llvm.loop.unroll.enable" | b"llvm.loop.unroll.count",
                ) => hints.unroll = true,
                _ => {}
            }
        }
    }

    /// Makes the local of an instruction's result, if it has one. If an instruction before it refers
    /// to the result, the local is there, and gets its definition.
    #[inline(always)]
    fn define(&mut self, inst: &bitcode::Instruction, def: Def) -> Option<Value> {
        let id = inst.result?.index();
        if let Some(&made) = self.decoder.values.get(id) {
            self.out.locals.get_mut(made?.as_local()?)?.def = def;
            return made;
        }
        if id != self.decoder.values.len() {
            self.decoder.make_locals(&mut self.out, self.body, id);
        }
        let own = id - self.body.first_value as usize;
        let ty = self.decoder.ty(self.body.values.get(own)?.ty);
        let value = self.out.make_local(ty, def);
        self.decoder.values.push(Some(value));
        Some(value)
    }

    /// The IR value of an operand.
    #[inline]
    fn value(&mut self, place: Place, id: ValueId) -> Result<Value> {
        match self.decoder.values.get(id.index()) {
            Some(&Some(value)) => Ok(value),
            _ => self.constant(place, id),
        }
    }

    /// The IR value of a constant that was no operand before, or of a result that is defined later.
    #[inline(never)]
    fn constant(&mut self, place: Place, id: ValueId) -> Result<Value> {
        if id.index() >= self.decoder.values.len() {
            let locals = self.out.locals.len();
            self.decoder.make_locals(&mut self.out, self.body, id.index() + 1);
            // The verifier finds out whether a use before the definition is in another block.
            self.proven &= self.out.locals.len() == locals;
            if let Some(&Some(value)) = self.decoder.values.get(id.index()) {
                return Ok(value);
            }
        }
        let constant = self.decoder.constant(id, 0)?;
        if let ConstKind::Unsupported(why) = &self.decoder.module.consts[constant].kind {
            return Err(unsupported!(place, "{why} as an operand"));
        }
        let value = Value::constant(constant);
        if let Some(slot) = self.decoder.values.get_mut(id.index()) {
            *slot = Some(value);
        }
        Ok(value)
    }

    #[inline(always)]
    fn list(&mut self, place: Place, ids: &[ValueId]) -> Result<ValueList> {
        self.decoder.fuel.items::<Value>(place, IR, ids.len())?;
        let start = self.out.pool.len();
        for &id in ids {
            let value = self.value(place, id)?;
            self.out.pool.push(value);
        }
        Ok(ValueList::from_range(start, ids.len()))
    }

    fn indices(&mut self, place: Place, list: bitcode::List<u32>) -> Result<(u32, u32)> {
        self.decoder.fuel.items::<u32>(place, IR, list.len())?;
        let first = self.out.indices.len() as u32;
        self.out.indices.extend_from_slice(&self.body.indices[list]);
        Ok((first, list.len() as u32))
    }

    fn call_to(&mut self, place: Place, from: bitcode::BlockId, to: bitcode::BlockId) -> Result<BlockCall> {
        Ok(BlockCall { block: Block::new(to.index()), args: self.edge_args(place, from, to)? })
    }

    #[inline(never)]
    fn terminator(&mut self, block: bitcode::BlockId, inst: &bitcode::Instruction) -> Result<Terminator> {
        let place = inst.place();
        Ok(match inst.inst {
            B::Br { target } => Terminator::Jump(self.call_to(place, block, target)?),
            B::CondBr { cond, if_true, if_false } => Terminator::Branch {
                condition: self.value(place, cond)?,
                then: self.call_to(place, block, if_true)?,
                otherwise: self.call_to(place, block, if_false)?,
            },
            B::Switch { cond, default, cases } => {
                let selector = self.value(place, cond)?;
                let default = self.call_to(place, block, default)?;
                self.decoder.fuel.items::<(u64, BlockCall)>(place, IR, cases.len())?;
                let cases = self.body.cases[cases].iter().map(|case| {
                    let call = self.call_to(place, block, case.target)?;
                    // The cases of one target share the incoming values of its phis.
                    self.decoder.fuel.steps(place, "phis", call.args.len())?;
                    Ok((case.value, call))
                });
                let cases = cases.collect::<Result<Box<[_]>>>()?;
                match self.decoder.module.types[self.decoder.module.type_of(&self.out, selector)] {
                    // The selector would be a bool in SPIR-V, where OpSwitch needs an integer.
                    Type::Int(1) => {
                        let to = |label| cases.iter().find(|case| case.0 == label).map_or(default, |case| case.1);
                        Terminator::Branch { condition: selector, then: to(1), otherwise: to(0) }
                    }
                    _ => Terminator::Switch { selector, default, cases },
                }
            }
            B::Ret { value } => {
                let value = value.map(|v| self.value(place, v)).transpose()?;
                Terminator::Return(value)
            }
            B::Unreachable => Terminator::Unreachable,
            B::Foreign { op, .. } => return Err(unsupported!(place, "instruction `{op}`")),
            _ => return Err(malformed!(place, "a block does not end with a terminator")),
        })
    }

    /// Decodes an instruction, unless it does nothing. The frequent ones are built in their places.
    #[inline]
    fn instruction(&mut self, inst: &bitcode::Instruction, precise: bool) -> Result<()> {
        let place = inst.place();
        let number = match inst.inst {
            B::Binary { op, flags, lhs, rhs } => {
                let (lhs, rhs) = (self.value(place, lhs)?, self.value(place, rhs)?);
                let precise = op.is_float() && flags.is_empty();
                let number = self.push(inst, InstData::Binary { op: binary_op(op), precise, lhs, rhs });
                // The reader has found that the types are equal, and of the right sort.
                if !self.decoder.any_other {
                    return Ok(());
                }
                number
            }
            B::Call { callee, args, .. } => return self.call(inst, callee, args, precise),
            B::ExtractValue { aggregate, indices } => {
                let aggregate = self.value(place, aggregate)?;
                let (first, count) = self.indices(place, indices)?;
                self.push(inst, InstData::ExtractValue { aggregate, first, count })
            }
            _ => {
                let decoded = self.rarer_instruction(inst)?;
                self.push(inst, decoded)
            }
        };
        self.proven = self.proven && self.rules(number).instruction(number).is_ok();
        Ok(())
    }

    /// Adds an instruction, with its result.
    #[inline(always)]
    fn push(&mut self, inst: &bitcode::Instruction, data: InstData) -> Inst {
        let number = self.out.insts.push(data);
        let result = self.define(inst, Def::Inst(number));
        let _: Inst = self.out.results.push(result);
        number
    }

    /// The rules that the verifier has for an instruction.
    #[inline]
    fn rules(&self, inst: Inst) -> Rules<'_> {
        let place = Place::Inst { func: self.out.number, inst: inst.index() as u32 };
        Rules { module: &self.decoder.module, function: &self.out, place, masks: &self.decoder.masks }
    }

    /// Asks the verifier's rules about the entry block and all terminators.
    fn control_flow(&mut self) {
        let rules = self.rules(Inst::new(0));
        let entry = self.out.blocks.values().next();
        self.proven = self.proven
            && entry.is_some_and(|entry| entry.params.is_empty())
            && self.out.blocks.iter().all(|(id, block)| rules.terminator(id, &block.terminator).is_ok());
    }

    /// Instructions that are not among the most frequent ones.
    #[inline(never)]
    fn rarer_instruction(&mut self, inst: &bitcode::Instruction) -> Result<InstData> {
        let place = inst.place();
        Ok(match inst.inst {
            B::FNeg { flags, value } => self.negation(place, flags, value)?,
            B::Cast { op, value } => InstData::Cast { op: cast_op(op), value: self.value(place, value)? },
            B::Cmp { pred, lhs, rhs, .. } => {
                InstData::Cmp { op: cmp_op(pred), lhs: self.value(place, lhs)?, rhs: self.value(place, rhs)? }
            }
            B::Select { cond, if_true, if_false, .. } => InstData::Select {
                condition: self.value(place, cond)?,
                then: self.value(place, if_true)?,
                otherwise: self.value(place, if_false)?,
            },
            B::ExtractElement { vector, index } => {
                InstData::ExtractElement { vector: self.value(place, vector)?, index: self.value(place, index)? }
            }
            B::InsertElement { vector, element, index } => InstData::InsertElement {
                vector: self.value(place, vector)?,
                value: self.value(place, element)?,
                index: self.value(place, index)?,
            },
            B::ShuffleVector { lhs, rhs, mask } => InstData::ShuffleVector {
                a: self.value(place, lhs)?,
                b: self.value(place, rhs)?,
                mask: self.value(place, mask)?,
            },
            B::InsertValue { aggregate, value, indices } => {
                let (aggregate, value) = (self.value(place, aggregate)?, self.value(place, value)?);
                let (first, count) = self.indices(place, indices)?;
                InstData::InsertValue { aggregate, value, first, count }
            }
            B::GetElementPtr { operands, .. } => {
                let operands = &self.body.operands[operands];
                let Some((&base, indices)) = operands.split_first() else {
                    return Err(malformed!(place, "getelementptr without operands"));
                };
                InstData::Gep { base: self.value(place, base)?, indices: self.list(place, indices)? }
            }
            B::Alloca { ty, count, .. } => self.alloca(place, ty, count)?,
            B::Load { ptr, access } => InstData::Load { ptr: self.value(place, ptr)?, volatile: access.volatile },
            B::Store { ptr, value, access } => InstData::Store {
                ptr: self.value(place, ptr)?,
                value: self.value(place, value)?,
                volatile: access.volatile,
            },
            B::Fence { .. } => InstData::Fence,
            B::CmpXchg { ptr, expected, new, .. } => InstData::CmpXchg {
                ptr: self.value(place, ptr)?,
                compare: self.value(place, expected)?,
                new: self.value(place, new)?,
            },
            B::AtomicRmw { op, ptr, value, .. } => InstData::AtomicRmw {
                op: rmw_op(op).ok_or_else(|| unsupported!(place, "atomicrmw {op}"))?,
                ptr: self.value(place, ptr)?,
                value: self.value(place, value)?,
            },
            B::Freeze { .. } => return Err(unsupported!(place, "instruction `freeze`")),
            B::Foreign { op, .. } => return Err(unsupported!(place, "instruction `{op}`")),
            _ => return Err(malformed!(place, "a terminator or phi out of place")),
        })
    }

    /// LLVM's `fneg`: a subtraction from -0.
    fn negation(&mut self, place: Place, flags: bitcode::OptimizationFlags, value: ValueId) -> Result<InstData> {
        let rhs = self.value(place, value)?;
        let ty = self.decoder.module.type_of(&self.out, rhs);
        let zero = match self.decoder.module.types[ty] {
            Type::Float(bits @ (16 | 32 | 64)) => ConstKind::Float(1 << (bits - 1)),
            _ => return Err(unsupported!(place, "fneg of a vector")),
        };
        let lhs = Value::constant(self.decoder.module.consts.intern(ConstData { ty, kind: zero }));
        Ok(InstData::Binary { op: BinaryOp::FSub, precise: flags.is_empty(), lhs, rhs })
    }

    fn alloca(&mut self, place: Place, ty: bitcode::TypeId, count: ValueId) -> Result<InstData> {
        let count = self.value(place, count)?;
        let ty = self.decoder.ty(ty);
        match self.decoder.module.const_uint(count).map(u32::try_from) {
            Some(Ok(1)) => Ok(InstData::Alloca { ty }),
            Some(Ok(len)) => {
                // The allocation, and two types, which their table has twice.
                self.decoder.fuel.items::<(InstData, Option<Value>, Inst, Local, [Type; 4])>(place, IR, 1)?;
                Ok(self.array_alloca(ty, len, count))
            }
            _ => Err(unsupported!(place, "alloca with a number of elements that is not a constant")),
        }
    }

    /// Decodes an alloca of several elements: an alloca of an array, which stands before, and the
    /// address of its first element.
    fn array_alloca(&mut self, element: TypeId, len: u32, count: Value) -> InstData {
        let types = &mut self.decoder.module.types;
        let array = types.intern(Type::Array { element, len });
        let pointer = types.intern(Type::Pointer { pointee: array, space: AddressSpace::Default });
        let inst = self.out.make_inst(InstData::Alloca { ty: array }, Some(pointer));
        let ty = self.decoder.module.type_of(&self.out, count);
        let zero = Value::constant(self.decoder.module.consts.intern(ConstData { ty, kind: ConstKind::Int(0) }));
        let base = self.out.result(inst).unwrap_or(zero);
        InstData::Gep { base, indices: self.out.make_list(&[zero, zero]) }
    }

    fn call(
        &mut self,
        inst: &bitcode::Instruction,
        callee: ValueId,
        args: bitcode::List<ValueId>,
        precise: bool,
    ) -> Result<()> {
        let (place, input) = (inst.place(), self.decoder.input);
        let Some(bitcode::Value { def: ValueDef::Function(function), .. }) = input.value(Some(self.body), callee)
        else {
            return Err(unsupported!(place, "a call of a value that is not a function"));
        };
        let args = &self.body.operands[args];
        let Some(callee) = self.decoder.callees.get(function.index()) else {
            return Err(malformed!(place, "a call of a function that the module does not have"));
        };
        match callee {
            Callee::Nothing | Callee::Variable { .. } if inst.result.is_none() => Ok(()),
            Callee::Nothing | Callee::Variable { .. } => Err(unsupported!(place, "an intrinsic with a result")),
            Callee::Unsupported(name) => Err(unsupported!(place, "a call of `{name}`, which has no body")),
            &Callee::Function(func) => {
                let args = self.list(place, args)?;
                // The reader has compared the types, but a variadic function may get more arguments.
                let is_variadic = |ty| matches!(ty, bitcode::Type::Function { vararg: true, .. });
                self.proven &= !is_variadic(input.types[input.functions[function].ty]);
                self.push(inst, InstData::Call { func, args });
                Ok(())
            }
            Callee::Operation { class, known } => {
                let number = args.first().and_then(|&n| input.constant_int(Some(self.body), n));
                let Some(number) = number else {
                    return Err(malformed!(place, "a call of `dx.op.{class}` whose opcode is not a constant"));
                };
                let known = known.filter(|known| u64::from(known.op as u32) == number);
                let op = match known {
                    Some(known) => known.op,
                    None => self.decoder.opcode(place, class, number)?,
                };
                op.info().check_arity(args.len() - 1, place)?;
                let args = self.list(place, &args[1..])?;
                let number = self.push(inst, InstData::Op { op, precise, args });
                self.proven = self.proven && self.operation(function, number, args, known);
                Ok(())
            }
        }
    }

    /// Whether the verifier accepts an operation. It has accepted the operation if that is `known`.
    fn operation(
        &mut self,
        function: bitcode::FunctionId,
        inst: Inst,
        args: ValueList,
        known: Option<KnownOperation>,
    ) -> bool {
        if let Some(KnownOperation { op, immediates }) = known {
            return immediates == 0 || self.rules(inst).immediates(op.info(), immediates, self.out.list(args)).is_ok();
        }
        let accepted = self.rules(inst).instruction(inst).is_ok();
        if let (true, InstData::Op { op, .. }, Some(Callee::Operation { known, .. })) =
            (accepted, self.out.insts[inst], self.decoder.callees.get_mut(function.index()))
        {
            *known = Some(KnownOperation { op, immediates: op.info().immediates() });
        }
        accepted
    }
}
