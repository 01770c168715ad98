//! Which translations and which tests come by each mutant.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::child::run;
use crate::scratch::{Scratch, TestProgram};

/// What the tests of a program have to do with a mutant.
#[derive(Default)]
pub struct Covering {
    /// The tests whose own thread comes by.
    pub tests: BTreeSet<String>,
    /// Whether another thread or process comes by, so that any test could be its cause.
    pub other: bool,
}

/// What a run without a mutant shows.
#[derive(Default)]
pub struct Survey {
    /// The file with the jobs of translation and digests of their results.
    pub base: PathBuf,
    /// The number of jobs for the device that runs them, which are the first ones.
    pub own: usize,
    /// The jobs that come by each mutant.
    pub jobs: BTreeMap<usize, Vec<usize>>,
    /// For each mutant the test programs that come by it, by their numbers.
    pub tests: BTreeMap<usize, BTreeMap<usize, Covering>>,
}

/// The lines `NUMBER THREAD` of a trace.
fn trace(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(|(number, thread)| Some((number.parse().ok()?, thread.to_owned()))).collect()
}

/// Names the programs of a survey, with their sizes and times.
fn key(scratch: &Scratch, programs: &[TestProgram]) -> Result<String> {
    let words = scratch.program("mutant-words");
    let paths = programs.iter().map(|program| &program.path).chain([&words]);
    let of = |path: &PathBuf| {
        let data = path.metadata()?;
        let time = data.modified()?.duration_since(std::time::UNIX_EPOCH).map_err(Error::other)?;
        Ok(format!("{}:{}:{}", path.display(), data.len(), time.as_nanos()))
    };
    Ok(paths.map(of).collect::<Result<Vec<_>>>()?.join(" "))
}

impl Survey {
    /// A survey of these programs, with their slow tests or without: an earlier run's, or
    /// a new one.
    pub fn new(
        scratch: &Scratch,
        programs: &[TestProgram],
        thorough: bool,
        command: impl Fn(&TestProgram) -> Command,
    ) -> Result<Self> {
        let file = scratch.folder.join(if thorough { "survey-thorough.txt" } else { "survey.txt" });
        let key = key(scratch, programs)?;
        let base = scratch.folder.join("words.base");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Some((before, lines)) = text.split_once('\n')
            && before == key
        {
            return Self::read(base, lines).ok_or_else(|| Error::other(format!("{} is damaged", file.display())));
        }
        println!("running {} test programs and all translations without a mutant", programs.len());
        let mut survey = Self { base, ..Self::default() };
        survey.translations(scratch)?;
        survey.test_programs(scratch, programs, command)?;
        std::fs::write(&file, format!("{key}\n{}", survey.lines()))?;
        Ok(survey)
    }

    fn translations(&mut self, scratch: &Scratch) -> Result<()> {
        let traced = scratch.folder.join("trace");
        let _ = std::fs::remove_file(&traced);
        let output = Command::new(scratch.program("mutant-words")).env("MUTANT_TRACE", &traced).output()?;
        if !output.status.success() {
            return Err(Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        std::fs::write(&self.base, &output.stdout)?;
        let text = String::from_utf8_lossy(&output.stdout);
        self.own = text.lines().filter(|line| line.contains("@run ")).count();
        for (number, thread) in trace(&traced) {
            let job = thread.parse().map_err(|_| Error::other(format!("a job's thread is called {thread}")))?;
            self.jobs.entry(number).or_default().push(job);
        }
        for jobs in self.jobs.values_mut() {
            jobs.sort_unstable();
            jobs.dedup();
        }
        Ok(())
    }

    fn test_programs(
        &mut self,
        scratch: &Scratch,
        programs: &[TestProgram],
        command: impl Fn(&TestProgram) -> Command,
    ) -> Result<()> {
        let traced = scratch.folder.join("trace");
        let mut broken = 0;
        for (at, program) in programs.iter().enumerate() {
            let list = command(program).arg("--list").output()?;
            let list = String::from_utf8_lossy(&list.stdout).into_owned();
            let tests: BTreeSet<&str> = list.lines().filter_map(|line| line.strip_suffix(": test")).collect();
            let mut traced_run = command(program);
            traced_run.env("MUTANT_TRACE", &traced);
            let passed = matches!(run(traced_run, ""), Some((Some(0), _)));
            let lines = trace(&traced);
            if !passed {
                println!("not used: the test program {} fails without a mutant", program.name);
                broken += 1;
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
        if broken * 4 > programs.len() {
            return Err(Error::other("more than a quarter of the test programs fail without a mutant"));
        }
        Ok(())
    }

    fn lines(&self) -> String {
        let mut text = format!("own {}\n", self.own);
        for (number, jobs) in &self.jobs {
            let jobs: Vec<String> = jobs.iter().map(usize::to_string).collect();
            text.push_str(&format!("jobs {number} {}\n", jobs.join(" ")));
        }
        for (number, programs) in &self.tests {
            for (at, covering) in programs {
                let tests: Vec<&str> = covering.tests.iter().map(String::as_str).collect();
                text.push_str(&format!("tests {number} {at} {} {}\n", covering.other, tests.join(" ")));
            }
        }
        text
    }

    fn read(base: PathBuf, lines: &str) -> Option<Self> {
        let mut survey = Self { base, ..Self::default() };
        for line in lines.lines() {
            let (kind, rest) = line.split_once(' ')?;
            let mut words = rest.split_whitespace();
            let number = words.next()?.parse().ok()?;
            match kind {
                "own" => survey.own = number,
                "jobs" => {
                    let jobs = words.map(str::parse).collect::<std::result::Result<_, _>>().ok()?;
                    survey.jobs.insert(number, jobs);
                }
                _ => {
                    let (at, other) = (words.next()?.parse().ok()?, words.next()? == "true");
                    let covering = Covering { tests: words.map(str::to_owned).collect(), other };
                    survey.tests.entry(number).or_default().insert(at, covering);
                }
            }
        }
        Some(survey)
    }
}
