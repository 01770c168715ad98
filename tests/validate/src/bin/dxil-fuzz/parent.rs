//! The parent process: starts children, counts their reports, and ends cases that do not end.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::record::{class, record};
use crate::tally::Tally;

/// The processor time after which a case is ended. A live child reports a slow case itself.
const HANGING: u64 = 20_000_000_000;
/// The time between two lines of the report.
const REPORTING: Duration = Duration::from_secs(60);

/// What a child says, or that it is gone.
enum Said {
    Fault(u64, String),
    Tally(usize, Tally),
    Gone(usize),
}

struct Worker {
    child: Child,
    tally: Tally,
    /// The case that runs, and the processor time at which the parent saw it first.
    case: u64,
    since: u64,
    done: bool,
}

fn start(arguments: &Arguments, number: usize, first: u64, said: &mpsc::Sender<Said>) -> std::io::Result<Worker> {
    let _ = std::fs::remove_file(arguments.progress(number));
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments.same()).arg("--out").arg(&arguments.out);
    command.args(["--child", &number.to_string(), "--jobs", &arguments.jobs.to_string()]);
    command.args(["--first", &first.to_string()]);
    command.args(["--cases", &arguments.end().saturating_sub(first).to_string()]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let out = child.stdout.take().ok_or_else(|| std::io::Error::other("the child has no output"))?;
    let said = said.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            let message = match line.split_once(' ') {
                Some(("fault", rest)) => {
                    let (case, fault) = rest.split_once(' ').unwrap_or((rest, ""));
                    case.parse().ok().map(|case| Said::Fault(case, fault.to_owned()))
                }
                Some(("tally", rest)) => Tally::parse(rest).map(|tally| Said::Tally(number, tally)),
                _ => None,
            };
            message.map(|message| said.send(message));
        }
        let _ = said.send(Said::Gone(number));
    });
    Ok(Worker { child, tally: Tally::default(), case: first, since: 0, done: false })
}

/// The case that a child says it runs.
fn running(file: &Path) -> Option<u64> {
    Some(u64::from_le_bytes(std::fs::read(file).ok()?.try_into().ok()?))
}

/// The processor time of a process in nanoseconds.
fn processor_time(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    text.split(' ').next()?.parse().ok()
}

/// The faults that were found, by what makes two of them one.
struct Faults<'a> {
    arguments: &'a Arguments,
    classes: BTreeMap<String, Vec<u64>>,
}

impl Faults<'_> {
    /// Writes down the first fault of a class, and counts the others.
    fn take(&mut self, case: u64, fault: &str) {
        let alike = self.classes.entry(class(fault)).or_default();
        if alike.is_empty() {
            record(self.arguments, case, fault);
        }
        alike.push(case);
    }
}

pub fn run(arguments: &Arguments) -> std::io::Result<ExitCode> {
    std::fs::create_dir_all(&arguments.out)?;
    let (sender, said) = mpsc::channel();
    let starts =
        (0..arguments.jobs.get()).map(|number| start(arguments, number, arguments.first + number as u64, &sender));
    let mut workers = starts.collect::<Result<Vec<_>, _>>()?;
    let began = Instant::now();
    let end = arguments.minutes.map(|minutes| began + Duration::from_secs_f64(minutes * 60.0));
    // The tally of the children that are gone.
    let mut total = Tally::default();
    let mut faults = Faults { arguments, classes: BTreeMap::new() };
    let sum = |total: &Tally, workers: &[Worker]| {
        let mut sum = total.clone();
        workers.iter().for_each(|worker| sum.merge(&worker.tally));
        sum
    };
    let mut reported = began;
    while end.is_none_or(|end| Instant::now() < end) && workers.iter().any(|worker| !worker.done) {
        match said.recv_timeout(Duration::from_millis(500)) {
            Ok(Said::Tally(number, tally)) => workers[number].tally = tally,
            Ok(Said::Fault(case, fault)) => faults.take(case, &fault),
            Ok(Said::Gone(number)) => {
                let status = workers[number].child.wait()?;
                let case = running(&arguments.progress(number)).unwrap_or(workers[number].case);
                total.merge(&std::mem::take(&mut workers[number].tally));
                if status.success() {
                    workers[number].done = true;
                } else {
                    *total.kinds.entry("Ended".to_owned()).or_default() += 1;
                    faults.take(case, &format!("the process ended: {status}"));
                    workers[number] = start(arguments, number, case + arguments.jobs.get() as u64, &sender)?;
                }
            }
            Err(_) => {}
        }
        for (number, worker) in workers.iter_mut().enumerate() {
            let case = running(&arguments.progress(number)).unwrap_or(worker.case);
            let time = processor_time(worker.child.id()).unwrap_or_else(|| began.elapsed().as_nanos() as u64);
            if case != worker.case || worker.since == 0 {
                (worker.case, worker.since) = (case, time.max(1));
            } else if !worker.done && time.saturating_sub(worker.since) > HANGING {
                // A child that is killed is gone next.
                worker.child.kill()?;
            }
        }
        if reported.elapsed() > REPORTING {
            reported = Instant::now();
            let next = workers.iter().map(|worker| worker.case).min().unwrap_or(0);
            println!("after {} s, at case {next}: {}", began.elapsed().as_secs(), sum(&total, &workers));
        }
    }
    let next = workers.iter().map(|worker| worker.case).min().unwrap_or(0);
    for worker in &mut workers {
        let _ = worker.child.kill();
        let _ = worker.child.wait();
    }
    for message in said.try_iter() {
        match message {
            Said::Fault(case, fault) => faults.take(case, &fault),
            Said::Tally(number, tally) => workers[number].tally = tally,
            Said::Gone(_) => {}
        }
    }
    let sum = sum(&total, &workers);
    let rate = sum.cases() as f64 / began.elapsed().as_secs_f64();
    println!("seed {} from case {} to {next}: {sum}; {rate:.0} cases a second", arguments.seed, arguments.first);
    for (class, cases) in &faults.classes {
        let named: Vec<String> = cases.iter().take(20).map(u64::to_string).collect();
        println!("{} cases with «{class}»: {}", cases.len(), named.join(" "));
    }
    Ok(if faults.classes.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
