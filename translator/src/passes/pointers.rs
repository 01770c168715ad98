//! Replaces phis and selects of addresses by phis and selects of array indexes.
//!
//! In: a verified module. Out: the same module, in which every block parameter or `select` of
//! pointers into one variable is replaced by block parameters or selects of indexes; the address is
//! computed from them afterwards. What must hold: the contract of [`verify`](super::verify), before
//! and after.
//!
//! DXC's optimiser writes such phis where a loop walks an array (`while (i > 0 && a[i - 1] > x) …`
//! keeps the address of `a[i - 1]` for the next store). SPIR-V has no phi of a pointer without the
//! capability VariablePointers, and none at all for function-local memory. A phi or select of other
//! addresses (of several variables, or with indexes that differ in more than array elements) stays
//! unchanged and is left to [`passes::words`](crate::passes).
//!
//! In this file a *choice* is a block parameter or `select` of pointers, and a *group* is a set of
//! choices that are operands of one another.

use std::collections::{BTreeMap, BTreeSet};

use super::choices;
use crate::analysis::address::{ADDRESSES, Indexes, base_of};
use crate::ir::{
    Block, ConstData, ConstKind, Def, Func, Function, Inst, InstData, Module, Type, TypeId, Value, ValueKind,
};
use crate::ops::Access;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;

/// The maximum number of operations between an operand of a choice and its variable.
const CHAIN: usize = 16;
/// The maximum number of indexes that differ within a group.
const VARYING: usize = 4;

/// Bytes that a choice takes: as a choice, as a choice between indexes, and as an address.
const CHOICE_BYTES: usize = 384;
/// Bytes that an index of a choice's address takes, and what it takes to find it.
const INDEX_BYTES: usize = 64;

/// Rewrites every function of the module. Returns the functions that changed, as they were before.
///
/// # Errors
/// `Limit` if the choices have more indexes than the budget allows.
pub fn merge(module: &mut Module, fuel: &Fuel) -> Result<Vec<(Func, Function)>> {
    let funcs: Vec<Func> = module.functions.keys().collect();
    let mut before = Vec::new();
    for func in funcs {
        let groups = groups(module, func);
        if !groups.is_empty() {
            // A choice may be short and its address long: each has the indexes of its group.
            let place = Place::Function(module.functions[func].number);
            let choices: usize = groups.iter().map(|group| group.choices.len()).sum();
            let indexes: usize = groups.iter().map(|group| group.choices.len() * group.shape.slots.len()).sum();
            fuel.bytes(place, ADDRESSES, choices * CHOICE_BYTES)?;
            fuel.bytes(place, ADDRESSES, indexes * INDEX_BYTES)?;
            before.push((func, module.functions[func].clone()));
            rewrite(module, func, &groups);
        }
    }
    Ok(before)
}

/// A choice between addresses: a block parameter, or the result of a `select`.
struct Choice {
    /// The block parameter or result.
    value: Value,
    /// The addresses that it chooses from, in the order of the edges or of the select's operands.
    from: Vec<Source>,
}

impl Choice {
    /// The choices among the operands.
    fn others(&self) -> impl Iterator<Item = Value> {
        self.from.iter().filter_map(|source| match source {
            Source::Choice(value) => Some(*value),
            _ => None,
        })
    }
}

/// One of the addresses that a choice chooses from.
enum Source {
    /// A variable and the indexes into it.
    Address { variable: Value, indices: Vec<Value> },
    /// Another choice.
    Choice(Value),
    /// `undef`, which may become any address, or an address in it.
    Any,
    /// Any other address. A group with such a source is not rewritten.
    Other,
}

/// A set of choices that are operands of one another, and what their addresses have in common.
struct Group {
    choices: Vec<Value>,
    shape: Shape,
}

/// The variable and the indexes that all addresses of a group have in common.
struct Shape {
    variable: Value,
    slots: Vec<Slot>,
}

/// One index of the addresses of a group.
#[derive(Clone, Copy, PartialEq)]
enum Slot {
    /// The same constant in all addresses.
    Fixed(Value),
    /// An index that differs, of this type. It becomes a block parameter or `select`.
    Varying(TypeId),
}

impl Shape {
    /// The types of the indexes that differ.
    fn varying(&self) -> impl Iterator<Item = TypeId> {
        self.slots.iter().filter_map(|slot| slot.varying())
    }
}

impl Slot {
    /// The type of the index, if it differs.
    fn varying(self) -> Option<TypeId> {
        match self {
            Slot::Varying(ty) => Some(ty),
            Slot::Fixed(_) => None,
        }
    }
}

/// The groups of a function that can be rewritten.
fn groups(module: &Module, func: Func) -> Vec<Group> {
    let choices = choices(module, &module.functions[func]);
    let mut groups = Vec::new();
    for numbers in choices::connected(choices.iter().map(|choice| (choice.value, choice.others()))) {
        let group: Vec<&Choice> = numbers.iter().filter_map(|&i| choices.get(i)).collect();
        if let Some(shape) = shape(module, func, &group) {
            groups.push(Group { choices: group.iter().map(|choice| choice.value).collect(), shape });
        }
    }
    groups
}

/// All choices of a function.
fn choices(module: &Module, function: &Function) -> Vec<Choice> {
    let pointer = |value: Value| module.types.is_pointer(module.type_of(function, value));
    let mut of_param: BTreeMap<Value, Choice> = BTreeMap::new();
    let mut selects = Vec::new();
    for block in function.blocks.values() {
        for call in block.terminator.targets() {
            for (&param, &arg) in function.blocks[call.block].params.iter().zip(function.list(call.args)) {
                if pointer(param) {
                    let choice = of_param.entry(param).or_insert_with(|| Choice { value: param, from: Vec::new() });
                    choice.from.push(source(module, function, arg));
                }
            }
        }
        for &inst in &block.insts {
            if let (InstData::Select { then, otherwise, .. }, Some(value)) =
                (&function.insts[inst], function.result(inst))
                && pointer(value)
            {
                let from = vec![source(module, function, *then), source(module, function, *otherwise)];
                selects.push(Choice { value, from });
            }
        }
    }
    of_param.into_values().chain(selects).collect()
}

/// Follows an address back to its variable, or to the choice that it comes from.
fn source(module: &Module, function: &Function, address: Value) -> Source {
    // The indexes of each operation, from the use to the variable. They are copied once, at the
    // variable.
    let mut lists = [Indexes::NONE; CHAIN];
    let mut at = address;
    for number in 0..CHAIN {
        let (above, rest) = lists.split_at_mut(number);
        match at.kind() {
            ValueKind::Const(constant) => match module.consts[constant].kind {
                ConstKind::Undef => return Source::Any,
                ConstKind::GlobalAddr(_) => return Source::address(at, above),
                ConstKind::Gep { .. } => {}
                _ => return Source::Other,
            },
            ValueKind::Local(index) => match function.locals.get(index).map(|local| local.def) {
                Some(Def::Inst(inst)) => match function.insts[inst] {
                    InstData::Alloca { .. } => return Source::address(at, above),
                    InstData::Op { op, .. } if op.info().access == Access::Payload => {
                        return Source::address(at, above);
                    }
                    InstData::Select { .. } if above.is_empty() => return Source::Choice(at),
                    InstData::Gep { .. } => {}
                    _ => return Source::Other,
                },
                Some(Def::Param(_)) if above.is_empty() => return Source::Choice(at),
                Some(Def::Arg(_)) => return Source::address(at, above),
                _ => return Source::Other,
            },
        }
        // A `getelementptr` of another one: its indexes continue inside the object of the other.
        let steps = |list: &Indexes<'_>| list.iter().next().and_then(|first| module.const_uint(first)) != Some(0);
        if above.last().is_some_and(steps) {
            return Source::Other;
        }
        let Some((base, indices)) = base_of(module, function, at) else { return Source::Other };
        if let Some(list) = rest.first_mut() {
            *list = indices;
        }
        at = base;
    }
    Source::Other
}

impl Source {
    /// The address in a variable that operations with these indexes compute, from the use to the
    /// variable.
    fn address(variable: Value, lists: &[Indexes<'_>]) -> Self {
        let count = lists.iter().map(|list| list.len()).sum();
        let mut indices = Vec::with_capacity(count);
        for (number, list) in lists.iter().rev().enumerate() {
            // The first index of each but the first is zero.
            indices.extend(list.iter().skip(usize::from(number != 0)));
        }
        Source::Address { variable, indices }
    }
}

/// What the addresses of a group have in common; `None` if they are not in one variable, or differ
/// in more than array indexes.
fn shape(module: &Module, func: Func, group: &[&Choice]) -> Option<Shape> {
    let function = &module.functions[func];
    let mut common: Option<Shape> = None;
    for from in group.iter().flat_map(|choice| &choice.from) {
        let (variable, indices) = match from {
            Source::Address { variable, indices } => (*variable, indices),
            // Another choice is in the group as well, or is a parameter of a block that no branch
            // goes to.
            Source::Choice(_) | Source::Any => continue,
            Source::Other => return None,
        };
        let shape = common.get_or_insert_with(|| Shape {
            variable,
            slots: indices.iter().map(|&index| fixed(module, function, index)).collect(),
        });
        if shape.variable != variable || shape.slots.len() != indices.len() {
            return None;
        }
        for (slot, &index) in shape.slots.iter_mut().zip(indices) {
            let ty = module.type_of(function, index);
            match *slot {
                Slot::Fixed(value) if value == index => {}
                Slot::Fixed(value) if module.type_of(function, value) == ty => *slot = Slot::Varying(ty),
                Slot::Varying(wanted) if wanted == ty => {}
                _ => return None,
            }
        }
    }
    let shape = common?;
    let varying = shape.slots.iter().filter(|slot| matches!(slot, Slot::Varying(_))).count();
    (varying <= VARYING && leads_to_choices(module, function, group, &shape)).then_some(shape)
}

/// The slot for the first index that is found: only a constant can be the same in all addresses.
fn fixed(module: &Module, function: &Function, index: Value) -> Slot {
    match index.kind() {
        ValueKind::Const(_) => Slot::Fixed(index),
        ValueKind::Local(_) => Slot::Varying(module.type_of(function, index)),
    }
}

/// Whether all indexes that differ are indexes of arrays or vectors, and the address has the type
/// of every choice.
fn leads_to_choices(module: &Module, function: &Function, group: &[&Choice], shape: &Shape) -> bool {
    let types = &module.types;
    let Type::Pointer { pointee, space } = types[module.type_of(function, shape.variable)] else { return false };
    let mut ty = pointee;
    for (depth, slot) in shape.slots.iter().enumerate() {
        let number = match slot {
            Slot::Fixed(value) => module.const_uint(*value),
            Slot::Varying(_) => None,
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
    group.iter().all(|choice| types[module.type_of(function, choice.value)] == wanted)
}

/// A block's parameters before and after.
struct Params {
    before: Vec<Value>,
    /// The choices among them, each with its group's number. Their indexes follow all other
    /// parameters, in this order.
    choices: Vec<(Value, usize)>,
    chosen: Vec<Value>,
}

/// Replaces the choices of all groups by block parameters and selects of the indexes that differ.
fn rewrite(module: &mut Module, func: Func, groups: &[Group]) {
    // First every choice becomes an address computed from new indexes, whose operands are set
    // afterwards: choices may be operands of one another in a circle.
    let function = &mut module.functions[func];
    let mut params: BTreeMap<Block, Params> = BTreeMap::new();
    let mut heads: BTreeMap<Block, Vec<Inst>> = BTreeMap::new();
    let mut selects: BTreeMap<Inst, (Vec<Inst>, usize)> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        let varying: Vec<TypeId> = group.shape.varying().collect();
        for &choice in &group.choices {
            let Some(local) = choice.as_local().and_then(|i| function.locals.get(i)) else { continue };
            match local.def {
                Def::Param(block) => {
                    let chosen: Vec<Value> =
                        varying.iter().map(|&ty| function.make_local(ty, Def::Param(block))).collect();
                    let address = address(function, &group.shape, &chosen);
                    heads.entry(block).or_default().push(function.define(choice, address));
                    let params = params.entry(block).or_insert_with(|| Params {
                        before: function.blocks[block].params.clone(),
                        choices: Vec::new(),
                        chosen: Vec::new(),
                    });
                    params.choices.push((choice, number));
                    params.chosen.extend(chosen);
                }
                Def::Inst(inst) => {
                    let select = function.insts[inst];
                    let made: Vec<Inst> = varying.iter().map(|&ty| function.make_inst(select, Some(ty))).collect();
                    let chosen: Vec<Value> = made.iter().filter_map(|&inst| function.result(inst)).collect();
                    function.insts[inst] = address(function, &group.shape, &chosen);
                    selects.insert(inst, (made, number));
                }
                Def::Arg(_) => {}
            }
        }
    }
    let blocks = function.blocks.keys();
    for (block, data) in blocks.zip(function.blocks.values_mut()) {
        let mut insts = heads.remove(&block).unwrap_or_default();
        for &inst in &data.insts {
            insts.extend(selects.get(&inst).iter().flat_map(|(made, _)| made));
            insts.push(inst);
        }
        data.insts = insts;
        if let Some(params) = params.get(&block) {
            let choices: BTreeSet<Value> = params.choices.iter().map(|&(choice, _)| choice).collect();
            data.params.retain(|param| !choices.contains(param));
            data.params.extend(&params.chosen);
        }
    }
    choose(module, func, groups, &params, &selects);
}

/// Gives the new indexes their operands. Every old operand that was a choice is now an address in
/// the group's variable.
fn choose(
    module: &mut Module,
    func: Func,
    groups: &[Group],
    params: &BTreeMap<Block, Params>,
    selects: &BTreeMap<Inst, (Vec<Inst>, usize)>,
) {
    for (made, number) in selects.values() {
        let Some(group) = groups.get(*number) else { continue };
        for (nth, &inst) in made.iter().enumerate() {
            let InstData::Select { condition, then, otherwise } = module.functions[func].insts[inst] else { continue };
            let mut pick = |from| chosen(module, func, &group.shape, from).get(nth).copied().unwrap_or(from);
            let (then, otherwise) = (pick(then), pick(otherwise));
            module.functions[func].insts[inst] = InstData::Select { condition, then, otherwise };
        }
    }
    let blocks = module.functions[func].blocks.keys();
    for block in blocks {
        let mut terminator = module.functions[func].blocks[block].terminator.clone();
        for call in terminator.targets_mut() {
            let Some(params) = params.get(&call.block) else { continue };
            let given: BTreeMap<Value, Value> =
                params.before.iter().copied().zip(module.functions[func].list(call.args).iter().copied()).collect();
            let choices: BTreeSet<Value> = params.choices.iter().map(|&(choice, _)| choice).collect();
            let others = params.before.iter().filter(|param| !choices.contains(param));
            let mut args: Vec<Value> = others.filter_map(|param| given.get(param).copied()).collect();
            for (choice, number) in &params.choices {
                if let (Some(group), Some(&from)) = (groups.get(*number), given.get(choice)) {
                    args.extend(chosen(module, func, &group.shape, from));
                }
            }
            call.args = module.functions[func].make_list(&args);
        }
        module.functions[func].blocks[block].terminator = terminator;
    }
}

/// The indexes of an address that differ within its group.
fn chosen(module: &mut Module, func: Func, shape: &Shape, from: Value) -> Vec<Value> {
    match source(module, &module.functions[func], from) {
        Source::Address { indices, .. } if indices.len() == shape.slots.len() => {
            let slots = shape.slots.iter().zip(indices);
            slots.filter_map(|(slot, index)| slot.varying().map(|_| index)).collect()
        }
        // An undefined address becomes an address with undefined indexes.
        _ => {
            let undef = |ty| module.consts.intern(ConstData { ty, kind: ConstKind::Undef });
            shape.varying().map(undef).map(Value::constant).collect()
        }
    }
}

/// The address with these values for the indexes that differ.
fn address(function: &mut Function, shape: &Shape, chosen: &[Value]) -> InstData {
    let mut rest = chosen.iter().copied();
    let index = |slot: &Slot| match slot {
        Slot::Fixed(value) => Some(*value),
        Slot::Varying(_) => rest.next(),
    };
    let indices: Vec<Value> = shape.slots.iter().filter_map(index).collect();
    InstData::Gep { base: shape.variable, indices: function.make_list(&indices) }
}

#[cfg(test)]
mod tests;
