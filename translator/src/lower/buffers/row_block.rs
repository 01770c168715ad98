//! Rows in a block: the content of a uniform buffer, or of a storage buffer or memory at an address
//! that holds a constant buffer.
//!
//! In: a handle, and the number of a row. Out: the row. What must hold: the block is not larger
//! than D3D's constant buffer, in whole words. A row that the buffer holds in part is a member of
//! its own, a vector of the words that there are: Vulkan lets a driver take an access that is not
//! wholly within the descriptor's range for out of bounds as a whole (Vulkan, "Robust Buffer
//! Access"), and without robustness such an access is not allowed at all.

use rspirv::spirv::{GlslStd450Op, Op, StorageClass};

use super::block::{Declaration, MemoryBlock};
use crate::analysis::handles::Handle;
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::resources::handle;
use crate::ops::consts::ResourceKind;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Member, Module};

/// Bytes of a row.
pub const ROW: u32 = 16;

/// The number of a row past the end of every constant buffer: D3D's have at most so many rows
/// (D3D11.3 functional specification, "Constant Buffers").
const ROWS: u32 = 4096;

/// A row that was loaded.
#[derive(Clone, Copy)]
pub enum LoadedRow {
    /// A vector of four words.
    Vector(Id),
    /// The first words, as a vector, or the first one alone. The others are past the end of the
    /// buffer, and zero.
    Part(Id),
    /// Four words. Those that were not asked for are zero.
    Words([Id; 4]),
}

impl LoadedRow {
    /// The row as a vector of four words.
    pub fn vector(self, code: &mut Code<'_, '_>) -> Id {
        let words = match self {
            LoadedRow::Vector(vector) => return vector,
            LoadedRow::Words(words) => words,
            LoadedRow::Part(part) => {
                let zero = code.const_u32(0);
                let mut words = [zero; 4];
                for (n, slot) in (0..part_size(code, part)).zip(&mut words) {
                    *slot = code.component(part, n);
                }
                words
            }
        };
        let word = code.type_u32();
        let vector = code.type_vector(word, 4);
        code.construct(vector, &words)
    }
}

/// The number of words in a part of a row.
pub fn part_size(code: &Code<'_, '_>, part: Id) -> u32 {
    code.type_of(part).map_or(1, |ty| code.scalar(ty).1)
}

/// How the rows of a buffer are declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RowLayout {
    /// The number of whole rows; `None` for a runtime array.
    whole: Option<u32>,
    /// The words of the last row, if the buffer holds it in part; otherwise 0.
    last: u32,
}

impl RowLayout {
    /// The shape of a buffer of `size` bytes; of a tbuffer, whose size DXIL does not say, it is 0.
    /// `limit` is the largest range of a uniform buffer, in bytes.
    fn new(kind: ResourceKind, size: u32, class: StorageClass, limit: u32) -> Self {
        let uniform = class == StorageClass::Uniform;
        let most = limit / ROW;
        if kind == ResourceKind::TBuffer {
            // Its view in D3D has whole rows.
            return RowLayout { whole: uniform.then(|| most.clamp(1, ROWS)), last: 0 };
        }
        let (whole, last) = (size / ROW, (size % ROW).div_ceil(4));
        match (uniform, last) {
            (true, _) if whole >= most.max(1) => RowLayout { whole: Some(most.max(1)), last: 0 },
            (true, 0) => RowLayout { whole: Some(whole.max(1)), last },
            (false, 0) => RowLayout { whole: None, last },
            _ => RowLayout { whole: Some(whole), last },
        }
    }

    /// The members of the structure. In a storage buffer they are NonWritable.
    fn members(self, module: &mut Module<'_>, non_writable: bool) -> Vec<Member> {
        let word = module.type_u32();
        let row = module.type_vector(word, 4);
        let member = |ty, at| Member { non_writable, ..Member::at(ty, at) };
        let mut members = Vec::with_capacity(2);
        match self.whole {
            None => members.push(member(module.type_runtime_array(row, Some(ROW)), 0)),
            Some(0) => {}
            Some(count) => members.push(member(module.type_array(row, count, Some(ROW)), 0)),
        }
        if self.last != 0 {
            let start = self.whole.unwrap_or(0).saturating_mul(ROW);
            members.push(member(module.type_vector(word, self.last), start));
        }
        members
    }
}

/// Loads a row. Words past the end of the buffer are zero.
///
/// # Errors
/// `Binding` and `Unsupported` for a place that such a buffer cannot have, or not yet.
pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    class: StorageClass,
    row: Id,
) -> Result<LoadedRow> {
    let resource = handle::declaration(cx.input, handle);
    let shape = RowLayout::new(resource.kind, resource.size, class, code.caps.max_uniform_buffer_range());
    let declaration = Declaration { class, which: 0, aligned: ROW };
    let members =
        |_: &mut FunctionCx<'_, '_>, module: &mut Module<'_>| shape.members(module, class != StorageClass::Uniform);
    let block = MemoryBlock::open(cx, code, handle, &declaration, members, |_, _, _| {})?;
    let word = code.type_u32();
    // A driver checks the byte offset of a row, which wraps at 2^32: the offset of a row far out
    // would be one at the start of the buffer.
    let (zero, most) = (code.const_u32(0), code.const_u32(ROWS));
    let row = match code.constant_u32(row) {
        _ if !block.is_bounded() => row,
        Some(number) if number <= ROWS => row,
        Some(_) => most,
        None => code.pure_glsl(GlslStd450Op::UMin, word, &[row, most]),
    };
    let number = shape.whole.unwrap_or(ROWS);
    let row = match code.constant_u32(row) {
        _ if shape.last == 0 => whole_row(code, &block, row),
        Some(row) if row == number => return Ok(LoadedRow::Part(last_row(code, &block, shape))),
        Some(_) if number == 0 => {
            let vector = code.type_vector(word, 4);
            code.const_null(vector)
        }
        Some(_) => whole_row(code, &block, row),
        None => {
            // The two are different members, so a dynamic index chooses between their values. The
            // whole row that is loaded beside the last one is row 0, which is there.
            let bool_ty = code.type_bool();
            let (last_number, vector) = (code.const_u32(number), code.type_vector(word, 4));
            let is_last = code.binary(Op::IEqual, bool_ty, row, last_number);
            let last = LoadedRow::Part(last_row(code, &block, shape)).vector(code);
            let other = match number {
                0 => code.const_null(vector),
                _ => {
                    let row = code.select(word, is_last, zero, row);
                    whole_row(code, &block, row)
                }
            };
            let bools = code.type_vector(bool_ty, 4);
            let is_last = code.splat(bools, is_last);
            code.select(vector, is_last, last, other)
        }
    };
    Ok(LoadedRow::Vector(row))
}

/// Loads one of the rows that are whole.
fn whole_row(code: &mut Code<'_, '_>, block: &MemoryBlock, row: Id) -> Id {
    let (word, zero) = (code.type_u32(), code.const_u32(0));
    let vector = code.type_vector(word, 4);
    let pointer = block.part(code, vector, &[zero, row]);
    block.load_constant(code, pointer)
}

/// Loads the last row, of which the buffer holds a part.
fn last_row(code: &mut Code<'_, '_>, block: &MemoryBlock, shape: RowLayout) -> Id {
    let word = code.type_u32();
    let part = code.type_vector(word, shape.last);
    let member = code.const_u32(u32::from(shape.whole != Some(0)));
    let pointer = block.part(code, part, &[member]);
    block.load_constant(code, pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block is never larger than D3D's constant buffer in whole words, and holds all of it.
    #[test]
    fn shapes_have_the_size_of_the_buffer() {
        for size in 0..200 {
            let RowLayout { whole, last } = RowLayout::new(ResourceKind::CBuffer, size, StorageClass::Uniform, 65536);
            let bytes = whole.unwrap() * ROW + last * 4;
            assert_eq!(bytes, if size == 0 { ROW } else { size.next_multiple_of(4).max(4) }, "{size} bytes");
            let stored = RowLayout::new(ResourceKind::CBuffer, size, StorageClass::StorageBuffer, 65536);
            assert_eq!(stored.whole.is_none(), size % ROW == 0, "{size} bytes");
        }
        let limited = RowLayout::new(ResourceKind::CBuffer, 16385, StorageClass::Uniform, 16384);
        assert_eq!(limited, RowLayout { whole: Some(1024), last: 0 });
        let rows = RowLayout::new(ResourceKind::TBuffer, 0, StorageClass::Uniform, 1 << 20);
        assert_eq!(rows, RowLayout { whole: Some(ROWS), last: 0 });
    }
}
