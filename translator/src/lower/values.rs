//! Homes that are one instruction, and what several groups share.

use rspirv::spirv::{BuiltIn, Capability, GlslStd450Op, Op, StorageClass};

use super::context::{Context, Declared};
use super::{Call, Code, Lowered, precision};
use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::Value;
use crate::error::Result;
use crate::spirv::{Id, Module};

/// One SPIR-V instruction with the operation's operands in order.
pub(super) fn spirv(cx: &mut Context<'_>, code: &mut Code<'_, '_>, call: &Call<'_>, op: Op) -> Result<Lowered> {
    let (ty, ids, count) = operands(cx, code, call, false)?;
    if op == Op::Bitcast
        && let (&[value], to) = (call.args, call.ty()?)
        && (cx.is_widened(cx.type_of(value)) || cx.is_widened(to))
    {
        return Ok(Lowered::Id(precision::bitcast(cx, code, ids[0], cx.type_of(value), to)?));
    }
    let id = code.op(op, ty, &ids[..count]);
    if call.precise {
        code.no_contraction(id);
    }
    Ok(Lowered::Id(id))
}

/// One GLSL.std.450 instruction with the operation's operands in order.
pub(super) fn glsl(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    op: GlslStd450Op,
) -> Result<Lowered> {
    let signed = matches!(op, GlslStd450Op::SMax | GlslStd450Op::SMin);
    let (ty, ids, count) = operands(cx, code, call, signed)?;
    Ok(Lowered::Id(code.glsl(op, ty, &ids[..count])))
}

/// Result type and operand ids. The operations with such a home have at most four operands.
fn operands(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    signed: bool,
) -> Result<(Id, [Id; 4], usize)> {
    let ty = cx.ty(code, call.ty()?)?;
    let mut ids = [ty; 4];
    if call.args.len() > ids.len() {
        return Err(bug!(call.place, "{} has too many operands for one instruction", call.op));
    }
    for (slot, &arg) in ids.iter_mut().zip(call.args) {
        *slot = if signed { cx.signed_value(code, arg)? } else { cx.value(code, arg)? };
    }
    Ok((ty, ids, call.args.len()))
}

/// The load of a builtin variable: of 32-bit unsigned type, or a component of a three-component one.
pub(super) fn builtin(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    builtin: BuiltIn,
) -> Result<Lowered> {
    let u32_ty = code.type_u32();
    let Some(&component) = call.args.first() else {
        return Ok(Lowered::Id(cx.load_builtin(code, builtin, u32_ty)?));
    };
    let vector = code.type_vector(u32_ty, 3);
    let value = cx.load_builtin(code, builtin, vector)?;
    self::component(cx, code, call, value, component)
}

/// The load of a builtin variable of 32-bit unsigned type that a capability brings.
///
/// # Errors
/// `MissingFeature`.
pub(super) fn word(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    builtin: BuiltIn,
    capability: Capability,
) -> Result<Lowered> {
    code.caps.capability(capability)?;
    let word = code.type_u32();
    Ok(Lowered::Id(cx.load_builtin(code, builtin, word)?))
}

/// A component of a vector of three words, by an operand that says which.
pub(super) fn component(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    value: Id,
    component: Value,
) -> Result<Lowered> {
    let word = code.type_u32();
    let id = match cx.const_uint(component) {
        Some(n @ 0..=2) => code.extract(word, value, &[n as u32]),
        Some(n) => return Err(malformed!(call.place, "{} of component {n}", call.op)),
        None => {
            let component = cx.value(code, component)?;
            code.op(Op::VectorExtractDynamic, word, &[value, component])
        }
    };
    Ok(Lowered::Id(id))
}

impl Context<'_> {
    /// The value of a builtin.
    ///
    /// # Errors
    /// As [`builtin`](Self::builtin).
    pub fn load_builtin(&mut self, code: &mut Code<'_, '_>, builtin: BuiltIn, ty: Id) -> Result<Id> {
        let variable = self.builtin(code, builtin, ty)?;
        Ok(code.load(variable))
    }

    /// The input variable of a builtin. In pixel shaders integers are Flat, as Vulkan asks of every integer input.
    ///
    /// # Errors
    /// `MissingFeature`.
    pub fn builtin(&mut self, module: &mut Module<'_>, builtin: BuiltIn, ty: Id) -> Result<Id> {
        let pixel = self.entry.stage == ShaderStage::Pixel;
        self.declare(module, Declared::BuiltIn(builtin as u32), |_, module| {
            let id = module.builtin_variable(StorageClass::Input, ty, builtin)?;
            if pixel && matches!(module.ty(ty), Some(crate::spirv::Type::Int { .. })) {
                module.mark(id, rspirv::spirv::Decoration::Flat);
            }
            Ok(id)
        })
    }
}
