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

use crate::analysis::Cfg;
use crate::fold::{compact, only_jumps};
use crate::layout::{Arc, Exit, Layout, Merge, Node};
use dxil_base::entity::Entity;

/// Removes the selections that are not needed.
pub(super) fn leave_directly(layout: &mut Layout) {
    let cfg = layout.cfg();
    let mut exits = vec![false; layout.nodes.len()];
    for data in layout.nodes.values() {
        if let Merge::Loop { merge, continuing, .. } = data.merge {
            (exits[merge.index()], exits[continuing.index()]) = (true, true);
        }
    }
    let mut gone = vec![false; layout.nodes.len()];
    for node in layout.nodes.keys() {
        let Some((merge, index, arc)) = direct(layout, &cfg, &exits, node) else { continue };
        gone[merge.index()] = true;
        layout.nodes[node].merge = Merge::None;
        if let Some(place) = layout.nodes[node].exit.arc_mut(index) {
            *place = arc;
        }
    }
    if gone.contains(&true) {
        compact(layout, &gone);
    }
}

/// The merge that a node's branch does not need, the index of the edge that goes through it, and
/// the edge that replaces that one.
fn direct(layout: &Layout, cfg: &Cfg<Node>, exits: &[bool], node: Node) -> Option<(Node, usize, Arc)> {
    let data = &layout.nodes[node];
    let (Exit::Branch { then, els, .. }, Merge::Selection(merge)) = (&data.exit, data.merge) else { return None };
    let (index, through, other) = match (then.to == merge, els.to == merge) {
        (true, false) => (0, then, els),
        (false, true) => (1, els, then),
        _ => return None,
    };
    let leaves = |arc: &Arc| exits[arc.to.index()];
    let next = only_jumps(layout, cfg, merge, 1).filter(|next| leaves(next) && leaves(other) && next.to != other.to)?;
    let mut arc = Arc { to: next.to, takes: through.takes.clone(), sets: through.sets.clone() };
    arc.takes.extend(&next.takes);
    arc.sets.retain(|set| next.sets.iter().all(|after| after.0 != set.0));
    arc.sets.extend(&next.sets);
    Some((merge, index, arc))
}
