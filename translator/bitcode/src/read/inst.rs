//! Reads single instruction records.
//!
//! In: a record of a `FUNCTION` block. Out: an [`Inst`] at the end of the body, with its result. If
//! LLVM has an old and a new record for one instruction, both are read. What must hold: operand
//! types are those that LLVM's language reference requires.

use crate::body::{Case, Incoming, Inst, MemoryOperand};
use crate::codes::function as code;
use crate::ops::{CastOp, Foreign, OptimizationFlags, Ordering, Predicate, RmwOp, TailKind};
use crate::types::{Type, TypeId};
use crate::values::{MetadataId, Value, ValueId};
use crate::visitor::Visitor;
use dxil_base::entity::Entity;
use dxil_base::error::{Error, Place, Result};
use dxil_base::integer::all_ones;
use dxil_base::limits;
use dxil_base::limits::SWITCH_RANGE_LABELS;

use super::numbers::{address_space, align_of, binary_op, decode_signed, fast_math, flags_of};
use super::operands::{BodyReader, METADATA_OPERAND, Ops};
use super::reader::BODIES;

/// Top half of the first operand of a switch whose labels are in the record.
const SWITCH_WITH_RANGES: u64 = 0x4b5;
impl<V: Visitor> BodyReader<'_, '_, V> {
    /// Reads an instruction.
    pub(super) fn instruction(&mut self, code: u32, mut ops: Ops<'_>) -> Result<()> {
        let place = ops.place();
        match code {
            code::CALL => self.call(ops),
            code::BINOP => self.binary(ops),
            code::CAST => self.cast(ops),
            code::EXTRACTVAL => self.extract_value(ops),
            code::INSERTVAL => self.insert_value(ops),
            code::GEP => self.address(ops, true, false),
            code::GEP_OLD => self.address(ops, false, false),
            code::INBOUNDS_GEP_OLD => self.address(ops, false, true),
            code::LOAD => self.load(ops, false),
            code::LOADATOMIC => self.load(ops, true),
            code::STORE => self.store(ops, false, true),
            code::STORE_OLD => self.store(ops, false, false),
            code::STOREATOMIC => self.store(ops, true, true),
            code::STOREATOMIC_OLD => self.store(ops, true, false),
            code::CMP | code::CMP2 => self.compare(ops),
            code::SELECT | code::VSELECT => self.select(ops, code == code::VSELECT),
            code::EXTRACTELT => self.extract_element(ops),
            code::INSERTELT => self.insert_element(ops),
            code::SHUFFLEVEC => self.shuffle(ops),
            code::PHI => self.phi(ops),
            code::BR => self.branch(ops),
            code::SWITCH => self.switch(ops),
            code::RET => self.ret(ops),
            code::UNREACHABLE => self.terminate(ops, Inst::Unreachable, None),
            code::ALLOCA => self.alloca(ops),
            code::CMPXCHG => self.compare_exchange(ops, true),
            code::CMPXCHG_OLD => self.compare_exchange(ops, false),
            code::ATOMICRMW => self.read_modify_write(ops, true),
            code::ATOMICRMW_OLD => self.read_modify_write(ops, false),
            code::FENCE => {
                let ordering = ordering(ops.next()?);
                let scope = ops.next()? as u32;
                self.emit(ops.bit, Inst::Fence { ordering, scope }, None)
            }
            code::UNOP => self.unary(ops),
            code::FREEZE => {
                let (value, ty) = self.pair(&mut ops)?;
                self.emit(ops.bit, Inst::Freeze { value }, Some(ty))
            }
            code::INVOKE => self.invoke(ops),
            code::INDIRECTBR => {
                let ty = self.r.ty(place, ops.next()?)?;
                let address = self.operand(&mut ops, ty)?;
                self.foreign(ops, Foreign::IndirectBr, [address], None)
            }
            code::RESUME => {
                let (value, _) = self.pair(&mut ops)?;
                self.foreign(ops, Foreign::Resume, [value], None)
            }
            code::VAARG => {
                let list = self.r.ty(place, ops.next()?)?;
                let list = self.operand(&mut ops, list)?;
                let ty = self.value_type(place, ops.next()?)?;
                self.foreign(ops, Foreign::VaArg, [list], Some(ty))
            }
            code::LANDINGPAD | code::LANDINGPAD_OLD => {
                let ty = self.value_type(place, ops.next()?)?;
                self.foreign(ops, Foreign::LandingPad, [], Some(ty))
            }
            // These are records of LLVM 3.8 and later. Each may end a block or define a value, so
            // it cannot be skipped.
            code::CLEANUPRET..=code::CATCHSWITCH => {
                Err(unsupported!(place, "the function has funclet exception handling, which DXIL does not have"))
            }
            code::OPERAND_BUNDLE => {
                Err(unsupported!(place, "the function has an operand bundle, which DXIL does not have"))
            }
            code::CALLBR => Err(unsupported!(place, "the function has a callbr instruction, which DXIL does not have")),
            code => Err(unsupported!(place, "unknown instruction record {code}")),
        }
    }

    /// `[value, operation, (flags)]`
    fn unary(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (value, ty) = self.pair(&mut ops)?;
        match ops.next()? {
            0 if self.r.is_float(ty) => {
                let flags = fast_math(ops.next_or_zero());
                self.emit(ops.bit, Inst::FNeg { flags, value }, Some(ty))
            }
            op => Err(malformed!(
                ops.place(),
                "unary operation {op} on {} is not valid; expected 0 (fneg) on floats",
                self.r.module.type_text(ty)
            )),
        }
    }

    /// A type that a value can have.
    fn value_type(&self, place: Place, number: u64) -> Result<TypeId> {
        let ty = self.r.ty(place, number)?;
        match self.r.module.types[ty] {
            Type::Void | Type::Function { .. } | Type::Label | Type::Metadata => {
                Err(malformed!(place, "a value cannot have type {}", self.r.module.type_text(ty)))
            }
            _ => Ok(ty),
        }
    }
    #[cold]
    fn misfit(&self, place: Place, what: impl std::fmt::Display, ty: TypeId) -> Error {
        malformed!(place, "{} is not a valid type for {what}", self.r.module.type_text(ty))
    }
    fn foreign<const N: usize>(
        &mut self,
        ops: Ops<'_>,
        op: Foreign,
        operands: [ValueId; N],
        ty: Option<TypeId>,
    ) -> Result<()> {
        let operands = self.body.operands.extend(operands);
        let inst = Inst::Foreign { op, operands };
        if inst.is_terminator() { self.terminate(ops, inst, ty) } else { self.emit(ops.bit, inst, ty) }
    }

    /// `[value, value, operation, (flags)]`
    fn binary(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (lhs, ty) = self.pair(&mut ops)?;
        let rhs = self.operand(&mut ops, ty)?;
        let op = ops.next()?;
        self.arithmetic(ops.bit, (lhs, ty), (rhs, ty), op, ops.next_or_zero())
    }

    /// Adds arithmetic on two values, which are given with their types.
    #[inline(always)]
    pub(super) fn arithmetic(
        &mut self,
        bit: u64,
        (lhs, ty): (ValueId, TypeId),
        (rhs, other): (ValueId, TypeId),
        op: u64,
        flags: u64,
    ) -> Result<()> {
        let place = Place::Bit(bit);
        if ty != other {
            return Err(self.r.wrong_type(place, rhs, other, ty));
        }
        let float = match self.r.scalar(ty) {
            Type::Integer(_) => false,
            ty if ty.is_float() => true,
            _ => return Err(self.misfit(place, "arithmetic", ty)),
        };
        let op = binary_op(place, op, float)?;
        let flags = flags_of(op, flags);
        self.emit(bit, Inst::Binary { op, flags, lhs, rhs }, Some(ty))
    }

    /// `[value, type, operation]`
    fn cast(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (value, from) = self.pair(&mut ops)?;
        let to = self.r.ty(ops.place(), ops.next()?)?;
        let number = ops.next()?;
        let Some(op) = CastOp::from_code(number) else {
            return Err(malformed!(ops.place(), "unknown cast operation {number}"));
        };
        if !self.r.cast_fits(op, from, to) {
            let (from, to) = (self.r.module.type_text(from), self.r.module.type_text(to));
            return Err(malformed!(ops.place(), "{op} from {from} to {to} is not a valid conversion"));
        }
        self.emit(ops.bit, Inst::Cast { op, value }, Some(to))
    }

    /// `[value, value, predicate, (flags)]`
    fn compare(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (lhs, ty) = self.pair(&mut ops)?;
        let rhs = self.operand(&mut ops, ty)?;
        let number = ops.next()?;
        let Some(pred) = Predicate::from_code(number) else {
            return Err(malformed!(ops.place(), "unknown comparison predicate {number}"));
        };
        if !self.r.comparable(pred, ty) {
            return Err(self.misfit(ops.place(), format_args!("the comparison {pred}"), ty));
        }
        let flags = if pred.is_float() { fast_math(ops.next_or_zero()) } else { OptimizationFlags::NONE };
        let result = self.r.compare_type(ops.place(), ty)?;
        self.emit(ops.bit, Inst::Cmp { pred, flags, lhs, rhs }, Some(result))
    }

    /// `[value, value, condition, (flags)]`. The condition of the old record is always `i1`.
    fn select(&mut self, mut ops: Ops<'_>, any_condition: bool) -> Result<()> {
        let (if_true, ty) = self.pair(&mut ops)?;
        let if_false = self.operand(&mut ops, ty)?;
        let (cond, cond_ty) = if any_condition {
            self.pair(&mut ops)?
        } else {
            let bit = self.r.boolean(ops.place())?;
            (self.operand(&mut ops, bit)?, bit)
        };
        if !self.r.condition_fits(cond_ty, ty) {
            return Err(self.misfit(ops.place(), "a condition", cond_ty));
        }
        let flags = if self.r.is_float(ty) { fast_math(ops.next_or_zero()) } else { OptimizationFlags::NONE };
        self.emit(ops.bit, Inst::Select { flags, cond, if_true, if_false }, Some(ty))
    }

    /// `[vector, index]`
    fn extract_element(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (vector, ty) = self.pair(&mut ops)?;
        let (index, index_ty) = self.pair(&mut ops)?;
        match self.r.vector_element(ty) {
            Some(element) if self.r.is_integer(index_ty) => {
                self.emit(ops.bit, Inst::ExtractElement { vector, index }, Some(element))
            }
            _ => Err(self.misfit(ops.place(), "the vector of an element access", ty)),
        }
    }

    /// `[vector, element, index]`
    fn insert_element(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (vector, ty) = self.pair(&mut ops)?;
        let Some(element_ty) = self.r.vector_element(ty) else {
            return Err(self.misfit(ops.place(), "the vector of an element access", ty));
        };
        let element = self.operand(&mut ops, element_ty)?;
        let (index, index_ty) = self.pair(&mut ops)?;
        if !self.r.is_integer(index_ty) {
            return Err(self.misfit(ops.place(), "an element index", index_ty));
        }
        self.emit(ops.bit, Inst::InsertElement { vector, element, index }, Some(ty))
    }

    /// `[vector, vector, mask]`
    fn shuffle(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (lhs, ty) = self.pair(&mut ops)?;
        let rhs = self.operand(&mut ops, ty)?;
        let (mask, mask_ty) = self.pair(&mut ops)?;
        match self.r.shuffle_type(ops.place(), ty, mask_ty)? {
            Some(result) => self.emit(ops.bit, Inst::ShuffleVector { lhs, rhs, mask }, Some(result)),
            None => Err(self.misfit(ops.place(), "a shuffle", ty)),
        }
    }

    #[inline]
    fn indices(&mut self, ops: Ops<'_>) -> Result<crate::pool::List<u32>> {
        let rest = ops.rest();
        if rest.is_empty() {
            return Err(malformed!(ops.place(), "an access to a member of an aggregate has no index"));
        }
        self.r.fuel.items::<u32>(ops.place(), BODIES, rest.len())?;
        let start = self.body.indices.len();
        for &index in rest {
            let Ok(index) = u32::try_from(index) else {
                return Err(malformed!(ops.place(), "the index {index} into an aggregate does not fit in 32 bits"));
            };
            self.body.indices.push(index);
        }
        Ok(self.body.indices.since(start))
    }

    /// `[aggregate, n x index]`
    fn extract_value(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (aggregate, ty) = self.pair(&mut ops)?;
        let member = self.r.member(ops.place(), ty, ops.rest())?;
        let indices = self.indices(ops)?;
        self.emit(ops.bit, Inst::ExtractValue { aggregate, indices }, Some(member))
    }

    /// `[aggregate, value, n x index]`
    fn insert_value(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let (aggregate, ty) = self.pair(&mut ops)?;
        let (value, value_ty) = self.pair(&mut ops)?;
        let member = self.r.member(ops.place(), ty, ops.rest())?;
        if member != value_ty {
            return Err(self.r.wrong_type(ops.place(), value, value_ty, member));
        }
        let indices = self.indices(ops)?;
        self.emit(ops.bit, Inst::InsertValue { aggregate, value, indices }, Some(ty))
    }

    /// `[inbounds, type, n x value]`. The old records have neither the flag nor the type.
    fn address(&mut self, mut ops: Ops<'_>, typed: bool, inbounds: bool) -> Result<()> {
        let place = ops.place();
        let inbounds = if typed { ops.next()? & 1 != 0 } else { inbounds };
        let base_ty = if typed { Some(self.r.ty(place, ops.next()?)?) } else { None };
        self.r.fuel.items::<ValueId>(place, BODIES, ops.len())?;
        let start = self.body.operands.len();
        let (base, pointer) = self.pair(&mut ops)?;
        self.body.operands.push(base);
        let base_ty = match (base_ty, self.r.scalar(pointer)) {
            (Some(ty), _) => ty,
            (None, Type::Pointer { pointee, .. }) => pointee,
            (None, _) => return Err(self.misfit(place, "address arithmetic", pointer)),
        };
        while ops.len() != 0 {
            // The base and the index of its objects come before the indexes of parts, of which
            // there are no more than types nest. The types of operands that come later are searched
            // for.
            let count = self.body.operands.len() - start + 1;
            limits::check(place, "operands of address arithmetic", count, limits::TYPE_NESTING + 2)?;
            let (index, _) = self.pair(&mut ops)?;
            self.body.operands.push(index);
        }
        let operands = self.body.operands.since(start);
        let result = self.r.address_type(place, base_ty, &self.body.operands[operands])?;
        self.emit(ops.bit, Inst::GetElementPtr { inbounds, base_ty, operands }, Some(result))
    }

    /// `[type, type of the count, count, alignment and flags]`
    fn alloca(&mut self, mut ops: Ops<'_>) -> Result<()> {
        const EXPLICIT_TYPE: u64 = 1 << 6;
        let place = ops.place();
        let mut ty = self.r.ty(place, ops.next()?)?;
        let count_ty = self.r.ty(place, ops.next()?)?;
        let count = self.absolute_operand(&mut ops, count_ty)?;
        let bits = ops.next()?;
        if bits & EXPLICIT_TYPE == 0 {
            match self.r.module.types[ty] {
                Type::Pointer { pointee, .. } => ty = pointee,
                _ => return Err(self.misfit(place, "an allocation", ty)),
            }
        }
        if !self.r.is_integer(count_ty) || !self.is_sized(ty) {
            return Err(self.misfit(place, "an allocation", ty));
        }
        // Since LLVM 12, three more bits of the alignment are above the flags.
        let align = align_of(place, bits & 0x1f | bits >> 8 << 5)?;
        let address_space = address_space(place, ops.next_or_zero())?;
        let result = self.r.pointer_to(place, ty, address_space)?;
        self.emit(ops.bit, Inst::Alloca { ty, count, align }, Some(result))
    }
    fn is_sized(&self, ty: TypeId) -> bool {
        !matches!(
            self.r.module.types[ty],
            Type::Void | Type::Function { .. } | Type::Label | Type::Metadata | Type::Opaque { .. } | Type::Token
        )
    }

    /// The type that a pointer points to, or the type that the record names.
    fn pointee(&self, place: Place, pointer: TypeId, named: Option<TypeId>) -> Result<TypeId> {
        let ty = match (self.r.module.types[pointer], named) {
            (Type::Pointer { pointee, .. }, None) => pointee,
            (Type::Pointer { pointee, .. }, Some(named)) if pointee == named => named,
            (Type::OpaquePointer { .. }, Some(named)) => named,
            _ => return Err(self.misfit(place, "the pointer of a memory access", pointer)),
        };
        if self.is_sized(ty) { Ok(ty) } else { Err(self.misfit(place, "a memory access", ty)) }
    }

    /// `[pointer, (type), align, volatile]`, then for an atomic access `[ordering, scope]`.
    fn load(&mut self, mut ops: Ops<'_>, atomic: bool) -> Result<()> {
        let place = ops.place();
        let (ptr, pointer) = self.pair(&mut ops)?;
        let named = if ops.len() == if atomic { 5 } else { 3 } { Some(self.r.ty(place, ops.next()?)?) } else { None };
        let ty = self.pointee(place, pointer, named)?;
        let access = access(&mut ops, atomic)?;
        self.emit(ops.bit, Inst::Load { ptr, access }, Some(ty))
    }

    /// `[pointer, value, align, volatile]`, then for an atomic access `[ordering, scope]`.
    fn store(&mut self, mut ops: Ops<'_>, atomic: bool, typed: bool) -> Result<()> {
        let (ptr, pointer) = self.pair(&mut ops)?;
        let (value, _) = self.stored(&mut ops, pointer, typed)?;
        let access = access(&mut ops, atomic)?;
        self.emit(ops.bit, Inst::Store { ptr, value, access }, None)
    }
    /// A value to store through a pointer. Its type is in the record, or in old records that of the
    /// pointer.
    fn stored(&mut self, ops: &mut Ops<'_>, pointer: TypeId, typed: bool) -> Result<(ValueId, TypeId)> {
        let place = ops.place();
        if typed {
            let (value, ty) = self.pair(ops)?;
            self.pointee(place, pointer, Some(ty))?;
            return Ok((value, ty));
        }
        let ty = self.pointee(place, pointer, None)?;
        Ok((self.operand(ops, ty)?, ty))
    }

    /// `[pointer, expected, new, volatile, success, scope, (failure, weak)]`
    fn compare_exchange(&mut self, mut ops: Ops<'_>, typed: bool) -> Result<()> {
        let place = ops.place();
        let (ptr, pointer) = self.pair(&mut ops)?;
        let (expected, ty) = self.stored(&mut ops, pointer, typed)?;
        let new = self.operand(&mut ops, ty)?;
        let volatile = ops.next()? & 1 != 0;
        let success = ordering(ops.next()?);
        let scope = ops.next()? as u32;
        // If the record has no ordering for failure, it is that for success without the release
        // part.
        let failure = match ops.len() {
            0 => match success {
                Ordering::AcqRel => Ordering::Acquire,
                Ordering::Release => Ordering::Monotonic,
                other => other,
            },
            _ => ordering(ops.next()?),
        };
        // Before LLVM had weak exchanges, the result was only the old value.
        let modern = ops.len() != 0;
        let weak = ops.next_or_zero() & 1 != 0;
        let align = if ops.len() != 0 { align_of(place, ops.next()?)? } else { 0 };
        let result = if modern {
            let bit = self.r.boolean(place)?;
            self.r.pair_of(place, ty, bit)?
        } else {
            ty
        };
        let access = MemoryOperand { align, volatile, ordering: success, scope };
        self.emit(ops.bit, Inst::CmpXchg { ptr, expected, new, access, failure, weak }, Some(result))
    }

    /// `[pointer, value, operation, volatile, ordering, scope]`
    fn read_modify_write(&mut self, mut ops: Ops<'_>, typed: bool) -> Result<()> {
        let place = ops.place();
        let (ptr, pointer) = self.pair(&mut ops)?;
        let (value, ty) = self.stored(&mut ops, pointer, typed)?;
        let number = ops.next()?;
        let Some(op) = RmwOp::from_code(number) else {
            return Err(malformed!(place, "unknown atomic operation {number}"));
        };
        let volatile = ops.next()? & 1 != 0;
        let ordering = ordering(ops.next()?);
        let scope = ops.next()? as u32;
        let align = if ops.len() != 0 { align_of(place, ops.next()?)? } else { 0 };
        let access = MemoryOperand { align, volatile, ordering, scope };
        self.emit(ops.bit, Inst::AtomicRmw { op, ptr, value, access }, Some(ty))
    }

    /// `[type, n x (value, block)]`, followed by flags in newer modules.
    fn phi(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let ty = self.value_type(ops.place(), ops.next()?)?;
        let start = self.body.incoming.len();
        self.r.fuel.items::<Incoming>(ops.place(), BODIES, ops.len() / 2)?;
        while ops.len() >= 2 {
            let incoming = self.incoming(&mut ops, ty)?;
            self.body.incoming.push(incoming);
        }
        let flags = fast_math(ops.next_or_zero());
        let incoming = self.body.incoming.since(start);
        self.emit(ops.bit, Inst::Phi { flags, incoming }, Some(ty))
    }

    /// `[block]` or `[block, block, condition]`
    fn branch(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let if_true = self.block(&mut ops)?;
        if ops.len() == 0 {
            return self.terminate(ops, Inst::Br { target: if_true }, None);
        }
        let if_false = self.block(&mut ops)?;
        let bit = self.r.boolean(ops.place())?;
        let cond = self.operand(&mut ops, bit)?;
        self.terminate(ops, Inst::CondBr { cond, if_true, if_false }, None)
    }

    /// `[type, condition, default, n x (label, block)]`, where labels are numbers of constants.
    fn switch(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let place = ops.place();
        let first = ops.next()?;
        if first >> 16 == SWITCH_WITH_RANGES {
            return self.switch_with_ranges(ops);
        }
        let (ty, _) = self.switch_type(place, first)?;
        let cond = self.operand(&mut ops, ty)?;
        let default = self.block(&mut ops)?;
        let start = self.body.cases.len();
        self.r.fuel.items::<Case>(place, BODIES, ops.len() / 2)?;
        let mut others = 0;
        while ops.len() >= 2 {
            let label = self.absolute_operand(&mut ops, ty)?;
            let Some(value) = self.r.module.constant_int(None, label) else {
                return Err(malformed!(place, "a switch label is not a constant integer"));
            };
            let target = self.block(&mut ops)?;
            self.body.cases.push(Case { value, target });
            // A case that goes to the default block is left out of SPIR-V.
            others += usize::from(target != default);
            limits::check(place, "cases of a switch", others, limits::SPIRV_SWITCH_CASES)?;
        }
        let cases = self.body.cases.since(start);
        self.terminate(ops, Inst::Switch { cond, default, cases }, None)
    }
    fn switch_type(&self, place: Place, number: u64) -> Result<(TypeId, u32)> {
        let ty = self.r.ty(place, number)?;
        match self.r.module.types[ty] {
            Type::Integer(width) if width <= 64 => Ok((ty, width)),
            Type::Integer(width) => {
                Err(unsupported!(place, "a switch tests an integer of {width} bits; at most 64 are supported"))
            }
            _ => Err(self.misfit(place, "a switch", ty)),
        }
    }

    /// `[magic, type, condition, default, cases, case…]`, case = `[items, item…, block]`, item =
    /// `[1, label]` or `[0, low, high]`. LLVM wrote this form for a while before 3.3 and still
    /// reads it.
    fn switch_with_ranges(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let place = ops.place();
        let (ty, width) = self.switch_type(place, ops.next()?)?;
        let cond = self.operand(&mut ops, ty)?;
        let default = self.block(&mut ops)?;
        let count = ops.next()?;
        let start = self.body.cases.len();
        let mut labels = 0u64;
        for _ in 0..count {
            let items = ops.next()?;
            let case_start = self.body.cases.len();
            for _ in 0..items {
                let single = ops.next()? != 0;
                let low = decode_signed(ops.next()?) as u64 & all_ones(width);
                let high = if single { low } else { decode_signed(ops.next()?) as u64 & all_ones(width) };
                // A range of all 64-bit numbers has more labels than fit.
                labels = labels.saturating_add(high.checked_sub(low).map_or(0, |n| n.saturating_add(1)));
                if labels > SWITCH_RANGE_LABELS {
                    return Err(limit_error!(
                        place,
                        "the ranges of a switch have more than {SWITCH_RANGE_LABELS} labels, which is the limit"
                    ));
                }
                // The labels of many switches are many more than their records.
                let count = high.checked_sub(low).map_or(0, |n| n as usize + 1);
                self.r.fuel.items::<Case>(place, BODIES, count)?;
                // A range that ends before it starts has no labels.
                for value in low..=high {
                    self.body.cases.push(Case { value, target: default });
                }
            }
            let target = self.block(&mut ops)?;
            for case in self.body.cases.items_mut().get_mut(case_start..).unwrap_or_default() {
                case.target = target;
            }
        }
        let cases = self.body.cases.since(start);
        self.terminate(ops, Inst::Switch { cond, default, cases }, None)
    }

    /// `[]` or `[value]`
    fn ret(&mut self, mut ops: Ops<'_>) -> Result<()> {
        let void = matches!(self.r.module.types[self.ret], Type::Void);
        if ops.len() == 0 {
            return match void {
                true => self.terminate(ops, Inst::Ret { value: None }, None),
                false => {
                    let ret = self.r.module.type_text(self.ret);
                    Err(malformed!(ops.place(), "a return has no value; the function returns {ret}"))
                }
            };
        }
        let (value, ty) = self.pair(&mut ops)?;
        if ty != self.ret {
            return Err(self.r.wrong_type(ops.place(), value, ty, self.ret));
        }
        self.terminate(ops, Inst::Ret { value: Some(value) }, None)
    }

    /// `[attributes, convention and flags, (fast-math flags), (function type), callee, argument…]`
    fn call(&mut self, mut ops: Ops<'_>) -> Result<()> {
        const TAIL: u64 = 1 << 0;
        const MUST_TAIL: u64 = 1 << 14;
        const EXPLICIT_TYPE: u64 = 1 << 15;
        const NO_TAIL: u64 = 1 << 16;
        const FAST_MATH: u64 = 1 << 17;
        let place = ops.place();
        let attributes = self.r.attribute_list(place, ops.next()?)?;
        let bits = ops.next()?;
        let flags = if bits & FAST_MATH != 0 { fast_math(ops.next()?) } else { OptimizationFlags::NONE };
        let named = if bits & EXPLICIT_TYPE != 0 { Some(self.r.ty(place, ops.next()?)?) } else { None };
        let (callee, pointer) = self.pair(&mut ops)?;
        let (ty, ret) = self.callee_type(place, pointer, named)?;
        let args = self.arguments(ops, ty)?;
        let tail = match bits {
            b if b & MUST_TAIL != 0 => TailKind::MustTail,
            b if b & NO_TAIL != 0 => TailKind::NoTail,
            b if b & TAIL != 0 => TailKind::Tail,
            _ => TailKind::None,
        };
        let calling_convention = (bits >> 1 & 0x3ff) as u32;
        let result = (!matches!(self.r.module.types[ret], Type::Void)).then_some(ret);
        self.emit(ops.bit, Inst::Call { callee, ty, args, attributes, calling_convention, tail, flags }, result)
    }

    /// The function type of a callee and its result type.
    #[inline]
    fn callee_type(&self, place: Place, pointer: TypeId, named: Option<TypeId>) -> Result<(TypeId, TypeId)> {
        let ty = match (self.r.module.types[pointer], named) {
            (Type::Pointer { pointee, .. }, None) => pointee,
            (Type::Pointer { pointee, .. }, Some(named)) if pointee == named => named,
            (Type::OpaquePointer { .. }, Some(named)) => named,
            _ => return Err(self.misfit(place, "the callee of a call", pointer)),
        };
        match self.r.module.types[ty] {
            Type::Function { ret, .. } => Ok((ty, ret)),
            _ => Err(self.misfit(place, "the callee of a call", ty)),
        }
    }

    /// The arguments of a call: one per parameter, of the parameter's type, and further ones for a
    /// variadic function.
    #[inline]
    fn arguments(&mut self, mut ops: Ops<'_>, ty: TypeId) -> Result<crate::pool::List<ValueId>> {
        let place = ops.place();
        let Type::Function { params, vararg, .. } = self.r.module.types[ty] else {
            return Err(self.misfit(place, "the callee of a call", ty));
        };
        self.r.fuel.items::<ValueId>(place, BODIES, ops.len())?;
        // Metadata has numbers of its own. Its values are made when the body is complete.
        let start = self.body.operands.len();
        // Most arguments are values before the call, with the types of the parameters.
        let (values, is_relative) = (self.r.module.values.values().as_slice(), self.r.relative_ids);
        let usual = |(&param, &number): (&TypeId, &u64)| {
            let id = if is_relative { (values.len() as u64).wrapping_sub(number) } else { number };
            let found = values.get(usize::try_from(id).ok()?)?;
            (found.ty == param).then(|| ValueId::new(id as usize))
        };
        let usual = self.r.module.type_lists[params].iter().zip(ops.rest()).map_while(usual);
        let usual = self.body.operands.extend(usual).len();
        ops.skip(usual);
        for at in params.places().skip(usual) {
            let param = self.r.module.type_lists.items()[at];
            let mut rest = ops;
            let value = match rest.next().map(|number| self.defined(number)) {
                Ok(Some((value, found))) if found == param => {
                    ops = rest;
                    value
                }
                _ => self.unusual_argument(&mut ops, param)?,
            };
            self.body.operands.push(value);
        }
        if !vararg && ops.len() != 0 {
            return Err(malformed!(place, "a call has {} operands after its last argument", ops.len()));
        }
        while ops.len() != 0 {
            let (value, _) = self.pair(&mut ops)?;
            self.body.operands.push(value);
        }
        Ok(self.body.operands.since(start))
    }

    /// An argument that is not a value before the call with the type of the parameter.
    #[inline(never)]
    fn unusual_argument(&mut self, ops: &mut Ops<'_>, param: TypeId) -> Result<ValueId> {
        match self.r.module.types[param] {
            Type::Metadata => {
                let id = self.metadata_operand(ops)?;
                self.r.fuel.items::<(usize, MetadataId, Value)>(ops.place(), BODIES, 1)?;
                self.metadata_operands.push((self.body.operands.len(), id));
                Ok(ValueId::new(METADATA_OPERAND))
            }
            Type::Label => Err(unsupported!(ops.place(), "a call passes a block as an argument")),
            _ => self.operand(ops, param),
        }
    }

    /// `[attributes, convention and flags, normal block, unwind block, (function type), callee,
    /// argument…]`
    fn invoke(&mut self, mut ops: Ops<'_>) -> Result<()> {
        const EXPLICIT_TYPE: u64 = 1 << 13;
        let place = ops.place();
        ops.next()?;
        let bits = ops.next()?;
        self.block(&mut ops)?;
        self.block(&mut ops)?;
        let named = if bits & EXPLICIT_TYPE != 0 { Some(self.r.ty(place, ops.next()?)?) } else { None };
        let (callee, pointer) = self.pair(&mut ops)?;
        let (_, ret) = self.callee_type(place, pointer, named)?;
        let result = (!matches!(self.r.module.types[ret], Type::Void)).then_some(ret);
        self.foreign(ops, Foreign::Invoke, [callee], result)
    }
}

/// `[align, volatile]`, then for an atomic access `[ordering, scope]`.
fn access(ops: &mut Ops<'_>, atomic: bool) -> Result<MemoryOperand> {
    let align = align_of(ops.place(), ops.next()?)?;
    let volatile = ops.next()? != 0;
    let (order, scope) = if atomic {
        let order = ordering(ops.next()?);
        (order, ops.next()? as u32)
    } else {
        (Ordering::NotAtomic, 0)
    };
    Ok(MemoryOperand { align, volatile, ordering: order, scope })
}

/// The ordering of a number. An unknown one is sequentially consistent, as in LLVM's own reader.
fn ordering(number: u64) -> Ordering {
    Ordering::from_code(number).unwrap_or(Ordering::SeqCst)
}
