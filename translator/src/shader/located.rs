//! Errors in the terms of the source: the line of an instruction, the name of a resource.
//!
//! In: an error of this crate, and what is known of the container. Out: the same error with the place
//! in the source. What must hold: nothing here fails, and nothing is read before there is an error.

use super::debug::DebugVersion;
use crate::analysis::program::Program;
use crate::analysis::program::names;
use crate::decode;
use crate::ir::resources::{Resource, ResourceId};
use crate::ir::{Inst, Module};
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Error, Place};
use dxil_base::limits::{Budget, Fuel};
use dxil_bitcode as bitcode;
use dxil_bitcode::{DebugLocation, Inst as BitcodeInst, InstId, ValueDef};

/// The error of translating a program, with the place in the source as far as the container knows it.
/// `debug` is the same program with debug information.
pub fn located(error: Error, program: &Program, debug: &DebugVersion) -> Error {
    let source = match error.place() {
        Place::Inst { func, inst } => instruction(program, debug, func, inst),
        place @ Place::Resource { .. } => resource(place, &named(program)),
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

/// A program's resources with their names in the source.
pub fn named(program: &Program) -> PrimaryMap<ResourceId, Resource> {
    let mut resources = program.resources.clone();
    let names = names::source_names(program, Budget::default());
    for (id, name) in names {
        resources[id].source_name = Some(name);
    }
    resources
}

/// The place of an instruction of the IR: `shader.hlsl:12:5`.
fn instruction(program: &Program, debug: &DebugVersion, func: u32, inst: u32) -> Option<String> {
    let of_error = program.module.functions.values().find(|function| function.number == func)?;
    let Module { functions, debug, .. } = &debug.program(program).ok()?.module;
    // Functions have other numbers where the intrinsics of debug information are among them.
    let function = functions.values().find(|function| function.name == of_error.name)?;
    let location = function.debug.as_ref()?.insts[Inst::new(inst as usize)]?;
    let (file, line, column) = debug.as_ref()?.place(location)?;
    Some(place(file, line, column))
}

fn place(file: &str, line: u32, column: u32) -> String {
    let file = file.escape_debug();
    if column == 0 { format!("{file}:{line}") } else { format!("{file}:{line}:{column}") }
}

/// The error of decoding a program with the place in the source. `debug_part` is the program with debug
/// information, whose instructions are those of the program and debug intrinsics.
pub fn decoding(error: Error, program: &[u8], debug_part: Option<&[u8]>) -> Error {
    let source = match error.place() {
        Place::Bit(bit) => debug_part.and_then(|part| bitcode_instruction(program, bit, part)),
        _ => None,
    };
    error.in_source(source)
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
