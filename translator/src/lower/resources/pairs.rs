//! Pairs of words in a buffer beside descriptors: addresses, and the starts and sizes of views.
//!
//! In: a resolved handle and the plan's [`PairPlace`]. Out: loaded pairs. What must hold: the pair
//! is that of the descriptor which the handle picks.

use rspirv::spirv::{Op, StorageClass};

use super::{declare, descriptor, handle};
use crate::analysis::handles::Handle;
use crate::binding::plan::PairPlace;
use crate::lower::cx::{Code, Declared, FunctionCx};
use crate::lower::numbers::index;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Member, MemoryAccess, StructKind};

/// Bytes of a pair, and its alignment in a buffer.
const PAIR: u32 = 8;

/// Whether the shader checks that a buffer has an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum EntryCheck {
    /// A handle may have no entry, and its pair is zero.
    Checked,
    /// There is an entry for each descriptor.
    Unchecked,
}

/// The pair of a handle, as a vector of two words. `variable` is the key of the buffer's
/// declaration.
///
/// # Errors
/// As [`descriptor::entry`].
pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    variable: Declared,
    PairPlace { buffer, first, stride, offset }: PairPlace,
    check: EntryCheck,
) -> Result<Id> {
    let (word, bool_ty) = (code.type_u32(), code.type_bool());
    let pair = code.type_vector(word, 2);
    let pairs = code.type_runtime_array(pair, Some(PAIR));
    let member = Member { non_writable: true, ..Member::at(pairs, 0) };
    let content = code.type_struct(StructKind::Block, &[member]);
    let variable = cx.entry.declare(code, variable, |cx, module| {
        declare::variable(cx, module, StorageClass::StorageBuffer, content, buffer, "")
    })?;
    let entry = descriptor::entry(cx, code, handle, buffer, first)?;
    let mut length = None;
    if check == EntryCheck::Checked {
        length = Some(code.op(Op::ArrayLength, word, &[variable.word(), 0]));
    }
    let mut element = entry;
    if stride != 1 {
        let stride = code.const_u32(stride);
        length = length.map(|length| code.binary(Op::UDiv, word, length, stride));
        let start = code.binary(Op::IMul, word, entry, stride);
        element = index::add(code, start, offset);
    }
    let inside = length.map(|length| code.binary(Op::ULessThan, bool_ty, entry, length));
    let zero = code.const_u32(0);
    let load = |code: &mut Code<'_, '_>| {
        let pointer = code.access_chain(pair, variable, &[zero, element]);
        Ok(code.load_constant(pointer, MemoryAccess::default()))
    };
    let Some(inside) = inside else { return load(code) };
    let none = code.const_null(pair);
    code.if_value(pair, inside, none, load)
}

/// The part of what a descriptor has that is a view.
#[derive(Clone, Copy)]
pub struct ViewRange {
    /// Where the view starts.
    pub start: Id,
    /// Its size. Both are elements of a typed buffer, otherwise bytes.
    pub size: Id,
}

/// The part of its descriptor that is the view of a handle; `None` if the view is all of it.
///
/// # Errors
/// As [`load`].
pub fn range(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, handle: Handle) -> Result<Option<ViewRange>> {
    let Some(place) = handle::range(cx.input, handle.resource) else { return Ok(None) };
    let variable = Declared::Pairs(place.buffer.set, place.buffer.binding);
    let pair = load(cx, code, handle, variable, place, EntryCheck::Unchecked)?;
    Ok(Some(ViewRange { start: code.component(pair, 0), size: code.component(pair, 1) }))
}
