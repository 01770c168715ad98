//! Random sequences on a cache, against a model of it.
//!
//! One thread: each answer and each eviction is that of the model, which is a list in the order of
//! use. Sixteen threads: each value is that of its key, a value is never made by two threads at
//! once, and the cached bytes stay below the bound. `SEED` and `CASES` choose other sequences.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use dxil_test_support::Random;

use super::*;

const KEYS: u32 = 24;
const THREADS: usize = 16;
/// The operations of one sequence.
const STEPS: usize = 40;

/// A value: its key, and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Value(u32, usize);

/// The size of the value of a key. Some are above each bound of these tests.
fn size(key: u32) -> usize {
    if key.is_multiple_of(11) { 40_000 } else { 64 << (key % 6) }
}

fn new() -> Cache<u32, Value> {
    Cache::new(|key| *key as usize, |value| value.1)
}

/// Keys of the same remainder have one hash.
fn hash(key: u32) -> u64 {
    u64::from(key % 7)
}

fn get(cache: &Cache<u32, Value>, key: u32, make: impl FnOnce()) -> (Value, bool) {
    let make = |key: &u32| {
        make();
        Value(*key, size(*key))
    };
    cache.get(hash(key), |other| *other == key, || key, make)
}

/// The cache as a list, the least recently used first.
#[derive(Default)]
struct Model {
    entries: Vec<(u32, usize)>,
    bound: usize,
}

impl Model {
    fn bytes(&self) -> usize {
        self.entries.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Uses a key; returns whether it is there.
    fn use_of(&mut self, key: u32) -> bool {
        let found = self.entries.iter().position(|(other, _)| *other == key);
        found.map(|at| self.entries.remove(at)).map(|entry| self.entries.push(entry)).is_some()
    }

    fn get(&mut self, key: u32) -> bool {
        let is_there = self.use_of(key);
        let bytes = ENTRY_BYTES + key as usize + size(key);
        if !is_there && bytes <= self.bound {
            self.entries.push((key, bytes));
            while self.bytes() > self.bound {
                self.entries.remove(0);
            }
        }
        is_there
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// As many sequences as `CASES` says.
fn sequences(otherwise: u64) -> (u64, u64) {
    (number("SEED").unwrap_or(1), number("CASES").unwrap_or(otherwise))
}

/// One sequence on one thread.
fn alone(case: u64, random: &mut Random) {
    let (cache, mut model) = (new(), Model::default());
    for step in 0..STEPS * 4 {
        let key = random.below(KEYS as usize) as u32;
        let what = format!("case {case}, step {step}, key {key}");
        match random.below(16) {
            0 => {
                let bound = random.below(20_000);
                cache.allow(bound);
                model.bound = model.bound.max(bound);
            }
            1..4 => {
                let is_there = model.entries.iter().any(|(other, _)| *other == key);
                assert_eq!(cache.has(hash(key), |other| *other == key), is_there, "{what}");
            }
            4..6 => {
                let expected = model.use_of(key).then(|| Value(key, size(key)));
                assert_eq!(cache.find(hash(key), |other| *other == key), expected, "{what}");
            }
            6 => {
                let panics = || get(&cache, key, || std::panic::resume_unwind(Box::new(())));
                let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err();
                assert_eq!(panicked, !model.use_of(key), "{what}");
            }
            _ => {
                let is_there = model.get(key);
                assert_eq!(get(&cache, key, || {}), (Value(key, size(key)), !is_there), "{what}");
            }
        }
        assert_eq!(cache.size(), (model.bytes(), model.entries.len()), "{what}");
    }
}

#[test]
fn a_sequence_has_the_answers_of_the_model() {
    let (seed, cases) = sequences(500);
    (0..cases).for_each(|case| alone(case, &mut Random::from_case(seed, case)));
}

/// A cache that threads share, and what is being made.
struct Shared {
    cache: Cache<u32, Value>,
    making: [AtomicBool; KEYS as usize],
    bound: usize,
}

impl Shared {
    fn new(bound: usize) -> Self {
        let cache = new();
        cache.allow(bound);
        Self { cache, making: Default::default(), bound }
    }

    fn sequence(&self, random: &mut Random) {
        for _ in 0..STEPS {
            let key = random.below(KEYS as usize) as u32;
            match random.below(8) {
                0 => _ = self.cache.has(hash(key), |other| *other == key),
                1 => {
                    let found = self.cache.find(hash(key), |other| *other == key);
                    assert!(found.is_none_or(|value| value == Value(key, size(key))), "key {key}");
                }
                _ => {
                    let make = || {
                        let making = &self.making[key as usize];
                        assert!(!making.swap(true, Ordering::SeqCst), "key {key} is made twice at once");
                        std::thread::yield_now();
                        making.store(false, Ordering::SeqCst);
                    };
                    assert_eq!(get(&self.cache, key, make).0, Value(key, size(key)));
                }
            }
            let bytes = self.cache.size().0;
            assert!(bytes <= self.bound, "{bytes} of {}", self.bound);
        }
    }
}

/// That many sequences, over sixteen threads.
fn together(cases: u64, seed: u64) {
    let caches = [0, 1_000, 5_000, 20_000].map(Shared::new);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let case = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if case >= cases {
                        break;
                    }
                    let mut random = Random::from_case(seed, case);
                    caches[random.below(caches.len())].sequence(&mut random);
                }
            });
        }
    });
    for shared in caches {
        let finished = shared.cache.state.into_inner().entries.into_iter().flatten();
        let (count, bytes) = finished.fold((0, 0), |(count, bytes), entry| {
            assert_eq!(entry.cell.get(), Some(&Value(entry.key, size(entry.key))));
            (count + 1, bytes + entry.bytes.expect("nothing is being made"))
        });
        assert!(bytes <= shared.bound, "{count} entries of {bytes} bytes");
    }
}

#[test]
fn sixteen_threads_share_a_cache() {
    let (seed, cases) = sequences(2_000);
    together(cases, seed);
}

#[test]
#[ignore = "slow: 100,000 sequences"]
fn sixteen_threads_share_a_cache_for_long() {
    let (seed, cases) = sequences(100_000);
    together(cases, seed);
    (0..cases / 10).for_each(|case| alone(case, &mut Random::from_case(seed, case)));
}
