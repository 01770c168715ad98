//! The names that the entry points of a container answer to.

use foldhash::{HashMap, HashSet};

use crate::analysis::program::Entry;
use crate::lower::NamedEntry;
use crate::shader::Shader;
use dxil_base::error::{Place, Result};

/// The entry point with a name of [`by_name`].
pub(super) fn named<'a>(shader: &'a Shader, all: &HashMap<&str, &'a Entry>, name: &str) -> Result<&'a Entry> {
    if let Some(entry) = all.get(name) {
        return Ok(entry);
    }
    // Its error lists the names.
    let id = shader.find_entry(Some(name))?;
    shader.entry(id).ok_or_else(|| bug!(Place::Input, "the container has no entry point {id}"))
}

/// The entry points by every name that they answer to.
pub(super) fn by_name(shader: &Shader) -> HashMap<&str, &Entry> {
    answers(shader).into_iter().map(|NamedEntry { name, entry }| (name, entry)).collect()
}

/// Every name that [`Shader::find_entry`] takes, with its entry point, in the order of the
/// container.
pub(super) fn answers(shader: &Shader) -> Vec<NamedEntry<'_>> {
    let mut plain: HashMap<&str, usize> = HashMap::default();
    let mut full: HashSet<&str> = HashSet::default();
    for (_, entry) in shader.entries() {
        *plain.entry(entry.plain_name()).or_default() += 1;
        full.insert(&entry.name);
    }
    let only = shader.entries().len() == 1;
    let (mut seen, mut found) = (HashSet::default(), Vec::new());
    for (_, entry) in shader.entries() {
        let plain_name = entry.plain_name();
        let is_plain = plain.get(plain_name) == Some(&1) && !full.contains(plain_name);
        let names = [Some(&*entry.name), is_plain.then_some(plain_name), only.then_some(MAIN)];
        found.extend(
            names.into_iter().flatten().filter(|name| seen.insert(*name)).map(|name| NamedEntry { name, entry }),
        );
    }
    found
}

/// The name of most entry points in Vulkan. The only entry point of a container answers to it.
const MAIN: &str = "main";
