//! Graphs for tests: all small ones, and random larger ones with the shapes that compilers write.

use dxil_test_support::Random;

use crate::graph::{Block, BlockData, Graph, Side, Terminator};
use dxil_base::entity::Entity;

/// Every graph of `count` blocks in which each block returns, jumps, or branches to two different
/// blocks.
pub fn all_graphs(count: usize) -> impl Iterator<Item = Graph> {
    let mut kinds = vec![Terminator::Return];
    kinds.extend((0..count).map(|to| Terminator::Jump(Block::new(to))));
    for then in 0..count {
        for els in then + 1..count {
            kinds.push(Terminator::Branch { then: Block::new(then), els: Block::new(els), never: None });
        }
    }
    let total = kinds.len().pow(count as u32);
    (0..total).map(move |mut n| {
        let mut graph = Graph::new();
        for _ in 0..count {
            graph.blocks.push(BlockData::from(kinds[n % kinds.len()].clone()));
            n /= kinds.len();
        }
        graph
    })
}

/// A random graph: forward edges go to blocks shortly after their source in numeric order, and back
/// edges to the source itself or one of the seven blocks before it. Many of these graphs are
/// reducible, and some are not.
pub fn random_graph(random: &mut Random, most: usize) -> Graph {
    let count = 2 + random.below(most - 1);
    let mut graph = Graph::new();
    let reach = 1 + random.below(6);
    let back = random.below(25);
    let tangled = random.below(20);
    for block in 0..count {
        let target = |random: &mut Random| {
            if block > 0 && random.chance(back) {
                return Block::new(block - random.below(block.min(8)));
            }
            Block::new((block + 1 + random.below(reach)).min(count - 1))
        };
        let terminator = match random.below(20) {
            _ if block + 1 == count => Terminator::Return,
            0 => Terminator::Return,
            1 if random.chance(30) => Terminator::Unreachable,
            2 | 3 => {
                let cases = (0..1 + random.below(4)).map(|value| (value as u64 * 3, target(random))).collect();
                Terminator::Switch { cases, default: target(random) }
            }
            4..7 => Terminator::Jump(target(random)),
            7 => {
                let never = Some(if random.chance(50) { Side::Then } else { Side::Else });
                Terminator::Branch { then: target(random), els: target(random), never }
            }
            _ => Terminator::Branch { then: target(random), els: target(random), never: None },
        };
        let mut data = BlockData::from(terminator);
        data.tangled = random.chance(tangled);
        data.size = random.below(12) as u32;
        data.cheap = match data.terminator {
            Terminator::Return | Terminator::Unreachable => random.chance(50),
            Terminator::Jump(_) => random.chance(40),
            _ => false,
        };
        data.tangled &= !data.cheap;
        graph.blocks.push(data);
    }
    graph
}
