//! Facts about a pixel shader: which inputs it reads per vertex, and which columns of an input it
//! loads.

use crate::analysis::program::{Entry, Program};
use crate::ir::InstData;
use crate::ir::args;
use crate::ir::args::Args;
use crate::ops::OpCode;

/// The numbers of the input elements that some operation reads per vertex, in ascending order. Such an
/// input is declared as an array over the vertices.
pub fn per_vertex_inputs(program: &Program, entry: &Entry) -> Vec<u32> {
    let mut ids = Vec::new();
    if !entry.reach.operations.has(OpCode::AttributeAtVertex) {
        return ids;
    }
    for &func in &entry.reach.functions {
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

/// The columns of an input element that its entry function loads: bit n is column n.
pub fn loaded_columns(program: &Program, entry: &Entry, element: u32) -> u32 {
    let function = &program.module.functions[entry.func];
    let number = |value| program.module.const_uint(value).and_then(|number| u32::try_from(number).ok());
    let columns = function.insts.values().filter_map(|data| match *data {
        InstData::Op { op: OpCode::LoadInput, args, .. } => {
            let args = args::LoadInput::view(function.list(args))?;
            (number(args.input_sig_id)? == element).then_some(())?;
            1u32.checked_shl(number(args.col_index)?)
        }
        _ => None,
    });
    columns.fold(0, |all, column| all | column)
}
