//! Structured control flow as a tree of statements.
//!
//! In: statements made by `build`. Out: [`Tree`] and its text. Executing a statement runs blocks
//! and yields the label it exits to; each kind of [`StmtData`] documents what it yields. What must
//! hold: an exit's label is that of a later child of an enclosing `Seq`, or the header of an
//! enclosing `Loop`.
//!
//! Statements are numbered children first, a `Seq`'s body before its children and these in order.
//! So `s` lies inside `t` exactly if `s` is between the first number inside `t` and `t`, and later
//! passes go through the statements as a list.

use std::fmt;

use crate::graph::{Block, Edge};
use dxil_base::entity::PrimaryMap;
use dxil_base::lists::{List, Pool};

entity! {
    /// A statement.
    pub struct Stmt, "t";
}

/// A statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StmtData {
    /// Runs a block that has one target, then `next`.
    Run {
        /// The original edge taken; it leaves the block that runs.
        edge: Edge,
        /// The statement that runs next.
        next: Stmt,
    },
    /// Runs a block, then one of two arms by its condition.
    If {
        /// The block.
        block: Block,
        /// The arm for a true condition: slot 0.
        then: Stmt,
        /// The arm for a false condition: slot 1.
        els: Stmt,
    },
    /// Runs a block, then the arm that its switch takes. If an arm exits to the target of the next
    /// arm, the next arm runs too.
    Switch {
        /// The block.
        block: Block,
        /// One arm per target, in [`Tree::arms`].
        arms: List<(u32, Stmt)>,
    },
    /// Runs a block that returns.
    Return(Block),
    /// Runs a block that ends in `unreachable`.
    Unreachable(Block),
    /// Runs the body again as long as it exits to the header.
    Loop {
        /// The header: the first block of the body.
        header: Block,
        /// The body.
        body: Stmt,
    },
    /// Runs the body, then in order each child whose label is the current exit.
    Seq {
        /// The body.
        body: Stmt,
        /// Labels and statements, in [`Tree::children`].
        children: List<(Block, Stmt)>,
    },
    /// Exits to a label that comes later.
    Exit(Block),
    /// Exits to the header of an enclosing loop.
    Continue(Block),
}

impl StmtData {
    /// The block that the statement itself runs; `None` for kinds that only contain other
    /// statements or exit.
    pub fn block(&self) -> Option<Block> {
        match self {
            Self::Run { edge, .. } => Some(edge.from),
            Self::If { block, .. } | Self::Switch { block, .. } => Some(*block),
            Self::Return(block) | Self::Unreachable(block) => Some(*block),
            Self::Loop { .. } | Self::Seq { .. } | Self::Exit(_) | Self::Continue(_) => None,
        }
    }
}

/// The statements of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// All statements, children first.
    pub stmts: PrimaryMap<Stmt, StmtData>,
    /// The arms of switches: the first slot that goes to the arm's target, and its statement.
    pub arms: Pool<(u32, Stmt)>,
    /// The children of `Seq`s: labels and statements.
    pub children: Pool<(Block, Stmt)>,
}

impl Tree {
    /// Removes all statements.
    pub(super) fn clear(&mut self) {
        self.stmts.clear();
        self.arms.clear();
        self.children.clear();
    }
    /// The outermost statement, which exits to no label.
    pub fn root(&self) -> Option<Stmt> {
        self.stmts.keys().next_back()
    }
}

impl fmt::Display for Tree {
    /// Writes one line per statement. The content of an arm or a loop is indented, and `at b2`
    /// starts the `Seq` child of that label.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Item {
            Stmt(Stmt, usize),
            Line(String, usize),
        }
        let mut stack: Vec<Item> = self.root().map(|s| Item::Stmt(s, 0)).into_iter().collect();
        while let Some(item) = stack.pop() {
            let (stmt, depth) = match item {
                Item::Line(text, depth) => {
                    writeln!(f, "{:depth$}{text}", "", depth = depth * 2)?;
                    continue;
                }
                Item::Stmt(stmt, depth) => (stmt, depth),
            };
            let inner = depth + 1;
            let mut line = |text: fmt::Arguments<'_>| writeln!(f, "{:depth$}{text}", "", depth = depth * 2);
            match &self.stmts[stmt] {
                StmtData::Run { edge, next } => {
                    line(format_args!("{}", edge.from))?;
                    stack.push(Item::Stmt(*next, depth));
                }
                StmtData::If { block, then, els } => {
                    line(format_args!("if {block}"))?;
                    stack.push(Item::Stmt(*els, inner));
                    stack.push(Item::Line("else".to_owned(), depth));
                    stack.push(Item::Stmt(*then, inner));
                }
                StmtData::Switch { block, arms } => {
                    line(format_args!("switch {block}"))?;
                    for &(slot, arm) in self.arms[*arms].iter().rev() {
                        stack.push(Item::Stmt(arm, inner));
                        let text = if slot == 0 { "default".to_owned() } else { format!("case {}", slot - 1) };
                        stack.push(Item::Line(text, depth));
                    }
                }
                StmtData::Return(block) => line(format_args!("return {block}"))?,
                StmtData::Unreachable(block) => line(format_args!("unreachable {block}"))?,
                StmtData::Loop { header, body } => {
                    line(format_args!("loop {header}"))?;
                    stack.push(Item::Stmt(*body, inner));
                }
                StmtData::Seq { body, children } => {
                    for (label, child) in self.children[*children].iter().rev() {
                        stack.push(Item::Stmt(*child, depth));
                        stack.push(Item::Line(format!("at {label}"), depth));
                    }
                    stack.push(Item::Stmt(*body, depth));
                }
                StmtData::Exit(to) => line(format_args!("exit {to}"))?,
                StmtData::Continue(header) => line(format_args!("continue {header}"))?,
            }
        }
        Ok(())
    }
}
