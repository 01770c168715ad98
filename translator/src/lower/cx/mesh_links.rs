//! The outputs of a pipeline's mesh shader, ready for a search by semantic.
//!
//! In: the outputs that the caller gives for a pixel shader. Out: those with a semantic name, by
//! index. What must hold: names differ whatever the case of their letters, and of outputs with one
//! name and index the first is found.

use foldhash::HashMap;

use crate::options::MeshOutput;

/// The outputs with one semantic name, by index.
pub type ByIndex<'a> = HashMap<u32, &'a MeshOutput>;

/// The outputs of a pipeline's mesh shader by semantic name in capital letters. The entry points of
/// one module share them.
pub struct MeshLinks<'a>(HashMap<String, ByIndex<'a>>);

impl<'a> MeshLinks<'a> {
    /// Sorts the outputs by their names.
    pub fn new(outputs: &'a [MeshOutput]) -> Self {
        let mut by_name: HashMap<String, ByIndex<'a>> = HashMap::default();
        for output in outputs {
            let of_name = by_name.entry(output.semantic.to_ascii_uppercase()).or_default();
            of_name.entry(output.index).or_insert(output);
        }
        Self(by_name)
    }

    /// The outputs with a semantic name.
    pub fn named(&self, name: &str) -> Option<&ByIndex<'a>> {
        self.0.get(&name.to_ascii_uppercase())
    }
}
