//! The hit objects of NVAPI.
//!
//! In: an element of NVAPI's buffer whose opcode is that of a hit object. Out: the operation of
//! shader model 6.9 that is the same. What must hold: NVAPI's hit object is a word, so a word
//! becomes a hit object only if all its uses are operands of these operations, or phis of which the
//! same holds.
//!
//! What TraceRay does is encoded as a TraceRay, whose miss shader has the number that an increment
//! gave. The ray of an invocation is not traced: its other operands are zeros. Attributes are what
//! a call of a callable shader with such a number gives.

use foldhash::HashMap;

use super::element::{Element, SOURCE_0, SOURCE_1, SOURCE_2};
use super::forms::{Form, ObjectForm};
use super::reader::Reader;
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{Block, Def, Value};
use crate::ops::OpCode;

/// Opcodes: those that are tested more than once.
const TRACE_RAY: u32 = 67;
pub(super) const GET_RAY_DESC: u32 = 79;

/// The word that stands for the hit object in a refusal.
const CHOSEN: &str = "HIT_OBJECT as a number";

/// Whether an opcode is that of a hit object.
pub(super) fn is_of_objects(opcode: u32) -> bool {
    (TRACE_RAY..=85).contains(&opcode)
}

impl Reader<'_> {
    /// Whether an operation calls a shader whose number is the last result of an element, which
    /// nothing else uses.
    pub(super) fn is_call_of(&self, element: &Element, op: OpCode, args: &[Value]) -> bool {
        let number = match op {
            OpCode::TraceRay => args::TraceRay::view(args).map(|args| args.miss_shader_index),
            OpCode::CallShader => args::CallShader::view(args).map(|args| args.shader_index),
            _ => None,
        };
        element.outputs.last().is_some_and(|&last| Some(last) == number && self.uses(last) == 1)
    }

    /// The form of an element.
    pub(super) fn object_form(&self, opcode: u32, element: &Element) -> Option<ObjectForm> {
        let word = |at: usize| element.words[at];
        let outputs = match opcode {
            TRACE_RAY => 2,
            GET_RAY_DESC => 8,
            _ => 1,
        };
        let call = element.call.and_then(|call| self.operation(call));
        if element.outputs.len() != outputs || call.is_some() != matches!(opcode, TRACE_RAY | 72 | 80) {
            return None;
        }
        let asked = |op| Some(ObjectForm::Asked { object: word(SOURCE_0)?, questions: vec![(op, None)] });
        match opcode {
            TRACE_RAY => {
                let trace = args::TraceRay::view(call?.1)?;
                let mut args = call?.1.to_vec();
                let miss = args.iter_mut().find(|value| **value == trace.miss_shader_index);
                *miss? = word(SOURCE_0)?;
                Some(ObjectForm::Make { op: OpCode::HitObject_TraceRay, args })
            }
            70 => {
                let (start, end) = (word(SOURCE_0 + 1)?, word(SOURCE_0 + 2)?);
                let three = |at: usize| Some([word(at)?, word(at + 1)?, word(at + 2)?]);
                let ([x, y, z], [dx, dy, dz]) = (three(SOURCE_1)?, three(SOURCE_2)?);
                Some(ObjectForm::Miss { record: word(SOURCE_0)?, ray: [x, y, z, start, dx, dy, dz, end] })
            }
            85 => Some(ObjectForm::Make { op: OpCode::HitObject_MakeNop, args: Vec::new() }),
            71 => {
                let args = vec![word(SOURCE_0 + 2)?, word(SOURCE_0 + 3)?];
                match self.number(word(SOURCE_0)?)? {
                    _ if self.uses(element.outputs[0]) != 0 => None,
                    0 => Some(ObjectForm::Statement { op: OpCode::VendorReorder, object: None, args }),
                    1 => {
                        let object = Some(word(SOURCE_0 + 1)?);
                        Some(ObjectForm::Statement { op: OpCode::MaybeReorderThread, object, args })
                    }
                    _ => None,
                }
            }
            72 => {
                let args = vec![args::TraceRay::view(call?.1)?.payload];
                Some(ObjectForm::Statement { op: OpCode::HitObject_Invoke, object: Some(word(SOURCE_0)?), args })
            }
            80 => {
                let args = vec![args::CallShader::view(call?.1)?.parameter];
                Some(ObjectForm::Statement { op: OpCode::HitObject_Attributes, object: Some(word(SOURCE_0)?), args })
            }
            73 => asked(OpCode::HitObject_IsMiss),
            83 => asked(OpCode::HitObject_IsHit),
            84 => asked(OpCode::HitObject_IsNop),
            74 => asked(OpCode::HitObject_InstanceID),
            75 => asked(OpCode::HitObject_InstanceIndex),
            76 => asked(OpCode::HitObject_PrimitiveIndex),
            77 => asked(OpCode::HitObject_GeometryIndex),
            78 => asked(OpCode::HitObject_HitKind),
            81 => asked(OpCode::HitObject_ShaderTableIndex),
            GET_RAY_DESC => {
                let mut questions = vec![(OpCode::HitObject_RayTMin, None), (OpCode::HitObject_RayTCurrent, None)];
                for op in [OpCode::HitObject_WorldRayOrigin, OpCode::HitObject_WorldRayDirection] {
                    questions.extend((0..3).map(|component| (op, Some(component))));
                }
                Some(ObjectForm::Asked { object: word(SOURCE_0)?, questions })
            }
            82 => Some(ObjectForm::RecordWord { object: word(SOURCE_0)?, offset: word(SOURCE_0 + 1)? }),
            _ => None,
        }
    }

    /// Finds the phis that choose hit objects. Refuses hit objects that are used as anything else.
    pub(super) fn choose_objects(&mut self) {
        // How many of the uses of each hit object are known.
        let mut known: HashMap<Value, u32> = HashMap::default();
        for call in &self.calls {
            if let (Form::Object(ObjectForm::Make { .. } | ObjectForm::Miss { .. }), Some(&(_, object))) =
                (&call.form, call.results.first())
            {
                known.insert(object, 0);
            }
        }
        let mut stack = Vec::new();
        for object in self.calls.iter().filter_map(|call| match &call.form {
            Form::Object(form) => form.object(),
            _ => None,
        }) {
            if !known.contains_key(&object) {
                stack.push(object);
            }
            *known.entry(object).or_default() += 1;
        }
        let passed = if stack.is_empty() { HashMap::default() } else { self.passed() };
        while let Some(chosen) = stack.pop() {
            let Some(values) = passed.get(&chosen) else {
                self.refused.insert(CHOSEN);
                return;
            };
            self.choices.push(chosen);
            for &value in values {
                if !known.contains_key(&value) {
                    stack.push(value);
                }
                *known.entry(value).or_default() += 1;
            }
        }
        if known.iter().any(|(&object, &uses)| self.uses(object) != uses) {
            self.refused.insert(CHOSEN);
        }
    }

    /// The values that are passed to each parameter of a block.
    fn passed(&self) -> HashMap<Value, Vec<Value>> {
        let mut passed: HashMap<Value, Vec<Value>> = HashMap::default();
        let is_param = |value: Value, block: Block| {
            value.as_local().is_some_and(|local| self.function.locals[local].def == Def::Param(block))
        };
        for block in self.function.blocks.values() {
            for call in block.terminator.targets() {
                let params = &self.function.blocks[call.block].params;
                for (&param, &value) in params.iter().zip(self.function.list(call.args)) {
                    if is_param(param, call.block) && self.is_word(param) {
                        passed.entry(param).or_default().push(value);
                    }
                }
            }
        }
        passed
    }
}
