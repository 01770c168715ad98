//! Prints the time per shader through the C interface against that of the Rust interface.
//!
//! Each container with a root signature is parsed, planned and translated, several times by each. The
//! least times count. Both ask for the same decorations; the C program answers callbacks where the Rust
//! program plans.

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

fn main() {
    let caller = Caller::new("cost");
    let (mut ratios, mut totals) = (Vec::new(), [0.0; 2]);
    for path in ["fixtures", "corpus"].iter().flat_map(|folder| containers(repository().join("tests").join(folder))) {
        let bytes = read(&path);
        let Ok(shader) = Shader::parse(&bytes) else { continue };
        let Some((entry, _)) = shader.entries().next() else { continue };
        if shader.is_library() || shader.root_signature().is_none() {
            continue;
        }
        let Some(rust) = least(&bytes) else { continue };
        let script = tables::script(&shader, entry, tables::Form::Whole);
        let translated = caller.translate_often(&path, script.text(), Some(COUNT));
        let time = translated.said.split_once("nanoseconds ").and_then(|(_, rest)| rest.trim().parse::<f64>().ok());
        let Some(c) = time else { continue };
        ratios.push(c / rust);
        totals = [totals[0] + rust, totals[1] + c];
    }
    ratios.sort_by(f64::total_cmp);
    let [rust, c] = totals.map(|total| total / 1e3 / ratios.len().max(1) as f64);
    let at = |part: usize| ratios.get(ratios.len() * part / 100).copied().unwrap_or_default();
    println!(
        "{} shaders: Rust interface {rust:.0} us per shader, C interface {c:.0} us, ratio {:.3}",
        ratios.len(),
        c / rust
    );
    println!("ratio per shader: 10 % are below {:.3}, half below {:.3}, 90 % below {:.3}", at(10), at(50), at(90));
}
