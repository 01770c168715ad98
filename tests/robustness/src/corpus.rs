//! The containers of the fixtures and of the programs in `tests/content`.

use std::path::PathBuf;

use dxil_translator::container::{Container, FourCc};

use crate::bitstream::{self, Block};
use dxil_test_support::{Random, containers, read, repository};

/// A container and its name.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The path of the file without `.dxil`, relative to `tests/fixtures` or else to `tests`.
    pub name: String,
    /// The container.
    pub bytes: Vec<u8>,
    /// The blocks of the container's bitcode.
    pub blocks: Vec<Block>,
}

impl Entry {
    /// A container to change. `None` where it has no program that is a bitstream.
    pub fn new(name: String, bytes: Vec<u8>) -> Option<Self> {
        let program = Container::parse(&bytes).ok()?.program().ok()?;
        let blocks = bitstream::read(program.bitcode)?;
        // [`with_bitcode`](crate::mutate::with_bitcode) replaces the last part.
        let last = Container::parse(&bytes).ok()?.parts().last()?.fourcc;
        (last == FourCc::DXIL).then_some(Self { name, bytes, blocks })
    }
}

/// Containers, smallest first.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The containers.
    pub entries: Vec<Entry>,
}

impl Corpus {
    /// All containers of the fixtures and programs with at most `largest` bytes.
    pub fn fixtures(largest: usize) -> Self {
        let tests = repository().join("tests");
        let made = Self::from_folders(&[tests.join("fixtures"), tests.join("content")], largest);
        assert!(made.entries.len() >= 10, "found only {} containers in tests", made.entries.len());
        made
    }

    /// All containers of these folders with at most `largest` bytes, except those that are not
    /// DXIL.
    pub fn from_folders(folders: &[PathBuf], largest: usize) -> Self {
        let tests = repository().join("tests");
        let root = tests.join("fixtures");
        let paths: Vec<PathBuf> = folders.iter().flat_map(containers).collect();
        let mut entries: Vec<Entry> = paths
            .iter()
            .map(|path| {
                let bytes = read(path);
                let name = path.strip_prefix(&root).or_else(|_| path.strip_prefix(&tests)).unwrap_or(path);
                Entry { name: name.with_extension("").display().to_string(), bytes, blocks: Vec::new() }
            })
            .filter(|entry| entry.bytes.len() <= largest)
            .collect();
        entries.sort_by(|a, b| (a.bytes.len(), &a.name).cmp(&(b.bytes.len(), &b.name)));
        for entry in &mut entries {
            let program = Container::parse(&entry.bytes).and_then(|container| container.program());
            let program = program.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            entry.blocks =
                bitstream::read(program.bitcode).unwrap_or_else(|| panic!("{}: malformed bitstream", entry.name));
        }
        Self { entries }
    }

    /// A container to change. In three of four cases it is the smaller one of two, because a case
    /// with a small container takes less time and finds the same.
    pub fn pick(&self, random: &mut Random) -> Option<&Entry> {
        let (one, two) = (random.below(self.entries.len()), random.below(self.entries.len()));
        let at = if random.below(4) == 0 { one } else { one.min(two) };
        self.entries.get(at)
    }

    /// Keeps the containers whose names begin with one of the prefixes.
    ///
    /// # Panics
    /// If none is left.
    pub fn keep(&mut self, prefixes: &[&str]) {
        self.entries.retain(|entry| prefixes.iter().any(|prefix| entry.name.starts_with(prefix)));
        assert!(!self.entries.is_empty(), "no container has a name that begins with one of {prefixes:?}");
    }

    /// The container with this name, which must exist.
    pub fn named(&self, name: &str) -> &Entry {
        self.entries.iter().find(|entry| entry.name == name).unwrap_or_else(|| panic!("no fixture {name}"))
    }
}
