//! Values, constants, and the numbers of what a module holds.
//!
//! What must hold, and the reader checks: every number is in range of the table that it belongs to.

use super::ops::{BinaryOp, CastOp, OptimizationFlags, Predicate};
use super::pool::{List, Str};
use super::types::TypeId;

entity! {
    /// A value in LLVM's absolute numbering: module values from zero, and after them the values of
    /// the current body (arguments, constants, results of instructions).
    /// [`Module::value`](super::Module::value) looks it up.
    pub struct ValueId, "v";
    /// A function, by its position in the module.
    pub struct FunctionId, "f";
    /// A global variable, by its position in the module.
    pub struct GlobalId, "g";
    /// An alias, by its position in the module.
    pub struct AliasId, "alias";
    /// A constant. Constants of function bodies are in the same table.
    pub struct ConstantId, "c";
    /// An instruction of a body, by its position in the body.
    pub struct InstId, "i";
    /// A piece of metadata, by LLVM's number.
    pub struct MetadataId, "m";
}

/// A value: its type and its definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Type. The values of globals, functions and aliases are pointers.
    pub ty: TypeId,
    /// Definition.
    pub def: ValueDef,
}

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// Address of a global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// An alias.
    Alias(AliasId),
    /// A constant.
    Constant(ConstantId),
    /// An argument of the function, counted from zero.
    Argument(u32),
    /// Result of an instruction of the body.
    Inst(InstId),
    /// Metadata as an operand, for debug intrinsics. LLVM does not number these; here they follow
    /// the body's other values.
    Metadata(MetadataId),
}

/// A constant. Its type is that of its value. Operands are in
/// [`Module::constant_operands`](super::Module::constant_operands).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// Zero of any type: `0`, `0.0`, `null`, `zeroinitializer`.
    Null,
    /// `undef`
    Undef,
    /// `poison`
    Poison,
    /// An integer of at most 64 bits, zero-extended from the width of its type.
    Int(u64),
    /// A wider integer: 64-bit words in [`Module::constant_words`](super::Module::constant_words),
    /// least significant first. Missing words are zero.
    WideInt(List<u64>),
    /// Bits of a half, float or double, in the low bits.
    Float(u64),
    /// Words of a wider float, as in the record.
    WideFloat(List<u64>),
    /// An array, vector or struct with one value per element.
    Aggregate(List<ValueId>),
    /// An array or vector of integers or floats of at most 64 bits: bits of each element in
    /// [`Module::constant_words`](super::Module::constant_words).
    Data(List<u64>),
    /// An arithmetic expression.
    Binary {
        /// Operation.
        op: BinaryOp,
        /// Optimisation flags.
        flags: OptimizationFlags,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// A conversion.
    Cast {
        /// Operation.
        op: CastOp,
        /// Operand.
        value: ValueId,
    },
    /// Address arithmetic: the base pointer, then one index per level.
    GetElementPtr {
        /// Whether the result lies inside the object (`inbounds`).
        inbounds: bool,
        /// Type that the base points to.
        base_ty: TypeId,
        /// Base pointer and indexes.
        operands: List<ValueId>,
    },
    /// `select`
    Select {
        /// Condition.
        cond: ValueId,
        /// Value for a true condition.
        if_true: ValueId,
        /// Value for a false condition.
        if_false: ValueId,
    },
    /// `icmp` or `fcmp`
    Cmp {
        /// Predicate.
        pred: Predicate,
        /// Left operand.
        lhs: ValueId,
        /// Right operand.
        rhs: ValueId,
    },
    /// `extractelement`
    ExtractElement {
        /// Vector.
        vector: ValueId,
        /// Index.
        index: ValueId,
    },
    /// `insertelement`
    InsertElement {
        /// Vector.
        vector: ValueId,
        /// New element.
        element: ValueId,
        /// Index.
        index: ValueId,
    },
    /// `shufflevector`
    ShuffleVector {
        /// First vector.
        lhs: ValueId,
        /// Second vector.
        rhs: ValueId,
        /// Constant mask.
        mask: ValueId,
    },
    /// Address of a basic block, which DXIL does not have.
    BlockAddress {
        /// The function.
        function: ValueId,
        /// Number of the block.
        block: u32,
    },
    /// Inline assembly, which DXIL does not have.
    InlineAsm {
        /// Text of the assembly.
        text: Str,
        /// Constraints.
        constraints: Str,
    },
}
