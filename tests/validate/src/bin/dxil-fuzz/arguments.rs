//! What the command line chooses.

use std::path::PathBuf;

use dxil_robustness::Corpus;

use crate::check::Subject;

pub const USAGE: &str = "\
Changes shaders and other inputs at random, translates them, and writes down what breaks a promise.

usage: dxil-fuzz [--kind KIND] [--minutes N] [--cases N] [--first N] [--jobs N] [--seed S] [--folder DIR]…
                 [--out DIR]
       dxil-fuzz --keep DIR [--kind KIND] [--minutes N] [--seed S]    keeps inputs that reach new code
       dxil-fuzz --case N [--kind KIND] [--seed S] [--folder DIR]…    runs one case, prints its outcome
       dxil-fuzz --check FILE [--kind KIND]                           runs all checks on one input

KIND is shader, rts0, root-text, plan, map, profile, request or carrier. Without it, one case of eight is
of another kind than shader. A file is a shader.";

/// Containers larger than this are not changed, because their cases take long.
const LARGEST: usize = 64 << 10;

pub struct Arguments {
    /// The kind of all cases, if there is one.
    pub kind: Option<Subject>,
    pub minutes: Option<f64>,
    /// The first case.
    pub first: u64,
    /// The number of cases.
    pub cases: Option<u64>,
    /// The number of child processes.
    pub jobs: usize,
    pub seed: u64,
    pub folders: Vec<PathBuf>,
    pub out: PathBuf,
    pub case: Option<u64>,
    pub check: Option<PathBuf>,
    /// The campaign is guided by coverage, and keeps inputs in this folder.
    pub keep: Option<PathBuf>,
    /// The process is a child of this number.
    pub child: Option<usize>,
}

impl Arguments {
    pub fn read() -> Option<Self> {
        let mut found = Self {
            kind: None,
            minutes: None,
            first: 0,
            cases: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 1,
            folders: Vec::new(),
            out: PathBuf::from("target/fuzz"),
            case: None,
            check: None,
            keep: None,
            child: None,
        };
        let mut all = std::env::args().skip(1);
        while let Some(name) = all.next() {
            let value = all.next()?;
            match name.as_str() {
                "--kind" => found.kind = Some(Subject::named(&value)?),
                "--minutes" => found.minutes = Some(value.parse().ok()?),
                "--first" => found.first = value.parse().ok()?,
                "--cases" => found.cases = Some(value.parse().ok()?),
                "--jobs" => found.jobs = value.parse().ok().filter(|&jobs| jobs > 0)?,
                "--seed" => found.seed = value.parse().ok()?,
                "--folder" => found.folders.push(value.into()),
                "--out" => found.out = value.into(),
                "--case" => found.case = Some(value.parse().ok()?),
                "--check" => found.check = Some(value.into()),
                "--keep" => found.keep = Some(value.into()),
                "--child" => found.child = Some(value.parse().ok()?),
                _ => return None,
            }
        }
        if found.minutes.is_none() && found.cases.is_none() {
            found.minutes = Some(1.0);
        }
        Some(found)
    }

    pub fn corpus(&self) -> Corpus {
        match self.folders.as_slice() {
            [] => Corpus::fixtures(LARGEST),
            folders => Corpus::from_folders(folders, LARGEST),
        }
    }

    /// The case after the last one.
    pub fn end(&self) -> u64 {
        self.cases.map_or(u64::MAX, |cases| self.first.saturating_add(cases))
    }

    /// The arguments that choose the same cases.
    pub fn same(&self) -> Vec<String> {
        let mut out = vec!["--seed".to_owned(), self.seed.to_string()];
        if let Some(kind) = self.kind {
            out.extend(["--kind".to_owned(), kind.name().to_owned()]);
        }
        for folder in &self.folders {
            out.extend(["--folder".to_owned(), folder.display().to_string()]);
        }
        out
    }

    /// The file in which a child says which case it runs.
    pub fn progress(&self, child: usize) -> PathBuf {
        self.out.join(format!("{}.{child}.progress", self.seed))
    }
}
