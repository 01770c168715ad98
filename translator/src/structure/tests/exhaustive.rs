//! All graphs of up to four blocks, and many random ones.

use super::agree::check;
use super::generate::{Random, all_graphs, random_graph};
use crate::analysis::Cfg;
use crate::error::ErrorKind;
use crate::structure::graph::{Block, Graph};
use crate::structure::{ExitRegions, Fallthrough, Guards, Options, TangledSwitch, Terminals, structure};

fn all_reachable(graph: &Graph) -> bool {
    Cfg::<Block>::new(graph.blocks.len(), |b, out| out.extend(graph.terminator(b).successors())).postorder().len()
        == graph.blocks.len()
}

/// How many graphs of this size are reducible and whole, and how many need a selector.
fn exhaust(blocks: usize) -> (usize, usize) {
    let (mut checked, mut selectors) = (0, 0);
    for graph in all_graphs(blocks).filter(all_reachable) {
        match structure(&graph, &Options::default()) {
            Ok(_) => {
                checked += 1;
                let structured = check(&graph, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
                selectors += usize::from(!structured.layout.selectors.is_empty());
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}\n{graph}"),
        }
    }
    println!("{blocks} blocks: {checked} reducible graphs, {selectors} with a selector");
    (checked, selectors)
}

#[test]
fn all_graphs_of_up_to_four_blocks() {
    let checked: usize = (1..=4).map(|blocks| exhaust(blocks).0).sum();
    println!("{checked} graphs in all");
    assert!(checked > 3000);
}

/// The default steps half of the time, and any otherwise.
pub fn random_options(random: &mut Random) -> Options {
    let mut options = Options::default();
    if random.chance(50) {
        options.terminals = [Terminals::Copy, Terminals::Share][random.below(2)];
        options.tangled_switch = [TangledSwitch::Chain, TangledSwitch::Switch][random.below(2)];
        options.exit_regions = [ExitRegions::Inline, ExitRegions::After][random.below(2)];
        options.fallthrough = [Fallthrough::Native, Fallthrough::Selector][random.below(2)];
        options.guards = [Guards::Fold, Guards::Plain][random.below(2)];
    }
    options
}

fn random_graphs(seed: u64, count: usize, most: usize) {
    let mut random = Random::new(seed);
    let (mut checked, mut irreducible, mut selectors, mut blocks) = (0, 0, 0, 0);
    while checked < count {
        let graph = random_graph(&mut random, most);
        let options = random_options(&mut random);
        if let Err(error) = structure(&graph, &options) {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}\n{graph}");
            irreducible += 1;
            continue;
        }
        let structured = check(&graph, &options).unwrap_or_else(|e| panic!("{options:?} {e}"));
        checked += 1;
        blocks += graph.blocks.len();
        selectors += usize::from(!structured.layout.selectors.is_empty());
    }
    println!(
        "{checked} random graphs of {} blocks on average, {selectors} with a selector; {irreducible} irreducible ones refused",
        blocks / checked
    );
}

#[test]
fn random_graphs_of_up_to_40_blocks() {
    random_graphs(1, 20_000, 40);
}
