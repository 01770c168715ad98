//! Which components of a mesh shader's outputs are stored together.
//!
//! In: the operations of a function that store one component of a vertex's or primitive's output.
//! Out: groups of them that become one store each. What must hold: the last value that a thread
//! stores to a component is the one that stays, and no store moves across a barrier.
//!
//! HLSL assigns vectors, and DXIL stores their components one by one, with the computation of the
//! next one in between. The outputs cannot be read, so a store may wait for the other components of
//! the same vector in its block. A store of the whole vector needs only one check of its index,
//! and avoids the quirk [`MeshOutputComponents`](dxil_base::quirks::Quirk::MeshOutputComponents).

use std::collections::{BTreeMap, BTreeSet};

use foldhash::HashMap;

use crate::analysis::program::{Entry, Program};
use crate::ir::{Function, Inst, InstData, Module, Value};
use crate::ops::consts::ShaderStage;
use crate::ops::{Access, Memory, Role, Tangle};

/// An output element: whether it is of primitives, and its number.
type OutputElement = (bool, u64);

/// The columns of each output element that the entry stores anywhere, as a mask.
pub type StoredColumns = BTreeMap<OutputElement, u8>;

/// A store of components of one row of an output.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The value of each column.
    pub columns: [Option<Value>; 4],
    /// Whether these are all columns of the element that the entry stores anywhere. Then the others
    /// have no defined value.
    pub whole: bool,
}

/// The stores of a function, by the operation in whose place they happen. All other operations that
/// store components have no effect of their own.
pub type Stores = HashMap<Inst, Stored>;

/// The operands of an operation that stores a component.
#[derive(Clone, Copy, PartialEq)]
struct StoreKey {
    element: OutputElement,
    row: Value,
    index: Value,
}

fn store(module: &Module, function: &Function, data: InstData) -> Option<(StoreKey, u64, Value)> {
    let InstData::Op { op, args, .. } = data else { return None };
    if op.info().access != Access::Store(Memory::Output) {
        return None;
    }
    let operand = |role| op.info().value(role, function.list(args));
    let (primitive, index) = match operand(Role::Vertex) {
        Some(vertex) => (false, vertex),
        None => (true, operand(Role::Primitive)?),
    };
    let (id, row, value) = (operand(Role::Element)?, operand(Role::Row)?, operand(Role::Value)?);
    let column = module.const_uint(operand(Role::Column)?).filter(|&column| column < 4)?;
    Some((StoreKey { element: (primitive, module.const_uint(id)?), row, index }, column, value))
}

/// The columns that a mesh shader stores.
pub fn columns(program: &Program, entry: &Entry) -> StoredColumns {
    let mut columns = StoredColumns::new();
    if entry.stage != ShaderStage::Mesh {
        return columns;
    }
    for &func in &entry.reachable.functions {
        add_columns(&mut columns, &program.module, &program.module.functions[func]);
    }
    columns
}

/// Adds the columns that a function stores.
pub(super) fn add_columns(columns: &mut StoredColumns, module: &Module, function: &Function) {
    for &data in function.insts.values() {
        if let Some((key, column, _)) = store(module, function, data) {
            *columns.entry(key.element).or_default() |= 1 << column;
        }
    }
}

/// A group of stores that are not complete yet.
struct OpenGroup {
    key: StoreKey,
    last: Inst,
    columns: [Option<Value>; 4],
}

/// A row or index: its number if it is constant. Two constants of different numbers name different
/// rows; all others may turn out to be the same at run time.
type Number = Option<u64>;

/// The open groups of one element, by row and index. No two of them may be the same row of the same
/// vertex at run time, so the key is unique.
#[derive(Default)]
struct ElementGroups {
    groups: BTreeMap<(Number, Number), OpenGroup>,
    /// The keys, index first.
    by_index: BTreeSet<(Number, Number)>,
}

impl ElementGroups {
    /// The groups that may be this row and index at run time.
    fn near(&self, row: Number, index: Number) -> Vec<(Number, Number)> {
        let all = |first: Number| (first, None)..=(first, Some(u64::MAX));
        let of_row = |row| self.groups.range(all(row)).map(|(key, _)| *key);
        let of_index = |index| self.by_index.range(all(index)).map(|&(index, row)| (row, index));
        match (row, index) {
            (Some(_), Some(_)) => {
                let keys = [(row, index), (row, None), (None, index), (None, None)];
                keys.into_iter().filter(|key| self.groups.contains_key(key)).collect()
            }
            (Some(_), None) => of_row(row).chain(of_row(None)).collect(),
            (None, Some(_)) => of_index(index).chain(of_index(None)).collect(),
            (None, None) => self.groups.keys().copied().collect(),
        }
    }

    /// The group of a store. Groups that may be the same at run time are closed.
    fn group(
        &mut self,
        row: Number,
        index: Number,
        new: OpenGroup,
        mut close: impl FnMut(OpenGroup),
    ) -> &mut OpenGroup {
        for near in self.near(row, index) {
            if self.groups.get(&near).is_some_and(|open| open.key != new.key) {
                self.by_index.remove(&(near.1, near.0));
                self.groups.remove(&near).into_iter().for_each(&mut close);
            }
        }
        self.by_index.insert((index, row));
        self.groups.entry((row, index)).or_insert(new)
    }
}

/// The stores of a function, grouped.
pub fn stores(module: &Module, function: &Function, columns: &StoredColumns) -> Stores {
    let mut stores = Stores::default();
    if columns.is_empty() {
        return stores;
    }
    let mut close = |open: OpenGroup| {
        let mask = (0..).zip(&open.columns).fold(0u8, |mask, (n, value)| mask | u8::from(value.is_some()) << n);
        let whole = columns.get(&open.key.element).is_some_and(|all| all & !mask == 0);
        stores.insert(open.last, Stored { columns: open.columns, whole });
    };
    let mut groups: BTreeMap<OutputElement, ElementGroups> = BTreeMap::new();
    let all_of = |groups: &mut BTreeMap<OutputElement, ElementGroups>| {
        std::mem::take(groups).into_values().flat_map(|of| of.groups.into_values())
    };
    for block in function.blocks.values() {
        for &inst in &block.insts {
            let data = function.insts[inst];
            let Some((key, column, value)) = store(module, function, data) else {
                // The stores of other threads come before or after these.
                let waits = matches!(data, InstData::Op { op, .. } if op.info().tangle == Tangle::Barrier);
                if waits || matches!(data, InstData::Call { .. }) {
                    all_of(&mut groups).for_each(&mut close);
                }
                continue;
            };
            let (row, index) = (module.const_uint(key.row), module.const_uint(key.index));
            let new = OpenGroup { key, last: inst, columns: [None; 4] };
            let group = groups.entry(key.element).or_default().group(row, index, new, &mut close);
            group.last = inst;
            if let Some(slot) = usize::try_from(column).ok().and_then(|column| group.columns.get_mut(column)) {
                *slot = Some(value);
            }
        }
        all_of(&mut groups).for_each(&mut close);
    }
    stores
}
