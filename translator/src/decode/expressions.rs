//! Folds constant expressions.
//!
//! In: an expression of constants. Out: a number or a vector of numbers. What must hold: the result
//! is what the instruction gives when it runs. An expression that is not folded is
//! [`ConstKind::Unsupported`], but for casts of addresses.

use super::decoder::Decoder;
use super::fold::{self, Scalar};
use crate::ir::*;

/// The maximum number of elements of a vector in a constant expression. DXIL's vectors have up to
/// four elements, those of shader model 6.9 more.
const LANES: u32 = 1024;

impl Decoder<'_> {
    pub(super) fn cast(&mut self, ty: TypeId, op: CastOp, value: Const) -> ConstKind {
        self.folded_cast(ty, op, value).unwrap_or(ConstKind::Cast { op, value })
    }

    pub(super) fn binary(&mut self, ty: TypeId, op: BinaryOp, operands: [Const; 2]) -> ConstKind {
        let folded = self.zipped(operands, |scalar, a, b| fold::binary(op, scalar, a, b));
        self.folded(ty, folded, op.name())
    }

    pub(super) fn compare(&mut self, ty: TypeId, op: CmpOp, operands: [Const; 2]) -> ConstKind {
        let folded = match self.same_address(operands) {
            Some(same) if matches!(op, CmpOp::Eq | CmpOp::Ne) => Some(vec![u64::from(same == (op == CmpOp::Eq))]),
            _ => self.zipped(operands, |scalar, a, b| fold::compare(op, scalar, a, b).map(u64::from)),
        };
        self.folded(ty, folded, op.name())
    }

    pub(super) fn extract_element(&mut self, ty: TypeId, vector: Const, index: Const) -> ConstKind {
        let lane = self.lanes(vector).zip(self.lane_number(index)).and_then(|((_, l), n)| l.get(n).copied());
        self.folded(ty, lane.map(|lane| vec![lane]), "extractelement")
    }

    pub(super) fn insert_element(&mut self, ty: TypeId, vector: Const, element: Const, index: Const) -> ConstKind {
        let folded = self.lanes(vector).zip(self.lanes(element)).zip(self.lane_number(index)).and_then(
            |(((_, mut lanes), (_, element)), n)| {
                *lanes.get_mut(n)? = *element.first()?;
                Some(lanes)
            },
        );
        self.folded(ty, folded, "insertelement")
    }

    pub(super) fn shuffle(&mut self, ty: TypeId, [lhs, rhs]: [Const; 2], mask: Const) -> ConstKind {
        let folded = self.lanes(lhs).zip(self.lanes(rhs)).zip(self.lanes(mask)).and_then(
            |(((_, mut lanes), (_, second)), (_, mask))| {
                lanes.extend(second);
                mask.iter().map(|&n| lanes.get(usize::try_from(n).ok()?).copied()).collect()
            },
        );
        self.folded(ty, folded, "shufflevector")
    }

    /// The elements of a constant of numbers, and their type. Undefined elements are zero, as in
    /// lowering.
    fn lanes(&self, id: Const) -> Option<(Scalar, Vec<u64>)> {
        let data = &self.module.consts[id];
        let (element, count) = match self.module.types[data.ty] {
            Type::Vector { element, len } if len <= LANES => (element, len as usize),
            _ => (data.ty, 1),
        };
        let scalar = Scalar::from_type(&self.module.types[element])?;
        let lanes = match &data.kind {
            ConstKind::Int(bits) | ConstKind::Float(bits) => vec![*bits],
            ConstKind::Null | ConstKind::Undef => vec![0; count],
            ConstKind::Aggregate(elements) => {
                let lane = |&element: &Const| match self.module.consts[element].kind {
                    ConstKind::Int(bits) | ConstKind::Float(bits) => Some(bits),
                    ConstKind::Null | ConstKind::Undef => Some(0),
                    _ => None,
                };
                elements.iter().map(lane).collect::<Option<_>>()?
            }
            _ => return None,
        };
        Some((scalar, lanes))
    }

    fn lane_number(&self, index: Const) -> Option<usize> {
        self.module.consts.as_uint(index).and_then(|n| usize::try_from(n).ok())
    }

    /// Folds an operation on each pair of elements.
    fn zipped(&self, [a, b]: [Const; 2], op: impl Fn(Scalar, u64, u64) -> Option<u64>) -> Option<Vec<u64>> {
        let ((scalar, a), (other, b)) = (self.lanes(a)?, self.lanes(b)?);
        if scalar != other || a.len() != b.len() {
            return None;
        }
        a.iter().zip(&b).map(|(&a, &b)| op(scalar, a, b)).collect()
    }

    /// Whether two addresses are equal, if both are known: each is the address of a variable or
    /// null.
    fn same_address(&self, [a, b]: [Const; 2]) -> Option<bool> {
        let address = |id: Const| match (&self.module.consts[id].kind, &self.module.types[self.module.consts[id].ty]) {
            (ConstKind::GlobalAddr(global), _) => Some(Some(*global)),
            (ConstKind::Null, Type::Pointer { .. }) => Some(None),
            _ => None,
        };
        Some(address(a)? == address(b)?)
    }

    fn folded_cast(&mut self, ty: TypeId, op: CastOp, value: Const) -> Option<ConstKind> {
        let (from, lanes) = self.lanes(value)?;
        let (element, _) = self.lane_type(ty);
        let to = Scalar::from_type(&self.module.types[element])?;
        let lanes = match op {
            CastOp::BitCast => fold::reinterpret(from, to, &lanes)?,
            _ => lanes.iter().map(|&lane| fold::cast(op, from, to, lane)).collect::<Option<_>>()?,
        };
        self.constant_of_lanes(ty, &lanes)
    }

    /// The elements of the condition of a select, if it and the operands fit the type.
    pub(super) fn conditions(&self, ty: TypeId, condition: Const, a: Const, b: Const) -> Option<Vec<u64>> {
        let fits = |id: Const| self.module.consts[id].ty == ty;
        match self.lanes(condition) {
            Some((Scalar::Int(1), lanes)) if fits(a) && fits(b) => Some(lanes),
            _ => None,
        }
    }

    /// Folds a select with several conditions.
    pub(super) fn select(&mut self, ty: TypeId, condition: Const, a: Const, b: Const) -> ConstKind {
        let Some(chosen) = self.conditions(ty, condition, a, b) else {
            return self.folded(ty, None, "select");
        };
        let folded = self.lanes(a).zip(self.lanes(b)).map(|((_, a), (_, b))| {
            chosen.iter().zip(a.iter().zip(&b)).map(|(&c, (&a, &b))| if c != 0 { a } else { b }).collect()
        });
        self.folded(ty, folded, "select")
    }

    /// The element type of a scalar or vector type, and the number of its elements.
    pub(super) fn lane_type(&self, ty: TypeId) -> (TypeId, usize) {
        match self.module.types[ty] {
            Type::Vector { element, len } => (element, len as usize),
            _ => (ty, 1),
        }
    }

    /// The constant with these elements, if they fit the type.
    fn constant_of_lanes(&mut self, ty: TypeId, lanes: &[u64]) -> Option<ConstKind> {
        let (element, count) = self.lane_type(ty);
        let scalar = Scalar::from_type(&self.module.types[element])?;
        if lanes.len() != count {
            return None;
        }
        let kind = |bits| match scalar {
            Scalar::Int(_) => ConstKind::Int(bits),
            Scalar::Float(_) => ConstKind::Float(bits),
        };
        match (element == ty, lanes) {
            (true, &[only]) => Some(kind(only)),
            _ => {
                let lanes = lanes.iter();
                let lanes = lanes.map(|&bits| self.module.consts.intern(ConstData { ty: element, kind: kind(bits) }));
                Some(ConstKind::Aggregate(lanes.collect()))
            }
        }
    }

    /// The folded constant, or an unsupported one if folding gave no result.
    fn folded(&mut self, ty: TypeId, lanes: Option<Vec<u64>>, name: &str) -> ConstKind {
        let kind = lanes.and_then(|lanes| self.constant_of_lanes(ty, &lanes));
        kind.unwrap_or_else(|| ConstKind::Unsupported(format!("constant expression {name}").into()))
    }
}
