//! Prints random programs, checks their compiled forms, and runs these for the test suite.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use dxil_control_flow::{batch, digest, execute, generate, interpret, print};
use dxil_tests::error::Error;

/// Prints random programs, checks their compiled forms, and runs these for the test suite.
#[derive(Parser)]
enum Command {
    /// Print the HLSL of a program
    Print { seed: u32 },
    /// Write the HLSL of COUNT programs, as FOLDER/SEED.hlsl
    Write { first: u32, count: u32, folder: PathBuf },
    /// Print each seed and the digest of its HLSL
    Digest { seeds: Vec<u32> },
    /// Execute the DXIL on the CPU; fail if its output words differ from those that the source
    /// computes
    Check { seed: u32, file: PathBuf },
    /// Print the words that the threads must write with subgroups of SUBGROUP lanes, for
    /// `judge expect`
    Words { seed: u32, subgroup: usize },
    /// Run jobs, read as lines `SEED LEVEL FILE.dxil` from standard input
    Serve { layer_dir: PathBuf, driver: String },
}

fn write(first: u32, count: u32, folder: &Path) -> Result<(), Error> {
    (first..first.saturating_add(count)).try_for_each(|seed| {
        let path = folder.join(format!("{seed}.hlsl"));
        fs::write(&path, print::hlsl(&generate(seed))).map_err(|e| Error::Io(format!("{}: {e}", path.display())))
    })
}

fn check(seed: u32, path: &Path) -> Result<(), Error> {
    let file = path.display();
    let code = fs::read(path).map_err(|e| Error::Io(format!("{file}: {e}")))?;
    match execute::is_miscompiled(seed, &code) {
        Ok(false) => Ok(()),
        Ok(true) => Err(Error::Wrong(format!("{file} does not compute what its source computes (seed {seed})"))),
        Err(reason) => Err(Error::Wrong(format!("{file}: {reason}"))),
    }
}

fn words(seed: u32, subgroup: usize) -> Result<(), Error> {
    let words = interpret::outputs(&generate(seed), &generate::inputs(seed), subgroup, usize::MAX);
    for words in words.map_err(|_| Error::Wrong("the program executes too many statements".into()))?.chunks(8) {
        let words: Vec<_> = words.iter().map(|word| format!("{word:#010x}")).collect();
        println!("{}", words.join(" "));
    }
    Ok(())
}

fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Print { seed } => print!("{}", print::hlsl(&generate(seed))),
        Command::Digest { seeds } => seeds.iter().for_each(|&seed| println!("{seed} {}", digest(&generate(seed)))),
        Command::Write { first, count, folder } => write(first, count, &folder)?,
        Command::Check { seed, file } => check(seed, &file)?,
        Command::Words { seed, subgroup } => words(seed, subgroup)?,
        Command::Serve { layer_dir, driver } => batch::serve(&layer_dir, &driver)?,
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            println!("{e}");
            ExitCode::FAILURE
        }
    }
}
