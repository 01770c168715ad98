//! Temporary registers: what a converter of older shader code keeps of their `r#` (DXIL.rst, "Opcodes": TempRegLoad, TempRegStore).
//!
//! In: an index, one number for each component of each register. Out: loads and stores of one private array of words, that all functions
//! of the invocation share. What must hold: a load gives the bits that the last store to the index had; before any, zero.

use rspirv::spirv::{Op, StorageClass};

use super::context::{Context, Declared};
use super::{Call, Code, Lowered};
use crate::dxil::ir::{InstData, Value};
use crate::dxil::ops::{OpCode, args};
use crate::error::Result;
use crate::limits;
use crate::spirv::{Id, Type};

/// The greatest index that the program names, which must be constants: registers of older shader models have no other.
fn last(cx: &Context<'_>) -> Result<u64> {
    let module = &cx.program.module;
    let mut last = 0;
    for function in module.functions.values() {
        for data in function.insts.values() {
            let InstData::Op { op: OpCode::TempRegLoad | OpCode::TempRegStore, args, .. } = *data else { continue };
            let index = function.list(args).first().and_then(|&index| module.const_uint(index));
            let Some(index) = index else {
                return Err(unsupported!(cx.place, "a temporary register whose number is no constant"));
            };
            last = last.max(index);
        }
    }
    Ok(last)
}

/// Pointer to a register's word.
fn pointer(cx: &mut Context<'_>, code: &mut Code<'_, '_>, index: Value) -> Result<Id> {
    let word = code.type_u32();
    let variable = cx.declare(code, Declared::Registers, |cx, module| {
        let count = last(cx)?.saturating_add(1);
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        limits::check(cx.place, "temporary registers", count as usize, limits::REGISTERS)?;
        let array = module.type_array(word, count, None);
        let zero = module.const_null(array);
        let id = module.variable(StorageClass::Private, array, Some(zero))?;
        module.name(id, "registers");
        Ok(id)
    })?;
    let index = code.const_u32(cx.immediate(index)?);
    Ok(code.access_chain(word, variable, &[index]))
}

pub(super) fn load(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TempRegLoad,
) -> Result<Lowered> {
    let pointer = pointer(cx, code, args.index)?;
    let (bits, ty) = (code.load(pointer), cx.ty(code, call.ty()?)?);
    let single = code.type_f32();
    // Minimum precision takes 32 bits in a register, as it does in memory.
    Ok(Lowered::Id(match code.ty(ty) {
        Some(Type::Float { .. }) => {
            let value = code.bitcast(single, bits);
            code.unary(Op::FConvert, ty, value)
        }
        _ => code.unary(Op::UConvert, ty, bits),
    }))
}

pub(super) fn store(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::TempRegStore,
) -> Result<Lowered> {
    let pointer = pointer(cx, code, args.index)?;
    let value = cx.value(code, args.value)?;
    let (word, single) = (code.type_u32(), code.type_f32());
    let bits = match code.ty_of(value) {
        Some(Type::Float { .. }) => {
            let value = code.unary(Op::FConvert, single, value);
            code.bitcast(word, value)
        }
        _ => code.unary(Op::UConvert, word, value),
    };
    code.store(pointer, bits);
    Ok(Lowered::Nothing)
}
