//! Throughput of the translator from container bytes to SPIR-V words, on one thread, uncached.
//!
//! In: containers, either the committed corpus or the files and folders named as arguments. Out:
//! the number of containers and their sizes, MB of DXIL per second, milliseconds per shader, each
//! stage's share of the time, the number of SPIR-V words, the shaders that are slow for their size,
//! and peak memory; on request how several threads scale, and a picture of the times. What must
//! hold: one MB is 10⁶ bytes of bitcode in the DXIL part, without debug data. A shader that does
//! not translate is reported by name and not counted.
//!
//! Other load on the machine disturbs the times. The passes are therefore repeated, and the median
//! pass is printed beside the fastest one. Compare figures of one run only, as ratios.

mod picture;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use dxil_base::limits::Fuel;
use dxil_bench::{Job, back_half, measure};
use dxil_bitcode as bitcode;
use dxil_translator::container::Container;
use dxil_translator::decode;
use dxil_translator::decode::metadata;
use dxil_translator::ir::verify;
use dxil_translator::{Options, Result, lavapipe};

use self::picture::Point;

/// Measures the translator's throughput in MB of DXIL per second, and where its time goes.
#[derive(Parser)]
struct Arguments {
    /// DXIL containers (*.dxil), requests with their containers beside them (*.request), or folders
    /// with all of these that are below them
    #[arg(value_name = "FILE OR FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus"))]
    roots: Vec<PathBuf>,
    /// How often everything is translated. One pass is enough where a tool counts instructions
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Also translates with 2, 4, … threads, up to this number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Writes a picture of the times against the sizes (SVG)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The number of shaders that are listed as the slowest.
const LISTED: usize = 10;

fn print_sizes(shaders: &[Job]) {
    let mut sizes: Vec<usize> = shaders.iter().map(|shader| shader.size).collect();
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
}

/// Prints the throughput, and returns the time that each shader takes.
fn print_speed(shaders: &[Job], options: &Options, repeat: u32) -> Vec<Duration> {
    let total: usize = shaders.iter().map(|shader| shader.size).sum();
    let (mut passes, mut processor) = (Vec::new(), Vec::new());
    let (mut stages, mut words) = ([Duration::ZERO; STAGES.len()], 0);
    let mut fastest = vec![Duration::MAX; shaders.len()];
    for _ in 0..repeat {
        words = 0;
        let (start, before) = (Instant::now(), processor_time());
        for (shader, fastest) in shaders.iter().zip(&mut fastest) {
            let start = Instant::now();
            words += measure(shader, options).unwrap_or(0);
            *fastest = start.elapsed().min(*fastest);
        }
        passes.push(start.elapsed());
        processor.extend(before.zip(processor_time()).map(|(before, after)| after.saturating_sub(before)));
    }
    for _ in 0..repeat {
        for shader in shaders {
            if let Ok(split) = split(shader, options) {
                stages.iter_mut().zip(split).for_each(|(sum, time)| *sum += time);
            }
        }
    }
    passes.sort_unstable();
    processor.sort_unstable();
    let median = passes[passes.len() / 2];
    let rate = |pass: Duration| total as f64 / 1e6 / pass.as_secs_f64();
    println!("throughput: {:.1} MB/s (median of {repeat} passes), {:.1} MB/s (fastest)", rate(median), rate(passes[0]));
    if let Some(&used) = processor.get(processor.len() / 2) {
        println!("by processor time: {:.1} MB/s (median); other processes disturb this figure less", rate(used));
    }
    println!("time per shader: {:.3} ms", median.as_secs_f64() * 1e3 / shaders.len() as f64);
    println!("output: {words} words, {:.2} bytes per byte of DXIL", words as f64 * 4.0 / total as f64);
    let sum: Duration = stages.iter().sum();
    for (name, time) in STAGES.iter().zip(stages) {
        println!("  {name:<28} {:5.1} %", time.as_secs_f64() * 100.0 / sum.as_secs_f64());
    }
    fastest
}

/// Prints the shaders that take the longest for their size, and returns the picture of all.
fn print_slowest<'a>(shaders: &'a [Job], fastest: &[Duration]) -> String {
    let rate = |(shader, time): (&'a Job, &Duration)| (time.as_secs_f64() / shader.size as f64, shader);
    let mut rates: Vec<(f64, &Job)> = shaders.iter().zip(fastest).map(rate).collect();
    rates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let median = rates[rates.len() / 2].0;
    println!("time per KB: {:.4} ms (median shader); the slowest shaders for their size:", median * 1e6);
    println!("  {:>9} {:>9} {:>9} {:>6}  shader", "KB", "ms", "ms per KB", "times");
    let mut points = Vec::new();
    for (n, &(rate, shader)) in rates.iter().enumerate() {
        let (size, seconds) = (shader.size, rate * shader.size as f64);
        let name = (n < LISTED).then_some(shader.name.as_str());
        if let Some(name) = name {
            let (kilobytes, per_kilobyte) = (size as f64 / 1e3, rate * 1e6);
            println!("  {kilobytes:9.2} {:9.4} {per_kilobyte:9.4} {:6.1}  {name}", seconds * 1e3, rate / median);
        }
        points.push(Point { size, seconds, name });
    }
    picture::svg(&points, median)
}

/// Prints the throughput of several threads, each with a share of the shaders, beside that of one.
fn print_threads(shaders: &[Job], options: &Options, repeat: u32, most: u32) {
    let total: usize = shaders.iter().map(|shader| shader.size).sum();
    let mut alone = None;
    for threads in (0..).map(|power| 1usize << power).take_while(|&threads| threads <= most as usize) {
        let work = |first: usize| {
            let before = processor_time();
            for _ in 0..repeat {
                for shader in shaders.iter().skip(first).step_by(threads) {
                    black_box(measure(shader, options).unwrap_or(0));
                }
            }
            before.zip(processor_time()).map_or(Duration::ZERO, |(before, after)| after.saturating_sub(before))
        };
        let start = Instant::now();
        let used: Duration = std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|first| scope.spawn(move || work(first))).collect();
            running.into_iter().filter_map(|thread| thread.join().ok()).sum()
        });
        let (time, used) = (start.elapsed().as_secs_f64(), used.as_secs_f64());
        let (one, one_used) = *alone.get_or_insert((time, used));
        // Short runs take no processor time that the system counts.
        let used = if one_used > 0.0 { format!("{:.2}", used / one_used) } else { "unknown".to_owned() };
        let rate = total as f64 / 1e6 * f64::from(repeat) / time;
        println!(
            "threads: {threads}, {rate:.1} MB/s, {:.2} times that of one; processor time, times that of one: {used}",
            one / time
        );
    }
}

fn main() -> ExitCode {
    let mut files = Vec::new();
    let arguments = Arguments::parse();
    for root in &arguments.roots {
        collect(root, &mut files);
    }
    files.sort();
    let options = Options::new(lavapipe());
    let mut shaders = Vec::new();
    for file in &files {
        let job = Job::read(file).and_then(|job| match measure(&job, &options) {
            Ok(_) => Ok(job),
            Err(error) => Err(error.to_string()),
        });
        match job {
            Ok(job) => shaders.push(job),
            Err(error) => eprintln!("{}: left out: {error}", file.display()),
        }
    }
    if shaders.is_empty() {
        eprintln!("dxil-bench: found no .dxil file that translates");
        return ExitCode::FAILURE;
    }
    print_sizes(&shaders);
    let fastest = print_speed(&shaders, &options, arguments.passes);
    let picture = print_slowest(&shaders, &fastest);
    if let Some(file) = &arguments.svg
        && let Err(error) = std::fs::write(file, picture)
    {
        eprintln!("dxil-bench: cannot write {}: {error}", file.display());
        return ExitCode::FAILURE;
    }
    if arguments.threads > 1 {
        print_threads(&shaders, &options, arguments.passes, arguments.threads);
    }
    match peak_memory() {
        Some(kib) => println!("peak memory: {:.1} MB (whole process, with the corpus)", kib as f64 * 1024.0 / 1e6),
        None => println!("peak memory: unknown (this system has no /proc/self/status)"),
    }
    ExitCode::SUCCESS
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) if path.extension().is_some_and(|e| e == "dxil" || e == "request") => files.push(path.to_owned()),
        Err(_) => {}
    }
}

/// The processor time of this thread, from Linux's schedstat file.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

const STAGES: [&str; 5] = ["container", "bitcode", "decode and metadata", "verify", "plan and lower to SPIR-V"];

/// Translates a container stage by stage and returns the time of each stage of [`STAGES`]. Bodies
/// are decoded while they are read, and count as decoding. The stages are functions of their own,
/// so that a profiler shows what each of them costs.
fn split(job: &Job, options: &Options) -> Result<[Duration; STAGES.len()]> {
    let mut times = [Duration::ZERO; STAGES.len()];
    let mut clock = Instant::now();
    let mut lap = |stage: usize| times[stage] = std::mem::replace(&mut clock, Instant::now()).elapsed();
    let bitcode = stage_container(&job.bytes)?;
    lap(0);
    let fuel = Fuel::default();
    let mut bodies = stage_bitcode(bitcode, &fuel)?;
    lap(1);
    let decoded = stage_decode(&mut bodies, &fuel)?;
    lap(2);
    stage_verify(&decoded)?;
    lap(3);
    let shader = dxil_translator::Shader::parse(&job.bytes)?;
    clock = Instant::now();
    black_box(stage_lower(&shader, job, options)?);
    times[4] = clock.elapsed();
    Ok(times)
}

#[inline(never)]
fn stage_container(bytes: &[u8]) -> Result<&[u8]> {
    Ok(Container::parse(bytes)?.program()?.bitcode)
}

#[inline(never)]
fn stage_bitcode<'a>(bitcode: &'a [u8], fuel: &'a Fuel) -> Result<bitcode::Bodies<'a>> {
    bitcode::Bodies::open(bitcode, fuel)
}

#[inline(never)]
fn stage_decode(bodies: &mut bitcode::Bodies<'_>, fuel: &Fuel) -> Result<decode::Decoded> {
    black_box(metadata::read(bodies.module())?);
    decode::decode_bodies(bodies, fuel)
}

#[inline(never)]
fn stage_verify(decoded: &decode::Decoded) -> Result<()> {
    verify::verify_functions(&decoded.module, decoded.unproven.iter().copied())
}

#[inline(never)]
fn stage_lower(shader: &dxil_translator::Shader, job: &Job, options: &Options) -> Result<usize> {
    back_half(shader, job, options)
}

/// The process's peak resident size in KiB, from Linux's `VmHWM`.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
