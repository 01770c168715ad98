//! The state of lowering one module: the entry, the facts about it, and the declarations that the
//! module has so far.
//!
//! In: the program, entry, plan and options. Out: ids of declarations, on demand. What must hold:
//! two requests for the same thing give the same declaration, and a declaration is made when it is
//! first requested, so the output declares only what it uses.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rspirv::spirv::StorageClass;

use super::declared::{Declared, DeclaredKey};
use super::mesh_links::MeshLinks;
use crate::analysis::entry::{Columns, Queries, RootBlocks, ShaderCall, Source, Tangles, Usage};
use crate::analysis::program::names::Names;
use crate::analysis::program::{Entry, Program};
use crate::binding::plan::BindingPlan;
use crate::ir::resources::ResourceId;
use crate::ir::{Const, Func, Global, TypeId, Value};
use crate::ops::consts::ShaderStage;
use crate::options::Options;
use dxil_base::entity::{EntitySet, SecondaryMap};
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, Module};

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
    /// What `OpName` calls each resource; empty where no names are written.
    pub names: Arc<Names>,
    /// The usage of each resource by the entry.
    pub usage: Usage,
    /// The blocks of root arguments that the entry reads.
    pub roots: RootBlocks,
    /// The SPIR-V structures of the blocks of root arguments that are reached by an address.
    pub root_contents: BTreeMap<Source, Id>,
    /// The ray queries of the entry.
    pub queries: Queries,
    /// The kinds of tangled operations that the entry has.
    pub tangles: Tangles,
    /// Numbers of the input elements of a pixel shader that are read per vertex, in ascending order.
    pub per_vertex: Vec<u32>,
    /// [`runs_per_sample`](Self::runs_per_sample), for which all inputs are looked at once.
    runs_per_sample: bool,
    /// The outputs of the pipeline's mesh shader, for the inputs of a pixel shader.
    pub mesh_links: MeshLinks<'a>,
    /// Whether minimum-precision numbers are 32 bits wide in the output.
    pub widens: bool,
    /// Whether a discard sets a flag instead of demoting.
    pub flags_discards: bool,
    /// The groupshared variable that is the payload of an amplification shader.
    pub mesh_payload: Option<Global>,
    /// The columns of a mesh shader's outputs that it stores.
    pub stored_columns: Columns,
    /// Rows and columns of the interface variables declared so far, with their storage class.
    pub locations: Vec<(StorageClass, Range<u32>, Range<u32>)>,
    /// SPIR-V type of the array of a structured buffer's elements, where they have members.
    pub element_arrays: SecondaryMap<ResourceId, Option<Id>>,
    /// SPIR-V variable of each global.
    pub globals: SecondaryMap<Global, Option<Id>>,
    /// The bytes of the groupshared variables that are declared.
    pub shared_bytes: u64,
    /// Groupshared variables whose floats are declared as integers of the same width.
    pub bit_globals: EntitySet<Global>,
    /// The allocas that shader calls take.
    pub payloads: BTreeMap<(Func, Value), ShaderCall>,
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
    /// Whether a pixel shader runs once for each sample: because of what it reads, as in D3D, or of the
    /// pipeline's state.
    pub fn runs_per_sample(&self) -> bool {
        self.runs_per_sample
    }

    /// The state before any function is lowered and before any fact is known.
    pub fn new(program: &'a Program, entry: &'a Entry, plan: &'a BindingPlan, options: &'a Options) -> Self {
        ModuleCx {
            program,
            entry,
            plan,
            options,
            names: Arc::default(),
            usage: Usage::default(),
            roots: RootBlocks::default(),
            root_contents: BTreeMap::new(),
            queries: Queries::default(),
            tangles: Tangles::default(),
            per_vertex: Vec::new(),
            runs_per_sample: entry.runs_per_sample()
                || entry.stage == ShaderStage::Pixel && options.facts.sample_shading,
            mesh_links: MeshLinks::default(),
            widens: false,
            flags_discards: false,
            mesh_payload: None,
            stored_columns: Columns::new(),
            locations: Vec::new(),
            element_arrays: SecondaryMap::default(),
            globals: SecondaryMap::default(),
            shared_bytes: 0,
            bit_globals: EntitySet::new(),
            payloads: BTreeMap::new(),
            payload_locations: [0; 2],
            functions: SecondaryMap::default(),
            place: Place::Function(program.module.functions[entry.func].number),
            ids: ModuleIds::default(),
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
        self.program.module.const_uint(value)
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
        self.program.module.is_undef(value)
    }
}
