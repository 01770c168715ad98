//! Type rules of instructions and constant expressions (LLVM Language Reference, "Instruction
//! Reference").

use crate::ops::{CastOp, Predicate};
use crate::types::{Type, TypeId};
use crate::values::{Value, ValueId};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};

use super::reader::Reader;

impl Reader<'_> {
    /// A value that must exist.
    pub(super) fn existing(&self, place: Place, id: ValueId) -> Result<Value> {
        self.value(id).ok_or_else(|| {
            let count = self.module.values.len();
            malformed!(place, "a record refers to value {}, but only {count} are defined", id.index())
        })
    }

    /// The type of a value that may not be defined yet: blocks need not be in an order in which
    /// definitions come before uses.
    pub(super) fn type_ahead(&self, place: Place, id: ValueId) -> Result<TypeId> {
        match self.value(id) {
            Some(value) => Ok(value.ty),
            // The current record has just added it, so the search is short.
            None => match self.expected.iter().rev().find(|expected| expected.value == id).and_then(|e| e.ty) {
                Some(ty) => Ok(ty),
                None => self.existing(place, id).map(|value| value.ty),
            },
        }
    }

    #[cold]
    pub(super) fn wrong_type(
        &self,
        place: Place,
        value: ValueId,
        found: TypeId,
        wanted: TypeId,
    ) -> dxil_base::error::Error {
        let (found, wanted) = (self.module.type_text(found), self.module.type_text(wanted));
        malformed!(place, "value {} has type {found}; expected {wanted}", value.index())
    }

    /// The type itself, or that of a vector's elements.
    #[inline]
    pub(super) fn scalar(&self, ty: TypeId) -> Type {
        match self.module.types[ty] {
            Type::Vector { element, .. } => self.module.types[element],
            ty => ty,
        }
    }
    /// Length of a vector; zero for other types.
    fn lanes(&self, ty: TypeId) -> (u32, bool) {
        match self.module.types[ty] {
            Type::Vector { len, scalable, .. } => (len, scalable),
            _ => (0, false),
        }
    }
    /// A float, or a vector of them.
    #[inline]
    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        self.scalar(ty).is_float()
    }
    /// An integer or float, or a vector of them.
    #[inline]
    pub(super) fn is_number(&self, ty: TypeId) -> bool {
        let ty = self.scalar(ty);
        ty.is_float() || matches!(ty, Type::Integer(_))
    }
    /// A scalar integer.
    #[inline]
    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.module.types[ty], Type::Integer(_))
    }
    /// Type of a vector's elements.
    #[inline]
    pub(super) fn vector_element(&self, ty: TypeId) -> Option<TypeId> {
        match self.module.types[ty] {
            Type::Vector { element, .. } => Some(element),
            _ => None,
        }
    }
    /// Whether `select` may choose values of type `ty` by a condition of type `cond`.
    pub(super) fn condition_fits(&self, cond: TypeId, ty: TypeId) -> bool {
        self.scalar(cond) == Type::Integer(1) && (self.lanes(cond).0 == 0 || self.lanes(cond) == self.lanes(ty))
    }
    /// Whether values of the type can be compared by the predicate.
    #[inline]
    pub(super) fn comparable(&self, pred: Predicate, ty: TypeId) -> bool {
        match self.scalar(ty) {
            Type::Integer(_) | Type::Pointer { .. } | Type::OpaquePointer { .. } => !pred.is_float(),
            ty => ty.is_float() && pred.is_float(),
        }
    }
    /// Type of a comparison of values of the type: `i1`, or a vector of `i1`.
    pub(super) fn compare_type(&mut self, place: Place, ty: TypeId) -> Result<TypeId> {
        let bit = self.boolean(place)?;
        match self.module.types[ty] {
            Type::Vector { len, scalable, .. } => self.vector_of(place, bit, len, scalable),
            _ => Ok(bit),
        }
    }
    /// Type of a shuffle of two vectors of type `ty` by a mask of type `mask`; `None` if the types
    /// do not fit.
    pub(super) fn shuffle_type(&mut self, place: Place, ty: TypeId, mask: TypeId) -> Result<Option<TypeId>> {
        let (Some(element), Type::Vector { len, scalable, .. }) = (self.vector_element(ty), self.module.types[mask])
        else {
            return Ok(None);
        };
        if self.scalar(mask) != Type::Integer(32) {
            return Ok(None);
        }
        self.vector_of(place, element, len, scalable).map(Some)
    }
    /// Whether the conversion is valid (`CastInst::castIsValid`).
    pub(super) fn cast_fits(&self, op: CastOp, from: TypeId, to: TypeId) -> bool {
        let (a, b) = (self.scalar(from), self.scalar(to));
        let same_lanes = self.lanes(from) == self.lanes(to);
        let pointer = |ty| matches!(ty, Type::Pointer { .. } | Type::OpaquePointer { .. });
        let space = |ty| match ty {
            Type::Pointer { address_space, .. } | Type::OpaquePointer { address_space } => address_space,
            _ => 0,
        };
        let int = |ty| matches!(ty, Type::Integer(_));
        let (wa, wb) = (bits(a), bits(b));
        match op {
            CastOp::Trunc => int(a) && int(b) && wa > wb && same_lanes,
            CastOp::ZExt | CastOp::SExt => int(a) && int(b) && wa < wb && same_lanes,
            CastOp::FpTrunc => a.is_float() && b.is_float() && wa > wb && same_lanes,
            CastOp::FpExt => a.is_float() && b.is_float() && wa < wb && same_lanes,
            CastOp::UiToFp | CastOp::SiToFp => int(a) && b.is_float() && same_lanes,
            CastOp::FpToUi | CastOp::FpToSi => a.is_float() && int(b) && same_lanes,
            CastOp::PtrToInt => pointer(a) && int(b) && same_lanes,
            CastOp::IntToPtr => int(a) && pointer(b) && same_lanes,
            CastOp::AddrSpaceCast => pointer(a) && pointer(b) && space(a) != space(b) && same_lanes,
            CastOp::BitCast if pointer(a) || pointer(b) => {
                pointer(a) && pointer(b) && space(a) == space(b) && same_lanes
            }
            CastOp::BitCast => {
                let total = |lanes: (u32, bool), width: u32| u64::from(lanes.0.max(1)) * u64::from(width);
                wa != 0 && total(self.lanes(from), wa) == total(self.lanes(to), wb)
            }
        }
    }

    /// Type of `getelementptr`: follows the indexes through the type that the base, the first
    /// operand, points to.
    pub(super) fn address_type(&mut self, place: Place, base_ty: TypeId, operands: &[ValueId]) -> Result<TypeId> {
        let [base, indexes @ ..] = operands else {
            return Err(malformed!(place, "address arithmetic has no base pointer"));
        };
        let base = self.type_ahead(place, *base)?;
        let mut lanes = self.lanes(base);
        let space = match self.scalar(base) {
            Type::Pointer { pointee, address_space } if pointee == base_ty => Some(address_space),
            Type::OpaquePointer { .. } => None,
            _ => {
                let (base, wanted) = (self.module.type_text(base), self.module.type_text(base_ty));
                return Err(malformed!(
                    place,
                    "the base of address arithmetic has type {base}; expected a pointer to {wanted}"
                ));
            }
        };
        let mut ty = base_ty;
        for (level, &index) in indexes.iter().enumerate() {
            let index_ty = self.type_ahead(place, index)?;
            if !matches!(self.scalar(index_ty), Type::Integer(_)) {
                return Err(malformed!(
                    place,
                    "an index has type {}; expected an integer",
                    self.module.type_text(index_ty)
                ));
            }
            if lanes.0 == 0 {
                lanes = self.lanes(index_ty);
            }
            if level == 0 {
                continue;
            }
            ty = match self.module.types[ty] {
                Type::Array { element, .. } | Type::Vector { element, .. } => element,
                Type::Struct { fields, .. } => {
                    let number = self.module.constant_int(None, index);
                    let field = number.and_then(|n| self.module.type_lists[fields].get(usize::try_from(n).ok()?));
                    match (field, number) {
                        (Some(&field), _) => field,
                        (None, Some(n)) => {
                            return Err(malformed!(place, "field {n} does not exist in {}", self.module.type_text(ty)));
                        }
                        (None, None) => {
                            return Err(malformed!(place, "an index into a struct is not a constant integer"));
                        }
                    }
                }
                _ => {
                    return Err(malformed!(
                        place,
                        "an index goes into {}, which has no elements",
                        self.module.type_text(ty)
                    ));
                }
            };
        }
        let result = match space {
            Some(space) => self.pointer_to(place, ty, space)?,
            None => base,
        };
        if lanes.0 == 0 || self.lanes(result).0 != 0 {
            Ok(result)
        } else {
            self.vector_of(place, result, lanes.0, lanes.1)
        }
    }

    /// Type of the member that the indexes of `extractvalue` or `insertvalue` select in an
    /// aggregate.
    pub(super) fn member(&self, place: Place, aggregate: TypeId, indices: &[u64]) -> Result<TypeId> {
        let mut ty = aggregate;
        for &index in indices {
            let next = match self.module.types[ty] {
                Type::Struct { fields, .. } => {
                    usize::try_from(index).ok().and_then(|i| self.module.type_lists[fields].get(i)).copied()
                }
                Type::Array { len, element } => (index < len).then_some(element),
                _ => None,
            };
            let Some(next) = next else {
                return Err(malformed!(place, "member {index} does not exist in {}", self.module.type_text(ty)));
            };
            ty = next;
        }
        Ok(ty)
    }
}

/// Width of a number in bits; zero for other types.
fn bits(ty: Type) -> u32 {
    match ty {
        Type::Integer(width) => width,
        Type::Half | Type::BFloat => 16,
        Type::Float => 32,
        Type::Double | Type::X86Mmx => 64,
        Type::X86Fp80 => 80,
        Type::Fp128 | Type::PpcFp128 => 128,
        _ => 0,
    }
}
