//! Finds entry points by their names.
//!
//! In: the entry points of a program. Out: the one that a name means. What must hold: a question
//! takes a binary search, because a library may have thousands of entry points and a pipeline that
//! asks for each of them. A name counts before a plain name, and the first of several equal names
//! counts.

use crate::analysis::program::{Entry, EntryId};
use dxil_base::entity::PrimaryMap;

/// The entry points of a program in the order of their names.
#[derive(Debug, Default)]
pub struct EntryNames {
    by_name: Box<[EntryId]>,
    by_plain_name: Box<[EntryId]>,
}

/// The entry points that a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameMatch {
    /// None has the name.
    None,
    /// This one.
    One(EntryId),
    /// Several have it as their plain name.
    Several,
}

impl EntryNames {
    /// Orders the names of these entry points.
    pub fn new(entries: &PrimaryMap<EntryId, Entry>) -> Self {
        let sorted = |name: fn(&Entry) -> &str| {
            let mut ids: Box<[EntryId]> = entries.keys().collect();
            // Equal names stay in the order of the entry points.
            ids.sort_by_key(|&id| entries.get(id).map(name));
            ids
        };
        Self { by_name: sorted(|entry| &entry.name), by_plain_name: sorted(|entry| &entry.plain_name) }
    }

    /// The entry points with this name among those that the names were ordered for.
    pub fn find(&self, entries: &PrimaryMap<EntryId, Entry>, name: &str) -> NameMatch {
        let of = |ids: &[EntryId], of: fn(&Entry) -> &str| {
            let name_of = |id: EntryId| entries.get(id).map(of);
            let first = ids.partition_point(|&id| name_of(id) < Some(name));
            let mut found = ids.iter().skip(first).copied().take_while(|&id| name_of(id) == Some(name));
            (found.next(), found.next())
        };
        if let (Some(id), _) = of(&self.by_name, |entry| &entry.name) {
            return NameMatch::One(id);
        }
        match of(&self.by_plain_name, |entry| &entry.plain_name) {
            (Some(id), None) => NameMatch::One(id),
            (Some(_), Some(_)) => NameMatch::Several,
            (None, _) => NameMatch::None,
        }
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&*self.by_name) + size_of_val(&*self.by_plain_name)
    }
}
