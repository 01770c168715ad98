//! Instructions, and how blocks end.

use super::{BinaryOp, Block, CastOp, CmpOp, Func, RmwOp, TypeId, Value, ValueList};
use crate::dxil::ops::OpCode;

/// A branch target with the arguments for its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCall {
    /// The block branched to.
    pub block: Block,
    /// One argument for each of the block's parameters.
    pub args: ValueList,
}

/// An instruction. Results, where there are any, are [`Function::result`](super::Function::result).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstData {
    /// Arithmetic. `precise`: float without fast-math flags, so neither contracted nor reassociated.
    Binary {
        /// Which.
        op: BinaryOp,
        /// No fast-math flags (floats only).
        precise: bool,
        /// Left operand.
        lhs: Value,
        /// Right operand.
        rhs: Value,
    },
    /// A conversion to the result's type.
    Cast {
        /// Which.
        op: CastOp,
        /// What is converted.
        value: Value,
    },
    /// A comparison.
    Cmp {
        /// Which.
        op: CmpOp,
        /// Left operand.
        lhs: Value,
        /// Right operand.
        rhs: Value,
    },
    /// One of two values.
    Select {
        /// `i1`, or a vector of it.
        condition: Value,
        /// Where true.
        then: Value,
        /// Where false.
        otherwise: Value,
    },
    /// A DXIL operation.
    Op {
        /// Which.
        op: OpCode,
        /// Whether the call carries `!dx.precise`.
        precise: bool,
        /// Its operands, without the opcode.
        args: ValueList,
    },
    /// A call of a function of the module.
    Call {
        /// Which.
        func: Func,
        /// Its arguments.
        args: ValueList,
    },
    /// Function-local memory.
    Alloca {
        /// The type of what is allocated.
        ty: TypeId,
    },
    /// A load of the result's type.
    Load {
        /// The address.
        ptr: Value,
        /// `volatile`.
        volatile: bool,
    },
    /// A store.
    Store {
        /// The address.
        ptr: Value,
        /// What is stored.
        value: Value,
        /// `volatile`.
        volatile: bool,
    },
    /// Address arithmetic: base, then indexes.
    Gep {
        /// The address it starts from.
        base: Value,
        /// The indexes, the first of which steps over whole pointees.
        indices: ValueList,
    },
    /// Atomic read-modify-write.
    AtomicRmw {
        /// Which.
        op: RmwOp,
        /// The address.
        ptr: Value,
        /// The operand.
        value: Value,
    },
    /// Atomic compare and exchange; gives `{ old, success }`.
    CmpXchg {
        /// The address.
        ptr: Value,
        /// Compared with.
        compare: Value,
        /// Stored where equal.
        new: Value,
    },
    /// `fence`.
    Fence,
    /// One member of an aggregate, by constant indexes in [`Function::indices`](super::Function::indices).
    ExtractValue {
        /// The aggregate.
        aggregate: Value,
        /// First of the indexes in the pool [`Function::indices`](super::Function::indices).
        first: u32,
        /// How many indexes.
        count: u32,
    },
    /// An aggregate with one member replaced.
    InsertValue {
        /// The aggregate.
        aggregate: Value,
        /// The new member.
        value: Value,
        /// First of the indexes in the pool [`Function::indices`](super::Function::indices).
        first: u32,
        /// How many indexes.
        count: u32,
    },
    /// An element of a vector.
    ExtractElement {
        /// The vector.
        vector: Value,
        /// Which element.
        index: Value,
    },
    /// A vector with one element replaced.
    InsertElement {
        /// The vector.
        vector: Value,
        /// The new element.
        value: Value,
        /// Which element.
        index: Value,
    },
    /// Elements of two vectors by a constant mask.
    ShuffleVector {
        /// First vector.
        a: Value,
        /// Second vector.
        b: Value,
        /// A constant vector of `i32`.
        mask: Value,
    },
}

impl InstData {
    /// Calls `f` on every operand that stands in the instruction itself. Those of lists are in [`Function::pool`](super::Function::pool).
    pub fn for_each_value_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            InstData::Binary { lhs: a, rhs: b, .. }
            | InstData::Cmp { lhs: a, rhs: b, .. }
            | InstData::Store { ptr: a, value: b, .. }
            | InstData::AtomicRmw { ptr: a, value: b, .. }
            | InstData::InsertValue { aggregate: a, value: b, .. }
            | InstData::ExtractElement { vector: a, index: b } => {
                f(a);
                f(b);
            }
            InstData::Cast { value: a, .. }
            | InstData::Load { ptr: a, .. }
            | InstData::Gep { base: a, .. }
            | InstData::ExtractValue { aggregate: a, .. } => f(a),
            InstData::Select { condition: a, then: b, otherwise: c }
            | InstData::CmpXchg { ptr: a, compare: b, new: c }
            | InstData::InsertElement { vector: a, value: b, index: c }
            | InstData::ShuffleVector { a, b, mask: c } => {
                f(a);
                f(b);
                f(c);
            }
            InstData::Op { .. } | InstData::Call { .. } | InstData::Alloca { .. } | InstData::Fence => {}
        }
    }
    /// The operands that are a list, which come after those in the instruction itself; empty where it has none.
    pub fn operand_list(&self) -> ValueList {
        match *self {
            InstData::Op { args: list, .. }
            | InstData::Call { args: list, .. }
            | InstData::Gep { indices: list, .. } => list,
            _ => ValueList::default(),
        }
    }
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    /// To one block.
    Jump(BlockCall),
    /// To one of two blocks.
    Branch {
        /// `i1`.
        condition: Value,
        /// Where true.
        then: BlockCall,
        /// Where false.
        otherwise: BlockCall,
    },
    /// To the block of the matching label.
    Switch {
        /// The integer that selects.
        selector: Value,
        /// Where no label matches.
        default: BlockCall,
        /// Labels (zero-extended from the selector's width) and their blocks.
        cases: Box<[(u64, BlockCall)]>,
    },
    /// Back to the caller.
    Return(Option<Value>),
    /// Never reached.
    Unreachable,
}

impl Terminator {
    /// The value that it decides by, or returns.
    pub fn operand(&self) -> Option<Value> {
        match *self {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { selector: value, .. }
            | Terminator::Return(Some(value)) => Some(value),
            Terminator::Return(None) | Terminator::Jump(_) | Terminator::Unreachable => None,
        }
    }
    /// The same, to be changed.
    pub fn operand_mut(&mut self) -> Option<&mut Value> {
        match self {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { selector: value, .. }
            | Terminator::Return(Some(value)) => Some(value),
            Terminator::Return(None) | Terminator::Jump(_) | Terminator::Unreachable => None,
        }
    }
    /// The branch targets in order: `then` before `otherwise`; the cases, then the default.
    pub fn targets(&self) -> impl Iterator<Item = BlockCall> + '_ {
        let (fixed, cases): ([Option<BlockCall>; 2], &[(u64, BlockCall)]) = match self {
            Terminator::Jump(t) => ([Some(*t), None], &[]),
            Terminator::Branch { then, otherwise, .. } => ([Some(*then), Some(*otherwise)], &[]),
            Terminator::Switch { default, cases, .. } => ([None, Some(*default)], cases),
            Terminator::Return(_) | Terminator::Unreachable => ([None, None], &[]),
        };
        let (first, last) = (fixed[0], fixed[1]);
        first.into_iter().chain(cases.iter().map(|c| c.1)).chain(last)
    }
    /// The branch targets, in the same order, to be changed.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut BlockCall> {
        type Fixed<'a> = Option<&'a mut BlockCall>;
        let (first, cases, last): (Fixed<'_>, &mut [(u64, BlockCall)], Fixed<'_>) = match self {
            Terminator::Jump(t) => (Some(t), &mut [], None),
            Terminator::Branch { then, otherwise, .. } => (Some(then), &mut [], Some(otherwise)),
            Terminator::Switch { default, cases, .. } => (None, cases, Some(default)),
            Terminator::Return(_) | Terminator::Unreachable => (None, &mut [], None),
        };
        first.into_iter().chain(cases.iter_mut().map(|c| &mut c.1)).chain(last)
    }
}
