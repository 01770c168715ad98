//! Makes irreducible graphs reducible: a loop with several entries is entered through one dispatch
//! block.
//!
//! In: a graph whose loops may have several entries. Out: [`Dispatched`], the graph with *made*
//! blocks after its own. All edges to the entries of such a loop, from outside and from inside, go
//! to the loop's dispatch block. The dispatch block is then the loop's header, and branches on a
//! selector that each edge sets. What must hold: no block of the input is emitted twice (there is
//! no node splitting), and the result is reducible.

use foldhash::HashMap;

use crate::graph::{Block, BlockData, Edge, Graph, Terminator};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;

/// A graph with dispatch blocks.
#[derive(Clone, Debug)]
pub struct Dispatched {
    /// The blocks of the input, followed by the made ones. Dispatch blocks end in a switch whose
    /// values are block numbers; blocks that keep two edges apart end in a jump.
    pub graph: Graph,
    /// The number of blocks in the input.
    pub original: usize,
    /// The assignment on each redirected edge: the dispatch block, which identifies the selector,
    /// and the value.
    pub settings: HashMap<Edge, (Block, u32)>,
    /// The dispatch blocks in order.
    pub dispatchers: Vec<Block>,
}

/// Gives every loop a single entry.
///
/// # Errors
/// `Limit` if that takes too many steps, or loops nest too deeply.
pub fn dispatch(graph: &Graph, fuel: &Fuel) -> Result<Dispatched> {
    let reachable = reachable(graph);
    let mut predecessors = vec![Vec::new(); graph.blocks.len()];
    for &block in &reachable {
        for to in graph.terminator(block).successors() {
            predecessors[to.index()].push(block);
        }
    }
    let original = graph.blocks.len();
    let result = Dispatched { graph: graph.clone(), original, settings: HashMap::default(), dispatchers: Vec::new() };
    let mut maker = DispatchBuilder {
        result,
        predecessors,
        marks: vec![BlockMarks::default(); original],
        groups: 0,
        work: 0,
        fuel,
    };
    let mut regions = vec![(reachable, 0)];
    while let Some((region, depth)) = regions.pop() {
        maker.work(region.len())?;
        for component in maker.components(&region)? {
            // Each loop becomes a construct inside that of the loop around it.
            limits::check(Place::Input, "nested control-flow constructs", depth + 1, limits::CONSTRUCT_NESTING)?;
            regions.push((maker.give_one_entry(component)?, depth + 1));
        }
    }
    Ok(maker.result)
}

fn reachable(graph: &Graph) -> Vec<Block> {
    let mut seen = vec![false; graph.blocks.len()];
    let mut found = Vec::new();
    let mut stack = vec![graph.entry()];
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            found.push(block);
            stack.extend(graph.terminator(block).successors());
        }
    }
    found
}

/// What is noted of a block. A mark that is not the current one says nothing.
#[derive(Clone, Copy, Default)]
struct BlockMarks {
    /// The mark of the set under consideration, if the block is in it.
    group: u32,
    /// The mark of the search that found the block, and of the one that knows its component.
    found: u32,
    closed: u32,
    /// The mark of the component that an edge from outside enters at the block.
    entered: u32,
    /// The block's number in the search, and the smallest number that it leads back to.
    number: u32,
    low: u32,
}

/// What is charged for dispatch blocks and their selectors.
pub(crate) const DISPATCH: &str = "loops with several entries";

struct DispatchBuilder<'a> {
    result: Dispatched,
    /// By block. A list may name a predecessor twice, and may still name one whose edge has been
    /// redirected.
    predecessors: Vec<Vec<Block>>,
    /// By block.
    marks: Vec<BlockMarks>,
    groups: u32,
    work: usize,
    fuel: &'a Fuel,
}

impl DispatchBuilder<'_> {
    fn work(&mut self, amount: usize) -> Result<()> {
        self.fuel.steps(Place::Input, DISPATCH, amount)?;
        self.work = self.work.saturating_add(amount);
        limits::check(Place::Input, "steps to make irreducible loops reducible", self.work, limits::DISPATCH_STEPS)
    }

    fn mark(&mut self, blocks: &[Block]) -> u32 {
        self.groups += 1;
        for block in blocks {
            self.marks[block.index()].group = self.groups;
        }
        self.groups
    }

    /// The loops of the subgraph that a set of blocks spans: its strongly connected components of
    /// more than one block, and the single blocks with an edge to themselves. Uses Tarjan's
    /// algorithm.
    fn components(&mut self, region: &[Block]) -> Result<Vec<Vec<Block>>> {
        let inside = self.mark(region);
        let mut numbers = 0;
        let mut open: Vec<Block> = Vec::new();
        let mut components = Vec::new();
        for &root in region {
            if self.marks[root.index()].found == inside {
                continue;
            }
            let mut stack: Vec<(Block, usize)> = Vec::new();
            let mut next = Some(root);
            loop {
                if let Some(block) = next.take() {
                    let marks = &mut self.marks[block.index()];
                    (marks.found, marks.number, marks.low) = (inside, numbers, numbers);
                    numbers += 1;
                    open.push(block);
                    stack.push((block, 0));
                    self.work(self.result.graph.terminator(block).slots() + 1)?;
                }
                let Some((block, slot)) = stack.last_mut() else { break };
                let (block, to) = (*block, self.result.graph.terminator(*block).successor(*slot));
                *slot += 1;
                let Some(to) = to else {
                    stack.pop();
                    let BlockMarks { number, low, .. } = self.marks[block.index()];
                    if let Some((below, _)) = stack.last() {
                        let below = &mut self.marks[below.index()];
                        below.low = below.low.min(low);
                    }
                    if number == low {
                        let first = open.iter().rposition(|b| *b == block).unwrap_or(0);
                        let component = open.split_off(first);
                        component.iter().for_each(|b| self.marks[b.index()].closed = inside);
                        let loops = self.result.graph.terminator(block).successors().any(|s| s == block);
                        if component.len() > 1 || loops {
                            components.push(component);
                        }
                    }
                    continue;
                };
                let of = self.marks[to.index()];
                if of.group != inside || of.closed == inside {
                    continue;
                }
                if of.found == inside {
                    let marks = &mut self.marks[block.index()];
                    marks.low = marks.low.min(of.number);
                } else {
                    next = Some(to);
                }
            }
        }
        Ok(components)
    }

    /// Marks the blocks of a component that an edge from outside enters. `inside` is the
    /// component's mark.
    fn mark_entered(&mut self, component: &[Block], inside: u32) -> Result<()> {
        let mut outside: Vec<Block> = Vec::new();
        for &block in component {
            self.work(self.predecessors[block.index()].len())?;
            let from = self.predecessors[block.index()].iter().copied();
            outside.extend(from.filter(|from| self.marks[from.index()].group != inside));
        }
        // The edge that a predecessor stands for may have been redirected, so the edges are looked
        // at. A block may be a predecessor of many, and its edges are looked at once.
        outside.sort_unstable();
        outside.dedup();
        for from in outside {
            self.work(self.result.graph.terminator(from).slots())?;
            for to in self.result.graph.terminator(from).successors() {
                let marks = &mut self.marks[to.index()];
                if marks.group == inside {
                    marks.entered = inside;
                }
            }
        }
        Ok(())
    }

    /// Finds a component's entries. If there are several, a dispatch block becomes the only entry.
    /// Returns the component without its header: the caller looks for inner loops in it.
    fn give_one_entry(&mut self, mut component: Vec<Block>) -> Result<Vec<Block>> {
        let inside = self.mark(&component);
        component.sort_unstable();
        self.mark_entered(&component, inside)?;
        // The function's entry block counts as an entry of its loop. No edge from outside enters
        // that loop.
        let first = self.result.graph.entry();
        let enters = |block: &Block| *block == first || self.marks[block.index()].entered == inside;
        let entries: Vec<Block> = component.iter().copied().filter(enters).collect();
        match entries.as_slice() {
            [] => Ok(Vec::new()),
            [header] => {
                component.retain(|b| b != header);
                Ok(component)
            }
            entries => {
                self.redirect(entries)?;
                Ok(component)
            }
        }
    }

    fn push(&mut self, terminator: Terminator) -> Result<Block> {
        limits::check(
            Place::Input,
            "blocks in one function, dispatch blocks included",
            self.result.graph.blocks.len() + 1,
            2 * limits::BLOCKS,
        )?;
        self.predecessors.push(Vec::new());
        self.marks.push(BlockMarks::default());
        Ok(self.result.graph.blocks.push(BlockData::from(terminator)))
    }

    fn redirect(&mut self, entries: &[Block]) -> Result<()> {
        let dispatcher = self.push(Terminator::Unreachable)?;
        self.result.dispatchers.push(dispatcher);
        let mut sources: Vec<Block> = Vec::new();
        for &entry in entries {
            sources.append(&mut self.predecessors[entry.index()]);
            self.predecessors[entry.index()].push(dispatcher);
        }
        sources.sort_unstable();
        sources.dedup();
        for from in sources {
            let targets: Vec<(u32, Block)> = (0..).zip(self.result.graph.terminator(from).successors()).collect();
            self.work(targets.len())?;
            let entered = |to: &Block| entries.binary_search(to).is_ok();
            let mut kinds: Vec<Block> = targets.iter().map(|t| t.1).filter(entered).collect();
            kinds.sort_unstable();
            kinds.dedup();
            // If edges of one block to different entries go to the dispatcher, they set different
            // values. So each entry's edges go through a block of their own.
            let mut through: Vec<Block> = Vec::new();
            for _ in kinds.iter().filter(|_| kinds.len() > 1) {
                through.push(self.push(Terminator::Jump(dispatcher))?);
            }
            for (slot, to) in targets {
                let Ok(kind) = kinds.binary_search(&to) else { continue };
                let new = through.get(kind).copied().unwrap_or(dispatcher);
                if let Some(target) = self.result.graph.blocks[from].terminator.successor_mut(slot as usize) {
                    *target = new;
                }
                self.predecessors[new.index()].push(from);
                self.result.settings.insert(Edge { from, slot }, (dispatcher, to.index() as u32));
            }
            self.predecessors[dispatcher.index()].extend(through);
        }
        if let Some((default, cases)) = entries.split_last() {
            let cases = cases.iter().map(|to| (to.index() as u64, *to)).collect();
            self.result.graph.blocks[dispatcher].terminator = Terminator::Switch { cases, default: *default };
        }
        Ok(())
    }
}
