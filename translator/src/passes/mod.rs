//! Passes over the IR between decoding and lowering.
//!
//! In: a verified [`Module`] and its entry functions. Out: the same program in a form that lowering
//! accepts. What must hold: the result of each pass keeps the contract of [`verify`], for every
//! module that comes in. The verifier decides nothing here. It runs after a pass in builds with
//! debug assertions only, and what it finds there is a fault of the pass.
//!
//! Most passes use the operands of a value where the value is used. That is right in strict SSA
//! form, because dominance is transitive ([`strict`]), and these passes leave a module alone that
//! is not in this form; no compiler writes one. Each pass keeps the form. A pass that uses anything
//! else at a place proves first that it dominates the place ([`choices`]). What cannot be proven is
//! left alone, and the pass documents it.

mod choices;
mod functions;
mod growth;
mod handles;
mod hit_objects;
mod inline;
mod params;
mod payloads;
mod pointers;
mod replacements;
mod splice;
#[cfg(test)]
mod tests;
mod variables;
mod vectors;
mod vendor;
mod words;
mod work;
mod writer;

pub use self::vectors::{LONGEST_OF_CORE, VectorForm, has_long_in_memory, longest};
use self::work::Work;
use crate::analysis::{address, strict};
use crate::ir::resources::{Resource, ResourceId};
use crate::ir::{Func, Global, Module, verify};
use dxil_base::entity::PrimaryMap;
use dxil_base::error::Result;
use dxil_base::limits::Fuel;
use foldhash::HashMap;

/// Runs all passes, in order. `resources` are those of the metadata, and `symbols` the globals that
/// stand for some of them. `form` is [`VectorForm::Core`] unless the device has long vectors.
///
/// # Errors
/// `Limit` if a pass makes too much code; `Malformed` where a handle contradicts the declarations.
pub fn run(
    module: &mut Module,
    resources: &mut PrimaryMap<ResourceId, Resource>,
    symbols: &HashMap<Global, ResourceId>,
    entries: &[Func],
    form: VectorForm,
    fuel: &Fuel,
) -> Result<()> {
    let mut work = Work::find(module, entries);
    let changed = vendor::run(module, resources, symbols, &work, fuel)?;
    check(module, changed, "replacing vendor intrinsics")?;
    // Vendor intrinsics may be hit objects.
    let fused = (changed || hit_objects::is_needed(work.operations)) && hit_objects::run(module, fuel)?;
    check(module, fused, "replacing hit objects")?;
    if changed || fused {
        work = Work::find(module, entries);
    }
    // Strict code stays so.
    let is_strict = work.any() && strict::is_strict(module);
    if is_strict && work.has_needless_params {
        let changed = params::fold(module);
        check(module, changed, "folding parameters")?;
    }
    let ended = work.has_ended_blocks && payloads::end_blocks(module);
    let of_vectors = is_strict && (work.has_vectors || form == VectorForm::Long) && vectors::run(module, form, fuel)?;
    check(module, ended || of_vectors, "replacing vectors")?;
    // The variable that a pointer parameter points into is known only after inlining.
    let inlined = work.has_calls && inline::inline(module, entries, fuel)?;
    check(module, inlined, "inlining")?;
    if work.has_needless_params || ended || of_vectors || inlined {
        work = Work::find(module, entries);
    }
    let mut changed = false;
    if is_strict && work.has_choices {
        changed = handles::merge(module, fuel)?;
        check(module, changed, "merging handles")?;
    }
    // The passes below and lowering follow the chains of addresses, which inlining makes longer.
    if work.has_chains {
        address::charge(module, fuel)?;
    }
    if is_strict && work.has_choices {
        let merged = pointers::merge(module, fuel)?;
        check(module, merged, "merging addresses")?;
        changed |= merged;
    }
    if changed {
        work = Work::find(module, entries);
    }
    // What words are made of must be known, so payloads are copied first.
    let copied = payloads::copy(module, &work.payloads, entries, fuel)?;
    check(module, copied, "copying payloads")?;
    let changed = is_strict && (work.is_irregular || copied) && words::run(module, entries, fuel)?;
    check(module, changed, "making arrays of words")
}

/// Verifies a module that a pass has changed, in builds with debug assertions.
fn check(module: &Module, changed: bool, pass: &str) -> Result<()> {
    if changed { verify::check_in_debug(module, pass) } else { Ok(()) }
}
