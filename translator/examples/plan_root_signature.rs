//! Plans a pipeline by the root signature in its containers, and prints what the application has
//! to declare in Vulkan: descriptor set layouts, push-constant range, immutable samplers. Then it
//! checks two pipeline layouts against the plan, one that fits and one that does not.
//!
//! ```text
//! cargo run -p dxil-translator --example plan_root_signature -- STAGE.dxil…
//! ```
//!
//! docs/bindings.md has the rules by which a root signature gives sets and bindings.

use std::error::Error;
use std::fmt::Write as _;
use std::process::ExitCode;

use dxil_translator::{
    BindingOptions, ErrorKind, Location, Model, PipelineLayout, PipelinePlan, PipelineStage, PlanInputs,
    RegisterShifts, RootSignature, Shader, VULKAN_1_3_DESKTOP, plan, required_layout,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Plans the pipeline whose stages are these files, and returns all that is printed.
///
/// # Errors
/// A file cannot be read or written, or the translator refuses it.
pub fn run(files: &[String]) -> Result<String, Box<dyn Error>> {
    if files.is_empty() {
        return Err("usage: plan_root_signature STAGE.dxil…".into());
    }
    let mut shaders = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        shaders.push(Shader::parse(&bytes)?);
    }
    let mut stages = Vec::new();
    for shader in &shaders {
        stages.push(PipelineStage::new(shader, shader.find_entry(None)?));
    }
    // One stage's root signature serves the whole pipeline. An application that keeps its root
    // signatures elsewhere reads one by `RootSignature::from_bytes`, which takes any form, and
    // gives it to the inputs by `with_root_signature`.
    let signature = shaders.iter().find_map(Shader::root_signature).ok_or("no file has a root signature")?;

    // `auto` would fall back to registers where a layout fits those better; this is about the root
    // signature alone.
    let options = BindingOptions::new(Model::RootSignature, RegisterShifts::default());
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(options);
    let planned = plan(&stages, &inputs)?;
    let layout = required_layout(&stages, &inputs, &planned)?;

    let mut text = format!("{signature}\n");
    print_layout(&mut text, &layout)?;
    print_samplers(&mut text, &stages, &planned, &layout, signature)?;

    // The application's own layout may have more than the plan needs. Here every binding is visible
    // to all graphics stages and compute, and arrays have space for twice as many descriptors.
    let mut own = layout.clone();
    for binding in own.sets.iter_mut().flatten().flatten() {
        binding.stages = ALL_STAGES;
        binding.count = binding.count.saturating_mul(2);
    }
    // Planning with a layout is the check: it is an error where the layout does not fit, and the
    // descriptor types that the layout has decide how resources are accessed.
    let with_own = plan(&stages, &inputs.with_layout(Some(&own)))?;
    writeln!(text, "the application's layout fits; same places: {}", with_own == planned)?;

    let forgotten = own.sets.iter_mut().flatten().find(|bindings| !bindings.is_empty());
    if let Some(bindings) = forgotten {
        bindings.remove(0);
    }
    match plan(&stages, &inputs.with_layout(Some(&own))) {
        Ok(_) => writeln!(text, "the layout without its first binding fits too")?,
        Err(error) if error.kind() == ErrorKind::Binding => writeln!(text, "without its first binding: {error}")?,
        Err(error) => return Err(error.into()),
    }
    Ok(text)
}

/// `VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT`.
const ALL_STAGES: u32 = 0x3f;

/// Prints the descriptor set layouts and the push-constant range, with Vulkan's numbers.
fn print_layout(text: &mut String, layout: &PipelineLayout) -> Result<(), Box<dyn Error>> {
    for (set, bindings) in layout.sets.iter().enumerate() {
        writeln!(text, "set {set}")?;
        for binding in bindings.iter().flatten() {
            // The count of an unbounded array is the application's choice.
            let count = match binding.count {
                u32::MAX => "unbounded".to_owned(),
                count => count.to_string(),
            };
            let sampler = if binding.immutable_samplers { ", immutable sampler" } else { "" };
            let (number, ty, stages) = (binding.binding, binding.ty, binding.stages);
            writeln!(text, "  binding {number}: {ty}, count {count}, stages {stages:#x}{sampler}")?;
        }
    }
    for range in &layout.push_ranges {
        let (first, end) = (range.offset, range.offset + range.size);
        writeln!(text, "push constants: bytes {first} to {end}, stages {:#x}", range.stages)?;
    }
    Ok(())
}

/// Prints the static samplers that the shaders use. A static sampler is an immutable sampler in
/// Vulkan: the application creates a `VkSampler` from its description and puts it into the
/// descriptor set layout.
fn print_samplers(
    text: &mut String,
    stages: &[PipelineStage<'_>],
    planned: &PipelinePlan,
    layout: &PipelineLayout,
    signature: &RootSignature,
) -> Result<(), Box<dyn Error>> {
    let mut printed = Vec::new();
    for (stage, stage_plan) in stages.iter().zip(&planned.stages) {
        let entry = stage.shader.entry(stage.entry).ok_or("the shader has the entry point")?;
        for resource in stage_plan.resources.values() {
            let Location::Descriptor(place) = resource.location else { continue };
            if !layout.binding(place.set, place.binding).is_some_and(|binding| binding.immutable_samplers) {
                continue;
            }
            let register = resource.register;
            let sampler = signature.static_samplers.iter().find(|sampler| {
                (sampler.register, sampler.space) == (register.register, register.space)
                    && sampler.visibility.includes(entry.stage)
            });
            let Some(sampler) = sampler else { continue };
            // Several stages may use one sampler.
            if !printed.contains(&(place.set, place.binding)) {
                printed.push((place.set, place.binding));
                writeln!(text, "immutable sampler: set {} binding {}: {sampler}", place.set, place.binding)?;
            }
        }
    }
    Ok(())
}
