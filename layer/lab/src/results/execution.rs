//! The results of running a pipeline.

use std::path::{Path, PathBuf};

use dxil_capture::Digest;
use serde::{Deserialize, Serialize};

/// The elements of a result, by which it is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// Floating-point numbers of 32 bits.
    Float,
    /// Floating-point numbers of 16 bits.
    Half,
    /// Bytes that stand for 0 to 1.
    Unorm,
    /// Bytes that stand for -1 to 1.
    Snorm,
    /// Integers of 32 bits.
    Integer,
    /// Words of unknown type.
    Words,
}

impl Element {
    /// Its size in bytes.
    pub fn bytes(self) -> usize {
        match self {
            Self::Float | Self::Integer | Self::Words => 4,
            Self::Half => 2,
            Self::Unorm | Self::Snorm => 1,
        }
    }
}

/// The inputs of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Inputs {
    /// The seed of all numbers.
    pub seed: u64,
    /// Whether some numbers are edge values.
    pub edges: bool,
}

/// A run of a pipeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Execution {
    /// What the pipeline may write.
    pub outputs: Vec<Output>,
    /// Whether repeated runs with the same inputs gave equal results.
    pub is_stable: bool,
    /// What the results may depend on besides the inputs.
    pub depends: Vec<String>,
    /// The digest of the inputs: of each resource's place, its format and its content.
    pub inputs: Digest,
    /// The time of the first run, in microseconds.
    pub device_us: u64,
}

/// A resource after the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Output {
    /// Its place.
    pub name: String,
    /// Its elements.
    pub element: Element,
    /// The elements of a texel; 1 for what is no image. Devices may have formats with different numbers
    /// of components for one shader.
    pub components: usize,
    /// Its size in bytes.
    pub bytes: usize,
    /// The digest of its content.
    pub digest: Digest,
    /// Whether the pipeline changed it. Unchanged content is not stored.
    pub is_changed: bool,
}

/// The file of a result's content: number `index` of a pipeline's outputs.
pub fn output_path(outputs: &Path, pipeline: Digest, index: usize) -> PathBuf {
    outputs.join(pipeline.to_string()).join(format!("{index}.bin"))
}

/// The folder of what the pipelines of a driver wrote.
pub fn outputs(out: &Path, driver: &str) -> PathBuf {
    out.join("outputs").join(driver)
}
