//! Removes the merge instruction of branches whose two targets both leave a loop or continue it.
//!
//! In: a [`Layout`]. Out: the same layout, in which `if (c) continue; break;` is one branch to the
//! continue target and the merge of the loop. Before, it was a selection whose merge only jumped.
//! What must hold: SPIR-V 2.11.1, "selection must be structured", by which a branch needs no merge
//! instruction if at most one of its targets is not an exit of an enclosing construct.
//!
//! The result has one block fewer, and it is the form that compilers write for a loop that tests at
//! its end. The longer form meets the quirk
//! [`ShortLoopExits`](dxil_base::quirks::Quirk::ShortLoopExits).

use crate::fold::{compact, only_jumps};
use crate::layout::{Arc, Exit, Layout, Merge, Node};
use dxil_base::entity::{Entity, EntitySet};

/// Removes the selections that are not needed.
pub(super) fn leave_directly(layout: &mut Layout) {
    if !layout.nodes.values().any(|data| matches!(data.merge, Merge::Loop { .. })) {
        return;
    }
    let mut exits = EntitySet::new();
    for data in layout.nodes.values() {
        if let Merge::Loop { merge, continuing, .. } = data.merge {
            exits.insert(merge);
            exits.insert(continuing);
        }
    }
    let mut edges_to = vec![0; layout.nodes.len()];
    layout.nodes.values().flat_map(|data| data.exit.arcs()).for_each(|arc| edges_to[arc.to.index()] += 1);
    let mut gone = vec![false; layout.nodes.len()];
    for node in layout.nodes.keys() {
        let Some((merge, index)) = direct(layout, &exits, node).filter(|(merge, _)| edges_to[merge.index()] == 1)
        else {
            continue;
        };
        gone[merge.index()] = true;
        let next = only_jumps(layout, merge).copied();
        let Layout { nodes, takes, sets, .. } = layout;
        nodes[node].merge = Merge::None;
        if let (Some(through), Some(next)) = (nodes[node].exit.arcs_mut().get_mut(index), next) {
            let after = sets[next.sets].to_vec();
            sets.retain(&mut through.sets, |set| after.iter().all(|after| after.0 != set.0));
            let (takes, sets) = (takes.join(through.takes, next.takes), sets.join(through.sets, next.sets));
            *through = Arc { to: next.to, takes, sets };
        }
    }
    if gone.contains(&true) {
        compact(layout, &gone);
    }
}

/// The merge that a node's branch does not need if only one edge goes to it, and the index of that
/// edge.
fn direct(layout: &Layout, exits: &EntitySet<Node>, node: Node) -> Option<(Node, usize)> {
    let data = &layout.nodes[node];
    let (Exit::Branch { arcs: [then, els], .. }, Merge::Selection(merge)) = (&data.exit, data.merge) else {
        return None;
    };
    let (index, other) = match (then.to == merge, els.to == merge) {
        (true, false) => (0, els),
        (false, true) => (1, then),
        _ => return None,
    };
    let next = only_jumps(layout, merge)?;
    (exits.contains(next.to) && exits.contains(other.to) && next.to != other.to).then_some((merge, index))
}
