//! Supervises the worker processes of one driver.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dxil_capture::{Capture, Digest};
use indicatif::ProgressBar;

use super::child::{Answer, Worker, WorkerLimits};
use super::error::{RunError, WorkerError};
use super::nested::excused;
use super::worker::Job;
use crate::driver::Driver;
use crate::progress::bar;
use crate::results::{Begun, Inputs, Outcome, Results, Row, now, outputs};
use crate::vulkan::Injection;

/// How pipelines are made.
#[derive(Clone, Debug)]
pub struct Options {
    /// Processes at once.
    pub jobs: usize,
    /// What a pipeline may take.
    pub limits: WorkerLimits,
    /// Whether the validation layer stands above the driver.
    pub validation: bool,
    /// Whether progress is shown.
    pub progress: bool,
    /// Whether the blocks of the pipelines say that they ran.
    pub coverage: bool,
    /// The pipelines to make.
    pub only: BTreeSet<Digest>,
    /// The layers between the lab's layer and the validation layer.
    pub layers: Vec<String>,
    /// The command line, for the first line of the results.
    pub command: String,
    /// The inputs to run pipelines with; `None` to create them only.
    pub inputs: Option<Inputs>,
    /// The fault to inject.
    pub injected: Option<Injection>,
}

impl Options {
    fn job(&self, driver: &Driver, out: &Path, device: Option<Digest>) -> Job {
        let (validation, injected) = (self.validation, self.injected);
        let run = self.inputs.map(|inputs| (inputs, outputs(out, &driver.name)));
        let (driver, layers) = (driver.name.clone(), self.layers.clone());
        Job { driver, device, layers, validation, run, injected, coverage: self.coverage, ..Job::default() }
    }
}

/// A pipeline to make: its device, and its name.
type Item = (Option<Digest>, Digest);

/// Makes the pipelines of a capture that have no result yet. `stop` ends it.
///
/// # Errors
/// A capture or a driver that cannot be used, results that cannot be written, or results of another
/// build of the driver or of other options.
pub fn run(
    capture: &Path,
    driver: &Driver,
    out: &Path,
    options: &Options,
    stop: &AtomicBool,
) -> Result<Results, RunError> {
    let mut results = Results::open(&Results::path(out, &driver.name))?;
    let (mut items, mut broken) = items(capture)?;
    items.retain(|(_, digest)| options.only.contains(digest));
    broken.retain(|row| options.only.contains(&row.pipeline));
    // Without a pipeline to create there is no device, and so no header.
    let Some((device, _)) = items.last().copied() else { return Ok(results) };
    // The first worker's header says of which builds the results are, also if there is nothing left
    // to do.
    let job = options.job(driver, out, device);
    let (first, header) = match Worker::start(driver, capture, job, options.limits, Some(stop)) {
        Err(WorkerError::Stopped) => return Ok(results),
        started => started?,
    };
    let Driver { given, device: physical, .. } = driver.clone();
    let begun = Begun { command: options.command.clone(), date: now(), driver: given, device: physical };
    results.begin(header, begun)?;
    results.cached = results.rows.keys().filter(|digest| options.only.contains(digest)).count();
    items.retain(|(_, digest)| !results.rows.contains_key(digest));
    let broken = broken.into_iter().filter(|row| !results.rows.contains_key(&row.pipeline)).collect::<Vec<_>>();
    broken.into_iter().try_for_each(|row| results.add(row))?;
    let bar = bar(&driver.name, items.len(), options.progress);
    let shared = Shared {
        queue: Mutex::new(std::mem::take(&mut items)),
        results: Mutex::new(results),
        failed: Mutex::new(None),
        stop,
        bar: &bar,
        driver,
        capture,
        out,
        options,
    };
    std::thread::scope(|scope| {
        let mut first = Some(first).filter(|_| !lock(&shared.queue).is_empty());
        for _ in 0..options.jobs.max(1) {
            let (worker, shared) = (first.take(), &shared);
            scope.spawn(move || shared.work(worker));
        }
    });
    bar.finish_and_clear();
    match shared.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(shared.results.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

/// The pipelines, the last one first, and rows for records that cannot be read.
fn items(capture: &Path) -> Result<(Vec<Item>, Vec<Row>), RunError> {
    let (mut items, mut broken) = (Vec::new(), Vec::new());
    let capture = Capture::open(capture)?;
    for (digest, record) in capture.records() {
        match record {
            Ok(record) => items.push((record.device, digest)),
            Err(fault) => broken.push(Row::new(digest, Outcome::Incomplete, fault.to_string())),
        }
    }
    // A pipeline that was captured on two devices is run once.
    items.sort_by_key(|(device, digest)| (*digest, *device));
    items.dedup_by_key(|(_, digest)| *digest);
    // A process has the features and settings of one captured device.
    items.sort();
    items.reverse();
    Ok((items, broken))
}

/// What the threads of a run share.
struct Shared<'a> {
    queue: Mutex<Vec<Item>>,
    results: Mutex<Results>,
    /// The first error that ends the run.
    failed: Mutex<Option<RunError>>,
    stop: &'a AtomicBool,
    bar: &'a ProgressBar,
    driver: &'a Driver,
    capture: &'a Path,
    /// The folder of the results.
    out: &'a Path,
    options: &'a Options,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    /// Makes pipelines until there are none left.
    fn work(&self, worker: Option<Worker>) {
        if let Err(error) = self.work_through(worker) {
            lock(&self.failed).get_or_insert(error);
        }
    }

    /// The row of a pipeline that did not end, with the inputs of the first round alone; `None` if
    /// the run was stopped.
    fn first_round(&self, pipeline: Digest, device: Option<Digest>) -> Result<Option<Row>, RunError> {
        let Self { driver, capture, out, options, .. } = *self;
        let mut job = options.job(driver, out, device);
        if let Some((inputs, _)) = &mut job.run {
            inputs.rounds.count = 1;
        }
        let mut worker = match Worker::start(driver, capture, job, options.limits, Some(self.stop)) {
            Err(WorkerError::Stopped) => return Ok(None),
            started => started?.0,
        };
        let why = format!("no answer within {} s", options.limits.time.as_secs());
        Ok(match worker.make(pipeline, options.limits.time, Some(self.stop)) {
            Answer::Stopped => None,
            Answer::Ended(_) if self.stop.load(Relaxed) => None,
            Answer::Ended(death) => Some(death.row(pipeline)),
            Answer::TimedOut => Some(Row::new(pipeline, Outcome::TimedOut, why)),
            Answer::Line(line) => {
                let row: Row = serde_json::from_str(&line).map_err(|source| WorkerError::Answer { line, source })?;
                let detail = if row.execution.is_some() { format!("{why} in a later round") } else { row.detail };
                Some(Row { detail, ..row })
            }
        })
    }

    fn work_through(&self, mut worker: Option<Worker>) -> Result<(), RunError> {
        let Self { driver, capture, out, options, .. } = *self;
        while !self.stop.load(Relaxed) && lock(&self.failed).is_none() {
            let Some((device, pipeline)) = lock(&self.queue).pop() else { break };
            let mut ready = match worker.take().filter(|worker| worker.job.device == device) {
                Some(worker) => worker,
                None => {
                    let job = options.job(driver, out, device);
                    match Worker::start(driver, capture, job, options.limits, Some(self.stop)) {
                        Err(WorkerError::Stopped) => break,
                        started => started?.0,
                    }
                }
            };
            let row: Row = match ready.make(pipeline, options.limits.time, Some(self.stop)) {
                Answer::Line(line) => {
                    let row: Row =
                        serde_json::from_str(&line).map_err(|source| WorkerError::Answer { line, source })?;
                    // A process whose device is lost has ended.
                    worker = Some(ready).filter(|_| row.outcome != Outcome::Lost);
                    row
                }
                // Ctrl-C reaches the workers too, and is no fault of the driver.
                Answer::Ended(_) if self.stop.load(Relaxed) => break,
                Answer::Stopped => break,
                Answer::Ended(death) => death.row(pipeline),
                Answer::TimedOut if options.inputs.is_some_and(|inputs| inputs.rounds.count > 1) => {
                    // With the numbers of a later round, a loop may have no end.
                    match self.first_round(pipeline, device)? {
                        Some(row) => row,
                        None => break,
                    }
                }
                Answer::TimedOut => {
                    let why = format!("no answer within {} s", options.limits.time.as_secs());
                    Row::new(pipeline, Outcome::TimedOut, why)
                }
            };
            let job = options.job(driver, out, device);
            lock(&self.results).add(excused(row, capture, &job))?;
            self.bar.inc(1);
        }
        Ok(())
    }
}
