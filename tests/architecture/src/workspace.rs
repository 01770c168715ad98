//! The crates of the repository, by its `Cargo.toml`.

use std::path::{Path, PathBuf};

use crate::source::Crate;

/// A crate whose structure the rules are about.
#[derive(Debug)]
pub struct Member {
    /// The crate's folder in the repository: `translator`, `layer`.
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

/// The translator's source tree.
///
/// # Errors
/// Says which file cannot be found or parsed.
pub fn translator(repository: &Path) -> Result<Crate, String> {
    Crate::read(&repository.join("translator/src"))
}

/// The layer's crates: the members in the folder `layer`.
///
/// # Errors
/// Says which file cannot be found or parsed, or that there is no such member.
pub fn layer(repository: &Path) -> Result<Vec<Member>, String> {
    let folders = members(repository)?.into_iter().filter(|member| member.split('/').next() == Some("layer"));
    let crates: Result<Vec<_>, String> = folders
        .map(|folder| Ok(Member { tree: Crate::read(&repository.join(&folder).join("src"))?, folder }))
        .collect();
    crates.and_then(|crates| if crates.is_empty() { Err("no member in `layer`".to_owned()) } else { Ok(crates) })
}
