//! Makes a [`Program`] from metadata and IR.
//!
//! In: the content of the metadata ([`ModuleMetadata`]) and the decoded module. Out: a [`Program`],
//! whose entry points share the one module. What must hold: time and memory are linear in the size
//! of the module, whatever the number of entry points.

use std::sync::{Arc, OnceLock};

use foldhash::{HashMap, HashSet};

use crate::analysis::handles::{HandleTable, Resolver};
use crate::analysis::program::{Entry, Program};
use crate::analysis::reachable::ReachableSets;
use crate::decode::Decoded;
use crate::decode::metadata::{EntryMetadata, ModuleMetadata};
use crate::ir::declarations::ShaderFlags;
use crate::ir::resources::ResourceId;
use crate::ir::{Func, Global, Module};
use dxil_base::entity::{EntitySet, PrimaryMap, SecondaryMap};
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
pub fn roots(
    entries: Vec<EntryMetadata>,
    functions: &HashMap<bitcode::FunctionId, Func>,
) -> Result<Vec<EntryFunctions>> {
    // The record without a function has the flags of the whole library. Native 16-bit types are an
    // option of the compilation, so this flag holds for each entry point; the other flags are a
    // union over all entry points.
    let library = entries.iter().find(|e| e.function.is_none() && e.patch_function.is_none());
    let shared = library.map_or(ShaderFlags::default(), |record| record.flags.compilation_flags());
    let mut roots = Vec::with_capacity(entries.len());
    let mut names = HashSet::with_capacity_and_hasher(entries.len(), Default::default());
    for mut metadata in entries {
        metadata.flags.0 |= shared.0;
        let body = |f: bitcode::FunctionId| {
            let func = functions.get(&f).copied();
            func.ok_or_else(|| malformed!(Place::Input, "entry point `{}` has no body", metadata.name))
        };
        let patch_function = metadata.patch_function.map(body).transpose()?;
        let func = match (metadata.function, patch_function) {
            (Some(function), _) => body(function)?,
            // A hull shader whose control points pass through has a patch-constant function only.
            (None, Some(func)) => func,
            (None, None) => continue,
        };
        if !names.insert(metadata.name.clone()) {
            return Err(malformed!(Place::Input, "two entry points are called `{}`", metadata.name));
        }
        if metadata.function.is_some() && patch_function == Some(func) {
            return Err(malformed!(
                Place::Input,
                "both phases of hull shader `{}` have the same function",
                metadata.name
            ));
        }
        roots.push(EntryFunctions { metadata, func, patch_function });
    }
    Ok(roots)
}

/// The functions that a library exports and that are not entry points, by their names in the
/// container. Other libraries, or a linker, may call them.
pub fn exported_functions(module: &bitcode::Module, entries: &[EntryMetadata]) -> Vec<Arc<str>> {
    let entered: HashSet<_> = entries.iter().flat_map(|e| [e.function, e.patch_function]).flatten().collect();
    let exported = module
        .functions
        .iter()
        .filter(|(id, function)| function.defined && function.linkage == Linkage::External && !entered.contains(id));
    exported.map(|(_, function)| unmarked(&module.text(function.name)).into()).collect()
}

/// The globals of the module that stand for resources.
pub fn resource_globals(metadata: &ModuleMetadata, decoded: &Decoded) -> HashMap<Global, ResourceId> {
    let global = |symbol| decoded.globals.get(&symbol).copied();
    metadata.symbols.iter().filter_map(|&(symbol, id)| Some((global(symbol)?, id))).collect()
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
    let mut handles = SecondaryMap::filled(module.functions.len(), HandleTable::default());
    let mut resolver = Resolver::new(module, &mut resources, symbols);
    for (func, function) in module.functions.iter() {
        handles[func] = resolver.function(function)?;
    }
    let mut reachable_sets = ReachableSets::new(module, &handles);
    let mut entries = PrimaryMap::with_capacity(roots.len());
    for EntryFunctions { metadata: entry, func, patch_function } in roots {
        let (name, plain_name) = names(entry.name);
        entries.push(Entry {
            name,
            plain_name,
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
        handles,
        resource_globals,
        input_bytes: 0,
        named_part: None,
        sizes: OnceLock::new(),
    })
}

/// The name of a function in the container, and its name in the source. The name of a function at
/// file scope is mangled as `?name@@…` (the C++ ABI of Visual C++).
pub fn names(name: Arc<str>) -> (Arc<str>, Arc<str>) {
    let end = name.as_bytes().windows(2).position(|pair| pair == b"@@");
    let plain = end.and_then(|end| name.get(..end)?.strip_prefix('?')).map(Arc::from);
    (name.clone(), plain.unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn mangled_names() {
        let both = |text: &str| {
            let (name, plain) = names(text.into());
            (name.to_string(), plain.to_string())
        };
        assert_eq!(both("main"), ("main".to_owned(), "main".to_owned()));
        assert_eq!(both("?gen@@YAXXZ"), ("?gen@@YAXXZ".to_owned(), "gen".to_owned()));
        assert_eq!(both("?gen@space@@YAXXZ"), ("?gen@space@@YAXXZ".to_owned(), "gen@space".to_owned()));
        assert_eq!(both("?"), ("?".to_owned(), "?".to_owned()));
    }
}
