//! The lines of a file of results, and their counts.

use std::collections::BTreeMap;

use crate::named::named;
use dxil_capture::Digest;
use serde::{Deserialize, Serialize};

use super::execution::Execution;

named! {
    /// What became of a pipeline.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Outcome {
        /// The driver created it.
        Created => "created",
        /// The driver created it and ran it.
        Executed => "run",
        /// The driver created it, and the lab did not run it.
        NotExecuted => "created and not run",
        /// The layer refused it before the driver saw it.
        Refused => "refused by the layer",
        /// The capture lacks something that the pipeline needs.
        Incomplete => "incomplete in the capture",
        /// The pipeline is beyond the device: its limits, or an extension that it lacks.
        Beyond => "beyond the device",
        /// The driver returned an error.
        Rejected => "rejected by the driver",
        /// The driver reported success and returned a null handle.
        Corrupt => "corrupt",
        /// The driver lost the device.
        Lost => "lost the device",
        /// The driver ended the process.
        Crashed => "crashed",
        /// The driver did not return in time.
        TimedOut => "timed out",
    }
}

impl Outcome {
    /// Whether the outcome is a fault of the driver.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Rejected | Self::Corrupt | Self::Lost | Self::Crashed | Self::TimedOut)
    }
}

/// A statistic of VK_KHR_pipeline_executable_properties.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Statistic {
    /// The executable.
    pub executable: String,
    /// What is counted.
    pub name: String,
    /// The number, as the driver's type prints.
    pub value: String,
}

/// The line of a pipeline. All but times and memory are the same on every run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The pipeline.
    pub pipeline: Digest,
    /// What became of it.
    pub outcome: Outcome,
    /// The error, the signal, or nothing.
    pub detail: String,
    /// The Vulkan command in which the process ended, if it did in one that the lab records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The functions that were called when the process ended, the innermost first, as
    /// `LIBRARY(FUNCTION+OFFSET)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backtrace: Vec<String>,
    /// The messages of the validation layer, one for each rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validation: Vec<String>,
    /// The `sType`s of structures that the pipeline was made without, because the capture lacks
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<i32>,
    /// The SPIR-V that the driver got, and its size in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<(Digest, usize)>,
    /// Whether an injected fault changed the code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub miscompiled: bool,
    /// The driver's statistics of the machine code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<Statistic>,
    /// What the pipeline did when it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// The time outside the driver, most of it translation, in microseconds.
    pub layer_us: u64,
    /// The driver's time, with that of the validation layer, in microseconds.
    pub driver_us: u64,
    /// The largest memory of the process while it made the pipeline, in KiB; 0 where the system
    /// does not say.
    pub memory_kib: u64,
}

impl Row {
    /// A row with an outcome and nothing else.
    pub fn new(pipeline: Digest, outcome: Outcome, detail: String) -> Self {
        Self {
            pipeline,
            outcome,
            detail,
            call: None,
            backtrace: Vec::new(),
            validation: Vec::new(),
            lost: Vec::new(),
            modules: Vec::new(),
            miscompiled: false,
            statistics: Vec::new(),
            execution: None,
            layer_us: 0,
            driver_us: 0,
            memory_kib: 0,
        }
    }
}

/// The name of a message of the validation layer: that of the rule, or its text without numbers.
pub fn rule_of(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match text.find("VUID-") {
        Some(at) => text[at..].chars().take_while(|c| is_name(*c)).collect(),
        None => text.chars().filter(|c| !c.is_ascii_digit()).take(100).collect(),
    }
}

/// The time in the driver, in microseconds, from which a pipeline is called slow.
const SLOW: u64 = 1_000_000;

/// Counts of results.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    /// Pipelines by outcome.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// Pipelines with messages of the validation layer.
    pub validation: usize,
    /// The driver's time over all pipelines, in microseconds.
    pub driver_us: u64,
    /// The time outside the driver, in microseconds.
    pub layer_us: u64,
}

impl Summary {
    /// The counts of these rows.
    pub fn from_rows<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut summary = Self::default();
        for row in rows {
            *summary.outcomes.entry(row.outcome).or_default() += 1;
            summary.validation += usize::from(!row.validation.is_empty());
            summary.driver_us += row.driver_us;
            summary.layer_us += row.layer_us;
        }
        summary
    }

    /// The pipelines that take most of the driver's time, the slowest first: each more than a
    /// second and than a twentieth of all, and five at most.
    pub fn slow<'a>(&self, rows: &[&'a Row]) -> Vec<&'a Row> {
        let is_slow = |row: &&Row| row.driver_us >= SLOW && row.driver_us * 20 > self.driver_us;
        let mut slow: Vec<&Row> = rows.iter().copied().filter(is_slow).collect();
        slow.sort_by_key(|row| (std::cmp::Reverse(row.driver_us), row.pipeline));
        slow.truncate(5);
        slow
    }

    /// Whether a pipeline has a fault or a message of the validation layer.
    pub fn has_faults(&self) -> bool {
        self.validation > 0 || self.outcomes.keys().any(|outcome| outcome.is_fault())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slow_pipelines_are_named() {
        let row = |id: u8, driver_us| Row { driver_us, ..Row::new(Digest([id; 32]), Outcome::Created, String::new()) };
        // Four take nearly all; of the others one takes a second, which is little of the whole.
        let mut rows: Vec<Row> = (0..100).map(|id| row(id, 20_000)).collect();
        rows.extend(
            [(200, 41_000_000), (201, 60_000_000), (202, 23_000_000), (203, 40_000_000), (204, 1_100_000)]
                .map(|(id, time)| row(id, time)),
        );
        let summary = Summary::from_rows(rows.iter());
        let slow = summary.slow(&rows.iter().collect::<Vec<_>>());
        assert_eq!(slow.iter().map(|row| row.pipeline.0[0]).collect::<Vec<_>>(), [201, 200, 203, 202]);
        // Short times are none, however large their part is.
        let rows = [row(1, 900_000)];
        assert!(Summary::from_rows(rows.iter()).slow(&[&rows[0]]).is_empty());
    }
}
