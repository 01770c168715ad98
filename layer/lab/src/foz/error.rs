//! Why there is no database.

use std::path::PathBuf;

use dxil_capture::digest::NotADigest;
use thiserror::Error;

use crate::archive::ArchiveError;
use crate::files::FileError;
use crate::run::WorkerError;

/// Why there is no database.
#[derive(Debug, Error)]
pub enum FozError {
    /// The capture cannot be read.
    #[error(transparent)]
    Capture(#[from] dxil_capture::Fault),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The database cannot be read or written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A worker gives no answer.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// A worker's answer is not the JSON that it should be.
    #[error("a worker's answer: {0}")]
    Answer(String),
    /// The work was stopped before this file was whole.
    #[error("stopped; {} is not whole", .0.display())]
    Stopped(PathBuf),
    /// The input or the output of a worker is closed.
    #[error(transparent)]
    Stream(#[from] std::io::Error),
    /// An answer cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A line of a worker's input is no name of a pipeline.
    #[error(transparent)]
    Digest(#[from] NotADigest),
}
