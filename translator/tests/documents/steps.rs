//! The steps that the surrounding scripts/test.sh has run, from the list that it writes.

use std::path::PathBuf;
use std::{env, fs};

use crate::workspace::Names;

/// A step: whether it passed, what it printed, and its command.
struct Step {
    passed: bool,
    log: PathBuf,
    command: String,
}

/// All steps until now.
pub struct Steps(Vec<Step>);

impl Steps {
    /// Reads the list of this run of the script. There is none without the script.
    pub fn read() -> Option<Self> {
        let list = fs::read_to_string(env::var_os("DXIL_TEST_STEPS")?).ok()?;
        let mut lines = list.lines();
        // The variable may be left over from another run, whose list was replaced.
        if lines.next() != env::var("DXIL_TEST_RUN").ok().as_deref() {
            return None;
        }
        let steps = lines.filter_map(|line| {
            let mut fields = line.splitn(3, '\t');
            let mut next = || fields.next();
            Some(Step { passed: next()? == "0", log: next()?.into(), command: next()?.into() })
        });
        Some(Self(steps.collect()))
    }

    /// Whether the run installs what it needs.
    pub fn with_setup(&self) -> bool {
        self.0.iter().any(|step| step.command.starts_with("scripts/setup.sh"))
    }

    /// Whether a step ran a command of the documents, and it passed and printed what it must show.
    /// The result is the step's own command.
    pub fn check(&self, command: &str, names: &Names, shows: &[&str]) -> Result<String, String> {
        if let Some(options) = command.strip_prefix("scripts/test.sh") {
            // This program is a step of it.
            let is_slow = self.0.iter().any(|step| step.command.contains("--ignored"));
            let is_this = options.is_empty() || is_slow;
            return is_this.then(|| "this run of it".into()).ok_or_else(|| format!("it runs without{options}"));
        }
        let words: Vec<&str> = command.split(' ').collect();
        let (step, program) = if let Some(arguments) = command.strip_prefix("cargo test -p dxil-tests --test fixtures")
        {
            (format!("fixtures{}", arguments.strip_prefix(" --").unwrap_or_default()), &[][..])
        } else if command.starts_with("cargo test -p dxil-tests ") {
            (command.replace(" -p ", " --quiet --package "), &[][..])
        } else if command.starts_with("cargo test ") && !words.contains(&"--release") {
            ("unit_and_integration_tests".into(), &words[2..])
        } else if command.starts_with("RUSTDOCFLAGS=") {
            (format!("env {}", command.replace('"', "")), &[][..])
        } else {
            (command.replace(" -p ", " --package "), &[][..])
        };
        // A step may have the words of the command and then options that keep what it makes.
        let is_of = |found: &&Step| {
            let rest = found.command.strip_prefix(&step);
            rest.is_some_and(|rest| {
                rest.is_empty() || rest.starts_with(" --keep ") || [" --slow", " --quiet"].contains(&rest)
            })
        };
        let found = self.0.iter().find(is_of).ok_or_else(|| format!("no step of scripts/test.sh is `{step}`"))?;
        if !found.passed {
            return Err(format!("the step `{step}` failed: {}", found.log.display()));
        }
        let log = fs::read_to_string(&found.log).map_err(|error| format!("{}: {error}", found.log.display()))?;
        let programs = names.test_programs(program)?;
        for text in programs.iter().map(String::as_str).chain(shows.iter().copied()) {
            if !log.contains(text) {
                return Err(format!("{} does not have `{text}`", found.log.display()));
            }
        }
        // A word after the program's name selects tests by their names.
        let selected = program.windows(3).find(|words| words[0] == "--test" && !words[2].starts_with('-'));
        let is_run = |line: &str, name: &str| line.starts_with("test ") && line.contains(name) && line.ends_with(" ok");
        // Programs of several packages have one name, and the log does not say the package.
        let mut runs = programs.first().into_iter().flat_map(|line| log.split(line.as_str()).skip(1));
        let has = |run: &str, name: &str| {
            run.lines().take_while(|line| !line.trim().starts_with("Running ")).any(|line| is_run(line, name))
        };
        if let Some(words) = selected.filter(|words| !runs.any(|run| has(run, words[2]))) {
            return Err(format!("{} has no test `{}` that passed", found.log.display(), words[2]));
        }
        Ok(format!("the step `{}`", found.command))
    }
}
