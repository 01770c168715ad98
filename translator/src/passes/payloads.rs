//! Makes every payload an object that a shader call can name.
//!
//! In: a module after inlining, and its entry functions. Out: the same program, in which the
//! pointers that TraceRay, CallShader and ReportHit take, and those that an entry point gets, have
//! only accesses that are single access paths ([`Address`]). In this file a *payload* is any of
//! them: the payload of a ray, attributes, or the parameter of a callable shader. What must hold:
//! the type of a payload stays the compiler's, because the shader at the other end of the call
//! declares it too. So a payload with another access is copied, and [`words`](super::words) makes
//! words of the copy.
//!
//! IgnoreHit and AcceptHitAndEndSearch end the invocation (DirectX Raytracing specification,
//! "IgnoreHit"). Code after them in a block is removed, and the block ends in `unreachable`. Code
//! that control flow does not reach any more may use the results: they are `undef`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::functions::ends_invocation;
use crate::analysis::address::{Address, MemoryVariable, Reason, same_bits};
use crate::ir::{
    AddressSpace, Block, BlockData, Const, ConstData, ConstKind, Def, Func, Function, Inst, InstData, Module,
    Terminator, Type, TypeId, Value,
};
use crate::passes::choices;
use crate::passes::words::WORD_ARRAYS;
use dxil_base::entity::EntitySet;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;

/// Ends blocks behind operations that end the invocation. Returns whether anything changed.
pub(super) fn end_blocks(module: &mut Module) -> bool {
    let mut changed = false;
    for function in module.functions.values_mut() {
        let Function { blocks, insts, results, locals, .. } = function;
        let mut removed: BTreeMap<Value, Value> = BTreeMap::new();
        for block in blocks.values_mut() {
            let ends = |&inst: &Inst| matches!(insts[inst], InstData::Op { op, .. } if ends_invocation(op));
            let Some(at) = block.insts.iter().position(ends) else { continue };
            changed |= at + 1 < block.insts.len() || block.terminator != Terminator::Unreachable;
            for inst in block.insts.split_off(at + 1) {
                let result = results[inst].and_then(|value| Some((value, locals.get(value.as_local()?)?.ty)));
                let Some((value, ty)) = result else { continue };
                let undef = module.consts.intern(ConstData { ty, kind: ConstKind::Undef });
                removed.insert(value, Value::constant(undef));
            }
            block.terminator = Terminator::Unreachable;
        }
        if !removed.is_empty() {
            function.for_each_use_mut(|value| *value = removed.get(value).copied().unwrap_or(*value));
        }
    }
    changed
}

/// The pointer that a shader call passes.
fn passed(function: &Function, data: &InstData) -> Option<Value> {
    let InstData::Op { op, args, .. } = *data else { return None };
    function.list(args).get(op.info().passed_pointer()?).copied()
}

/// Copies the payloads that need a copy, in the functions of [`Work::payloads`](super::Work).
/// Returns whether anything changed.
///
/// # Errors
/// `Limit` for more copies than can become words.
pub(super) fn copy(module: &mut Module, funcs: &[Func], entries: &[Func], fuel: &Fuel) -> Result<bool> {
    let mut entered = EntitySet::new();
    for &func in entries {
        entered.insert(func);
    }
    let mut changed = false;
    for &func in funcs {
        if entered.contains(func) {
            changed |= arguments(module, func, fuel)?;
        }
        changed |= calls(module, func, fuel)?;
    }
    Ok(changed)
}

/// An access to memory, or a pointer that a shader call passes.
pub(super) struct MemoryAccess {
    pub(super) pointer: Value,
    /// The value that is loaded or stored.
    pub(super) value: Option<Value>,
    written: bool,
}

impl MemoryAccess {
    #[inline]
    pub(super) fn new(function: &Function, inst: Inst) -> Option<Self> {
        let data = &function.insts[inst];
        let (pointer, value, written) = match *data {
            InstData::Load { ptr, .. } => (ptr, function.result(inst), false),
            InstData::Store { ptr, value, .. } | InstData::AtomicRmw { ptr, value, .. } => (ptr, Some(value), true),
            InstData::CmpXchg { ptr, new, .. } => (ptr, Some(new), true),
            InstData::Op { .. } => (passed(function, data)?, None, true),
            _ => return None,
        };
        Some(Self { pointer, value, written })
    }

    /// Whether the access has the type of the part that its address leads to.
    fn fits(&self, module: &Module, function: &Function, address: &Address) -> bool {
        match self.value {
            Some(value) => same_bits(module, address.ty, module.type_of(function, value)),
            None => pointee(module, function, self.pointer) == Some(address.ty),
        }
    }
}

/// Whether an access asks for no copy of a payload: it has the type of the part that its address
/// leads to, passes no pointer into a variable of the module, and writes no attributes. A function
/// with such accesses, in which control flow chooses no pointer, needs no copy.
pub(super) fn is_plain(module: &Module, function: &Function, access: &MemoryAccess, address: &Address) -> bool {
    let copied = match address.variable {
        MemoryVariable::Global(_) => access.value.is_none(),
        MemoryVariable::Argument(argument) => access.written && Some(&argument) == function.args.get(ATTRIBUTES),
        MemoryVariable::Alloca(_) | MemoryVariable::MeshPayload => false,
    };
    !copied && access.fits(module, function, address)
}

/// The pointers of a function, in sets of those that may point into the same variables.
struct Pointers {
    set_of: BTreeMap<Value, usize>,
    sets: Vec<SetProperties>,
}

/// What is known of a set of pointers.
#[derive(Clone, Copy, Default)]
struct SetProperties {
    /// A variable is in the set: an alloca, an argument, or a variable of the module.
    has_variable: bool,
    /// A variable of the module is in the set. Other functions may have irregular accesses to it.
    has_global: bool,
    /// An access is not a single access path, or control flow chooses a pointer.
    irregular: bool,
    /// The function writes through a pointer of the set.
    written: bool,
}

impl Pointers {
    fn new(module: &Module, function: &Function) -> Self {
        let sources = sources(module, function);
        let of = |value: &Value| (*value, sources.get(value).cloned().unwrap_or_default());
        let values: Vec<Value> = sources.keys().copied().collect();
        let groups = choices::connected(values.iter().map(of));
        let mut pointers = Self { set_of: BTreeMap::new(), sets: Vec::with_capacity(groups.len()) };
        for group in groups {
            let mut set = SetProperties::default();
            for &value in group.iter().filter_map(|&number| values.get(number)) {
                pointers.set_of.insert(value, pointers.sets.len());
                let def = value.as_local().and_then(|index| function.locals.get(index)).map(|local| local.def);
                let data = function.def_inst(value).map(|(_, data)| *data);
                set.has_variable |= matches!(def, Some(Def::Arg(_))) || matches!(data, Some(InstData::Alloca { .. }));
                set.irregular |= matches!(def, Some(Def::Param(_))) || matches!(data, Some(InstData::Select { .. }));
                let constants = sources.get(&value).into_iter().flatten();
                set.has_global |= constants.filter_map(|from| from.as_const()).any(|from| is_global(module, from));
            }
            pointers.sets.push(set);
        }
        for &inst in function.blocks.values().flat_map(|block| &block.insts) {
            pointers.access(module, function, inst);
        }
        pointers
    }

    fn set(&self, pointer: Value) -> SetProperties {
        self.set_of.get(&pointer).and_then(|&set| self.sets.get(set)).copied().unwrap_or_default()
    }

    fn access(&mut self, module: &Module, function: &Function, inst: Inst) {
        let Some(access) = MemoryAccess::new(function, inst) else { return };
        let Some(set) = self.set_of.get(&access.pointer).and_then(|&set| self.sets.get_mut(set)) else { return };
        set.written |= access.written;
        set.irregular |= match Address::resolve(module, function, access.pointer) {
            Ok(address) => !access.fits(module, function, &address),
            Err(Reason::Irregular(_)) => true,
            // Lowering reports the error.
            Err(Reason::Malformed(_)) => false,
        };
    }
}

/// The pointers that each pointer of a function is computed from.
fn sources(module: &Module, function: &Function) -> BTreeMap<Value, Vec<Value>> {
    let is_pointer = |value: Value| module.types.is_pointer(module.type_of(function, value));
    let mut sources: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for (index, local) in function.locals.iter().enumerate().filter(|(_, local)| module.types.is_pointer(local.ty)) {
        let from = match local.def {
            Def::Inst(inst) => match function.insts[inst] {
                InstData::Gep { base: from, .. } | InstData::Cast { value: from, .. } => vec![from],
                InstData::Select { then, otherwise, .. } => vec![then, otherwise],
                _ => Vec::new(),
            },
            Def::Arg(_) | Def::Param(_) => Vec::new(),
        };
        sources.insert(Value::local(index), from);
    }
    for call in function.blocks.values().flat_map(|block| block.terminator.targets()) {
        for (&param, &arg) in function.blocks[call.block].params.iter().zip(function.list(call.args)) {
            if is_pointer(param) {
                sources.entry(param).or_default().push(arg);
            }
        }
    }
    sources
}

/// Whether a constant is an address in a variable of the module.
fn is_global(module: &Module, mut constant: Const) -> bool {
    loop {
        constant = match module.consts[constant].kind {
            // A shader call cannot write a constant. Lowering refuses it.
            ConstKind::GlobalAddr(global) => return !module.globals[global].constant,
            ConstKind::Gep { base, .. } => base,
            ConstKind::Cast { value, .. } => value,
            _ => return false,
        };
    }
}

fn pointee(module: &Module, function: &Function, pointer: Value) -> Option<TypeId> {
    match module.types[module.type_of(function, pointer)] {
        Type::Pointer { pointee, .. } => Some(pointee),
        _ => None,
    }
}

/// The number of the attributes among an entry function's arguments. The argument before is the
/// payload, or a callable shader's parameter. Lowering refuses an entry function with others.
const ATTRIBUTES: usize = 1;

/// Gives an entry function copies of arguments. The payload is copied back where the function ends.
/// Attributes must not be written in the stages that get them (Vulkan, HitAttributeKHR), so they
/// have a copy where the code writes them, which nobody else sees: HLSL passes them as `in`.
fn arguments(module: &mut Module, func: Func, fuel: &Fuel) -> Result<bool> {
    let function = &module.functions[func];
    let pointers = Pointers::new(module, function);
    let mut copied = Vec::new();
    for (number, &arg) in function.args.iter().enumerate().take(ATTRIBUTES + 1) {
        // The copy is an alloca. Lowering refuses an argument in another address space.
        let Type::Pointer { pointee: ty, space: AddressSpace::Default } = module.types[module.type_of(function, arg)]
        else {
            continue;
        };
        let set = pointers.set(arg);
        if set.irregular || set.written && number == ATTRIBUTES {
            copied.push((arg, module.type_of(function, arg), ty, number != ATTRIBUTES));
        }
    }
    let ends = function.blocks.values().filter(|block| end(function, block).is_some()).count();
    let irregular = copied.iter().filter(|(arg, ..)| pointers.set(*arg).irregular);
    let copies = irregular.flat_map(|&(_, _, ty, back)| std::iter::repeat_n(ty, if back { ends } else { 1 }));
    charge(module, function, copies, fuel)?;
    for &(arg, pointer, ty, back) in &copied {
        let function = &mut module.functions[func];
        let alloca = function.make_inst(InstData::Alloca { ty }, Some(pointer));
        let Some(own) = function.result(alloca) else { continue };
        function.for_each_use_mut(|value| {
            if *value == arg {
                *value = own;
            }
        });
        let mut start = vec![alloca];
        start.extend(move_object(function, arg, own, ty));
        let blocks: Vec<Block> = function.blocks.keys().collect();
        for block in blocks {
            if let Some(at) = end(function, &function.blocks[block]).filter(|_| back) {
                let moved = move_object(function, own, arg, ty);
                function.blocks[block].insts.splice(at..at, moved);
            }
        }
        if let Some(entry) = function.blocks.values_mut().next() {
            entry.insts.splice(0..0, start);
        }
    }
    Ok(!copied.is_empty())
}

/// Where a block ends the function: the number of instructions before that.
fn end(function: &Function, block: &BlockData) -> Option<usize> {
    match block.insts.last().map(|&last| &function.insts[last]) {
        Some(InstData::Op { op, .. }) if ends_invocation(*op) => Some(block.insts.len() - 1),
        _ if matches!(block.terminator, Terminator::Return(_)) => Some(block.insts.len()),
        _ => None,
    }
}

/// Charges copies of objects of these types that will become words. There are fewer steps than
/// instructions that the copies become, of which [`words`](super::words) allows a number.
fn charge(module: &Module, function: &Function, copies: impl Iterator<Item = TypeId>, fuel: &Fuel) -> Result<()> {
    let mut sizes = None;
    for ty in copies {
        let sizes = sizes.get_or_insert_with(|| module.sizes());
        let numbers = sizes.stride(ty).map_or(0, |bytes| bytes / BYTES_OF_A_STEP);
        let steps = STEPS_OF_A_COPY.saturating_add(usize::try_from(numbers).unwrap_or(usize::MAX));
        fuel.steps(Place::Function(function.number), WORD_ARRAYS, steps)?;
    }
    Ok(())
}

/// Steps of a copy besides those of its bytes.
const STEPS_OF_A_COPY: usize = 4;
/// Bytes of an object that are copied in a step: the size of the largest number.
const BYTES_OF_A_STEP: u64 = 8;

/// Instructions that load an object and store it at another address.
fn move_object(function: &mut Function, from: Value, to: Value, ty: TypeId) -> Vec<Inst> {
    let load = function.make_inst(InstData::Load { ptr: from, volatile: false }, Some(ty));
    let Some(value) = function.result(load) else { return Vec::new() };
    let store = function.make_inst(InstData::Store { ptr: to, value, volatile: false }, None);
    vec![load, store]
}

/// Passes a copy where a call takes a pointer into an irregular variable, or into a variable of the
/// module.
fn calls(module: &mut Module, func: Func, fuel: &Fuel) -> Result<bool> {
    let function = &module.functions[func];
    let pointers = Pointers::new(module, function);
    let mut copied: BTreeMap<Inst, (Value, TypeId, TypeId)> = BTreeMap::new();
    for &inst in function.blocks.values().flat_map(|block| &block.insts) {
        let Some(pointer) = passed(function, &function.insts[inst]) else { continue };
        let Some(ty) = pointee(module, function, pointer) else { continue };
        let set = pointers.set(pointer);
        let global = set.has_global || pointer.as_const().is_some_and(|constant| is_global(module, constant));
        if global || set.irregular && set.has_variable {
            copied.insert(inst, (pointer, module.type_of(function, pointer), ty));
        }
    }
    let irregular = copied.values().filter(|(pointer, ..)| pointers.set(*pointer).irregular);
    charge(module, function, irregular.map(|&(_, _, ty)| ty), fuel)?;
    let local = |ty: TypeId| match module.types[ty] {
        Type::Pointer { pointee, .. } => Type::Pointer { pointee, space: AddressSpace::Default },
        ref other => other.clone(),
    };
    let locals: Vec<Type> = copied.values().map(|&(_, ty, _)| local(ty)).collect();
    let locals: Vec<TypeId> = locals.into_iter().map(|ty| module.types.intern(ty)).collect();
    for (found, ty) in copied.values_mut().zip(locals) {
        found.1 = ty;
    }
    let function = &mut module.functions[func];
    let mut start = Vec::new();
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        let mut insts = Vec::new();
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            let Some(&(pointer, pointer_ty, ty)) = copied.get(&inst) else {
                insts.push(inst);
                continue;
            };
            let alloca = function.make_inst(InstData::Alloca { ty }, Some(pointer_ty));
            let Some(own) = function.result(alloca) else { continue };
            start.push(alloca);
            insts.extend(move_object(function, pointer, own, ty));
            if let InstData::Op { op, precise, args } = function.insts[inst] {
                let mut list = function.list(args).to_vec();
                if let Some(last) = list.last_mut() {
                    *last = own;
                }
                let args = function.make_list(&list);
                function.insts[inst] = InstData::Op { op, precise, args };
            }
            insts.push(inst);
            insts.extend(move_object(function, own, pointer, ty));
        }
        function.blocks[block].insts = insts;
    }
    if let Some(entry) = function.blocks.values_mut().next() {
        entry.insts.splice(0..0, start);
    }
    Ok(!copied.is_empty())
}
