//! Branches both of whose ways leave a loop, or go on with it, need no selection.
//!
//! In: a [`Layout`]. Out: the same layout, in which `if (c) continue; break;` is one branch to the continue target and the merge of the loop, where it
//! was a selection whose merge only jumped. What must hold: SPIR-V 2.11.1, "selection must be structured": a branch needs no merge
//! instruction where at most one of its ways is no exit of an enclosing construct. There is a block less, and the code is what
//! compilers write for a loop that tests at its end: one driver is known to get the longer form wrong (Mesa 25.0's llvmpipe, where a lane that left
//! the loop before is given the values of the last round).

use crate::analysis::Cfg;
use crate::entity::Entity;
use crate::structure::fold::{compact, only_jumps};
use crate::structure::layout::{Arc, Exit, Layout, Merge, Node};

/// Takes the selections away.
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

/// The merge that a node's branch can do without, which way went through it, and where that way goes instead.
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
