//! A child process: runs cases in sequence and reports their outcomes.
//!
//! The child writes the number of its case to a file before it runs the case, because a line of
//! text for each case would take longer than many of the cases.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use dxil_robustness::memory;
use dxil_validate::promises::{Checker, Verdict};

use crate::arguments::Arguments;
use crate::check::CaseSource;
use crate::subject::LONGEST;
use crate::tally::Tally;

/// The most memory of a case, in bytes.
const MOST_MEMORY: usize = 512 << 20;
/// The time between two lines about the tally.
const REPORTING: Duration = Duration::from_secs(1);

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    static IN_CHECK: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the place and message of a panic in a check instead of printing them.
pub fn keep_panics() {
    panic::set_hook(Box::new(|info| match IN_CHECK.get() {
        true => PANIC.with_borrow_mut(|text| *text = info.to_string()),
        false => eprintln!("{info}"),
    }));
}

/// Runs a check. A panic is a fault.
pub fn caught(check: impl FnOnce() -> Verdict) -> Verdict {
    IN_CHECK.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(check));
    IN_CHECK.set(false);
    result.unwrap_or_else(|_| Verdict { kind: "Panic".to_owned(), fault: Some(PANIC.take()) })
}

/// The processor time of this thread. Without Linux's file for it, the time on the wall.
pub struct Clock {
    file: Option<File>,
    started: Instant,
}

impl Clock {
    pub fn new() -> Self {
        Self { file: File::open("/proc/thread-self/schedstat").ok(), started: Instant::now() }
    }

    pub fn now(&self) -> Duration {
        let mut text = [0; 20];
        let read = self.file.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or(0);
        let digits = text[..read].split(|byte| *byte == b' ').next().unwrap_or_default();
        let nanoseconds = std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok());
        nanoseconds.map_or_else(|| self.started.elapsed(), Duration::from_nanos)
    }
}

pub fn run(arguments: &Arguments, number: usize) -> ExitCode {
    keep_panics();
    let source = CaseSource::new(arguments);
    let mut checker = Checker::new();
    let (mut tally, clock) = (Tally::default(), Clock::new());
    let mut out = std::io::stdout().lock();
    let Ok(progress) = File::create(arguments.progress(number)) else { return ExitCode::FAILURE };
    let mut reported = Instant::now();
    for case in (arguments.first..arguments.end()).step_by(arguments.jobs.get()) {
        let (_, input) = source.make(case);
        let _ = progress.write_all_at(&case.to_le_bytes(), 0);
        let began = clock.now();
        let (verdict, bytes) = memory::peak(|| caught(|| source.check(&mut checker, &input, case)));
        let time = clock.now().saturating_sub(began);
        let Verdict { kind, mut fault } = verdict;
        *tally.kinds.entry(kind).or_default() += 1;
        tally.longest.take(time.as_nanos() as u64, case);
        tally.largest.take(bytes as u64, case);
        if time > LONGEST {
            fault = fault.or(Some(format!("takes {time:?}, longer than {LONGEST:?}")));
        }
        if bytes > MOST_MEMORY {
            fault = fault.or(Some(format!("takes {bytes} bytes, more than {MOST_MEMORY}")));
        }
        let mut said = Ok(());
        if let Some(fault) = fault {
            said = writeln!(out, "fault {case} {}", fault.replace('\n', " "));
        }
        if reported.elapsed() > REPORTING {
            reported = Instant::now();
            (tally.modules, tally.validated) = (checker.modules, checker.validated);
            said = said.and_then(|()| writeln!(out, "tally {}", tally.line()));
        }
        if said.is_err() {
            return ExitCode::FAILURE;
        }
    }
    (tally.modules, tally.validated) = (checker.modules, checker.validated);
    let _ = writeln!(out, "tally {}", tally.line());
    ExitCode::SUCCESS
}
