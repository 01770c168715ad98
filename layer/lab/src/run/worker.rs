//! A worker process: reads names of pipelines from its input, and writes a row for each.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ash::vk;
use ash::vk::Handle as _;
use dxil_capture::{Capture, Digest};
use dxil_vulkan::{Message, RENDERDOC_LAYER, RenderDoc, Sender, Severity};
use serde::{Deserialize, Serialize};

use super::error::WorkError;
use super::{emitted, memory, statistics};
use crate::exec::{self, Stop, Subject};
use crate::results::{Build, Header, How, Inputs, Outcome, Row, rule_of};
use crate::synth::{self, Formats};
use crate::vulkan::{self, Injection, Lab, MakeError, Setup, Trace};
use crate::words::to_bytes;

/// GFXReconstruct's layer.
pub const RECORDER: &str = "VK_LAYER_LUNARG_gfxreconstruct";

/// The capture that RenderDoc writes if it is to write this file: it leaves the ending out, and
/// adds one of its own.
pub fn captured(file: &Path) -> PathBuf {
    let mut name = file.with_extension("").into_os_string();
    name.push("_capture.rdc");
    PathBuf::from(name)
}

/// What a worker does, which is an argument of its process as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The name of the driver, for the first line.
    pub driver: String,
    /// The index of the physical device or a part of its name; `None` for the driver's first one.
    #[serde(default)]
    pub physical: Option<String>,
    /// The captured device whose features and settings are used.
    pub device: Option<Digest>,
    /// The layers that stand between the lab's layer and the validation layer.
    #[serde(default)]
    pub layers: Vec<String>,
    /// Whether the validation layer stands above the driver.
    pub validation: bool,
    /// The inputs of runs, and the folder of their results; `None` to create pipelines only.
    pub run: Option<(Inputs, PathBuf)>,
    /// The fault to inject.
    pub injected: Option<Injection>,
    /// The blocks of the pipelines say that they ran, and nothing else is reported of the runs.
    #[serde(default)]
    pub coverage: bool,
    /// The driver makes no objects of the pipelines, so that a crash in any command leaves their
    /// SPIR-V.
    #[serde(default)]
    pub apart: bool,
    /// A folder for the SPIR-V that the driver gets.
    pub modules: Option<PathBuf>,
    /// The recording that GFXReconstruct's layer writes of the process.
    #[serde(default)]
    pub recording: Option<PathBuf>,
    /// The file after which RenderDoc's capture of the pipeline is named.
    #[serde(default)]
    pub renderdoc: Option<PathBuf>,
    /// The Fossilize database to write instead of having the driver make pipelines.
    pub record: Option<PathBuf>,
}

/// Works until its input ends. The first line of the output is a header, or `{"error": …}`.
///
/// # Errors
/// The capture cannot be read, or the output is closed.
pub fn work(folder: &Path, job: &Job) -> Result<(), WorkError> {
    let (input, mut output) = (io::stdin().lock(), super::answers::output()?);
    let mut say = |value: serde_json::Value| writeln!(output, "{value}").and_then(|()| output.flush());
    let mut capture = Capture::open(folder)?;
    let captured = job.device.map(|device| capture.device(device)).transpose()?;
    vulkan::report_signals();
    if job.apart {
        vulkan::leave_driver_out();
    }
    let before = vulkan::libraries();
    let renderdoc = match job.renderdoc.as_deref().map(RenderDoc::load).transpose() {
        Ok(renderdoc) => renderdoc,
        Err(error) => return Ok(say(serde_json::json!({ "error": error.to_string() }))?),
    };
    let recorder = job.recording.iter().map(|_| RECORDER.to_owned());
    let below = renderdoc.iter().map(|_| RENDERDOC_LAYER.to_string_lossy().into_owned());
    let layers = job.layers.iter().cloned().chain(recorder).chain(below).collect();
    let setup = Setup { captured, validation: job.validation, layers, physical: job.physical.clone(), older: false };
    let lab = match Lab::open(&setup) {
        // RenderDoc 1.24 gives devices Vulkan 1.2, and no version makes a device whose addresses
        // cannot be repeated.
        Err(_) if renderdoc.is_some() => Lab::open(&Setup { older: true, ..setup }),
        opened => opened,
    };
    let lab = match lab {
        Ok(lab) => lab,
        Err(error) => return Ok(say(serde_json::json!({ "error": error.to_string() }))?),
    };
    let device = lab.gpu.instance.device_name();
    let header = Header {
        format: Header::FORMAT,
        driver: job.driver.clone(),
        device,
        driver_version: lab.gpu.instance.properties.driver_version,
        api_version: lab.gpu.instance.properties.api_version,
        validation: job.validation,
        inputs: job.run.as_ref().map(|(inputs, _)| *inputs),
        build: build(&lab, &before),
        how: How::default(),
    };
    say(serde_json::to_value(header)?)?;
    // Messages about the device belong to no pipeline.
    lab.messages();
    for line in input.lines() {
        let digest: Digest = line?.parse()?;
        vulkan::inject(job.injected.filter(|injected| injected.is_for(digest)));
        // A reduction adds pipelines while it runs.
        if !capture.has(digest) {
            capture = Capture::open(folder)?;
        }
        let work = || one(&lab, &capture, digest, job);
        let (row, trace) = match &renderdoc {
            // Whether a file was written, the file tells.
            Some(renderdoc) => renderdoc.capture(work).0,
            None => work(),
        };
        if let Some(folder) = &job.modules {
            emitted::keep(folder, digest, &trace)?;
        }
        let is_over = row.outcome == Outcome::Lost;
        say(serde_json::to_value(row)?)?;
        if is_over {
            break;
        }
    }
    Ok(())
}

/// The builds of the lab, and of the libraries that came with the device.
fn build(lab: &Lab, before: &BTreeSet<PathBuf>) -> Build {
    let instance = &lab.gpu.instance;
    let (mut driver, mut ids) =
        (vk::PhysicalDeviceDriverProperties::default(), vk::PhysicalDeviceIDProperties::default());
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver).push_next(&mut ids);
    // SAFETY: a live physical device of Vulkan 1.2 at least, which has both structures.
    unsafe { instance.handle.get_physical_device_properties2(instance.physical, &mut properties) };
    let texts = [driver.driver_name_as_c_str(), driver.driver_info_as_c_str()];
    let texts = texts.into_iter().flatten().map(|text| text.to_string_lossy().into_owned());
    let uuids = [
        ("device", ids.device_uuid),
        ("driver", ids.driver_uuid),
        ("pipeline cache", instance.properties.pipeline_cache_uuid),
    ];
    // The loader is the system's, and makes no pipelines.
    let name = |path: &Path| {
        Some(path.file_name()?.to_string_lossy().into_owned()).filter(|it| !it.starts_with("libvulkan.so"))
    };
    let libraries = vulkan::libraries().difference(before).cloned().collect::<Vec<_>>();
    Build {
        driver: texts.collect::<Vec<_>>().join(" "),
        uuids: uuids.into_iter().map(|(name, uuid)| (name.to_owned(), vulkan::hex(&uuid))).collect(),
        libraries: libraries.iter().filter_map(|path| Some((name(path)?, vulkan::build_of(path)))).collect(),
        lab: vulkan::build_of(Path::new("/proc/self/exe")),
    }
}

/// Makes one pipeline, runs it if the job says so, and destroys it again.
fn one(lab: &Lab, capture: &Capture, digest: Digest, job: &Job) -> (Row, Trace) {
    let mut record = match capture.record(digest) {
        Ok(record) => record,
        Err(fault) => return (Row::new(digest, Outcome::Incomplete, fault.to_string()), Trace::default()),
    };
    // The layout is compared with that of `synth`, and counters are no part of that one.
    let pipeline = record.pipeline.clone();
    let place = record.pipeline.layout.as_mut().filter(|_| job.coverage).map(exec::add_counters);
    vulkan::count_blocks(place);
    memory::forget_peak();
    let start = Instant::now();
    let made = vulkan::make(lab, capture, &record);
    let time = start.elapsed();
    let trace = vulkan::take_trace();
    let mut row = Row::new(digest, Outcome::Created, String::new());
    match &made {
        Ok(made) if made.pipeline.is_null() => {
            row.outcome = Outcome::Corrupt;
            row.detail = "the command succeeded and gave a null handle".to_owned();
        }
        Ok(_) if job.apart => {}
        Ok(made) => {
            row.statistics = statistics::read(lab, made.pipeline, &pipeline.stages);
            row.lost = made.lost.clone();
            if let Some((inputs, outputs)) = &job.run {
                let run = synth::translated(capture, &pipeline, Formats::Named).map_err(|error| error.to_string());
                let counted = place.map(|place| (place, vulkan::counted_blocks()));
                let run = run.map(|everywhere| {
                    let (modules, everywhere) = (&trace.modules[..], &everywhere[..]);
                    let (record, once) = (&record, job.renderdoc.is_some());
                    let subject = Subject { pipeline: digest, made, record, modules, everywhere, counted, once };
                    exec::execute(lab, subject, *inputs, outputs)
                });
                (row.outcome, row.detail, row.execution) = match run {
                    Ok(Ok(execution)) => (Outcome::Executed, String::new(), Some(execution)),
                    Ok(Err(stop)) => {
                        let outcome = match stop {
                            Stop::Driver { result: vk::Result::ERROR_DEVICE_LOST, .. } => Outcome::Lost,
                            Stop::Driver { .. } => Outcome::Rejected,
                            _ => Outcome::NotExecuted,
                        };
                        (outcome, stop.to_string(), None)
                    }
                    Err(why) => (Outcome::NotExecuted, why, None),
                };
            }
        }
        Err(error) => {
            (row.outcome, row.detail) = match (error, trace.failed) {
                (MakeError::Capture(why), _) => (Outcome::Incomplete, why.to_string()),
                (MakeError::Device(why), _) => (Outcome::Beyond, why.to_string()),
                (_, Some((command, result))) => (Outcome::Rejected, format!("{command}: {result:?}")),
                (_, None) => (Outcome::Refused, error.to_string()),
            };
        }
    }
    drop(made);
    // Destruction may cause messages as well.
    let messages = lab.messages();
    // The layer's first message has the reason.
    let why = messages.iter().find(|message| message.sender == Sender::Other && message.severity == Severity::Error);
    if let (Outcome::Refused, Some(why)) = (row.outcome, why) {
        row.detail.clone_from(&why.text);
    }
    row.validation = of_validation(messages);
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    row.layer_us = micros(time.saturating_sub(trace.time));
    row.driver_us = micros(trace.time);
    row.memory_kib = memory::peak_kib();
    row.modules = modules(&trace);
    row.miscompiled = trace.miscompiled;
    (row, trace)
}

fn modules(trace: &Trace) -> Vec<(Digest, usize)> {
    trace.modules.iter().map(|words| (Digest::new(&to_bytes(words)), words.len())).collect()
}

/// The messages of the validation layer, the first of each rule. One call may break a rule several
/// times.
fn of_validation(messages: Vec<Message>) -> Vec<String> {
    let mut rules = BTreeSet::new();
    let validation = messages.into_iter().filter(|message| message.sender == Sender::Validation);
    validation.map(clipped).filter(|text| rules.insert(rule_of(text))).collect()
}

/// A message without the handles that differ from run to run, and of bounded length.
fn clipped(message: Message) -> String {
    const LONGEST: usize = 1000;
    let mut text = String::new();
    let mut rest = message.text.as_str();
    while let Some(at) = rest.find("0x") {
        text.push_str(&rest[..at]);
        rest = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_hexdigit());
        text.push_str("0x…");
    }
    text.push_str(rest);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_told_once() {
        let message = |text: &str, sender| Message { severity: Severity::Error, sender, text: text.to_owned() };
        let all = [
            ("set 0x12 is wrong (VUID-a-1)", Sender::Validation),
            ("set 0x13 is wrong (VUID-a-1)", Sender::Validation),
            ("refused", Sender::Other),
            ("set 0x12 is wrong (VUID-a-2)", Sender::Validation),
        ];
        let found = of_validation(all.map(|(text, sender)| message(text, sender)).to_vec());
        assert_eq!(found, ["set 0x… is wrong (VUID-a-1)", "set 0x… is wrong (VUID-a-2)"]);
    }
}
