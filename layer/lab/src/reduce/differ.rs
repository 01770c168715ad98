//! The fault is that two drivers write different results.
//!
//! In: a pipeline of a capture, and two drivers. Out: whether what they write differs. What must
//! hold: the difference is of the kind that the first pipeline had. One that may depend on more, as
//! on the order of threads or on infinities, is another fault.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use dxil_capture::Digest;

use super::error::{NoFault, ReduceError};
use super::judge::{Driven, Judge, Symptom};
use crate::exec::compare::{Comparison, Side, Tolerance, Verdict, compare};
use crate::results::{Inputs, Outcome, Rounds, Row};

/// The reference of a comparison.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The other driver, as the user names it.
    pub driver: String,
    /// Which of its devices; `None` for the first one.
    pub device: Option<String>,
    /// The inputs.
    pub inputs: Inputs,
    /// The tolerance.
    pub tolerance: f64,
}

/// Two drivers that run the pipelines of one capture.
pub struct Pair {
    /// The reference driver, and the driver under test.
    pub drivers: [Driven; 2],
    /// The tolerance.
    pub tolerance: f64,
}

impl Pair {
    /// Runs a pipeline on both, and compares; also what each did.
    ///
    /// # Errors
    /// There is no answer.
    pub fn rows(&mut self, pipeline: Digest) -> Result<(Comparison, [Row; 2]), ReduceError> {
        let mut sides: Vec<(String, BTreeMap<Digest, Row>, PathBuf)> = Vec::new();
        let mut rows = Vec::new();
        for driven in &mut self.drivers {
            let row = driven.make(pipeline)?;
            let outputs = driven.job.run.as_ref().map(|(_, outputs)| outputs.clone()).unwrap_or_default();
            rows.push(row.clone());
            sides.push((driven.driver.name.clone(), BTreeMap::from([(pipeline, row)]), outputs));
        }
        let mut sides = sides.iter().map(|(driver, rows, outputs)| Side { driver, rows, outputs });
        let (Some(first), Some(second)) = (sides.next(), sides.next()) else { return Err(ReduceError::NoResult) };
        let compared = compare(first, second, Tolerance { float: self.tolerance })?;
        for Side { outputs, .. } in [first, second] {
            // What the candidates wrote is no part of the bundle.
            let _ = std::fs::remove_dir_all(outputs.join(pipeline.to_string()));
        }
        let comparison = compared.into_iter().next().ok_or(ReduceError::NoResult)?;
        Ok((comparison, rows.try_into().map_err(|_| ReduceError::NoResult)?))
    }

    /// The symptom of a pipeline, and what its results may depend on.
    ///
    /// # Errors
    /// The results do not differ, or there is no answer.
    pub fn symptom(&mut self, pipeline: Digest) -> Result<(Symptom, BTreeSet<String>), ReduceError> {
        let start = Instant::now();
        let found = self.compare(pipeline)?;
        // A smaller pipeline takes no longer, unless its loop has no end.
        let longest = (start.elapsed() * 10).max(Duration::from_secs(10));
        for driven in &mut self.drivers {
            driven.limits.time = driven.limits.time.min(longest);
        }
        if found.verdict != Verdict::Differs {
            let (pipeline, verdict, detail) = (pipeline.short(), found.verdict, found.detail);
            return Err(NoFault::Alike { pipeline, verdict, detail }.into());
        }
        // One round has the difference, and the others cost time.
        let first = found.differences.iter().find(|it| it.is_beyond());
        let round = first.map(|it| it.round).unwrap_or_default();
        for driven in &mut self.drivers {
            if let Some((inputs, _)) = &mut driven.job.run {
                inputs.rounds = Rounds { first: round, count: 1 };
            }
        }
        let [reference, _] = &self.drivers;
        let detail = first.map_or(String::new(), |it| {
            let [expected, value] = &it.values;
            format!("{}: element {} is {value}, and {expected} on {}", it.output, it.element, reference.driver.name)
        });
        let symptom = Symptom {
            outcome: Outcome::Executed,
            detail: format!("it writes something else than {}; in the first pipeline, {detail}", reference.driver.name),
            call: None,
            backtrace: Vec::new(),
            messages: BTreeSet::new(),
        };
        Ok((symptom, found.depends.into_iter().collect()))
    }
}

/// The fault is a difference that depends on no more than these, and not on what a driver's process
/// did before.
pub struct DifferentOutputs<T> {
    /// The drivers.
    pub pair: T,
    /// What the first pipeline's results may depend on.
    pub depends: BTreeSet<String>,
}

/// What compares the results of pipelines.
pub trait Compares {
    /// Runs a pipeline on both drivers, and compares.
    ///
    /// # Errors
    /// There is no answer.
    fn compare(&mut self, pipeline: Digest) -> Result<Comparison, ReduceError>;

    /// Ends the processes of both drivers, so that the next pipeline is the first one of others.
    fn restart(&mut self);
}

impl Compares for Pair {
    fn compare(&mut self, pipeline: Digest) -> Result<Comparison, ReduceError> {
        Ok(self.rows(pipeline)?.0)
    }

    fn restart(&mut self) {
        self.drivers.iter_mut().for_each(Driven::restart);
    }
}

impl<T: Compares> DifferentOutputs<T> {
    fn differs(&mut self, pipeline: Digest) -> Result<bool, ReduceError> {
        let found = self.pair.compare(pipeline)?;
        let depends_on_more = found.depends.iter().any(|it| !self.depends.contains(it));
        Ok(found.verdict == Verdict::Differs && !depends_on_more)
    }
}

impl<T: Compares> Judge for DifferentOutputs<T> {
    fn has_fault(&mut self, pipeline: Digest) -> Result<bool, ReduceError> {
        if !self.differs(pipeline)? {
            return Ok(false);
        }
        // An undefined value may be what an earlier pipeline left in the process.
        self.pair.restart();
        self.differs(pipeline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two drivers whose results of some pipelines differ only in a process that ran others before.
    struct Left {
        before: usize,
        undefined: Digest,
    }

    impl Compares for Left {
        fn compare(&mut self, pipeline: Digest) -> Result<Comparison, ReduceError> {
            self.before += 1;
            let is_equal = pipeline == self.undefined && self.before == 1;
            let verdict = if is_equal { Verdict::Unstable } else { Verdict::Differs };
            let (detail, differences, depends) = Default::default();
            Ok(Comparison { pipeline, verdict, detail, differences, depends })
        }

        fn restart(&mut self) {
            self.before = 0;
        }
    }

    #[test]
    fn a_difference_that_needs_the_pipelines_before_is_no_fault() {
        let [defined, undefined] = [Digest([1; 32]), Digest([2; 32])];
        let mut judge = DifferentOutputs { pair: Left { before: 5, undefined }, depends: BTreeSet::new() };
        assert!(judge.has_fault(defined).unwrap());
        assert!(!judge.has_fault(undefined).unwrap());
        assert!(judge.has_fault(defined).unwrap());
    }
}
