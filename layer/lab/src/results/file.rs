//! The results of a run: lines of JSON in a file that only grows.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use dxil_capture::Digest;
use serde::Serialize;
use thiserror::Error;

use super::begun::Begun;
use super::header::{FirstLine, Header};
use super::row::Row;
use crate::files::{At as _, FileError};

/// Why results cannot be added to a file.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder to merge has no file of results.
    #[error(
        "{} has no file of results, whose name ends with .jsonl; give the folder that `run --out` or `exec` wrote",
        .0.display()
    )]
    NoResults(PathBuf),
    /// A file to merge has results that do not belong to those before.
    #[error(
        "{} has results of another build or of other options than those before it ({}); only shards of one run can be \
         merged",
        path.display(),
        differences.join("; ")
    )]
    OtherShard {
        /// The file.
        path: PathBuf,
        /// What its first line differs in.
        differences: Vec<String>,
    },
    /// The file has the results of another driver, device or run.
    #[error(
        "{} has results of another build or of other options ({}); give another folder with --out, or --restart",
        path.display(),
        differences.join("; ")
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What its first line differs in.
        differences: Vec<String>,
    },
}

/// A file of results.
pub struct Results {
    path: PathBuf,
    file: File,
    /// The first line, once there is one.
    pub header: Option<Header>,
    /// The rows, by pipeline.
    pub rows: BTreeMap<Digest, Row>,
    /// How many of the rows are from an earlier command.
    pub cached: usize,
}

impl Results {
    /// The file of a driver's results in a folder.
    pub fn path(folder: &Path, driver: &str) -> PathBuf {
        folder.join(format!("{driver}.jsonl"))
    }

    /// Opens or creates a file, and continues behind its last whole line.
    ///
    /// # Errors
    /// The system's, or a line that is none of these, with its number.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).at(path)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.at(path)?;
        let read = ReadResults::from_file(&file, path)?;
        file.set_len(read.whole).at(path)?;
        file.seek(SeekFrom::End(0)).at(path)?;
        Ok(Self { path: path.to_owned(), file, header: read.header, cached: read.rows.len(), rows: read.rows })
    }

    /// Reads a file without changing it.
    ///
    /// # Errors
    /// As those of [`open`](Self::open).
    pub fn read(path: &Path) -> Result<ReadResults, FileError> {
        let file = File::open(path).at(path)?;
        ReadResults::from_file(&file, path)
    }

    /// Writes the first line, or checks that the existing one is equal.
    ///
    /// # Errors
    /// The system's, or that the file is of another driver.
    pub fn begin(&mut self, header: Header, begun: Begun) -> Result<(), ResultsError> {
        match &self.header {
            Some(found) if *found == header => Ok(()),
            Some(found) => {
                Err(ResultsError::Other { path: self.path.clone(), differences: found.differences(&header) })
            }
            None => {
                let first = FirstLine { header, begun };
                self.line(&first)?;
                self.header = Some(first.header);
                Ok(())
            }
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, row: Row) -> Result<(), FileError> {
        self.line(&row)?;
        self.rows.insert(row.pipeline, row);
        Ok(())
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), FileError> {
        let text = serde_json::to_string(value).at(&self.path)? + "\n";
        // One call, so that only the last line of the file can be incomplete.
        self.file.write_all(text.as_bytes()).at(&self.path)
    }
}

/// What a file of results has.
pub struct ReadResults {
    /// The first line, if there is one.
    pub header: Option<Header>,
    /// The command that began the file.
    pub begun: Begun,
    /// The rows, by pipeline.
    pub rows: BTreeMap<Digest, Row>,
    /// Whether the last line is incomplete; it was left out.
    pub is_cut: bool,
    /// The bytes of whole lines.
    whole: u64,
}

impl ReadResults {
    fn from_file(file: &File, path: &Path) -> Result<Self, FileError> {
        let mut reader = BufReader::new(file);
        let (header, begun, rows) = (None, Begun::default(), BTreeMap::new());
        let mut read = Self { header, begun, rows, is_cut: false, whole: 0 };
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let bytes = reader.read_line(&mut line).at(path)?;
            // Text behind the last line end is an incomplete line.
            if bytes == 0 || !line.ends_with('\n') {
                read.is_cut = bytes != 0;
                break;
            }
            let wrong = |source| FileError::Line { path: path.to_owned(), line: number, source };
            if number == 1 {
                let first: FirstLine = serde_json::from_str(&line).map_err(wrong)?;
                (read.header, read.begun) = (Some(first.header), first.begun);
            } else {
                let row: Row = serde_json::from_str(&line).map_err(wrong)?;
                read.rows.insert(row.pipeline, row);
            }
            read.whole += bytes as u64;
        }
        Ok(read)
    }
}
