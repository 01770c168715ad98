//! Prints what the largest inputs of every family cost: `dxil-worst-case [TEXT]`, for the families
//! whose name contains the text.
//!
//! `dxil-worst-case make FAMILY SIZE FILE` writes an input. `dxil-worst-case run FAMILY FILE` is
//! the child process for one input, and `dxil-worst-case beyond` one that allocates more than the
//! memory limit.

use std::path::Path;
use std::process::ExitCode;

use dxil_robustness::memory::Counting;
use dxil_robustness::{families, worst};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", family, size, file] => worst::make(family, size, Path::new(file)),
        ["run", family, file] => worst::child(family, Path::new(file)).map(|line| println!("{line}")),
        ["beyond"] => worst::allocate_beyond().map(|line| println!("{line}")),
        [] => print(""),
        [text] => print(text),
        _ => {
            eprintln!("usage: dxil-worst-case [TEXT]\n       dxil-worst-case make FAMILY SIZE FILE");
            return ExitCode::FAILURE;
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> std::io::Result<()> {
    let program = std::env::current_exe()?;
    for family in families::all().filter(|family| family.name.contains(text)) {
        for case in worst::measure(&program, family)? {
            println!("{case}");
        }
    }
    Ok(())
}
