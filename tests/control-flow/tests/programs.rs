//! Runs random programs on a driver: the committed ones, and with `--ignored` fresh ones, which
//! need the compiler. `--help` lists the options.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::Instant;
use std::{env, fs, thread};

use clap::Parser;
use dxil_control_flow::batch::{Failure, Job, Outcome, run_all};
use dxil_control_flow::execute::is_miscompiled;
use dxil_control_flow::survey::Survey;
use dxil_control_flow::{LEVELS, SPIRV, digest, file_name, generate, interpret, levels, print};
use dxil_tests::arguments::LibtestArguments;
use dxil_tests::layer::{self, Driver};

/// The number of committed programs.
const COMMITTED: usize = 200;
/// The lowest seed of fresh programs.
const FIRST_FRESH: u32 = 1000;
/// The default number of seeds of fresh programs.
const FRESH: u32 = 2000;
/// The number of failures that are printed in full.
const LISTED: usize = 10;
/// The number of child processes that run at a time.
const CHILDREN: usize = 2;

/// DXC miscompiles some loops with several exits, for example at -Od if it unrolls a loop that also
/// returns.
const MISCOMPILED: &str =
    "a fault of the compiler: its DXIL, executed on the CPU, does not compute what the source computes";
/// SwiftShader has this fault. It computes a loop's later iterations for lanes that have left the
/// loop as well, and these lanes then read the results of the later wave operations. DXC's SPIR-V
/// shows it; translated code keeps such values in variables there.
const OVERWRITTEN: &str = "a fault of the driver, which DXC's SPIR-V shows as well \
     (tests/control-flow/probes/left-loop.hlsl): lanes that have left a loop read the results of its wave \
     operations in later iterations";
/// DXC's SPIR-V is a second judge and not what is tested. Some of it is invalid (a switch that does
/// not dominate its cases), and lavapipe crashes on some valid modules.
const NO_JUDGE: &str = "one judge less: the driver does not run DXC's own SPIR-V of the program";
/// The judge or the driver's compiler is wrong if DXC's SPIR-V writes other words than the source,
/// but the DXIL of all levels writes the source's words on the same driver.
const WRONG_JUDGE: &str = "one judge less: DXC's own SPIR-V of the program writes other words than the source says, \
     but the DXIL of all levels writes the source's words";
/// One in this many judges may fail, and two whatever their number. More failures would be a fault
/// of the driver or of this test.
const LOST_JUDGES: usize = 200;

/// Runs random control-flow programs on a driver: the 200 committed ones, or fresh ones.
#[derive(Parser)]
struct Arguments {
    /// Run fresh programs instead (needs the compiler, scripts/get-dxc.sh)
    #[arg(long)]
    ignored: bool,
    /// Run the committed and fresh programs
    #[arg(long)]
    include_ignored: bool,
    /// The first seed of the fresh programs [default: depends on the day]
    #[arg(long, value_name = "SEED")]
    first: Option<u32>,
    /// The number of seeds of the fresh programs
    #[arg(long, value_name = "N", default_value_t = FRESH)]
    count: u32,
    /// Run only programs with wave operations
    #[arg(long, conflicts_with = "untangled")]
    tangled: bool,
    /// Run only programs without wave operations
    #[arg(long)]
    untangled: bool,
    /// A driver: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, default_value = "lavapipe")]
    driver: String,
    /// Write the fresh programs and their compiled forms to DIR and keep them
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// What has no effect.
    #[command(flatten)]
    libtest: LibtestArguments,
}

impl Arguments {
    /// `Some(true)`: only tangled programs. `Some(false)`: only untangled programs.
    fn tangled(&self) -> Option<bool> {
        (self.tangled || self.untangled).then_some(self.tangled)
    }
}

/// The number of jobs by outcome.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// The folder of the committed programs.
fn programs() -> PathBuf {
    layer::root().join("tests/control-flow/programs")
}

/// The seeds of the committed programs, each with the digest of the HLSL that was compiled. The
/// file has a line for each program, by growing seeds.
fn committed_sources() -> Vec<(u32, String)> {
    let text = fs::read_to_string(programs().join("sources.txt")).unwrap_or_default();
    let read = |line: &str| line.split_once(' ').and_then(|(seed, digest)| Some((seed.parse().ok()?, digest.into())));
    text.lines().filter_map(read).collect()
}

/// Checks that all committed programs exist, that the generator still prints the same HLSL, and
/// that the interpreter gives the same words for every subgroup size if the program is not tangled.
/// Returns what is wrong.
fn check_sources(sources: &[(u32, String)]) -> Vec<String> {
    let mut wrong = Vec::new();
    if sources.len() != COMMITTED {
        wrong.push(format!("expected {COMMITTED} programs in {}, found {}", programs().display(), sources.len()));
    }
    for (seed, compiled) in sources {
        let seed = *seed;
        let program = generate(seed);
        if digest(&program) != *compiled {
            wrong.push(format!(
                "{seed}: the generator prints other HLSL than that of the committed containers; if the generator \
                 was changed on purpose, run scripts/regenerate-control-flow.sh"
            ));
        }
        let at = |size| interpret::outputs(&program, &generate::inputs(seed), size, usize::MAX);
        if !program.is_tangled() && [1, 4, 64].into_iter().any(|size| at(size) != at(8)) {
            wrong.push(format!(
                "{seed}: has no wave operations, but the interpreter's words depend on the subgroup size"
            ));
        }
    }
    wrong
}

/// The path of the compiler, which `scripts/get-dxc.sh` finds or fetches.
fn compiler() -> Result<PathBuf, String> {
    let run = Command::new(layer::root().join("scripts/get-dxc.sh")).output();
    let output = run.map_err(|e| format!("scripts/get-dxc.sh: {e}"))?;
    let path = String::from_utf8_lossy(&output.stdout).lines().last().map(PathBuf::from);
    match path {
        Some(path) if output.status.success() => Ok(path),
        _ => Err(format!("scripts/get-dxc.sh found no compiler: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// The reason why the compiler produced no file.
enum Refusal {
    /// The compiler crashed, or its own validator rejects its module. That is the compiler's fault
    /// and counts as skipped.
    Own,
    /// The compiler reported an error in the HLSL. That is a fault of the generator.
    Said(String),
}

/// The compiler's arguments for a level. Keep them equal to those in
/// `scripts/regenerate-control-flow.sh`.
fn arguments_of(level: &str) -> Vec<String> {
    let dxil = format!("-{level} -Qstrip_debug -Qstrip_reflect");
    let spirv =
        "-DSPIRV -spirv -fspv-target-env=vulkan1.1 -fvk-use-dx-layout -fvk-t-shift 100 all -fvk-u-shift 200 all";
    let words = if level == SPIRV { spirv } else { &dxil };
    words.split(' ').map(str::to_owned).collect()
}

fn compile(dxc: &Path, folder: &Path, seed: u32, level: &str) -> Result<Job, Refusal> {
    let code = folder.join(file_name(seed, level));
    let output = Command::new(dxc)
        .current_dir(folder)
        .args([&format!("{seed}.hlsl"), "-T", "cs_6_0", "-E", "main"])
        .args(arguments_of(level))
        .arg("-Fo")
        .arg(&code)
        .output()
        .map_err(|e| Refusal::Said(format!("{}: {e}", dxc.display())))?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => Ok(Job { seed, level: level.to_owned(), code }),
        Some(_) if !said.contains("error: validation errors") => {
            Err(Refusal::Said(format!("{seed} -{level}: {}", said.trim())))
        }
        _ => Err(Refusal::Own),
    }
}

/// The results of compiling programs.
#[derive(Default)]
struct Compiled {
    jobs: Vec<Job>,
    /// The compiler's messages on programs that it refused.
    refused: Vec<String>,
    /// The number of modules that are missing by the compiler's own fault.
    faults: usize,
}

/// Writes the HLSL of programs and compiles it.
fn compile_all(dxc: &Path, folder: &Path, seeds: VecDeque<u32>) -> Compiled {
    let queue = Mutex::new(seeds);
    let done = Mutex::new(Compiled::default());
    thread::scope(|scope| {
        for _ in 0..CHILDREN {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no thread panics with the lock").pop_front();
                    let Some(seed) = next else { break };
                    let source = folder.join(format!("{seed}.hlsl"));
                    let program = generate(seed);
                    let written = fs::write(&source, print::hlsl(&program));
                    for level in levels(&program) {
                        let made = match &written {
                            Ok(()) => compile(dxc, folder, seed, level),
                            Err(e) => Err(Refusal::Said(format!("{}: {e}", source.display()))),
                        };
                        let mut done = done.lock().expect("no thread panics with the lock");
                        match made {
                            Ok(job) => done.jobs.push(job),
                            Err(Refusal::Said(text)) => done.refused.push(text),
                            Err(Refusal::Own) => done.faults += 1,
                        }
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panicked");
    done.jobs.sort_by(|a, b| (a.seed, &a.level).cmp(&(b.seed, &b.level)));
    done.refused.sort();
    done
}

/// Turns a failure that is a fault of the compiler or of the driver into a skip with its reason.
fn excuse(job: &Job, outcome: &mut Outcome) {
    let Outcome::Failed(failure, text) = outcome else { return };
    match failure {
        Failure::WordsOverwritten if generate(job.seed).loops_over_waves() => {
            *outcome = Outcome::Skipped(OVERWRITTEN.to_owned());
        }
        Failure::Words | Failure::WordsOverwritten => {
            match fs::read(&job.code).map_err(|e| e.to_string()).and_then(|code| is_miscompiled(job.seed, &code)) {
                Ok(true) => *outcome = Outcome::Skipped(MISCOMPILED.to_owned()),
                Ok(false) => text.push_str("\nthe DXIL, executed on the CPU, computes what the source computes"),
                Err(reason) => text.push_str(&format!("\nthe DXIL cannot be executed on the CPU: {reason}")),
            }
        }
        Failure::Command | Failure::Process => {}
    }
}

/// Turns a failure of DXC's SPIR-V into a skip, as long as further judges may be lost.
/// `dxil_passed`: the DXIL of the program passed at all levels.
fn excuse_judge(outcome: &mut Outcome, lost_judges: &mut usize, dxil_passed: bool) {
    let Outcome::Failed(failure, text) = outcome else { return };
    let reason = match failure {
        Failure::Command | Failure::Process => NO_JUDGE,
        Failure::Words | Failure::WordsOverwritten if dxil_passed => WRONG_JUDGE,
        Failure::Words | Failure::WordsOverwritten => return,
    };
    if *lost_judges > 0 {
        *lost_judges -= 1;
        *outcome = Outcome::Skipped(format!("{reason}: {}", text.lines().next().unwrap_or_default()));
    }
}

/// A set of programs that run together.
struct Suite<'t> {
    title: &'t str,
    /// How many of DXC's SPIR-V modules may fail on the driver.
    lost_judges: usize,
    /// Whether lavapipe optimises them, which takes half of the time of those that it has not
    /// compiled before.
    optimised: bool,
}

/// Runs jobs and prints the results.
fn execute(suite: &Suite<'_>, jobs: &[Job], refused: &[String], driver: &str, layer_dir: &Path, tally: &mut Tally) {
    let started = Instant::now();
    let program = Path::new(env!("CARGO_BIN_EXE_dxil-control-flow"));
    let mut outcomes = run_all(program, layer_dir, driver, jobs, CHILDREN, suite.optimised);
    let mut programs: Vec<u32> = jobs.iter().map(|job| job.seed).collect();
    programs.dedup();
    let tangled = programs.iter().filter(|&&seed| generate(seed).is_tangled()).count();
    let mut survey = Survey::default();
    for job in jobs {
        survey.add(&fs::read(&job.code).unwrap_or_default());
    }
    let mut lost_judges = suite.lost_judges;
    let mut passed: HashMap<u32, usize> = HashMap::new();
    for (job, outcome) in jobs.iter().zip(&outcomes) {
        *passed.entry(job.seed).or_default() += usize::from(job.level != SPIRV && *outcome == Outcome::Passed);
    }
    for (job, outcome) in jobs.iter().zip(&mut outcomes) {
        if job.level == SPIRV {
            excuse_judge(outcome, &mut lost_judges, passed.get(&job.seed) == Some(&LEVELS.len()));
        } else {
            excuse(job, outcome);
        }
    }
    let failures: Vec<_> = jobs
        .iter()
        .zip(&outcomes)
        .filter_map(|(job, outcome)| match outcome {
            Outcome::Failed(_, text) => Some((job.name(), text)),
            _ => None,
        })
        .collect();
    let skips: Vec<_> = jobs
        .iter()
        .zip(&outcomes)
        .filter_map(|(job, outcome)| match outcome {
            Outcome::Skipped(reason) => Some((job.name(), reason)),
            _ => None,
        })
        .collect();
    for error in refused.iter().take(LISTED) {
        println!("the compiler refused {}", error.trim_end());
    }
    for (name, text) in failures.iter().take(LISTED) {
        println!("\n---- {name} ----\n{}", text.trim_end());
    }
    if !failures.is_empty() {
        let names: Vec<_> = failures.iter().map(|(name, _)| name.as_str()).collect();
        println!("\nfailed: {}", names.join(", "));
    }
    for (name, reason) in &skips {
        println!("test {name} ... skipped: {reason}");
    }
    println!(
        "{}: {} programs ({tangled} with wave operations; DXC's SPIR-V judges the others too) at {} levels, \
         {} runs in {:.1} s; {} of {} modules have selectors; {} blocks",
        suite.title,
        programs.len(),
        LEVELS.len(),
        jobs.len(),
        started.elapsed().as_secs_f64(),
        survey.with_selectors,
        survey.modules,
        survey.blocks,
    );
    tally.failed += failures.len() + refused.len();
    tally.skipped += skips.len();
    tally.passed += outcomes.len() - failures.len() - skips.len();
}

fn committed(arguments: &Arguments, layer_dir: &Path, tally: &mut Tally) {
    let folder = programs();
    let wanted = |seed: &u32| arguments.tangled().is_none_or(|tangled| generate(*seed).is_tangled() == tangled);
    let levels_of = |seed| levels(&generate(seed)).into_iter().map(move |level| (seed, level));
    let all = committed_sources().into_iter().map(|(seed, _)| seed).filter(wanted).flat_map(levels_of);
    let jobs: Vec<_> = all
        .map(|(seed, level)| Job { seed, level: level.to_owned(), code: folder.join(file_name(seed, level)) })
        .collect();
    let suite = Suite { title: "committed programs", lost_judges: 0, optimised: false };
    execute(&suite, &jobs, &[], &arguments.driver, layer_dir, tally);
}

fn fresh(arguments: &Arguments, layer_dir: &Path, tally: &mut Tally) {
    let dxc = match compiler() {
        Ok(dxc) => dxc,
        Err(reason) => {
            println!("test control-flow/fresh ... skipped: {reason}");
            tally.skipped += 1;
            return;
        }
    };
    // Each day has other seeds. The line below prints the options that repeat the run.
    let days = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs() / 86_400) as u32;
    let first = arguments.first.unwrap_or_else(|| FIRST_FRESH + days % 100_000 * FRESH);
    let folder = arguments
        .keep
        .clone()
        .unwrap_or_else(|| env::temp_dir().join(format!("dxil-control-flow-{}", std::process::id())));
    if let Err(e) = fs::create_dir_all(&folder) {
        println!("{}: {e}", folder.display());
        tally.failed += 1;
        return;
    }
    println!(
        "fresh programs: seeds {first} to {} (repeat with --first {first} --count {})",
        first + arguments.count - 1,
        arguments.count
    );
    let started = Instant::now();
    let wanted = |seed: &u32| arguments.tangled().is_none_or(|tangled| generate(*seed).is_tangled() == tangled);
    let seeds = (first..first + arguments.count).filter(wanted).collect();
    let Compiled { jobs, refused, faults } = compile_all(&dxc, &folder, seeds);
    println!(
        "compiled in {:.1} s: {} modules, {} refused, {faults} not made because the compiler crashed or its own \
         validator rejects its module",
        started.elapsed().as_secs_f64(),
        jobs.len(),
        refused.len(),
    );
    tally.skipped += faults;
    let judges = jobs.iter().filter(|job| job.level == SPIRV).count();
    let suite = Suite { title: "fresh programs", lost_judges: 2 + judges / LOST_JUDGES, optimised: true };
    execute(&suite, &jobs, &refused, &arguments.driver, layer_dir, tally);
    if arguments.keep.is_none() {
        // Files left in the temporary folder do not affect the result.
        let _ = fs::remove_dir_all(&folder);
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (fast, slow) = (!arguments.ignored, arguments.ignored || arguments.include_ignored);
    let mut tally = Tally::default();
    if fast {
        let wrong = check_sources(&committed_sources());
        wrong.iter().take(LISTED).for_each(|what| println!("{what}"));
        tally.failed += wrong.len();
        tally.passed += usize::from(wrong.is_empty());
    }
    match Driver::named(&arguments.driver).icd() {
        Err(reason) => {
            println!("test control-flow ... {reason}");
            tally.skipped += 1;
        }
        Ok(_) => match layer::build() {
            Err(e) => {
                println!("{e}");
                tally.failed += 1;
            }
            Ok(layer_dir) => {
                if fast {
                    committed(&arguments, &layer_dir, &mut tally);
                }
                if slow {
                    fresh(&arguments, &layer_dir, &mut tally);
                }
            }
        },
    }
    let Tally { passed, failed, skipped } = tally;
    let result = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {result}. {passed} passed; {failed} failed; {skipped} ignored");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
