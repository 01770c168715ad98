//! Turns guards that choose between two labels back into conditions.
//!
//! In: a [`Layout`] whose guards test the one integer selector. Out: the same layout, in which a
//! guard tests a boolean of its own if it is the only reader of the values set for it. If a two-way
//! branch does no more than set that boolean to one constant or the other, the boolean is set to
//! the branch's condition and the branch is removed. So `if (a || b)` becomes one branch on one
//! boolean phi.

use crate::analysis::Cfg;
use crate::layout::{Arc, Condition, Exit, Layout, Merge, Node, Selector, SelectorType, SelectorValue};
use dxil_base::entity::{Entity, PrimaryMap};

/// Folds all guards that can be folded.
pub fn fold_guards(layout: &mut Layout) {
    let cfg = layout.cfg();
    let Some(integer) = layout.selectors.keys().next() else { return };
    let live = layout.live(integer);
    for guard in layout.nodes.keys() {
        if let Exit::Branch { condition: Condition::SelectorIs(selector, value), .. } = layout.nodes[guard].exit
            && selector == integer
            && let Some(settings) = own_settings(layout, &cfg, &live, guard, integer)
        {
            let boolean = layout.selectors.push(SelectorType::Bool);
            for (from, to) in settings {
                for arc in layout.nodes[from].exit.arcs_mut().into_iter().filter(|arc| arc.to == to) {
                    for set in arc.sets.iter_mut().filter(|set| set.0 == integer) {
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
    fold_branches(layout, &cfg);
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
    let sets = |arc: &Arc| arc.sets.iter().any(|set| set.0 == selector);
    let is_live = |node: Node| live.get(node.index()) == Some(&true);
    if layout.nodes[guard].exit.arcs().iter().any(|arc| is_live(arc.to) && !sets(arc)) {
        return None;
    }
    let mut settings = Vec::new();
    let mut stack = vec![guard];
    while let Some(node) = stack.pop() {
        for from in cfg.predecessors(node) {
            let exit = &layout.nodes[from].exit;
            let arcs = exit.arcs();
            if arcs.iter().any(|arc| arc.to == node && sets(arc)) {
                settings.push((from, node));
            } else if exit.tests() == Some(selector) || arcs.len() != 1 {
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
        let Some((arc, between)) = folded(layout, cfg, node) else { continue };
        layout.nodes[node].merge = Merge::None;
        layout.nodes[node].exit = Exit::Jump(arc);
        between.into_iter().for_each(|n| gone[n.index()] = true);
    }
    if gone.contains(&true) {
        compact(layout, &gone);
    }
}

/// The edge that replaces a node's branch, and the nodes that it makes unnecessary.
fn folded(layout: &Layout, cfg: &Cfg<Node>, node: Node) -> Option<(Arc, Vec<Node>)> {
    let data = &layout.nodes[node];
    let (Exit::Branch { condition: Condition::Branch(block), then, els }, Merge::Selection(merge)) =
        (&data.exit, data.merge)
    else {
        return None;
    };
    let mut left_out = Vec::new();
    let mut takes = Vec::new();
    let mut value_of = |arc: &Arc| {
        takes.extend(&arc.takes);
        let last = if arc.to == merge {
            arc
        } else {
            let last = only_jumps(layout, cfg, arc.to, 1).filter(|last| last.to == merge && arc.sets.is_empty())?;
            left_out.push(arc.to);
            takes.extend(&last.takes);
            last
        };
        match last.sets.as_slice() {
            [(selector, SelectorValue::Constant(value))] if layout.selectors[*selector] == SelectorType::Bool => {
                Some((*selector, *value))
            }
            _ => None,
        }
    };
    let ((selector, then), (other, els)) = (value_of(then)?, value_of(els)?);
    if selector != other || then == els || cfg.predecessors(merge).len() != 2 {
        return None;
    }
    let mut sets = vec![(selector, SelectorValue::Condition { block: *block, negated: then == 0 })];
    let mut to = merge;
    if let Some(next) = only_jumps(layout, cfg, merge, 2).filter(|next| next.sets.iter().all(|set| set.0 != selector)) {
        left_out.push(merge);
        takes.extend(&next.takes);
        sets.extend(&next.sets);
        to = next.to;
    }
    Some((Arc { to, takes, sets }, left_out))
}

/// The outgoing edge of a node that only jumps and has this many predecessors; `None` for other
/// nodes.
pub(super) fn only_jumps<'a>(layout: &'a Layout, cfg: &Cfg<Node>, node: Node, edges: usize) -> Option<&'a Arc> {
    let data = &layout.nodes[node];
    match (&data.exit, data.merge, data.origin) {
        (Exit::Jump(arc), Merge::None, None) if cfg.predecessors(node).len() == edges => Some(arc),
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
    let mut nodes = PrimaryMap::with_capacity(kept);
    for (_, data) in layout.nodes.iter().filter(|(node, _)| !gone[node.index()]) {
        let mut data = data.clone();
        match &mut data.merge {
            Merge::None => {}
            Merge::Selection(merge) => number(merge),
            Merge::Loop { merge, continuing, .. } => {
                number(merge);
                number(continuing);
            }
        }
        data.exit.arcs_mut().into_iter().for_each(|arc| number(&mut arc.to));
        nodes.push(data);
    }
    layout.nodes = nodes;
}
