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

use foldhash::HashSet;

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
        let mut found = Mentions::default();
        for &id in names.iter().filter_map(|name| self.names.get(unmarked(name))) {
            found.associations.add(&self.explicit[id]);
            found.groups.add(&self.groups_of[id]);
        }
        found
    }

    /// Calls `found` with the indexes of [`associated`](Self::associated). Returns the number of
    /// associations, hit groups and subobjects that were visited to find them.
    pub(crate) fn find(&self, kind: SubobjectKind, of: &Mentions<'_>, found: impl FnMut(usize)) -> usize {
        let kind = one_kind(kind);
        let mut found = FoundSubobjects { first: None, others: None, visited: 1, found };
        let has_own = self.add_explicit(kind, &of.associations.all, &mut found);
        let mut by_default = false;
        for group in of.groups.all.iter().filter_map(|&group| self.all.get(group)) {
            let explicit = self.add_explicit(kind, &self.explicit[group.id], &mut found);
            // The defaults are the same for every group, so they are added once.
            if !explicit && !has_own && !by_default {
                by_default = true;
                self.add_defaults(kind, &mut found);
            }
        }
        if of.groups.all.is_empty() && !has_own {
            self.add_defaults(kind, &mut found);
        }
        found.visited
    }

    /// The subobject that an association with exports names, where the library declares it.
    fn target(&self, association: usize) -> Option<usize> {
        self.by_name[self.all.get(association)?.target?]
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
        for &association in associations {
            found.visited += 1;
            let Some(target) = self.target(association) else { continue };
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
        let groups = self.mentions(names).groups.all;
        let groups: Vec<&str> = groups.iter().filter_map(|&index| Some(&*self.all.get(index)?.name)).collect();
        let all: Vec<&str> = names.iter().chain(&groups).map(|name| unmarked(name)).collect();
        let associations = self.mentions(&all).associations.all;
        let missing = associations.iter().copied().find(|&index| self.target(index).is_none());
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
#[derive(Default)]
struct OnceEach<'a> {
    all: Cow<'a, [usize]>,
    /// The same, once there are several lists.
    seen: Option<HashSet<usize>>,
}

impl<'a> OnceEach<'a> {
    /// Adds the list of a name, which has each index once.
    fn add(&mut self, list: &'a [usize]) {
        if self.all.is_empty() {
            self.all = Cow::Borrowed(list);
        } else if !list.is_empty() {
            let seen = self.seen.get_or_insert_with(|| self.all.iter().copied().collect());
            self.all.to_mut().extend(list.iter().filter(|index| seen.insert(**index)));
        }
    }
}

/// What names an export, by the indexes of subobjects. An index occurs once.
#[derive(Default)]
pub(crate) struct Mentions<'a> {
    /// The associations that list it.
    associations: OnceEach<'a>,
    /// The hit groups that have it as a shader.
    groups: OnceEach<'a>,
}

/// Subobjects of different content, while they are found.
struct FoundSubobjects<F> {
    /// The content of the first one. Most exports have no other, for which no set is made.
    first: Option<u32>,
    /// The contents of the others, once there are any.
    others: Option<HashSet<u32>>,
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
            Some(first) => first != definition && self.others.get_or_insert_default().insert(definition),
        };
        self.first.get_or_insert(definition);
        if is_new {
            (self.found)(index);
        }
    }
}
