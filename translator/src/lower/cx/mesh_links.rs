//! The outputs of a pipeline's mesh shader, ready for a search by semantic.
//!
//! In: the outputs that the caller gives for a pixel shader. Out: those with a semantic name, by
//! index. What must hold: names differ whatever the case of their letters, and of outputs with one
//! name and index the first is found.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use foldhash::HashMap;

use crate::options::{MeshOutput, Options};

/// The outputs with one semantic name, by index.
pub type ByIndex<'a> = HashMap<u32, &'a MeshOutput>;

/// The outputs of a pipeline's mesh shader. Their names are compared once for each element of a
/// signature, because they may be long.
#[derive(Default)]
pub struct MeshLinks<'a> {
    by_name: OnceCell<HashMap<String, ByIndex<'a>>>,
    /// The elements of the input signature that are known to have an output.
    checked: RefCell<BTreeSet<u32>>,
}

impl<'a> MeshLinks<'a> {
    /// The outputs with a semantic name; `None` if the pipeline has no mesh shader.
    pub fn named(&self, options: &'a Options, name: &str) -> Option<Option<&ByIndex<'a>>> {
        let outputs = options.facts.mesh_outputs.as_ref()?;
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<String, ByIndex<'a>> = HashMap::default();
            for output in outputs.iter() {
                let of_name = by_name.entry(output.semantic.to_ascii_uppercase()).or_default();
                of_name.entry(output.index).or_insert(output);
            }
            by_name
        });
        Some(by_name.get(&name.to_ascii_uppercase()))
    }

    /// Whether an element was found before.
    pub fn is_checked(&self, element: u32) -> bool {
        self.checked.borrow().contains(&element)
    }

    /// Notes that an element was found.
    pub fn set_checked(&self, element: u32) {
        self.checked.borrow_mut().insert(element);
    }
}
