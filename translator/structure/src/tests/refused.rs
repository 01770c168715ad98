//! Graphs that are refused: they break the contract, or are too large.

use crate::dispatch::dispatch;
use crate::graph::{Block, BlockData, Graph, Terminator};
use crate::{Options, structure};
use dxil_base::entity::Entity;
use dxil_base::error::{Error, ErrorKind};
use dxil_base::limits::{BLOCKS, Fuel, SPIRV_SWITCH_CASES};

fn graph(terminators: impl IntoIterator<Item = Terminator>) -> Graph {
    let mut graph = Graph::new();
    for terminator in terminators {
        graph.blocks.push(BlockData::from(terminator));
    }
    graph
}

fn jump(to: usize) -> Terminator {
    Terminator::Jump(Block::new(to))
}

fn branch(then: usize, els: usize) -> Terminator {
    Terminator::Branch { then: Block::new(then), els: Block::new(els), never: None }
}

/// A switch whose first target is the default, and whose values are the numbers of the cases.
fn switch(targets: &[usize]) -> Terminator {
    let cases = (0..).zip(&targets[1..]).map(|(value, &to)| (value, Block::new(to))).collect();
    Terminator::Switch { cases, default: Block::new(targets[0]) }
}

fn refusal(terminators: impl IntoIterator<Item = Terminator>) -> Error {
    structure(&graph(terminators), &Options::default()).expect_err("it is to be refused")
}

#[test]
fn graphs_that_break_the_contract() {
    let ret = Terminator::Return;
    let twice = Terminator::Switch { cases: vec![(4, Block::new(1)), (4, Block::new(2))], default: Block::new(1) };
    let cases = [
        (vec![], "the function has no blocks; expected at least an entry block"),
        (vec![jump(1)], "the branch target does not exist: the function has 1 blocks"),
        (vec![twice, ret.clone(), ret], "the switch has the case value 4 twice"),
    ];
    for (terminators, message) in cases {
        let error = refusal(terminators);
        assert_eq!((error.kind(), error.message()), (ErrorKind::Malformed, message));
    }
}

#[test]
fn graphs_that_are_too_large() {
    let error = refusal((0..=BLOCKS).map(|_| Terminator::Return));
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert!(error.message().contains("blocks in one function"), "{error}");
    let mut targets = vec![2; SPIRV_SWITCH_CASES + 2];
    targets[0] = 1;
    let error = refusal([switch(&targets), Terminator::Return, Terminator::Return]);
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert!(error.message().contains("cases of a switch"), "{error}");
}

/// Each loop here has several entries, and gets a dispatch block and others. All of them together
/// may be as many as the function may have blocks.
#[test]
fn dispatch_blocks_are_limited() {
    // `b0: if b1 b2`, `b1: if b2 b3`, `b2: jump b1`, and so on: three blocks for three.
    let few = graph((0..BLOCKS - 1).map(|block| match block % 3 {
        _ if block + 3 >= BLOCKS - 1 => Terminator::Return,
        0 => branch(block + 1, block + 2),
        1 => branch(block + 1, block + 2),
        _ => jump(block - 1),
    }));
    let made = dispatch(&few, &Fuel::default()).expect("not too many").graph.blocks.len() - few.blocks.len();
    assert!(made > BLOCKS - 10 && made <= BLOCKS, "{made}");
    // Every block of a loop goes to every other, which takes a block for each such edge.
    let many = graph((0..BLOCKS).map(|block| {
        let first = block - block % 4;
        match block % 4 {
            _ if block + 4 >= BLOCKS => Terminator::Return,
            0 => switch(&[block + 1, block + 2, block + 3]),
            1 => switch(&[first + 2, first + 3, first + 4]),
            2 => branch(first + 1, first + 3),
            _ => branch(first + 1, first + 2),
        }
    }));
    let error = dispatch(&many, &Fuel::default()).expect_err("too many");
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert!(error.message().contains("blocks in one function, dispatch blocks included"), "{error}");
}
