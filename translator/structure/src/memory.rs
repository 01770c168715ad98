//! Memory that a thread keeps from one function to the next.
//!
//! In: what a structured function no longer needs. Out: the same lists, for the next function of
//! the thread. What must hold: each list is emptied before it is used, so that nothing but capacity
//! passes from one function to the next; and a thread keeps no more than a few megabytes.

use crate::analysis::Dominators;
use crate::build::BuildMemory;
use crate::graph::Block;
use crate::layout::Layout;
use crate::lower::LowerMemory;
use crate::tree::Tree;
use dxil_base::kept::{self, Kept};

/// The most blocks and edges, and the most statements and nodes, of a function whose memory is
/// kept.
const MOST: usize = 1 << 12;

thread_local! {
    static MEMORY: Kept<Box<Memory>> = const { Kept::new(None) };
}

/// Lists whose items nobody needs.
#[derive(Debug, Default)]
pub struct Memory {
    pub build: BuildMemory,
    pub lower: LowerMemory,
}

impl Memory {
    /// The memory that the thread keeps. The thread has none until it is kept again.
    pub fn take() -> Box<Self> {
        kept::take(&MEMORY)
    }

    /// Keeps memory that served a function of so many blocks and edges, unless it is too much.
    pub fn keep(self: Box<Self>, size: usize) {
        if size <= MOST {
            kept::keep(&MEMORY, self);
        }
    }

    /// Keeps what structuring a function gave, unless it is too much.
    pub fn give_back(tree: Tree, layout: Layout, dominators: Option<Dominators<Block>>) {
        let size = tree.stmts.len() + layout.nodes.len() + layout.takes.items().len() + layout.sets.items().len();
        if size <= MOST {
            let mut memory = Self::take();
            memory.build.tree = tree;
            memory.lower.layout = layout;
            if let Some(dominators) = dominators {
                memory.build.homes.dominators = dominators;
            }
            kept::keep(&MEMORY, memory);
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
                here.give_back();
                structured += 1;
            }
        }
        assert!(structured > 250, "{structured} graphs");
    }
}
