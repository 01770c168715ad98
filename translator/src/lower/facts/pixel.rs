//! Facts about a pixel shader: which inputs it reads per vertex, and whether a discard sets a flag.

use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::{Func, InstData};
use crate::dxil::ops::OpCode;
use crate::dxil::ops::args::{self, Args};
use crate::dxil::program::{Entry, Program};
use crate::spirv::Caps;

/// The numbers of the input elements that some operation reads per vertex. Such an input is
/// declared as an array over the vertices.
pub fn per_vertex_inputs(program: &Program, functions: &[Func]) -> Vec<u32> {
    let mut ids = Vec::new();
    for &func in functions {
        let function = &program.module.functions[func];
        for data in function.insts.values() {
            if let InstData::Op { op: OpCode::AttributeAtVertex, args, .. } = *data
                && let Some(args) = args::AttributeAtVertex::view(function.list(args))
                && let Some(id) = program.module.const_uint(args.input_sig_id).and_then(|id| u32::try_from(id).ok())
            {
                ids.push(id);
            }
        }
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Whether a discard sets a flag instead of demoting: the entry is a pixel shader, some function
/// that it reaches discards, and the device cannot demote.
pub fn flags_discards(program: &Program, entry: &Entry, functions: &[Func], caps: &Caps<'_>) -> bool {
    let discards = |&func: &Func| {
        let insts = program.module.functions[func].insts.values();
        insts.into_iter().any(|data| matches!(data, InstData::Op { op: OpCode::Discard, .. }))
    };
    entry.stage == ShaderStage::Pixel && !caps.native_demote() && functions.iter().any(discards)
}
