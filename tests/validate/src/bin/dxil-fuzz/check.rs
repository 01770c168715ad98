//! What the cases of a campaign are, and how each is checked.

use dxil_robustness::Corpus;
use dxil_robustness::corpus::Entry;
use dxil_robustness::graft::graft;
use dxil_robustness::handed::{Handed, Kind};
use dxil_robustness::mutate::{mutate, mutate_records};
use dxil_test_support::Random;
use dxil_validate::promises::{Checker, Verdict};

use crate::arguments::Arguments;
use crate::subject::Subject;

/// Makes the cases of a campaign.
pub struct CaseSource {
    corpus: Corpus,
    /// Read where cases are of these kinds.
    handed: Option<Handed>,
    kind: Option<Subject>,
    seed: u64,
    /// Shaders that were learned. A case takes them in place of the corpus every other time.
    learned: Corpus,
}

impl CaseSource {
    pub fn new(arguments: &Arguments) -> Self {
        let corpus = arguments.corpus();
        let handed = (arguments.kind != Some(Subject::Shader)).then(Handed::new);
        let learned = Corpus { entries: Vec::new() };
        Self { corpus, handed, kind: arguments.kind, seed: arguments.seed, learned }
    }

    /// What a case is: without a choice, one of eight is another kind than a shader.
    pub fn subject(&self, case: u64) -> Subject {
        let other = Subject::Handed(Kind::ALL[(case / 8) as usize % Kind::ALL.len()]);
        self.kind.unwrap_or(if case % 8 == 7 { other } else { Subject::Shader })
    }

    /// The input of a case, with a description.
    pub fn make(&self, case: u64) -> (String, Vec<u8>) {
        let mut random = Random::from_case(self.seed, case);
        if let (Subject::Handed(kind), Some(handed)) = (self.subject(case), &self.handed) {
            return (kind.name().to_owned(), handed.make(kind, &mut random));
        }
        let learned = !self.learned.entries.is_empty() && random.below(2) == 0;
        let corpus = if learned { &self.learned } else { &self.corpus };
        match random.below(8) {
            0 => mutate(corpus, &mut random),
            1 => mutate_records(corpus, &mut random),
            _ => graft(corpus, &mut random),
        }
    }

    /// Lets later cases be made of this input as well.
    pub fn learn(&mut self, subject: Subject, input: &[u8]) {
        match (subject, &mut self.handed) {
            (Subject::Shader, _) => self.learned.entries.extend(Entry::new("learned".to_owned(), input.to_vec())),
            (Subject::Handed(kind), Some(handed)) => handed.learn(kind, input),
            (Subject::Handed(_), None) => {}
        }
    }

    /// What cases are made of at first.
    pub fn samples(&self) -> Vec<(Subject, Vec<u8>)> {
        let shaders = self.corpus.entries.iter().map(|entry| (Subject::Shader, entry.bytes.clone()));
        let handed = self.handed.iter().flat_map(Handed::samples);
        shaders.chain(handed.map(|(kind, input)| (Subject::Handed(kind), input.to_vec()))).collect()
    }

    /// All checks of an input.
    pub fn check_whole(&self, checker: &mut Checker, subject: Subject, input: &[u8]) -> Verdict {
        match (subject, &self.handed) {
            (Subject::Handed(kind), Some(handed)) => checker.handed(handed, kind, input),
            _ => checker.whole(input),
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
