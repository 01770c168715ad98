//! Checks records that may refer forward, after all values are known.
//!
//! In: the module, or a body that has just been read. What must hold afterwards: every number is in
//! range; values have the types that records gave them; the operands of constants are constants of
//! the types that LLVM's language reference requires; no constant contains itself; and constants
//! have bounded depth and size.

use crate::types::{Type, TypeId};
use crate::values::{Constant, ConstantId, ValueDef, ValueId};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

use super::checked::ConstantSize;
use super::reader::Reader;

impl Reader<'_> {
    /// Checks what is not checked yet: the module's own parts when all module blocks have been
    /// read, and then those of each body.
    pub(super) fn check(&mut self) -> Result<()> {
        self.check_expected()?;
        self.check_constants()?;
        self.check_metadata()
    }

    fn check_expected(&mut self) -> Result<()> {
        for expected in &self.expected {
            let place = Place::Bit(expected.bit);
            let value = self.existing(place, expected.value)?;
            if let Some(ty) = expected.ty
                && ty != value.ty
            {
                return Err(self.wrong_type(place, expected.value, value.ty, ty));
            }
        }
        self.expected.clear();
        Ok(())
    }

    fn check_metadata(&mut self) -> Result<()> {
        let (last, count) = (self.checked.metadata, self.module.metadata.len());
        self.checked.metadata = 0;
        if last > count {
            let place = self.stream.place();
            return Err(malformed!(place, "a record refers to metadata {}, but only {count} are defined", last - 1));
        }
        Ok(())
    }

    /// Checks the constants that are not checked yet. Uses an explicit stack.
    fn check_constants(&mut self) -> Result<()> {
        let unchecked = std::mem::take(&mut self.checked.unchecked);
        let mut stack = std::mem::take(&mut self.checked.stack);
        for &root in &unchecked {
            if self.checked.constants[root.index()].size == ConstantSize::Unknown {
                self.checked.constants[root.index()].size = ConstantSize::Open;
                stack.push((root, 0));
            }
            while let Some((id, next)) = stack.pop() {
                let place = Place::Bit(self.checked.constants[id.index()].bit.into());
                if let Some((child, at)) = self.unchecked_operand(place, id, next)? {
                    stack.push((id, at + 1));
                    limits::check(place, "nested constants", stack.len() + 1, limits::CONSTANT_NESTING)?;
                    self.checked.constants[child.index()].size = ConstantSize::Open;
                    stack.push((child, 0));
                } else {
                    let size = self.check_constant(place, id)?;
                    self.checked.constants[id.index()].size = size;
                }
            }
        }
        self.checked.stack = stack;
        self.checked.unchecked = unchecked;
        self.checked.unchecked.clear();
        Ok(())
    }

    /// The first operand of a constant, from one on, that is not checked yet, and its position.
    fn unchecked_operand(&self, place: Place, id: ConstantId, from: usize) -> Result<Option<(ConstantId, usize)>> {
        let mut inline = [ValueId::new(0); 3];
        let operands = self.constant_operands(self.module.constants[id], &mut inline);
        for (at, &operand) in operands.iter().enumerate().skip(from) {
            match self.existing(place, operand)?.def {
                ValueDef::Constant(child) => match self.checked.constants[child.index()].size {
                    ConstantSize::Known { .. } => {}
                    ConstantSize::Open => return Err(malformed!(place, "a constant contains itself")),
                    ConstantSize::Unknown => return Ok(Some((child, at))),
                },
                ValueDef::Global(_) | ValueDef::Function(_) | ValueDef::Alias(_) => {}
                _ => {
                    return Err(malformed!(
                        place,
                        "a constant refers to value {}, which is not a constant",
                        operand.index()
                    ));
                }
            }
        }
        Ok(None)
    }

    /// The operands of a constant.
    fn constant_operands<'s>(&'s self, constant: Constant, inline: &'s mut [ValueId; 3]) -> &'s [ValueId] {
        let mut some = |values: &[ValueId]| {
            for (slot, value) in inline.iter_mut().zip(values) {
                *slot = *value;
            }
            values.len()
        };
        let count = match constant {
            Constant::Aggregate(list) => return &self.module.constant_operands[list],
            Constant::GetElementPtr { operands, .. } => return &self.module.constant_operands[operands],
            Constant::Binary { lhs, rhs, .. } | Constant::Cmp { lhs, rhs, .. } => some(&[lhs, rhs]),
            Constant::Cast { value, .. } => some(&[value]),
            Constant::Select { cond, if_true, if_false } => some(&[cond, if_true, if_false]),
            Constant::ExtractElement { vector, index } => some(&[vector, index]),
            Constant::InsertElement { vector, element, index } => some(&[vector, element, index]),
            Constant::ShuffleVector { lhs, rhs, mask } => some(&[lhs, rhs, mask]),
            Constant::BlockAddress { function, .. } => some(&[function]),
            Constant::Null
            | Constant::Undef
            | Constant::Poison
            | Constant::Int(_)
            | Constant::WideInt(_)
            | Constant::Float(_)
            | Constant::WideFloat(_)
            | Constant::Data(_)
            | Constant::InlineAsm { .. } => 0,
        };
        inline.get(..count).unwrap_or_default()
    }

    /// Checks the types of one constant whose operands are known and checked.
    fn check_constant(&mut self, place: Place, id: ConstantId) -> Result<ConstantSize> {
        let ty = self.checked.constants[id.index()].ty;
        let constant = self.module.constants[id];
        let (mut deepest, mut total) = (0, 0u32);
        let mut inline = [ValueId::new(0); 3];
        let mut types = [ty; 3];
        for (i, &operand) in self.constant_operands(constant, &mut inline).iter().enumerate() {
            let value = self.existing(place, operand)?;
            if let Some(slot) = types.get_mut(i) {
                *slot = value.ty;
            }
            if let ValueDef::Constant(child) = value.def
                && let ConstantSize::Known { depth, leaves } = self.checked.constants[child.index()].size
            {
                deepest = deepest.max(depth);
                total = total.saturating_add(leaves);
            }
        }
        let fits = match constant {
            Constant::Null
            | Constant::Undef
            | Constant::Poison
            | Constant::Int(_)
            | Constant::WideInt(_)
            | Constant::Float(_)
            | Constant::WideFloat(_)
            | Constant::InlineAsm { .. }
            | Constant::BlockAddress { .. } => true,
            Constant::Data(words) => {
                total = words.len() as u32;
                match self.module.types[ty] {
                    Type::Array { len, .. } => len == words.len() as u64,
                    Type::Vector { len, .. } => len as usize == words.len(),
                    _ => false,
                }
            }
            Constant::Aggregate(list) => self.aggregate_fits(place, ty, &self.module.constant_operands[list])?,
            Constant::Binary { op, .. } => {
                types[0] == ty && types[1] == ty && self.is_float(ty) == op.is_float() && self.is_number(ty)
            }
            Constant::Cast { op, .. } => self.cast_fits(op, types[0], ty),
            Constant::GetElementPtr { base_ty, operands, .. } => {
                let values = self.module.constant_operands[operands].to_vec();
                self.address_type(place, base_ty, &values)? == ty
            }
            Constant::Select { .. } => types[1] == ty && types[2] == ty && self.condition_fits(types[0], ty),
            Constant::Cmp { pred, .. } => {
                types[0] == types[1] && self.comparable(pred, types[0]) && self.compare_type(place, types[0])? == ty
            }
            Constant::ExtractElement { .. } => self.vector_element(types[0]) == Some(ty) && self.is_integer(types[1]),
            Constant::InsertElement { .. } => {
                types[0] == ty && self.vector_element(ty) == Some(types[1]) && self.is_integer(types[2])
            }
            Constant::ShuffleVector { .. } => {
                types[0] == types[1] && self.shuffle_type(place, types[0], types[2])? == Some(ty)
            }
        };
        if !fits {
            return Err(malformed!(
                place,
                "the operands of a constant do not fit its type {}",
                self.module.type_text(ty)
            ));
        }
        limits::check(place, "nested constants", deepest as usize + 1, limits::CONSTANT_NESTING)?;
        limits::check(place, "elements in one constant", total as usize, limits::CONSTANT_WORDS)?;
        Ok(ConstantSize::Known { depth: deepest + 1, leaves: total.max(1) })
    }

    fn aggregate_fits(&self, place: Place, ty: TypeId, elements: &[ValueId]) -> Result<bool> {
        let all = |element: TypeId| -> Result<bool> {
            for &value in elements {
                if self.existing(place, value)?.ty != element {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match self.module.types[ty] {
            Type::Array { len, element } => Ok(len == elements.len() as u64 && all(element)?),
            Type::Vector { len, element, .. } => Ok(len as usize == elements.len() && all(element)?),
            Type::Struct { fields, .. } => {
                let fields = &self.module.type_lists[fields];
                for (&field, &value) in fields.iter().zip(elements) {
                    if self.existing(place, value)?.ty != field {
                        return Ok(false);
                    }
                }
                Ok(fields.len() == elements.len())
            }
            _ => Ok(false),
        }
    }
}
