//! Step 1: a graph becomes a tree, nested by dominance.
//!
//! In: [`Graph`]. Out: [`Tree`]. Every block but the entry gets one *home* from its immediate dominator *p*:
//! - where it leaves loops that *p* is in: right after the outermost such loop;
//! - else, where one forward edge enters it: inline, in that edge's arm;
//! - else: in the `Seq` after *p*, in loop-contiguous topological order.
//!
//! Why the tree does what the graph does: an edge either runs into its target in place, or yields the target's label; the target's home
//! encloses the edge and comes later, so the label is consumed there. The proof is in `docs/structurizer.md`.
//!
//! An edge that is never taken counts for loop membership, for which it was written, and for nothing else.

use crate::analysis::{Cfg, Dominators, Loop, LoopForest, loop_contiguous_order};
use crate::entity::{Entity, SecondaryMap};
use crate::error::{Place, Result};
use crate::structure::Options;
use crate::structure::graph::{Block, Edge, Graph, Terminator};
use crate::structure::tree::{Stmt, StmtData, Tree};

/// Builds the tree of a checked graph.
///
/// # Errors
/// `Unsupported` where the graph is irreducible.
pub fn build(graph: &Graph, options: &Options) -> Result<Tree> {
    let _ = options;
    let all = Cfg::new(graph.blocks.len(), |b, out| out.extend(graph.terminator(b).successors()));
    let loops = LoopForest::new(&all, &Dominators::new(&all)).map_err(|edge| {
        let place = Place::Edge { from: edge.from.index() as u32, to: edge.to.index() as u32 };
        unsupported!(place, "irreducible control flow: a loop with more than one entry")
    })?;
    let live = Cfg::new(graph.blocks.len(), |b, out| out.extend(graph.arms(b).iter().map(|arm| arm.0)));
    let homes = Homes::new(&all, &live, &loops);
    Ok(Writer { graph, loops: &loops, homes: &homes, tree: Tree::default(), done: Vec::new() }.write())
}

/// Where each block is placed.
struct Homes {
    /// It runs where its one forward edge is taken.
    inline: SecondaryMap<Block, bool>,
    /// By immediate dominator: the children of its `Seq`.
    seq: SecondaryMap<Block, Vec<Block>>,
    /// By loop: the children of the `Seq` after it.
    after: SecondaryMap<Loop, Vec<Block>>,
}

impl Homes {
    fn new(all: &Cfg<Block>, live: &Cfg<Block>, loops: &LoopForest<Block>) -> Self {
        let mut homes = Self {
            inline: SecondaryMap::filled(live.len(), false),
            seq: SecondaryMap::filled(live.len(), Vec::new()),
            after: SecondaryMap::filled(loops.loops.len(), Vec::new()),
        };
        let dominators = Dominators::new(live);
        for block in loop_contiguous_order(all, loops) {
            // The entry has none, and what only never-taken edges reach is left out.
            let Some(above) = dominators.immediate(block) else { continue };
            if let Some(left) = loops.outermost_left(above, block) {
                homes.after[left].push(block);
            } else if forward_edges(live, loops, block) == 1 {
                homes.inline[block] = true;
            } else {
                homes.seq[above].push(block);
            }
        }
        homes
    }
}

/// Whether an edge goes back to the header of a loop that its source is in.
fn is_back_edge(loops: &LoopForest<Block>, from: Block, to: Block) -> bool {
    loops.headed_by(to).is_some_and(|l| loops.contains(l, from))
}

fn forward_edges(live: &Cfg<Block>, loops: &LoopForest<Block>, block: Block) -> usize {
    live.predecessors(block).filter(|&from| !is_back_edge(loops, from, block)).count()
}

/// Writes the statements, children first. `Task`s stand on an explicit stack; finished statements wait in `done` for the
/// one that contains them.
struct Writer<'a> {
    graph: &'a Graph,
    loops: &'a LoopForest<Block>,
    homes: &'a Homes,
    tree: Tree,
    done: Vec<Stmt>,
}

enum Task {
    /// A block with all that has its home in or right after it.
    Unit(Block),
    /// What an edge leads to.
    Arm(Block, Block),
    /// The block's own statement from its finished arms.
    Block(Block),
    /// The `Seq` from its finished body and this many children.
    Seq(Vec<Block>),
    /// The loop from its finished body.
    Loop(Block),
}

impl Writer<'_> {
    fn write(mut self) -> Tree {
        let mut tasks = vec![Task::Unit(self.graph.entry())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Unit(block) => self.unit(block, &mut tasks),
                Task::Arm(from, to) => {
                    if is_back_edge(self.loops, from, to) {
                        self.push(StmtData::Continue(to));
                    } else if self.homes.inline[to] {
                        tasks.push(Task::Unit(to));
                    } else {
                        self.push(StmtData::Exit(to));
                    }
                }
                Task::Block(block) => self.block(block),
                Task::Seq(labels) => {
                    let statements = self.done.split_off(self.done.len().saturating_sub(labels.len()));
                    let children = labels.into_iter().zip(statements).collect();
                    self.wrap(|body| StmtData::Seq { body, children });
                }
                Task::Loop(header) => self.wrap(|body| StmtData::Loop { header, body }),
            }
        }
        self.tree
    }

    fn unit(&mut self, block: Block, tasks: &mut Vec<Task>) {
        let seq = |labels: &Vec<Block>, tasks: &mut Vec<Task>| {
            if !labels.is_empty() {
                tasks.push(Task::Seq(labels.clone()));
                tasks.extend(labels.iter().rev().map(|&child| Task::Unit(child)));
            }
        };
        // Last task first.
        if let Some(headed) = self.loops.headed_by(block) {
            seq(&self.homes.after[headed], tasks);
            tasks.push(Task::Loop(block));
        }
        seq(&self.homes.seq[block], tasks);
        tasks.push(Task::Block(block));
        tasks.extend(self.graph.arms(block).iter().rev().map(|&(to, _)| Task::Arm(block, to)));
    }

    fn block(&mut self, block: Block) {
        let arms = self.graph.arms(block);
        let statements = self.done.split_off(self.done.len().saturating_sub(arms.len()));
        let data = match (self.graph.terminator(block), statements.as_slice()) {
            (Terminator::Return, _) => StmtData::Return(block),
            (Terminator::Unreachable, _) | (_, []) => StmtData::Unreachable(block),
            (_, &[next]) => StmtData::Run { edge: Edge { from: block, slot: arms[0].1 }, next },
            (Terminator::Switch { .. }, _) => {
                StmtData::Switch { block, arms: arms.iter().map(|arm| arm.1).zip(statements).collect() }
            }
            (_, &[then, els, ..]) => StmtData::If { block, then, els },
        };
        self.push(data);
    }

    fn push(&mut self, data: StmtData) {
        let stmt = self.tree.stmts.push(data);
        self.done.push(stmt);
    }

    fn wrap(&mut self, make: impl FnOnce(Stmt) -> StmtData) {
        if let Some(body) = self.done.pop() {
            self.push(make(body));
        }
    }
}
