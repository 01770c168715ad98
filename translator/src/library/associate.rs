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

use std::borrow::Cow;
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
        let mut found = Vec::new();
        self.find(kind, &self.mentions(names), |index| found.push(index));
        found.into_iter().filter_map(|index| self.all.get(index)).collect()
    }

    /// What names an export that has these names.
    pub(crate) fn mentions(&self, names: &[&str]) -> Mentions<'_> {
        Mentions { associations: once_each(names, &self.explicit), groups: once_each(names, &self.groups_of) }
    }

    /// Calls `found` with the indexes of [`associated`](Self::associated). Returns the number of
    /// associations, hit groups and subobjects that were visited to find them.
    pub(crate) fn find(&self, kind: SubobjectKind, of: &Mentions<'_>, found: impl FnMut(usize)) -> usize {
        let kind = one_kind(kind);
        let mut found = FoundSubobjects { first: None, others: HashSet::default(), visited: 1, found };
        let has_own = self.add_explicit(kind, &of.associations, &mut found);
        let mut by_default = false;
        for group in of.groups.iter() {
            let of_group = self.group_associations.get(group).map_or(&[][..], Vec::as_slice);
            let explicit = self.add_explicit(kind, of_group, &mut found);
            // The defaults are the same for every group, so they are added once.
            if !explicit && !has_own && !by_default {
                by_default = true;
                self.add_defaults(kind, &mut found);
            }
        }
        if of.groups.is_empty() && !has_own {
            self.add_defaults(kind, &mut found);
        }
        found.visited
    }

    /// A subobject by its index.
    pub(crate) fn by_index(&self, index: usize) -> Option<&Subobject> {
        self.all.get(index)
    }

    /// Adds the subobjects of a kind that associations name. Returns whether there are any.
    fn add_explicit(
        &self,
        kind: SubobjectKind,
        associations: &[usize],
        found: &mut FoundSubobjects<impl FnMut(usize)>,
    ) -> bool {
        let mut any = false;
        for association in associations {
            found.visited += 1;
            let Some(&target) = self.targets.get(association) else { continue };
            let named = self.all.get(target).filter(|subobject| subobject.kind() == kind);
            any |= named.is_some();
            found.add(target, named);
        }
        found.visited += 1;
        any
    }

    /// Adds the subobjects of a kind that are defaults.
    fn add_defaults(&self, kind: SubobjectKind, found: &mut FoundSubobjects<impl FnMut(usize)>) {
        for &index in self.defaults.get(&kind).into_iter().flatten() {
            found.visited += 1;
            found.add(index, self.all.get(index));
        }
    }

    /// What was looked for to find the root signature of a kind for an export, and what there is:
    /// for the message of an error. `None` if the library declares none of the kind, and no
    /// association of the export names one that it does not declare.
    pub fn searched(&self, kind: SubobjectKind, names: &[&str]) -> Option<String> {
        let groups = once_each(names, &self.groups_of);
        let groups: Vec<&str> = groups.iter().filter_map(|&index| Some(&*self.all.get(index)?.name)).collect();
        let all: Vec<&str> = names.iter().chain(&groups).map(|name| unmarked(name)).collect();
        let missing = once_each(&all, &self.explicit).iter().copied().find(|index| !self.targets.contains_key(index));
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
fn once_each<'a>(names: &[&str], lists: &'a HashMap<Arc<str>, Vec<usize>>) -> Cow<'a, [usize]> {
    let mut lists = names.iter().filter_map(|name| lists.get(unmarked(name)));
    match (lists.next(), lists.next()) {
        (None, _) => Cow::Borrowed(&[]),
        // A list has each index once.
        (Some(only), None) => Cow::Borrowed(only),
        (Some(first), Some(second)) => {
            let mut seen = HashSet::default();
            let all = first.iter().chain(second).chain(lists.flatten()).copied();
            all.filter(|&index| seen.insert(index)).collect()
        }
    }
}

/// What names an export, by the indexes of subobjects. An index occurs once.
pub(crate) struct Mentions<'a> {
    /// The associations that list it.
    associations: Cow<'a, [usize]>,
    /// The hit groups that have it as a shader.
    groups: Cow<'a, [usize]>,
}

/// Subobjects of different content, while they are found.
struct FoundSubobjects<F> {
    /// The content of the first one. Most exports have no other, for which no set is made.
    first: Option<u32>,
    /// The contents of the others.
    others: HashSet<u32>,
    /// The associations, hit groups and subobjects that were visited.
    visited: usize,
    /// What is called with their indexes.
    found: F,
}

impl<F: FnMut(usize)> FoundSubobjects<F> {
    /// Adds a subobject, unless it is `None` or one of equal content is there.
    fn add(&mut self, index: usize, subobject: Option<&Subobject>) {
        let Some(&Subobject { definition, .. }) = subobject else { return };
        let is_new = match self.first {
            None => true,
            Some(first) => first != definition && self.others.insert(definition),
        };
        self.first.get_or_insert(definition);
        if is_new {
            (self.found)(index);
        }
    }
}
