//! Errors in the terms of the source: the line of an instruction, the name of a resource.
//!
//! In: an error of this crate, and what is known of the container. Out: the same error with the
//! place in the source. What must hold: nothing here fails, and nothing is read before there is an
//! error.

use std::collections::BTreeMap;

use super::debug::DebugVersion;
use super::front;
use crate::analysis::program::Program;
use crate::analysis::program::names;
use crate::container::ProgramBitcode;
use crate::decode;
use crate::decode::metadata;
use crate::ir::debug::{FunctionDebug, HeapAccess};
use crate::ir::resources::{DescriptorOrigin, Resource, ResourceId};
use crate::ir::{Func, Function, Inst, InstData, Module};
use crate::passes::VectorForm;
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Error, Place};
use dxil_base::limits::{Budget, Fuel};
use dxil_bitcode as bitcode;
use dxil_bitcode::{DebugLocation, Inst as BitcodeInst, InstId, ValueDef};

/// The error of translating a program, with the place in the source as far as the container knows
/// it. `program` has its resources by name, and `debug` is the same program with debug information.
pub fn located(error: Error, program: &Program, debug: &DebugVersion) -> Error {
    let source = match error.place() {
        Place::Inst { func, inst } => instruction(program, debug, func, Inst::new(inst as usize), error.message()),
        Place::Function(func) => of_function(program, debug, func),
        place @ Place::Resource { .. } => resource(place, &program.resources),
        _ => None,
    };
    error.in_source(source)
}

/// The quoted name of the only resource at a place.
pub fn resource(place: Place, resources: &PrimaryMap<ResourceId, Resource>) -> Option<String> {
    let mut found = resources.values().filter(|resource| resource.is_declared() && resource.place() == place);
    let name = found.next().filter(|_| found.next().is_none())?.shown_name();
    (!name.is_empty()).then(|| format!("`{}`", name.escape_debug()))
}

/// A program's resources with their names in the source. A view of a descriptor heap has the names
/// of the variables that it is stored to.
pub fn named(program: &Program, debug: &DebugVersion) -> PrimaryMap<ResourceId, Resource> {
    /// Most variables that a view of a heap is named by.
    const VARIABLES: usize = 4;
    let mut resources = program.resources.clone();
    for (id, name) in names::source_names(program, Budget::default()) {
        resources[id].source_name = Some(name);
    }
    if resources.values().all(Resource::is_declared) {
        return resources;
    }
    let Ok(with_debug) = debug.program(program) else { return resources };
    let functions = with_debug.module.functions.values().filter_map(|function| function.debug.as_ref());
    let mut variables: BTreeMap<ResourceId, Vec<&str>> = BTreeMap::new();
    for HeapAccess { resource, name, .. } in functions.flat_map(|debug| &debug.heap_accesses) {
        let variables = variables.entry(*resource).or_default();
        if variables.len() <= VARIABLES && !variables.contains(&&**name) {
            variables.push(name);
        }
    }
    for (id, mut variables) in variables {
        variables.iter_mut().skip(VARIABLES).for_each(|name| *name = "…");
        resources[id].source_name = Some(variables.join(", ").into());
    }
    resources
}

/// A function of the program with debug information, by the number that it has in the other one.
fn function<'d>(program: &Program, debug: &'d DebugVersion, number: u32) -> Option<(&'d Program, Func)> {
    // Functions have other numbers where the intrinsics of debug information are among them.
    let name = &program.module.functions.values().find(|function| function.number == number)?.name;
    let with_debug = debug.program(program).ok()?;
    let mut functions = with_debug.module.functions.iter();
    functions.find(|(_, function)| function.name == *name).map(|(func, _)| (with_debug, func))
}

/// The place of an instruction of the IR, and the resource that it accesses if the message does not
/// name it: ``shader.hlsl:12:5, resource `albedo` ``.
fn instruction(program: &Program, debug: &DebugVersion, number: u32, inst: Inst, message: &str) -> Option<String> {
    let same = function(program, debug, number);
    let same = same.map(|(with_debug, func)| (&with_debug.module, &with_debug.module.functions[func]));
    let place = same.and_then(|(module, function)| inst_place(module, function, inst));
    let name = accessed(program, number, inst, same.and_then(|(_, function)| function.debug.as_deref()));
    let name = name.filter(|name| !message.contains(&format!("\"{name}\"")));
    let name = name.map(|name| format!("resource `{}`", name.escape_debug()));
    match (place, name) {
        (Some(place), Some(name)) => Some(format!("{place}, {name}")),
        (place, name) => place.or(name),
    }
}

/// The place of an instruction: `shader.hlsl:12:5`.
fn inst_place(module: &Module, function: &Function, inst: Inst) -> Option<String> {
    let location = function.debug.as_ref()?.insts[inst]?;
    let (file, line, column) = module.debug.as_ref()?.place(location)?;
    Some(place(file, line, column))
}

/// The place of a function: `shader.hlsl:12`.
fn of_function(program: &Program, debug: &DebugVersion, number: u32) -> Option<String> {
    let (with_debug, func) = function(program, debug, number)?;
    let info = with_debug.module.debug.as_ref()?;
    let scope = &info.scopes[info.functions[func]?];
    Some(place(&info.files.get(scope.file)?.name, scope.line, 0))
}

/// The name of the resource that an instruction makes a handle of, or accesses.
fn accessed<'a>(program: &'a Program, number: u32, inst: Inst, debug: Option<&'a FunctionDebug>) -> Option<&'a str> {
    let (func, function) = program.module.functions.iter().find(|(_, function)| function.number == number)?;
    let &InstData::Op { op, args, .. } = function.insts.get(inst)? else { return None };
    let handles = program.handles.of(func);
    let made = function.result(inst).and_then(|result| handles.get(result));
    let Some(handle) = made.or_else(|| handles.of(op, function.list(args)).next()) else {
        let access = debug?.heap_accesses.iter().find(|access| access.inst == inst)?;
        return Some(&access.name);
    };
    let resource = program.resources.get(handle.resource)?;
    let element = (handle.element.value, handle.element.constant);
    let name = match resource.origin {
        DescriptorOrigin::Registers => resource.shown_name(),
        DescriptorOrigin::Heap(_) => &**debug?.heap_elements.get(&element)?,
    };
    Some(name).filter(|name| !name.is_empty())
}

fn place(file: &str, line: u32, column: u32) -> String {
    let file = file.escape_debug();
    if column == 0 { format!("{file}:{line}") } else { format!("{file}:{line}:{column}") }
}

/// The error of parsing a program with the place in the source. `debug_part` is the program with
/// debug information, whose instructions are those of the program and debug intrinsics.
pub fn parsing(error: Error, program: ProgramBitcode<'_>, debug_part: Option<&[u8]>) -> Error {
    let source = debug_part.and_then(|part| match error.place() {
        Place::Bit(bit) => {
            let bit = bit.checked_sub(8 * program.offset as u64)?;
            bitcode_instruction(program.bitcode, bit, part)
        }
        Place::Inst { inst, .. } => refused_instruction(&error, Inst::new(inst as usize), part),
        _ => None,
    });
    error.in_source(source)
}

/// The place of the instruction at which the code is refused after it was decoded.
fn refused_instruction(error: &Error, inst: Inst, part: &[u8]) -> Option<String> {
    let fuel = Fuel::new(Budget::default(), part.len());
    let module = bitcode::read_with_debug(part, &fuel).ok()?;
    let mut decoded = decode::decode(&module, &fuel).ok()?;
    let again = front::program(&mut decoded, metadata::read(&module).ok()?, VectorForm::Core, &fuel).err()?;
    let number = match again.place() {
        Place::Inst { func, inst: same } if same as usize == inst.index() => func,
        _ => return None,
    };
    let functions = &decoded.module.functions;
    let function = functions.values().find(|function| function.number == number && again.kind() == error.kind())?;
    inst_place(&decoded.module, function, inst)
}

fn bitcode_instruction(program: &[u8], bit: u64, part: &[u8]) -> Option<String> {
    let module = bitcode::read(program).ok()?;
    let fuel = Fuel::new(Budget::default(), part.len());
    let with_debug = bitcode::read_with_debug(part, &fuel).ok()?;
    let (function, body) = module.functions.values().find_map(|function| {
        let body = function.body.as_ref()?;
        body.insts.values().any(|inst| u64::from(inst.bit) == bit).then_some((function, body))
    })?;
    let number = code(&module, body).position(|(_, inst)| u64::from(inst.bit) == bit)?;
    let name = module.bytes(function.name);
    let same = with_debug.functions.values().find(|other| with_debug.bytes(other.name) == name);
    let body = same?.body.as_ref()?;
    let (id, _) = code(&with_debug, body).nth(number)?;
    let found = body.locations.binary_search_by_key(&id, |&(at, _)| at).ok()?;
    let &(_, DebugLocation { line, column, scope, .. }) = body.locations.get(found)?;
    let file = decode::source_file(&with_debug, scope?, &fuel)?;
    Some(place(&file, line, column))
}

/// The instructions of a body that are not debug intrinsics.
fn code<'b>(
    module: &'b bitcode::Module,
    body: &'b bitcode::Body,
) -> impl Iterator<Item = (InstId, &'b bitcode::Instruction)> {
    let is_debug = move |callee| match module.value(Some(body), callee).map(|value| value.def) {
        Some(ValueDef::Function(function)) => module.bytes(module.functions[function].name).starts_with(b"llvm.dbg."),
        _ => false,
    };
    body.insts
        .iter()
        .filter(move |(_, inst)| !matches!(inst.inst, BitcodeInst::Call { callee, .. } if is_debug(callee)))
}
