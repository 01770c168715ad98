//! The paths by which values reach their uses in a structured function.
//!
//! In: an IR function and its structured [`Layout`]. Out: a [`Flow`], which has for each node its
//! phis, and the values at its head of block parameters, selectors and repaired values. A repaired
//! value is one whose definition no longer dominates a use after structuring. Uses are searched for
//! them only where some node is not dominated as its block is, or where a use has none in the IR
//! ([`Uses`]). What must hold: all of it is decided before anything is emitted. Handles and
//! pointers take no part, because they are resolved where they are used.
//!
//! [`Uses`]: crate::lower::cx::Uses

use std::cell::{LazyCell, OnceCell};
use std::rc::Rc;

use crate::analysis::entry::ir_block;
use crate::ir;
use crate::ir::{Block, Terminator, Type, Value};
use crate::lower::cx::FunctionCx;
use crate::lower::rays::hit;
use crate::lower::resources::handle;
use dxil_base::entity::{Entity, PrimaryMap, SecondaryMap};
use dxil_base::error::Result;
use dxil_base::limits::Fuel;
use dxil_base::lists::Lists;
use dxil_base::pool::{self, Pooled};
use dxil_structure as structure;
use dxil_structure::analysis::{Cfg, Dominators};
use dxil_structure::ssa;
use dxil_structure::ssa::{Dominance, Problem, Source, Variable};
use dxil_structure::{
    Arc, Condition, Exit, Layout, Merge, Node, NodeData, Selector, SelectorValue, Structured, SwitchOperand,
};

/// Largest number of leaves of a structure that phis may merge. Structures from DXC have at most
/// eight.
const MERGED_LEAVES: usize = 64;

/// A definition of a variable in the SSA construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SsaDefinition {
    /// An IR value, read at the end of a node.
    Value(Value, Node),
    /// A constant that is assigned to a selector.
    Selected(Selector, u32),
    /// A block's branch condition, or its negation, read at the end of a node.
    Condition(Block, bool, Node),
}

/// What a variable of the SSA construction stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SsaVariable {
    /// A parameter of an IR block, read at the head of the block's node.
    Param(Value),
    /// A value whose definition does not dominate all its uses.
    Repair(Value),
    /// A selector.
    Selector(Selector),
}

/// The plan that emission follows at the head of each node.
#[derive(Default)]
pub struct Flow {
    /// What the variables of the solution stand for.
    pub roles: PrimaryMap<Variable, SsaVariable>,
    /// Which nodes dominate which; none for a single node.
    pub dominance: Option<Rc<Dominance>>,
    /// The phis of each node, and where the values of the variables that it reads come from.
    pub solution: ssa::Solution<SsaDefinition>,
    /// The nodes of each block; none for a single node.
    pub nodes_of: Lists<Block, Node>,
    /// Structures that are combined into one SPIR-V value at the end of a node, for a phi or for a
    /// use that their definition does not dominate.
    pub wholes: Lists<Node, Value>,
    /// Values that are stored to a variable at the end of the node that defines them, because a
    /// node outside a loop around that node reads them. Empty unless the driver needs it.
    pub spills: Lists<Node, Value>,
    /// Spilled values that are loaded at the head of a node outside that loop, which reads them.
    pub reloads: Lists<Node, Value>,
    /// By local: whether phis take it, because it is an argument of a block, or because its
    /// definition does not dominate all its uses. Empty for a single node.
    pub taken_by_phis: Vec<bool>,
    /// The problem that was solved.
    problem: Problem<SsaDefinition>,
}

impl Flow {
    /// Puts the memory of a flow that is not needed any more into the pool, unless it is too much.
    pub fn recycle(self) {
        let Self { roles, dominance, solution, nodes_of, mut problem, .. } = self;
        let Some(dominance) = dominance.and_then(Rc::into_inner) else { return };
        if dominance.size() + roles.len() + solution.entries.items().len() <= pool::MOST_ITEMS {
            problem.clear(solution);
            pool::put(&MEMORY, Box::new(Memory { problem, roles, nodes_of, dominance }));
        }
    }
}

/// Memory of a flow. Each list is emptied before it is used.
#[derive(Default)]
struct Memory {
    problem: Problem<SsaDefinition>,
    roles: PrimaryMap<Variable, SsaVariable>,
    nodes_of: Lists<Block, Node>,
    dominance: Dominance,
}

thread_local! {
    static MEMORY: Pooled<Box<Memory>> = const { Pooled::new(None) };
}

/// The place where a local value is defined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DefinitionSite {
    /// At the start of the function: the value is an argument.
    Argument,
    /// In one node.
    Node(Node),
    /// In a returning block that has several copies. Each copy defines the value for itself.
    Copied(Block),
    /// In a block that no path reaches. The value reads as undef.
    Nowhere,
    /// At each use: the value is a handle or pointer.
    Uses,
}

/// A [`DefinitionSite`] as one number, because a walk compares those of all operands.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PackedSite(u32);

impl PackedSite {
    const ARGUMENT: Self = Self(u32::MAX);
    const NOWHERE: Self = Self(u32::MAX - 1);
    const USES: Self = Self(u32::MAX - 2);
    /// The bit of a site in copies of a block. A function has fewer nodes and blocks.
    const COPIED: u32 = 1 << 31;

    fn node(node: Node) -> Self {
        Self(node.index() as u32)
    }
    fn copied(block: Block) -> Self {
        Self(block.index() as u32 | Self::COPIED)
    }
    fn site(self) -> DefinitionSite {
        match self {
            Self::ARGUMENT => DefinitionSite::Argument,
            Self::NOWHERE => DefinitionSite::Nowhere,
            Self::USES => DefinitionSite::Uses,
            Self(block) if block & Self::COPIED != 0 => {
                DefinitionSite::Copied(Block::new((block & !Self::COPIED) as usize))
            }
            Self(node) => DefinitionSite::Node(Node::new(node as usize)),
        }
    }
}

/// Plans how values reach their uses. With `spills`, values that leave a loop without a phi of
/// their own do so through variables.
///
/// # Errors
/// `Unsupported` for a structure, handle or pointer that would need a phi.
pub fn plan(
    cx: &FunctionCx<'_, '_>,
    function: &ir::Function,
    structured: &Structured,
    fuel: &Fuel,
    spills: bool,
) -> Result<Flow> {
    let layout = &structured.layout;
    // All values of a function of one block are defined where they are used.
    if layout.nodes.len() == 1 && function.blocks.len() == 1 {
        return Ok(Flow::default());
    }
    let origins = layout.nodes.iter().filter_map(|(node, data)| Some((ir_block(data.origin?), node)));
    let Memory { problem, mut roles, mut nodes_of, mut dominance } = *pool::take(&MEMORY);
    roles.clear();
    nodes_of.set(function.blocks.len(), origins);
    dominance.set(layout);
    let mut planner = Planner {
        cx,
        function,
        layout,
        moves: spills || cx.input.uses.searched || !keeps_dominance(structured, &nodes_of, &dominance),
        nodes_of,
        dominance,
        hit_object: hit::object_type(cx),
        sites: OnceCell::new(),
        problem,
        roles,
        params: SecondaryMap::default(),
        selectors: PrimaryMap::new(),
        taken_by_phis: vec![false; function.locals.len()],
        uses: Vec::new(),
        wholes: Vec::new(),
        loops: spills.then(|| Loops::new(layout)),
        reloads: Vec::new(),
        stack: Vec::new(),
    };
    planner.parameters()?;
    for selector in layout.selectors.keys() {
        let variable = planner.variable(SsaVariable::Selector(selector));
        planner.selectors.push(variable);
    }
    for (node, data) in layout.nodes.iter() {
        planner.node(node, data)?;
    }
    planner.repairs()?;
    planner.solve(fuel)
}

struct Planner<'c, 'm, 'a> {
    cx: &'c FunctionCx<'m, 'a>,
    function: &'c ir::Function,
    layout: &'c Layout,
    /// Whether a value may have to be moved to its uses, so that these are searched.
    moves: bool,
    nodes_of: Lists<Block, Node>,
    dominance: Dominance,
    /// The type of hit objects, if the entry point makes some.
    hit_object: Option<ir::TypeId>,
    /// Where each local is defined, once that is asked for.
    sites: OnceCell<Vec<PackedSite>>,
    problem: Problem<SsaDefinition>,
    /// What each variable stands for.
    roles: PrimaryMap<Variable, SsaVariable>,
    /// The variable of a block's first parameter. Those of the others follow it.
    params: SecondaryMap<Block, Option<Variable>>,
    selectors: PrimaryMap<Selector, Variable>,
    /// By local: whether phis take it.
    taken_by_phis: Vec<bool>,
    /// Uses that the definition of the value does not dominate.
    uses: Vec<(Value, Node)>,
    /// Structures that are combined into one SPIR-V value at the end of a node.
    wholes: Vec<(Value, Node)>,
    /// The loops, if values that leave them are spilled to variables.
    loops: Option<Loops>,
    /// Values that are loaded at the head of a node.
    reloads: Vec<(Value, Node)>,
    /// Handles and pointers whose operands are still to be read.
    stack: Vec<Value>,
}

/// The innermost loop around each node, as the nodes from its header up to its merge. The nodes of
/// a loop follow each other in the order of emission.
pub struct Loops(SecondaryMap<Node, Option<(Node, Node)>>);

impl Loops {
    /// Finds the loops of a function.
    pub fn new(layout: &Layout) -> Self {
        let (mut around, mut open) = (SecondaryMap::default(), Vec::new());
        for (node, data) in layout.nodes.iter() {
            while open.pop_if(|&mut (_, merge)| merge == node).is_some() {}
            if let Merge::Loop { merge, .. } = data.merge {
                open.push((node, merge));
            }
            around[node] = open.last().copied();
        }
        Self(around)
    }

    /// Whether a loop is around `node`.
    pub fn contain(&self, node: Node) -> bool {
        self.0[node].is_some()
    }

    /// Whether `node` is outside a loop that is around `site`.
    fn left(&self, site: Node, node: Node) -> bool {
        self.0[site].is_some_and(|(header, merge)| node < header || node >= merge)
    }
}

impl Planner<'_, '_, '_> {
    /// A new variable.
    fn variable(&mut self, role: SsaVariable) -> Variable {
        self.roles.push(role);
        self.problem.variable()
    }

    /// Records that a phi takes a value.
    fn phi_takes(&mut self, value: Value) {
        if let Some(taken) = value.as_local().and_then(|local| self.taken_by_phis.get_mut(local)) {
            *taken = true;
        }
    }

    /// Makes variables of block parameters. They are assigned on the arcs that take an edge into
    /// the block, and read at the head of the block.
    fn parameters(&mut self) -> Result<()> {
        for (id, block) in self.function.blocks.iter() {
            if block.params.is_empty() || self.nodes_of[id].is_empty() {
                continue;
            }
            self.params[id] = Some(self.roles.next_key());
            for (n, &param) in block.params.iter().enumerate() {
                if self.hit_object == Some(self.cx.type_of(param)) {
                    // The variable of the hit object is the same on all branches.
                    self.variable(SsaVariable::Param(param));
                    continue;
                }
                if !is_value(self.cx, self.cx.type_of(param)) {
                    if self.cx.input.program.module.types[self.cx.type_of(param)] == Type::Handle {
                        return Err(handle::refusal(self.cx, param));
                    }
                    return Err(unsupported!(
                        self.cx.entry.place,
                        "a phi of a pointer, or a structure or array with more than {MERGED_LEAVES} members"
                    ));
                }
                // Each branch to the block defines all of its parameters.
                let variable = if n == 0 { self.problem.variable() } else { self.problem.variable_like_last() };
                self.roles.push(SsaVariable::Param(param));
                self.nodes_of[id].iter().for_each(|&node| self.problem.read(variable, node));
            }
        }
        Ok(())
    }

    /// Records what a node reads and what its arcs assign.
    fn node(&mut self, node: Node, data: &NodeData) -> Result<()> {
        if self.moves
            && let Some(block) = data.origin
        {
            self.block(node, ir_block(block));
        }
        match &data.exit {
            Exit::Branch { condition: Condition::Branch(block) | Condition::Operand { block, .. }, .. }
            | Exit::Switch { operand: SwitchOperand::Switch(block), .. }
            | Exit::Return(block) => self.read_decider(*block, node),
            Exit::Branch { condition: Condition::Selector(s) | Condition::SelectorIs(s, _), .. }
            | Exit::Switch { operand: SwitchOperand::Selector(s), .. } => self.problem.read(self.selectors[*s], node),
            Exit::Jump(_) | Exit::Unreachable => {}
        }
        for arc in data.exit.arcs() {
            self.arc(node, arc)?;
        }
        Ok(())
    }

    /// Records what the instructions of a block read.
    fn block(&mut self, node: Node, block: Block) {
        let function = self.function;
        for &inst in &function.blocks[block].insts {
            // A handle or pointer is resolved where it is used, so its operands are not read here.
            if function.result(inst).and_then(|result| self.packed(result)) != Some(PackedSite::USES) {
                function.for_each_operand(inst, |value| self.read(value, node));
            }
        }
    }

    fn arc(&mut self, node: Node, arc: &Arc) -> Result<()> {
        let function = self.function;
        for edge in &self.layout.takes[arc.takes] {
            let from = ir_block(edge.from);
            let Some(call) = function.blocks.get(from).and_then(|b| successor(&b.terminator, edge.slot)) else {
                return Err(bug!(
                    self.cx.entry.place,
                    "the structured graph has an edge that the function does not have"
                ));
            };
            let (first, count) = (self.params[call.block], function.blocks[call.block].params.len());
            for (i, &arg) in function.list(call.args).iter().take(count).enumerate() {
                self.read(arg, node);
                self.phi_takes(arg);
                if let Some(first) = first {
                    let variable = Variable::new(first.index() + i);
                    // No node reads the variable of a hit object.
                    if self.hit_object.is_none_or(|ty| ty != self.cx.type_of(arg)) {
                        self.leaves_whole(arg, node);
                    }
                    self.problem.define_on_edge(variable, node, arc.to, SsaDefinition::Value(arg, node));
                }
            }
        }
        for &(selector, value) in &self.layout.sets[arc.sets] {
            let given = match value {
                SelectorValue::Constant(n) => SsaDefinition::Selected(selector, n),
                SelectorValue::Condition { block, negated } => {
                    self.read_decider(block, node);
                    SsaDefinition::Condition(ir_block(block), negated, node)
                }
            };
            self.problem.define_on_edge(self.selectors[selector], node, arc.to, given);
        }
        Ok(())
    }

    /// Records a read of the operand of a block's terminator: a branch condition, a switch selector
    /// or a return value.
    fn read_decider(&mut self, block: structure::Block, node: Node) {
        if let Some(value) = self.function.blocks[ir_block(block)].terminator.operand() {
            self.read(value, node);
        }
    }

    /// Records a read of a value in a node, where values may have to be moved. For a handle or
    /// pointer, the values that it is computed from are read instead.
    #[inline]
    fn read(&mut self, value: Value, node: Node) {
        if self.moves
            && let Some(site) = self.packed(value)
            && site != PackedSite::node(node)
        {
            self.read_from(site.site(), value, node);
        }
    }

    /// Where a value is defined; `None` for a constant.
    fn packed(&self, value: Value) -> Option<PackedSite> {
        let sites = self.sites.get_or_init(|| sites(self.cx, self.function, &self.nodes_of));
        sites.get(value.as_local()?).copied()
    }

    /// Where a value is defined; `None` for a constant.
    fn site(&self, value: Value) -> Option<DefinitionSite> {
        self.packed(value).map(PackedSite::site)
    }

    /// Records a read of a value that another node defines. Most operands are of the same node.
    #[inline(never)]
    fn read_from(&mut self, site: DefinitionSite, value: Value, node: Node) {
        match site {
            DefinitionSite::Argument => {}
            DefinitionSite::Node(site) if self.dominance.dominates(site, node) => self.reload(value, node),
            DefinitionSite::Copied(block) if self.layout.nodes[node].origin.map(ir_block) == Some(block) => {}
            DefinitionSite::Node(_) | DefinitionSite::Copied(_) | DefinitionSite::Nowhere => {
                self.uses.push((value, node))
            }
            DefinitionSite::Uses => self.read_deep(value, node),
        }
    }

    fn read_deep(&mut self, value: Value, node: Node) {
        /// Largest number of steps from one use. A longer chain is refused when the handle or
        /// pointer is resolved.
        const STEPS: usize = 256;
        let function = self.function;
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(value);
        for _ in 0..STEPS {
            let Some(value) = stack.pop() else { break };
            let Some((inst, _)) = function.def_inst(value) else { continue };
            function.for_each_operand(inst, |operand| match self.packed(operand) {
                Some(PackedSite::USES) => stack.push(operand),
                _ => self.read(operand, node),
            });
        }
        self.stack = stack;
    }

    /// Makes variables of values whose definition does not dominate a use. Each is defined once.
    fn repairs(&mut self) -> Result<()> {
        let mut uses = std::mem::take(&mut self.uses);
        uses.sort_unstable();
        uses.dedup();
        for same in uses.chunk_by(|a, b| a.0 == b.0) {
            let value = same[0].0;
            if !is_value(self.cx, self.cx.type_of(value)) {
                let what =
                    "the definition of a handle, pointer or large structure does not dominate a use after structuring";
                return Err(unsupported!(self.cx.entry.place, "{what}"));
            }
            let variable = self.variable(SsaVariable::Repair(value));
            self.phi_takes(value);
            if let Some(DefinitionSite::Node(site)) = self.site(value) {
                self.problem.define_inside(variable, site, SsaDefinition::Value(value, site));
                self.leaves_whole(value, site);
            }
            same.iter().for_each(|&(_, node)| self.problem.read(variable, node));
        }
        Ok(())
    }

    /// Has a value loaded at the head of a node outside the loop that it is computed in.
    fn reload(&mut self, value: Value, node: Node) {
        if let Some(loops) = &self.loops
            && let Some(DefinitionSite::Node(site)) = self.site(value)
            && loops.left(site, node)
            && is_value(self.cx, self.cx.type_of(value))
        {
            self.reloads.push((value, node));
            self.leaves_whole(value, site);
        }
    }

    fn reload_source(&mut self, source: Source<SsaDefinition>, node: Node) {
        match source {
            Source::Definition(SsaDefinition::Value(value, _)) => self.reload(value, node),
            Source::Definition(SsaDefinition::Condition(block, ..)) => {
                if let Some(value) = self.function.blocks[block].terminator.operand() {
                    self.reload(value, node);
                }
            }
            _ => {}
        }
    }

    fn leaves_whole(&mut self, value: Value, node: Node) {
        if value.as_local().is_some() && self.cx.input.is_aggregate(self.cx.type_of(value)) {
            self.wholes.push((value, node));
        }
    }

    /// Whether a definition is available in `node` as it is: a value from a node that strictly
    /// dominates `node`, an argument, or a constant.
    fn is_above(&self, given: SsaDefinition, node: Node) -> bool {
        let dominates = |above, below| above != below && self.dominance.dominates(above, below);
        match given {
            SsaDefinition::Value(value, _) if self.cx.input.is_aggregate(self.cx.type_of(value)) => false,
            SsaDefinition::Value(value, from) => match self.site(value) {
                None | Some(DefinitionSite::Argument) => true,
                // Otherwise the value has become a variable, and the definition is only what one
                // node sees of it.
                Some(DefinitionSite::Node(site)) => (site == from || dominates(site, from)) && dominates(site, node),
                Some(DefinitionSite::Copied(_) | DefinitionSite::Nowhere | DefinitionSite::Uses) => false,
            },
            SsaDefinition::Selected(..) => true,
            SsaDefinition::Condition(..) => false,
        }
    }

    fn solve(mut self, fuel: &Fuel) -> Result<Flow> {
        let nodes = &self.layout.nodes;
        // Most functions have no value to repair and do not need the dominator tree of the IR
        // graph, so it is computed on demand.
        let lives = LazyCell::new(|| Liveness::new(self.function));
        let dead = |variable, node: Node| match (nodes[node].origin, self.roles[variable]) {
            // A parameter is assigned on the arc to its block with no other IR block in between, so
            // a value from before the head of an IR block is never read after it.
            (Some(_), SsaVariable::Param(_)) => true,
            (Some(block), SsaVariable::Repair(value)) => lives.dead(value, ir_block(block)),
            _ => false,
        };
        let mut problem = std::mem::take(&mut self.problem);
        let above = |given, node| self.is_above(given, node);
        let solution = problem.solve(self.layout, &self.dominance, dead, above, fuel, self.cx.entry.place)?;
        if self.loops.is_some() {
            // What a read or a phi sees of a variable may be the definition itself.
            for node in nodes.keys() {
                solution.reads(node).iter().for_each(|&(_, source)| self.reload_source(source, node));
            }
            for phi in solution.phis.values() {
                solution.entries[phi.entries].iter().for_each(|&(from, source)| self.reload_source(source, from));
            }
        }
        let (mut wholes, mut reloads) = (std::mem::take(&mut self.wholes), std::mem::take(&mut self.reloads));
        for pairs in [&mut wholes, &mut reloads] {
            pairs.sort_unstable();
            pairs.dedup();
        }
        let mut spills: Vec<(Node, Value)> = Vec::new();
        for &(value, _) in &reloads {
            if let Some(DefinitionSite::Node(site)) = self.site(value) {
                spills.push((site, value));
            }
        }
        spills.dedup();
        let by_node =
            |pairs: &[(Value, Node)]| Lists::new(nodes.len(), pairs.iter().map(|&(value, node)| (node, value)));
        let (wholes, reloads) = (by_node(&wholes), by_node(&reloads));
        Ok(Flow {
            roles: self.roles,
            dominance: Some(Rc::new(self.dominance)),
            solution,
            nodes_of: self.nodes_of,
            wholes,
            spills: Lists::new(nodes.len(), spills.iter().copied()),
            reloads,
            taken_by_phis: self.taken_by_phis,
            problem,
        })
    }
}

/// Whether nodes dominate each other as their blocks do. Then each definition that dominates a use
/// in the function does so in the layout.
fn keeps_dominance(structured: &Structured, nodes_of: &Lists<Block, Node>, dominance: &Dominance) -> bool {
    let Some(dominators) = &structured.dominators else { return false };
    structured.layout.nodes.iter().all(|(node, data)| {
        let above = data.origin.and_then(|block| dominators.immediate(block)).map(|above| &nodes_of[ir_block(above)]);
        above.is_none_or(|above| matches!(*above, [above] if dominance.dominates(above, node)))
    })
}

/// Finds blocks of the IR function at whose head a value is dead, by dominance in the function's
/// graph.
struct Liveness {
    /// The block that defines each local value.
    sites: Vec<Option<Block>>,
    dominators: Dominators<Block>,
}

impl Liveness {
    fn new(function: &ir::Function) -> Self {
        let mut sites = vec![None; function.locals.len()];
        for (id, block) in function.blocks.iter() {
            for_each_definition(function, block, |local| sites[local] = Some(id));
        }
        let cfg = Cfg::new(function.blocks.len(), |block, out| {
            out.extend(function.blocks[block].terminator.targets().map(|call| call.block));
        });
        Self { sites, dominators: Dominators::new(&cfg) }
    }

    /// Whether a value is dead at the head of block `at`. Every use is dominated by the block that
    /// defines the value. So on any path from a block that is not dominated by it, the definition
    /// comes before a use.
    fn dead(&self, value: Value, at: Block) -> bool {
        match value.as_local().and_then(|i| self.sites.get(i)) {
            Some(&Some(site)) => site == at || !self.dominators.dominates(site, at),
            _ => false,
        }
    }
}

/// Whether values of a type have a SPIR-V id, so that a phi can merge them.
fn is_value(cx: &FunctionCx<'_, '_>, ty: ir::TypeId) -> bool {
    // Structures and arrays are combined into one value at the end of a node and taken apart at the
    // head of the next.
    let scalar = matches!(cx.input.ir_type(ty), Type::Int(_) | Type::Float(_) | Type::Vector { .. });
    scalar || cx.input.is_aggregate(ty) && cx.entry.leaf_count(ty).is_ok_and(|leaves| leaves <= MERGED_LEAVES)
}

/// Calls `f` on the locals that a block defines: the results of its instructions, and its
/// parameters.
fn for_each_definition(function: &ir::Function, block: &ir::BlockData, mut f: impl FnMut(usize)) {
    for &inst in &block.insts {
        function.result(inst).and_then(Value::as_local).into_iter().for_each(&mut f);
    }
    block.params.iter().filter_map(|param| param.as_local()).for_each(f);
}

fn sites(cx: &FunctionCx<'_, '_>, function: &ir::Function, nodes_of: &Lists<Block, Node>) -> Vec<PackedSite> {
    // A hit object is a variable, which its uses name.
    let hit_object = hit::object_type(cx);
    let is_virtual = |ty| matches!(cx.input.ir_type(ty), Type::Handle | Type::Pointer { .. }) || hit_object == Some(ty);
    let site = |local: &ir::Local| if is_virtual(local.ty) { PackedSite::USES } else { PackedSite::NOWHERE };
    let mut sites: Vec<PackedSite> = function.locals.iter().map(site).collect();
    let mut define = |local: usize, own| {
        if let Some(site) = sites.get_mut(local).filter(|site| **site != PackedSite::USES) {
            *site = own;
        }
    };
    for (id, block) in function.blocks.iter() {
        let own = match nodes_of[id] {
            [] => continue,
            [node] => PackedSite::node(node),
            // No block runs after a returning block, so the values that it defines have no use
            // elsewhere, except in unreachable code.
            _ => PackedSite::copied(id),
        };
        for_each_definition(function, block, |local| define(local, own));
    }
    function.args.iter().filter_map(|arg| arg.as_local()).for_each(|arg| define(arg, PackedSite::ARGUMENT));
    sites
}

/// The target and arguments of a successor slot, in [`structure::Terminator::successor`]'s order.
fn successor(terminator: &Terminator, slot: u32) -> Option<ir::BlockCall> {
    match (terminator, slot) {
        (Terminator::Jump(to), 0) => Some(*to),
        (Terminator::Branch { then, .. }, 0) => Some(*then),
        (Terminator::Branch { otherwise, .. }, 1) => Some(*otherwise),
        (Terminator::Switch { default, .. }, 0) => Some(*default),
        (Terminator::Switch { cases, .. }, n) => cases.get(n as usize - 1).map(|c| c.1),
        _ => None,
    }
}
