//! The byte offsets of constant addresses.
//!
//! In: a module and the places of its variables in the arrays. Out: [`Offsets`]. What must hold: a
//! constant address may be computed from another one, and so on. Each is computed once, however
//! many accesses use it.

use std::collections::BTreeMap;

use super::super::plan::ArrayOffset;
use crate::ir::data_layout::Sizes;
use crate::ir::{Const, ConstKind, Consts, Global, Module, Type, TypeId, Types};
use dxil_base::entity::Entity;

/// The position of each constant that is an address in an array.
pub(super) struct Offsets(Vec<Option<ArrayOffset>>);

impl Offsets {
    /// Computes the offsets of all constants of a module.
    pub(super) fn new(module: &Module, sizes: &Sizes, globals: &BTreeMap<Global, ArrayOffset>) -> Self {
        let mut offsets = Self(Vec::with_capacity(module.consts.len()));
        for (_, data) in module.consts.iter() {
            // A constant comes after those that it consists of.
            let offset = match &data.kind {
                ConstKind::GlobalAddr(global) => globals.get(global).copied(),
                ConstKind::Cast { value, .. } => offsets.get(*value),
                ConstKind::Gep { base, indices } => {
                    let base_ty = module.consts[*base].ty;
                    offsets.get(*base).and_then(|start| step(module, sizes, start, base_ty, indices))
                }
                _ => None,
            };
            offsets.0.push(offset);
        }
        offsets
    }

    /// The position of a constant address.
    pub(super) fn get(&self, constant: Const) -> Option<ArrayOffset> {
        self.0.get(constant.index()).copied().flatten()
    }
}

/// Applies the indexes of a constant address to the offset of its base.
fn step(module: &Module, sizes: &Sizes, start: ArrayOffset, base: TypeId, indices: &[Const]) -> Option<ArrayOffset> {
    let Type::Pointer { pointee, .. } = module.types[base] else { return None };
    let (mut ty, mut offset) = (pointee, start.offset);
    for (nth, &index) in indices.iter().enumerate() {
        let number = signed(&module.types, &module.consts, index)?;
        let (bytes, inner) = if nth == 0 { (sizes.stride(ty)?, ty) } else { enter(&module.types, sizes, ty, number)? };
        let count = if matches!(module.types[ty], Type::Struct { .. }) && nth > 0 { 1 } else { number };
        offset = offset.wrapping_add((bytes as i64).wrapping_mul(count) as u64);
        ty = inner;
    }
    Some(ArrayOffset { offset, ..start })
}

/// An integer constant with its sign.
pub(super) fn signed(types: &Types, consts: &Consts, constant: Const) -> Option<i64> {
    let (bits, number) = (types.scalar_bits(consts[constant].ty)?, consts.as_uint(constant)?);
    let unused = 64 - u32::from(bits.clamp(1, 64));
    Some((number << unused) as i64 >> unused)
}

/// Applies one index to a type: the bytes per step of the index (for a structure, the member's
/// offset), and the type of the part.
pub(super) fn enter(types: &Types, sizes: &Sizes, ty: TypeId, number: i64) -> Option<(u64, TypeId)> {
    match &types[ty] {
        Type::Array { element, .. } => Some((sizes.stride(*element)?, *element)),
        Type::Vector { element, .. } => Some((sizes.vector_step(types, *element)?, *element)),
        Type::Struct { fields, .. } => {
            let number = usize::try_from(number).ok()?;
            Some((sizes.member(ty, number)?, *fields.get(number)?))
        }
        _ => None,
    }
}
