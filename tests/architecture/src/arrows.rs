//! Arrows: which file refers to which.
//!
//! An arrow goes from the file that refers to a name to the file that *declares* it, however many
//! re-exports stand between. So a file that uses a re-export of its folder's root does not point at
//! the root, and a root that re-exports what its own files declare does not point at them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::contents::{How, Import, Path, Visibility};
use crate::resolve::{Names, Target};
use crate::source::{Crate, FileId, ModuleId};

/// A reference from one file to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// The file that refers.
    pub from: FileId,
    /// The file that declares the name.
    pub to: FileId,
    /// The line of the reference, counted from one.
    pub line: usize,
    /// The path as written, or the method.
    pub text: String,
    /// How it is written.
    pub how: How,
}

/// The references of a crate.
#[derive(Debug, Default)]
pub struct Arrows {
    /// Each pair of files once, with its first reference of each kind and text.
    pub all: Vec<Arrow>,
    /// The first segments of paths that lead out of the crate, per file, with the line of the
    /// first.
    pub outside: BTreeMap<(FileId, String), usize>,
}

/// Finds all references of a crate from one file to another.
pub fn arrows(tree: &Crate) -> Arrows {
    let names = Names::new(tree);
    let mut finder = Finder { tree, names, found: BTreeMap::new(), named: HashSet::new(), outside: BTreeMap::new() };
    for module in 0..tree.modules.len() {
        finder.module(module);
    }
    finder.methods();
    let all = finder.found.into_iter().map(|((from, to, text, how), line)| Arrow { from, to, line, text, how });
    Arrows { all: all.collect(), outside: finder.outside }
}

struct Finder<'a> {
    tree: &'a Crate,
    names: Names<'a>,
    /// From, to, text, how; and the first line.
    found: BTreeMap<(FileId, FileId, String, How), usize>,
    /// Which file names which item.
    named: HashSet<(FileId, Target)>,
    outside: BTreeMap<(FileId, String), usize>,
}

impl Finder<'_> {
    fn module(&mut self, id: ModuleId) {
        let contents = &self.tree.modules[id].contents;
        for import in contents.imports.iter().chain(&contents.local_imports) {
            self.import(id, import);
        }
        for reference in &contents.references {
            self.refer(id, &reference.path, reference.line, reference.how);
        }
        for call in &contents.macro_calls {
            for reference in &call.tokens.references {
                self.refer(id, &reference.path, reference.line, How::Macro);
            }
            let nested = call.tokens.calls.iter().map(|path| (path, None));
            for (path, callback) in std::iter::once((&call.path, call.callback.as_deref())).chain(nested) {
                for (home, rules) in self.names.macro_bodies(id, path, callback) {
                    self.arrow(id, home, format!("{}!", rules.name), call.line, How::Macro);
                    // Paths in the body of a macro are looked up where the macro is called.
                    for reference in &rules.tokens.references {
                        self.refer(id, &reference.path, call.line, How::Macro);
                    }
                }
            }
        }
        // Those that begin at the crate's root mean the same everywhere, so the file with the body
        // refers as well.
        for reference in contents.macros.iter().flat_map(|rules| &rules.tokens.references) {
            if reference.path.first().is_some_and(|first| first == "crate") {
                self.refer(id, &reference.path, reference.line, How::Macro);
            }
        }
    }

    fn import(&mut self, id: ModuleId, import: &Import) {
        let targets = self.names.resolve(id, &import.path);
        if targets.is_empty() {
            self.leads_out(id, &import.path, import.line);
        }
        for target in targets {
            let re_export = import.visibility != Visibility::Private && self.is_below(target.module, id);
            if re_export || target.item.is_none() && self.is_below(id, target.module) {
                continue;
            }
            self.refer_to(id, target, import.path.join("::"), import.line, How::Use);
        }
    }

    fn refer(&mut self, id: ModuleId, path: &Path, line: usize, how: How) {
        let targets = self.names.resolve(id, path);
        if targets.is_empty() && path.len() > 1 {
            self.leads_out(id, path, line);
        }
        for target in targets {
            // A module alone is only the beginning of a path that a macro completes, or a variable
            // of its name.
            if target.item.is_some() {
                self.refer_to(id, target, path.join("::"), line, how);
            }
        }
    }

    fn refer_to(&mut self, id: ModuleId, target: Target, text: String, line: usize, how: How) {
        let module = target.module;
        self.named.insert((self.tree.modules[id].file, target));
        self.arrow(id, module, text, line, how);
    }

    fn arrow(&mut self, from: ModuleId, to: ModuleId, text: String, line: usize, how: How) {
        let (from, to) = (self.tree.modules[from].file, self.tree.modules[to].file);
        if from != to {
            self.found.entry((from, to, text, how)).or_insert(line);
        }
    }

    fn leads_out(&mut self, id: ModuleId, path: &Path, line: usize) {
        let outside = path.iter().find(|segment| !segment.is_empty());
        if let Some(first) = outside {
            self.outside.entry((self.tree.modules[id].file, first.clone())).or_insert(line);
        }
    }

    /// Whether `inner` is `outer` or stands below it.
    fn is_below(&self, inner: ModuleId, outer: ModuleId) -> bool {
        let mut at = Some(inner);
        while let Some(module) = at {
            if module == outer {
                return true;
            }
            at = self.tree.modules[module].parent;
        }
        false
    }

    /// Methods that are written in another file than their type: a call names no path, so the
    /// method's name leads there. It does where no other `impl` of the crate has a function of that
    /// name, and where the calling file names the type.
    fn methods(&mut self) {
        let mut homes: HashMap<&str, BTreeSet<(ModuleId, Option<Target>)>> = HashMap::new();
        for (id, module) in self.tree.modules.iter().enumerate() {
            for block in &module.contents.impls {
                let of = self.names.resolve(id, &block.of).into_iter().next();
                let away = of.filter(|of| !block.of_trait && self.tree.modules[of.module].file != module.file);
                for name in &block.functions {
                    homes.entry(name).or_default().insert((id, away.clone()));
                }
            }
        }
        for (id, module) in self.tree.modules.iter().enumerate() {
            let expanded = module.contents.macro_calls.iter().flat_map(|call| &call.tokens.methods);
            for (name, line) in module.contents.methods.iter().chain(expanded) {
                let Some(home) = homes.get(name.as_str()).filter(|homes| homes.len() == 1) else { continue };
                for (home, of) in home {
                    if of.as_ref().is_some_and(|of| self.named.contains(&(module.file, of.clone()))) {
                        self.arrow(id, *home, format!(".{name}()"), *line, How::Method);
                    }
                }
            }
        }
    }
}
