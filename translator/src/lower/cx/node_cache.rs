//! Values that a node has read, so that a later read of the same takes the value again.

use crate::analysis::handles::Handle;
use crate::ir::Value;
use crate::ops::OpCode;
use dxil_spirv_builder::Id;
use dxil_structure::Node;

/// A row of a constant buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowKey {
    /// The handle of the buffer.
    pub handle: Handle,
    /// The offset of the row's first byte is this value, if there is one, plus a constant.
    pub base: Option<Value>,
    /// The constant.
    pub offset: u32,
}

/// What was read. A later read of the same takes the value again.
#[derive(Clone, Debug, Default)]
pub struct NodeReads {
    /// `SV_Position`, where the function is the entry's and reads one that is computed from the
    /// builtin. All nodes see it.
    pub position: Option<[Option<Id>; 4]>,
    /// The rows of constant buffers that one node has read.
    pub rows: NodeCache<RowKey, 32>,
    /// What operations of one node have read of ray queries, by the query's handle.
    pub queries: NodeCache<(Value, OpCode), 64>,
}

/// At most `MOST` values that a node has read, by what was read. Another node begins anew, because
/// the values may not dominate it.
#[derive(Clone, Debug)]
pub struct NodeCache<K, const MOST: usize> {
    node: Option<Node>,
    values: Vec<(K, Id)>,
}

impl<K, const MOST: usize> Default for NodeCache<K, MOST> {
    fn default() -> Self {
        Self { node: None, values: Vec::new() }
    }
}

impl<K: PartialEq, const MOST: usize> NodeCache<K, MOST> {
    /// The value that a node has read before.
    pub fn get(&self, node: Node, key: &K) -> Option<Id> {
        let mut of_node = self.values.iter().filter(|_| self.node == Some(node));
        of_node.find(|(other, _)| other == key).map(|(_, id)| *id)
    }

    /// Remembers a value that a node has read.
    pub fn insert(&mut self, node: Node, key: K, value: Id) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use dxil_base::entity::Entity;
    use dxil_base::profile::VULKAN_1_3_DESKTOP;
    use dxil_spirv_builder::Module;

    #[test]
    fn values_belong_to_one_node() {
        let [first, second] = [0, 1].map(Node::new);
        let mut module = Module::new(&VULKAN_1_3_DESKTOP, (1, 3), false);
        let [a, b, c] = [(); 3].map(|()| module.fresh());
        let mut cache = NodeCache::<u32, 2>::default();
        cache.insert(first, 10, a);
        cache.insert(first, 11, b);
        assert_eq!((cache.get(first, &10), cache.get(first, &11)), (Some(a), Some(b)));
        assert_eq!((cache.get(first, &12), cache.get(second, &10)), (None, None));
        // The third value takes the place of both.
        cache.insert(first, 12, c);
        assert_eq!((cache.get(first, &10), cache.get(first, &12)), (None, Some(c)));
        // Those of the first node may not dominate the second.
        cache.insert(second, 13, a);
        assert_eq!((cache.get(second, &12), cache.get(second, &13)), (None, Some(a)));
        cache.clear();
        assert_eq!(cache.get(second, &13), None);
    }
}
