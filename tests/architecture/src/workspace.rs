//! The crates of the repository, by its `Cargo.toml`.

use std::path::{Path, PathBuf};

use crate::source::Crate;

/// A crate of the repository.
#[derive(Debug)]
pub struct Member {
    /// The folder of its entry file: `translator/src`, `layer/lab/src`.
    pub folder: String,
    /// Its source tree.
    pub tree: Crate,
}

/// The repository that this crate stands in.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The members that the workspace's `Cargo.toml` lists.
///
/// # Errors
/// Says which file has no list of members.
pub fn members(repository: &Path) -> Result<Vec<String>, String> {
    let path = repository.join("Cargo.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let list = text.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    let (list, _) = list.ok_or_else(|| format!("{}: found no `members = [`", path.display()))?;
    let lines = list.lines().map(|line| line.split('#').next().unwrap_or_default());
    Ok(lines.flat_map(|line| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect())
}

/// The crates of all members: each library, and each program that has a folder of its own.
///
/// # Errors
/// Says which file cannot be found or parsed.
pub fn crates(repository: &Path) -> Result<Vec<Member>, String> {
    let mut crates = Vec::new();
    for member in members(repository)? {
        for folder in sources(repository, &member) {
            crates.push(Member { tree: Crate::read(&repository.join(&folder))?, folder });
        }
    }
    Ok(crates)
}

/// The folders of a member that hold an entry file.
fn sources(repository: &Path, member: &str) -> Vec<String> {
    let own = format!("{member}/src");
    let programs = std::fs::read_dir(repository.join(&own).join("bin")).into_iter().flatten().flatten();
    let mut programs: Vec<_> =
        programs.filter_map(|program| Some(format!("{own}/bin/{}", program.file_name().to_str()?))).collect();
    programs.sort();
    let is_entry =
        |folder: &String| ["lib.rs", "main.rs"].iter().any(|file| repository.join(folder).join(file).exists());
    std::iter::once(own).chain(programs).filter(is_entry).collect()
}
