//! Turns guards that choose between two labels back into conditions.
//!
//! In: a [`Layout`] whose guards test the one integer selector. Out: the same layout, in which a
//! guard tests a boolean of its own if it is the only reader of the values set for it. If a two-way
//! branch does no more than set that boolean to one constant or the other, the boolean is set to
//! the branch's condition and the branch is removed. So `if (a || b)` becomes one branch on one
//! boolean phi.

use crate::analysis::Cfg;
use crate::graph::Edge;
use crate::layout::{Arc, ArcsTo, Condition, Exit, Layout, Merge, Node, Selector, SelectorType, SelectorValue};
use dxil_base::entity::Entity;

/// Folds all guards that can be folded.
pub fn fold_guards(layout: &mut Layout, cfg: &Cfg<Node>, arcs_to: &ArcsTo) {
    let Some(integer) = layout.selectors.keys().next() else { return };
    let live = layout.live(arcs_to, integer);
    for guard in layout.nodes.keys() {
        if let Exit::Branch { condition: Condition::SelectorIs(selector, value), .. } = layout.nodes[guard].exit
            && selector == integer
            && let Some(settings) = own_settings(layout, cfg, &live, guard, integer)
        {
            let boolean = layout.selectors.push(SelectorType::Bool);
            for (from, to) in settings {
                for arc in layout.nodes[from].exit.arcs().iter().filter(|arc| arc.to == to) {
                    for set in layout.sets[arc.sets].iter_mut().filter(|set| set.0 == integer) {
                        let holds = set.1 == SelectorValue::Constant(value);
                        *set = (boolean, SelectorValue::Constant(u32::from(holds)));
                    }
                }
            }
            if let Exit::Branch { condition, .. } = &mut layout.nodes[guard].exit {
                *condition = Condition::Selector(boolean);
            }
        }
    }
    fold_branches(layout, cfg);
}

/// The edges whose settings the guard reads, or `None` if another test reads them too. Only nodes
/// with one successor lie between such an edge and the guard, so the walks of all guards together
/// visit a node once.
fn own_settings(
    layout: &Layout,
    cfg: &Cfg<Node>,
    live: &[bool],
    guard: Node,
    selector: Selector,
) -> Option<Vec<(Node, Node)>> {
    let sets = |arc: &Arc| layout.sets[arc.sets].iter().any(|set| set.0 == selector);
    let is_live = |node: Node| live.get(node.index()) == Some(&true);
    if layout.nodes[guard].exit.arcs().iter().any(|arc| is_live(arc.to) && !sets(arc)) {
        return None;
    }
    let mut settings = Vec::new();
    let mut stack = vec![guard];
    while let Some(node) = stack.pop() {
        for from in cfg.predecessors(node) {
            let exit = &layout.nodes[from].exit;
            if exit.arcs().iter().any(|arc| arc.to == node && sets(arc)) {
                settings.push((from, node));
            } else if exit.tests() == Some(selector) || exit.arcs().len() != 1 {
                return None;
            } else {
                stack.push(from);
            }
        }
    }
    Some(settings)
}

/// Replaces branches that only set a boolean by an assignment of their condition.
fn fold_branches(layout: &mut Layout, cfg: &Cfg<Node>) {
    let mut gone = vec![false; layout.nodes.len()];
    for node in layout.nodes.keys() {
        let Some(FoldedBranch { to, takes, sets, left_out }) = folded(layout, cfg, node) else { continue };
        let arc = Arc { to, takes: layout.takes.extend(takes), sets: layout.sets.extend(sets) };
        layout.nodes[node].merge = Merge::None;
        layout.nodes[node].exit = Exit::Jump(arc);
        left_out.into_iter().for_each(|n| gone[n.index()] = true);
    }
    if gone.contains(&true) {
        compact(layout, &gone);
    }
}

/// What replaces a node's branch: an edge, and the nodes that it makes unnecessary.
struct FoldedBranch {
    to: Node,
    takes: Vec<Edge>,
    sets: Vec<(Selector, SelectorValue)>,
    left_out: Vec<Node>,
}

fn folded(layout: &Layout, cfg: &Cfg<Node>, node: Node) -> Option<FoldedBranch> {
    let before = |node: Node| cfg.predecessors(node).len();
    let data = &layout.nodes[node];
    let (Exit::Branch { condition: Condition::Branch(block), arcs: [then, els] }, Merge::Selection(merge)) =
        (&data.exit, data.merge)
    else {
        return None;
    };
    let mut left_out = Vec::new();
    let mut takes = Vec::new();
    let mut value_of = |arc: &Arc| {
        takes.extend(&layout.takes[arc.takes]);
        let last = if arc.to == merge {
            arc
        } else {
            let last = only_jumps(layout, arc.to).filter(|last| last.to == merge && arc.sets.is_empty())?;
            if before(arc.to) != 1 {
                return None;
            }
            left_out.push(arc.to);
            takes.extend(&layout.takes[last.takes]);
            last
        };
        match &layout.sets[last.sets] {
            [(selector, SelectorValue::Constant(value))] if layout.selectors[*selector] == SelectorType::Bool => {
                Some((*selector, *value))
            }
            _ => None,
        }
    };
    let ((selector, then), (other, els)) = (value_of(then)?, value_of(els)?);
    if selector != other || then == els || before(merge) != 2 {
        return None;
    }
    let mut sets = vec![(selector, SelectorValue::Condition { block: *block, negated: then == 0 })];
    let mut to = merge;
    let keeps = |next: &&Arc| layout.sets[next.sets].iter().all(|set| set.0 != selector);
    if let Some(next) = only_jumps(layout, merge).filter(keeps) {
        left_out.push(merge);
        takes.extend(&layout.takes[next.takes]);
        sets.extend(&layout.sets[next.sets]);
        to = next.to;
    }
    Some(FoldedBranch { to, takes, sets, left_out })
}

/// The outgoing edge of a node that only jumps; `None` for other nodes.
pub(super) fn only_jumps(layout: &Layout, node: Node) -> Option<&Arc> {
    let data = &layout.nodes[node];
    match (&data.exit, data.merge, data.origin) {
        (Exit::Jump(arc), Merge::None, None) => Some(arc),
        _ => None,
    }
}

/// Removes nodes that no edge goes to any more.
pub(super) fn compact(layout: &mut Layout, gone: &[bool]) {
    let mut kept = 0;
    let numbers: Vec<Node> = (gone.iter())
        .map(|gone| {
            let number = Node::new(kept);
            kept += usize::from(!gone);
            number
        })
        .collect();
    let number = |node: &mut Node| *node = numbers.get(node.index()).copied().unwrap_or(*node);
    let mut gone = gone.iter();
    layout.nodes.retain(|_| !gone.next().copied().unwrap_or(false));
    layout.nodes.values_mut().for_each(|data| data.for_each_node(number));
}
