//! The labels that a statement exits to, without ever listing them.
//!
//! In: the [`Tree`]. Out: [`Summaries`], and [`Labels`]: sets of labels, ordered by where they are
//! consumed. Two sets can be joined, and the first label removed, in logarithmic time. What must
//! hold: labels leave a set in the order in which enclosing statements consume them. So the first
//! and the last label answer both questions that are asked of a set: does it have one label only,
//! and do all its labels lie beyond this loop.

use crate::graph::{Block, Graph};
use crate::tree::{Stmt, StmtData, Tree};
use dxil_base::entity::{Entity, SecondaryMap};

/// A label with its place in the order of consumption: the number of the statement after which it
/// is consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The statement that ends just before the label is consumed: the statement before a `Seq`'s
    /// child or a switch's arm, or a loop's body.
    pub after: Stmt,
    /// The block exited to.
    pub block: Block,
}

/// A set of labels. Operations on it take it by value.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LabelSet {
    root: Option<u32>,
    last: Option<Label>,
}

impl LabelSet {
    /// Whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }
    /// The label consumed last.
    pub fn last(&self) -> Option<Label> {
        self.last
    }
}

/// All sets of one function: leftist heaps in one arena.
#[derive(Debug, Default)]
pub struct Labels {
    nodes: Vec<HeapNode>,
    /// The nodes that are being merged.
    spine: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct HeapNode {
    label: Label,
    left: Option<u32>,
    right: Option<u32>,
    /// Length of the path along `right`: at most the logarithm of the size.
    rank: u32,
}

impl Labels {
    /// Removes all sets.
    pub fn clear(&mut self) {
        self.nodes.clear();
    }
    /// A set of one label.
    pub fn one(&mut self, label: Label) -> LabelSet {
        self.nodes.push(HeapNode { label, left: None, right: None, rank: 1 });
        LabelSet { root: Some(self.nodes.len() as u32 - 1), last: Some(label) }
    }
    /// The label consumed first.
    pub fn first(&self, set: &LabelSet) -> Option<Label> {
        set.root.map(|root| self.nodes[root as usize].label)
    }
    /// The only label of the set, or `None` if there are several or none.
    pub fn only(&self, set: &LabelSet) -> Option<Label> {
        self.first(set).filter(|&first| set.last == Some(first))
    }
    /// The union.
    pub fn join(&mut self, a: LabelSet, b: LabelSet) -> LabelSet {
        match (a.is_empty(), b.is_empty()) {
            (true, _) => b,
            (_, true) => a,
            _ => LabelSet { root: self.meld(a.root, b.root), last: a.last.max(b.last) },
        }
    }
    /// The set without the labels that are consumed after a statement before `end`.
    pub fn beyond(&mut self, mut set: LabelSet, end: Stmt) -> LabelSet {
        while let Some(root) = set.root
            && self.nodes[root as usize].label.after < end
        {
            let HeapNode { left, right, .. } = self.nodes[root as usize];
            set.root = self.meld(left, right);
        }
        if set.root.is_none() {
            set.last = None;
        }
        set
    }
    /// Melds two heaps by merging their right spines, which are logarithmically short.
    fn meld(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        let (mut a, mut b) = (a, b);
        let mut merged = loop {
            let (Some(x), Some(y)) = (a, b) else { break a.or(b) };
            let (low, high) =
                if self.nodes[x as usize].label <= self.nodes[y as usize].label { (x, y) } else { (y, x) };
            self.spine.push(low);
            (a, b) = (self.nodes[low as usize].right, Some(high));
        };
        let rank = |nodes: &[HeapNode], heap: Option<u32>| heap.map_or(0, |h| nodes[h as usize].rank);
        while let Some(node) = self.spine.pop() {
            let left = self.nodes[node as usize].left;
            let (long, short) = match rank(&self.nodes, left) < rank(&self.nodes, merged) {
                true => (merged, left),
                false => (left, merged),
            };
            let rank = rank(&self.nodes, short) + 1;
            let at = &mut self.nodes[node as usize];
            (at.left, at.right, at.rank) = (long, short, rank);
            merged = Some(node);
        }
        merged
    }
}

/// The first and the last label of a set.
pub type LabelSpan = Option<(Label, Label)>;

/// The smallest span that covers two spans.
pub fn around(a: LabelSpan, b: LabelSpan) -> LabelSpan {
    match (a, b) {
        (Some((a0, a1)), Some((b0, b1))) => Some((a0.min(b0), a1.max(b1))),
        _ => a.or(b),
    }
}

/// The labels that a statement exits to. Labels of *cheap* blocks, which an exit may run in place,
/// are kept apart from the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Labels of blocks that are emitted once.
    pub plain: LabelSpan,
    /// Labels of blocks that may be copied.
    pub cheap: LabelSpan,
    /// Whether a block inside contains a tangled operation.
    pub tangled: bool,
}

impl Summary {
    /// The label that control has at the end of the statement: its only plain label, or its only
    /// cheap one if it has no plain label.
    pub fn falls(&self) -> Option<Label> {
        let only = |span: LabelSpan| span.filter(|(first, last)| first == last).map(|(first, _)| first);
        match self.plain {
            Some(_) => only(self.plain),
            None => only(self.cheap),
        }
    }
    /// The summary of a choice between two statements.
    pub fn or(self, other: Self) -> Self {
        Self {
            plain: around(self.plain, other.plain),
            cheap: around(self.cheap, other.cheap),
            tangled: self.tangled | other.tangled,
        }
    }
    /// Whether the statement exits to no label.
    pub fn is_empty(&self) -> bool {
        self.plain.is_none() && self.cheap.is_none()
    }
}

/// The alternative to an exit to a block: run a copy of the block in place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CopiedExit {
    /// There is none: the block is emitted once.
    #[default]
    No,
    /// Run a copy of the block, which ends the function.
    Ends,
    /// Run a copy of the block, and exit to this label.
    Goes(Label),
}

/// The labels of all exits, and a summary per statement.
#[derive(Debug, Default)]
pub struct Summaries {
    blocks: SecondaryMap<Block, BlockLabels>,
    by_stmt: Vec<Summary>,
    /// By statement: the labels of its exits, until the statement around it takes them.
    sets: Vec<(LabelSet, LabelSet)>,
}

/// The labels of exits to a block.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockLabels {
    /// The label of an exit from outside the loop that the block heads.
    pub forward: Option<Label>,
    /// The label of a `Continue`.
    pub back: Option<Label>,
    /// The alternative to an exit from outside the loop that the block heads.
    pub copy: CopiedExit,
}

impl Summaries {
    /// Goes through the statements once, children first. The sets of `labels` are removed.
    pub fn set(&mut self, graph: &Graph, tree: &Tree, labels: &mut Labels, is_cheap: impl Fn(Block) -> bool) {
        let Self { blocks, .. } = self;
        blocks.fill(graph.blocks.len());
        for data in tree.stmts.values() {
            match *data {
                StmtData::Seq { body, children } => {
                    let mut after = body;
                    for &(block, child) in &tree.children[children] {
                        blocks[block].forward = Some(Label { after, block });
                        after = child;
                    }
                }
                StmtData::Switch { block, arms } => {
                    for pair in tree.arms[arms].windows(2) {
                        let (&[(_, after), (slot, arm)], terminator) = (pair, graph.terminator(block)) else {
                            continue;
                        };
                        let runs = !matches!(tree.stmts[arm], StmtData::Exit(_) | StmtData::Continue(_));
                        if let Some(block) = terminator.successor(slot as usize).filter(|_| runs) {
                            blocks[block].forward = Some(Label { after, block });
                        }
                    }
                }
                StmtData::Loop { header, body } => blocks[header].back = Some(Label { after: body, block: header }),
                _ => {}
            }
        }
        set_copies(tree, is_cheap, blocks);
        self.summarize(graph, tree, labels);
        labels.clear();
    }
    /// Makes the summary of each statement.
    fn summarize(&mut self, graph: &Graph, tree: &Tree, labels: &mut Labels) {
        let Self { blocks, by_stmt, sets } = self;
        by_stmt.clear();
        sets.clear();
        for (stmt, data) in tree.stmts.iter() {
            let mut set = <(LabelSet, LabelSet)>::default();
            let mut tangled = data.block().is_some_and(|b| graph.blocks[b].tangled);
            let mut add = |child: Stmt| {
                tangled |= by_stmt.get(child.index()).is_some_and(|s| s.tangled);
                let taken = sets.get_mut(child.index()).map(std::mem::take).unwrap_or_default();
                let whole = std::mem::take(&mut set);
                set = (labels.join(whole.0, taken.0), labels.join(whole.1, taken.1));
            };
            match *data {
                StmtData::Run { next, .. } => add(next),
                StmtData::If { then, els, .. } => [then, els].into_iter().for_each(add),
                StmtData::Switch { arms, .. } => tree.arms[arms].iter().for_each(|arm| add(arm.1)),
                StmtData::Loop { body, .. } => add(body),
                StmtData::Seq { body, children } => {
                    add(body);
                    tree.children[children].iter().for_each(|child| add(child.1));
                }
                StmtData::Exit(to) => {
                    let label = blocks[to].forward.map(|l| labels.one(l)).unwrap_or_default();
                    set = match blocks[to].copy {
                        CopiedExit::No => (label, LabelSet::default()),
                        _ => (LabelSet::default(), label),
                    };
                }
                StmtData::Continue(to) => set.0 = blocks[to].back.map(|l| labels.one(l)).unwrap_or_default(),
                StmtData::Return(_) | StmtData::Unreachable(_) => {}
            }
            set = (labels.beyond(set.0, stmt), labels.beyond(set.1, stmt));
            let span = |set: &LabelSet| labels.first(set).zip(set.last());
            by_stmt.push(Summary { plain: span(&set.0), cheap: span(&set.1), tangled });
            sets.push(set);
        }
    }
    /// The labels of exits to a block.
    pub fn block(&self, block: Block) -> &BlockLabels {
        &self.blocks[block]
    }
    /// The summary of a statement.
    pub fn get(&self, stmt: Stmt) -> Summary {
        self.by_stmt.get(stmt.index()).copied().unwrap_or_default()
    }
}

/// Sets the alternative to an exit, for each block. Cheap blocks either end the function or go on
/// to a label. The statement that consumes that label encloses the block's own place, and so all
/// exits to the block. This does not hold for the arms of a switch, because an arm's label is
/// consumed only right after the arm before it.
fn set_copies(tree: &Tree, is_cheap: impl Fn(Block) -> bool, blocks: &mut SecondaryMap<Block, BlockLabels>) {
    for data in tree.stmts.values() {
        let Some(block) = data.block().filter(|&b| is_cheap(b) && blocks[b].back.is_none()) else { continue };
        blocks[block].copy = match *data {
            StmtData::Return(_) | StmtData::Unreachable(_) => CopiedExit::Ends,
            StmtData::Run { next, .. } => match tree.stmts[next] {
                StmtData::Exit(to) => blocks[to].forward.map_or(CopiedExit::No, CopiedExit::Goes),
                StmtData::Continue(to) => blocks[to].back.map_or(CopiedExit::No, CopiedExit::Goes),
                _ => CopiedExit::No,
            },
            _ => CopiedExit::No,
        };
    }
    for data in tree.stmts.values() {
        if let StmtData::Switch { arms, .. } = *data {
            for arm in tree.arms[arms].iter().filter_map(|arm| tree.stmts[arm.1].block()) {
                if blocks[arm].copy != CopiedExit::Ends {
                    blocks[arm].copy = CopiedExit::No;
                }
            }
        }
    }
}
