//! Prints programs, and runs compiled ones.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use dxil_control_flow::{batch, execute, generate, interpret, print};
use dxil_tests::error::Error;

const USAGE: &str = "usage:
  dxil-control-flow print SEED                 the program's HLSL
  dxil-control-flow write FIRST COUNT DIR      HLSL files, named by their seed
  dxil-control-flow check SEED FILE.dxil       fails if the compiled form, run block by block, is not the source
  dxil-control-flow words SEED SUBGROUP        what every thread must write, for `judge expect`
  dxil-control-flow serve LAYER_DIR DRIVER     runs jobs, lines `SEED LEVEL FILE.dxil` on standard input";

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
        Ok(true) => Err(Error::Wrong(format!("{file} is another program than the source"))),
        Err(reason) => Err(Error::Wrong(format!("{file}: {reason}"))),
    }
}

fn words(seed: u32, subgroup: usize) -> Result<(), Error> {
    let words = interpret::outputs(&generate(seed), &generate::inputs(seed), subgroup, usize::MAX);
    for words in words.map_err(|_| Error::Wrong("too many steps".into()))?.chunks(8) {
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
