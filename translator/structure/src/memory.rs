//! Pooled memory of the structurizer.
//!
//! In: what a structured function no longer needs. Out: the same lists, for the next function of
//! the thread. What must hold: each list is emptied before it is used, so that nothing but capacity
//! passes from one function to the next; and the pool of a thread has no more than a few
//! megabytes.

use crate::analysis::Dominators;
use crate::build::BuildMemory;
use crate::graph::Block;
use crate::layout::Layout;
use crate::lower::LowerMemory;
use crate::tree::Tree;
use dxil_base::pool::{self, Pooled};

thread_local! {
    static MEMORY: Pooled<Box<Memory>> = const { Pooled::new(None) };
}

/// Lists whose items nobody needs.
#[derive(Debug, Default)]
pub struct Memory {
    pub build: BuildMemory,
    pub lower: LowerMemory,
}

impl Memory {
    /// The memory from the pool.
    pub fn take() -> Box<Self> {
        pool::take(&MEMORY)
    }

    /// Puts memory that served a function of so many blocks and edges into the pool, unless it is
    /// too much.
    pub fn recycle(self: Box<Self>, size: usize) {
        if size <= pool::MOST_ITEMS {
            pool::put(&MEMORY, self);
        }
    }

    /// Puts what structuring a function gave into the pool, unless it is too much.
    pub fn recycle_results(tree: Tree, layout: Layout, dominators: Option<Dominators<Block>>) {
        let size = tree.stmts.len() + layout.nodes.len() + layout.takes.items().len() + layout.sets.items().len();
        if size <= pool::MOST_ITEMS {
            let mut memory = Self::take();
            memory.build.tree = tree;
            memory.lower.layout = layout;
            if let Some(dominators) = dominators {
                memory.build.homes.dominators = dominators;
            }
            pool::put(&MEMORY, memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::generate::random_graph;
    use crate::{Graph, Options, Structured, structure};
    use dxil_test_support::Random;

    fn text(structured: &Structured) -> String {
        format!("{}{}{:?}", structured.tree, structured.layout, structured.dispatched)
    }

    /// Each graph after all others, and on a thread of its own.
    #[test]
    fn nothing_passes_from_one_function_to_the_next() {
        let mut random = Random::new(7);
        let graphs: Vec<Graph> = (0..300).map(|n| random_graph(&mut random, 1 + n % 40)).collect();
        let mut structured = 0;
        for graph in &graphs {
            let here = structure(graph, &Options::default());
            let alone = std::thread::scope(|scope| {
                scope.spawn(|| structure(graph, &Options::default()).map(|found| text(&found))).join()
            });
            assert_eq!(here.as_ref().map(text).ok(), alone.expect("no panic").ok(), "{graph}");
            if let Ok(here) = here {
                here.recycle();
                structured += 1;
            }
        }
        assert!(structured > 250, "{structured} graphs");
    }
}
