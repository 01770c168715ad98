//! The rules of types and of operations, for one instruction or terminator.
//!
//! In: an instruction of a function, and the type of its result. Out: the first broken rule of
//! those that [`verify`](super) lists under "Types" and "Operations". What must hold: nothing.
//! Operands that do not exist are errors as well.

use std::cell::RefCell;

use foldhash::HashMap;

use crate::ir::*;
use crate::ops::{OpCode, OpInfo, OpType, Overload, ScalarKind};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};

/// The sort of a scalar or of a vector's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NumberKind {
    Int,
    Float,
}

/// The largest lane that each constant has as the mask of a `shufflevector`. A mask is walked once,
/// because many instructions may have one long mask.
pub type Masks = RefCell<HashMap<Const, Option<u64>>>;

/// The rules for the code of a function.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The module, whose types and constants are complete as far as the code names them.
    pub module: &'a Module,
    /// The function, whose locals and lists are complete in the same way.
    pub function: &'a Function,
    /// The place that is being checked, for errors.
    pub place: Place,
    /// The masks that were walked, in any function.
    pub masks: &'a Masks,
}

impl Rules<'_> {
    /// The type of an operand, which must exist.
    #[inline]
    fn ty(&self, value: Value) -> Result<TypeId> {
        match value.kind() {
            ValueKind::Local(i) => match self.function.locals.get(i) {
                Some(local) => Ok(local.ty),
                None => Err(malformed!(self.place, "{value} is not a local of the function")),
            },
            ValueKind::Const(c) => match self.module.consts.get(c) {
                Some(constant) => Ok(constant.ty),
                None => Err(malformed!(self.place, "{value} is not a constant of the module")),
            },
        }
    }

    /// The sort, width in bits and element count (0 for scalars) of a numeric type.
    fn numeric(&self, ty: TypeId) -> Option<(NumberKind, u8, u32)> {
        let scalar = |ty: &Type| match *ty {
            Type::Int(bits) => Some((NumberKind::Int, bits)),
            Type::Float(bits) => Some((NumberKind::Float, bits)),
            _ => None,
        };
        match self.module.types[ty] {
            Type::Vector { element, len } => scalar(&self.module.types[element]).map(|(s, b)| (s, b, len)),
            ref other => scalar(other).map(|(s, b)| (s, b, 0)),
        }
    }

    #[inline]
    fn want(&self, ok: bool, what: &str) -> Result<()> {
        if ok { Ok(()) } else { Err(malformed!(self.place, "{what}")) }
    }

    #[inline]
    fn result(&self, inst: Inst) -> Option<TypeId> {
        let local = self.function.results.get(inst).copied().flatten()?.as_local()?;
        self.function.locals.get(local).map(|local| local.ty)
    }

    #[inline]
    fn result_ty(&self, inst: Inst) -> Result<TypeId> {
        self.result(inst).ok_or_else(|| malformed!(self.place, "the instruction has no result"))
    }

    fn pointee(&self, ptr: Value) -> Result<TypeId> {
        match self.module.types[self.ty(ptr)?] {
            Type::Pointer { pointee, .. } => Ok(pointee),
            _ => Err(malformed!(self.place, "{ptr} is not a pointer")),
        }
    }

    /// Checks an instruction of the function.
    ///
    /// # Errors
    /// `Malformed`, with the broken rule.
    pub fn instruction(&self, inst: Inst) -> Result<()> {
        let Some(data) = self.function.insts.get(inst) else {
            return Err(malformed!(self.place, "the function does not have instruction {inst}"));
        };
        match *data {
            InstData::Binary { op, lhs, rhs, .. } => {
                let (l, r) = (self.ty(lhs)?, self.ty(rhs)?);
                let float =
                    matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem);
                let sort = if float { NumberKind::Float } else { NumberKind::Int };
                let ok = l == r && self.numeric(l).is_some_and(|n| n.0 == sort) && self.result_ty(inst)? == l;
                self.want(ok, "operand types of arithmetic do not agree")
            }
            InstData::Cast { op, value } => self.cast(op, self.ty(value)?, self.result_ty(inst)?),
            InstData::Cmp { op, lhs, rhs } => self.comparison(inst, op, [lhs, rhs]),
            InstData::Select { condition, then, otherwise } => {
                let (t, e) = (self.ty(then)?, self.ty(otherwise)?);
                let c = self.numeric(self.ty(condition)?);
                let count = self.numeric(t).map_or(0, |n| n.2);
                let ok = t == e
                    && self.result_ty(inst)? == t
                    && (c == Some((NumberKind::Int, 1, 0)) || c == Some((NumberKind::Int, 1, count)));
                self.want(ok, "operand types of a select do not agree")
            }
            InstData::Op { op, args, .. } => self.operation(inst, op, self.function.list(args)),
            InstData::Fence => Ok(()),
            InstData::Call { func, args } => self.call(inst, func, self.function.list(args)),
            InstData::Alloca { ty } => {
                let ok = matches!(self.module.types[self.result_ty(inst)?],
                    Type::Pointer { pointee, space: AddressSpace::Default } if pointee == ty);
                self.want(ok, "the result of an alloca is not a pointer to the allocated type")
            }
            InstData::Load { ptr, .. } => {
                let ok = self.pointee(ptr)? == self.result_ty(inst)?;
                self.want(ok, "a load has another type than the pointee")
            }
            InstData::Store { ptr, value, .. } => {
                let ok = self.pointee(ptr)? == self.ty(value)?;
                self.want(ok, "a store has another type than the pointee")
            }
            InstData::AtomicRmw { ptr, value, .. } => {
                let ty = self.ty(value)?;
                let ok = self.pointee(ptr)? == ty
                    && matches!(self.module.types[ty], Type::Int(_) | Type::Float(_))
                    && self.result_ty(inst)? == ty;
                self.want(ok, "operand types of an atomic do not agree")
            }
            InstData::CmpXchg { ptr, compare, new } => self.exchange(inst, ptr, [compare, new]),
            InstData::Gep { base, indices } => self.gep(inst, base, self.function.list(indices)),
            InstData::ExtractValue { aggregate, first, count } => {
                let member = self.member(self.ty(aggregate)?, first, count)?;
                self.want(
                    member == self.result_ty(inst)?,
                    "the result of extractvalue has another type than the member",
                )
            }
            InstData::InsertValue { aggregate, value, first, count } => {
                let ty = self.ty(aggregate)?;
                let member = self.member(ty, first, count)?;
                let ok = member == self.ty(value)? && ty == self.result_ty(inst)?;
                self.want(ok, "the value of insertvalue has another type than the member")
            }
            InstData::ExtractElement { vector, index } => {
                let ok = self.element(self.ty(vector)?) == Some(self.result_ty(inst)?) && self.is_int(self.ty(index)?);
                self.want(ok, "operand types of extractelement do not agree")
            }
            InstData::InsertElement { vector, value, index } => {
                let ty = self.ty(vector)?;
                let ok = self.element(ty) == Some(self.ty(value)?)
                    && self.is_int(self.ty(index)?)
                    && self.result_ty(inst)? == ty;
                self.want(ok, "operand types of insertelement do not agree")
            }
            InstData::ShuffleVector { a, b, mask } => self.shuffle(inst, [a, b], mask),
        }
    }

    fn comparison(&self, inst: Inst, op: CmpOp, [lhs, rhs]: [Value; 2]) -> Result<()> {
        let (l, r) = (self.ty(lhs)?, self.ty(rhs)?);
        if l == r && self.module.types.is_pointer(l) {
            return Err(unsupported!(self.place, "a comparison of addresses"));
        }
        let float = (op as u32) <= CmpOp::FTrue as u32;
        let sort = if float { NumberKind::Float } else { NumberKind::Int };
        let result = self.numeric(self.result_ty(inst)?);
        let ok = l == r && self.numeric(l).is_some_and(|n| n.0 == sort && result == Some((NumberKind::Int, 1, n.2)));
        self.want(ok, "operand types of a comparison do not agree")
    }

    fn call(&self, inst: Inst, func: Func, args: &[Value]) -> Result<()> {
        let Some(callee) = self.module.functions.get(func) else {
            return Err(malformed!(self.place, "{func} is not a function of the module"));
        };
        self.want(args.len() == callee.args.len(), "a call has another number of arguments than the callee")?;
        for (&arg, param) in args.iter().zip(&callee.args) {
            let param = param.as_local().and_then(|i| callee.locals.get(i)).map(|l| l.ty);
            self.want(
                Some(self.ty(arg)?) == param,
                "an argument of a call has another type than the callee's parameter",
            )?;
        }
        let void = self.module.types[callee.ret] == Type::Void;
        match self.result(inst) {
            Some(result) => self.want(!void && result == callee.ret, "a call has another result type than the callee"),
            None => self.want(void, "a call has no result, but the callee returns one"),
        }
    }

    fn exchange(&self, inst: Inst, ptr: Value, [compare, new]: [Value; 2]) -> Result<()> {
        let ty = self.ty(new)?;
        let result = self.result_ty(inst)?;
        let is_pair = matches!(&self.module.types[result],
            Type::Struct { fields, .. } if fields.len() == 2 && fields[0] == ty
                && self.module.types[fields[1]] == Type::Int(1));
        let ok = self.pointee(ptr)? == ty
            && self.ty(compare)? == ty
            && matches!(self.module.types[ty], Type::Int(_))
            && (is_pair || result == ty);
        self.want(ok, "operand types of a compare-and-exchange do not agree")
    }

    fn shuffle(&self, inst: Inst, [a, b]: [Value; 2], mask: Value) -> Result<()> {
        let (ty, result) = (self.ty(a)?, self.result_ty(inst)?);
        let lanes = self.numeric(self.ty(mask)?);
        let ok = ty == self.ty(b)?
            && mask.as_const().is_some()
            && self.element(ty).is_some()
            && self.element(ty) == self.element(result)
            && lanes == self.numeric(result).map(|n| (NumberKind::Int, 32, n.2));
        self.want(ok, "operand types of shufflevector do not agree")?;
        // LLVM, "shufflevector": an element of the mask numbers the elements of both vectors.
        let count = self.numeric(ty).map_or(0, |(_, _, count)| u64::from(count));
        let ok = mask.as_const().and_then(|mask| self.largest_lane(mask)).is_none_or(|lane| lane < 2 * count);
        self.want(ok, "the mask of shufflevector has an element beyond both vectors")
    }

    /// The largest element of a mask; `None` if none is a number.
    fn largest_lane(&self, mask: Const) -> Option<u64> {
        let consts = &self.module.consts;
        *self.masks.borrow_mut().entry(mask).or_insert_with(|| match &consts[mask].kind {
            ConstKind::Aggregate(lanes) => lanes.iter().filter_map(|&lane| consts.as_uint(lane)).max(),
            _ => None,
        })
    }

    /// Checks a DXIL operation against its row.
    fn operation(&self, inst: Inst, op: OpCode, args: &[Value]) -> Result<()> {
        let info = op.info();
        info.check_arity(args.len(), self.place)?;
        let mut overload = None;
        for (operand, &arg) in info.operands.iter().zip(args) {
            let ty = self.ty(arg)?;
            if !self.fits(operand.ty, ty, &mut overload) {
                return Err(malformed!(self.place, "operand {} of {} has the wrong type", operand.name, info.name));
            }
        }
        self.immediates(info, info.immediates(), args)?;
        let fits = match self.result(inst) {
            Some(result) => self.fits(info.result, result, &mut overload),
            None => info.result == OpType::Void,
        };
        if !fits {
            return Err(malformed!(self.place, "the result of {} has the wrong type", info.name));
        }
        let known = overload.is_none_or(|overload| self.has_overload(info, overload));
        if known { Ok(()) } else { Err(malformed!(self.place, "{} has no such overload", info.name)) }
    }

    /// Checks the operands of an operation that must be constants, which are given as bits.
    ///
    /// # Errors
    /// `Malformed`, with the name of the operand.
    pub fn immediates(&self, info: &OpInfo, mut immediates: u64, args: &[Value]) -> Result<()> {
        while immediates != 0 {
            let at = immediates.trailing_zeros() as usize;
            immediates &= immediates - 1;
            if let (Some(operand), Some(&arg)) = (info.operands.get(at), args.get(at)) {
                let constant = arg.as_const().is_some() && !self.module.is_undef(arg);
                info.check_immediate(operand, constant, self.module.const_uint(arg), self.place)?;
            }
        }
        Ok(())
    }

    /// Whether a type is among the overloads of an operation's row. It is never i8: DXIL permits
    /// that type for immediates only (DXIL.rst, validation rule TYPES.I8), although its tables have
    /// the overload.
    fn has_overload(&self, info: &OpInfo, overload: TypeId) -> bool {
        let kind = |ty: &Type| match *ty {
            Type::Int(1) => Some(ScalarKind::I1),
            Type::Int(16) => Some(ScalarKind::I16),
            Type::Int(32) => Some(ScalarKind::I32),
            Type::Int(64) => Some(ScalarKind::I64),
            Type::Float(16) => Some(ScalarKind::F16),
            Type::Float(32) => Some(ScalarKind::F32),
            Type::Float(64) => Some(ScalarKind::F64),
            _ => None,
        };
        match &self.module.types[overload] {
            Type::Vector { element, .. } => kind(&self.module.types[*element])
                .is_some_and(|element| info.overloads.contains(Overload::Vector(element))),
            // A pointer to a user's structure.
            Type::Pointer { .. } => info.overloads.contains(Overload::Type),
            scalar => kind(scalar).is_some_and(|kind| info.overloads.contains(Overload::Scalar(kind))),
        }
    }

    /// Whether a type is the one that a row names. `overload` is the type that the row's overload
    /// has had so far in this call.
    fn fits(&self, expected: OpType, ty: TypeId, overload: &mut Option<TypeId>) -> bool {
        let types = &self.module.types;
        let is_int = |width| matches!(types[ty], Type::Int(bits) if bits == width);
        let is_float = |width| matches!(types[ty], Type::Float(bits) if bits == width);
        match expected {
            OpType::Void => matches!(types[ty], Type::Void),
            // Operations on a user's structure are overloaded on a pointer to it.
            OpType::Overload => {
                (self.numeric(ty).is_some() || types.is_pointer(ty)) && *overload.get_or_insert(ty) == ty
            }
            OpType::OverloadI1 | OpType::OverloadI32 => {
                let bits = if expected == OpType::OverloadI1 { 1 } else { 32 };
                let count = overload.and_then(|o| self.numeric(o)).map(|n| n.2);
                self.numeric(ty)
                    .is_some_and(|n| (n.0, n.1) == (NumberKind::Int, bits) && count.is_none_or(|c| c == n.2))
            }
            OpType::Element => {
                let overload = *overload.get_or_insert(ty);
                self.numeric(ty).is_some() && self.element(overload).unwrap_or(ty) == ty
            }
            OpType::I8OrI32 => matches!(types[ty], Type::Int(8 | 32)),
            OpType::I1 => is_int(1),
            OpType::I8 => is_int(8),
            OpType::I16 => is_int(16),
            OpType::I32 => is_int(32),
            OpType::I64 => is_int(64),
            OpType::F16 => is_float(16),
            OpType::F32 => is_float(32),
            OpType::F64 => is_float(64),
            OpType::Handle => matches!(types[ty], Type::Handle),
            OpType::UserPtr | OpType::PtrF32 => types.is_pointer(ty),
            OpType::Object | OpType::HitObject | OpType::NodeHandle => true,
            _ => match &types[ty] {
                Type::Struct { fields, .. } => self.fields_fit(expected, fields, overload),
                _ => self.fields_fit(expected, &[], overload),
            },
        }
    }

    /// Whether the members of a structure are those of the type that a row names.
    fn fields_fit(&self, expected: OpType, fields: &[TypeId], overload: &mut Option<TypeId>) -> bool {
        let types = &self.module.types;
        let mut same = |ty| *overload.get_or_insert(ty) == ty;
        let all = |fields: &[TypeId], ty: Type| fields.iter().all(|&f| types[f] == ty);
        match expected {
            // Four elements and the sparse status, or (shader model 6.9) one vector and the sparse
            // status.
            OpType::ResRet => match fields {
                [elements @ .., status] if matches!(types[*status], Type::Int(32)) => {
                    let vector = elements.first().is_some_and(|&first| self.element(first).is_some());
                    elements.len() == if vector { 1 } else { 4 }
                        && elements.iter().all(|&e| self.numeric(e).is_some() && same(e))
                }
                _ => false,
            },
            // A row has 16 bytes. It holds four values of a minimum-precision type, or eight of a
            // native 16-bit type.
            OpType::CBufRet => {
                (fields.len() == 2 || fields.len() == 4 || fields.len() == 8)
                    && fields.iter().all(|&f| self.numeric(f).is_some_and(|n| n.2 == 0) && same(f))
                    && match self.numeric(fields[0]).map(|n| n.1) {
                        Some(64) => fields.len() == 2,
                        Some(32) => fields.len() == 4,
                        Some(16) => fields.len() != 2,
                        _ => false,
                    }
            }
            OpType::TwoI32 | OpType::SplitDouble => fields.len() == 2 && all(fields, Type::Int(32)),
            OpType::I32Carry => {
                fields.len() == 2 && types[fields[0]] == Type::Int(32) && types[fields[1]] == Type::Int(1)
            }
            OpType::FourI32 | OpType::Dimensions => fields.len() == 4 && all(fields, Type::Int(32)),
            OpType::SamplePos => fields.len() == 2 && all(fields, Type::Float(32)),
            OpType::Vec4 => fields.len() == 4 && fields.iter().all(|&f| self.numeric(f).is_some() && same(f)),
            // At most four members, because a user's structure may be as long as a module. They are
            // equal, or three i32 and the class of `ResBind`, of type i8. A module has each type
            // once.
            OpType::ResProps | OpType::ResBind => match fields {
                [] | [_, _, _, _, _, ..] => false,
                [rest @ .., last] => {
                    rest.iter().all(|field| field == last) || types[*last] == Type::Int(8) && all(rest, Type::Int(32))
                }
            },
            // The types of work graphs are accepted unchecked, because their operations are not
            // lowered yet.
            _ => true,
        }
    }

    fn cast(&self, op: CastOp, from: TypeId, to: TypeId) -> Result<()> {
        let pointers = self.module.types.is_pointer(from) && self.module.types.is_pointer(to);
        let ok = match (op, self.numeric(from), self.numeric(to)) {
            (CastOp::BitCast, Some(f), Some(t)) => u32::from(f.1) * f.2.max(1) == u32::from(t.1) * t.2.max(1),
            (CastOp::BitCast | CastOp::AddrSpaceCast, _, _) if pointers => true,
            (CastOp::PtrToInt, None, Some((NumberKind::Int, _, 0))) => self.module.types.is_pointer(from),
            (CastOp::IntToPtr, Some((NumberKind::Int, _, 0)), None) => self.module.types.is_pointer(to),
            (_, Some((fs, fb, fc)), Some((ts, tb, tc))) if fc == tc => match op {
                CastOp::Trunc => (fs, ts) == (NumberKind::Int, NumberKind::Int) && fb > tb,
                CastOp::ZExt | CastOp::SExt => (fs, ts) == (NumberKind::Int, NumberKind::Int) && fb < tb,
                CastOp::FpToUi | CastOp::FpToSi => (fs, ts) == (NumberKind::Float, NumberKind::Int),
                CastOp::UiToFp | CastOp::SiToFp => (fs, ts) == (NumberKind::Int, NumberKind::Float),
                CastOp::FpTrunc => (fs, ts) == (NumberKind::Float, NumberKind::Float) && fb > tb,
                CastOp::FpExt => (fs, ts) == (NumberKind::Float, NumberKind::Float) && fb < tb,
                _ => false,
            },
            _ => false,
        };
        if ok { Ok(()) } else { Err(malformed!(self.place, "`{op}` is not valid between these types")) }
    }

    /// Whether a type may be an index. `i1` may not, although LLVM permits it: it is a truth value
    /// here.
    fn is_index(&self, ty: TypeId) -> bool {
        matches!(self.module.types[ty], Type::Int(bits) if bits > 1)
    }

    fn is_int(&self, ty: TypeId) -> bool {
        matches!(self.module.types[ty], Type::Int(_))
    }

    fn element(&self, ty: TypeId) -> Option<TypeId> {
        match self.module.types[ty] {
            Type::Vector { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The member of an aggregate type at constant indexes of the function's pool.
    fn member(&self, mut ty: TypeId, first: u32, count: u32) -> Result<TypeId> {
        let range = first as usize..(first as usize).saturating_add(count as usize);
        let Some(indices) = self.function.indices.get(range).filter(|i| !i.is_empty()) else {
            return Err(malformed!(self.place, "an aggregate access without indexes"));
        };
        for &index in indices {
            ty = match &self.module.types[ty] {
                Type::Struct { fields, .. } if (index as usize) < fields.len() => fields[index as usize],
                Type::Array { element, len } if index < *len => *element,
                _ => return Err(malformed!(self.place, "the aggregate has no member {index}")),
            };
        }
        Ok(ty)
    }

    fn gep(&self, inst: Inst, base: Value, indices: &[Value]) -> Result<()> {
        let Type::Pointer { mut pointee, space } = self.module.types[self.ty(base)?] else {
            return Err(malformed!(self.place, "{base} is not a pointer"));
        };
        let Some((first, rest)) = indices.split_first() else {
            return Err(malformed!(self.place, "getelementptr without indexes"));
        };
        self.want(self.is_index(self.ty(*first)?), "an index of getelementptr is not an integer")?;
        for &index in rest {
            self.want(self.is_index(self.ty(index)?), "an index of getelementptr is not an integer")?;
            pointee = match &self.module.types[pointee] {
                Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                Type::Struct { fields, .. } => {
                    let field = self.module.const_uint(index).and_then(|i| fields.get(usize::try_from(i).ok()?));
                    *field.ok_or_else(|| {
                        malformed!(self.place, "getelementptr of a member that the structure does not have")
                    })?
                }
                _ => return Err(malformed!(self.place, "getelementptr into a scalar")),
            };
        }
        let ok = matches!(self.module.types[self.result_ty(inst)?],
            Type::Pointer { pointee: p, space: s } if p == pointee && s == space);
        self.want(ok, "the result of getelementptr has another type than the part that it leads to")
    }

    /// Checks the terminator of a block.
    ///
    /// # Errors
    /// `Malformed`, with the broken rule.
    pub fn terminator(mut self, block: Block, terminator: &Terminator) -> Result<()> {
        self.place = Place::Function(self.function.number);
        match terminator {
            Terminator::Branch { condition, .. } => {
                let ok = matches!(self.module.types[self.ty(*condition)?], Type::Int(1));
                self.want(ok, "the condition of a branch is not an i1")?;
            }
            Terminator::Switch { selector, .. } => {
                self.want(self.is_index(self.ty(*selector)?), "the selector of a switch is not an integer")?;
            }
            Terminator::Return(value) => {
                let ok = match value {
                    Some(value) => self.ty(*value)? == self.function.ret,
                    None => matches!(self.module.types[self.function.ret], Type::Void),
                };
                self.want(ok, "a return has another type than the function")?;
            }
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        terminator.targets().try_for_each(|target| {
            self.place = Place::Edge { from: block.index() as u32, to: target.block.index() as u32 };
            let Some(to) = self.function.blocks.get(target.block) else {
                return Err(malformed!(self.place, "a branch to a block that the function does not have"));
            };
            self.want(target.block.index() != 0, "a branch to the entry block")?;
            let args = self.function.list(target.args);
            self.want(args.len() == to.params.len(), "a phi without a value for this edge")?;
            args.iter().zip(&to.params).try_for_each(|(&arg, &param)| {
                // The parameter itself is checked with its block.
                let param = param.as_local().and_then(|i| self.function.locals.get(i));
                self.want(Some(self.ty(arg)?) == param.map(|local| local.ty), "a phi has a value of another type")
            })
        })
    }
}
