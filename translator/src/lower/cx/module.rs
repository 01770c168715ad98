//! The state of lowering one module: the entry and what is known of it, and what the module has
//! declared.
//!
//! In: the program, entry, plan and options. Out: ids of declarations, on demand. What must hold:
//! asking twice gives the same declaration, and a declaration is made when it is first asked for,
//! so the output declares only what it uses.

use std::collections::BTreeMap;
use std::ops::Range;

use rspirv::spirv::StorageClass;

use super::declared::{Declared, DeclaredKey};
use crate::binding::plan::BindingPlan;
use crate::dxil::ir::{Const, Func, Global, TypeId, Value};
use crate::dxil::program::{Entry, Program};
use crate::entity::SecondaryMap;
use crate::error::{Place, Result};
use crate::lower::facts::{Tangles, Usage};
use crate::options::Options;
use crate::spirv::{Id, Module};

/// The state of lowering one module.
pub struct ModuleCx<'a> {
    /// The program that the entry belongs to.
    pub program: &'a Program,
    /// The entry that is lowered.
    pub entry: &'a Entry,
    /// Where the program's resources live.
    pub plan: &'a BindingPlan,
    /// The caller's choices.
    pub options: &'a Options,
    /// What the entry does with each resource.
    pub usage: Usage,
    /// Which of its operations depend on the lanes that run them together.
    pub tangles: Tangles,
    /// Input elements of a pixel shader that are read per vertex, by number.
    pub per_vertex: Vec<u32>,
    /// Whether the entry is a pixel shader that runs once for each sample.
    pub runs_per_sample: bool,
    /// Whether minimum-precision numbers are 32 bits wide in the output.
    pub widens: bool,
    /// Whether a discard sets a flag instead of demoting.
    pub flags_discards: bool,
    /// Rows and columns that interface variables have, by storage class.
    pub locations: Vec<(StorageClass, Range<u32>, Range<u32>)>,
    /// SPIR-V variable of each global.
    pub globals: SecondaryMap<Global, Option<Id>>,
    /// Variables whose floats are declared as integers.
    pub bit_globals: Vec<Id>,
    /// SPIR-V function of each IR function.
    pub functions: SecondaryMap<Func, Option<Id>>,
    /// The instruction or function at hand, for errors.
    pub place: Place,
    /// SPIR-V type of each IR type.
    pub(super) types: SecondaryMap<TypeId, Option<Id>>,
    /// SPIR-V constant of each IR constant.
    pub(super) consts: SecondaryMap<Const, Option<Id>>,
    /// Declarations at module scope.
    declared: BTreeMap<DeclaredKey, Id>,
}

impl<'a> ModuleCx<'a> {
    /// The state before any function is lowered and before any fact is known.
    pub fn new(program: &'a Program, entry: &'a Entry, plan: &'a BindingPlan, options: &'a Options) -> Self {
        ModuleCx {
            program,
            entry,
            plan,
            options,
            usage: Usage::default(),
            tangles: Tangles::default(),
            per_vertex: Vec::new(),
            runs_per_sample: false,
            widens: false,
            flags_discards: false,
            locations: Vec::new(),
            globals: SecondaryMap::default(),
            bit_globals: Vec::new(),
            functions: SecondaryMap::default(),
            place: Place::Function(program.module.functions[entry.func].number),
            types: SecondaryMap::default(),
            consts: SecondaryMap::default(),
            declared: BTreeMap::new(),
        }
    }

    /// The declaration, made by `make` when it is asked for the first time.
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

    /// A declaration that was made before, where it was.
    pub fn declared(&self, what: Declared) -> Option<Id> {
        self.declared.get(&what.key()).copied()
    }

    /// The value as an unsigned constant, where it is one.
    pub fn const_uint(&self, value: Value) -> Option<u64> {
        self.program.module.const_uint(value)
    }

    /// The value of an operand that must be a constant.
    ///
    /// # Errors
    /// `Unsupported` where the value is not a constant of at most 32 bits. The verifier has checked
    /// the operands that the operation's row marks as immediates; lowerings ask for others too.
    pub fn immediate(&self, value: Value) -> Result<u32> {
        let number = self.const_uint(value).and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| unsupported!(self.place, "{value} is no constant of at most 32 bits"))
    }

    /// Whether the value is `undef`: an operand that the operation does not have here.
    pub fn is_undef(&self, value: Value) -> bool {
        self.program.module.is_undef(value)
    }
}
