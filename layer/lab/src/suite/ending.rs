//! The tests of a pipeline, and how they ended.

use std::collections::BTreeMap;

use dxil_capture::Digest;

use crate::exec::compare::{Comparison, Verdict};
use crate::named::named;
use crate::results::{Outcome, Row};

named! {
    /// What is asked of a pipeline.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Check {
        /// The driver makes it.
        Made => "made",
        /// The validation layer says nothing.
        Valid => "valid",
        /// The driver runs it.
        Ran => "ran",
        /// The results are those of the reference.
        Equal => "equal",
    }
}

impl Check {
    /// Whether it needs a run of the pipeline.
    pub fn runs(self) -> bool {
        matches!(self, Self::Ran | Self::Equal)
    }
}

/// A test: a pipeline, and what is asked of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Test {
    /// The name of the test suite: the label as an identifier, and the beginning of the pipeline's
    /// name.
    pub suite: String,
    /// The check.
    pub check: Check,
    /// The pipeline.
    pub pipeline: Digest,
}

impl Test {
    /// The full name.
    pub fn name(&self) -> String {
        format!("{}.{}", self.suite, self.check.name())
    }
}

/// How a test ended, and why it did not pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// As it should.
    Passed,
    /// Not.
    Failed(String),
    /// The check cannot be made.
    Skipped(String),
}

/// The tests of pipelines, in the order of their names.
pub fn tests(pipelines: impl Iterator<Item = Digest>, labels: &BTreeMap<Digest, String>, runs: bool) -> Vec<Test> {
    let mut tests = Vec::new();
    for pipeline in pipelines {
        // GoogleTest's names have no other characters, and a filter gives some a meaning.
        let label = labels.get(&pipeline).map_or("pipeline", String::as_str);
        let label: String = label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let suite = format!("{label}_{}", pipeline.short());
        let checks = Check::ALL.into_iter().filter(|check| runs || !check.runs());
        tests.extend(checks.map(|check| Test { suite: suite.clone(), check, pipeline }));
    }
    tests.sort();
    tests
}

/// How a test ended: by what the driver did when it made the pipeline, and when both drivers ran
/// it.
pub fn ending(check: Check, made: &Row, compared: Option<&(Comparison, [Row; 2])>) -> Ending {
    let why = |row: &Row| {
        let call = row.call.as_ref().map_or(String::new(), |call| format!(" in {call}"));
        format!("{}: {}{call}", row.outcome.name(), row.detail)
    };
    let is_beyond = |row: &Row| matches!(row.outcome, Outcome::Refused | Outcome::Incomplete | Outcome::Beyond);
    if is_beyond(made) {
        return Ending::Skipped(why(made));
    }
    match check {
        Check::Valid if made.validation.is_empty() => return Ending::Passed,
        Check::Valid => return Ending::Failed(made.validation.join("\n")),
        Check::Made if made.outcome.is_fault() => return Ending::Failed(why(made)),
        Check::Made => return Ending::Passed,
        Check::Ran | Check::Equal if made.outcome.is_fault() => return Ending::Skipped(why(made)),
        Check::Ran | Check::Equal => {}
    }
    let Some((comparison, [_, row])) = compared else { return Ending::Skipped("there is no reference".to_owned()) };
    match (check, row.outcome) {
        (Check::Ran, Outcome::Executed) => Ending::Passed,
        (Check::Ran, outcome) if outcome.is_fault() => Ending::Failed(why(row)),
        (_, Outcome::Executed) => compare(comparison),
        _ => Ending::Skipped(why(row)),
    }
}

/// How the comparison of two drivers that ran ended.
fn compare(comparison: &Comparison) -> Ending {
    let depends = match &comparison.depends[..] {
        [] => String::new(),
        depends => format!("\nthe results may depend on {}", depends.join(", ")),
    };
    match comparison.verdict {
        Verdict::Equal | Verdict::Close => Ending::Passed,
        Verdict::Differs => {
            let all = comparison.differences.iter().map(|it| {
                let ([expected, found], element) = (&it.values, it.element);
                format!(
                    "{}: element {element} is {found} instead of {expected}; {} of {} differ",
                    it.output, it.beyond, it.elements
                )
            });
            Ending::Failed(all.collect::<Vec<_>>().join("\n") + &depends)
        }
        verdict => Ending::Skipped(format!("{}: {}", verdict.name(), comparison.detail)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_asked_is_skipped() {
        let row = |outcome| Row::new(Digest([0; 32]), outcome, "detail".to_owned());
        let of = |check, made, ran: Outcome, verdict| {
            let (pipeline, detail) = (Digest([0; 32]), String::new());
            let comparison = Comparison { pipeline, verdict, detail, differences: Vec::new(), depends: Vec::new() };
            ending(check, &row(made), Some(&(comparison, [row(Outcome::Executed), row(ran)])))
        };
        use Outcome as O;
        let is_skipped = |ending: Ending| matches!(ending, Ending::Skipped(_));
        let is_failed = |ending: Ending| matches!(ending, Ending::Failed(_));
        for check in Check::ALL {
            assert!(is_skipped(of(check, O::Refused, O::Refused, Verdict::OneSided)));
            assert_eq!(of(check, O::Created, O::Executed, Verdict::Equal), Ending::Passed);
        }
        assert!(is_failed(of(Check::Made, O::Crashed, O::Crashed, Verdict::OneSided)));
        assert!(is_skipped(of(Check::Ran, O::Crashed, O::Crashed, Verdict::OneSided)));
        assert!(is_failed(of(Check::Ran, O::Created, O::TimedOut, Verdict::OneSided)));
        assert!(is_skipped(of(Check::Equal, O::Created, O::TimedOut, Verdict::OneSided)));
        assert!(is_failed(of(Check::Equal, O::Created, O::Executed, Verdict::Differs)));
        for verdict in [Verdict::NothingWritten, Verdict::Unstable, Verdict::OtherInputs, Verdict::OneSided] {
            assert!(is_skipped(of(Check::Equal, O::Created, O::Executed, verdict)), "{verdict:?}");
        }
    }
}
