//! The SPIR-V that the driver receives, in a folder.
//!
//! In: the trace of a worker's pipeline. Out: the pipeline's stages as the
//! driver gets them, in another process.

use std::path::Path;

use dxil_capture::folder::{FILE_BYTES, write_whole};
use dxil_capture::{Digest, Writer};
use serde::{Deserialize, Serialize};

use super::error::EmittedError;
use crate::files::At as _;
use crate::vulkan::Trace;
use crate::words::{from_bytes, to_bytes};

/// A stage, with the members of `TracedStage`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EmittedStage {
    /// `VkShaderStageFlagBits`.
    pub stage: u32,
    /// `VkPipelineShaderStageCreateFlags`.
    pub flags: u32,
    /// The name of the entry point.
    pub entry: String,
    /// Its module, a file in `blobs`.
    pub module: Option<Digest>,
    /// The required subgroup size.
    pub subgroup_size: Option<u32>,
    /// The robustness: storage buffers, uniform buffers, vertex inputs, images.
    pub robustness: Option<[i32; 4]>,
}

fn name(pipeline: Digest) -> String {
    format!("{pipeline}.stages.json")
}

/// Writes the stages of a pipeline's trace.
///
/// # Errors
/// The system's.
pub fn keep(folder: &Path, pipeline: Digest, trace: &Trace) -> Result<(), EmittedError> {
    let writer = Writer::new(folder.to_owned(), FILE_BYTES);
    let mut stages = Vec::new();
    for stage in &trace.stages {
        let module = stage.module.and_then(|at| trace.modules.get(at));
        let module = module.map(|module| writer.spirv(&to_bytes(module)));
        stages.push(EmittedStage {
            stage: stage.stage,
            flags: stage.flags,
            entry: stage.entry.clone(),
            module: module.transpose()?,
            subgroup_size: stage.subgroup_size,
            robustness: stage.robustness,
        });
    }
    let text = serde_json::to_vec(&stages)?;
    Ok(write_whole(folder, &name(pipeline), &text).at(folder)?)
}

/// Reads what [`keep`] wrote: the stages, each with its words.
///
/// # Errors
/// A file that is not there, or a stage without code.
pub fn read(folder: &Path, pipeline: Digest) -> Result<Vec<(EmittedStage, Vec<u32>)>, EmittedError> {
    let file = |path: &Path| std::fs::read(path).at(path);
    let text = file(&folder.join(name(pipeline)))?;
    let stages: Vec<EmittedStage> = serde_json::from_slice(&text)?;
    let with_words = |stage: EmittedStage| {
        let module = stage.module.ok_or(EmittedError::NoCode)?;
        let words = from_bytes(&file(&folder.join("blobs").join(format!("{module}.spv")))?);
        Ok((stage, words))
    };
    stages.into_iter().map(with_words).collect()
}
