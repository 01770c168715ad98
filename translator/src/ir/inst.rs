//! Instructions and terminators.

use super::{BinaryOp, Block, CastOp, CmpOp, Func, RmwOp, TypeId, Value, ValueList};
use crate::ops::OpCode;

/// A branch target with the arguments for its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCall {
    /// The block branched to.
    pub block: Block,
    /// One argument for each of the block's parameters.
    pub args: ValueList,
}

/// An instruction. Its result, if it has one, is [`Function::result`](super::Function::result).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstData {
    /// Arithmetic.
    Binary {
        /// Which.
        op: BinaryOp,
        /// The instruction has no fast-math flags, so it may neither be contracted nor reassociated
        /// (floats only).
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
        /// The value that is converted.
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
    /// A choice between two values.
    Select {
        /// `i1`, or a vector of it.
        condition: Value,
        /// The result if the condition is true.
        then: Value,
        /// The result if the condition is false.
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
    /// An allocation of function-local memory.
    Alloca {
        /// The type of the allocated object.
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
        /// The value that is stored.
        value: Value,
        /// `volatile`.
        volatile: bool,
    },
    /// Address arithmetic (`getelementptr`): a base address and indexes.
    Gep {
        /// The address it starts from.
        base: Value,
        /// The indexes, the first of which steps over whole pointees.
        indices: ValueList,
    },
    /// An atomic read-modify-write.
    AtomicRmw {
        /// Which.
        op: RmwOp,
        /// The address.
        ptr: Value,
        /// The operand.
        value: Value,
    },
    /// An atomic compare-and-exchange. Its result is `{ old, success }`, or `old` alone in records
    /// of LLVM before 3.5.
    CmpXchg {
        /// The address.
        ptr: Value,
        /// The value that memory is compared with.
        compare: Value,
        /// The value that is stored if they are equal.
        new: Value,
    },
    /// `fence`.
    Fence,
    /// One member of an aggregate, by constant indexes in
    /// [`Function::indices`](super::Function::indices).
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
    /// A vector of elements of two vectors, chosen by a constant mask.
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
    /// Calls `f` on every operand in the instruction itself. Returns the list of the operands that
    /// follow them, which are in [`Function::pool`](super::Function::pool).
    #[inline]
    pub fn for_each_value_mut(&mut self, mut f: impl FnMut(&mut Value)) -> ValueList {
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
            | InstData::ExtractValue { aggregate: a, .. } => f(a),
            InstData::Select { condition: a, then: b, otherwise: c }
            | InstData::CmpXchg { ptr: a, compare: b, new: c }
            | InstData::InsertElement { vector: a, value: b, index: c }
            | InstData::ShuffleVector { a, b, mask: c } => {
                f(a);
                f(b);
                f(c);
            }
            InstData::Gep { base, indices, .. } => {
                f(base);
                return *indices;
            }
            InstData::Op { args, .. } | InstData::Call { args, .. } => return *args,
            InstData::Alloca { .. } | InstData::Fence => {}
        }
        ValueList::default()
    }
}

/// A terminator, the end of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    /// A branch to one block.
    Jump(BlockCall),
    /// A branch to one of two blocks.
    Branch {
        /// `i1`.
        condition: Value,
        /// Where true.
        then: BlockCall,
        /// Where false.
        otherwise: BlockCall,
    },
    /// A branch to the block of the matching label.
    Switch {
        /// The integer that is compared with the labels.
        selector: Value,
        /// The target if no label matches.
        default: BlockCall,
        /// The labels (zero-extended from the selector's width) and their targets.
        cases: Box<[(u64, BlockCall)]>,
    },
    /// A return to the caller.
    Return(Option<Value>),
    /// A point that is never reached.
    Unreachable,
}

impl Terminator {
    /// Its condition, selector or returned value, if it has one.
    pub fn operand(&self) -> Option<Value> {
        match *self {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { selector: value, .. }
            | Terminator::Return(Some(value)) => Some(value),
            Terminator::Return(None) | Terminator::Jump(_) | Terminator::Unreachable => None,
        }
    }
    /// The same value as [`operand`](Self::operand), mutable.
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
        (0..).map_while(|number| self.target(number))
    }
    /// A branch target, by its number in the order of [`targets`](Self::targets).
    #[inline]
    pub fn target(&self, number: usize) -> Option<BlockCall> {
        match (self, number) {
            (Terminator::Jump(target), 0)
            | (Terminator::Branch { then: target, .. }, 0)
            | (Terminator::Branch { otherwise: target, .. }, 1) => Some(*target),
            (Terminator::Switch { default, cases, .. }, _) => match cases.get(number) {
                Some((_, target)) => Some(*target),
                None => (number == cases.len()).then_some(*default),
            },
            _ => None,
        }
    }
    /// The branch targets in the same order, mutable.
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

#[cfg(test)]
mod tests {
    use super::*;
    use dxil_base::entity::Entity;

    /// The value that a terminator uses is the same to readers and to writers.
    #[test]
    fn terminators_use_one_value() {
        let (value, other) = (Value::local(7), Value::local(8));
        let to = BlockCall { block: Block::new(1), args: ValueList::default() };
        let terminators = [
            (Terminator::Branch { condition: value, then: to, otherwise: to }, true),
            (Terminator::Switch { selector: value, default: to, cases: [(0, to)].into() }, true),
            (Terminator::Return(Some(value)), true),
            (Terminator::Return(None), false),
            (Terminator::Jump(to), false),
            (Terminator::Unreachable, false),
        ];
        for (mut terminator, uses) in terminators {
            assert_eq!(terminator.operand(), uses.then_some(value), "{terminator:?}");
            assert_eq!(terminator.operand_mut().map(|used| std::mem::replace(used, other)), uses.then_some(value));
            assert_eq!(terminator.operand(), uses.then_some(other), "{terminator:?}");
        }
    }
}
