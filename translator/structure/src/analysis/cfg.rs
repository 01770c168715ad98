//! Adjacency in both directions and a depth-first numbering of the nodes that the entry reaches.

use std::marker::PhantomData;

use dxil_base::entity::Entity;

/// Lists of `u32` in one allocation.
#[derive(Clone, Debug, Default)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn get(&self, list: usize) -> &[u32] {
        match (self.starts.get(list), self.starts.get(list + 1)) {
            (Some(&from), Some(&to)) => self.items.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }
}

/// A control-flow graph whose entry is entity 0. Parallel edges count once. Edges from unreachable
/// nodes have no entry among the predecessors.
#[derive(Clone, Debug)]
pub struct Cfg<K> {
    successors: Lists,
    predecessors: Lists,
    postorder: Vec<u32>,
    /// Number in preorder; `u32::MAX` for an unreachable node.
    preorder: Vec<u32>,
    key: PhantomData<K>,
}

impl<K: Entity> Cfg<K> {
    /// Builds the graph of `count` nodes. `successors` appends a node's successors to the list it
    /// is given; those out of range are ignored.
    pub fn new(count: usize, mut successors: impl FnMut(K, &mut Vec<K>)) -> Self {
        let mut forward = Lists { starts: vec![0], items: Vec::new() };
        let mut found = Vec::new();
        let mut seen_from = vec![u32::MAX; count];
        for node in 0..count {
            found.clear();
            successors(K::new(node), &mut found);
            for to in found.iter().map(|k| k.index()).filter(|&to| to < count) {
                if seen_from[to] != node as u32 {
                    seen_from[to] = node as u32;
                    forward.items.push(to as u32);
                }
            }
            forward.starts.push(forward.items.len() as u32);
        }
        let (preorder, postorder) = depth_first(count, &forward);
        let predecessors = reversed(count, &forward, &preorder);
        Self { successors: forward, predecessors, postorder, preorder, key: PhantomData }
    }
    /// The number of nodes, reachable or not.
    pub fn len(&self) -> usize {
        self.preorder.len()
    }
    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.preorder.is_empty()
    }
    /// A node's successors, each once, in the order of their first edge.
    pub fn successors(&self, node: K) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + '_ {
        self.successors.get(node.index()).iter().map(|&n| K::new(n as usize))
    }
    /// A node's successor, counted from the last one, which has index 0.
    pub fn successor_from_last(&self, node: K, index: usize) -> Option<K> {
        let list = self.successors.get(node.index());
        list.len().checked_sub(index + 1).and_then(|i| list.get(i)).map(|&n| K::new(n as usize))
    }
    /// A node's reachable predecessors, each once.
    pub fn predecessors(&self, node: K) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + '_ {
        self.predecessors.get(node.index()).iter().map(|&n| K::new(n as usize))
    }
    /// Whether the entry reaches the node.
    pub fn is_reachable(&self, node: K) -> bool {
        self.preorder.get(node.index()).is_some_and(|&n| n != u32::MAX)
    }
    /// The reachable nodes in depth-first postorder: each after all nodes that the search finds
    /// through it.
    pub fn postorder(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + '_ {
        self.postorder.iter().map(|&n| K::new(n as usize))
    }
    /// A reachable node's number in depth-first preorder.
    pub fn preorder_number(&self, node: K) -> u32 {
        self.preorder.get(node.index()).copied().unwrap_or(u32::MAX)
    }
}

fn depth_first(count: usize, forward: &Lists) -> (Vec<u32>, Vec<u32>) {
    let mut preorder = vec![u32::MAX; count];
    let mut postorder = Vec::with_capacity(count);
    if count == 0 {
        return (preorder, postorder);
    }
    let mut numbered = 1;
    preorder[0] = 0;
    let mut stack = vec![(0u32, 0usize)];
    while let Some((node, next)) = stack.last_mut() {
        match forward.get(*node as usize).get(*next) {
            Some(&to) => {
                *next += 1;
                if preorder[to as usize] == u32::MAX {
                    preorder[to as usize] = numbered;
                    numbered += 1;
                    stack.push((to, 0));
                }
            }
            None => {
                postorder.push(*node);
                stack.pop();
            }
        }
    }
    (preorder, postorder)
}

fn reversed(count: usize, forward: &Lists, preorder: &[u32]) -> Lists {
    let reachable = || (0..count).filter(|&n| preorder[n] != u32::MAX);
    let mut starts = vec![0u32; count + 1];
    for node in reachable() {
        for &to in forward.get(node) {
            starts[to as usize + 1] += 1;
        }
    }
    for i in 1..=count {
        starts[i] += starts[i - 1];
    }
    let mut next = starts.clone();
    let mut items = vec![0; starts[count] as usize];
    for node in reachable() {
        for &to in forward.get(node) {
            items[next[to as usize] as usize] = node as u32;
            next[to as usize] += 1;
        }
    }
    Lists { starts, items }
}
