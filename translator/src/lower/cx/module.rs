//! The state of lowering one module: the entry, the facts about it, and the declarations that the
//! module has so far.
//!
//! In: the program, entry, plan and options. Out: ids of declarations, on demand. What must hold:
//! two requests for the same thing give the same declaration, and a declaration is made when it is
//! first requested, so the output declares only what it uses.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rspirv::spirv::StorageClass;

use super::declared::{Declared, DeclaredKey};
use super::input::Inputs;
use crate::analysis::entry::Source;
use crate::ir::resources::ResourceId;
use crate::ir::{Const, Func, Global, TypeId, Value};
use dxil_base::entity::SecondaryMap;
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, Module};

/// The state of lowering one entry point.
pub struct ModuleCx<'a> {
    /// What lowering reads.
    pub input: Inputs<'a>,
    /// The SPIR-V structures of the blocks of root arguments that are reached by an address.
    pub root_contents: BTreeMap<Source, Id>,
    /// The elements of the input signature that are known to have an output of the mesh shader.
    pub linked: RefCell<BTreeSet<u32>>,
    /// Rows and columns of the interface variables declared so far, with their storage class.
    pub locations: Vec<(StorageClass, Range<u32>, Range<u32>)>,
    /// SPIR-V type of the array of a structured buffer's elements, where they have members.
    pub element_arrays: SecondaryMap<ResourceId, Option<Id>>,
    /// SPIR-V variable of each global.
    pub globals: SecondaryMap<Global, Option<Id>>,
    /// The bytes of the groupshared variables that are declared.
    pub shared_bytes: u64,
    /// The next locations of payloads, and of parameters of callable shaders.
    pub payload_locations: [u32; 2],
    /// SPIR-V function of each IR function.
    pub functions: SecondaryMap<Func, Option<Id>>,
    /// The instruction or function that is being lowered, for errors.
    pub place: Place,
    /// The SPIR-V types and constants.
    pub ids: ModuleIds,
    /// Declarations at module scope.
    declared: BTreeMap<DeclaredKey, Id>,
}

/// The SPIR-V types and constants of a module. Entry points that widen the same types share them.
#[derive(Debug, Default)]
pub struct ModuleIds {
    /// SPIR-V type of each IR type.
    pub(super) types: SecondaryMap<TypeId, Option<Id>>,
    /// SPIR-V type of each IR type with integers in place of its floats.
    pub bit_types: SecondaryMap<TypeId, Option<Id>>,
    /// SPIR-V constant of each IR constant.
    pub(super) consts: SecondaryMap<Const, Option<Id>>,
}

impl<'a> ModuleCx<'a> {
    /// The state before any function is lowered. `ids` has what other entry points of the module
    /// declared.
    pub fn new(input: Inputs<'a>, ids: ModuleIds) -> Self {
        ModuleCx {
            input,
            root_contents: BTreeMap::new(),
            linked: RefCell::default(),
            locations: Vec::new(),
            element_arrays: SecondaryMap::default(),
            globals: SecondaryMap::default(),
            shared_bytes: 0,
            payload_locations: [0; 2],
            functions: SecondaryMap::default(),
            place: Place::Function(input.program.module.functions[input.entry.func].number),
            ids,
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

    /// The value as an unsigned constant, if it is one.
    pub fn const_uint(&self, value: Value) -> Option<u64> {
        self.input.program.module.const_uint(value)
    }

    /// The value of an operand that must be a constant.
    ///
    /// # Errors
    /// `Unsupported` if the value is not a constant of at most 32 bits. The verifier has checked
    /// the operands that the operation's row marks as immediates; some lowerings need other
    /// operands to be constant as well.
    pub fn immediate(&self, value: Value) -> Result<u32> {
        let number = self.const_uint(value).and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| {
            unsupported!(
                self.place,
                "operand {value} is not a constant; the operation needs a constant of at most 32 bits"
            )
        })
    }

    /// Whether the value is `undef`. DXIL writes `undef` for an operand that is absent.
    pub fn is_undef(&self, value: Value) -> bool {
        self.input.program.module.is_undef(value)
    }
}
