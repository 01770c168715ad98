//! Computes the dominator tree by the algorithm of Lengauer and Tarjan with path compression, in
//! O(m log n) for any graph.
//!
//! The simpler iterative algorithm is quadratic on graphs that an attacker can construct.

use std::ops::RangeInclusive;

use crate::analysis::Cfg;
use dxil_base::entity::Entity;

const NONE: u32 = u32::MAX;

/// Immediate dominators, and constant-time queries.
#[derive(Clone, Debug)]
pub struct Dominators<K> {
    /// By node.
    nodes: Vec<DominatorNode<K>>,
}

/// A node of the dominator tree.
#[derive(Clone, Copy, Debug)]
struct DominatorNode<K> {
    /// `None` for the entry and for unreachable nodes.
    immediate: Option<K>,
    /// The node's place in a preorder of the dominator tree, counted from one, and the last place
    /// in its subtree. Both are zero for an unreachable node.
    place: u32,
    last: u32,
}

impl<K: Entity> Dominators<K> {
    /// The dominators of a graph.
    pub fn new(cfg: &Cfg<K>) -> Self {
        Self { nodes: DominatorSolver::new(cfg).solve(cfg) }
    }
    /// The closest strict dominator; none for the entry and for unreachable nodes.
    #[inline]
    pub fn immediate(&self, node: K) -> Option<K> {
        self.nodes.get(node.index()).and_then(|node| node.immediate)
    }
    /// A node's place in a preorder of the dominator tree, counted from one; zero for an
    /// unreachable node.
    #[inline]
    pub fn place(&self, node: K) -> u32 {
        self.nodes.get(node.index()).map_or(0, |node| node.place)
    }
    /// The places in a preorder of the dominator tree of the nodes that a node dominates, itself
    /// first; only zero for an unreachable node.
    #[inline]
    pub fn places(&self, node: K) -> RangeInclusive<u32> {
        self.nodes.get(node.index()).map_or(0..=0, |node| node.place..=node.last)
    }
    /// Whether every path from the entry to `below` runs through `above`. A node dominates itself.
    /// An unreachable node is dominated by every node, and dominates unreachable nodes only.
    #[inline]
    pub fn dominates(&self, above: K, below: K) -> bool {
        let place = self.place(below);
        let (first, last) = self.nodes.get(above.index()).map_or((0, 0), |node| (node.place, node.last));
        place == 0 || (first != 0 && first <= place && place <= last)
    }
}

/// Working state.
struct DominatorSolver {
    /// By preorder number.
    vertices: Vec<Vertex>,
    path: Vec<u32>,
}

/// What is known of a vertex. Other vertices are named by their preorder numbers.
#[derive(Clone, Copy)]
struct Vertex {
    /// Index of the node.
    node: u32,
    /// Parent in the depth-first tree.
    parent: u32,
    semi: u32,
    idom: u32,
    /// The forest of linked vertices: `ancestor` is compressed, `label` is the vertex of least
    /// `semi` on the compressed path.
    ancestor: u32,
    label: u32,
    /// Linked lists of vertices by semidominator.
    bucket: u32,
    bucket_next: u32,
}

impl DominatorSolver {
    fn new<K: Entity>(cfg: &Cfg<K>) -> Self {
        let vertex = |number| Vertex {
            node: NONE,
            parent: NONE,
            semi: number,
            idom: NONE,
            ancestor: NONE,
            label: number,
            bucket: NONE,
            bucket_next: NONE,
        };
        let mut vertices: Vec<Vertex> = (0..cfg.postorder().len() as u32).map(vertex).collect();
        // A vertex's children in the depth-first tree are the subtrees finished just before it that
        // have larger numbers.
        let mut finished: Vec<u32> = Vec::new();
        for node in cfg.postorder() {
            let number = cfg.preorder_number(node);
            vertices[number as usize].node = node.index() as u32;
            while let Some(child) = finished.pop_if(|child| *child > number) {
                vertices[child as usize].parent = number;
            }
            finished.push(number);
        }
        finished.clear();
        Self { vertices, path: finished }
    }

    fn solve<K: Entity>(mut self, cfg: &Cfg<K>) -> Vec<DominatorNode<K>> {
        let count = self.vertices.len();
        for w in (1..count).rev() {
            let Vertex { node, parent, mut semi, .. } = self.vertices[w];
            for pred in cfg.predecessors(K::new(node as usize)) {
                let u = self.eval(cfg.preorder_number(pred));
                semi = semi.min(self.vertices[u as usize].semi);
            }
            let next = std::mem::replace(&mut self.vertices[semi as usize].bucket, w as u32);
            let vertex = &mut self.vertices[w];
            (vertex.semi, vertex.bucket_next, vertex.ancestor) = (semi, next, parent);
            let mut v = std::mem::replace(&mut self.vertices[parent as usize].bucket, NONE);
            while v != NONE {
                let u = self.eval(v);
                let closer = self.vertices[u as usize].semi < self.vertices[v as usize].semi;
                let vertex = &mut self.vertices[v as usize];
                vertex.idom = if closer { u } else { parent };
                v = vertex.bucket_next;
            }
        }
        let mut nodes = vec![DominatorNode { immediate: None, place: 0, last: 0 }; cfg.len()];
        for w in 1..count {
            let Vertex { node, idom, semi, .. } = self.vertices[w];
            let idom = if idom == semi { idom } else { self.vertices[idom as usize].idom };
            self.vertices[w].idom = idom;
            nodes[node as usize].immediate = Some(K::new(self.vertices[idom as usize].node as usize));
        }
        set_places(cfg, &mut nodes);
        nodes
    }

    /// The vertex of least semidominator on the path from `v` up to its root in the linked forest,
    /// without the root.
    fn eval(&mut self, v: u32) -> u32 {
        let vertices = &mut self.vertices;
        if vertices[v as usize].ancestor == NONE {
            return v;
        }
        let mut at = v;
        while vertices[vertices[at as usize].ancestor as usize].ancestor != NONE {
            self.path.push(at);
            at = vertices[at as usize].ancestor;
        }
        while let Some(below) = self.path.pop() {
            let Vertex { ancestor, label, .. } = vertices[below as usize];
            let above = vertices[ancestor as usize];
            if vertices[above.label as usize].semi < vertices[label as usize].semi {
                vertices[below as usize].label = above.label;
            }
            vertices[below as usize].ancestor = above.ancestor;
        }
        vertices[v as usize].label
    }
}

/// Sets the preorder places in the dominator tree. Reverse postorder visits dominators first. So
/// the sizes of subtrees add up in postorder, and places follow in reverse postorder.
fn set_places<K: Entity>(cfg: &Cfg<K>, nodes: &mut [DominatorNode<K>]) {
    // Until a node's place is set, its last place is the size of its subtree.
    for node in cfg.postorder() {
        nodes[node.index()].last += 1;
        let DominatorNode { immediate, last, .. } = nodes[node.index()];
        if let Some(above) = immediate {
            nodes[above.index()].last += last;
        }
    }
    // By node: the place of its next child.
    let mut next = vec![1; cfg.len()];
    for node in cfg.postorder().rev() {
        let DominatorNode { immediate, last: size, .. } = nodes[node.index()];
        // The entry's place is its own first one.
        let above = immediate.unwrap_or(node).index();
        let place = next[above];
        next[above] += size;
        next[node.index()] = place + 1;
        (nodes[node.index()].place, nodes[node.index()].last) = (place, place + size - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::{N, random_graphs};

    /// The definition: `above` dominates `below` if `below` is not reachable without `above`.
    fn by_definition(edges: &[Vec<usize>], above: usize, below: usize) -> bool {
        let mut seen = vec![false; edges.len()];
        let mut stack = if above == 0 { vec![] } else { vec![0] };
        while let Some(n) = stack.pop() {
            if !std::mem::replace(&mut seen[n], true) {
                stack.extend(edges[n].iter().filter(|&&to| to != above));
            }
        }
        !seen[below]
    }

    #[test]
    fn agree_with_the_definition() {
        for (edges, cfg) in random_graphs(2000) {
            let dominators = Dominators::new(&cfg);
            let strictly = |a: usize, b: usize| a != b && by_definition(&edges, a, b);
            for below in (0..edges.len()).filter(|&b| cfg.is_reachable(N::new(b))) {
                for above in (0..edges.len()).filter(|&a| cfg.is_reachable(N::new(a))) {
                    let (a, b) = (N::new(above), N::new(below));
                    assert_eq!(dominators.dominates(a, b), by_definition(&edges, above, below), "{edges:?} {a} {b}");
                    let closest = strictly(above, below)
                        && (0..edges.len()).all(|o| !strictly(o, below) || by_definition(&edges, o, above));
                    assert_eq!(dominators.immediate(b) == Some(a), closest, "{edges:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn stay_fast_on_long_graphs() {
        // A ladder with edges back to every rung: quadratic for the iterative algorithm.
        let count = 100_000;
        let cfg = Cfg::<N>::new(count, |n, out| {
            let i = n.index();
            out.extend([i + 1, count - 1 - i, i.saturating_sub(1)].map(N::new));
        });
        let dominators = Dominators::new(&cfg);
        assert!(dominators.dominates(N::new(0), N::new(count - 1)));
    }
}
