//! The results of lowering a function's values.

use std::rc::Rc;

use foldhash::HashMap;

use super::lowered::{Component, Leaf, Lowered, Parts};
use crate::ir::Value;
use dxil_base::entity::Entity;
use dxil_spirv_builder::Id;
use dxil_structure::Node;
use dxil_structure::ssa::Dominance;

/// The result of lowering each local of a function.
#[derive(Debug)]
pub struct Locals {
    /// By local: the result, and the node that computed it last.
    slots: Vec<(Lowered, Node)>,
    /// Which nodes see what others compute; none for a function of one node.
    dominance: Option<Rc<Dominance>>,
    /// The leaves of all structures. [`Parts`] is a range of it.
    pool: Vec<Leaf>,
    /// Replacement ids of values whose definition no longer dominates a use after structuring, by
    /// value and node of the use.
    repaired: HashMap<(Value, Node), Id>,
}

impl Locals {
    /// Nothing is lowered of so many locals.
    pub fn new(count: usize) -> Self {
        Self {
            slots: vec![(Lowered::Nothing, Node::new(0)); count],
            dominance: None,
            pool: Vec::with_capacity(count),
            repaired: HashMap::default(),
        }
    }

    /// The function has several nodes.
    pub fn set_dominance(&mut self, dominance: Option<Rc<Dominance>>) {
        self.dominance = dominance;
    }

    /// The result of lowering a local, where a node sees it.
    #[inline]
    pub fn slot(&self, value: Value, at: Node) -> Option<Lowered> {
        let &(lowered, node) = self.slots.get(value.as_local()?)?;
        (node == at || self.is_seen(node, at)).then_some(lowered)
    }

    /// Whether a node sees what another computes: that is so if the other one dominates it. A use
    /// without such a definition, which the verifier allows, is met here ([`Uses`](super::Uses)).
    #[inline(never)]
    fn is_seen(&self, node: Node, at: Node) -> bool {
        self.dominance.as_ref().is_none_or(|dominance| dominance.dominates(node, at))
    }

    /// Sets the result of lowering a local, which a node computes.
    #[inline]
    pub fn set(&mut self, value: Value, lowered: Lowered, node: Node) {
        if let Some(slot) = value.as_local().and_then(|i| self.slots.get_mut(i)) {
            *slot = (lowered, node);
        }
    }

    /// Records that a value is a component of a vector too, or a value of its own, for the rest of
    /// the node that computed it. Other nodes may not see that.
    pub fn set_component(&mut self, value: Value, component: Component, node: Node) {
        if let Some((slot, at)) = value.as_local().and_then(|i| self.slots.get_mut(i))
            && *at == node
        {
            *slot = Lowered::Component(component);
        }
    }

    /// The component of a vector that a local is, where a node sees it.
    #[inline]
    pub fn component(&self, value: Value, at: Node) -> Option<Component> {
        match self.slots.get(value.as_local()?)? {
            &(Lowered::Component(component), node) if node == at || self.is_seen(node, at) => {
                self.repaired(value, at).is_none().then_some(component)
            }
            _ => None,
        }
    }

    /// Whether a node has computed a value already.
    #[inline]
    pub fn is_computed(&self, value: Value, node: Node) -> bool {
        let slot = value.as_local().and_then(|i| self.slots.get(i));
        slot.is_some_and(|(lowered, at)| *at == node && !matches!(lowered, Lowered::Nothing))
    }

    /// Whether a value is replaced in some node. Few functions have any, and each use of a value
    /// asks.
    #[inline]
    pub fn has_repaired(&self) -> bool {
        !self.repaired.is_empty()
    }

    /// The id that replaces a value in a node.
    #[inline]
    pub fn repaired(&self, value: Value, node: Node) -> Option<Id> {
        if !self.has_repaired() {
            return None;
        }
        self.repaired.get(&(value, node)).copied()
    }

    /// Replaces a value in a node.
    pub fn repair(&mut self, value: Value, node: Node, id: Id) {
        self.repaired.insert((value, node), id);
    }

    /// Number of leaves of structures that have been stored.
    #[inline]
    pub fn pooled(&self) -> usize {
        self.pool.len()
    }

    /// Stores the leaves of a structure in the pool.
    pub fn leaf_parts(&mut self, leaves: &[Leaf]) -> Lowered {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(leaves);
        Lowered::Parts(Parts { start, len: leaves.len() as u32 })
    }

    /// Stores the leaves of a structure in the pool, each of which is a value.
    pub fn parts(&mut self, ids: &[Id]) -> Lowered {
        let start = self.pool.len() as u32;
        self.pool.extend(ids.iter().map(|&id| Leaf::Value(id)));
        Lowered::Parts(Parts { start, len: ids.len() as u32 })
    }

    /// The leaves of a structure that an instruction returned.
    pub fn leaves(&self, parts: Parts) -> &[Leaf] {
        self.pool.get(parts.start as usize..(parts.start + parts.len) as usize).unwrap_or_default()
    }
}
