//! Which groupshared variables are declared as integers, because atomic operations work on the bits
//! of their floats.

use crate::analysis::address::{Address, MemoryVariable};
use crate::analysis::program::{Entry, Program};
use crate::ir::{Global, InstData};
use dxil_base::entity::EntitySet;

/// The global variables that an atomic operation of the entry accesses with another type than
/// theirs.
pub fn bit_globals(program: &Program, entry: &Entry) -> EntitySet<Global> {
    let module = &program.module;
    let mut found = EntitySet::new();
    if module.globals.is_empty() {
        return found;
    }
    for &func in &program.reached[entry.reachable.functions] {
        let function = &module.functions[func];
        for data in function.insts.values() {
            let (InstData::AtomicRmw { ptr, value, .. } | InstData::CmpXchg { ptr, new: value, .. }) = *data else {
                continue;
            };
            if let Ok(Address { variable: MemoryVariable::Global(global), ty, .. }) =
                Address::resolve(module, function, ptr)
                && ty != module.type_of(function, value)
            {
                found.insert(global);
            }
        }
    }
    found
}
