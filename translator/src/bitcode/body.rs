//! Function bodies: blocks and typed instructions.
//!
//! In: a function block. Out: [`Body`]. What must hold, and the reader checks: every block ends with its only terminator; every value, block and
//! type named by an instruction is in range; operand types are those that LLVM's language reference asks for; relative numbers and forward
//! references are resolved. Not checked: that definitions dominate uses.

use std::ops::Range;

use crate::entity::{Entity, PrimaryMap};
use crate::error::Place;

use super::attributes::AttributeListId;
use super::metadata::{Attachment, Metadata};
use super::module::{Str, Value, ValueId};
use super::ops::{BinaryOp, CastOp, Flags, Foreign, Ordering, Predicate, RmwOp, TailKind};
use super::pool::{List, Pool};
use super::types::TypeId;

entity! {
    /// An instruction of a body, by its order.
    pub struct InstId, "i";
    /// A basic block of a body, by its order; the first is the entry.
    pub struct BlockId, "b";
}

/// The body of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The body's own values; their numbers start at [`first_value`](Self::first_value). First the arguments.
    pub values: Vec<Value>,
    /// Number of the first of them: how many values the module has.
    pub first_value: u32,
    /// How many of them are arguments.
    pub args: u32,
    /// Blocks, in order.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Instructions, in order.
    pub insts: PrimaryMap<InstId, Instruction>,
    /// The body's own metadata; its numbers follow those of the module.
    pub metadata: Vec<Metadata>,
    /// Attachments of instructions, in instruction order; debug locations are not among them.
    pub attachments: Vec<Attachment<InstId>>,
    /// Attachments of the function itself.
    pub function_attachments: Vec<Attachment<()>>,
    /// Names of values, where a symbol table gives them, in the order of value numbers.
    pub value_names: Vec<(ValueId, Str)>,
    /// Names of blocks, in block order.
    pub block_names: Vec<(BlockId, Str)>,

    /// Operands of address arithmetic, calls and foreign instructions.
    pub operands: Pool<ValueId>,
    /// Incoming values of phis.
    pub incoming: Pool<Incoming>,
    /// Cases of switches.
    pub cases: Pool<Case>,
    /// Indexes of `extractvalue` and `insertvalue`.
    pub indices: Pool<u32>,
}

impl Body {
    /// Numbers of the arguments.
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        let first = self.first_value;
        (0..self.args).map(move |i| ValueId::new((first + i) as usize))
    }
    /// Instructions of a block, in order, with their numbers.
    pub fn block_insts(&self, block: BlockId) -> impl DoubleEndedIterator<Item = (InstId, &Instruction)> {
        let Range { start, end } = self.blocks[block].insts();
        (start..end).map(InstId::new).map(|i| (i, &self.insts[i]))
    }
}

/// A basic block: a run of instructions, of which the last and only the last is a terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its first instruction.
    pub first: InstId,
    /// The instruction after its last.
    pub end: InstId,
}

impl Block {
    /// Numbers of its instructions.
    pub fn insts(self) -> Range<usize> {
        self.first.index()..self.end.index()
    }
}

/// An instruction with its result and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub inst: Inst,
    /// The value it defines, whose type is in [`Body::values`]; `None` where it has no result.
    pub result: Option<ValueId>,
    /// Bit offset of its record from the start of the bitcode; inputs are too small for it to need more than 32 bits.
    pub bit: u32,
}

impl Instruction {
    /// Where its record is.
    pub fn place(&self) -> Place {
        Place::Bit(self.bit.into())
    }
}

/// Memory attributes of a load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Alignment in bytes, zero where none is given.
    pub align: u32,
    /// Whether the access may not be removed or duplicated.
    pub volatile: bool,
    /// Ordering; [`Ordering::NotAtomic`] for a plain access.
    pub ordering: Ordering,
    /// Synchronisation scope, the module's number: 0 is single thread, 1 is the whole system.
    pub scope: u32,
}

/// An incoming edge of a phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// Value.
    pub value: ValueId,
    /// The predecessor it comes from.
    pub block: BlockId,
}

/// A case of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Label: bits of an integer of the condition's type, zero-extended.
    pub value: u64,
    /// Where it leads.
    pub target: BlockId,
}

/// What an instruction does. Lists are in the pools of the [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inst {
    /// Arithmetic.
    Binary {
        /// Operation.
        op: BinaryOp,
        /// Promises.
        flags: Flags,
        /// Left operand.
        lhs: ValueId,
        /// Right operand, of the same type.
        rhs: ValueId,
    },
    /// `fneg`, the only unary operation.
    FNeg {
        /// Promises.
        flags: Flags,
        /// Operand.
        value: ValueId,
    },
    /// Conversion to the type of the result.
    Cast {
        /// Operation.
        op: CastOp,
        /// Operand.
        value: ValueId,
    },
    /// `icmp` or `fcmp`.
    Cmp {
        /// Predicate.
        pred: Predicate,
        /// Promises of a float comparison.
        flags: Flags,
        /// Left operand.
        lhs: ValueId,
        /// Right operand, of the same type.
        rhs: ValueId,
    },
    /// `select`
    Select {
        /// Promises, where it selects floats.
        flags: Flags,
        /// Condition: `i1`, or a vector of them.
        cond: ValueId,
        /// Value where it is true.
        if_true: ValueId,
        /// Value where it is false, of the same type.
        if_false: ValueId,
    },
    /// `extractelement`
    ExtractElement {
        /// Vector.
        vector: ValueId,
        /// Index, of any integer type.
        index: ValueId,
    },
    /// `insertelement`
    InsertElement {
        /// Vector.
        vector: ValueId,
        /// New element.
        element: ValueId,
        /// Index, of any integer type.
        index: ValueId,
    },
    /// `shufflevector`
    ShuffleVector {
        /// First vector.
        lhs: ValueId,
        /// Second vector, of the same type.
        rhs: ValueId,
        /// Mask: a constant vector of `i32`.
        mask: ValueId,
    },
    /// `extractvalue`
    ExtractValue {
        /// Struct or array.
        aggregate: ValueId,
        /// One index per level, in [`Body::indices`].
        indices: List<u32>,
    },
    /// `insertvalue`
    InsertValue {
        /// Struct or array.
        aggregate: ValueId,
        /// New element.
        value: ValueId,
        /// One index per level, in [`Body::indices`].
        indices: List<u32>,
    },
    /// `getelementptr`
    GetElementPtr {
        /// Whether the result is promised to be inside the object.
        inbounds: bool,
        /// Type of what the base points to.
        base_ty: TypeId,
        /// Base pointer and indexes, in [`Body::operands`].
        operands: List<ValueId>,
    },
    /// `alloca`
    Alloca {
        /// Type of what is allocated.
        ty: TypeId,
        /// How many of them.
        count: ValueId,
        /// Alignment in bytes, zero where none is given.
        align: u32,
    },
    /// `load`; the type loaded is that of the result.
    Load {
        /// Address.
        ptr: ValueId,
        /// How.
        access: Access,
    },
    /// `store`
    Store {
        /// Address.
        ptr: ValueId,
        /// What is stored.
        value: ValueId,
        /// How.
        access: Access,
    },
    /// `fence`
    Fence {
        /// Ordering.
        ordering: Ordering,
        /// Synchronisation scope.
        scope: u32,
    },
    /// `cmpxchg`; the result is `{ T, i1 }`, or `T` in modules of LLVM before 3.5.
    CmpXchg {
        /// Address.
        ptr: ValueId,
        /// Expected value.
        expected: ValueId,
        /// New value.
        new: ValueId,
        /// How, with the ordering of success.
        access: Access,
        /// Ordering of failure.
        failure: Ordering,
        /// Whether it may fail without cause.
        weak: bool,
    },
    /// `atomicrmw`; the result is the old value.
    AtomicRmw {
        /// Operation.
        op: RmwOp,
        /// Address.
        ptr: ValueId,
        /// Operand.
        value: ValueId,
        /// How.
        access: Access,
    },
    /// `call`
    Call {
        /// What is called.
        callee: ValueId,
        /// Its type, which is a [`Type::Function`](super::Type::Function).
        ty: TypeId,
        /// Arguments, in [`Body::operands`].
        args: List<ValueId>,
        /// Attributes.
        attributes: Option<AttributeListId>,
        /// Calling convention, LLVM's number.
        calling_convention: u32,
        /// Tail call marker.
        tail: TailKind,
        /// Promises, where it returns floats.
        flags: Flags,
    },
    /// `phi`
    Phi {
        /// Promises, where it joins floats.
        flags: Flags,
        /// Values and predecessors, in [`Body::incoming`].
        incoming: List<Incoming>,
    },
    /// `br label`
    Br {
        /// Where it leads.
        target: BlockId,
    },
    /// `br i1`
    CondBr {
        /// Condition.
        cond: ValueId,
        /// Where it leads when true.
        if_true: BlockId,
        /// Where it leads when false.
        if_false: BlockId,
    },
    /// `switch`
    Switch {
        /// Condition: an integer of at most 64 bits.
        cond: ValueId,
        /// Where it leads when no case fits.
        default: BlockId,
        /// Cases, in [`Body::cases`].
        cases: List<Case>,
    },
    /// `ret`
    Ret {
        /// What is returned.
        value: Option<ValueId>,
    },
    /// `unreachable`
    Unreachable,
    /// `freeze`
    Freeze {
        /// Operand.
        value: ValueId,
    },
    /// An instruction that DXIL does not have, read far enough to be refused by name.
    Foreign {
        /// Which.
        op: Foreign,
        /// Its value operands, in [`Body::operands`].
        operands: List<ValueId>,
    },
}

impl Inst {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Self::Br { .. }
                | Self::CondBr { .. }
                | Self::Switch { .. }
                | Self::Ret { .. }
                | Self::Unreachable
                | Self::Foreign { op: Foreign::Invoke | Foreign::IndirectBr | Foreign::Resume, .. }
        )
    }
}
