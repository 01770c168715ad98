//! From a path as written to the module and item that it names.
//!
//! Names are looked up as the compiler does, without types: through `use` declarations, renames,
//! globs and re-exports, to the module that declares the item. A name that a macro declares is
//! found by the words of the macro's arguments. A path that leads out of the crate, or to a type's
//! own functions, ends where the crate's modules end.

use std::collections::{HashMap, HashSet};

use crate::contents::{Import, Kind, MacroCall, MacroRules, Path};
use crate::source::{Crate, ModuleId};

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// The module that declares the item, or the module itself.
    pub module: ModuleId,
    /// The item; `None` where the path names a module.
    pub item: Option<String>,
}

/// Re-exports are followed this far; those that lead back to themselves end here.
const DEPTH: usize = 24;
/// What a glob costs of [`DEPTH`]: globs of one another would be searched many times over.
const GLOB: usize = 7;

/// A name of a module.
#[derive(Clone, Copy)]
enum Name<'a> {
    Module(ModuleId),
    Item(Kind),
    Import(&'a Import),
}

/// The names of all modules of a crate.
pub struct Names<'a> {
    tree: &'a Crate,
    names: Vec<HashMap<&'a str, Vec<Name<'a>>>>,
    globs: Vec<Vec<&'a Import>>,
    /// Names that macros called in a module declare there.
    perhaps: Vec<HashSet<&'a str>>,
}

impl<'a> Names<'a> {
    /// Collects the names of a crate.
    pub fn new(tree: &'a Crate) -> Self {
        let count = tree.modules.len();
        let mut names = Names {
            tree,
            names: vec![HashMap::new(); count],
            globs: vec![Vec::new(); count],
            perhaps: vec![HashSet::new(); count],
        };
        for (id, module) in tree.modules.iter().enumerate() {
            let map = &mut names.names[id];
            for &child in &module.children {
                map.entry(&tree.modules[child].name).or_default().push(Name::Module(child));
            }
            for item in &module.contents.items {
                map.entry(&item.name).or_default().push(Name::Item(item.kind));
            }
            for import in module.contents.imports.iter().chain(&module.contents.local_imports) {
                match &import.name {
                    Some(name) => map.entry(name).or_default().push(Name::Import(import)),
                    None => names.globs[id].push(import),
                }
            }
        }
        for id in 0..count {
            for call in tree.modules[id].contents.macro_calls.iter().filter(|call| call.declares) {
                let declared = names.declared_by(id, call);
                names.perhaps[id].extend(declared);
            }
        }
        names
    }

    /// What a path names that is written in `from`, or nothing where it leads out of the crate.
    pub fn resolve(&self, from: ModuleId, path: &Path) -> Vec<Target> {
        let mut found = Vec::new();
        self.walk_first(from, path, DEPTH, &mut found);
        found.sort();
        found.dedup();
        // `graph::graph` is a function and a module of one name: the item says more.
        if found.iter().any(|target| target.item.is_some()) {
            found.retain(|target| target.item.is_some());
        }
        found
    }

    fn walk_first(&self, from: ModuleId, path: &[String], depth: usize, found: &mut Vec<Target>) {
        let Some((first, rest)) = path.split_first() else { return };
        match first.as_str() {
            "crate" => self.walk(0, rest, depth, found),
            "self" => self.walk(from, rest, depth, found),
            "super" => {
                let mut module = self.tree.modules[from].parent;
                let mut rest = rest;
                while let (Some(at), Some((again, tail))) = (module, rest.split_first())
                    && again == "super"
                {
                    module = self.tree.modules[at].parent;
                    rest = tail;
                }
                if let Some(module) = module {
                    self.walk(module, rest, depth, found);
                }
            }
            "Self" => {}
            // A relative path begins with a name of the module; any other first name is another
            // crate's.
            _ => {
                self.lookup(from, path, depth, found);
            }
        }
    }

    fn walk(&self, module: ModuleId, rest: &[String], depth: usize, found: &mut Vec<Target>) {
        let Some(name) = rest.first() else {
            found.push(Target { module, item: None });
            return;
        };
        if !self.lookup(module, rest, depth, found) {
            found.push(Target { module, item: Some(name.clone()) });
        }
    }

    /// Looks up the first name of `path` among those of `module`. Says whether the name is there.
    fn lookup(&self, module: ModuleId, path: &[String], depth: usize, found: &mut Vec<Target>) -> bool {
        let (Some(depth), Some((name, rest))) = (depth.checked_sub(1), path.split_first()) else { return false };
        let known = self.names[module].get(name.as_str()).map_or(&[][..], Vec::as_slice);
        for name_of in known {
            match name_of {
                Name::Module(child) => self.walk(*child, rest, depth, found),
                // `plan::BindingPlan` goes through the module `plan`, whatever function has that
                // name too.
                Name::Item(Kind::Const | Kind::Fn | Kind::Macro | Kind::Static) if !rest.is_empty() => {}
                Name::Item(_) => found.push(Target { module, item: Some(name.clone()) }),
                Name::Import(import) => {
                    let full: Path = import.path.iter().chain(rest).cloned().collect();
                    // An import of its own name (`pub(crate) use some_macro`) says nothing more.
                    if full != path {
                        self.walk_first(module, &full, depth, found);
                    }
                }
            }
        }
        if !known.is_empty() {
            return true;
        }
        if self.perhaps[module].contains(name.as_str()) {
            found.push(Target { module, item: Some(name.clone()) });
            return true;
        }
        let Some(depth) = depth.checked_sub(GLOB) else { return false };
        self.globs[module].iter().any(|glob| {
            let mut modules = Vec::new();
            self.walk_first(module, &glob.path, depth, &mut modules);
            modules.iter().any(|of| of.item.is_none() && self.lookup(of.module, path, depth, found))
        })
    }

    /// The names of the items that a call of a macro declares.
    fn declared_by(&self, from: ModuleId, call: &'a MacroCall) -> Vec<&'a str> {
        let mut names = Vec::new();
        let bodies = self.macro_bodies(from, &call.path, call.callback.as_deref());
        for tokens in std::iter::once(&call.tokens).chain(bodies.iter().map(|(_, rules)| &rules.tokens)) {
            names.extend(tokens.declared.iter().map(String::as_str));
            if tokens.named_by_arguments {
                names.extend(call.tokens.outermost.iter().map(String::as_str));
            }
        }
        names
    }

    /// The definitions of the macros that a call runs: its own, that of a macro that is its only
    /// argument, and those that their bodies call. Each comes with the module that defines it.
    pub fn macro_bodies(&self, from: ModuleId, path: &Path, callback: Option<&str>) -> Vec<(ModuleId, &'a MacroRules)> {
        let mut waiting: Vec<(ModuleId, String)> = Vec::new();
        waiting.extend(path.last().map(|name| (from, name.clone())));
        waiting.extend(callback.map(|name| (from, name.to_owned())));
        let mut bodies: Vec<(ModuleId, &MacroRules)> = Vec::new();
        while let Some((from, name)) = waiting.pop() {
            for (home, rules) in self.macros_named(from, &name) {
                if bodies.iter().any(|(at, known)| *at == home && known.name == rules.name) {
                    continue;
                }
                bodies.push((home, rules));
                waiting.extend(rules.tokens.calls.iter().filter_map(|call| Some((home, call.last()?.clone()))));
            }
        }
        bodies
    }

    /// The macro of this name that is seen from a module: its own, else the nearest parent's, else
    /// the crate's only one.
    fn macros_named(&self, from: ModuleId, name: &str) -> Vec<(ModuleId, &'a MacroRules)> {
        let of = |module: ModuleId| {
            let rules = self.tree.modules[module].contents.macros.iter().filter(|rules| rules.name == name);
            rules.map(move |rules| (module, rules))
        };
        let mut at = Some(from);
        while let Some(module) = at {
            let own: Vec<_> = of(module).collect();
            if !own.is_empty() {
                return own;
            }
            at = self.tree.modules[module].parent;
        }
        let everywhere: Vec<_> = (0..self.tree.modules.len()).flat_map(of).collect();
        if everywhere.len() == 1 { everywhere } else { Vec::new() }
    }
}
