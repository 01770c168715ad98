//! Whether the passes have anything to do.
//!
//! What a compiler writes seldom needs a pass. In: a verified module and its entry functions. Out:
//! a
//! [`Work`], found in one walk. What must hold: where [`any`](Work::any) is false, no pass but
//! `vendor` changes the module.

use super::{functions, params, payloads, vectors, words};
use crate::ir::{Func, InstData, Module, Type, TypeId, Value};
use crate::ops::OpSet;
use dxil_base::entity::PrimaryMap;

/// What the passes may have to do.
pub(super) struct Work {
    /// A value or a constant is an address.
    pub(super) has_addresses: bool,
    /// Some pass but that of vendor intrinsics may change the module.
    pub(super) any: bool,
    /// The operations of all functions.
    pub(super) operations: OpSet,
}

impl Work {
    /// Looks at each instruction, parameter, value and constant once.
    pub(super) fn find(module: &Module, entries: &[Func]) -> Self {
        let kinds: PrimaryMap<TypeId, u8> = module.types.iter().map(|(_, ty)| kind(ty)).collect();
        let (mut used, mut operations, mut any) = (0, OpSet::default(), false);
        let mut indices = Vec::new();
        let is_asked = kinds.values().any(|kind| kind & (ADDRESS | VECTOR) != 0);
        module.consts.iter().for_each(|(_, constant)| used |= kinds[constant.ty]);
        for function in module.functions.values() {
            let is_chosen = |value: Value| kinds[module.type_of(function, value)] & (HANDLE | ADDRESS) != 0;
            if is_asked {
                function.locals.iter().for_each(|local| used |= kinds[local.ty]);
            }
            for (inst, data) in function.insts.iter() {
                match *data {
                    InstData::Op { op, .. } => operations.insert(op),
                    InstData::Call { .. } => any = true,
                    InstData::Select { then, .. } => any |= is_chosen(then),
                    InstData::Load { .. }
                    | InstData::Store { .. }
                    | InstData::AtomicRmw { .. }
                    | InstData::CmpXchg { .. } => {
                        any = any || words::is_irregular_access(module, function, inst, *data, &mut indices)
                    }
                    _ => {}
                }
            }
            any |= function.blocks.values().flat_map(|block| &block.params).any(|&param| is_chosen(param))
                || params::is_needed(function);
        }
        // An entry function with arguments gets a payload.
        let any = any
            || used & VECTOR != 0
            || vectors::uses_odd_vectors(module)
            || entries.iter().any(|&func| !module.functions[func].args.is_empty())
            || operations.iter().any(|op| functions::ends_invocation(op) || payloads::is_shader_call(op));
        Self { has_addresses: used & ADDRESS != 0, any, operations }
    }
}

/// The bits of the kinds of types that passes ask for.
const HANDLE: u8 = 1;
const ADDRESS: u8 = 2;
const VECTOR: u8 = 4;

/// The bit of a type's kind, if passes ask for it.
fn kind(ty: &Type) -> u8 {
    match ty {
        Type::Handle => HANDLE,
        Type::Pointer { .. } => ADDRESS,
        Type::Vector { .. } => VECTOR,
        _ => 0,
    }
}
