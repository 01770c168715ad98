//! Decodes constants: numbers, aggregates, addresses of globals, constant expressions.

use super::decoder::Decoder;
use super::fold::{self, Scalar};
use super::operators::{binary_op, cast_op, cmp_op};
use crate::ir::*;
use dxil_base::entity::Entity;
use dxil_base::limits;
use dxil_bitcode as bitcode;
use dxil_bitcode::{Constant, ValueDef, ValueId};

/// The maximum number of elements of a vector in a constant expression. DXIL's vectors have up to
/// four elements, those of shader model 6.9 more.
const LANES: u32 = 1024;

/// What a value is as a constant.
enum Content {
    /// A constant of the value's type.
    New(ConstKind),
    /// One that the IR has already.
    Same(Const),
}

impl Decoder<'_> {
    /// The IR constant of a module-level value.
    fn module_const(&mut self, id: ValueId) -> Const {
        self.constant(None, &mut Vec::new(), id, 0)
    }

    /// The IR global of a bitcode global.
    fn global(&mut self, id: bitcode::GlobalId) -> Option<Global> {
        if let Some(Some(done)) = self.globals.get(id.index()) {
            return Some(*done);
        }
        let global = *self.input.globals.get(id)?;
        let data = GlobalVar {
            name: bitcode::unmarked(&self.input.text(global.name)).into(),
            ty: self.ty(global.ty),
            space: AddressSpace::from_number(global.address_space),
            constant: global.constant,
            init: None,
        };
        let done = self.module.globals.push(data);
        self.globals[id.index()] = Some(done);
        // The initializer may refer to other globals and to this one, so it is decoded after the
        // memo has an entry.
        if let Some(init) = global.initializer {
            self.initializers.push((done, init));
            self.decode_initializers();
        }
        Some(done)
    }

    /// Decodes the initializers that are left. The globals that they refer to only join the list,
    /// because a chain of such references may be as long as there are globals.
    fn decode_initializers(&mut self) {
        if self.in_initializers {
            return;
        }
        self.in_initializers = true;
        while let Some((global, init)) = self.initializers.pop() {
            let init = self.module_const(init);
            self.module.globals[global].init = Some(init);
        }
        self.in_initializers = false;
    }

    /// The IR constant of a value; `memo` has the values of the body that are already decoded. A
    /// constant that the IR cannot express becomes [`ConstKind::Unsupported`], which is an error if
    /// something uses it.
    pub(super) fn constant(
        &mut self,
        body: Option<&bitcode::Body>,
        memo: &mut Vec<Option<Const>>,
        id: ValueId,
        depth: usize,
    ) -> Const {
        let module_values = self.input.values.len();
        let done = match id.index().checked_sub(module_values) {
            None => self.module_consts[id.index()],
            Some(local) => memo.get(local).copied().flatten(),
        };
        if let Some(done) = done {
            return done;
        }
        let Some(value) = self.input.value(body, id) else {
            let ty = self.module.types.intern(Type::Void);
            return self.unsupported(ty, "a constant that the module does not have");
        };
        let ty = self.ty(value.ty);
        let content = if depth > limits::TYPE_NESTING {
            Content::New(ConstKind::Unsupported("a constant nested too deeply".into()))
        } else {
            self.content_of(body, memo, ty, value.def, depth)
        };
        let done = match content {
            Content::New(kind) => self.module.consts.intern(ConstData { ty, kind }),
            Content::Same(done) => done,
        };
        match id.index().checked_sub(module_values) {
            None => self.module_consts[id.index()] = Some(done),
            Some(local) => {
                if let Some(slot) = memo.get_mut(local) {
                    *slot = Some(done);
                }
            }
        }
        done
    }

    fn content_of(
        &mut self,
        body: Option<&bitcode::Body>,
        memo: &mut Vec<Option<Const>>,
        ty: TypeId,
        def: ValueDef,
        depth: usize,
    ) -> Content {
        Content::New(match def {
            ValueDef::Constant(c) => match self.chosen(body, memo, ty, c, depth) {
                Some(chosen) => return Content::Same(chosen),
                None => self.content(body, memo, ty, c, depth),
            },
            ValueDef::Global(g) => match self.global(g) {
                Some(global) => ConstKind::GlobalAddr(global),
                None => ConstKind::Unsupported("a global that the module does not have".into()),
            },
            ValueDef::Function(_) => ConstKind::Unsupported("the address of a function".into()),
            ValueDef::Alias(_) => ConstKind::Unsupported("an alias".into()),
            ValueDef::Metadata(_) => ConstKind::Unsupported("metadata as a value".into()),
            ValueDef::Argument(_) | ValueDef::Inst(_) => {
                ConstKind::Unsupported("a constant that depends on an instruction".into())
            }
        })
    }

    fn unsupported(&mut self, ty: TypeId, why: &str) -> Const {
        self.module.consts.intern(ConstData { ty, kind: ConstKind::Unsupported(why.into()) })
    }

    fn content(
        &mut self,
        body: Option<&bitcode::Body>,
        memo: &mut Vec<Option<Const>>,
        ty: TypeId,
        id: bitcode::ConstantId,
        depth: usize,
    ) -> ConstKind {
        let Some(&constant) = self.input.constants.get(id) else {
            return ConstKind::Unsupported("a constant that the module does not have".into());
        };
        match constant {
            Constant::Null => match self.module.types[ty] {
                Type::Int(_) => ConstKind::Int(0),
                Type::Float(_) => ConstKind::Float(0),
                _ => ConstKind::Null,
            },
            Constant::Undef | Constant::Poison => ConstKind::Undef,
            Constant::Int(bits) => match self.module.types[ty] {
                Type::Int(width) => ConstKind::Int(if width == 64 { bits } else { bits & ((1 << width) - 1) }),
                _ => ConstKind::Unsupported("an integer of unusual width".into()),
            },
            Constant::Float(bits) => ConstKind::Float(bits),
            Constant::Aggregate(list) => {
                let elements: Box<[Const]> = self.input.constant_operands[list]
                    .iter()
                    .map(|&element| self.constant(body, memo, element, depth + 1))
                    .collect();
                if self.elements_fit(ty, &elements) {
                    ConstKind::Aggregate(elements)
                } else {
                    ConstKind::Unsupported("an aggregate whose elements do not fit its type".into())
                }
            }
            Constant::Data(list) => {
                let element = match self.module.types[ty] {
                    Type::Array { element, .. } | Type::Vector { element, .. } => element,
                    _ => return ConstKind::Unsupported("a data constant of unusual type".into()),
                };
                let float = matches!(self.module.types[element], Type::Float(_));
                let words = &self.input.constant_words[list];
                let elements: Box<[Const]> = words
                    .iter()
                    .map(|&bits| {
                        let kind = if float { ConstKind::Float(bits) } else { ConstKind::Int(bits) };
                        self.module.consts.intern(ConstData { ty: element, kind })
                    })
                    .collect();
                if self.elements_fit(ty, &elements) {
                    ConstKind::Aggregate(elements)
                } else {
                    ConstKind::Unsupported("a data constant that does not fit its type".into())
                }
            }
            Constant::GetElementPtr { operands, .. } => {
                let mut operands =
                    self.input.constant_operands[operands].iter().map(|&o| self.constant(body, memo, o, depth + 1));
                match operands.next() {
                    Some(base) => {
                        let indices: Box<[Const]> = operands.collect();
                        if self.gep_fits(ty, base, &indices) {
                            ConstKind::Gep { base, indices }
                        } else {
                            ConstKind::Unsupported("getelementptr that does not fit its type".into())
                        }
                    }
                    None => ConstKind::Unsupported("getelementptr without operands".into()),
                }
            }
            Constant::Cast { op, value } => {
                let (op, value) = (cast_op(op), self.constant(body, memo, value, depth + 1));
                match self.folded_cast(ty, op, value) {
                    Some(kind) => kind,
                    None => ConstKind::Cast { op, value },
                }
            }
            Constant::Binary { op, lhs, rhs, .. } => {
                let operands = [lhs, rhs].map(|id| self.constant(body, memo, id, depth + 1));
                let op = binary_op(op);
                let folded = self.zipped(operands, |scalar, a, b| fold::binary(op, scalar, a, b));
                self.folded(ty, folded, op.name())
            }
            Constant::Cmp { pred, lhs, rhs } => {
                let operands = [lhs, rhs].map(|id| self.constant(body, memo, id, depth + 1));
                let op = cmp_op(pred);
                let folded = match self.same_address(operands) {
                    Some(same) if matches!(op, CmpOp::Eq | CmpOp::Ne) => {
                        Some(vec![u64::from(same == (op == CmpOp::Eq))])
                    }
                    _ => self.zipped(operands, |scalar, a, b| fold::compare(op, scalar, a, b).map(u64::from)),
                };
                self.folded(ty, folded, op.name())
            }
            Constant::Select { cond, if_true, if_false } => {
                let [cond, a, b] = [cond, if_true, if_false].map(|id| self.constant(body, memo, id, depth + 1));
                self.folded_select(ty, cond, a, b)
            }
            Constant::ExtractElement { vector, index } => {
                let [vector, index] = [vector, index].map(|id| self.constant(body, memo, id, depth + 1));
                let lane = self.lanes(vector).zip(self.lane_number(index)).and_then(|((_, l), n)| l.get(n).copied());
                self.folded(ty, lane.map(|lane| vec![lane]), "extractelement")
            }
            Constant::InsertElement { vector, element, index } => {
                let [vector, element, index] =
                    [vector, element, index].map(|id| self.constant(body, memo, id, depth + 1));
                let folded = self.lanes(vector).zip(self.lanes(element)).zip(self.lane_number(index)).and_then(
                    |(((_, mut lanes), (_, element)), n)| {
                        *lanes.get_mut(n)? = *element.first()?;
                        Some(lanes)
                    },
                );
                self.folded(ty, folded, "insertelement")
            }
            Constant::ShuffleVector { lhs, rhs, mask } => {
                let [lhs, rhs, mask] = [lhs, rhs, mask].map(|id| self.constant(body, memo, id, depth + 1));
                let folded = self.lanes(lhs).zip(self.lanes(rhs)).zip(self.lanes(mask)).and_then(
                    |(((_, mut lanes), (_, second)), (_, mask))| {
                        lanes.extend(second);
                        mask.iter().map(|&n| lanes.get(usize::try_from(n).ok()?).copied()).collect()
                    },
                );
                self.folded(ty, folded, "shufflevector")
            }
            other => ConstKind::Unsupported(format!("constant expression {}", constant_name(&other)).into()),
        }
    }

    /// The elements of a constant of numbers, and their type. Undefined elements are zero, as in
    /// lowering.
    fn lanes(&self, id: Const) -> Option<(Scalar, Vec<u64>)> {
        let data = &self.module.consts[id];
        let (element, count) = match self.module.types[data.ty] {
            Type::Vector { element, len } if len <= LANES => (element, len as usize),
            _ => (data.ty, 1),
        };
        let scalar = Scalar::of(&self.module.types[element])?;
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
        let to = Scalar::of(&self.module.types[element])?;
        let lanes = match op {
            CastOp::BitCast => fold::reinterpret(from, to, &lanes)?,
            _ => lanes.iter().map(|&lane| fold::cast(op, from, to, lane)).collect::<Option<_>>()?,
        };
        self.of_lanes(ty, &lanes)
    }

    /// The operand that a select with one condition chooses. It may be a table, which many selects
    /// share, so that it is not copied.
    fn chosen(
        &mut self,
        body: Option<&bitcode::Body>,
        memo: &mut Vec<Option<Const>>,
        ty: TypeId,
        id: bitcode::ConstantId,
        depth: usize,
    ) -> Option<Const> {
        let Some(&Constant::Select { cond, if_true, if_false }) = self.input.constants.get(id) else { return None };
        let [cond, a, b] = [cond, if_true, if_false].map(|id| self.constant(body, memo, id, depth + 1));
        match self.conditions(ty, cond, a, b)?.as_slice() {
            &[only] => Some(if only != 0 { a } else { b }),
            _ => None,
        }
    }

    /// The elements of the condition of a select, if it and the operands fit the type.
    fn conditions(&self, ty: TypeId, condition: Const, a: Const, b: Const) -> Option<Vec<u64>> {
        let fits = |id: Const| self.module.consts[id].ty == ty;
        match self.lanes(condition) {
            Some((Scalar::Int(1), lanes)) if fits(a) && fits(b) => Some(lanes),
            _ => None,
        }
    }

    /// Folds a select with several conditions.
    fn folded_select(&mut self, ty: TypeId, condition: Const, a: Const, b: Const) -> ConstKind {
        let Some(chosen) = self.conditions(ty, condition, a, b) else {
            return self.folded(ty, None, "select");
        };
        let folded = self.lanes(a).zip(self.lanes(b)).map(|((_, a), (_, b))| {
            chosen.iter().zip(a.iter().zip(&b)).map(|(&c, (&a, &b))| if c != 0 { a } else { b }).collect()
        });
        self.folded(ty, folded, "select")
    }

    /// The element type of a scalar or vector type, and the number of its elements.
    fn lane_type(&self, ty: TypeId) -> (TypeId, usize) {
        match self.module.types[ty] {
            Type::Vector { element, len } => (element, len as usize),
            _ => (ty, 1),
        }
    }

    /// The constant with these elements, if they fit the type.
    fn of_lanes(&mut self, ty: TypeId, lanes: &[u64]) -> Option<ConstKind> {
        let (element, count) = self.lane_type(ty);
        let scalar = Scalar::of(&self.module.types[element])?;
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
        let kind = lanes.and_then(|lanes| self.of_lanes(ty, &lanes));
        kind.unwrap_or_else(|| ConstKind::Unsupported(format!("constant expression {name}").into()))
    }

    /// Whether an aggregate has as many elements as its type, each with the right type.
    fn elements_fit(&self, ty: TypeId, elements: &[Const]) -> bool {
        match &self.module.types[ty] {
            Type::Array { element, len } | Type::Vector { element, len } => {
                elements.len() == *len as usize && elements.iter().all(|&e| self.module.consts[e].ty == *element)
            }
            Type::Struct { fields, .. } => {
                elements.len() == fields.len()
                    && elements.iter().zip(fields).all(|(&e, &field)| self.module.consts[e].ty == field)
            }
            _ => false,
        }
    }

    /// Whether the indexes of a constant address computation name existing parts of the type, and
    /// lead to the type of its result.
    fn gep_fits(&self, ty: TypeId, base: Const, indices: &[Const]) -> bool {
        let Type::Pointer { mut pointee, space } = self.module.types[self.module.consts[base].ty] else { return false };
        let is_index = |index: Const| matches!(self.module.types[self.module.consts[index].ty], Type::Int(2..));
        if !indices.iter().all(|&index| is_index(index)) {
            return false;
        }
        for &index in indices.iter().skip(1) {
            let Some(number) = self.module.consts.as_uint(index) else { return false };
            pointee = match &self.module.types[pointee] {
                Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                Type::Struct { fields, .. } => match usize::try_from(number).ok().and_then(|n| fields.get(n)) {
                    Some(&field) => field,
                    None => return false,
                },
                _ => return false,
            };
        }
        let first = indices.first().is_some_and(|&i| self.module.consts.as_uint(i).is_some());
        first && self.module.types[ty] == Type::Pointer { pointee, space }
    }
}

fn constant_name(constant: &Constant) -> &'static str {
    match constant {
        Constant::WideInt(_) => "wide integer",
        Constant::WideFloat(_) => "wide float",
        Constant::BlockAddress { .. } => "blockaddress",
        Constant::InlineAsm { .. } => "inline assembly",
        _ => "constant",
    }
}
