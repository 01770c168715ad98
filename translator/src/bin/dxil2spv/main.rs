//! `dxil2spv`: the translator as a command-line tool.
//!
//! In: DXIL containers, alone or embedded in SPIR-V, or bitcode, from files or standard input. Out:
//! SPIR-V, or any intermediate stage as text. What must hold: messages have the form
//! `FILE: error: KIND at PLACE: TEXT` on standard error, with further lines indented; the exit code
//! tells the kind of error ([`failure::code`]); the tool produces the whole output before it writes
//! any of it.

mod arguments;
mod embed;
mod explain;
mod failure;
mod files;
mod layout;
mod listing;
mod pdb;
mod pipeline;
mod reflection;
mod stages;
mod validate;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use arguments::{Action, Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    let asked = Arguments::asked();
    // A panic inside the translator must exit with the code of a translator fault, not with Rust's
    // own.
    let stream = Path::new(files::STREAM);
    let (file, result) = match &asked {
        Action::Command(command) => (command.first_file(), catch_unwind(AssertUnwindSafe(|| run(command)))),
        Action::Profile(name) => (name.as_path(), Ok(files::print_profile(name))),
        Action::Completions(shell) => (stream, Ok(files::write(stream, &arguments::completions(*shell)))),
        Action::Manual => (stream, Ok(print_manual(stream))),
    };
    match result.unwrap_or_else(|_| Err(Failure::panic(file))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            anstream::eprintln!("{}", failure.styled());
            ExitCode::from(failure.exit_code())
        }
    }
}

fn print_manual(stream: &Path) -> Result<(), Failure> {
    let text = arguments::manual().map_err(|error| Failure::usage(stream, error))?;
    files::write(stream, &text)
}

fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Translate(arguments) => stages::translate(arguments),
        Command::Layout(arguments) => layout::layout(arguments),
        Command::Resources(arguments) => listing::resources(arguments),
        Command::Explain(arguments) => explain::explain(arguments),
        Command::Rootsig(arguments) => listing::rootsig(arguments),
        Command::Embed(arguments) => embed::embed(arguments),
        Command::Extract(arguments) => embed::extract(arguments),
    }
}
