//! Decodes function bodies: instructions, and phis as block parameters.

use super::decoder::{IR, Input, OPERATION};
use super::function::{AHEAD, BodyDecoder};
use super::operators::{binary_op, cast_op, cmp_op, rmw_op};
use super::phis::{EdgeValue, Phis};
use super::tables::{Callee, KnownOperation};
use super::wide::{is_bitwise, is_wide};
use crate::ir::*;
use dxil_base::entity::{Entity, EntitySet};
use dxil_base::error::{Place, Result};
use dxil_base::names::unmarked;
use dxil_bitcode as bitcode;
use dxil_bitcode::{Body, Inst as B, ValueDef, ValueId, Visitor};

impl Visitor for BodyDecoder<'_, '_> {
    /// Decodes an instruction. The frequent ones are built in their places.
    #[inline(always)]
    fn instruction(
        &mut self,
        module: &bitcode::Module,
        body: &Body,
        inst: &bitcode::Instruction,
        ty: Option<bitcode::TypeId>,
    ) -> Result<()> {
        let input = Input { module, body };
        match inst.inst {
            B::Binary { op, lhs, rhs, .. } if self.has_wide && is_bitwise(op) && is_wide(input, ty) => {
                let binary = |[lhs, rhs]: [Value; 2]| InstData::Binary { op: binary_op(op), precise: false, lhs, rhs };
                self.wide_pair(input, (inst.bit, inst.result), ty, [lhs, rhs], binary)?;
            }
            B::Binary { op, flags, lhs, rhs } => {
                let (lhs, rhs) = (self.value(input, inst.bit, lhs)?, self.value(input, inst.bit, rhs)?);
                let precise = op.is_float() && flags.is_empty();
                // The reader has found that the types are equal, and of the right sort.
                self.push_proven(input, inst.result, ty, InstData::Binary { op: binary_op(op), precise, lhs, rhs });
            }
            B::Call { callee, args, .. } => self.call(input, inst.bit, inst.result, ty, (callee, args))?,
            B::ExtractValue { aggregate, indices } => {
                let aggregate = self.value(input, inst.bit, aggregate)?;
                let (first, count) = self.indices(input, inst.bit, indices)?;
                let number = self.push(module, inst.result, ty, InstData::ExtractValue { aggregate, first, count });
                // The reader has found the member, which only a handle does not have in the IR.
                if count > 1 || self.decoder.any_other || !self.is_structure(aggregate) {
                    self.prove(number);
                }
            }
            B::Load { ptr, access } => {
                let ptr = self.value(input, inst.bit, ptr)?;
                // The reader has compared the type of the value with the pointee.
                self.push_proven(input, inst.result, ty, InstData::Load { ptr, volatile: access.volatile });
            }
            B::Store { ptr, value, access } => {
                let (ptr, value) = (self.value(input, inst.bit, ptr)?, self.value(input, inst.bit, value)?);
                // As for a load.
                self.push_proven(input, inst.result, ty, InstData::Store { ptr, value, volatile: access.volatile });
            }
            B::Cmp { pred, lhs, rhs, .. } => {
                let (lhs, rhs) = (self.value(input, inst.bit, lhs)?, self.value(input, inst.bit, rhs)?);
                let number = self.push(module, inst.result, ty, InstData::Cmp { op: cmp_op(pred), lhs, rhs });
                self.prove(number);
            }
            B::GetElementPtr { operands, .. } => {
                let Some((&base, indices)) = body.operands[operands].split_first() else {
                    return Err(malformed!(inst.place(), "getelementptr without operands"));
                };
                let base = self.value(input, inst.bit, base)?;
                let indices = self.list(input, inst.bit, indices)?;
                let number = self.push(module, inst.result, ty, InstData::Gep { base, indices });
                self.prove(number);
            }
            B::Phi { incoming, .. } => self.phi(input, inst.bit, inst.result, ty, incoming)?,
            B::Foreign { op, .. } => return Err(unsupported!(inst.place(), "instruction `{op}`")),
            _ if inst.inst.is_terminator() => {
                let terminator = self.terminator(input, inst)?;
                self.end_block(inst.bit, terminator)?;
            }
            _ => self.rarer_instruction(input, inst, ty)?,
        }
        self.at += 1;
        Ok(())
    }

    fn reserve(&mut self, blocks: usize) {
        self.out.blocks.reserve(blocks);
        self.memory.ends.reserve(blocks);
    }

    /// Finishes the function.
    fn end(&mut self, module: &bitcode::Module, body: &Body) -> Result<()> {
        let input = Input { module, body };
        self.memory.numbers.end(self.at);
        self.branch_arguments(input)?;
        if self.is_ahead {
            // The verifier finds out whether a use before the definition is in another block.
            self.proven = false;
            let values = &self.decoder.tables.values;
            self.out.for_each_use_mut(|value| {
                let id = value.as_local().and_then(|local| local.checked_sub(AHEAD));
                if let Some(&Some(local)) = id.and_then(|id| values.get(id)) {
                    *value = local;
                }
            });
        }
        self.attachments(input);
        self.debug(input)?;
        self.truth_switches();
        // The uses of a value whose definition is removed are not in order.
        self.proven &= !empty_unreachable(&mut self.out, &mut self.memory.stack);
        self.control_flow();
        Ok(())
    }
}

/// Removes the code of blocks that the entry does not reach. LLVM permits such code, and permits
/// uses in it that no definition dominates. Returns whether there was such a block.
fn empty_unreachable(function: &mut Function, stack: &mut Vec<Block>) -> bool {
    if function.blocks.len() == 1 {
        return false;
    }
    let mut reached: EntitySet<Block> = EntitySet::new();
    stack.extend(function.blocks.keys().take(1));
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

impl BodyDecoder<'_, '_> {
    /// Asks the verifier's rules about the entry block and all terminators.
    fn control_flow(&mut self) {
        let rules = self.rules(Inst::new(0));
        let entry = self.out.blocks.values().next();
        self.proven = self.proven
            && entry.is_some_and(|entry| entry.params.is_empty())
            && self.out.blocks.iter().all(|(id, block)| rules.terminator(id, &block.terminator).is_ok());
    }

    /// Gives the branches their arguments, when all values are known.
    fn branch_arguments(&mut self, input: Input<'_>) -> Result<()> {
        if !self.memory.phis.complete() {
            return Ok(());
        }
        let (phis, ends) = (std::mem::take(&mut self.memory.phis), std::mem::take(&mut self.memory.ends));
        for (from, &bit) in ends.iter() {
            let has_phis = |to: BlockCall| self.out.blocks.get(to.block).is_some_and(|to| !to.params.is_empty());
            if !self.out.blocks[from].terminator.targets().any(has_phis) {
                continue;
            }
            let mut terminator = std::mem::replace(&mut self.out.blocks[from].terminator, Terminator::Unreachable);
            let is_switch = matches!(terminator, Terminator::Switch { .. });
            for target in terminator.targets_mut() {
                target.args = self.edge_arguments(input, bit, &phis, (from, target.block))?;
                if is_switch {
                    // The cases of one target share the incoming values of its phis.
                    self.decoder.fuel.steps(Place::Bit(bit.into()), "phis", target.args.len())?;
                }
            }
            self.out.blocks[from].terminator = terminator;
        }
        (self.memory.phis, self.memory.ends) = (phis, ends);
        Ok(())
    }

    /// The values of the target's phis on an edge.
    fn edge_arguments(
        &mut self,
        input: Input<'_>,
        bit: u32,
        phis: &Phis,
        (from, to): (Block, Block),
    ) -> Result<ValueList> {
        let (values, start) = (phis.on_edge(from, to), self.out.pool.len());
        let place = Place::Bit(bit.into());
        self.decoder.fuel.items::<Value>(place, IR, values.len())?;
        for (number, incoming) in values.iter().enumerate() {
            if incoming.phi as usize != number {
                return Err(malformed!(
                    place,
                    "a phi of block {} has a value for block {}, but a phi before it has none",
                    to.index(),
                    from.index()
                ));
            }
            let value = self.value(input, bit, incoming.value)?;
            self.out.pool.push(value);
        }
        Ok(ValueList::from_range(start, values.len()))
    }

    /// Makes branches of switches on truth values: such a selector would be a bool in SPIR-V, where
    /// OpSwitch needs an integer.
    fn truth_switches(&mut self) {
        let Self { decoder, out, .. } = self;
        for block in out.blocks.values_mut() {
            let Terminator::Switch { selector, default, cases } = &block.terminator else { continue };
            let ty = match selector.kind() {
                ValueKind::Local(local) => out.locals.get(local).map(|local| local.ty),
                ValueKind::Const(constant) => Some(decoder.module.consts[constant].ty),
            };
            if ty.is_some_and(|ty| decoder.module.types[ty] == Type::Int(1)) {
                let to = |label| cases.iter().find(|case| case.0 == label).map_or(*default, |case| case.1);
                block.terminator = Terminator::Branch { condition: *selector, then: to(1), otherwise: to(0) };
            }
        }
    }

    #[inline(always)]
    fn list(&mut self, input: Input<'_>, bit: u32, ids: &[ValueId]) -> Result<ValueList> {
        self.decoder.fuel.items::<Value>(Place::Bit(bit.into()), IR, ids.len())?;
        let start = self.out.pool.len();
        for &id in ids {
            let value = self.value(input, bit, id)?;
            self.out.pool.push(value);
        }
        Ok(ValueList::from_range(start, ids.len()))
    }

    #[inline]
    fn indices(&mut self, input: Input<'_>, bit: u32, list: bitcode::List<u32>) -> Result<(u32, u32)> {
        self.decoder.fuel.items::<u32>(Place::Bit(bit.into()), IR, list.len())?;
        let first = self.out.indices.len() as u32;
        // Mostly there is one, for which a copy of memory would take longer.
        for &index in &input.body.indices[list] {
            self.out.indices.push(index);
        }
        Ok((first, list.len() as u32))
    }

    /// Adds a phi to the parameters of its block.
    fn phi(
        &mut self,
        input: Input<'_>,
        bit: u32,
        result: Option<ValueId>,
        ty: Option<bitcode::TypeId>,
        incoming: bitcode::List<bitcode::Incoming>,
    ) -> Result<()> {
        let (place, block) = (Place::Bit(bit.into()), self.out.blocks.next_key());
        self.memory.numbers.end(self.at);
        // LLVM Language Reference, "'phi' Instruction".
        if self.out.insts.next_key() != self.first.1 {
            return Err(malformed!(place, "a phi stands after another instruction of its block"));
        }
        self.decoder.fuel.items::<EdgeValue>(place, IR, incoming.len())?;
        self.memory.phis.add(place, (block, self.params.len()), &input.body.incoming[incoming])?;
        let param = self.define(input.module, result, ty, Def::Param(block));
        self.params.extend(param);
        Ok(())
    }

    /// Ends the block. Its branches get their arguments when the body is complete.
    fn end_block(&mut self, bit: u32, terminator: Terminator) -> Result<()> {
        self.memory.numbers.end(self.at);
        let (at, first) = std::mem::replace(&mut self.first, (self.at + 1, self.out.insts.next_key()));
        let values = size_of::<(Local, Option<Value>, Option<Const>, InstData, Option<Value>, Inst)>();
        let bytes = (self.at + 1 - at) * values + size_of::<(BlockData, u32)>();
        self.decoder.fuel.bytes(Place::Bit(bit.into()), IR, bytes)?;
        self.memory.phis.end_block();
        let insts = (first.index()..self.out.insts.len()).map(Inst::new).collect();
        let (params, hints) = (self.params.clone(), ControlFlowHints::default());
        self.params.clear();
        let _: Block = self.out.blocks.push(BlockData { params, insts, terminator, hints });
        let _: Block = self.memory.ends.push(bit);
        Ok(())
    }

    #[inline(always)]
    fn terminator(&mut self, input: Input<'_>, inst: &bitcode::Instruction) -> Result<Terminator> {
        let place = inst.place();
        let to = |block: bitcode::BlockId| BlockCall { block: Block::new(block.index()), args: ValueList::default() };
        Ok(match inst.inst {
            B::Br { target } => Terminator::Jump(to(target)),
            B::CondBr { cond, if_true, if_false } => Terminator::Branch {
                condition: self.value(input, inst.bit, cond)?,
                then: to(if_true),
                otherwise: to(if_false),
            },
            B::Switch { cond, default, cases } => {
                let selector = self.value(input, inst.bit, cond)?;
                self.decoder.fuel.items::<(u64, BlockCall)>(place, IR, cases.len())?;
                let cases = input.body.cases[cases].iter().map(|case| (case.value, to(case.target))).collect();
                Terminator::Switch { selector, default: to(default), cases }
            }
            B::Ret { value } => Terminator::Return(value.map(|v| self.value(input, inst.bit, v)).transpose()?),
            _ => Terminator::Unreachable,
        })
    }

    /// Instructions that are not among the most frequent ones.
    #[inline(never)]
    fn rarer_instruction(
        &mut self,
        input: Input<'_>,
        inst: &bitcode::Instruction,
        ty: Option<bitcode::TypeId>,
    ) -> Result<()> {
        let data = match inst.inst {
            B::Cast { op: bitcode::CastOp::BitCast, value } if is_wide(input, ty) => {
                return self.wide(input, inst, ty, value);
            }
            B::Select { cond, if_true, if_false, .. } if is_wide(input, ty) => {
                let condition = self.value(input, inst.bit, cond)?;
                let select = |[then, otherwise]: [Value; 2]| InstData::Select { condition, then, otherwise };
                return self.wide_pair(input, (inst.bit, inst.result), ty, [if_true, if_false], select);
            }
            B::Cast { op: bitcode::CastOp::Trunc, value }
                if is_wide(input, input.value(value).map(|value| value.ty)) =>
            {
                self.lowest(input, inst, ty, value)?
            }
            B::FNeg { flags, value } => {
                let ty = ty.map(|ty| self.decoder.ty(input.module, ty));
                self.negation(input, inst, (flags, value), ty)?
            }
            B::Alloca { ty, count, .. } => {
                // It may become two instructions.
                self.memory.numbers.end(self.at);
                self.alloca(input, inst, ty, count)?
            }
            _ => self.plain_instruction(input, inst)?,
        };
        let number = self.push(input.module, inst.result, ty, data);
        self.prove(number);
        Ok(())
    }

    /// Instructions that become one of the IR with the same operands.
    fn plain_instruction(&mut self, input: Input<'_>, inst: &bitcode::Instruction) -> Result<InstData> {
        let place = inst.place();
        Ok(match inst.inst {
            B::Cast { op, value } => InstData::Cast { op: cast_op(op), value: self.value(input, inst.bit, value)? },
            B::Select { cond, if_true, if_false, .. } => InstData::Select {
                condition: self.value(input, inst.bit, cond)?,
                then: self.value(input, inst.bit, if_true)?,
                otherwise: self.value(input, inst.bit, if_false)?,
            },
            B::ExtractElement { vector, index } => InstData::ExtractElement {
                vector: self.value(input, inst.bit, vector)?,
                index: self.value(input, inst.bit, index)?,
            },
            B::InsertElement { vector, element, index } => InstData::InsertElement {
                vector: self.value(input, inst.bit, vector)?,
                value: self.value(input, inst.bit, element)?,
                index: self.value(input, inst.bit, index)?,
            },
            B::ShuffleVector { lhs, rhs, mask } => InstData::ShuffleVector {
                a: self.value(input, inst.bit, lhs)?,
                b: self.value(input, inst.bit, rhs)?,
                mask: self.value(input, inst.bit, mask)?,
            },
            B::InsertValue { aggregate, value, indices } => {
                let (aggregate, value) = (self.value(input, inst.bit, aggregate)?, self.value(input, inst.bit, value)?);
                let (first, count) = self.indices(input, inst.bit, indices)?;
                InstData::InsertValue { aggregate, value, first, count }
            }
            B::Fence { .. } => InstData::Fence,
            B::CmpXchg { ptr, expected, new, .. } => InstData::CmpXchg {
                ptr: self.value(input, inst.bit, ptr)?,
                compare: self.value(input, inst.bit, expected)?,
                new: self.value(input, inst.bit, new)?,
            },
            B::AtomicRmw { op, ptr, value, .. } => InstData::AtomicRmw {
                op: rmw_op(op).ok_or_else(|| unsupported!(place, "atomicrmw {op}"))?,
                ptr: self.value(input, inst.bit, ptr)?,
                value: self.value(input, inst.bit, value)?,
            },
            B::Freeze { .. } => return Err(unsupported!(place, "instruction `freeze`")),
            _ => return Err(bug!(place, "an instruction has no form in the IR")),
        })
    }

    /// LLVM's `fneg`: a subtraction from -0.
    fn negation(
        &mut self,
        input: Input<'_>,
        inst: &bitcode::Instruction,
        (flags, value): (bitcode::OptimizationFlags, ValueId),
        ty: Option<TypeId>,
    ) -> Result<InstData> {
        let rhs = self.value(input, inst.bit, value)?;
        let (ty, zero) = match ty.map(|ty| (ty, &self.decoder.module.types[ty])) {
            Some((ty, Type::Float(bits @ (16 | 32 | 64)))) => (ty, ConstKind::Float(1 << (bits - 1))),
            _ => return Err(unsupported!(inst.place(), "fneg of a vector")),
        };
        let lhs = self.decoder.module.consts.value(ty, zero);
        Ok(InstData::Binary { op: BinaryOp::FSub, precise: flags.is_empty(), lhs, rhs })
    }

    fn alloca(
        &mut self,
        input: Input<'_>,
        inst: &bitcode::Instruction,
        ty: bitcode::TypeId,
        count: ValueId,
    ) -> Result<InstData> {
        let count = self.value(input, inst.bit, count)?;
        let ty = self.decoder.ty(input.module, ty);
        match self.decoder.module.const_uint(count).map(u32::try_from) {
            Some(Ok(1)) => Ok(InstData::Alloca { ty }),
            Some(Ok(len)) => {
                // The allocation, and two types, which their table has twice.
                self.decoder.fuel.items::<(InstData, Option<Value>, Inst, Local, [Type; 4])>(inst.place(), IR, 1)?;
                Ok(self.array_alloca(ty, len, count))
            }
            _ => Err(unsupported!(inst.place(), "alloca with a number of elements that is not a constant")),
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
        let zero = self.decoder.module.consts.value(ty, ConstKind::Int(0));
        let base = self.out.result(inst).unwrap_or(zero);
        InstData::Gep { base, indices: self.out.make_list(&[zero, zero]) }
    }

    fn call(
        &mut self,
        input: Input<'_>,
        bit: u32,
        result: Option<ValueId>,
        ty: Option<bitcode::TypeId>,
        (callee, args): (ValueId, bitcode::List<ValueId>),
    ) -> Result<()> {
        let (place, module) = (Place::Bit(bit.into()), input.module);
        let Some(bitcode::Value { def: ValueDef::Function(function), .. }) = input.value(callee) else {
            return Err(unsupported!(place, "a call of a value that is not a function"));
        };
        let args = &input.body.operands[args];
        let (Some(&callee), Some(called)) =
            (self.decoder.tables.callees.get(function.index()), module.functions.get(function))
        else {
            return Err(malformed!(place, "a call of a function that the module does not have"));
        };
        match callee {
            Callee::Nothing | Callee::Variable { .. } if result.is_none() => {
                self.memory.numbers.end(self.at);
                Ok(())
            }
            Callee::Nothing | Callee::Variable { .. } => Err(unsupported!(place, "an intrinsic with a result")),
            Callee::Unsupported => {
                let name = module.text(called.name);
                Err(unsupported!(place, "a call of `{}`, which has no body", unmarked(&name)))
            }
            Callee::Function(func) => {
                let args = self.list(input, bit, args)?;
                // The reader has compared the types, but a variadic function may get more
                // arguments.
                let is_variadic = |ty| matches!(ty, bitcode::Type::Function { vararg: true, .. });
                self.proven &= !is_variadic(module.types[called.ty]);
                self.push(module, result, ty, InstData::Call { func, args });
                Ok(())
            }
            Callee::Operation { known } => {
                let class = || {
                    let name = module.bytes(called.name).strip_prefix(OPERATION.as_bytes());
                    name.and_then(|name| name.split(|&byte| byte == b'.').next()).unwrap_or_default()
                };
                let number = args.first().and_then(|&n| input.constant_int(n));
                let Some(number) = number else {
                    let class = String::from_utf8_lossy(class());
                    return Err(malformed!(place, "a call of `dx.op.{class}` whose opcode is not a constant"));
                };
                let known = known.filter(|known| u64::from(known.op as u32) == number);
                let op = match known {
                    Some(known) => known.op,
                    None => self.decoder.opcode(place, class(), number)?,
                };
                op.info().check_arity(args.len() - 1, place)?;
                let args = self.list(input, bit, &args[1..])?;
                let number = self.push(module, result, ty, InstData::Op { op, precise: false, args });
                let is_plain = known.is_some_and(|known| known.immediates == 0);
                self.proven = self.proven && (is_plain || self.operation(function, number, args, known));
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
            return self.rules(inst).immediates(op.info(), immediates, self.out.list(args)).is_ok();
        }
        let accepted = self.rules(inst).instruction(inst).is_ok();
        if let (true, InstData::Op { op, .. }, Some(Callee::Operation { known, .. })) =
            (accepted, self.out.insts[inst], self.decoder.tables.callees.get_mut(function.index()))
        {
            *known = Some(KnownOperation { op, immediates: op.info().immediates() });
        }
        accepted
    }
}
