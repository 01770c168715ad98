//! Pipelines as tests of GoogleTest's protocol, for the runners that driver CI has.
//!
//! In: a capture, a driver, and a filter. Out: lines as a program of GoogleTest prints them. What
//! must hold: a test has one name on every machine; a check that cannot be made is skipped and
//! never passed; the lines of a test are printed when it begins and when it ends, because a runner
//! has limits of time.
//!
//! | file | subject |
//! |---|---|
//! | `filter` | which tests are meant |
//! | `ending` | the tests of a pipeline, and how they ended |

mod ending;
mod filter;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use dxil_capture::{Capture, Digest};
use thiserror::Error;

use crate::driver::Driver;
use crate::exec::compare::Comparison;
use crate::reduce::{Driven, Pair, ReduceError};
use crate::results::{Inputs, Row};
use crate::run::{Job, NoSelection, Selection, WorkerError, WorkerLimits};
use crate::synth::List;
use crate::vulkan::Injection;

pub use ending::{Check, Ending, Test};
pub use filter::Filter;

/// What to test, and how.
pub struct Options<'a> {
    /// The capture.
    pub capture: &'a Path,
    /// Its pipelines.
    pub selection: Selection,
    /// The driver.
    pub driver: Driver,
    /// The driver whose results are right; without one, pipelines are not run.
    pub against: Option<Driver>,
    /// The inputs.
    pub inputs: Inputs,
    /// The part by which numbers may differ.
    pub tolerance: f64,
    /// What a pipeline may take.
    pub limits: WorkerLimits,
    /// Whether the validation layer stands above the driver.
    pub validation: bool,
    /// The layers above it.
    pub layers: Vec<String>,
    /// The fault to inject.
    pub injected: Option<Injection>,
    /// Set where the command is to end.
    pub stop: Option<&'static AtomicBool>,
}

/// Why there are no results.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The capture cannot be read, or has no such pipelines.
    #[error(transparent)]
    Selection(#[from] NoSelection),
    /// A record cannot be read.
    #[error(transparent)]
    Capture(#[from] dxil_capture::Fault),
    /// A driver gives no answer.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// Results cannot be compared.
    #[error(transparent)]
    Compare(#[from] ReduceError),
    /// The output is closed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// The tests of a capture that a filter means, in the order of their names.
///
/// # Errors
/// A capture that cannot be read, or has no such pipelines.
pub fn tests(options: &Options<'_>, filter: &Filter) -> Result<Vec<Test>, SuiteError> {
    let labels = List::read(options.capture).map(|list| list.labels()).unwrap_or_default();
    let names = options.selection.names(options.capture)?;
    let mut tests = ending::tests(names.into_iter(), &labels, options.against.is_some());
    tests.retain(|test| filter.has(&test.name()));
    Ok(tests)
}

/// Prints the names of tests.
///
/// # Errors
/// The output is closed.
pub fn list(tests: &[Test], out: &mut dyn Write) -> io::Result<()> {
    let mut suite = "";
    for test in tests {
        if test.suite != suite {
            suite = &test.suite;
            writeln!(out, "{suite}.")?;
        }
        writeln!(out, "  {}", test.check.name())?;
    }
    Ok(())
}

/// Runs tests, and says whether none failed.
///
/// # Errors
/// A driver that cannot be used, or an output that is closed.
pub fn run(options: &Options<'_>, tests: &[Test], out: &mut dyn Write) -> Result<bool, SuiteError> {
    let suites = tests.iter().map(|test| &test.suite).collect::<std::collections::BTreeSet<_>>().len();
    writeln!(out, "[==========] Running {} tests from {suites} test suites.", tests.len())?;
    let (mut asked, mut failed, mut skipped) = (Asked::new(options)?, Vec::new(), Vec::new());
    for test in tests {
        if options.stop.is_some_and(|stop| stop.load(Relaxed)) {
            break;
        }
        let name = test.name();
        writeln!(out, "[ RUN      ] {name}")?;
        out.flush()?;
        let begin = Instant::now();
        let ending = asked.ending(test)?;
        let (word, why) = match &ending {
            Ending::Passed => ("      OK", ""),
            Ending::Failed(why) => ("  FAILED ", why.as_str()),
            Ending::Skipped(why) => ("  SKIPPED", why.as_str()),
        };
        if !why.is_empty() {
            // A runner takes what stands in brackets for a result.
            writeln!(out, "{}", why.replace('[', "(").replace(']', ")"))?;
        }
        writeln!(out, "[{word:>9} ] {name} ({} ms)", begin.elapsed().as_millis())?;
        out.flush()?;
        match ending {
            Ending::Passed => {}
            Ending::Failed(_) => failed.push(name),
            Ending::Skipped(_) => skipped.push(name),
        }
    }
    writeln!(out, "[==========] {} tests from {suites} test suites ran.", tests.len())?;
    writeln!(out, "[  PASSED  ] {} tests.", tests.len() - failed.len() - skipped.len())?;
    for (word, names) in [("SKIPPED", skipped), ("FAILED ", failed.clone())] {
        if !names.is_empty() {
            writeln!(out, "[  {word} ] {} tests, listed below:", names.len())?;
            names.iter().try_for_each(|name| writeln!(out, "[  {word} ] {name}"))?;
        }
    }
    Ok(failed.is_empty())
}

/// The processes of the drivers, and what they said of the last pipeline.
struct Asked {
    devices: BTreeMap<Digest, Option<Digest>>,
    made: Driven,
    pair: Option<Pair>,
    outputs: PathBuf,
    last: Option<Answers>,
}

/// What the drivers said of a pipeline.
struct Answers {
    pipeline: Digest,
    made: Option<Row>,
    compared: Option<(Comparison, [Row; 2])>,
}

impl Asked {
    fn new(options: &Options<'_>) -> Result<Self, SuiteError> {
        let outputs = std::env::temp_dir().join(format!("dxil-lab-suite-{}", std::process::id()));
        let job = |driver: &Driver, injected, run: bool| Job {
            driver: driver.name.clone(),
            layers: options.layers.clone(),
            validation: options.validation,
            run: run.then(|| (options.inputs, outputs.join(&driver.name))),
            injected,
            ..Job::default()
        };
        let driven = |driver: &Driver, injected, run| {
            let job = job(driver, injected, run);
            Driven::new(driver.clone(), options.capture.to_owned(), job, options.limits, options.stop)
        };
        let tried = |reference: &Driver| options.driver.clone().distinct_from(reference);
        let pair = options.against.as_ref().map(|reference| Pair {
            drivers: [driven(reference, None, true), driven(&tried(reference), options.injected, true)],
            tolerance: options.tolerance,
        });
        let mut devices = BTreeMap::new();
        for (name, record) in Capture::open(options.capture)?.records() {
            // A record that cannot be read is a row of its own.
            devices.entry(name).or_insert(record.ok().and_then(|record| record.device));
        }
        let made = driven(&options.driver, options.injected, false);
        Ok(Self { devices, made, pair, outputs, last: None })
    }

    fn ending(&mut self, test: &Test) -> Result<Ending, SuiteError> {
        let pipeline = test.pipeline;
        let device = self.devices.get(&pipeline).copied().flatten();
        let last = self.last.take().filter(|last| last.pipeline == pipeline);
        let Answers { made, mut compared, .. } = last.unwrap_or(Answers { pipeline, made: None, compared: None });
        let made = match made {
            Some(made) => made,
            None => self.made.on(device).make(pipeline)?,
        };
        if let Some(pair) = self.pair.as_mut().filter(|_| test.check.runs() && compared.is_none()) {
            for driven in &mut pair.drivers {
                driven.on(device);
            }
            compared = Some(pair.rows(pipeline)?);
        }
        let ending = ending::ending(test.check, &made, compared.as_ref());
        self.last = Some(Answers { pipeline, made: Some(made), compared });
        Ok(ending)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        // What the pipelines wrote was compared.
        let _ = std::fs::remove_dir_all(&self.outputs);
    }
}
