//! Runs one fixture in a process of its own.
//!
//! Exit status: 0 passed, 1 failed, 77 skipped, 2 wrong usage. The last line of standard output says why.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use dxil_tests::error::Error;
use dxil_tests::judge::{self, CodeKind, Options};
use dxil_tests::layer::{self, Driver};

const USAGE: &str =
    "usage: dxil-run-fixture FIXTURE.hlsl [--code dxil|spirv] [--driver lavapipe|swiftshader|system|ICD.json]
       [--layer-dir DIR] [--validation] [--no-robustness] [--fault]";

struct Arguments {
    fixture: PathBuf,
    driver: Driver,
    layer_dir: Option<PathBuf>,
    options: Options,
}

fn arguments() -> Option<Arguments> {
    let mut fixture = None;
    let mut driver = Driver::Lavapipe;
    let mut layer_dir = None;
    let mut options =
        Options { code: CodeKind::Dxil, validation: false, no_robustness: false, lenient: false, fault: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--code" => {
                options.code = match words.next()?.as_str() {
                    "dxil" => CodeKind::Dxil,
                    "spirv" => CodeKind::Spirv,
                    _ => return None,
                }
            }
            "--driver" => driver = Driver::named(&words.next()?),
            "--layer-dir" => layer_dir = Some(PathBuf::from(words.next()?)),
            "--validation" => options.validation = true,
            "--no-robustness" => options.no_robustness = true,
            "--fault" => options.fault = true,
            _ if word.starts_with('-') || fixture.is_some() => return None,
            _ => fixture = Some(PathBuf::from(word)),
        }
    }
    options.lenient = driver != Driver::Lavapipe;
    Some(Arguments { fixture: fixture?, driver, layer_dir, options })
}

/// Sets environment variables for the Vulkan loader and the layer.
fn set(variables: impl IntoIterator<Item = (&'static str, OsString)>) {
    for (name, value) in variables {
        // SAFETY: this is the only thread: nothing here starts one before the first Vulkan instance is made.
        unsafe { std::env::set_var(name, value) };
    }
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let fixture = judge::load(&arguments.fixture)?;
    let known = fixture.faults.iter().find(|(driver, _)| arguments.driver.fault_name() == Some(driver.as_str()));
    if let Some((driver, fault)) = known {
        return Err(Error::Skip(format!("a known fault of {driver}: {fault}")));
    }
    set(layer::loader_environment(&arguments.driver, arguments.layer_dir.as_deref())?);
    set(layer::settings(&fixture).into_iter().map(|(name, value)| (name, value.into())));
    set([layer::profile_cap(&fixture, arguments.options.validation)?]);
    judge::judge(&fixture, &arguments.options, &mut |phase| println!("phase: {phase}"))
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&arguments) {
        Ok(()) => {
            println!("passed");
            ExitCode::SUCCESS
        }
        Err(Error::Skip(reason)) => {
            println!("{reason}");
            ExitCode::from(77)
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
