//! Decides whether a test of the project notices a mutant, the cheapest tests first.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Read, Result, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::scratch::{Scratch, TestProgram};

/// The time for all translations that come by a mutant, for a test program, or for a fixture. A job
/// of translation has a limit of its own.
const LONGEST: Duration = Duration::from_secs(600);
/// The memory of a child, in KiB.
const MEMORY: &str = "8388608";
/// The number of fixtures and of control-flow programs with other words that run before a mutant
/// counts as one that they do not notice.
const RUNS: usize = 48;

/// Test programs that take more than ten seconds, and tests of others. They judge only what survived.
const SLOW_PROGRAMS: [&str; 5] = ["container_oracle", "limits_doc", "llvm_dis", "ops_doc", "requests"];
const SLOW_TESTS: [&str; 2] = ["lane_sets", "random_graphs"];

/// Whether a mutant was noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A test fails.
    Killed(String),
    /// No translation comes by the place, and no unit test that does so fails.
    Uncovered,
    /// All words are the same, and no test fails.
    Same,
    /// Words or errors change, and no test fails.
    Differs(String),
}

impl Verdict {
    /// The verdict as two columns of the file of results.
    pub fn columns(&self) -> (&'static str, &str) {
        match self {
            Self::Killed(why) => ("killed", why),
            Self::Uncovered => ("uncovered", ""),
            Self::Same => ("same", ""),
            Self::Differs(what) => ("differs", what),
        }
    }
}

/// What the tests of a program have to do with a mutant.
#[derive(Default)]
struct Covering {
    /// The tests whose own thread comes by.
    tests: BTreeSet<String>,
    /// Whether another thread or process comes by, so that any test could be its cause.
    other: bool,
}

/// The judge of all mutants.
pub struct Judge<'a> {
    scratch: &'a Scratch,
    repository: PathBuf,
    programs: Vec<TestProgram>,
    /// Whether slow tests run, and every fixture with other words.
    thorough: bool,
    base: PathBuf,
    /// The jobs that come by each mutant.
    jobs: BTreeMap<usize, Vec<usize>>,
    /// For each mutant the test programs that come by it.
    tests: BTreeMap<usize, BTreeMap<usize, Covering>>,
}

/// A child with limited memory.
fn limited(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY}; ulimit -c 0; exec \"$0\" \"$@\"")]).arg(program);
    command
}

/// Runs a program with a time limit. Returns its exit code and what it said; `None` if it was ended.
fn run(mut command: Command, input: &str, limit: Duration) -> Option<(Option<i32>, String)> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stdout.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(input.as_bytes());
    }
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    Some((status.code(), reader.join().unwrap_or_default()))
}

/// The lines `NUMBER THREAD` of a trace.
fn trace(path: &Path) -> Result<Vec<(usize, String)>> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    Ok(lines.filter_map(|(number, thread)| Some((number.parse().ok()?, thread.to_owned()))).collect())
}

impl<'a> Judge<'a> {
    /// Runs all jobs and test programs without a mutant, and notes which of them come by each mutant.
    pub fn survey(
        scratch: &'a Scratch,
        repository: &Path,
        mut programs: Vec<TestProgram>,
        thorough: bool,
    ) -> Result<Self> {
        programs.retain(|program| thorough || !SLOW_PROGRAMS.contains(&program.name.as_str()));
        let (base, traced) = (scratch.folder.join("words.base"), scratch.folder.join("trace"));
        let _ = std::fs::remove_file(&traced);
        let output = Command::new(scratch.program("mutant-words")).env("MUTANT_TRACE", &traced).output()?;
        if !output.status.success() {
            return Err(Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        std::fs::write(&base, &output.stdout)?;
        let mut jobs: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (number, thread) in trace(&traced)? {
            let job = thread.parse().map_err(|_| Error::other(format!("a job's thread is called {thread}")))?;
            jobs.entry(number).or_default().insert(job);
        }
        let jobs = jobs.into_iter().map(|(number, jobs)| (number, jobs.into_iter().collect())).collect();
        let repository = repository.to_owned();
        let mut judge = Self { scratch, repository, programs, thorough, base, jobs, tests: BTreeMap::new() };
        judge.survey_tests(&traced)?;
        Ok(judge)
    }

    fn survey_tests(&mut self, traced: &Path) -> Result<()> {
        let mut broken = Vec::new();
        for (at, program) in self.programs.iter().enumerate() {
            let list = self.test_program(program, 0).arg("--list").output()?;
            let list = String::from_utf8_lossy(&list.stdout).into_owned();
            let tests: BTreeSet<&str> = list.lines().filter_map(|line| line.strip_suffix(": test")).collect();
            let mut traced_run = self.test_program(program, 0);
            traced_run.env("MUTANT_TRACE", traced);
            let passed = matches!(run(traced_run, "", LONGEST), Some((Some(0), _)));
            let lines = trace(traced)?;
            if !passed {
                println!("not used: the test program {} fails without a mutant", program.name);
                broken.push(at);
                continue;
            }
            for (number, thread) in lines {
                let covering = self.tests.entry(number).or_default().entry(at).or_default();
                if tests.contains(thread.as_str()) {
                    covering.tests.insert(thread);
                } else {
                    covering.other = true;
                }
            }
        }
        if broken.len() * 4 > self.programs.len() {
            return Err(Error::other("more than a quarter of the test programs fail without a mutant"));
        }
        Ok(())
    }

    fn test_program(&self, program: &TestProgram, number: usize) -> Command {
        let mut command = limited(&program.path);
        command.current_dir(self.scratch.folder.join("translator")).env("MUTANT", number.to_string());
        command.arg("--quiet");
        if !self.thorough {
            command.args(SLOW_TESTS.iter().flat_map(|test| ["--skip", test]));
        }
        command
    }

    /// Judges a mutant.
    pub fn judge(&self, number: usize) -> Verdict {
        let jobs = self.jobs.get(&number);
        let changed = match jobs.map_or(Ok(Vec::new()), |jobs| self.translate(number, jobs)) {
            Ok(changed) => changed,
            Err(why) => return Verdict::Killed(why),
        };
        let runs = if self.thorough { usize::MAX } else { RUNS };
        let fails = self.tests(number).or_else(|| self.fixtures(number, &changed, runs));
        match fails.or_else(|| self.control_flow(number, &changed, runs)) {
            Some(why) => Verdict::Killed(why),
            None if jobs.is_none() => Verdict::Uncovered,
            None if changed.is_empty() => Verdict::Same,
            None => {
                let names = changed.iter().take(4).map(String::as_str).collect::<Vec<_>>();
                Verdict::Differs(format!("{} translations: {}", changed.len(), names.join("; ")))
            }
        }
    }

    /// Translates the jobs. Returns those with another result, each with its name and what it is; an
    /// error is one that a test of `dxil-validate` has as well.
    fn translate(&self, number: usize, jobs: &[usize]) -> std::result::Result<Vec<String>, String> {
        let mut words = limited(&self.scratch.program("mutant-words"));
        words.arg(&self.base).env("MUTANT", number.to_string());
        let input: String = jobs.iter().map(|job| format!("{job}\n")).collect();
        let Some((code, said)) = run(words, &input, LONGEST) else {
            return Err("translations do not end".to_owned());
        };
        if code != Some(0) {
            return Err("a translation ends the process".to_owned());
        }
        for line in said.lines() {
            let (job, what) = line.split_once(' ').unwrap_or((line, ""));
            if ["panicked", "does not end", "invalid"].iter().any(|fault| what.starts_with(fault)) {
                return Err(line.chars().take(200).collect());
            }
            // `emitted` allows no refusal of a fixture for a device with everything, and for others
            // only that the device lacks a feature.
            let may =
                job.contains(".dxil@") || !job.ends_with("@everything") && what.starts_with("refused MissingFeature");
            // A device may also have fewer descriptor sets than the layout of the fixture.
            let sets = what.starts_with("refused Binding") && job.contains("@vulkan-");
            if what.starts_with("refused") && !may && !sets {
                return Err(line.chars().take(200).collect());
            }
        }
        Ok(said.lines().map(str::to_owned).collect())
    }

    /// Runs the translator's tests that come by. Returns which fails.
    fn tests(&self, number: usize) -> Option<String> {
        for (&at, covering) in self.tests.get(&number)? {
            let program = &self.programs[at];
            let mut command = self.test_program(program, number);
            if !covering.other {
                command.arg("--exact").args(&covering.tests);
            }
            match run(command, "", LONGEST) {
                Some((Some(0), _)) => {}
                Some((_, said)) => {
                    let failed = said.lines().find_map(|line| line.strip_prefix("---- ")?.strip_suffix(" stdout ----"));
                    return Some(format!("test of {}: {}", program.name, failed.unwrap_or("?")));
                }
                None => return Some(format!("test of {} does not end", program.name)),
            }
        }
        None
    }

    /// Runs fixtures with other words. Returns which fails.
    fn fixtures(&self, number: usize, changed: &[String], runs: usize) -> Option<String> {
        let jobs: Vec<&str> =
            changed.iter().filter_map(|line| line.split_once(".hlsl@run ")).map(|job| job.0).collect();
        for name in spread(&jobs, runs) {
            let mut fixture = limited(&self.scratch.program("dxil-run-fixture"));
            fixture.arg(self.repository.join("tests").join(format!("{name}.hlsl")));
            fixture.arg("--layer-dir").arg(self.scratch.layer()).env("MUTANT", number.to_string());
            match run(fixture, "", LONGEST) {
                // 77: the driver lacks what the fixture requires.
                Some((Some(0 | 77), _)) => {}
                _ => return Some(format!("fixture {name}")),
            }
        }
        None
    }

    /// Runs committed control-flow programs with other words. Returns which fails.
    fn control_flow(&self, number: usize, changed: &[String], runs: usize) -> Option<String> {
        let programs = changed.iter().filter_map(|line| line.strip_prefix("control-flow/programs/"));
        let programs: Vec<&str> = programs.filter_map(|line| Some(line.split_once(".dxil@")?.0)).collect();
        let jobs = spread(&programs, runs);
        if jobs.is_empty() {
            return None;
        }
        let job = |name: &&str| {
            let (seed, level) = name.split_once('.').unwrap_or((name, ""));
            let path = self.repository.join("tests/control-flow/programs").join(format!("{name}.dxil"));
            format!("{seed} {level} {}\n", path.display())
        };
        let input: String = jobs.iter().map(job).collect();
        let mut serve = limited(&self.scratch.program("dxil-control-flow"));
        serve.arg("serve").arg(self.scratch.layer()).arg("lavapipe").env("MUTANT", number.to_string());
        match run(serve, &input, LONGEST) {
            Some((Some(0), said)) if said.lines().filter(|line| is_good(line)).count() == jobs.len() => None,
            Some((Some(0), _)) => Some("a control-flow program writes other words".to_owned()),
            _ => Some("control-flow programs end the process".to_owned()),
        }
    }
}

/// Whether a line of `dxil-control-flow serve` says that a program passed or was skipped.
fn is_good(line: &str) -> bool {
    line == "@passed" || line.starts_with("@skipped ")
}

/// At most `count` items, spread over all.
fn spread<'a>(items: &[&'a str], count: usize) -> Vec<&'a str> {
    let kept = items.len().min(count);
    (0..kept).map(|at| items[at * items.len() / kept]).collect()
}
