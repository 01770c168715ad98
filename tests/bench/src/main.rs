//! Throughput of the translator, bytes to words: one thread, no cache.
//!
//! In: containers (the committed corpus, or the files and folders named). Out: how many and how large they are, MB of DXIL per
//! second, milliseconds per shader, the share of each stage, words out, and peak memory. What must hold: MB are 10⁶ bytes of
//! the DXIL part, without debug data; a shader that does not translate is named and not counted.
//!
//! These machines are noisy: passes are repeated and the median pass is quoted beside the fastest. Compare ratios of one run.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use dxil_bench::{back_half, dxil_size, measure};
use dxil_translator::internals::bitcode;
use dxil_translator::internals::container::Container;
use dxil_translator::internals::dxil::{decode, metadata, verify};
use dxil_translator::{Options, Result, Shader, lavapipe};

/// Passes over the whole corpus.
const PASSES: usize = 15;

fn main() -> ExitCode {
    let named: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let roots = if named.is_empty() { vec![corpus] } else { named };
    let mut files = Vec::new();
    for root in &roots {
        collect(root, &mut files);
    }
    files.sort();
    let options = Options::new(lavapipe());
    let mut shaders = Vec::new();
    for file in &files {
        let Ok(bytes) = std::fs::read(file) else {
            eprintln!("{}: can not be read", file.display());
            return ExitCode::FAILURE;
        };
        match measure(&bytes, &options).and_then(|_| dxil_size(&bytes)) {
            Ok(size) => shaders.push((bytes, size)),
            Err(error) => eprintln!("{}: not counted: {error}", file.display()),
        }
    }
    if shaders.is_empty() {
        eprintln!("no shader to translate");
        return ExitCode::FAILURE;
    }
    let mut sizes: Vec<usize> = shaders.iter().map(|s| s.1).collect();
    sizes.sort_unstable();
    let total: usize = sizes.iter().sum();
    let at = |share: usize| sizes[(sizes.len() - 1) * share / 100];
    println!("corpus: {} shaders, {:.3} MB of DXIL", sizes.len(), total as f64 / 1e6);
    println!(
        "sizes in bytes: smallest {}, 10 % {}, median {}, 90 % {}, largest {}",
        at(0),
        at(10),
        at(50),
        at(90),
        at(100)
    );
    let (mut passes, mut processor) = (Vec::new(), Vec::new());
    let (mut stages, mut words) = ([Duration::ZERO; STAGES.len()], 0);
    for _ in 0..PASSES {
        words = 0;
        let (start, before) = (Instant::now(), processor_time());
        for (bytes, _) in &shaders {
            words += measure(bytes, &options).unwrap_or(0);
        }
        passes.push(start.elapsed());
        processor.extend(before.zip(processor_time()).map(|(before, after)| after.saturating_sub(before)));
    }
    for _ in 0..PASSES {
        for (bytes, _) in &shaders {
            if let Ok(split) = split(bytes, &options) {
                stages.iter_mut().zip(split).for_each(|(sum, time)| *sum += time);
            }
        }
    }
    passes.sort_unstable();
    processor.sort_unstable();
    let median = passes[passes.len() / 2];
    let rate = |pass: Duration| total as f64 / 1e6 / pass.as_secs_f64();
    println!("throughput: {:.1} MB/s (median of {PASSES} passes), {:.1} MB/s (fastest)", rate(median), rate(passes[0]));
    if let Some(&used) = processor.get(processor.len() / 2) {
        println!("by processor time: {:.1} MB/s (median), which other processes disturb less", rate(used));
    }
    println!("time per shader: {:.3} ms", median.as_secs_f64() * 1e3 / shaders.len() as f64);
    println!("output: {words} words, {:.2} bytes per byte of DXIL", words as f64 * 4.0 / total as f64);
    let sum: Duration = stages.iter().sum();
    for (name, time) in STAGES.iter().zip(stages) {
        println!("  {name:<28} {:5.1} %", time.as_secs_f64() * 100.0 / sum.as_secs_f64());
    }
    match peak_memory() {
        Some(kib) => println!("peak memory: {:.1} MB (whole process, the corpus included)", kib as f64 * 1024.0 / 1e6),
        None => println!("peak memory: not known on this system"),
    }
    ExitCode::SUCCESS
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) if path.extension().is_some_and(|e| e == "dxil") || !path.is_dir() => {
            if path.extension().is_some_and(|e| e == "dxil") {
                files.push(path.to_owned());
            }
        }
        Err(_) => {}
    }
}

/// Processor time of this thread, as Linux tells it.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

const STAGES: [&str; 5] = ["container", "bitcode", "decode and metadata", "verify", "plan and lower to SPIR-V"];

/// The same in pieces, to see where the time goes.
fn split(bytes: &[u8], options: &Options) -> Result<[Duration; STAGES.len()]> {
    let mut times = [Duration::ZERO; STAGES.len()];
    let mut clock = Instant::now();
    let mut lap = |stage: usize| times[stage] = std::mem::replace(&mut clock, Instant::now()).elapsed();
    let container = Container::parse(bytes)?;
    let program = container.program()?;
    lap(0);
    let module = bitcode::read(program.bitcode)?;
    lap(1);
    black_box(metadata::read(&module)?);
    let decoded = decode::decode(&module)?;
    lap(2);
    verify::verify(&decoded.module)?;
    lap(3);
    let shader = Shader::parse(bytes)?;
    clock = Instant::now();
    black_box(back_half(&shader, options)?);
    times[4] = clock.elapsed();
    Ok(times)
}

/// The process's largest resident size in KiB, as Linux tells it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
