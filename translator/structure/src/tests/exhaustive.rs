//! All graphs of up to four blocks, and many random ones. The slow suite
//! (`cargo test -- --ignored`) goes further.

use std::fmt;

use dxil_test_support::Random;

use super::agree::check;
use super::generate::{all_graphs, random_graph};
use crate::analysis::{Cfg, Dominators, LoopForest};
use crate::graph::{Block, Graph};
use crate::{ExitRegions, Fallthrough, Guards, Irreducible, Leaving, Options, TangledSwitch, Terminals, structure};
use dxil_base::error::ErrorKind;

fn all_reachable(graph: &Graph) -> bool {
    Cfg::<Block>::new(graph.blocks.len(), |b, out| out.extend(graph.terminator(b).successors())).postorder().len()
        == graph.blocks.len()
}

/// Counts over a run of many graphs.
#[derive(Default)]
struct Count {
    reducible: usize,
    with_selector: usize,
    irreducible: usize,
    blocks: usize,
}

impl Count {
    /// Structures one graph and checks the result.
    fn add(&mut self, graph: &Graph, options: &Options) {
        let cfg = Cfg::<Block>::new(graph.blocks.len(), |b, out| out.extend(graph.terminator(b).successors()));
        let reducible = LoopForest::new(&cfg, &Dominators::new(&cfg)).is_ok();
        let structured = check(graph, options).unwrap_or_else(|e| panic!("{options:?} {e}"));
        assert_eq!(structured.dispatched.is_none(), reducible);
        self.blocks += graph.blocks.len();
        if reducible {
            self.reducible += 1;
            self.with_selector += usize::from(!structured.layout.selectors.is_empty());
        } else {
            self.irreducible += 1;
            let refusing = Options { irreducible: Irreducible::Refuse, ..options.clone() };
            assert!(structure(graph, &refusing).is_err_and(|e| e.kind() == ErrorKind::Unsupported));
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reducible, with_selector, irreducible, blocks } = self;
        let all = (reducible + irreducible).max(1);
        write!(
            f,
            "{reducible} reducible graphs ({with_selector} with a selector), {irreducible} irreducible ones dispatched, "
        )?;
        write!(f, "{} blocks on average", blocks / all)
    }
}

fn exhaust(blocks: usize) -> Count {
    let mut count = Count::default();
    for graph in all_graphs(blocks).filter(all_reachable) {
        count.add(&graph, &Options::default());
    }
    println!("{blocks} blocks: {count}");
    count
}

#[test]
fn all_graphs_of_up_to_four_blocks() {
    let checked: usize = (1..=4).map(exhaust).map(|count| count.reducible).sum();
    println!("{checked} reducible graphs in all");
    assert_eq!(checked, 3962);
}

#[test]
#[ignore = "slow: 250,000 graphs"]
fn all_graphs_of_five_blocks() {
    assert!(exhaust(5).reducible > 100_000);
}

/// The default options half of the time, and random ones otherwise.
pub fn random_options(random: &mut Random) -> Options {
    let mut options = Options::default();
    if random.chance(50) {
        options.terminals = [Terminals::Copy, Terminals::Share][random.below(2)];
        options.tangled_switch = [TangledSwitch::Chain, TangledSwitch::Switch][random.below(2)];
        options.exit_regions = [ExitRegions::Inline, ExitRegions::After][random.below(2)];
        options.fallthrough = [Fallthrough::Native, Fallthrough::Selector][random.below(2)];
        options.guards = [Guards::Fold, Guards::Plain][random.below(2)];
        options.leaving = [Leaving::Direct, Leaving::Selection][random.below(2)];
    }
    options
}

fn random_graphs(seed: u64, graphs: usize, most: usize) {
    let mut random = Random::new(seed);
    let mut count = Count::default();
    while count.reducible + count.irreducible < graphs {
        let graph = random_graph(&mut random, most);
        count.add(&graph, &random_options(&mut random));
    }
    println!("{count}");
    assert!(count.irreducible > graphs / 20);
}

// 100,000 graphs in all, in parts that the test harness runs side by side.

#[test]
fn random_graphs_of_up_to_40_blocks_1() {
    random_graphs(1, 25_000, 40);
}

#[test]
fn random_graphs_of_up_to_40_blocks_2() {
    random_graphs(2, 25_000, 40);
}

#[test]
fn random_graphs_of_up_to_40_blocks_3() {
    random_graphs(3, 25_000, 40);
}

#[test]
fn random_graphs_of_up_to_40_blocks_4() {
    random_graphs(4, 25_000, 40);
}

#[test]
#[ignore = "slow: ten million graphs"]
fn ten_million_random_graphs() {
    for seed in 0..100 {
        random_graphs(1000 + seed, 100_000, 40);
    }
}
