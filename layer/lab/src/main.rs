//! `dxil-lab`: the driver lab's program.

mod arguments;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::Parser as _;
use dxil_capture::{Capture, Digest};
use dxil_lab::driver::{self, Driver};
use dxil_lab::exec::compare::{self, Comparison, Difference, Side, Tolerance, Verdict};
use dxil_lab::files::{At as _, write_whole};
use dxil_lab::foz::{self, Fate};
use dxil_lab::record::{Form, NoRecording, Recorder};
use dxil_lab::reduce;
use dxil_lab::report;
use dxil_lab::results::{self, Changed, Coverage, Inputs, Outcome, Results, Row, Summary, outputs};
use dxil_lab::run;
use dxil_lab::shell;
use dxil_lab::suite;
use dxil_lab::synth::{self, LIST, List};
use dxil_lab::vulkan::Injection;

use arguments::{
    Arguments, Command, Csv, Diff, Exec, Foz, Merge, Reduce, Report, Run, Suite, Synth, Time, Worker, WorkerArguments,
};

/// What ends a subcommand; it is printed.
type Failure = Box<dyn std::error::Error>;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if !matches!(arguments.command, Command::Worker(_)) {
        for name in driver::DROPPED.iter().filter(|name| std::env::var_os(name).is_some()) {
            eprintln!(
                "{name} is not used, so that results are those of the driver; --layer NAME puts a layer above it"
            );
        }
    }
    let result = match arguments.command {
        Command::Synth(arguments) => synthesize(&arguments),
        Command::Run(arguments) => run_all(&arguments),
        Command::Exec(arguments) => exec_all(&arguments),
        Command::Suite(arguments) => run_suite(&arguments),
        Command::Merge(arguments) => merge_results(&arguments),
        Command::Diff(arguments) => compare_builds(&arguments),
        Command::Time(arguments) => time_builds(&arguments),
        Command::Csv(arguments) => print_table(&arguments),
        Command::Reduce(arguments) => reduce_one(arguments),
        Command::Foz(arguments) => record(&arguments),
        Command::Report(arguments) => report_all(arguments),
        Command::Worker(Worker { capture, job }) => {
            let result = match &job.record {
                Some(file) => foz::work(&capture, &job, file).map_err(Failure::from),
                None => run::work(&capture, &job).map_err(Failure::from),
            };
            result.map(|()| ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("dxil-lab: error: {error}");
        ExitCode::from(2)
    })
}

fn synthesize(arguments: &Synth) -> Result<ExitCode, Failure> {
    let list = synth::synth(&arguments.inputs, arguments.root_signature.as_deref(), &arguments.out)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&list)?);
        return made(&list);
    }
    for refused in &list.refused {
        eprintln!("{}: {}", refused.files.join(", "), refused.error.replace('\n', "; "));
    }
    println!(
        "{} pipelines in {}, {} not made, {} the same as another; {} says what was chosen",
        list.pipelines.len(),
        arguments.out.display(),
        list.refused.len(),
        list.duplicates.len(),
        arguments.out.join(LIST).display()
    );
    made(&list)
}

/// Whether `synth` made something.
fn made(list: &List) -> Result<ExitCode, Failure> {
    if list.pipelines.is_empty() {
        return Err(format!("no pipeline was made: all {} were refused", list.refused.len()).into());
    }
    Ok(ExitCode::SUCCESS)
}

fn run_all(arguments: &Run) -> Result<ExitCode, Failure> {
    let drivers = Driver::find_all(&arguments.driver, arguments.how.made.device.as_deref())?;
    let out = arguments.out.clone().unwrap_or_else(|| arguments.capture.join("results"));
    let mut session = Session::new(&arguments.capture, out, &arguments.how, None)?;
    session.record.clone_from(&arguments.record);
    for driver in &drivers {
        session.results(driver, arguments.how.made.inject)?;
        if session.is_stopped() {
            break;
        }
    }
    Ok(session.end())
}

fn exec_all(arguments: &Exec) -> Result<ExitCode, Failure> {
    let reference = Driver::find(&arguments.against)?.on(arguments.against_device.as_deref());
    let drivers = Driver::find_all(&arguments.driver, arguments.how.made.device.as_deref())?;
    let drivers: Vec<Driver> = drivers.into_iter().map(|driver| driver.distinct_from(&reference)).collect();
    let out = arguments.out.clone().unwrap_or_else(|| arguments.capture.join("exec"));
    let inputs = arguments.inputs.inputs();
    let mut session = Session::new(&arguments.capture, out, &arguments.how, Some(inputs))?;
    session.record.clone_from(&arguments.record);
    let labels = List::read(&arguments.capture).map(|list| list.labels()).unwrap_or_default();
    // An injected fault is one of the drivers that are tried.
    let expected = session.results(&reference, None)?;
    if arguments.coverage && !session.is_stopped() {
        session.coverage(&reference, &labels)?;
    }
    for driver in &drivers {
        if session.is_stopped() {
            break;
        }
        let found = session.results(driver, arguments.how.made.inject)?;
        if session.is_stopped() {
            break;
        }
        session.compare(&expected, &found, arguments.tolerance, &labels)?;
    }
    Ok(session.end())
}

fn merge_results(arguments: &Merge) -> Result<ExitCode, Failure> {
    for (name, rows) in results::merge(&arguments.results, &arguments.out)? {
        println!("{}: {rows} results", arguments.out.join(name).display());
    }
    Ok(ExitCode::SUCCESS)
}

fn compare_builds(arguments: &Diff) -> Result<ExitCode, Failure> {
    let [before, after] = [&arguments.before, &arguments.after].map(|path| Results::read(path));
    print_changes(&results::difference(&before?.rows, &after?.rows), arguments.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what two builds make of the same pipelines.
fn print_changes(changes: &[Changed], json: bool) -> Result<(), Failure> {
    if json {
        println!("{}", serde_json::to_string_pretty(changes)?);
        return Ok(());
    }
    for it in changes {
        let ([before, after], count) = (it.totals, it.pipelines);
        let part = (after - before) * 100.0 / before.abs().max(1.0);
        let (helped, hurt) = (it.helped, it.hurt);
        println!("{}: {before} -> {after} ({part:+.2} %) in {count} pipelines; helped {helped}, hurt {hurt}", it.name);
        for (pipeline, [before, after]) in &it.worst {
            println!("    {}: {before} -> {after}", pipeline.short());
        }
    }
    Ok(())
}

fn time_builds(arguments: &Time) -> Result<ExitCode, Failure> {
    let drivers =
        Driver::find_all(&[arguments.before.clone(), arguments.after.clone()], arguments.how.made.device.as_deref())?;
    let drivers: Vec<Driver> = drivers.into_iter().map(Driver::without_cache).collect();
    let out = arguments.out.clone().unwrap_or_else(|| arguments.capture.join("times"));
    let mut session = Session::new(&arguments.capture, out.clone(), &arguments.how, None)?;
    // What runs beside a pipeline would make its time longer.
    session.options.jobs = arguments.how.jobs.unwrap_or(1);
    let mut times = [BTreeMap::<Digest, Vec<u64>>::new(), BTreeMap::new()];
    for round in 1..=arguments.repeat {
        session.out = out.join(round.to_string());
        // What changes in the course of time has the same part in both.
        for index in if round % 2 == 1 { [0, 1] } else { [1, 0] } {
            let results = session.run(&drivers[index], arguments.how.made.inject.filter(|_| index == 1))?;
            if session.is_stopped() {
                return Err("the command was stopped; the same command goes on".into());
            }
            for row in results.rows.values().filter(|row| row.outcome == Outcome::Created) {
                times[index].entry(row.pipeline).or_default().push(row.driver_us);
            }
        }
    }
    for times in &mut times {
        times.retain(|pipeline, _| session.options.only.contains(pipeline));
    }
    print_changes(&[results::time_difference(&times[0], &times[1])], arguments.how.json)?;
    Ok(ExitCode::SUCCESS)
}

fn print_table(arguments: &Csv) -> Result<ExitCode, Failure> {
    let labels = arguments.capture.as_deref().and_then(List::read).map(|list| list.labels()).unwrap_or_default();
    print!("{}", results::table(Results::read(&arguments.results)?.rows.values(), &labels));
    Ok(ExitCode::SUCCESS)
}

fn run_suite(arguments: &Suite) -> Result<ExitCode, Failure> {
    let _ = ctrlc::set_handler(|| STOP.store(true, Relaxed));
    let against = arguments.against.as_deref().map(Driver::find).transpose()?;
    let options = suite::Options {
        capture: &arguments.capture,
        selection: arguments.selected.selection(),
        driver: Driver::find(&arguments.driver)?.on(arguments.made.device.as_deref()),
        against: against.map(|against| against.on(arguments.against_device.as_deref())),
        inputs: arguments.inputs.inputs(),
        tolerance: arguments.tolerance,
        limits: arguments.made.limits(),
        validation: !arguments.made.no_validation,
        layers: arguments.made.layer.clone(),
        injected: arguments.made.inject,
        stop: Some(&STOP),
    };
    let tests = suite::tests(&options, &arguments.gtest_filter)?;
    let mut out = std::io::stdout().lock();
    if arguments.list {
        suite::list(&tests, &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let has_passed = suite::run(&options, &tests, &mut out)?;
    Ok(ExitCode::from(u8::from(!has_passed)))
}

fn report_all(arguments: Report) -> Result<ExitCode, Failure> {
    let out = arguments.out.unwrap_or_else(|| arguments.capture.join("report.html"));
    let (capture, results, progress) = (arguments.capture, arguments.results, !arguments.json);
    let report = report::report(&report::Options { capture, results, out, progress })?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(ExitCode::SUCCESS);
    }
    report.warnings.iter().for_each(|warning| eprintln!("{warning}"));
    let (page, pipelines, items) = (report.page.display(), report.pipelines, report.items);
    println!("{page}; pipelines: {pipelines}, with something to tell: {items}, bundles: {}", report.bundles);
    Ok(ExitCode::SUCCESS)
}

/// The command line, for a shell.
fn command() -> String {
    let arguments = std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned());
    shell::line(std::iter::once("dxil-lab".to_owned()).chain(arguments))
}

/// The results of a driver.
struct DriverResults<'a> {
    driver: &'a Driver,
    results: Results,
}

/// What the drivers of one command share.
struct Session<'a> {
    capture: &'a Path,
    out: PathBuf,
    how: &'a WorkerArguments,
    options: run::Options,
    /// The folder of recordings.
    record: Option<PathBuf>,
    has_faults: bool,
}

impl<'a> Session<'a> {
    fn new(capture: &'a Path, out: PathBuf, how: &'a WorkerArguments, inputs: Option<Inputs>) -> Result<Self, Failure> {
        // Without a handler the lab ends at once, and its file of results is as good.
        let _ = ctrlc::set_handler(|| STOP.store(true, Relaxed));
        let options = run::Options {
            jobs: how.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
            limits: how.made.limits(),
            validation: !how.made.no_validation,
            layers: how.made.layer.clone(),
            coverage: false,
            only: how.selected.selection().names(capture)?,
            progress: !how.json,
            command: command(),
            inputs,
            injected: None,
        };
        Ok(Self { capture, out, how, options, record: None, has_faults: false })
    }

    fn is_stopped(&self) -> bool {
        STOP.load(Relaxed)
    }

    /// The results of a driver.
    fn run(&mut self, driver: &Driver, injected: Option<Injection>) -> Result<Results, Failure> {
        let path = Results::path(&self.out, &driver.name);
        if self.how.restart && path.exists() {
            std::fs::remove_file(&path).at(&path)?;
        }
        self.options.injected = injected;
        Ok(run::run(self.capture, driver, &self.out, &self.options, &STOP)?)
    }

    /// The results of a driver, which are printed.
    fn results<'d>(&mut self, driver: &'d Driver, injected: Option<Injection>) -> Result<DriverResults<'d>, Failure> {
        let path = Results::path(&self.out, &driver.name);
        let results = self.run(driver, injected)?;
        let selected = results.rows.values().filter(|row| self.options.only.contains(&row.pipeline));
        let summary = Summary::from_rows(selected.clone());
        self.has_faults |= summary.has_faults();
        if self.how.json {
            let cached = results.cached;
            let slow = summary.slow(&selected.collect::<Vec<_>>());
            let slow: Vec<(Digest, u64)> = slow.into_iter().map(|row| (row.pipeline, row.driver_us)).collect();
            let document = serde_json::json!({
                "driver": driver.name,
                "summary": summary,
                "slow": slow,
                "cached": cached,
                "results": path,
            });
            println!("{document}");
        } else {
            print(driver, &results, &selected.collect::<Vec<_>>(), &summary, &path);
        }
        if let Some(folder) = &self.record {
            let folder = folder.join(&driver.name);
            self.record(Form::Gfxr, driver, &results, &folder)?;
            // RenderDoc keeps what a dispatch or a draw uses, and `run` makes pipelines alone.
            if self.options.inputs.is_some() {
                self.record(Form::RenderDoc, driver, &results, &folder)?;
            }
        }
        Ok(DriverResults { driver, results })
    }

    /// Records the pipelines that the driver made, each in a process of its own.
    fn record(&self, form: Form, driver: &Driver, results: &Results, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder).at(folder)?;
        let capture = Capture::open(self.capture)?;
        let outputs = std::env::temp_dir().join(format!("dxil-lab-recorded-{}", std::process::id()));
        let (mut count, mut lacking) = (0, 0);
        let rows = results.rows.values().filter(|row| self.options.only.contains(&row.pipeline));
        for row in rows.filter(|row| matches!(row.outcome, Outcome::Created | Outcome::Executed | Outcome::Rejected)) {
            if self.is_stopped() {
                break;
            }
            let run = self.options.inputs.map(|inputs| (inputs, outputs.clone()));
            let (device, layers) = (capture.record(row.pipeline)?.device, self.options.layers.clone());
            let job = run::Job { device, layers, run, ..run::Job::default() };
            let recorder =
                Recorder { capture: self.capture, form, job, limits: self.options.limits, stop: Some(&STOP) };
            let file = folder.join(format!("{}.{}", row.pipeline.short(), form.ending()));
            match recorder.record(row.pipeline, std::slice::from_ref(driver), &file) {
                Ok(_) => count += 1,
                // Another pipeline may be recorded.
                Err(error @ NoRecording::NoAnswer(_)) => {
                    lacking += 1;
                    eprintln!("{}: {error}", row.pipeline.short());
                }
                Err(error @ NoRecording::RenderDoc(_)) => {
                    eprintln!("no {}: {error}", form.what());
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            }
        }
        let _ = std::fs::remove_dir_all(&outputs);
        if !self.how.json {
            println!("{}: {count} {}, {lacking} missing", folder.display(), form.what());
        }
        Ok(())
    }

    /// Compares two drivers, and prints and writes what was found.
    fn compare(
        &mut self,
        reference: &DriverResults<'_>,
        tried: &DriverResults<'_>,
        tolerance: f64,
        labels: &BTreeMap<Digest, String>,
    ) -> Result<(), Failure> {
        let (DriverResults { driver: reference, results: expected }, DriverResults { driver, results: found }) =
            (reference, tried);
        let (first, second) = (outputs(&self.out, &reference.name), outputs(&self.out, &driver.name));
        let expected = Side { driver: &reference.name, rows: &expected.rows, outputs: &first };
        let found = Side { driver: &driver.name, rows: &found.rows, outputs: &second };
        let all = compare::compare(expected, found, Tolerance { float: tolerance })?;
        let path = self.out.join(format!("{}-against-{}.json", driver.name, reference.name));
        let text = serde_json::to_string_pretty(&all)? + "\n";
        write_whole(&path, text.as_bytes())?;
        let selected: Vec<&Comparison> = all.iter().filter(|it| self.options.only.contains(&it.pipeline)).collect();
        let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
        for comparison in &selected {
            *counts.entry(comparison.verdict).or_default() += 1;
            self.has_faults |= comparison.verdict == Verdict::Differs;
        }
        if self.how.json {
            println!(
                "{}",
                serde_json::json!({ "driver": driver.name, "against": reference.name, "verdicts": counts, "comparison": path })
            );
            return Ok(());
        }
        let is_shown =
            |it: &&&Comparison| !matches!(it.verdict, Verdict::Equal | Verdict::Close | Verdict::NotExecuted);
        selected.iter().filter(is_shown).for_each(|it| print_comparison(it, labels));
        let counts: Vec<String> =
            Verdict::ALL.iter().filter_map(|it| Some(format!("{} {}", counts.get(it)?, it.name()))).collect();
        println!("{} against {}: {}; {}", driver.name, reference.name, counts.join(", "), path.display());
        Ok(())
    }

    /// Prints which part of the code ran on the reference. A driver is not tested here, so faults
    /// are none.
    fn coverage(&mut self, reference: &Driver, labels: &BTreeMap<Digest, String>) -> Result<(), Failure> {
        let options = run::Options { coverage: true, injected: None, ..self.options.clone() };
        let folder = self.out.join(results::COVERAGE);
        if self.how.restart {
            let _ = std::fs::remove_file(Results::path(&folder, &reference.name));
        }
        let results = run::run(self.capture, reference, &folder, &options, &STOP)?;
        let found = results.rows.values().filter(|row| self.options.only.contains(&row.pipeline));
        let found = found.filter_map(|row| Some((row.pipeline, row.execution.as_ref()?.coverage?)));
        let found: Vec<(Digest, Coverage)> = found.collect();
        let all = found.iter().fold(Coverage::default(), |sum, (_, it)| sum.plus(*it));
        if self.how.json {
            println!(
                "{}",
                serde_json::json!({ "reference": reference.name, "pipelines": found.len(), "coverage": all })
            );
            return Ok(());
        }
        for (pipeline, it) in found.iter().filter(|(_, it)| it.stores[1] < it.stores[0]) {
            let label = labels.get(pipeline).map_or("", String::as_str);
            println!(
                "{} {label}: {} of {} stores happened, {} of {} blocks ran",
                pipeline.short(),
                it.stores[1],
                it.stores[0],
                it.blocks[1],
                it.blocks[0]
            );
        }
        println!(
            "coverage: {} of {} stores happened and {} of {} blocks ran, in {} pipelines",
            all.stores[1],
            all.stores[0],
            all.blocks[1],
            all.blocks[0],
            found.len()
        );
        Ok(())
    }

    fn end(&self) -> ExitCode {
        if self.is_stopped() {
            eprintln!("stopped; the same command goes on");
            return ExitCode::from(130);
        }
        ExitCode::from(u8::from(self.has_faults))
    }
}

/// A comparison for people.
fn print_comparison(it: &Comparison, labels: &BTreeMap<Digest, String>) {
    let label = labels.get(&it.pipeline).map_or(String::new(), |label| format!(" {label}"));
    let detail = if it.detail.is_empty() { String::new() } else { format!(": {}", it.detail.replace('\n', "; ")) };
    println!("{}{label}: {}{detail}", it.pipeline.short(), it.verdict.name());
    for found in &it.differences {
        let Difference { output, element, values: [first, second], beyond, elements, .. } = found;
        println!(
            "    {output}: element {element} is {second} instead of {first}; {beyond} of {elements} elements differ"
        );
    }
    if !it.depends.is_empty() {
        println!("    results may depend on {}", it.depends.join(", "));
    }
}

/// Writes a Fossilize database.
fn record(arguments: &Foz) -> Result<ExitCode, Failure> {
    let _ = ctrlc::set_handler(|| STOP.store(true, Relaxed));
    let driver = Driver::find(&arguments.driver)?.on(arguments.device.as_deref());
    let report = foz::write(&arguments.capture, &driver, &arguments.out, &STOP)?;
    let fates = report.fates();
    // What Fossilize or the driver lacks is no error; a process that ended is one.
    let code = if fates.contains_key(&Fate::Crashed) { ExitCode::from(1) } else { ExitCode::SUCCESS };
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(code);
    }
    for row in report.rows.iter().filter(|row| !row.detail.is_empty()) {
        println!("{} {}: {}", row.pipeline.short(), row.fate.name(), row.detail.replace('\n', "; "));
    }
    let counts = |(name, count)| format!("{count} {name}");
    let fates: Vec<String> = Fate::ALL.iter().filter_map(|it| Some((it.name(), *fates.get(it)?))).map(counts).collect();
    let entries: Vec<String> = report.entries.iter().map(|(name, count)| counts((*name, *count))).collect();
    println!("{} pipelines: {}", report.rows.len(), fates.join(", "));
    println!("{}: {}", arguments.out.display(), entries.join(", "));
    Ok(code)
}

/// The results for people: what is not as it should be, then counts.
fn print(driver: &Driver, results: &Results, rows: &[&Row], summary: &Summary, path: &Path) {
    for row in rows {
        let short = row.pipeline.short();
        if !matches!(row.outcome, Outcome::Created | Outcome::Executed) {
            let call = row.call.as_ref().map_or(String::new(), |call| format!(" in {call}"));
            println!("{short} {}: {}{call}", row.outcome.name(), row.detail.replace('\n', "; "));
        }
        for message in &row.validation {
            println!("{short} validation: {}", message.replace('\n', "; "));
        }
    }
    if rows.is_empty() {
        println!("{}: no pipelines; {}", driver.name, path.display());
        return;
    }
    let device = results.header.as_ref().map_or("", |header| header.device.as_str());
    let counts: Vec<String> = Outcome::ALL
        .iter()
        .filter_map(|outcome| Some(format!("{} {}", summary.outcomes.get(outcome)?, outcome.name())))
        .collect();
    println!("{} ({device}): {}; validation spoke of {}", driver.name, counts.join(", "), summary.validation);
    // A few pipelines may take most of the time.
    for row in summary.slow(rows) {
        let part = row.driver_us * 100 / summary.driver_us.max(1);
        println!("{} slow: {:.1} s in the driver, {part} % of all", row.pipeline.short(), row.driver_us as f64 / 1e6);
    }
    if results.cached != 0 {
        println!(
            "cached: {} of {} results are those of an earlier command with this build and these options; --restart \
             runs anew",
            results.cached,
            rows.len()
        );
    }
    println!(
        "{:.2} s in the layer, {:.2} s in the driver; {}",
        summary.layer_us as f64 / 1e6,
        summary.driver_us as f64 / 1e6,
        path.display()
    );
}

fn reduce_one(arguments: Reduce) -> Result<ExitCode, Failure> {
    let _ = ctrlc::set_handler(|| STOP.store(true, Relaxed));
    let options = reduce::Options {
        capture: arguments.capture,
        pipeline: arguments.pipeline,
        driver: arguments.driver,
        device: arguments.made.device.clone(),
        against: arguments.against.map(|driver| reduce::Reference {
            driver,
            device: arguments.against_device,
            inputs: arguments.inputs.inputs(),
            tolerance: arguments.tolerance,
        }),
        out: arguments.out,
        worker: arguments.made.limits(),
        validation: !arguments.made.no_validation,
        layers: arguments.made.layer,
        injected: arguments.made.inject,
        limits: reduce::Limits {
            questions: arguments.questions,
            time: Duration::from_secs(arguments.time),
            stop: Some(&STOP),
        },
        progress: !arguments.json,
    };
    let report = reduce::reduce_pipeline(&options)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        for stage in &report.stages {
            let part = stage.instructions as f64 * 100.0 / stage.instructions_before.max(1) as f64;
            let (name, now, before) = (&stage.stage, stage.instructions, stage.instructions_before);
            println!("{name}: {now} of {before} instructions ({part:.1} %)");
        }
        let (steps, questions, seconds) = (report.steps, report.questions, report.seconds);
        println!("{steps} steps, {questions} pipelines given to the driver, {seconds:.1} s");
        if let reduce::Recording::Missing(why) = &report.recording {
            println!("no recording for GFXReconstruct: {why}");
        }
        if let reduce::Recording::Missing(why) = &report.renderdoc {
            println!("no capture for RenderDoc: {why}");
        }
        if report.confirmed {
            println!("{} shows the fault", options.out.join("command.sh").display());
        }
        if !report.complete {
            println!("the reduction ended early; a longer one (--questions, --time) may leave less");
        }
    }
    if !report.confirmed {
        eprintln!(
            "{} did not show the fault; {} has the last pipeline in which the reduction saw it",
            options.out.join("command.sh").display(),
            options.out.join("capture").display()
        );
    }
    Ok(if report.confirmed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
