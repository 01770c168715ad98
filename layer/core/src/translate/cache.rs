//! A bounded in-memory cache with single flight, for any key and value.
//!
//! In: a hash, a test for the key, and functions that make the key and its value. Out: the value,
//! shared. What must hold: concurrent requests for one key cause one computation (single flight);
//! under the lock nothing is hashed, computed, copied or dropped; the cached bytes stay below the
//! bound, and the least recently used value is evicted first; a value above the bound is not cached
//! and evicts nothing. Keys are compared by content, not only by hash. The owner's functions
//! determine the sizes of keys and values.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use once_cell::sync::OnceCell;
use parking_lot::Mutex;

/// The memory of an entry besides what its key and its value point to, in bytes.
const ENTRY_BYTES: usize = 512;

/// The cache. Keys and values are cloned, so they should be cheap to clone (an [`Arc`]).
pub struct Cache<K, V> {
    state: Mutex<State<K, V>>,
    key_bytes: fn(&K) -> usize,
    value_bytes: fn(&V) -> usize,
}

type Cell<V> = Arc<OnceCell<V>>;

/// A hasher for keys that are hashes.
#[derive(Default)]
struct Unchanged(u64);

impl Hasher for Unchanged {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 | u64::from(byte));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

struct State<K, V> {
    /// The entries by number. Numbers of removed entries are used again.
    entries: Vec<Option<Entry<K, V>>>,
    free: Vec<usize>,
    /// The first entry with a hash; the others follow by `same_hash`.
    by_hash: HashMap<u64, usize, BuildHasherDefault<Unchanged>>,
    /// The ends of the list of finished entries, which is in the order of their last use.
    newest: Option<usize>,
    oldest: Option<usize>,
    bytes: usize,
    bound: usize,
}

struct Entry<K, V> {
    hash: u64,
    key: K,
    cell: Cell<V>,
    /// The counted bytes; `None` while the value is made. Such an entry is not in the list, so it
    /// is not evicted: a second thread would make the value again.
    bytes: Option<usize>,
    same_hash: Option<usize>,
    newer: Option<usize>,
    older: Option<usize>,
}

impl<K: Clone, V: Clone> Cache<K, V> {
    /// An empty cache with a bound of 0 bytes. The functions return the bytes that a key and a
    /// value point to.
    pub fn new(key_bytes: fn(&K) -> usize, value_bytes: fn(&V) -> usize) -> Self {
        let state = State {
            entries: Vec::new(),
            free: Vec::new(),
            by_hash: HashMap::default(),
            newest: None,
            oldest: None,
            bytes: 0,
            bound: 0,
        };
        Self { state: Mutex::new(state), key_bytes, value_bytes }
    }

    /// Raises the bound to `bytes`, if it is lower.
    pub fn allow(&self, bytes: usize) {
        let mut state = self.state.lock();
        state.bound = state.bound.max(bytes);
    }

    /// The cached bytes, and the number of entries, finished or not.
    #[cfg(test)]
    pub fn size(&self) -> (usize, usize) {
        let state = self.state.lock();
        (state.bytes, state.entries.len() - state.free.len())
    }

    /// The value of the key with this hash that `is` accepts, if the cache has it. The entry
    /// becomes the most recently used.
    pub fn find(&self, hash: u64, is: impl Fn(&K) -> bool) -> Option<V> {
        let cell = self.state.lock().touch(hash, is)?;
        cell.get().cloned()
    }

    /// Whether the cache has a value.
    pub fn has(&self, hash: u64, is: impl Fn(&K) -> bool) -> bool {
        let state = self.state.lock();
        let found = state.number_of(hash, is).and_then(|number| state.entries.get(number)?.as_ref());
        found.is_some_and(|entry| entry.cell.get().is_some())
    }

    /// The value of the key with this hash that `is` accepts, and whether this call made it. `key`
    /// makes the key for the cache, and `make` the value.
    pub fn get(
        &self,
        hash: u64,
        is: impl Fn(&K) -> bool,
        key: impl FnOnce() -> K,
        make: impl FnOnce(&K) -> V,
    ) -> (V, bool) {
        let known = self.state.lock().touch(hash, &is);
        if let Some(value) = known.as_ref().and_then(|cell| cell.get()) {
            return (value.clone(), false);
        }
        let key = key();
        let cell = self.state.lock().cell(hash, is, &key);
        let mut made = None;
        // Other threads that request this key wait here, without a lock.
        let value = cell.get_or_init(|| {
            made = Some(Unfinished { cache: self, hash, cell: &cell });
            make(&key)
        });
        let Some(unfinished) = made else { return (value.clone(), false) };
        std::mem::forget(unfinished);
        let bytes = ENTRY_BYTES + (self.key_bytes)(&key) + (self.value_bytes)(value);
        let evicted = self.state.lock().finish(hash, &cell, bytes);
        drop(evicted);
        (value.clone(), true)
    }
}

/// An entry whose value is being made. If that panics, the entry is removed.
struct Unfinished<'a, K, V> {
    cache: &'a Cache<K, V>,
    hash: u64,
    cell: &'a Cell<V>,
}

impl<K, V> Drop for Unfinished<'_, K, V> {
    fn drop(&mut self) {
        let mut state = self.cache.state.lock();
        let removed = state.number_of_cell(self.hash, self.cell).and_then(|number| state.remove(number));
        drop(state);
        drop(removed);
    }
}

impl<K, V> State<K, V> {
    fn entry(&mut self, number: Option<usize>) -> Option<&mut Entry<K, V>> {
        self.entries.get_mut(number?)?.as_mut()
    }

    /// The first entry with this hash that is accepted.
    fn first(&self, hash: u64, accept: impl Fn(&Entry<K, V>) -> bool) -> Option<usize> {
        let mut next = self.by_hash.get(&hash).copied();
        while let Some(number) = next {
            let entry = self.entries.get(number)?.as_ref()?;
            if accept(entry) {
                return Some(number);
            }
            next = entry.same_hash;
        }
        None
    }

    fn number_of(&self, hash: u64, is: impl Fn(&K) -> bool) -> Option<usize> {
        self.first(hash, |entry| is(&entry.key))
    }

    fn number_of_cell(&self, hash: u64, cell: &Cell<V>) -> Option<usize> {
        self.first(hash, |entry| Arc::ptr_eq(&entry.cell, cell))
    }

    /// The cell of a key, which becomes the most recently used if it is finished.
    fn touch(&mut self, hash: u64, is: impl Fn(&K) -> bool) -> Option<Cell<V>> {
        let number = self.number_of(hash, is)?;
        let entry = self.entry(Some(number))?;
        let (cell, is_finished) = (entry.cell.clone(), entry.bytes.is_some());
        if is_finished && self.newest != Some(number) {
            self.unlink(number);
            self.link(number);
        }
        Some(cell)
    }

    /// The cell of a key, for which there is an entry then.
    fn cell(&mut self, hash: u64, is: impl Fn(&K) -> bool, key: &K) -> Cell<V>
    where
        K: Clone,
    {
        if let Some(cell) = self.touch(hash, is) {
            return cell;
        }
        let cell = Cell::default();
        let number = self.free.pop().unwrap_or(self.entries.len());
        let same_hash = self.by_hash.insert(hash, number);
        let (key, cell_of_entry) = (key.clone(), cell.clone());
        let entry = Entry { hash, key, cell: cell_of_entry, bytes: None, same_hash, newer: None, older: None };
        match self.entries.get_mut(number) {
            Some(place) => *place = Some(entry),
            None => self.entries.push(Some(entry)),
        }
        cell
    }

    /// Counts a finished entry of this size, and evicts others until the bound holds. An entry
    /// above the bound is removed instead. Returns the removed entries, which the caller drops
    /// after the lock.
    fn finish(&mut self, hash: u64, cell: &Cell<V>, bytes: usize) -> Vec<Entry<K, V>> {
        let mut removed = Vec::new();
        // It is not there if an earlier computation of it panicked.
        let Some(number) = self.number_of_cell(hash, cell) else { return removed };
        if bytes > self.bound {
            removed.extend(self.remove(number));
            return removed;
        }
        if let Some(entry) = self.entry(Some(number)) {
            entry.bytes = Some(bytes);
            self.bytes += bytes;
            self.link(number);
        }
        while self.bytes > self.bound
            && let Some(oldest) = self.oldest
        {
            removed.extend(self.remove(oldest));
        }
        removed
    }

    /// Makes an entry the newest of the list, in which it is not.
    fn link(&mut self, number: usize) {
        let before = self.newest.replace(number);
        if let Some(entry) = self.entry(Some(number)) {
            (entry.newer, entry.older) = (None, before);
        }
        match self.entry(before) {
            Some(before) => before.newer = Some(number),
            None => self.oldest = Some(number),
        }
    }

    /// Takes an entry out of the list.
    fn unlink(&mut self, number: usize) {
        let Some(entry) = self.entry(Some(number)) else { return };
        let (newer, older) = (entry.newer.take(), entry.older.take());
        match self.entry(newer) {
            Some(newer) => newer.older = older,
            None => self.newest = older,
        }
        match self.entry(older) {
            Some(older) => older.newer = newer,
            None => self.oldest = newer,
        }
    }

    fn remove(&mut self, number: usize) -> Option<Entry<K, V>> {
        if self.entry(Some(number))?.bytes.is_some() {
            self.unlink(number);
        }
        let entry = self.entries.get_mut(number)?.take()?;
        self.bytes -= entry.bytes.unwrap_or(0);
        self.free.push(number);
        let before = self.first(entry.hash, |other| other.same_hash == Some(number));
        match (self.entry(before), entry.same_hash) {
            (Some(before), next) => before.same_hash = next,
            (None, Some(next)) => _ = self.by_hash.insert(entry.hash, next),
            (None, None) => _ = self.by_hash.remove(&entry.hash),
        }
        Some(entry)
    }
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
