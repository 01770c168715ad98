//! What reads of encodings share: the function with its uses, and the intrinsics found so far.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::forms::Form;
use crate::analysis::handles::HandleTable;
use crate::ir::resources::ResourceId;
use crate::ir::{Function, Inst, InstData, Module, Type, Value};
use crate::ops::OpCode;

/// One intrinsic.
pub(super) struct Call {
    pub(super) form: Form,
    /// The instruction in whose place the form's code stands.
    pub(super) at: Inst,
    /// The values that have the form's results, by the number of the result.
    pub(super) results: Vec<(usize, Value)>,
    /// The instructions that encode it.
    pub(super) encoding: Vec<Inst>,
}

/// Reads the intrinsics that one function encodes as accesses to one UAV.
pub(super) struct Reader<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) handles: HandleTable<'a>,
    pub(super) resource: ResourceId,
    /// How often each local is used.
    pub(super) uses: Vec<u32>,
    /// The `extractvalue` instructions of one index, by their aggregate.
    pub(super) members: HashMap<Value, Vec<(u32, Inst)>>,
    pub(super) calls: Vec<Call>,
    /// The phis that choose hit objects.
    pub(super) choices: Vec<Value>,
    /// The names of intrinsics that have no form.
    pub(super) refused: BTreeSet<&'static str>,
}

/// An access that is not part of an encoding.
pub(super) struct NoEncoding;

pub(super) type Read<T = ()> = Result<T, NoEncoding>;

impl<'a> Reader<'a> {
    pub(super) fn new(
        module: &'a Module,
        function: &'a Function,
        handles: HandleTable<'a>,
        resource: ResourceId,
    ) -> Self {
        let mut uses = vec![0; function.locals.len()];
        let mut members: HashMap<Value, Vec<(u32, Inst)>> = HashMap::default();
        let mut count = |value: Value| {
            if let Some(uses) = value.as_local().and_then(|local| uses.get_mut(local)) {
                *uses += 1;
            }
        };
        for block in function.blocks.values() {
            for &inst in &block.insts {
                function.for_each_operand(inst, &mut count);
                if let InstData::ExtractValue { aggregate, first, count: 1 } = function.insts[inst]
                    && let Some(&index) = function.indices.get(first as usize)
                {
                    members.entry(aggregate).or_default().push((index, inst));
                }
            }
            function.for_each_terminator_operand(&block.terminator, &mut count);
        }
        Self {
            module,
            function,
            handles,
            resource,
            uses,
            members,
            calls: Vec::new(),
            choices: Vec::new(),
            refused: BTreeSet::new(),
        }
    }

    pub(super) fn number(&self, value: Value) -> Option<u32> {
        self.module.const_uint(value).and_then(|number| u32::try_from(number).ok())
    }

    pub(super) fn is_word(&self, value: Value) -> bool {
        self.module.types[self.module.type_of(self.function, value)] == Type::Int(32)
    }

    pub(super) fn uses(&self, value: Value) -> u32 {
        value.as_local().and_then(|local| self.uses.get(local)).copied().unwrap_or(0)
    }

    /// The operation and its operands.
    pub(super) fn operation(&self, inst: Inst) -> Option<(OpCode, &'a [Value])> {
        match self.function.insts[inst] {
            InstData::Op { op, args, .. } => Some((op, self.function.list(args))),
            _ => None,
        }
    }

    /// Whether the operation accesses the UAV.
    pub(super) fn accesses(&self, op: OpCode, args: &[Value]) -> bool {
        !op.makes_handle() && self.handles.of(op, args).any(|handle| handle.resource == self.resource)
    }
}
