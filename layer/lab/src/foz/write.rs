//! The subcommand: worker processes that make pipelines, and their supervisor.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use dxil_capture::{Capture, Digest};
use dxil_vulkan::{Sender, Severity};
use serde::{Deserialize, Serialize};

use super::error::FozError;
use super::recorder::{Recorder, Written};
use crate::archive::{Archive, ArchiveError, Tag};
use crate::driver::Driver;
use crate::files::At as _;
use crate::named::named;
use crate::results::{Build, Header, How};
use crate::run::{Answer, Death, Job, Worker, WorkerError, WorkerLimits, output};
use crate::vulkan::{self, Lab, MakeError, Setup};

/// What one pipeline may take: it is translated, and no driver compiles it.
const LIMITS: WorkerLimits = WorkerLimits { time: Duration::from_secs(60), memory_mib: 16384 };

named! {
    /// What became of a pipeline.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Fate {
        /// It is in the database.
        Written => "written",
        /// The layer refused it; mostly a feature that the driver lacks.
        Refused => "refused by the layer",
        /// The capture lacks something that the pipeline needs.
        Incomplete => "incomplete in the capture",
        /// It is beyond the device: its limits, or an extension that it lacks.
        Beyond => "beyond the device",
        /// Fossilize has no form for it.
        Unsupported => "left out",
        /// The process ended, or did not answer in time.
        Crashed => "crashed",
    }
}

/// The answer for a pipeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FozRow {
    /// The pipeline.
    pub pipeline: Digest,
    /// What became of it.
    pub fate: Fate,
    /// Why it is not in the database.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FozReport {
    /// The pipelines, by name.
    pub rows: Vec<FozRow>,
    /// How many entries the database has, by kind.
    pub entries: BTreeMap<&'static str, usize>,
}

/// Writes a database of a capture's pipelines. It appears under its name when it is whole.
///
/// # Errors
/// A capture or a driver that cannot be used, a file that cannot be written, or that `stop` was
/// set.
pub fn write(capture: &Path, driver: &Driver, out: &Path, stop: &AtomicBool) -> Result<FozReport, FozError> {
    let mut part = out.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    match std::fs::remove_file(part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).at(out)?,
        _ => {}
    }
    let (mut items, mut rows) = (Vec::new(), Vec::new());
    for (digest, record) in Capture::open(capture)?.records() {
        match record {
            Ok(record) => items.push((record.device, digest)),
            Err(fault) => rows.push(FozRow { pipeline: digest, fate: Fate::Incomplete, detail: fault.to_string() }),
        }
    }
    // Pipelines of one device have one process, and the file is the same on every run.
    items.sort();
    let mut worker: Option<Worker> = None;
    for (device, pipeline) in items {
        if stop.load(Relaxed) {
            return Err(FozError::Stopped(part.to_owned()));
        }
        let mut ready = match worker.take().filter(|worker| worker.job.device == device) {
            Some(worker) => worker,
            None => {
                let record = Some(part.to_owned());
                let job = Job { driver: driver.name.clone(), device, record, ..Job::default() };
                match Worker::start(driver, capture, job, LIMITS, Some(stop)) {
                    Err(WorkerError::Stopped) => return Err(FozError::Stopped(part.to_owned())),
                    started => started?.0,
                }
            }
        };
        rows.push(match ready.make(pipeline, LIMITS.time, Some(stop)) {
            Answer::Line(line) => {
                worker = Some(ready);
                match serde_json::from_str(&line) {
                    Ok(row) => row,
                    Err(_) => return Err(FozError::Answer(line)),
                }
            }
            Answer::Stopped => return Err(FozError::Stopped(part.to_owned())),
            Answer::Ended(Death { how: detail, .. }) => FozRow { pipeline, fate: Fate::Crashed, detail },
            Answer::TimedOut => {
                let detail = format!("no answer within {} s", LIMITS.time.as_secs());
                FozRow { pipeline, fate: Fate::Crashed, detail }
            }
        });
    }
    drop(worker);
    let archive = Archive::open(part)?;
    let mut entries = BTreeMap::new();
    for (tag, _) in archive.names() {
        *entries.entry(tag.name()).or_default() += 1;
    }
    drop(archive);
    std::fs::rename(part, out).at(out)?;
    rows.sort_by_key(|row| row.pipeline);
    Ok(FozReport { rows, entries })
}

/// Works until its input ends. The first line of the output is a header, or `{"error": …}`.
///
/// # Errors
/// The capture cannot be read, the file cannot be written, or the output is closed.
pub fn work(capture: &Path, job: &Job, file: &Path) -> Result<(), FozError> {
    let (input, mut output) = (io::stdin().lock(), output()?);
    let mut say = |value: Result<serde_json::Value, serde_json::Error>| -> Result<(), FozError> {
        writeln!(output, "{}", value?)?;
        Ok(output.flush()?)
    };
    let capture = Capture::open(capture)?;
    let captured = job.device.map(|device| capture.device(device)).transpose()?;
    let opened = Recorder::open(file).map_err(|error| error.to_string()).and_then(|recorder| {
        vulkan::observe(Box::new(recorder.clone()));
        let lab = Lab::open(&Setup { captured, physical: job.physical.clone(), ..Setup::default() })
            .map_err(|error| error.to_string())?;
        Ok((recorder, lab))
    });
    let (recorder, lab) = match opened {
        Ok(opened) => opened,
        Err(error) => return say(Ok(serde_json::json!({ "error": error }))),
    };
    let instance = &lab.gpu.instance;
    say(serde_json::to_value(Header {
        format: Header::FORMAT,
        driver: job.driver.clone(),
        device: instance.device_name(),
        driver_version: instance.properties.driver_version,
        api_version: instance.properties.api_version,
        validation: false,
        inputs: None,
        build: Build::default(),
        how: How::default(),
    }))?;
    for line in input.lines() {
        let pipeline: Digest = line?.parse()?;
        say(serde_json::to_value(one(&lab, &capture, &recorder, pipeline)?))?;
    }
    Ok(())
}

/// Creates one pipeline with the layer, and returns whether it was written.
fn one(lab: &Lab, capture: &Capture, recorder: &Recorder, pipeline: Digest) -> Result<FozRow, ArchiveError> {
    // Earlier results belong to the device or to a refused pipeline.
    recorder.written()?;
    lab.messages();
    let record = match capture.record(pipeline) {
        Ok(record) => record,
        Err(fault) => return Ok(FozRow { pipeline, fate: Fate::Incomplete, detail: fault.to_string() }),
    };
    let made = vulkan::make(lab, capture, &record);
    let written = recorder.written()?;
    let trace = vulkan::take_trace();
    let (fate, detail) = match (&made, trace.failed, written) {
        (Err(MakeError::Capture(why)), _, _) => (Fate::Incomplete, why.to_string()),
        (Err(MakeError::Device(why)), _, _) => (Fate::Beyond, why.to_string()),
        (_, Some((command, result)), _) => (Fate::Beyond, format!("the driver: {command}: {result:?}")),
        (Err(error), None, _) => {
            // The layer's first message has the reason.
            let messages = lab.messages();
            let why = messages
                .into_iter()
                .find(|message| message.sender == Sender::Other && message.severity == Severity::Error);
            (Fate::Refused, why.map_or_else(|| error.to_string(), |message| message.text))
        }
        (Ok(_), None, Written::LeftOut(why)) => (Fate::Unsupported, why),
        (Ok(made), None, Written::All) if !made.lost.is_empty() => {
            let types: Vec<String> = made.lost.iter().map(i32::to_string).collect();
            let text = format!("the capture lacks structures of the VkStructureTypes {}", types.join(", "));
            (Fate::Written, text)
        }
        (Ok(_), None, Written::All) => (Fate::Written, String::new()),
    };
    drop(made);
    Ok(FozRow { pipeline, fate, detail })
}

/// How many pipelines have each fate.
impl FozReport {
    /// The number of pipelines with each fate.
    pub fn fates(&self) -> BTreeMap<Fate, usize> {
        let mut fates = BTreeMap::new();
        for row in &self.rows {
            *fates.entry(row.fate).or_default() += 1;
        }
        fates
    }

    /// Pipelines that are in the database, by kind.
    pub fn pipelines(&self) -> usize {
        [Tag::Graphics, Tag::Compute, Tag::Rays].iter().filter_map(|tag| self.entries.get(tag.name())).sum()
    }
}
