//! The properties of a ray and of the instance that it hits, which are not unsigned integers. The
//! others are builtins in the table of operations.
//!
//! In: the number of a component, or of a row and a column. Out: a float of a builtin variable.
//! What must hold: D3D's matrices have three rows of four columns, and those of SPIR-V the same
//! numbers as four columns of three components (`ObjectToWorldKHR`).

use rspirv::spirv::{BuiltIn, Op};

use crate::ir::Value;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// A component of a builtin of three floats.
fn component(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    builtin: BuiltIn,
    number: Value,
) -> Result<Lowered> {
    let float = code.type_f32();
    let ty = code.type_vector(float, 3);
    let vector = cx.entry.load_builtin(code, builtin, ty)?;
    Ok(Lowered::Id(match index(cx, call, number, 3)? {
        Some(number) => code.component(vector, number),
        None => {
            let number = cx.value(code, number)?;
            code.op(Op::VectorExtractDynamic, float, &[vector, number])
        }
    }))
}

/// A constant index below `count`, or `None` for a computed one.
fn index(cx: &FunctionCx<'_, '_>, call: &Call<'_>, value: Value, count: u64) -> Result<Option<u32>> {
    match cx.input.const_uint(value) {
        Some(number) if number < count => Ok(Some(number as u32)),
        Some(number) => Err(malformed!(call.place, "index {number} of {}; indexes are 0 to {}", call.op, count - 1)),
        None => Ok(None),
    }
}

/// An element of a builtin matrix.
fn element(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    builtin: BuiltIn,
    [row, column]: [Value; 2],
) -> Result<Lowered> {
    let float = code.type_f32();
    let ty = code.type_matrix(float, 3, 4);
    let matrix = cx.entry.builtin(code, builtin, ty)?;
    let mut path: [Id; 2] = [matrix; 2];
    for (slot, value, count) in [(0, column, 4), (1, row, 3)] {
        path[slot] = match index(cx, call, value, count)? {
            Some(number) => code.const_u32(number),
            // An index past the end reads any element: D3D leaves the result open, and Vulkan even
            // the access.
            None => {
                let (value, word) = (cx.value(code, value)?, code.type_u32());
                let last = code.const_u32(count as u32 - 1);
                code.glsl(rspirv::spirv::GlslStd450Op::UMin, word, &[value, last])
            }
        };
    }
    let pointer = code.access_chain(float, matrix, &path);
    Ok(Lowered::Id(code.load(pointer)))
}

/// A builtin of one float.
fn scalar(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, builtin: BuiltIn) -> Result<Lowered> {
    let float = code.type_f32();
    Ok(Lowered::Id(cx.entry.load_builtin(code, builtin, float)?))
}

macro_rules! built_ins {
    ($($(#[$meta:meta])* $name:ident($args:ident) = $builtin:ident by $read:ident$(($($operand:ident),+))?;)*) => {$(
        $(#[$meta])*
        pub fn $name(
            cx: &mut FunctionCx<'_, '_>,
            code: &mut Code<'_, '_>,
            call: &Call<'_>,
            args: args::$args,
        ) -> Result<Lowered> {
            built_ins!(@ $read cx code call args $builtin $($($operand)+)?)
        }
    )*};
    (@ component $cx:ident $code:ident $call:ident $args:ident $builtin:ident $col:ident) => {
        component($cx, $code, $call, BuiltIn::$builtin, $args.$col)
    };
    (@ element $cx:ident $code:ident $call:ident $args:ident $builtin:ident $row:ident $col:ident) => {
        element($cx, $code, $call, BuiltIn::$builtin, [$args.$row, $args.$col])
    };
}

built_ins! {
    /// `WorldRayOrigin`.
    world_origin(WorldRayOrigin) = WorldRayOriginKHR by component(col);
    /// `WorldRayDirection`.
    world_direction(WorldRayDirection) = WorldRayDirectionKHR by component(col);
    /// `ObjectRayOrigin`.
    object_origin(ObjectRayOrigin) = ObjectRayOriginKHR by component(col);
    /// `ObjectRayDirection`.
    object_direction(ObjectRayDirection) = ObjectRayDirectionKHR by component(col);
    /// `ObjectToWorld3x4`.
    object_to_world(ObjectToWorld) = ObjectToWorldKHR by element(row, col);
    /// `WorldToObject3x4`.
    world_to_object(WorldToObject) = WorldToObjectKHR by element(row, col);
}

/// `RayTMin`.
pub fn t_min(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, _: args::RayTMin) -> Result<Lowered> {
    scalar(cx, code, BuiltIn::RayTminKHR)
}

/// `RayTCurrent`. In an intersection shader ReportHit changes it, so the variable is volatile there
/// (Vulkan, VUID-StandaloneSpirv-VulkanMemoryModel-04678).
pub fn t_current(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::RayTCurrent,
) -> Result<Lowered> {
    scalar(cx, code, BuiltIn::RayTmaxKHR)
}
