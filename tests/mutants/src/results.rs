//! The file of results, from which an interrupted run continues.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{Result, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::judge::Verdict;

/// The results of mutants, by their names. A later line of the file replaces an earlier one.
pub struct Results {
    file: Mutex<File>,
    verdicts: Mutex<BTreeMap<String, Verdict>>,
    dropped: BTreeSet<String>,
}

impl Results {
    /// Opens the file. Its results are forgotten if they are about another state of the source,
    /// which `digest` names.
    pub fn open(path: &Path, digest: &str) -> Result<Self> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines();
        let same = lines.next() == Some(digest);
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if !same {
            file.set_len(0)?;
            writeln!(file, "{digest}")?;
        }
        let (mut verdicts, mut dropped) = (BTreeMap::new(), BTreeSet::new());
        for line in lines.filter(|_| same) {
            let mut columns = line.splitn(3, '\t');
            let (Some(name), Some(verdict)) = (columns.next(), columns.next()) else { continue };
            let what = columns.next().unwrap_or_default().to_owned();
            let verdict = match verdict {
                "killed" => Verdict::Killed(what),
                "uncovered" => Verdict::Uncovered,
                "same" => Verdict::Same,
                "differs" => Verdict::Differs(what),
                _ => {
                    dropped.insert(name.to_owned());
                    continue;
                }
            };
            verdicts.insert(name.to_owned(), verdict);
        }
        Ok(Self { file: Mutex::new(file), verdicts: Mutex::new(verdicts), dropped })
    }

    /// Adds a result.
    pub fn add(&self, name: &str, verdict: &Verdict) -> Result<()> {
        let (kind, what) = verdict.columns();
        let what = what.replace(['\n', '\t'], " ");
        self.verdicts.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), verdict.clone());
        writeln!(self.file.lock().unwrap_or_else(PoisonError::into_inner), "{name}\t{kind}\t{what}")
    }

    /// Adds a mutant that does not compile.
    pub fn drop(&mut self, name: &str) -> Result<()> {
        self.dropped.insert(name.to_owned());
        writeln!(self.file.lock().unwrap_or_else(PoisonError::into_inner), "{name}\tdoes not compile\t")
    }

    /// The names of the mutants that do not compile.
    pub fn dropped(&self) -> BTreeSet<String> {
        self.dropped.clone()
    }

    /// The result of a mutant.
    pub fn get(&self, name: &str) -> Option<Verdict> {
        self.verdicts.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Forgets the results of survivors.
    pub fn forget_survivors(&self) {
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.retain(|_, verdict| matches!(verdict, Verdict::Killed(_)));
    }
}
