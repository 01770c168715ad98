//! The files of the translator that are changed, a sample of their mutants, and the list of known
//! survivors.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::sites;

/// The folders of the translator that are changed. Profiles, limits and the reader of bitcode are
/// not.
const FOLDERS: [&str; 8] = [
    "translator/src/lower",
    "translator/src/binding",
    "translator/src/passes",
    "translator/src/analysis",
    "translator/src/decode",
    "translator/src/ir",
    "translator/src/ops",
    "translator/structure/src",
];

/// A file of the translator, and its mutants.
pub struct File {
    /// The path in the repository.
    pub path: String,
    pub text: String,
    pub mutants: Vec<Mutant>,
}

/// A mutant with its names.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The number that switches it on; 0 outside of the sample.
    pub number: usize,
    /// The file, the change, the function, and which of several such changes it is. Edits of other
    /// functions keep this name.
    pub name: String,
    /// The line and column.
    pub place: (usize, usize),
    pub change: sites::Change,
}

/// The source files of a folder that are no tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::path);
    for path in entries.iter().map(std::fs::DirEntry::path) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if stem == "tests" {
            continue;
        }
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// All files with all of their mutants.
pub fn files(repository: &Path) -> Result<Vec<File>> {
    let mut paths = Vec::new();
    for folder in FOLDERS {
        sources(&repository.join(folder), &mut paths)?;
    }
    let file = |path: &PathBuf| {
        let text = std::fs::read_to_string(path)?;
        let found = sites::find(&text).map_err(|error| Error::other(format!("{}: {error}", path.display())))?;
        let path = path.strip_prefix(repository).unwrap_or(path).display().to_string();
        let short = path.trim_start_matches("translator/").replacen("src/", "", 1);
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mutants = found.into_iter().map(|site| {
            let mut name = format!("{short}: {}", site.name);
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                name.push_str(&format!(" #{count}"));
            }
            Mutant { number: 0, name, place: site.place, change: site.change }
        });
        Ok(File { mutants: mutants.collect(), path, text })
    };
    paths.iter().map(file).collect()
}

/// A name for all of the text that can be changed, by which results of earlier runs are known to be
/// about the same code.
pub fn digest(files: &[File]) -> String {
    let mut hasher = blake3::Hasher::new();
    files.iter().for_each(|file| _ = hasher.update(file.path.as_bytes()).update(file.text.as_bytes()));
    hasher.finalize().to_hex()[..16].to_owned()
}

/// Which mutants are sampled.
#[derive(Args)]
pub struct Sample {
    /// Choose other mutants
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of mutants
    #[arg(long = "sample", value_name = "N", default_value_t = 1150)]
    pub count: usize,
    /// Only part K of N of these
    #[arg(long, value_name = "K/N", default_value = "1/1", value_parser = part)]
    pub part: (usize, usize),
    /// Only mutants whose names contain one of the texts, such as lower/buffers
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,
}

fn part(text: &str) -> std::result::Result<(usize, usize), &'static str> {
    let parts = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    parts.filter(|(part, parts)| (1..=*parts).contains(part)).ok_or("expected K/N with K from 1 to N")
}

/// The place of a mutant in the order from which samples are taken.
pub fn rank(seed: u64, name: &str) -> [u8; 32] {
    *blake3::Hasher::new().update(&seed.to_le_bytes()).update(name.as_bytes()).finalize().as_bytes()
}

/// Keeps the sampled mutants, and numbers them from 1. Each mutant has a rank by the seed and its
/// name, so that an edit of one function changes the sample by few mutants.
pub fn sample(files: &mut [File], sample: &Sample) {
    let chosen = |name: &str| sample.only.is_empty() || sample.only.iter().any(|text| name.contains(text));
    let names = files.iter().flat_map(|file| &file.mutants).map(|mutant| mutant.name.as_str());
    let mut ranked: Vec<_> =
        names.filter(|name| chosen(name)).map(|name| (rank(sample.seed, name), name.to_owned())).collect();
    ranked.sort_unstable();
    let (part, parts) = sample.part;
    let kept = ranked.into_iter().take(sample.count).skip(part - 1).step_by(parts);
    let kept: BTreeSet<String> = kept.map(|(_, name)| name).collect();
    let mut number = 0;
    for file in files {
        file.mutants.retain(|mutant| kept.contains(&mutant.name));
        for mutant in &mut file.mutants {
            number += 1;
            mutant.number = number;
        }
    }
}

/// Why no test notices a mutant, by its name.
pub struct Known(BTreeMap<String, String>);

impl Known {
    /// Reads `survivors.txt`, whose lines are `NAME — REASON`. A name has to be one of a mutant.
    pub fn read(path: &Path, names: &BTreeSet<&str>) -> Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let (mut known, mut unknown) = (BTreeMap::new(), Vec::new());
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let Some((name, why)) = line.split_once(" — ") else {
                return Err(Error::other(format!("{}: `{line}` is not NAME — REASON", path.display())));
            };
            if !names.contains(name) {
                unknown.push(format!("`{name}`"));
            }
            known.insert(name.to_owned(), why.to_owned());
        }
        match &unknown[..] {
            [] => Ok(Self(known)),
            _ => Err(Error::other(format!("{}: no mutants have the names {}", path.display(), unknown.join(", ")))),
        }
    }

    /// The reason for a survivor.
    pub fn why(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function that is renamed takes the names of its mutants with it.
    #[test]
    fn known_survivors_are_mutants() {
        let repository = crate::repository();
        let files = files(&repository).expect("the translator's source is readable");
        let names = files.iter().flat_map(|file| &file.mutants).map(|mutant| mutant.name.as_str()).collect();
        if let Err(error) = Known::read(&repository.join("tests/mutants/survivors.txt"), &names) {
            panic!("{error}");
        }
    }
}
