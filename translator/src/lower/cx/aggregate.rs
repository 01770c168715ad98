//! Structures and arrays as values: lists of leaves.
//!
//! Operations return small structures, and LLVM may hold any aggregate in a value. Lowering gives
//! no aggregate a SPIR-V id. It keeps the list of the aggregate's leaves, its scalars and vectors
//! in order, so that extracting one needs no instruction.

use super::entry::EntryCx;
use super::function::FunctionCx;
use super::lowered::{Code, Leaf, Lowered};

use crate::ir::{Const, ConstKind, PartCounts, Type, TypeId, Value, ValueKind};
use dxil_base::error::Result;
use dxil_base::limits;
use dxil_base::limits::{VALUE_LEAVES, VALUE_PARTS};
use dxil_spirv_builder::Id;

/// How many components a [`Lowered::Row`] has.
const ROW: u8 = 4;

impl EntryCx<'_> {
    /// How many leaves a type has.
    ///
    /// # Errors
    /// `Limit` if the type has more than [`VALUE_LEAVES`] leaves, or more than [`VALUE_PARTS`] with
    /// its structures and arrays.
    pub fn leaf_count(&self, ty: TypeId) -> Result<usize> {
        let PartCounts { leaves, parts } = self.input.program.module.types.counts(ty);
        limits::check(self.place, "numbers in one value", leaves as usize, VALUE_LEAVES)?;
        limits::check(self.place, "structures, arrays and numbers in one value", parts as usize, VALUE_PARTS)?;
        Ok(leaves as usize)
    }

    /// The type of the elements of an operation's result structure. A type that is not a structure
    /// is its own element type.
    ///
    /// # Errors
    /// `Malformed` if the structure is empty.
    pub fn element_type(&self, ty: TypeId) -> Result<TypeId> {
        match self.input.ir_type(ty) {
            Type::Struct { fields, .. } => fields
                .first()
                .copied()
                .ok_or_else(|| malformed!(self.place, "the result of an operation is an empty structure")),
            _ => Ok(ty),
        }
    }

    /// The index of the first leaf and the type of the member at constant indexes.
    ///
    /// # Errors
    /// `Malformed` if there is no such member.
    pub fn member(&self, mut ty: TypeId, indices: &[u32]) -> Result<(usize, TypeId)> {
        let _ = self.leaf_count(ty)?;
        let leaves = |ty| self.input.program.module.types.counts(ty).leaves as usize;
        let mut first = 0;
        for &index in indices {
            match self.input.ir_type(ty) {
                Type::Struct { fields, .. } => {
                    let Some((before, &[field, ..])) = fields.split_at_checked(index as usize) else {
                        return Err(malformed!(self.place, "the structure has no member {index}"));
                    };
                    first += before.iter().map(|&field| leaves(field)).sum::<usize>();
                    ty = field;
                }
                Type::Array { element, len } if index < *len => {
                    first += leaves(*element) * index as usize;
                    ty = *element;
                }
                _ => return Err(malformed!(self.place, "the value has no member {index}")),
            }
        }
        Ok((first, ty))
    }

    fn constant_leaves(&mut self, code: &mut Code<'_, '_>, constant: Const, out: &mut Vec<Id>) -> Result<()> {
        let program = self.input.program;
        let data = &program.module.consts[constant];
        let _ = self.leaf_count(data.ty)?;
        match (&data.kind, &program.module.types[data.ty]) {
            (ConstKind::Aggregate(elements), Type::Struct { .. } | Type::Array { .. }) => {
                elements.iter().try_for_each(|&e| self.constant_leaves(code, e, out))
            }
            (ConstKind::Null | ConstKind::Undef, Type::Struct { .. } | Type::Array { .. }) => {
                self.leaf_types(data.ty, &mut |cx, ty| {
                    let ty = cx.ty(code, ty)?;
                    out.push(code.const_null(ty));
                    Ok(())
                })
            }
            _ => {
                out.push(self.constant(code, constant)?);
                Ok(())
            }
        }
    }

    fn leaf_types(&mut self, ty: TypeId, f: &mut dyn FnMut(&mut Self, TypeId) -> Result<()>) -> Result<()> {
        let program = self.input.program;
        match &program.module.types[ty] {
            Type::Struct { fields, .. } => fields.iter().try_for_each(|&field| self.leaf_types(field, f)),
            Type::Array { element, len } => (0..*len).try_for_each(|_| self.leaf_types(*element, f)),
            _ => f(self, ty),
        }
    }

    /// Extracts all leaves of a SPIR-V composite.
    ///
    /// # Errors
    /// As [`ty`](Self::ty).
    pub fn explode(&mut self, code: &mut Code<'_, '_>, whole: Id, ty: TypeId, out: &mut Vec<Id>) -> Result<()> {
        let program = self.input.program;
        let _ = self.leaf_count(ty)?;
        let members: Vec<TypeId> = match &program.module.types[ty] {
            Type::Struct { fields, .. } => fields.to_vec(),
            Type::Array { element, len } => vec![*element; *len as usize],
            _ => {
                out.push(whole);
                return Ok(());
            }
        };
        for (i, &member) in members.iter().enumerate() {
            let member_ty = self.ty(code, member)?;
            let part = code.extract(member_ty, whole, &[i as u32]);
            self.explode(code, part, member, out)?;
        }
        Ok(())
    }

    /// Constructs a SPIR-V composite from its leaves.
    ///
    /// # Errors
    /// As [`ty`](Self::ty).
    pub fn implode(&mut self, code: &mut Code<'_, '_>, ty: TypeId, leaves: &mut dyn Iterator<Item = Id>) -> Result<Id> {
        let program = self.input.program;
        let _ = self.leaf_count(ty)?;
        let members: Vec<TypeId> = match &program.module.types[ty] {
            Type::Struct { fields, .. } => fields.to_vec(),
            Type::Array { element, len } => vec![*element; *len as usize],
            _ => return leaves.next().ok_or_else(|| bug!(self.place, "an aggregate has fewer leaves than its type")),
        };
        let mut ids = Vec::with_capacity(members.len());
        for &member in &members {
            ids.push(self.implode(code, member, leaves)?);
        }
        let ty = self.ty(code, ty)?;
        Ok(code.op(rspirv::spirv::Op::CompositeConstruct, ty, &ids))
    }
}

impl FunctionCx<'_, '_> {
    /// The leaves of an aggregate value.
    ///
    /// # Errors
    /// As [`value`](Self::value) of each leaf.
    pub fn aggregate(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Vec<Id>> {
        if let Some(whole) = self.locals.repaired(value, self.node) {
            let (ty, mut leaves) = (self.type_of(value), Vec::new());
            self.entry.explode(code, whole, ty, &mut leaves)?;
            return Ok(leaves);
        }
        match value.kind() {
            ValueKind::Local(_) => match self.locals.slot(value, self.node) {
                Some(Lowered::Parts(parts)) => {
                    Ok(self.locals.leaves(parts).iter().map(|leaf| leaf.value(code)).collect())
                }
                Some(Lowered::Id(id)) => Ok(vec![id]),
                Some(Lowered::Component(..)) => Ok(vec![self.value(code, value)?]),
                Some(Lowered::Row(row)) => Ok((0..ROW).map(|n| code.component(row, n.into())).collect()),
                Some(Lowered::Virtual) => {
                    Err(unsupported!(self.entry.place, "a hit object that is chosen, or is a value elsewhere"))
                }
                _ => {
                    self.input.uses.met.set(true);
                    Err(unsupported!(
                        self.entry.place,
                        "a structure or array is used where its definition does not dominate the use"
                    ))
                }
            },
            ValueKind::Const(c) => {
                let mut out = Vec::new();
                self.entry.constant_leaves(code, c, &mut out)?;
                Ok(out)
            }
        }
    }

    /// A structure or array as one SPIR-V value. Members that are never read are zero, because the
    /// operation that defines the value may not compute them.
    ///
    /// # Errors
    /// As [`aggregate`](Self::aggregate).
    pub fn whole(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Id> {
        if let Some(whole) = self.locals.repaired(value, self.node) {
            return Ok(whole);
        }
        let (ty, program) = (self.type_of(value), self.input.program);
        let mut leaves = self.aggregate(code, value)?;
        let read = value.as_local().and_then(|i| self.analysis.extracted.get(i)).copied().unwrap_or(u8::MAX);
        if let Type::Struct { fields, .. } = &program.module.types[ty] {
            let mut at = 0;
            for (n, &field) in fields.iter().enumerate() {
                let count = self.entry.leaf_count(field)?;
                let slots = leaves.get_mut(at..at + count).unwrap_or_default();
                if n < 8 && read >> n & 1 == 0 && !self.input.is_aggregate(field) {
                    let ty = self.entry.ty(code, field)?;
                    slots.fill(code.const_null(ty));
                }
                at += count;
            }
        }
        self.entry.implode(code, ty, &mut leaves.into_iter())
    }

    /// `extractvalue`: the member at constant indexes.
    ///
    /// # Errors
    /// As [`member`](EntryCx::member) and [`aggregate`](Self::aggregate).
    pub fn extract_value(&mut self, code: &mut Code<'_, '_>, value: Value, indices: &[u32]) -> Result<Lowered> {
        let (at, member) = self.entry.member(self.type_of(value), indices)?;
        let is_leaf = !self.input.is_aggregate(member);
        if let Some(whole) = self.locals.repaired(value, self.node)
            && is_leaf
        {
            let member = self.entry.ty(code, member)?;
            return Ok(Lowered::Id(code.extract(member, whole, indices)));
        }
        // The common case is one member of an operation's result. It needs no list of leaves.
        let leaf = match self.locals.slot(value, self.node) {
            Some(Lowered::Row(row)) => Some((0..ROW).nth(at).map(|n| Leaf::Component(row, n).into())),
            Some(Lowered::Parts(parts)) if is_leaf => {
                Some(self.locals.leaves(parts).get(at).copied().map(Lowered::from))
            }
            _ => None,
        };
        if let Some(leaf) = leaf {
            return leaf.ok_or_else(|| bug!(self.entry.place, "the result of an operation has no member {at}"));
        }
        let (leaves, count) = (self.aggregate(code, value)?, self.entry.leaf_count(member)?);
        match leaves.get(at..at + count) {
            Some(&[leaf]) if is_leaf => Ok(Lowered::Id(leaf)),
            Some(leaves) => Ok(self.locals.parts(leaves)),
            None => Err(bug!(self.entry.place, "an aggregate has fewer leaves than its type")),
        }
    }

    /// `insertvalue`: the value with the member at constant indexes replaced.
    ///
    /// # Errors
    /// As [`extract_value`](Self::extract_value).
    pub fn insert_value(
        &mut self,
        code: &mut Code<'_, '_>,
        value: Value,
        member: Value,
        indices: &[u32],
    ) -> Result<Lowered> {
        let (at, ty) = self.entry.member(self.type_of(value), indices)?;
        let (mut leaves, new) = (self.aggregate(code, value)?, self.aggregate(code, member)?);
        let count = self.entry.leaf_count(ty)?;
        match leaves.get_mut(at..at + count) {
            Some(slot) if slot.len() == new.len() => slot.copy_from_slice(&new),
            _ => return Err(bug!(self.entry.place, "an aggregate has fewer leaves than its type")),
        }
        Ok(self.locals.parts(&leaves))
    }
}
