//! Finds entry points by their names.
//!
//! In: the entry points of a program. Out: the one that a name means. What must hold: a question
//! takes a binary search, because a library may have thousands of entry points and a pipeline that
//! asks for each of them. A name counts before a plain name.

use crate::analysis::program::{Entry, EntryId};
use dxil_base::entity::PrimaryMap;
use dxil_base::names::plain;

/// The entry points of a program in the order of their names.
#[derive(Debug, Default)]
pub struct EntryNames(Box<[EntryId]>);

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
        let mut ids: Box<[EntryId]> = entries.keys().collect();
        ids.sort_by_key(|&id| &*entries[id].name);
        Self(ids)
    }

    /// The entry points with this name among those that the names were ordered for.
    pub fn find(&self, entries: &PrimaryMap<EntryId, Entry>, name: &str) -> NameMatch {
        let name_of = |id: EntryId| entries.get(id).map_or("", |entry| &*entry.name);
        // The first entry points whose names are not before a name.
        let from = |name: &str| {
            let first = self.0.partition_point(|&id| name_of(id) < name);
            self.0.iter().skip(first).copied()
        };
        if let Some(id) = from(name).next().filter(|&id| name_of(id) == name) {
            return NameMatch::One(id);
        }
        // What all names begin with that are mangled of this one, and no others.
        let mangled = format!("?{name}@@");
        if plain(&mangled) != name {
            return NameMatch::None;
        }
        let mut found = from(&mangled).take_while(|&id| name_of(id).starts_with(&mangled));
        match (found.next(), found.next()) {
            (Some(id), None) => NameMatch::One(id),
            (Some(_), Some(_)) => NameMatch::Several,
            (None, _) => NameMatch::None,
        }
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::reachable::ReachableSet;
    use crate::ir::Func;
    use crate::ir::declarations::{ShaderFlags, StageProperties};
    use crate::ops::consts::ShaderStage;
    use dxil_base::entity::Entity;
    use std::sync::Arc;

    fn entry(name: &str) -> Entry {
        Entry {
            name: name.into(),
            stage: ShaderStage::Miss,
            func: Func::new(0),
            patch_function: None,
            properties: StageProperties::None,
            flags: ShaderFlags::default(),
            inputs: Arc::default(),
            outputs: Arc::default(),
            patch_constants: Arc::default(),
            reachable: ReachableSet::default(),
        }
    }

    #[test]
    fn a_name_counts_before_a_plain_name() {
        let names = ["?miss@@YAX", "?hit@@YAX", "?miss@@YAZ", "hit", "?gen@sky@@YAX", "?end@@@YAX", "?missing@@YAX"];
        let entries: PrimaryMap<EntryId, Entry> = names.map(entry).into_iter().collect();
        let ordered = EntryNames::new(&entries);
        let find = |name| ordered.find(&entries, name);
        for (number, name) in names.into_iter().enumerate() {
            assert_eq!(find(name), NameMatch::One(EntryId::new(number)), "{name}");
        }
        assert_eq!(find("missing"), NameMatch::One(EntryId::new(6)));
        assert_eq!(find("gen@sky"), NameMatch::One(EntryId::new(4)));
        assert_eq!(find("end"), NameMatch::One(EntryId::new(5)));
        assert_eq!(find("miss"), NameMatch::Several);
        // The plain name ends before the first `@@`.
        for name in ["", "mis", "gen", "sky", "end@", "end@@@YAX", "?miss", "?miss@@"] {
            assert_eq!(find(name), NameMatch::None, "{name}");
        }
    }
}
