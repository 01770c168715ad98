//! The source tree of a crate: its files and modules.
//!
//! In: the path of `lib.rs` or `main.rs`. Out: a [`Crate`], with every file that its `mod`
//! declarations reach and what each module says. Modules and items that only tests have
//! (`#[cfg(test)]`) are left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::collect::{self, Collected, Declared};
use crate::contents::Contents;
use crate::syntax;

/// The number of a file in [`Crate::files`].
pub type FileId = usize;
/// The number of a module in [`Crate::modules`].
pub type ModuleId = usize;

/// A file of a crate.
#[derive(Clone, Debug)]
pub struct File {
    /// The path below the folder of the entry file, with `/` between folders.
    pub path: String,
    /// How many lines it has.
    pub lines: usize,
}

/// A module: a file, or a block inside a file.
#[derive(Debug)]
pub struct Module {
    /// Its name; empty for the root.
    pub name: String,
    /// The file that it is written in.
    pub file: FileId,
    /// The module that declares it; `None` for the root.
    pub parent: Option<ModuleId>,
    /// The modules that it declares.
    pub children: Vec<ModuleId>,
    /// What it says.
    pub contents: Contents,
}

/// A crate as read from its entry file.
#[derive(Debug, Default)]
pub struct Crate {
    /// Its files; the entry file is the first.
    pub files: Vec<File>,
    /// Its modules; the root is the first.
    pub modules: Vec<Module>,
}

/// Where the text of files comes from.
#[derive(Clone, Copy)]
pub enum Texts<'a> {
    /// The file system, below this folder.
    Folder(&'a Path),
    /// Texts by path, for tests.
    Memory(&'a BTreeMap<String, String>),
}

impl Texts<'_> {
    fn read(self, path: &Path) -> Option<String> {
        match self {
            Texts::Folder(folder) => std::fs::read_to_string(folder.join(path)).ok(),
            Texts::Memory(texts) => texts.get(&slashes(path)).cloned(),
        }
    }
}

/// A module whose file is to be read.
struct Waiting {
    name: String,
    parent: Option<ModuleId>,
    /// Where its file may be; the first that exists counts.
    places: Vec<PathBuf>,
    /// Whether `#[path]` chose the file: modules that it declares are then beside it.
    chosen: bool,
}

/// A module whose text was read.
struct Opened {
    name: String,
    file: FileId,
    parent: Option<ModuleId>,
    /// Where the modules that it declares have their files.
    place: ModuleFolders,
}

/// A file that was read: its path, how many lines it has, what it holds; `None` where the file is
/// for tests alone.
type Parsed = (PathBuf, usize, Option<Collected>);

impl Crate {
    /// Reads the crate whose entry file is `lib.rs` or else `main.rs` in `folder`.
    ///
    /// # Errors
    /// Says which file cannot be found or parsed.
    pub fn read(folder: &Path) -> Result<Crate, String> {
        let entry = if folder.join("lib.rs").exists() { "lib.rs" } else { "main.rs" };
        Self::read_from(Texts::Folder(folder), entry).map_err(|error| format!("{}: {error}", folder.display()))
    }

    /// Reads a crate from texts by path; the entry is `lib.rs`.
    ///
    /// # Errors
    /// Says which file cannot be found or parsed.
    pub fn from_texts(texts: &[(&str, &str)]) -> Result<Crate, String> {
        let texts = texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Self::read_from(Texts::Memory(&texts), "lib.rs")
    }

    fn read_from(texts: Texts<'_>, entry: &str) -> Result<Crate, String> {
        let mut tree = Crate::default();
        let places = vec![PathBuf::from(entry)];
        let mut wave = vec![Waiting { name: String::new(), parent: None, places, chosen: true }];
        // The modules that one wave of files declares are the next wave.
        while !wave.is_empty() {
            let parsed = parse_all(texts, &wave)?;
            let mut next = Vec::new();
            for (waiting, (path, lines, collected)) in wave.into_iter().zip(parsed) {
                let Some(collected) = collected else { continue };
                let file = tree.files.len();
                tree.files.push(File { path: slashes(&path), lines });
                let beside = path.parent().map(Path::to_owned).unwrap_or_default();
                let own = path.file_stem().map(PathBuf::from).unwrap_or_default();
                let is_folder = waiting.chosen || own == Path::new("mod");
                let place = ModuleFolders { folder: if is_folder { beside.clone() } else { beside.join(own) }, beside };
                let module = Opened { name: waiting.name, file, parent: waiting.parent, place };
                tree.add(module, collected, &mut next);
            }
            wave = next;
        }
        Ok(tree)
    }

    fn add(&mut self, module: Opened, collected: Collected, next: &mut Vec<Waiting>) {
        let Opened { name, file, parent, place } = module;
        let id = self.modules.len();
        self.modules.push(Module { name, file, parent, children: Vec::new(), contents: collected.contents });
        if let Some(parent) = parent {
            self.modules[parent].children.push(id);
        }
        for Declared { name, path, inline } in collected.children {
            let folder = place.folder.join(&name);
            match inline {
                Some(inner) => {
                    let place = ModuleFolders { beside: folder.clone(), folder };
                    self.add(Opened { name, file, parent: Some(id), place }, inner, next);
                }
                None => next.push(Waiting {
                    places: match &path {
                        Some(path) => vec![place.beside.join(path)],
                        None => vec![folder.with_extension("rs"), folder.join("mod.rs")],
                    },
                    chosen: path.is_some(),
                    parent: Some(id),
                    name,
                }),
            }
        }
    }

    /// The path of a file, for messages.
    pub fn path(&self, file: FileId) -> &str {
        &self.files[file].path
    }
}

/// Where the modules that a module declares have their files.
struct ModuleFolders {
    /// The folder of those without `#[path]`.
    folder: PathBuf,
    /// The folder that a `#[path]` starts from.
    beside: PathBuf,
}

/// Parses the files of a wave. Parsing is most of the time that reading a tree takes, so it is
/// shared among threads.
fn parse_all(texts: Texts<'_>, wave: &[Waiting]) -> Result<Vec<Parsed>, String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(wave.len());
    let share = wave.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let workers: Vec<_> = wave
            .chunks(share)
            .map(|chunk| {
                scope.spawn(move || chunk.iter().map(|waiting| parse(texts, waiting)).collect::<Result<Vec<_>, _>>())
            })
            .collect();
        let mut all = Vec::with_capacity(wave.len());
        for worker in workers {
            all.extend(worker.join().map_err(|_| "a thread that parsed files panicked".to_owned())??);
        }
        Ok(all)
    })
}

fn parse(texts: Texts<'_>, waiting: &Waiting) -> Result<Parsed, String> {
    for path in &waiting.places {
        let Some(text) = texts.read(path) else { continue };
        let file = syn::parse_file(&text).map_err(|error| {
            let at = error.span().start();
            format!("{}:{}: {error}", path.display(), at.line)
        })?;
        let collected = (!syntax::only_tests(&file.attrs)).then(|| collect::module(&file.items));
        return Ok((path.clone(), text.lines().count(), collected));
    }
    let places: Vec<_> = waiting.places.iter().map(|path| path.display().to_string()).collect();
    Err(format!("module `{}` has no file: looked for {}", waiting.name, places.join(" and ")))
}

fn slashes(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            // `#[path = "../x.rs"]` leads out of a folder.
            std::path::Component::ParentDir if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/")
}
