//! Which groupshared variable is the payload of an amplification shader.

use crate::analysis::address::{Address, MemoryVariable};
use crate::analysis::program::{Entry, Program};
use crate::ir::{Global, InstData};
use crate::ops::Role;
use crate::ops::consts::ShaderStage;

/// The groupshared variable that every `DispatchMesh` of the entry sends as a whole; `None` if
/// there is no such variable.
pub fn mesh_payload(program: &Program, entry: &Entry) -> Option<Global> {
    let module = &program.module;
    if entry.stage != ShaderStage::Amplification {
        return None;
    }
    let mut found = None;
    for &func in &program.reached[entry.reachable.functions] {
        let function = &module.functions[func];
        for data in function.insts.values() {
            let InstData::Op { op, args, .. } = *data else { continue };
            let Some(payload) = op.info().value(Role::MeshPayload, function.list(args)) else { continue };
            let address = Address::resolve(module, function, payload).ok()?;
            let MemoryVariable::Global(global) = address.variable else { return None };
            if address.ty != address.whole || found.is_some_and(|other| other != global) {
                return None;
            }
            found = Some(global);
        }
    }
    found
}
