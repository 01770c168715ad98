//! Registers of older shader models, which a converter from DXBC may keep: the temporary registers
//! `r#` (DXIL.rst, "Opcodes": TempRegLoad, TempRegStore), and the indexable registers `x#` at
//! minimum precision (MinPrecXRegLoad, MinPrecXRegStore).
//!
//! In: for `r#` an index that counts the components of all registers; for `x#` the address of its
//! first float, the register and the component. Out: loads and stores of words. The words of `r#`
//! are a private array that all functions of the invocation share; those of `x#` are the array at
//! the address. What must hold: a load returns the bits of the last store to the same word; a word
//! of `r#` is zero before the first store. A minimum-precision value is held in 32 bits, a float as
//! a 32-bit float.
//!
//! No document gives the layout of `x#`, and no compiler is known to write its two operations. The
//! layout here is inferred: the address is one of floats, the numbers are the register and the
//! component, and a register has four components (D3D11.3 functional specification, 22.3.35,
//! dcl_indexableTemp). The order is that of `r#`, whose index is register × 4 + component.

use rspirv::spirv::{Op, StorageClass};

use super::variables;
use crate::ir::args;
use crate::ir::{InstData, Type, Value};
use crate::lower::cx::{Call, Code, Declared, EntryCx, FunctionCx, Lowered, precision};
use crate::ops::OpCode;
use dxil_base::error::Result;
use dxil_base::limits;
use dxil_spirv_builder::{Id, Type as SpirvType};

/// Number of floats in an indexable register.
const COMPONENTS: u32 = 4;

/// The greatest index of a temporary register in the functions that the entry reaches. Indexes must
/// be constants, as in older shader models.
fn last(cx: &EntryCx<'_>) -> Result<u64> {
    let (program, entry) = (cx.input.program, cx.input.entry);
    let module = &program.module;
    let mut last = 0;
    for &func in &program.reached[entry.reachable.functions] {
        let function = &module.functions[func];
        for data in function.insts.values() {
            let InstData::Op { op: OpCode::TempRegLoad | OpCode::TempRegStore, args, .. } = *data else { continue };
            let index = function.list(args).first().and_then(|&index| module.const_uint(index));
            let Some(index) = index else {
                return Err(unsupported!(cx.place, "the number of a temporary register is not a constant"));
            };
            last = last.max(index);
        }
    }
    Ok(last)
}

/// Pointer to a word of a temporary register.
fn pointer(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, index: Value) -> Result<Id> {
    let word = code.type_u32();
    let variable = cx.entry.declare(code, Declared::Registers, |cx, module| {
        let count = last(cx)?.saturating_add(1);
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        limits::check(cx.place, "temporary registers", count as usize, limits::REGISTERS)?;
        let array = module.type_array(word, count, None);
        let zero = module.const_null(array);
        let id = module.variable(StorageClass::Private, array, Some(zero))?;
        module.name(id, "registers");
        Ok(id)
    })?;
    let index = code.const_u32(cx.entry.immediate(index)?);
    Ok(code.access_chain(word, variable, &[index]))
}

/// Pointer to a float of an indexable register. It is register × 4 + component floats after the
/// first one.
fn indexable(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    first: Value,
    register: Value,
    component: Value,
) -> Result<Id> {
    let component = cx.entry.immediate(component)?;
    if component >= COMPONENTS {
        return Err(malformed!(
            cx.entry.place,
            "component {component} of an indexable register; a register has {COMPONENTS} components"
        ));
    }
    let word = code.type_u32();
    let register = cx.value(code, register)?;
    let (size, component) = (code.const_u32(COMPONENTS), code.const_u32(component));
    let start = code.binary(Op::IMul, word, register, size);
    let step = code.binary(Op::IAdd, word, start, component);
    let pointer = variables::pointer_past(cx, code, first, Some(step))?;
    match cx.input.ir_type(pointer.ty) {
        Type::Float(32) if !pointer.bits => Ok(pointer.id),
        _ => Err(unsupported!(cx.entry.place, "indexable registers are not an array of floats")),
    }
}

/// The value that a load returns, converted from the word in the register.
fn from_bits(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, bits: Id) -> Result<Lowered> {
    let ty = cx.entry.ty(code, call.ty()?)?;
    Ok(Lowered::Id(precision::from_words(code, ty, bits)))
}

/// The word that a register holds for a value.
fn to_bits(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<Id> {
    let value = cx.value(code, value)?;
    let (word, single) = (code.type_u32(), code.type_f32());
    Ok(match code.ty_of(value) {
        Some(SpirvType::Float { .. }) => {
            let value = code.unary(Op::FConvert, single, value);
            code.bitcast(word, value)
        }
        _ => code.unary(Op::UConvert, word, value),
    })
}

pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TempRegLoad,
) -> Result<Lowered> {
    let pointer = pointer(cx, code, args.index)?;
    let bits = code.load(pointer);
    from_bits(cx, code, call, bits)
}

pub fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::TempRegStore,
) -> Result<Lowered> {
    let pointer = pointer(cx, code, args.index)?;
    let bits = to_bits(cx, code, args.value)?;
    code.store(pointer, bits);
    Ok(Lowered::Nothing)
}

pub fn load_indexable(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::MinPrecXRegLoad,
) -> Result<Lowered> {
    let pointer = indexable(cx, code, args.reg_index, args.index, args.component)?;
    let (value, word) = (code.load(pointer), code.type_u32());
    let bits = code.bitcast(word, value);
    from_bits(cx, code, call, bits)
}

pub fn store_indexable(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::MinPrecXRegStore,
) -> Result<Lowered> {
    let pointer = indexable(cx, code, args.reg_index, args.index, args.component)?;
    let (bits, single) = (to_bits(cx, code, args.value)?, code.type_f32());
    let value = code.bitcast(single, bits);
    code.store(pointer, value);
    Ok(Lowered::Nothing)
}
