//! The writer of a function: its new instructions, and the offsets that replace its pointers.

use std::collections::BTreeMap;

use super::super::plan::Plan;
use super::offsets::Offsets;
use crate::ir::data_layout::Sizes;
use crate::ir::{
    AddressSpace, BinaryOp, CastOp, ConstKind, Consts, Func, Function, Inst, InstData, Module, Type, TypeId, Types,
    Value, ValueKind,
};
use crate::passes::replacements::Replacements;

/// An array, as the functions use it.
pub(super) struct RewrittenArray {
    /// The array's type, its element type, and the type of pointers to elements.
    pub(super) ty: TypeId,
    pub(super) word: TypeId,
    pub(super) word_pointer: TypeId,
    pub(super) bits: u8,
    pub(super) space: AddressSpace,
    /// The array's address, if the array is a variable of the module.
    pub(super) global: Option<Value>,
}

/// The byte offset of a part in an object.
pub(super) fn part_offset(types: &Types, sizes: &Sizes, ty: TypeId, number: usize) -> Option<u64> {
    match types[ty] {
        Type::Array { element, .. } => sizes.stride(element)?.checked_mul(number as u64),
        Type::Vector { element, .. } => sizes.vector_step(types, element)?.checked_mul(number as u64),
        _ => sizes.member(ty, number),
    }
}

/// What the functions share.
#[derive(Clone, Copy)]
pub(super) struct RewriteContext<'a> {
    pub(super) sizes: &'a Sizes,
    pub(super) plan: &'a Plan,
    pub(super) arrays: &'a [RewrittenArray],
    pub(super) offsets: &'a Offsets,
    /// `i32`.
    pub(super) word: TypeId,
}

/// Rewrites one function.
pub(super) struct WordsRewriter<'a> {
    pub(super) types: &'a mut Types,
    pub(super) consts: &'a mut Consts,
    pub(super) function: &'a mut Function,
    pub(super) func: Func,
    pub(super) shared: RewriteContext<'a>,
    /// The type of each local before pointers became offsets.
    pub(super) before: Vec<TypeId>,
    /// The values that replace values. No alias is made that leads back to its start.
    pub(super) aliases: Replacements,
    /// The function's own arrays, by their numbers.
    pub(super) own: BTreeMap<usize, Value>,
    /// The block's new instructions so far.
    pub(super) out: Vec<Inst>,
}

impl<'a> WordsRewriter<'a> {
    pub(super) fn new(
        module: &'a mut Module,
        function: &'a mut Function,
        func: Func,
        shared: RewriteContext<'a>,
    ) -> Self {
        let before = function.locals.iter().map(|local| local.ty).collect();
        Self {
            types: &mut module.types,
            consts: &mut module.consts,
            function,
            func,
            shared,
            before,
            aliases: Replacements::default(),
            own: BTreeMap::new(),
            out: Vec::new(),
        }
    }

    /// The array that a pointer points into.
    pub(super) fn array_of(&self, pointer: Value) -> Option<usize> {
        match pointer.kind() {
            ValueKind::Local(_) => self.shared.plan.array_of(self.func, pointer),
            ValueKind::Const(constant) => Some(self.shared.offsets.get(constant)?.array),
        }
    }

    /// The offset that replaces a pointer.
    pub(super) fn offset(&mut self, pointer: Value) -> Value {
        match pointer.kind() {
            ValueKind::Local(_) => self.aliases.resolve(pointer),
            ValueKind::Const(constant) => {
                // An undefined address may be any address; 0 is one.
                let offset = self.shared.offsets.get(constant).map_or(0, |position| position.offset);
                self.number(offset)
            }
        }
    }

    pub(super) fn type_before(&self, value: Value) -> TypeId {
        match value.kind() {
            ValueKind::Local(index) => match self.before.get(index) {
                Some(&ty) => ty,
                None => self.function.locals[index].ty,
            },
            ValueKind::Const(constant) => self.consts[constant].ty,
        }
    }
}

/// Instructions and constants.
impl WordsRewriter<'_> {
    /// A cast, if the type differs.
    pub(super) fn cast(&mut self, op: CastOp, value: Value, ty: TypeId) -> Value {
        match self.type_before(value) == ty {
            true => value,
            false => self.emit(InstData::Cast { op, value }, ty),
        }
    }

    /// Arithmetic on 32-bit integers.
    pub(super) fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let number = |value: Value| self.consts.as_uint(value.as_const()?).map(|n| n as u32);
        let folded = match (op, number(lhs), number(rhs)) {
            (BinaryOp::Add | BinaryOp::LShr | BinaryOp::Shl, _, Some(0)) => return lhs,
            (BinaryOp::Add, Some(0), _) => return rhs,
            (BinaryOp::Mul, _, Some(1)) => return lhs,
            (BinaryOp::Add, Some(a), Some(b)) => Some(a.wrapping_add(b)),
            (BinaryOp::LShr, Some(a), Some(b)) => Some(a.wrapping_shr(b)),
            (BinaryOp::Shl, Some(a), Some(b)) => Some(a.wrapping_shl(b)),
            (BinaryOp::And, Some(a), Some(b)) => Some(a & b),
            (BinaryOp::Xor, Some(a), Some(b)) => Some(a ^ b),
            _ => None,
        };
        match folded {
            Some(number) => self.number(u64::from(number)),
            None => self.emit(InstData::Binary { op, precise: false, lhs, rhs }, self.shared.word),
        }
    }

    /// A constant of 32 bits.
    pub(super) fn number(&mut self, number: u64) -> Value {
        self.constant(self.shared.word, ConstKind::Int(number & u64::from(u32::MAX)))
    }

    pub(super) fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Value {
        self.consts.value(ty, kind)
    }

    /// A list of one constant index.
    pub(super) fn member(&mut self, number: usize) -> u32 {
        self.function.indices.push(number as u32);
        self.function.indices.len() as u32 - 1
    }

    pub(super) fn emit(&mut self, data: InstData, ty: TypeId) -> Value {
        self.function.emit(&mut self.out, data, ty)
    }
}
