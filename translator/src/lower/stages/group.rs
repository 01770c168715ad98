//! What the stages with thread groups have in common: the size of the group, the device's limits
//! for mesh and amplification shaders, and upper bounds of numbers that come from thread ids.

use rspirv::spirv::{Capability, ExecutionMode};

use crate::analysis::program::Entry;
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{BinaryOp, CastOp, InstData, Value};
use crate::lower::cx::{FunctionCx, Limit, check_limit};
use crate::ops::OpCode;
use crate::ops::consts::ShaderStage;
use dxil_base::error::{Place, Result};
use dxil_base::profile::Feature;
use dxil_spirv_builder::{Id, Module};

/// Declares `[numthreads]`. `most` is D3D's limit, `limit` the device's.
///
/// # Errors
/// `Malformed` for more threads than D3D allows, `Unsupported` for more than the device allows.
pub fn local_size(
    entry: &Entry,
    module: &mut Module<'_>,
    main: Id,
    most: u32,
    limit: Option<Limit>,
) -> Result<[u32; 3]> {
    let stage = entry.stage;
    let Some(threads) = entry.properties.num_threads() else {
        return Err(malformed!(Place::Input, "a {stage} shader does not say numthreads"));
    };
    if threads.contains(&0) {
        return Err(malformed!(Place::Input, "numthreads {threads:?} has a zero"));
    }
    let all = threads.iter().fold(1u32, |all, &n| all.saturating_mul(n));
    if all > most {
        return Err(malformed!(Place::Input, "numthreads {threads:?} is more than {most} threads"));
    }
    if let Some(limit) = limit {
        check_limit("threads in a group", all, limit)?;
    }
    module.execution_mode(main, ExecutionMode::LocalSize, &threads);
    Ok(threads)
}

/// Declares the capability of mesh and amplification shaders.
///
/// # Errors
/// `MissingFeature` if the device does not have the stage; `Unsupported` if it takes no SPIR-V
/// that has it.
pub(super) fn needs_mesh_shading(module: &mut Module<'_>, feature: Feature, stage: ShaderStage) -> Result<()> {
    module.caps.require(feature)?;
    let (major, minor) = module.caps.version();
    if (major, minor) < (1, 4) {
        return Err(unsupported!(
            Place::Input,
            "a {stage} shader needs SPIR-V 1.4 (SPV_EXT_mesh_shader), and the device takes SPIR-V {major}.{minor}; enable \
             VK_KHR_spirv_1_4 or use Vulkan 1.2"
        ));
    }
    mesh_capability(module)
}

/// Declares the capability of mesh shaders, which a pixel shader needs for inputs of primitives.
pub(super) fn mesh_capability(module: &mut Module<'_>) -> Result<()> {
    module.caps.capability(Capability::MeshShadingEXT)
}

/// How many operations are looked through for the bound of a number.
const DEPTH: u32 = 6;

/// The largest value that a 32-bit number can have, if the operations that compute it bound it.
pub(super) fn bound(cx: &mut FunctionCx<'_, '_>, value: Value) -> Option<u64> {
    // One number may be the operand of many operations.
    if let Some(&known) = cx.analysis.bounds.get(&value) {
        return known;
    }
    let found = bound_within(cx, value, DEPTH).filter(|&bound| bound <= u64::from(u32::MAX));
    cx.analysis.bounds.insert(value, found);
    found
}

fn bound_within(cx: &mut FunctionCx<'_, '_>, value: Value, depth: u32) -> Option<u64> {
    if let Some(constant) = cx.input.const_uint(value) {
        return Some(constant);
    }
    let depth = depth.checked_sub(1)?;
    let threads = cx.input.entry.properties.num_threads()?;
    let (_, &data) = cx.function.def_inst(value)?;
    let fits = |bound: u64| Some(bound).filter(|&bound| bound <= u64::from(u32::MAX));
    match data {
        InstData::Op { op: OpCode::FlattenedThreadIdInGroup, .. } => {
            fits(threads.iter().map(|&n| u64::from(n)).product::<u64>().saturating_sub(1))
        }
        InstData::Op { op: OpCode::ThreadIdInGroup, args, .. } => {
            let component = args::ThreadIdInGroup::view(cx.function.list(args))?.component;
            let component = usize::try_from(cx.input.const_uint(component)?).ok()?;
            Some(u64::from(threads.get(component)?.saturating_sub(1)))
        }
        InstData::Op { op: OpCode::UMin, args, .. } => {
            let args = args::UMin::view(cx.function.list(args))?;
            let (a, b) = (bound_within(cx, args.a, depth), bound_within(cx, args.b, depth));
            a.into_iter().chain(b).min()
        }
        InstData::Cast { op: CastOp::ZExt, value } => bound_within(cx, value, depth),
        InstData::Select { then, otherwise, .. } => {
            Some(bound_within(cx, then, depth)?.max(bound_within(cx, otherwise, depth)?))
        }
        InstData::Binary { op, lhs, rhs, .. } => {
            let constant = cx.input.const_uint(rhs);
            match op {
                BinaryOp::And => {
                    let (a, b) = (bound_within(cx, lhs, depth), bound_within(cx, rhs, depth));
                    a.into_iter().chain(b).min()
                }
                // Bits that are set in neither operand are not set in the result.
                BinaryOp::Or | BinaryOp::Xor => {
                    let all = bound_within(cx, lhs, depth)? | bound_within(cx, rhs, depth)?;
                    Some(u64::MAX.checked_shr(all.leading_zeros()).unwrap_or(0))
                }
                BinaryOp::Add => fits(bound_within(cx, lhs, depth)?.checked_add(bound_within(cx, rhs, depth)?)?),
                BinaryOp::Mul => fits(bound_within(cx, lhs, depth)?.checked_mul(bound_within(cx, rhs, depth)?)?),
                BinaryOp::Shl => {
                    let by = u32::try_from(constant?).ok().filter(|&by| by < 32)?;
                    fits(bound_within(cx, lhs, depth)?.checked_mul(1 << by)?)
                }
                BinaryOp::LShr => {
                    let by = u32::try_from(constant?).ok().filter(|&by| by < 32)?;
                    Some(bound_within(cx, lhs, depth).unwrap_or(u64::from(u32::MAX)) >> by)
                }
                BinaryOp::URem => constant?.checked_sub(1),
                BinaryOp::UDiv => Some(bound_within(cx, lhs, depth)?.checked_div(constant?)?),
                _ => None,
            }
        }
        _ => None,
    }
}
