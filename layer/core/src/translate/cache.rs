//! A bounded in-memory cache with single flight, for any key and value.
//!
//! In: a key and a function that makes its value. Out: the value, shared. What must hold:
//! concurrent requests for one key cause one computation (single flight); no value is computed
//! under a lock; the cached bytes stay below the bound, and the least recently used value is
//! evicted first. Keys are compared by content, not only by hash. The owner's function determines
//! the size of an entry.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use once_cell::sync::OnceCell;
use parking_lot::Mutex;

/// The memory of an entry besides what its key and its value point to, in bytes.
const ENTRY_BYTES: usize = 512;

/// The cache. A value is cloned for each caller, so it should be cheap to clone (an [`Arc`]).
pub struct Cache<K, V> {
    state: Mutex<State<K, V>>,
    byte_size: fn(&K, &V) -> usize,
}

type Cell<V> = OnceCell<V>;

struct State<K, V> {
    entries: HashMap<Arc<K>, Entry<V>>,
    /// Keys by the tick of their last use.
    order: BTreeMap<u64, Arc<K>>,
    tick: u64,
    bytes: usize,
    bound: usize,
}

struct Entry<V> {
    cell: Arc<Cell<V>>,
    tick: u64,
    bytes: usize,
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// An empty cache with a bound of 0 bytes. `byte_size` returns the size of an entry.
    pub fn new(byte_size: fn(&K, &V) -> usize) -> Self {
        let state = State { entries: HashMap::new(), order: BTreeMap::new(), tick: 0, bytes: 0, bound: 0 };
        Self { state: Mutex::new(state), byte_size }
    }

    /// Raises the bound to `bytes`, if it is lower.
    pub fn allow(&self, bytes: usize) {
        let mut state = self.state.lock();
        state.bound = state.bound.max(bytes);
    }

    /// Whether the cache has the value of a key.
    pub fn has(&self, key: &K) -> bool {
        self.state.lock().entries.get(key).is_some_and(|e| e.cell.get().is_some())
    }

    /// The value of a key, and whether this call made it.
    pub fn get(&self, key: K, make: impl FnOnce() -> V) -> (V, bool) {
        let key = Arc::new(key);
        let cell = self.state.lock().touch(&key);
        let mut made = false;
        // Other threads that request this key wait here, without a lock.
        let value = cell.get_or_init(|| {
            made = true;
            make()
        });
        if made {
            let bytes = ENTRY_BYTES + (self.byte_size)(&key, value);
            self.state.lock().account(&key, &cell, bytes);
        }
        (value.clone(), made)
    }
}

impl<K: Eq + Hash, V> State<K, V> {
    /// The cell of a key, which becomes the most recently used.
    fn touch(&mut self, key: &Arc<K>) -> Arc<Cell<V>> {
        self.tick += 1;
        let tick = self.tick;
        let entry = self.entries.entry(key.clone()).or_insert_with(|| Entry {
            cell: Arc::new(OnceCell::new()),
            tick: 0,
            bytes: 0,
        });
        self.order.remove(&entry.tick);
        self.order.insert(tick, key.clone());
        entry.tick = tick;
        entry.cell.clone()
    }

    /// Adds the size of a finished entry, and evicts values until the bound holds.
    fn account(&mut self, key: &Arc<K>, cell: &Arc<Cell<V>>, bytes: usize) {
        if let Some(entry) = self.entries.get_mut(key)
            && Arc::ptr_eq(&entry.cell, cell)
        {
            self.bytes += bytes - entry.bytes.min(bytes);
            entry.bytes = bytes;
        }
        while self.bytes > self.bound {
            // A cell that is being filled is not evicted: a second thread would compute the value
            // again.
            let finished = |key: &Arc<K>| self.entries.get(key).is_some_and(|e| e.cell.get().is_some());
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

    /// Texts by number; the size of a text is its length.
    fn cache() -> Cache<u32, Arc<str>> {
        Cache::new(|_, text| text.len())
    }

    fn text(length: usize) -> Arc<str> {
        "x".repeat(length).into()
    }

    #[test]
    fn one_computation_for_many_threads() {
        let cache = cache();
        cache.allow(1 << 20);
        let computed = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let (value, _) = cache.get(1, || {
                        computed.fetch_add(1, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        text(4)
                    });
                    assert_eq!(&*value, "xxxx");
                });
            }
        });
        assert_eq!(computed.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let cache = cache();
        cache.allow(3 * (ENTRY_BYTES + 400));
        for n in 0..3 {
            assert!(cache.get(n, || text(400)).1);
        }
        assert!(!cache.get(0, || text(400)).1, "it is still there, and now the most recent");
        assert!(cache.get(3, || text(400)).1);
        assert!(cache.has(&0) && cache.has(&2) && cache.has(&3));
        assert!(!cache.has(&1));
    }

    #[test]
    fn a_large_value_displaces_several() {
        let cache = cache();
        cache.allow(4 * (ENTRY_BYTES + 100));
        for n in 0..4 {
            cache.get(n, || text(100));
        }
        cache.get(4, || text(ENTRY_BYTES + 200));
        assert_eq!((0..5).map(|n| cache.has(&n)).collect::<Vec<_>>(), [false, false, true, true, true]);
        assert_eq!(cache.state.lock().bytes, 4 * ENTRY_BYTES + 400);
    }

    #[test]
    fn keys_compare_by_content() {
        #[derive(PartialEq, Eq)]
        struct SameHash(&'static str);
        impl Hash for SameHash {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                state.write_u8(0);
            }
        }
        let cache: Cache<SameHash, u8> = Cache::new(|_, _| 1);
        cache.allow(1 << 20);
        assert_eq!(cache.get(SameHash("a"), || 1), (1, true));
        assert_eq!(cache.get(SameHash("b"), || 2), (2, true));
        assert_eq!(cache.get(SameHash("a"), || 3), (1, false));
    }

    #[test]
    fn a_value_larger_than_the_bound_is_not_cached() {
        let cache = cache();
        assert!(cache.get(0, || text(1)).1);
        assert!(!cache.has(&0));
        assert_eq!(cache.state.lock().bytes, 0);
    }

    #[test]
    fn a_panic_leaves_the_key_free() {
        let cache = cache();
        cache.allow(1 << 20);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cache.get(0, || panic!("once"))));
        assert!(panicked.is_err());
        assert!(cache.get(0, || text(1)).1);
    }
}
