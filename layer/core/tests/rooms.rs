//! The structure that the head of the crate promises: rooms depend in one direction, no files
//! depend on each other in a circle, and two files name the translator.
//!
//! Every path that begins with `crate::` counts, in a `use` or in code, and every `use` of a child
//! module. Comments and test modules do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Each room, and the rooms that it may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("translator", &[]),
    ("translate", &["translator"]),
    ("vulkan", &[]),
    ("features", &["translator", "vulkan"]),
    ("settings", &["translator", "vulkan", "features"]),
    ("messages", &["vulkan", "settings"]),
    ("intercept", &["translator", "translate", "vulkan", "features", "settings", "messages"]),
];

/// The files that may name the crate `dxil_translator`.
const SEAM: [&str; 2] = ["translator", "translate::seam"];

/// Sources by module path; the crate's own is empty.
type Sources = BTreeMap<String, String>;
/// The modules that each module uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn sources() -> Sources {
    fn add(folder: &Path, module: &str, out: &mut Sources) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_string();
            let inner = if module.is_empty() { stem.clone() } else { format!("{module}::{stem}") };
            match (path.is_dir(), stem.as_str()) {
                (true, _) => add(&path, &inner, out),
                (false, "tests") => {}
                (false, "mod" | "lib") => _ = out.insert(module.into(), code(&std::fs::read_to_string(&path).unwrap())),
                (false, _) => _ = out.insert(inner, code(&std::fs::read_to_string(&path).unwrap())),
            }
        }
    }
    let mut out = Sources::new();
    add(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut out);
    out
}

/// A source without comments and without its test module, which is the last item of a file.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The paths of a tree of uses, such as `a::{b, c::d}`, from the start of `text`.
fn tree(text: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    let mut prefix: Vec<&str> = Vec::new();
    loop {
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        rest = &rest[name.len()..];
        if name.is_empty() {
            break;
        }
        prefix.push(name);
        match rest.strip_prefix("::") {
            Some(next) => rest = next,
            None => break,
        }
    }
    let prefix = prefix.join("::");
    let Some(list) = rest.strip_prefix('{') else { return vec![prefix] };
    let mut out = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                let part = list[start..at].trim();
                if !part.is_empty() {
                    out.extend(tree(part).into_iter().map(|path| format!("{prefix}::{path}")));
                }
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    out
}

/// The module that a path leads into: the longest part of it that is one, else the crate's own.
fn module_of(path: &str, sources: &Sources) -> String {
    let mut path = path;
    while !sources.contains_key(path) {
        path = path.rsplit_once("::").map_or("", |(outer, _)| outer);
    }
    path.into()
}

fn uses(sources: &Sources) -> Uses {
    let mut out = Uses::new();
    for (module, text) in sources {
        let mut paths: Vec<String> = text.split("crate::").skip(1).flat_map(tree).collect();
        for used in text.split("use ").skip(1) {
            let inner = |path: String| if module.is_empty() { path } else { format!("{module}::{path}") };
            let inside = |path: &String| module_of(path, sources).len() > module.len();
            paths.extend(tree(used).into_iter().map(inner).filter(inside));
        }
        let targets = paths.iter().map(|path| module_of(path, sources)).filter(|target| target != module);
        out.insert(module.clone(), targets.collect());
    }
    out
}

fn room(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

/// Uses of rooms that the table does not allow.
fn arrows_up(uses: &Uses) -> Vec<String> {
    let mut out = Vec::new();
    for (module, targets) in uses.iter().filter(|(module, _)| !module.is_empty()) {
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room(module)) else {
            out.push(format!("{module} is in a room that the table does not have"));
            continue;
        };
        for target in targets {
            if target.is_empty() {
                out.push(format!("{module} uses the crate's root"));
            } else if room(target) != room(module) && !allowed.contains(&room(target)) {
                out.push(format!("{module} uses {target}"));
            }
        }
    }
    out
}

/// Modules that are on a circle: those that remain when modules without uses are removed again and
/// again, from both ends.
fn circles(uses: &Uses) -> BTreeSet<String> {
    let mut left: BTreeSet<String> = uses.keys().cloned().collect();
    loop {
        let is_used = |module: &String| left.iter().any(|other| uses[other].contains(module));
        let keep = |module: &&String| uses[*module].iter().any(|target| left.contains(target)) && is_used(module);
        let next: BTreeSet<String> = left.iter().filter(keep).cloned().collect();
        if next.len() == left.len() {
            return left;
        }
        left = next;
    }
}

#[test]
fn rooms_depend_in_one_direction() {
    let uses = uses(&sources());
    assert!(uses.len() > 40, "{} modules", uses.len());
    assert!(uses["intercept::pipelines"].contains("intercept::substitute"));
    assert!(uses["translate"].contains("translate::context"));
    assert_eq!(arrows_up(&uses), Vec::<String>::new());
}

#[test]
fn no_files_depend_on_each_other_in_a_circle() {
    assert_eq!(circles(&uses(&sources())), BTreeSet::new());
}

#[test]
fn two_files_name_the_translator() {
    let naming: Vec<String> =
        sources().into_iter().filter(|(_, text)| text.contains("dxil_translator")).map(|(module, _)| module).collect();
    let expected: BTreeSet<&str> = SEAM.into();
    assert_eq!(naming.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
}

#[test]
fn files_are_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let lines = std::fs::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= 400, "{}: {lines} lines", path.display());
        }
    }
}

#[test]
fn a_circle_and_an_arrow_up_are_found() {
    let sources: Sources = [
        ("", "pub use vulkan::a; pub const X: u8 = 0;"),
        ("vulkan", "pub mod a; mod b;"),
        ("vulkan::a", "use crate::vulkan::{b::B, c};"),
        ("vulkan::b", "fn f() { crate::vulkan::c::g(crate::intercept::H) }"),
        ("vulkan::c", "// use crate::vulkan::d;\nuse crate::vulkan::a::A;"),
        ("vulkan::d", "use crate::vulkan::a::A;"),
        ("vulkan::e", "fn f() { crate::X; }"),
        ("intercept", ""),
        ("attic", ""),
    ]
    .into_iter()
    .map(|(module, text)| (module.to_string(), code(text)))
    .collect();
    let uses = uses(&sources);
    assert_eq!(circles(&uses).into_iter().collect::<Vec<_>>(), ["vulkan::a", "vulkan::b", "vulkan::c"]);
    let expected = [
        "attic is in a room that the table does not have",
        "vulkan::b uses intercept",
        "vulkan::e uses the crate's root",
    ];
    assert_eq!(arrows_up(&uses), expected);
}
