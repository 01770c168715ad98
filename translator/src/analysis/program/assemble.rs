//! Makes a [`Program`] from metadata and IR.
//!
//! In: the content of the metadata ([`ModuleMetadata`]) and the decoded module. Out: a [`Program`],
//! whose entry points share the one module. What must hold: time and memory are linear in the size
//! of the module, whatever the number of entry points.

use std::sync::{Arc, OnceLock};

use foldhash::HashMap;

use crate::analysis::handles::Resolved;
use crate::analysis::program::{Entry, Program};
use crate::analysis::reachable::ReachableSets;
use crate::decode::Decoded;
use crate::decode::metadata::{EntryMetadata, ModuleMetadata};
use crate::ir::declarations::ShaderFlags;
use crate::ir::resources::ResourceId;
use crate::ir::{Func, Global, Module};
use dxil_base::entity::{EntitySet, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::names::unmarked;
use dxil_bitcode as bitcode;
use dxil_bitcode::Linkage;

/// An entry point of the metadata whose functions are known.
pub struct EntryFunctions {
    metadata: EntryMetadata,
    func: Func,
    patch_function: Option<Func>,
}

impl EntryFunctions {
    /// The functions that a pipeline enters here.
    pub fn functions(&self) -> impl Iterator<Item = Func> {
        [Some(self.func), self.patch_function].into_iter().flatten()
    }
}

/// The entry points, each with the IR of its functions. The record of a library that carries only
/// shared properties is not one.
///
/// # Errors
/// `Malformed` where an entry point has no body, two have one name, or a hull shader has one
/// function for both phases.
pub fn roots(entries: Vec<EntryMetadata>, decoded: &Decoded) -> Result<Vec<EntryFunctions>> {
    // The record without a function has the flags of the whole library. Native 16-bit types are an
    // option of the compilation, so this flag holds for each entry point; the other flags are a
    // union over all entry points.
    let library = entries.iter().find(|e| e.function.is_none() && e.patch_function.is_none());
    let shared = library.map_or(ShaderFlags::default(), |record| record.flags.compilation_flags());
    let mut roots = Vec::with_capacity(entries.len());
    for mut metadata in entries {
        metadata.flags.0 |= shared.0;
        let body = |f: bitcode::FunctionId| {
            decoded.function(f).ok_or_else(|| malformed!(Place::Input, "entry point `{}` has no body", metadata.name))
        };
        let patch_function = metadata.patch_function.map(body).transpose()?;
        let func = match (metadata.function, patch_function) {
            (Some(function), _) => body(function)?,
            // A hull shader whose control points pass through has a patch-constant function only.
            (None, Some(func)) => func,
            (None, None) => continue,
        };
        if metadata.function.is_some() && patch_function == Some(func) {
            return Err(malformed!(
                Place::Input,
                "both phases of hull shader `{}` have the same function",
                metadata.name
            ));
        }
        roots.push(EntryFunctions { metadata, func, patch_function });
    }
    // Compilers write them in this order.
    let mut names: Vec<&str> = roots.iter().map(|root| &*root.metadata.name).collect();
    names.sort_unstable();
    match names.iter().zip(names.iter().skip(1)).find(|(name, next)| name == next) {
        Some((name, _)) => Err(malformed!(Place::Input, "two entry points are called `{name}`")),
        None => Ok(roots),
    }
}

/// The functions that a library exports and that are not entry points, by their names in the
/// container. Other libraries, or a linker, may call them.
pub fn exported_functions(module: &bitcode::Module, entries: &[EntryMetadata]) -> Vec<Arc<str>> {
    let mut entered = EntitySet::new();
    for function in entries.iter().flat_map(|entry| [entry.function, entry.patch_function]).flatten() {
        entered.insert(function);
    }
    let exported = module
        .functions
        .iter()
        .filter(|(id, function)| function.defined && function.linkage == Linkage::External && !entered.contains(*id));
    exported.map(|(_, function)| unmarked(&module.text(function.name)).into()).collect()
}

/// The globals of the module that stand for resources.
pub fn resource_globals(metadata: &ModuleMetadata, decoded: &Decoded) -> HashMap<Global, ResourceId> {
    metadata.symbols.iter().filter_map(|&(symbol, id)| Some((decoded.global(symbol)?, id))).collect()
}

/// The program of a module that all passes have run on, which is taken. `symbols` are the globals
/// that stand for resources.
///
/// # Errors
/// `Malformed` where a handle contradicts the declarations; `Limit`.
pub fn assemble(
    module: &mut Module,
    metadata: ModuleMetadata,
    roots: Vec<EntryFunctions>,
    symbols: &HashMap<Global, ResourceId>,
) -> Result<Program> {
    let mut resource_globals = EntitySet::new();
    #[expect(clippy::iter_over_hash_type, reason = "a set is the same in any order")]
    for &global in symbols.keys() {
        resource_globals.insert(global);
    }
    let mut resources = metadata.resources;
    let resolved = Resolved::new(module, &mut resources, symbols)?;
    let mut reachable_sets = ReachableSets::new(module, &resolved);
    let mut entries = PrimaryMap::with_capacity(roots.len());
    for EntryFunctions { metadata: entry, func, patch_function } in roots {
        entries.push(Entry {
            name: entry.name,
            stage: entry.stage,
            func,
            patch_function,
            properties: entry.properties,
            flags: entry.flags,
            inputs: entry.inputs,
            outputs: entry.outputs,
            patch_constants: entry.patch_constants,
            reachable: reachable_sets.from(func, patch_function)?,
        });
    }
    Ok(Program {
        module: std::mem::take(module),
        kind: metadata.stage,
        shader_model: metadata.shader_model,
        dxil_version: metadata.dxil_version,
        validator_version: metadata.validator_version,
        entries,
        resources,
        handles: resolved.handles,
        reached: reachable_sets.finish(),
        resource_globals,
        input_bytes: 0,
        named_part: None,
        sizes: OnceLock::new(),
    })
}
