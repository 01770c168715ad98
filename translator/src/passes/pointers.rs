//! Replaces phis and selects of addresses by phis and selects of array indexes.
//!
//! In: a verified module. Out: the same module, in which every block parameter or `select` of
//! pointers into one variable is replaced by block parameters or selects of indexes; the address is
//! computed from them afterwards. What must hold: the variable dominates the choices
//! ([`choices`](super::choices)).
//!
//! DXC's optimiser writes such phis where a loop walks an array (`while (i > 0 && a[i - 1] > x) …`
//! keeps the address of `a[i - 1]` for the next store). SPIR-V has no phi of a pointer without the
//! capability VariablePointers, and none at all for function-local memory. A phi or select of other
//! addresses (of several variables, or with indexes that differ in more than array elements) stays
//! unchanged and is left to [`passes::words`](crate::passes).

use super::choices::{Choice, ChoiceValue, groups, rewrite};
use crate::analysis::address::{Indexes, base_of};
use crate::ir::{ConstKind, Consts, Def, Func, Function, Inst, InstData, Module, Type, TypeId, Value, ValueKind};
use crate::ops::Access;
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// The maximum number of operations between an operand of a choice and its variable.
const CHAIN: usize = 16;
/// The maximum number of indexes that differ within a group.
const VARYING: usize = 4;

/// Rewrites every function of the module. Returns whether anything changed.
///
/// # Errors
/// `Limit` if the choices have more indexes than the budget allows.
pub fn merge(module: &mut Module, fuel: &Fuel) -> Result<bool> {
    let funcs: Vec<Func> = module.functions.keys().collect();
    let mut changed = false;
    for func in funcs {
        let groups = groups::<CommonAddress>(module, &module.functions[func], fuel)?;
        if !groups.is_empty() {
            rewrite(module, func, &groups, fuel)?;
            changed = true;
        }
    }
    Ok(changed)
}

/// An address in a variable: the variable and the indexes into it.
struct Path {
    variable: Value,
    indices: Vec<Value>,
}

/// One of the addresses that a choice chooses from. An address in `undef` may become any address.
type IncomingAddress = super::choices::Incoming<Path>;

/// The variable and the indexes that all addresses of a group have in common.
struct CommonAddress {
    variable: Value,
    slots: Vec<CommonIndex>,
}

/// One index of the addresses of a group.
#[derive(Clone, Copy, PartialEq)]
enum CommonIndex {
    /// The same constant in all addresses.
    Fixed(Value),
    /// An index that differs, of this type. It becomes a block parameter or `select`.
    Varying(TypeId),
}

impl CommonIndex {
    /// The type of the index, if it differs.
    fn varying(self) -> Option<TypeId> {
        match self {
            CommonIndex::Varying(ty) => Some(ty),
            CommonIndex::Fixed(_) => None,
        }
    }
}

/// Follows an address back to its variable, or to the choice that it comes from.
fn source(module: &Module, function: &Function, address: Value) -> IncomingAddress {
    // The indexes of each operation, from the use to the variable. They are copied once, at the
    // variable.
    let mut lists = [Indexes::NONE; CHAIN];
    let mut at = address;
    for number in 0..CHAIN {
        let (above, rest) = lists.split_at_mut(number);
        match at.kind() {
            ValueKind::Const(constant) => match module.consts[constant].kind {
                ConstKind::Undef => return IncomingAddress::Any,
                ConstKind::GlobalAddr(_) => return IncomingAddress::Origin(Path::new(at, above)),
                ConstKind::Gep { .. } => {}
                _ => return IncomingAddress::Other,
            },
            ValueKind::Local(index) => match function.locals.get(index).map(|local| local.def) {
                Some(Def::Inst(inst)) => match function.insts[inst] {
                    InstData::Alloca { .. } => return IncomingAddress::Origin(Path::new(at, above)),
                    InstData::Op { op, .. } if op.info().access == Access::Payload => {
                        return IncomingAddress::Origin(Path::new(at, above));
                    }
                    InstData::Select { .. } if above.is_empty() => return IncomingAddress::Choice(at),
                    InstData::Gep { .. } => {}
                    _ => return IncomingAddress::Other,
                },
                Some(Def::Param(_)) if above.is_empty() => return IncomingAddress::Choice(at),
                Some(Def::Arg(_)) => return IncomingAddress::Origin(Path::new(at, above)),
                _ => return IncomingAddress::Other,
            },
        }
        // A `getelementptr` of another one: its indexes continue inside the object of the other.
        let steps = |list: &Indexes<'_>| list.iter().next().and_then(|first| module.const_uint(first)) != Some(0);
        if above.last().is_some_and(steps) {
            return IncomingAddress::Other;
        }
        let Some((base, indices)) = base_of(module, function, at) else { return IncomingAddress::Other };
        if let Some(list) = rest.first_mut() {
            *list = indices;
        }
        at = base;
    }
    IncomingAddress::Other
}

impl Path {
    /// The address in a variable that operations with these indexes compute, from the use to the
    /// variable.
    fn new(variable: Value, lists: &[Indexes<'_>]) -> Self {
        let count = lists.iter().map(|list| list.len()).sum();
        let mut indices = Vec::with_capacity(count);
        for (number, list) in lists.iter().rev().enumerate() {
            // The first index of each but the first is zero.
            indices.extend(list.iter().skip(usize::from(number != 0)));
        }
        Self { variable, indices }
    }
}

impl ChoiceValue for CommonAddress {
    type Origin = Path;

    fn is_chosen(module: &Module, ty: TypeId) -> bool {
        module.types.is_pointer(ty)
    }

    fn source(module: &Module, function: &Function, value: Value) -> IncomingAddress {
        source(module, function, value)
    }

    /// What the addresses have in common; `None` if they are not in one variable, or differ in more
    /// than array indexes.
    fn new(module: &Module, function: &Function, choices: &[&Choice<Path>]) -> Option<Self> {
        let mut common: Option<Self> = None;
        for from in choices.iter().flat_map(|choice| &choice.from) {
            let Path { variable, indices } = match from {
                IncomingAddress::Origin(path) => path,
                // Another choice is in the group as well, or is a parameter of a block that no
                // branch goes to.
                IncomingAddress::Choice(_) | IncomingAddress::Any => continue,
                IncomingAddress::Other => return None,
            };
            let shape = common.get_or_insert_with(|| Self {
                variable: *variable,
                slots: indices.iter().map(|&index| fixed(module, function, index)).collect(),
            });
            if shape.variable != *variable || shape.slots.len() != indices.len() {
                return None;
            }
            for (slot, &index) in shape.slots.iter_mut().zip(indices) {
                let ty = module.type_of(function, index);
                match *slot {
                    CommonIndex::Fixed(value) if value == index => {}
                    CommonIndex::Fixed(value) if module.type_of(function, value) == ty => {
                        *slot = CommonIndex::Varying(ty)
                    }
                    CommonIndex::Varying(wanted) if wanted == ty => {}
                    _ => return None,
                }
            }
        }
        let shape = common?;
        (shape.varying().count() <= VARYING && leads_to_choices(module, function, choices, &shape)).then_some(shape)
    }

    /// The variable, which may be allocated behind a choice: in a loop, where the address is that
    /// of the iteration before. Such a choice is left to the next pass, which works with offsets.
    fn base(&self) -> Option<Value> {
        Some(self.variable)
    }

    fn varying(&self) -> impl Iterator<Item = TypeId> {
        self.slots.iter().filter_map(|slot| slot.varying())
    }

    fn listed(origin: &Path) -> usize {
        origin.indices.len()
    }

    fn indexes(&self, origin: &Path) -> impl Iterator<Item = Value> {
        let slots = self.slots.iter().zip(&origin.indices);
        slots.filter_map(|(slot, &index)| slot.varying().map(|_| index))
    }

    fn create(
        &self,
        _: &mut Consts,
        function: &mut Function,
        _: TypeId,
        indexes: &[Value],
        _: &mut Vec<Inst>,
    ) -> InstData {
        let mut rest = indexes.iter().copied();
        let index = |slot: &CommonIndex| match slot {
            CommonIndex::Fixed(value) => Some(*value),
            CommonIndex::Varying(_) => rest.next(),
        };
        let indices: Vec<Value> = self.slots.iter().filter_map(index).collect();
        InstData::Gep { base: self.variable, indices: function.make_list(&indices) }
    }
}

/// The slot for the first index that is found: only a constant can be the same in all addresses.
fn fixed(module: &Module, function: &Function, index: Value) -> CommonIndex {
    match index.kind() {
        ValueKind::Const(_) => CommonIndex::Fixed(index),
        ValueKind::Local(_) => CommonIndex::Varying(module.type_of(function, index)),
    }
}

/// Whether all indexes that differ are indexes of arrays or vectors, and the address has the type
/// of every choice.
fn leads_to_choices(module: &Module, function: &Function, choices: &[&Choice<Path>], shape: &CommonAddress) -> bool {
    let types = &module.types;
    let Type::Pointer { pointee, space } = types[module.type_of(function, shape.variable)] else { return false };
    let mut ty = pointee;
    for (depth, slot) in shape.slots.iter().enumerate() {
        let number = match slot {
            CommonIndex::Fixed(value) => module.const_uint(*value),
            CommonIndex::Varying(_) => None,
        };
        if depth == 0 {
            // The first index steps over whole variables, so an index other than zero leads out of
            // the variable.
            if number != Some(0) {
                return false;
            }
            continue;
        }
        ty = match (&types[ty], number) {
            (Type::Array { element, .. } | Type::Vector { element, .. }, _) => *element,
            (Type::Struct { fields, .. }, Some(n)) => match usize::try_from(n).ok().and_then(|n| fields.get(n)) {
                Some(&field) => field,
                None => return false,
            },
            _ => return false,
        };
    }
    let wanted = Type::Pointer { pointee: ty, space };
    choices.iter().all(|choice| types[module.type_of(function, choice.value)] == wanted)
}

#[cfg(test)]
mod tests;
