//! Pipelines for containers without an application.
//!
//! In: files and folders with DXIL. Out: a capture with a pipeline for each shader, and a list of
//! what was chosen and what was refused. What must hold: the same containers give the same records
//! on every machine; what a shader does not decide is said in the list; a container that cannot be
//! used is a line of the list and ends nothing.
//!
//! | file | subject |
//! |---|---|
//! | `containers` | the shaders in files |
//! | `pairs` | which shaders make a pipeline |
//! | `layout` | the pipeline layout that the shaders need |
//! | `interface` | the locations of translated stages |
//! | `state` | vertex input, targets and the other state of graphics pipelines |
//! | `vertex` | a vertex shader for a pixel shader that has none |
//! | `groups` | the shader groups of ray-tracing pipelines |
//! | `list` | the list |
//! | `error` | why there is no capture, and why shaders make no pipeline |

mod containers;
mod error;
mod groups;
mod interface;
mod layout;
mod list;
mod pairs;
mod state;
mod vertex;

use crate::words::{from_bytes, to_bytes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dxil_capture::folder::NotWritten;
use dxil_capture::model::{Code, Command, Device, Pipeline, Record, Stage};
use dxil_capture::{Capture, Digest, Writer};
use dxil_translator::ShaderStage;
use dxil_translator::binding::stage_flag;
use thiserror::Error;

use containers::{Containers, Found};
use interface::Interface;
use list::{Listed, Refused};
use pairs::Draft;

pub use error::{ShaderError, SynthError};
pub use layout::Formats;
pub use list::{Duplicate, LIST, List, StageOf};

/// The largest number of bytes that one call adds to a capture.
const BOUND: u64 = 4 << 30;

/// Makes pipelines of the containers in files and folders, and writes them into a capture.
/// `root_signature` is the file of the root signature of shaders without one.
///
/// # Errors
/// A file or folder that cannot be read, or a capture that cannot be written.
pub fn synth(inputs: &[PathBuf], root_signature: Option<&Path>, out: &Path) -> Result<List, SynthError> {
    let before = match List::read(out) {
        None if out.join(LIST).exists() => return Err(SynthError::List(out.join(LIST))),
        before => before,
    };
    let Found { containers, refused, duplicates, .. } = Found::read(inputs, root_signature)?;
    if containers.is_empty() && refused.is_empty() {
        return Err(SynthError::Nothing(inputs.to_vec()));
    }
    let writer = Writer::new(out.to_owned(), BOUND);
    let mut list = List::new(refused, duplicates);
    let (drafts, lonely) = pairs::pair(&containers);
    list.refused.extend(lonely);
    for draft in drafts {
        let made = pipeline(&containers, &draft, &writer);
        // Shaders that were not compiled for one another may use one register for different things.
        let (draft, made) = match (made, draft.without_partner(&containers)) {
            (Err(Problem::Shader(_)), Some(alone)) => {
                let made = pipeline(&containers, &alone, &writer);
                (alone, made)
            }
            (made, _) => (draft, made),
        };
        match made {
            Ok((pipeline, settings, mut listed)) => {
                let device = Device { name: "dxil-lab synth".into(), settings, ..Device::default() };
                let device = writer.device(&device)?;
                let requests = vec![None; pipeline.stages.len()];
                let record = Record { format: Record::FORMAT, device: Some(device), requests, pipeline };
                listed.pipeline = writer.record(&record)?;
                list.pipelines.push(listed);
            }
            Err(Problem::Shader(error)) => {
                let (files, error) = (containers.files(&draft.stages), error.to_string());
                list.refused.push(Refused { files, error });
            }
            Err(Problem::Disk(error)) => return Err(error.into()),
        }
    }
    list.finish();
    // What is printed is what these files gave; the capture keeps what others gave before.
    let mut whole = list.clone();
    before.into_iter().for_each(|before| whole.add(before));
    whole.finish();
    whole.write(out)?;
    Ok(list)
}

/// The stages of a synthesised pipeline, translated for a device with everything: the same words on
/// every machine, with the places of the pipeline's layout. A pipeline without DXIL, as `reduce`
/// makes it, has its own words.
///
/// # Errors
/// A pipeline that the lab did not make, or that cannot be planned.
pub fn translated(capture: &Capture, pipeline: &Pipeline, formats: Formats) -> Result<Vec<Vec<u32>>, ShaderError> {
    let (containers, stages) = Containers::of_record(capture, pipeline)?;
    if stages.is_empty() {
        let codes = pipeline.stages.iter().filter_map(|stage| match stage.code {
            Code::Spirv(digest) => Some(capture.spirv(digest)),
            _ => None,
        });
        return codes.map(|bytes| Ok(from_bytes(&bytes?))).collect();
    }
    let planned = layout::plan(&containers, &stages, formats)?;
    if pipeline.layout.as_ref() != Some(&planned.layout) {
        return Err(ShaderError::OtherLayout);
    }
    Ok(planned.words)
}

/// Why a draft is no pipeline.
#[derive(Debug, Error)]
enum Problem {
    /// The shaders cannot be used.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The capture cannot be written.
    #[error(transparent)]
    Disk(#[from] NotWritten),
}

/// A pipeline, the layer's settings for it, and its line in the list.
type Synthesised = (Pipeline, BTreeMap<String, String>, Listed);

/// The pipeline of a draft, with a line that has no name yet.
fn pipeline(containers: &Containers, draft: &Draft, writer: &Writer) -> Result<Synthesised, Problem> {
    let planned = layout::plan(containers, &draft.stages, Formats::Open)?;
    let mut chosen = Vec::new();
    if let Some(spaces) = planned.settings.get("spaces") {
        chosen.push(format!("the sets of register spaces, so that fewer sets are needed: {spaces}"));
    }
    let mut stages = Vec::new();
    for &id in &draft.stages {
        let (container, entry) = containers.get(id);
        let flag = stage_flag(entry.stage).ok_or(ShaderError::NoStage(entry.stage))?;
        writer.dxil(&container.bytes)?;
        chosen.extend(container.chosen.clone().filter(|it| !chosen.contains(it)));
        stages.push(Stage::new(flag, Code::Dxil(container.digest), &entry.name));
    }
    let kind = draft.stages.first().map(|id| containers.get(*id).1.stage);
    let mut pipeline = Pipeline { layout: Some(planned.layout), ..Pipeline::new(Command::Compute, stages) };
    match kind {
        Some(ShaderStage::Compute) => {}
        Some(stage) if stage.is_rays() => {
            pipeline.command = Command::RayTracing;
            groups::add(containers, (draft, &planned.words), &mut pipeline, &mut chosen)?;
        }
        _ => {
            pipeline.command = Command::Graphics;
            let interfaces: Vec<Interface> =
                planned.words.iter().map(|words| Interface::read(words)).collect::<Result<_, _>>()?;
            if draft.lonely_pixel {
                let words = vertex::shader_for(interfaces.first())?;
                let code = Code::Spirv(writer.spirv(&to_bytes(&words))?);
                pipeline.stages.insert(0, Stage::new(1, code, "main"));
                chosen.push("a vertex shader that covers the target and gives the pixel shader zeros".to_owned());
            }
            let state = state::StateInputs { containers, draft, interfaces: &interfaces, chosen: &mut chosen };
            pipeline.graphics = Some(state::graphics(state)?);
        }
    }
    let stages_of = draft.stages.iter().map(|&id| {
        let (container, entry) = containers.get(id);
        StageOf { file: container.name.clone(), stage: entry.stage.to_string(), entry: entry.name.to_string() }
    });
    let listed = Listed {
        pipeline: Digest([0; 32]),
        label: draft.label.clone(),
        model: planned.model,
        stages: stages_of.collect(),
        chosen,
    };
    Ok((pipeline, planned.settings, listed))
}
