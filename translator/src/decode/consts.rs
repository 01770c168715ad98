//! Decodes constants: numbers, aggregates, addresses of globals, constant expressions.

use super::decoder::{Decoder, IR, Input};
use super::operators::{binary_op, cast_op, cmp_op};
use crate::ir::*;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_bitcode as bitcode;
use dxil_bitcode::{Constant, ValueDef, ValueId};

/// What a value is as a constant.
enum DecodedConstant {
    /// A constant of the value's type.
    New(ConstKind),
    /// One that the IR has already.
    Same(Const),
}

impl Decoder<'_> {
    /// The IR global of a bitcode global.
    fn global(&mut self, input: Input<'_>, id: bitcode::GlobalId) -> Result<Option<Global>> {
        if let Some(Some(done)) = self.globals.get(id.index()) {
            return Ok(Some(*done));
        }
        let Some(&global) = input.module.globals.get(id) else { return Ok(None) };
        self.fuel.items::<GlobalVar>(Place::Input, IR, 1)?;
        let data = GlobalVar {
            name: self.name(input.module, global.name)?,
            ty: self.ty(input.module, global.ty),
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
            self.decode_initializers(input)?;
        }
        Ok(Some(done))
    }

    /// Decodes the initializers that are left. The globals that they refer to only join the list,
    /// because a chain of such references may be as long as there are globals.
    fn decode_initializers(&mut self, input: Input<'_>) -> Result<()> {
        if self.in_initializers {
            return Ok(());
        }
        self.in_initializers = true;
        while let Some((global, init)) = self.initializers.pop() {
            let init = self.constant(input, init, 0)?;
            self.module.globals[global].init = Some(init);
        }
        self.in_initializers = false;
        Ok(())
    }

    /// The IR constant of a value. A constant that the IR cannot express becomes
    /// [`ConstKind::Unsupported`], which is an error if something uses it.
    pub(super) fn constant(&mut self, input: Input<'_>, id: ValueId, depth: usize) -> Result<Const> {
        // A number that was an operand before is known among the values alone, at any depth.
        let known = self.tables.consts.get(id.index()).copied().flatten();
        let operand = || self.tables.values.get(id.index()).copied().flatten()?.as_const();
        if let Some(done) = known.or_else(operand) {
            return Ok(done);
        }
        let Some(value) = input.value(id) else {
            let ty = self.module.types.intern(Type::Void);
            let kind = ConstKind::Unsupported("a constant that the module does not have".into());
            return Ok(self.module.consts.intern(ConstData { ty, kind }));
        };
        let ty = self.ty(input.module, value.ty);
        let content = match value.def {
            _ if depth > limits::TYPE_NESTING => {
                DecodedConstant::New(ConstKind::Unsupported("a constant nested too deeply".into()))
            }
            _ => match self.number(input, value)? {
                Some(number) => DecodedConstant::Same(number),
                None => self.content_of(input, ty, value.def, depth)?,
            },
        };
        let done = match content {
            DecodedConstant::New(kind) => self.new_constant(ConstData { ty, kind })?,
            DecodedConstant::Same(done) => done,
        };
        if self.tables.consts.len() <= id.index() {
            self.tables.consts.resize(id.index() + 1, None);
        }
        self.tables.consts[id.index()] = Some(done);
        Ok(done)
    }

    /// Interns a constant. It is charged with those that were interned for its elements.
    #[inline]
    fn new_constant(&mut self, data: ConstData) -> Result<Const> {
        let parts = match &data.kind {
            ConstKind::Aggregate(parts) | ConstKind::Gep { indices: parts, .. } => parts.len(),
            _ => 0,
        };
        let constant = self.module.consts.intern(data);
        let added = self.module.consts.len() - self.charged_consts;
        self.charged_consts = self.module.consts.len();
        // A constant and its place in the index.
        self.fuel.items::<(ConstData, Const)>(Place::Input, IR, added)?;
        self.fuel.items::<Const>(Place::Input, IR, parts)?;
        Ok(constant)
    }

    fn content_of(&mut self, input: Input<'_>, ty: TypeId, def: ValueDef, depth: usize) -> Result<DecodedConstant> {
        let operand = |this: &mut Self, id: ValueId| this.constant(input, id, depth + 1);
        Ok(DecodedConstant::New(match def {
            ValueDef::Constant(c) => match self.chosen(input.module, ty, c, operand)? {
                Some(chosen) => return Ok(DecodedConstant::Same(chosen)),
                None => self.content(input.module, ty, c, operand)?,
            },
            ValueDef::Global(g) => match self.global(input, g)? {
                Some(global) => ConstKind::GlobalAddr(global),
                None => ConstKind::Unsupported("a global that the module does not have".into()),
            },
            ValueDef::Function(_) => ConstKind::Unsupported("the address of a function".into()),
            ValueDef::Alias(_) => ConstKind::Unsupported("an alias".into()),
            ValueDef::Metadata(_) => ConstKind::Unsupported("metadata as a value".into()),
            ValueDef::Argument(_) | ValueDef::Inst(_) => {
                ConstKind::Unsupported("a constant that depends on an instruction".into())
            }
        }))
    }

    /// The IR constant of what most constants are: numbers, zero and `undef`. `None` for others.
    pub(super) fn number(&mut self, input: Input<'_>, value: bitcode::Value) -> Result<Option<Const>> {
        let ValueDef::Constant(id) = value.def else { return Ok(None) };
        let Some(constant) = input.module.constants.get(id) else { return Ok(None) };
        let ty = self.ty(input.module, value.ty);
        let kind = match (constant, &self.module.types[ty]) {
            (Constant::Null, Type::Int(_)) => ConstKind::Int(0),
            (Constant::Null, Type::Float(_)) => ConstKind::Float(0),
            (Constant::Null, _) => ConstKind::Null,
            (Constant::Undef | Constant::Poison, _) => ConstKind::Undef,
            (&Constant::Int(bits), &Type::Int(64)) => ConstKind::Int(bits),
            (&Constant::Int(bits), &Type::Int(width)) => ConstKind::Int(bits & ((1 << width) - 1)),
            (Constant::Int(_), _) => ConstKind::Unsupported("an integer of unusual width".into()),
            (&Constant::Float(bits), _) => ConstKind::Float(bits),
            _ => return Ok(None),
        };
        self.new_constant(ConstData { ty, kind }).map(Some)
    }

    /// What a constant is that is no [number](Self::number). `operand` decodes an operand.
    fn content(
        &mut self,
        input: &bitcode::Module,
        ty: TypeId,
        id: bitcode::ConstantId,
        operand: impl Fn(&mut Self, ValueId) -> Result<Const>,
    ) -> Result<ConstKind> {
        let Some(&constant) = input.constants.get(id) else {
            return Ok(ConstKind::Unsupported("a constant that the module does not have".into()));
        };
        Ok(match constant {
            Constant::Aggregate(list) => {
                let mut elements = Vec::with_capacity(list.len());
                for &element in &input.constant_operands[list] {
                    elements.push(operand(self, element)?);
                }
                self.aggregate(ty, elements.into(), "an aggregate whose elements do not fit its type")
            }
            Constant::Data(list) => self.data(ty, &input.constant_words[list]),
            Constant::GetElementPtr { operands, .. } => {
                let operands = &input.constant_operands[operands];
                let operands = operands.iter().map(|&id| operand(self, id)).collect::<Result<Vec<Const>>>()?;
                self.address(ty, &operands)
            }
            Constant::Cast { op, value } => {
                let [value] = self.folded_operands([value], &operand)?;
                self.cast(ty, cast_op(op), value)
            }
            Constant::Binary { op, lhs, rhs, .. } => {
                let operands = self.folded_operands([lhs, rhs], &operand)?;
                self.binary(ty, binary_op(op), operands)
            }
            Constant::Cmp { pred, lhs, rhs } => {
                let operands = self.folded_operands([lhs, rhs], &operand)?;
                self.compare(ty, cmp_op(pred), operands)
            }
            Constant::Select { cond, if_true, if_false } => {
                let [condition, a, b] = self.folded_operands([cond, if_true, if_false], &operand)?;
                self.select(ty, condition, a, b)
            }
            Constant::ExtractElement { vector, index } => {
                let [vector, index] = self.folded_operands([vector, index], &operand)?;
                self.extract_element(ty, vector, index)
            }
            Constant::InsertElement { vector, element, index } => {
                let [vector, element, index] = self.folded_operands([vector, element, index], &operand)?;
                self.insert_element(ty, vector, element, index)
            }
            Constant::ShuffleVector { lhs, rhs, mask } => {
                let [lhs, rhs, mask] = self.folded_operands([lhs, rhs, mask], &operand)?;
                self.shuffle(ty, [lhs, rhs], mask)
            }
            other => ConstKind::Unsupported(format!("constant expression {}", constant_name(&other)).into()),
        })
    }

    /// The operands of an expression that is folded for each of their elements, which are charged.
    fn folded_operands<const N: usize>(
        &mut self,
        ids: [ValueId; N],
        operand: impl Fn(&mut Self, ValueId) -> Result<Const>,
    ) -> Result<[Const; N]> {
        let mut operands = [Const::new(0); N];
        for (slot, id) in operands.iter_mut().zip(ids) {
            *slot = operand(self, id)?;
            let ty = self.module.consts[*slot].ty;
            self.fuel.steps(Place::Input, "elements of constants", self.lane_type(ty).1)?;
        }
        Ok(operands)
    }

    /// An array or vector of numbers.
    fn data(&mut self, ty: TypeId, words: &[u64]) -> ConstKind {
        let element = match self.module.types[ty] {
            Type::Array { element, .. } | Type::Vector { element, .. } => element,
            _ => return ConstKind::Unsupported("a data constant of unusual type".into()),
        };
        let float = matches!(self.module.types[element], Type::Float(_));
        let elements = words.iter().map(|&bits| {
            let kind = if float { ConstKind::Float(bits) } else { ConstKind::Int(bits) };
            self.module.consts.intern(ConstData { ty: element, kind })
        });
        let elements = elements.collect();
        self.aggregate(ty, elements, "a data constant that does not fit its type")
    }

    /// An aggregate; `misfit` says why it is unsupported if the elements do not fit the type.
    fn aggregate(&self, ty: TypeId, elements: Box<[Const]>, misfit: &str) -> ConstKind {
        match self.elements_fit(ty, &elements) {
            true => ConstKind::Aggregate(elements),
            false => ConstKind::Unsupported(misfit.into()),
        }
    }

    /// The address that a base and indexes lead to.
    fn address(&self, ty: TypeId, operands: &[Const]) -> ConstKind {
        match operands.split_first() {
            Some((&base, indices)) if self.gep_fits(ty, base, indices) => {
                ConstKind::Gep { base, indices: indices.into() }
            }
            Some(_) => ConstKind::Unsupported("getelementptr that does not fit its type".into()),
            None => ConstKind::Unsupported("getelementptr without operands".into()),
        }
    }

    /// The operand that a select with one condition chooses. It may be a table, which many selects
    /// share, so that it is not copied.
    fn chosen(
        &mut self,
        input: &bitcode::Module,
        ty: TypeId,
        id: bitcode::ConstantId,
        operand: impl Fn(&mut Self, ValueId) -> Result<Const>,
    ) -> Result<Option<Const>> {
        let Some(&Constant::Select { cond, if_true, if_false }) = input.constants.get(id) else { return Ok(None) };
        let [cond, a, b] = self.folded_operands([cond, if_true, if_false], &operand)?;
        Ok(match self.conditions(ty, cond, a, b).as_deref() {
            Some(&[only]) => Some(if only != 0 { a } else { b }),
            _ => None,
        })
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
