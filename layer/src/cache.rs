//! The in-memory cache of parsed shaders and translations, one for the process.
//!
//! In: a key and how to make its value. Out: the value, shared. What must hold: threads that ask for one key at once cause one
//! computation (single flight); nothing is computed under a lock; the cached bytes stay below the bound, the least recently
//! used going first. Keys compare by what they are made of, not by a hash alone. Errors are cached too: they are as
//! deterministic as words.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use once_cell::sync::{Lazy, OnceCell};
use parking_lot::Mutex;

use crate::blobs::{Emitted, Source};
use crate::error::BlobHash;
use crate::translate::{DeviceProfile, Error, Facts, Plan};

/// What a value depends on. The translator's version is the process's own, so it is no part of an in-memory key.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// The parsed front end of a blob.
    Source(BlobHash),
    /// SPIR-V of one entry under one plan for one device profile. The other options of a translation are constant here.
    Emitted {
        /// The blob.
        blob: BlobHash,
        /// The entry point.
        entry: String,
        /// Where its resources live.
        plan: Plan,
        /// What the device has enabled.
        profile: Arc<DeviceProfile>,
        /// What the pipeline says.
        facts: Facts,
    },
}

/// A cached value.
#[derive(Clone)]
pub enum Value {
    /// For [`Key::Source`].
    Source(Arc<Source>),
    /// For [`Key::Emitted`].
    Emitted(Arc<Emitted>),
}

impl Value {
    fn byte_size(&self) -> usize {
        match self {
            Value::Source(source) => source.shader.byte_size(),
            Value::Emitted(emitted) => emitted.words.len() * 4,
        }
    }
}

type Cell = OnceCell<Result<Value, Error>>;

struct Entry {
    cell: Arc<Cell>,
    tick: u64,
    bytes: usize,
}

#[derive(Default)]
struct State {
    entries: HashMap<Arc<Key>, Entry>,
    /// Keys by when they were last used.
    order: BTreeMap<u64, Arc<Key>>,
    tick: u64,
    bytes: usize,
    bound: usize,
}

/// The cache.
#[derive(Default)]
pub struct Cache(Mutex<State>);

/// The process's cache.
pub static CACHE: Lazy<Cache> = Lazy::new(Cache::default);

/// What an entry costs beside its value.
const ENTRY_BYTES: usize = 512;

impl Cache {
    /// Raises the bound to `bytes`.
    pub fn allow(&self, bytes: usize) {
        let mut state = self.0.lock();
        state.bound = state.bound.max(bytes);
    }

    /// Whether the key's value is there.
    pub fn has(&self, key: &Key) -> bool {
        self.0.lock().entries.get(key).is_some_and(|e| e.cell.get().is_some())
    }

    /// The value of a key, and whether this call made it.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn get(&self, key: Key, make: impl FnOnce() -> Result<Value, Error>) -> (Result<Value, Error>, bool) {
        let key = Arc::new(key);
        let cell = self.0.lock().touch(&key);
        let mut made = false;
        // Other threads with this key wait here, and no lock is held.
        let value = cell.get_or_init(|| {
            made = true;
            make()
        });
        if made {
            let bytes = ENTRY_BYTES + value.as_ref().map_or(0, Value::byte_size);
            self.0.lock().settle(&key, &cell, bytes);
        }
        (value.clone(), made)
    }
}

impl State {
    /// The key's cell, now the most recently used.
    fn touch(&mut self, key: &Arc<Key>) -> Arc<Cell> {
        self.tick += 1;
        let tick = self.tick;
        let entry =
            self.entries.entry(key.clone()).or_insert_with(|| Entry { cell: Arc::default(), tick: 0, bytes: 0 });
        self.order.remove(&entry.tick);
        self.order.insert(tick, key.clone());
        entry.tick = tick;
        entry.cell.clone()
    }

    /// Counts a finished value, and makes room for it.
    fn settle(&mut self, key: &Arc<Key>, cell: &Arc<Cell>, bytes: usize) {
        if let Some(entry) = self.entries.get_mut(key)
            && Arc::ptr_eq(&entry.cell, cell)
        {
            self.bytes += bytes - entry.bytes.min(bytes);
            entry.bytes = bytes;
        }
        while self.bytes > self.bound {
            // A cell that is still being filled stays: to drop it would let a second thread compute the same.
            let finished = |key: &Arc<Key>| self.entries.get(key).is_some_and(|e| e.cell.get().is_some());
            let Some(oldest) = self.order.iter().find(|(_, key)| finished(key)).map(|(&tick, _)| tick) else { break };
            if let Some(entry) = self.order.remove(&oldest).and_then(|key| self.entries.remove(&key)) {
                self.bytes -= entry.bytes.min(self.bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn key(n: u8) -> Key {
        Key::Source(BlobHash([n; 32]))
    }

    fn words(count: usize) -> Result<Value, Error> {
        Ok(Value::Emitted(Arc::new(Emitted {
            words: vec![0; count],
            entry: String::new(),
            required_subgroup_size: None,
        })))
    }

    #[test]
    fn one_computation_for_many_threads() {
        let cache = Cache::default();
        cache.allow(1 << 20);
        let computed = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let (value, _) = cache.get(key(1), || {
                        computed.fetch_add(1, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        words(4)
                    });
                    assert!(value.is_ok());
                });
            }
        });
        assert_eq!(computed.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let cache = Cache::default();
        cache.allow(3 * (ENTRY_BYTES + 400));
        for n in 0..3 {
            assert!(cache.get(key(n), || words(100)).1);
        }
        assert!(!cache.get(key(0), || words(100)).1, "still there, and now the most recent");
        assert!(cache.get(key(3), || words(100)).1);
        assert!(cache.has(&key(0)) && cache.has(&key(2)) && cache.has(&key(3)));
        assert!(!cache.has(&key(1)));
    }

    #[test]
    fn nothing_is_kept_without_a_bound() {
        let cache = Cache::default();
        assert!(cache.get(key(0), || words(1)).1);
        assert!(!cache.has(&key(0)));
        assert_eq!(cache.0.lock().bytes, 0);
    }

    #[test]
    fn a_panic_leaves_the_key_free() {
        let cache = Cache::default();
        cache.allow(1 << 20);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cache.get(key(0), || panic!("once"))));
        assert!(panicked.is_err());
        assert!(cache.get(key(0), || words(1)).1);
    }
}
