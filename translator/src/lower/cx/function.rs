//! The state of lowering one function: the result of lowering each of its values.
//!
//! In: the module's state and an IR function. Out: ids of values. What must hold: each function has
//! its own state, created when its lowering begins.

use std::ops::{Deref, DerefMut};

use foldhash::{HashMap, HashSet};

use super::input::Inputs;
use super::kept::Kept;
use super::lowered::{Lowered, Parts};
use super::module::ModuleCx;
use crate::analysis::bits::Bits;
use crate::analysis::entry::{Interlock, Stores, extracted, stores};
use crate::analysis::handles::{Handle, HandleTable};
use crate::analysis::known_bits::KnownBits;
use crate::ir::{BinaryOp, Func, Function, Inst, InstData, Terminator, TypeId, Value, ValueKind};
use crate::ops::OpCode;
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Module};
use dxil_structure::Node;

/// The state of lowering one function. It dereferences to the state of the module.
pub struct FunctionCx<'m, 'a> {
    /// The state of the module.
    pub module: &'m mut ModuleCx<'a>,
    /// The function's key in the module.
    pub func: Func,
    /// The function.
    pub function: &'a Function,
    /// The function's handles.
    pub handles: &'a HandleTable,
    /// The critical section, if the function is the entry's and needs one.
    pub interlock: Option<Interlock>,
    /// The node of the structured graph that is being emitted.
    pub node: Node,
    /// Replacement ids of values whose definition no longer dominates a use after structuring, by
    /// value and node of the use.
    pub repaired: HashMap<(Value, Node), Id>,
    /// The stores to a mesh shader's outputs.
    pub stores: Stores,
    /// The mesh shaders that end the node.
    pub mesh_tasks: Option<MeshTasks>,
    /// `SV_Position`, where the function is the entry's and reads one that is computed from the builtin.
    pub position: Option<[Option<Id>; 4]>,
    /// SPIR-V variable of each alloca, by the alloca's result.
    pub allocas: HashMap<Value, Id>,
    /// The variables of each ray query that has its own, by its handle and which variable it is.
    pub query_variables: HashMap<(Value, u32), Id>,
    /// What the node has read of ray queries.
    pub query_reads: Kept<(Value, OpCode), READS>,
    /// For each local the mask of members that are extracted; see [`extracted`].
    pub(super) extracted: Vec<u8>,
    /// The upper bounds of numbers that were asked for (`stages::group`).
    pub bounds: HashMap<Value, Option<u64>>,
    /// The known bits of its values.
    known: KnownBits<'a>,
    /// The last instructions of the blocks that return no value, once they are asked for.
    last: Option<HashSet<Inst>>,
    /// The rows of constant buffers that the node has loaded by byte offset.
    rows: Kept<RowKey, ROWS>,
    /// The result of lowering each local.
    slots: Vec<Lowered>,
    /// The leaves of all structures. [`Parts`] is a range of it.
    pool: Vec<Id>,
}

/// The ids of a SPIR-V function that is about to be written.
#[derive(Clone, Copy)]
pub struct FunctionIds {
    /// The id of the function.
    pub id: Id,
    /// The id of its type.
    pub ty: Id,
}

/// A row of a constant buffer: its handle, and the offset of its first byte as a value and a constant.
pub type RowKey = (Handle, Option<Value>, u32);

/// The operands of `DispatchMesh`: the number of groups in each direction, and the payload.
#[derive(Clone, Copy, Debug)]
pub struct MeshTasks {
    pub groups: [Id; 3],
    pub payload: Option<Id>,
}

/// How many reads of ray queries are remembered at a time.
const READS: usize = 64;
/// How many loaded rows are remembered at a time.
const ROWS: usize = 32;
/// How many additions of constants are looked through.
const SUMS: usize = 16;

impl<'a> Deref for FunctionCx<'_, 'a> {
    type Target = ModuleCx<'a>;

    fn deref(&self) -> &Self::Target {
        self.module
    }
}

impl DerefMut for FunctionCx<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.module
    }
}

impl<'m, 'a> FunctionCx<'m, 'a> {
    /// The state before the function's first instruction.
    pub fn new(module: &'m mut ModuleCx<'a>, func: Func) -> Self {
        let Inputs { program, entry, analysis, .. } = module.input;
        let function = &program.module.functions[func];
        let stores = stores(&program.module, function, &analysis.mesh.stored_columns);
        FunctionCx {
            module,
            func,
            function,
            handles: &program.handles[func],
            interlock: analysis.pixel.interlock.filter(|_| func == entry.func),
            node: Node::new(0),
            repaired: HashMap::default(),
            stores,
            mesh_tasks: None,
            position: None,
            allocas: HashMap::default(),
            query_variables: HashMap::default(),
            query_reads: Kept::default(),
            extracted: extracted(function),
            bounds: HashMap::default(),
            known: KnownBits::new(&program.module, function),
            last: None,
            rows: Kept::default(),
            slots: vec![Lowered::Nothing; function.locals.len()],
            pool: Vec::new(),
        }
    }

    /// The IR type of a value.
    pub fn type_of(&self, value: Value) -> TypeId {
        self.input.program.module.type_of(self.function, value)
    }

    /// The SPIR-V value of an IR value that is a number, bool or vector.
    ///
    /// # Errors
    /// `Unsupported` for structures, handles and pointers, which have no SPIR-V value;
    /// `MissingFeature` for types that the device does not have; `Malformed` if the definition does
    /// not dominate the use.
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
                    Some(Lowered::Parts(_) | Lowered::Row(_)) => {
                        Err(unsupported!(self.place, "a structure is used where a number, bool or vector is expected"))
                    }
                    Some(Lowered::Virtual) => Err(unsupported!(
                        self.place,
                        "a handle or pointer is used where a number, bool or vector is expected"
                    )),
                    // The verifier checks the order of definitions and uses within a block only. A
                    // definition in another block that does not dominate this use is found here.
                    Some(Lowered::Nothing) | None => {
                        Err(malformed!(self.place, "{value} is used where its definition does not dominate the use"))
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

    /// What is known of the bits of a value.
    pub fn known_bits(&mut self, value: Value) -> Bits {
        self.known.of(value)
    }

    /// Whether an instruction is the last one before the function returns without a value.
    pub fn is_last(&mut self, inst: Inst) -> bool {
        let function = self.function;
        // Searching the blocks at each question would take their number times that of the questions.
        let last = self.last.get_or_insert_with(|| {
            let returning =
                function.blocks.values().filter(|block| matches!(block.terminator, Terminator::Return(None)));
            returning.filter_map(|block| block.insts.last().copied()).collect()
        });
        last.contains(&inst)
    }

    /// A number of 32 bits as a sum of a value and a constant, modulo 2^32.
    pub fn without_constant(&mut self, value: Value) -> (Option<Value>, u32) {
        let (mut base, mut sum) = (value, 0u32);
        for _ in 0..SUMS {
            if let Some(constant) = self.const_uint(base) {
                return (None, sum.wrapping_add(constant as u32));
            }
            let Some((_, &InstData::Binary { op, lhs, rhs, .. })) = self.function.def_inst(base) else { break };
            let (other, constant) = match (self.const_uint(lhs), self.const_uint(rhs)) {
                (_, Some(constant)) => (lhs, constant),
                (Some(constant), _) => (rhs, constant),
                _ => break,
            };
            // `or` is a sum where no bit is in both.
            let disjoint = |known: Bits| known.and(Bits::constant(constant, 32)).value() == Some(0);
            match op {
                BinaryOp::Add => {}
                BinaryOp::Or if disjoint(self.known.of(other)) => {}
                _ => break,
            }
            (base, sum) = (other, sum.wrapping_add(constant as u32));
        }
        (Some(base), sum)
    }

    /// A row that the node has loaded before.
    pub fn loaded_row(&self, key: RowKey) -> Option<Id> {
        self.rows.get(self.node, &key)
    }

    /// Remembers a row that the node has loaded.
    pub fn keep_row(&mut self, key: RowKey, row: Id) {
        self.rows.keep(self.node, key, row);
    }

    /// Number of leaves of structures that have been stored.
    pub fn pooled(&self) -> usize {
        self.pool.len()
    }

    /// Stores the leaves of a structure in the pool.
    pub fn parts(&mut self, ids: &[Id]) -> Lowered {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(ids);
        Lowered::Parts(Parts { start, len: ids.len() as u32 })
    }

    /// The leaves of a structure that an instruction returned.
    pub fn leaves(&self, parts: Parts) -> &[Id] {
        self.pool.get(parts.start as usize..(parts.start + parts.len) as usize).unwrap_or_default()
    }

    /// Whether a member of an instruction's result is ever read. The ninth and later members count
    /// as read.
    pub fn is_extracted(&self, inst: Inst, member: u32) -> bool {
        let result = self.function.result(inst).and_then(Value::as_local);
        result
            .and_then(|r| self.extracted.get(r))
            .is_none_or(|mask| mask.checked_shr(member).is_none_or(|bits| bits & 1 != 0))
    }

    /// The result of lowering a local.
    pub fn slot(&self, value: Value) -> Option<Lowered> {
        self.slots.get(value.as_local()?).copied()
    }

    /// Sets the result of lowering a local.
    pub fn set(&mut self, value: Value, lowered: Lowered) {
        if let Some(slot) = value.as_local().and_then(|i| self.slots.get_mut(i)) {
            *slot = lowered;
        }
    }
}
