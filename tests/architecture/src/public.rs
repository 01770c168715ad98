//! The public face of a crate: the items that other crates can name.
//!
//! An item counts where it is `pub` and every module on a path to it is, or where a `pub use` leads
//! to it. Of what macros declare, the names are seen; fields and variants are not.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::{Kind, MacroCall, Tokens, Visibility};
use crate::resolve::{Names, Target};
use crate::source::{Crate, FileId, ModuleId};

/// The name of the module whose items are no promise to users.
pub const INTERNALS: &str = "internals";

/// An item that other crates can name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicItem {
    /// Its shortest path, without the crate's name.
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

/// The public face of a crate.
#[derive(Debug, Default)]
pub struct Face {
    /// Public modules, by path.
    pub modules: BTreeSet<String>,
    /// Items outside of modules named `internals`.
    pub items: Vec<PublicItem>,
    /// Items that only a path through a module named `internals` reaches.
    pub internals: Vec<PublicItem>,
}

/// Finds the public face of a crate.
pub fn face(tree: &Crate) -> Face {
    let mut walk = Walk { tree, names: Names::new(tree), modules: BTreeMap::new(), items: BTreeMap::new() };
    walk.module(0, String::new(), false);
    let mut functions: BTreeMap<Target, usize> = BTreeMap::new();
    for (id, module) in tree.modules.iter().enumerate() {
        for block in module.facts.impls.iter().filter(|block| !block.of_trait) {
            let public = block.functions.iter().filter(|(_, public)| *public).count();
            for target in walk.names.resolve(id, &block.of) {
                *functions.entry(target).or_default() += public;
            }
        }
    }
    let mut face = Face::default();
    for ((_, path), internal) in &walk.modules {
        if !internal && !path.is_empty() {
            face.modules.insert(path.clone());
        }
    }
    for (target, (mut item, internal)) in walk.items {
        item.functions = functions.get(&target).copied().unwrap_or(0);
        if internal { face.internals.push(item) } else { face.items.push(item) }
    }
    face.items.sort();
    face.internals.sort();
    face
}

struct Walk<'a> {
    tree: &'a Crate,
    names: Names<'a>,
    /// The paths by which modules were seen, and whether a module named `internals` is on the path.
    modules: BTreeMap<(ModuleId, String), bool>,
    items: BTreeMap<Target, (PublicItem, bool)>,
}

impl Walk<'_> {
    fn module(&mut self, id: ModuleId, path: String, internal: bool) {
        // A module that re-exports itself or a parent would never end.
        let again = self.modules.iter().any(|((known, _), known_internal)| *known == id && *known_internal <= internal);
        if again || self.modules.insert((id, path.clone()), internal).is_some() {
            return;
        }
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") };
        let module = &self.tree.modules[id];
        for item in module.facts.items.iter().filter(|item| item.visibility == Visibility::Public) {
            self.item(Target { module: id, item: Some(item.name.clone()) }, below(&item.name), internal);
        }
        for call in module.facts.macro_calls.iter().filter(|call| call.declares) {
            for (name, kind, public) in self.names.declared_by(id, call) {
                if let (Some(kind @ (Kind::Enum | Kind::Struct)), true) = (kind, public) {
                    let item = self.by_macro(below(name), kind, id, call);
                    self.add(Target { module: id, item: Some(name.to_owned()) }, item, internal);
                }
            }
        }
        for &child in module.children.iter().filter(|&&child| self.tree.modules[child].public) {
            let name = &self.tree.modules[child].name;
            self.module(child, below(name), internal || name == INTERNALS);
        }
        for import in module.facts.imports.iter().filter(|import| import.visibility == Visibility::Public) {
            for target in self.names.resolve(id, &import.path) {
                match (&target.item, &import.name) {
                    (None, Some(name)) => self.module(target.module, below(name), internal || name == INTERNALS),
                    (None, None) => self.module(target.module, path.clone(), internal),
                    (Some(_), name) => {
                        let name = name.as_deref().unwrap_or("*");
                        self.item(target.clone(), below(name), internal);
                    }
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

    fn item(&mut self, target: Target, path: String, internal: bool) {
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
            return self.add(target, item, internal);
        }
        // A re-export of what a macro declares.
        for call in module.facts.macro_calls.iter().filter(|call| call.declares) {
            let items = self.names.declared_by(target.module, call);
            let named = items.iter().find(|(name, kind, _)| Some(*name) == target.item.as_deref() && kind.is_some());
            if let Some((_, Some(kind), _)) = named {
                let item = self.by_macro(path, *kind, target.module, call);
                return self.add(target, item, internal);
            }
        }
    }

    /// Keeps the shortest path to an item, and one outside of `internals` above all.
    fn add(&mut self, target: Target, item: PublicItem, internal: bool) {
        let rank = |path: &str, internal: bool| (internal, path.matches("::").count());
        let new = rank(&item.path, internal);
        if self.items.get(&target).is_none_or(|(known, internal)| new < rank(&known.path, *internal)) {
            self.items.insert(target, (item, internal));
        }
    }
}
