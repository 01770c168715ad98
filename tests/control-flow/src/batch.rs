//! Runs many compiled programs on one device, in child processes.
//!
//! The parent ([`run_all`]) hands each child a list of jobs; the child ([`serve`]) makes a device once, runs one job after the other
//! and says what it begins and how it ended. A child that dies or stands still fails the job it had begun, by name, and another
//! child goes on behind it.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use std::{fs, thread};

use ash::vk;
use dxil_tests::error::{Error, Result};
use dxil_tests::layer::{self, Driver};
use dxil_tests::run::{Code, run};
use dxil_tests::spec::parse::parse;
use dxil_tests::vulkan::{Context, ContextOptions, Severity};

use crate::{INPUTS, OUTPUTS, STEPS, THREADS, TRACES, generate, interpret, print};

/// One compiled program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The seed that the program is made from.
    pub seed: u32,
    /// The compiler's optimisation level, without the dash.
    pub level: String,
    /// The DXIL container.
    pub code: PathBuf,
}

impl Job {
    /// The name that a report gives it.
    #[must_use]
    pub fn name(&self) -> String {
        format!("control-flow/{}.{}", self.seed, self.level)
    }
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Every word is right.
    Passed,
    /// What is wrong.
    Failed(String),
    /// The driver can not run it.
    Skipped(String),
}

/// What a child's lines begin with, where they are not text of the report of the job that is under way.
const BEGIN: &str = "@begin ";
const PASSED: &str = "@passed";
const FAILED: &str = "@failed";
const SKIPPED: &str = "@skipped ";

/// How long one job may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs the jobs in child processes of `program`, several at a time; the outcomes are in the order of the jobs.
#[must_use]
pub fn run_all(program: &Path, layer_dir: &Path, driver: &str, jobs: &[Job], children: usize) -> Vec<Outcome> {
    let share = jobs.len().div_ceil(children.max(1)).max(1);
    let run = |jobs: &[Job]| {
        let mut outcomes = Vec::new();
        while outcomes.len() < jobs.len() {
            let rest = &jobs[outcomes.len()..];
            outcomes.extend(child(program, layer_dir, driver, rest));
        }
        outcomes
    };
    thread::scope(|scope| {
        let threads: Vec<_> = jobs.chunks(share).map(|jobs| scope.spawn(move || run(jobs))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a worker does not panic")).collect()
    })
}

/// Runs jobs in one child until all are done or the child has ended; at least one outcome.
fn child(program: &Path, layer_dir: &Path, driver: &str, jobs: &[Job]) -> Vec<Outcome> {
    let mut command = Command::new(program);
    command.arg("serve").arg(layer_dir).arg(driver);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(e) => return jobs.iter().map(|_| Outcome::Failed(format!("can not start the runner: {e}"))).collect(),
    };
    let (send, lines) = channel();
    let mut stdin = child.stdin.take();
    let list: String = jobs.iter().map(|job| format!("{} {} {}\n", job.seed, job.level, job.code.display())).collect();
    let mut readers = vec![thread::spawn(move || {
        // A child that is gone does not read its list; what it did not run is run by the next one.
        let _ = stdin.take().map(|mut stdin| stdin.write_all(list.as_bytes()));
    })];
    let pipes: [Option<Box<dyn std::io::Read + Send>>; 2] =
        [child.stdout.take().map(|pipe| Box::new(pipe) as _), child.stderr.take().map(|pipe| Box::new(pipe) as _)];
    for pipe in pipes.into_iter().flatten() {
        let send = send.clone();
        readers.push(thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            let mut line = Vec::new();
            while pipe.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                if send.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                    break;
                }
                line.clear();
            }
        }));
    }
    drop(send);
    let mut outcomes = Vec::new();
    let mut text = String::new();
    let end = loop {
        match lines.recv_timeout(LIMIT) {
            Ok(line) if line.starts_with(BEGIN) => text.clear(),
            Ok(line) if line == PASSED => outcomes.push(Outcome::Passed),
            Ok(line) if line == FAILED => outcomes.push(Outcome::Failed(std::mem::take(&mut text))),
            Ok(line) if line.starts_with(SKIPPED) => outcomes.push(Outcome::Skipped(line[SKIPPED.len()..].to_owned())),
            Ok(line) => {
                text.push_str(&line);
                text.push('\n');
            }
            Err(RecvTimeoutError::Disconnected) => break "ended early",
            Err(RecvTimeoutError::Timeout) => {
                // A child that can not be killed has just ended.
                let _ = child.kill();
                break "made no progress";
            }
        }
    };
    let status = child.wait();
    for reader in readers {
        let _ = reader.join();
    }
    if let Some(job) = jobs.get(outcomes.len()) {
        let status = status.map_or_else(|e| e.to_string(), |status| status.to_string());
        let hlsl = print::hlsl(&generate(job.seed));
        outcomes.push(Outcome::Failed(format!("the runner {end} ({status})\n{text}\n{hlsl}")));
    }
    outcomes.truncate(jobs.len());
    outcomes
}

/// Sets environment variables for the Vulkan loader and the layer.
fn set(name: &str, value: &std::ffi::OsStr) {
    // SAFETY: this is the only thread: nothing here starts one before the first Vulkan instance is made.
    unsafe { std::env::set_var(name, value) };
}

/// The child's work: reads jobs from standard input, runs them, reports on standard output.
///
/// # Errors
/// There is no device to run anything on.
pub fn serve(layer_dir: &Path, driver: &str) -> Result<()> {
    let io = |e: std::io::Error| Error::Io(format!("the runner's pipes: {e}"));
    for (name, value) in layer::loader_environment(&Driver::named(driver), Some(layer_dir))? {
        set(name, &value);
    }
    set("VK_DXIL_TRANSLATE_BINDINGS", "register".as_ref());
    set("VK_DXIL_TRANSLATE_REGISTER_SHIFTS", "b=0,t=100,u=200,s=300,c=1000".as_ref());
    let context = match Context::new(&ContextOptions { dxil_layer: true, validation: false, no_robustness: false }) {
        Err(Error::Skip(reason)) => {
            std::io::stdin().lines().for_each(|_| println!("{SKIPPED}{reason}"));
            return Ok(());
        }
        context => context?,
    };
    let subgroup = subgroup_size(&context);
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(io)?;
        let mut words = line.splitn(3, ' ');
        let (Some(Ok(seed)), Some(level), Some(path)) = (words.next().map(str::parse), words.next(), words.next())
        else {
            return Err(Error::Io(format!("`{line}` is no job")));
        };
        writeln!(stdout, "{BEGIN}{seed} {level}").and_then(|()| stdout.flush()).map_err(io)?;
        let end = match one(&context, subgroup, seed, Path::new(path)) {
            Ok(()) => PASSED.to_owned(),
            Err(Error::Skip(reason)) => format!("{SKIPPED}{reason}"),
            Err(e) => format!("{e}\n{}\n{FAILED}", print::hlsl(&generate(seed))),
        };
        writeln!(stdout, "{end}").and_then(|()| stdout.flush()).map_err(io)?;
    }
    Ok(())
}

/// Lanes of a subgroup, of which all are full: the group's size is a multiple.
fn subgroup_size(context: &Context) -> usize {
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
    // SAFETY: the physical device belongs to the instance, and Vulkan 1.1 has the structure.
    unsafe { context.instance.get_physical_device_properties2(context.physical, &mut properties) };
    subgroup.subgroup_size as usize
}

fn one(context: &Context, subgroup: usize, seed: u32, path: &Path) -> Result<()> {
    let program = generate(seed);
    let source = path.with_extension("hlsl");
    let fixture = parse(&format!("control-flow/{seed}"), &source, &print::hlsl(&program))?;
    let bytes = fs::read(path).map_err(|e| Error::Io(format!("{}: {e}", path.display())))?;
    let code: Vec<_> = fixture.stages().map(|(_, stage)| Code::new(stage, &bytes)).collect();
    let heard = context.messages().len();
    let outputs = run(&fixture, context, &code);
    let messages: String = context.messages()[heard..]
        .iter()
        .filter(|message| message.severity == Severity::Error)
        .fold(String::new(), |all, message| format!("{all}\n    {}", message.text));
    let outputs = outputs.map_err(|e| match e {
        Error::Skip(_) => e,
        e => Error::Wrong(format!("{e}{messages}")),
    })?;
    if !messages.is_empty() {
        return Err(Error::Wrong(format!("errors were reported:{messages}")));
    }
    let [(_, got)] = outputs.as_slice() else { return Err(Error::Wrong("not one output".into())) };
    let want = interpret::outputs(&program, &generate::inputs(seed), subgroup, 4 * STEPS)
        .map_err(|_| Error::Wrong("the source takes too many steps at this subgroup size".into()))?;
    compare(got, &want, subgroup)
}

/// Compares all words; a difference is told for the first thread that has one.
fn compare(got: &[u32], want: &[u32], subgroup: usize) -> Result<()> {
    if got == want {
        return Ok(());
    }
    if got.len() != THREADS * OUTPUTS {
        return Err(Error::Wrong(format!("{} words of output", got.len())));
    }
    let differ: Vec<_> =
        got.chunks(OUTPUTS).zip(want.chunks(OUTPUTS)).enumerate().filter(|(_, (g, w))| g != w).collect();
    let mut text = format!("{} of {THREADS} threads differ (subgroups of {subgroup})", differ.len());
    if let Some((thread, (got, want))) = differ.first() {
        let _ = write!(text, "; first thread {thread}, lane {}:", thread % subgroup);
        for (name, words) in [("expected", want), ("got     ", got)] {
            let _ = write!(text, "\n  {name} {}", describe(words));
        }
    }
    Err(Error::Wrong(text))
}

/// One thread's words with their names.
fn describe(words: &[u32]) -> String {
    let (head, ring) = words.split_at(OUTPUTS - 2 * TRACES);
    // What the driver wrote may be anything.
    let count = (head[1] as usize).saturating_sub(TRACES);
    let mut text = format!("hash {:#010x}, {count} traces, variables {:x?}, last traces", head[0], &head[2..6]);
    for index in count.saturating_sub(TRACES)..count {
        let at = index % TRACES * 2;
        let _ = write!(text, " {}:{:#x}", ring[at], ring[at + 1]);
    }
    text
}

const _: () = assert!(INPUTS == 4, "the printer loads four words");
