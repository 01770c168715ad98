//! Computes the dominator tree.
//!
//! A walk in an order in which dominators come first finds the tree of a reducible graph: the
//! immediate dominator of a node is the closest common dominator of its predecessors, which the
//! walk has visited, but for edges back to a dominator. For other graphs it is the algorithm of
//! Lengauer and Tarjan with path compression. Both take O(m log n). The simpler iterative algorithm
//! is quadratic on graphs that an attacker can construct.

use std::ops::RangeInclusive;

use crate::analysis::Cfg;
use dxil_base::entity::Entity;

const NONE: u32 = u32::MAX;

/// Immediate dominators, and constant-time queries.
#[derive(Clone, Debug)]
pub struct Dominators<K> {
    /// By node.
    nodes: Vec<DominatorNode<K>>,
    /// Memory of the walk.
    climbs: Climbs,
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

impl<K> Default for Dominators<K> {
    fn default() -> Self {
        Self { nodes: Vec::new(), climbs: Climbs::default() }
    }
}

impl<K: Entity> Dominators<K> {
    /// The dominators of a graph.
    pub fn new(cfg: &Cfg<K>) -> Self {
        let mut dominators = Self::default();
        dominators.set(cfg);
        dominators
    }
    /// Makes them the dominators of another graph, in the memory that they have.
    pub fn set(&mut self, cfg: &Cfg<K>) {
        let returns = self.walk(cfg.len(), cfg.postorder().rev(), |node| cfg.predecessors(node));
        let is_forward = |from, to| cfg.postorder_number(from) > cfg.postorder_number(to);
        let mut edges = cfg.postorder().flat_map(|to| cfg.predecessors(to).map(move |from| (from, to)));
        if returns && edges.any(|(from, to)| !is_forward(from, to) && !self.dominates(to, from)) {
            self.nodes = DominatorSolver::new(cfg).solve(cfg);
        }
    }
    /// Makes them those of a graph whose nodes are in an order in which each edge goes forward, or
    /// back to a node that dominates the one that it leaves. The entry comes first.
    pub fn set_in_order<P: Iterator<Item = K>>(&mut self, count: usize, predecessors: impl Fn(K) -> P) {
        self.walk(count, (0..count).map(K::new), predecessors);
    }
    /// Visits the nodes in order. The result is whether an edge goes back.
    fn walk<P: Iterator<Item = K>>(
        &mut self,
        count: usize,
        order: impl DoubleEndedIterator<Item = K> + Clone,
        predecessors: impl Fn(K) -> P,
    ) -> bool {
        let Self { nodes, climbs } = self;
        let mut returns = false;
        climbs.0.clear();
        climbs.0.resize(count, Climb { depth: 0, above: 0, jump: 0 });
        nodes.clear();
        nodes.resize(count, DominatorNode { immediate: None, place: 0, last: 0 });
        for (i, node) in order.clone().enumerate() {
            if i == 0 {
                climbs.0[node.index()] = Climb { depth: 1, above: node.index() as u32, jump: node.index() as u32 };
                continue;
            }
            let mut common = None;
            for from in predecessors(node).map(|from| from.index() as u32) {
                if climbs.0[from as usize].depth == 0 {
                    returns = true;
                    continue;
                }
                common = Some(common.map_or(from, |common| climbs.common(common, from)));
            }
            if let Some(above) = common {
                nodes[node.index()].immediate = Some(K::new(above as usize));
                climbs.0[node.index()] = climbs.below(above);
            }
        }
        let reached = order.filter(|node| climbs.0[node.index()].depth != 0);
        set_places(reached, nodes);
        returns
    }
    /// The number of nodes, reachable or not.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
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

/// The dominator tree of the nodes that a walk has visited, in which the closest common dominator
/// of two nodes is found in logarithmically many steps.
#[derive(Clone, Debug, Default)]
struct Climbs(Vec<Climb>);

/// A node of that tree.
#[derive(Clone, Copy, Debug)]
struct Climb {
    /// The number of dominators, with the node itself; zero before the walk has reached the node.
    depth: u32,
    /// The immediate dominator; the entry itself for the entry.
    above: u32,
    /// A dominator that is as far away as those of the other nodes of the same depth.
    jump: u32,
}

impl Climbs {
    /// A node whose immediate dominator is this one.
    fn below(&self, above: u32) -> Climb {
        let near = self.0[above as usize];
        let far = self.0[near.jump as usize];
        // Two jumps of one length become one of twice the length.
        let even = near.depth - far.depth == far.depth - self.0[far.jump as usize].depth;
        Climb { depth: near.depth + 1, above, jump: if even { far.jump } else { above } }
    }

    /// The closest common dominator.
    fn common(&self, a: u32, b: u32) -> u32 {
        let node = |n: u32| self.0[n as usize];
        let (mut deep, mut other) = if node(a).depth < node(b).depth { (b, a) } else { (a, b) };
        while node(deep).depth > node(other).depth {
            let Climb { above, jump, .. } = node(deep);
            deep = if node(jump).depth < node(other).depth { above } else { jump };
        }
        while deep != other {
            let (one, two) = (node(deep), node(other));
            (deep, other) = if one.jump == two.jump { (one.above, two.above) } else { (one.jump, two.jump) };
        }
        deep
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
        set_places(cfg.postorder().rev(), &mut nodes);
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

/// Sets the preorder places in the dominator tree. The nodes are in an order in which dominators
/// come first. So the sizes of subtrees add up in the reverse order, and places follow in order.
fn set_places<K: Entity>(order: impl DoubleEndedIterator<Item = K> + Clone, nodes: &mut [DominatorNode<K>]) {
    // Until a node's place is set, its last place is the size of its subtree.
    for node in order.clone().rev() {
        nodes[node.index()].last += 1;
        let DominatorNode { immediate, last, .. } = nodes[node.index()];
        if let Some(above) = immediate {
            nodes[above.index()].last += last;
        }
    }
    for node in order {
        let DominatorNode { immediate, last: size, .. } = nodes[node.index()];
        let mut place = 1;
        if let Some(above) = immediate {
            // The last place of a node is that of its children so far.
            let last = &mut nodes[above.index()].last;
            place = *last + 1;
            *last += size;
        }
        (nodes[node.index()].place, nodes[node.index()].last) = (place, place);
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
        let mut walked = 0;
        for (edges, cfg) in random_graphs(2000) {
            let dominators = Dominators::new(&cfg);
            // The other algorithm, whether or not the walk has found them.
            let nodes = DominatorSolver::new(&cfg).solve(&cfg);
            let solved = Dominators { nodes, climbs: Climbs::default() };
            let mut found = Dominators::default();
            found.walk(cfg.len(), cfg.postorder().rev(), |node| cfg.predecessors(node));
            let of = |dominators: &Dominators<N>, n| (dominators.immediate(N::new(n)), dominators.places(N::new(n)));
            let same = |a, b| (0..edges.len()).all(|n| of(a, n) == of(b, n));
            assert!(same(&dominators, &solved), "{edges:?}");
            walked += usize::from(same(&found, &solved));
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
        println!("the walk finds the dominators of {walked} graphs of 2000");
        assert!((1000..2000).contains(&walked));
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
        // Selections in selections, whose merges are as deep: quadratic for a search that goes up
        // node by node.
        let cfg = Cfg::<N>::new(count, |n, out| {
            let i = n.index();
            out.extend([i + 1, if i < count / 2 { count - 1 - i } else { i + 1 }].map(N::new));
        });
        let dominators = Dominators::new(&cfg);
        for i in 1..count / 2 {
            assert_eq!(dominators.immediate(N::new(count - i)), Some(N::new(i - 1)));
        }
    }
}
