//! LLVM's own instructions: the dispatch to the functions that lower them, and the lowering of
//! instructions on vectors, of calls and of selections.

use rspirv::spirv::Op;

use crate::analysis::entry::breaks;
use crate::ir::{Func, Function, InstData, Type, TypeId, Value};
use crate::lower::cx::{Code, FunctionCx, Lowered};
use crate::lower::numbers::operators;
use crate::lower::{atomic, memory};
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// Lowers an LLVM instruction, whose result is of type `ty`.
///
/// # Errors
/// `Unsupported`, naming the instruction; `MissingFeature` for a type or operation that the device
/// does not have.
#[inline]
pub fn instruction(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    function: &Function,
    data: &InstData,
    ty: Option<TypeId>,
) -> Result<Lowered> {
    match (data, ty) {
        // Most instructions are arithmetic.
        (&InstData::Binary { op, precise, lhs, rhs }, Some(ty)) => {
            operators::binary(cx, code, op, precise, ty, lhs, rhs).map(Lowered::Id)
        }
        _ => other(cx, code, function, data, ty),
    }
}

/// Lowers an instruction that is not arithmetic.
fn other(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    function: &Function,
    data: &InstData,
    ty: Option<TypeId>,
) -> Result<Lowered> {
    if ty.is_some_and(|ty| matches!(cx.input.ir_type(ty), Type::Pointer { .. })) {
        return Ok(Lowered::Virtual);
    }
    let place = cx.entry.place;
    let need = |ty: Option<TypeId>| ty.ok_or_else(|| bug!(place, "an instruction has no result"));
    let id = match *data {
        InstData::Load { .. }
            if breaks::is_zero_load(&cx.input.program.module, function, data)
                && ty.is_some_and(|ty| matches!(cx.input.ir_type(ty), Type::Int(_))) =>
        {
            let ty = cx.entry.ty(code, need(ty)?)?;
            code.const_null(ty)
        }
        InstData::Cmp { .. } if breaks::is_true_test(&cx.input.program.module, function, data) => code.const_bool(true),
        InstData::Cast { op, value } => operators::cast(cx, code, op, value, need(ty)?)?,
        InstData::Cmp { op, lhs, rhs } => operators::compare(cx, code, op, lhs, rhs)?,
        InstData::Select { condition, then, otherwise } => {
            return select(cx, code, need(ty)?, condition, then, otherwise);
        }
        InstData::Op { op, .. } => return Err(bug!(cx.entry.place, "{op} is lowered as an LLVM instruction")),
        InstData::Binary { op, .. } => return Err(bug!(cx.entry.place, "`{op}` has no result")),
        InstData::Call { func, args } => {
            let id = call(cx, code, func, function.list(args))?;
            return Ok(if ty.is_some() { Lowered::Id(id) } else { Lowered::Nothing });
        }
        InstData::Alloca { .. } | InstData::Gep { .. } => return Ok(Lowered::Virtual),
        // A load of a library's resource variable is the operand of `createHandleForLib`. Its
        // handle is in the handle table.
        InstData::Load { ptr, .. } if cx.input.program.is_resource(function, need(ty)?, ptr) => {
            return Ok(Lowered::Virtual);
        }
        InstData::Load { ptr, volatile } => return memory::load(cx, code, ptr, need(ty)?, volatile),
        InstData::Store { ptr, value, volatile } => {
            memory::store(cx, code, ptr, value, volatile)?;
            return Ok(Lowered::Nothing);
        }
        InstData::AtomicRmw { op, ptr, value } => atomic::read_modify_write(cx, code, op, ptr, value)?,
        InstData::CmpXchg { ptr, compare, new } => {
            return atomic::compare_exchange(cx, code, ptr, [compare, new], need(ty)?);
        }
        InstData::Fence => return Err(unsupported!(cx.entry.place, "instruction `fence`, which DXIL does not have")),
        InstData::ExtractValue { aggregate, first, count } => {
            return cx.extract_value(code, aggregate, indices(cx, function, first, count)?);
        }
        InstData::InsertValue { aggregate, value, first, count } => {
            return cx.insert_value(code, aggregate, value, indices(cx, function, first, count)?);
        }
        InstData::ExtractElement { vector, index } => extract_element(cx, code, vector, index, need(ty)?)?,
        InstData::InsertElement { vector, value, index } => insert_element(cx, code, vector, value, index, need(ty)?)?,
        InstData::ShuffleVector { a, b, mask } => {
            let lanes = shuffle_mask(cx, mask)?;
            let [a, b] = cx.values(code, [a, b])?;
            let ty = cx.entry.ty(code, need(ty)?)?;
            code.shuffle(ty, a, b, &lanes)
        }
    };
    Ok(Lowered::Id(id))
}

/// A call of a function of the module.
fn call(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, func: Func, args: &[Value]) -> Result<Id> {
    let Some(callee) = cx.entry.functions[func] else {
        return Err(unsupported!(cx.entry.place, "a call of function {}, which has no body to call", func.index()));
    };
    let mut ids = Vec::with_capacity(args.len());
    for &arg in args {
        ids.push(cx.value(code, arg)?);
    }
    let ret = cx.entry.ty(code, cx.input.program.module.functions[func].ret)?;
    Ok(code.call(ret, callee, &ids))
}

/// An element of a vector. One that the vector does not have is undefined.
fn extract_element(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    vector: Value,
    index: Value,
    ty: TypeId,
) -> Result<Id> {
    let id = cx.value(code, vector)?;
    let ty = cx.entry.ty(code, ty)?;
    Ok(match (cx.input.const_uint(index), element_count(cx, vector)) {
        (Some(n), count) if n < count => code.extract(ty, id, &[n as u32]),
        (Some(_), _) => code.undef(ty),
        (None, _) => {
            let index = element_index(cx, code, index)?;
            code.op(Op::VectorExtractDynamic, ty, &[id, index])
        }
    })
}

/// A vector with one element replaced.
fn insert_element(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    vector: Value,
    value: Value,
    index: Value,
    ty: TypeId,
) -> Result<Id> {
    let [id, new] = cx.values(code, [vector, value])?;
    let ty = cx.entry.ty(code, ty)?;
    Ok(match (cx.input.const_uint(index), element_count(cx, vector)) {
        (Some(n), count) if n < count => code.insert(ty, new, id, &[n as u32]),
        (Some(_), _) => code.undef(ty),
        (None, _) => {
            let index = element_index(cx, code, index)?;
            code.op(Op::VectorInsertDynamic, ty, &[id, new, index])
        }
    })
}

/// The number of a vector's element. LLVM takes any integer, and one of one bit is a boolean here.
fn element_index(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, index: Value) -> Result<Id> {
    let id = cx.value(code, index)?;
    if !matches!(cx.input.ir_type(cx.type_of(index)), Type::Int(1)) {
        return Ok(id);
    }
    let (word, zero, one) = (code.type_u32(), code.const_u32(0), code.const_u32(1));
    Ok(code.select(word, id, one, zero))
}

fn indices<'f>(cx: &FunctionCx<'_, '_>, function: &'f Function, first: u32, count: u32) -> Result<&'f [u32]> {
    let range = first as usize..first as usize + count as usize;
    function
        .indices
        .get(range)
        .ok_or_else(|| bug!(cx.entry.place, "the indexes of an aggregate instruction are out of range"))
}

fn element_count(cx: &FunctionCx<'_, '_>, vector: Value) -> u64 {
    match *cx.input.ir_type(cx.type_of(vector)) {
        Type::Vector { len, .. } => u64::from(len),
        _ => 1,
    }
}

fn shuffle_mask(cx: &FunctionCx<'_, '_>, mask: Value) -> Result<Vec<u32>> {
    use crate::ir::ConstKind;
    let module = &cx.input.program.module;
    let constant = mask.as_const().map(|c| &module.consts[c]);
    let Some(data) = constant else {
        return Err(malformed!(cx.entry.place, "the mask of a `shufflevector` is not a constant"));
    };
    let count = element_count(cx, mask) as usize;
    match &data.kind {
        // An undefined element of the mask becomes 0xffffffff, by which OpVectorShuffle chooses an
        // undefined component.
        ConstKind::Aggregate(lanes) => {
            Ok(lanes.iter().map(|&l| module.consts.as_uint(l).map_or(u32::MAX, |n| n as u32)).collect())
        }
        ConstKind::Null => Ok(vec![0; count]),
        _ => Ok(vec![u32::MAX; count]),
    }
}

fn select(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    ty: TypeId,
    condition: Value,
    then: Value,
    otherwise: Value,
) -> Result<Lowered> {
    match cx.input.ir_type(ty) {
        Type::Handle => return Ok(Lowered::Virtual),
        Type::Struct { .. } | Type::Array { .. } => {
            let condition = cx.value(code, condition)?;
            let (a, b) = (cx.aggregate(code, then)?, cx.aggregate(code, otherwise)?);
            let mut leaves = Vec::with_capacity(a.len());
            for (&a, &b) in a.iter().zip(&b) {
                let ty = code.type_of(a).ok_or_else(|| bug!(cx.entry.place, "a member has no type"))?;
                leaves.push(select_ids(code, ty, condition, a, b));
            }
            return Ok(cx.locals.parts(&leaves));
        }
        _ => {}
    }
    let [condition, a, b] = cx.values(code, [condition, then, otherwise])?;
    let ty = cx.entry.ty(code, ty)?;
    Ok(Lowered::Id(select_ids(code, ty, condition, a, b)))
}

/// Emits OpSelect. Before SPIR-V 1.4 the condition must have as many components as the value.
fn select_ids(code: &mut Code<'_, '_>, ty: Id, condition: Id, a: Id, b: Id) -> Id {
    let bool_ty = code.type_bool_like(ty);
    let condition = if code.type_of(condition) == Some(bool_ty) { condition } else { code.splat(bool_ty, condition) };
    code.select(ty, condition, a, b)
}
