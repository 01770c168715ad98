//! Dense indexes and the maps they key.
//!
//! An entity is an item of a dense collection, named by a `u32` newtype that `entity!` declares.
//! [`PrimaryMap`] owns the entities, [`UniqueMap`] owns them and stores equal ones once,
//! [`SecondaryMap`] holds further data about them, and [`EntitySet`] is a set of them. What must
//! hold: an index is used only with the map that made it, or with maps beside that one. Iteration
//! is in index order, so results do not depend on hashing.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// A `u32` newtype that names one entity of a dense collection.
pub trait Entity: Copy + Eq + Ord + Debug {
    /// The entity with this number. Callers keep numbers below `u32::MAX`.
    fn new(index: usize) -> Self;
    /// The entity's number.
    fn index(self) -> usize;
}

/// Declares an entity: `entity! { /// docs pub struct Block, "b"; }` declares a newtype that prints
/// as `b7`.
#[macro_export]
macro_rules! entity {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident, $prefix:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);
        impl $crate::entity::Entity for $name {
            #[inline]
            fn new(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                Self(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    )*};
}

/// Owns the entities of one kind. Each push makes the next index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PrimaryMap<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K, V> Default for PrimaryMap<K, V> {
    fn default() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }
}

impl<K: Entity, V> PrimaryMap<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }
    /// An empty map with capacity for `capacity` entities. Callers check the count against a limit
    /// first.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { items: Vec::with_capacity(capacity), key: PhantomData }
    }
    /// Adds an entity and returns its index.
    #[inline]
    pub fn push(&mut self, value: V) -> K {
        let key = K::new(self.items.len());
        self.items.push(value);
        key
    }
    /// Reserves memory for further entities.
    pub fn reserve(&mut self, entities: usize) {
        self.items.reserve(entities);
    }
    /// Removes all entities.
    pub fn clear(&mut self) {
        self.items.clear();
    }
    /// Removes the entities from a number on.
    pub fn truncate(&mut self, from: usize) {
        self.items.truncate(from);
    }
    /// Removes the entities from a number on, and returns them.
    pub fn split_off(&mut self, from: usize) -> Vec<V> {
        self.items.split_off(from)
    }
    /// The index that the next [`push`](Self::push) returns.
    #[inline]
    pub fn next_key(&self) -> K {
        K::new(self.items.len())
    }
    /// How many entities there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The entity's data; `None` if the index is out of range.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        self.items.get(key.index())
    }
    /// All indexes, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + Clone + use<K, V> {
        (0..self.items.len()).map(K::new)
    }
    /// All data, in index order.
    #[inline]
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }
    /// All data, in index order, mutable.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }
    /// Removes the entities whose data `keep` refuses. Those after them get other indexes.
    pub fn retain(&mut self, keep: impl FnMut(&V) -> bool) {
        self.items.retain(keep);
    }
    /// Index and data pairs, in index order.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator + Clone {
        self.items.iter().enumerate().map(|(i, v)| (K::new(i), v))
    }
}

impl<K, V> PrimaryMap<K, V> {
    /// The bytes that its elements occupy, without what those point to.
    pub fn heap_bytes(&self) -> usize {
        self.items.capacity() * size_of::<V>()
    }
}

impl<K: Entity, V> Index<K> for PrimaryMap<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, key: K) -> &V {
        &self.items[key.index()]
    }
}

impl<K: Entity, V> IndexMut<K> for PrimaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.items[key.index()]
    }
}

impl<K: Entity, V> FromIterator<V> for PrimaryMap<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(iter: I) -> Self {
        Self { items: iter.into_iter().collect(), key: PhantomData }
    }
}

/// Owns the entities of one kind. Equal entities are stored once.
///
/// The input chooses their content, so its hash has a secret, as in all maps of the translator:
/// else an input could choose constants with the same hash, each of which is compared with all
/// before it.
#[derive(Clone, Debug)]
pub struct UniqueMap<K, V> {
    items: PrimaryMap<K, V>,
    /// The entities, by the hashes of their content.
    keys: HashTable<K>,
    hasher: RandomState,
}

impl<K, V> Default for UniqueMap<K, V> {
    fn default() -> Self {
        Self { items: PrimaryMap::default(), keys: HashTable::new(), hasher: RandomState::default() }
    }
}

impl<K: Entity, V: Eq + Hash> UniqueMap<K, V> {
    /// The entity with this content. It is added if it is new.
    pub fn intern(&mut self, value: V) -> K {
        let Self { items, keys, hasher } = self;
        let hash = |value: &V| hasher.hash_one(value);
        match keys.entry(hash(&value), |&key| items[key] == value, |&key| hash(&items[key])) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => *entry.insert(items.push(value)).get(),
        }
    }
    /// Reserves memory for further entities.
    pub fn reserve(&mut self, entities: usize) {
        let Self { items, keys, hasher } = self;
        items.reserve(entities);
        keys.reserve(entities, |&key| hasher.hash_one(&items[key]));
    }
    /// The entity with this content, if there is one.
    pub fn find(&self, value: &V) -> Option<K> {
        self.keys.find(self.hasher.hash_one(value), |&key| self.items[key] == *value).copied()
    }
    /// Index and data pairs, in index order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter()
    }
    /// The entity's data; `None` if the index is out of range.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        self.items.get(key)
    }
    /// How many entities there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<K, V> UniqueMap<K, V> {
    /// The bytes that its elements and their index occupy, without what the elements point to.
    pub fn heap_bytes(&self) -> usize {
        // The index has the number of each element, and one byte of the hash.
        self.items.heap_bytes() + self.keys.capacity() * (size_of::<K>() + 1)
    }
}

impl<K: Entity, V> Index<K> for UniqueMap<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, key: K) -> &V {
        &self.items[key]
    }
}

/// Data about entities that another map owns. Reads past the end give the default value; writes
/// past the end grow the map.
#[derive(Clone, Debug)]
pub struct SecondaryMap<K, V: Clone> {
    items: Vec<V>,
    default: V,
    key: PhantomData<K>,
}

impl<K: Entity, V: Clone + Default> Default for SecondaryMap<K, V> {
    fn default() -> Self {
        Self::with_default(V::default())
    }
}

impl<K: Entity, V: Clone> SecondaryMap<K, V> {
    /// An empty map whose unset entries read as `default`.
    pub fn with_default(default: V) -> Self {
        Self { items: Vec::new(), default, key: PhantomData }
    }
    /// A map with `len` entries set to `default`.
    pub fn filled(len: usize, default: V) -> Self {
        Self { items: vec![default.clone(); len], default, key: PhantomData }
    }
    /// Makes it a map with `len` entries set to the default, in the memory that it has.
    pub fn fill(&mut self, len: usize) {
        self.items.clear();
        self.items.resize(len, self.default.clone());
    }
}

impl<K: Entity, V: Clone> SecondaryMap<K, V> {
    /// The values that were set, and the default for those before the last one.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }
    /// The bytes that its values occupy, without what those point to.
    pub fn heap_bytes(&self) -> usize {
        self.items.capacity() * size_of::<V>()
    }
}

impl<K: Entity, V: Clone> Index<K> for SecondaryMap<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, key: K) -> &V {
        self.items.get(key.index()).unwrap_or(&self.default)
    }
}

/// The least capacity of a map that has a value, in bytes.
const LEAST_BYTES: usize = 96;

impl<K: Entity, V: Clone> IndexMut<K> for SecondaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        let i = key.index();
        if i >= self.items.len() {
            // Growing from a few small values on would take many steps.
            let few = LEAST_BYTES / size_of::<V>().max(1);
            self.items.reserve((i + 1).max(few) - self.items.len());
            self.items.resize(i + 1, self.default.clone());
        }
        &mut self.items[i]
    }
}

/// A set of entities as a bit vector. The first 64 entities need no allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntitySet<K> {
    first: u64,
    others: Vec<u64>,
    key: PhantomData<K>,
}

impl<K> Default for EntitySet<K> {
    fn default() -> Self {
        Self { first: 0, others: Vec::new(), key: PhantomData }
    }
}

impl<K> EntitySet<K> {
    /// The bytes that its members occupy.
    pub fn heap_bytes(&self) -> usize {
        self.others.capacity() * size_of::<u64>()
    }
}

impl<K: Entity> EntitySet<K> {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds an entity. Returns whether it is new.
    #[inline]
    pub fn insert(&mut self, key: K) -> bool {
        let bit = 1u64 << (key.index() % 64);
        let word = match (key.index() / 64).checked_sub(1) {
            None => &mut self.first,
            Some(other) => {
                if other >= self.others.len() {
                    self.others.resize(other + 1, 0);
                }
                &mut self.others[other]
            }
        };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
    /// Removes an entity. Returns whether it was in the set.
    #[inline]
    pub fn remove(&mut self, key: K) -> bool {
        let bit = 1u64 << (key.index() % 64);
        let word = match (key.index() / 64).checked_sub(1) {
            None => Some(&mut self.first),
            Some(other) => self.others.get_mut(other),
        };
        let Some(word) = word else { return false };
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }
    /// Whether the entity is in the set.
    #[inline]
    pub fn contains(&self, key: K) -> bool {
        let word = match (key.index() / 64).checked_sub(1) {
            None => Some(&self.first),
            Some(other) => self.others.get(other),
        };
        word.is_some_and(|word| word >> (key.index() % 64) & 1 != 0)
    }
    /// The members, in index order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        let words = std::iter::once(&self.first).chain(&self.others).enumerate();
        words.flat_map(|(number, &word)| ones(word).map(move |bit| K::new(number * 64 + bit)))
    }
}

/// The numbers of the bits of a word that are set, in ascending order.
#[inline]
pub fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    entity! {
        struct N, "n";
    }

    #[test]
    fn a_set_has_what_was_inserted() {
        let numbers = [0, 5, 63, 64, 127, 128, 500].map(N::new);
        let mut set = EntitySet::new();
        assert_eq!(set.heap_bytes(), 0);
        for number in numbers {
            assert!(!set.contains(number) && set.insert(number) && !set.insert(number), "{number}");
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), numbers);
        for number in numbers {
            assert!(set.contains(number) && set.remove(number) && !set.remove(number), "{number}");
        }
        assert!(!set.remove(N::new(1000)) && set.iter().next().is_none());
    }
}
