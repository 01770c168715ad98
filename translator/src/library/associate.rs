//! Which subobjects belong to an export: DirectX-Specs, Raytracing, "Subobject association
//! behavior", for the scope of one library.
//!
//! - An association that lists an export is explicit, and it is stronger than any default.
//! - A subobject that no association with exports names is a default, and so is one that an
//!   association without exports names ("Declaring a default association").
//! - The associations of a hit group hold for its shaders ("Subobject associations for hit groups").
//!
//! D3D12 allows an export one definition of each kind. A shader of several hit groups may still have
//! one for each group, and a library may leave the choice to the state object. Then there are
//! several, and the caller chooses.

use rustc_hash::FxHashSet;

use super::{Subobject, SubobjectContent, Subobjects, listed};
use crate::bitcode::unmarked;
use crate::container::SubobjectKind;

impl Subobjects {
    /// The subobjects of a kind that the library associates with an export. `names` are the names
    /// of the export: that of a hit group, or the plain and the mangled name of a function. Of
    /// subobjects with equal content there is one.
    pub fn associated(&self, kind: SubobjectKind, names: &[&str]) -> Vec<&Subobject> {
        let kind = one_kind(kind);
        let mut found = Found { seen: FxHashSet::default(), subobjects: Vec::new() };
        let own = self.explicit(kind, names);
        let has_own = !own.is_empty();
        found.add(own);
        let mut alone = true;
        for group in self.groups(names) {
            alone = false;
            let of_group = self.explicit(kind, &[group]);
            match of_group.is_empty() {
                true if has_own => {}
                true => found.add(self.defaults(kind)),
                false => found.add(of_group),
            }
        }
        if alone && !has_own {
            found.add(self.defaults(kind));
        }
        found.subobjects
    }

    /// The names of the hit groups that have a shader of one of these names.
    fn groups(&self, names: &[&str]) -> impl Iterator<Item = &str> {
        let groups = names.iter().filter_map(|name| self.groups_of.get(unmarked(name))).flatten();
        groups.filter_map(|&index| self.all.get(index)).map(|group| &*group.name)
    }

    /// The subobjects of a kind that associations give to exports of these names.
    fn explicit(&self, kind: SubobjectKind, names: &[&str]) -> Vec<&Subobject> {
        let named = self.associations(names).filter_map(|(_, subobject)| self.get(subobject));
        named.filter(|subobject| subobject.kind() == kind).collect()
    }

    /// The associations that list one of these names: each with the name of its subobject.
    fn associations(&self, names: &[&str]) -> impl Iterator<Item = (&Subobject, &str)> {
        let indexes = names.iter().filter_map(|name| self.explicit.get(unmarked(name))).flatten();
        indexes.filter_map(|&index| {
            let association = self.all.get(index)?;
            match &association.content {
                SubobjectContent::Association { subobject, .. } => Some((association, &**subobject)),
                _ => None,
            }
        })
    }

    /// The subobjects of a kind that are defaults.
    fn defaults(&self, kind: SubobjectKind) -> Vec<&Subobject> {
        let default = |subobject: &&Subobject| {
            !self.associated.contains(&subobject.name) || self.defaults.contains(&subobject.name)
        };
        self.of_kind(kind).filter(default).collect()
    }

    /// What was looked for to find the root signature of a kind for an export, and what there is: for the message of an
    /// error. `None` if the library declares none of the kind, and no association of the export names
    /// one that it does not declare.
    pub fn searched(&self, kind: SubobjectKind, names: &[&str]) -> Option<String> {
        let groups: Vec<&str> = self.groups(names).collect();
        let all: Vec<&str> = names.iter().chain(&groups).map(|name| unmarked(name)).collect();
        let missing = self.associations(&all).find(|(_, subobject)| self.get(subobject).is_none());
        let declared = listed(self.of_kind(kind).map(|subobject| &*subobject.name));
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

/// Subobjects of different content.
struct Found<'a> {
    seen: FxHashSet<u32>,
    subobjects: Vec<&'a Subobject>,
}

impl<'a> Found<'a> {
    fn add(&mut self, more: Vec<&'a Subobject>) {
        for subobject in more {
            if self.seen.insert(subobject.definition) {
                self.subobjects.push(subobject);
            }
        }
    }
}
