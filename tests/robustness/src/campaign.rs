//! Runs many test cases on all cores.

use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use crate::corpus::Corpus;
use crate::memory;
use crate::pipeline::{self, Outcome};
use dxil_test_support::Random;
use dxil_test_support::spirv::instructions;
use dxil_translator::{DeviceProfile, Feature, lavapipe};

/// The time limit of one case. The inputs are a few kilobytes, so a case that takes longer is a
/// fault.
const LONGEST: Duration = Duration::from_secs(10);
/// The memory limit of one case, in bytes.
const MOST_MEMORY: usize = 512 << 20;

static QUIET_HOOK: Once = Once::new();

thread_local! {
    static IN_CASE: Cell<bool> = const { Cell::new(false) };
}

/// Installs a panic hook that prints nothing while a case runs. The panic of a case is a result;
/// its message is collected.
fn quiet_cases() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !IN_CASE.get() {
            hook(info);
        }
    }));
}

/// A list of cases, each of which is made from its number.
pub struct Campaign<'a> {
    /// The name of the campaign in messages.
    pub name: &'a str,
    /// The number of cases.
    pub cases: usize,
    /// Makes a case: its description and its input.
    pub make: &'a (dyn Fn(usize) -> (String, Vec<u8>) + Sync),
    /// Judges an emitted SPIR-V module. The error describes the fault.
    pub judge: &'a (dyn Fn(&[u32]) -> Result<(), String> + Sync),
}

/// A judge that accepts every module, for crates without the validator.
///
/// # Errors
/// None.
pub fn no_judge(_: &[u32]) -> Result<(), String> {
    Ok(())
}

/// The results of a campaign.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of cases that were translated.
    pub passed: usize,
    /// The number of cases that were refused, by kind of error.
    pub refused: BTreeMap<String, usize>,
    /// The faults, one text for each.
    pub faults: Vec<String>,
    /// The longest time of a case.
    pub longest: Duration,
    /// The most memory that a case allocated, in bytes.
    pub most_memory: usize,
}

impl Campaign<'_> {
    /// Translates all cases and prints the tally.
    ///
    /// # Panics
    /// If there are faults. The message has the first ones.
    pub fn run(&self) -> Tally {
        self.run_with(&pipeline::run)
    }

    /// Calls `subject` with all cases and prints the tally.
    ///
    /// # Panics
    /// If there are faults. The message has the first ones.
    pub fn run_with(&self, subject: &(dyn Fn(&[u8]) -> Outcome + Sync)) -> Tally {
        let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
        QUIET_HOOK.call_once(quiet_cases);
        let started = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    let mut own = Tally::default();
                    loop {
                        // A thread takes 64 cases at a time, so that threads rarely contend for the
                        // counter.
                        let first = next.fetch_add(64, Ordering::Relaxed);
                        if first >= self.cases {
                            break;
                        }
                        (first..self.cases.min(first + 64)).for_each(|case| self.case(case, subject, &mut own));
                    }
                    tally.lock().unwrap_or_else(|poison| poison.into_inner()).merge(own);
                });
            }
        });
        let mut tally = tally.into_inner().unwrap_or_else(|poison| poison.into_inner());
        tally.faults.sort();
        println!("{}: {} cases in {:.1} s: {tally}", self.name, self.cases, started.elapsed().as_secs_f64());
        let faults = &tally.faults;
        assert!(
            faults.is_empty(),
            "{}: {} faults, first:\n{}",
            self.name,
            faults.len(),
            faults[..faults.len().min(20)].join("\n")
        );
        tally
    }

    fn case(&self, case: usize, subject: &(dyn Fn(&[u8]) -> Outcome + Sync), tally: &mut Tally) {
        let (what, input) = (self.make)(case);
        let started = Instant::now();
        IN_CASE.set(true);
        let (result, memory) = memory::peak(|| panic::catch_unwind(AssertUnwindSafe(|| subject(&input))));
        IN_CASE.set(false);
        let time = started.elapsed();
        tally.longest = tally.longest.max(time);
        tally.most_memory = tally.most_memory.max(memory);
        let mut fault =
            |text: String| tally.faults.push(format!("case {case:06} ({what}, {} bytes): {text}", input.len()));
        if time > LONGEST {
            fault(format!("ran for {time:?}, longer than {LONGEST:?}"));
        }
        if memory > MOST_MEMORY {
            fault(format!("allocated {memory} bytes, more than {MOST_MEMORY}"));
        }
        match result {
            Err(payload) => fault(format!("panicked: {}", message(&*payload))),
            Ok(Outcome::Translated(modules)) => {
                tally.passed += 1;
                modules.iter().filter_map(|words| (self.judge)(words).err()).for_each(&mut fault);
            }
            Ok(Outcome::Refused(error)) => {
                if let Some(objection) = pipeline::objection(&error) {
                    fault(objection);
                }
                let kind = format!("{:?}", error.kind());
                *tally.refused.entry(kind.split('(').next().unwrap_or_default().to_owned()).or_default() += 1;
            }
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

impl Tally {
    fn merge(&mut self, other: Tally) {
        self.passed += other.passed;
        for (kind, count) in other.refused {
            *self.refused.entry(kind).or_default() += count;
        }
        self.faults.extend(other.faults);
        self.longest = self.longest.max(other.longest);
        self.most_memory = self.most_memory.max(other.most_memory);
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} translated", self.passed)?;
        for (kind, count) in &self.refused {
            write!(f, ", {count} {kind}")?;
        }
        write!(f, "; longest case {:.1} ms", self.longest.as_secs_f64() * 1e3)?;
        write!(f, ", peak memory of a case {:.1} MiB", self.most_memory as f64 / f64::from(1 << 20))
    }
}

fn number(variable: &str) -> Option<usize> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// Runs a campaign of random cases over the small containers. The environment variable `SEED`
/// selects other cases, and `CASES` sets their number. `ONLY` selects containers by the beginnings
/// of their names, separated by commas: `mesh/,tracing/`. With `CASE`, only the case of that number
/// runs and its outcome is printed; `DUMP` names a folder for its container.
///
/// # Panics
/// If there are faults.
pub fn random_cases(
    name: &str,
    cases: usize,
    mutate: fn(&Corpus, &mut Random) -> (String, Vec<u8>),
    judge: &(dyn Fn(&[u32]) -> Result<(), String> + Sync),
) {
    cases_over(Corpus::fixtures(16 << 10), &lavapipe(), name, cases, mutate, judge);
}

/// OpTypeVector of SPIR-V.
const OP_TYPE_VECTOR: u32 = 23;

/// The groups of containers that have long vectors.
const LONG_VECTORS: &[&str] = &["vectors/", "newer-dxc/", "libraries/long_vectors"];

/// [`random_cases`] over the containers with long vectors, for a device that has such vectors.
///
/// # Panics
/// If there are faults, or if few modules have long vectors.
pub fn random_long_vectors(
    name: &str,
    cases: usize,
    mutate: fn(&Corpus, &mut Random) -> (String, Vec<u8>),
    judge: &(dyn Fn(&[u32]) -> Result<(), String> + Sync),
) {
    let mut corpus = Corpus::fixtures(16 << 10);
    corpus.keep(LONG_VECTORS);
    let mut profile = lavapipe();
    profile.features.set(Feature::LongVector, true);
    profile.limits.max_vector_components = 1024;
    let long = AtomicUsize::new(0);
    let counting = |words: &[u32]| {
        let is_long = |(op, operands): (u32, &[u32])| op == OP_TYPE_VECTOR && operands.get(2).is_some_and(|&n| n > 4);
        long.fetch_add(usize::from(instructions(words).any(is_long)), Ordering::Relaxed);
        judge(words)
    };
    cases_over(corpus, &profile, name, cases, mutate, &counting);
    let long = long.into_inner();
    println!("{name}: {long} modules have long vectors");
    assert!(long > 50 || ["CASES", "CASE", "ONLY"].iter().any(|name| std::env::var_os(name).is_some()), "{long}");
}

fn cases_over(
    mut corpus: Corpus,
    profile: &DeviceProfile,
    name: &str,
    cases: usize,
    mutate: fn(&Corpus, &mut Random) -> (String, Vec<u8>),
    judge: &(dyn Fn(&[u32]) -> Result<(), String> + Sync),
) {
    if let Ok(groups) = std::env::var("ONLY") {
        corpus.keep(&groups.split(',').collect::<Vec<_>>());
    }
    let seed = number("SEED").unwrap_or(2) as u64;
    let make = |case: usize| mutate(&corpus, &mut Random::from_case(seed, case as u64));
    let Some(case) = number("CASE") else {
        Campaign { name, cases: number("CASES").unwrap_or(cases), make: &make, judge }
            .run_with(&|input| pipeline::run_for(input, profile));
        return;
    };
    let (what, input) = make(case);
    if let Some(folder) = std::env::var_os("DUMP") {
        let file = std::path::Path::new(&folder).join(format!("{}-{seed}-{case}.dxil", name.replace(' ', "-")));
        std::fs::write(&file, &input).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    match pipeline::run_for(&input, profile) {
        Outcome::Refused(error) => println!("{what}, {} bytes: {error}", input.len()),
        Outcome::Translated(modules) => {
            let verdicts: Vec<_> = modules.iter().map(|words| judge(words)).collect();
            println!("{what}, {} bytes: translated, {verdicts:?}", input.len());
        }
    }
}
