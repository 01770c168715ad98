//! What the benchmarks share: one translation as a caller does it, and the size by which throughput is counted.

use std::hint::black_box;

use dxil_translator::binding::{BindingOptions, Model, RegisterShifts};
use dxil_translator::container::Container;
use dxil_translator::error::Result;
use dxil_translator::options::Options;
use dxil_translator::{Shader, plan, translate};

/// Every register class in a range of its own, so that no shader needs a layout.
#[must_use]
pub fn bindings() -> BindingOptions {
    BindingOptions { model: Model::Register, shifts: RegisterShifts { b: 0, t: 1000, u: 2000, s: 3000, c: 4000 } }
}

/// Bytes of a container's DXIL part, without debug data.
///
/// # Errors
/// The container is malformed.
pub fn dxil_size(bytes: &[u8]) -> Result<usize> {
    Ok(Container::parse(bytes)?.program()?.bitcode.len())
}

/// One translation as a caller does it: gives the number of words.
///
/// # Errors
/// The translator's.
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
