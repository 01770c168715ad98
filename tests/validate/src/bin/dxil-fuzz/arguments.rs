//! What the command line chooses.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Parser;
use clap::builder::ArgPredicate;
use dxil_robustness::Corpus;

use crate::subject::Subject;

/// Containers larger than this are not changed, because their cases take long.
const LARGEST: usize = 64 << 10;

/// Changes shaders and other inputs at random, translates them, and writes down what breaks a
/// promise.
#[derive(Parser)]
pub struct Arguments {
    /// The kind of all cases: shader, rts0, root-text, plan, map, profile, request or embedded
    /// [default: shader, and another kind for one case of eight; a file is a shader]
    #[arg(long, value_parser = Subject::parse)]
    pub kind: Option<Subject>,
    /// The longest time [default: 1 without --cases]
    #[arg(long, value_name = "N", default_value = "1", default_value_if("cases", ArgPredicate::IsPresent, None))]
    pub minutes: Option<f64>,
    /// The first case
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub first: u64,
    /// The number of cases
    #[arg(long, value_name = "N")]
    pub cases: Option<u64>,
    /// The number of child processes
    #[arg(long, value_name = "N", default_value_t = available_parallelism().unwrap_or(NonZeroUsize::MIN))]
    pub jobs: NonZeroUsize,
    /// The seed of the cases
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A folder with the shaders that are changed [default: the fixtures]
    #[arg(long = "folder", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The folder for faults
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    pub out: PathBuf,
    /// Run one case and print its outcome
    #[arg(long, value_name = "N")]
    pub case: Option<u64>,
    /// Run all checks on one input
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,
    /// Keep inputs that reach new code in this folder
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// The process is a child of this number.
    #[arg(long, hide = true)]
    pub child: Option<usize>,
}

impl Arguments {
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
