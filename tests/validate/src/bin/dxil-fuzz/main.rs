//! Changes shaders and other inputs at random, translates them, and writes down what breaks a
//! promise.
//!
//! In: the containers of the repository, or of folders, and the samples of other inputs. Out: a
//! tally by kind of error, and for each fault a folder with the input, a shrunk one, and the
//! command that repeats it. A fault is a panic, an abort, a case that takes too long or too much
//! memory, an error of kind `Bug`, a module that the validator rejects, or one that differs between
//! two translations.
//!
//! Cases run in child processes, so that an abort ends one case only. scripts/fuzz.sh sets the
//! limit on the memory of a process.

mod arguments;
mod check;
mod child;
mod coverage;
mod guided;
mod parent;
mod record;
mod subject;
mod tally;

use std::process::ExitCode;

use clap::Parser;
use dxil_robustness::handed::Handed;
use dxil_robustness::memory::Counting;
use dxil_validate::promises::Checker;

use crate::arguments::Arguments;
use crate::check::CaseSource;
use crate::subject::Subject;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Prints the outcome of one input.
fn single(what: &str, subject: Subject, input: &[u8]) -> ExitCode {
    child::keep_panics();
    let verdict = child::caught(|| match subject {
        Subject::Shader => Checker::new().whole(input),
        Subject::Handed(kind) => Checker::new().handed(&Handed::new(), kind, input),
    });
    if let Some(fault) = &verdict.fault {
        println!("{}", fault.replace('\n', " "));
    }
    println!("{what}, {} bytes: {}", input.len(), verdict.kind);
    if verdict.fault.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

fn run(arguments: &Arguments) -> std::io::Result<ExitCode> {
    if let Some(file) = &arguments.check {
        let subject = arguments.kind.unwrap_or(Subject::Shader);
        return Ok(single(&file.display().to_string(), subject, &std::fs::read(file)?));
    }
    if let Some(case) = arguments.case {
        let source = CaseSource::new(arguments);
        let (what, input) = source.make(case);
        let file = arguments.out.join(format!("{}-{case}.{}", arguments.seed, record::extension(source.subject(case))));
        std::fs::create_dir_all(&arguments.out)?;
        std::fs::write(&file, &input)?;
        println!("wrote {}", file.display());
        return Ok(single(&what, source.subject(case), &input));
    }
    if let Some(folder) = &arguments.keep {
        return guided::run(arguments, folder);
    }
    match arguments.child {
        Some(number) => Ok(child::run(arguments, number)),
        None => parent::run(arguments),
    }
}

fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(2)
    })
}
