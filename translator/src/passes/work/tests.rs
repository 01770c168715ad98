//! What [`Work`] promises, on all committed containers: a pass that it does not ask for changes
//! nothing.

use std::collections::BTreeMap;

use super::*;
use crate::analysis::program::assemble;
use crate::analysis::strict;
use crate::container::Container;
use crate::decode::{self, metadata};
use crate::passes::{handles, hit_objects, inline, pointers};
use dxil_base::limits::Fuel;
use dxil_bitcode::Bodies;
use dxil_test_support::{containers, repository};

/// The code of a container and the functions of its entry points, if it can be decoded.
fn decoded(container: &[u8]) -> Option<(Module, Vec<Func>)> {
    let fuel = Fuel::default();
    let program = Container::parse(container).and_then(|container| container.program()).ok()?;
    let mut bodies = Bodies::open(program.bitcode, &fuel).ok()?;
    let entries = metadata::read(bodies.module()).ok()?.entries;
    let decoded = decode::decode_bodies(&mut bodies, &fuel).ok()?;
    let roots = assemble::roots(entries, &decoded).ok()?;
    let entered = roots.iter().flat_map(assemble::EntryFunctions::functions).collect();
    Some((decoded.module, entered))
}

/// For each pass that needs no other before it: whether it is asked for, and whether it changes a
/// module. `None` for a pass that only runs on strict code, if the module is none.
fn passes(module: &Module, entries: &[Func]) -> Vec<(&'static str, bool, bool)> {
    let (work, fuel) = (Work::find(module, entries), Fuel::default());
    let is_strict = strict::is_strict(module);
    let others: Vec<Func> = module.functions.keys().filter(|func| !work.payloads.contains(func)).collect();
    let changes = |pass: &dyn Fn(&mut Module) -> bool| pass(&mut module.clone());
    let mut all = vec![
        (
            "hit objects",
            hit_objects::is_needed(work.operations),
            changes(&|module| hit_objects::run(module, &fuel).unwrap_or(false)),
        ),
        ("ends of blocks", work.has_ended_blocks, changes(&|module| payloads::end_blocks(module))),
        ("inlining", work.has_calls, changes(&|module| inline::inline(module, entries, &fuel).unwrap_or(false))),
        // The copies of all functions but those that are asked for.
        ("other payloads", false, changes(&|module| payloads::copy(module, &others, entries, &fuel).unwrap_or(false))),
        (
            "payloads",
            !work.payloads.is_empty(),
            changes(&|module| payloads::copy(module, &work.payloads, entries, &fuel).unwrap_or(false)),
        ),
    ];
    if is_strict {
        all.extend([
            ("parameters", work.has_needless_params, changes(&|module| params::fold(module))),
            (
                "vectors",
                work.has_vectors,
                changes(&|module| vectors::run(module, VectorForm::Core, &fuel).unwrap_or(false)),
            ),
            ("handles", work.has_choices, changes(&|module| handles::merge(module, &fuel).unwrap_or(false))),
            ("addresses", work.has_choices, changes(&|module| pointers::merge(module, &fuel).unwrap_or(false))),
            ("words", work.is_irregular, changes(&|module| words::run(module, entries, &fuel).unwrap_or(false))),
        ]);
    }
    all
}

#[test]
fn a_pass_that_is_not_asked_for_changes_nothing() {
    // By pass: how many modules it was asked for, and how many of these it changed.
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut modules = 0;
    for path in containers(repository().join("tests")) {
        let Some((module, entries)) = decoded(&std::fs::read(&path).unwrap()) else { continue };
        modules += 1;
        for (pass, is_asked_for, changes) in passes(&module, &entries) {
            assert!(is_asked_for || !changes, "{}: {pass}", path.display());
            let (asked, changed) = counts.entry(pass).or_default();
            *asked += usize::from(is_asked_for);
            *changed += usize::from(changes);
        }
    }
    assert!(modules > 2_000, "{modules} modules");
    for (pass, (asked, changed)) in counts {
        let is_tested = pass == "other payloads" || changed > 0 && asked < modules;
        assert!(is_tested, "{pass}: asked for {asked} times of {modules}, and {changed} modules changed");
    }
}
