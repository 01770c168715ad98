//! The names that commands of cargo use: packages, programs, tests and examples of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The names of the workspace.
#[derive(Default)]
pub struct Names {
    root: PathBuf,
    packages: BTreeSet<String>,
    /// Packages whose library has no unit tests.
    untested: BTreeSet<String>,
    bins: BTreeSet<String>,
    tests: BTreeSet<String>,
    examples: BTreeSet<String>,
    /// What cargo prints of each package's integration tests when it runs them, with their names.
    programs: BTreeMap<String, Vec<(String, String)>>,
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
        let mut package = String::new();
        for line in fs::read_to_string(folder.join("Cargo.toml")).unwrap().lines() {
            if line.starts_with('[') {
                section = line.into();
            }
            if section == "[lib]" && line == "test = false" {
                self.untested.insert(package.clone());
            }
            let Some(name) = line.strip_prefix("name = ") else { continue };
            let name = name.trim_matches('"').to_owned();
            match section.as_str() {
                "[package]" => {
                    if folder.join("src/main.rs").exists() {
                        self.bins.insert(name.clone());
                    }
                    package.clone_from(&name);
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
                    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                    if below == "tests" {
                        let file = if path.is_dir() { format!("{name}/main") } else { name.clone() };
                        let line = format!("Running tests/{file}.rs (");
                        self.programs.entry(package.clone()).or_default().push((name.clone(), line));
                    }
                    names.insert(name);
                }
            }
        }
    }

    /// Whether there is a program of this name.
    pub fn has_bin(&self, name: &str) -> bool {
        self.bins.contains(name)
    }

    /// The lines that cargo prints of the programs of a `cargo test`, whose words these are.
    pub fn test_programs(&self, words: &[&str]) -> Result<Vec<String>, String> {
        let after = |option: &'static str| {
            let options = words.windows(2).take_while(|pair| pair[0] != "--");
            options.filter(move |pair| pair[0] == option).map(|pair| pair[1])
        };
        let only: Vec<&str> = after("--test").collect();
        let mut found = Vec::new();
        for package in after("-p") {
            let programs = self.programs.get(package).map(Vec::as_slice).unwrap_or_default();
            let lines = programs.iter().filter(|(name, _)| only.is_empty() || only.contains(&name.as_str()));
            found.extend(lines.map(|(_, line)| line.clone()));
            if only.is_empty() && !self.untested.contains(package) {
                // The unit tests of the library.
                found.push(format!("/debug/deps/{}-", package.replace('-', "_")));
            }
        }
        if found.is_empty() && !words.is_empty() {
            return Err(format!("no test belongs to `{}`", words.join(" ")));
        }
        Ok(found)
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
