//! Operations on constant buffers: what is read is words, by rows of four ([`rows`]) or one by one
//! ([`constants`]), which are reinterpreted as the overload asks.

use rspirv::spirv::Op;

use super::constants;
use super::row_block::{LoadedRow, ROW, part_size};
use super::rows;
use crate::analysis::handles::Handle;
use crate::ir::args;
use crate::ir::{Type, Value};
use crate::lower::cx::{Call, Code, FunctionCx, Leaf, Lowered, RowKey, precision};
use crate::lower::numbers::index;
use crate::lower::resources::handle;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// `cbufferLoadLegacy`: a row as four 32-bit, two 64-bit or eight native 16-bit values. A
/// minimum-precision value takes a word.
pub fn cbuffer_load_legacy(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::CBufferLoadLegacy,
) -> Result<Lowered> {
    let handle = handle::resolve(cx, args.handle)?;
    let row = cx.value(code, args.reg_index)?;
    let ty = call.ty()?;
    let scalar = cx.entry.element_type(ty)?;
    let count = cx.entry.leaf_count(ty)?;
    // The words of element n: two of them if there are two elements, half of one if there are
    // eight.
    let words = |n: usize| match count {
        2 => 3 << (n * 2),
        8 => 1 << (n / 2),
        _ => 1u32 << n.min(3),
    };
    let read = (0..count.min(8)).filter(|&n| cx.analysis.is_extracted(call.inst, n as u32));
    let read = read.fold(0, |all, n| all | words(n));
    let row = rows::load(cx, code, handle, row, read)?;
    let element = cx.entry.ty(code, scalar)?;
    let are_words = count == 4 && cx.input.program.module.types.scalar_bits(scalar) == Some(32);
    let row = match row {
        LoadedRow::Words(words) if are_words => {
            let none = code.const_null(element);
            let mut leaves = [none; 4];
            let taken = leaves.iter_mut().zip(words).zip(0u32..).filter(|(_, n)| read >> n & 1 != 0);
            taken.for_each(|((leaf, word), _)| *leaf = code.bitcast(element, word));
            return Ok(cx.locals.parts(&leaves));
        }
        LoadedRow::Part(part) if are_words => return Ok(partial_row(cx, code, part, element)),
        row => row.vector(code),
    };
    match (cx.input.ir_type(scalar), count) {
        (Type::Int(32), 4) => Ok(Lowered::Row(row)),
        (Type::Float(32), 4) => {
            let vector = code.type_vector(element, 4);
            Ok(Lowered::Row(code.bitcast(vector, row)))
        }
        (Type::Int(16) | Type::Float(16), 4) => {
            let vector = code.type_vector(element, 4);
            Ok(Lowered::Row(precision::from_words(code, vector, row)))
        }
        (Type::Int(16) | Type::Float(16), 8) if cx.input.is_widened(scalar) => {
            Err(unsupported!(call.place, "a row of eight minimum-precision constants on a device without 16-bit types"))
        }
        (Type::Int(64) | Type::Float(64), 2) | (Type::Int(16) | Type::Float(16), 8) => {
            // Two words make a value of 64 bits; one word holds two values of 16 bits.
            let word = code.type_u32();
            let mut leaves = Vec::with_capacity(count);
            for n in 0..4u32 {
                if count == 8 {
                    let halves = code.type_vector(element, 2);
                    let value = code.component(row, n);
                    let value = code.bitcast(halves, value);
                    leaves.extend([code.component(value, 0), code.component(value, 1)]);
                } else if n % 2 == 0 {
                    let pair_ty = code.type_vector(word, 2);
                    let pair = code.shuffle(pair_ty, row, row, &[n, n + 1]);
                    leaves.push(code.bitcast(element, pair));
                }
            }
            Ok(cx.locals.parts(&leaves))
        }
        _ => Err(unsupported!(call.place, "a constant-buffer row of {count} elements of this type")),
    }
}

/// The first elements of a row, which are words, and zeros.
fn partial_row(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, part: Id, element: Id) -> Lowered {
    let size = part_size(code, part);
    let ty = code.type_vector(element, size);
    let part = code.bitcast(ty, part);
    let mut leaves = [Leaf::Value(code.const_null(element)); 4];
    for (n, leaf) in (0..size as u8).zip(&mut leaves) {
        *leaf = if size == 1 { Leaf::Value(part) } else { Leaf::Component(part, n) };
    }
    cx.locals.leaf_parts(&leaves)
}

/// `cbufferLoad`, which has a byte offset (DXIL.rst, "CBufferLoad"): one component, aligned to its
/// size, so that it lies within one row. Where its place in the row is known, the row is loaded
/// once for all such components of a block.
pub fn cbuffer_load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::CBufferLoad,
) -> Result<Lowered> {
    let handle = handle::resolve(cx, args.handle)?;
    let ir_ty = call.ty()?;
    let ty = cx.entry.ty(code, ir_ty)?;
    let offset = cx.value(code, args.byte_offset)?;
    let bits = match cx.input.ir_type(ir_ty) {
        Type::Int(bits @ (16 | 32 | 64)) | Type::Float(bits @ (16 | 32 | 64)) => *bits,
        _ => return Err(unsupported!(call.place, "cbufferLoad of a type other than a 16-, 32- or 64-bit number")),
    };
    let row = known_row(cx, code, handle, args.byte_offset)?;
    let at = if row.is_none() { index::shifted(code, offset, 4) } else { offset };
    let low = match row {
        Some((row, number)) => code.component(row, number),
        None => constants::word(cx, code, handle, at)?,
    };
    let word = code.type_u32();
    Ok(Lowered::Id(match bits {
        64 => {
            let high = match row {
                Some((row, number)) => code.component(row, number | 1),
                None => {
                    let next = index::add(code, at, 1);
                    constants::word(cx, code, handle, next)?
                }
            };
            let pair = code.type_vector(word, 2);
            let pair = code.construct(pair, &[low, high]);
            code.bitcast(ty, pair)
        }
        // Minimum-precision values take a word each, as in rows.
        16 if !cx.input.entry.flags.native_low_precision() => precision::from_words(code, ty, low),
        16 => {
            let low = match code.constant_u32(offset) {
                Some(offset) if offset & 2 == 0 => low,
                Some(_) => {
                    let sixteen = code.const_u32(16);
                    code.binary(Op::ShiftRightLogical, word, low, sixteen)
                }
                None => {
                    let (three, sixteen) = (code.const_u32(3), code.const_u32(16));
                    let eight_times = code.binary(Op::ShiftLeftLogical, word, offset, three);
                    let shift = code.binary(Op::BitwiseAnd, word, eight_times, sixteen);
                    code.binary(Op::ShiftRightLogical, word, low, shift)
                }
            };
            let int = code.type_int(16)?;
            let narrow = code.unary(Op::UConvert, int, low);
            code.bitcast(ty, narrow)
        }
        _ => code.bitcast(ty, low),
    }))
}

/// The row of a byte offset and the word's number in it, where the offset's place in the row is
/// known and the declared buffer has the whole row. It comes from an earlier load of the block, or
/// from one now.
fn known_row(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    offset: Value,
) -> Result<Option<(Id, u32)>> {
    let (count, byte) = cx.analysis.known_bits(offset).lowest();
    // Root constants are words that are accessed one by one.
    if count < ROW.trailing_zeros() || rows::constants(cx, handle)?.is_some() {
        return Ok(None);
    }
    let byte = byte as u32 % ROW;
    let (base, constant) = cx.analysis.without_constant(offset);
    let start = constant.wrapping_sub(byte);
    let size = handle::declaration(cx.input, handle).size;
    let whole = match base {
        None => start.checked_add(ROW).is_some_and(|end| end <= size),
        Some(_) => size.is_multiple_of(ROW),
    };
    if !whole {
        return Ok(None);
    }
    let key = RowKey { handle, base, offset: start };
    if let Some(row) = cx.reads.rows.get(cx.node, &key) {
        return Ok(Some((row, byte / 4)));
    }
    let offset = cx.value(code, offset)?;
    let row = index::shifted(code, offset, ROW);
    let row = rows::load(cx, code, handle, row, 0xf)?.vector(code);
    cx.reads.rows.insert(cx.node, key, row);
    Ok(Some((row, byte / 4)))
}
