//! A worker process, from the supervisor's side.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use dxil_capture::Digest;

use super::error::WorkerError;
use super::said::Said;
use super::worker::Job;
use crate::driver::Driver;
use crate::results::{Header, How, Outcome, Row};

/// The time that a process has to end before it is killed.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is asked whether the command was stopped.
const ASKED: Duration = Duration::from_millis(50);

/// How GFXReconstruct records: the whole content of mapped memory before each submission, without
/// signals.
const RECORDING: [(&str, &str); 3] = [
    ("GFXRECON_CAPTURE_FILE_TIMESTAMP", "false"),
    ("GFXRECON_MEMORY_TRACKING_MODE", "unassisted"),
    ("GFXRECON_LOG_LEVEL", "error"),
];

/// What a pipeline may take.
#[derive(Clone, Copy, Debug)]
pub struct WorkerLimits {
    /// The time until the process answers.
    pub time: Duration,
    /// The address space of the process, in MiB.
    pub memory_mib: u64,
}

/// What a child answered.
pub enum Answer {
    /// A line.
    Line(String),
    /// It ended.
    Ended(Death),
    /// It did not answer in time, and was killed.
    TimedOut,
    /// The command was stopped, and the process was killed.
    Stopped,
}

/// The end of a process.
pub struct Death {
    /// The signal or the status, in words.
    pub how: String,
    /// The Vulkan command in which it was.
    pub call: Option<String>,
    /// The functions that were called.
    pub backtrace: Vec<String>,
}

impl Death {
    /// The row of a pipeline that ended its process.
    pub fn row(self, pipeline: Digest) -> Row {
        let row = Row::new(pipeline, Outcome::Crashed, self.how);
        Row { call: self.call, backtrace: self.backtrace, ..row }
    }
}

/// A worker process, which is killed when this is dropped.
pub struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    said: Said,
    /// Its arguments.
    pub job: Job,
}

impl Worker {
    /// Starts a process and waits for its first line.
    ///
    /// # Errors
    /// The process cannot be started, or the machine lacks something.
    pub fn start(
        driver: &Driver,
        capture: &Path,
        job: Job,
        WorkerLimits { time, memory_mib }: WorkerLimits,
        stop: Option<&AtomicBool>,
    ) -> Result<(Self, Header), WorkerError> {
        let program = std::env::current_exe().map_err(WorkerError::Program)?;
        // The shell sets the limit of the address space, in KiB, and becomes the program.
        let mut command = Command::new("sh");
        command.arg("-c").arg("ulimit -v \"$1\" && ulimit -c 0 && shift && exec \"$@\"").arg("sh");
        command.arg(memory_mib.saturating_mul(1024).to_string()).arg(program);
        let job = Job { physical: driver.device.clone(), ..job };
        let arguments = serde_json::to_string(&job).map_err(WorkerError::Job)?;
        command.arg("worker").arg(capture).arg(arguments);
        driver.select(&mut command);
        if let Some(file) = &job.recording {
            command.envs(RECORDING).env("GFXRECON_CAPTURE_FILE", file);
        }
        // The loader's messages tell why there is no device.
        command.env("VK_LOADER_DEBUG", "error");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(WorkerError::Spawn)?;
        let input = child.stdin.take();
        let (sender, lines) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let said = Said::collect(child.stderr.take());
        let mut worker = Self { child, input, lines, said, job };
        let name = || driver.name.clone();
        match worker.answer(time, stop) {
            Answer::Line(line) => match serde_json::from_str(&line) {
                Ok(header) => {
                    let (layers, injected) = (worker.job.layers.clone(), worker.job.injected.map(String::from));
                    let how = How { timeout: time.as_secs(), memory: memory_mib, layers, injected };
                    Ok((worker, Header { how, ..header }))
                }
                Err(_) => {
                    let error: Option<serde_json::Value> = serde_json::from_str(&line).ok();
                    let error = error.as_ref().and_then(|value| value.get("error")?.as_str());
                    let reason = error.unwrap_or(&line).to_owned();
                    worker.leave();
                    Err(WorkerError::NoDevice { driver: name(), reason, said: worker.said.text() })
                }
            },
            Answer::Ended(Death { how: end, .. }) => {
                Err(WorkerError::Ended { driver: name(), end, memory_mib, said: worker.said.text() })
            }
            Answer::TimedOut => Err(WorkerError::TimedOut { driver: name(), seconds: time.as_secs() }),
            Answer::Stopped => Err(WorkerError::Stopped),
        }
    }

    /// Sends the process a pipeline and waits for its answer.
    pub fn make(&mut self, pipeline: Digest, time: Duration, stop: Option<&AtomicBool>) -> Answer {
        let line = format!("{pipeline}\n");
        let sent = self.input.as_mut().is_some_and(|input| input.write_all(line.as_bytes()).is_ok());
        if sent { self.answer(time, stop) } else { Answer::Ended(self.end()) }
    }

    fn answer(&mut self, time: Duration, stop: Option<&AtomicBool>) -> Answer {
        let begin = Instant::now();
        loop {
            let left = time.saturating_sub(begin.elapsed());
            match self.lines.recv_timeout(left.min(ASKED)) {
                Ok(line) => return Answer::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Answer::Ended(self.end()),
                Err(RecvTimeoutError::Timeout) if stop.is_some_and(|stop| stop.load(Relaxed)) => {
                    self.end_now();
                    return Answer::Stopped;
                }
                Err(RecvTimeoutError::Timeout) if left <= ASKED => {
                    self.end_now();
                    return Answer::TimedOut;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits for the process, whose output is closed, and returns how it ended.
    fn end(&mut self) -> Death {
        let how = match self.child.wait() {
            Ok(status) => in_words(status),
            Err(error) => error.to_string(),
        };
        let (call, backtrace) = self.said.crash();
        Death { how, call, backtrace }
    }

    /// The process ends when its input is closed, so that layers below can shut down.
    fn leave(&mut self) {
        self.input = None;
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.end_now();
    }

    fn end_now(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.leave();
    }
}

/// How a process ended.
fn in_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    let Some(signal) = status.signal() else { return status.to_string() };
    let name = match signal {
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL, as by a system without memory",
        11 => "SIGSEGV",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}
