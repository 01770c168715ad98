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
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Inputs {
    /// The seed of all numbers.
    pub seed: u64,
    /// Whether some numbers are edge values.
    pub edges: bool,
    /// The rounds, each of which has other inputs.
    #[serde(default)]
    pub rounds: Rounds,
}

/// The rounds of a run: `count` of them, from `first` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rounds {
    /// The first one.
    pub first: u32,
    /// How many.
    pub count: u32,
}

impl Default for Rounds {
    fn default() -> Self {
        Self { first: 0, count: 1 }
    }
}

/// A run of a pipeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Execution {
    /// What the pipeline may write.
    pub outputs: Vec<Output>,
    /// Whether repeated runs with the same inputs gave equal results, in all rounds.
    pub is_stable: bool,
    /// The rounds that ran.
    #[serde(default)]
    pub rounds: Rounds,
    /// What of the code ran, where that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// What the results may depend on besides the inputs.
    pub depends: Vec<String>,
    /// The digest of the inputs: of each resource's place, its format and its content.
    pub inputs: Digest,
    /// The time on the device by its timestamps, in nanoseconds: that of the shortest run of each
    /// round, added up; `None` if the device has no timestamps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_ns: Option<u64>,
}

/// The folder with the results of `--coverage`, in that of the results of `exec`.
pub const COVERAGE: &str = "coverage";

/// What of a pipeline's code ran in all rounds together, in any thread.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Coverage {
    /// The blocks of the modules, and those that ran.
    pub blocks: [usize; 2],
    /// The stores to buffers, images and outputs, and those that happened.
    pub stores: [usize; 2],
}

impl Coverage {
    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: [usize; 2], b: [usize; 2]| [a[0] + b[0], a[1] + b[1]];
        Self { blocks: sum(self.blocks, other.blocks), stores: sum(self.stores, other.stores) }
    }
}

/// A resource after the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Output {
    /// Its place.
    pub name: String,
    /// Its elements.
    pub element: Element,
    /// The elements of a texel; 1 for what is no image. Devices may have formats with different
    /// numbers of components for one shader.
    pub components: usize,
    /// Its size in bytes.
    pub bytes: usize,
    /// The digest of its content.
    pub digest: Digest,
    /// Whether the pipeline changed it. Unchanged content is not stored.
    pub is_changed: bool,
    /// The round after which it has this content.
    #[serde(default)]
    pub round: u32,
    /// Whether repeated runs of the round gave equal results, here and in all other resources.
    #[serde(default = "yes")]
    pub is_stable: bool,
    /// Whether edges of triangles may go through it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_edges: bool,
}

fn yes() -> bool {
    true
}

/// The file of a result's content: number `index` of a pipeline's outputs.
pub fn output_path(outputs: &Path, pipeline: Digest, index: usize) -> PathBuf {
    outputs.join(pipeline.to_string()).join(format!("{index}.bin"))
}

/// The folder of what the pipelines of a driver wrote.
pub fn outputs(out: &Path, driver: &str) -> PathBuf {
    out.join("outputs").join(driver)
}
