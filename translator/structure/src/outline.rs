//! A layout as nested code, for people.
//!
//! In: a legal [`Layout`]. Out: text in which each merge instruction is an `if`, `switch` or `loop`
//! with braces. An edge to the merge of an `if` is the end of its arm, and an edge to the merge of
//! a `switch` is `end`. `break` and `continue` are those of the innermost loop, and `next` runs
//! into the next case.

use std::fmt;

use crate::layout::{Arc, Exit, Layout, Merge, Node, SwitchOperand};
use dxil_base::entity::SecondaryMap;

#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeRole {
    Inner,
    EndOfIf,
    EndOfSwitch,
    Break,
    Continue,
    Case,
}

/// Shows a layout as nested code.
pub struct Outline<'a>(pub &'a Layout);

enum Item {
    Node(Node, usize),
    Arc(Arc, usize),
    Line(String, usize),
}

impl fmt::Display for Outline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = self.0;
        let cfg = layout.cfg();
        let roles = roles(layout);
        let mut stack = vec![Item::Node(layout.entry(), 0)];
        while let Some(item) = stack.pop() {
            let (node, depth) = match item {
                Item::Line(text, depth) => {
                    writeln!(f, "{:width$}{text}", "", width = depth * 2)?;
                    continue;
                }
                Item::Arc(arc, depth) => {
                    for (selector, value) in &layout.sets[arc.sets] {
                        writeln!(f, "{:width$}{selector} = {value}", "", width = depth * 2)?;
                    }
                    let word = match roles[arc.to] {
                        NodeRole::Inner => {
                            stack.push(Item::Node(arc.to, depth));
                            continue;
                        }
                        NodeRole::EndOfIf => continue,
                        NodeRole::EndOfSwitch => "end",
                        NodeRole::Break => "break",
                        NodeRole::Continue => "continue",
                        NodeRole::Case => "next",
                    };
                    writeln!(f, "{:width$}{word}", "", width = depth * 2)?;
                    continue;
                }
                Item::Node(node, depth) => (node, depth),
            };
            let data = &layout.nodes[node];
            if let Some(origin) = data.origin {
                writeln!(f, "{:width$}{origin}", "", width = depth * 2)?;
            }
            let brace = || Item::Line("}".to_owned(), depth);
            if let Merge::Selection(merge) | Merge::Loop { merge, .. } = data.merge
                && cfg.is_reachable(merge)
            {
                stack.push(Item::Node(merge, depth));
            }
            match &data.exit {
                Exit::Jump(arc) if matches!(data.merge, Merge::Loop { .. }) => {
                    stack.extend([brace(), Item::Arc(*arc, depth + 1), Item::Line("loop {".to_owned(), depth)]);
                }
                Exit::Jump(arc) => stack.push(Item::Arc(*arc, depth)),
                Exit::Branch { condition, arcs: [then, els] } => {
                    let idle = |arc: &Arc| arc.sets.is_empty() && roles[arc.to] == NodeRole::EndOfIf;
                    let text = |not: &str| Item::Line(format!("if {not}{condition} {{"), depth);
                    let arm = |arc: &Arc| Item::Arc(*arc, depth + 1);
                    match (idle(then), idle(els)) {
                        (true, _) => stack.extend([brace(), arm(els), text("!")]),
                        (false, true) => stack.extend([brace(), arm(then), text("")]),
                        (false, false) => {
                            let other = Item::Line("} else {".to_owned(), depth);
                            stack.extend([brace(), arm(els), other, arm(then), text("")]);
                        }
                    }
                }
                Exit::Switch { .. } => switch(layout, node, &roles, depth, &mut stack),
                Exit::Return(_) => writeln!(f, "{:width$}return", "", width = depth * 2)?,
                Exit::Unreachable => writeln!(f, "{:width$}unreachable", "", width = depth * 2)?,
            }
        }
        Ok(())
    }
}

/// Pushes the cases of a switch, last first.
fn switch(layout: &Layout, node: Node, roles: &SecondaryMap<Node, NodeRole>, depth: usize, stack: &mut Vec<Item>) {
    let Exit::Switch { operand, values, arcs } = &layout.nodes[node].exit else { return };
    let operand = match operand {
        SwitchOperand::Switch(block) => block.to_string(),
        SwitchOperand::Selector(selector) => selector.to_string(),
    };
    stack.push(Item::Line("}".to_owned(), depth));
    let texts = values.iter().map(|values| format!("case {values:?}:")).chain(["default:".to_owned()]);
    let mut cases: Vec<(String, &Arc)> = texts.zip(arcs).collect();
    // Cases are written in the order of the nodes, so that a case stands after the
    // one that runs into it.
    cases.sort_by_key(|case| (roles[case.1.to] != NodeRole::Case, case.1.to));
    for (text, arc) in cases.into_iter().rev() {
        match roles[arc.to] {
            NodeRole::Case => {
                stack.push(Item::Node(arc.to, depth + 1));
                let set = |(selector, value)| Item::Line(format!("{selector} = {value}"), depth + 1);
                stack.extend(layout.sets[arc.sets].iter().copied().map(set));
            }
            _ => stack.push(Item::Arc(*arc, depth + 1)),
        }
        stack.push(Item::Line(text, depth));
    }
    stack.push(Item::Line(format!("switch {operand} {{"), depth));
}

fn roles(layout: &Layout) -> SecondaryMap<Node, NodeRole> {
    let mut roles = SecondaryMap::filled(layout.nodes.len(), NodeRole::Inner);
    for data in layout.nodes.values() {
        if let Exit::Switch { arcs, .. } = &data.exit {
            arcs.iter().for_each(|arc| roles[arc.to] = NodeRole::Case);
        }
    }
    for data in layout.nodes.values() {
        match (data.merge, &data.exit) {
            (Merge::Selection(merge), Exit::Switch { .. }) => roles[merge] = NodeRole::EndOfSwitch,
            (Merge::Selection(merge), _) => roles[merge] = NodeRole::EndOfIf,
            (Merge::Loop { merge, continuing, .. }, _) => {
                roles[merge] = NodeRole::Break;
                roles[continuing] = NodeRole::Continue;
            }
            (Merge::None, _) => {}
        }
    }
    roles
}
