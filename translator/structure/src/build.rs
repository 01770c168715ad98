//! Step 1: makes a tree of a graph, nested by dominance.
//!
//! In: [`Graph`]. Out: [`Tree`]. Every block but the entry gets one *home* from its immediate
//! dominator *p*:
//! - if it lies outside loops that *p* is in: right after the outermost such loop;
//! - else, if exactly one forward edge enters it: inline, in that edge's arm;
//! - else: in the `Seq` after *p*, in loop-contiguous topological order.
//!
//! The tree runs the same blocks as the graph. An edge either runs into its target in place, or
//! yields the target's label; the statement that the target's home is in encloses the edge and
//! comes to the target later, so the label is consumed there. The proof is in
//! `docs/structurizer.md`.
//!
//! Two of the switchable steps are choices of a home. An *exit region* (a block that leaves a loop
//! and is entered by one edge, with all blocks whose home is in it) may stay in the arm that leads
//! to it. A switch target that one other target runs into may be an arm of the switch.
//!
//! An edge that is never taken counts for loop membership only. DXC writes it for that purpose.

use crate::analysis::{Cfg, Dominators, IrreducibleEdge, Loop, LoopForest, Order};
use crate::graph::{Block, Edge, Graph, Terminator};
use crate::options::{ExitRegions, Fallthrough, Options, Terminals};
use crate::tree::{Stmt, StmtData, Tree};
use dxil_base::entity::{Entity, SecondaryMap};
use dxil_base::lists::Lists;

/// Builds the tree of a checked graph. The [homes](BuildMemory::homes) then have the dominators of
/// the graph without the edges that are never taken.
///
/// # Errors
/// An edge that makes the graph irreducible.
pub fn build(graph: &Graph, options: &Options, memory: &mut BuildMemory) -> Result<Tree, IrreducibleEdge<Block>> {
    let BuildMemory { all, live, homes, tasks, tree } = memory;
    let has = |what: fn(&Terminator) -> bool| graph.blocks.values().any(|block| what(&block.terminator));
    all.set(graph.blocks.len(), |b, out| out.extend(graph.terminator(b).successors()));
    homes.dominators.set(all);
    let loops = LoopForest::new(all, &homes.dominators)?;
    homes.order.set(all, &loops);
    // Without edges that are never taken, the order of a block's successors is all that differs.
    let live = if has(|t| matches!(t, Terminator::Branch { never: Some(_), .. })) {
        let mut arms = Vec::new();
        live.set(graph.blocks.len(), |b, out| {
            graph.arms(b, &mut arms);
            out.extend(arms.iter().map(|arm| arm.0));
        });
        homes.dominators.set(live);
        live
    } else {
        all
    };
    homes.set(live, &loops);
    let inlines = options.exit_regions == ExitRegions::Inline && !loops.loops.is_empty();
    let falls = options.fallthrough == Fallthrough::Native && has(|t| matches!(t, Terminator::Switch { .. }));
    if inlines || falls {
        let regions = homes.regions(graph, &loops);
        if inlines {
            homes.inline_exit_regions(graph, live, &loops, &regions, options);
        }
        if falls {
            homes.find_fallthrough(graph, live, &loops, &regions);
        }
    }
    let mut tree = std::mem::take(tree);
    tree.clear();
    // Most blocks have a statement of their own, one that exits, and a `Seq`.
    tree.stmts.reserve(3 * graph.blocks.len());
    Ok(TreeBuilder::new(graph, &loops, homes, tasks, tree).write())
}

/// Memory of [`build`]. Nothing of it is read before it is set.
#[derive(Debug, Default)]
pub struct BuildMemory {
    all: Cfg<Block>,
    live: Cfg<Block>,
    /// Where the blocks of the last graph were placed.
    pub homes: Homes,
    tasks: Tasks,
    /// A tree that nobody needs any more.
    pub tree: Tree,
}

/// Where each block is placed.
#[derive(Debug, Default)]
pub struct Homes {
    blocks: SecondaryMap<Block, Placement>,
    /// By immediate dominator: the blocks that may be [`children`](Self::children) of its `Seq`.
    seq: Lists<Block, Block>,
    /// By loop: those of the `Seq` after it.
    after: Lists<Loop, Block>,
    order: Order<Block>,
    /// The dominators that the homes follow from.
    pub dominators: Dominators<Block>,
    /// Memory of [`set`](Self::set): the pairs of `seq` and of `after`.
    seq_pairs: Vec<(Block, Block)>,
    after_pairs: Vec<(Loop, Block)>,
}

/// Why a block is not a child of a `Seq`.
#[derive(Clone, Copy, Debug, Default)]
struct Placement {
    /// Whether the block runs where its one forward edge is taken.
    inline: bool,
    /// For a switch target: the target that it runs into.
    falls_to: Option<Block>,
    /// For a switch target: the target that runs into it.
    falls_from: Option<Block>,
}

/// The size of a block together with all blocks whose home is in it or right after it, and whether
/// one of them is tangled.
type Regions = SecondaryMap<Block, (u64, bool)>;

/// An exit region of more instructions than this is not left in the loop, because the lanes that
/// leave in one iteration would run it without the others.
const EXIT_REGION_SIZE: u64 = 64;
/// The exit region that follows the loop's end is not left in the loop if it has more instructions
/// than this.
const FOLLOWING_SIZE: u64 = 16;

impl Homes {
    /// Places all blocks. The order and the dominators are there.
    fn set(&mut self, live: &Cfg<Block>, loops: &LoopForest<Block>) {
        let Self { blocks, order, dominators, seq_pairs: seq, after_pairs: after, .. } = self;
        blocks.fill(live.len());
        seq.clear();
        after.clear();
        for &block in &order.nodes {
            // The entry has no dominator. Blocks that only never-taken edges reach have none
            // either, and are left out.
            let Some(above) = dominators.immediate(block) else { continue };
            if let Some(left) = loops.outermost_left(above, block) {
                after.push((left, block));
            } else if forward_edges(live, loops, block) == 1 {
                blocks[block].inline = true;
            } else {
                seq.push((above, block));
            }
        }
        self.seq.set(live.len(), seq.iter().copied());
        self.after.set(loops.loops.len(), after.iter().copied());
    }

    /// The children of a `Seq`: the blocks of the list that are placed nowhere else.
    fn children(&self, list: &[Block]) -> impl DoubleEndedIterator<Item = Block> {
        list.iter().copied().filter(|&block| !self.blocks[block].inline && self.blocks[block].falls_from.is_none())
    }

    /// Moves small untangled exit regions into the arm that leads to them, if a loop has several
    /// exits. The region that the loop's end exits to is the code that follows the loop. It stays
    /// after the loop, unless it is only a few instructions long and is followed by the block that
    /// all exits continue to. At least one exit stays in any case.
    fn inline_exit_regions(
        &mut self,
        graph: &Graph,
        live: &Cfg<Block>,
        loops: &LoopForest<Block>,
        regions: &Regions,
        options: &Options,
    ) {
        let beyond = self.exits_beyond(graph, live, loops, options);
        let rotated = rotated(live, loops);
        // By block: the last loop that it was found to be a latch of.
        let mut latch_of: SecondaryMap<Block, Option<Loop>> = SecondaryMap::filled(live.len(), None);
        for (this, data) in loops.loops.iter() {
            let exits = &self.after[this];
            // A lower bound of the number of exit targets: all blocks that stand right after the
            // loop, and one block further on if there is any.
            let ways = exits.len() + usize::from(beyond[this]);
            if ways < 2 {
                continue;
            }
            // A loop's end is its latch if the latch leaves the loop (`do`, and `for` as LLVM
            // rotates it), or else its header (`while`).
            for from in live.predecessors(data.header).filter(|&from| loops.contains(this, from)) {
                latch_of[from] = Some(this);
            }
            let mut moves: Vec<(bool, u64, Block)> = Vec::new();
            for &exit in exits {
                let Some(from) = self.dominators.immediate(exit) else { continue };
                let (size, tangled) = regions[exit];
                if forward_edges(live, loops, exit) == 1 && !tangled && size <= EXIT_REGION_SIZE {
                    let follows = if rotated[this] { latch_of[from] == Some(this) } else { from == data.header };
                    moves.push((follows, size, exit));
                }
            }
            let last = moves.iter().enumerate().max_by_key(|(i, (follows, size, _))| (*follows, *size, *i));
            if let Some((i, &(follows, size, _))) = last {
                // If the only region that stays is the block that every exit continues to, a few
                // instructions before it are not worth a selector. If the exits run copies of that
                // block, no selector is needed in the first place.
                let moved = moves.iter().map(|m| Some(m.2)).chain([None]);
                let stays = exits.iter().zip(moved).find(|(exit, moved)| Some(**exit) != *moved).map(|(exit, _)| *exit);
                let copied = stays.is_some_and(|b| options.terminals == Terminals::Copy && graph.blocks[b].cheap);
                let small = size <= FOLLOWING_SIZE && exits.len() == moves.len() + 1 && !beyond[this] && !copied;
                if moves.len() == ways || follows && !small {
                    moves.remove(i);
                }
            }
            for (.., exit) in moves {
                self.blocks[exit].inline = true;
            }
        }
    }

    /// The loops that have an exit to another block than those right after them. An exit that runs
    /// a copy of a block that ends the function does not count.
    fn exits_beyond(
        &self,
        graph: &Graph,
        live: &Cfg<Block>,
        loops: &LoopForest<Block>,
        options: &Options,
    ) -> SecondaryMap<Loop, bool> {
        // By innermost loop of an edge's source: the smallest depth of the loops that the edge
        // leaves without going to a block right after them.
        let mut from_depth = SecondaryMap::filled(loops.loops.len(), u32::MAX);
        for &from in &self.order.nodes {
            let Some(innermost) = loops.innermost(from) else { continue };
            for to in live.successors(from) {
                let ends = matches!(graph.terminator(to), Terminator::Return | Terminator::Unreachable);
                let copied = ends && graph.blocks[to].cheap && options.terminals == Terminals::Copy;
                let Some(outermost) = loops.outermost_left(from, to).filter(|_| !copied) else { continue };
                let above = self.dominators.immediate(to);
                let right_after = above.and_then(|above| loops.outermost_left(above, to)) == Some(outermost);
                let depth = loops.loops[outermost].depth + u32::from(right_after);
                from_depth[innermost] = from_depth[innermost].min(depth);
            }
        }
        // Inner loops have larger numbers, so each is complete before it is added to the loop
        // around it.
        for this in (0..loops.loops.len()).rev().map(Loop::new) {
            if let Some(parent) = loops.loops[this].parent {
                from_depth[parent] = from_depth[parent].min(from_depth[this]);
            }
        }
        let mut beyond = SecondaryMap::filled(loops.loops.len(), false);
        for (this, data) in loops.loops.iter() {
            beyond[this] = from_depth[this] <= data.depth;
        }
        beyond
    }

    fn regions(&self, graph: &Graph, loops: &LoopForest<Block>) -> Regions {
        let mut regions = SecondaryMap::filled(graph.blocks.len(), (0u64, false));
        for &block in self.order.nodes.iter().rev() {
            let data = &graph.blocks[block];
            let (size, tangled) = regions[block];
            let whole = (size.saturating_add(u64::from(data.size) + 1), tangled | data.tangled);
            regions[block] = whole;
            let Some(above) = self.dominators.immediate(block) else { continue };
            let home = loops.outermost_left(above, block).map_or(above, |left| loops.loops[left].header);
            regions[home] = (regions[home].0.saturating_add(whole.0), regions[home].1 | whole.1);
        }
        regions
    }

    /// Finds the switch targets that are entered from the switch and from exactly one other target.
    /// Each target runs into at most one other, as SPIR-V requires (2.11.1). Lanes from the switch
    /// and lanes from the other target may or may not run together, so a switch with tangled
    /// operations is left out.
    fn find_fallthrough(&mut self, graph: &Graph, live: &Cfg<Block>, loops: &LoopForest<Block>, regions: &Regions) {
        let mut arms = Vec::new();
        for from in live.postorder().filter(|&b| matches!(graph.terminator(b), Terminator::Switch { .. })) {
            // The targets that can be arms, sorted by their place in the dominator tree: their
            // subtrees are disjoint ranges of places.
            graph.arms(from, &mut arms);
            let own = arms.iter().map(|arm| arm.0).filter(|&to| self.is_own(from, to, loops));
            let mut targets: Vec<(u32, Block)> = own.map(|to| (self.dominators.place(to), to)).collect();
            targets.sort_unstable();
            if targets.len() < 2 || targets.iter().any(|t| regions[t.1].1) {
                continue;
            }
            // The loop runs in topological order, so a target that others run into comes after
            // them.
            for &to in &self.seq[from] {
                if targets.binary_search(&(self.dominators.place(to), to)).is_err() {
                    continue;
                }
                let arm_of = |before: Block| {
                    let after = targets.partition_point(|t| t.0 <= self.dominators.place(before));
                    let arm = after.checked_sub(1).and_then(|i| targets.get(i)).map(|t| t.1)?;
                    let is_arm = self.blocks[arm].inline || self.blocks[arm].falls_from.is_some();
                    (arm != to && is_arm && self.dominators.dominates(arm, before)).then_some(arm)
                };
                let mut before =
                    live.predecessors(to).filter(|&b| b != from && !is_back_edge(loops, b, to)).map(arm_of);
                let Some(Some(first)) = before.next() else { continue };
                let same = before.all(|arm| arm == Some(first));
                if same && self.blocks[first].falls_to.is_none() {
                    self.blocks[first].falls_to = Some(to);
                    self.blocks[to].falls_from = Some(first);
                }
            }
        }
    }

    /// Whether a target can only be reached through this block, and leaves no loop.
    fn is_own(&self, block: Block, target: Block, loops: &LoopForest<Block>) -> bool {
        self.dominators.immediate(target) == Some(block) && loops.outermost_left(block, target).is_none()
    }

    /// Whether a target is an arm of this switch that another arm runs into.
    fn is_fallen_into(&self, block: Block, target: Block) -> bool {
        self.blocks[target].falls_from.is_some() && self.dominators.immediate(target) == Some(block)
    }

    /// Replaces a list by the arms of a block. A target stands right before the one that it runs
    /// into.
    fn arms(&self, graph: &Graph, block: Block, arms: &mut Vec<(Block, u32)>) {
        graph.arms(block, arms);
        if !arms.iter().any(|arm| self.is_fallen_into(block, arm.0)) {
            return;
        }
        let mut slots: Vec<(Block, u32)> = arms.clone();
        slots.sort_unstable();
        let slot_of = |to: Block| slots.binary_search_by_key(&to, |arm| arm.0).ok().and_then(|i| slots.get(i)).copied();
        let mut ordered = Vec::with_capacity(arms.len());
        for &arm in arms.iter().filter(|arm| !self.is_fallen_into(block, arm.0)) {
            let mut next = Some(arm);
            while let Some(arm) = next {
                ordered.push(arm);
                next = self.blocks[arm.0].falls_to.filter(|&to| self.is_fallen_into(block, to)).and_then(slot_of);
            }
        }
        *arms = ordered;
    }
}

/// The loops that one of their latches leaves.
fn rotated(live: &Cfg<Block>, loops: &LoopForest<Block>) -> SecondaryMap<Loop, bool> {
    let mut rotated = SecondaryMap::filled(loops.loops.len(), false);
    for from in live.postorder() {
        // An edge leaves a loop together with all loops of its source that are inside that loop, so
        // the outermost one stands for all. One block may be the latch of many loops.
        let left = live.successors(from).filter_map(|to| loops.outermost_left(from, to));
        let Some(depth) = left.map(|l| loops.loops[l].depth).min() else { continue };
        for header in live.successors(from).filter(|&to| is_back_edge(loops, from, to)) {
            if let Some(this) = loops.headed_by(header) {
                rotated[this] |= loops.loops[this].depth >= depth;
            }
        }
    }
    rotated
}

/// Whether an edge goes back to the header of a loop that its source is in.
fn is_back_edge(loops: &LoopForest<Block>, from: Block, to: Block) -> bool {
    loops.headed_by(to).is_some_and(|l| loops.contains(l, from))
}

fn forward_edges(live: &Cfg<Block>, loops: &LoopForest<Block>, block: Block) -> usize {
    live.predecessors(block).filter(|&from| !is_back_edge(loops, from, block)).count()
}

/// Writes the statements, children first. Pending `BuildTask`s are on an explicit stack; finished
/// statements wait in `done` for the statement that contains them.
struct TreeBuilder<'a> {
    graph: &'a Graph,
    loops: &'a LoopForest<Block>,
    homes: &'a Homes,
    tree: Tree,
    tasks: &'a mut Tasks,
}

/// What is still to be built, and what is not yet part of a statement.
#[derive(Debug, Default)]
struct Tasks {
    pending: Vec<BuildTask>,
    done: Vec<Stmt>,
    /// The slots of the arms of all blocks whose statement is pending.
    slots: Vec<u32>,
    /// The arms of one block.
    arms: Vec<(Block, u32)>,
}

#[derive(Debug)]
enum BuildTask {
    /// Writes a block with all blocks whose home is in it or right after it.
    Unit(Block),
    /// Writes the statement that an edge leads to.
    Arm(Block, Block),
    /// Makes the block's own statement from this many finished arms.
    Block(Block, usize),
    /// Makes the `Seq` of a block from its finished body and children.
    Seq(Block),
    /// Makes the `Seq` after a loop.
    SeqAfter(Loop),
    /// Makes the loop from its finished body.
    Loop(Block),
}

impl<'a> TreeBuilder<'a> {
    fn new(graph: &'a Graph, loops: &'a LoopForest<Block>, homes: &'a Homes, tasks: &'a mut Tasks, tree: Tree) -> Self {
        let Tasks { pending, done, slots, .. } = tasks;
        pending.clear();
        done.clear();
        slots.clear();
        pending.push(BuildTask::Unit(graph.entry()));
        Self { graph, loops, homes, tree, tasks }
    }

    fn write(mut self) -> Tree {
        let homes = self.homes;
        while let Some(task) = self.tasks.pending.pop() {
            match task {
                BuildTask::Unit(block) => self.unit(block),
                BuildTask::Arm(from, to) => {
                    if is_back_edge(self.loops, from, to) {
                        self.push(StmtData::Continue(to));
                    } else if self.homes.blocks[to].inline || self.homes.is_fallen_into(from, to) {
                        self.tasks.pending.push(BuildTask::Unit(to));
                    } else {
                        self.push(StmtData::Exit(to));
                    }
                }
                BuildTask::Block(block, arms) => self.block(block, arms),
                BuildTask::Seq(block) => self.end_seq(&homes.seq[block]),
                BuildTask::SeqAfter(headed) => self.end_seq(&homes.after[headed]),
                BuildTask::Loop(header) => self.wrap(|body| StmtData::Loop { header, body }),
            }
        }
        self.tree
    }

    fn unit(&mut self, block: Block) {
        let homes = self.homes;
        // The stack runs the task pushed last first.
        if let Some(headed) = self.loops.headed_by(block) {
            self.seq(BuildTask::SeqAfter(headed), &homes.after[headed]);
            self.tasks.pending.push(BuildTask::Loop(block));
        }
        self.seq(BuildTask::Seq(block), &homes.seq[block]);
        let Tasks { pending, slots, arms, .. } = &mut *self.tasks;
        homes.arms(self.graph, block, arms);
        pending.push(BuildTask::Block(block, arms.len()));
        pending.extend(arms.iter().rev().map(|&(to, _)| BuildTask::Arm(block, to)));
        slots.extend(arms.iter().map(|arm| arm.1));
    }

    fn seq(&mut self, task: BuildTask, list: &[Block]) {
        let mut children = self.homes.children(list).rev().map(BuildTask::Unit).peekable();
        if children.peek().is_some() {
            self.tasks.pending.push(task);
            self.tasks.pending.extend(children);
        }
    }

    fn end_seq(&mut self, list: &[Block]) {
        let labels = self.homes.children(list);
        let done = &mut self.tasks.done;
        let first = done.len().saturating_sub(self.homes.children(list).count());
        let children = self.tree.children.extend(labels.zip(done.drain(first..)));
        self.wrap(|body| StmtData::Seq { body, children });
    }

    fn block(&mut self, block: Block, arms: usize) {
        let Tasks { done, slots, .. } = &mut *self.tasks;
        let (first, first_slot) = (done.len().saturating_sub(arms), slots.len().saturating_sub(arms));
        let data = match (self.graph.terminator(block), &done[first..]) {
            (Terminator::Return, _) => StmtData::Return(block),
            (Terminator::Unreachable, _) | (_, []) => StmtData::Unreachable(block),
            (_, &[next]) => StmtData::Run { edge: Edge { from: block, slot: slots[first_slot] }, next },
            (Terminator::Switch { .. }, statements) => {
                let arms = slots[first_slot..].iter().copied().zip(statements.iter().copied());
                StmtData::Switch { block, arms: self.tree.arms.extend(arms) }
            }
            (_, &[then, els, ..]) => StmtData::If { block, then, els },
        };
        done.truncate(first);
        slots.truncate(first_slot);
        self.push(data);
    }

    fn push(&mut self, data: StmtData) {
        let stmt = self.tree.stmts.push(data);
        self.tasks.done.push(stmt);
    }

    fn wrap(&mut self, make: impl FnOnce(Stmt) -> StmtData) {
        if let Some(body) = self.tasks.done.pop() {
            self.push(make(body));
        }
    }
}
