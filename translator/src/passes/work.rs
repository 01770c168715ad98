//! Whether the passes have anything to do.
//!
//! What a compiler writes seldom needs a pass. In: a verified module and its entry functions. Out: a
//! [`Work`], found in one walk. What must hold: where [`any`](Work::any) is false, no pass changes
//! the module.

use super::{functions, params, payloads, vectors, words};
use crate::ir::{Func, InstData, Module, Type, TypeId, Value};
use crate::ops::OpSet;
use dxil_base::entity::EntitySet;

/// What the passes may have to do.
pub(super) struct Work {
    /// A value or a constant is an address.
    pub(super) has_addresses: bool,
    /// Some pass may change the module.
    pub(super) any: bool,
}

impl Work {
    /// Looks at each instruction, parameter, value and constant once.
    pub(super) fn find(module: &Module, entries: &[Func]) -> Self {
        let is_chosen = |ty: TypeId| matches!(module.types[ty], Type::Handle | Type::Pointer { .. });
        let (mut used, mut operations, mut any) = (EntitySet::new(), OpSet::default(), false);
        module.consts.iter().for_each(|(_, constant)| _ = used.insert(constant.ty));
        for function in module.functions.values() {
            let is_chosen = |value: Value| is_chosen(module.type_of(function, value));
            function.locals.iter().for_each(|local| _ = used.insert(local.ty));
            for (inst, data) in function.insts.iter() {
                match *data {
                    InstData::Op { op, .. } => operations.insert(op),
                    InstData::Call { .. } => any = true,
                    InstData::Select { then, .. } => any |= is_chosen(then),
                    InstData::Load { .. }
                    | InstData::Store { .. }
                    | InstData::AtomicRmw { .. }
                    | InstData::CmpXchg { .. } => {
                        any = any || words::is_irregular_access(module, function, inst, *data)
                    }
                    _ => {}
                }
            }
            any |= function.blocks.values().flat_map(|block| &block.params).any(|&param| is_chosen(param))
                || params::is_needed(function);
        }
        let has = |is: fn(&Type) -> bool| used.iter().any(|ty: TypeId| is(&module.types[ty]));
        let has_addresses = has(|ty| matches!(ty, Type::Pointer { .. }));
        // An entry function with arguments gets a payload.
        let any = any
            || has(|ty| matches!(ty, Type::Vector { .. }))
            || vectors::uses_odd_vectors(module)
            || entries.iter().any(|&func| !module.functions[func].args.is_empty())
            || operations.iter().any(|op| functions::ends_invocation(op) || payloads::is_shader_call(op));
        Self { has_addresses, any }
    }
}
