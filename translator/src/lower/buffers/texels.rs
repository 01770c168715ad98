//! Raw and structured buffers in texel buffers of R32_UINT: a texel is a word of 32 bits.
//!
//! In: the image of a texel buffer, and indexes of words of 32 or 16 bits. Out: loads, stores and
//! pointers. What must hold: a store of 16 bits leaves the other half of its texel alone, which
//! another lane may write at the same time. So it is two atomic operations: one clears the half,
//! one sets its bits.

use rspirv::spirv::{Decoration, MemorySemantics, Op, Scope};

use crate::lower::cx::Code;
use crate::lower::images::Image;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, ImageOperands};

/// The words of a buffer in a texel buffer.
#[derive(Clone, Copy)]
pub struct Texels<'a> {
    /// The texel buffer.
    pub image: Image<'a>,
    /// The width of a word in bits: 32, or 16 for halves of a texel.
    pub width: u32,
    /// The type of a word.
    pub element: Id,
}

impl Texels<'_> {
    /// The number of words.
    pub fn length(&self, code: &mut Code<'_, '_>) -> Result<Id> {
        let word = code.type_u32();
        let texels = code.image_query(Op::ImageQuerySize, word, self.image.value, None)?;
        Ok(match self.width {
            16 => {
                let one = code.const_u32(1);
                code.binary(Op::ShiftLeftLogical, word, texels, one)
            }
            _ => texels,
        })
    }

    /// Loads the word at an index.
    pub fn load(&self, code: &mut Code<'_, '_>, at: Id) -> Result<Id> {
        let word = code.type_u32();
        let (texel, half) = self.place(code, at);
        let texel_ty = code.type_vector(word, 4);
        let (image, operands) = (self.image.value, ImageOperands::default());
        let loaded = match self.image.ty.storage {
            true => code.image_read(Op::ImageRead, texel_ty, image, texel, &operands)?,
            false => code.image_fetch(Op::ImageFetch, texel_ty, image, texel, &operands)?,
        };
        let whole = code.extract(word, loaded, &[0]);
        Ok(match half {
            None => whole,
            Some(half) => {
                let halves = code.type_vector(self.element, 2);
                let halves = code.bitcast(halves, whole);
                code.op(Op::VectorExtractDynamic, self.element, &[halves, half])
            }
        })
    }

    /// Stores the word at an index.
    pub fn store(&self, code: &mut Code<'_, '_>, at: Id, value: Id) -> Result<()> {
        let word = code.type_u32();
        let (texel, half) = self.place(code, at);
        let Some(half) = half else {
            let texel_ty = code.type_vector(word, 4);
            let value = code.splat(texel_ty, value);
            return code.image_write(self.image.value, texel, value, &ImageOperands::default());
        };
        let halves = code.type_vector(self.element, 2);
        let both = code.construct(halves, &[value, value]);
        let both = code.bitcast(word, both);
        let (four, low) = (code.const_u32(4), code.const_u32(0xffff));
        let shift = code.binary(Op::ShiftLeftLogical, word, half, four);
        let mask = code.binary(Op::ShiftLeftLogical, word, low, shift);
        let others = code.unary(Op::Not, word, mask);
        let bits = code.binary(Op::BitwiseAnd, word, both, mask);
        let pointer = self.texel_pointer(code, texel);
        for (op, operand) in [(Op::AtomicAnd, others), (Op::AtomicOr, bits)] {
            code.atomic(op, word, pointer, Scope::Device, MemorySemantics::RELAXED, &[operand])?;
        }
        Ok(())
    }

    /// A pointer to the word at an index, for atomic operations. The words have 32 bits.
    pub fn pointer(&self, code: &mut Code<'_, '_>, at: Id) -> Result<Id> {
        match self.width {
            32 => Ok(self.texel_pointer(code, at)),
            width => Err(bug!(code.place(), "a pointer to {width} bits of a texel")),
        }
    }

    /// The texel of a word, and for words of 16 bits which half of it: 0 or 1.
    fn place(&self, code: &mut Code<'_, '_>, at: Id) -> (Id, Option<Id>) {
        if self.width != 16 {
            return (at, None);
        }
        let (word, one) = (code.type_u32(), code.const_u32(1));
        let texel = code.binary(Op::ShiftRightLogical, word, at, one);
        (texel, Some(code.binary(Op::BitwiseAnd, word, at, one)))
    }

    fn texel_pointer(&self, code: &mut Code<'_, '_>, texel: Id) -> Id {
        let word = code.type_u32();
        let pointer = code.image_texel_pointer(word, self.image.pointer, texel, None);
        if self.image.non_uniform {
            code.mark(pointer, Decoration::NonUniform);
        }
        pointer
    }
}
