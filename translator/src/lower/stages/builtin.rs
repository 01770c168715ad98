//! Operations that load a builtin variable.

use rspirv::spirv::{BuiltIn, Capability, Op};

use crate::ir::Value;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// Loads a builtin variable. It is an unsigned 32-bit integer, or a vector of three if the
/// operation has an operand that chooses a component.
pub fn builtin(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    builtin: BuiltIn,
) -> Result<Lowered> {
    let u32_ty = code.type_u32();
    let Some(&component) = call.args.first() else {
        return Ok(Lowered::Id(cx.entry.load_builtin(code, builtin, u32_ty)?));
    };
    let vector = code.type_vector(u32_ty, 3);
    let value = cx.entry.load_builtin(code, builtin, vector)?;
    self::component(cx, code, call, value, component)
}

/// Loads a builtin variable of unsigned 32-bit type that needs a capability.
///
/// # Errors
/// `MissingFeature` if the device does not have the capability.
pub(super) fn word(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    builtin: BuiltIn,
    capability: Capability,
) -> Result<Lowered> {
    code.caps.capability(capability)?;
    let word = code.type_u32();
    Ok(Lowered::Id(cx.entry.load_builtin(code, builtin, word)?))
}

/// A component of a vector of three words. The operand `component` chooses it.
pub(super) fn component(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    value: Id,
    component: Value,
) -> Result<Lowered> {
    let word = code.type_u32();
    let id = match cx.input.const_uint(component) {
        Some(n @ 0..=2) => code.extract(word, value, &[n as u32]),
        Some(n) => return Err(malformed!(call.place, "component {n} of {}; components are 0 to 2", call.op)),
        None => {
            let component = cx.value(code, component)?;
            code.op(Op::VectorExtractDynamic, word, &[value, component])
        }
    };
    Ok(Lowered::Id(id))
}

/// The index of the output control point that this invocation computes.
pub(super) fn invocation(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Id> {
    let word = code.type_u32();
    cx.entry.load_builtin(code, BuiltIn::InvocationId, word)
}
