//! Whether a pipeline shows the fault that is searched for.
//!
//! In: a pipeline of a capture. Out: whether it has the fault. What must hold: the driver runs in a
//! process of its own with limits of time and memory, so that a failure costs the lab nothing.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dxil_capture::Digest;
use serde::Serialize;

use super::error::{NoFault, ReduceError};
use crate::driver::Driver;
use crate::results::{Header, Outcome, Row, rule_of};
use crate::run::{Answer, Job, Worker, WorkerError, WorkerLimits, excused};

/// The least time for the start of a process.
const START: Duration = Duration::from_secs(60);

/// Says whether a pipeline has the fault.
pub trait Judge {
    /// Whether the pipeline of this name, in the capture that the judge knows, has the fault.
    ///
    /// # Errors
    /// There is no answer, which ends the search.
    fn has_fault(&mut self, pipeline: Digest) -> Result<bool, ReduceError>;
}

/// A driver that makes the pipelines of one capture, one after another.
pub struct Driven {
    /// The driver.
    pub driver: Driver,
    /// The capture.
    pub capture: PathBuf,
    /// The arguments of its processes.
    pub job: Job,
    /// What a pipeline may take.
    pub limits: WorkerLimits,
    /// Set where the command is to end.
    pub stop: Option<&'static AtomicBool>,
    worker: Option<Worker>,
    /// The header of the first process.
    pub header: Option<Header>,
}

impl Driven {
    /// A driver without a process yet.
    pub fn new(
        driver: Driver,
        capture: PathBuf,
        job: Job,
        limits: WorkerLimits,
        stop: Option<&'static AtomicBool>,
    ) -> Self {
        Self { driver, capture, job, limits, stop, worker: None, header: None }
    }

    /// The same driver, with the features and settings of a captured device.
    pub fn on(&mut self, device: Option<Digest>) -> &mut Self {
        if self.job.device != device {
            self.job.device = device;
            self.worker = None;
        }
        self
    }

    /// Ends its process, so that the next pipeline is the first one of another.
    pub fn restart(&mut self) {
        self.worker = None;
    }

    /// Makes a pipeline.
    ///
    /// # Errors
    /// No process can be started, or it gave no answer.
    pub fn make(&mut self, pipeline: Digest) -> Result<Row, WorkerError> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => {
                // A short time is meant for pipelines, not for the start of a process.
                let limits = WorkerLimits { time: self.limits.time.max(START), ..self.limits };
                let job = self.job.clone();
                let (worker, header) = Worker::start(&self.driver, &self.capture, job, limits, self.stop)?;
                self.header = Some(header);
                worker
            }
        };
        let row = match worker.make(pipeline, self.limits.time, self.stop) {
            Answer::Line(line) => {
                self.worker = Some(worker);
                serde_json::from_str(&line).map_err(|source| WorkerError::Answer { line, source })?
            }
            Answer::Ended(death) => death.row(pipeline),
            Answer::Stopped => return Err(WorkerError::Stopped),
            Answer::TimedOut => {
                let why = format!("no answer within {} s", self.limits.time.as_secs());
                Row::new(pipeline, Outcome::TimedOut, why)
            }
        };
        Ok(excused(row, &self.capture, &self.job))
    }
}

/// The faulty behaviour of a driver.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Symptom {
    /// What became of it.
    pub outcome: Outcome,
    /// The error or the signal.
    pub detail: String,
    /// The Vulkan command in which the process ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The functions that were called then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub backtrace: Vec<String>,
    /// The names of the messages of the validation layer.
    pub messages: BTreeSet<String>,
}

impl Symptom {
    /// The symptom of a row.
    ///
    /// # Errors
    /// The pipeline has no symptom that SPIR-V can show.
    pub fn from_row(row: &Row) -> Result<Self, NoFault> {
        let messages: BTreeSet<String> = row.validation.iter().map(|text| rule_of(text)).collect();
        let short = row.pipeline.short();
        match row.outcome {
            Outcome::Created if messages.is_empty() => Err(NoFault::Made { pipeline: short }),
            Outcome::Refused | Outcome::Incomplete | Outcome::Beyond => {
                let (outcome, detail) = (row.outcome, row.detail.clone());
                Err(NoFault::NotReached { pipeline: short, outcome, detail })
            }
            _ => Ok(Self {
                outcome: row.outcome,
                detail: row.detail.clone(),
                call: row.call.clone(),
                backtrace: row.backtrace.clone(),
                messages,
            }),
        }
    }

    /// Whether a row has the symptom, and none that this one lacks.
    pub fn is_in(&self, row: &Row) -> bool {
        let messages: BTreeSet<String> = row.validation.iter().map(|text| rule_of(text)).collect();
        let is_same = (row.outcome, &row.detail, &row.call) == (self.outcome, &self.detail, &self.call);
        let has_one = self.outcome != Outcome::Created || messages.contains(self.first().unwrap_or_default());
        is_same && has_one && messages.is_subset(&self.messages)
    }

    /// The message that stands for several.
    fn first(&self) -> Option<&str> {
        self.messages.first().map(String::as_str)
    }
}

/// The fault is that a driver has the same outcome as for another pipeline.
pub struct SameOutcome {
    /// The driver.
    pub driven: Driven,
    /// What it did.
    pub symptom: Symptom,
}

impl Judge for SameOutcome {
    fn has_fault(&mut self, pipeline: Digest) -> Result<bool, ReduceError> {
        Ok(self.symptom.is_in(&self.driven.make(pipeline)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(outcome: Outcome, detail: &str, messages: &[&str]) -> Row {
        let mut row = Row::new(Digest([0; 32]), outcome, detail.to_owned());
        row.validation = messages.iter().map(|text| (*text).to_owned()).collect();
        row
    }

    #[test]
    fn a_symptom_is_the_outcome_and_the_first_message() {
        let first = "vkCreateComputePipelines(): a thing of 12. (https://…#VUID-a-b-1)";
        let symptom = Symptom::from_row(&row(Outcome::Created, "", &[first, "other 5 things"])).unwrap();
        assert!(symptom.is_in(&row(Outcome::Created, "", &["the same of 13 (VUID-a-b-1)"])));
        assert!(symptom.is_in(&row(Outcome::Created, "", &["other 7 things", "(VUID-a-b-1)"])));
        assert!(!symptom.is_in(&row(Outcome::Created, "", &["other 7 things"])));
        assert!(!symptom.is_in(&row(Outcome::Created, "", &["(VUID-a-b-1)", "something new"])));
        assert!(!symptom.is_in(&row(Outcome::Crashed, "signal 6", &[])));
        let crash = Symptom::from_row(&row(Outcome::Crashed, "signal 11 (SIGSEGV)", &[])).unwrap();
        assert!(crash.is_in(&row(Outcome::Crashed, "signal 11 (SIGSEGV)", &[])));
        assert!(!crash.is_in(&row(Outcome::Crashed, "signal 6 (SIGABRT)", &[])));
    }

    #[test]
    fn a_pipeline_without_a_fault_is_refused_with_the_reason() {
        let text = Symptom::from_row(&row(Outcome::Created, "", &[])).unwrap_err().to_string();
        assert!(text.contains("there is no fault to keep"), "{text}");
        let text =
            Symptom::from_row(&row(Outcome::Refused, "missing feature shaderInt64", &[])).unwrap_err().to_string();
        assert!(text.contains("did not reach the driver") && text.contains("shaderInt64"), "{text}");
    }
}
