//! The payloads of shader calls: which allocas are passed as they are.
//!
//! In SPIR-V a call names a variable of its own storage class (SPV_KHR_ray_tracing,
//! `OpTraceRayKHR`). An alloca that a call takes is that variable, so no copy is made.

use std::collections::BTreeMap;

use crate::analysis::program::{Entry, Program};
use crate::ir::{Func, InstData, Value};
use crate::ops::{OpCode, Role};

/// A shader call that passes an alloca.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaderCall {
    /// TraceRay passes it as the payload of the ray.
    TraceRay,
    /// CallShader passes it as the parameter of the callable shader.
    CallShader,
}

/// The allocas that TraceRay or CallShader takes, each with the first call that takes it. The cost
/// is one visit of each instruction that the entry reaches.
pub fn passed_allocas(program: &Program, entry: &Entry) -> BTreeMap<(Func, Value), ShaderCall> {
    let mut calls = BTreeMap::new();
    let passes = |op: OpCode| [Role::Payload, Role::Parameter].iter().any(|&role| op.info().operand(role).is_some());
    if !entry.reachable.operations.iter().any(passes) {
        return calls;
    }
    for &func in &program.reached[entry.reachable.functions] {
        let function = &program.module.functions[func];
        for data in function.blocks.values().flat_map(|block| &block.insts).map(|&inst| function.insts[inst]) {
            let InstData::Op { op, args, .. } = data else { continue };
            let operand = |role| op.info().value(role, function.list(args));
            let (pointer, call) = match (operand(Role::Payload), operand(Role::Parameter)) {
                (Some(payload), _) => (payload, ShaderCall::TraceRay),
                (None, Some(parameter)) => (parameter, ShaderCall::CallShader),
                (None, None) => continue,
            };
            if matches!(function.def_inst(pointer), Some((_, InstData::Alloca { .. }))) {
                calls.entry((func, pointer)).or_insert(call);
            }
        }
    }
    calls
}
