//! Runs many compiled programs on one device, in child processes.
//!
//! The parent ([`run_all`]) hands each child a list of jobs. The child ([`serve`]) creates one
//! device, runs the jobs one after another, and reports the start and the outcome of each. If a
//! child dies or hangs, the job that it had begun fails, and a new child continues with the next
//! job.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{fs, thread};

use ash::vk;
use dxil_test_support::set_environment;
use dxil_tests::error::{Error, Result};
use dxil_tests::layer::{self, Driver};
use dxil_tests::run::{Code, run};
use dxil_tests::spec::parse::parse;
use dxil_tests::vulkan::{Context, ContextOptions};
use dxil_vulkan::Severity;

use crate::{INPUTS, OUTPUTS, STEPS, THREADS, TRACES, generate, interpret, print};

/// One compiled program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The seed that the program is made from.
    pub seed: u32,
    /// The compiler's optimisation level without the dash, or [`SPIRV`](crate::SPIRV).
    pub level: String,
    /// The file with the compiled form.
    pub code: PathBuf,
}

impl Job {
    /// The name of the job in reports.
    #[must_use]
    pub fn name(&self) -> String {
        format!("control-flow/{}.{}", self.seed, self.level)
    }
}

/// The way in which a job failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The job ran and wrote wrong words.
    Words,
    /// The job ran and wrote wrong words, on a driver that overwrites the values of lanes that have
    /// left a loop in the loop's later iterations. DXC's own SPIR-V of a short shader shows that
    /// fault (`probes/left-loop.hlsl`).
    WordsOverwritten,
    /// A Vulkan command failed, or errors were reported.
    Command,
    /// The process died, hung or took too long.
    Process,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Every word is right.
    Passed,
    /// The job failed, with a report.
    Failed(Failure, String),
    /// The driver cannot run the job, for this reason.
    Skipped(String),
}

// The lines of a child's protocol, or how they begin. All other lines are text of the current job's
// report.
const BEGIN: &str = "@begin ";
const PASSED: &str = "@passed";
const FAILED: [(&str, Failure); 3] =
    [("@words", Failure::Words), ("@overwritten", Failure::WordsOverwritten), ("@command", Failure::Command)];
const SKIPPED: &str = "@skipped ";

/// If a child prints nothing for this long, the parent checks whether it is still working.
const SILENCE: Duration = Duration::from_secs(60);
/// The limit of one job, in processor time of all its threads, so that other load on the machine
/// does not count. The limit is generous because lavapipe unrolls loops: a function with a loop
/// nest that is inlined eight times compiles for half a minute, from DXC's SPIR-V as well.
const LIMIT: Duration = Duration::from_secs(300);

/// What lavapipe makes of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DriverCode {
    /// The code that an application gets.
    Optimised,
    /// Code that LLVM's optimiser has not seen.
    Unoptimised,
    /// The same, for subgroups of four lanes instead of eight.
    FourLanes,
}

/// Runs the jobs in up to `children` parallel processes of `program`. The outcomes are in the order
/// of the jobs. Unless `optimised`, lavapipe compiles shaders without LLVM's optimiser, and those
/// without wave operations for subgroups of four lanes instead of eight.
#[must_use]
pub fn run_all(
    program: &Path,
    layer_dir: &Path,
    driver: &str,
    jobs: &[Job],
    children: usize,
    optimised: bool,
) -> Vec<Outcome> {
    let code = |job: &Job| match optimised {
        true => DriverCode::Optimised,
        false if generate(job.seed).is_tangled() => DriverCode::Unoptimised,
        false => DriverCode::FourLanes,
    };
    // All jobs of a child get the same code, and each thread has as many of a kind as the others.
    let mut all: Vec<(DriverCode, usize)> = jobs.iter().map(code).zip(0..).collect();
    all.sort_unstable();
    let run = |share: Vec<(DriverCode, usize)>| {
        let mut outcomes = Vec::new();
        while let Some(&(code, _)) = share.get(outcomes.len()) {
            let rest = share[outcomes.len()..].iter().take_while(|job| job.0 == code);
            let rest: Vec<_> = rest.map(|&(_, index)| jobs[index].clone()).collect();
            outcomes.extend(child(program, layer_dir, driver, &rest, code));
        }
        share.into_iter().map(|(_, index)| index).zip(outcomes).collect::<Vec<_>>()
    };
    let mut outcomes = thread::scope(|scope| {
        let shares = (0..children).map(|first| all.iter().skip(first).step_by(children).copied().collect());
        let threads: Vec<_> = shares.map(|share| scope.spawn(|| run(share))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a worker does not panic")).collect::<Vec<_>>()
    });
    outcomes.sort_unstable_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Gives a child its jobs, and returns its lines as they come, with the threads that do so.
fn talk(child: &mut Child, jobs: &[Job]) -> (Receiver<String>, Vec<thread::JoinHandle<()>>) {
    let (send, lines) = channel();
    let mut stdin = child.stdin.take();
    let list: String = jobs.iter().map(|job| format!("{} {} {}\n", job.seed, job.level, job.code.display())).collect();
    let mut readers = vec![thread::spawn(move || {
        // Writing fails if the child has ended. The next child gets the jobs that are left.
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
    (lines, readers)
}

/// Follows a child until its lines end, or until it is stopped. Returns the outcomes, the text
/// after the last one, and how the child ended.
fn follow(child: &mut Child, lines: &Receiver<String>) -> (Vec<Outcome>, String, &'static str) {
    let mut outcomes = Vec::new();
    let mut text = String::new();
    // The child's processor time when the job began, and at the last check.
    let mut begun = Duration::ZERO;
    let mut seen = Duration::ZERO;
    let end = loop {
        match lines.recv_timeout(SILENCE) {
            Ok(line) if line.starts_with(BEGIN) => {
                text.clear();
                begun = processor_time(child.id()).unwrap_or_default();
                seen = begun;
            }
            Ok(line) if line == PASSED => outcomes.push(Outcome::Passed),
            Ok(line) if line.starts_with(SKIPPED) => outcomes.push(Outcome::Skipped(line[SKIPPED.len()..].to_owned())),
            Ok(line) => match FAILED.iter().find(|(name, _)| *name == line) {
                Some(&(_, failure)) => outcomes.push(Outcome::Failed(failure, std::mem::take(&mut text))),
                None => {
                    text.push_str(&line);
                    text.push('\n');
                }
            },
            Err(RecvTimeoutError::Disconnected) => break "ended early",
            Err(RecvTimeoutError::Timeout) => {
                let now = processor_time(child.id()).unwrap_or(seen);
                let what = if now.saturating_sub(seen) < SILENCE / 60 {
                    "hangs"
                } else if now.saturating_sub(begun) > LIMIT {
                    "takes too long"
                } else {
                    seen = now;
                    continue;
                };
                // Killing fails only if the child has just ended.
                let _ = child.kill();
                break what;
            }
        }
    };
    (outcomes, text, end)
}

/// Runs jobs in one child until all are done or the child has ended. Returns at least one outcome.
fn child(program: &Path, layer_dir: &Path, driver: &str, jobs: &[Job], code: DriverCode) -> Vec<Outcome> {
    let mut command = Command::new(program);
    command.arg("serve").arg(layer_dir).arg(driver);
    if code != DriverCode::Optimised {
        // Mesa, "Environment Variables", `GALLIVM_PERF`.
        command.env("GALLIVM_PERF", "nopt");
    }
    if code == DriverCode::FourLanes {
        command.envs(layer::four_lanes(&Driver::named(driver)).unwrap_or_default());
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(e) => {
            return jobs
                .iter()
                .map(|_| Outcome::Failed(Failure::Process, format!("cannot start {}: {e}", program.display())))
                .collect();
        }
    };
    let (lines, readers) = talk(&mut child, jobs);
    let (mut outcomes, text, end) = follow(&mut child, &lines);
    let status = child.wait();
    for reader in readers {
        let _ = reader.join();
    }
    if let Some(job) = jobs.get(outcomes.len()) {
        let status = status.map_or_else(|e| e.to_string(), |status| status.to_string());
        let hlsl = print::hlsl(&generate(job.seed));
        let text = format!("the child process {end} ({status})\n{text}\n{hlsl}");
        outcomes.push(Outcome::Failed(Failure::Process, text));
    }
    outcomes.truncate(jobs.len());
    outcomes
}

/// The processor time that a process has used, from Linux's `/proc/PID/stat` (proc(5)).
fn processor_time(process: u32) -> Option<Duration> {
    /// The kernel's clock ticks per second in `/proc` (USER_HZ).
    const TICKS: u64 = 100;
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // User and system time are fields 14 and 15. Field 2, the name, is in parentheses and may
    // contain blanks.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}

/// The work of a child: reads jobs from standard input, runs them, and reports on standard output.
///
/// # Errors
/// If there is no device, or standard input or output fails.
pub fn serve(layer_dir: &Path, driver: &str) -> Result<()> {
    let io = |e: std::io::Error| Error::Io(format!("standard input or output: {e}"));
    set_environment(layer::loader_environment(&Driver::named(driver), Some(layer_dir))?);
    set_environment([
        ("VK_DXIL_TRANSLATE_BINDINGS", "register"),
        ("VK_DXIL_TRANSLATE_REGISTER_SHIFTS", "b=0,t=100,u=200,s=300,c=1000"),
    ]);
    let context = match Context::new(&ContextOptions { dxil_layer: true, ..ContextOptions::default() }) {
        Err(Error::Skip(reason)) => {
            std::io::stdin().lines().for_each(|_| println!("{SKIPPED}{reason}"));
            return Ok(());
        }
        context => context?,
    };
    let subgroup = subgroup_size(&context);
    let mut overwrites = None;
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(io)?;
        let mut words = line.splitn(3, ' ');
        let (Some(Ok(seed)), Some(level), Some(path)) = (words.next().map(str::parse), words.next(), words.next())
        else {
            return Err(Error::Io(format!("malformed job `{line}`; expected `SEED LEVEL FILE`")));
        };
        writeln!(stdout, "{BEGIN}{seed} {level}").and_then(|()| stdout.flush()).map_err(io)?;
        let failed = |text: String, failure| {
            let name = FAILED.iter().find(|(_, of)| *of == failure).map_or("", |(name, _)| name);
            format!("{text}\n{}\n{name}", print::hlsl(&generate(seed)))
        };
        let end = match one(&context, subgroup, seed, Path::new(path)) {
            Ok(None) => PASSED.to_owned(),
            Ok(Some(difference)) => {
                let known = match overwrites {
                    Some(known) => known,
                    None => overwrites_left_lanes(&context)?,
                };
                overwrites = Some(known);
                failed(difference, if known { Failure::WordsOverwritten } else { Failure::Words })
            }
            Err(Error::Skip(reason)) => format!("{SKIPPED}{reason}"),
            Err(e) => failed(e.to_string(), Failure::Command),
        };
        writeln!(stdout, "{end}").and_then(|()| stdout.flush()).map_err(io)?;
    }
    Ok(())
}

/// The number of lanes in a subgroup. All subgroups are full, because [`GROUP`](crate::GROUP) is a
/// multiple of it.
fn subgroup_size(context: &Context) -> usize {
    let instance = &context.gpu.instance;
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
    // SAFETY: the physical device belongs to the instance, and Vulkan 1.1, which the context
    // requires, has both the command and the chained structure.
    unsafe { instance.handle.get_physical_device_properties2(instance.physical, &mut properties) };
    subgroup.subgroup_size as usize
}

/// Whether the driver has the fault that lanes which have left a loop get the values of its later
/// iterations. The probe runs DXC's SPIR-V, so the translator has no part in it.
fn overwrites_left_lanes(context: &Context) -> Result<bool> {
    let source = include_str!("../probes/left-loop.hlsl");
    let fixture = parse("control-flow/left-loop", Path::new("left-loop.hlsl"), source)?;
    let bytes = include_bytes!("../probes/left-loop.spv");
    let code: Vec<_> = fixture.stages().map(|(_, stage)| Code::new(stage, bytes)).collect();
    let outputs = run(&fixture, context, &code)?;
    Ok(outputs.iter().any(|(_, words)| words.chunks_exact(2).any(|pair| pair[0] != pair[1])))
}

/// Runs one job. Returns how its words differ from the source's, or `None` if they are equal.
fn one(context: &Context, subgroup: usize, seed: u32, path: &Path) -> Result<Option<String>> {
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
    let [(_, got)] = outputs.as_slice() else {
        return Err(Error::Wrong(format!("expected one output, found {}", outputs.len())));
    };
    let want = interpret::outputs(&program, &generate::inputs(seed), subgroup, 4 * STEPS)
        .map_err(|_| Error::Wrong(format!("the source executes too many statements with subgroups of {subgroup}")))?;
    Ok(compare(got, &want, subgroup))
}

/// Compares all words. Describes the first thread whose words differ.
fn compare(got: &[u32], want: &[u32], subgroup: usize) -> Option<String> {
    if got == want {
        return None;
    }
    if got.len() != THREADS * OUTPUTS {
        return Some(format!("expected {} words of output, found {}", THREADS * OUTPUTS, got.len()));
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
    Some(text)
}

/// The words of one thread with their names.
fn describe(words: &[u32]) -> String {
    let (head, ring) = words.split_at(OUTPUTS - 2 * TRACES);
    // The driver may have written any value, so the subtraction must not overflow.
    let count = (head[1] as usize).saturating_sub(TRACES);
    let mut text = format!("hash {:#010x}, {count} traces, variables {:x?}, last traces", head[0], &head[2..6]);
    for index in count.saturating_sub(TRACES)..count {
        let at = index % TRACES * 2;
        let _ = write!(text, " {}:{:#x}", ring[at], ring[at + 1]);
    }
    text
}

const _: () = assert!(INPUTS == 4, "the HLSL that `print` writes loads four words");
