//! Compares the sets of lanes that run together in a layout with those of the source.
//!
//! Eight lanes run random programs with per-lane conditions twice. The first run is the source as
//! written, as a person expects of HLSL: the lanes of a branch are together again after it, those
//! of a loop at each iteration and after it. The second run is the layout with the rules of
//! SPV_KHR_maximal_reconvergence: lanes come together only at merges and continue targets. Each
//! time a lane runs a tangled block, the lanes that run it together are compared. If the compiler
//! has kept breaking blocks in their loop (`dx.break`), the layout's set must be the source's; if
//! it has not, the layout's set must not lack a lane of the source's.

use dxil_test_support::Random;
use foldhash::HashMap;

use crate::graph::{Block, BlockData, Graph, Side, Terminator};
use crate::layout::{Arc, Condition, Exit, Layout, Merge, Node, SelectorValue, SwitchOperand};
use crate::{Options, structure};
use dxil_base::entity::Entity;

const LANES: usize = 8;

/// A set of lanes.
type Mask = u8;

fn lanes(mask: Mask) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 != 0)
}

/// A statement of the source. Blocks are numbers of the graph's blocks.
enum Code {
    /// Runs a block without a condition.
    Op(Block),
    If(Block, Vec<Code>, Vec<Code>),
    /// Runs the body until all lanes have left the loop.
    Loop(Vec<Code>),
    /// The block that switches, and the bodies by slot: the default's first.
    Switch(Block, Vec<Vec<Code>>),
    Break,
    Continue,
    Return,
}

/// Writes a program and its graph together, as a compiler does before it optimises.
struct Writer<'a> {
    random: &'a mut Random,
    graph: Graph,
    /// Whether a block that leaves a loop keeps a never-taken edge to the loop's latch.
    marks: bool,
    blocks_left: usize,
    ret: Block,
}

/// The targets of `break` and `continue`; `continue` goes to the latch of the innermost loop.
#[derive(Clone, Copy, Default)]
struct Targets {
    breaks: Option<Block>,
    latch: Option<Block>,
}

impl Writer<'_> {
    fn block(&mut self) -> Block {
        let mut data = BlockData::from(Terminator::Unreachable);
        data.tangled = self.random.chance(40);
        data.size = 1 + self.random.below(8) as u32;
        self.graph.blocks.push(data)
    }

    fn plain_block(&mut self) -> Block {
        self.graph.blocks.push(BlockData::from(Terminator::Unreachable))
    }

    fn end(&mut self, block: Block, terminator: Terminator) {
        let data = &mut self.graph.blocks[block];
        data.cheap = data.size == 0 && matches!(terminator, Terminator::Jump(_));
        data.terminator = terminator;
    }

    /// Leaves the innermost loop from a block that has no terminator yet.
    fn leave(&mut self, from: Block, to: Block, targets: Targets) {
        let terminator = match targets.latch {
            Some(latch) if self.marks => Terminator::Branch { then: to, els: latch, never: Some(Side::Else) },
            _ => Terminator::Jump(to),
        };
        self.end(from, terminator);
    }

    /// Writes statements from the open block `at`. Returns the block that is open after them, if
    /// control gets there.
    fn list(&mut self, mut at: Block, depth: usize, targets: Targets, code: &mut Vec<Code>) -> Option<Block> {
        for _ in 0..1 + self.random.below(4) {
            if self.blocks_left == 0 {
                break;
            }
            self.blocks_left -= 1;
            match self.random.below(if depth < 5 { 16 } else { 6 }) {
                0..4 => {
                    let next = self.block();
                    self.end(at, Terminator::Jump(next));
                    code.push(Code::Op(next));
                    at = next;
                }
                4 | 5 if depth > 0 => return self.jump(at, targets, code),
                6 | 7 if depth < 4 => {
                    let (header, latch, exit) = (self.plain_block(), self.plain_block(), self.plain_block());
                    let (test, body) = (self.plain_block(), self.plain_block());
                    // The size keeps `skip_empty_blocks` from redirecting edges past the header, as
                    // this would give the loop several entries. An optimiser does not do that
                    // either.
                    self.graph.blocks[header].size = 1;
                    self.end(at, Terminator::Jump(header));
                    self.end(latch, Terminator::Jump(header));
                    self.end(header, Terminator::Jump(test));
                    let inner = Targets { breaks: Some(exit), latch: Some(latch) };
                    // Every loop has a break at the top, so that it is part of the loop around it.
                    let leaving = self.plain_block();
                    self.end(test, Terminator::Branch { then: leaving, els: body, never: None });
                    self.leave(leaving, exit, inner);
                    let mut inside = vec![Code::If(test, vec![Code::Break], Vec::new())];
                    if let Some(last) = self.list(body, depth + 1, inner, &mut inside) {
                        self.end(last, Terminator::Jump(latch));
                    }
                    code.push(Code::Loop(inside));
                    at = exit;
                }
                8 | 9 => {
                    let (test, join) = (self.block(), self.plain_block());
                    self.end(at, Terminator::Jump(test));
                    let count = 2 + self.random.below(3);
                    let starts: Vec<Block> = (0..count).map(|_| self.plain_block()).collect();
                    let cases = (0..).zip(&starts[1..]).map(|(value, to)| (value, *to)).collect();
                    self.end(test, Terminator::Switch { cases, default: starts[0] });
                    let inner = Targets { breaks: Some(join), ..targets };
                    let mut bodies = Vec::new();
                    let mut joined = false;
                    for &start in &starts {
                        let mut body = Vec::new();
                        if let Some(last) = self.list(start, depth + 1, Targets { breaks: None, ..inner }, &mut body) {
                            self.end(last, Terminator::Jump(join));
                            joined = true;
                        }
                        bodies.push(body);
                    }
                    code.push(Code::Switch(test, bodies));
                    if !joined {
                        return None;
                    }
                    at = join;
                }
                _ => {
                    let (test, join) = (self.block(), self.plain_block());
                    let (then, els) = (self.plain_block(), self.plain_block());
                    self.end(at, Terminator::Jump(test));
                    self.end(test, Terminator::Branch { then, els, never: None });
                    let (mut on_then, mut on_else) = (Vec::new(), Vec::new());
                    let then = self.list(then, depth + 1, targets, &mut on_then);
                    let els = match self.random.chance(50) {
                        true => self.list(els, depth + 1, targets, &mut on_else),
                        false => Some(els),
                    };
                    code.push(Code::If(test, on_then, on_else));
                    if then.is_none() && els.is_none() {
                        return None;
                    }
                    then.into_iter().chain(els).for_each(|last| self.end(last, Terminator::Jump(join)));
                    at = join;
                }
            }
        }
        Some(at)
    }

    fn jump(&mut self, at: Block, targets: Targets, code: &mut Vec<Code>) -> Option<Block> {
        match (self.random.below(4), targets.breaks, targets.latch) {
            (0 | 1, Some(to), _) => {
                self.leave(at, to, targets);
                code.push(Code::Break);
            }
            (2, _, Some(latch)) => {
                self.end(at, Terminator::Jump(latch));
                code.push(Code::Continue);
            }
            (3, ..) => {
                let ret = self.ret;
                self.leave(at, ret, targets);
                code.push(Code::Return);
            }
            _ => return Some(at),
        }
        None
    }
}

/// Redirects edges past empty blocks, as an optimiser does.
fn skip_empty_blocks(graph: &mut Graph, random: &mut Random) {
    let empty = |graph: &Graph, block: Block| match graph.blocks[block] {
        BlockData { terminator: Terminator::Jump(to), tangled: false, size: 0, .. } if to != block => Some(to),
        _ => None,
    };
    for block in graph.blocks.keys() {
        for slot in 0..graph.terminator(block).slots() {
            for _ in 0..3 {
                let to = graph.terminator(block).successor(slot).expect("a successor");
                if let Some(next) = empty(graph, to).filter(|_| random.chance(60)) {
                    *graph.blocks[block].terminator.successor_mut(slot).expect("a successor") = next;
                }
            }
        }
    }
}

/// The slot that a lane decides for when it runs a block for the `visit`th time. After four visits,
/// two-way branches always take slot 0, so that loops end.
fn decide(seed: u64, block: Block, lane: usize, visit: usize, slots: usize) -> usize {
    let mut hash = seed ^ (block.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // Some conditions are the same for all lanes, some differ by lane or by visit.
    if hash >> 17 & 3 != 0 {
        hash = (hash ^ (lane as u64 + 1)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    hash = (hash ^ hash >> 31 ^ visit as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
    if slots == 2 && visit > 3 {
        return 0;
    }
    (hash >> 33) as usize % slots.max(1)
}

/// A log of the lanes that ran together, by block, lane and visit.
#[derive(Default)]
struct Log {
    seed: u64,
    visits: HashMap<(Block, usize), usize>,
    together: HashMap<(Block, usize, usize), Mask>,
    slots: HashMap<(Block, usize), usize>,
    steps: usize,
}

impl Log {
    /// Records that these lanes run a block together, and the slot that each decides for.
    fn run(&mut self, graph: &Graph, block: Block, mask: Mask) {
        self.steps += 1;
        let data = &graph.blocks[block];
        let slots = match data.terminator {
            Terminator::Branch { never: Some(_), .. } => 1,
            _ => data.terminator.slots(),
        };
        for lane in lanes(mask) {
            let visit = self.visits.entry((block, lane)).or_insert(0);
            if data.tangled {
                self.together.insert((block, lane, *visit), mask);
            }
            self.slots.insert((block, lane), decide(self.seed, block, lane, *visit, slots));
            *visit += 1;
        }
    }
    /// The lanes that decided for a slot.
    fn took(&self, block: Block, slot: usize, mask: Mask) -> Mask {
        lanes(mask).filter(|lane| self.slots.get(&(block, *lane)) == Some(&slot)).fold(0, |m, lane| m | 1 << lane)
    }
}

/// Lanes that left a list of statements other than at its end.
#[derive(Default)]
struct Left {
    breaks: Mask,
    continues: Mask,
    returns: Mask,
}

/// Runs the source. Returns the lanes that come to the end of the list.
fn run_source(graph: &Graph, code: &[Code], mut mask: Mask, log: &mut Log, left: &mut Left) -> Mask {
    for stmt in code {
        if mask == 0 {
            break;
        }
        mask = match stmt {
            Code::Op(block) => {
                log.run(graph, *block, mask);
                mask
            }
            Code::If(block, then, els) => {
                log.run(graph, *block, mask);
                let (on_then, on_else) = (log.took(*block, 0, mask), log.took(*block, 1, mask));
                run_source(graph, then, on_then, log, left) | run_source(graph, els, on_else, log, left)
            }
            Code::Switch(block, bodies) => {
                log.run(graph, *block, mask);
                let mut after = 0;
                for (slot, body) in bodies.iter().enumerate() {
                    after |= run_source(graph, body, log.took(*block, slot, mask), log, left);
                }
                after
            }
            Code::Loop(body) => {
                let mut inner = Left::default();
                let mut running = mask;
                while running != 0 {
                    running = run_source(graph, body, running, log, &mut inner) | std::mem::take(&mut inner.continues);
                }
                left.returns |= inner.returns;
                inner.breaks
            }
            Code::Break => {
                left.breaks |= mask;
                0
            }
            Code::Continue => {
                left.continues |= mask;
                0
            }
            Code::Return => {
                left.returns |= mask;
                0
            }
        };
    }
    mask
}

/// Runs a layout with maximal reconvergence.
struct Machine<'a> {
    graph: &'a Graph,
    layout: &'a Layout,
    log: Log,
    selectors: Vec<[Option<u32>; LANES]>,
    /// Merges and continue targets of the constructs that are running, with the lanes that have
    /// come there.
    waiting: HashMap<Node, Mask>,
}

impl Machine<'_> {
    fn follow(&mut self, arc: &Arc, mask: Mask) {
        for (selector, value) in &self.layout.sets[arc.sets] {
            for lane in lanes(mask) {
                let value = match value {
                    SelectorValue::Constant(n) => *n,
                    SelectorValue::Condition { block, negated } => {
                        u32::from((self.log.slots[&(*block, lane)] == 0) != *negated)
                    }
                };
                self.selectors[selector.index()][lane] = Some(value);
            }
        }
    }

    fn holds(&self, condition: &Condition, lane: usize) -> bool {
        let selector = |s: usize| self.selectors[s][lane].expect("a selector that is set");
        match condition {
            Condition::Branch(block) => self.log.slots[&(*block, lane)] == 0,
            Condition::Operand { block, values } => self.case(*block, lane).is_some_and(|v| values.contains(&v)),
            Condition::Selector(s) => selector(s.index()) != 0,
            Condition::SelectorIs(s, value) => selector(s.index()) == *value,
        }
    }

    fn case(&self, block: Block, lane: usize) -> Option<u64> {
        let slot = self.log.slots[&(block, lane)];
        match self.graph.terminator(block) {
            Terminator::Switch { cases, .. } => slot.checked_sub(1).and_then(|i| cases.get(i)).map(|c| c.0),
            _ => None,
        }
    }

    fn run(&mut self, mut node: Node, mut mask: Mask) {
        while mask != 0 {
            if let Some(waiting) = self.waiting.get_mut(&node) {
                *waiting |= mask;
                return;
            }
            let data = &self.layout.nodes[node];
            if let Some(block) = data.origin {
                self.log.run(self.graph, block, mask);
            }
            match data.merge {
                Merge::None => {
                    let Exit::Jump(arc) = &data.exit else { return self.split(&data.exit, mask) };
                    self.follow(arc, mask);
                    node = arc.to;
                    continue;
                }
                Merge::Selection(merge) => {
                    self.waiting.insert(merge, 0);
                    self.split(&data.exit, mask);
                    mask = self.waiting.remove(&merge).unwrap_or(0);
                    node = merge;
                }
                Merge::Loop { merge, continuing, .. } => {
                    self.waiting.insert(merge, 0);
                    while mask != 0 {
                        self.waiting.insert(continuing, 0);
                        self.split(&data.exit, mask);
                        mask = self.waiting.remove(&continuing).unwrap_or(0);
                        if let Exit::Jump(arc) = &self.layout.nodes[continuing].exit {
                            self.follow(arc, mask);
                        }
                    }
                    mask = self.waiting.remove(&merge).unwrap_or(0);
                    node = merge;
                }
            }
        }
    }

    /// Runs each arm with the lanes that take it.
    fn split(&mut self, exit: &Exit, mask: Mask) {
        let mut arms: Vec<(&Arc, Mask)> = exit.arcs().iter().map(|arc| (arc, 0)).collect();
        for lane in lanes(mask) {
            let arm = match exit {
                Exit::Jump(_) => 0,
                Exit::Branch { condition, .. } => usize::from(!self.holds(condition, lane)),
                Exit::Switch { operand, values, .. } => {
                    let value = match operand {
                        SwitchOperand::Switch(block) => self.case(*block, lane),
                        SwitchOperand::Selector(s) => self.selectors[s.index()][lane].map(u64::from),
                    };
                    let case = values.iter().position(|values| value.is_some_and(|v| values.contains(&v)));
                    case.unwrap_or(values.len())
                }
                Exit::Return(_) | Exit::Unreachable => return,
            };
            arms[arm].1 |= 1 << lane;
        }
        for (arc, mask) in arms {
            self.follow(arc, mask);
            self.run(arc.to, mask);
        }
    }
}

#[derive(Default)]
struct Count {
    /// The number of programs whose return may not be copied, and of those whose return may be
    /// copied.
    programs: [usize; 2],
    without_selector: [usize; 2],
    events: usize,
    wider: usize,
}

fn compare(random: &mut Random, marks: bool, count: &mut Count) {
    let mut writer = Writer { random, graph: Graph::new(), marks, blocks_left: 22, ret: Block::new(1) };
    let entry = writer.plain_block();
    let ret = writer.plain_block();
    let cheap = writer.random.chance(50);
    writer.graph.blocks[ret] = BlockData { cheap, size: u32::from(!cheap), ..Terminator::Return.into() };
    let mut code = Vec::new();
    if let Some(last) = writer.list(entry, 0, Targets::default(), &mut code) {
        writer.end(last, Terminator::Jump(ret));
    }
    let Writer { random, mut graph, .. } = writer;
    if random.chance(50) {
        skip_empty_blocks(&mut graph, random);
    }
    let structured = structure(&graph, &Options::default()).unwrap_or_else(|e| panic!("{e}\n{graph}"));
    count.programs[usize::from(cheap)] += 1;
    count.without_selector[usize::from(cheap)] += usize::from(structured.layout.selectors.is_empty());
    for seed in 0..2 {
        let seed = seed + 100 * count.programs.iter().sum::<usize>() as u64;
        let mut source = Log { seed, ..Log::default() };
        run_source(&graph, &code, Mask::MAX, &mut source, &mut Left::default());
        let log = Log { seed, ..Log::default() };
        let selectors = vec![[None; LANES]; structured.layout.selectors.len()];
        let layout = &structured.layout;
        let mut machine = Machine { graph: &graph, layout, log, selectors, waiting: HashMap::default() };
        machine.run(layout.entry(), Mask::MAX);
        let found = &machine.log.together;
        assert_eq!(found.len(), source.together.len(), "{graph}\n{layout}");
        for (event, expected) in &source.together {
            let mask = found.get(event).copied().unwrap_or(0);
            let (block, lane, visit) = event;
            let what =
                || format!("{block} lane {lane} visit {visit}: {mask:08b} for {expected:08b}\n{graph}\n{layout}");
            assert_eq!(mask & expected, *expected, "lanes are missing: {}", what());
            assert!(!marks || mask == *expected, "more lanes than in the source: {}", what());
            count.wider += usize::from(mask != *expected);
        }
        count.events += source.together.len();
    }
}

fn programs(seed: u64, programs: usize) {
    let mut random = Random::new(seed);
    for marks in [true, false] {
        let mut count = Count::default();
        (0..programs / 2).for_each(|_| compare(&mut random, marks, &mut count));
        let Count { programs, without_selector, events, wider } = count;
        let share = |copied: usize| without_selector[copied] as f64 * 100.0 / programs[copied] as f64;
        let (shared, copied, programs) = (share(0), share(1), programs.iter().sum::<usize>());
        println!(
            "{programs} programs {} marks: {events} tangled runs of a lane, {wider} with more lanes than the source; without a selector {copied:.1} % where the return may be copied, {shared:.1} % where it may not",
            if marks { "with" } else { "without" },
        );
        assert!(events > programs && (marks || wider > 0));
    }
}

// 100,000 programs in all, in parts that the test harness runs side by side.

#[test]
fn lane_sets_1() {
    programs(11, 50_000);
}

#[test]
fn lane_sets_2() {
    programs(12, 50_000);
}
