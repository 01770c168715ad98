//! Why a pipeline is not reduced.

use std::path::PathBuf;

use dxil_capture::folder::NotWritten;
use thiserror::Error;

use crate::driver::DriverError;
use crate::exec::compare::Verdict;
use crate::files::FileError;
use crate::results::Outcome;
use crate::run::{EmittedError, WorkerError};

/// Why a pipeline is not reduced.
#[derive(Debug, Error)]
pub enum ReduceError {
    /// A driver is not there.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The capture cannot be read.
    #[error(transparent)]
    Capture(#[from] dxil_capture::Fault),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A capture of the bundle cannot be written.
    #[error(transparent)]
    NotWritten(#[from] NotWritten),
    /// A worker gives no answer.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// A report cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A module cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The pipeline has no fault.
    #[error(transparent)]
    NoFault(#[from] NoFault),
    /// The folder of the bundle is not empty.
    #[error("{} is there already; give another folder with --out", .0.display())]
    Exists(PathBuf),
    /// Several pipelines have a name that begins so.
    #[error("the names of several pipelines begin with `{0}`; give more of the name")]
    SeveralPipelines(String),
    /// No pipeline has a name that begins so.
    #[error("the capture has no pipeline whose name begins with `{0}`")]
    NoPipeline(String),
    /// The driver's process gave no header.
    #[error("the driver's process said nothing of its device")]
    NoHeader,
    /// The SPIR-V that the driver gets is not known.
    #[error("{source}; without the driver, the pipeline was {}", outcome.name())]
    Emitted {
        /// Why.
        source: EmittedError,
        /// What became of the pipeline.
        outcome: Outcome,
    },
    /// The driver gets fewer stages than the record has.
    #[error("the driver gets fewer stages than the pipeline has")]
    FewerStages,
    /// The driver gets another stage than the record has.
    #[error("the driver gets a stage {found:#x} where the pipeline has {expected:#x}")]
    OtherStage {
        /// The stage that the driver gets.
        found: u32,
        /// The stage of the record.
        expected: u32,
    },
    /// The fault does not show without the layer.
    #[error(
        "the fault ({}: {detail}) does not show when the driver gets the same SPIR-V without the layer's work on the \
         pipeline; the bundle has the pipeline and its SPIR-V",
        outcome.name()
    )]
    Hidden {
        /// The outcome that is the fault.
        outcome: Outcome,
        /// Its detail.
        detail: String,
    },
    /// The two drivers gave nothing to compare.
    #[error("the drivers gave no result")]
    NoResult,
}

/// Why there is nothing to reduce.
#[derive(Debug, Error)]
pub enum NoFault {
    /// The driver made the pipeline, and there were no messages.
    #[error(
        "the driver made the pipeline {pipeline}, and the validation layer said nothing: there is no fault to keep"
    )]
    Made {
        /// The pipeline.
        pipeline: String,
    },
    /// The pipeline did not reach the driver.
    #[error(
        "the pipeline {pipeline} did not reach the driver ({}: {detail}), so there is no SPIR-V to make smaller",
        outcome.name()
    )]
    NotReached {
        /// The pipeline.
        pipeline: String,
        /// What became of it.
        outcome: Outcome,
        /// Why.
        detail: String,
    },
    /// The results of two drivers do not differ.
    #[error(
        "the results of the pipeline {pipeline} are {}{}: there is no difference to keep",
        verdict.name(),
        if detail.is_empty() { String::new() } else { format!(" ({detail})") }
    )]
    Alike {
        /// The pipeline.
        pipeline: String,
        /// How the results compare.
        verdict: Verdict,
        /// Why there is nothing to compare, or nothing.
        detail: String,
    },
}

/// Why a module cannot be read.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// An instruction is not one of SPIR-V's.
    #[error("the SPIR-V cannot be read: {0}")]
    Instruction(rspirv::binary::ParseState),
    /// There is no header.
    #[error("the SPIR-V has no header")]
    NoHeader,
}
