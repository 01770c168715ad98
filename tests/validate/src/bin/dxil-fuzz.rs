//! Changes shaders at random, translates them, and writes down what breaks a promise.
//!
//! In: the containers of the repository, or of folders. Out: a tally by kind of error, and for each
//! fault a folder with the input, a shrunk one, and the command that repeats it. A fault is a panic,
//! an abort, a case that takes too long or too much memory, an error of kind `Bug`, a module that the
//! validator rejects, or one that differs between two translations.
//!
//! Cases run in child processes, so that an abort ends one case only. scripts/fuzz.sh sets the limit
//! on the memory of a process.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use dxil_robustness::graft::{graft, without_items};
use dxil_robustness::mutate::{mutate, mutate_records};
use dxil_robustness::pipeline::{self, Outcome};
use dxil_robustness::{Corpus, Random};
use dxil_translator::{Error, ErrorKind, Options, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, lavapipe};
use dxil_validate::validate;

const USAGE: &str = "\
Changes shaders at random, translates them, and writes down what breaks a promise.

usage: dxil-fuzz [--minutes N] [--seed S] [--folder DIR]… [--out DIR]
       dxil-fuzz --case N [--seed S] [--folder DIR]…    runs one case, prints its outcome
       dxil-fuzz --check FILE                           runs all checks on one input";

/// The longest time of a case.
const LONGEST: Duration = Duration::from_secs(10);
/// The time to shrink one fault.
const SHRINKING: Duration = Duration::from_secs(60);
/// Containers larger than this are not changed, because their cases take long.
const LARGEST: usize = 64 << 10;

struct Arguments {
    minutes: f64,
    seed: u64,
    folders: Vec<PathBuf>,
    out: PathBuf,
    case: Option<u64>,
    check: Option<PathBuf>,
    /// The first case and the distance to the next one: the process is a child.
    child: Option<(u64, u64)>,
}

fn arguments() -> Option<Arguments> {
    let mut found = Arguments {
        minutes: 1.0,
        seed: 1,
        folders: Vec::new(),
        out: PathBuf::from("target/fuzz"),
        case: None,
        check: None,
        child: None,
    };
    let mut all = std::env::args().skip(1);
    while let Some(name) = all.next() {
        let value = all.next()?;
        match name.as_str() {
            "--minutes" => found.minutes = value.parse().ok()?,
            "--seed" => found.seed = value.parse().ok()?,
            "--folder" => found.folders.push(value.into()),
            "--out" => found.out = value.into(),
            "--case" => found.case = Some(value.parse().ok()?),
            "--check" => found.check = Some(value.into()),
            "--child" => {
                let (first, step) = value.split_once(',')?;
                found.child = Some((first.parse().ok()?, step.parse().ok()?));
            }
            _ => return None,
        }
    }
    Some(found)
}

impl Arguments {
    fn corpus(&self) -> Corpus {
        match self.folders.as_slice() {
            [] => Corpus::fixtures(LARGEST),
            folders => Corpus::of(folders, LARGEST),
        }
    }

    /// The arguments that choose the same cases.
    fn same(&self) -> Vec<String> {
        let mut out = vec!["--seed".to_owned(), self.seed.to_string()];
        for folder in &self.folders {
            out.extend(["--folder".to_owned(), folder.display().to_string()]);
        }
        out
    }
}

/// The input of a case.
fn make(corpus: &Corpus, seed: u64, case: u64) -> (String, Vec<u8>) {
    let mut random = Random::new(seed, case);
    match random.below(8) {
        0 => mutate(corpus, &mut random),
        1 => mutate_records(corpus, &mut random),
        _ => graft(corpus, &mut random),
    }
}

/// Runs all checks on an input. Returns the kind of the outcome, and what is wrong with it.
fn check(input: &[u8]) -> (String, Option<String>) {
    match pipeline::run(input) {
        Outcome::Refused(error) => (kind(&error), pipeline::objection(&error)),
        Outcome::Translated(modules) => {
            let invalid = modules.iter().find_map(|words| validate(words, &lavapipe()).err());
            let fault = invalid.map(|error| format!("invalid for lavapipe: {error}"));
            ("translated".to_owned(), fault.or_else(|| twice(input)))
        }
    }
}

fn kind(error: &Error) -> String {
    format!("{:?}", error.kind()).split('(').next().unwrap_or_default().to_owned()
}

/// Translates the first entry point for two more profiles, twice each.
fn twice(input: &[u8]) -> Option<String> {
    for profile in [VULKAN_1_3_DESKTOP, VULKAN_1_1_FLOOR] {
        let options = Options::new(profile);
        let (one, two) = (pipeline::first_entry(input, &options), pipeline::first_entry(input, &options));
        match (one, two) {
            // A library of functions has nothing to translate.
            (Ok(one), Ok(two)) if one == two && one.is_empty() => {}
            (Ok(one), Ok(two)) if one == two => {
                if let Err(error) = validate(&one, &options.profile) {
                    return Some(format!("invalid for {:?}: {error}", options.profile.api));
                }
            }
            (Err(one), Err(two)) if one == two => {
                if one.kind() == ErrorKind::Bug {
                    return Some(one.to_string());
                }
            }
            _ => return Some("two translations of one input differ".to_owned()),
        }
    }
    None
}

/// A child: runs cases until it is killed. It says which case it begins, and how each ends.
fn child(arguments: &Arguments, first: u64, step: u64) -> ExitCode {
    let corpus = arguments.corpus();
    let mut out = std::io::stdout().lock();
    for case in (0..).map(|n| first + n * step) {
        let (_, input) = make(&corpus, arguments.seed, case);
        let began = writeln!(out, "begin {case}").and_then(|()| out.flush());
        let (kind, fault) = check(&input);
        let fault = fault.map_or_else(String::new, |fault| format!(" {}", fault.replace('\n', " ")));
        if began.and_then(|()| writeln!(out, "end {kind}{fault}")).is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// What a child says, or that it is gone.
enum Said {
    Begin(usize, u64),
    End(usize, String, Option<String>),
    Gone(usize),
}

fn start(arguments: &Arguments, number: usize, first: u64, step: u64, said: &mpsc::Sender<Said>) -> Option<Child> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args(arguments.same()).arg("--child").arg(format!("{first},{step}"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let (lines, said) = (BufReader::new(child.stdout.take()?), said.clone());
    std::thread::spawn(move || {
        for line in lines.lines().map_while(Result::ok) {
            let message = match line.split_once(' ') {
                Some(("begin", case)) => Said::Begin(number, case.parse().unwrap_or(0)),
                Some(("end", rest)) => {
                    let (kind, fault) = rest.split_once(' ').map_or((rest, None), |(kind, fault)| (kind, Some(fault)));
                    Said::End(number, kind.to_owned(), fault.map(str::to_owned))
                }
                _ => continue,
            };
            if said.send(message).is_err() {
                return;
            }
        }
        let _ = said.send(Said::Gone(number));
    });
    Some(child)
}

/// A child of the parent process.
struct Worker {
    child: Child,
    case: u64,
    since: Instant,
}

fn parent(arguments: &Arguments) -> ExitCode {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (sender, said) = mpsc::channel();
    let begin = |number: usize, first: u64| {
        let child = start(arguments, number, first, workers as u64, &sender);
        Worker { child: child.expect("a child process"), case: first, since: Instant::now() }
    };
    let mut all: Vec<Worker> = (0..workers).map(|number| begin(number, number as u64)).collect();
    let end = Instant::now() + Duration::from_secs_f64(arguments.minutes * 60.0);
    let (mut tally, mut faults): (BTreeMap<String, u64>, Vec<(u64, String)>) = (BTreeMap::new(), Vec::new());
    let mut longest = (Duration::ZERO, 0);
    while Instant::now() < end {
        match said.recv_timeout(Duration::from_millis(500)) {
            Ok(Said::Begin(number, case)) => (all[number].case, all[number].since) = (case, Instant::now()),
            Ok(Said::End(number, kind, fault)) => {
                let worker = &mut all[number];
                longest = longest.max((worker.since.elapsed(), worker.case));
                *tally.entry(kind).or_default() += 1;
                faults.extend(fault.map(|fault| (worker.case, fault)));
                worker.since = Instant::now();
            }
            Ok(Said::Gone(number)) => {
                let worker = &mut all[number];
                let status = worker.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
                faults.push((worker.case, format!("the process ended: {status}")));
                all[number] = begin(number, worker.case + workers as u64);
            }
            Err(_) => {}
        }
        for worker in &mut all {
            // A child that is killed is gone next. Reading the corpus takes a while at the start.
            if worker.since.elapsed() > LONGEST + Duration::from_secs(20) {
                let _ = worker.child.kill();
            }
        }
    }
    for worker in &mut all {
        let _ = worker.child.kill();
        let _ = worker.child.wait();
    }
    let cases: u64 = tally.values().sum();
    let kinds: Vec<String> = tally.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    println!("seed {}: {cases} cases: {}", arguments.seed, kinds.join(", "));
    println!("longest: case {} with {:.1} ms", longest.1, longest.0.as_secs_f64() * 1e3);
    faults.sort();
    let corpus = arguments.corpus();
    let mut classes: BTreeMap<String, Vec<&(u64, String)>> = BTreeMap::new();
    for found in &faults {
        classes.entry(class(&found.1)).or_default().push(found);
    }
    for alike in classes.values() {
        for (case, fault) in alike.iter().take(1) {
            record(arguments, &corpus, *case, fault);
        }
        let others: Vec<String> = alike.iter().skip(1).map(|(case, _)| case.to_string()).collect();
        if !others.is_empty() {
            println!("{} more cases like it: {}", others.len(), others.join(" "));
        }
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What makes two faults one: the first words without numbers.
fn class(fault: &str) -> String {
    fault.chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
}

/// Runs `--check` on an input in a process of its own. Returns the fault.
fn checked(file: &Path, input: &[u8]) -> Option<String> {
    std::fs::write(file, input).ok()?;
    let mut child = Command::new(std::env::current_exe().ok()?)
        .arg("--check")
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let since = Instant::now();
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if since.elapsed() > LONGEST => {
                let _ = child.kill();
                let _ = child.wait();
                return Some("the process ended: too slow".to_owned());
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let mut text = String::new();
    let _ = BufReader::new(child.stdout.take()?).read_line(&mut text);
    match status.code() {
        Some(0) => None,
        Some(1) => Some(text.trim().to_owned()),
        _ => Some(format!("the process ended: {status}")),
    }
}

/// Writes down a fault, with a smaller input that has it too.
fn record(arguments: &Arguments, corpus: &Corpus, case: u64, fault: &str) {
    let folder = arguments.out.join(format!("{}-{case}", arguments.seed));
    std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let (what, mut input) = make(corpus, arguments.seed, case);
    let (whole, small, trial) = (folder.join("input.dxil"), folder.join("small.dxil"), folder.join("trial.dxil"));
    std::fs::write(&whole, &input).unwrap_or_else(|error| panic!("{}: {error}", whole.display()));
    let end = Instant::now() + SHRINKING;
    let wanted = checked(&trial, &input).map(|fault| class(&fault));
    let mut run = 64;
    while run > 0 && wanted.is_some() && Instant::now() < end {
        let smaller = without_items(&input, run)
            .into_iter()
            .find(|smaller| Instant::now() < end && checked(&trial, smaller).map(|fault| class(&fault)) == wanted);
        match smaller {
            Some(smaller) => input = smaller,
            None => run /= 2,
        }
    }
    let _ = std::fs::remove_file(&trial);
    std::fs::write(&small, &input).unwrap_or_else(|error| panic!("{}: {error}", small.display()));
    let folders: String = arguments.folders.iter().map(|folder| format!(" --folder {}", folder.display())).collect();
    let text = format!(
        "{fault}\n{what}, {} bytes after shrinking\nscripts/fuzz.sh --seed {} --case {case}{folders}\nscripts/fuzz.sh \
         --check {}\n",
        input.len(),
        arguments.seed,
        small.display()
    );
    print!("FAULT case {case}: {text}");
    let file = folder.join("fault.txt");
    std::fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// Prints the outcome of one input.
fn single(what: &str, input: &[u8]) -> ExitCode {
    let (kind, fault) = check(input);
    match fault {
        Some(fault) => {
            println!("{}", fault.replace('\n', " "));
            println!("{what}, {} bytes: {kind}", input.len());
            ExitCode::from(1)
        }
        None => {
            println!("{what}, {} bytes: {kind}", input.len());
            ExitCode::SUCCESS
        }
    }
}

fn main() -> ExitCode {
    if std::env::args().skip(1).any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let Some(arguments) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match (&arguments.check, arguments.case, arguments.child) {
        (Some(file), _, _) => match std::fs::read(file) {
            Ok(input) => single(&file.display().to_string(), &input),
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                ExitCode::from(2)
            }
        },
        (None, Some(case), _) => {
            let (what, input) = make(&arguments.corpus(), arguments.seed, case);
            let file = arguments.out.join(format!("{}-{case}.dxil", arguments.seed));
            let written = std::fs::create_dir_all(&arguments.out).and_then(|()| std::fs::write(&file, &input));
            written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            println!("wrote {}", file.display());
            single(&what, &input)
        }
        (None, None, Some((first, step))) => child(&arguments, first, step),
        (None, None, None) => parent(&arguments),
    }
}
