//! The results of a run: lines of JSON in a file that only grows.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use dxil_capture::Digest;
use serde::{Deserialize, Serialize};

use crate::exec::{Execution, Inputs};

/// What became of a pipeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The driver made it.
    Created,
    /// The driver made it and ran it.
    Executed,
    /// The driver made it, and the lab did not run it.
    NotExecuted,
    /// The layer refused it before the driver saw it.
    Refused,
    /// The capture lacks something that the pipeline needs.
    Incomplete,
    /// The pipeline is beyond the device: its limits, or an extension that it lacks.
    Beyond,
    /// The driver returned an error.
    Rejected,
    /// The driver said that it made the pipeline and gave none.
    Corrupt,
    /// The driver lost the device.
    Lost,
    /// The driver ended the process.
    Crashed,
    /// The driver did not come back in time.
    TimedOut,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 11] = [
        Self::Created,
        Self::Executed,
        Self::NotExecuted,
        Self::Refused,
        Self::Incomplete,
        Self::Beyond,
        Self::Rejected,
        Self::Corrupt,
        Self::Lost,
        Self::Crashed,
        Self::TimedOut,
    ];

    /// What people read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Executed => "run",
            Self::NotExecuted => "created and not run",
            Self::Refused => "refused by the layer",
            Self::Incomplete => "incomplete in the capture",
            Self::Beyond => "beyond the device",
            Self::Rejected => "rejected by the driver",
            Self::Corrupt => "corrupt",
            Self::Lost => "lost the device",
            Self::Crashed => "crashed",
            Self::TimedOut => "timed out",
        }
    }

    /// Whether the driver did what it must not.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Rejected | Self::Corrupt | Self::Lost | Self::Crashed | Self::TimedOut)
    }
}

/// The first line of a file of results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the form.
    pub format: u32,
    /// The name of the driver.
    pub driver: String,
    /// `VkPhysicalDeviceProperties::deviceName`.
    pub device: String,
    /// `driverVersion`.
    pub driver_version: u32,
    /// `apiVersion`.
    pub api_version: u32,
    /// Whether the validation layer was above the driver.
    pub validation: bool,
    /// The inputs that the pipelines ran with, if they ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Inputs>,
}

impl Header {
    /// The version of the form.
    pub const FORMAT: u32 = 1;
}

/// A fact of VK_KHR_pipeline_executable_properties.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Statistic {
    /// The executable.
    pub executable: String,
    /// What is counted.
    pub name: String,
    /// The number, as the driver's type prints.
    pub value: String,
}

/// The line of a pipeline. All but times and memory are the same on every run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The pipeline.
    pub pipeline: Digest,
    /// What became of it.
    pub outcome: Outcome,
    /// The error, the signal, or nothing.
    pub detail: String,
    /// What the validation layer said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<String>,
    /// The `sType`s of structures that the pipeline was made without, because the capture lacks them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<i32>,
    /// The SPIR-V that the driver got, and its size in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<(Digest, usize)>,
    /// What the driver says of the machine code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<Statistic>,
    /// What the pipeline did when it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// The time outside the driver, most of it translation, in microseconds.
    pub layer_us: u64,
    /// The driver's time, with that of the validation layer, in microseconds.
    pub driver_us: u64,
    /// The largest memory of the process while it made the pipeline, in KiB; 0 where the system does not
    /// tell.
    pub memory_kib: u64,
}

impl Row {
    /// A row with an outcome and nothing else.
    pub fn new(pipeline: Digest, outcome: Outcome, detail: String) -> Self {
        Self {
            pipeline,
            outcome,
            detail,
            validation: Vec::new(),
            lost: Vec::new(),
            modules: Vec::new(),
            statistics: Vec::new(),
            execution: None,
            layer_us: 0,
            driver_us: 0,
            memory_kib: 0,
        }
    }
}

/// A file of results.
pub struct Results {
    path: PathBuf,
    file: File,
    /// The first line, once there is one.
    pub header: Option<Header>,
    /// The rows, by pipeline.
    pub rows: BTreeMap<Digest, Row>,
}

impl Results {
    /// The file of a driver's results in a folder.
    pub fn path(folder: &Path, driver: &str) -> PathBuf {
        folder.join(format!("{driver}.jsonl"))
    }

    /// Opens a file to go on behind its last whole line, or makes it.
    ///
    /// # Errors
    /// The system's, or a line that is none of these, with its number.
    pub fn open(path: &Path) -> Result<Self, String> {
        let fail = |error: io::Error| format!("{}: {error}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(fail)?;
        let read = ReadResults::of(&file, path)?;
        file.set_len(read.whole).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        Ok(Self { path: path.to_owned(), file, header: read.header, rows: read.rows })
    }

    /// Reads a file without changing it.
    ///
    /// # Errors
    /// As those of [`open`](Self::open).
    pub fn read(path: &Path) -> Result<ReadResults, String> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        ReadResults::of(&file, path)
    }

    /// Writes the first line, or holds it to the one that is there.
    ///
    /// # Errors
    /// The system's, or that the file is of another driver.
    pub fn begin(&mut self, header: Header) -> Result<(), String> {
        match &self.header {
            Some(found) if *found == header => Ok(()),
            Some(found) => Err(format!(
                "{} has results of {} ({}, version {:#x}, validation {}); give another folder with --out, or --restart",
                self.path.display(),
                found.driver,
                found.device,
                found.driver_version,
                if found.validation { "on" } else { "off" }
            )),
            None => {
                self.line(&header)?;
                self.header = Some(header);
                Ok(())
            }
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, row: Row) -> Result<(), String> {
        self.line(&row)?;
        self.rows.insert(row.pipeline, row);
        Ok(())
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string(value).map_err(|error| error.to_string())? + "\n";
        // One call, so that a line is there whole or cut short at the end of the file.
        self.file.write_all(text.as_bytes()).map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// What a file of results has.
pub struct ReadResults {
    /// The first line, if there is one.
    pub header: Option<Header>,
    /// The rows, by pipeline.
    pub rows: BTreeMap<Digest, Row>,
    /// Whether the file ends within a line, which was left out.
    pub is_cut: bool,
    /// The bytes of whole lines.
    whole: u64,
}

impl ReadResults {
    fn of(file: &File, path: &Path) -> Result<Self, String> {
        let mut reader = BufReader::new(file);
        let mut read = Self { header: None, rows: BTreeMap::new(), is_cut: false, whole: 0 };
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let bytes = reader.read_line(&mut line).map_err(|error| format!("{}: {error}", path.display()))?;
            // What follows the last line end was cut short.
            if bytes == 0 || !line.ends_with('\n') {
                read.is_cut = bytes != 0;
                break;
            }
            let wrong = |error: serde_json::Error| format!("{}, line {number}: {error}", path.display());
            if number == 1 {
                read.header = Some(serde_json::from_str(&line).map_err(wrong)?);
            } else {
                let row: Row = serde_json::from_str(&line).map_err(wrong)?;
                read.rows.insert(row.pipeline, row);
            }
            read.whole += bytes as u64;
        }
        Ok(read)
    }
}

/// Counts of results.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    /// Pipelines by outcome.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// Pipelines of which the validation layer said something.
    pub validation: usize,
    /// The driver's time over all pipelines, in microseconds.
    pub driver_us: u64,
    /// The time outside the driver, in microseconds.
    pub layer_us: u64,
}

impl Summary {
    /// The counts of these rows.
    pub fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut summary = Self::default();
        for row in rows {
            *summary.outcomes.entry(row.outcome).or_default() += 1;
            summary.validation += usize::from(!row.validation.is_empty());
            summary.driver_us += row.driver_us;
            summary.layer_us += row.layer_us;
        }
        summary
    }

    /// Whether the driver, or the validation layer, had something to say against a pipeline.
    pub fn has_faults(&self) -> bool {
        self.validation > 0 || self.outcomes.keys().any(|outcome| outcome.is_fault())
    }
}
