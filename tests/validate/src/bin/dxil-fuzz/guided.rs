//! A campaign that coverage guides: inputs that reach new code are changed further, and those that
//! reach a place that nothing reached before are stored in a folder, each without what it does not
//! need for that.
//!
//! The containers of the repository and what the folder has already count as known. Files of the
//! folder that reach nothing besides those and smaller files are removed first. The cases depend on
//! those before them, so a case cannot be repeated by its number: the file with a fault's input is
//! what repeats it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use dxil_validate::promises::{Checker, Verdict};

use crate::arguments::Arguments;
use crate::check::CaseSource;
use crate::child::{self, Clock, caught};
use crate::coverage::Coverage;
use crate::record::{class, extension, smaller};
use crate::subject::{LONGEST, Subject};

/// The time to shrink one input.
const SHRINKING: Duration = Duration::from_secs(2);
/// The time between two lines of the report.
const REPORTING: Duration = Duration::from_secs(60);
/// The most inputs that are changed further because a place was reached more or less often.
const OFTEN: usize = 2_000;

struct Guided {
    source: CaseSource,
    checker: Checker,
    coverage: Coverage,
    kinds: BTreeMap<String, u64>,
    /// The number of stored inputs, and their bytes.
    kept: (usize, usize),
    /// The number of inputs that are changed further because of a number of times.
    often: usize,
}

impl Guided {
    /// Checks an input. The counters then have what it reaches.
    fn check(&mut self, subject: Subject, input: &[u8]) -> Verdict {
        Coverage::begin();
        caught(|| self.source.check_whole(&mut self.checker, subject, input))
    }

    /// A smaller input that reaches all of these places.
    fn shrunk(&mut self, subject: Subject, mut input: Vec<u8>, places: &[usize]) -> Vec<u8> {
        let end = Instant::now() + SHRINKING;
        let mut run = 64;
        while run > 0 && Instant::now() < end {
            let found = smaller(subject, &input, run).into_iter().find(|less| {
                Instant::now() < end
                    && less.len() < input.len()
                    && self.check(subject, less).fault.is_none()
                    && Coverage::reached(places)
            });
            match found {
                Some(less) => input = less,
                None => run /= 2,
            }
        }
        input
    }

    /// Stores an input without a fault, if it reaches something new.
    fn keep(&mut self, folder: &Path, subject: Subject, input: Vec<u8>) -> io::Result<()> {
        let new = self.coverage.new_in_run();
        if new.places.is_empty() {
            if new.counts && self.often < OFTEN {
                self.often += 1;
                self.coverage.take();
                self.source.learn(subject, &input);
            }
            return Ok(());
        }
        self.coverage.take();
        self.source.learn(subject, &input);
        let small = self.shrunk(subject, input, &new.places);
        let mut hasher = DefaultHasher::new();
        small.hash(&mut hasher);
        // A file that ends in `dxil` would be taken for a compiler's container.
        let name = format!("{:016x}.{}", hasher.finish(), subject.name());
        self.kept = (self.kept.0 + 1, self.kept.1 + small.len());
        std::fs::write(folder.join(name), &small)
    }

    fn report(&self, began: Instant) {
        let cases: u64 = self.kinds.values().sum();
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let ((reached, all), (kept, bytes)) = (self.coverage.size(), self.kept);
        println!(
            "after {} s: {cases} cases: {}; {reached} of {all} places reached; kept {kept} inputs with {bytes} bytes",
            began.elapsed().as_secs(),
            kinds.join(", ")
        );
    }
}

/// Runs a campaign, and keeps inputs in the folder.
pub fn run(arguments: &Arguments, folder: &Path) -> io::Result<ExitCode> {
    let Some(coverage) = Coverage::new() else {
        eprintln!("this build has no counters of coverage; `scripts/fuzz.sh --keep` makes one that has");
        return Ok(ExitCode::from(2));
    };
    child::keep_panics();
    std::fs::create_dir_all(folder)?;
    std::fs::create_dir_all(&arguments.out)?;
    let (source, checker) = (CaseSource::new(arguments), Checker::new());
    let mut guided = Guided { source, checker, coverage, kinds: BTreeMap::new(), kept: (0, 0), often: 0 };
    for (subject, input) in guided.source.samples() {
        guided.check(subject, &input);
        guided.coverage.take();
    }
    for (path, subject, input) in files(folder)? {
        guided.check(subject, &input);
        if guided.coverage.new_in_run().places.is_empty() {
            std::fs::remove_file(path)?;
            continue;
        }
        guided.coverage.take();
        guided.source.learn(subject, &input);
        guided.kept = (guided.kept.0 + 1, guided.kept.1 + input.len());
    }
    let (began, clock) = (Instant::now(), Clock::new());
    guided.report(began);
    let end = arguments.minutes.map(|minutes| began + Duration::from_secs_f64(minutes * 60.0));
    let mut reported = began;
    let mut faults: BTreeMap<String, u64> = BTreeMap::new();
    for case in arguments.first..arguments.end() {
        if end.is_some_and(|end| Instant::now() > end) {
            break;
        }
        let subject = guided.source.subject(case);
        let (_, input) = guided.source.make(case);
        // What ends the process is found here.
        let file = arguments.out.join(format!("{}.guided.{}", arguments.seed, extension(subject)));
        std::fs::write(&file, &input)?;
        let before = clock.now();
        let Verdict { kind, mut fault } = guided.check(subject, &input);
        let time = clock.now().saturating_sub(before);
        *guided.kinds.entry(kind).or_default() += 1;
        if time > LONGEST {
            fault = fault.or(Some(format!("takes {time:?}, longer than {LONGEST:?}")));
        }
        match fault {
            None => guided.keep(folder, subject, input)?,
            Some(fault) => {
                let alike = faults.entry(class(&fault)).or_default();
                *alike += 1;
                if *alike == 1 {
                    let kept = arguments.out.join(format!("{}-guided-{case}.{}", arguments.seed, extension(subject)));
                    std::fs::copy(&file, &kept)?;
                    println!("FAULT {fault}\nscripts/fuzz.sh --kind {} --check {}", subject.name(), kept.display());
                }
            }
        }
        if reported.elapsed() > REPORTING {
            reported = Instant::now();
            guided.report(began);
        }
    }
    guided.report(began);
    faults.iter().for_each(|(class, count)| println!("{count} cases with «{class}»"));
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The inputs in a folder, smallest first.
fn files(folder: &Path) -> io::Result<Vec<(PathBuf, Subject, Vec<u8>)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if let Ok(subject) = Subject::parse(ending) {
            let input = std::fs::read(&path)?;
            found.push((path, subject, input));
        }
    }
    found.sort_by_key(|(.., input)| input.len());
    Ok(found)
}
