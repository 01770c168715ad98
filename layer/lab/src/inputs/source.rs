//! What a file has, and the container in code.

use std::path::Path;

use dxil_capture::model::Group;
use dxil_translator::{RootSignature, extract, is_embedded};

use super::container;
use super::error::InputError;
use crate::files::At as _;

/// The first word of a SPIR-V module.
const SPIRV: [u8; 4] = 0x0723_0203_u32.to_le_bytes();
/// The largest file that is read whole, in bytes: the translator's largest input.
const LARGEST: u64 = dxil_capture::folder::FILE_BYTES;

/// Code of a file.
pub struct Code {
    /// Its name in the file; empty where the file is the container.
    pub name: String,
    /// The container.
    pub bytes: Vec<u8>,
    /// What the lab had to do to it.
    pub chosen: Option<String>,
}

/// A stage of a pipeline: the place of its code, and its entry point, if the file says which.
pub type StageOfFile = (usize, Option<String>);

/// A pipeline of a file.
pub struct PipelineOfFile {
    /// Its name in the file.
    pub name: String,
    /// Its stages.
    pub stages: Vec<StageOfFile>,
    /// What makes it a ray-tracing pipeline; `None` for another one.
    pub rays: Option<RaysOfFile>,
}

/// What a file says of a ray-tracing pipeline.
#[derive(Clone)]
pub struct RaysOfFile {
    /// The groups, by the places of stages. A stage in no group is one of its own.
    pub groups: Vec<Group>,
    /// How deep rays may be nested.
    pub recursion: u32,
}

/// What a file has.
#[derive(Default)]
pub struct FileContents {
    /// The code.
    pub codes: Vec<Code>,
    /// The pipelines; without any, the lab finds out which shaders are one.
    pub pipelines: Vec<PipelineOfFile>,
    /// What is in the file and cannot be used: its name, and why.
    pub refused: Vec<(String, String)>,
    /// The file is a root signature for shaders that have none.
    pub root_signature: Option<RootSignature>,
}

impl FileContents {
    fn container(bytes: Vec<u8>) -> Self {
        Self { codes: vec![Code { name: String::new(), bytes, chosen: None }], ..Self::default() }
    }
}

/// The container in a file, which may be embedded in SPIR-V.
///
/// # Errors
/// The file cannot be read, or its code is no container.
pub fn of_file(path: &Path) -> Result<FileContents, InputError> {
    if std::fs::metadata(path).at(path)?.len() > LARGEST {
        return Err(InputError::Large { path: path.to_owned(), most: LARGEST });
    }
    code(std::fs::read(path).at(path)?)
}

/// The container in code, which may be embedded in SPIR-V.
///
/// # Errors
/// Code that is no container and carries none.
pub fn code(bytes: Vec<u8>) -> Result<FileContents, InputError> {
    if is_embedded(&bytes) {
        return Ok(FileContents::container(extract(&bytes)?.map_or(bytes, |embedded| embedded.container)));
    }
    if bytes.starts_with(&SPIRV) {
        return Err(InputError::Spirv);
    }
    if container::is_root_signature(&bytes) {
        return Ok(FileContents {
            root_signature: Some(RootSignature::from_bytes(&bytes, None)?),
            ..FileContents::default()
        });
    }
    Ok(FileContents::container(bytes))
}
