//! Circles, and the modules of a folder.
//!
//! The *modules* of a folder are the folders in it and the files that stand there by themselves,
//! each with all that is below it. The file that stands for the folder (`mod.rs`, `lib.rs`) is its
//! *root*.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::Arrow;
use crate::source::Crate;

/// The name of a folder's own file among its modules.
pub const ROOT: &str = "(root)";

/// The circles of files.
pub fn file_circles(arrows: &[Arrow]) -> Vec<Vec<usize>> {
    circles(arrows.iter().map(|arrow| (arrow.from, arrow.to)))
}

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

/// The module of a folder (empty for the crate itself) that a file belongs to, or `None` where the
/// file is elsewhere.
fn module(path: &str, folder: &str) -> Option<String> {
    let inside = if folder.is_empty() {
        path
    } else {
        let rest = path.strip_prefix(folder)?;
        match rest.strip_prefix('/') {
            Some(inside) => inside,
            None => return (rest == ".rs").then(|| ROOT.to_owned()),
        }
    };
    let stem = inside.strip_suffix(".rs").unwrap_or(inside);
    let first = stem.split('/').next()?;
    let own = matches!(stem, "mod" | "lib" | "main");
    Some(if own { ROOT } else { first }.to_owned())
}

/// The modules of a folder. Files elsewhere are not looked at.
#[derive(Debug)]
pub struct Modules {
    /// The module of each file.
    modules: Vec<Option<String>>,
}

impl Modules {
    /// The modules of a folder, one level deep.
    pub fn new(tree: &Crate, folder: &str) -> Self {
        Self { modules: tree.files.iter().map(|file| module(&file.path, folder)).collect() }
    }

    /// The module of a file.
    pub fn module(&self, file: usize) -> Option<&str> {
        self.modules.get(file)?.as_deref()
    }

    /// The files of each module.
    pub fn files(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (file, module) in self.modules.iter().enumerate() {
            if let Some(module) = module {
                files.entry(module).or_default().push(file);
            }
        }
        files
    }

    /// The arrows from one module to another, with the modules.
    pub fn arrows<'r>(&'r self, arrows: &'r [Arrow]) -> impl Iterator<Item = (&'r str, &'r str, &'r Arrow)> {
        arrows.iter().filter_map(|arrow| {
            let (from, to) = (self.module(arrow.from)?, self.module(arrow.to)?);
            (from != to).then_some((from, to, arrow))
        })
    }

    /// The circles of modules.
    pub fn circles<'r>(&'r self, arrows: &'r [Arrow]) -> Vec<Vec<&'r str>> {
        circles(self.arrows(arrows).map(|(from, to, _)| (from, to)))
    }

    /// The arrows that run up in an order of modules, lowest first; of each pair of files the
    /// first. The root is above all; a module that is not in the order has no place in it.
    pub fn upward<'r>(&'r self, arrows: &'r [Arrow], order: &[&str]) -> Vec<&'r Arrow> {
        let rank = |module: &str| match order.iter().position(|name| *name == module) {
            None if module == ROOT => Some(order.len()),
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
