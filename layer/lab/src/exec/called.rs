//! Which shaders a stage of a ray-tracing pipeline calls, and what it is called with.
//!
//! In: a module. Out: the size of its payload, and its calls. What must hold: an index that is not
//! a constant is not known.

use rspirv::dr::Operand;
use rspirv::spirv::{Op, StorageClass, Word};

use super::reader::{Reader, SurveyError};

/// The deepest nesting of types.
const DEPTH: u32 = 64;

/// A stage of a ray-tracing pipeline.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct RayStage {
    /// The bytes of the payload or the callable data that the stage is given.
    pub payload: Option<u32>,
    /// What it calls.
    pub calls: Vec<Call>,
}

/// A ray, or a call of a callable shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The record, or that of the miss shader of a ray, if it is known.
    pub record: Option<u32>,
    /// The record of the hit group at geometry 0, and the distance to that at geometry 1, if they
    /// are known.
    pub hit: Option<[u32; 2]>,
    /// It is a ray.
    pub is_ray: bool,
    /// The bytes that it passes.
    pub payload: u32,
}

impl RayStage {
    /// Reads a stage.
    ///
    /// # Errors
    /// The module has more types than the reader's steps.
    pub fn read(reader: &Reader<'_>) -> Result<Self, SurveyError> {
        let mut stage = Self::default();
        let variables = reader.module.types_global_values.iter().filter(|it| it.class.opcode == Op::Variable);
        for variable in variables {
            let Some(Operand::StorageClass(class)) = variable.operands.first() else { continue };
            if let (StorageClass::IncomingRayPayloadKHR | StorageClass::IncomingCallableDataKHR, Some(id)) =
                (class, variable.result_id)
            {
                stage.payload = Some(bytes_of(reader, id)?);
            }
        }
        for instruction in reader.module.functions.iter().flat_map(|it| &it.blocks).flat_map(|it| &it.instructions) {
            let ids: Vec<Word> = instruction.operands.iter().filter_map(Operand::id_ref_any).collect();
            let constant = |at: usize| ids.get(at).and_then(|id| reader.constant(*id));
            let payload = ids.last().copied().unwrap_or(0);
            match instruction.class.opcode {
                Op::TraceRayKHR => stage.calls.push(Call {
                    // The lowest bits count (SPIR-V, OpTraceRayKHR).
                    record: constant(5).map(|it| it & 0xffff),
                    hit: constant(3).and_then(|offset| Some([offset & 15, constant(4)? & 15])),
                    is_ray: true,
                    payload: bytes_of(reader, payload)?,
                }),
                Op::ExecuteCallableKHR => stage.calls.push(Call {
                    record: constant(0),
                    hit: None,
                    is_ray: false,
                    payload: bytes_of(reader, payload)?,
                }),
                _ => {}
            }
        }
        Ok(stage)
    }
}

/// The bytes of what a variable points to.
fn bytes_of(reader: &Reader<'_>, variable: Word) -> Result<u32, SurveyError> {
    let ty = reader.types.get(&variable).and_then(|it| it.result_type).and_then(|ty| reader.pointee(ty));
    ty.map_or(Ok(0), |ty| bytes(reader, ty, DEPTH))
}

/// The bytes of the numbers of a type that has no offsets.
fn bytes(reader: &Reader<'_>, ty: Word, depth: u32) -> Result<u32, SurveyError> {
    reader.step(1)?;
    let Some(found) = reader.types.get(&ty).filter(|_| depth > 0) else { return Ok(0) };
    let ids = || found.operands.iter().filter_map(Operand::id_ref_any);
    let length = match (found.class.opcode, found.operands.get(1)) {
        (Op::TypeFloat | Op::TypeInt, _) => return Ok(reader.size(ty)),
        (Op::TypeVector, Some(Operand::LiteralBit32(length))) => *length,
        (Op::TypeArray, Some(length)) => length.id_ref_any().and_then(|id| reader.constant(id)).unwrap_or(0),
        (Op::TypeStruct, _) => {
            return ids().try_fold(0_u32, |sum, ty| Ok(sum.saturating_add(bytes(reader, ty, depth - 1)?)));
        }
        _ => 0,
    };
    let element = ids().next().map_or(Ok(0), |ty| bytes(reader, ty, depth - 1))?;
    Ok(element.saturating_mul(length))
}
