//! What the cases of a campaign are, and how each is checked.

use dxil_robustness::graft::graft;
use dxil_robustness::handed::{Handed, Kind};
use dxil_robustness::mutate::{mutate, mutate_records};
use dxil_robustness::{Corpus, Random};
use dxil_validate::promises::{Checker, Verdict};

use crate::arguments::Arguments;

/// What the input of a case is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Shader,
    Handed(Kind),
}

impl Subject {
    pub fn named(name: &str) -> Option<Self> {
        if name == "shader" { Some(Self::Shader) } else { Kind::named(name).map(Self::Handed) }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Shader => "shader",
            Self::Handed(kind) => kind.name(),
        }
    }
}

/// What cases are made of.
pub struct Source {
    corpus: Corpus,
    /// Read where cases are of these kinds.
    handed: Option<Handed>,
    kind: Option<Subject>,
    seed: u64,
}

impl Source {
    pub fn new(arguments: &Arguments) -> Self {
        let corpus = arguments.corpus();
        let handed = (arguments.kind != Some(Subject::Shader)).then(Handed::new);
        Self { corpus, handed, kind: arguments.kind, seed: arguments.seed }
    }

    /// What a case is: without a choice, one of eight is another kind than a shader.
    pub fn subject(&self, case: u64) -> Subject {
        let other = Subject::Handed(Kind::ALL[(case / 8) as usize % Kind::ALL.len()]);
        self.kind.unwrap_or(if case % 8 == 7 { other } else { Subject::Shader })
    }

    /// The input of a case, with a description.
    pub fn make(&self, case: u64) -> (String, Vec<u8>) {
        let mut random = Random::new(self.seed, case);
        match (self.subject(case), &self.handed) {
            (Subject::Handed(kind), Some(handed)) => (kind.name().to_owned(), handed.make(kind, &mut random)),
            _ => match random.below(8) {
                0 => mutate(&self.corpus, &mut random),
                1 => mutate_records(&self.corpus, &mut random),
                _ => graft(&self.corpus, &mut random),
            },
        }
    }

    /// The checks of a case.
    pub fn check(&self, checker: &mut Checker, input: &[u8], case: u64) -> Verdict {
        match (self.subject(case), &self.handed) {
            (Subject::Handed(kind), Some(handed)) => checker.handed(handed, kind, input),
            _ => checker.case(input, case),
        }
    }
}
