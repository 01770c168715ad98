//! Writes down a fault: its input, a smaller input that has it too, and the commands that repeat
//! both.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dxil_robustness::graft::without_items;
use dxil_robustness::handed::Kind;

use crate::arguments::Arguments;
use crate::check::CaseSource;
use crate::subject::{LONGEST, Subject};

/// The time to shrink one fault.
const SHRINKING: Duration = Duration::from_secs(60);

/// What makes two faults one: the first words without numbers.
pub fn class(fault: &str) -> String {
    fault.chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
}

/// The ending of a file's name by what it has.
pub fn extension(subject: Subject) -> &'static str {
    if subject == Subject::Shader { "dxil" } else { subject.name() }
}

/// Smaller inputs than this one, each without a run of items, numbers or characters.
pub fn smaller(subject: Subject, input: &[u8], run: usize) -> Vec<Vec<u8>> {
    let item = match subject {
        Subject::Shader => return without_items(input, run),
        Subject::Handed(Kind::Serialized | Kind::Embedded | Kind::Pdb) => 4 * run,
        Subject::Handed(_) => run,
    };
    let without = |start: usize| [&input[..start], &input[(start + item).min(input.len())..]].concat();
    (0..input.len()).step_by(item).map(without).collect()
}

/// Runs `--check` on an input in a process of its own. Returns the fault.
fn checked(file: &Path, subject: Subject, input: &[u8]) -> Option<String> {
    std::fs::write(file, input).ok()?;
    let mut child = Command::new(std::env::current_exe().ok()?)
        .arg("--check")
        .arg(file)
        .args(["--kind", subject.name()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let since = Instant::now();
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if since.elapsed() > 3 * LONGEST => {
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

pub fn record(arguments: &Arguments, case: u64, fault: &str) {
    let folder = arguments.out.join(format!("{}-{case}", arguments.seed));
    std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let source = CaseSource::new(arguments);
    let (subject, (what, mut input)) = (source.subject(case), source.make(case));
    let named = |name: &str| folder.join(format!("{name}.{}", extension(subject)));
    let (whole, small, trial) = (named("input"), named("small"), named("trial"));
    std::fs::write(&whole, &input).unwrap_or_else(|error| panic!("{}: {error}", whole.display()));
    let end = Instant::now() + SHRINKING;
    let wanted = checked(&trial, subject, &input).map(|fault| class(&fault));
    let mut run = 64;
    while run > 0 && wanted.is_some() && Instant::now() < end {
        let smaller = smaller(subject, &input, run).into_iter().find(|smaller| {
            Instant::now() < end && checked(&trial, subject, smaller).map(|fault| class(&fault)) == wanted
        });
        match smaller {
            Some(smaller) => input = smaller,
            None => run /= 2,
        }
    }
    let _ = std::fs::remove_file(&trial);
    std::fs::write(&small, &input).unwrap_or_else(|error| panic!("{}: {error}", small.display()));
    let text = format!(
        "{fault}\n{what}, {} bytes after shrinking\nscripts/fuzz.sh {} --case {case}\nscripts/fuzz.sh --kind {} --check \
         {}\n",
        input.len(),
        arguments.same().join(" "),
        subject.name(),
        small.display()
    );
    print!("FAULT case {case}: {text}");
    let file = folder.join("fault.txt");
    std::fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}
