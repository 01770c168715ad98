//! The outputs of a pipeline's mesh shader, ready for a search by semantic.
//!
//! In: the outputs that the caller gives for a pixel shader. Out: those with a semantic name, by
//! index. What must hold: names differ whatever the case of their letters, and of outputs with one
//! name and index the first is found.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use foldhash::HashMap;

use crate::options::{MeshOutput, Options};

/// The outputs with one semantic name, by index.
pub type ByIndex<'a> = HashMap<u32, &'a MeshOutput>;

/// The outputs by semantic name in capital letters.
type ByName<'a> = HashMap<String, ByIndex<'a>>;

/// The outputs of a pipeline's mesh shader. Their names are compared once for each element of a
/// signature, because they may be long.
#[derive(Default)]
pub struct MeshLinks<'a> {
    /// Made when a pixel shader first asks. The entry points of one module share it.
    by_name: Rc<OnceCell<ByName<'a>>>,
    /// The elements of the input signature that are known to have an output.
    checked: RefCell<BTreeSet<u32>>,
}

impl<'a> MeshLinks<'a> {
    /// The same outputs for another entry point, which has other elements.
    #[must_use]
    pub fn for_another(&self) -> Self {
        Self { by_name: Rc::clone(&self.by_name), checked: RefCell::default() }
    }

    /// The outputs with a semantic name; `None` if the pipeline has no mesh shader.
    pub fn named(&self, options: &'a Options, name: &str) -> Option<Option<&ByIndex<'a>>> {
        let outputs = options.facts.mesh_outputs.as_ref()?;
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name = ByName::default();
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
