//! Cost of translated programs against the SPIR-V that DXC compiles from the same source.
//!
//! In: the programs of `tests/content`, each as DXIL and as DXC's SPIR-V, and a driver (lavapipe by
//! default). Out: a table with one row per program:
//!
//! - the number of shaders, their bytes of DXIL, and the translator's speed and time per shader;
//! - for our SPIR-V, for DXC's, and as a ratio: words of SPIR-V, the time to create all pipelines
//!   (translation included), the same on a further device (the layer's cache has the translations),
//!   the time of the first submission (in which drivers finish their compilation), the time of a
//!   later submission, and the processor time of a later submission.
//!
//! What must hold: both forms run in turn in one process, on two devices that differ only in the
//! layer. Each form is the first one half of the times. The table shows the fastest run of each
//! form, but the median of the processor time, because on a CPU driver other load on the machine
//! disturbs the median least. A program that cannot run is reported by name and left out of the
//! totals.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use dxil_bench::{dxil_size, translate_container};
use dxil_test_support::set_environment;
use dxil_tests::error::{Error, Result};
use dxil_tests::judge::{self, CodeKind, Options};
use dxil_tests::layer::{self, Driver};
use dxil_tests::run::time::{Stopwatch, Times, time};
use dxil_tests::run::{Code, Program};
use dxil_tests::spec::{BindingModel, Fixture};

/// Compares the programs of tests/content, translated from DXIL, with DXC's SPIR-V of the same
/// sources.
#[derive(Parser)]
struct Arguments {
    /// Measure only programs whose name contains NAME [default: all programs]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// A driver: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, default_value = "lavapipe")]
    driver: String,
    /// The time limit for the submissions of one program, in seconds
    #[arg(long, value_name = "N", default_value_t = 2)]
    seconds: u64,
}

/// The two forms of a program: ours, DXC's.
const KINDS: [CodeKind; 2] = [CodeKind::Dxil, CodeKind::Spirv];
/// How often all shaders of a program are translated; the fastest round is reported.
const TRANSLATIONS: usize = 15;
/// How many fresh devices the pipelines are created on; the fastest is reported.
const DEVICES: usize = 2;
/// How many further devices the pipelines are created on while the layer's cache has the
/// translations; the fastest is reported.
const FURTHER_DEVICES: usize = 6;
/// How many submissions are timed at most.
const SUBMISSIONS: usize = 200;

/// The measurements of one program.
struct Row {
    name: String,
    shaders: usize,
    bytes: usize,
    translation: Duration,
    /// Words of SPIR-V: ours, DXC's.
    words: [usize; 2],
    /// Run times: ours, DXC's. `None` if the program did not run.
    costs: Option<[Cost; 2]>,
}

/// What one form of a program costs.
struct Cost {
    times: Times,
    /// The time to create all pipelines once the layer has the translations.
    pipelines_again: Duration,
}

impl Row {
    fn new(fixture: &Fixture) -> Result<Self> {
        let read = |(pass, stage), extension| {
            let path = fixture.code_path(pass, stage, extension);
            std::fs::read(&path).map_err(|e| Error::Io(format!("{}: {e}", path.display())))
        };
        let dxil = fixture.stages().map(|stage| read(stage, "dxil")).collect::<Result<Vec<_>>>()?;
        let spirv = fixture.stages().map(|stage| read(stage, "spv")).collect::<Result<Vec<_>>>()?;
        let wrong = |e: dxil_translator::Error| Error::Wrong(e.to_string());
        let all: Vec<_> = fixture.stages().map(|(pass, _)| options_of(pass.samples)).zip(&dxil).collect();
        let translate_all = || {
            all.iter().map(|(options, bytes)| translate_container(bytes, options).map_err(wrong)).sum::<Result<usize>>()
        };
        let words = translate_all()?;
        let once = |_| {
            let start = Instant::now();
            // The call that computed `words` has just succeeded with the same input.
            let _ = translate_all();
            start.elapsed()
        };
        Ok(Self {
            name: fixture.name.trim_start_matches("content/").to_owned(),
            shaders: dxil.len(),
            bytes: dxil.iter().map(|bytes| dxil_size(bytes).map_err(wrong)).sum::<Result<_>>()?,
            translation: (0..TRANSLATIONS).map(once).min().unwrap_or_default(),
            words: [words, spirv.iter().map(|code| code.len() / 4).sum()],
            costs: None,
        })
    }
}

/// Translation options for a pipeline with `samples` samples per pixel.
fn options_of(samples: u32) -> dxil_translator::Options {
    let mut options = dxil_translator::Options::new(dxil_translator::lavapipe());
    options.pipeline.samples = samples;
    options
}

/// Runs both forms of a program in turn, each on a device of its own: our times, then DXC's.
fn run(fixture: &Fixture, limit: Duration) -> Result<[Cost; 2]> {
    let options =
        Options { code: CodeKind::Dxil, validation: false, no_robustness: false, lenient: false, fault: false };
    let code = KINDS.map(|kind| judge::read_code(fixture, kind));
    let [ours, theirs] = code;
    let code = [ours?, theirs?];
    let mut best: Option<[Times; 2]> = None;
    let mut pipelines_again = [Duration::MAX; 2];
    for device in 0..DEVICES {
        // What comes second finds warm caches, so that each form comes second on every other
        // device.
        let swapped = device % 2 != 0;
        let [a, b] = if swapped { [1, 0] } else { [0, 1] };
        let contexts = [judge::context(KINDS[a], fixture, &options)?, judge::context(KINDS[b], fixture, &options)?];
        let programs = [Program::new(fixture, &contexts[0], &code[a])?, Program::new(fixture, &contexts[1], &code[b])?];
        let watches = [0, 1].map(|form: usize| Stopwatch::new(&contexts[form], programs[form].step_count()));
        let [ours, theirs] = watches;
        let watches = [ours?, theirs?];
        let last = device + 1 == DEVICES;
        let pairs = [(&programs[0], &watches[0]), (&programs[1], &watches[1])];
        let mut times = time(&pairs, if last { SUBMISSIONS } else { 1 }, limit)?;
        if swapped {
            times.reverse();
        }
        let [mut ours, mut theirs] = <[Times; 2]>::try_from(times).map_err(|_| Error::Wrong("no times".into()))?;
        if let Some([our_best, their_best]) = &best {
            for (now, before) in [(&mut ours, our_best), (&mut theirs, their_best)] {
                now.pipelines = now.pipelines.min(before.pipelines);
                now.first = now.first.min(before.first);
            }
        }
        best = Some([ours, theirs]);
        if last {
            // The layer frees its cache with the last instance, and those of `contexts` exist.
            pipelines_again = create_again(fixture, &options, &code)?;
        }
    }
    let [ours, theirs] = best.ok_or_else(|| Error::Wrong("no device".into()))?;
    let [our_again, their_again] = pipelines_again;
    Ok([Cost { times: ours, pipelines_again: our_again }, Cost { times: theirs, pipelines_again: their_again }])
}

/// The fastest creation of all pipelines of each form, on devices that differ from those before.
fn create_again(fixture: &Fixture, options: &Options, code: &[Vec<Code<'_>>; 2]) -> Result<[Duration; 2]> {
    let mut best = [Duration::MAX; 2];
    for form in (0..FURTHER_DEVICES).flat_map(|device| [device % 2, 1 - device % 2]) {
        let context = judge::context(KINDS[form], fixture, options)?;
        let program = Program::new(fixture, &context, &code[form])?;
        best[form] = best[form].min(program.pipelines_made_in);
    }
    Ok(best)
}

/// Sets the environment variables that the Vulkan loader and the layer read in this process.
fn prepare_environment(driver: &Driver) -> Result<()> {
    let layer_dir = layer::build()?;
    let mut variables: Vec<(&str, OsString)> = layer::loader_environment(driver, Some(&layer_dir))?;
    variables.extend(layer::settings_of(BindingModel::Register).into_iter().map(|(name, value)| (name, value.into())));
    // Mesa caches compiled shaders on disk. A first submission that hits the cache would not
    // measure compilation.
    variables.push(("MESA_SHADER_CACHE_DISABLE", "true".into()));
    set_environment(variables);
    Ok(())
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter_map(|path| Some(path.join(path.file_name()?).with_extension("hlsl")))
        .filter(|source| source.exists())
        .collect();
    found.sort();
    found
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Formats our value, DXC's and their ratio as three columns.
fn pair([ours, theirs]: [f64; 2], digits: usize) -> String {
    format!("{ours:>9.digits$} {theirs:>9.digits$} {:>5.2}", ours / theirs)
}

fn line(name: &str, shaders: usize, bytes: usize, translation: Duration, words: [usize; 2], rest: &str) {
    let speed = bytes as f64 / 1e6 / translation.as_secs_f64();
    let each = ms(translation) / shaders as f64;
    let words = pair(words.map(|count| count as f64), 0);
    println!("{name:<26} {shaders:>3} {:>7.1} {speed:>6.1} {each:>6.3} |{words} |{rest}", bytes as f64 / 1e3);
}

fn print(rows: &[Row]) {
    println!(
        "{:<26} {:>3} {:>7} {:>6} {:>6} |{:^26}|{:^26}|{:^26}|{:^26}|{:^26}|{:^26}",
        "",
        "",
        "DXIL",
        "",
        "ms per",
        "words of SPIR-V",
        "pipelines, ms",
        "same, translated before",
        "first submission, ms",
        "later submission, ms",
        "its processor time, ms"
    );
    let columns = format!("{:>9} {:>9} {:>5} ", "ours", "DXC's", "ratio");
    println!(
        "{:<26} {:>3} {:>7} {:>6} {:>6} |{columns}|{columns}|{columns}|{columns}|{columns}|{columns}",
        "program", "n", "kB", "MB/s", "shader"
    );
    let parts: [fn(&Cost) -> Duration; 5] = [
        |cost| cost.times.pipelines,
        |cost| cost.pipelines_again,
        |cost| cost.times.first,
        |cost| cost.times.fastest(),
        |cost| cost.times.processor().unwrap_or_default(),
    ];
    for row in rows {
        let columns = match &row.costs {
            Some(costs) => parts.map(|part| pair(costs.each_ref().map(|cost| ms(part(cost))), 2)).join(" |"),
            None => " did not run".to_owned(),
        };
        line(&row.name, row.shaders, row.bytes, row.translation, row.words, &columns);
    }
    let words = [0, 1].map(|form: usize| rows.iter().map(|row| row.words[form]).sum());
    let ran: Vec<_> = rows.iter().filter_map(|row| row.costs.as_ref()).collect();
    let sum = |part: fn(&Cost) -> Duration, form: usize| ran.iter().map(|costs| ms(part(&costs[form]))).sum::<f64>();
    let sums = parts.map(|part| pair([sum(part, 0), sum(part, 1)], 2)).join(" |");
    let count = |of: fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    let translation = rows.iter().map(|row| row.translation).sum();
    line("total", count(|row| row.shaders), count(|row| row.bytes), translation, words, &sums);
    let mean = |part: fn(&Cost) -> Duration| {
        let logs = ran.iter().map(|costs| (ms(part(&costs[0])) / ms(part(&costs[1]))).ln());
        (logs.sum::<f64>() / ran.len() as f64).exp()
    };
    if !ran.is_empty() {
        let [pipelines, again, first, later, processor] = parts.map(mean);
        println!(
            "geometric means of the ratios: pipelines {pipelines:.2}, translated before {again:.2}, \
             first submission {first:.2}, later submission {later:.2}, its processor time {processor:.2}"
        );
    }
}

fn main() -> ExitCode {
    let Arguments { names, driver, seconds } = Arguments::parse();
    let can_run = prepare_environment(&Driver::named(&driver));
    if let Err(error) = &can_run {
        println!("the programs are translated but not run: {error}");
    }
    let mut rows = Vec::new();
    for source in sources(&layer::root().join("tests/content")) {
        let row = judge::load(&source).and_then(|fixture| {
            if !names.is_empty() && !names.iter().any(|name| fixture.name.contains(name.as_str())) {
                return Ok(None);
            }
            let mut row = Row::new(&fixture)?;
            if can_run.is_ok() && fixture.bindings == BindingModel::Register {
                match run(&fixture, Duration::from_secs(seconds)) {
                    Ok(costs) => row.costs = Some(costs),
                    Err(error) => println!("{}: {error}", fixture.name),
                }
            }
            Ok(Some(row))
        });
        match row {
            Ok(row) => rows.extend(row),
            Err(error) => println!("{}: left out: {error}", source.display()),
        }
    }
    if rows.is_empty() {
        eprintln!("content-cost: found no program to measure in tests/content");
        return ExitCode::FAILURE;
    }
    print(&rows);
    ExitCode::SUCCESS
}
