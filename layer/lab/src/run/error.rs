//! Why a run does not go on.

use std::io;

use dxil_capture::digest::NotADigest;
use dxil_capture::folder::NotWritten;
use thiserror::Error;

use crate::files::FileError;
use crate::results::ResultsError;

/// Why a worker gives no answer.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// A path of the job is not UTF-8.
    #[error("a worker cannot be given its job: {0}")]
    Job(serde_json::Error),
    /// The system does not know the path of the lab's own program.
    #[error("the lab's own program: {0}")]
    Program(io::Error),
    /// The process cannot be started.
    #[error("a worker process: {0}")]
    Spawn(io::Error),
    /// The worker has no device on this driver, as it says.
    #[error("{driver}: {reason}{said}")]
    NoDevice {
        /// The driver's name.
        driver: String,
        /// The worker's reason.
        reason: String,
        /// What it wrote to its error output.
        said: String,
    },
    /// The worker ended before it had a device.
    #[error(
        "{driver}: no device; the process ended ({end}). It may have {memory_mib} MiB of address space, and --memory \
         gives it more{said}"
    )]
    Ended {
        /// The driver's name.
        driver: String,
        /// How the process ended.
        end: String,
        /// The address space that it may have.
        memory_mib: u64,
        /// What it wrote to its error output.
        said: String,
    },
    /// The command was stopped.
    #[error("stopped")]
    Stopped,
    /// The worker had no device in time.
    #[error("{driver}: no device within {seconds} s")]
    TimedOut {
        /// The driver's name.
        driver: String,
        /// The time.
        seconds: u64,
    },
    /// The answer is not the JSON that it should be.
    #[error("a worker's answer `{line}`: {source}")]
    Answer {
        /// The answer.
        line: String,
        /// What was found and expected.
        source: serde_json::Error,
    },
}

/// Why a run does not go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The capture cannot be read.
    #[error(transparent)]
    Capture(#[from] dxil_capture::Fault),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The results cannot be added to their file.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A worker gives no answer.
    #[error(transparent)]
    Worker(#[from] WorkerError),
}

/// Why a worker ends before its input does.
#[derive(Debug, Error)]
pub enum WorkError {
    /// The capture cannot be read.
    #[error(transparent)]
    Capture(#[from] dxil_capture::Fault),
    /// The input or the output is closed.
    #[error(transparent)]
    Stream(#[from] io::Error),
    /// An answer cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A line of the input is no name of a pipeline.
    #[error(transparent)]
    Digest(#[from] NotADigest),
    /// The SPIR-V that the driver gets cannot be written.
    #[error(transparent)]
    Emitted(#[from] EmittedError),
}

/// Why the SPIR-V that the driver gets cannot be passed on.
#[derive(Debug, Error)]
pub enum EmittedError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A module cannot be written.
    #[error(transparent)]
    NotWritten(#[from] NotWritten),
    /// The stages cannot be written as JSON, or read from it.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A stage has no code.
    #[error("the driver gets a stage whose code does not pass the lab")]
    NoCode,
}
