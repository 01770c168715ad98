//! Which columns of its outputs a mesh shader stores anywhere.
//!
//! In: the operations that store one component of a vertex's or primitive's output. Out: the
//! columns of each element. What must hold: a column that is absent has no defined value.

use std::collections::BTreeMap;

use crate::analysis::program::{Entry, Program};
use crate::ir::{Function, InstData, Module};
use crate::ops::consts::ShaderStage;
use crate::ops::{Access, Memory, Role};

/// The columns of each output element that the entry stores anywhere, as a mask. An element is
/// whether it is of primitives, and its number.
pub type StoredColumns = BTreeMap<(bool, u64), u8>;

/// The columns that a mesh shader stores.
pub fn columns(program: &Program, entry: &Entry) -> StoredColumns {
    let mut columns = StoredColumns::new();
    if entry.stage != ShaderStage::Mesh {
        return columns;
    }
    for &func in &program.reached[entry.reachable.functions] {
        add_columns(&mut columns, &program.module, &program.module.functions[func]);
    }
    columns
}

/// Adds the columns that a function stores.
pub(super) fn add_columns(columns: &mut StoredColumns, module: &Module, function: &Function) {
    for &data in function.insts.values() {
        let InstData::Op { op, args, .. } = data else { continue };
        if op.info().access != Access::Store(Memory::Output) {
            continue;
        }
        let number = |role| op.info().value(role, function.list(args)).and_then(|value| module.const_uint(value));
        let primitive = op.info().operand(Role::Primitive).is_some();
        if let (Some(id), Some(column @ ..4)) = (number(Role::Element), number(Role::Column)) {
            *columns.entry((primitive, id)).or_default() |= 1 << column;
        }
    }
}
