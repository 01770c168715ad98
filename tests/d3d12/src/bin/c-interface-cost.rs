//! Prints the time per shader through the C interface against that of the Rust interface.
//!
//! Each container with a root signature is parsed, planned and translated, several times by each.
//! The least times count. Both ask for the same decorations; the C program answers callbacks where
//! the Rust program plans.
//!
//! With `--instructions` callgrind counts the instructions of one translation instead, by the
//! difference between a program that translates once and one that does it [`COUNTED`] times more.
//! Of the C program those inside of the interface's functions count. `--rust FILE COUNT` is the
//! Rust interface's program for that.

use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use dxil_d3d12::caller::Caller;
use dxil_d3d12::tables;
use dxil_test_support::{containers, read, repository};
use dxil_translator::{
    BindingOptions, Model, Options, PipelineStage, PlanInputs, RegisterShifts, RootDescriptors, RootTables, Shader,
    lavapipe, plan, translate,
};

/// Translations of each container, of which the fastest counts.
const COUNT: u32 = 20;

/// The words of a container's first entry point by the Rust interface.
#[inline(never)]
fn by_rust(bytes: &[u8]) -> Option<Vec<u32>> {
    let shader = Shader::parse(bytes).ok()?;
    let (entry, _) = shader.entries().next()?;
    let mut bindings = BindingOptions::new(Model::RootSignature, RegisterShifts::default());
    bindings.root_tables = RootTables::Offsets;
    bindings.root_descriptors = RootDescriptors::Address;
    let mut options = Options::new(lavapipe());
    (options.precise, options.invariant_position) = (true, true);
    options.pipeline.samples = 1;
    let inputs = PlanInputs::new(&options.profile).with_options(bindings);
    let planned = plan(&[PipelineStage::new(&shader, entry)], &inputs).ok()?;
    translate(&shader, entry, planned.stages.first()?, &options).ok().map(|translation| translation.words)
}

/// The least time in nanoseconds, if the container is translated.
fn least(bytes: &[u8]) -> Option<f64> {
    let time = || {
        let start = Instant::now();
        by_rust(bytes).map(|_| start.elapsed().as_nanos() as f64)
    };
    (0..COUNT).map(|_| time()).collect::<Option<Vec<_>>>()?.into_iter().reduce(f64::min)
}

/// Translations between two programs whose instructions are counted.
const COUNTED: u32 = 5;

/// The instructions that a command executes inside of functions with this name, where `*` is any
/// text.
fn instructions(command: &Command, functions: &str) -> Option<f64> {
    let mut counted = Command::new("valgrind");
    counted.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", &format!("--toggle-collect={functions}")]);
    let said = counted.arg(command.get_program()).args(command.get_args()).output().ok()?;
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

/// The cost of one translation by each interface, if the container is translated: instructions or
/// nanoseconds.
fn costs(caller: &Caller, path: &Path, script: &str, counts: bool) -> Option<[f64; 2]> {
    let bytes = read(path);
    if !counts {
        let translated = caller.translate_often(path, script, Some(COUNT));
        let (_, time) = translated.said.split_once("nanoseconds ")?;
        return Some([least(&bytes)?, time.trim().parse().ok()?]);
    }
    by_rust(&bytes)?;
    let by_rust = |count: u32| {
        let mut command = Command::new(env::current_exe().ok()?);
        command.arg("--rust").arg(path).arg(count.to_string());
        instructions(&command, "c_interface_cost::by_rust")
    };
    let by_c = |count: u32| instructions(&caller.command(path, script, Some(count)).0, "dxil_spv_*");
    let of_one = |more: f64, less: f64| (more - less) / f64::from(COUNTED);
    let rust = of_one(by_rust(1 + COUNTED)?, by_rust(1)?);
    Some([rust, of_one(by_c(1 + COUNTED)?, by_c(1)?)])
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [flag, path, count] = arguments.as_slice()
        && flag == "--rust"
    {
        let bytes = read(Path::new(path));
        (0..count.parse::<u32>().expect("a count")).for_each(|_| drop(by_rust(&bytes)));
        return;
    }
    let counts = arguments.first().is_some_and(|flag| flag == "--instructions");
    let unit = if counts { "instructions" } else { "ns" };
    let caller = Caller::new("cost");
    let (mut ratios, mut totals) = (Vec::new(), [0.0; 2]);
    let all = ["fixtures", "corpus"].iter().flat_map(|folder| containers(repository().join("tests").join(folder)));
    for path in all {
        let bytes = read(&path);
        let Ok(shader) = Shader::parse(&bytes) else { continue };
        let Some((entry, _)) = shader.entries().next() else { continue };
        if shader.is_library() || shader.root_signature().is_none() {
            continue;
        }
        let script = tables::script(&shader, entry, tables::Form::Whole);
        let Some([rust, c]) = costs(&caller, &path, script.text(), counts) else { continue };
        ratios.push(c / rust);
        totals = [totals[0] + rust, totals[1] + c];
    }
    ratios.sort_by(f64::total_cmp);
    let [rust, c] = totals.map(|total| total / ratios.len().max(1) as f64);
    let at = |part: usize| ratios.get(ratios.len() * part / 100).copied().unwrap_or_default();
    println!(
        "{} shaders: Rust interface {rust:.0} {unit} per shader, C interface {c:.0} {unit}, ratio {:.3}",
        ratios.len(),
        c / rust
    );
    println!("ratio per shader: 10 % are below {:.3}, half below {:.3}, 90 % below {:.3}", at(10), at(50), at(90));
}
