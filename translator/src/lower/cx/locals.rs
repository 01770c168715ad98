//! The results of lowering a function's values.

use foldhash::HashMap;

use super::lowered::{Lowered, Parts};
use crate::ir::Value;
use dxil_base::entity::Entity;
use dxil_spirv_builder::Id;
use dxil_structure::Node;

/// The result of lowering each local of a function.
#[derive(Debug)]
pub struct Locals {
    slots: Vec<Lowered>,
    /// The leaves of all structures. [`Parts`] is a range of it.
    pool: Vec<Id>,
    /// Replacement ids of values whose definition no longer dominates a use after structuring, by
    /// value and node of the use.
    repaired: HashMap<(Value, Node), Id>,
    /// The node in which each local got its result last, where debug information is written.
    sites: Vec<Node>,
}

impl Locals {
    /// Nothing is lowered of so many locals.
    pub fn new(count: usize) -> Self {
        Self {
            slots: vec![Lowered::Nothing; count],
            pool: Vec::with_capacity(count),
            repaired: HashMap::default(),
            sites: Vec::new(),
        }
    }

    /// The result of lowering a local.
    #[inline]
    pub fn slot(&self, value: Value) -> Option<Lowered> {
        self.slots.get(value.as_local()?).copied()
    }

    /// Sets the result of lowering a local.
    #[inline]
    pub fn set(&mut self, value: Value, lowered: Lowered) {
        if let Some(slot) = value.as_local().and_then(|i| self.slots.get_mut(i)) {
            *slot = lowered;
        }
    }

    /// Keeps from here on in which node each local gets its result.
    pub fn keep_sites(&mut self) {
        self.sites = vec![Node::new(0); self.slots.len()];
    }

    /// A local gets its result in a node.
    #[inline]
    pub fn set_site(&mut self, value: Value, node: Node) {
        if !self.sites.is_empty()
            && let Some(site) = value.as_local().and_then(|local| self.sites.get_mut(local))
        {
            *site = node;
        }
    }

    /// The node in which a local got its result last.
    pub fn site(&self, value: Value) -> Option<Node> {
        self.sites.get(value.as_local()?).copied()
    }

    /// Whether a value is replaced in some node. Few functions have any, and each use of a value asks.
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
    pub fn parts(&mut self, ids: &[Id]) -> Lowered {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(ids);
        Lowered::Parts(Parts { start, len: ids.len() as u32 })
    }

    /// The leaves of a structure that an instruction returned.
    pub fn leaves(&self, parts: Parts) -> &[Id] {
        self.pool.get(parts.start as usize..(parts.start + parts.len) as usize).unwrap_or_default()
    }
}
