//! Constants. They are interned by type and bits, and can be read back from their ids for folding.

use rspirv::spirv::{Decoration, Op};

use super::module::Module;
use super::ops::with_copies;
use super::words::{Id, instruction};

/// The value of a constant id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant<'a> {
    /// A bool.
    Bool(bool),
    /// The bits of an integer or float, zero-extended to 64.
    Bits(u64),
    /// Constituents, as words.
    Composite(&'a [u32]),
    /// Zero in all parts.
    Null,
    /// Undefined.
    Undef,
}

impl Module<'_> {
    /// The constant whose key is its instruction without the result.
    #[inline]
    fn constant(&mut self, op: Op, ty: Id, key: &[u32]) -> Id {
        self.intern(op, key, |module, id| module.write_constant(op, ty, id, key))
    }

    #[cold]
    fn write_constant(&mut self, op: Op, ty: Id, id: Id, key: &[u32]) {
        self.set_type(id, ty);
        instruction(&mut self.globals, [op as u32, ty.word(), id.word()], key.get(2..).unwrap_or_default());
    }

    /// A constant without operands.
    #[inline]
    fn constant_of(&mut self, op: Op, ty: Id) -> Id {
        self.constant(op, ty, &[op as u32, ty.word()])
    }

    /// A number of one word.
    #[inline]
    fn number(&mut self, ty: Id, word: u32) -> Id {
        self.constant(Op::Constant, ty, &[Op::Constant as u32, ty.word(), word])
    }

    /// A constant of a number type by its bits. Bits above the width are dropped, because SPIR-V
    /// requires them to be zero for unsigned integers and floats narrower than a word (SPIR-V
    /// 2.2.1).
    pub fn const_bits(&mut self, ty: Id, bits: u64) -> Id {
        let Some((width, signed)) = self.number_type(ty) else {
            self.fault(format!("a numeric constant has type {ty}, which is not a number type"));
            return self.number(ty, bits as u32);
        };
        if width == 64 {
            return self.constant(
                Op::Constant,
                ty,
                &[Op::Constant as u32, ty.word(), bits as u32, (bits >> 32) as u32],
            );
        }
        let unused = 32 - width.clamp(1, 32);
        let shifted = (bits as u32) << unused;
        // Narrow signed integers must be sign-extended to the word instead.
        let word = if signed { (shifted as i32 >> unused) as u32 } else { shifted >> unused };
        self.number(ty, word)
    }

    /// A bool.
    pub fn const_bool(&mut self, value: bool) -> Id {
        let ty = self.type_bool();
        self.constant_of(if value { Op::ConstantTrue } else { Op::ConstantFalse }, ty)
    }
    /// A 32-bit unsigned integer.
    #[inline]
    pub fn const_u32(&mut self, value: u32) -> Id {
        match self.common.words.get(value as usize) {
            Some(&Some(id)) => id,
            _ => self.new_const_u32(value),
        }
    }

    fn new_const_u32(&mut self, value: u32) -> Id {
        let ty = self.type_u32();
        let id = self.number(ty, value);
        if let Some(slot) = self.common.words.get_mut(value as usize) {
            *slot = Some(id);
        }
        id
    }
    /// A new specialisation constant, with its default value.
    pub fn spec_constant_u32(&mut self, id: u32, default: u32) -> Id {
        let ty = self.type_u32();
        let constant = self.fresh_value(ty);
        instruction(&mut self.globals, [Op::SpecConstant as u32, ty.word(), constant.word()], &[default]);
        self.decorate(constant, Decoration::SpecId, &[id]);
        constant
    }
    /// A 32-bit signed integer.
    pub fn const_i32(&mut self, value: i32) -> Id {
        let ty = self.type_i32();
        self.number(ty, value as u32)
    }
    /// A 32-bit float.
    #[inline]
    pub fn const_f32(&mut self, value: f32) -> Id {
        let ty = self.type_f32();
        self.number(ty, value.to_bits())
    }

    /// A constant composite.
    pub fn const_composite(&mut self, ty: Id, constituents: &[Id]) -> Id {
        let mut key = std::mem::take(&mut self.scratch);
        key.clear();
        key.extend([Op::ConstantComposite as u32, ty.word()]);
        key.extend(constituents.iter().map(|id| id.word()));
        let id = self.constant(Op::ConstantComposite, ty, &key);
        self.scratch = key;
        id
    }

    /// A vector with `value` in every component; `value` itself if `ty` is its scalar type.
    pub fn const_splat(&mut self, ty: Id, value: Id) -> Id {
        match self.vector(ty) {
            Some((_, count)) => with_copies(value, count, |all| self.const_composite(ty, all)),
            None => value,
        }
    }

    /// A scalar or vector with these bits in every component.
    pub fn const_bits_splat(&mut self, ty: Id, bits: u64) -> Id {
        let scalar = self.scalar(ty).0;
        let value = self.const_bits(scalar, bits);
        self.const_splat(ty, value)
    }

    /// The null constant of any type that has one.
    pub fn const_null(&mut self, ty: Id) -> Id {
        self.constant_of(Op::ConstantNull, ty)
    }

    /// OpUndef at module level. Each use of an undef value may read differently. A value that must
    /// not vary is replaced by [`const_null`](Self::const_null).
    pub fn undef(&mut self, ty: Id) -> Id {
        self.constant_of(Op::Undef, ty)
    }

    /// The value of a constant id; `None` if the id is not a constant.
    pub fn constant_value(&self, id: Id) -> Option<Constant<'_>> {
        let op = self.info(id).op?;
        let rest = self.key(id).get(2..)?;
        Some(match op {
            Op::ConstantTrue => Constant::Bool(true),
            Op::ConstantFalse => Constant::Bool(false),
            Op::Constant => {
                let low = u64::from(*rest.first()?);
                Constant::Bits(low | rest.get(1).map_or(0, |&high| u64::from(high) << 32))
            }
            Op::ConstantComposite => Constant::Composite(rest),
            Op::ConstantNull => Constant::Null,
            Op::Undef => Constant::Undef,
            _ => return None,
        })
    }

    /// The value of a constant number of at most 32 bits. A null constant has the value zero.
    pub fn constant_u32(&self, id: Id) -> Option<u32> {
        const CONSTANT: u32 = Op::Constant as u32;
        if let [CONSTANT, _, word] = *self.key(id) {
            return Some(word);
        }
        match self.constant_value(id)? {
            Constant::Bits(bits) => u32::try_from(bits).ok(),
            Constant::Null => self.width(self.type_of(id)?).map(|_| 0),
            _ => None,
        }
    }
}
