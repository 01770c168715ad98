//! What an entry point of a library costs, for libraries of different sizes.
//!
//! In: containers, such as tests/bench/library/make.sh makes them. Out: a row for each: time and peak
//! memory of parsing for each entry point, the memory that the parsed shader keeps and what it reports
//! of itself, and time and peak memory of one translation. What must hold: the figures for each entry
//! point do not grow with the number of entry points.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use dxil_bench::memory::{Counting, allocated, peak, reset_peak};
use dxil_bench::translate_entry;
use dxil_translator::{Options, Result, Shader, lavapipe};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "\
Measures what an entry point of a library costs: parsing and translation, time and memory.

usage: library-cost LIBRARY.dxil…

tests/bench/library/make.sh FOLDER compiles libraries of 8, 64, 512 and 2,000 entry points.";

/// How often a library is parsed; the fastest round is reported.
const PARSES: usize = 7;

/// The measurements of one library.
struct Row {
    bytes: usize,
    entries: usize,
    parse: Duration,
    parse_peak: usize,
    kept: usize,
    reported: usize,
    translations: Duration,
    translation_peak: usize,
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
    reset_peak();
    let shader = Shader::parse(bytes)?;
    let (parse_peak, kept) = (peak() - before, allocated() - before);
    let before = allocated();
    reset_peak();
    let start = Instant::now();
    for (entry, _) in shader.entries() {
        black_box(translate_entry(&shader, entry, &options)?);
    }
    let translations = start.elapsed();
    Ok(Row {
        bytes: bytes.len(),
        entries: shader.entries().len(),
        parse,
        parse_peak,
        kept,
        reported: shader.memory_size(),
        translations,
        translation_peak: peak() - before,
    })
}

fn main() -> ExitCode {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() || files.iter().any(|file| file.to_string_lossy().starts_with('-')) {
        println!("{USAGE}");
        return if files.iter().any(|file| file.as_os_str() == "--help") {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        };
    }
    println!(
        "entries      bytes | parse us/entry  peak B/entry  kept B/entry  reported/kept | translate us/entry  peak KB"
    );
    for file in files {
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
            "{:7} {:10} | {:14.2} {:13.0} {:13.0} {:14.2} | {:18.2} {:8.0}",
            row.entries,
            row.bytes,
            each(row.parse.as_secs_f64() * 1e6),
            each(row.parse_peak as f64),
            each(row.kept as f64),
            row.reported as f64 / row.kept as f64,
            each(row.translations.as_secs_f64() * 1e6),
            row.translation_peak as f64 / 1e3,
        );
    }
    ExitCode::SUCCESS
}
