//! SPIR-V types and constants of IR types and constants.
//!
//! Integers are unsigned, because operations carry the sign. `i1` is OpTypeBool. `half` and 16-bit
//! integers are 16 bits wide in code with native 16-bit types. In minimum-precision code they are
//! 16 bits wide if the device has both types, otherwise 32 ([`precision`](super::precision)).
//! Widths that SPIR-V does not have are held in wider integers ([`narrow`](super::narrow)).

use rspirv::spirv::Capability;

use super::entry::EntryCx;
use crate::ir::{Const, ConstKind, Type, TypeId};
use dxil_base::error::Result;
use dxil_base::limits;
use dxil_spirv_builder::{Id, Member, Module, StructKind};

impl EntryCx<'_> {
    /// The SPIR-V type of an IR type.
    ///
    /// # Errors
    /// `MissingFeature` for widths that the device does not have; `Unsupported` for types that have
    /// no SPIR-V value.
    #[inline]
    pub fn ty(&mut self, module: &mut Module<'_>, ty: TypeId) -> Result<Id> {
        match self.ids.types[ty] {
            Some(id) => Ok(id),
            None => self.new_type(module, ty),
        }
    }

    #[inline(never)]
    fn new_type(&mut self, module: &mut Module<'_>, ty: TypeId) -> Result<Id> {
        let program = self.input.program;
        let id = match &program.module.types[ty] {
            Type::Void => module.type_void(),
            Type::Int(1) => module.type_bool(),
            Type::Float(16) if self.input.analysis.widens => module.type_f32(),
            Type::Int(bits) => module.type_int(self.input.held_bits(*bits).into())?,
            Type::Float(bits) => module.type_float(u32::from(*bits))?,
            Type::Vector { element, len } if (2..=4).contains(len) => {
                let element = self.ty(module, *element)?;
                module.type_vector(element, *len)
            }
            Type::Vector { element, len } if module.caps.limits().max_vector_components >= *len && *len > 4 => {
                module.caps.capability(Capability::LongVectorEXT)?;
                let element = self.ty(module, *element)?;
                module.type_vector(element, *len)
            }
            Type::Vector { len, .. } => {
                return Err(unsupported!(self.place, "a vector of {len} elements; SPIR-V's vectors have 2 to 4"));
            }
            Type::Array { element, len } => {
                if *len == 0 {
                    return Err(unsupported!(self.place, "an array without elements in memory"));
                }
                let element = self.ty(module, *element)?;
                module.type_array(element, *len, None)
            }
            // A structure may be empty: the payload of a ray that only asks whether it hits.
            Type::Struct { fields, .. } => {
                let mut members = Vec::with_capacity(fields.len());
                for &field in fields {
                    members.push(Member::new(self.ty(module, field)?));
                }
                module.type_struct(StructKind::Plain, &members)
            }
            Type::Pointer { .. } => return Err(unsupported!(self.place, "a pointer in memory or as a value")),
            Type::Handle => return Err(unsupported!(self.place, "a handle in memory or as a value")),
            Type::Other(name) => return Err(unsupported!(self.place, "a value of type {name}")),
        };
        self.ids.types[ty] = Some(id);
        Ok(id)
    }

    /// The SPIR-V constant of an IR constant.
    ///
    /// # Errors
    /// As [`ty`](Self::ty), and `Unsupported` for addresses and expressions, which are resolved
    /// where they are used.
    #[inline]
    pub fn constant(&mut self, module: &mut Module<'_>, constant: Const) -> Result<Id> {
        match self.ids.consts[constant] {
            Some(id) => Ok(id),
            None => self.new_constant(module, constant),
        }
    }

    #[inline(never)]
    fn new_constant(&mut self, module: &mut Module<'_>, constant: Const) -> Result<Id> {
        let program = self.input.program;
        let data = &program.module.consts[constant];
        let ty = self.ty(module, data.ty)?;
        let id = match &data.kind {
            ConstKind::Int(bits) if *self.input.ir_type(data.ty) == Type::Int(1) => module.const_bool(*bits != 0),
            ConstKind::Float(bits) if self.input.is_widened(data.ty) => {
                module.const_bits(ty, u64::from(dxil_base::half::single_bits(*bits as u16)))
            }
            ConstKind::Int(bits) | ConstKind::Float(bits) => module.const_bits(ty, *bits),
            ConstKind::Null => module.const_null(ty),
            // LLVM lets every use of undef see a different value, so zero is allowed. The same zero
            // at every use keeps two branches on one undef consistent and an index inside its
            // array.
            ConstKind::Undef => module.const_null(ty),
            ConstKind::Aggregate(elements) => {
                limits::check(self.place, "elements of a constant", elements.len(), limits::SPIRV_CONSTITUENTS)?;
                let mut ids = Vec::with_capacity(elements.len());
                for &element in elements {
                    ids.push(self.constant(module, element)?);
                }
                module.const_composite(ty, &ids)
            }
            ConstKind::GlobalAddr(_) | ConstKind::Gep { .. } => {
                return Err(unsupported!(self.place, "the address of a global as a value"));
            }
            ConstKind::Cast { op, .. } => {
                return Err(unsupported!(self.place, "constant expression `{op}` as a value"));
            }
            ConstKind::FuncAddr(_) => return Err(unsupported!(self.place, "the address of a function as a value")),
            ConstKind::Unsupported(why) => return Err(unsupported!(self.place, "{why}")),
        };
        self.ids.consts[constant] = Some(id);
        Ok(id)
    }
}
