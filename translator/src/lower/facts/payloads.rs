//! The payloads of shader calls: which allocas are passed as they are.
//!
//! In SPIR-V a call names a variable of its own storage class (SPV_KHR_ray_tracing,
//! `OpTraceRayKHR`). An alloca that a call takes is that variable, so no copy is made.

use std::collections::BTreeMap;

use rspirv::spirv::StorageClass;

use crate::dxil::ir::{Func, InstData, Value};
use crate::dxil::ops::OpCode;
use crate::dxil::program::{Entry, Program};

/// The storage class of each alloca that TraceRay or CallShader takes. An alloca that both take has
/// the class of the first call.
pub fn passed_allocas(program: &Program, entry: &Entry) -> BTreeMap<(Func, Value), StorageClass> {
    let mut classes = BTreeMap::new();
    let operations = entry.reach.operations;
    if !operations.has(OpCode::TraceRay) && !operations.has(OpCode::CallShader) {
        return classes;
    }
    for &func in &entry.reach.functions {
        let function = &program.module.functions[func];
        for data in function.blocks.values().flat_map(|block| &block.insts).map(|&inst| function.insts[inst]) {
            let (args, class) = match data {
                InstData::Op { op: OpCode::TraceRay, args, .. } => (args, StorageClass::RayPayloadKHR),
                InstData::Op { op: OpCode::CallShader, args, .. } => (args, StorageClass::CallableDataKHR),
                _ => continue,
            };
            let Some(&pointer) = function.list(args).last() else { continue };
            if matches!(function.def_inst(pointer), Some((_, InstData::Alloca { .. }))) {
                classes.entry((func, pointer)).or_insert(class);
            }
        }
    }
    classes
}
