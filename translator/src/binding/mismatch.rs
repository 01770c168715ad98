//! The resources of a pipeline without a suitable place, and what an error says about them.
//!
//! In: the resources that `resolve` finds, in any order. Out: their number, and messages about the
//! first of them in the order of stages and resources. What must hold: there are messages about the
//! resources that an error lists, and about no others, because a pipeline may have a quarter of a
//! million.

use std::collections::BTreeMap;

use foldhash::HashSet;

use crate::ir::resources::ResourceId;

/// The maximum number of resources that an error lists.
pub(super) const LISTED: usize = 32;

/// A resource or counter that has a binding in a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundResource {
    /// Index of the stage.
    pub stage: usize,
    /// The resource.
    pub id: ResourceId,
    /// Whether the binding is that of its counter.
    pub counter: bool,
}

/// Two resources of different register classes at one binding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clash {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// The first resource at the binding, and one that clashes with it.
    pub holders: [BoundResource; 2],
}

/// A resource of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StageResource {
    /// The index of the stage.
    pub stage: usize,
    /// The resource.
    pub id: ResourceId,
}

/// The resources without a suitable place.
#[derive(Debug)]
pub(super) struct Mismatches {
    all: HashSet<StageResource>,
    /// What the model looked for and what the layout has, for the first resources.
    listed: BTreeMap<StageResource, Vec<String>>,
    /// The clashes of register classes; `None` if something else is wrong.
    clashes: Option<Vec<Clash>>,
}

impl Mismatches {
    /// None so far.
    pub fn new() -> Self {
        Self { all: HashSet::default(), listed: BTreeMap::new(), clashes: Some(Vec::new()) }
    }

    /// Adds what is wrong with a resource, and the clash that it is about, if that is all.
    pub fn add(&mut self, of: StageResource, clash: Option<Clash>, message: impl FnOnce() -> String) {
        self.all.insert(of);
        match (&mut self.clashes, clash) {
            (Some(clashes), Some(clash)) => clashes.push(clash),
            (clashes, _) => *clashes = None,
        }
        if !self.lists(of) {
            return;
        }
        self.listed.entry(of).or_default().push(message());
        // What leaves the list does not come back, because its last resource only moves forward.
        if self.listed.len() > LISTED {
            self.listed.pop_last();
        }
    }

    /// Whether a resource is one of those that an error lists, as far as is known.
    pub fn lists(&self, of: StageResource) -> bool {
        self.listed.len() < LISTED || self.listed.last_key_value().is_some_and(|(last, _)| of <= *last)
    }

    /// The number of resources.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether every resource has a place.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The first resources and the messages about each, at most [`LISTED`].
    pub fn listed(&self) -> impl Iterator<Item = (StageResource, &[String])> {
        self.listed.iter().map(|(of, messages)| (*of, &messages[..]))
    }

    /// The clashes, if they are all that is wrong.
    pub fn clashes(&self) -> Option<&[Clash]> {
        self.clashes.as_deref()
    }
}
