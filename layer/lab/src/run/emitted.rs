//! The SPIR-V that the layer gives to the driver, in a folder.
//!
//! In: what passed below the layer while a worker made a pipeline. Out: the pipeline's stages as the
//! driver gets them, in another process.

use std::path::Path;

use dxil_capture::folder::{FILE_BYTES, write_whole};
use dxil_capture::{Digest, Writer};
use serde::{Deserialize, Serialize};

use crate::vulkan::Trace;
use crate::words::{of_bytes, to_bytes};

/// A stage, with the members of `TracedStage`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stage {
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

/// Writes what passed for a pipeline.
///
/// # Errors
/// The system's.
pub fn keep(folder: &Path, pipeline: Digest, trace: &Trace) -> Result<(), String> {
    let writer = Writer::new(folder.to_owned(), FILE_BYTES);
    let mut stages = Vec::new();
    for stage in &trace.stages {
        let module = stage.module.and_then(|at| trace.modules.get(at));
        let module = module.map(|module| writer.spirv(&to_bytes(module)));
        stages.push(Stage {
            stage: stage.stage,
            flags: stage.flags,
            entry: stage.entry.clone(),
            module: module.transpose().map_err(|error| error.to_string())?,
            subgroup_size: stage.subgroup_size,
            robustness: stage.robustness,
        });
    }
    let text = serde_json::to_vec(&stages).map_err(|error| error.to_string())?;
    write_whole(folder, &name(pipeline), &text).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Reads what [`keep`] wrote: the stages, each with its words.
///
/// # Errors
/// A file that is not there, or a stage without code.
pub fn read(folder: &Path, pipeline: Digest) -> Result<Vec<(Stage, Vec<u32>)>, String> {
    let file = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let text = file(&folder.join(name(pipeline)))?;
    let stages: Vec<Stage> = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    let with_words = |stage: Stage| {
        let module = stage.module.ok_or("the driver gets a stage whose code does not pass the lab")?;
        let words = of_bytes(&file(&folder.join("blobs").join(format!("{module}.spv")))?);
        Ok((stage, words))
    };
    stages.into_iter().map(with_words).collect()
}
