//! Why there is no database.

use std::path::PathBuf;

use dxil_capture::digest::NotADigest;
use thiserror::Error;

use crate::files::FileError;
use crate::run::WorkerError;

/// Why an archive cannot be read or written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The system's error.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is something else.
    #[error("{}: this is no Fossilize database of version 6", .0.display())]
    NoArchive(PathBuf),
    /// An entry is malformed.
    #[error("{}: the entry at byte {at} {fault}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// Where the entry begins.
        at: u64,
        /// What is wrong with it.
        fault: EntryFault,
    },
    /// A payload has 4 GiB or more.
    #[error("{}: {source}", path.display())]
    Large {
        /// The file.
        path: PathBuf,
        /// That the size has no 32 bits.
        source: std::num::TryFromIntError,
    },
}

/// What is wrong with an entry.
#[derive(Debug, Error)]
pub enum EntryFault {
    /// It has more bytes than are read.
    #[error("has more than {0} bytes")]
    Large(u32),
    /// Its content is not that of its checksum.
    #[error("does not have its checksum")]
    Checksum,
    /// Its content cannot be decompressed.
    #[error("is not in zlib's form: {0}")]
    Zlib(miniz_oxide::inflate::DecompressError),
    /// Its form of compression is unknown.
    #[error("has the form {0}, and 1 and 2 are known")]
    Form(u32),
    /// It has another size than it says.
    #[error("has {found} bytes instead of {expected}")]
    Size {
        /// The bytes that there are.
        found: usize,
        /// The bytes that it says it has.
        expected: u32,
    },
}

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
