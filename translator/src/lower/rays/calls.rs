//! Shader calls: TraceRay, CallShader and ReportHit, and the operations of any-hit shaders that end
//! the invocation.
//!
//! In: a call's operands. Out: instructions of `SPV_KHR_ray_tracing`. What must hold: the payload
//! is in its variable before the call, and is read from there after it.

use rspirv::spirv::{Capability, Op, StorageClass};

use super::{flags, structure};
use crate::analysis::bits::Bits;
use crate::ir::Value;
use crate::ir::args::{self, Args};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::memory::{CallVariable, write_attributes};
use crate::ops::OpCode;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The low bits of an operand, which are all that D3D uses (DirectX Raytracing specification,
/// "TraceRay").
pub(super) fn low_bits(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value, bits: u32) -> Result<Id> {
    let mask = (1u32 << bits) - 1;
    let id = cx.value(code, value)?;
    let above = cx.analysis.known_bits(value).and(Bits::constant(u64::from(!mask), 32));
    match cx.input.const_uint(value) {
        Some(number) => Ok(code.const_u32(number as u32 & mask)),
        None if above.value() == Some(0) => Ok(id),
        None => {
            let (word, mask) = (code.type_u32(), code.const_u32(mask));
            Ok(code.binary(Op::BitwiseAnd, word, id, mask))
        }
    }
}

/// A vector of three floats.
pub(super) fn vector(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, parts: [Value; 3]) -> Result<Id> {
    let parts = cx.values(code, parts)?;
    let float = code.type_f32();
    let ty = code.type_vector(float, 3);
    Ok(code.construct(ty, &parts))
}

/// The operands of an instruction that traces a ray, but for the payload.
pub(super) struct Ray([Id; 10]);

impl Ray {
    /// Those of an operation whose first operands are those of TraceRay.
    ///
    /// # Errors
    /// Those of the operands.
    pub(super) fn new(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, args: &[Value]) -> Result<Self> {
        let count = OpCode::TraceRay.info().operands.len();
        let Some(args) = args.get(..count).and_then(args::TraceRay::view) else {
            return Err(bug!(cx.entry.place, "a ray has other operands"));
        };
        let structure = structure::value(cx, code, args.acceleration_structure)?;
        let flags = flags::combined(cx, code, 0, args.ray_flags)?;
        let mask = low_bits(cx, code, args.instance_inclusion_mask, 8)?;
        let contribution = low_bits(cx, code, args.ray_contribution_to_hit_group_index, 4)?;
        let multiplier = low_bits(cx, code, args.multiplier_for_geometry_contribution_to_shader_index, 4)?;
        let miss = low_bits(cx, code, args.miss_shader_index, 16)?;
        let origin = vector(cx, code, [args.origin_x, args.origin_y, args.origin_z])?;
        let direction = vector(cx, code, [args.direction_x, args.direction_y, args.direction_z])?;
        let [least, most] = cx.values(code, [args.t_min, args.t_max])?;
        Ok(Self([structure, flags, mask, contribution, multiplier, miss, origin, least, direction, most]))
    }

    /// The operands with the variable of a payload.
    pub(super) fn operands(&self, payload: Id) -> Vec<Id> {
        self.0.iter().copied().chain([payload]).collect()
    }
}

/// Traces a ray.
pub fn trace_ray(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TraceRay,
) -> Result<Lowered> {
    trace(cx, code, call.args, args.payload)
}

/// Traces a ray by the operands of TraceRay, which are the first of `args`.
pub(super) fn trace(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    args: &[Value],
    payload: Value,
) -> Result<Lowered> {
    code.caps.capability(Capability::RayTracingKHR)?;
    let ray = Ray::new(cx, code, args)?;
    let payload = CallVariable::find(cx, code, payload, StorageClass::RayPayloadKHR, "the payload of TraceRay")?;
    code.stmt(Op::TraceRayKHR, &ray.operands(payload.variable));
    code.forget_values();
    payload.copy_back(code);
    Ok(Lowered::Nothing)
}

/// Runs a callable shader.
pub fn call_shader(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::CallShader,
) -> Result<Lowered> {
    code.caps.capability(Capability::RayTracingKHR)?;
    let index = cx.value(code, args.shader_index)?;
    let what = "the parameter of CallShader";
    let parameter = CallVariable::find(cx, code, args.parameter, StorageClass::CallableDataKHR, what)?;
    code.stmt(Op::ExecuteCallableKHR, &[index, parameter.variable]);
    code.forget_values();
    parameter.copy_back(code);
    Ok(Lowered::Nothing)
}

/// Reports a hit. The result tells whether it was accepted.
pub fn report_hit(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::ReportHit,
) -> Result<Lowered> {
    code.caps.capability(Capability::RayTracingKHR)?;
    let [t, kind] = cx.values(code, [args.t_hit, args.hit_kind])?;
    write_attributes(cx, code, args.attributes, "the attributes of ReportHit")?;
    let truth = code.type_bool();
    Ok(Lowered::Id(code.op(Op::ReportIntersectionKHR, truth, &[t, kind])))
}

/// `IgnoreHit` and `AcceptHitAndEndSearch`. The end of the block emits them
/// ([`passes`](crate::passes) ends the block behind them), because in SPIR-V they are terminators.
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every lowering")]
pub fn end_hit<A>(_: &mut FunctionCx<'_, '_>, _: &mut Code<'_, '_>, _: &Call<'_>, _: A) -> Result<Lowered> {
    Ok(Lowered::Nothing)
}
