//! The types of the source's variables.

use crate::ir::debug::{Encoding, SourceType, SourceTypeId, SourceTypeKind};
use crate::lower::cx::SourceIds;
use dxil_base::entity::PrimaryMap;
use dxil_base::error::Result;
use dxil_spirv_builder::{DebugOp, Id, Module};

/// The ids of types.
pub struct Types {
    pub ids: PrimaryMap<SourceTypeId, Id>,
    /// DebugInfoNone, in place of what is not known.
    none: Id,
}

/// Tags of DebugTypeComposite.
const CLASS: u32 = 0;
const STRUCTURE: u32 = 1;

impl Types {
    /// Declares all types.
    ///
    /// # Errors
    /// `Limit` if the module grows too long.
    pub fn declare(module: &mut Module<'_>, ids: &SourceIds<'_>, unit: Id) -> Result<Self> {
        let none = module.debug_info(DebugOp::DebugInfoNone, ());
        let mut types = Self { ids: PrimaryMap::new(), none };
        for ty in ids.info.types.values() {
            // A type refers to types before it only.
            let id = types.one(module, ids, unit, ty);
            types.ids.push(id);
            module.check_size()?;
        }
        Ok(types)
    }

    /// The id of a type.
    pub fn id(&self, ty: SourceTypeId) -> Id {
        self.ids.get(ty).copied().unwrap_or(self.none)
    }

    fn one(&self, module: &mut Module<'_>, ids: &SourceIds<'_>, unit: Id, ty: &SourceType) -> Id {
        match &ty.kind {
            SourceTypeKind::Number(encoding) => {
                // Boolean, Float, Signed and Unsigned of "Debug Base Type Attribute Encodings".
                let encoding = match encoding {
                    Encoding::Bool => 2,
                    Encoding::Float => 3,
                    Encoding::Signed => 4,
                    Encoding::Unsigned => 6,
                };
                let name = module.string(&ty.name);
                let [bits, encoding, flags] = [ty.bits as u32, encoding, 0].map(|number| module.const_u32(number));
                module.debug_info(DebugOp::DebugTypeBasic, &[name, bits, encoding, flags])
            }
            SourceTypeKind::Vector { component, count } => {
                let count = module.const_u32(*count);
                module.debug_info(DebugOp::DebugTypeVector, &[self.id(*component), count])
            }
            SourceTypeKind::Array { element, counts } => {
                let counts: Vec<Id> = counts.iter().map(|&count| module.const_u32(count)).collect();
                module.debug_info(DebugOp::DebugTypeArray, (&[self.id(*element)], &counts))
            }
            SourceTypeKind::Alias(ty) => self.id(*ty),
            SourceTypeKind::Structure(members) => {
                let member_ids: Vec<Id> = members
                    .iter()
                    .map(|member| {
                        let (file, line) = member.declared;
                        let name = module.string(&member.name);
                        let numbers = [line, 0, member.offset as u32, member.bits as u32, 0];
                        let [line, column, offset, bits, flags] = numbers.map(|number| module.const_u32(number));
                        let file = ids.files[file];
                        let operands = [name, self.id(member.ty), file, line, column, offset, bits, flags];
                        module.debug_info(DebugOp::DebugTypeMember, &operands)
                    })
                    .collect();
                self.composite(module, ids, unit, ty, &member_ids)
            }
        }
    }

    /// DebugTypeComposite. An object, as a texture, has no members and no size, and `@` before its
    /// name.
    fn composite(&self, module: &mut Module<'_>, ids: &SourceIds<'_>, unit: Id, ty: &SourceType, members: &[Id]) -> Id {
        let is_object = members.is_empty();
        let name = if is_object { format!("@{}", ty.name) } else { ty.name.to_string() };
        let name = module.string(&name);
        let [tag, zero] = [if is_object { CLASS } else { STRUCTURE }, 0].map(|number| module.const_u32(number));
        let bits = if is_object { self.none } else { module.const_u32(ty.bits as u32) };
        let file = ids.files.values().next().copied().unwrap_or(self.none);
        let operands = [name, tag, file, zero, zero, unit, name, bits, zero];
        module.debug_info(DebugOp::DebugTypeComposite, (&operands, members))
    }

    /// DebugTypeFunction.
    pub fn function(&self, module: &mut Module<'_>, signature: &[Option<SourceTypeId>]) -> Id {
        let flags = module.const_u32(0);
        let (result, parameters) = signature.split_first().unwrap_or((&None, &[]));
        let result = result.map_or_else(|| module.type_void(), |ty| self.id(ty));
        let parameters: Vec<Id> = parameters.iter().map(|ty| ty.map_or(self.none, |ty| self.id(ty))).collect();
        module.debug_info(DebugOp::DebugTypeFunction, (&[flags, result], &parameters))
    }
}
