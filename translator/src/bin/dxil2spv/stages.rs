//! `dxil2spv translate`: the pipeline, stopped where `--emit` says.

use std::path::{Path, PathBuf};

use dxil_translator::bitcode;
use dxil_translator::container::Container;
use dxil_translator::error::Result;

use crate::arguments::{Emit, Translate};
use crate::failure::Failure;
use crate::files;

/// Runs the pipeline to the stage asked for and writes what it gives.
pub fn translate(arguments: &Translate) -> std::result::Result<(), Failure> {
    let input = files::read(&arguments.file)?;
    let output = stage(&input, arguments).map_err(|error| Failure::translator(&arguments.file, &error))?;
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    files::write(&path, &output)
}

fn stage(input: &[u8], arguments: &Translate) -> Result<Vec<u8>> {
    let container = Container::parse(input)?;
    if arguments.verbose {
        print_notes(&arguments.file, &container);
    }
    if arguments.emit == Emit::Container {
        return Ok(container.to_string().into_bytes());
    }
    let program = container.program()?;
    let module = bitcode::read(program.bitcode).map_err(|error| error.offset_by(program.offset as u64))?;
    Ok(module.to_string().into_bytes())
}

/// What is odd about the input and no fault.
fn print_notes(file: &Path, container: &Container<'_>) {
    for note in container.notes() {
        eprintln!("{}: note: {note}", file.display());
    }
}
