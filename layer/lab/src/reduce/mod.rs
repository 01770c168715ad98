//! Reduces a pipeline that a driver fails on.
//!
//! In: a pipeline of a capture, and a driver that fails on it. Out: a bundle, which is a folder
//! with the smallest pipeline that was found on which the driver still fails, and a command that
//! shows it. What must hold: every pipeline that the driver is given has valid SPIR-V and lacks
//! nothing that the first one did not lack, so that a fault in the bundle is one of the driver.
//!
//! The stages are taken as the driver gets them from the layer, and put into the record in the
//! place of the DXIL. So a candidate is a capture like any other, and the processes of `run` try
//! it.
//!
//! | file | subject |
//! |---|---|
//! | `code` | a SPIR-V module as a list of instructions that can be removed |
//! | `change`, `repair` | changes of a module; repair of a changed module |
//! | `search` | the smallest module that is still interesting |
//! | `interface`, `state` | what stages require of a pipeline; which of its state can be removed |
//! | `judge` | whether a pipeline shows the fault: the same outcome |
//! | `differ`, `defined` | the same, for results that differ; what keeps results defined |
//! | `session` | the reduction of one pipeline |
//! | `bundle` | the folder that shows a fault to others |

mod bundle;
mod change;
mod code;
mod defined;
mod differ;
mod error;
mod interface;
mod judge;
mod repair;
mod search;
mod session;
mod state;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dxil_capture::{Capture, Digest, Writer};
use indicatif::ProgressBar;

pub use bundle::{Recording, ReduceReport, StageReport};
pub use differ::{Pair, Reference};
pub use error::{NoFault, ReduceError, Unreadable};
pub use judge::{Driven, Judge, SameOutcome, Symptom};
pub use search::{Limits, Reduced, reduce};

use crate::driver::Driver;
use crate::files::At as _;
use crate::record::{Form, Recorder};
use crate::results::{Header, Inputs, Rounds};
use crate::run::emitted::{self, EmittedStage};
use crate::run::{Job, WorkerLimits};
use crate::vulkan::Injection;
use crate::words::to_bytes;
use bundle::{Bundle, Script, copy, stage_names};
use code::Code;
use differ::DifferentOutputs;
use session::{Candidates, Session, SessionOptions, SessionStage};

/// What to reduce, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The capture.
    pub capture: PathBuf,
    /// The name of the pipeline, or the beginning of it.
    pub pipeline: String,
    /// The driver, as the user names it.
    pub driver: String,
    /// Which of its devices; `None` for the first one.
    pub device: Option<String>,
    /// The driver whose results are right, where results are compared.
    pub against: Option<Reference>,
    /// The folder of the bundle.
    pub out: PathBuf,
    /// What a pipeline may take of the driver.
    pub worker: WorkerLimits,
    /// Whether the validation layer stands above the driver.
    pub validation: bool,
    /// The layers between the lab's layer and the validation layer.
    pub layers: Vec<String>,
    /// The fault to inject.
    pub injected: Option<Injection>,
    /// When to end.
    pub limits: Limits,
    /// Whether progress is shown.
    pub progress: bool,
}

/// The fault that a reduction preserves, and how to test for it.
struct Trial<'a> {
    options: &'a Options,
    driver: Driver,
    against: Option<(Driver, &'a Reference)>,
    device: Option<Digest>,
    /// Set where the command is to end.
    stop: Option<&'static AtomicBool>,
}

/// The fault of the first pipeline.
struct Fault {
    symptom: Symptom,
    /// What results may depend on, where they are compared.
    depends: BTreeSet<String>,
    /// The time that a driver needs, as far as it is known.
    time: Duration,
    /// The round of the difference, where results are compared.
    rounds: Option<Rounds>,
    header: Header,
}

impl Trial<'_> {
    /// The driver on a capture; with a folder for results, it runs pipelines as well.
    fn driven(&self, driver: &Driver, capture: &Path, time: Duration, run: Option<(Inputs, PathBuf)>) -> Driven {
        let options = self.options;
        // An injected fault is one of the driver that is tried. Smaller pipelines have other names.
        let injected = options.injected.filter(|_| *driver == self.driver).map(Injection::anywhere);
        let job = Job {
            driver: driver.name.clone(),
            device: self.device,
            layers: options.layers.clone(),
            validation: options.validation,
            run,
            injected,
            ..Job::default()
        };
        Driven::new(driver.clone(), capture.to_owned(), job, WorkerLimits { time, ..options.worker }, self.stop)
    }

    /// Both drivers, where results are compared.
    fn pair(&self, capture: &Path, time: Duration, rounds: Option<Rounds>) -> Option<Pair> {
        let (reference, against) = self.against.as_ref()?;
        let inputs = Inputs { rounds: rounds.unwrap_or(against.inputs.rounds), ..against.inputs };
        let outputs = |driver: &Driver| self.options.out.join("candidates").join("outputs").join(&driver.name);
        let of = |driver: &Driver| self.driven(driver, capture, time, Some((inputs, outputs(driver))));
        Some(Pair { drivers: [of(reference), of(&self.driver)], tolerance: against.tolerance })
    }

    /// The fault of the pipeline with which the reduction begins.
    fn fault(&self, pipeline: Digest) -> Result<Fault, ReduceError> {
        let (capture, time) = (&self.options.capture, self.options.worker.time);
        let no_header = || ReduceError::NoHeader;
        if let Some(mut pair) = self.pair(capture, time, None) {
            let (symptom, depends) = pair.symptom(pipeline)?;
            let [_, mut driven] = pair.drivers;
            return Ok(Fault {
                symptom,
                depends,
                time: driven.limits.time,
                rounds: driven.job.run.as_ref().map(|(inputs, _)| inputs.rounds),
                header: driven.header.take().ok_or_else(no_header)?,
            });
        }
        let mut driven = self.driven(&self.driver, capture, time, None);
        let symptom = Symptom::from_row(&driven.make(pipeline)?)?;
        let header = driven.header.take().ok_or_else(no_header)?;
        Ok(Fault { symptom, depends: BTreeSet::new(), time, rounds: None, header })
    }

    /// The judge of whether pipelines of a capture have the fault.
    fn judge(&self, capture: &Path, fault: &Fault) -> Box<dyn Judge> {
        match self.pair(capture, fault.time, fault.rounds) {
            Some(pair) => Box::new(DifferentOutputs { pair, depends: fault.depends.clone() }),
            None => {
                let driven = self.driven(&self.driver, capture, fault.time, None);
                Box::new(SameOutcome { driven, symptom: fault.symptom.clone() })
            }
        }
    }

    /// Records the bundle's pipeline on the driver or, where that does not answer, on another one.
    fn recorded(&self, form: Form, capture: &Path, pipeline: Digest, rounds: Option<Rounds>) -> Recording {
        let reference = self.against.as_ref().map(|(driver, _)| driver.clone());
        let others = reference.into_iter().chain(Driver::find("lavapipe"));
        let drivers: Vec<Driver> = std::iter::once(self.driver.clone()).chain(others).collect();
        let outputs = self.options.out.join("candidates").join("recorded");
        let inputs = self
            .against
            .as_ref()
            .map(|(_, against)| Inputs { rounds: rounds.unwrap_or(against.inputs.rounds), ..against.inputs });
        // A capture of RenderDoc has what a dispatch or a draw uses.
        let inputs = inputs.or_else(|| (form == Form::RenderDoc).then(Inputs::default));
        let run = inputs.map(|inputs| (inputs, outputs));
        let job = Job { device: self.device, layers: self.options.layers.clone(), run, ..Job::default() };
        let recorder = Recorder { capture, form, job, limits: self.options.worker, stop: self.stop };
        let file = self.options.out.join(format!("reduced.{}", form.ending()));
        match recorder.record(pipeline, &drivers, &file) {
            Ok(driver) => Recording::MadeOn(driver),
            Err(error) => Recording::Missing(error.to_string()),
        }
    }

    /// The SPIR-V that the layer gives to the driver for a pipeline. The driver is not called, so
    /// the fault does not show.
    fn emitted(&self, pipeline: Digest, folder: &Path) -> Result<Vec<(EmittedStage, Vec<u32>)>, ReduceError> {
        let mut driven = self.driven(&self.driver, &self.options.capture, self.options.worker.time, None);
        driven.job.injected = None;
        driven.job.apart = true;
        driven.job.modules = Some(folder.to_owned());
        let row = driven.make(pipeline)?;
        emitted::read(folder, pipeline).map_err(|source| ReduceError::Emitted { source, outcome: row.outcome })
    }
}

/// Reduces a pipeline and writes the bundle.
///
/// # Errors
/// A capture, a pipeline or a driver that cannot be used, a pipeline without a fault, or one whose
/// fault does not show without the layer.
pub fn reduce_pipeline(options: &Options) -> Result<ReduceReport, ReduceError> {
    let start = Instant::now();
    let driver = Driver::find(&options.driver)?.on(options.device.as_deref());
    let against = match &options.against {
        Some(against) => Some((Driver::find(&against.driver)?.on(against.device.as_deref()), against)),
        None => None,
    };
    let capture = Capture::open(&options.capture)?;
    let pipeline = named(&capture, &options.pipeline)?;
    let record = capture.record(pipeline)?;
    remove_leftovers(&options.out)?;
    let driver = against.iter().fold(driver, |driver, (reference, _)| driver.distinct_from(reference));
    let given = (driver.given.clone(), against.as_ref().map(|(driver, _)| driver.given.clone()));
    let trial = Trial { options, driver, against, device: record.device, stop: options.limits.stop };
    let candidates = Candidates::new(options.out.join("candidates"));
    let fault = match trial.fault(pipeline) {
        Ok(fault) => fault,
        Err(error) => {
            drop(candidates);
            // Nothing but the candidates was there.
            let _ = std::fs::remove_dir(&options.out);
            return Err(error);
        }
    };

    let original = options.out.join("original");
    copy(&capture, &record, &Writer::new(original.clone(), u64::MAX), true)?;
    let folder = candidates.folder().to_owned();
    std::fs::create_dir_all(folder.join("pipelines")).at(&folder)?;
    let emitted = trial.emitted(pipeline, &folder)?;
    write_stages(&original, &emitted)?;
    copy(&capture, &record, candidates.writer(), false)?;

    let mut judge = trial.judge(&folder, &fault);
    let bar = if options.progress { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    let how = SessionOptions {
        api_version: fault.header.api_version,
        compares_results: trial.against.is_some(),
        limits: options.limits,
        bar: bar.clone(),
    };
    let mut session = Session::new(&mut *judge, &candidates, record, emitted, how)?;
    if !session.has_fault()? {
        return Err(ReduceError::Hidden { outcome: fault.symptom.outcome, detail: fault.symptom.detail });
    }
    session.run()?;
    bar.finish_and_clear();

    let (record, stages, effort, gone) = (session.record, session.stages, session.effort, session.gone);
    drop(judge);
    let of_bundle = options.out.join("capture");
    let found = Capture::open(&folder)?;
    copy(&found, &record, &Writer::new(of_bundle.clone(), u64::MAX), true)?;
    let reduced = record.pipeline.digest();
    let [recording, renderdoc] =
        [Form::Gfxr, Form::RenderDoc].map(|form| trial.recorded(form, &of_bundle, reduced, fault.rounds));
    // Also a reduction that was stopped asks whether its bundle shows the fault: the same one, and
    // by its script.
    let is_same = Trial { stop: None, ..trial }.judge(&of_bundle, &fault).has_fault(reduced)?;
    let program = std::env::current_exe().at(&options.out)?;
    let confirmed = script(options, given, fault.rounds).prove(&options.out, &program)? && is_same;
    let names = stage_names(&stages.iter().map(|stage| stage.bit).collect::<Vec<_>>());
    let reports = names.iter().zip(&stages).map(|(name, stage)| StageReport::new(name, stage));
    let report = ReduceReport {
        pipeline,
        reduced,
        driver: fault.header.driver,
        device: fault.header.device,
        driver_version: fault.header.driver_version,
        fault: fault.symptom,
        stages: reports.collect::<Result<_, _>>()?,
        gone,
        steps: effort.steps,
        tried: effort.tried,
        questions: effort.questions,
        seconds: start.elapsed().as_secs_f64(),
        recording,
        renderdoc,
        complete: !effort.ended,
        confirmed,
    };
    let all = names.into_iter().zip(&stages);
    let stages = all.map(|(name, stage)| (name, &stage.words[..])).collect();
    Bundle { folder: &options.out, report: &report, stages }.write()?;
    Ok(report)
}

/// Removes what a reduction leaves that fails or is killed.
///
/// # Errors
/// The folder has something else.
fn remove_leftovers(folder: &Path) -> Result<(), ReduceError> {
    if !folder.exists() {
        return Ok(());
    }
    let mut entries = std::fs::read_dir(folder).at(folder)?.flatten();
    if !entries.all(|entry| entry.file_name() == "original" || entry.file_name() == "candidates") {
        return Err(ReduceError::Exists(folder.to_owned()));
    }
    Ok(std::fs::remove_dir_all(folder).at(folder)?)
}

/// Writes the SPIR-V that the layer gave to the driver, a file for each stage.
fn write_stages(folder: &Path, emitted: &[(EmittedStage, Vec<u32>)]) -> Result<(), ReduceError> {
    let bits: Vec<u32> = emitted.iter().map(|(stage, _)| stage.stage).collect();
    for (name, (_, words)) in stage_names(&bits).iter().zip(emitted) {
        let path = folder.join(format!("{name}.spv"));
        std::fs::write(&path, to_bytes(words)).at(&path)?;
    }
    Ok(())
}

impl StageReport {
    fn new(name: &str, stage: &SessionStage) -> Result<Self, Unreadable> {
        Ok(Self {
            stage: name.to_owned(),
            instructions_before: stage.before.0,
            instructions: Code::read(&stage.words)?.nodes.len(),
            words_before: stage.before.1,
            words: stage.words.len(),
            valid: stage.validator.as_ref().is_ok_and(|validator| validator.check(&stage.words).is_ok()),
            invalid_before: stage.validator.as_ref().err().map(ToString::to_string),
        })
    }
}

/// The script that shows the fault of a driver, and where results are compared, of which reference.
fn script(options: &Options, given: (String, Option<String>), rounds: Option<Rounds>) -> Script {
    let (driver, reference) = given;
    let mut driver = vec![driver];
    driver.extend(options.device.iter().flat_map(|device| ["--device".to_owned(), device.clone()]));
    let mut arguments = vec!["--timeout".to_owned(), options.worker.time.as_secs().to_string()];
    arguments.extend(["--memory".to_owned(), options.worker.memory_mib.to_string()]);
    arguments.extend(options.layers.iter().flat_map(|name| ["--layer".to_owned(), name.clone()]));
    if !options.validation {
        arguments.push("--no-validation".to_owned());
    }
    if let Some(injected) = options.injected {
        arguments.extend(["--inject".to_owned(), injected.anywhere().to_string()]);
    }
    let (Some(against), Some(reference)) = (&options.against, reference) else {
        return Script { subcommand: "run", driver, arguments };
    };
    arguments.extend(["--against".to_owned(), reference]);
    arguments.extend(against.device.iter().flat_map(|device| ["--against-device".to_owned(), device.clone()]));
    arguments.extend(["--seed".to_owned(), against.inputs.seed.to_string()]);
    arguments.extend(["--tolerance".to_owned(), against.tolerance.to_string()]);
    arguments.extend(rounds.iter().flat_map(|rounds| ["--round".to_owned(), rounds.first.to_string()]));
    if against.inputs.edges {
        arguments.extend(["--bounds", "edge"].map(str::to_owned));
    }
    Script { subcommand: "exec", driver, arguments }
}

/// The only pipeline whose name begins with a text.
fn named(capture: &Capture, beginning: &str) -> Result<Digest, ReduceError> {
    let mut found = capture.names().filter(|name| name.to_string().starts_with(beginning));
    match (found.next(), found.next()) {
        (Some(name), None) => Ok(name),
        (Some(_), Some(_)) => Err(ReduceError::SeveralPipelines(beginning.to_owned())),
        _ => Err(ReduceError::NoPipeline(beginning.to_owned())),
    }
}
