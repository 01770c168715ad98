//! Analyses of a control-flow graph that several stages need.
//!
//! In: any dense graph whose entry is entity 0, as a successor function ([`Cfg::new`]). Out:
//! [`Cfg`] (adjacency and a depth-first order), [`Dominators`], [`LoopForest`], [`Order`]. What
//! must hold: every algorithm is near-linear in nodes and edges and uses explicit stacks, and its
//! result depends only on the graph and the order of successors.

mod cfg;
mod dominators;
mod loops;
mod order;

pub use cfg::Cfg;
pub use dominators::Dominators;
pub use loops::{IrreducibleEdge, Loop, LoopData, LoopForest};
pub use order::Order;

#[cfg(test)]
mod tests {
    use dxil_test_support::Random;

    use super::Cfg;
    use dxil_base::entity::Entity;

    entity! {
        pub(super) struct N, "n";
    }

    /// Graphs of up to twelve nodes with up to three edges each.
    pub(super) fn random_graphs(count: usize) -> impl Iterator<Item = (Vec<Vec<usize>>, Cfg<N>)> {
        let mut random = Random::new(1);
        (0..count).map(move |_| {
            let nodes = 1 + random.below(12);
            let edges: Vec<Vec<usize>> =
                (0..nodes).map(|_| (0..random.below(4)).map(|_| random.below(nodes)).collect()).collect();
            let cfg = Cfg::new(nodes, |n: N, out| out.extend(edges[n.index()].iter().map(|&to| N::new(to))));
            (edges, cfg)
        })
    }
}
