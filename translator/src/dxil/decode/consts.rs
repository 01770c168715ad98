//! Constants: numbers, aggregates, addresses of globals, constant expressions.

use super::Decoder;
use crate::bitcode::{self, Constant, ValueDef, ValueId};
use crate::dxil::ir::*;
use crate::entity::Entity;
use crate::limits;

impl Decoder<'_> {
    /// The IR's constant of a module-level value.
    pub(super) fn module_const(&mut self, id: ValueId) -> Const {
        self.constant(None, &mut Vec::new(), id, 0)
    }

    /// The IR's constant of a value; `memo` holds what is done of the body's own values. What can not be expressed becomes
    /// [`ConstKind::Unsupported`], an error where something uses it.
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
            return self.unsupported(ty, "a constant that is not there");
        };
        let ty = self.ty(value.ty);
        let kind = if depth > limits::TYPE_NESTING {
            ConstKind::Unsupported("a constant nested too deeply".into())
        } else {
            match value.def {
                ValueDef::Constant(c) => self.content(body, memo, ty, c, depth),
                ValueDef::Global(g) => match self.global(g) {
                    Some(global) => ConstKind::GlobalAddr(global),
                    None => ConstKind::Unsupported("a global that is not there".into()),
                },
                ValueDef::Function(_) => ConstKind::Unsupported("the address of a function".into()),
                ValueDef::Alias(_) => ConstKind::Unsupported("an alias".into()),
                ValueDef::Metadata(_) => ConstKind::Unsupported("metadata as a value".into()),
                ValueDef::Argument(_) | ValueDef::Inst(_) => {
                    ConstKind::Unsupported("a constant that depends on an instruction".into())
                }
            }
        };
        let done = self.module.consts.intern(ConstData { ty, kind });
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
            return ConstKind::Unsupported("a constant that is not there".into());
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
                let value = self.constant(body, memo, value, depth + 1);
                ConstKind::Cast { op: super::body::cast_op(op), value }
            }
            other => ConstKind::Unsupported(format!("constant expression {}", constant_name(&other)).into()),
        }
    }

    /// Whether an aggregate has as many elements as its type, each of the right type.
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

    /// Whether a constant address computation walks a type that has what it names, and ends at its own type.
    fn gep_fits(&self, ty: TypeId, base: Const, indices: &[Const]) -> bool {
        let Type::Pointer { mut pointee, space } = self.module.types[self.module.consts[base].ty] else { return false };
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
        Constant::Binary { op, .. } => op.name(),
        Constant::Select { .. } => "select",
        Constant::Cmp { .. } => "comparison",
        Constant::ExtractElement { .. } => "extractelement",
        Constant::InsertElement { .. } => "insertelement",
        Constant::ShuffleVector { .. } => "shufflevector",
        Constant::BlockAddress { .. } => "blockaddress",
        Constant::InlineAsm { .. } => "inline assembly",
        _ => "constant",
    }
}
