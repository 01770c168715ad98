//! What two builds of a driver make of the same pipelines: sizes and statistics, side by side.
//!
//! In: the rows of both. Out: for each number that both have, its totals, how many pipelines have
//! less of it and how many have more, and the pipelines that differ most. What must hold: only
//! pipelines that both made count.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use dxil_capture::Digest;
use serde::Serialize;

use super::row::{Outcome, Row};

/// The pipelines that are named of each number.
const WORST: usize = 10;
/// The name of the driver's time.
const TIME: &str = "driver time, µs";

/// A number of two builds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Changed {
    /// The executable and the statistic, or a number of the row.
    pub name: String,
    /// The sums over all pipelines that have it in both.
    pub totals: [f64; 2],
    /// The pipelines that have it in both.
    pub pipelines: usize,
    /// Those that have less of it.
    pub helped: usize,
    /// Those that have more of it.
    pub hurt: usize,
    /// Those that have most more in proportion, the worst first, with both numbers.
    pub worst: Vec<(Digest, [f64; 2])>,
}

/// The numbers of a row, by name. Several executables of one name count together.
fn numbers(row: &Row) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    if matches!(row.outcome, Outcome::Created | Outcome::Executed | Outcome::NotExecuted) {
        found.insert(TIME.to_owned(), row.driver_us as f64);
        if let Some(time) = row.execution.as_ref().and_then(|execution| execution.device_ns) {
            found.insert("time on the device, ns".to_owned(), time as f64);
        }
        for statistic in &row.statistics {
            if let Ok(value) = statistic.value.parse::<f64>() {
                *found.entry(format!("{}: {}", statistic.executable, statistic.name)).or_insert(0.0) += value;
            }
        }
    }
    found
}

impl Changed {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), totals: [0.0; 2], pipelines: 0, helped: 0, hurt: 0, worst: Vec::new() }
    }

    /// Adds a pipeline with both numbers, and how the second one compares with the first.
    fn add(&mut self, pipeline: Digest, [first, second]: [f64; 2], change: Ordering) {
        self.totals = [self.totals[0] + first, self.totals[1] + second];
        self.pipelines += 1;
        self.helped += usize::from(change == Ordering::Less);
        self.hurt += usize::from(change == Ordering::Greater);
        if change == Ordering::Greater {
            self.worst.push((pipeline, [first, second]));
        }
    }

    /// With the worst pipelines alone.
    fn finish(mut self) -> Self {
        let part = |[first, second]: [f64; 2]| second / first.max(1.0);
        self.worst.sort_by(|a, b| part(b.1).total_cmp(&part(a.1)).then(a.0.cmp(&b.0)));
        self.worst.truncate(WORST);
        self
    }
}

/// Compares the numbers of two builds.
pub fn difference(before: &BTreeMap<Digest, Row>, after: &BTreeMap<Digest, Row>) -> Vec<Changed> {
    let mut all: BTreeMap<String, Changed> = BTreeMap::new();
    for (pipeline, row) in before {
        let Some(other) = after.get(pipeline).map(numbers) else { continue };
        for (name, first) in numbers(row) {
            let Some(second) = other.get(&name).copied() else { continue };
            let changed = all.entry(name.clone()).or_insert_with(|| Changed::new(&name));
            changed.add(*pipeline, [first, second], second.total_cmp(&first));
        }
    }
    all.into_values().map(Changed::finish).collect()
}

/// Compares times that were measured several times, of which the shortest count. A pipeline is
/// helped or hurt if each time of one build is below each of the other: other programs make single
/// times longer.
pub fn time_difference(before: &BTreeMap<Digest, Vec<u64>>, after: &BTreeMap<Digest, Vec<u64>>) -> Changed {
    let mut changed = Changed::new(TIME);
    let bounds = |times: &[u64]| Some((*times.iter().min()?, *times.iter().max()?));
    for (pipeline, times) in before {
        let Some(other) = after.get(pipeline).and_then(|times| bounds(times)) else { continue };
        let Some(first) = bounds(times) else { continue };
        let change = match () {
            () if other.1 < first.0 => Ordering::Less,
            () if other.0 > first.1 => Ordering::Greater,
            () => Ordering::Equal,
        };
        changed.add(*pipeline, [first.0 as f64, other.0 as f64], change);
    }
    changed.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Statistic;

    #[test]
    fn helped_and_hurt_are_counted_where_both_made_the_pipeline() {
        let row = |id: u8, outcome, value: &str| {
            let pipeline = Digest([id; 32]);
            let statistic = Statistic { executable: "main".into(), name: "instructions".into(), value: value.into() };
            (pipeline, Row { statistics: vec![statistic], ..Row::new(pipeline, outcome, String::new()) })
        };
        use Outcome::{Crashed, Created};
        let before = [row(1, Created, "10"), row(2, Created, "10"), row(3, Created, "4"), row(4, Crashed, "9")];
        let after = [row(1, Created, "8"), row(2, Created, "15"), row(3, Created, "8"), row(4, Created, "9")];
        let found = difference(&before.into(), &after.into());
        let found = found.iter().find(|it| it.name == "main: instructions").unwrap();
        assert_eq!((found.totals, found.pipelines, found.helped, found.hurt), ([24.0, 31.0], 3, 1, 2));
        assert_eq!(found.worst, [(Digest([3; 32]), [4.0, 8.0]), (Digest([2; 32]), [10.0, 15.0])]);
    }

    #[test]
    fn times_that_overlap_are_no_difference() {
        let of = |all: [&[u64]; 4]| (0..).zip(all).map(|(id, times)| (Digest([id; 32]), times.to_vec())).collect();
        let before = of([&[10, 12], &[10, 12], &[10, 12], &[10]]);
        let after = of([&[12, 30], &[13, 14], &[8, 9], &[]]);
        let found = time_difference(&before, &after);
        assert_eq!((found.totals, found.pipelines, found.helped, found.hurt), ([30.0, 33.0], 3, 1, 1));
        assert_eq!(found.worst, [(Digest([1; 32]), [10.0, 13.0])]);
    }
}
