//! The promises that one case is held to.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use dxil_robustness::graft::graft;
use dxil_robustness::handed::{Handed, Kind};
use dxil_robustness::mutate::{mutate, mutate_records};
use dxil_robustness::pipeline::{self, Outcome};
use dxil_robustness::{Corpus, Random};
use dxil_translator::{
    DeviceProfile, Error, ErrorKind, Feature, Options, Shader, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, lavapipe,
};
use dxil_validate::validate;

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

/// How a case ended: the kind of its outcome, and what is wrong with it.
pub struct Verdict {
    pub kind: String,
    pub fault: Option<String>,
}

/// Runs the checks. It knows the modules that passed, so that an equal one is not validated again.
pub struct Checker {
    /// A digest of each module that the validator accepted for a profile.
    accepted: HashSet<u64>,
    /// The profile of the promises, and two more for which the first entry point is translated.
    profile: DeviceProfile,
    others: [DeviceProfile; 2],
    /// The number of modules, and of those that went to the validator.
    pub modules: u64,
    pub validated: u64,
}

impl Checker {
    pub fn new() -> Self {
        Self {
            accepted: HashSet::new(),
            profile: lavapipe(),
            others: [VULKAN_1_3_DESKTOP, VULKAN_1_1_FLOOR],
            modules: 0,
            validated: 0,
        }
    }

    /// Every check on an input.
    pub fn whole(&mut self, input: &[u8]) -> Verdict {
        let outcome = pipeline::run(input);
        self.judge(input, outcome, None)
    }

    /// The checks of a case of a campaign. The text forms are made in one of eight cases. Where the
    /// input gives modules that no case gave before, it is translated for the other profiles, for
    /// one of them twice.
    pub fn case(&mut self, input: &[u8], case: u64) -> Verdict {
        let outcome = if case.is_multiple_of(8) { pipeline::run(input) } else { pipeline::run_without_text(input) };
        self.judge(input, outcome, Some(case))
    }

    /// The checks of an input that is no shader.
    pub fn handed(&mut self, handed: &Handed, of: Kind, input: &[u8]) -> Verdict {
        let answer = handed.check(of, input);
        let kind = answer.refused.as_ref().map_or("Accepted".to_owned(), kind);
        let fault =
            answer.fault.or_else(|| answer.modules.iter().find_map(|(profile, words)| self.invalid(words, profile)));
        Verdict { kind: format!("{}:{kind}", of.name()), fault }
    }

    fn judge(&mut self, input: &[u8], outcome: Outcome, case: Option<u64>) -> Verdict {
        match outcome {
            Outcome::Refused(error) => Verdict { kind: kind(&error), fault: pipeline::objection(&error) },
            Outcome::Translated(modules) => {
                let before = self.validated;
                let profile = self.profile.clone();
                let mut fault = modules.iter().find_map(|words| self.invalid(words, &profile));
                if fault.is_none() && (self.validated > before || case.is_none()) {
                    fault = self.others(input, case);
                }
                Verdict { kind: "Translated".to_owned(), fault }
            }
        }
    }

    /// Validates a module that was not validated before.
    fn invalid(&mut self, words: &[u32], profile: &DeviceProfile) -> Option<String> {
        let mut hasher = DefaultHasher::new();
        let layouts = [Feature::ScalarBlockLayout, Feature::UniformBufferStandardLayout].map(|f| profile.has(f));
        (profile.api, profile.spirv, layouts, words).hash(&mut hasher);
        let digest = hasher.finish();
        self.modules += 1;
        if self.accepted.contains(&digest) {
            return None;
        }
        self.validated += 1;
        match validate(words, profile) {
            Ok(()) => {
                self.accepted.insert(digest);
                None
            }
            Err(error) => Some(format!("invalid for {:?}: {error}", profile.api)),
        }
    }

    /// Translates the first entry point for two more profiles: for one of them twice, or for both
    /// where the input is not of a campaign.
    fn others(&mut self, input: &[u8], case: Option<u64>) -> Option<String> {
        let shader = Shader::parse(input).ok()?;
        for (number, profile) in self.others.clone().into_iter().enumerate() {
            let options = Options::new(profile);
            let one = pipeline::first_entry_of(&shader, &options);
            if case.is_none_or(|case| case % 2 == number as u64) {
                let two = pipeline::first_entry(input, &options);
                if one != two {
                    return Some("two translations of one input differ".to_owned());
                }
            }
            match one {
                // A library of functions has nothing to translate.
                Ok(words) if words.is_empty() => {}
                Ok(words) => {
                    if let Some(fault) = self.invalid(&words, &options.profile) {
                        return Some(fault);
                    }
                }
                Err(error) if error.kind() == ErrorKind::Bug => return Some(error.to_string()),
                Err(_) => {}
            }
        }
        None
    }
}

fn kind(error: &Error) -> String {
    format!("{:?}", error.kind()).split('(').next().unwrap_or_default().to_owned()
}
