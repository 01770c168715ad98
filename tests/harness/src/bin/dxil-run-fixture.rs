//! Runs one fixture in a process of its own.
//!
//! With `--time N` the fixture is not judged. It runs once and then N times, and the times are
//! printed.
//!
//! Exit status: 0 passed, 1 failed, 77 skipped, 2 wrong usage. The last line of standard output has
//! the reason.

use std::env;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use dxil_test_support::set_environment;
use dxil_tests::alone::{Alone, finish};
use dxil_tests::arguments::RunArguments;
use dxil_tests::error::Error;
use dxil_tests::judge::{self, Timed};
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

fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { fixture: source, how, layer_dir, fault, .. } = arguments;
    let alone = Alone { how, layer_dir: layer_dir.as_deref(), fault: *fault, is_timed: arguments.time.is_some() };
    if let Some(path) = &arguments.renderdoc {
        let (fixture, options) = alone.prepare(source)?;
        let folders = layer_dir.iter().cloned().chain([renderdoc::manifest_folder()?]);
        // RenderDoc refuses other features that the layer would add.
        set_environment([("VK_DXIL_TRANSLATE_ENABLE_FEATURES", "VK_KHR_shader_non_semantic_info")]);
        set_environment([("VK_ADD_LAYER_PATH", env::join_paths(folders).map_err(|e| Error::Io(e.to_string()))?)]);
        let renderdoc = RenderDoc::load(path).map_err(|e| Error::Io(e.to_string()))?;
        return judge::capture(&fixture, &options, &renderdoc);
    }
    if let Some(count) = arguments.time.map(NonZeroUsize::get) {
        let (fixture, options) = alone.prepare(source)?;
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
    alone.judge(source)?;
    println!("passed");
    Ok(())
}

fn main() -> ExitCode {
    ExitCode::from(finish(run(&Arguments::parse())))
}
