//! Many cases on all cores.

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
use crate::random::Random;

/// Longest time for one case. The inputs are a few kilobytes; nothing in them is worth more.
const LONGEST: Duration = Duration::from_secs(10);
/// Most memory for one case.
const MOST_MEMORY: usize = 512 << 20;

static QUIET_HOOK: Once = Once::new();

thread_local! {
    static IN_CASE: Cell<bool> = const { Cell::new(false) };
}

/// A case's panic is a result, whose message is collected: it is not printed.
fn quiet_cases() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !IN_CASE.get() {
            hook(info);
        }
    }));
}

/// A number of cases, each made from its number.
pub struct Campaign<'a> {
    /// Its name, in messages.
    pub name: &'a str,
    /// How many cases there are.
    pub cases: usize,
    /// Makes a case: what it is, and the input.
    pub make: &'a (dyn Fn(usize) -> (String, Vec<u8>) + Sync),
    /// Judges the words of what is translated: a fault in words, or nothing.
    pub judge: &'a (dyn Fn(&[u32]) -> Result<(), String> + Sync),
}

/// The judge who takes everything: for crates without the validator.
pub fn no_judge(_: &[u32]) -> Result<(), String> {
    Ok(())
}

/// What came of a campaign.
#[derive(Debug, Default)]
pub struct Tally {
    /// Cases that were translated.
    pub passed: usize,
    /// Cases refused, by kind of error.
    pub refused: BTreeMap<String, usize>,
    /// What must not happen, by case.
    pub faults: Vec<String>,
    /// The longest case.
    pub longest: Duration,
    /// Most memory of a case.
    pub most_memory: usize,
}

impl Campaign<'_> {
    /// Runs all cases and prints the tally.
    ///
    /// # Panics
    /// Where a case went wrong, with the first of them.
    pub fn run(&self) -> Tally {
        let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
        QUIET_HOOK.call_once(quiet_cases);
        let started = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    let mut own = Tally::default();
                    loop {
                        // In runs, so that threads do not contend for the counter.
                        let first = next.fetch_add(64, Ordering::Relaxed);
                        if first >= self.cases {
                            break;
                        }
                        (first..self.cases.min(first + 64)).for_each(|case| self.case(case, &mut own));
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

    fn case(&self, case: usize, tally: &mut Tally) {
        let (what, input) = (self.make)(case);
        let started = Instant::now();
        IN_CASE.set(true);
        let (result, memory) = memory::peak(|| panic::catch_unwind(AssertUnwindSafe(|| pipeline::run(&input))));
        IN_CASE.set(false);
        let time = started.elapsed();
        tally.longest = tally.longest.max(time);
        tally.most_memory = tally.most_memory.max(memory);
        let mut fault =
            |text: String| tally.faults.push(format!("case {case:06} ({what}, {} bytes): {text}", input.len()));
        if time > LONGEST {
            fault(format!("took {time:?}"));
        }
        if memory > MOST_MEMORY {
            fault(format!("took {memory} bytes"));
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
        write!(f, "; longest {:.1} ms", self.longest.as_secs_f64() * 1e3)?;
        write!(f, ", most memory {:.1} MiB", self.most_memory as f64 / f64::from(1 << 20))
    }
}

fn number(variable: &str) -> Option<usize> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// Runs a campaign of random cases over the small containers: `CASES` of them, from `SEED`, or the one that `CASE` names, whose
/// outcome is printed.
///
/// # Panics
/// Where a case went wrong.
pub fn random_cases(
    name: &str,
    cases: usize,
    mutate: fn(&Corpus, &mut Random) -> (String, Vec<u8>),
    judge: &(dyn Fn(&[u32]) -> Result<(), String> + Sync),
) {
    let corpus = Corpus::fixtures(16 << 10);
    let seed = number("SEED").unwrap_or(2) as u64;
    let make = |case: usize| mutate(&corpus, &mut Random::new(seed, case as u64));
    let Some(case) = number("CASE") else {
        Campaign { name, cases: number("CASES").unwrap_or(cases), make: &make, judge }.run();
        return;
    };
    let (what, input) = make(case);
    if let Some(folder) = std::env::var_os("DUMP") {
        let file = std::path::Path::new(&folder).join(format!("{}-{seed}-{case}.dxil", name.replace(' ', "-")));
        std::fs::write(&file, &input).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    match pipeline::run(&input) {
        Outcome::Refused(error) => println!("{what}, {} bytes: {error}", input.len()),
        Outcome::Translated(modules) => {
            let verdicts: Vec<_> = modules.iter().map(|words| judge(words)).collect();
            println!("{what}, {} bytes: translated, {verdicts:?}", input.len());
        }
    }
}
