//! Analysis of a pixel shader: which inputs it reads per vertex, and which columns of an input it
//! loads.

use crate::analysis::program::{Entry, Program};
use crate::ir::InstData;
use crate::ops::consts::ShaderStage;
use crate::ops::{Access, Memory, OpCode, Role};

/// The numbers of the input elements that some operation reads per vertex, in ascending order. Such
/// an input is declared as an array over the vertices.
pub fn per_vertex_inputs(program: &Program, entry: &Entry) -> Vec<u32> {
    let mut ids = Vec::new();
    if entry.stage != ShaderStage::Pixel || !entry.reachable.operations.iter().any(reads_vertex) {
        return ids;
    }
    for &func in &program.reached[entry.reachable.functions] {
        let function = &program.module.functions[func];
        for data in function.insts.values() {
            if let InstData::Op { op, args, .. } = *data
                && reads_vertex(op)
                && let Some(element) = op.info().value(Role::Element, function.list(args))
                && let Some(id) = program.module.const_uint(element).and_then(|id| u32::try_from(id).ok())
            {
                ids.push(id);
            }
        }
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Whether an operation reads an input of one vertex of the primitive.
fn reads_vertex(op: OpCode) -> bool {
    op.info().access == Access::Load(Memory::Input) && op.info().operand(Role::Vertex).is_some()
}

/// The columns of an input element that its entry function loads: bit n is column n.
pub fn loaded_columns(program: &Program, entry: &Entry, element: u32) -> u32 {
    let function = &program.module.functions[entry.func];
    let number = |value| program.module.const_uint(value).and_then(|number| u32::try_from(number).ok());
    let columns = function.insts.values().filter_map(|data| match *data {
        InstData::Op { op, args, .. } if op.info().access == Access::Load(Memory::Input) && !reads_vertex(op) => {
            let operand = |role| number(op.info().value(role, function.list(args))?);
            (operand(Role::Element)? == element).then_some(())?;
            1u32.checked_shl(operand(Role::Column)?)
        }
        _ => None,
    });
    columns.fold(0, |all, column| all | column)
}
