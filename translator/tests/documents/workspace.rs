//! The names that commands of cargo use: packages, programs, tests and examples of the workspace.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The names of the workspace.
#[derive(Default)]
pub struct Names {
    root: PathBuf,
    packages: BTreeSet<String>,
    bins: BTreeSet<String>,
    tests: BTreeSet<String>,
    examples: BTreeSet<String>,
}

impl Names {
    /// Reads them below the repository's root.
    pub fn read(root: &Path) -> Self {
        let mut names = Self { root: root.into(), ..Self::default() };
        let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
        let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
        for member in members.split(',').map(|member| member.trim().trim_matches('"')).filter(|m| !m.is_empty()) {
            names.read_package(&root.join(member));
        }
        names
    }

    fn read_package(&mut self, folder: &Path) {
        let mut section = String::new();
        for line in fs::read_to_string(folder.join("Cargo.toml")).unwrap().lines() {
            if line.starts_with('[') {
                section = line.into();
            }
            let Some(name) = line.strip_prefix("name = ") else { continue };
            let name = name.trim_matches('"').to_owned();
            match section.as_str() {
                "[package]" => {
                    if folder.join("src/main.rs").exists() {
                        self.bins.insert(name.clone());
                    }
                    self.packages.insert(name);
                }
                "[[bin]]" => _ = self.bins.insert(name),
                "[[test]]" => _ = self.tests.insert(name),
                _ => {}
            }
        }
        for (below, names) in
            [("src/bin", &mut self.bins), ("tests", &mut self.tests), ("examples", &mut self.examples)]
        {
            for entry in fs::read_dir(folder.join(below)).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists() {
                    names.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
                }
            }
        }
    }

    /// Whether there is a program of this name.
    pub fn has_bin(&self, name: &str) -> bool {
        self.bins.contains(name)
    }

    /// Checks the names in a command of cargo. Words after `--` are the program's.
    pub fn check(&self, command: &[&str]) -> Result<(), String> {
        let mut words = command.iter().skip(2).take_while(|word| **word != "--");
        while let Some(word) = words.next() {
            if *word == "--path" {
                let folder = words.next().filter(|folder| self.root.join(folder).join("Cargo.toml").exists());
                folder.ok_or("--path without the folder of a package")?;
                continue;
            }
            let names = match *word {
                "-p" | "--package" | "--exclude" => &self.packages,
                "--bin" => &self.bins,
                "--test" => &self.tests,
                "--example" => &self.examples,
                _ => continue,
            };
            let name = words.next().ok_or_else(|| format!("{word} without a name"))?;
            if !names.contains(*name) {
                return Err(format!("`{word} {name}`: there is no `{name}`"));
            }
        }
        match command.get(1) {
            Some(&("build" | "check" | "install" | "run" | "test" | "doc" | "clippy" | "fmt")) => Ok(()),
            other => Err(format!("no known command of cargo: {other:?}")),
        }
    }
}
