//! The shaders in files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dxil_capture::model::{Code, Pipeline};
use dxil_capture::{Capture, Digest};
use dxil_translator::{Entry, EntryId, Shader, extract, is_embedded};

use super::error::{ShaderError, SynthError};
use super::list::{Duplicate, Refused};
use crate::files::{At as _, FileError};

/// The endings of files that folders are searched for.
const ENDINGS: [&str; 4] = ["dxil", "dxbc", "cso", "dxo"];
/// The deepest nesting of folders.
const DEPTH: u32 = 32;

/// A container that was parsed.
pub struct Container {
    /// Its path below the folder that was given, in which the separator is `/` everywhere.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Their digest.
    pub digest: Digest,
    /// The parsed shader.
    pub shader: Shader,
}

/// An entry point of a container, by the indexes of both.
pub type StageId = (usize, EntryId);

/// All containers, each once.
pub struct Containers {
    all: Vec<Container>,
}

impl Containers {
    /// Reads files and, with all folders below them, folders.
    ///
    /// # Errors
    /// A path that cannot be read.
    pub fn read(inputs: &[PathBuf]) -> Result<(Self, Vec<Refused>, Vec<Duplicate>), SynthError> {
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for input in inputs {
            if !input.exists() {
                return Err(SynthError::NoInput(input.clone()));
            }
            if input.is_dir() {
                walk(input, "", DEPTH, &mut files)?;
            } else {
                let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
                files.push((name, input.clone()));
            }
        }
        // The order of folders differs between machines.
        files.sort();
        let (mut all, mut refused, mut duplicates) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen: BTreeMap<Digest, String> = BTreeMap::new();
        for (name, path) in files {
            match read(&path) {
                Ok((digest, bytes, shader)) => {
                    if let Some(of) = seen.get(&digest) {
                        duplicates.push(Duplicate { files: vec![name], of: of.clone() });
                        continue;
                    }
                    seen.insert(digest, name.clone());
                    all.push(Container { name, bytes, digest, shader });
                }
                Err(error) => refused.push(Refused { files: vec![name], error: error.to_string() }),
            }
        }
        Ok((Self { all }, refused, duplicates))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The containers of a pipeline's record, and its DXIL stages in their order.
    ///
    /// # Errors
    /// A container that the capture lacks or that cannot be parsed.
    pub fn of_record(capture: &Capture, pipeline: &Pipeline) -> Result<(Self, Vec<StageId>), ShaderError> {
        let (mut all, mut ids) = (Vec::<Container>::new(), Vec::new());
        for stage in &pipeline.stages {
            let Code::Dxil(digest) = stage.code else { continue };
            let index = match all.iter().position(|container| container.digest == digest) {
                Some(index) => index,
                None => {
                    let bytes = capture.dxil(digest)?;
                    let shader = Shader::parse(&bytes)?;
                    all.push(Container { name: digest.short(), bytes, digest, shader });
                    all.len() - 1
                }
            };
            let entry = all[index].shader.find_entry(Some(&stage.entry))?;
            ids.push((index, entry));
        }
        Ok((Self { all }, ids))
    }

    /// A stage: its container and its entry point.
    pub fn get(&self, (container, entry): StageId) -> (&Container, &Entry) {
        let container = &self.all[container];
        let entry = container.shader.entry(entry);
        (container, entry.expect("stages are made of the container's own entry points"))
    }

    /// The shader of a stage.
    pub fn shader(&self, id: StageId) -> &Shader {
        &self.get(id).0.shader
    }

    /// All entry points, in the order of the containers' names.
    pub fn stages(&self) -> impl Iterator<Item = StageId> + '_ {
        let entries = |(index, container): (usize, &Container)| {
            container.shader.entries().map(|(entry, _)| (index, entry)).collect::<Vec<_>>()
        };
        self.all.iter().enumerate().flat_map(entries)
    }

    /// The names of stages' containers, each once.
    pub fn files(&self, stages: &[StageId]) -> Vec<String> {
        let names: BTreeSet<&str> = stages.iter().map(|id| self.get(*id).0.name.as_str()).collect();
        names.into_iter().map(str::to_owned).collect()
    }
}

/// The files of a folder, with their names below it.
fn walk(folder: &Path, prefix: &str, depth: u32, files: &mut Vec<(String, PathBuf)>) -> Result<(), FileError> {
    for file in std::fs::read_dir(folder).at(folder)? {
        let file = file.at(folder)?;
        let name = format!("{prefix}{}", file.file_name().to_string_lossy());
        // Links are not followed, so that no folder is searched twice.
        let kind = file.file_type().at(folder)?;
        let ending = file.path().extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_owned();
        if kind.is_dir() && depth > 0 {
            walk(&file.path(), &format!("{name}/"), depth - 1, files)?;
        } else if kind.is_file() && ENDINGS.contains(&ending.as_str()) {
            files.push((name, file.path()));
        }
    }
    Ok(())
}

/// The container in a file, which may be embedded in SPIR-V.
fn read(path: &Path) -> Result<(Digest, Vec<u8>, Shader), ShaderError> {
    let bytes = std::fs::read(path)?;
    let bytes = match is_embedded(&bytes) {
        true => extract(&bytes)?.map_or(bytes, |embedded| embedded.container),
        false => bytes,
    };
    let shader = Shader::parse(&bytes)?;
    Ok((Digest::new(&bytes), bytes, shader))
}
