//! What the decoding of types, constants and bodies shares.

use foldhash::HashMap;

use super::debug::DebugReader;
use super::tables::Tables;
use crate::ir::verify::Masks;
use crate::ir::*;
use crate::ops::{OpCode, preview_name};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_base::names::unmarked;
use dxil_bitcode as bitcode;

/// What is charged for functions and constants as they are decoded.
pub(super) const IR: &str = "the functions and constants of the IR";

/// What the names of operations begin with. The class follows.
pub(super) const OPERATION: &str = "dx.op.";

/// What is decoded: a module, and a body. The values of a body that is still being read are among
/// those of the module, as far as they are read.
#[derive(Clone, Copy)]
pub(super) struct Input<'m> {
    pub(super) module: &'m bitcode::Module,
    pub(super) body: &'m bitcode::Body,
}

impl<'m> Input<'m> {
    pub(super) fn value(self, id: bitcode::ValueId) -> Option<bitcode::Value> {
        self.module.value(Some(self.body), id)
    }
    pub(super) fn constant_int(self, id: bitcode::ValueId) -> Option<u64> {
        self.module.constant_int(Some(self.body), id)
    }
    pub(super) fn metadata(self, id: bitcode::MetadataId) -> Option<bitcode::Metadata> {
        self.module.metadata(Some(self.body), id)
    }
    pub(super) fn metadata_view(self, operand: bitcode::MetadataOperand) -> bitcode::MetadataView<'m> {
        self.module.metadata_view(Some(self.body), operand)
    }
}

/// State shared by the decoding of types, constants and bodies.
pub(super) struct Decoder<'a> {
    pub(super) fuel: &'a Fuel,
    pub(super) module: Module,
    pub(super) tables: Tables,
    /// Whether some type is [`Type::Other`].
    pub(super) any_other: bool,
    /// The number of values of the module without those of bodies.
    pub(super) module_values: usize,
    pub(super) globals: Vec<Option<Global>>,
    /// The number of constants of the IR that are charged.
    pub(super) charged_consts: usize,
    /// The globals whose initializers are not decoded yet, and the initializers.
    pub(super) initializers: Vec<(Global, bitcode::ValueId)>,
    /// Whether a caller decodes the initializers already.
    pub(super) in_initializers: bool,
    /// What the attribute lists ask for that are already decoded. Many functions may have one list.
    pub(super) attributes: HashMap<bitcode::AttributeListId, Attributes>,
    /// The kinds of attachments that are read, once there are any: `dx.precise`,
    /// `dx.controlflow.hints` and `llvm.loop`.
    pub(super) attachment_kinds: Option<[Option<u32>; 3]>,
    /// The functions that [`Decoded::unproven`](super::Decoded::unproven) lists.
    pub(super) unproven: Vec<Func>,
    /// The masks of shuffles that were checked.
    pub(super) masks: Masks,
    /// The debug information, if it is read.
    pub(super) debug: Option<DebugReader<'a>>,
}

impl Decoder<'_> {
    /// What an attribute list asks for of its function.
    pub(super) fn attributes(&mut self, input: &bitcode::Module, list: bitcode::AttributeListId) -> Attributes {
        *self.attributes.entry(list).or_insert_with(|| Attributes {
            denormals: match input.text_attribute(list, "fp32-denorm-mode") {
                Some(b"preserve") => Denormals::Preserve,
                Some(b"ftz") => Denormals::FlushToZero,
                _ => Denormals::Any,
            },
            includes_helper_lanes: input.text_attribute(list, "waveops-include-helper-lanes").is_some(),
        })
    }

    /// A name of the bitcode, as text.
    pub(super) fn name(&self, input: &bitcode::Module, name: bitcode::Str) -> Result<Box<str>> {
        let name = input.text(name);
        self.fuel.items::<u8>(Place::Input, IR, name.len())?;
        Ok(unmarked(&name).into())
    }

    /// The IR type of a bitcode type. The reader limits how deep types are nested, and the memo
    /// makes repeated types cheap.
    #[inline]
    pub(super) fn ty(&mut self, input: &bitcode::Module, id: bitcode::TypeId) -> TypeId {
        match self.tables.types.get(id.index()) {
            Some(&Some(done)) => done,
            _ => self.new_type(input, id),
        }
    }

    #[inline(never)]
    fn new_type(&mut self, input: &bitcode::Module, id: bitcode::TypeId) -> TypeId {
        if self.tables.open_types.contains(&id) || self.tables.open_types.len() > limits::TYPE_NESTING {
            self.any_other = true;
            return self.module.types.intern(Type::Other("type that contains itself".into()));
        }
        self.tables.open_types.push(id);
        let ty = self.describe(input, id);
        self.tables.open_types.pop();
        self.any_other |= matches!(ty, Type::Other(_));
        let done = self.module.types.intern(ty);
        // Bodies add types that their instructions imply.
        if self.tables.types.len() <= id.index() {
            self.tables.types.resize(id.index() + 1, None);
        }
        self.tables.types[id.index()] = Some(done);
        done
    }

    fn describe(&mut self, input: &bitcode::Module, id: bitcode::TypeId) -> Type {
        use bitcode::Type as B;
        let Some(&ty) = input.types.get(id) else { return Type::Other("missing type".into()) };
        match ty {
            B::Void => Type::Void,
            B::Half => Type::Float(16),
            B::Float => Type::Float(32),
            B::Double => Type::Float(64),
            B::Integer(bits @ 1..=64) => Type::Int(bits as u8),
            B::Integer(bits) => Type::Other(format!("i{bits}").into()),
            B::Pointer { pointee, address_space } => {
                Type::Pointer { pointee: self.ty(input, pointee), space: AddressSpace::from_number(address_space) }
            }
            B::Array { len, element } => match u32::try_from(len) {
                Ok(len) => Type::Array { element: self.ty(input, element), len },
                Err(_) => Type::Other(format!("array of {len} elements").into()),
            },
            B::Vector { len, element, scalable: false } => Type::Vector { element: self.ty(input, element), len },
            B::Struct { name, fields, packed } => {
                let name: Box<str> = name.map_or("".into(), |n| input.text(n).into());
                if &*name == "dx.types.Handle" {
                    return Type::Handle;
                }
                let fields = input.type_lists[fields].iter().map(|&f| self.ty(input, f)).collect();
                Type::Struct { name, fields, packed }
            }
            other => Type::Other(format!("{other:?}").into()),
        }
    }

    /// The operation with an opcode, which must be of the class that is called.
    pub(super) fn opcode(&self, place: Place, class: &[u8], number: u64) -> Result<OpCode> {
        let text = || String::from_utf8_lossy(class);
        let op = u32::try_from(number).ok().and_then(OpCode::from_u32).filter(|op| !op.is_vendors());
        let op = op.ok_or_else(|| match preview_name(number) {
            Some(name) => unsupported!(
                place,
                "operation {name} (opcode {number:#x}) of the preview of shader model 6.10, which is not translated"
            ),
            None => unsupported!(place, "unknown DXIL operation {number} of class `{}`", text()),
        })?;
        if op.info().class.as_bytes() != class {
            let (name, expected, class) = (op.info().name, op.info().class, text());
            return Err(malformed!(
                place,
                "operation {number} ({name}) has class `{expected}`, but is called as `{class}`"
            ));
        }
        Ok(op)
    }
}
