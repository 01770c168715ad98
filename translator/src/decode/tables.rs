//! The tables of a decoder, whose memory is pooled.
//!
//! In: the tables of a module that is decoded. Out: the same ones, empty, for the next module that
//! the thread decodes. What must hold: nothing but capacity passes from one module to the next, and
//! the pool of a thread has no more than a few megabytes.

use super::numbers::Numbers;
use super::phis::Phis;
use crate::ir::*;
use crate::ops::OpCode;
use dxil_base::entity::PrimaryMap;
use dxil_base::limits::Fuel;
use dxil_base::pool::{self, Pooled};
use dxil_bitcode as bitcode;

thread_local! {
    static TABLES: Pooled<Tables> = const { Pooled::new(None) };
}

/// An operation that the verifier accepts with the types of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownOperation {
    pub(super) op: OpCode,
    /// The operands that must be constants, as bits. Operations have at most 64 operands.
    pub(super) immediates: u64,
}

/// What the IR makes of calls to a function of the bitcode.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    /// An operation, `dx.op.<class>[.<overload>]`. The opcode is the call's first argument.
    Operation { known: Option<KnownOperation> },
    /// A lifetime intrinsic or another one without effect. The call disappears.
    Nothing,
    /// An intrinsic that gives a variable of the source its value, or its memory. The call
    /// disappears.
    Variable { in_memory: bool },
    /// A function with a body.
    Function(Func),
    /// Any other function. The call is refused.
    Unsupported,
}

/// What the IR has for the types, values and functions of the bitcode, by their numbers.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) types: Vec<Option<TypeId>>,
    /// The types that are being decoded. If one is found again, the type contains itself.
    pub(super) open_types: Vec<bitcode::TypeId>,
    /// The IR constant of each bitcode value that is decoded as one. The values of the body follow
    /// those of the module.
    pub(super) consts: Vec<Option<Const>>,
    /// The IR value of each bitcode value, in the same order: of arguments and results, and of
    /// constants that were an operand before.
    pub(super) values: Vec<Option<Value>>,
    pub(super) callees: Vec<Callee>,
    pub(super) body: BodyMemory,
}

/// Memory that one body after the other uses.
#[derive(Default)]
pub(super) struct BodyMemory {
    pub(super) phis: Phis,
    /// The bit of each block's terminator.
    pub(super) ends: PrimaryMap<Block, u32>,
    pub(super) numbers: Numbers,
    /// The blocks to look at, of those that the entry reaches.
    pub(super) stack: Vec<Block>,
}

impl BodyMemory {
    /// Removes what is left of a body.
    pub(super) fn clear(&mut self) {
        self.phis.clear();
        self.ends.clear();
        self.numbers.clear();
        self.stack.clear();
    }
}

impl Tables {
    /// The tables of a module without functions so far.
    pub(super) fn new(input: &bitcode::Module, callees: impl Iterator<Item = Callee>) -> Self {
        let mut tables: Self = pool::take(&TABLES);
        tables.types.resize(input.types.len(), None);
        tables.consts.resize(input.values.len(), None);
        tables.values.resize(input.values.len(), None);
        tables.callees.extend(callees);
        tables
    }

    /// Empties the tables and puts them into the pool, unless they are too large.
    pub(super) fn recycle(mut self, fuel: &Fuel) {
        if fuel.spent().bytes > pool::MOST_BYTES {
            return;
        }
        // The next body clears the memory of the one before.
        let Self { types, open_types, consts, values, callees, body: _ } = &mut self;
        types.clear();
        open_types.clear();
        consts.clear();
        values.clear();
        callees.clear();
        pool::put(&TABLES, self);
    }
}
