//! Prints random programs, checks their compiled forms, and runs these for the test suite.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use dxil_control_flow::{batch, digest, execute, generate, interpret, print};
use dxil_tests::error::Error;

const USAGE: &str = "usage:
  dxil-control-flow print SEED                 print the HLSL of a program
  dxil-control-flow write FIRST COUNT DIR      write the HLSL of COUNT programs, as DIR/SEED.hlsl
  dxil-control-flow digest SEED…               print each seed and the digest of its HLSL
  dxil-control-flow check SEED FILE.dxil       execute the DXIL on the CPU; fail if its output words
                                               differ from those that the source computes
  dxil-control-flow words SEED SUBGROUP        print the words that the threads must write with
                                               subgroups of SUBGROUP lanes, for `judge expect`
  dxil-control-flow serve LAYER_DIR DRIVER     run jobs, read as lines `SEED LEVEL FILE.dxil` from
                                               standard input";

fn write(first: u32, count: u32, folder: &str) -> Result<(), Error> {
    (first..first.saturating_add(count)).try_for_each(|seed| {
        let path = Path::new(folder).join(format!("{seed}.hlsl"));
        fs::write(&path, print::hlsl(&generate(seed))).map_err(|e| Error::Io(format!("{}: {e}", path.display())))
    })
}

fn check(seed: u32, file: &str) -> Result<(), Error> {
    let code = fs::read(file).map_err(|e| Error::Io(format!("{file}: {e}")))?;
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

fn run(arguments: &[&str]) -> Option<Result<(), Error>> {
    Some(match arguments {
        ["print", seed] => {
            print!("{}", print::hlsl(&generate(seed.parse().ok()?)));
            Ok(())
        }
        ["digest", seeds @ ..] => {
            for seed in seeds {
                println!("{seed} {}", digest(&generate(seed.parse().ok()?)));
            }
            Ok(())
        }
        ["write", first, count, folder] => write(first.parse().ok()?, count.parse().ok()?, folder),
        ["check", seed, file] => check(seed.parse().ok()?, file),
        ["words", seed, subgroup] => words(seed.parse().ok()?, subgroup.parse().ok()?),
        ["serve", layer_dir, driver] => batch::serve(Path::new(layer_dir), driver),
        _ => return None,
    })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        None if matches!(arguments.as_slice(), ["--help" | "-h"]) => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(e)) => {
            println!("{e}");
            ExitCode::FAILURE
        }
    }
}
