//! Which subobjects belong to an export: DirectX-Specs, Raytracing, "Subobject association
//! behavior", for the scope of one library.
//!
//! - An association that lists an export is explicit, and it is stronger than any default.
//! - A subobject that no association with exports names is a default, and so is one that an
//!   association without exports names ("Declaring a default association").
//! - The associations of a hit group hold for its shaders ("Subobject associations for hit
//!   groups").
//!
//! D3D12 allows an export one definition of each kind. A shader of several hit groups may still
//! have one for each group, and a library may leave the choice to the state object. Then there are
//! several, and the caller chooses.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::{Subobject, SubobjectContent, Subobjects, listed};
use crate::container::SubobjectKind;
use dxil_base::names::unmarked;

impl Subobjects {
    /// The subobjects of a kind that the library associates with an export. `names` are the names
    /// of the export: that of a hit group, or the plain and the mangled name of a function. Of
    /// subobjects with equal content there is one.
    pub fn associated(&self, kind: SubobjectKind, names: &[&str]) -> Vec<&Subobject> {
        let found = self.find(kind, names).indexes;
        found.into_iter().filter_map(|index| self.all.get(index)).collect()
    }

    /// The indexes of [`associated`](Self::associated), and the cost of finding them.
    pub(crate) fn find(&self, kind: SubobjectKind, names: &[&str]) -> FoundSubobjects {
        let kind = one_kind(kind);
        let mut found = FoundSubobjects { seen: HashSet::default(), indexes: Vec::new(), visited: 1 };
        let has_own = self.add_explicit(kind, self.associations(names), &mut found);
        let (mut alone, mut by_default) = (true, false);
        for group in self.groups(names) {
            alone = false;
            let of_group = self.group_associations.get(&group).into_iter().flatten().copied();
            let explicit = self.add_explicit(kind, of_group, &mut found);
            // The defaults are the same for every group, so they are added once.
            if !explicit && !has_own && !by_default {
                by_default = true;
                self.add_defaults(kind, &mut found);
            }
        }
        if alone && !has_own {
            self.add_defaults(kind, &mut found);
        }
        found
    }

    /// A subobject by its index.
    pub(crate) fn by_index(&self, index: usize) -> Option<&Subobject> {
        self.all.get(index)
    }

    /// The hit groups that have a shader of one of these names. A group occurs once.
    fn groups(&self, names: &[&str]) -> impl Iterator<Item = usize> {
        once_each(names, &self.groups_of)
    }

    /// The associations that list one of these names. An association occurs once.
    fn associations(&self, names: &[&str]) -> impl Iterator<Item = usize> {
        once_each(names, &self.explicit)
    }

    /// Adds the subobjects of a kind that associations name. Returns whether there are any.
    fn add_explicit(
        &self,
        kind: SubobjectKind,
        associations: impl Iterator<Item = usize>,
        found: &mut FoundSubobjects,
    ) -> bool {
        let mut any = false;
        for association in associations {
            found.visited += 1;
            let Some(&target) = self.targets.get(&association) else { continue };
            let named = self.all.get(target).filter(|subobject| subobject.kind() == kind);
            any |= named.is_some();
            found.add(target, named);
        }
        found.visited += 1;
        any
    }

    /// Adds the subobjects of a kind that are defaults.
    fn add_defaults(&self, kind: SubobjectKind, found: &mut FoundSubobjects) {
        for &index in self.defaults.get(&kind).into_iter().flatten() {
            found.visited += 1;
            found.add(index, self.all.get(index));
        }
    }

    /// What was looked for to find the root signature of a kind for an export, and what there is:
    /// for the message of an error. `None` if the library declares none of the kind, and no
    /// association of the export names one that it does not declare.
    pub fn searched(&self, kind: SubobjectKind, names: &[&str]) -> Option<String> {
        let groups: Vec<&str> = self.groups(names).filter_map(|index| Some(&*self.all.get(index)?.name)).collect();
        let all: Vec<&str> = names.iter().chain(&groups).map(|name| unmarked(name)).collect();
        let missing = self.associations(&all).find(|index| !self.targets.contains_key(index));
        let missing =
            missing.and_then(|index| self.all.get(index)).and_then(|association| match &association.content {
                SubobjectContent::Association { subobject, .. } => Some((association, subobject)),
                _ => None,
            });
        let declared = listed(self.by_kind(kind).map(|subobject| &*subobject.name));
        if declared.is_empty() && missing.is_none() {
            return None;
        }
        let declared = if declared.is_empty() { "none".to_owned() } else { declared };
        let mut text = format!("looked for an association of {}, or a single default", listed(all.into_iter()));
        text.push_str(&format!("; of kind {kind} the library declares {declared}"));
        if let Some((association, subobject)) = missing {
            let (association, subobject) = (association.name.escape_debug(), subobject.escape_debug());
            text.push_str(&format!(
                "; association `{association}` names `{subobject}`, which the library does not declare"
            ));
        }
        Some(text)
    }
}

/// The kind that stands for both versions of the pipeline config.
fn one_kind(kind: SubobjectKind) -> SubobjectKind {
    match kind {
        SubobjectKind::RaytracingPipelineConfig1 => SubobjectKind::RaytracingPipelineConfig,
        kind => kind,
    }
}

/// The indexes of some names. An index occurs once, although lists of several names may have it.
fn once_each(names: &[&str], lists: &HashMap<Arc<str>, Vec<usize>>) -> impl Iterator<Item = usize> {
    let mut seen = HashSet::default();
    let all = names.iter().filter_map(|name| lists.get(unmarked(name))).flatten().copied();
    let all: Vec<usize> = all.filter(|&index| seen.insert(index)).collect();
    all.into_iter()
}

/// Subobjects of different content.
pub(crate) struct FoundSubobjects {
    seen: HashSet<u32>,
    /// Their indexes.
    pub indexes: Vec<usize>,
    /// The associations, hit groups and subobjects that were visited to find them.
    pub visited: usize,
}

impl FoundSubobjects {
    /// Adds a subobject, unless it is `None` or one of equal content is there.
    fn add(&mut self, index: usize, subobject: Option<&Subobject>) {
        if subobject.is_some_and(|subobject| self.seen.insert(subobject.definition)) {
            self.indexes.push(index);
        }
    }
}
