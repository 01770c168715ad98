//! Code that the benchmarks share: one complete translation, and the number of DXIL bytes by which
//! throughput is counted.

use std::hint::black_box;

use dxil_translator::container::Container;
use dxil_translator::{
    BindingOptions, EntryId, Model, Options, PipelineStage, PlanInputs, RegisterShifts, Result, Shader, plan, translate,
};

/// Bindings by register, with a binding range for each register class. No shader needs a pipeline
/// layout with these, and registers of different classes never clash.
#[must_use]
pub fn bindings() -> BindingOptions {
    BindingOptions::new(Model::Register, RegisterShifts { b: 0, t: 1000, u: 2000, s: 3000, c: 4000 })
}

/// The size in bytes of the bitcode in a container's DXIL part. Debug data in other parts does not
/// count.
///
/// # Errors
/// If the container is malformed.
pub fn dxil_size(bytes: &[u8]) -> Result<usize> {
    Ok(Container::parse(bytes)?.program()?.bitcode.len())
}

/// Plans and translates the only entry point of a parsed shader, and returns the number of SPIR-V
/// words.
///
/// # Errors
/// If the translator refuses the shader.
pub fn back_half(shader: &Shader, options: &Options) -> Result<usize> {
    translate_entry(shader, shader.find_entry(None)?, options)
}

/// Plans and translates one entry point, and returns the number of SPIR-V words.
///
/// # Errors
/// If the translator refuses the entry point.
pub fn translate_entry(shader: &Shader, entry: EntryId, options: &Options) -> Result<usize> {
    let inputs = PlanInputs::new(&options.profile).with_options(bindings());
    let mut words = 0;
    for plan in &plan(&[PipelineStage::new(shader, entry)], &inputs)?.stages {
        words += black_box(translate(shader, entry, plan, options)?).words.len();
    }
    Ok(words)
}

/// Parses, plans and translates a container as a caller would, and returns the number of SPIR-V
/// words.
///
/// # Errors
/// If the translator refuses the container.
#[inline(never)]
pub fn measure(bytes: &[u8], options: &Options) -> Result<usize> {
    let shader = Shader::parse(black_box(bytes))?;
    back_half(&shader, options)
}
