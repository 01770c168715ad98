//! Writes code of the IR.
//!
//! In: values of a function. Out: instructions at the end of a list, and their results. What must
//! hold: the caller puts the list into a block.

use crate::ir::{
    AddressSpace, BinaryOp, CastOp, CmpOp, ConstKind, Consts, Function, Inst, InstData, Type, TypeId, Types, Value,
    ValueKind,
};
use crate::ops::OpCode;

/// Writes instructions at the end of a list.
pub(super) struct CodeWriter<'a> {
    pub(super) types: &'a mut Types,
    pub(super) consts: &'a mut Consts,
    pub(super) function: &'a mut Function,
    pub(super) out: &'a mut Vec<Inst>,
}

impl CodeWriter<'_> {
    pub(super) fn integer(&mut self, bits: u8) -> TypeId {
        self.types.intern(Type::Int(bits))
    }

    pub(super) fn number_type(&mut self, float: bool) -> TypeId {
        self.types.intern(if float { Type::Float(32) } else { Type::Int(32) })
    }

    /// A structure of words, as DXC calls it.
    pub(super) fn structure(&mut self, name: &str, words: usize) -> TypeId {
        let fields = vec![self.integer(32); words].into();
        self.types.intern(Type::Struct { name: name.into(), fields, packed: false })
    }

    pub(super) fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Value {
        self.consts.value(ty, kind)
    }

    pub(super) fn number(&mut self, bits: u8, number: u64) -> Value {
        let ty = self.integer(bits);
        self.constant(ty, ConstKind::Int(number))
    }

    pub(super) fn ty(&self, value: Value) -> TypeId {
        match value.kind() {
            ValueKind::Local(local) => self.function.locals[local].ty,
            ValueKind::Const(constant) => self.consts[constant].ty,
        }
    }

    pub(super) fn emit(&mut self, data: InstData, ty: TypeId) -> Value {
        self.function.emit(self.out, data, ty)
    }

    pub(super) fn op(&mut self, op: OpCode, args: &[Value], ty: TypeId) -> Value {
        let args = self.function.make_list(args);
        self.emit(InstData::Op { op, precise: false, args }, ty)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let ty = self.ty(lhs);
        self.emit(InstData::Binary { op, precise: false, lhs, rhs }, ty)
    }

    /// A binary operation on a word and a constant.
    pub(super) fn with(&mut self, op: BinaryOp, lhs: Value, rhs: u32) -> Value {
        let rhs = self.number(32, rhs.into());
        self.binary(op, lhs, rhs)
    }

    pub(super) fn compare(&mut self, op: CmpOp, lhs: Value, rhs: Value) -> Value {
        let ty = self.integer(1);
        self.emit(InstData::Cmp { op, lhs, rhs }, ty)
    }

    pub(super) fn is_set(&mut self, value: Value) -> Value {
        let zero = self.number(32, 0);
        self.compare(CmpOp::Ne, value, zero)
    }

    pub(super) fn cast(&mut self, op: CastOp, value: Value, ty: TypeId) -> Value {
        self.emit(InstData::Cast { op, value }, ty)
    }

    /// A word as a number of a type of 32 bits.
    pub(super) fn cast_number(&mut self, value: Value, ty: TypeId) -> Value {
        if self.ty(value) == ty { value } else { self.cast(CastOp::BitCast, value, ty) }
    }

    pub(super) fn as_word(&mut self, value: Value) -> Value {
        let word = self.integer(32);
        if self.ty(value) == word { value } else { self.cast(CastOp::BitCast, value, word) }
    }

    /// One word of a structure.
    pub(super) fn member(&mut self, aggregate: Value, number: u32) -> Value {
        let first = self.function.indices.len() as u32;
        self.function.indices.push(number);
        let word = self.integer(32);
        self.emit(InstData::ExtractValue { aggregate, first, count: 1 }, word)
    }

    /// An operation without a result.
    pub(super) fn statement(&mut self, op: OpCode, args: &[Value]) {
        let args = self.function.make_list(args);
        let inst = self.function.make_inst(InstData::Op { op, precise: false, args }, None);
        self.out.push(inst);
    }

    /// Stores a value to a part of a variable, which the indexes lead to.
    pub(super) fn store_at(&mut self, base: Value, path: &[u32], value: Value) {
        let space = match self.types[self.ty(base)] {
            Type::Pointer { space, .. } => space,
            _ => AddressSpace::Default,
        };
        let pointee = self.ty(value);
        let ty = self.types.intern(Type::Pointer { pointee, space });
        let indices: Vec<Value> = [0].iter().chain(path).map(|&index| self.number(32, index.into())).collect();
        let indices = self.function.make_list(&indices);
        let ptr = self.emit(InstData::Gep { base, indices }, ty);
        let inst = self.function.make_inst(InstData::Store { ptr, value, volatile: false }, None);
        self.out.push(inst);
    }

    /// The number that a constant is.
    pub(super) fn constant_number(&self, value: Value) -> Option<u64> {
        self.consts.as_uint(value.as_const()?)
    }
}
