//! The results of the cases of a campaign, and the text in which a child reports them.

use std::collections::BTreeMap;
use std::fmt;

/// The case with the most of something.
#[derive(Clone, Copy, Default)]
pub struct Most {
    pub amount: u64,
    pub case: u64,
}

impl Most {
    pub fn take(&mut self, amount: u64, case: u64) {
        if amount > self.amount {
            *self = Self { amount, case };
        }
    }
}

#[derive(Clone, Default)]
pub struct Tally {
    /// The number of cases by the kind of their outcome.
    pub kinds: BTreeMap<String, u64>,
    pub modules: u64,
    pub validated: u64,
    /// The most processor time, in nanoseconds.
    pub longest: Most,
    /// The most memory, in bytes.
    pub largest: Most,
}

impl Tally {
    pub fn cases(&self) -> u64 {
        self.kinds.values().sum()
    }

    pub fn merge(&mut self, other: &Self) {
        for (kind, count) in &other.kinds {
            *self.kinds.entry(kind.clone()).or_default() += count;
        }
        self.modules += other.modules;
        self.validated += other.validated;
        self.longest.take(other.longest.amount, other.longest.case);
        self.largest.take(other.largest.amount, other.largest.case);
    }

    /// One line for the parent.
    pub fn line(&self) -> String {
        let Self { modules, validated, longest, largest, .. } = self;
        let kinds: String = self.kinds.iter().map(|(kind, count)| format!(" {kind} {count}")).collect();
        let most = |most: &Most| format!("{} {}", most.amount, most.case);
        format!("{modules} {validated} {} {}{kinds}", most(longest), most(largest))
    }

    /// Reads what [`Tally::line`] wrote.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let mut number = || words.next()?.parse().ok();
        let (modules, validated) = (number()?, number()?);
        let longest = Most { amount: number()?, case: number()? };
        let largest = Most { amount: number()?, case: number()? };
        let mut kinds = BTreeMap::new();
        while let Some(kind) = words.next() {
            kinds.insert(kind.to_owned(), words.next()?.parse().ok()?);
        }
        Some(Self { kinds, modules, validated, longest, largest })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        write!(f, "{} cases: {}; {} modules, ", self.cases(), kinds.join(", "), self.modules)?;
        let milliseconds = self.longest.amount as f64 / 1e6;
        write!(
            f,
            "{} of them distinct; longest: case {} with {milliseconds:.1} ms; ",
            self.validated, self.longest.case
        )?;
        let mebibytes = self.largest.amount as f64 / f64::from(1 << 20);
        write!(f, "largest: case {} with {mebibytes:.1} MiB", self.largest.case)
    }
}
