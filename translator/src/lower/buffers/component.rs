//! Components of raw and structured buffers, and the words that hold them.

use rspirv::spirv::Op;

use crate::dxil::ir::{Type, TypeId};
use crate::error::Result;
use crate::lower::cx::{Code, FunctionCx};
use crate::spirv::Id;

/// How many words a component takes.
pub fn words_of(cx: &FunctionCx<'_, '_>, ty: TypeId) -> Result<u32> {
    match *cx.ir_type(ty) {
        Type::Int(16 | 32) | Type::Float(16 | 32) => Ok(1),
        Type::Int(64) | Type::Float(64) => Ok(2),
        _ => Err(unsupported!(cx.place, "an access to a buffer by components that are no 16-, 32- or 64-bit numbers")),
    }
}

/// A component from the word that holds it. A minimum-precision one is held as a 32-bit number.
pub fn from_word(code: &mut Code<'_, '_>, width: u32, ty: Id, word: Id) -> Id {
    match (code.width(ty), width, code.ty(ty)) {
        (Some(16), 32, Some(crate::spirv::Type::Float { .. })) => {
            let single = code.type_f32();
            let value = code.bitcast(single, word);
            code.unary(Op::FConvert, ty, value)
        }
        (Some(16), 32, _) => code.unary(Op::UConvert, ty, word),
        _ => code.bitcast(ty, word),
    }
}

/// The word that holds a component. DXIL does not say whether a 16-bit integer is signed; its sign is extended, which suits small negative
/// numbers. Loads look at the low half only.
pub fn to_word(code: &mut Code<'_, '_>, width: u32, element: Id, value: Id) -> Id {
    let own = code
        .type_of(value)
        .and_then(|ty| Some((code.width(ty)?, matches!(code.ty(ty), Some(crate::spirv::Type::Float { .. })))));
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
