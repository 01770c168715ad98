//! Holds a tree to rules. Each function returns what breaks its rule, one message each, in the
//! order of the tree.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::{Arrow, Arrows};
use crate::contents::{Contents, How, Item, Path};
use crate::graph::{self, Modules, ROOT, first_of_pairs};
use crate::rules::{Except, Rank};
use crate::source::Crate;
use crate::tokens::is_capital;

/// An arrow in words: `lower/a.rs:7 refers to spirv/b.rs by `crate::spirv::b::C``.
pub fn words(tree: &Crate, arrow: &Arrow) -> String {
    let how = match arrow.how {
        How::Use => "imports from",
        How::Code => "refers to",
        How::Macro => "refers, in a macro, to",
        How::Method => "calls a method of",
    };
    format!("{}:{} {how} {}: `{}`", tree.path(arrow.from), arrow.line, tree.path(arrow.to), arrow.text)
}

/// References that leave the ranks: to a module or a crate that the file's module must not see. The
/// crate's root may refer to all.
pub fn ranks(tree: &Crate, arrows: &Arrows, ranks: &[Rank<'_>]) -> Vec<String> {
    let modules = Modules::new(tree, "");
    let of: BTreeMap<&str, &Rank<'_>> = ranks.iter().map(|rank| (rank.module, rank)).collect();
    let mut broken = listed(&modules, "the table of ranks", &of.keys().copied().collect::<Vec<_>>());
    let rank_of = |file: usize| modules.module(file).and_then(|module| of.get(module));
    let leaves =
        modules.arrows(&arrows.all).filter(|(from, to, _)| of.get(from).is_some_and(|rank| !rank.may.contains(to)));
    for arrow in first_of_pairs(leaves.map(|(_, _, arrow)| arrow)) {
        let rule = rank_of(arrow.from).map_or("", |rank| rank.words);
        broken.push(format!("{} ({rule})", words(tree, arrow)));
    }
    for ((file, outside), line) in &arrows.outside {
        if let Some(rank) = rank_of(*file).filter(|rank| rank.not.contains(&outside.as_str())) {
            broken.push(format!("{}:{line} refers to the crate `{outside}` ({})", tree.path(*file), rank.words));
        }
    }
    broken
}

/// Modules that a rule does not list, and those that it lists and that are not there.
fn listed(modules: &Modules, rule: &str, names: &[&str]) -> Vec<String> {
    let present = modules.files();
    let unknown = present.keys().filter(|module| **module != ROOT && !names.contains(module));
    let mut broken: Vec<String> = unknown.map(|module| format!("{rule} must list `{module}`")).collect();
    let missing = names.iter().filter(|name| !present.contains_key(**name));
    broken.extend(missing.map(|name| format!("{rule} lists `{name}`, which is not there")));
    broken
}

/// Files that name a crate and are not listed, and listed files that do not.
pub fn namers_outside(tree: &Crate, arrows: &Arrows, name: &str, listed: &[Except<'_>]) -> Vec<String> {
    let namers = arrows.outside.iter().filter(|((_, outside), _)| outside == name);
    let named = namers.map(|((file, _), line)| (tree.path(*file), (*line, format!("the crate `{name}`")))).collect();
    unlike_list(&named, listed, &format!("does not name the crate `{name}`"))
}

/// Files that name something and are not listed, and listed files of which the other is true, as
/// `absent` says. `named` has for each file the line, and what it names.
fn unlike_list(named: &BTreeMap<&str, (usize, String)>, listed: &[Except<'_>], absent: &str) -> Vec<String> {
    let is_listed = |path: &str| listed.iter().any(|(file, _)| *file == path);
    let new = named.iter().filter(|(path, _)| !is_listed(path));
    let new = new.map(|(path, (line, what))| format!("{path}:{line} names {what} and is not listed with a reason"));
    let stale = listed.iter().filter(|(file, _)| !named.contains_key(file));
    new.chain(stale.map(|(file, _)| format!("{file} {absent}: take it off the list"))).collect()
}

/// Files of more than `most` lines that are not excepted.
pub fn long_files(tree: &Crate, most: usize) -> Vec<String> {
    let long = tree.files.iter().filter(|file| file.lines > most);
    long.map(|file| format!("{} has {} lines, and {most} are allowed", file.path, file.lines)).collect()
}

/// Circles of files.
pub fn file_circles(tree: &Crate, arrows: &[Arrow]) -> Vec<String> {
    let circles = graph::file_circles(arrows).into_iter();
    let files = circles.map(|circle| circle.iter().map(|&file| tree.path(file)).collect::<BTreeSet<_>>());
    let files = files.map(|files| files.into_iter().collect::<Vec<_>>());
    files.map(|files| format!("a circle of {} files: {}", files.len(), files.join(", "))).collect()
}

/// Whether a file stands in a folder, or is the file of that module.
fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(['/', '.']))
}

/// Circles of modules.
pub fn module_circles(arrows: &[Arrow], modules: &Modules) -> Vec<String> {
    let circles = modules.circles(arrows).into_iter();
    circles.map(|circle| format!("a circle of {} modules: {}", circle.len(), circle.join(", "))).collect()
}

/// Arrows that run up in an order of modules, and modules that are not in the order.
pub fn order(tree: &Crate, arrows: &[Arrow], modules: &Modules, order: &[&str]) -> Vec<String> {
    let mut broken = listed(modules, "the order", order);
    broken.extend(modules.upward(arrows, order).into_iter().map(|arrow| format!("{} (upward)", words(tree, arrow))));
    broken
}

/// Types that are not there, and inherent `impl` blocks of them outside the folder that they belong
/// to.
pub fn impls_outside(tree: &Crate, types: &[&str], folder: &str) -> Vec<String> {
    let declared: BTreeSet<&str> =
        tree.modules.iter().flat_map(|module| module.contents.items.iter().map(|item| item.name.as_str())).collect();
    let missing = types.iter().filter(|name| !declared.contains(*name));
    let mut broken: Vec<String> =
        missing.map(|name| format!("no type `{name}`, which belongs into {folder}")).collect();
    for (file, line, of) in impls(tree, types) {
        let path = tree.path(file);
        if !is_inside(path, folder) {
            broken.push(format!("{path}:{line} has `impl {of}`, which belongs into {folder}"));
        }
    }
    broken
}

/// Types of more than `most` fields.
pub fn wide_types(tree: &Crate, types: &[&str], most: usize) -> Vec<String> {
    let items = tree.modules.iter().flat_map(|module| module.contents.items.iter().map(|item| (module.file, item)));
    let wide = items.filter(|(_, item)| types.contains(&item.name.as_str()) && item.fields > most);
    wide.map(|(file, Item { name, fields, .. })| {
        format!("{}: `{name}` has {fields} fields, and {most} are allowed", tree.path(file))
    })
    .collect()
}

/// Files outside some folders that name variants of an enumeration and are not listed, and listed
/// files that do not.
pub fn variant_namers(tree: &Crate, name: &str, folders: &[&str], listed: &[Except<'_>]) -> Vec<String> {
    let mut named: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for module in &tree.modules {
        let path = tree.path(module.file);
        if folders.iter().any(|folder| is_inside(path, folder)) {
            continue;
        }
        for (path_of_variant, line) in paths(&module.contents) {
            if let Some([_, variant]) = path_of_variant.windows(2).find(|pair| pair[0] == name && is_capital(&pair[1]))
            {
                named.entry(path).or_insert_with(|| (line, format!("`{name}::{variant}`")));
            }
        }
    }
    unlike_list(&named, listed, &format!("names no variant of `{name}`"))
}

/// The paths that a module has, with their lines: in code, in imports, and in macros.
fn paths(contents: &Contents) -> impl Iterator<Item = (&Path, usize)> {
    let calls = contents.macro_calls.iter().flat_map(|call| &call.tokens.references);
    let bodies = contents.macros.iter().flat_map(|rules| &rules.tokens.references);
    let references = contents.references.iter().chain(calls).chain(bodies);
    let imports = contents.imports.iter().chain(&contents.local_imports);
    references.map(|found| (&found.path, found.line)).chain(imports.map(|found| (&found.path, found.line)))
}

/// The files, lines and types of the inherent `impl` blocks of the named types.
fn impls<'a>(tree: &'a Crate, types: &[&str]) -> Vec<(usize, usize, &'a str)> {
    let blocks = tree.modules.iter().flat_map(|module| module.contents.impls.iter().map(|block| (module.file, block)));
    let inherent = blocks.filter(|(_, block)| !block.of_trait);
    let named = inherent.filter_map(|(file, block)| Some((file, block.line, block.of.last()?.as_str())));
    named.filter(|(_, _, of)| types.contains(of)).collect()
}
