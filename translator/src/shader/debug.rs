//! The version of a program with debug information.
//!
//! In: the bitcode of the part with debug information, in the container or in a PDB. Out: the
//! program that is parsed from it, on demand. What must hold: entry points, resources and code are
//! those of the program without debug information, and so are its plans; parts that do not fit are
//! as good as none.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{front, heap_names};
use crate::analysis::program::Program;
use crate::container::{Container, FourCc, ProgramBitcode, SourceInfo, SourceText};
use crate::decode;
use crate::decode::metadata;
use crate::ir::debug::{DebugInfo, SourceFile, plain};
use crate::ir::has_same_code;
use crate::ir::resources::Resource;
use crate::passes::VectorForm;
use dxil_base::error::{Error, ErrorKind, Place, Result};
use dxil_base::limits::{Budget, Fuel};
use dxil_bitcode as bitcode;

/// A program with debug information, which is parsed when it is asked for. Most containers have
/// none.
#[derive(Debug, Default)]
pub(super) struct DebugVersion {
    part: Option<Box<DebugPart>>,
    /// The content of the part SRCI, which newer compilers keep texts in; empty for none.
    sources: Box<[u8]>,
    /// Where the debug information is that is not here.
    elsewhere: Elsewhere,
}

#[derive(Debug, Default)]
enum Elsewhere {
    /// The compiler made none.
    #[default]
    Nowhere,
    /// In the file of this name.
    File(Box<str>),
    /// The compiler made a PDB without it.
    SourcesOnly,
}

#[derive(Debug)]
struct DebugPart {
    bitcode: Box<[u8]>,
    program: OnceLock<Result<Box<Program>>>,
}

/// The bitcode of a container's program with debug information: the part ILDB, or that of the
/// program itself, if it was not stripped.
pub(super) fn debug_part<'a>(
    container: &Container<'a>,
    program: ProgramBitcode<'a>,
    module: &bitcode::Module,
) -> Option<&'a [u8]> {
    let own = || module.named_metadata("llvm.dbg.cu").map(|_| program.bitcode);
    container.debug_program().ok().flatten().map(|part| part.bitcode).or_else(own)
}

impl DebugVersion {
    /// The version with debug information in this part. `container` has that part, or the name of
    /// the file that has it.
    pub fn new(part: Option<&[u8]>, container: &Container<'_>) -> Self {
        let part = part.map(|part| Box::new(DebugPart { bitcode: part.into(), program: OnceLock::new() }));
        let file = container.debug_name().ok().flatten().filter(|_| part.is_none());
        let elsewhere = file.map_or(Elsewhere::Nowhere, |file| Elsewhere::File(file.into()));
        let sources = container.part(FourCc::SRCI).map_or_else(Box::default, |part| part.data.into());
        Self { part, sources, elsewhere }
    }

    /// The program with debug information. `without` is the same program without it.
    ///
    /// # Errors
    /// `Unsupported` if there is none, otherwise that of parsing it.
    pub fn program(&self, without: &Program) -> Result<&Program> {
        let Some(part) = &self.part else {
            return Err(match &self.elsewhere {
                Elsewhere::Nowhere => unsupported!(
                    Place::Input,
                    "the container has no debug information; compile with `-Zi -Qembed_debug`"
                ),
                Elsewhere::File(file) => unsupported!(
                    Place::Input,
                    "the compiler wrote the debug information to the file `{}`; name its folder with `--pdb-path` of \
                     dxil2spv or the layer's setting `pdb_path`, or compile with `-Zi -Qembed_debug`",
                    file.escape_debug()
                ),
                Elsewhere::SourcesOnly => unsupported!(
                    Place::Input,
                    "the PDB has sources and no debug information, as the compiler writes it with `-Zs`; compile with `-Zi`"
                ),
            });
        };
        let read = || {
            parse(&part.bitcode, &self.sources, without).map(Box::new).map_err(|error| {
                let text = format!("the debug information cannot be read: {error}");
                Error::new(ErrorKind::Malformed, Place::Input, text)
            })
        };
        part.program.get_or_init(read).as_deref().map_err(Error::clone)
    }

    /// The version with the debug information of a PDB, which may have sources alone.
    ///
    /// # Errors
    /// `Malformed` if the header of its program is faulty.
    pub fn from_pdb(container: &Container<'_>) -> Result<Self> {
        let part = container.debug_program()?;
        let elsewhere = if part.is_some() { Elsewhere::Nowhere } else { Elsewhere::SourcesOnly };
        Ok(Self { elsewhere, ..Self::new(part.map(|part| part.bitcode), container) })
    }

    /// The file that has the debug information, if it is known and not read.
    pub fn file(&self) -> Option<&str> {
        match &self.elsewhere {
            Elsewhere::File(file) => Some(file),
            _ => None,
        }
    }

    /// The files of the part SRCI. Faulty ones are as good as none.
    pub fn source_files(&self) -> Vec<SourceText> {
        if self.sources.is_empty() {
            return Vec::new();
        }
        let fuel = Fuel::new(Budget::default(), self.sources.len());
        let files = SourceInfo::from_part(&self.sources).and_then(|sources| sources.files(&fuel));
        files.unwrap_or_default()
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        let file = if let Elsewhere::File(file) = &self.elsewhere { file.len() } else { 0 };
        let Some(part) = &self.part else { return self.sources.len() + file };
        let program = part.program.get().and_then(|program| program.as_ref().ok());
        let parsed = program.map_or(0, |program| size_of::<Program>() + program.heap_bytes());
        size_of::<DebugPart>() + part.bitcode.len() + self.sources.len() + parsed + file
    }
}

/// Gives files the texts of a part SRCI, if the module has none.
fn add_texts(info: &mut DebugInfo, sources: &[u8], fuel: &Fuel) -> Result<()> {
    if sources.is_empty() || info.files.values().any(|file| file.text.is_some()) {
        return Ok(());
    }
    let mut files: BTreeMap<String, _> = info.files.iter().map(|(id, file)| (plain(&file.name), id)).collect();
    for source in SourceInfo::from_part(sources)?.files(fuel)? {
        let add = || info.files.push(SourceFile { name: source.name.clone(), text: None });
        let id = *files.entry(plain(&source.name)).or_insert_with(add);
        info.files[id].text = Some(source.text);
    }
    Ok(())
}

/// Parses the program with debug information as [`Shader::parse`](super::Shader::parse) parses the
/// other one.
fn parse(part: &[u8], sources: &[u8], without: &Program) -> Result<Program> {
    let fuel = Fuel::new(Budget::default(), part.len());
    let module = bitcode::read_with_debug(part, &fuel)?;
    let metadata = metadata::read(&module)?;
    let mut decoded = decode::decode(&module, &fuel)?;
    drop(module);
    let mut program = front::program(&mut decoded, metadata, VectorForm::Core, &fuel)?;
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
    if let Some(info) = &mut program.module.debug {
        // Without their texts, files have names and lines all the same.
        let _ = add_texts(info, sources, &fuel);
    }
    heap_names::find(&mut program);
    // Plans depend on the names in the code.
    for (resource, own) in program.resources.values_mut().zip(without.resources.values()) {
        resource.source_name = Some(std::mem::replace(&mut resource.name, own.name.clone()));
    }
    Ok(program)
}
