//! The search for the smallest module that is still interesting.
//!
//! In: a module, who says whether one is valid and whether it is interesting, and limits. Out: a
//! module of which no single change that this file knows leaves an interesting one, or the smallest
//! until a limit was met. What must hold: the words depend on the input and the answers alone,
//! unless time runs out; every module that is asked about is valid.
//!
//! The changes of a kind are tried together, then in halves, and so on down to single ones (delta
//! debugging, Zeller and Hildebrandt 2002), kind after kind, until a round finds nothing.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::change::{Change, KINDS, apply};
use super::code::Code;
use super::error::ReduceError;

/// How long a search goes on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The modules that are asked about.
    pub questions: usize,
    /// The time. A search that it ends does not find the same on every machine.
    pub time: Duration,
    /// Set to end the search.
    pub stop: Option<&'static AtomicBool>,
}

impl Limits {
    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// The module.
    pub words: Vec<u32>,
    /// Its instructions.
    pub instructions: usize,
    /// Those of the module at the beginning.
    pub instructions_before: usize,
    /// The modules that were interesting, each smaller than the one before.
    pub steps: usize,
    /// The modules that were made.
    pub tried: usize,
    /// The modules that were valid, and so were asked about.
    pub asked: usize,
    /// A limit ended the search.
    pub ended: bool,
}

/// Whether a module is what is searched for. An error ends the search.
pub type Ask<'a> = &'a mut dyn FnMut(&[u32]) -> Result<bool, ReduceError>;

/// Reduces a module as long as it is valid and interesting. `words` must be interesting.
///
/// # Errors
/// The module cannot be read, or the error of `interesting`.
pub fn reduce(
    words: &[u32],
    valid: &dyn Fn(&[u32]) -> bool,
    interesting: Ask<'_>,
    limits: Limits,
) -> Result<Reduced, ReduceError> {
    let code = Code::read(words)?;
    let instructions_before = code.nodes.len();
    let mut search = Search {
        size: code.size(),
        code,
        valid,
        interesting,
        limits,
        start: Instant::now(),
        seen: HashSet::new(),
        steps: 0,
        tried: 0,
        asked: 0,
        ended: false,
    };
    loop {
        let before = search.steps;
        for kind in KINDS {
            search.kind(kind)?;
        }
        if search.steps == before || search.ended {
            break;
        }
    }
    // What the search did not touch keeps its words.
    let words = if search.steps == 0 { words.to_vec() } else { search.code.words() };
    Ok(Reduced {
        words,
        instructions: search.code.nodes.len(),
        instructions_before,
        steps: search.steps,
        tried: search.tried,
        asked: search.asked,
        ended: search.ended,
    })
}

struct Search<'a> {
    code: Code,
    size: (usize, usize, usize),
    valid: &'a dyn Fn(&[u32]) -> bool,
    interesting: Ask<'a>,
    limits: Limits,
    start: Instant,
    /// Modules that were tried, by a hash that is the same in every process.
    seen: HashSet<u64>,
    steps: usize,
    tried: usize,
    asked: usize,
    ended: bool,
}

impl Search<'_> {
    /// Tries the changes of one kind.
    fn kind(&mut self, find: fn(&Code) -> Vec<Change>) -> Result<(), ReduceError> {
        let mut changes = find(&self.code);
        // Uses stand behind what they use, and are less.
        changes.reverse();
        let mut size = changes.len();
        while size > 0 {
            let mut at = 0;
            while at < changes.len() && !self.ended {
                let end = changes.len().min(at + size);
                if self.attempt(&changes[at..end])? {
                    changes.drain(at..end);
                } else {
                    at = end;
                }
            }
            size = size.min(changes.len()) / 2;
        }
        Ok(())
    }

    /// Tries changes, and keeps the module if it is smaller, valid and interesting.
    fn attempt(&mut self, changes: &[Change]) -> Result<bool, ReduceError> {
        let Limits { questions, time, .. } = self.limits;
        if self.asked >= questions || self.start.elapsed() >= time || self.limits.is_stopped() {
            self.ended = true;
            return Ok(false);
        }
        let Some(code) = apply(&self.code, changes) else { return Ok(false) };
        let size = code.size();
        let shrinks = size < self.size || matches!(changes, [Change::SmallGroup(_)]);
        let words = code.words();
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        if !shrinks || !self.seen.insert(hasher.finish()) {
            return Ok(false);
        }
        self.tried += 1;
        if !(self.valid)(&words) {
            return Ok(false);
        }
        self.asked += 1;
        // Who is stopped gives no answer that counts.
        if !(self.interesting)(&words)? || self.limits.is_stopped() {
            return Ok(false);
        }
        (self.code, self.size) = (code, size);
        self.steps += 1;
        Ok(true)
    }
}
