//! Values that a node has read, so that a later read of the same takes the value again.

use crate::spirv::Id;
use crate::structure::Node;

/// At most `MOST` values that a node has read, by what was read. Another node begins anew, because
/// the values may not dominate it.
#[derive(Clone, Debug)]
pub struct Kept<K, const MOST: usize> {
    node: Option<Node>,
    values: Vec<(K, Id)>,
}

impl<K, const MOST: usize> Default for Kept<K, MOST> {
    fn default() -> Self {
        Self { node: None, values: Vec::new() }
    }
}

impl<K: PartialEq, const MOST: usize> Kept<K, MOST> {
    /// The value that a node has read before.
    pub fn get(&self, node: Node, key: &K) -> Option<Id> {
        let mut of_node = self.values.iter().filter(|_| self.node == Some(node));
        of_node.find(|(other, _)| other == key).map(|(_, id)| *id)
    }

    /// Remembers a value that a node has read.
    pub fn keep(&mut self, node: Node, key: K, value: Id) {
        if self.node != Some(node) || self.values.len() >= MOST {
            self.values.clear();
        }
        self.node = Some(node);
        self.values.push((key, value));
    }

    /// Forgets everything, because what was read changes.
    pub fn clear(&mut self) {
        self.values.clear();
    }
}
