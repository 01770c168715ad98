//! Replaces phis and selects of handles by phis and selects of descriptor indexes.
//!
//! In: a verified module. Out: the same module, in which a block parameter or `select` of handles
//! from one array of descriptors, or from one descriptor heap, is a handle that is created at a
//! chosen index. In a library, a handle is made of what is loaded from a global variable, and the
//! index is that of an element of the variable. What must hold: the contract of [`verify`](crate::ir::verify), before and after;
//! an index that may differ between lanes is marked as such.
//!
//! A handle has no SPIR-V value, so no phi can carry one. A choice between handles of several
//! resources, or with several annotations, stays unchanged; code that uses it is refused, with the
//! names of the resources ([`dxil::handles`](crate::analysis::handles)).
//!
//! In this file a *choice* is a block parameter or `select` of handles, and a *group* is a set of
//! choices that are operands of one another.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{
    Block, ConstData, ConstKind, Def, Func, Function, Inst, InstData, Module, Type, TypeId, Value, ValueKind,
};
use crate::ops::OpCode;
use crate::passes::choices;
use dxil_base::entity::SecondaryMap;
use dxil_base::error::{Place, Result};
use dxil_base::limits::{Fuel, HANDLE_CHAIN};

/// The largest number of values that are followed to find that a condition is uniform.
const UNIFORM_STEPS: usize = 64;

/// What a choice costs at most, in bytes: its value before and after, and its arguments in each
/// predecessor.
const CHOICE_BYTES: usize = 2048;

/// What an operand of a choice costs, in bytes. It is followed back to where its handle is created.
const OPERAND_BYTES: usize = 128;

/// Rewrites every function of the module. Returns the functions that changed, as they were before.
///
/// # Errors
/// `Limit` if there are more choices than the budget allows.
pub(super) fn merge(module: &mut Module, fuel: &Fuel) -> Result<Vec<(Func, Function)>> {
    let funcs: Vec<Func> = module.functions.keys().collect();
    let mut before = Vec::new();
    for func in funcs {
        let mut unchanged = None;
        // A choice between annotations of another choice becomes possible when the other one is a
        // created handle.
        for _ in 0..HANDLE_CHAIN {
            let function = &module.functions[func];
            let (choices, operands) = number_of_choices(module, function);
            let place = Place::Function(function.number);
            fuel.bytes(place, "choices between handles or addresses", choices * CHOICE_BYTES)?;
            fuel.bytes(place, "choices between handles or addresses", operands * OPERAND_BYTES)?;
            if choices == 0 {
                break;
            }
            let groups = groups(module, func);
            if groups.is_empty() {
                break;
            }
            unchanged.get_or_insert_with(|| module.functions[func].clone());
            rewrite(module, func, &groups);
        }
        before.extend(unchanged.map(|function| (func, function)));
    }
    Ok(before)
}

/// What all handles of a group have in common: how they are created, but for the index.
#[derive(Clone, Copy, PartialEq)]
enum Creation {
    Handle {
        resource_class: Value,
        range_id: Value,
    },
    Binding {
        bind: Value,
    },
    Heap {
        sampler_heap: Value,
    },
    /// By a load from a library's global variable, or from what is loaded there.
    Library(Library),
}

/// The global variables of libraries that handles come from.
#[derive(Clone, Copy, PartialEq)]
struct Library {
    /// The address of the whole variable.
    variable: Value,
    /// The constant 0 before the index of an element, and the index's type, if it is an array.
    array: Option<(Value, TypeId)>,
    /// The type of the element's address.
    address: TypeId,
    /// The type of what is loaded.
    loaded: TypeId,
    /// Whether the handle is made from the loaded value, and is not that value itself.
    creates: bool,
}

impl Creation {
    /// The creation, the index and the flag for an index that is not uniform, which libraries do
    /// not have.
    fn of(
        module: &Module,
        function: &Function,
        op: OpCode,
        operands: &[Value],
    ) -> Option<(Self, Value, Option<Value>)> {
        Some(match op {
            OpCode::CreateHandle => {
                let args = args::CreateHandle::view(operands)?;
                let creation = Self::Handle { resource_class: args.resource_class, range_id: args.range_id };
                (creation, args.index, Some(args.non_uniform_index))
            }
            OpCode::CreateHandleFromBinding => {
                let args = args::CreateHandleFromBinding::view(operands)?;
                (Self::Binding { bind: args.bind }, args.index, Some(args.non_uniform_index))
            }
            OpCode::CreateHandleFromHeap => {
                let args = args::CreateHandleFromHeap::view(operands)?;
                (Self::Heap { sampler_heap: args.sampler_heap }, args.index, Some(args.non_uniform_index))
            }
            OpCode::CreateHandleForLib => {
                let args = args::CreateHandleForLib::view(operands)?;
                let (_, &InstData::Load { ptr, .. }) = function.def_inst(args.resource)? else { return None };
                let (library, index) = Library::of(module, function, ptr, args.resource, true)?;
                (Self::Library(library), index, None)
            }
            _ => return None,
        })
    }

    /// The last operation that creates the handle at an index, and the instructions before it.
    fn at(self, function: &mut Function, index: Value, non_uniform: Option<Value>) -> (Vec<Inst>, InstData) {
        let mut before = Vec::new();
        // In the order of the table of operations.
        let (op, mut operands) = match self {
            Self::Handle { resource_class, range_id } => (OpCode::CreateHandle, vec![resource_class, range_id, index]),
            Self::Binding { bind } => (OpCode::CreateHandleFromBinding, vec![bind, index]),
            Self::Heap { sampler_heap } => (OpCode::CreateHandleFromHeap, vec![index, sampler_heap]),
            Self::Library(Library { variable, array, address, loaded, creates }) => {
                let mut ptr = Some(variable);
                if let Some((zero, _)) = array {
                    let indices = function.make_list(&[zero, index]);
                    let inst = function.make_inst(InstData::Gep { base: variable, indices }, Some(address));
                    before.push(inst);
                    ptr = function.result(inst);
                }
                let load = InstData::Load { ptr: ptr.unwrap_or(variable), volatile: false };
                if !creates {
                    return (before, load);
                }
                let inst = function.make_inst(load, Some(loaded));
                before.push(inst);
                (OpCode::CreateHandleForLib, function.result(inst).into_iter().collect())
            }
        };
        operands.extend(non_uniform);
        (before, InstData::Op { op, precise: false, args: function.make_list(&operands) })
    }
}

impl Library {
    /// The variable that a load is from, and the index of its element: the address, if the variable
    /// is not an array.
    fn of(module: &Module, function: &Function, ptr: Value, value: Value, creates: bool) -> Option<(Self, Value)> {
        let (variable, indices) = match ptr.kind() {
            ValueKind::Const(constant) => match &module.consts[constant].kind {
                ConstKind::Gep { base, indices } => {
                    (Value::constant(*base), indices.iter().map(|&index| Value::constant(index)).collect())
                }
                _ => (ptr, Vec::new()),
            },
            ValueKind::Local(_) => match *function.def_inst(ptr)?.1 {
                InstData::Gep { base, indices } => (base, function.list(indices).to_vec()),
                _ => return None,
            },
        };
        let ConstKind::GlobalAddr(global) = module.consts[variable.as_const()?].kind else { return None };
        // The load moves to the place of the choice.
        if !module.globals[global].constant {
            return None;
        }
        let loaded = module.type_of(function, value);
        let whole = module.globals[global].ty;
        let (array, index) = match (&module.types[whole], &indices[..]) {
            (_, []) if whole == loaded => (None, ptr),
            (&Type::Array { element, .. }, &[zero, index])
                if element == loaded && module.const_uint(zero) == Some(0) =>
            {
                (Some((zero, module.type_of(function, index))), index)
            }
            _ => return None,
        };
        Some((Self { variable, array, address: module.type_of(function, ptr), loaded, creates }, index))
    }
}

/// A handle at the end of a chain of annotations.
#[derive(Clone, Copy)]
struct Made {
    creation: Creation,
    index: Value,
    non_uniform: Option<Value>,
    /// The properties of the annotation nearest to the use, if there is one.
    properties: Option<Value>,
}

impl Made {
    /// Whether the index may differ between lanes that run together, as D3D marks it. Libraries
    /// have no mark before shader model 6.6, so every address there that is not constant counts.
    fn may_differ(&self, module: &Module) -> bool {
        match self.non_uniform {
            Some(flag) => module.const_uint(flag) != Some(0),
            None => self.index.as_const().is_none(),
        }
    }
}

/// One of the handles that a choice chooses from.
enum Source {
    /// A created handle.
    Made(Made),
    /// Another choice.
    Choice(Value),
    /// `undef`, which may become any handle.
    Any,
    /// Any other handle. A group with such a source is not rewritten.
    Other,
}

struct Choice {
    value: Value,
    from: Vec<Source>,
    /// Whether all lanes that run together make the same choice.
    uniform: bool,
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

struct Group {
    choices: Vec<Value>,
    /// A handle of the group, which has what all have in common.
    common: Made,
    /// Whether the handles have different indexes.
    varying: bool,
    non_uniform: bool,
}

fn groups(module: &Module, func: Func) -> Vec<Group> {
    let function = &module.functions[func];
    let choices = choices(module, function);
    choices::connected(choices.iter().map(|choice| (choice.value, choice.others())))
        .into_iter()
        .filter_map(|numbers| group(module, &choices, &numbers))
        .collect()
}

/// Whether a value is a handle.
fn is_handle(module: &Module, function: &Function, value: Value) -> bool {
    module.types[module.type_of(function, value)] == Type::Handle
}

/// The number of choices of a function and the number of their operands, which are known before
/// anything is kept of them.
fn number_of_choices(module: &Module, function: &Function) -> (usize, usize) {
    let is_handle = |value: Value| is_handle(module, function, value);
    let mut params = SecondaryMap::filled(function.blocks.len(), 0);
    let mut selects = 0;
    for (block, data) in function.blocks.iter() {
        params[block] = data.params.iter().filter(|&&param| is_handle(param)).count();
        let is_choice =
            |&&inst: &&Inst| matches!(function.insts[inst], InstData::Select { then, .. } if is_handle(then));
        selects += data.insts.iter().filter(is_choice).count();
    }
    let targets = function.blocks.values().flat_map(|block| block.terminator.targets());
    let passed: usize = targets.map(|call| params[call.block]).sum();
    (params.values().sum::<usize>() + selects, passed + 2 * selects)
}

/// All choices of a function.
fn choices(module: &Module, function: &Function) -> Vec<Choice> {
    let is_handle = |value: Value| is_handle(module, function, value);
    let mut of_param: BTreeMap<Value, Choice> = BTreeMap::new();
    let mut selects = Vec::new();
    for block in function.blocks.values() {
        for call in block.terminator.targets() {
            for (&param, &arg) in function.blocks[call.block].params.iter().zip(function.list(call.args)) {
                if is_handle(param) {
                    // Lanes that run together may have come by different edges. Whether they do
                    // depends on all branches before, and is not followed here.
                    let choice = Choice { value: param, from: Vec::new(), uniform: false };
                    of_param.entry(param).or_insert(choice).from.push(source(module, function, arg));
                }
            }
        }
        for &inst in &block.insts {
            if let (&InstData::Select { condition, then, otherwise }, Some(value)) =
                (&function.insts[inst], function.result(inst))
                && is_handle(value)
            {
                let from = vec![source(module, function, then), source(module, function, otherwise)];
                selects.push(Choice { value, from, uniform: is_uniform(module, function, condition) });
            }
        }
    }
    of_param.into_values().chain(selects).collect()
}

/// Follows a handle back to its creation, or to the choice that it comes from.
fn source(module: &Module, function: &Function, handle: Value) -> Source {
    let (mut at, mut properties) = (handle, None);
    for _ in 0..HANDLE_CHAIN {
        let index = match at.kind() {
            ValueKind::Const(_) if module.is_undef(at) && properties.is_none() => return Source::Any,
            ValueKind::Const(_) => return Source::Other,
            ValueKind::Local(index) => index,
        };
        let inst = match function.locals.get(index).map(|local| local.def) {
            Some(Def::Param(_)) if properties.is_none() => return Source::Choice(at),
            Some(Def::Inst(inst)) => inst,
            _ => return Source::Other,
        };
        match function.insts[inst] {
            InstData::Select { .. } if properties.is_none() => return Source::Choice(at),
            InstData::Op { op: OpCode::AnnotateHandle, args, .. } => {
                let Some(args) = args::AnnotateHandle::view(function.list(args)) else { return Source::Other };
                properties = properties.or(Some(args.props));
                at = args.res;
            }
            // Since shader model 6.6, the global variables of libraries are handles themselves.
            InstData::Load { ptr, .. } if properties.is_none() => {
                return Library::of(module, function, ptr, at, false).map_or(Source::Other, |(library, index)| {
                    Source::Made(Made { creation: Creation::Library(library), index, non_uniform: None, properties })
                });
            }
            InstData::Op { op, args, .. } => {
                let made = Creation::of(module, function, op, function.list(args));
                return made.map_or(Source::Other, |(creation, index, non_uniform)| {
                    Source::Made(Made { creation, index, non_uniform, properties })
                });
            }
            _ => return Source::Other,
        }
    }
    Source::Other
}

/// Whether a value is the same in all lanes that run together, as far as its operations show:
/// constants, the group's number and constant buffers, and what LLVM's operators make of them.
fn is_uniform(module: &Module, function: &Function, value: Value) -> bool {
    let (mut stack, mut seen) = (vec![value], BTreeSet::new());
    while let Some(value) = stack.pop() {
        if value.as_const().is_some() || !seen.insert(value) {
            continue;
        }
        let Some((inst, data)) = function.def_inst(value).filter(|_| seen.len() <= UNIFORM_STEPS) else { return false };
        match *data {
            InstData::Binary { .. }
            | InstData::Cast { .. }
            | InstData::Cmp { .. }
            | InstData::Select { .. }
            | InstData::ExtractValue { .. } => function.for_each_operand(inst, |operand| stack.push(operand)),
            InstData::Op { op: OpCode::GroupId, .. } => {}
            InstData::Op { op: OpCode::CBufferLoadLegacy, args, .. } => {
                let Some(args) = args::CBufferLoadLegacy::view(function.list(args)) else { return false };
                // Without the flag, D3D promises that the buffer is one for all lanes.
                match source(module, function, args.handle) {
                    Source::Made(made) if !made.may_differ(module) => stack.push(args.reg_index),
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
    true
}

/// The group of these choices; `None` if their handles do not have all but the index in common.
fn group(module: &Module, choices: &[Choice], numbers: &[usize]) -> Option<Group> {
    let group: Vec<&Choice> = numbers.iter().filter_map(|&i| choices.get(i)).collect();
    let mut common: Option<Made> = None;
    let (mut varying, mut marked) = (false, false);
    for from in group.iter().flat_map(|choice| &choice.from) {
        let made = match from {
            Source::Made(made) => made,
            // The group has the choices among its operands. A parameter of a block that no block
            // branches to is not in it, but has no value either.
            Source::Choice(_) | Source::Any => continue,
            Source::Other => return None,
        };
        let first = common.get_or_insert(*made);
        if first.creation != made.creation || first.properties != made.properties {
            return None;
        }
        // An index that is not constant may be defined after the place of the choice.
        varying |= first.index != made.index || made.index.as_const().is_none();
        marked |= made.may_differ(module);
    }
    // D3D's mark of a non-uniform index, `NonUniformResourceIndex`, is at the index of a handle's
    // creation. A choice between handles has no place for it: two handles, each at a uniform index,
    // may be chosen by a condition that differs between lanes. Vulkan requires the mark wherever the
    // index of a descriptor is not dynamically uniform («Shader Resource Interface»), so it is left
    // out only where the conditions are known to be uniform.
    let non_uniform = marked || varying && group.iter().any(|choice| !choice.uniform);
    Some(Group { choices: group.iter().map(|choice| choice.value).collect(), common: common?, varying, non_uniform })
}

/// A block's parameters before and after.
struct Params {
    before: Vec<Value>,
    /// The choices among them, each with its new index if the indexes of its group differ.
    choices: Vec<(Value, Option<Value>)>,
}

impl Params {
    /// The parameters that are choices.
    fn chosen(&self) -> BTreeSet<Value> {
        self.choices.iter().map(|&(choice, _)| choice).collect()
    }
}

/// Replaces the choices of all groups by block parameters and selects of their indexes.
fn rewrite(module: &mut Module, func: Func, groups: &[Group]) {
    // First every choice becomes a handle created at a new index, whose operands are set afterwards:
    // choices may be operands of one another in a circle.
    let mut params: BTreeMap<Block, Params> = BTreeMap::new();
    let mut heads: BTreeMap<Block, Vec<Inst>> = BTreeMap::new();
    let mut selects: BTreeMap<Inst, Vec<Inst>> = BTreeMap::new();
    for group in groups {
        let (i32_ty, flag_ty) = {
            let function = &module.functions[func];
            let flag = group.common.non_uniform.map(|flag| module.type_of(function, flag));
            (module.type_of(function, group.common.index), flag)
        };
        let flag = flag_ty.map(|ty| {
            let flag = ConstData { ty, kind: ConstKind::Int(u64::from(group.non_uniform)) };
            Value::constant(module.consts.intern(flag))
        });
        let function = &mut module.functions[func];
        for &choice in &group.choices {
            let Some(local) = choice.as_local().and_then(|i| function.locals.get(i)).copied() else { continue };
            match local.def {
                Def::Param(block) => {
                    let chosen = group.varying.then(|| function.make_local(i32_ty, Def::Param(block)));
                    let made = create(function, group, chosen, flag, local.ty);
                    let head = heads.entry(block).or_default();
                    head.extend(made.before);
                    head.push(function.define(choice, made.last));
                    let params = params.entry(block).or_insert_with(|| Params {
                        before: function.blocks[block].params.clone(),
                        choices: Vec::new(),
                    });
                    params.choices.push((choice, chosen));
                }
                Def::Inst(inst) => {
                    let select = function.insts[inst];
                    let chosen = group.varying.then(|| function.make_inst(select, Some(i32_ty)));
                    let index = chosen.and_then(|inst| function.result(inst));
                    let made = create(function, group, index, flag, local.ty);
                    function.insts[inst] = made.last;
                    selects.insert(inst, chosen.into_iter().chain(made.before).collect());
                }
                Def::Arg(_) => {}
            }
        }
    }
    let function = &mut module.functions[func];
    let blocks = function.blocks.keys();
    for (block, data) in blocks.zip(function.blocks.values_mut()) {
        let mut insts = heads.remove(&block).unwrap_or_default();
        for &inst in &data.insts {
            insts.extend(selects.get(&inst).into_iter().flatten());
            insts.push(inst);
        }
        data.insts = insts;
        if let Some(params) = params.get(&block) {
            let choices = params.chosen();
            data.params.retain(|param| !choices.contains(param));
            data.params.extend(params.choices.iter().filter_map(|(_, chosen)| *chosen));
        }
    }
    choose(module, func, &params, &selects);
}

/// The instructions that make the handle of a choice, of which the last defines it.
struct MadeBy {
    before: Vec<Inst>,
    last: InstData,
}

fn create(
    function: &mut Function,
    group: &Group,
    index: Option<Value>,
    flag: Option<Value>,
    handle_ty: TypeId,
) -> MadeBy {
    let Made { creation, index: only, properties, .. } = group.common;
    let (mut before, created) = creation.at(function, index.unwrap_or(only), flag);
    let Some(properties) = properties else { return MadeBy { before, last: created } };
    let inst = function.make_inst(created, Some(handle_ty));
    before.push(inst);
    let operands: Vec<Value> = function.result(inst).into_iter().chain([properties]).collect();
    let args = function.make_list(&operands);
    MadeBy { before, last: InstData::Op { op: OpCode::AnnotateHandle, precise: false, args } }
}

/// Gives the new indexes their operands. Every old operand that was a choice is now a handle created
/// at an index.
fn choose(module: &mut Module, func: Func, params: &BTreeMap<Block, Params>, selects: &BTreeMap<Inst, Vec<Inst>>) {
    for inst in selects.values().flatten().copied() {
        let InstData::Select { condition, then, otherwise } = module.functions[func].insts[inst] else { continue };
        let Some(ty) = module.functions[func].result(inst).map(|v| module.type_of(&module.functions[func], v)) else {
            continue;
        };
        let (then, otherwise) = (index_of(module, func, then, ty), index_of(module, func, otherwise, ty));
        module.functions[func].insts[inst] = InstData::Select { condition, then, otherwise };
    }
    let blocks = module.functions[func].blocks.keys();
    for block in blocks {
        let mut terminator = module.functions[func].blocks[block].terminator.clone();
        for call in terminator.targets_mut() {
            let Some(params) = params.get(&call.block) else { continue };
            let given: BTreeMap<Value, Value> =
                params.before.iter().copied().zip(module.functions[func].list(call.args).iter().copied()).collect();
            let choices = params.chosen();
            let others = params.before.iter().filter(|param| !choices.contains(param));
            let mut args: Vec<Value> = others.filter_map(|param| given.get(param).copied()).collect();
            for (choice, index) in &params.choices {
                if let (Some(index), Some(&from)) = (index, given.get(choice)) {
                    let ty = module.type_of(&module.functions[func], *index);
                    args.push(index_of(module, func, from, ty));
                }
            }
            call.args = module.functions[func].make_list(&args);
        }
        module.functions[func].blocks[block].terminator = terminator;
    }
}

/// The index at which a handle is created.
fn index_of(module: &mut Module, func: Func, handle: Value, ty: TypeId) -> Value {
    match source(module, &module.functions[func], handle) {
        Source::Made(made) => made.index,
        // An undefined handle becomes a handle at an undefined index.
        _ => Value::constant(module.consts.intern(ConstData { ty, kind: ConstKind::Undef })),
    }
}
