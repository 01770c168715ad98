//! The shaders in files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dxil_capture::model::{Code, Pipeline};
use dxil_capture::{Capture, Digest};
use dxil_translator::{Entry, EntryId, RootSignature, Shader};

use super::error::{ShaderError, SynthError};
use super::list::{Duplicate, Refused};
use crate::files::{At as _, FileError};
use crate::inputs::{self, FileContents, InputError, RaysOfFile, with_root_signature};

/// The endings of files that folders are searched for.
const ENDINGS: [&str; 7] = ["dxil", "dxbc", "cso", "dxo", "foz", "gfxr", "sodb"];
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
    /// What the lab had to do to it.
    pub chosen: Option<String>,
}

/// A pipeline that a file names.
pub struct KnownPipeline {
    /// Its file, and its name there.
    pub label: String,
    /// Its stages.
    pub stages: Vec<StageId>,
    /// What the file says of a ray-tracing pipeline.
    pub rays: Option<RaysOfFile>,
}

/// An entry point of a container, by the indexes of both.
pub type StageId = (usize, EntryId);

/// All containers, each once.
#[derive(Default)]
pub struct Containers {
    all: Vec<Container>,
    known: Vec<KnownPipeline>,
}

/// What the files of a command have.
#[derive(Default)]
pub struct Found {
    /// The containers, and the pipelines that files make of them.
    pub containers: Containers,
    /// What cannot be used.
    pub refused: Vec<Refused>,
    /// What is there already.
    pub duplicates: Vec<Duplicate>,
    seen: BTreeMap<Digest, usize>,
    /// Root signatures in files of their own.
    signatures: Vec<(String, RootSignature)>,
}

impl Found {
    /// Reads files and, with all folders below them, folders. `given` is the root signature of
    /// shaders without one.
    ///
    /// # Errors
    /// A path that cannot be read.
    pub fn read(inputs: &[PathBuf], given: Option<&Path>) -> Result<Self, SynthError> {
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
        let mut found = Self::default();
        let mut sources = Vec::new();
        for (name, path) in files {
            match inputs::read(&path) {
                Ok(FileContents { root_signature: Some(signature), .. }) => found.signatures.push((name, signature)),
                Ok(source) => sources.push((name, source)),
                Err(error) => found.refuse(name, error.to_string()),
            }
        }
        let given = given.map(|path| -> Result<_, InputError> {
            let bytes = std::fs::read(path).at(path)?;
            Ok((path.display().to_string(), RootSignature::from_bytes(&bytes, None)?))
        });
        let given = given.transpose()?.or_else(|| found.only_signature());
        for (name, source) in sources {
            found.add(&name, source, given.as_ref());
        }
        Ok(found)
    }

    /// The root signature of a folder that has one; shaders without one cannot have another.
    fn only_signature(&mut self) -> Option<(String, RootSignature)> {
        if let [only] = &self.signatures[..] {
            return Some(only.clone());
        }
        let why = format!(
            "there are {} files with root signatures, and nothing says of which shaders they are; --root-signature \
             FILE names that of the shaders without one, which otherwise are bound by register",
            self.signatures.len()
        );
        let files: Vec<String> = std::mem::take(&mut self.signatures).into_iter().map(|(name, _)| name).collect();
        if !files.is_empty() {
            self.refused.push(Refused { files, error: why });
        }
        None
    }

    fn refuse(&mut self, name: String, error: String) {
        self.refused.push(Refused { files: vec![name], error });
    }

    /// Adds what a file has.
    fn add(&mut self, file: &str, source: FileContents, signature: Option<&(String, RootSignature)>) {
        let of_file = |name: &str| if name.is_empty() { file.to_owned() } else { format!("{file}/{name}") };
        let is_database = !source.pipelines.is_empty();
        let mut places = Vec::new();
        for code in source.codes {
            let name = of_file(&code.name);
            let parsed = parse(code.bytes, code.chosen, signature);
            let place = match parsed {
                Ok((bytes, shader, chosen)) => {
                    let digest = Digest::new(&bytes);
                    if let Some(&place) = self.seen.get(&digest) {
                        if !is_database {
                            let of = self.containers.all[place].name.clone();
                            self.duplicates.push(Duplicate { files: vec![name], of });
                        }
                        Some(place)
                    } else {
                        let place = self.containers.all.len();
                        self.seen.insert(digest, place);
                        self.containers.all.push(Container { name, bytes, digest, shader, chosen });
                        Some(place)
                    }
                }
                Err(error) => {
                    self.refuse(name, error.to_string());
                    None
                }
            };
            places.push(place);
        }
        for pipeline in source.pipelines {
            let label = of_file(&pipeline.name);
            match self.containers.stages_of(&places, &pipeline.stages) {
                Ok(stages) => self.containers.known.push(KnownPipeline { label, stages, rays: pipeline.rays }),
                Err(why) => self.refuse(label, why),
            }
        }
        for (name, why) in source.refused {
            self.refuse(of_file(&name), why);
        }
    }
}

/// A container with the root signature of the command, if it has none of its own. A library's
/// shaders may have several, so it gets none.
fn parse(
    bytes: Vec<u8>,
    chosen: Option<String>,
    signature: Option<&(String, RootSignature)>,
) -> Result<(Vec<u8>, Shader, Option<String>), ShaderError> {
    let shader = Shader::parse(&bytes)?;
    let is_without =
        |(id, entry): (EntryId, &Entry)| !entry.stage.is_rays() && shader.entry_root_signature(id).is_none();
    let with = signature.filter(|_| shader.entries().len() == 1 && shader.entries().all(is_without));
    match with.and_then(|(name, signature)| Some((name, with_root_signature(&bytes, signature)?))) {
        Some((name, bytes)) => {
            let shader = Shader::parse(&bytes)?;
            Ok((bytes, shader, Some(format!("the root signature of {name}"))))
        }
        None => Ok((bytes, shader, chosen)),
    }
}

impl Containers {
    /// The stages of a pipeline that a file names, in the order of the file.
    fn stages_of(&self, places: &[Option<usize>], stages: &[inputs::StageOfFile]) -> Result<Vec<StageId>, String> {
        let stage = |(code, entry): &inputs::StageOfFile| {
            let place = places.get(*code).copied().flatten().ok_or("a shader of the pipeline cannot be read")?;
            let shader = &self.all[place].shader;
            let found = shader.find_entry(entry.as_deref());
            // An application that gives D3D's containers may name any entry point of a shader that
            // has one.
            let only = shader.entries().next().filter(|_| shader.entries().len() == 1).map(|(id, _)| id);
            found.ok().or(only).map(|id| (place, id)).ok_or("a library of the pipeline lacks its entry point")
        };
        stages.iter().map(stage).collect::<Result<_, &str>>().map_err(str::to_owned)
    }

    /// The pipelines that files name.
    pub fn known(&self) -> &[KnownPipeline] {
        &self.known
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
                    all.push(Container { name: digest.short(), bytes, digest, shader, chosen: None });
                    all.len() - 1
                }
            };
            let entry = all[index].shader.find_entry(Some(&stage.entry))?;
            ids.push((index, entry));
        }
        Ok((Self { all, known: Vec::new() }, ids))
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
        } else if kind.is_file() && (ENDINGS.contains(&ending.as_str()) || inputs::is_dumped(&file.path())) {
            files.push((name, file.path()));
        }
    }
    Ok(())
}
