//! Rasterizer-ordered views: the critical section of a pixel shader.
//!
//! In: the entry function. Out: where the section begins and ends. What must hold: every access to a rasterizer-ordered view lies inside,
//! and every invocation begins and ends the section exactly once, whatever way it takes (SPV_EXT_fragment_shader_interlock). So the
//! section is the run from the first to the last access where all of them lie in the entry block, and else the whole shader.
//! D3D orders the accesses of overlapping pixels (D3D11.3 functional specification, "Rasterizer Ordered Views"); a wider section orders
//! more than that, and costs time only.

use rspirv::spirv::{Capability, ExecutionMode, Op};

use super::Code;
use crate::dxil::handles::HandleTable;
use crate::dxil::ir::{Function, Inst, InstData};
use crate::dxil::ops::OpType;
use crate::dxil::program::{Entry, Program};
use crate::error::Result;
use crate::spirv::{Id, Module};

/// Where the section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interlock {
    /// From the first instruction to the last, both in the entry block.
    Run(Inst, Inst),
    /// From the start to every return.
    Whole,
}

/// The section that a program needs, if any.
pub(super) fn find(program: &Program, entry: &Entry) -> Option<Interlock> {
    let mut run: Option<(Inst, Inst)> = None;
    let mut elsewhere = false;
    for &id in &entry.reach.functions {
        let (function, handles) = (&program.module.functions[id], &program.handles[id]);
        for (_, block) in function.blocks.iter() {
            for &inst in block.insts.iter().filter(|&&inst| is_ordered(program, function, handles, inst)) {
                let entry = id == entry.func && function.blocks.values().next().is_some_and(|b| std::ptr::eq(b, block));
                match &mut run {
                    _ if !entry => elsewhere = true,
                    Some((_, last)) => *last = inst,
                    None => run = Some((inst, inst)),
                }
            }
        }
    }
    if elsewhere { Some(Interlock::Whole) } else { run.map(|(first, last)| Interlock::Run(first, last)) }
}

fn is_ordered(program: &Program, function: &Function, handles: &HandleTable, inst: Inst) -> bool {
    let InstData::Op { op, args, .. } = function.insts[inst] else { return false };
    if op.makes_handle() {
        return false;
    }
    let operands = op.info().operands.iter().zip(function.list(args));
    operands
        .filter(|(operand, _)| operand.ty == OpType::Handle)
        .any(|(_, &value)| handles.get(value).is_some_and(|found| program.resources[found.resource].rasterizer_ordered))
}

/// Declares the section's mode.
///
/// # Errors
/// `MissingFeature` where the device has no interlock: without it the order would be lost.
pub(super) fn declare(module: &mut Module<'_>, main: Id) -> Result<()> {
    module.caps.capability(Capability::FragmentShaderPixelInterlockEXT)?;
    module.execution_mode(main, ExecutionMode::PixelInterlockOrderedEXT, &[]);
    Ok(())
}

/// Enters the section.
pub(super) fn begin(code: &mut Code<'_, '_>) {
    code.stmt::<Id>(Op::BeginInvocationInterlockEXT, &[]);
}

/// Leaves it.
pub(super) fn end(code: &mut Code<'_, '_>) {
    code.stmt::<Id>(Op::EndInvocationInterlockEXT, &[]);
}
