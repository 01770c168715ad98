//! `dxil2spv embed` and `dxil2spv extract`: containers in SPIR-V modules.

use std::path::Path;

use dxil_translator::EmbedOptions;
use dxil_translator::embedded;

use crate::arguments::{EmbedArguments, ExtractArguments};
use crate::failure::Failure;
use crate::files;

/// Writes a module that carries a container.
pub fn embed(arguments: &EmbedArguments) -> Result<(), Failure> {
    let file = &arguments.file;
    let container = files::read(file)?;
    let body = arguments.with_spirv.as_deref().map(words).transpose()?;
    let entries: Vec<&str> = arguments.entry.iter().map(String::as_str).collect();
    let mut options = EmbedOptions::default().with_entries(&entries);
    if let Some(body) = &body {
        options = options.with_body(body);
    }
    let words = dxil_translator::embed(&container, &options).map_err(|error| Failure::translator(file, &error))?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    files::write_binary(arguments.output.as_deref(), &bytes, "SPIR-V", "")
}

/// The words of a SPIR-V file.
fn words(file: &Path) -> Result<Vec<u32>, Failure> {
    let bytes = files::read(file)?;
    let (words, rest) = bytes.as_chunks();
    if !rest.is_empty() {
        return Err(Failure::usage(file, format_args!("{} bytes are not whole words of SPIR-V", bytes.len())));
    }
    Ok(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
}

/// Writes the container that a module carries.
pub fn extract(arguments: &ExtractArguments) -> Result<(), Failure> {
    let file = &arguments.file;
    let refused = |error| Failure::translator(file, &error);
    let bytes = files::read(file)?;
    let found = dxil_translator::extract(&bytes).map_err(refused)?;
    let found = found.ok_or_else(|| match embedded::is_spirv(&bytes) {
        true => refused(files::plain_spirv(&bytes)),
        false => Failure::usage(file, "the file is no SPIR-V module; expected one that carries a DXIL container"),
    })?;
    files::write_binary(arguments.output.as_deref(), &found.container, "a DXIL container", "")
}
