//! Tests of the checker itself: layouts made by hand, of which some break a rule.

use crate::graph::Block;
use crate::layout::{Arc, Condition, Exit, Layout, Merge, Node, NodeData};
use crate::legal::broken_rules;
use dxil_base::entity::Entity;

fn arc(to: usize) -> Arc {
    Arc::plain(Node::new(to))
}

/// A layout of these nodes. Nodes that are not loop headers run the block with their own number.
fn layout(nodes: Vec<(Merge, Exit)>) -> Layout {
    let mut layout = Layout::default();
    for (number, (merge, exit)) in nodes.into_iter().enumerate() {
        let plain = !matches!(merge, Merge::Loop { .. }) && exit != Exit::Unreachable;
        layout.nodes.push(NodeData { origin: plain.then(|| Block::new(number)), merge, exit });
    }
    layout
}

fn branch(block: usize, then: usize, els: usize) -> Exit {
    Exit::Branch { condition: Condition::Branch(Block::new(block)), arcs: [arc(then), arc(els)] }
}

fn ret(block: usize) -> Exit {
    Exit::Return(Block::new(block))
}

/// A loop whose body always leaves it: no edge goes to its continue target, which must exist
/// (SPIR-V, "OpLoopMerge").
#[test]
fn a_continue_target_needs_no_predecessor() {
    let (merge, continuing) = (Node::new(4), Node::new(3));
    let layout = layout(vec![
        (Merge::None, Exit::Jump(arc(1))),
        (Merge::Loop { merge, continuing, header: None }, Exit::Jump(arc(2))),
        (Merge::None, Exit::Jump(arc(4))),
        (Merge::None, Exit::Jump(arc(1))),
        (Merge::None, ret(4)),
    ]);
    assert_eq!(broken_rules(&layout), [""; 0]);
}

/// A merge that no edge goes to must be an empty block that is never reached.
#[test]
fn a_merge_without_predecessors_is_empty() {
    let with_merge = |exit: Exit| {
        layout(vec![
            (Merge::Selection(Node::new(3)), branch(0, 1, 2)),
            (Merge::None, ret(1)),
            (Merge::None, ret(2)),
            (Merge::None, exit),
        ])
    };
    assert_eq!(broken_rules(&with_merge(Exit::Unreachable)), [""; 0]);
    let message = "n3 has no predecessors, but is not an empty unreachable block";
    assert_eq!(broken_rules(&with_merge(ret(3))), [message]);
    // A merge that heads a construct of its own is no exception.
    let nested = layout(vec![
        (Merge::Selection(Node::new(3)), branch(0, 1, 2)),
        (Merge::None, ret(1)),
        (Merge::None, ret(2)),
        (Merge::Selection(Node::new(6)), branch(3, 4, 5)),
        (Merge::None, ret(4)),
        (Merge::None, ret(5)),
        (Merge::None, Exit::Unreachable),
    ]);
    assert_eq!(broken_rules(&nested), [message]);
}
