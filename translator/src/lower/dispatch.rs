//! The dispatch: each operation of the table goes to the function that its row names as its
//! lowering.
//!
//! In: an operation ([`Call`]). Out: its result ([`Lowered`]). The match is generated from the
//! table in [`dxil::ops`](crate::ops), so a row that names a function that does not exist
//! does not compile. docs/ops.md says which function lowers which operation.

use rspirv::spirv::{BuiltIn, GlslStd450Op, Op};

use crate::ir::args;
use crate::ir::args::Args;
use crate::lower::atomic;
use crate::lower::buffers::{buffer, cbuffer, counter, dimensions};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::images::{gather, sample, samples, texture};
use crate::lower::memory::{mesh_payload, registers};
use crate::lower::numbers::{arith, bits, convert, instruction};
use crate::lower::rays::{calls, hit, query, ray, state};
use crate::lower::resources::handle;
use crate::lower::stages::{
    amplification, builtin, compute, geometry, io, mesh, outputs, pixel, system, tessellation, views,
};
use crate::lower::waves::{barrier, derivative, quad, wave};
use crate::ops::{NO_FEEDBACK, OpCode, for_each_dxil_op};
use dxil_base::error::Result;

macro_rules! lowering {
    ($cx:ident $code:ident $call:ident $name:ident todo) => {
        Err(unsupported!($call.place, "operation {} (opcode {}) is not lowered yet", $call.op, $call.op as u32))
    };
    ($cx:ident $code:ident $call:ident $name:ident refused($reason:ident)) => {
        Err(unsupported!($call.place, "operation {} (opcode {}): {}", $call.op, $call.op as u32, $reason))
    };
    // The pass changes modules in strict SSA form only, as all compilers write them.
    ($cx:ident $code:ident $call:ident $name:ident pass($pass:ident)) => {
        Err(unsupported!(
            $call.place,
            "operation {} (opcode {}) in a module with a definition that does not dominate its use",
            $call.op,
            $call.op as u32
        ))
    };
    ($cx:ident $code:ident $call:ident $name:ident spirv($op:ident)) => {
        instruction::spirv($cx, $code, $call, Op::$op)
    };
    ($cx:ident $code:ident $call:ident $name:ident glsl($op:ident)) => {
        instruction::glsl($cx, $code, $call, GlslStd450Op::$op)
    };
    ($cx:ident $code:ident $call:ident $name:ident builtin($op:ident)) => {
        builtin::builtin($cx, $code, $call, BuiltIn::$op)
    };
    ($cx:ident $code:ident $call:ident $name:ident func($group:ident :: $function:ident)) => {
        match args::$name::view($call.args) {
            Some(args) => $group::$function($cx, $code, $call, args),
            None => Err(bug!($call.place, "{} with {} operands", $call.op, $call.args.len())),
        }
    };
}

macro_rules! dispatch {
    ($(
        $group:ident $code:literal $name:ident($($operand:ident: $ty:ident$([$mark:ident])?$( @$role:ident)?),*) -> $result:ident:
            $class:ident $overloads:literal, $effect:ident$(($access:ident$( $memory:ident)?))?, $tangle:ident, $stages:ident,
            $model:literal => $lowering:ident$(($($lowering_arg:tt)+))?;
    )+) => {
        /// Lowers a DXIL operation with the function that its row names.
        pub fn operation(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Lowered> {
            match call.op {
                $(OpCode::$name => lowering!(cx code call $name $lowering $(($($lowering_arg)+))?),)+
            }
        }
    };
}

for_each_dxil_op!(dispatch);
