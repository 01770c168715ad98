//! `dxil-lab`: the driver lab's program.

mod arguments;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::Parser as _;
use dxil_lab::driver::Driver;
use dxil_lab::run::{self, Job, Outcome, Summary};
use dxil_lab::synth::{self, LIST};

use arguments::{Arguments, Run, Synth, Verb};

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let result = match Arguments::parse().verb {
        Verb::Synth(arguments) => synthesize(&arguments),
        Verb::Run(arguments) => run_all(&arguments),
        Verb::Worker(arguments) => {
            let job = Job {
                driver: arguments.driver_name,
                device: arguments.device,
                validation: !arguments.no_validation,
                planted: arguments.plant,
            };
            run::work(&arguments.capture, &job).map(|()| ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("dxil-lab: error: {error}");
        ExitCode::from(2)
    })
}

fn synthesize(arguments: &Synth) -> Result<ExitCode, String> {
    let list = synth::synth(&arguments.inputs, &arguments.out)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&list).map_err(|error| error.to_string())?);
        return Ok(ExitCode::SUCCESS);
    }
    for refused in &list.refused {
        eprintln!("{}: {}", refused.files.join(", "), refused.error.replace('\n', "; "));
    }
    println!(
        "{} pipelines in {}, {} not made; {} says what was chosen",
        list.pipelines.len(),
        arguments.out.display(),
        list.refused.len(),
        arguments.out.join(LIST).display()
    );
    Ok(ExitCode::SUCCESS)
}

fn run_all(arguments: &Run) -> Result<ExitCode, String> {
    // Without a handler the lab ends at once, and its file of results is as good.
    let _ = ctrlc::set_handler(|| STOP.store(true, Relaxed));
    let drivers = arguments.driver.iter().map(|name| Driver::find(name)).collect::<Result<Vec<_>, _>>()?;
    let out = arguments.out.clone().unwrap_or_else(|| arguments.capture.join("results"));
    let options = run::Options {
        jobs: arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        time: Duration::from_secs(arguments.timeout),
        memory_mib: arguments.memory,
        validation: !arguments.no_validation,
        progress: !arguments.json,
        planted: arguments.plant,
    };
    let mut code = ExitCode::SUCCESS;
    for driver in &drivers {
        let path = run::Results::path(&out, &driver.name);
        if arguments.restart && path.exists() {
            std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let results = run::run(&arguments.capture, driver, &out, &options, &STOP)?;
        let summary = Summary::of(results.rows.values());
        if summary.has_faults() {
            code = ExitCode::from(1);
        }
        if arguments.json {
            let document = serde_json::json!({ "driver": driver.name, "summary": summary, "results": path });
            println!("{document}");
        } else {
            print(driver, &results, &summary, &path);
        }
        if STOP.load(Relaxed) {
            eprintln!("stopped; the same command goes on");
            return Ok(ExitCode::from(130));
        }
    }
    Ok(code)
}

/// The results for people: what is not as it should be, then counts.
fn print(driver: &Driver, results: &run::Results, summary: &Summary, path: &Path) {
    for row in results.rows.values() {
        let short = row.pipeline.short();
        if row.outcome != Outcome::Created {
            println!("{short} {}: {}", row.outcome.name(), row.detail.replace('\n', "; "));
        }
        for message in &row.validation {
            println!("{short} validation: {}", message.replace('\n', "; "));
        }
    }
    let device = results.header.as_ref().map_or("", |header| header.device.as_str());
    let counts: Vec<String> = Outcome::ALL
        .iter()
        .filter_map(|outcome| Some(format!("{} {}", summary.outcomes.get(outcome)?, outcome.name())))
        .collect();
    println!("{} ({device}): {}; validation spoke of {}", driver.name, counts.join(", "), summary.validation);
    println!(
        "{:.2} s in the layer, {:.2} s in the driver; {}",
        summary.layer_us as f64 / 1e6,
        summary.driver_us as f64 / 1e6,
        path.display()
    );
}
