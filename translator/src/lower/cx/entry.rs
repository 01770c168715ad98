//! The state of lowering one entry point: the declarations that it has so far.
//!
//! In: what lowering reads. Out: ids of declarations, on demand. What must hold: two requests for
//! the same thing give the same declaration, and a declaration is made when it is first requested,
//! so the output declares only what it uses.

use std::collections::BTreeMap;

use super::declared::{Declared, DeclaredKey};
use super::ids::ModuleIds;
use super::input::Inputs;
use super::interface::Interface;
use super::memory::{BufferTypes, Globals, ImageDeclaration};
use crate::ir::resources::ResourceId;
use crate::ir::{Func, TypeId, Value};
use dxil_base::entity::{PrimaryMap, SecondaryMap};
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, Module};

/// The declarations of one entry point so far.
pub struct EntryCx<'a> {
    /// What lowering reads.
    pub input: Inputs<'a>,
    /// The instruction or function that is being lowered, for errors.
    pub place: Place,
    /// The SPIR-V types and constants.
    pub ids: ModuleIds,
    /// Whether values of each type, or their components, are held in wider numbers.
    pub widened: PrimaryMap<TypeId, bool>,
    /// SPIR-V function of each IR function.
    pub functions: SecondaryMap<Func, Option<Id>>,
    /// The global variables.
    pub globals: Globals,
    /// The types of buffers.
    pub buffers: BufferTypes,
    /// The images, texel buffers and samplers.
    pub images: SecondaryMap<ResourceId, Option<ImageDeclaration>>,
    /// The locations of inputs and outputs.
    pub interface: Interface,
    /// Other declarations at module scope.
    declared: BTreeMap<DeclaredKey, Id>,
}

impl<'a> EntryCx<'a> {
    /// Nothing is declared but `ids`, which other entry points of the module have declared.
    pub fn new(input: Inputs<'a>, ids: ModuleIds) -> Self {
        EntryCx {
            input,
            place: Place::Function(input.program.module.functions[input.entry.func].number),
            ids,
            widened: input.program.module.types.iter().map(|(ty, _)| input.is_widened(ty)).collect(),
            functions: SecondaryMap::default(),
            globals: Globals::default(),
            buffers: BufferTypes::default(),
            images: SecondaryMap::default(),
            interface: Interface::default(),
            declared: BTreeMap::new(),
        }
    }

    /// The id of a declaration. `make` declares it on the first request.
    pub fn declare<'p>(
        &mut self,
        module: &mut Module<'p>,
        what: Declared,
        make: impl FnOnce(&mut Self, &mut Module<'p>) -> Result<Id>,
    ) -> Result<Id> {
        if let Some(&id) = self.declared.get(&what.key()) {
            return Ok(id);
        }
        let id = make(self, module)?;
        self.declared.insert(what.key(), id);
        Ok(id)
    }

    /// The id of a declaration, if it was made before.
    pub fn declared(&self, what: Declared) -> Option<Id> {
        self.declared.get(&what.key()).copied()
    }

    /// The value of an operand that must be a constant.
    ///
    /// # Errors
    /// `Unsupported` if the value is not a constant of at most 32 bits. The verifier has checked
    /// the operands that the operation's row marks as immediates; some lowerings need other
    /// operands to be constant as well.
    pub fn immediate(&self, value: Value) -> Result<u32> {
        let number = self.input.const_uint(value).and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| {
            unsupported!(
                self.place,
                "operand {value} is not a constant; the operation needs a constant of at most 32 bits"
            )
        })
    }
}
