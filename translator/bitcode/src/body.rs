//! Function bodies: blocks and typed instructions.
//!
//! In: a function block. Out: [`Body`]. What must hold, and the reader checks: every block ends
//! with its only terminator; every value, block and type that an instruction names is in range;
//! operand types are those that LLVM's language reference requires; relative numbers and forward
//! references are resolved. The reader does not check that definitions dominate uses.

use std::ops::Range;

use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::Place;

use super::attributes::AttributeListId;
use super::metadata::{Attachment, DebugLocation, Metadata};
use super::ops::{BinaryOp, CastOp, Foreign, OptimizationFlags, Ordering, Predicate, RmwOp, TailKind};
use super::pool::{List, Pool, Str};
use super::types::TypeId;
use super::values::{InstId, Value, ValueId};

entity! {
    /// A basic block of a body, by its position; the first block is the entry.
    pub struct BlockId, "b";
}

/// The body of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The body's own values, the arguments first. Their numbers start at
    /// [`first_value`](Self::first_value).
    pub values: Vec<Value>,
    /// Number of the first own value, which is the number of values in the module.
    pub first_value: u32,
    /// Number of arguments among the own values.
    pub args: u32,
    /// Blocks, in order.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Instructions, in order.
    pub insts: PrimaryMap<InstId, Instruction>,
    /// The body's own metadata; its numbers follow those of the module.
    pub metadata: Vec<Metadata>,
    /// Places of instructions in the source, in instruction order, if debug information is read.
    pub locations: Vec<(InstId, DebugLocation)>,
    /// Attachments of instructions, in instruction order, without debug locations.
    pub attachments: Vec<Attachment<InstId>>,
    /// Attachments of the function itself.
    pub function_attachments: Vec<Attachment<()>>,
    /// Names of values that a symbol table names, in the order of value numbers.
    pub value_names: Vec<(ValueId, Str)>,
    /// Names of blocks, in block order.
    pub block_names: Vec<(BlockId, Str)>,

    /// Operands of address arithmetic, calls and [`Foreign`] instructions.
    pub operands: Pool<ValueId>,
    /// Incoming values of phis.
    pub incoming: Pool<Incoming>,
    /// Cases of switches.
    pub cases: Pool<Case>,
    /// Indexes of `extractvalue` and `insertvalue`.
    pub indices: Pool<u32>,
}

impl Body {
    /// Makes it an empty body, which has the memory of this one.
    pub(super) fn clear(&mut self) {
        let Self {
            values,
            first_value,
            args,
            blocks,
            insts,
            metadata,
            locations,
            attachments,
            function_attachments,
            value_names,
            block_names,
            operands,
            incoming,
            cases,
            indices,
        } = self;
        (*first_value, *args) = (0, 0);
        values.clear();
        blocks.clear();
        insts.clear();
        metadata.clear();
        locations.clear();
        attachments.clear();
        function_attachments.clear();
        value_names.clear();
        block_names.clear();
        operands.clear();
        incoming.clear();
        cases.clear();
        indices.clear();
    }
    /// Numbers of the arguments.
    pub fn arguments(&self) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        let first = self.first_value;
        (0..self.args).map(move |i| ValueId::new((first + i) as usize))
    }
    /// Instructions of a block, in order, with their numbers.
    pub fn block_insts(&self, block: BlockId) -> impl DoubleEndedIterator<Item = (InstId, &Instruction)> {
        let range = self.blocks[block].insts();
        let insts = self.insts.values().as_slice().get(range.clone()).unwrap_or_default();
        range.map(InstId::new).zip(insts)
    }
}

/// A basic block: a run of instructions, of which the last and only the last is a terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// First instruction.
    pub first: InstId,
    /// The instruction after the last.
    pub end: InstId,
}

impl Block {
    /// Numbers of its instructions.
    pub fn insts(self) -> Range<usize> {
        self.first.index()..self.end.index()
    }
}

/// An instruction with its result and its place in the bitcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The operation with its operands.
    pub inst: Inst,
    /// The value that it defines, whose type is in [`Body::values`]; `None` for an instruction
    /// without a result.
    pub result: Option<ValueId>,
    /// Bit offset of the record from the start of the bitcode. Inputs are too small to need more
    /// than 32 bits.
    pub bit: u32,
}

impl Instruction {
    /// The place of the instruction's record.
    #[inline]
    pub fn place(&self) -> Place {
        Place::Bit(self.bit.into())
    }
}

/// Alignment, volatility and ordering of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryOperand {
    /// Alignment in bytes; zero if the record gives none.
    pub align: u32,
    /// Whether the access may not be removed or duplicated.
    pub volatile: bool,
    /// Memory ordering; [`Ordering::NotAtomic`] for a plain access.
    pub ordering: Ordering,
    /// Synchronisation scope by its number in the module: 0 is a single thread, 1 is the whole
    /// system.
    pub scope: u32,
}

/// An incoming edge of a phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// The value that the phi has if control comes from the predecessor.
    pub value: ValueId,
    /// The predecessor.
    pub block: BlockId,
}

/// A case of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Case value: the bits of an integer of the condition's type, zero-extended.
    pub value: u64,
    /// Target block.
    pub target: BlockId,
}

/// An instruction's operation and operands. Lists are in the pools of the [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inst {
    /// Arithmetic.
    Binary {
        /// Operation.
        op: BinaryOp,
        /// Optimisation flags.
        flags: OptimizationFlags,
        /// Left operand.
        lhs: ValueId,
        /// Right operand, of the same type.
        rhs: ValueId,
    },
    /// `fneg`, the only unary operation.
    FNeg {
        /// Optimisation flags.
        flags: OptimizationFlags,
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
        /// Fast-math flags of a float comparison.
        flags: OptimizationFlags,
        /// Left operand.
        lhs: ValueId,
        /// Right operand, of the same type.
        rhs: ValueId,
    },
    /// `select`
    Select {
        /// Fast-math flags, if floats are selected.
        flags: OptimizationFlags,
        /// Condition: `i1` or a vector of `i1`.
        cond: ValueId,
        /// Value for a true condition.
        if_true: ValueId,
        /// Value for a false condition, of the same type.
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
        /// Whether the result lies inside the object (`inbounds`).
        inbounds: bool,
        /// Type that the base points to.
        base_ty: TypeId,
        /// Base pointer and indexes, in [`Body::operands`].
        operands: List<ValueId>,
    },
    /// `alloca`
    Alloca {
        /// Type of one allocated object.
        ty: TypeId,
        /// Number of objects.
        count: ValueId,
        /// Alignment in bytes; zero if the record gives none.
        align: u32,
    },
    /// `load`; the type loaded is that of the result.
    Load {
        /// Address.
        ptr: ValueId,
        /// Alignment, volatility and ordering.
        access: MemoryOperand,
    },
    /// `store`
    Store {
        /// Address.
        ptr: ValueId,
        /// Stored value.
        value: ValueId,
        /// Alignment, volatility and ordering.
        access: MemoryOperand,
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
        /// Alignment, volatility, and the ordering for success.
        access: MemoryOperand,
        /// Ordering for failure.
        failure: Ordering,
        /// Whether the exchange may fail although the values are equal (`weak`).
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
        /// Alignment, volatility and ordering.
        access: MemoryOperand,
    },
    /// `call`
    Call {
        /// Called function, or a pointer to one.
        callee: ValueId,
        /// Type of the callee, which is a [`Type::Function`](super::Type::Function).
        ty: TypeId,
        /// Arguments, in [`Body::operands`].
        args: List<ValueId>,
        /// Attributes.
        attributes: Option<AttributeListId>,
        /// Calling convention, by LLVM's number.
        calling_convention: u32,
        /// Tail call marker.
        tail: TailKind,
        /// Fast-math flags, if the call returns floats.
        flags: OptimizationFlags,
    },
    /// `phi`
    Phi {
        /// Fast-math flags, if the phi merges floats.
        flags: OptimizationFlags,
        /// Values and predecessors, in [`Body::incoming`].
        incoming: List<Incoming>,
    },
    /// `br label`
    Br {
        /// Target block.
        target: BlockId,
    },
    /// `br i1`
    CondBr {
        /// Condition.
        cond: ValueId,
        /// Target block for a true condition.
        if_true: BlockId,
        /// Target block for a false condition.
        if_false: BlockId,
    },
    /// `switch`
    Switch {
        /// Condition: an integer of at most 64 bits.
        cond: ValueId,
        /// Target block if no case has the condition's value.
        default: BlockId,
        /// Cases, in [`Body::cases`].
        cases: List<Case>,
    },
    /// `ret`
    Ret {
        /// Returned value; `None` in a function of type void.
        value: Option<ValueId>,
    },
    /// `unreachable`
    Unreachable,
    /// `freeze`
    Freeze {
        /// Operand.
        value: ValueId,
    },
    /// An instruction that DXIL does not have. The reader reads it far enough that the decoder can
    /// refuse it by name.
    Foreign {
        /// The instruction.
        op: Foreign,
        /// Value operands, in [`Body::operands`].
        operands: List<ValueId>,
    },
}

impl Inst {
    /// Whether the instruction ends a block.
    #[inline]
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
