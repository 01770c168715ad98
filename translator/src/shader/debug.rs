//! The version of a program with debug information.
//!
//! In: the bitcode of the part with debug information. Out: the program that is parsed from it, on
//! demand. What must hold: entry points, resources and code are those of the program without debug
//! information, and so are its plans; parts that do not fit are as good as none.

use std::sync::OnceLock;

use super::front;
use crate::analysis::program::Program;
use crate::container::{Container, ProgramBitcode};
use crate::decode;
use crate::decode::metadata;
use crate::ir::has_same_code;
use crate::ir::resources::Resource;
use dxil_base::error::{Error, ErrorKind, Place, Result};
use dxil_base::limits::{Budget, Fuel};
use dxil_bitcode as bitcode;

/// A program with debug information, which is parsed when it is asked for. Most containers have none.
#[derive(Debug, Default)]
pub(super) struct DebugVersion(Option<Box<DebugPart>>);

#[derive(Debug)]
struct DebugPart {
    bitcode: Box<[u8]>,
    program: OnceLock<Result<Box<Program>>>,
}

/// The bitcode of a container's program with debug information: the part ILDB, or that of the program
/// itself, if it was not stripped.
pub(super) fn debug_part<'a>(
    container: &Container<'a>,
    program: ProgramBitcode<'a>,
    module: &bitcode::Module,
) -> Option<&'a [u8]> {
    let own = || module.named_metadata("llvm.dbg.cu").map(|_| program.bitcode);
    container.debug_program().ok().flatten().map(|part| part.bitcode).or_else(own)
}

impl DebugVersion {
    pub fn new(part: Option<&[u8]>) -> Self {
        Self(part.map(|part| Box::new(DebugPart { bitcode: part.into(), program: OnceLock::new() })))
    }

    /// The program with debug information. `without` is the same program without it.
    ///
    /// # Errors
    /// `Unsupported` if there is none, otherwise that of parsing it.
    pub fn program(&self, without: &Program) -> Result<&Program> {
        let Some(part) = &self.0 else {
            return Err(unsupported!(
                Place::Input,
                "the container has no debug information; compile with `-Zi -Qembed_debug`"
            ));
        };
        let read = || {
            parse(&part.bitcode, without).map(Box::new).map_err(|error| {
                let text = format!("the debug information cannot be read: {error}");
                Error::new(ErrorKind::Malformed, Place::Input, text)
            })
        };
        part.program.get_or_init(read).as_deref().map_err(Error::clone)
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        let Some(part) = &self.0 else { return 0 };
        let program = part.program.get().and_then(|program| program.as_ref().ok());
        let parsed = program.map_or(0, |program| size_of::<Program>() + program.heap_bytes());
        size_of::<DebugPart>() + part.bitcode.len() + parsed
    }
}

/// Parses the program with debug information as [`Shader::parse`](super::Shader::parse) parses the
/// other one.
fn parse(part: &[u8], without: &Program) -> Result<Program> {
    let fuel = Fuel::new(Budget::default(), part.len());
    let module = bitcode::read_with_debug(part, &fuel)?;
    let metadata = metadata::read(&module)?;
    let decoded = decode::decode(&module, &fuel)?;
    drop(module);
    let mut program = front::program(decoded, metadata, &fuel)?;
    program.input_bytes = without.input_bytes;
    let entries = |program: &Program| program.entries.values().map(|entry| entry.name.clone()).collect::<Vec<_>>();
    let registers = |program: &Program| {
        let register = |r: &Resource| (r.class, r.kind, r.range_id, r.space, r.lower_bound);
        program.resources.values().map(register).collect::<Vec<_>>()
    };
    let is_same = entries(&program) == entries(without)
        && registers(&program) == registers(without)
        && has_same_code(&without.module, &program.module);
    if !is_same {
        return Err(malformed!(Place::Input, "it belongs to other code"));
    }
    // Plans depend on the names in the code.
    for (resource, own) in program.resources.values_mut().zip(without.resources.values()) {
        resource.source_name = Some(std::mem::replace(&mut resource.name, own.name.clone()));
    }
    Ok(program)
}
