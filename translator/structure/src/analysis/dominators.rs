//! Computes the dominator tree by the algorithm of Lengauer and Tarjan with path compression, in
//! O(m log n) for any graph.
//!
//! The simpler iterative algorithm is quadratic on graphs that an attacker can construct.

use crate::analysis::Cfg;
use dxil_base::entity::Entity;

const NONE: u32 = u32::MAX;

/// Immediate dominators, and constant-time queries.
#[derive(Clone, Debug)]
pub struct Dominators<K> {
    /// By node; `None` for the entry and for unreachable nodes.
    immediate: Vec<Option<K>>,
    /// By node: its place in a preorder of the dominator tree, counted from one, and the last place
    /// in its subtree. Both are zero for an unreachable node.
    span: Vec<(u32, u32)>,
}

impl<K: Entity> Dominators<K> {
    /// The dominators of a graph.
    pub fn new(cfg: &Cfg<K>) -> Self {
        let immediate = DominatorSolver::new(cfg).solve(cfg);
        let span = spans(cfg, &immediate);
        Self { immediate, span }
    }
    /// The closest strict dominator; none for the entry and for unreachable nodes.
    pub fn immediate(&self, node: K) -> Option<K> {
        self.immediate.get(node.index()).copied().flatten()
    }
    /// A node's place in a preorder of the dominator tree, counted from one; zero for an
    /// unreachable node.
    pub fn place(&self, node: K) -> u32 {
        self.span.get(node.index()).map_or(0, |span| span.0)
    }
    /// Whether every path from the entry to `below` runs through `above`. A node dominates itself.
    /// An unreachable node is dominated by every node, and dominates unreachable nodes only.
    pub fn dominates(&self, above: K, below: K) -> bool {
        let span = |node: K| self.span.get(node.index()).copied().unwrap_or((0, 0));
        let ((first, last), (place, _)) = (span(above), span(below));
        place == 0 || (first != 0 && first <= place && place <= last)
    }
}

/// Working state, indexed by preorder number.
struct DominatorSolver {
    /// Node index of each number.
    vertex: Vec<u32>,
    /// Parent in the depth-first tree.
    parent: Vec<u32>,
    semi: Vec<u32>,
    idom: Vec<u32>,
    /// The forest of linked vertices: `ancestor` is compressed, `label` is the vertex of least
    /// `semi` on the compressed path.
    ancestor: Vec<u32>,
    label: Vec<u32>,
    /// Linked lists of vertices by semidominator.
    bucket: Vec<u32>,
    bucket_next: Vec<u32>,
    path: Vec<u32>,
}

impl DominatorSolver {
    fn new<K: Entity>(cfg: &Cfg<K>) -> Self {
        let count = cfg.postorder().len();
        let mut vertex = vec![NONE; count];
        for node in cfg.postorder() {
            vertex[cfg.preorder_number(node) as usize] = node.index() as u32;
        }
        // A vertex's children in the depth-first tree are the subtrees finished just before it that
        // have larger numbers.
        let mut parent = vec![NONE; count];
        let mut finished: Vec<u32> = Vec::new();
        for number in cfg.postorder().map(|node| cfg.preorder_number(node)) {
            while let Some(child) = finished.pop_if(|child| *child > number) {
                parent[child as usize] = number;
            }
            finished.push(number);
        }
        let identity: Vec<u32> = (0..count as u32).collect();
        Self {
            vertex,
            parent,
            semi: identity.clone(),
            idom: vec![NONE; count],
            ancestor: vec![NONE; count],
            label: identity,
            bucket: vec![NONE; count],
            bucket_next: vec![NONE; count],
            path: Vec::new(),
        }
    }

    fn solve<K: Entity>(mut self, cfg: &Cfg<K>) -> Vec<Option<K>> {
        let count = self.vertex.len();
        for w in (1..count).rev() {
            for pred in cfg.predecessors(K::new(self.vertex[w] as usize)) {
                let u = self.eval(cfg.preorder_number(pred));
                self.semi[w] = self.semi[w].min(self.semi[u as usize]);
            }
            let semi = self.semi[w] as usize;
            self.bucket_next[w] = self.bucket[semi];
            self.bucket[semi] = w as u32;
            let parent = self.parent[w];
            self.ancestor[w] = parent;
            let mut v = std::mem::replace(&mut self.bucket[parent as usize], NONE);
            while v != NONE {
                let u = self.eval(v);
                self.idom[v as usize] = if self.semi[u as usize] < self.semi[v as usize] { u } else { parent };
                v = self.bucket_next[v as usize];
            }
        }
        let mut immediate = vec![None; cfg.len()];
        for w in 1..count {
            if self.idom[w] != self.semi[w] {
                self.idom[w] = self.idom[self.idom[w] as usize];
            }
            let dominator = self.vertex[self.idom[w] as usize];
            immediate[self.vertex[w] as usize] = Some(K::new(dominator as usize));
        }
        immediate
    }

    /// The vertex of least semidominator on the path from `v` up to its root in the linked forest,
    /// without the root.
    fn eval(&mut self, v: u32) -> u32 {
        if self.ancestor[v as usize] == NONE {
            return v;
        }
        let mut at = v;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below as usize] as usize;
            if self.semi[self.label[above] as usize] < self.semi[self.label[below as usize] as usize] {
                self.label[below as usize] = self.label[above];
            }
            self.ancestor[below as usize] = self.ancestor[above];
        }
        self.label[v as usize]
    }
}

/// Preorder places in the dominator tree. Reverse postorder visits dominators first. So sizes add
/// up in postorder, and places follow in reverse postorder.
fn spans<K: Entity>(cfg: &Cfg<K>, immediate: &[Option<K>]) -> Vec<(u32, u32)> {
    let mut size = vec![0u32; cfg.len()];
    for node in cfg.postorder() {
        size[node.index()] += 1;
        if let Some(above) = immediate[node.index()] {
            size[above.index()] += size[node.index()];
        }
    }
    let mut span = vec![(0, 0); cfg.len()];
    let mut next = vec![0u32; cfg.len()];
    for node in cfg.postorder().rev() {
        let place = match immediate[node.index()] {
            None => 1,
            Some(above) => {
                let place = next[above.index()];
                next[above.index()] += size[node.index()];
                place
            }
        };
        span[node.index()] = (place, place + size[node.index()] - 1);
        next[node.index()] = place + 1;
    }
    span
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
