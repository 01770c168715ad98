//! LLVM's own instructions.
//!
//! Integers are unsigned SPIR-V integers; the operation carries the sign. Where LLVM leaves a result undefined and D3D does
//! not, D3D's result is computed; where both leave it undefined, the cheap form that does no harm is taken.

use rspirv::spirv::{MemorySemantics, Op, Scope};

use super::context::Context;
use super::{Code, Lowered, breaks, narrow, precision};
use crate::dxil::ir::{BinaryOp, CastOp, CmpOp, Function, Inst, InstData, RmwOp, Type, TypeId, Value};
use crate::entity::Entity;
use crate::error::Result;
use crate::integer::all_ones;
use crate::spirv::Id;

/// Lowers an LLVM instruction.
///
/// # Errors
/// `Unsupported` by name, `MissingFeature`.
pub(super) fn instruction(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    function: &Function,
    inst: Inst,
    data: &InstData,
) -> Result<Lowered> {
    let result = function.result(inst);
    let ty = result.map(|r| cx.type_of(r));
    if ty.is_some_and(|ty| matches!(cx.ir_type(ty), Type::Pointer { .. })) {
        return Ok(Lowered::Virtual);
    }
    let place = cx.place;
    let need = |ty: Option<TypeId>| ty.ok_or_else(|| bug!(place, "an instruction without its result"));
    let id = match *data {
        InstData::Load { .. }
            if breaks::is_zero_load(&cx.program.module, function, data)
                && ty.is_some_and(|ty| matches!(cx.ir_type(ty), Type::Int(_))) =>
        {
            let ty = cx.ty(code, need(ty)?)?;
            code.const_null(ty)
        }
        InstData::Cmp { .. } if breaks::is_true_test(&cx.program.module, function, data) => code.const_bool(true),
        InstData::Binary { op, precise, lhs, rhs } => binary(cx, code, op, precise, need(ty)?, lhs, rhs)?,
        InstData::Cast { op, value } => cast(cx, code, op, value, need(ty)?)?,
        InstData::Cmp { op, lhs, rhs } => compare(cx, code, op, lhs, rhs)?,
        InstData::Select { condition, then, otherwise } => {
            return select(cx, code, need(ty)?, condition, then, otherwise);
        }
        InstData::Op { op, .. } => return Err(bug!(cx.place, "{op} as an LLVM instruction")),
        InstData::Call { func, args } => {
            let Some(callee) = cx.functions[func] else {
                return Err(unsupported!(cx.place, "a call of function {}", func.index()));
            };
            let mut ids = Vec::new();
            for &arg in function.list(args) {
                ids.push(cx.value(code, arg)?);
            }
            let ret = cx.ty(code, cx.program.module.functions[func].ret)?;
            let id = code.call(ret, callee, &ids);
            if ty.is_none() {
                return Ok(Lowered::Nothing);
            }
            id
        }
        InstData::Alloca { .. } | InstData::Gep { .. } => return Ok(Lowered::Virtual),
        InstData::Load { ptr, volatile } => return cx.load(code, ptr, need(ty)?, volatile),
        InstData::Store { ptr, value, volatile } => {
            cx.store(code, ptr, value, volatile)?;
            return Ok(Lowered::Nothing);
        }
        InstData::AtomicRmw { op, ptr, value } => atomic(cx, code, op, ptr, value)?,
        InstData::CmpXchg { ptr, compare, new } => {
            let pointer = cx.pointer(code, ptr)?;
            let ty = cx.type_of(new);
            check_atomic(cx, &pointer, ty)?;
            let [compare, new] = cx.values(code, [compare, new])?;
            let ty = cx.ty(code, ty)?;
            let old =
                code.atomic_compare_exchange(ty, pointer.id, Scope::Workgroup, MemorySemantics::RELAXED, new, compare)?;
            let bool_ty = code.type_bool();
            let equal = code.binary(Op::IEqual, bool_ty, old, compare);
            return Ok(cx.parts(&[old, equal]));
        }
        InstData::Fence => return Err(unsupported!(cx.place, "instruction `fence`, which DXIL does not have")),
        InstData::ExtractValue { aggregate, first, count } => {
            let indices = indices(cx, function, first, count)?;
            let (at, member) = cx.member(cx.type_of(aggregate), indices)?;
            let scalar = !matches!(cx.ir_type(member), Type::Struct { .. } | Type::Array { .. });
            if let Some(&whole) = cx.repaired.get(&(aggregate, cx.node))
                && scalar
            {
                let member = cx.ty(code, member)?;
                return Ok(Lowered::Id(code.extract(member, whole, indices)));
            }
            // The common case, one member of an operation's result, without a list.
            match cx.slot(aggregate) {
                Some(Lowered::Row(row, status)) => {
                    let count = match code.ty_of(row) {
                        Some(crate::spirv::Type::Vector { count, .. }) => count as usize,
                        _ => 1,
                    };
                    let id = if at < count { Some(code.component(row, at as u32)) } else { status };
                    return id.map(Lowered::Id).ok_or_else(|| bug!(cx.place, "a result without member {at}"));
                }
                Some(Lowered::Parts(parts))
                    if !matches!(cx.ir_type(member), Type::Struct { .. } | Type::Array { .. }) =>
                {
                    let id = cx.leaves(parts).get(at).copied();
                    return id.map(Lowered::Id).ok_or_else(|| bug!(cx.place, "a result without member {at}"));
                }
                _ => {}
            }
            let leaves = cx.aggregate(code, aggregate)?;
            let count = cx.leaf_count(member)?;
            let part = leaves.get(at..at + count).ok_or_else(|| bug!(cx.place, "a structure with too few members"))?;
            match (part, cx.ir_type(member)) {
                (&[one], ty) if !matches!(ty, Type::Struct { .. } | Type::Array { .. }) => one,
                _ => return Ok(cx.parts(part)),
            }
        }
        InstData::InsertValue { aggregate, value, first, count } => {
            let indices = indices(cx, function, first, count)?;
            let (at, member) = cx.member(cx.type_of(aggregate), indices)?;
            let mut leaves = cx.aggregate(code, aggregate)?;
            let new = cx.aggregate(code, value)?;
            let count = cx.leaf_count(member)?;
            match leaves.get_mut(at..at + count) {
                Some(slot) if slot.len() == new.len() => slot.copy_from_slice(&new),
                _ => return Err(bug!(cx.place, "a structure with too few members")),
            }
            return Ok(cx.parts(&leaves));
        }
        InstData::ExtractElement { vector, index } => {
            let id = cx.value(code, vector)?;
            let ty = cx.ty(code, need(ty)?)?;
            match (cx.const_uint(index), element_count(cx, vector)) {
                (Some(n), count) if n < count => code.extract(ty, id, &[n as u32]),
                (Some(_), _) => code.undef(ty),
                (None, _) => {
                    let index = cx.value(code, index)?;
                    code.op(Op::VectorExtractDynamic, ty, &[id, index])
                }
            }
        }
        InstData::InsertElement { vector, value, index } => {
            let [id, new] = cx.values(code, [vector, value])?;
            let ty = cx.ty(code, need(ty)?)?;
            match (cx.const_uint(index), element_count(cx, vector)) {
                (Some(n), count) if n < count => code.insert(ty, new, id, &[n as u32]),
                (Some(_), _) => code.undef(ty),
                (None, _) => {
                    let index = cx.value(code, index)?;
                    code.op(Op::VectorInsertDynamic, ty, &[id, new, index])
                }
            }
        }
        InstData::ShuffleVector { a, b, mask } => {
            let lanes = shuffle_mask(cx, mask)?;
            let [a, b] = cx.values(code, [a, b])?;
            let ty = cx.ty(code, need(ty)?)?;
            code.shuffle(ty, a, b, &lanes)
        }
    };
    Ok(Lowered::Id(id))
}

fn indices<'f>(cx: &Context<'_>, function: &'f Function, first: u32, count: u32) -> Result<&'f [u32]> {
    let range = first as usize..first as usize + count as usize;
    function.indices.get(range).ok_or_else(|| bug!(cx.place, "indexes that are not there"))
}

fn element_count(cx: &Context<'_>, vector: Value) -> u64 {
    match *cx.ir_type(cx.type_of(vector)) {
        Type::Vector { len, .. } => u64::from(len),
        _ => 1,
    }
}

fn shuffle_mask(cx: &Context<'_>, mask: Value) -> Result<Vec<u32>> {
    use crate::dxil::ir::ConstKind;
    let module = &cx.program.module;
    let constant = mask.as_const().map(|c| &module.consts[c]);
    let Some(data) = constant else { return Err(malformed!(cx.place, "a shuffle mask that is no constant")) };
    let count = element_count(cx, mask) as usize;
    match &data.kind {
        // 0xffffffff is SPIR-V's "any element".
        ConstKind::Aggregate(lanes) => {
            Ok(lanes.iter().map(|&l| module.consts.as_uint(l).map_or(u32::MAX, |n| n as u32)).collect())
        }
        ConstKind::Null => Ok(vec![0; count]),
        _ => Ok(vec![u32::MAX; count]),
    }
}

fn is_bool(cx: &Context<'_>, ty: TypeId) -> bool {
    *cx.program.module.types.scalar(ty) == Type::Int(1)
}

fn binary(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    op: BinaryOp,
    precise: bool,
    ty: TypeId,
    lhs: Value,
    rhs: Value,
) -> Result<Id> {
    let [a, b] = cx.values(code, [lhs, rhs])?;
    let id_ty = cx.ty(code, ty)?;
    if is_bool(cx, ty) {
        let op = match op {
            BinaryOp::And | BinaryOp::Mul => Op::LogicalAnd,
            BinaryOp::Or => Op::LogicalOr,
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => Op::LogicalNotEqual,
            // None of an amount's bits counts, and every divisor but zero is one (or minus one, as the only dividend that is not zero).
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr | BinaryOp::SDiv => return Ok(a),
            BinaryOp::SRem => {
                let never = code.const_bool(false);
                return Ok(code.const_splat(id_ty, never));
            }
            // By zero, all ones: see `unsigned_division`.
            BinaryOp::UDiv | BinaryOp::URem => {
                let by_zero = code.unary(Op::LogicalNot, id_ty, b);
                return Ok(if op == BinaryOp::URem { by_zero } else { code.binary(Op::LogicalOr, id_ty, a, by_zero) });
            }
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
                return Err(bug!(cx.place, "`{op}` of i1"));
            }
        };
        return Ok(code.binary(op, id_ty, a, b));
    }
    let spirv_op = match op {
        BinaryOp::Add => Op::IAdd,
        BinaryOp::FAdd => Op::FAdd,
        BinaryOp::Sub => Op::ISub,
        BinaryOp::FSub => Op::FSub,
        BinaryOp::Mul => Op::IMul,
        BinaryOp::FMul => Op::FMul,
        BinaryOp::FDiv => Op::FDiv,
        BinaryOp::FRem => Op::FRem,
        BinaryOp::And => Op::BitwiseAnd,
        BinaryOp::Or => Op::BitwiseOr,
        BinaryOp::Xor => Op::BitwiseXor,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let op = match op {
                BinaryOp::Shl => Op::ShiftLeftLogical,
                BinaryOp::LShr => Op::ShiftRightLogical,
                _ => Op::ShiftRightArithmetic,
            };
            let amount = shift_amount(cx, code, ty, id_ty, rhs, b);
            let a = if op == Op::ShiftRightArithmetic { cx.signed(code, lhs, a) } else { a };
            return Ok(code.binary(op, id_ty, a, amount));
        }
        BinaryOp::UDiv | BinaryOp::URem => return Ok(unsigned_division(cx, code, op, ty, id_ty, (a, b), rhs)),
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (a, b) = (cx.signed(code, lhs, a), cx.signed(code, rhs, b));
            return Ok(signed_division(cx, code, op, ty, id_ty, (a, b), rhs));
        }
    };
    let id = code.binary(spirv_op, id_ty, a, b);
    if precise {
        code.no_contraction(id);
    }
    Ok(id)
}

/// D3D11.3 functional specification, `ishl` and its siblings: only the low bits of the amount count. SPIR-V leaves amounts from
/// the width on undefined.
pub(super) fn shift_amount(
    cx: &Context<'_>,
    code: &mut Code<'_, '_>,
    ty: TypeId,
    id_ty: Id,
    amount: Value,
    id: Id,
) -> Id {
    let bits = u64::from(narrow::holder(cx.program.module.types.scalar_bits(ty).unwrap_or(32)));
    if cx.const_uint(amount).is_some_and(|n| n < bits) {
        return id;
    }
    let mask = code.const_bits_splat(id_ty, bits - 1);
    code.binary(Op::BitwiseAnd, id_ty, id, mask)
}

/// D3D11.3 functional specification, `udiv`: quotient and remainder by zero are all ones. SPIR-V leaves them undefined.
pub(super) fn unsigned_division(
    cx: &Context<'_>,
    code: &mut Code<'_, '_>,
    op: BinaryOp,
    ty: TypeId,
    id_ty: Id,
    (a, b): (Id, Id),
    divisor: Value,
) -> Id {
    let spirv_op = if op == BinaryOp::UDiv { Op::UDiv } else { Op::UMod };
    if cx.const_uint(divisor).is_some_and(|n| n != 0) {
        return code.binary(spirv_op, id_ty, a, b);
    }
    let bool_ty = code.type_bool_like(id_ty);
    let (zero, one) = (code.const_bits_splat(id_ty, 0), code.const_bits_splat(id_ty, 1));
    let ones = code.const_bits_splat(id_ty, all_ones(cx.program.module.types.scalar_bits(ty).unwrap_or(32)));
    let by_zero = code.binary(Op::IEqual, bool_ty, b, zero);
    // Some drivers trap on a division by zero whose result is not used, so the divisor is replaced too.
    let safe = code.select(id_ty, by_zero, one, b);
    let result = code.binary(spirv_op, id_ty, a, safe);
    code.select(id_ty, by_zero, ones, result)
}

/// D3D has no signed division; LLVM leaves division by zero and INT_MIN / −1 undefined. The divisor is replaced by one there, so
/// that no driver traps: results are the dividend and zero.
pub(super) fn signed_division(
    cx: &Context<'_>,
    code: &mut Code<'_, '_>,
    op: BinaryOp,
    ty: TypeId,
    id_ty: Id,
    (a, b): (Id, Id),
    divisor: Value,
) -> Id {
    let spirv_op = if op == BinaryOp::SDiv { Op::SDiv } else { Op::SRem };
    let bits = cx.program.module.types.scalar_bits(ty).unwrap_or(32);
    if cx.const_uint(divisor).is_some_and(|n| n != 0 && n != all_ones(bits)) {
        return code.binary(spirv_op, id_ty, a, b);
    }
    let bits = cx.held_bits(bits);
    let bool_ty = code.type_bool_like(id_ty);
    let (zero, one) = (code.const_bits_splat(id_ty, 0), code.const_bits_splat(id_ty, 1));
    let minus_one = code.const_bits_splat(id_ty, all_ones(bits));
    let least = code.const_bits_splat(id_ty, 1 << (bits - 1));
    let by_zero = code.binary(Op::IEqual, bool_ty, b, zero);
    let by_minus_one = code.binary(Op::IEqual, bool_ty, b, minus_one);
    let from_least = code.binary(Op::IEqual, bool_ty, a, least);
    let overflow = code.binary(Op::LogicalAnd, bool_ty, by_minus_one, from_least);
    let unsafe_divisor = code.binary(Op::LogicalOr, bool_ty, by_zero, overflow);
    let safe = code.select(id_ty, unsafe_divisor, one, b);
    code.binary(spirv_op, id_ty, a, safe)
}

/// The bits of 1.0 in a type of floats.
fn float_one(code: &Code<'_, '_>, ty: Id) -> u64 {
    match code.width(code.scalar(ty).0) {
        Some(16) => 0x3c00,
        Some(64) => 0x3ff0_0000_0000_0000,
        _ => 0x3f80_0000,
    }
}

fn cast(cx: &mut Context<'_>, code: &mut Code<'_, '_>, op: CastOp, value: Value, to: TypeId) -> Result<Id> {
    let from = cx.type_of(value);
    let id = cx.value(code, value)?;
    let ty = cx.ty(code, to)?;
    if is_bool(cx, from) {
        let ones = match op {
            CastOp::ZExt => 1,
            CastOp::SExt => all_ones(cx.program.module.types.scalar_bits(to).unwrap_or(32)),
            CastOp::UiToFp => float_one(code, ty),
            CastOp::SiToFp => {
                // By way of an integer: drivers take a choice of −1.0 and 0.0 for a negated choice of 1.0, which makes −0.0 of false.
                let (word, lanes) = (code.type_u32(), code.scalar(ty).1);
                let integers = code.type_vector(word, lanes);
                let (minus_one, zero) =
                    (code.const_bits_splat(integers, 0xffff_ffff), code.const_bits_splat(integers, 0));
                let number = code.select(integers, id, minus_one, zero);
                return Ok(code.unary(Op::ConvertSToF, ty, number));
            }
            CastOp::BitCast if from == to => return Ok(id),
            _ => return Err(unsupported!(cx.place, "`{op}` of i1")),
        };
        let (then, otherwise) = (code.const_bits_splat(ty, ones), code.const_bits_splat(ty, 0));
        return Ok(code.select(ty, id, then, otherwise));
    }
    if is_bool(cx, to) {
        let from_ty = cx.ty(code, from)?;
        return Ok(match op {
            CastOp::Trunc => {
                let one = code.const_bits_splat(from_ty, 1);
                let low = code.binary(Op::BitwiseAnd, from_ty, id, one);
                code.is_nonzero(low)
            }
            // Saturated, as to other integers: the unsigned number is 0 or 1, the signed one 0 or −1.
            CastOp::FpToUi | CastOp::FpToSi => {
                let one = float_one(code, from_ty);
                let bound = code.const_bits_splat(from_ty, one);
                if op == CastOp::FpToUi {
                    code.binary(Op::FOrdGreaterThanEqual, ty, id, bound)
                } else {
                    let negated = code.unary(Op::FNegate, from_ty, id);
                    code.binary(Op::FOrdGreaterThanEqual, ty, negated, bound)
                }
            }
            _ => return Err(unsupported!(cx.place, "`{op}` to i1")),
        });
    }
    let id = if matches!(op, CastOp::SExt | CastOp::SiToFp) { cx.signed(code, value, id) } else { id };
    Ok(match op {
        CastOp::BitCast if cx.is_widened(from) || cx.is_widened(to) => precision::bitcast(cx, code, id, from, to)?,
        CastOp::Trunc | CastOp::ZExt => code.unary(Op::UConvert, ty, id),
        CastOp::SExt => code.unary(Op::SConvert, ty, id),
        CastOp::UiToFp => code.unary(Op::ConvertUToF, ty, id),
        CastOp::SiToFp => code.unary(Op::ConvertSToF, ty, id),
        CastOp::FpTrunc | CastOp::FpExt => code.unary(Op::FConvert, ty, id),
        CastOp::FpToUi | CastOp::FpToSi => super::convert::float_to_int(cx, code, id, from, to, op == CastOp::FpToSi)?,
        CastOp::BitCast => code.bitcast(ty, id),
        CastOp::AddrSpaceCast | CastOp::PtrToInt | CastOp::IntToPtr => {
            return Err(unsupported!(cx.place, "instruction `{op}`"));
        }
    })
}

fn compare(cx: &mut Context<'_>, code: &mut Code<'_, '_>, op: CmpOp, lhs: Value, rhs: Value) -> Result<Id> {
    let operand_ty = cx.type_of(lhs);
    let [a, b] = cx.values(code, [lhs, rhs])?;
    let ty = cx.ty(code, operand_ty)?;
    let ty = code.type_bool_like(ty);
    if is_bool(cx, operand_ty) {
        let (op, a, b) = match op {
            CmpOp::Eq => (Op::LogicalEqual, a, b),
            CmpOp::Ne => (Op::LogicalNotEqual, a, b),
            // The signed number of true is −1, so that signed orders are the unsigned ones turned around.
            CmpOp::Ult | CmpOp::Sgt => (Op::LogicalAnd, code.unary(Op::LogicalNot, ty, a), b),
            CmpOp::Ule | CmpOp::Sge => (Op::LogicalOr, code.unary(Op::LogicalNot, ty, a), b),
            CmpOp::Ugt | CmpOp::Slt => (Op::LogicalAnd, a, code.unary(Op::LogicalNot, ty, b)),
            CmpOp::Uge | CmpOp::Sle => (Op::LogicalOr, a, code.unary(Op::LogicalNot, ty, b)),
            _ => return Err(bug!(cx.place, "`{op}` of i1")),
        };
        return Ok(code.binary(op, ty, a, b));
    }
    let signed = matches!(op, CmpOp::Sgt | CmpOp::Sge | CmpOp::Slt | CmpOp::Sle);
    let (a, b) = if signed { (cx.signed(code, lhs, a), cx.signed(code, rhs, b)) } else { (a, b) };
    let spirv_op = match op {
        CmpOp::FFalse | CmpOp::FTrue => {
            let constant = code.const_bool(op == CmpOp::FTrue);
            return Ok(code.const_splat(ty, constant));
        }
        CmpOp::FOrd | CmpOp::FUno => {
            // OpOrdered and OpUnordered belong to the Kernel capability.
            let (a, b) = (code.unary(Op::IsNan, ty, a), code.unary(Op::IsNan, ty, b));
            let unordered = code.binary(Op::LogicalOr, ty, a, b);
            return Ok(if op == CmpOp::FUno { unordered } else { code.unary(Op::LogicalNot, ty, unordered) });
        }
        CmpOp::FOeq => Op::FOrdEqual,
        CmpOp::FOgt => Op::FOrdGreaterThan,
        CmpOp::FOge => Op::FOrdGreaterThanEqual,
        CmpOp::FOlt => Op::FOrdLessThan,
        CmpOp::FOle => Op::FOrdLessThanEqual,
        CmpOp::FOne => Op::FOrdNotEqual,
        CmpOp::FUeq => Op::FUnordEqual,
        CmpOp::FUgt => Op::FUnordGreaterThan,
        CmpOp::FUge => Op::FUnordGreaterThanEqual,
        CmpOp::FUlt => Op::FUnordLessThan,
        CmpOp::FUle => Op::FUnordLessThanEqual,
        CmpOp::FUne => Op::FUnordNotEqual,
        CmpOp::Eq => Op::IEqual,
        CmpOp::Ne => Op::INotEqual,
        CmpOp::Ugt => Op::UGreaterThan,
        CmpOp::Uge => Op::UGreaterThanEqual,
        CmpOp::Ult => Op::ULessThan,
        CmpOp::Ule => Op::ULessThanEqual,
        CmpOp::Sgt => Op::SGreaterThan,
        CmpOp::Sge => Op::SGreaterThanEqual,
        CmpOp::Slt => Op::SLessThan,
        CmpOp::Sle => Op::SLessThanEqual,
    };
    Ok(code.binary(spirv_op, ty, a, b))
}

fn select(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    ty: TypeId,
    condition: Value,
    then: Value,
    otherwise: Value,
) -> Result<Lowered> {
    match cx.ir_type(ty) {
        Type::Handle => return Ok(Lowered::Virtual),
        Type::Struct { .. } | Type::Array { .. } => {
            let condition = cx.value(code, condition)?;
            let (a, b) = (cx.aggregate(code, then)?, cx.aggregate(code, otherwise)?);
            let mut leaves = Vec::with_capacity(a.len());
            for (&a, &b) in a.iter().zip(&b) {
                let ty = code.type_of(a).ok_or_else(|| bug!(cx.place, "a member without a type"))?;
                leaves.push(select_ids(code, ty, condition, a, b));
            }
            return Ok(cx.parts(&leaves));
        }
        _ => {}
    }
    let [condition, a, b] = cx.values(code, [condition, then, otherwise])?;
    let ty = cx.ty(code, ty)?;
    Ok(Lowered::Id(select_ids(code, ty, condition, a, b)))
}

/// OpSelect; before SPIR-V 1.4 the condition has as many components as the value.
fn select_ids(code: &mut Code<'_, '_>, ty: Id, condition: Id, a: Id, b: Id) -> Id {
    let bool_ty = code.type_bool_like(ty);
    let condition = if code.type_of(condition) == Some(bool_ty) { condition } else { code.splat(bool_ty, condition) };
    code.select(ty, condition, a, b)
}

/// Whether an atomic operation on values of `ty` may work on a pointer: it is groupshared, and its content is of that type, or has its bits.
fn check_atomic(cx: &Context<'_>, pointer: &super::memory::Pointer, ty: TypeId) -> Result<()> {
    let types = &cx.program.module.types;
    let scalar = |ty| matches!(types[ty], Type::Int(_) | Type::Float(_));
    if cx.is_widened(ty) {
        return Err(unsupported!(
            cx.place,
            "an atomic operation on numbers of unusual width, or of minimum precision on a device without 16 bits"
        ));
    }
    let same_bits = pointer.bits && scalar(pointer.ty) && types.scalar_bits(pointer.ty) == types.scalar_bits(ty);
    if pointer.shared && (pointer.ty == ty || same_bits) {
        return Ok(());
    }
    Err(unsupported!(cx.place, "an atomic operation on memory of another type, or not groupshared"))
}

fn atomic(cx: &mut Context<'_>, code: &mut Code<'_, '_>, op: RmwOp, ptr: Value, value: Value) -> Result<Id> {
    let pointer = cx.pointer(code, ptr)?;
    let ty = cx.type_of(value);
    check_atomic(cx, &pointer, ty)?;
    let spirv_op = match op {
        RmwOp::Xchg => Op::AtomicExchange,
        RmwOp::Add => Op::AtomicIAdd,
        RmwOp::Sub => Op::AtomicISub,
        RmwOp::And => Op::AtomicAnd,
        RmwOp::Or => Op::AtomicOr,
        RmwOp::Xor => Op::AtomicXor,
        RmwOp::Max => Op::AtomicSMax,
        RmwOp::Min => Op::AtomicSMin,
        RmwOp::UMax => Op::AtomicUMax,
        RmwOp::UMin => Op::AtomicUMin,
        RmwOp::Nand => return Err(unsupported!(cx.place, "atomicrmw nand, which DXIL does not have")),
    };
    if matches!(cx.ir_type(ty), Type::Float(_)) && op != RmwOp::Xchg {
        return Err(malformed!(cx.place, "atomicrmw {op} of a float"));
    }
    let value = cx.value(code, value)?;
    let ty = cx.ty(code, ty)?;
    code.atomic(spirv_op, ty, pointer.id, Scope::Workgroup, MemorySemantics::RELAXED, &[value])
}

/// Whether an integer equals one of several constants.
///
/// # Errors
/// As [`Context::ty`].
pub(super) fn equals_any(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    operand: Id,
    value: Value,
    numbers: &[u64],
) -> Result<Id> {
    let ty = cx.ty(code, cx.type_of(value))?;
    let bool_ty = code.type_bool();
    let mut any = None;
    for &number in numbers {
        let constant = code.const_bits(ty, number);
        let equal = code.binary(Op::IEqual, bool_ty, operand, constant);
        any = Some(match any {
            None => equal,
            Some(before) => code.binary(Op::LogicalOr, bool_ty, before, equal),
        });
    }
    any.ok_or_else(|| bug!(cx.place, "a switch case without labels"))
}
