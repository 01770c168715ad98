//! Decides whether a test of the project notices a mutant, the cheapest tests first.

use std::io::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::child::{limited, run};
use crate::scratch::{Scratch, TestProgram};
use crate::survey::Survey;

/// The number of translations that are repeated, of those that may differ, and of fixtures and
/// control-flow programs with other words that run, before a mutant counts as one that they do not
/// notice. Survivors are judged again without these numbers.
const TRANSLATIONS: usize = 300;
const DIFFERENT: usize = 40;
const RUNS: usize = 6;

/// Parts of the names of tests that take seconds. They judge only what survived.
const SLOW_TESTS: [&str; 9] = [
    "container_oracle::",
    "embedded::",
    "lane_sets",
    "limits_doc::",
    "ops_doc::",
    "random_graphs",
    "requests::",
    "root_signatures::",
    "time_grows",
];

/// Parts of the names of fixtures that take seconds. They run where no other fixture has other
/// words, and for what survived.
const SLOW_FIXTURES: [&str; 5] = ["content/", "payloads/", "query/programs", "query/generated", "random_scene"];

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

/// The judge of all mutants.
pub struct Judge<'a> {
    scratch: &'a Scratch,
    repository: PathBuf,
    programs: Vec<TestProgram>,
    /// Whether slow tests run, and every fixture with other words.
    thorough: bool,
    survey: Survey,
}

impl<'a> Judge<'a> {
    /// The judge with these test programs, and a survey of an earlier run if it is about the same
    /// programs.
    pub fn new(scratch: &'a Scratch, repository: &Path, programs: Vec<TestProgram>, thorough: bool) -> Result<Self> {
        let survey = Survey::new(scratch, &programs, thorough, |program| test_program(scratch, program, 0, thorough))?;
        Ok(Self { scratch, repository: repository.to_owned(), programs, thorough, survey })
    }

    /// Judges a mutant.
    pub fn judge(&self, number: usize) -> Verdict {
        let jobs = self.survey.jobs.get(&number);
        let changed = match jobs.map_or(Ok(Vec::new()), |jobs| self.translate(number, jobs)) {
            Ok(changed) => changed,
            Err(why) => return Verdict::Killed(why),
        };
        let runs = if self.thorough { usize::MAX } else { RUNS };
        let fails = self.fixtures(number, &changed, runs).or_else(|| self.tests(number));
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

    /// Translates the jobs. Returns those with another result, each with its name and what it is;
    /// an error is one that a test of `dxil-validate` has as well.
    fn translate(&self, number: usize, jobs: &[usize]) -> std::result::Result<Vec<String>, String> {
        let mut words = limited(&self.scratch.program("mutant-words"));
        let (count, different) = if self.thorough { (usize::MAX, usize::MAX) } else { (TRANSLATIONS, DIFFERENT) };
        words.arg(&self.survey.base).arg(different.to_string()).env("MUTANT", number.to_string());
        let jobs = mixed(jobs, self.survey.own);
        let input: String = jobs.iter().take(count).map(|job| format!("{job}\n")).collect();
        let Some((code, said)) = run(words, &input) else {
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
        for (&at, covering) in self.survey.tests.get(&number)? {
            let program = &self.programs[at];
            let mut command = test_program(self.scratch, program, number, self.thorough);
            if !covering.other {
                command.arg("--exact").args(&covering.tests);
            }
            match run(command, "") {
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
        let jobs = changed.iter().filter_map(|line| line.split_once(".hlsl@run ")).map(|job| job.0);
        let is_slow = |name: &&str| SLOW_FIXTURES.iter().any(|of| name.contains(of));
        let (slow, quick): (Vec<&str>, Vec<&str>) = jobs.partition(is_slow);
        let jobs = if self.thorough || quick.is_empty() { [quick, slow].concat() } else { quick };
        for name in spread(&jobs, runs) {
            let mut fixture = limited(&self.scratch.program("dxil-run-fixture"));
            fixture.arg(self.repository.join("tests").join(format!("{name}.hlsl")));
            fixture.arg("--layer-dir").arg(self.scratch.layer()).env("MUTANT", number.to_string());
            match run(fixture, "") {
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
        match run(serve, &input) {
            Some((Some(0), said)) if said.lines().filter(|line| is_good(line)).count() == jobs.len() => None,
            Some((Some(0), _)) => Some("a control-flow program writes other words".to_owned()),
            _ => Some("control-flow programs end the process".to_owned()),
        }
    }
}

/// A test program that runs with a mutant.
fn test_program(scratch: &Scratch, program: &TestProgram, number: usize, thorough: bool) -> Command {
    let mut command = limited(&program.path);
    command.current_dir(scratch.folder.join("translator")).env("MUTANT", number.to_string()).arg("--quiet");
    if !thorough {
        command.args(SLOW_TESTS.iter().flat_map(|test| ["--skip", test]));
    }
    command
}

/// Whether a line of `dxil-control-flow serve` says that a program passed or was skipped.
fn is_good(line: &str) -> bool {
    line == "@passed" || line.starts_with("@skipped ")
}

/// Jobs in an order in which neighbours have little in common, those below `own` and others in
/// turn.
fn mixed(jobs: &[usize], own: usize) -> Vec<usize> {
    let mut jobs = jobs.to_vec();
    jobs.sort_by_key(|job| job.wrapping_mul(40_503) & 0xffff);
    let (first, second): (Vec<usize>, Vec<usize>) = jobs.into_iter().partition(|&job| job < own);
    let mut turns: Vec<(usize, usize)> = first.into_iter().enumerate().collect();
    turns.extend(second.into_iter().enumerate());
    turns.sort_by_key(|turn| turn.0);
    turns.into_iter().map(|turn| turn.1).collect()
}

/// At most `count` items, spread over all.
fn spread<'a>(items: &[&'a str], count: usize) -> Vec<&'a str> {
    let kept = items.len().min(count);
    (0..kept).map(|at| items[at * items.len() / kept]).collect()
}
