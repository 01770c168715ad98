//! The function that is being decoded: its values, and the instructions that it gets.

use super::decoder::{Decoder, Input};
use super::tables::BodyMemory;
use crate::ir::verify::Rules;
use crate::ir::*;
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_bitcode as bitcode;
use dxil_bitcode::{ValueDef, ValueId};

/// Decodes one body, whose instructions it visits.
pub(super) struct BodyDecoder<'d, 'a> {
    pub(super) decoder: &'d mut Decoder<'a>,
    pub(super) out: Function,
    /// The number of instructions of the bitcode before this one.
    pub(super) at: usize,
    /// The first instruction of the current block, in the bitcode and in the IR.
    pub(super) first: (usize, Inst),
    /// The parameters of the current block.
    pub(super) params: Vec<Value>,
    pub(super) memory: BodyMemory,
    /// Whether an operand is a value that comes later.
    pub(super) is_ahead: bool,
    /// Whether there are integers of more than 64 bits.
    pub(super) has_wide: bool,
    /// Whether the function keeps the contract of the verifier, as far as it is made.
    pub(super) proven: bool,
}

/// What the number of a value of the bitcode is added to, where an operand is a value that comes
/// later. It gets the local of the value when the body is complete.
pub(super) const AHEAD: usize = 1 << 30;

impl<'d, 'a> BodyDecoder<'d, 'a> {
    /// Starts a function, with capacity for so many instructions.
    pub(super) fn new(
        decoder: &'d mut Decoder<'a>,
        input: Input<'_>,
        id: bitcode::FunctionId,
        capacity: usize,
    ) -> Result<Self> {
        let (module, function) = (input.module, &input.module.functions[id]);
        let Some(&bitcode::Type::Function { ret, params, .. }) = module.types.get(function.ty) else {
            let place = Place::Function(id.index() as u32);
            return Err(malformed!(place, "the type of the function is not a function type"));
        };
        let ret = decoder.ty(module, ret);
        let mut out = Function {
            locals: Vec::with_capacity(capacity),
            insts: PrimaryMap::with_capacity(capacity),
            results: PrimaryMap::with_capacity(capacity),
            pool: Vec::with_capacity(capacity),
            indices: Vec::with_capacity(capacity / 4),
            attributes: function.attributes.map_or_else(Attributes::default, |list| decoder.attributes(module, list)),
            ..Function::new(decoder.name(module, function.name)?, ret, id.index() as u32)
        };
        for (n, &ty) in module.type_lists[params].iter().enumerate() {
            let arg = out.make_local(decoder.ty(module, ty), Def::Arg(n as u32));
            out.args.push(arg);
        }
        decoder.tables.values.truncate(decoder.module_values);
        decoder.tables.consts.truncate(decoder.module_values);
        decoder.tables.values.extend(out.args.iter().copied().map(Some));
        decoder.tables.values.reserve(capacity);
        // The functions of a library have many constants in common.
        if decoder.module.functions.is_empty() {
            decoder.module.consts.reserve(capacity / 6);
        }
        let mut memory = std::mem::take(&mut decoder.tables.body);
        memory.clear();
        Ok(Self {
            decoder,
            out,
            at: 0,
            first: (0, Inst::new(0)),
            params: Vec::new(),
            memory,
            is_ahead: false,
            has_wide: false,
            proven: true,
        })
    }

    /// The function, and whether it keeps the contract of the verifier.
    pub(super) fn finish(self) -> (Function, bool) {
        self.decoder.tables.body = self.memory;
        (self.out, self.proven)
    }
}

impl BodyDecoder<'_, '_> {
    /// Adds an instruction, with its result. What decodes frequent instructions is given their
    /// parts, and not the whole, which would have to be in memory for it.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        module: &bitcode::Module,
        result: Option<ValueId>,
        ty: Option<bitcode::TypeId>,
        data: InstData,
    ) -> Inst {
        let number = self.out.insts.push(data);
        self.memory.numbers.add(self.at, number);
        let result = self.define(module, result, ty, Def::Inst(number));
        let _: Inst = self.out.results.push(result);
        number
    }

    /// Adds an instruction whose types the reader has compared. It keeps the contract of the
    /// verifier, unless a type has no meaning in a shader.
    #[inline(always)]
    pub(super) fn push_proven(
        &mut self,
        input: Input<'_>,
        result: Option<ValueId>,
        ty: Option<bitcode::TypeId>,
        data: InstData,
    ) {
        let number = self.push(input.module, result, ty, data);
        if self.decoder.any_other {
            self.prove(number);
        }
    }

    /// Makes the local of an instruction's result, if it has one.
    #[inline(always)]
    pub(super) fn define(
        &mut self,
        module: &bitcode::Module,
        result: Option<ValueId>,
        ty: Option<bitcode::TypeId>,
        def: Def,
    ) -> Option<Value> {
        let (id, ty) = (result?.index(), self.decoder.ty(module, ty?));
        let value = self.out.make_local(ty, def);
        // Constants have numbers between those of arguments and results.
        if id != self.decoder.tables.values.len() {
            self.decoder.tables.values.resize(id, None);
        }
        self.decoder.tables.values.push(Some(value));
        Some(value)
    }

    /// Makes the result of an instruction that becomes none: another value.
    pub(super) fn alias(&mut self, inst: &bitcode::Instruction, value: Value) {
        let Some(id) = inst.result.map(|id| id.index()) else { return };
        // As in `define`.
        self.decoder.tables.values.resize(id, None);
        self.decoder.tables.values.push(Some(value));
    }

    /// The rules that the verifier has for an instruction.
    #[inline]
    pub(super) fn rules(&self, inst: Inst) -> Rules<'_> {
        let place = Place::Inst { func: self.out.number, inst: inst.index() as u32 };
        Rules { module: &self.decoder.module, function: &self.out, place, masks: &self.decoder.masks }
    }

    pub(super) fn is_structure(&self, value: Value) -> bool {
        let local = value.as_local().and_then(|local| self.out.locals.get(local));
        local.is_some_and(|local| matches!(self.decoder.module.types[local.ty], Type::Struct { .. }))
    }

    /// Asks the verifier's rules about an instruction.
    #[inline(never)]
    pub(super) fn prove(&mut self, inst: Inst) {
        self.proven = self.proven && self.rules(inst).instruction(inst).is_ok();
    }

    /// The IR value of an operand of the instruction at a bit.
    #[inline]
    pub(super) fn value(&mut self, input: Input<'_>, bit: u32, id: ValueId) -> Result<Value> {
        match self.decoder.tables.values.get(id.index()) {
            Some(&Some(value)) => Ok(value),
            _ => self.unusual_value(input, bit, id),
        }
    }

    /// The IR value of a constant that was no operand before, or of a result that is defined later.
    #[inline(never)]
    fn unusual_value(&mut self, input: Input<'_>, bit: u32, id: ValueId) -> Result<Value> {
        let place = Place::Bit(bit.into());
        if id.index() >= AHEAD {
            return Err(unsupported!(place, "metadata as a value as an operand"));
        }
        let constant = match input.value(id) {
            None | Some(bitcode::Value { def: ValueDef::Inst(_), .. }) => {
                self.is_ahead = true;
                return Ok(Value::local(AHEAD + id.index()));
            }
            Some(value) => match self.decoder.number(input, value)? {
                Some(number) => number,
                None => self.decoder.constant(input, id, 0)?,
            },
        };
        if let ConstKind::Unsupported(why) = &self.decoder.module.consts[constant].kind {
            return Err(unsupported!(place, "{why} as an operand"));
        }
        let value = Value::constant(constant);
        if let Some(slot) = self.decoder.tables.values.get_mut(id.index()) {
            *slot = Some(value);
        }
        Ok(value)
    }
}
