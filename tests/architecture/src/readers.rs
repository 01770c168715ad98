//! Who reads the fields of a type.
//!
//! Without types, a value is known by its name: the name of a parameter, field or function that is
//! declared with the type, or of a variable that begins as one of those. So
//! `options.profile.limits` is a read wherever a field `profile` of that type is declared, and a
//! rule about the type's fields can be held without a compiler.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Crate, FileId};

/// The fields and methods of type `ty` that each file reads, with lines.
pub fn readers(tree: &Crate, ty: &str) -> BTreeMap<FileId, Vec<(usize, String)>> {
    // Fields and functions are seen across files, and so is a parameter's name, by custom.
    let typed = tree.modules.iter().flat_map(|module| &module.facts.typed);
    let shared: BTreeSet<&str> =
        typed.filter(|(_, of)| of == ty).map(|(name, _)| name.as_str()).chain(std::iter::once(ty)).collect();
    let mut found: BTreeMap<FileId, Vec<(usize, String)>> = BTreeMap::new();
    for module in &tree.modules {
        let mut names = shared.clone();
        // A variable may begin as another variable.
        loop {
            let known = names.len();
            let aliases = module.facts.aliases.iter().filter(|(_, of)| names.contains(of.as_str()));
            let more: Vec<&str> = aliases.map(|(name, _)| name.as_str()).collect();
            names.extend(more);
            if names.len() == known {
                break;
            }
        }
        let bodies = module.facts.macros.iter().map(|rules| &rules.tokens);
        let calls = module.facts.macro_calls.iter().map(|call| &call.tokens);
        let tokens = bodies.chain(calls).flat_map(|tokens| &tokens.reads);
        for read in module.facts.reads.iter().chain(tokens) {
            if names.contains(read.of.as_str()) && !PASSED_ON.contains(&read.member.as_str()) {
                found.entry(module.file).or_default().push((read.line, format!("{}.{}", read.of, read.member)));
            }
        }
    }
    for reads in found.values_mut() {
        reads.sort();
        reads.dedup();
    }
    found
}

/// Methods that hand the whole value on without looking into it.
const PASSED_ON: &[&str] = &["clone", "as_ref", "borrow"];
