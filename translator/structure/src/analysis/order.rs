//! A topological order of the forward edges in which every loop is contiguous.
//!
//! When the depth-first search enters a loop's header, it visits the targets of the loop's exits
//! before the loop itself. In reverse postorder the whole loop then precedes its exits, and no
//! other node stands between its members. Such an order exists for every reducible graph.

use crate::analysis::{Cfg, Loop, LoopForest};
use dxil_base::entity::Entity;
use dxil_base::lists::Lists;

/// The reachable nodes in that order.
#[derive(Debug)]
pub struct Order<K> {
    /// The nodes.
    pub nodes: Vec<K>,
    /// Memory of [`set`](Self::set).
    seen: Vec<bool>,
    stack: Vec<(K, usize, usize)>,
}

impl<K> Default for Order<K> {
    fn default() -> Self {
        Self { nodes: Vec::new(), seen: Vec::new(), stack: Vec::new() }
    }
}

impl<K: Entity> Order<K> {
    /// Finds the order of the nodes of a graph with these loops.
    pub fn set(&mut self, cfg: &Cfg<K>, loops: &LoopForest<K>) {
        // By loop: the targets of the edges that leave this loop and no loop around it. The
        // outermost loop that an edge leaves is entered first, so its target is visited then.
        let mut left: Vec<(Loop, K)> = Vec::new();
        if !loops.loops.is_empty() {
            for from in cfg.postorder().rev() {
                let exits = cfg.successors(from).filter_map(|to| Some((loops.outermost_left(from, to)?, to)));
                left.extend(exits);
            }
        }
        let exits = Lists::new(loops.loops.len(), left.iter().copied());
        let Self { nodes, seen, stack } = self;
        nodes.clear();
        seen.clear();
        seen.resize(cfg.len(), false);
        // A frame is a node, the number of exits that it has visited, and the number of successors.
        // Successors are visited from last to first, so that the first successor comes first in the
        // order.
        let mut next = cfg.postorder().next_back();
        loop {
            if let Some(node) = next.take().filter(|node| !std::mem::replace(&mut seen[node.index()], true)) {
                stack.push((node, 0, 0));
            }
            let Some((node, exited, visited)) = stack.last_mut() else { break };
            next = loops.headed_by(*node).and_then(|this| exits[this].get(*exited).copied());
            if next.is_some() {
                *exited += 1;
                continue;
            }
            next = cfg.successor_from_last(*node, *visited);
            *visited += 1;
            if next.is_none() {
                nodes.push(*node);
                stack.pop();
            }
        }
        nodes.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Dominators;
    use crate::analysis::tests::{N, random_graphs};

    /// Whether `to` is reachable from `from` by one or more edges inside what `header` dominates.
    fn reaches(cfg: &Cfg<N>, dominators: &Dominators<N>, header: N, from: N, to: N) -> bool {
        let mut seen = vec![false; cfg.len()];
        let mut stack = vec![from];
        while let Some(n) = stack.pop() {
            for next in cfg.successors(n).filter(|&s| dominators.dominates(header, s)) {
                if next == to {
                    return true;
                }
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push(next);
                }
            }
        }
        false
    }

    #[test]
    fn loops_and_order_agree_with_their_definitions() {
        let (mut reducible, mut irreducible) = (0, 0);
        for (edges, cfg) in random_graphs(8000) {
            let dominators = Dominators::new(&cfg);
            let nodes: Vec<N> = cfg.postorder().collect();
            let back = |from: N, to: N| dominators.dominates(to, from);
            // A graph is reducible if it has no cycle without the edges to dominators.
            let forward = Cfg::<N>::new(cfg.len(), |n, out| out.extend(cfg.successors(n).filter(|&to| !back(n, to))));
            let cyclic = nodes.iter().any(|&n| reaches(&forward, &dominators, N::new(0), n, n));
            let Ok(forest) = LoopForest::new(&cfg, &dominators) else {
                assert!(cyclic, "{edges:?}");
                irreducible += 1;
                continue;
            };
            assert!(!cyclic, "{edges:?}");
            reducible += 1;
            let mut order = Order::default();
            order.set(&cfg, &forest);
            let order = order.nodes;
            let mut place = vec![usize::MAX; cfg.len()];
            order.iter().enumerate().for_each(|(i, n)| place[n.index()] = i);
            assert_eq!(order.len(), nodes.len());
            let headers: Vec<N> = nodes.iter().copied().filter(|&n| cfg.predecessors(n).any(|p| back(p, n))).collect();
            assert_eq!(forest.loops.len(), headers.len(), "{edges:?}");
            let member = |header: N, n: N| {
                dominators.dominates(header, n) && (n == header || reaches(&cfg, &dominators, header, n, header))
            };
            for &header in &headers {
                let this = forest.headed_by(header).expect("a header heads a loop");
                let members: Vec<N> = nodes.iter().copied().filter(|&n| member(header, n)).collect();
                for &n in &nodes {
                    assert_eq!(forest.contains(this, n), members.contains(&n), "{edges:?} {header} {n}");
                }
                let places: Vec<usize> = members.iter().map(|n| place[n.index()]).collect();
                let (low, high) = (places.iter().min().unwrap(), places.iter().max().unwrap());
                assert_eq!(high - low + 1, members.len(), "{edges:?} {order:?} {header}");
                assert_eq!(*low, place[header.index()]);
            }
            for &from in &nodes {
                for to in cfg.successors(from) {
                    assert!(back(from, to) || place[from.index()] < place[to.index()], "{edges:?} {order:?}");
                    let left: Option<Loop> = (forest.loops.iter())
                        .filter(|(_, l)| member(l.header, from) && !member(l.header, to))
                        .min_by_key(|(_, l)| l.depth)
                        .map(|(l, _)| l);
                    assert_eq!(forest.outermost_left(from, to), left, "{edges:?} {from} {to}");
                }
            }
        }
        println!("{reducible} reducible graphs, {irreducible} irreducible ones");
        assert!(reducible > 1000 && irreducible > 500);
    }
}
