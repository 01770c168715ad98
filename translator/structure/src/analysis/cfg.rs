//! Adjacency in both directions and a depth-first numbering of the nodes that the entry reaches.

use dxil_base::entity::{Entity, SecondaryMap};
use dxil_base::lists::Lists;

/// A control-flow graph whose entry is entity 0. Parallel edges count once. Edges from unreachable
/// nodes have no entry among the predecessors.
#[derive(Clone, Debug)]
pub struct Cfg<K> {
    successors: Lists<K, K>,
    predecessors: Lists<K, K>,
    postorder: Vec<K>,
    numbers: SecondaryMap<K, Numbers>,
    /// Memory of [`set`](Self::set).
    seen_from: Vec<u32>,
    stack: Vec<(K, usize)>,
}

/// A node's numbers in preorder and postorder; `u32::MAX` for an unreachable node.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    preorder: u32,
    postorder: u32,
}

const UNREACHED: Numbers = Numbers { preorder: u32::MAX, postorder: u32::MAX };

impl<K: Entity> Default for Cfg<K> {
    fn default() -> Self {
        let (successors, predecessors) = Default::default();
        let (postorder, seen_from, stack) = Default::default();
        Self { successors, predecessors, postorder, numbers: SecondaryMap::with_default(UNREACHED), seen_from, stack }
    }
}

impl<K: Entity> Cfg<K> {
    /// The graph of `count` nodes. `successors` appends a node's successors to the list it is
    /// given; those out of range are ignored.
    pub fn new(count: usize, successors: impl FnMut(K, &mut Vec<K>)) -> Self {
        let mut cfg = Self::default();
        cfg.set(count, successors);
        cfg
    }
    /// Makes it the graph of [`new`](Self::new), in the memory that it has.
    pub fn set(&mut self, count: usize, mut successors: impl FnMut(K, &mut Vec<K>)) {
        let seen_from = &mut self.seen_from;
        seen_from.clear();
        seen_from.resize(count, u32::MAX);
        self.successors.set_in_order(count, |node: K, items| {
            let start = items.len();
            successors(node, items);
            let mut kept = start;
            for i in start..items.len() {
                if let Some(from) = seen_from.get_mut(items[i].index())
                    && std::mem::replace(from, node.index() as u32) != node.index() as u32
                {
                    items[kept] = items[i];
                    kept += 1;
                }
            }
            items.truncate(kept);
        });
        self.search(count);
        let Self { successors, predecessors, numbers, .. } = self;
        predecessors.set_inverted(successors, count, |node| numbers[node].preorder != u32::MAX);
    }
    /// Numbers the nodes by a depth-first search.
    fn search(&mut self, count: usize) {
        let Self { successors, postorder, numbers, stack, .. } = self;
        numbers.fill(count);
        postorder.clear();
        postorder.reserve(count);
        let mut reached = 0;
        let mut next = (0..count).map(K::new).next();
        loop {
            if let Some(node) = next.take().filter(|&node| numbers[node].preorder == u32::MAX) {
                numbers[node].preorder = reached;
                reached += 1;
                stack.push((node, 0));
            }
            let Some((node, place)) = stack.last_mut() else { break };
            next = successors[*node].get(*place).copied();
            *place += 1;
            if next.is_none() {
                numbers[*node].postorder = postorder.len() as u32;
                postorder.push(*node);
                stack.pop();
            }
        }
    }
    /// The number of nodes, reachable or not.
    pub fn len(&self) -> usize {
        self.numbers.values().len()
    }
    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// A node's successors, each once, in the order of their first edge.
    #[inline]
    pub fn successors(&self, node: K) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + Clone + '_ {
        self.successors[node].iter().copied()
    }
    /// A node's successor, counted from the last one, which has index 0.
    #[inline]
    pub fn successor_from_last(&self, node: K, index: usize) -> Option<K> {
        self.successors[node].iter().nth_back(index).copied()
    }
    /// A node's reachable predecessors, each once.
    #[inline]
    pub fn predecessors(&self, node: K) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + '_ {
        self.predecessors[node].iter().copied()
    }
    /// Whether the entry reaches the node.
    #[inline]
    pub fn is_reachable(&self, node: K) -> bool {
        self.numbers[node].preorder != u32::MAX
    }
    /// The reachable nodes in depth-first postorder: each after all nodes that the search finds
    /// through it.
    pub fn postorder(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + Clone + '_ {
        self.postorder.iter().copied()
    }
    /// A reachable node's number in depth-first preorder.
    #[inline]
    pub fn preorder_number(&self, node: K) -> u32 {
        self.numbers[node].preorder
    }
    /// A reachable node's number in depth-first postorder.
    #[inline]
    pub fn postorder_number(&self, node: K) -> u32 {
        self.numbers[node].postorder
    }
}
