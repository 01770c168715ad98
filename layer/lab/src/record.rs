//! Recordings that others open: what a pipeline's process asks of Vulkan, as GFXReconstruct or
//! RenderDoc keeps it.
//!
//! In: a pipeline of a capture, and drivers. Out: a file that `gfxrecon-replay` or RenderDoc plays
//! without the lab and without the layer, because it has the SPIR-V that the driver got. What must
//! hold: a file is there only if the driver answered, since a call is written down after it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use dxil_capture::Digest;
use thiserror::Error;

use crate::driver::Driver;
use crate::results::{Outcome, Row};
use crate::run::{Answer, Job, RECORDER, Worker, WorkerError, WorkerLimits, captured};

/// Why there is no recording.
#[derive(Debug, Error)]
pub enum NoRecording {
    /// The layer is not installed.
    #[error("GFXReconstruct's layer {RECORDER} is not installed (Debian: package gfxreconstruct)")]
    NotInstalled,
    /// A worker gave no answer.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// RenderDoc cannot be used.
    #[error("{0}")]
    RenderDoc(String),
    /// No driver made the pipeline.
    #[error("no driver answered, and a call is written down after that: {}", .0.join("; "))]
    NoAnswer(Vec<String>),
    /// The layer wrote nothing.
    #[error("{} was not written", .0.display())]
    NoFile(PathBuf),
}

/// The form of a recording.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// GFXReconstruct's.
    Gfxr,
    /// RenderDoc's.
    RenderDoc,
}

impl Form {
    /// The ending of a file's name.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Gfxr => "gfxr",
            Self::RenderDoc => "rdc",
        }
    }

    /// What the files are, and for what.
    pub fn what(self) -> &'static str {
        match self {
            Self::Gfxr => "recordings for gfxrecon-replay",
            Self::RenderDoc => "captures for RenderDoc",
        }
    }
}

/// How to record.
pub struct Recorder<'a> {
    /// The capture.
    pub capture: &'a Path,
    /// The form of the file.
    pub form: Form,
    /// What the process does.
    pub job: Job,
    /// What it may take.
    pub limits: WorkerLimits,
    /// Set where the command is to end.
    pub stop: Option<&'a AtomicBool>,
}

impl Recorder<'_> {
    /// Records a pipeline on the first of these drivers that answers, and returns the driver's
    /// name.
    ///
    /// # Errors
    /// The layer is not there, or no driver answers.
    pub fn record(&self, pipeline: Digest, drivers: &[Driver], file: &Path) -> Result<String, NoRecording> {
        let mut said = Vec::new();
        for driver in drivers {
            match self.on(pipeline, driver, file)? {
                None => return Ok(driver.name.clone()),
                Some(why) => said.push(format!("{}: {why}", driver.name)),
            }
            // What is there lacks the pipeline.
            let _ = std::fs::remove_file(file);
        }
        Err(NoRecording::NoAnswer(said))
    }

    /// Records a pipeline, or says why the driver gave no answer.
    fn on(&self, pipeline: Digest, driver: &Driver, file: &Path) -> Result<Option<String>, NoRecording> {
        let mut job = Job { driver: driver.name.clone(), ..self.job.clone() };
        match self.form {
            Form::Gfxr => job.recording = Some(file.to_owned()),
            Form::RenderDoc => job.renderdoc = Some(file.to_owned()),
        }
        let (mut worker, _) = match Worker::start(driver, self.capture, job, self.limits, self.stop) {
            Err(WorkerError::NoDevice { reason, .. }) if reason.contains(RECORDER) => {
                return Err(NoRecording::NotInstalled);
            }
            Err(WorkerError::NoDevice { reason, .. }) if self.form == Form::RenderDoc => {
                return Err(NoRecording::RenderDoc(reason));
            }
            Err(error @ (WorkerError::NoDevice { .. } | WorkerError::Ended { .. })) => {
                return Ok(Some(error.to_string()));
            }
            started => started?,
        };
        let answer = worker.make(pipeline, self.limits.time, self.stop);
        // The layer completes its file when the process ends by itself.
        drop(worker);
        if self.form == Form::RenderDoc {
            // Where it captured nothing, there is no file below.
            let _ = std::fs::rename(captured(file), file);
        }
        let row: Row = match answer {
            Answer::Line(line) => serde_json::from_str(&line).map_err(|source| WorkerError::Answer { line, source })?,
            Answer::Ended(death) => return Ok(Some(death.row(pipeline).detail)),
            Answer::TimedOut => return Ok(Some(Outcome::TimedOut.name().to_owned())),
            Answer::Stopped => return Err(WorkerError::Stopped.into()),
        };
        match row.outcome {
            // RenderDoc keeps what a dispatch or a draw uses.
            Outcome::NotExecuted if self.form == Form::RenderDoc => {
                Ok(Some(format!("{} {}", row.outcome.name(), row.detail)))
            }
            Outcome::Created | Outcome::Executed | Outcome::NotExecuted | Outcome::Rejected if file.is_file() => {
                Ok(None)
            }
            Outcome::Created | Outcome::Executed | Outcome::NotExecuted | Outcome::Rejected => {
                Err(NoRecording::NoFile(file.to_owned()))
            }
            outcome => Ok(Some(format!("{} {}", outcome.name(), row.detail))),
        }
    }
}
