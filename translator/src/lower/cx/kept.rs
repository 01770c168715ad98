//! Values that a node has read, so that a later read of the same takes the value again.

use dxil_spirv_builder::Id;
use dxil_structure::Node;

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
        let mut kept = Kept::<u32, 2>::default();
        kept.keep(first, 10, a);
        kept.keep(first, 11, b);
        assert_eq!((kept.get(first, &10), kept.get(first, &11)), (Some(a), Some(b)));
        assert_eq!((kept.get(first, &12), kept.get(second, &10)), (None, None));
        // The third value takes the place of both.
        kept.keep(first, 12, c);
        assert_eq!((kept.get(first, &10), kept.get(first, &12)), (None, Some(c)));
        // Those of the first node may not dominate the second.
        kept.keep(second, 13, a);
        assert_eq!((kept.get(second, &12), kept.get(second, &13)), (None, Some(a)));
        kept.clear();
        assert_eq!(kept.get(second, &13), None);
    }
}
