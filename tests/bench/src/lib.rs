//! Code that the benchmarks share: one complete translation, and the number of DXIL bytes by which
//! throughput is counted.

use std::hint::black_box;

use dxil_translator::binding::{BindingOptions, Model, RegisterShifts};
use dxil_translator::container::Container;
use dxil_translator::error::Result;
use dxil_translator::options::Options;
use dxil_translator::{Shader, plan, translate};

/// Bindings by register, with a binding range for each register class. No shader needs a pipeline
/// layout with these, and registers of different classes never clash.
#[must_use]
pub fn bindings() -> BindingOptions {
    BindingOptions { model: Model::Register, shifts: RegisterShifts { b: 0, t: 1000, u: 2000, s: 3000, c: 4000 } }
}

/// The size in bytes of the bitcode in a container's DXIL part. Debug data in other parts does not
/// count.
///
/// # Errors
/// If the container is malformed.
pub fn dxil_size(bytes: &[u8]) -> Result<usize> {
    Ok(Container::parse(bytes)?.program()?.bitcode.len())
}

/// Parses, plans and translates a container as a caller would, and returns the number of SPIR-V
/// words.
///
/// # Errors
/// If the translator refuses the container.
pub fn measure(bytes: &[u8], options: &Options) -> Result<usize> {
    let shader = Shader::parse(black_box(bytes))?;
    let program = shader.program(None)?;
    let plans = plan(&[(&shader, program)], &bindings(), None, &options.profile)?;
    let mut words = 0;
    for plan in &plans {
        words += black_box(translate(program, plan, options)?).words.len();
    }
    Ok(words)
}
