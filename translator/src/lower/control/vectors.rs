//! Operations on the components of vectors as operations on vectors.
//!
//! DXIL has scalars where the source had vectors, and one operation for each component.
//!
//! In: an operation on floats that takes the first component of a vector, and the instructions
//! after it. Out: the operation of several of them on vectors, or none. What must hold: they are
//! the same operation; where the first takes a component of a vector, the others take the next
//! ones; and all operands are there before the first operation. So all are computed where the first
//! stands. They have no effect but their results.

use rspirv::spirv::Op;

use crate::ir::{BinaryOp, Inst, InstData, Type, Value};
use crate::lower::cx::{Code, Component, FunctionCx, Lowered, WIDEST};
use crate::lower::numbers::arith;
use crate::ops::Componentwise;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::Id;

/// How many instructions after the first one may be the last. A product with a matrix has the chain
/// of one row after that of the other.
const DISTANCE: usize = 12;
/// The most operands of an operation.
const OPERANDS: usize = 3;
/// Words of most instructions here, and of OpCompositeExtract.
const WORDS: usize = 5;

/// What an operand is to all of the operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    /// Components of a vector that follow each other.
    Components,
    /// One value, or all constants.
    Same,
    /// Several scalars.
    Scalars,
}

/// Operations that are computed as one.
struct Group {
    results: [Value; WIDEST],
    /// The values of each operand.
    operands: [[Value; WIDEST]; OPERANDS],
    kinds: [Operand; OPERANDS],
    count: usize,
    /// How many operands they have.
    arity: usize,
}

/// Lowers an instruction with others after it as one operation on vectors, if that takes fewer
/// words. Returns whether the instruction is lowered, which one before it may have done.
///
/// # Errors
/// As [`FunctionCx::value`].
#[inline]
pub fn lower(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    inst: Inst,
    data: &InstData,
    after: &[Inst],
) -> Result<bool> {
    let is_componentwise = match *data {
        InstData::Binary { op, .. } => {
            matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv)
        }
        InstData::Op { op, .. } => op.componentwise().is_some(),
        _ => false,
    };
    if !is_componentwise || !cx.components.are_shared {
        return Ok(false);
    }
    let Some(result) = cx.function.result(inst) else { return Ok(false) };
    if cx.locals.is_computed(result, cx.node) {
        return Ok(true);
    }
    match Group::find(cx, data, result, after).filter(|group| group.saves(cx, code)) {
        Some(group) => group.lower(cx, code, inst).map(|()| true),
        None => Ok(false),
    }
}

/// The operands of an operation, and how many they are. Those that it does not have are its last.
#[inline]
fn operands(cx: &FunctionCx<'_, '_>, data: &InstData) -> Option<([Value; OPERANDS], usize)> {
    match *data {
        InstData::Binary { lhs, rhs, .. } => Some(([lhs, rhs, rhs], 2)),
        InstData::Op { args, .. } => match *cx.function.list(args) {
            [a] => Some(([a, a, a], 1)),
            [a, b] => Some(([a, b, b], 2)),
            [a, b, c] => Some(([a, b, c], 3)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether two instructions are the same operation.
#[inline]
fn is_same(one: &InstData, other: &InstData) -> bool {
    match (one, other) {
        (InstData::Binary { op, precise, .. }, InstData::Binary { op: other_op, precise: other_precise, .. }) => {
            op == other_op && precise == other_precise
        }
        (InstData::Op { op, precise, .. }, InstData::Op { op: other_op, precise: other_precise, .. }) => {
            op == other_op && precise == other_precise
        }
        _ => false,
    }
}

/// What an operand is to the first operation and to one that is `count` places after it. `None` if
/// they do not belong together.
#[inline]
fn kind(
    cx: &FunctionCx<'_, '_>,
    (one, component): (Value, Option<Component>),
    other: Value,
    count: usize,
) -> Option<Operand> {
    if one == other {
        return Some(Operand::Same);
    }
    match (component, cx.locals.slot(other, cx.node)) {
        (Some(one), Some(Lowered::Component(other))) => {
            let follows = other.vector == one.vector && usize::from(other.index) == usize::from(one.index) + count;
            follows.then_some(Operand::Components)
        }
        (None, Some(Lowered::Id(_))) if one.as_const().is_none() => Some(Operand::Scalars),
        (None, None) if one.as_const().is_some() && other.as_const().is_some() => Some(Operand::Same),
        _ => None,
    }
}

/// What the operands of the first operation and one `count` places after it are. `None` if they do
/// not belong together.
#[inline]
fn kinds(
    cx: &FunctionCx<'_, '_>,
    first: &[(Value, Option<Component>)],
    others: [Value; OPERANDS],
    count: usize,
) -> Option<[Operand; OPERANDS]> {
    let mut kinds = [Operand::Same; OPERANDS];
    for (slot, (&one, other)) in kinds.iter_mut().zip(first.iter().zip(others)) {
        *slot = kind(cx, one, other, count)?;
    }
    Some(kinds)
}

impl Group {
    /// Finds the operations that belong to one.
    #[inline]
    fn find(cx: &FunctionCx<'_, '_>, data: &InstData, result: Value, after: &[Inst]) -> Option<Self> {
        let (operands, arity) = operands(cx, data)?;
        let mut first = operands.map(|value| (value, None));
        let first = &mut first[..arity];
        let mut is_vector = false;
        for (value, component) in &mut *first {
            *component = cx.locals.component(*value, cx.node);
            is_vector |= component.is_some_and(|component| component.index == 0);
        }
        if !is_vector {
            return None;
        }
        let mut group = Self {
            results: [result; WIDEST],
            operands: operands.map(|value| [value; WIDEST]),
            kinds: [Operand::Same; OPERANDS],
            count: 1,
            arity,
        };
        let (mut rest, mut passed) = (after.get(..DISTANCE).unwrap_or(after), 0);
        while let Some((&next, behind)) = rest.split_first() {
            (rest, passed) = (behind, passed + 1);
            let next_data = &cx.function.insts[next];
            if !is_same(data, next_data) {
                continue;
            }
            let ((values, _), own) = (self::operands(cx, next_data)?, cx.function.result(next)?);
            let Some(kinds) = kinds(cx, first, values, group.count) else { continue };
            // All have the same kinds of operands, which are not the same values.
            let fits = if group.count == 1 { kinds != group.kinds } else { kinds == group.kinds };
            if !fits || cx.type_of(own) != cx.type_of(result) || cx.locals.is_computed(own, cx.node) {
                continue;
            }
            group.kinds = kinds;
            group.results[group.count] = own;
            for (operand, value) in group.operands.iter_mut().zip(values) {
                operand[group.count] = value;
            }
            group.count += 1;
            if group.count == WIDEST {
                break;
            }
            // The next one is about as far away.
            rest = rest.get(..passed + 4).unwrap_or(rest);
            passed = 0;
        }
        (group.count > 1).then_some(group)
    }

    /// Whether the operation on vectors takes fewer words than those on scalars. A part of the
    /// results become values of their own: a word for each.
    fn saves(&self, cx: &FunctionCx<'_, '_>, code: &Code<'_, '_>) -> bool {
        let ty = cx.type_of(self.results[0]);
        if !matches!(cx.input.ir_type(ty), Type::Float(_)) || cx.entry.widened[ty] {
            return false;
        }
        let (mut scalars, mut vectors) = (self.count * WORDS, WORDS + self.count);
        if self.arity == OPERANDS {
            // A product and a sum.
            (scalars, vectors) = (scalars * 2, vectors + WORDS);
        }
        for (values, kind) in self.operands.iter().zip(self.kinds).take(self.arity) {
            match kind {
                Operand::Same => {}
                Operand::Scalars => vectors += 3 + self.count,
                Operand::Components => {
                    let components =
                        values[..self.count].iter().filter_map(|value| cx.locals.component(*value, cx.node));
                    let is_extracted = |component: &Component| component.value.is_none();
                    scalars += components.filter(is_extracted).count() * WORDS;
                    vectors += if self.is_whole(cx, code, values[0]) { 0 } else { 5 + self.count };
                }
            }
        }
        vectors < scalars
    }

    /// Whether the vector that a value is the first component of has no others than the operations
    /// take.
    fn is_whole(&self, cx: &FunctionCx<'_, '_>, code: &Code<'_, '_>, value: Value) -> bool {
        cx.locals.component(value, cx.node).is_some_and(|component| {
            let size = code.type_of(component.vector).map(|ty| code.scalar(ty).1);
            component.index == 0 && size == Some(self.count as u32)
        })
    }

    /// Writes the operation at the place of the first instruction.
    fn lower(&self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, inst: Inst) -> Result<()> {
        cx.entry.place = Place::Inst { func: cx.function.number, inst: inst.index() as u32 };
        code.set_place(cx.entry.place);
        let ty = cx.type_of(self.results[0]);
        let scalar = cx.entry.ty(code, ty)?;
        let ty = code.type_vector(scalar, self.count as u32);
        let vector = self.operation(cx, code, cx.function.insts[inst], ty)?;
        for (index, &result) in (0..).zip(&self.results[..self.count]) {
            let lowered = cx.defined(code, result, Component { vector, index, value: None }, false);
            cx.locals.set(result, lowered, cx.node);
        }
        code.check_size()
    }

    fn operation(&self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, data: InstData, ty: Id) -> Result<Id> {
        let form = match data {
            InstData::Op { op, .. } => op.componentwise(),
            _ => None,
        };
        let multiplies =
            matches!(data, InstData::Binary { op: BinaryOp::FMul, .. }) || form == Some(Componentwise::ProductAndSum);
        let mut ids = [ty; OPERANDS];
        let mut scale = None;
        for (n, (id, values)) in ids.iter_mut().zip(&self.operands).take(self.arity).enumerate() {
            let is_scale = multiplies
                && n < 2
                && self.kinds[n] == Operand::Same
                && self.kinds[1 - n] != Operand::Same
                && values[0].as_const().is_none();
            *id = if is_scale {
                scale = Some(n);
                cx.value(code, values[0])?
            } else {
                cx.vector(code, &values[..self.count])?
            };
        }
        let [a, b, c] = ids;
        let product = |code: &mut Code<'_, '_>| match scale {
            Some(0) => code.binary(Op::VectorTimesScalar, ty, b, a),
            Some(_) => code.binary(Op::VectorTimesScalar, ty, a, b),
            None => code.binary(Op::FMul, ty, a, b),
        };
        let (id, precise) = match (data, form) {
            (InstData::Binary { op: BinaryOp::FMul, precise, .. }, _) => (product(code), precise),
            (InstData::Binary { op: BinaryOp::FAdd, precise, .. }, _) => (code.binary(Op::FAdd, ty, a, b), precise),
            (InstData::Binary { op: BinaryOp::FSub, precise, .. }, _) => (code.binary(Op::FSub, ty, a, b), precise),
            (InstData::Binary { op: BinaryOp::FDiv, precise, .. }, _) => (code.binary(Op::FDiv, ty, a, b), precise),
            (_, Some(Componentwise::Glsl(op))) => return Ok(code.glsl(op, ty, &ids[..self.arity])),
            (_, Some(Componentwise::Saturate)) => return Ok(arith::clamped(code, ty, a)),
            (InstData::Op { precise, .. }, Some(Componentwise::ProductAndSum)) => {
                let product = product(code);
                if precise {
                    code.no_contraction(product);
                }
                (code.binary(Op::FAdd, ty, product, c), precise)
            }
            _ => return Err(bug!(cx.entry.place, "an operation that has no form on vectors")),
        };
        if precise {
            code.no_contraction(id);
        }
        Ok(id)
    }
}
