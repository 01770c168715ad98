//! Tests of what the search for phis costs.

use super::paths::Blocks;
use super::*;
use crate::graph::Block;
use crate::layout::{Arc, Condition, Exit, Merge, NodeData};

fn jump(to: usize) -> Exit {
    Exit::Jump(Arc::plain(Node::new(to)))
}

/// A node without a merge instruction that runs the block with its own number.
fn node(number: usize, exit: Exit) -> NodeData {
    NodeData { origin: Some(Block::new(number)), merge: Merge::None, exit }
}

/// From the end of a thousand nodes in a row, each one is found in few steps.
#[test]
fn a_search_visits_few_nodes() {
    let count = 1000;
    let mut layout = Layout::default();
    for number in 0..count {
        let exit = if number + 1 == count { Exit::Return(Block::new(number)) } else { jump(number + 1) };
        layout.nodes.push(node(number, exit));
    }
    let blocks = Blocks::new(&layout, &dominance(&layout).dominators);
    for first in (0..count - 1).step_by(37) {
        let steps = Cell::new(0);
        let found = blocks.first_dead(Node::new(count - 1), |node| node.index() <= first, &steps);
        assert_eq!(found, Some(Node::new(first)));
        assert!(steps.get() <= 30, "{} steps to node {first}", steps.get());
    }
    assert_eq!(blocks.first_dead(Node::new(count - 1), |_| false, &Cell::new(0)), None);
}

/// A variable that is read right after its definition, in the innermost of a hundred selections:
/// the merges around it, where the definition would meet none, cost nothing.
#[test]
fn a_variable_costs_nothing_where_it_is_not_live() {
    let depth = 100;
    let (defined, read) = (Node::new(depth), Node::new(depth + 1));
    let merge = |level: usize| depth + 2 + (depth - 1 - level);
    let mut layout = Layout::default();
    for level in 0..depth {
        let arcs = [level + 1, merge(level)].map(|to| Arc::plain(Node::new(to)));
        let exit = Exit::Branch { condition: Condition::Branch(Block::new(level)), arcs };
        layout.nodes.push(NodeData { merge: Merge::Selection(Node::new(merge(level))), ..node(level, exit) });
    }
    layout.nodes.push(node(depth, jump(depth + 1)));
    layout.nodes.push(node(depth + 1, jump(merge(depth - 1))));
    for level in (0..depth).rev() {
        let number = merge(level);
        let exit = if level == 0 { Exit::Return(Block::new(number)) } else { jump(merge(level - 1)) };
        layout.nodes.push(node(number, exit));
    }
    let solve = |problem: &mut Problem<u32>| {
        let fuel = Fuel::default();
        let solution =
            problem.solve(&layout, &dominance(&layout), |_, _| false, |_, _| true, &fuel, Place::Input).expect("small");
        (solution, fuel.spent().steps)
    };
    let mut problem = Problem::new();
    let undefined = problem.variable();
    problem.read(undefined, read);
    let (_, without) = solve(&mut problem);
    let variable = problem.variable();
    problem.define_inside(variable, defined, 7);
    problem.read(variable, read);
    let (solution, with) = solve(&mut problem);
    assert_eq!(solution.read(variable, read), Source::Definition(7));
    // The definition and the read, and the way of the read to where the variable is dead, on which
    // each step doubles.
    let steps = with - without;
    assert!((2..=2 + 2 * u64::from(depth.ilog2())).contains(&steps), "{steps} steps for a depth of {depth}");
}
