//! What an entry point of a library costs, for libraries of different sizes.
//!
//! In: containers, such as tests/bench/library/make.sh makes them. Out: a row for each: time and
//! peak memory of parsing for each entry point, the memory that the parsed shader keeps and what it
//! reports of itself, time and peak memory of one translation, time, peak memory and size of one
//! module with all entry points, and the time if each entry point is parsed and translated by
//! itself. What must hold: the figures for each entry point do not grow with the number of entry
//! points, except the last one.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use dxil_bench::{bindings, translate_entry};
use dxil_test_support::memory::{Counting, allocated, peak};
use dxil_translator::{
    Options, PipelineStage, PlanInputs, PlannedEntry, Result, Shader, lavapipe, plan, translate_library,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Measures what an entry point of a library costs: parsing and translation, time and memory.
///
/// tests/bench/library/make.sh FOLDER compiles libraries of 8, 64, 512 and 2,000 entry points;
/// tests/bench/library/rays.200.dxil is one of ray tracing.
#[derive(Parser)]
struct Arguments {
    #[arg(required = true, value_name = "LIBRARY.dxil")]
    files: Vec<PathBuf>,
}

/// How often a library is parsed; the fastest round is reported.
const PARSES: usize = 7;

/// The largest number of entry points that are each parsed and translated by themselves: the time
/// is that number squared.
const ALONE: usize = 512;

/// The measurements of one library.
struct Row {
    bytes: usize,
    entries: usize,
    parse: Duration,
    parse_peak: usize,
    live: usize,
    reported: usize,
    translations: Duration,
    translation_peak: usize,
    words: usize,
    together: Duration,
    together_peak: usize,
    together_words: usize,
    alone: Option<Duration>,
}

fn measure(bytes: &[u8]) -> Result<Row> {
    let options = Options::new(lavapipe());
    let mut parse = Duration::MAX;
    for _ in 0..PARSES {
        let start = Instant::now();
        black_box(Shader::parse(black_box(bytes))?);
        parse = parse.min(start.elapsed());
    }
    let before = allocated();
    let (shader, parse_peak) = peak(|| Shader::parse(bytes));
    let (shader, live) = (shader?, allocated() - before);
    let start = Instant::now();
    let translate = |(entry, _)| translate_entry(&shader, entry, &options);
    let (words, translation_peak) = peak(|| shader.entries().map(translate).sum::<Result<usize>>());
    let (words, translations) = (words?, start.elapsed());
    let start = Instant::now();
    let (together_words, together_peak) = peak(|| -> Result<usize> {
        let stages: Vec<_> = shader.entries().map(|(entry, _)| PipelineStage::new(&shader, entry)).collect();
        let plans = plan(&stages, &PlanInputs::new(&options.profile).with_options(bindings()))?.stages;
        let entries: Vec<_> =
            stages.iter().zip(&plans).map(|(stage, plan)| PlannedEntry::new(stage.entry, plan)).collect();
        Ok(black_box(translate_library(&shader, &entries, &options)?).words.len())
    });
    let (together_words, together) = (together_words?, start.elapsed());
    let start = Instant::now();
    for (entry, _) in shader.entries().filter(|_| shader.entries().len() <= ALONE) {
        black_box(translate_entry(&Shader::parse(black_box(bytes))?, entry, &options)?);
    }
    let alone = Some(start.elapsed()).filter(|_| shader.entries().len() <= ALONE);
    Ok(Row {
        bytes: bytes.len(),
        entries: shader.entries().len(),
        parse,
        parse_peak,
        live,
        reported: shader.memory_size(),
        translations,
        translation_peak,
        words,
        together,
        together_peak,
        together_words,
        alone,
    })
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    println!(
        "entries      bytes | parse us/entry  peak B/entry  live B/entry  reported/live | translate us/entry  peak KB  KB \
         | one module us/entry  peak KB  KB | parse and translate us/entry"
    );
    for file in arguments.files {
        let row = std::fs::read(&file).map_err(|e| e.to_string()).and_then(|b| measure(&b).map_err(|e| e.to_string()));
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                return ExitCode::FAILURE;
            }
        };
        let each = |total: f64| total / row.entries as f64;
        println!(
            "{:7} {:10} | {:14.2} {:13.0} {:13.0} {:14.2} | {:18.2} {:8.0} {:3.0} | {:19.2} {:8.0} {:3.0} | {:>28}",
            row.entries,
            row.bytes,
            each(row.parse.as_secs_f64() * 1e6),
            each(row.parse_peak as f64),
            each(row.live as f64),
            row.reported as f64 / row.live as f64,
            each(row.translations.as_secs_f64() * 1e6),
            row.translation_peak as f64 / 1e3,
            row.words as f64 * 4e-3,
            each(row.together.as_secs_f64() * 1e6),
            row.together_peak as f64 / 1e3,
            row.together_words as f64 * 4e-3,
            row.alone.map_or("not measured".to_owned(), |time| format!("{:.2}", each(time.as_secs_f64() * 1e6))),
        );
    }
    ExitCode::SUCCESS
}
