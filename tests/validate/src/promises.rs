//! The promises that the translator keeps for every input: no error of kind `Bug`, an error with a
//! place, a valid module for each device, the same module every time. A panic is the caller's to
//! catch.

use dxil_robustness::handed::{Handed, Kind};
use dxil_robustness::pipeline::{self, Outcome};
use dxil_translator::{
    DeviceProfile, Error, ErrorKind, Options, Shader, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, lavapipe,
};

use crate::validate;

/// How a case ended: the kind of its outcome, and what is wrong with it.
#[derive(Debug)]
pub struct Verdict {
    /// The kind of the outcome.
    pub kind: String,
    /// What is wrong.
    pub fault: Option<String>,
}

/// Runs the checks.
pub struct Checker {
    /// The profile of the promises, and two more for which the first entry point is translated.
    profile: DeviceProfile,
    others: [DeviceProfile; 2],
    /// The number of modules.
    pub modules: u64,
    /// The number of modules that went to the validator.
    pub validated: u64,
}

impl Default for Checker {
    fn default() -> Self {
        Self::new()
    }
}

impl Checker {
    /// A checker.
    #[must_use]
    pub fn new() -> Self {
        Self { profile: lavapipe(), others: [VULKAN_1_3_DESKTOP, VULKAN_1_1_FLOOR], modules: 0, validated: 0 }
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

    /// What the validator says against a module.
    fn invalid(&mut self, words: &[u32], profile: &DeviceProfile) -> Option<String> {
        self.modules += 1;
        match validate(words, profile) {
            Ok(new) => {
                self.validated += u64::from(new);
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
