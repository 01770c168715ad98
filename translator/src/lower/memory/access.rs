//! Loads and stores through pointers.
//!
//! Pointer casts have no effect of their own: a load or store through one reinterprets the bits of
//! a scalar of the same width. The [`passes`](crate::passes) have turned variables with other
//! accesses through casts into arrays of words. Any that remain are refused by name.

use super::variables;
use crate::analysis::address::same_bits;
use crate::ir::{TypeId, Value};
use crate::lower::cx::{Code, FunctionCx, Lowered, precision};
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, MemoryAccess};

/// Reinterprets the bits of a loaded or stored scalar as another type of the same width.
fn recast(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Id, from: TypeId, to: TypeId) -> Result<Id> {
    if from == to {
        return Ok(value);
    }
    if same_bits(&cx.input.program.module, from, to) {
        if cx.input.is_widened(from) {
            return precision::bitcast(cx.entry, code, value, from, to);
        }
        let ty = cx.entry.ty(code, to)?;
        return Ok(code.bitcast(ty, value));
    }
    Err(unsupported!(
        cx.entry.place,
        "a load or store through a pointer cast has another type than the variable; only scalars of the same width are \
         supported"
    ))
}

/// Loads a value of type `ty`.
///
/// # Errors
/// As [`pointer`](variables::pointer), and `Unsupported` for a structure that is loaded through a
/// pointer cast.
pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    ptr: Value,
    ty: TypeId,
    volatile: bool,
) -> Result<Lowered> {
    let pointer = variables::pointer(cx, code, ptr)?;
    if cx.input.is_aggregate(ty) {
        if pointer.ty != ty || pointer.bits {
            return Err(unsupported!(cx.entry.place, "a structure is loaded through a pointer cast"));
        }
        let mut leaves = Vec::new();
        let whole = code.load_with(pointer.id, MemoryAccess { volatile, ..MemoryAccess::default() });
        cx.entry.explode(code, whole, ty, &mut leaves)?;
        return Ok(cx.locals.parts(&leaves));
    }
    let mut value = code.load_with(pointer.id, MemoryAccess { volatile, ..MemoryAccess::default() });
    if pointer.bits {
        let own = cx.entry.ty(code, pointer.ty)?;
        value = code.bitcast(own, value);
    }
    Ok(Lowered::Id(recast(cx, code, value, pointer.ty, ty)?))
}

/// Stores a value.
///
/// # Errors
/// As [`load`].
pub fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    ptr: Value,
    value: Value,
    volatile: bool,
) -> Result<()> {
    let pointer = variables::pointer(cx, code, ptr)?;
    let ty = cx.type_of(value);
    let id = if cx.input.is_aggregate(ty) {
        if pointer.ty != ty || pointer.bits {
            return Err(unsupported!(cx.entry.place, "a structure is stored through a pointer cast"));
        }
        let leaves = cx.aggregate(code, value)?;
        cx.entry.implode(code, ty, &mut leaves.iter().copied())?
    } else {
        let id = cx.value(code, value)?;
        let id = recast(cx, code, id, ty, pointer.ty)?;
        let own = if pointer.bits {
            variables::bits_type(cx.entry, code, pointer.ty)?
        } else {
            cx.entry.ty(code, pointer.ty)?
        };
        code.bitcast(own, id)
    };
    code.store_with(pointer.id, id, MemoryAccess { volatile, ..MemoryAccess::default() });
    Ok(())
}
