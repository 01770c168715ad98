//! Circles and rooms.
//!
//! A *room* is what a folder holds directly: each folder in it, and each file that stands there by
//! itself. The file that stands for the folder (`mod.rs`, `lib.rs`) is its *face*, a room of its
//! own.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::Arrow;
use crate::source::Crate;

/// The name of the room that a folder's own file is.
pub const FACE: &str = "(face)";

/// The sets of nodes that reach one another, those of more than one node, largest first.
pub fn circles<N: Copy + Ord>(arrows: impl IntoIterator<Item = (N, N)>) -> Vec<Vec<N>> {
    let mut next: BTreeMap<N, BTreeSet<N>> = BTreeMap::new();
    let mut back: BTreeMap<N, BTreeSet<N>> = BTreeMap::new();
    for (from, to) in arrows {
        next.entry(from).or_default().insert(to);
        next.entry(to).or_default();
        back.entry(to).or_default().insert(from);
    }
    // Kosaraju: nodes in the order in which the search leaves them, then backwards from the last.
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for &start in next.keys() {
        search(start, &next, &mut seen, &mut order);
    }
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for &start in order.iter().rev() {
        let mut circle = Vec::new();
        search(start, &back, &mut seen, &mut circle);
        if circle.len() > 1 {
            circle.sort();
            circles.push(circle);
        }
    }
    circles.sort_by_key(|circle| (std::cmp::Reverse(circle.len()), circle[0]));
    circles
}

/// Adds the nodes that `start` reaches and `seen` lacks, each after those that it reaches.
fn search<N: Copy + Ord>(start: N, next: &BTreeMap<N, BTreeSet<N>>, seen: &mut BTreeSet<N>, order: &mut Vec<N>) {
    let following = |node: N| next.get(&node).into_iter().flatten().copied();
    if !seen.insert(start) {
        return;
    }
    let mut stack = vec![(start, following(start))];
    while let Some((node, rest)) = stack.last_mut() {
        match rest.find(|&to| seen.insert(to)) {
            Some(to) => stack.push((to, following(to))),
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
}

/// The room of a file in a folder of the crate (empty for the crate itself), or `None` where the
/// file is elsewhere. `depth` says how many folders a room's name may have.
pub fn room(path: &str, folder: &str, depth: usize) -> Option<String> {
    let inside = if folder.is_empty() {
        path
    } else {
        let rest = path.strip_prefix(folder)?;
        match rest.strip_prefix('/') {
            Some(inside) => inside,
            None => return (rest == ".rs").then(|| FACE.to_owned()),
        }
    };
    let stem = inside.strip_suffix(".rs").unwrap_or(inside);
    let parts: Vec<&str> = stem.split('/').collect();
    let (last, folders) = parts.split_last()?;
    let own = matches!(*last, "mod" | "lib" | "main");
    if own && folders.is_empty() {
        return Some(FACE.to_owned());
    }
    let named = if own { folders } else { &parts };
    Some(named[..named.len().min(depth)].join("/"))
}

/// The rooms of a crate's files, by a rule such as [`room`]. Files without a room are not looked
/// at.
#[derive(Debug)]
pub struct Rooms {
    /// The room of each file.
    of: Vec<Option<String>>,
}

impl Rooms {
    /// The rooms of a folder, one level deep.
    pub fn of_folder(tree: &Crate, folder: &str) -> Self {
        Self::by(tree, |path| room(path, folder, 1))
    }

    /// The rooms by another rule.
    pub fn by(tree: &Crate, rule: impl Fn(&str) -> Option<String>) -> Self {
        Self { of: tree.files.iter().map(|file| rule(&file.path)).collect() }
    }

    /// The room of a file.
    pub fn room(&self, file: usize) -> Option<&str> {
        self.of.get(file)?.as_deref()
    }

    /// The files of each room.
    pub fn files(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (file, room) in self.of.iter().enumerate() {
            if let Some(room) = room {
                files.entry(room).or_default().push(file);
            }
        }
        files
    }

    /// The arrows from one room to another, with the rooms.
    pub fn arrows<'r>(&'r self, arrows: &'r [Arrow]) -> impl Iterator<Item = (&'r str, &'r str, &'r Arrow)> {
        arrows.iter().filter_map(|arrow| {
            let (from, to) = (self.room(arrow.from)?, self.room(arrow.to)?);
            (from != to).then_some((from, to, arrow))
        })
    }

    /// The circles of rooms.
    pub fn circles<'r>(&'r self, arrows: &'r [Arrow]) -> Vec<Vec<&'r str>> {
        circles(self.arrows(arrows).map(|(from, to, _)| (from, to)))
    }

    /// The circles of files that touch a room. A circle may lead through files elsewhere in the
    /// crate.
    pub fn file_circles(&self, arrows: &[Arrow]) -> Vec<Vec<usize>> {
        let mut all = circles(arrows.iter().map(|arrow| (arrow.from, arrow.to)));
        all.retain(|circle| circle.iter().any(|&file| self.room(file).is_some()));
        all
    }

    /// The arrows that run up in an order of rooms, lowest first; of each pair of files the first.
    /// The face is above all rooms; a room that is not in the order has no place in it.
    pub fn upward<'r>(&'r self, arrows: &'r [Arrow], order: &[&str]) -> Vec<&'r Arrow> {
        let rank = |room: &str| match order.iter().position(|name| *name == room) {
            None if room == FACE => Some(order.len()),
            rank => rank,
        };
        let up = |from: &str, to: &str| matches!((rank(from), rank(to)), (Some(from), Some(to)) if from < to);
        first_of_pairs(self.arrows(arrows).filter(|(from, to, _)| up(from, to)).map(|(_, _, arrow)| arrow))
    }
}

/// Of the arrows between each pair of files, the one on the first line.
pub fn first_of_pairs<'a>(arrows: impl IntoIterator<Item = &'a Arrow>) -> Vec<&'a Arrow> {
    let mut first: BTreeMap<(usize, usize), &Arrow> = BTreeMap::new();
    for arrow in arrows {
        let known = first.entry((arrow.from, arrow.to)).or_insert(arrow);
        if arrow.line < known.line {
            *known = arrow;
        }
    }
    first.into_values().collect()
}
