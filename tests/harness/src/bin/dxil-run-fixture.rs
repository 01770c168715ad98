//! Runs one fixture in a process of its own.
//!
//! With `--time N` the fixture is not judged. It runs once and then N times, and the times are
//! printed.
//!
//! Exit status: 0 passed, 1 failed, 77 skipped, 2 wrong usage. The last line of standard output has
//! the reason.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use dxil_tests::error::Error;
use dxil_tests::judge::{self, CodeKind, Options, Timed};
use dxil_tests::layer::{self, Driver};

const USAGE: &str = "\
Runs one fixture in this process and judges its outputs.

usage: dxil-run-fixture FIXTURE.hlsl [OPTIONS]

  --code CODE        dxil (default): the DXIL containers through the layer; embedded: the same inside
                     SPIR-V modules that do nothing else; stub: these modules without the
                     layer, which must do nothing; fallback: DXC's SPIR-V with DXIL embedded in
                     it, without the layer, where it must be as SPIR-V alone; spirv: DXC's SPIR-V;
                     spirv-under-layer: DXC's SPIR-V with the layer, which must change nothing;
                     library: each DXIL library as one SPIR-V module, without the layer;
                     objects: the DXIL containers through the layer as shader objects;
                     unlinked-objects: the same, with each shader object created by itself;
                     spirv-objects: DXC's SPIR-V as shader objects, without the layer
  --driver DRIVER    lavapipe (default), swiftshader, system, or the path of a driver's JSON file
  --layer-dir DIR    the folder with the layer's manifest; needed for DXIL unless the loader finds it
  --validation       enable the validation layer, below the layer or, with embedded code, above it;
                     an error that it reports fails the fixture
  --no-robustness    disable robust buffer access
  --fault            break a rule of Vulkan on purpose, which the validation layer must report
  --time N           do not judge the outputs; run the fixture N times and print the times

Exit status: 0 passed, 1 failed, 77 skipped, 2 wrong usage.";

struct Arguments {
    fixture: PathBuf,
    driver: Driver,
    layer_dir: Option<PathBuf>,
    options: Options,
    time: Option<usize>,
}

fn arguments() -> Option<Arguments> {
    let mut fixture = None;
    let mut driver = Driver::Lavapipe;
    let mut layer_dir = None;
    let mut time = None;
    let mut options =
        Options { code: CodeKind::Dxil, validation: false, no_robustness: false, lenient: false, fault: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--code" => {
                options.code = CodeKind::named(&words.next()?)?;
            }
            "--driver" => driver = Driver::named(&words.next()?),
            "--layer-dir" => layer_dir = Some(PathBuf::from(words.next()?)),
            "--validation" => options.validation = true,
            "--no-robustness" => options.no_robustness = true,
            "--fault" => options.fault = true,
            "--time" => time = Some(words.next()?.parse().ok().filter(|&count| count > 0)?),
            _ if word.starts_with('-') || fixture.is_some() => return None,
            _ => fixture = Some(PathBuf::from(word)),
        }
    }
    options.lenient = driver != Driver::Lavapipe;
    Some(Arguments { fixture: fixture?, driver, layer_dir, options, time })
}

/// Sets environment variables for the Vulkan loader and the layer.
fn set<N: AsRef<OsStr>>(variables: impl IntoIterator<Item = (N, OsString)>) {
    for (name, value) in variables {
        // SAFETY: the process has one thread. Drivers start others only after the first Vulkan
        // instance is created, which is later.
        unsafe { std::env::set_var(name, value) };
    }
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let fixture = judge::load(&arguments.fixture)?;
    let takes_part = |name: &str| match name {
        "validation" => arguments.options.validation,
        driver => arguments.driver.fault_name() == Some(driver),
    };
    if let Some((name, fault)) = fixture.faults.iter().find(|(name, _)| takes_part(name)) {
        return Err(Error::Skip(format!("a known fault of {name}: {fault}")));
    }
    set(layer::loader_environment(&arguments.driver, arguments.layer_dir.as_deref())?);
    set(layer::settings(&fixture));
    set([layer::profile_cap(&fixture, arguments.options.validation, arguments.options.no_robustness)?]);
    if arguments.options.code.is_dxil_objects() {
        set([layer::dual_source(&fixture)]);
    }
    if let Some(count) = arguments.time {
        let Timed { times, of_device, steps } = judge::time_runs(&fixture, &arguments.options, count)?;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!("pipeline creation {:.2} ms; first run {:.2} ms", ms(times.pipelines), ms(times.first));
        let clock = if of_device { "the device's timestamps" } else { "this process's clock" };
        println!(
            "{count} runs: fastest {:.3} ms, median {:.3} ms, measured by {clock}",
            ms(times.fastest()),
            ms(times.median())
        );
        if let Some(used) = times.processor() {
            println!("processor time of a run: median {:.3} ms", ms(used));
        }
        for (name, time) in steps.iter().zip(&times.steps).filter(|_| of_device && steps.len() > 1) {
            println!("  {name:<24} {:>9.3} ms", ms(*time));
        }
        return Ok(());
    }
    // What the layer dumps of this fixture alone, for its libraries as one module.
    let own = (arguments.options.code == CodeKind::Library).then(|| {
        let folder = std::env::temp_dir().join(format!("dxil-run-fixture-{}", std::process::id()));
        set([layer::dump_dir(&folder)]);
        folder
    });
    let judged = judge::judge(&fixture, &arguments.options, &mut |phase| println!("phase: {phase}"));
    if let Some(folder) = own
        && let Err(e) = std::fs::remove_dir_all(&folder)
        && e.kind() != std::io::ErrorKind::NotFound
    {
        return Err(Error::Io(format!("{}: {e}", folder.display())));
    }
    judged
}

fn main() -> ExitCode {
    if std::env::args().skip(1).any(|word| matches!(word.as_str(), "--help" | "-h")) {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let Some(arguments) = arguments() else {
        eprintln!("dxil-run-fixture: no fixture, an unknown option, or a missing or invalid value\n\n{USAGE}");
        return ExitCode::from(2);
    };
    match run(&arguments) {
        Ok(()) => {
            if arguments.time.is_none() {
                println!("passed");
            }
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
