//! Changes the translator's own source at sampled places, and lists the changes that no test
//! notices.
//!
//! In: the source of the translator (`source.rs` has the folders). Out: a line for each sampled
//! change (a *mutant*), and those that survive all tests. All mutants are compiled into one copy of
//! the translator, and an environment variable says which one is on. docs/testing.md, "Mutants of
//! the translator".
//!
//! Why not cargo-mutants, which makes the same changes: it builds the translator and every test
//! program anew for each mutant, and then runs `cargo test`. Here a sample is built once, a mutant
//! repeats only the translations that come by its place, and the fixtures whose words it changes
//! run on a driver. So a mutant takes seconds, and an eighth of a sample of 400 fits into the slow
//! suite.

mod child;
mod judge;
mod render;
mod results;
mod scratch;
mod sites;
mod source;
mod survey;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;

use crate::judge::{Judge, Verdict};
use crate::results::Results;
use crate::scratch::Scratch;
use crate::source::{Known, Mutant, Sample};

/// Changes the translator's source, and lists the changes that no test notices.
///
/// The drivers for the tests are those of scripts/setup.sh, whose env.sh has to be read.
///
/// Exit status: 0 all survivors are in tests/mutants/survivors.txt, 1 others survive, 2 wrong usage
/// or a failed build.
#[derive(Parser)]
struct Arguments {
    /// The choice of mutants.
    #[command(flatten)]
    sample: Sample,
    /// The number of mutants that are judged at a time
    #[arg(long, value_name = "N", default_value = "2")]
    jobs: NonZeroUsize,
    /// Where the changed workspace is, and the file results.txt, with which an interrupted run goes
    /// on
    #[arg(long, value_name = "DIR", value_parser = absolute,
        default_value_os_t = repository().join("target/mutants/workspace"))]
    folder: PathBuf,
    /// Judge mutants again that survived, also by slow tests, all translations and all fixtures
    /// with other words
    #[arg(long)]
    again: bool,
    /// Print the names of all mutants
    #[arg(long)]
    list: bool,
}

fn absolute(path: &str) -> std::io::Result<PathBuf> {
    std::path::absolute(path)
}

fn repository() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.ancestors().nth(2).unwrap_or(folder).to_owned()
}

/// Judges all mutants that have no result yet, some at a time.
fn judge(judge: &Judge<'_>, mutants: &[&Mutant], results: &Results, arguments: &Arguments) -> std::io::Result<()> {
    let (next, count) = (AtomicUsize::new(0), mutants.len());
    std::thread::scope(|scope| {
        let work = || -> std::io::Result<()> {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(mutant) = mutants.get(at) else { return Ok(()) };
                let verdict = judge.judge(mutant.number);
                let (line, column) = mutant.place;
                println!("{}/{count} {}:{line}:{column}: {verdict:?}", at + 1, mutant.name);
                results.add(&mutant.name, &verdict)?;
            }
        };
        let threads: Vec<_> = (0..arguments.jobs.get()).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn run(repository: &Path, arguments: &Arguments) -> std::io::Result<bool> {
    let mut files = source::files(repository)?;
    let names: BTreeSet<&str> =
        files.iter().flat_map(|file| &file.mutants).map(|mutant| mutant.name.as_str()).collect();
    let known = Known::read(&repository.join("tests/mutants/survivors.txt"), &names)?;
    let all = names.len();
    let digest = source::digest(&files);
    if !arguments.list {
        source::sample(&mut files, &arguments.sample);
    }
    let mutants: Vec<Mutant> = files.iter().flat_map(|file| &file.mutants).cloned().collect();
    if arguments.list {
        let only = &arguments.sample.only;
        let chosen = |mutant: &&Mutant| only.is_empty() || only.iter().any(|text| mutant.name.contains(text));
        mutants.iter().filter(chosen).for_each(|mutant| println!("{} (line {})", mutant.name, mutant.place.0));
        return Ok(true);
    }
    let scratch = Scratch::new(repository, &arguments.folder, &files)?;
    let mut results = Results::open(&arguments.folder.join("results.txt"), &digest)?;
    let numbered = |names: &BTreeSet<String>| -> BTreeSet<usize> {
        mutants.iter().filter(|mutant| names.contains(&mutant.name)).map(|mutant| mutant.number).collect()
    };
    let before = numbered(&results.dropped());
    let dropped = scratch.compile(&files, before.clone())?;
    for mutant in mutants.iter().filter(|mutant| dropped.contains(&mutant.number) && !before.contains(&mutant.number)) {
        results.drop(&mutant.name)?;
    }
    let compiled: Vec<&Mutant> = mutants.iter().filter(|mutant| !dropped.contains(&mutant.number)).collect();
    if arguments.again {
        results.forget_survivors();
    }
    println!("{} mutants, of which {} do not compile", mutants.len(), dropped.len());
    // What the quick tests do not notice, and the list does not have, is judged by all.
    let passes: &[bool] = if arguments.again { &[true] } else { &[false, true] };
    for &thorough in passes {
        let is_open = |mutant: &&Mutant| match results.get(&mutant.name) {
            None => true,
            Some(Verdict::Killed(_)) => false,
            Some(_) => thorough && known.why(&mutant.name).is_none(),
        };
        let mut open: Vec<&Mutant> = compiled.iter().copied().filter(is_open).collect();
        // What an interrupted run has judged is a sample as well.
        open.sort_by_key(|mutant| source::rank(arguments.sample.seed, &mutant.name));
        if !open.is_empty() {
            println!("building the changed workspace; then {} mutants are judged", open.len());
            let of_all = Judge::new(&scratch, repository, scratch.build()?, thorough)?;
            judge(&of_all, &open, &results, arguments)?;
        }
    }
    report(&results, &compiled, &known, &format!("seed {}: {} of {all} mutants", arguments.sample.seed, mutants.len()))
}

/// Prints the figures and the survivors. Returns whether the list has all of these.
fn report(results: &Results, compiled: &[&Mutant], known: &Known, what: &str) -> std::io::Result<bool> {
    let (mut killed, mut of_no_effect, mut open, mut survivors) = (0, 0, 0, Vec::new());
    for mutant in compiled {
        match (results.get(&mutant.name), known.why(&mutant.name)) {
            (Some(Verdict::Killed(_)), None) => killed += 1,
            (Some(Verdict::Killed(why)), Some(_)) => {
                killed += 1;
                println!("in the list of survivors, but noticed: {} ({why})", mutant.name);
            }
            (_, Some(why)) if why.starts_with("open") => open += 1,
            (_, Some(_)) => of_no_effect += 1,
            (verdict, None) => survivors.push((mutant, verdict)),
        }
    }
    for (mutant, verdict) in &survivors {
        println!("survives: {} (line {}): {verdict:?}", mutant.name, mutant.place.0);
    }
    println!(
        "{what}, of which {} compile: {killed} noticed, {of_no_effect} of no effect, {open} open, {} not in the list",
        compiled.len(),
        survivors.len()
    );
    Ok(survivors.is_empty())
}

fn main() -> ExitCode {
    let repository = repository();
    let arguments = Arguments::parse();
    match run(&repository, &arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("dxil-mutants: {error}");
            ExitCode::from(2)
        }
    }
}
