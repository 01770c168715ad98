//! Holds a tree to rules. Each function returns what breaks its rule, one message each, in the
//! order of the tree.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::{Arrow, Arrows};
use crate::facts::How;
use crate::graph::{FACE, Rooms, first_of_pairs};
use crate::public::PublicItem;
use crate::readers::readers;
use crate::rules::{Except, Rank};
use crate::source::Crate;

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

/// References that leave the ranks: to a room or a crate that the file's room must not see.
pub fn ranks(tree: &Crate, arrows: &Arrows, ranks: &[Rank<'_>]) -> Vec<String> {
    let rooms = Rooms::of_folder(tree, "");
    let of: BTreeMap<&str, &Rank<'_>> = ranks.iter().map(|rank| (rank.room, rank)).collect();
    let present = rooms.files();
    let mut broken: Vec<String> = of
        .keys()
        .filter(|room| !present.contains_key(**room))
        .map(|room| format!("the ranks list the room `{room}`, which is not there"))
        .collect();
    let rank_of = |file: usize| rooms.room(file).and_then(|room| of.get(room));
    let leaves =
        rooms.arrows(&arrows.all).filter(|(from, to, _)| of.get(from).is_some_and(|rank| !rank.may.contains(to)));
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

/// Rooms that the ranks do not list. The crate's own file may refer to all.
pub fn unranked(tree: &Crate, ranks: &[Rank<'_>]) -> Vec<String> {
    let rooms = Rooms::of_folder(tree, "");
    let listed = |room: &str| room == FACE || ranks.iter().any(|rank| rank.room == room);
    let rooms = rooms.files().into_keys().filter(|room| !listed(room));
    rooms.map(|room| format!("the ranks do not list the room `{room}`")).collect()
}

/// Files that name a crate and are not listed, and listed files that do not.
pub fn namers_outside(tree: &Crate, arrows: &Arrows, name: &str, listed: &[Except<'_>]) -> Vec<String> {
    let mut unused: BTreeSet<&str> = listed.iter().map(|(file, _)| *file).collect();
    let mut broken = Vec::new();
    for ((file, outside), line) in &arrows.outside {
        let path = tree.path(*file);
        if outside == name && !unused.remove(path) {
            broken.push(format!("{path}:{line} names the crate `{name}` and is not listed with a reason"));
        }
    }
    broken.extend(unused.iter().map(|file| format!("{file} does not name the crate `{name}`: take it off the list")));
    broken
}

/// Files of more than `most` lines.
pub fn long_files(tree: &Crate, most: usize) -> Vec<String> {
    let long = tree.files.iter().filter(|file| file.lines > most);
    long.map(|file| format!("{} has {} lines, and {most} are allowed", file.path, file.lines)).collect()
}

/// Circles of more than `largest` files that touch a room, but for those whose first file is
/// excepted.
pub fn file_circles(
    tree: &Crate,
    arrows: &[Arrow],
    rooms: &Rooms,
    largest: usize,
    excepted: &[Except<'_>],
) -> Vec<String> {
    let here = |first: &str| tree.files.iter().any(|file| file.path == first);
    let mut unused: BTreeSet<&str> = excepted.iter().map(|(first, _)| *first).filter(|first| here(first)).collect();
    let mut broken = Vec::new();
    for circle in rooms.file_circles(arrows).into_iter().filter(|circle| circle.len() > largest) {
        let mut files: Vec<&str> = circle.iter().map(|&file| tree.path(file)).collect();
        files.sort_unstable();
        if !unused.remove(files[0]) {
            broken.push(format!("a circle of {} files: {}", files.len(), files.join(", ")));
        }
    }
    broken.extend(
        unused.iter().map(|first| format!("the circle that begins with {first} is gone: take it off the list")),
    );
    broken
}

/// Circles of rooms.
pub fn room_circles(arrows: &[Arrow], rooms: &Rooms) -> Vec<String> {
    let circles = rooms.circles(arrows).into_iter();
    circles.map(|circle| format!("a circle of {} rooms: {}", circle.len(), circle.join(", "))).collect()
}

/// Arrows that run up in an order of rooms, and rooms that are not in the order.
pub fn order(tree: &Crate, arrows: &[Arrow], rooms: &Rooms, order: &[&str]) -> Vec<String> {
    let present = rooms.files();
    let unknown = present.keys().filter(|room| **room != FACE && !order.contains(room));
    let mut broken: Vec<String> = unknown.map(|room| format!("the order of rooms does not list `{room}`")).collect();
    let missing = order.iter().filter(|room| !present.contains_key(**room));
    broken.extend(missing.map(|room| format!("the order of rooms lists `{room}`, which is not there")));
    broken.extend(rooms.upward(arrows, order).into_iter().map(|arrow| format!("{} (upward)", words(tree, arrow))));
    broken
}

/// Types that are not there, and inherent `impl` blocks of them outside the folder that they belong
/// to.
pub fn impls_outside(tree: &Crate, types: &[&str], folder: &str) -> Vec<String> {
    let declared: BTreeSet<&str> =
        tree.modules.iter().flat_map(|module| module.facts.items.iter().map(|item| item.name.as_str())).collect();
    let missing = types.iter().filter(|name| !declared.contains(*name));
    let mut broken: Vec<String> =
        missing.map(|name| format!("no type `{name}`, which belongs into {folder}")).collect();
    for (file, line, of) in impls(tree, types) {
        let path = tree.path(file);
        if !path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(['/', '.'])) {
            broken.push(format!("{path}:{line} has `impl {of}`, which belongs into {folder}"));
        }
    }
    broken
}

/// The files, lines and types of the inherent `impl` blocks of the named types.
pub fn impls<'a>(tree: &'a Crate, types: &[&str]) -> Vec<(usize, usize, &'a str)> {
    let blocks = tree.modules.iter().flat_map(|module| module.facts.impls.iter().map(|block| (module.file, block)));
    let inherent = blocks.filter(|(_, block)| !block.of_trait);
    let named = inherent.filter_map(|(file, block)| Some((file, block.line, block.of.last()?.as_str())));
    named.filter(|(_, _, of)| types.contains(of)).collect()
}

/// Files that read fields of a type and are not listed, and listed files that do not.
pub fn readers_outside(tree: &Crate, ty: &str, listed: &[Except<'_>]) -> Vec<String> {
    let readers = readers(tree, ty);
    let mut unused: BTreeSet<&str> = listed.iter().map(|(file, _)| *file).collect();
    let mut broken = Vec::new();
    for (file, reads) in readers {
        let path = tree.path(file);
        if !unused.remove(path) {
            let reads: Vec<_> = reads.iter().map(|(line, text)| format!("{line}: `{text}`")).collect();
            broken.push(format!("{path} reads {ty} and is not listed with a reason: {}", reads.join(", ")));
        }
    }
    broken.extend(unused.iter().map(|file| format!("{file} does not read {ty}: take it off the list")));
    broken
}

/// Public types that users can build or match in full, that are neither `#[non_exhaustive]` nor
/// listed.
pub fn open_items(tree: &Crate, face: &[PublicItem], listed: &[Except<'_>]) -> Vec<String> {
    let mut unused: BTreeSet<&str> = listed.iter().map(|(path, _)| *path).collect();
    let mut broken = Vec::new();
    for item in face.iter().filter(|item| item.open) {
        if !unused.remove(item.path.as_str()) {
            let place = format!("{}:{}", tree.path(item.file), item.line);
            broken.push(format!("{} ({place}) is open: say `#[non_exhaustive]`, or list it with a reason", item.path));
        }
    }
    broken.extend(unused.iter().map(|path| format!("{path} is not an open public type: take it off the list")));
    broken
}
