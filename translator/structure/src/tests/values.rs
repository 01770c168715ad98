//! Tests SSA construction by running programs with values on their graph and on their layout.
//!
//! Every block defines a value, made from the values it reads: its own parameter, and the values of
//! some blocks that dominate it. Every edge gives its target's parameter the value of its source or
//! of a block that dominates it. A run on the layout, with the phis and repairs that
//! [`ssa`](crate::ssa) finds, must read the same values as the run on the graph.

use dxil_test_support::Random;
use foldhash::{HashMap, HashSet};

use super::exhaustive::random_options;
use super::generate::random_graph;
use crate::analysis::{Cfg, Dominators};
use crate::graph::{Block, Graph, Side, Terminator};
use crate::layout::{Condition, Exit, Layout, Node, Selector, SelectorValue, SwitchOperand};
use crate::ssa::{Problem, Solution, Source, Variable, dominance};
use crate::structure;
use dxil_base::entity::Entity;
use dxil_base::error::Place;
use dxil_base::limits::Fuel;

/// A program: a graph, and for each block the blocks whose values it reads and passes on.
struct Program {
    graph: Graph,
    reads: Vec<Vec<Block>>,
    /// The block whose value an edge passes on, by the edge's source and target.
    arguments: HashMap<(Block, Block), Option<Block>>,
}

impl Program {
    fn new(random: &mut Random, graph: Graph) -> Self {
        let cfg = Cfg::<Block>::new(graph.blocks.len(), |b, out| out.extend(graph.terminator(b).successors()));
        let dominators = Dominators::new(&cfg);
        let above = |random: &mut Random, block: Block| {
            let mut at = block;
            for _ in 0..random.below(9) {
                at = dominators.immediate(at).unwrap_or(at);
            }
            // Cheap blocks define nothing.
            while graph.blocks[at].cheap {
                at = dominators.immediate(at)?;
            }
            Some(at)
        };
        let mut reads = Vec::new();
        let mut arguments = HashMap::default();
        for block in graph.blocks.keys() {
            let strictly = |b: &Block| *b != block;
            reads.push((0..random.below(6)).filter_map(|_| above(random, block)).filter(strictly).collect());
            for to in graph.terminator(block).successors() {
                arguments.entry((block, to)).or_insert_with(|| above(random, block));
            }
        }
        Self { graph, reads, arguments }
    }

    /// The slot that a block takes, chosen by its value.
    fn slot(&self, block: Block, value: u64) -> Option<usize> {
        let terminator = self.graph.terminator(block);
        let slots = terminator.slots();
        if slots == 0 {
            return None;
        }
        match terminator {
            Terminator::Branch { never: Some(Side::Then), .. } => Some(1),
            Terminator::Branch { never: Some(Side::Else), .. } => Some(0),
            _ => Some((value >> 7) as usize % slots),
        }
    }

    /// The value that a block defines.
    fn value(&self, block: Block, visit: u64, parameter: u64, reads: &[u64]) -> u64 {
        let mut hash =
            (block.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ visit ^ parameter.rotate_left(17);
        for (i, read) in reads.iter().enumerate() {
            hash = (hash ^ read.rotate_left(i as u32 * 5 + 1)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        hash ^ hash >> 29
    }

    /// The blocks that run and the values they define, for at most this many blocks.
    fn run(&self, seed: u64, most: usize) -> Vec<(Block, u64)> {
        let (mut block, mut parameter) = (self.graph.entry(), seed);
        let mut values: HashMap<Block, u64> = HashMap::default();
        let mut trace = Vec::new();
        while trace.len() < most {
            let reads: Vec<u64> = self.reads[block.index()].iter().map(|b| values[b]).collect();
            let value = self.value(block, trace.len() as u64, parameter, &reads);
            values.insert(block, value);
            trace.push((block, value));
            let Some(slot) = self.slot(block, value) else { break };
            let to = self.graph.terminator(block).successor(slot).expect("a slot that exists");
            parameter = self.arguments[&(block, to)].map_or(0, |argument| values[&argument]);
            block = to;
        }
        trace
    }
}

/// The name of a definition for the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Name {
    Constant(u32),
    Condition(Block, bool),
    /// The value of a block, used where the block's node dominates.
    Value(Block),
    /// The value of a block as it is read at the head of a node.
    Read(Block, Node),
}

/// A program on its layout, with values placed as a writer of SPIR-V places them.
struct Placed<'a> {
    program: &'a Program,
    layout: &'a Layout,
    solution: Solution<Name>,
    parameters: HashMap<Block, Variable>,
    repaired: HashMap<Block, Variable>,
    selectors: Vec<Variable>,
    dominates: Box<dyn Fn(Block, Node) -> bool + 'a>,
}

impl<'a> Placed<'a> {
    fn new(program: &'a Program, layout: &'a Layout) -> Self {
        let above = dominance(layout);
        let mut homes: HashMap<Block, Vec<Node>> = HashMap::default();
        for (node, data) in layout.nodes.iter() {
            data.origin.into_iter().for_each(|b| homes.entry(b).or_default().push(node));
        }
        let nodes_of = homes.clone();
        let dominates = Box::new(move |block: Block, node: Node| {
            homes.get(&block).is_some_and(|nodes| nodes.iter().any(|&home| above.dominates(home, node)))
        });
        let mut problem = Problem::new();
        let mut parameters = HashMap::default();
        let mut repaired: HashMap<Block, Variable> = HashMap::default();
        let mut use_value = |problem: &mut Problem<Name>, block: Block, at: Node| {
            if dominates(block, at) {
                return Name::Value(block);
            }
            let variable = *repaired.entry(block).or_insert_with(|| {
                let variable = problem.variable();
                // A block that only never-taken edges reach is not placed.
                let homes = nodes_of.get(&block).into_iter().flatten();
                homes.for_each(|&home| problem.define_inside(variable, home, Name::Value(block)));
                variable
            });
            problem.read(variable, at);
            Name::Read(block, at)
        };
        for (node, data) in layout.nodes.iter() {
            if let Some(block) = data.origin {
                let variable = *parameters.entry(block).or_insert_with(|| problem.variable());
                problem.read(variable, node);
                for &read in &program.reads[block.index()] {
                    use_value(&mut problem, read, node);
                }
            }
            for arc in data.exit.arcs() {
                for edge in &layout.takes[arc.takes] {
                    let to = program.graph.terminator(edge.from).successor(edge.slot as usize).expect("a target");
                    let name = match program.arguments[&(edge.from, to)] {
                        Some(argument) => use_value(&mut problem, argument, node),
                        None => Name::Constant(0),
                    };
                    let variable = *parameters.entry(to).or_insert_with(|| problem.variable());
                    problem.define_on_edge(variable, node, arc.to, name);
                }
            }
        }
        let value = |value: SelectorValue| match value {
            SelectorValue::Constant(n) => Name::Constant(n),
            SelectorValue::Condition { block, negated } => Name::Condition(block, negated),
        };
        let selectors = layout.selectors.keys().map(|s| problem.selector(layout, s, value)).collect();
        let cfg = Cfg::<Block>::new(program.graph.blocks.len(), |b, out| {
            out.extend(program.graph.terminator(b).successors())
        });
        let above = Dominators::new(&cfg);
        let is_parameter: HashSet<Variable> = parameters.values().copied().collect();
        let value_of: HashMap<Variable, Block> = repaired.iter().map(|(&block, &variable)| (variable, block)).collect();
        let dead = |variable, node: Node| {
            layout.nodes[node].origin.is_some_and(|at| {
                is_parameter.contains(&variable)
                    || value_of.get(&variable).is_some_and(|&home| home == at || !above.dominates(home, at))
            })
        };
        let above = |name, node: Node| match name {
            Name::Value(block) => layout.nodes[node].origin != Some(block) && dominates(block, node),
            Name::Constant(_) => true,
            Name::Read(..) | Name::Condition(..) => false,
        };
        let fuel = Fuel::default();
        let solution = problem.solve(layout, &dominance(layout), dead, above, &fuel, Place::Input);
        let solution = solution.expect("small programs keep to the budget");
        Self { program, layout, solution, parameters, repaired, selectors, dominates }
    }

    /// Runs the layout as SPIR-V runs: values by name, and the phis of a node by predecessor, all
    /// at once.
    fn run(&self, seed: u64, most: usize) -> Result<Vec<(Block, u64)>, String> {
        let mut values: HashMap<Block, u64> = HashMap::default();
        let mut phis: HashMap<usize, u64> = HashMap::default();
        let mut taken: HashMap<Block, usize> = HashMap::default();
        let mut trace = Vec::new();
        let mut node = self.layout.entry();
        let mut parameter_of_entry = Some(seed);
        while trace.len() < most {
            let data = &self.layout.nodes[node];
            if let Some(block) = data.origin {
                let parameter = match parameter_of_entry.take() {
                    Some(seed) => seed,
                    None => self.resolve(self.solution.read(self.parameters[&block], node), &values, &phis, &taken)?,
                };
                let mut reads = Vec::new();
                for &read in &self.program.reads[block.index()] {
                    reads.push(self.seen(read, node, &values, &phis, &taken)?);
                }
                let value = self.program.value(block, trace.len() as u64, parameter, &reads);
                values.insert(block, value);
                trace.push((block, value));
                match self.program.slot(block, value) {
                    Some(slot) => taken.insert(block, slot),
                    None => break,
                };
            }
            let slot = |block: &Block| taken.get(block).copied().ok_or(format!("{block} has not run"));
            let selector = |s: &Selector| {
                self.resolve(self.solution.read(self.selectors[s.index()], node), &values, &phis, &taken)
            };
            let case = |block: &Block| {
                let cases = match self.program.graph.terminator(*block) {
                    Terminator::Switch { cases, .. } => cases,
                    _ => return Err("an operand without a switch".to_owned()),
                };
                Ok(slot(block)?.checked_sub(1).and_then(|i| cases.get(i)).map(|c| c.0))
            };
            let arc = match &data.exit {
                Exit::Jump(arc) => arc,
                Exit::Branch { condition, arcs: [then, els] } => {
                    let holds = match condition {
                        Condition::Branch(block) => slot(block)? == 0,
                        Condition::Operand { block, values } => case(block)?.is_some_and(|v| values.contains(&v)),
                        Condition::Selector(s) => selector(s)? != 0,
                        Condition::SelectorIs(s, value) => selector(s)? == u64::from(*value),
                    };
                    if holds { then } else { els }
                }
                Exit::Switch { operand, values, arcs } => {
                    let value = match operand {
                        SwitchOperand::Switch(block) => case(block)?,
                        SwitchOperand::Selector(s) => Some(selector(s)?),
                    };
                    let case = values.iter().position(|values| value.is_some_and(|v| values.contains(&v)));
                    &arcs[case.unwrap_or(values.len())]
                }
                Exit::Return(_) | Exit::Unreachable => return Err(format!("{node} ends the function")),
            };
            let mut new = Vec::new();
            for &phi in self.solution.at(arc.to) {
                let entries = &self.solution.entries[self.solution.phis[phi].entries];
                let entry = entries.iter().find(|e| e.0 == node).ok_or(format!("{phi} has no entry for {node}"))?;
                // A phi operand may be undefined on a path where the phi is not read.
                new.push((phi.index(), self.resolve(entry.1, &values, &phis, &taken).unwrap_or(0xdead)));
            }
            phis.extend(new);
            node = arc.to;
        }
        Ok(trace)
    }

    fn seen(
        &self,
        block: Block,
        at: Node,
        values: &HashMap<Block, u64>,
        phis: &HashMap<usize, u64>,
        taken: &HashMap<Block, usize>,
    ) -> Result<u64, String> {
        if (self.dominates)(block, at) {
            return values.get(&block).copied().ok_or_else(|| format!("{block} is used before it runs"));
        }
        self.resolve(self.solution.read(self.repaired[&block], at), values, phis, taken)
    }

    fn resolve(
        &self,
        source: Source<Name>,
        values: &HashMap<Block, u64>,
        phis: &HashMap<usize, u64>,
        taken: &HashMap<Block, usize>,
    ) -> Result<u64, String> {
        let missing = || format!("{source:?} has no value");
        match source {
            Source::Definition(Name::Constant(n)) => Ok(u64::from(n)),
            Source::Definition(Name::Condition(block, negated)) => {
                taken.get(&block).map(|slot| u64::from((*slot == 0) != negated)).ok_or_else(missing)
            }
            Source::Definition(Name::Value(block)) => values.get(&block).copied().ok_or_else(missing),
            Source::Definition(Name::Read(block, at)) => {
                self.resolve(self.solution.read(self.repaired[&block], at), values, phis, taken)
            }
            Source::Phi(phi) => phis.get(&phi.index()).copied().ok_or_else(missing),
            Source::Undef => Err(missing()),
        }
    }

    /// Checks that a phi has exactly one entry per predecessor, and that no phi could be replaced
    /// by a single value.
    fn check(&self) {
        let mut seen = HashSet::default();
        for (phi, data) in self.solution.phis.iter() {
            assert!(seen.insert((data.variable, data.node)));
            let before: Vec<Node> = (self.layout.nodes.iter())
                .filter(|(_, d)| d.exit.arcs().iter().any(|arc| arc.to == data.node))
                .map(|(node, _)| node)
                .collect();
            let entries = &self.solution.entries[data.entries];
            assert_eq!(entries.iter().map(|e| e.0).collect::<Vec<_>>(), before);
            let mut values: Vec<Source<Name>> = Vec::new();
            for &(_, source) in entries.iter().filter(|e| e.1 != Source::Phi(phi)) {
                if !values.contains(&source) {
                    values.push(source);
                }
            }
            assert!(values.len() > 1, "{phi} merges {values:?}");
        }
    }
}

#[test]
fn values_survive_structuring() {
    let mut random = Random::new(7);
    let (mut programs, mut phis, mut repaired, mut blocks) = (0, 0, 0, 0);
    while programs < 4_000 {
        let graph = random_graph(&mut random, 40);
        let options = random_options(&mut random);
        let Ok(structured) = structure(&graph, &options) else { continue };
        let program = Program::new(&mut random, graph);
        let placed = Placed::new(&program, &structured.layout);
        placed.check();
        for seed in 0..6 {
            let expected = program.run(seed, 200);
            let found = placed.run(seed, 200);
            assert_eq!(found.as_ref(), Ok(&expected), "{options:?}\n{}\n{}", program.graph, structured.layout);
            blocks += expected.len();
        }
        programs += 1;
        phis += placed.solution.phis.len();
        repaired += placed.repaired.len();
    }
    println!("{programs} programs, {blocks} blocks run, {phis} phis, {repaired} values repaired");
    // Only values from loops with several exits need repair: nesting by dominance keeps all others
    // visible.
    assert!(repaired > 100 && phis > 10_000);
}
