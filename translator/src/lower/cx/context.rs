//! The state of lowering: what each IR value became, and what the module declared for it.
//!
//! In: the program, plan and options. Out: ids on demand. What must hold: asking twice gives the same declaration; every
//! declaration is made when first asked for, so what nothing uses is not declared.

use std::collections::BTreeMap;
use std::ops::Range;

use rspirv::spirv::StorageClass;
use rustc_hash::FxHashMap;

use super::declared::{Declared, DeclaredKey};
use super::lowered::{Lowered, Parts};
use crate::binding::plan::BindingPlan;
use crate::dxil::ir::{Const, Func, Function, Global, Inst, TypeId, Value, ValueKind};
use crate::dxil::program::{Entry, Program};
use crate::entity::{Entity, SecondaryMap};
use crate::error::{Place, Result};
use crate::lower::facts::{Interlock, Tangles, Usage};
use crate::options::Options;
use crate::spirv::{Id, Module};
use crate::structure::Node;

/// The state of lowering one module.
pub struct Context<'a> {
    /// The program that the entry belongs to.
    pub program: &'a Program,
    /// The entry that is lowered.
    pub entry: &'a Entry,
    /// The functions that the entry reaches, callees before their callers.
    pub reached: &'a [Func],
    /// Where its resources live.
    pub plan: &'a BindingPlan,
    /// The caller's choices.
    pub options: &'a Options,
    /// What the shader does with each resource.
    pub usage: Usage,
    /// Input elements of a pixel shader that are read per vertex, by number.
    pub per_vertex: Vec<u32>,
    /// Rows and columns that interface variables have, by storage class.
    pub locations: Vec<(StorageClass, Range<u32>, Range<u32>)>,
    /// Which operations of it depend on the lanes that run them together.
    pub tangles: Tangles,
    /// The critical section of the function at hand.
    pub interlock: Option<Interlock>,
    /// Whether minimum-precision numbers are 32 bits wide in the output.
    pub widens: bool,
    /// Whether the entry is a pixel shader that runs once for each sample.
    pub runs_per_sample: bool,
    /// Whether a discard sets a flag instead of demoting.
    pub flags_discards: bool,
    /// The function at hand.
    pub function: &'a Function,
    /// The instruction or function at hand, for errors.
    pub place: Place,
    /// The node of the structured graph at hand.
    pub node: Node,
    /// What each local became.
    pub slots: Vec<Lowered>,
    /// Values that structuring moved out of reach of a use, by value and node of the use.
    pub repaired: FxHashMap<(Value, Node), Id>,
    /// Which members of each local anything takes out; see [`usage::extracted`](super::usage::extracted).
    pub extracted: Vec<u8>,
    /// Leaves of structures.
    pub pool: Vec<Id>,
    /// SPIR-V type of each IR type.
    pub types: SecondaryMap<TypeId, Option<Id>>,
    /// SPIR-V constant of each IR constant.
    pub consts: SecondaryMap<Const, Option<Id>>,
    /// SPIR-V variable of each global.
    pub globals: SecondaryMap<Global, Option<Id>>,
    /// Variables whose floats are declared as integers.
    pub bit_globals: Vec<Id>,
    /// SPIR-V function of each IR function.
    pub functions: SecondaryMap<Func, Option<Id>>,
    /// SPIR-V variable of each alloca of the function at hand, by its result.
    pub allocas: FxHashMap<Value, Id>,
    /// Declarations at module scope.
    pub declared: BTreeMap<DeclaredKey, Id>,
}

impl<'a> Context<'a> {
    /// A context for the program, before any function.
    pub fn new(
        (program, entry, reached): (&'a Program, &'a Entry, &'a [Func]),
        plan: &'a BindingPlan,
        options: &'a Options,
        function: &'a Function,
    ) -> Self {
        Context {
            program,
            entry,
            reached,
            plan,
            options,
            usage: Usage::default(),
            per_vertex: Vec::new(),
            locations: Vec::new(),
            tangles: Tangles::default(),
            interlock: None,
            runs_per_sample: false,
            flags_discards: false,
            widens: false,
            function,
            place: Place::Function(function.number),
            node: Node::new(0),
            slots: Vec::new(),
            repaired: FxHashMap::default(),
            extracted: Vec::new(),
            pool: Vec::new(),
            types: SecondaryMap::default(),
            consts: SecondaryMap::default(),
            globals: SecondaryMap::default(),
            bit_globals: Vec::new(),
            functions: SecondaryMap::default(),
            allocas: FxHashMap::default(),
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

    /// The IR type of a value.
    pub fn type_of(&self, value: Value) -> TypeId {
        self.program.module.type_of(self.function, value)
    }

    /// The value as an unsigned constant, where it is one.
    pub fn const_uint(&self, value: Value) -> Option<u64> {
        self.program.module.const_uint(value)
    }

    /// The value as a constant that the operation's row calls an immediate.
    ///
    /// # Errors
    /// `Bug`: the verifier has checked it.
    pub fn immediate(&self, value: Value) -> Result<u32> {
        let number = self.const_uint(value).and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| unsupported!(self.place, "{value} is no constant of at most 32 bits"))
    }

    /// Whether the value is `undef`: an operand that the operation does not have here.
    pub fn is_undef(&self, value: Value) -> bool {
        self.program.module.is_undef(value)
    }

    /// The SPIR-V value of an IR value: number, bool or vector.
    ///
    /// # Errors
    /// `Unsupported` for structures, handles and pointers, which have none; `MissingFeature` for types that the device has not.
    pub fn value(&mut self, module: &mut Module<'_>, value: Value) -> Result<Id> {
        match value.kind() {
            ValueKind::Const(c) => self.constant(module, c),
            ValueKind::Local(index) => {
                if !self.repaired.is_empty()
                    && let Some(&id) = self.repaired.get(&(value, self.node))
                {
                    return Ok(id);
                }
                match self.slots.get(index) {
                    Some(Lowered::Id(id)) => Ok(*id),
                    Some(Lowered::Parts(_) | Lowered::Row(..)) => {
                        Err(unsupported!(self.place, "a structure used as one value"))
                    }
                    Some(Lowered::Virtual) => Err(unsupported!(self.place, "a handle or pointer used as a value")),
                    // The verifier sees to blocks by themselves; that a definition dominates its uses shows here.
                    Some(Lowered::Nothing) | None => {
                        Err(malformed!(self.place, "{value} is used where its definition does not reach"))
                    }
                }
            }
        }
    }

    /// The SPIR-V values of several IR values.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn values<const N: usize>(&mut self, module: &mut Module<'_>, values: [Value; N]) -> Result<[Id; N]> {
        let mut ids = [module.type_u32(); N];
        for (slot, value) in ids.iter_mut().zip(values) {
            *slot = self.value(module, value)?;
        }
        Ok(ids)
    }

    /// Keeps the leaves of a structure.
    pub fn parts(&mut self, ids: &[Id]) -> Lowered {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(ids);
        Lowered::Parts(Parts { start, len: ids.len() as u32 })
    }

    /// The leaves of a structure that an instruction gave.
    pub fn leaves(&self, parts: Parts) -> &[Id] {
        self.pool.get(parts.start as usize..(parts.start + parts.len) as usize).unwrap_or_default()
    }

    /// Whether anything reads a member of an instruction's result.
    pub fn is_extracted(&self, inst: Inst, member: u32) -> bool {
        let result = self.function.result(inst).and_then(Value::as_local);
        result.and_then(|r| self.extracted.get(r)).is_none_or(|mask| member > 7 || mask >> member & 1 != 0)
    }

    /// What a local became.
    pub fn slot(&self, value: Value) -> Option<Lowered> {
        self.slots.get(value.as_local()?).copied()
    }

    /// Sets what a local became.
    pub fn set(&mut self, value: Value, lowered: Lowered) {
        if let Some(slot) = value.as_local().and_then(|i| self.slots.get_mut(i)) {
            *slot = lowered;
        }
    }
}
