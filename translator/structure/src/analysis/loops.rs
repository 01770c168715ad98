//! The loop forest of a reducible graph.
//!
//! A loop consists of the nodes that its header dominates and that reach the header again. In a
//! reducible graph these are the strongly connected components, level by level.

use std::cmp::Reverse;

use crate::analysis::{Cfg, Dominators};
use dxil_base::entity::{Entity, PrimaryMap};

entity! {
    /// A loop.
    pub struct Loop, "loop";
}

/// A loop: its header and its nesting.
#[derive(Clone, Debug)]
pub struct LoopData<K> {
    /// The one node through which the loop is entered.
    pub header: K,
    /// The loop around this one.
    pub parent: Option<Loop>,
    /// The number of loops around this one.
    pub depth: u32,
    /// Some loop further out, chosen so that any level is reached in logarithmically many steps.
    jump: Loop,
}

/// The loops of a graph. Outer loops have smaller numbers.
#[derive(Clone, Debug)]
pub struct LoopForest<K> {
    /// The loops, in the reverse postorder of their headers.
    pub loops: PrimaryMap<Loop, LoopData<K>>,
    /// By node: the innermost loop it is in. Empty if there are no loops.
    innermost: Vec<Option<Loop>>,
}

/// An edge that goes back to a node that does not dominate the edge's source. It shows a loop with
/// several entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IrreducibleEdge<K> {
    /// Source of the edge.
    pub from: K,
    /// Target of the edge.
    pub to: K,
}

impl<K: Entity> LoopForest<K> {
    /// Finds the loops.
    ///
    /// # Errors
    /// An edge that makes the graph irreducible.
    pub fn new(cfg: &Cfg<K>, dominators: &Dominators<K>) -> Result<Self, IrreducibleEdge<K>> {
        let mut headers: Vec<K> = Vec::new();
        for from in cfg.postorder() {
            for to in cfg.successors(from) {
                if cfg.postorder_number(to) >= cfg.postorder_number(from) {
                    if !dominators.dominates(to, from) {
                        return Err(IrreducibleEdge { from, to });
                    }
                    headers.push(to);
                }
            }
        }
        if headers.is_empty() {
            return Ok(Self { loops: PrimaryMap::new(), innermost: Vec::new() });
        }
        headers.sort_unstable_by_key(|&header| Reverse(cfg.postorder_number(header)));
        headers.dedup();
        let parents =
            LoopBodies { cfg, dominators, innermost: vec![None; cfg.len()], outer: vec![None; headers.len()] };
        let (innermost, parents) = parents.find(&headers);
        let mut loops: PrimaryMap<Loop, LoopData<K>> = PrimaryMap::with_capacity(headers.len());
        for (header, parent) in headers.into_iter().zip(parents) {
            let this = loops.next_key();
            let (depth, jump) = match parent {
                None => (0, this),
                Some(parent) => {
                    let near = &loops[parent];
                    let far = &loops[near.jump];
                    let even = near.depth - far.depth == far.depth - loops[far.jump].depth && near.depth != far.depth;
                    (near.depth + 1, if even { far.jump } else { parent })
                }
            };
            loops.push(LoopData { header, parent, depth, jump });
        }
        Ok(Self { loops, innermost })
    }
    /// The innermost loop that a node is in. A header is in its loop.
    #[inline]
    pub fn innermost(&self, node: K) -> Option<Loop> {
        self.innermost.get(node.index()).copied().flatten()
    }
    /// The loop that a node heads.
    #[inline]
    pub fn headed_by(&self, node: K) -> Option<Loop> {
        self.innermost(node).filter(|&l| self.loops[l].header == node)
    }
    /// Whether a node is in a loop.
    pub fn contains(&self, outer: Loop, node: K) -> bool {
        self.innermost(node).and_then(|inner| self.at_depth(inner, self.loops[outer].depth)) == Some(outer)
    }
    /// The outermost loop that `from` is in and `to` is not. The nodes are joined by an edge, or
    /// the first is the other's immediate dominator.
    pub fn outermost_left(&self, from: K, to: K) -> Option<Loop> {
        let inner = self.innermost(from)?;
        // Loops are entered at their header only. So the only loop that can contain `to` and not
        // `from` is the one that `to` heads.
        let common = match self.innermost(to) {
            Some(l) if self.contains(l, from) => Some(l),
            Some(l) => self.loops[l].parent,
            None => None,
        };
        self.at_depth(inner, common.map_or(0, |l| self.loops[l].depth + 1))
    }
    /// The loop at a depth that is `inner` or encloses it; `None` if `inner` is less deep.
    fn at_depth(&self, inner: Loop, depth: u32) -> Option<Loop> {
        let mut at = inner;
        if self.loops[at].depth < depth {
            return None;
        }
        while self.loops[at].depth > depth {
            let data = &self.loops[at];
            at = if self.loops[data.jump].depth >= depth { data.jump } else { data.parent? };
        }
        Some(at)
    }
}

/// Finds the members of each loop, innermost loops first, by walking backwards from the back edges.
/// The walk skips a loop that is already known as a whole, so it visits every node once.
struct LoopBodies<'a, K> {
    cfg: &'a Cfg<K>,
    dominators: &'a Dominators<K>,
    innermost: Vec<Option<Loop>>,
    outer: Vec<Option<Loop>>,
}

impl<K: Entity> LoopBodies<'_, K> {
    fn find(mut self, headers: &[K]) -> (Vec<Option<Loop>>, Vec<Option<Loop>>) {
        // `known` is `outer` with compressed paths, as in union-find.
        let mut known: Vec<Option<Loop>> = vec![None; headers.len()];
        let mut stack = Vec::new();
        for (i, &header) in headers.iter().enumerate().rev() {
            let this = Loop::new(i);
            if self.innermost[header.index()].is_none() {
                self.innermost[header.index()] = Some(this);
            }
            stack.extend(self.cfg.predecessors(header).filter(|&p| self.dominators.dominates(header, p)));
            while let Some(node) = stack.pop() {
                match self.innermost[node.index()] {
                    None => {
                        self.innermost[node.index()] = Some(this);
                        stack.extend(self.cfg.predecessors(node));
                    }
                    Some(inner) => {
                        let top = outermost(&mut known, inner);
                        if top != this {
                            self.outer[top.index()] = Some(this);
                            known[top.index()] = Some(this);
                            let entered = headers[top.index()];
                            let dominators = self.dominators;
                            stack.extend(self.cfg.predecessors(entered).filter(|&p| !dominators.dominates(entered, p)));
                        }
                    }
                }
            }
        }
        (self.innermost, self.outer)
    }
}

/// The outermost loop found so far around `inner`. Halves the path to it.
fn outermost(known: &mut [Option<Loop>], inner: Loop) -> Loop {
    let mut at = inner;
    while let Some(up) = known[at.index()] {
        if let Some(further) = known[up.index()] {
            known[at.index()] = Some(further);
        }
        at = up;
    }
    at
}
