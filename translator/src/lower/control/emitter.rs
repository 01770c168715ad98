//! The nodes of a structured function: what stands at the head of each, and the operands of phis.
//!
//! In: a structured graph and the [`Flow`] of its values. Out: phis, and the values that a node
//! reads at its head. What must hold: the operands of a phi are filled in when all values have been
//! written. [`exit`](super::exit) emits the ends of nodes.

use foldhash::HashMap;
use rspirv::spirv::LoopControl;

use super::flow::{Flow, SsaDefinition, SsaVariable};
use super::spills::Spills;
use crate::ir;
use crate::ir::{Block, Terminator, Value};
use crate::lower::cx::{Code, FunctionCx, Leaf, Lowered};
use dxil_base::entity::{Entity, SecondaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::lists::List;
use dxil_spirv_builder as spirv;
use dxil_spirv_builder::{Id, Module};
use dxil_structure::ssa;
use dxil_structure::ssa::{PhiData, Source};
use dxil_structure::{Layout, Node, Selector, SelectorType};

/// A phi whose operands are filled in when all values have been written.
struct Pending {
    phi: spirv::Phi,
    entries: List<(Node, Source<SsaDefinition>)>,
    ty: Id,
}

/// Emits the nodes of a structured function.
pub struct Emitter<'f> {
    pub(super) function: &'f ir::Function,
    pub(super) layout: &'f Layout,
    pub(super) flow: &'f Flow,
    /// The label of each node, and that of the block that it ends in.
    labels: Vec<(Id, Option<Id>)>,
    pending: Vec<Pending>,
    phi_ids: SecondaryMap<ssa::Phi, Option<Id>>,
    /// The value of each selector at the nodes that test it.
    selectors: HashMap<(Selector, Node), Id>,
    /// Negations of branch conditions that arcs assign to selectors, by block and the node that the
    /// arc leaves.
    pub(super) negated: HashMap<(Block, Node), Id>,
    /// Structures combined into one SPIR-V value, by the node at whose end they are combined.
    pub(super) wholes: HashMap<(Value, Node), Id>,
    /// The values that leave a loop through variables.
    pub(super) spills: Spills,
    /// The unroll hints of loops, by header.
    pub(super) unrolling: HashMap<Block, LoopControl>,
}

/// Charges the leaves of structures that are copied.
pub fn charge_leaves(place: Place, code: &Code<'_, '_>, leaves: usize) -> Result<()> {
    code.fuel.items::<Leaf>(place, "members of structures that are copied", leaves)
}

/// The unroll hint of each loop, by header. A hint is metadata of a branch back to the header. Only
/// branches whose target dominates them count: after unrolling, branches between the copies of a
/// loop body still carry the hint, and they may enter another loop to which it does not apply.
fn unrolling(function: &ir::Function, flow: &Flow) -> HashMap<Block, LoopControl> {
    let mut controls = HashMap::default();
    let hinted = |block: &ir::BlockData| block.hints.unroll || block.hints.no_unroll;
    let Some(dominance) = &flow.dominance else { return controls };
    let node_of = |block| flow.nodes_of[block].last();
    for (from, block) in function.blocks.iter().filter(|(_, block)| hinted(block)) {
        for target in block.terminator.targets() {
            let (Some(&header), Some(&latch)) = (node_of(target.block), node_of(from)) else { continue };
            if dominance.dominates(header, latch) {
                let control = if block.hints.no_unroll { LoopControl::DONT_UNROLL } else { LoopControl::UNROLL };
                controls.entry(target.block).or_insert(control);
            }
        }
    }
    controls
}

impl<'f> Emitter<'f> {
    /// Nothing is emitted of a function.
    pub fn new(function: &'f ir::Function, layout: &'f Layout, flow: &'f Flow, labels: Vec<(Id, Option<Id>)>) -> Self {
        Self {
            function,
            layout,
            flow,
            labels,
            pending: Vec::with_capacity(flow.solution.phis.len()),
            phi_ids: SecondaryMap::default(),
            selectors: HashMap::default(),
            negated: HashMap::default(),
            wholes: HashMap::default(),
            spills: Spills::default(),
            unrolling: unrolling(function, flow),
        }
    }

    /// The label of a node.
    pub fn label(&self, cx: &FunctionCx<'_, '_>, node: Node) -> Result<Id> {
        self.labels.get(node.index()).map(|labels| labels.0).ok_or_else(|| bug!(cx.entry.place, "{node} has no label"))
    }

    /// Sets the label of the block that a node ends in.
    pub fn end(&mut self, node: Node, label: Id) {
        if let Some((_, end)) = self.labels.get_mut(node.index()) {
            *end = Some(label);
        }
    }

    /// The SPIR-V type of a variable's values.
    fn role_type(&self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, role: SsaVariable) -> Result<Id> {
        match role {
            SsaVariable::Param(value) | SsaVariable::Repair(value) => {
                let ty = cx.type_of(value);
                cx.entry.ty(code, ty)
            }
            SsaVariable::Selector(selector) => Ok(match self.layout.selectors.get(selector) {
                Some(SelectorType::Bool) => code.type_bool(),
                _ => code.type_u32(),
            }),
        }
    }

    /// Emits the phis of a node, and sets the values that are read at its head.
    pub fn head(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, node: Node) -> Result<()> {
        let Flow { roles, solution, reloads, .. } = self.flow;
        for &phi in solution.at(node) {
            let PhiData { variable, entries, .. } = solution.phis[phi];
            let ty = self.role_type(cx, code, roles[variable])?;
            let written = code.phi_later(ty, entries.len() as u32);
            self.phi_ids[phi] = Some(written.id);
            self.pending.push(Pending { phi: written, entries, ty });
            code.check_size()?;
        }
        for &value in &reloads[node] {
            self.spills.load(cx, code, value)?;
        }
        for &(variable, source) in solution.reads(node) {
            let role = roles[variable];
            let ty = self.role_type(cx, code, role)?;
            let id = self.source(cx, code, source, node, ty)?;
            match role {
                SsaVariable::Param(value) if cx.input.is_aggregate(cx.type_of(value)) => {
                    let mut leaves = Vec::new();
                    let ty = cx.type_of(value);
                    cx.entry.explode(code, id, ty, &mut leaves)?;
                    charge_leaves(cx.entry.place, code, leaves.len())?;
                    let parts = cx.locals.parts(&leaves);
                    cx.locals.set(value, parts, node);
                    code.check_size()?;
                }
                SsaVariable::Param(value) => cx.locals.set(value, Lowered::Id(id), node),
                SsaVariable::Repair(value) => {
                    cx.locals.repair(value, node, id);
                }
                SsaVariable::Selector(selector) => {
                    self.selectors.insert((selector, node), id);
                }
            }
        }
        Ok(())
    }

    fn source(
        &self,
        cx: &mut FunctionCx<'_, '_>,
        module: &mut Module<'_>,
        source: Source<SsaDefinition>,
        at: Node,
        ty: Id,
    ) -> Result<Id> {
        match source {
            Source::Definition(SsaDefinition::Value(value, _)) => {
                if let Some(id) = self.spills.loaded(value, at, false) {
                    return Ok(id);
                }
            }
            Source::Definition(SsaDefinition::Condition(block, negated, _)) => {
                let value = self.condition_value(cx, block)?;
                if let Some(id) = self.spills.loaded(value, at, negated) {
                    return Ok(id);
                }
            }
            _ => {}
        }
        match source {
            // A path without a definition reads zero, as `undef` does in `EntryCx::constant`,
            // because the value may reach a branch condition.
            Source::Undef => Ok(module.const_null(ty)),
            Source::Phi(phi) => match self.phi_ids[phi] {
                Some(id) => Ok(id),
                None => Err(bug!(cx.entry.place, "a phi is read before it is emitted")),
            },
            Source::Definition(given) => self.given(cx, module, given),
        }
    }

    /// The value of a definition that has been emitted.
    fn given(&self, cx: &mut FunctionCx<'_, '_>, module: &mut Module<'_>, given: SsaDefinition) -> Result<Id> {
        match given {
            SsaDefinition::Value(value, node) => {
                if let Some(&whole) = self.wholes.get(&(value, node)) {
                    return Ok(whole);
                }
                let here = std::mem::replace(&mut cx.node, node);
                let id = cx.emitted(module, value);
                cx.node = here;
                id
            }
            SsaDefinition::Selected(selector, n) => Ok(match self.layout.selectors.get(selector) {
                Some(SelectorType::Bool) => module.const_bool(n != 0),
                _ => module.const_u32(n),
            }),
            SsaDefinition::Condition(block, true, node) => match self.negated.get(&(block, node)) {
                Some(&id) => Ok(id),
                None => Err(bug!(cx.entry.place, "the negation of a branch condition was not computed")),
            },
            SsaDefinition::Condition(block, false, node) => {
                let condition = self.condition_value(cx, block)?;
                let here = std::mem::replace(&mut cx.node, node);
                let id = cx.emitted(module, condition);
                cx.node = here;
                id
            }
        }
    }

    /// The value that decides the terminator of a block.
    pub fn condition_value(&self, cx: &FunctionCx<'_, '_>, block: Block) -> Result<Value> {
        match &self.function.blocks[block].terminator {
            Terminator::Branch { condition, .. } => Ok(*condition),
            Terminator::Switch { selector, .. } => Ok(*selector),
            _ => Err(bug!(cx.entry.place, "{block} has no condition")),
        }
    }

    /// The value of a selector in the node.
    pub fn selector(&self, cx: &FunctionCx<'_, '_>, selector: Selector) -> Result<Id> {
        let id = self.selectors.get(&(selector, cx.node)).copied();
        id.ok_or_else(|| bug!(cx.entry.place, "selector {selector} has no value in this node"))
    }

    /// Fills in the operands of the phis, after every value has been emitted.
    pub fn patch(&mut self, cx: &mut FunctionCx<'_, '_>, module: &mut Module<'_>) -> Result<()> {
        for pending in std::mem::take(&mut self.pending) {
            for (i, &(predecessor, source)) in self.flow.solution.entries[pending.entries].iter().enumerate() {
                let value = self.source(cx, module, source, predecessor, pending.ty)?;
                let Some(label) = self.labels.get(predecessor.index()).and_then(|labels| labels.1) else {
                    return Err(bug!(cx.entry.place, "a phi has the predecessor {predecessor}, which was not emitted"));
                };
                module.patch_phi(pending.phi, i as u32, value, label);
            }
        }
        Ok(())
    }
}
