//! Checks that a tree, and a layout, runs the same blocks in the same order as its graph, whatever
//! the branches decide.
//!
//! A graph's state between two blocks is the next block. Walking all states of the graph and of the
//! tree or layout together, one branch decision at a time, covers every trace, including endless
//! ones: the two agree if they give the same next block everywhere.

use crate::analysis::Dominators;
use crate::graph::{Block, Graph, Terminator};
use crate::layout::{Arc, Condition, Exit, Layout, Node, Selector, SelectorValue, SwitchOperand};
use crate::tree::{Stmt, StmtData, Tree};
use dxil_base::entity::{PrimaryMap, SecondaryMap};
use foldhash::HashSet;

/// The slots that a block may take.
fn decisions(graph: &Graph, block: Block) -> Vec<usize> {
    let terminator = graph.terminator(block);
    let never = match terminator {
        Terminator::Branch { never, .. } => never.map(|side| side as usize),
        _ => None,
    };
    (0..terminator.slots()).filter(|&slot| Some(slot) != never).collect()
}

/// A tree, with where its statements stand.
struct Walk<'a> {
    graph: &'a Graph,
    tree: &'a Tree,
    parent: SecondaryMap<Stmt, Option<Stmt>>,
    /// The statement that runs each block.
    runs: SecondaryMap<Block, Option<Stmt>>,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a Graph, tree: &'a Tree) -> Result<Self, String> {
        let mut parent: SecondaryMap<Stmt, Option<Stmt>> = SecondaryMap::filled(tree.stmts.len(), None);
        let mut runs: SecondaryMap<Block, Option<Stmt>> = SecondaryMap::filled(graph.blocks.len(), None);
        for (stmt, data) in tree.stmts.iter() {
            let mut child = |c: Stmt| {
                if c >= stmt || parent[c].replace(stmt).is_some() {
                    return Err(format!("{c} is misplaced"));
                }
                Ok(())
            };
            match data {
                StmtData::Run { next, .. } => child(*next)?,
                StmtData::If { then, els, .. } => [then, els].into_iter().try_for_each(|c| child(*c))?,
                StmtData::Switch { arms, .. } => tree.arms[*arms].iter().try_for_each(|c| child(c.1))?,
                StmtData::Loop { body, .. } => child(*body)?,
                StmtData::Seq { body, children } => {
                    child(*body)?;
                    tree.children[*children].iter().try_for_each(|c| child(c.1))?;
                }
                _ => {}
            }
            if let Some(block) = data.block()
                && runs[block].replace(stmt).is_some()
            {
                return Err(format!("{block} runs in two places"));
            }
        }
        Ok(Self { graph, tree, parent, runs })
    }

    /// The block that runs first in a statement, or the block that its exit leads to.
    fn next(&self, start: Stmt) -> Result<Block, String> {
        let (mut at, mut label) = (start, None);
        loop {
            let Some(target) = label else {
                match &self.tree.stmts[at] {
                    StmtData::Exit(to) => label = Some((*to, false)),
                    StmtData::Continue(to) => label = Some((*to, true)),
                    StmtData::Loop { body, .. } | StmtData::Seq { body, .. } => at = *body,
                    other => return other.block().ok_or_else(|| format!("{at} runs nothing")),
                }
                continue;
            };
            let Some(outer) = self.parent[at] else { return Err(format!("{target:?} is not consumed from {start}")) };
            match &self.tree.stmts[outer] {
                StmtData::Loop { header, body } if target == (*header, true) => {
                    (at, label) = (*body, None);
                    continue;
                }
                StmtData::Seq { children, .. } if !target.1 => {
                    if let Some((_, child)) = self.tree.children[*children].iter().find(|c| c.0 == target.0 && c.1 > at)
                    {
                        (at, label) = (*child, None);
                        continue;
                    }
                }
                StmtData::Switch { block, arms } if !target.1 => {
                    let to = |slot: u32| self.graph.terminator(*block).successor(slot as usize);
                    let mut pairs = self.tree.arms[*arms]
                        .windows(2)
                        .filter(|pair| pair[0].1 == at && to(pair[1].0) == Some(target.0));
                    let runs = |s: Stmt| !matches!(self.tree.stmts[s], StmtData::Exit(_) | StmtData::Continue(_));
                    if let Some(arm) = pairs.next().map(|pair| pair[1].1).filter(|&arm| runs(arm)) {
                        (at, label) = (arm, None);
                        continue;
                    }
                }
                _ => {}
            }
            at = outer;
        }
    }
}

/// Checks a tree by the meaning of its statements: the block that each arm runs next must be the
/// branch's target.
pub fn tree(graph: &Graph, tree: &Tree) -> Result<(), String> {
    let walk = Walk::new(graph, tree)?;
    let root = tree.root().ok_or("an empty tree")?;
    if walk.next(root)? != graph.entry() {
        return Err("the tree does not start at the entry".to_owned());
    }
    let mut seen: HashSet<Block> = [graph.entry()].into_iter().collect();
    let mut work = vec![graph.entry()];
    while let Some(block) = work.pop() {
        let stmt = walk.runs[block].ok_or_else(|| format!("{block} is not in the tree"))?;
        for slot in decisions(graph, block) {
            let expected = graph.terminator(block).successor(slot).ok_or("no successor")?;
            let arm = match &tree.stmts[stmt] {
                StmtData::Run { next, .. } => *next,
                StmtData::If { then, els, .. } => [*then, *els][slot],
                StmtData::Switch { arms, .. } => {
                    let to = |slot: u32| graph.terminator(block).successor(slot as usize);
                    tree.arms[*arms].iter().find(|arm| to(arm.0) == Some(expected)).ok_or("no arm")?.1
                }
                _ => return Err(format!("{block} ends early")),
            };
            let found = walk.next(arm)?;
            if found != expected {
                return Err(format!("{block} slot {slot} goes to {found}, not to {expected}"));
            }
            if seen.insert(expected) {
                work.push(expected);
            }
        }
    }
    Ok(())
}

/// Checks a layout by running it. Also checks that an edge into a block takes exactly the original
/// edge that leads there.
pub fn layout(graph: &Graph, layout: &Layout) -> Result<(), String> {
    let clear: Selectors = PrimaryMap::from_iter(layout.selectors.keys().map(|_| None));
    let mut machine = Machine { graph, layout, selectors: clear.clone(), decided: None, taken: Vec::new() };
    let (node, selectors) = machine.advance(layout.entry(), graph.entry(), None)?;
    let mut seen: HashSet<(Node, Vec<Option<u32>>)> = HashSet::default();
    let mut work = vec![(node, selectors)];
    while let Some((node, selectors)) = work.pop() {
        let block = layout.nodes[node].origin.ok_or("a stop without origin")?;
        if !seen.insert((node, selectors.values().copied().collect())) {
            continue;
        }
        let slots = decisions(graph, block);
        if slots.is_empty() {
            let ends = match graph.terminator(block) {
                Terminator::Return => layout.nodes[node].exit == Exit::Return(block),
                _ => layout.nodes[node].exit == Exit::Unreachable,
            };
            if !ends {
                return Err(format!("{block} does not end in {node}"));
            }
        }
        for slot in slots {
            let expected = graph.terminator(block).successor(slot).ok_or("no successor")?;
            machine.selectors = selectors.clone();
            machine.decided = Some((block, slot));
            let exit = &layout.nodes[node].exit;
            let to = machine.step(exit, node)?;
            work.push(machine.advance(to, expected, Some(expected))?);
        }
    }
    Ok(())
}

type Selectors = PrimaryMap<Selector, Option<u32>>;

struct Machine<'a> {
    graph: &'a Graph,
    layout: &'a Layout,
    selectors: Selectors,
    /// The last block that ran and the slot it decided for.
    decided: Option<(Block, usize)>,
    /// The targets of the original edges into the decided target that were taken since then.
    taken: Vec<Block>,
}

impl Machine<'_> {
    /// Goes on to the next node with an origin, which must be `expected`.
    fn advance(&mut self, mut node: Node, expected: Block, takes: Option<Block>) -> Result<(Node, Selectors), String> {
        for _ in 0..=self.layout.nodes.len() {
            if let Some(origin) = self.layout.nodes[node].origin {
                if origin != expected {
                    return Err(format!("after {:?} runs {origin}, not {expected}", self.decided));
                }
                let taken = std::mem::take(&mut self.taken);
                if taken.as_slice() != takes.as_slice() {
                    return Err(format!("after {:?} the edges to {taken:?} are taken", self.decided));
                }
                return Ok((node, self.selectors.clone()));
            }
            node = self.step(&self.layout.nodes[node].exit, node)?;
        }
        Err(format!("after {:?} nothing runs any more", self.decided))
    }

    fn condition(&self, block: Block) -> Result<bool, String> {
        match self.decided {
            Some((decided, slot)) if decided == block => Ok(slot == 0),
            _ => Err(format!("the condition of {block} is looked at after {:?}", self.decided)),
        }
    }

    fn step(&mut self, exit: &Exit, node: Node) -> Result<Node, String> {
        let selector =
            |s: &Selector| self.selectors[*s].ok_or_else(|| format!("{s} is tested in {node} before it is set"));
        // The slot that the last block's switch decided for.
        let decided = |block: Block| match self.decided {
            Some((decided, slot)) if decided == block => Ok(slot),
            _ => Err(format!("the operand of {block} is looked at after {:?}", self.decided)),
        };
        let value_of = |block: Block, slot: usize| match self.graph.terminator(block) {
            Terminator::Switch { cases, .. } => slot.checked_sub(1).and_then(|i| cases.get(i)).map(|c| c.0),
            _ => None,
        };
        let arc = match exit {
            Exit::Jump(arc) => arc,
            Exit::Branch { condition, arcs: [then, els] } => {
                let holds = match condition {
                    Condition::Branch(block) => self.condition(*block)?,
                    Condition::Operand { block, values } => {
                        value_of(*block, decided(*block)?).is_some_and(|v| values.contains(&v))
                    }
                    Condition::Selector(s) => selector(s)? != 0,
                    Condition::SelectorIs(s, value) => selector(s)? == *value,
                };
                if holds { then } else { els }
            }
            Exit::Switch { operand, values, arcs } => {
                let value = match operand {
                    SwitchOperand::Switch(block) => value_of(*block, decided(*block)?),
                    SwitchOperand::Selector(s) => Some(u64::from(selector(s)?)),
                };
                let case = values.iter().position(|values| value.is_some_and(|v| values.contains(&v)));
                &arcs[case.unwrap_or(values.len())]
            }
            Exit::Return(_) | Exit::Unreachable => return Err(format!("{node} ends the function")),
        };
        self.follow(arc)
    }

    fn follow(&mut self, arc: &Arc) -> Result<Node, String> {
        let Some((block, slot)) = self.decided else {
            let nothing = arc.takes.is_empty() && arc.sets.is_empty();
            return if nothing { Ok(arc.to) } else { Err("something happens before the entry".to_owned()) };
        };
        let expected = self.graph.terminator(block).successor(slot);
        for edge in &self.layout.takes[arc.takes] {
            let to = self.graph.terminator(edge.from).successor(edge.slot as usize);
            if edge.from != block {
                return Err(format!("{edge} is taken after {block}"));
            }
            self.taken.extend(to.filter(|_| to == expected));
        }
        let mut new = self.selectors.clone();
        for (selector, value) in &self.layout.sets[arc.sets] {
            new[*selector] = Some(match value {
                SelectorValue::Constant(n) => *n,
                SelectorValue::Condition { block, negated } => u32::from(self.condition(*block)? != *negated),
            });
        }
        self.selectors = new;
        Ok(arc.to)
    }
}

/// Checks everything that must hold of a structured graph.
pub fn check(graph: &Graph, options: &crate::Options) -> Result<crate::Structured, String> {
    let structured = crate::structure(graph, options).map_err(|e| e.to_string())?;
    let fail = |what: &str, message: String| {
        let (tree, layout) = (&structured.tree, &structured.layout);
        format!("{what}: {message}\ngraph\n{graph}\ntree\n{tree}\nlayout\n{layout}")
    };
    tree(structured.dispatched.as_ref().unwrap_or(graph), &structured.tree).map_err(|e| fail("tree", e))?;
    layout(graph, &structured.layout).map_err(|e| fail("layout", e))?;
    let broken = crate::legal::broken_rules(&structured.layout);
    if !broken.is_empty() {
        return Err(fail("rules", broken.join("\n")));
    }
    let layout = &structured.layout;
    let (found, cfg) = (crate::ssa::dominance(layout), layout.cfg());
    let solved = Dominators::new(&cfg);
    let agree = |above, below| found.dominates(above, below) == solved.dominates(above, below);
    let mut below = layout.nodes.keys();
    if let Some(node) = below.find(|&node| !layout.nodes.keys().all(|above| agree(above, node))) {
        return Err(fail("dominators in emission order", node.to_string()));
    }
    Ok(structured)
}
