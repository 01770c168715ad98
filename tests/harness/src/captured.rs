//! Checks what the layer captured of a fixture.
//!
//! In: the folder that the layer's setting `capture_dir` named, what the fixture's process says
//! that it made pipelines of, and the folder of dumps. Out: how many records there are. What must
//! hold: the records with DXIL are those of the pipelines that were made, no more and no fewer, but
//! for equal ones; each has its code, and the requests of its stages are those that were dumped,
//! whose words are compared elsewhere ([`crate::dump`]).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use dxil_capture::model::{Code, Command as Made, Pipeline};
use dxil_capture::{Capture, Digest};

use crate::error::{Error, Result};

/// What was captured of a fixture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Captured {
    /// Records of pipelines.
    pub records: usize,
    /// Requests of their stages.
    pub requests: usize,
    /// Requests that the tool repeated.
    pub by_tool: usize,
}

impl Captured {
    /// Adds the counts of another fixture.
    pub fn add(&mut self, other: Self) {
        self.records += other.records;
        self.requests += other.requests;
        self.by_tool += other.by_tool;
    }
}

/// Checks the capture of one fixture. `said` is what its process wrote; the tool, if there is one,
/// repeats each request from the files of the capture.
///
/// # Errors
/// What does not hold.
pub fn check(folder: &Path, said: &str, dump: &Path, tool: Option<&Path>) -> Result<Captured> {
    let lines: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("made: ")).map(str::trim).collect();
    if lines.is_empty() {
        // The fixture has no pipeline, for example because the device cannot run it.
        return if folder.exists() {
            Err(wrong(folder, "a capture without a pipeline"))
        } else {
            Ok(Captured::default())
        };
    }
    let capture = Capture::open(folder).map_err(fault)?;
    let (mut found, mut requests) = (BTreeSet::new(), BTreeSet::new());
    for (_, record) in capture.records() {
        let record = record.map_err(fault)?;
        found.insert(name_of(&record.pipeline));
        capture.device(record.device.ok_or_else(|| wrong(folder, "a record without its device"))?).map_err(fault)?;
        for (stage, request) in record.pipeline.stages.iter().zip(&record.requests) {
            match stage.code {
                Code::Dxil(code) => _ = capture.dxil(code).map_err(fault)?,
                Code::Spirv(code) => _ = capture.spirv(code).map_err(fault)?,
                Code::Missing => return Err(wrong(folder, "a stage whose code is missing")),
            }
            if let (Code::Dxil(code), Some(request)) = (stage.code, request) {
                requests.insert((code, *request));
            }
        }
    }
    let made: BTreeSet<String> = lines.iter().map(|&line| line.to_owned()).collect();
    if found != made {
        let (missing, other): (Vec<_>, Vec<_>) = (made.difference(&found).collect(), found.difference(&made).collect());
        return Err(wrong(folder, &format!("not captured: {missing:?}; captured and not made: {other:?}")));
    }
    if capture.len() > lines.len() {
        return Err(wrong(folder, &format!("{} records of {} pipelines", capture.len(), lines.len())));
    }
    for (code, request) in &requests {
        same_as_dump(&capture, (*code, *request), dump, tool.map(|tool| (tool, folder)))?;
    }
    let by_tool = if tool.is_some() { requests.len() } else { 0 };
    Ok(Captured { records: capture.len(), requests: requests.len(), by_tool })
}

fn fault(fault: dxil_capture::Fault) -> Error {
    Error::Wrong(fault.to_string())
}

fn wrong(folder: &Path, what: &str) -> Error {
    Error::Wrong(format!("{}: {what}", folder.display()))
}

/// A pipeline as the process that made it calls it.
fn name_of(pipeline: &Pipeline) -> String {
    let command = match pipeline.command {
        Made::Compute => "compute",
        Made::Graphics => "graphics",
        Made::RayTracing => "ray-tracing",
        Made::ShaderObjects => "shader-objects",
    };
    let stage = |stage: &dxil_capture::model::Stage| match stage.code {
        Code::Dxil(code) | Code::Spirv(code) => format!("{}:{code}:{}", stage.stage, stage.entry),
        Code::Missing => format!("{}:missing:{}", stage.stage, stage.entry),
    };
    let stages: Vec<String> = pipeline.stages.iter().map(stage).collect();
    format!("{command} {}", stages.join(" ")).trim_end().to_owned()
}

/// Compares a request with the one that was dumped, and the words that the tool makes of it with
/// those that were dumped.
fn same_as_dump(
    capture: &Capture,
    (code, request): (Digest, Digest),
    dump: &Path,
    tool: Option<(&Path, &Path)>,
) -> Result<()> {
    let text = capture.request(request).map_err(fault)?;
    let dumped = dump.join(format!("{}-{}.request", code.short(), &request.to_string()[..8]));
    let there = fs::read_to_string(&dumped).map_err(|e| Error::Wrong(format!("{}: {e}", dumped.display())))?;
    if text != there {
        return Err(wrong(&dumped, "the captured request is another one"));
    }
    let Some((tool, folder)) = tool else { return Ok(()) };
    let Ok(words) = fs::read(dumped.with_extension("spv")) else { return Ok(()) };
    let file = folder.join(format!("requests/{request}.request"));
    let output = Command::new(tool).arg("--request").arg(&file).output();
    let output = output.map_err(|e| Error::Io(format!("{}: {e}", tool.display())))?;
    if !output.status.success() {
        return Err(wrong(&file, String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    if output.stdout != words {
        return Err(wrong(&file, "the tool makes other words of the captured request than were dumped"));
    }
    Ok(())
}
