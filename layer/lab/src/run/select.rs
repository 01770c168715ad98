//! Which pipelines of a capture a command is about.
//!
//! In: beginnings of names, parts of labels, and a shard. Out: names of pipelines. What must hold:
//! the shards of one number have every pipeline once, and are the same on every machine.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use dxil_capture::{Capture, Digest, Fault};
use thiserror::Error;

use crate::synth::List;

/// One part of several: part `index`, counted from 1, of `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: usize,
    count: usize,
}

/// A text that is no shard.
#[derive(Debug, Error)]
#[error("expected I/N with I from 1 to N, as 3/8, found `{0}`")]
pub struct NoShard(String);

impl FromStr for Shard {
    type Err = NoShard;
    fn from_str(text: &str) -> Result<Self, NoShard> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err(NoShard(text.to_owned())),
        }
    }
}

/// A selection; an empty list stands for all.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// Beginnings of names.
    pub pipelines: Vec<String>,
    /// Parts of labels.
    pub labels: Vec<String>,
    /// The part.
    pub shard: Option<Shard>,
}

/// Why nothing is selected.
#[derive(Debug, Error)]
pub enum NoSelection {
    /// The capture cannot be read.
    #[error(transparent)]
    Capture(#[from] Fault),
    /// The selection has no pipeline.
    #[error("the capture has no pipeline whose {0}")]
    Nothing(String),
}

impl Selection {
    /// The names of the pipelines.
    ///
    /// # Errors
    /// A capture that cannot be read, or a name or label that no pipeline has.
    pub fn names(&self, capture: &Path) -> Result<BTreeSet<Digest>, NoSelection> {
        let labels = List::read(capture).map(|list| list.labels()).unwrap_or_default();
        let label = |name: &Digest| labels.get(name).map_or("", String::as_str);
        let mut names: BTreeSet<Digest> = Capture::open(capture)?.names().collect();
        for wanted in &self.pipelines {
            if !names.iter().any(|name| name.to_string().starts_with(wanted)) {
                return Err(NoSelection::Nothing(format!("name begins with `{wanted}`")));
            }
        }
        names.retain(|name| {
            let is_named = self.pipelines.iter().any(|wanted| name.to_string().starts_with(wanted));
            let is_labelled = self.labels.iter().any(|part| label(name).contains(part.as_str()));
            (self.pipelines.is_empty() || is_named) && (self.labels.is_empty() || is_labelled)
        });
        if names.is_empty() && !self.labels.is_empty() {
            return Err(NoSelection::Nothing(format!("label has `{}`", self.labels.join("` or `"))));
        }
        let Some(Shard { index, count }) = self.shard else { return Ok(names) };
        // Every n-th name, so that a part of a sorted capture is like the whole.
        Ok(names.into_iter().enumerate().filter(|(at, _)| at % count + 1 == index).map(|(_, name)| name).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_a_part_from_one_on() {
        assert_eq!("3/8".parse::<Shard>().unwrap(), Shard { index: 3, count: 8 });
        for text in ["", "3", "0/8", "9/8", "-1/8", "1/0", "a/b", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
