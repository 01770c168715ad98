//! The public face of a crate: the items that its root declares or re-exports.
//!
//! The items of public modules are stages of the translation, which may change in any version. Of
//! what macros declare, the names are seen; fields and variants are not.

use std::collections::BTreeMap;

use crate::facts::{Kind, MacroCall, Tokens, Visibility};
use crate::resolve::{Names, Target};
use crate::source::{Crate, FileId, ModuleId};

/// An item that other crates can name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicItem {
    /// Its name at the root.
    pub path: String,
    /// What sort of item it is.
    pub kind: Kind,
    /// The file that declares it.
    pub file: FileId,
    /// The line, counted from one.
    pub line: usize,
    /// Public fields, variants or items of a trait.
    pub members: usize,
    /// Public functions and constants of its `impl` blocks.
    pub functions: usize,
    /// Whether it carries `#[non_exhaustive]`.
    pub non_exhaustive: bool,
    /// Whether users can build or match it in full, so that a new field or variant breaks them.
    pub open: bool,
    /// Whether a macro declares it, so that members are not counted.
    pub by_macro: bool,
}

/// Finds the public face of a crate, in the order of names.
pub fn face(tree: &Crate) -> Vec<PublicItem> {
    let mut walk = Walk { tree, names: Names::new(tree), items: BTreeMap::new() };
    walk.root();
    let mut functions: BTreeMap<Target, usize> = BTreeMap::new();
    for (id, module) in tree.modules.iter().enumerate() {
        for block in module.facts.impls.iter().filter(|block| !block.of_trait) {
            let public = block.functions.iter().filter(|(_, public)| *public).count();
            for target in walk.names.resolve(id, &block.of) {
                *functions.entry(target).or_default() += public;
            }
        }
    }
    let mut face: Vec<_> = walk
        .items
        .into_iter()
        .map(|(target, item)| PublicItem { functions: functions.get(&target).copied().unwrap_or(0), ..item })
        .collect();
    face.sort();
    face
}

struct Walk<'a> {
    tree: &'a Crate,
    names: Names<'a>,
    items: BTreeMap<Target, PublicItem>,
}

/// The module of the crate's root.
const ROOT: ModuleId = 0;

impl Walk<'_> {
    fn root(&mut self) {
        let module = &self.tree.modules[ROOT];
        for item in module.facts.items.iter().filter(|item| item.visibility == Visibility::Public) {
            self.item(Target { module: ROOT, item: Some(item.name.clone()) }, item.name.clone());
        }
        for call in module.facts.macro_calls.iter().filter(|call| call.declares) {
            for (name, kind, public) in self.names.declared_by(ROOT, call) {
                if let (Some(kind @ (Kind::Enum | Kind::Struct)), true) = (kind, public) {
                    let item = self.by_macro(name.to_owned(), kind, ROOT, call);
                    self.items.insert(Target { module: ROOT, item: Some(name.to_owned()) }, item);
                }
            }
        }
        for import in module.facts.imports.iter().filter(|import| import.visibility == Visibility::Public) {
            for target in self.names.resolve(ROOT, &import.path) {
                if let (Some(_), Some(name)) = (&target.item, &import.name) {
                    self.item(target.clone(), name.clone());
                }
            }
        }
    }

    /// An item that a macro declares. An attribute or a public field anywhere in the call or its
    /// bodies counts.
    fn by_macro(&self, path: String, kind: Kind, id: ModuleId, call: &MacroCall) -> PublicItem {
        let bodies = self.names.macro_bodies(id, &call.path, call.callback.as_deref());
        let says =
            |what: fn(&Tokens) -> bool| what(&call.tokens) || bodies.iter().any(|(_, rules)| what(&rules.tokens));
        let non_exhaustive = says(|tokens| tokens.non_exhaustive);
        let open = kind == Kind::Enum || kind == Kind::Struct && says(|tokens| tokens.public_fields);
        PublicItem {
            path,
            kind,
            file: self.tree.modules[id].file,
            line: call.line,
            members: 0,
            functions: 0,
            non_exhaustive,
            open: open && !non_exhaustive,
            by_macro: true,
        }
    }

    fn item(&mut self, target: Target, path: String) {
        let module = &self.tree.modules[target.module];
        let declared = module.facts.items.iter().filter(|item| item.kind != Kind::Macro);
        let named = declared.filter(|item| Some(&item.name) == target.item.as_ref());
        if let Some(item) = named.max_by_key(|item| item.members) {
            let of_members = matches!(item.kind, Kind::Enum | Kind::Struct) && item.members > 0;
            let item = PublicItem {
                path,
                kind: item.kind,
                file: module.file,
                line: item.line,
                members: item.members,
                functions: 0,
                non_exhaustive: item.non_exhaustive,
                open: of_members && !item.non_exhaustive,
                by_macro: false,
            };
            self.items.insert(target, item);
            return;
        }
        // A re-export of what a macro declares.
        for call in module.facts.macro_calls.iter().filter(|call| call.declares) {
            let items = self.names.declared_by(target.module, call);
            let named = items.iter().find(|(name, kind, _)| Some(*name) == target.item.as_deref() && kind.is_some());
            if let Some((_, Some(kind), _)) = named {
                let item = self.by_macro(path, *kind, target.module, call);
                self.items.insert(target, item);
                return;
            }
        }
    }
}
