//! Runs one fixture in a process of its own.
//!
//! With `--time N` the fixture is not judged. It runs once and then N times, and the times are
//! printed.
//!
//! Exit status: 0 passed, 1 failed, 77 skipped, 2 wrong usage. The last line of standard output has
//! the reason.

use std::env;
use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use dxil_tests::arguments::RunArguments;
use dxil_tests::error::Error;
use dxil_tests::judge::{self, CodeKind, Options, Timed};
use dxil_tests::layer::{self, Driver};
use dxil_tests::renderdoc;
use dxil_vulkan::RenderDoc;

/// Runs one fixture in this process and judges its outputs.
#[derive(Parser)]
struct Arguments {
    /// The fixture, an HLSL file with directives
    fixture: PathBuf,
    /// How the fixture runs.
    #[command(flatten)]
    how: RunArguments,
    /// The folder with the layer's manifest; needed for DXIL unless the loader finds it
    #[arg(long, value_name = "DIR")]
    layer_dir: Option<PathBuf>,
    /// Break a rule of Vulkan on purpose, which the validation layer must report
    #[arg(long)]
    fault: bool,
    /// Do not judge the outputs; run the fixture N times and print the times
    #[arg(long, value_name = "N")]
    time: Option<NonZeroUsize>,
    /// Do not judge the outputs; capture the run by RenderDoc into PATH_capture.rdc
    #[arg(long, value_name = "PATH", conflicts_with = "time")]
    renderdoc: Option<PathBuf>,
}

/// Sets environment variables for the Vulkan loader and the layer.
fn set<N: AsRef<OsStr>>(variables: impl IntoIterator<Item = (N, OsString)>) {
    for (name, value) in variables {
        // SAFETY: the process has one thread. Drivers start others only after the first Vulkan
        // instance is created, which is later.
        unsafe { env::set_var(name, value) };
    }
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let RunArguments { code, validation, no_robustness, .. } = arguments.how;
    let driver = Driver::named(&arguments.how.driver);
    let lenient = driver != Driver::Lavapipe;
    let options = Options { code, validation, no_robustness, lenient, fault: arguments.fault };
    let fixture = judge::load(&arguments.fixture)?;
    let takes_part = |name: &str| match name {
        "validation" => validation,
        name => driver.fault_name() == Some(name),
    };
    if let Some((name, fault)) = fixture.faults.iter().find(|(name, _)| takes_part(name)) {
        return Err(Error::Skip(format!("a known fault of {name}: {fault}")));
    }
    set(layer::loader_environment(&driver, arguments.layer_dir.as_deref())?);
    set(layer::settings(&fixture));
    set([layer::profile_cap(&fixture, validation, no_robustness)?]);
    // Mesa, "Environment Variables", `GALLIVM_PERF`.
    set(fixture.unoptimised.then_some(("GALLIVM_PERF", "nopt".into())));
    // Times are those of the code that an application gets.
    if arguments.time.is_none() && !fixture.require.iter().any(|feature| feature == "subgroup_size_8") {
        set(layer::four_lanes(&driver)?);
    }
    if code.is_dxil_objects() {
        set([layer::dual_source(&fixture)]);
    }
    if code.is_heaps() {
        set(layer::root_addresses(&fixture));
    }
    if let Some(path) = &arguments.renderdoc {
        let folders = arguments.layer_dir.iter().cloned().chain([renderdoc::manifest_folder()?]);
        // RenderDoc refuses other features that the layer would add.
        set([("VK_DXIL_TRANSLATE_ENABLE_FEATURES", "VK_KHR_shader_non_semantic_info".into())]);
        set([("VK_ADD_LAYER_PATH", env::join_paths(folders).map_err(|e| Error::Io(e.to_string()))?)]);
        let renderdoc = RenderDoc::load(path).map_err(|e| Error::Io(e.to_string()))?;
        return judge::capture(&fixture, &options, &renderdoc);
    }
    if let Some(count) = arguments.time.map(NonZeroUsize::get) {
        let Timed { times, of_device, steps } = judge::time_runs(&fixture, &options, count)?;
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
    let own = (code == CodeKind::Library).then(|| {
        let folder = env::temp_dir().join(format!("dxil-run-fixture-{}", std::process::id()));
        set([layer::dump_dir(&folder)]);
        folder
    });
    let judged = judge::judge(&fixture, &options, &mut |phase| println!("phase: {phase}"));
    if let Some(folder) = own
        && let Err(e) = std::fs::remove_dir_all(&folder)
        && e.kind() != std::io::ErrorKind::NotFound
    {
        return Err(Error::Io(format!("{}: {e}", folder.display())));
    }
    judged
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => {
            if arguments.time.is_none() && arguments.renderdoc.is_none() {
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
