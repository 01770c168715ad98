//! Which passes have anything to do.
//!
//! What a compiler writes seldom needs a pass. In: a verified module and its entry functions. Out:
//! a [`Work`], found in one walk. What must hold: a pass that [`Work`] does not ask for would not
//! change the module, unless another pass changes it before.

#[cfg(test)]
mod tests;

use super::payloads::{self, MemoryAccess};
use super::{VectorForm, functions, params, vectors, words};
use crate::analysis::address::{self, Address, Index};
use crate::ir::{Const, ConstData, Func, Function, Inst, InstData, Module, Terminator, Type, TypeId, Value};
use crate::ops::OpSet;
use dxil_base::entity::{EntitySet, PrimaryMap};

/// What the passes may have to do.
#[derive(Default)]
pub(super) struct Work {
    /// The use of an address may be charged ([`address::charge`]).
    pub(super) has_chains: bool,
    /// The operations of all functions.
    pub(super) operations: OpSet,
    /// A function is called.
    pub(super) has_calls: bool,
    /// A parameter of a block always has the same value.
    pub(super) has_needless_params: bool,
    /// Code stands behind an operation that ends the invocation.
    pub(super) has_ended_blocks: bool,
    /// An operation has vectors, a vector is not one of SPIR-V's, or is accessed through a cast.
    pub(super) has_vectors: bool,
    /// Control flow chooses a handle or an address.
    pub(super) has_choices: bool,
    /// An access to memory is not a single access path, or control flow chooses an address.
    pub(super) is_irregular: bool,
    /// The functions that have payloads, and that one walk does not show to need no copy of any.
    pub(super) payloads: Vec<Func>,
}

impl Work {
    /// Looks at each instruction, parameter, value and constant once.
    pub(super) fn find(module: &Module, entries: &[Func]) -> Self {
        let kinds: PrimaryMap<TypeId, u8> = module.types.iter().map(|(_, ty)| kind(ty)).collect();
        let mut entered = EntitySet::new();
        entries.iter().for_each(|&entry| _ = entered.insert(entry));
        let of_types = kinds.values().fold(0, |all, kind| all | kind);
        let is_odd = |(_, constant): (Const, &ConstData)| kinds[constant.ty] & ODD != 0;
        let has_odd = of_types & ODD != 0 && (module.consts.iter().any(is_odd) || vectors::uses_odd_vectors(module));
        let has_vectors = of_types & VECTOR != 0;
        let mut walk = Walk { module, has_vectors, kinds, indices: Vec::new(), work: Self::default() };
        walk.work.has_vectors = has_odd;
        walk.work.has_chains = module.consts.iter().any(|(_, constant)| address::is_charged_constant(module, constant));
        for (func, function) in module.functions.iter() {
            walk.function(func, function, entered.contains(func));
        }
        walk.work.has_ended_blocks = walk.work.operations.iter().any(functions::ends_invocation)
            && module.functions.values().any(has_ended_block);
        walk.work
    }

    /// Whether some pass but those of vendor intrinsics and hit objects may change the module.
    pub(super) fn any(&self) -> bool {
        let of_values = self.has_needless_params || self.has_vectors || self.has_choices;
        of_values || self.has_calls || self.has_ended_blocks || self.is_irregular || !self.payloads.is_empty()
    }
}

/// The walk over the functions of a module.
struct Walk<'m> {
    module: &'m Module,
    kinds: PrimaryMap<TypeId, u8>,
    /// Whether some type is a vector.
    has_vectors: bool,
    /// Memory that one address after the other uses.
    indices: Vec<Index>,
    work: Work,
}

impl Walk<'_> {
    fn function(&mut self, func: Func, function: &Function, is_entered: bool) {
        let (mut has_payload, mut is_plain) = (is_entered && !function.args.is_empty(), true);
        for &param in function.blocks.values().flat_map(|block| &block.params) {
            is_plain &= !self.choice(function, param);
        }
        for (inst, data) in function.insts.iter() {
            match *data {
                InstData::Op { op, .. } => {
                    self.work.operations.insert(op);
                    if op.info().passed_pointer().is_some() {
                        has_payload = true;
                        is_plain &= self.access(function, inst);
                    }
                    self.work.has_vectors = self.work.has_vectors
                        || self.has_vectors
                            && op.info().overloads.has_vectors()
                            && vectors::has_vector(self.module, function, inst);
                }
                InstData::Load { .. }
                | InstData::Store { .. }
                | InstData::AtomicRmw { .. }
                | InstData::CmpXchg { .. } => is_plain &= self.access(function, inst),
                InstData::Call { .. } => self.work.has_calls = true,
                InstData::Select { then, .. } => is_plain &= !self.choice(function, then),
                InstData::Gep { .. } | InstData::Cast { .. } => {
                    self.work.has_chains = self.work.has_chains || address::is_charged(self.module, function, data);
                }
                _ => {}
            }
        }
        self.work.has_needless_params |= params::is_needed(function);
        if has_payload && !is_plain {
            self.work.payloads.push(func);
        }
    }

    /// Looks at a value that control flow may choose. Returns whether it is an address.
    fn choice(&mut self, function: &Function, value: Value) -> bool {
        let kind = self.kinds[self.module.type_of(function, value)];
        self.work.has_choices |= kind & (HANDLE | ADDRESS) != 0;
        self.work.is_irregular |= kind & ADDRESS != 0;
        kind & ADDRESS != 0
    }

    /// Looks at an access to memory. Returns whether no payload needs a copy for it.
    fn access(&mut self, function: &Function, inst: Inst) -> bool {
        let Some(access) = &MemoryAccess::new(function, inst) else { return true };
        let ty = access.value.map(|value| self.module.type_of(function, value));
        // Resources of libraries are loaded so.
        if ty.is_some() && ty == address::whole_global(self.module, access.pointer).map(|(_, ty)| ty) {
            return true;
        }
        let is_vector = ty.is_some_and(|ty| self.kinds[ty] & VECTOR != 0);
        self.work.has_vectors |= is_vector && vectors::is_cast(self.module, function, access.pointer);
        let memory = std::mem::take(&mut self.indices);
        let address = Address::resolve_into(self.module, function, access.pointer, memory);
        self.work.is_irregular |= ty.is_some_and(|ty| words::is_irregular(self.module, ty, address.as_ref()));
        let Ok(address) = address else { return false };
        let is_plain = payloads::is_plain(self.module, function, access, &address);
        self.indices = address.indices;
        is_plain
    }
}

/// Whether code stands behind an operation that ends the invocation.
fn has_ended_block(function: &Function) -> bool {
    let ends = |&inst: &Inst| matches!(function.insts[inst], InstData::Op { op, .. } if functions::ends_invocation(op));
    function.blocks.values().any(|block| {
        let end = block.insts.iter().position(ends);
        end.is_some_and(|end| end + 1 < block.insts.len() || block.terminator != Terminator::Unreachable)
    })
}

/// The bits of the kinds of types that passes ask for.
const HANDLE: u8 = 1;
const ADDRESS: u8 = 2;
const VECTOR: u8 = 4;
/// A vector that SPIR-V's core does not have.
const ODD: u8 = 8;

/// The bits of a type's kind that passes ask for.
fn kind(ty: &Type) -> u8 {
    match *ty {
        Type::Handle => HANDLE,
        Type::Pointer { .. } => ADDRESS,
        Type::Vector { len, .. } if VectorForm::Core.is_odd(len) => VECTOR | ODD,
        Type::Vector { .. } => VECTOR,
        _ => 0,
    }
}
