//! From decoded code and its metadata to a program: the same for the code with debug information
//! and without.

use crate::analysis::program::{Program, assemble};
use crate::decode::Decoded;
use crate::decode::metadata::ModuleMetadata;
use crate::ir::verify;
use crate::passes::{self, VectorForm};
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// Verifies the code that decoding did not prove, runs the passes and assembles the program. After
/// an error the code is as the pass that found it has left it.
///
/// # Errors
/// Those of [`verify::verify_functions`], [`passes::run`] and [`assemble::assemble`].
pub fn program(decoded: &mut Decoded, mut metadata: ModuleMetadata, form: VectorForm, fuel: &Fuel) -> Result<Program> {
    verify::verify_functions(&decoded.module, decoded.unproven.iter().copied())?;
    verify::check_in_debug(&decoded.module, "decoding")?;
    let roots = assemble::roots(std::mem::take(&mut metadata.entries), decoded)?;
    let symbols = assemble::resource_globals(&metadata, decoded);
    let entered: Vec<_> = roots.iter().flat_map(assemble::EntryFunctions::functions).collect();
    passes::run(&mut decoded.module, &mut metadata.resources, &symbols, &entered, form, fuel)?;
    assemble::assemble(&mut decoded.module, metadata, roots, &symbols)
}
