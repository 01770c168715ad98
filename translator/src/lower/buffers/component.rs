//! Components of raw and structured buffers, and the words that hold them.

use rspirv::spirv::Op;

use crate::ir::{Type, TypeId, Value};
use crate::lower::cx::{Code, FunctionCx, Leaf, vector_of_leaves};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// Where an operation accesses a raw or structured buffer, as its operands say.
#[derive(Clone, Copy)]
pub struct BufferPosition {
    /// A byte offset in a byte-address buffer, the number of an element in a structured one.
    pub index: Value,
    /// The bytes before the access in that element.
    pub offset: Value,
}

/// The components of an access: their type and the words that one takes.
#[derive(Clone, Copy)]
pub struct AccessComponents {
    /// Their SPIR-V type.
    pub ty: Id,
    /// 1 or 2.
    pub words: u32,
}

impl AccessComponents {
    /// Components of an IR type.
    ///
    /// # Errors
    /// `Unsupported` where they are not numbers of 16, 32 or 64 bits.
    pub fn new(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, ty: TypeId) -> Result<Self> {
        let words = words_of(cx, ty)?;
        Ok(Self { ty: cx.entry.ty(code, ty)?, words })
    }
}

/// How many words a component takes.
fn words_of(cx: &FunctionCx<'_, '_>, ty: TypeId) -> Result<u32> {
    match *cx.input.ir_type(ty) {
        Type::Int(16 | 32) | Type::Float(16 | 32) => Ok(1),
        Type::Int(64) | Type::Float(64) => Ok(2),
        _ => Err(unsupported!(
            cx.entry.place,
            "an access to a buffer by components other than 16-, 32- or 64-bit numbers"
        )),
    }
}

/// The component that a word of `width` bits holds. A minimum-precision one is held as a 32-bit
/// number.
pub fn from_word(code: &mut Code<'_, '_>, width: u32, ty: Id, word: Id) -> Id {
    match (code.width(ty), width, code.ty(ty)) {
        (Some(16), 32, Some(dxil_spirv_builder::Type::Float { .. })) => {
            let single = code.type_f32();
            let value = code.bitcast(single, word);
            code.unary(Op::FConvert, ty, value)
        }
        (Some(16), 32, _) => code.unary(Op::UConvert, ty, word),
        _ => code.bitcast(ty, word),
    }
}

/// The words of `width` bits that hold components, as a vector of type `ty`, or as one word.
pub fn to_words(code: &mut Code<'_, '_>, width: u32, ty: Id, leaves: &[Leaf]) -> Id {
    if let Some(&Leaf::Component(vector, _)) = leaves.first()
        && code.type_of(vector).and_then(|own| code.width(code.scalar(own).0)) == Some(width)
        && let Some(vector) = vector_of_leaves(code, leaves)
    {
        return code.bitcast(ty, vector);
    }
    let element = code.scalar(ty).0;
    let mut words = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        let value = leaf.value(code);
        words.push(to_word(code, width, element, value));
    }
    code.construct(ty, &words)
}

/// The word of `width` bits that holds a component. DXIL does not say whether a 16-bit integer is
/// signed. Its sign is extended, which keeps small negative numbers; loads read the low half only.
pub fn to_word(code: &mut Code<'_, '_>, width: u32, element: Id, value: Id) -> Id {
    let own = code
        .type_of(value)
        .and_then(|ty| Some((code.width(ty)?, matches!(code.ty(ty), Some(dxil_spirv_builder::Type::Float { .. })))));
    match (own, width) {
        (Some((16, true)), 32) => {
            let single = code.type_f32();
            let value = code.unary(Op::FConvert, single, value);
            code.bitcast(element, value)
        }
        (Some((16, false)), 32) => code.unary(Op::SConvert, element, value),
        _ => code.bitcast(element, value),
    }
}
