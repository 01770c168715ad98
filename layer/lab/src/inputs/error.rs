//! Why a file is of no use.

use std::path::PathBuf;

use thiserror::Error;

use crate::archive::ArchiveError;
use crate::files::FileError;

/// Why a file is of no use.
#[derive(Debug, Error)]
pub enum InputError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file has more bytes than are read.
    #[error("{}: the file has more than {} MiB", path.display(), most >> 20)]
    Large {
        /// The file.
        path: PathBuf,
        /// The most bytes.
        most: u64,
    },
    /// A module or a root signature that the translator does not read.
    #[error(transparent)]
    Translator(#[from] dxil_translator::Error),
    /// The file is SPIR-V that carries no container.
    #[error(
        "this is SPIR-V without DXIL, as a translation is; the container that it is of is needed, which the layer's \
         setting `capture_dir` keeps"
    )]
    Spirv,
    /// The database cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A program that reads the file is not installed.
    #[error("{what} are read by the program {program}, which is not in PATH (Debian: package {package})")]
    NoTool {
        /// The kind of file.
        what: &'static str,
        /// The program.
        program: &'static str,
        /// Debian's package.
        package: &'static str,
    },
    /// A program that reads the file failed.
    #[error("{program}: {said}")]
    Tool {
        /// The program.
        program: &'static str,
        /// What it said, or how it ended.
        said: String,
    },
    /// The SQLite database is no state object database, or of another version.
    #[error(
        "this is no state object database of version 2: its application_id is {application:#x} and its user_version \
         {version}; expected 0xd3d50db and 2 (DirectX-Specs, StateObjectDatabase, \"SQL Database Schema\")"
    )]
    Sodb {
        /// `PRAGMA application_id`.
        application: u32,
        /// `PRAGMA user_version`.
        version: u32,
    },
    /// The file has no DXIL.
    #[error("none of the {found} shader modules has DXIL: {how}")]
    NoDxil {
        /// The number of modules.
        found: usize,
        /// How to get it.
        how: &'static str,
    },
}
