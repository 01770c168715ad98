//! The output of structuring: a block graph that keeps the structured control-flow rules, ready to
//! be written in order.
//!
//! In: the [tree](super::tree) lowered by `lower`. Out: [`Layout`], which names no SPIR-V type.
//! What must hold is checked by [`super::legal`]. A writer goes through [`Layout::nodes`] in order.
//! For each node it writes the label, the phis (from [`super::ssa`]), the instructions of its
//! `origin` if it has one, the merge instruction, and the terminator.

use std::fmt;

use crate::analysis::Cfg;
use crate::dispatch::DISPATCH;
use crate::graph::{Block, Edge};
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;
use dxil_base::lists::{List, Lists, Pool};

entity! {
    /// A block of the structured graph.
    pub struct Node, "n";
    /// A variable that carries an exit's label to the merge where it is tested.
    pub struct Selector, "s";
}

/// The type of a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SelectorType {
    /// A boolean: 0 is false, 1 is true.
    Bool,
    /// A 32-bit unsigned integer.
    U32,
}

/// A value that a selector is set to on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SelectorValue {
    /// A constant, 0 or 1 for a boolean.
    Constant(u32),
    /// The condition of an original block that ends in a two-way branch, or its negation; booleans
    /// only.
    Condition {
        /// The block whose condition it is. The edge leaves that block's node.
        block: Block,
        /// Whether the condition is negated.
        negated: bool,
    },
}

/// The condition that a two-way branch of the structured graph tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The condition of an original block that ends in a two-way branch.
    Branch(Block),
    /// The operand of an original block's switch equals one of these values. The block is not
    /// always this node's origin, but its node dominates this one.
    Operand {
        /// The block that ends in the switch.
        block: Block,
        /// The values, at least one.
        values: Vec<u64>,
    },
    /// A boolean selector is true.
    Selector(Selector),
    /// An integer selector has this value.
    SelectorIs(Selector, u32),
}

/// The operand of a switch of the structured graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchOperand {
    /// The operand of this original block's switch.
    Switch(Block),
    /// An integer selector.
    Selector(Selector),
}

/// An edge of the structured graph, with the assignments made on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// Target node.
    pub to: Node,
    /// The original edges taken here, in [`Layout::takes`]: the parameters of their targets get the
    /// arguments of these edges. Their targets differ. There is nearly always one such edge or
    /// none.
    pub takes: List<Edge>,
    /// The selectors set here, in [`Layout::sets`].
    pub sets: List<(Selector, SelectorValue)>,
}

impl Arc {
    /// An edge that takes no original edge and sets no selector.
    pub fn plain(to: Node) -> Self {
        Self { to, takes: List::EMPTY, sets: List::EMPTY }
    }
}

/// The merge instruction before a node's terminator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merge {
    /// No merge instruction.
    #[default]
    None,
    /// `OpSelectionMerge`.
    Selection(Node),
    /// `OpLoopMerge`. A node with this merge instruction has no origin and ends in a jump.
    Loop {
        /// The merge block.
        merge: Node,
        /// The continue target: a node of its own that jumps back.
        continuing: Node,
        /// The original block that heads the loop, whose loop control applies; none for a loop
        /// whose header is a dispatch block.
        header: Option<Block>,
    },
}

/// How a node ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Exit {
    /// Goes to one node.
    Jump(Arc),
    /// Goes to one of two different nodes.
    Branch {
        /// Condition under test.
        condition: Condition,
        /// Taken if the condition holds, and taken otherwise.
        arcs: [Arc; 2],
    },
    /// Goes to the node of the case that has the operand's value. All targets differ.
    Switch {
        /// Switch operand.
        operand: SwitchOperand,
        /// The values of each case, at least one.
        values: Vec<Vec<u64>>,
        /// The edges of the cases, and the one that is taken if no value is equal.
        arcs: Vec<Arc>,
    },
    /// Returns as this original block does. The block is the node's origin.
    Return(Block),
    /// Is never reached.
    #[default]
    Unreachable,
}

impl Exit {
    /// The outgoing edges: the one of a true condition before that of a false one, cases before the
    /// default.
    #[inline]
    pub fn arcs(&self) -> &[Arc] {
        match self {
            Self::Jump(arc) => std::slice::from_ref(arc),
            Self::Branch { arcs, .. } => arcs,
            Self::Switch { arcs, .. } => arcs,
            Self::Return(_) | Self::Unreachable => &[],
        }
    }
    /// The outgoing edges, mutable.
    #[inline]
    pub(super) fn arcs_mut(&mut self) -> &mut [Arc] {
        match self {
            Self::Jump(arc) => std::slice::from_mut(arc),
            Self::Branch { arcs, .. } => arcs,
            Self::Switch { arcs, .. } => arcs,
            Self::Return(_) | Self::Unreachable => &mut [],
        }
    }
    /// The selector that the terminator tests, mutable.
    fn tests_mut(&mut self) -> Option<&mut Selector> {
        match self {
            Self::Branch { condition: Condition::Selector(s) | Condition::SelectorIs(s, _), .. } => Some(s),
            Self::Switch { operand: SwitchOperand::Selector(s), .. } => Some(s),
            _ => None,
        }
    }
    /// The selector that the terminator tests.
    pub fn tests(&self) -> Option<Selector> {
        match self {
            Self::Branch { condition: Condition::Selector(s) | Condition::SelectorIs(s, _), .. } => Some(*s),
            Self::Switch { operand: SwitchOperand::Selector(s), .. } => Some(*s),
            _ => None,
        }
    }
}

/// A block of the structured graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeData {
    /// The original block whose instructions run here; none for headers, latches, merges and arms
    /// that structuring adds.
    pub origin: Option<Block>,
    /// The merge instruction.
    pub merge: Merge,
    /// The terminator.
    pub exit: Exit,
}

impl NodeData {
    /// Visits every node named here.
    pub(super) fn for_each_node(&mut self, mut visit: impl FnMut(&mut Node)) {
        match &mut self.merge {
            Merge::None => {}
            Merge::Selection(merge) => visit(merge),
            Merge::Loop { merge, continuing, .. } => {
                visit(merge);
                visit(continuing);
            }
        }
        self.exit.arcs_mut().iter_mut().for_each(|arc| visit(&mut arc.to));
    }
}

/// The structured graph of one function. Nodes are in emission order, the entry first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The blocks, in the order to write them.
    pub nodes: PrimaryMap<Node, NodeData>,
    /// The selectors.
    pub selectors: PrimaryMap<Selector, SelectorType>,
    /// The original edges that edges take.
    pub takes: Pool<Edge>,
    /// The selectors that edges set.
    pub sets: Pool<(Selector, SelectorValue)>,
}

/// The edges to each node, as the node that an edge leaves and its place in [`Exit::arcs`].
pub(super) type ArcsTo = Lists<Node, (Node, u32)>;

impl Layout {
    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.selectors.clear();
        self.takes.clear();
        self.sets.clear();
    }
    /// The node to start from. No edge goes to it.
    pub fn entry(&self) -> Node {
        Node::new(0)
    }
    /// The nodes and edges as a control-flow graph.
    pub fn cfg(&self) -> Cfg<Node> {
        Cfg::new(self.nodes.len(), |node, out| out.extend(self.nodes[node].exit.arcs().iter().map(|arc| arc.to)))
    }
    /// The nodes at whose head a selector is live, that is, has a value that some test reads.
    pub(super) fn live(&self, arcs_to: &ArcsTo, selector: Selector) -> Vec<bool> {
        let mut live = vec![false; self.nodes.len()];
        let tests = self.nodes.keys().filter(|&n| self.nodes[n].exit.tests() == Some(selector)).collect();
        self.walk_live(arcs_to, selector, tests, |node| !std::mem::replace(&mut live[node.index()], true));
        live
    }
    /// The edges to each node. Edges that control never takes are left out.
    pub(super) fn arcs_to(&self, cfg: &Cfg<Node>) -> ArcsTo {
        let reachable = self.nodes.iter().filter(|(node, _)| cfg.is_reachable(*node));
        let arcs = reachable
            .flat_map(|(node, data)| (0..).zip(data.exit.arcs()).map(move |(place, arc)| (arc.to, (node, place))));
        Lists::new(self.nodes.len(), arcs)
    }
    /// Visits the nodes at whose head a selector is live, from those that test it upwards. `enter`
    /// tells whether a node is visited for the first time.
    fn walk_live(&self, arcs_to: &ArcsTo, selector: Selector, tests: Vec<Node>, mut enter: impl FnMut(Node) -> bool) {
        let mut stack = tests;
        while let Some(node) = stack.pop() {
            if enter(node) {
                let passes = |&&(from, place): &&(Node, u32)| {
                    let arc = self.nodes[from].exit.arcs().get(place as usize);
                    arc.is_some_and(|arc| self.sets[arc.sets].iter().all(|set| set.0 != selector))
                };
                stack.extend(arcs_to[node].iter().filter(passes).map(|&(from, _)| from));
            }
        }
    }
    /// Removes selector assignments on edges after which no test reads the selector. A selector
    /// costs the nodes where it is live, and the edges that set it.
    ///
    /// # Errors
    /// `Limit` if the live nodes of all selectors together are more than the budget has steps.
    pub(super) fn drop_unread_settings(&mut self, arcs_to: &ArcsTo, fuel: &Fuel) -> Result<()> {
        let tests = self.nodes.iter().filter_map(|(node, data)| Some((data.exit.tests()?, node)));
        let tests = Lists::new(self.selectors.len(), tests);
        let arcs = self
            .nodes
            .iter()
            .flat_map(|(node, data)| (0..).zip(data.exit.arcs()).map(move |(place, arc)| ((node, place), arc.sets)));
        let sets = arcs.flat_map(|(arc, sets)| self.sets[sets].iter().map(move |set| (set.0, arc)));
        let sets: Lists<Selector, (Node, u32)> = Lists::new(self.selectors.len(), sets);
        // By node: the number of the last selector that is live there.
        let mut live = vec![0; self.nodes.len()];
        for selector in self.selectors.keys() {
            let (number, mut visited) = (selector.index() + 1, 0);
            self.walk_live(arcs_to, selector, tests[selector].to_vec(), |node| {
                visited += 1;
                std::mem::replace(&mut live[node.index()], number) != number
            });
            fuel.steps(Place::Input, DISPATCH, visited)?;
            for &(node, place) in &sets[selector] {
                if let Some(arc) = self.nodes[node].exit.arcs_mut().get_mut(place as usize)
                    && live[arc.to.index()] != number
                {
                    self.sets.retain(&mut arc.sets, |set| set.0 != selector);
                }
            }
        }
        Ok(())
    }
    /// Removes selectors that are never tested, with their assignments, and renumbers the others.
    pub(super) fn drop_unused_selectors(&mut self) {
        // Few functions have a selector that is tested.
        if !self.nodes.values().any(|data| data.exit.tests().is_some()) {
            self.selectors.clear();
            self.sets.clear();
            let arcs = self.nodes.values_mut().flat_map(|data| data.exit.arcs_mut());
            arcs.for_each(|arc| arc.sets = List::EMPTY);
            return;
        }
        let mut used = vec![false; self.selectors.len()];
        self.nodes.values().filter_map(|data| data.exit.tests()).for_each(|selector| used[selector.index()] = true);
        let mut selectors = PrimaryMap::new();
        let numbers: Vec<Selector> = (self.selectors.iter())
            .map(|(selector, of)| if used[selector.index()] { selectors.push(*of) } else { selectors.next_key() })
            .collect();
        self.selectors = selectors;
        for data in self.nodes.values_mut() {
            data.exit.arcs_mut().iter_mut().for_each(|arc| self.sets.retain(&mut arc.sets, |set| used[set.0.index()]));
            data.exit.tests_mut().into_iter().for_each(|selector| *selector = numbers[selector.index()]);
        }
        self.sets.items_mut().iter_mut().for_each(|set| set.0 = numbers[set.0.index()]);
    }
}

impl fmt::Display for SelectorValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(n) => write!(f, "{n}"),
            Self::Condition { block, negated } => write!(f, "{}{block}", if *negated { "!" } else { "" }),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Branch(block) => write!(f, "{block}"),
            Self::Operand { block, values } => write!(f, "{block} in {values:?}"),
            Self::Selector(selector) => write!(f, "{selector}"),
            Self::SelectorIs(selector, value) => write!(f, "{selector}=={value}"),
        }
    }
}

impl fmt::Display for Layout {
    /// One line per node: its name, the block that runs there, its merge, and its terminator. After
    /// an edge's target stand the original edges it takes and the selectors it sets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arc = |arc: &Arc| {
            let mut text = arc.to.to_string();
            self.takes[arc.takes].iter().for_each(|edge| text += &format!(" {edge}"));
            self.sets[arc.sets].iter().for_each(|(selector, value)| text += &format!(" {selector}={value}"));
            text
        };
        for (node, data) in self.nodes.iter() {
            write!(f, "{node}:")?;
            if let Some(origin) = data.origin {
                write!(f, " {origin};")?;
            }
            match data.merge {
                Merge::None => {}
                Merge::Selection(merge) => write!(f, " select {merge};")?,
                Merge::Loop { merge, continuing, .. } => write!(f, " loop {merge} {continuing};")?,
            }
            match &data.exit {
                Exit::Jump(to) => writeln!(f, " jump {}", arc(to))?,
                Exit::Branch { condition, arcs: [then, els] } => {
                    writeln!(f, " if {condition} then {} else {}", arc(then), arc(els))?;
                }
                Exit::Switch { operand, values, arcs } => {
                    match operand {
                        SwitchOperand::Switch(block) => write!(f, " switch {block}")?,
                        SwitchOperand::Selector(selector) => write!(f, " switch {selector}")?,
                    }
                    for (values, to) in values.iter().zip(arcs) {
                        write!(f, " {values:?} {},", arc(to))?;
                    }
                    writeln!(f, " default {}", arcs.last().map(arc).unwrap_or_default())?;
                }
                Exit::Return(_) => writeln!(f, " return")?,
                Exit::Unreachable => writeln!(f, " unreachable")?,
            }
        }
        Ok(())
    }
}
