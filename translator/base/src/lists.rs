//! Many short lists in one array.
//!
//! [`Lists`] has a list for each entity, of a length that does not change. [`Pool`] has lists that
//! are made one after the other; a [`List`] is a `Copy` handle of eight bytes, so that what has
//! lists stays small. What must hold: a list is used only with the pool that made it.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

use crate::entity::Entity;

/// A list for each entity of a dense collection.
#[derive(Clone, Debug)]
pub struct Lists<K, V> {
    /// By entity: where its list begins. The last number is the end of the last list. There are no
    /// numbers if all lists are empty.
    starts: Vec<u32>,
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K, V> Default for Lists<K, V> {
    fn default() -> Self {
        Self { starts: Vec::new(), items: Vec::new(), key: PhantomData }
    }
}

impl<K: Entity, V: Copy> Lists<K, V> {
    /// The lists of `count` entities from pairs of an entity and an item. A list keeps the order of
    /// the pairs, which are gone through twice.
    pub fn new(count: usize, pairs: impl Iterator<Item = (K, V)> + Clone) -> Self {
        let mut lists = Self::default();
        lists.set(count, pairs);
        lists
    }
    /// Makes them the lists of [`new`](Self::new), in the memory that they have.
    pub fn set(&mut self, count: usize, pairs: impl Iterator<Item = (K, V)> + Clone) {
        self.clear();
        let Some((_, any)) = pairs.clone().next() else { return };
        self.starts.resize(count + 2, 0);
        pairs.clone().for_each(|(key, _)| self.starts[key.index() + 2] += 1);
        self.add_up(any);
        pairs.for_each(|(key, item)| self.put(key, item));
        self.starts.pop();
    }
    /// Adds up the numbers of items, which are still to be [`put`](Self::put). The number of a
    /// list's items stands two places further on, so that after adding up, the place before that is
    /// where its next item goes.
    fn add_up(&mut self, any: V) {
        let mut sum = 0;
        self.starts.iter_mut().for_each(|start| {
            sum += *start;
            *start = sum;
        });
        self.items.resize(sum as usize, any);
    }
    /// Sets the next item of a list.
    #[inline]
    fn put(&mut self, key: K, item: V) {
        let next = &mut self.starts[key.index() + 1];
        self.items[*next as usize] = item;
        *next += 1;
    }
    /// Appends the list of the next entity.
    pub fn add(&mut self, items: &[V]) {
        self.items.extend_from_slice(items);
        self.close();
    }
    /// Reserves memory for further lists, and for their items.
    pub fn reserve(&mut self, lists: usize, items: usize) {
        self.starts.reserve_exact(lists + 1);
        self.items.reserve(items);
    }
    /// Every item of every list. Those that are appended become the list of the next entity when it
    /// is [closed](Self::close).
    pub fn items_mut(&mut self) -> &mut Vec<V> {
        &mut self.items
    }
    /// Ends the list of the next entity: what was appended since the one before it.
    pub fn close(&mut self) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.starts.push(self.items.len() as u32);
    }
    /// Gives up the memory that the lists do not need.
    pub fn shrink_to_fit(&mut self) {
        self.starts.shrink_to_fit();
        self.items.shrink_to_fit();
    }
    /// The lists of `count` entities, made in order. `append` appends an entity's list to those
    /// before it.
    pub fn in_order(count: usize, append: impl FnMut(K, &mut Vec<V>)) -> Self {
        let mut lists = Self::default();
        lists.set_in_order(count, append);
        lists
    }
    /// Makes them the lists of [`in_order`](Self::in_order), in the memory that they have.
    pub fn set_in_order(&mut self, count: usize, mut append: impl FnMut(K, &mut Vec<V>)) {
        self.clear();
        self.starts.reserve(count + 1);
        self.items.reserve(count);
        self.starts.push(0);
        for key in (0..count).map(K::new) {
            append(key, &mut self.items);
            self.starts.push(self.items.len() as u32);
        }
    }
}

impl<K: Entity> Lists<K, K> {
    /// Makes them, by entity, the ascending entities in whose lists of `of` it is. Lists that
    /// `keep` refuses do not count.
    pub fn set_inverted(&mut self, of: &Self, count: usize, keep: impl Fn(K) -> bool) {
        self.clear();
        self.starts.resize(count + 2, 0);
        let kept = (0..count).map(K::new).filter(|&key| keep(key));
        for key in kept.clone() {
            of[key].iter().for_each(|item| self.starts[item.index() + 2] += 1);
        }
        self.add_up(K::new(0));
        for key in kept {
            of[key].iter().for_each(|&item| self.put(item, key));
        }
        self.starts.pop();
    }
}

impl<K, V> Lists<K, V> {
    /// Removes all items.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.items.clear();
    }
    /// Every item of every list.
    pub fn items(&self) -> &[V] {
        &self.items
    }
    /// The bytes that the lists occupy, without what their items point to.
    pub fn heap_bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.items.capacity() * size_of::<V>()
    }
}

impl<K: Entity, V> Index<K> for Lists<K, V> {
    type Output = [V];
    #[inline]
    fn index(&self, key: K) -> &[V] {
        match self.starts.get(key.index()..key.index() + 2) {
            Some(&[start, end]) => &self.items[start as usize..end as usize],
            _ => &[],
        }
    }
}

impl<K: Entity, V> IndexMut<K> for Lists<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut [V] {
        match self.starts.get(key.index()..key.index() + 2) {
            Some(&[start, end]) => &mut self.items[start as usize..end as usize],
            _ => &mut [],
        }
    }
}

/// A run of items in the [`Pool`] that made it.
pub struct List<T> {
    start: u32,
    len: u32,
    item: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// A list without items. It is the same in every pool.
    pub const EMPTY: Self = Self { start: 0, len: 0, item: PhantomData };

    /// The number of items.
    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }
    /// Whether the list is empty.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
    /// Position of the first item in the pool. A later pass uses it to keep data beside the items.
    pub fn start(self) -> usize {
        self.start as usize
    }
    /// Positions of the items in the pool.
    #[inline]
    pub fn places(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<T> {}
impl<T> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.len) == (other.start, other.len)
    }
}
impl<T> Eq for List<T> {}
impl<T> Default for List<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}
impl<T> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.start + self.len)
    }
}

/// Owns the items of many [`List`]s; `pool[list]` is the slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool<T> {
    items: Vec<T>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> Pool<T> {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }
    /// Removes all lists.
    pub fn clear(&mut self) {
        self.items.clear();
    }
    /// Reserves memory for further items.
    pub fn reserve(&mut self, items: usize) {
        self.items.reserve(items);
    }
    /// Appends items and returns their list. The items come from an input of limited size, so `u32`
    /// is enough.
    #[inline]
    pub fn extend(&mut self, items: impl IntoIterator<Item = T>) -> List<T> {
        let start = self.items.len();
        self.items.extend(items);
        debug_assert!(self.items.len() <= u32::MAX as usize);
        List { start: start as u32, len: (self.items.len() - start) as u32, item: PhantomData }
    }
    /// Gives up the memory that the items do not need.
    pub fn shrink_to_fit(&mut self) {
        self.items.shrink_to_fit();
    }
    /// The bytes that the items occupy, without what they point to.
    pub fn heap_bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>()
    }
    /// The number of items in all lists.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether all lists are empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Appends one item to the list that [`since`](Self::since) will make.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }
    /// The list of everything pushed since the pool had `start` items.
    #[inline]
    pub fn since(&self, start: usize) -> List<T> {
        List { start: start as u32, len: self.items.len().saturating_sub(start) as u32, item: PhantomData }
    }
    /// Every item of every list, in the order in which they were added.
    pub fn items(&self) -> &[T] {
        &self.items
    }
    /// Every item of every list, mutable: forward references are filled in through this.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<T> Index<List<T>> for Pool<T> {
    type Output = [T];
    #[inline]
    fn index(&self, list: List<T>) -> &[T] {
        &self.items[list.places()]
    }
}

impl<T> IndexMut<List<T>> for Pool<T> {
    #[inline]
    fn index_mut(&mut self, list: List<T>) -> &mut [T] {
        &mut self.items[list.places()]
    }
}

impl<T: Copy> Pool<T> {
    /// Removes items from a list. No other list of the pool may contain them.
    pub fn retain(&mut self, list: &mut List<T>, keep: impl Fn(&T) -> bool) {
        let mut end = list.start;
        for place in list.places() {
            let item = self.items[place];
            if keep(&item) {
                self.items[end as usize] = item;
                end += 1;
            }
        }
        list.len = end - list.start;
    }
    /// Appends the list of all items of two lists.
    pub fn join(&mut self, first: List<T>, second: List<T>) -> List<T> {
        let start = self.items.len();
        self.repeat(first);
        self.repeat(second);
        self.since(start)
    }
    /// Appends the items of a list once more.
    pub fn repeat(&mut self, list: List<T>) {
        self.items.extend_from_within(list.places());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    entity! {
        struct N, "n";
    }

    #[test]
    fn pairs_are_grouped_in_order() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (2, 'e')];
        let lists = Lists::new(5, pairs.iter().map(|&(key, item)| (N::new(key), item)));
        let found: Vec<String> = (0..6).map(|key| lists[N::new(key)].iter().collect()).collect();
        assert_eq!(found, ["b", "", "ace", "d", "", ""]);
        assert!(Lists::<N, char>::new(5, std::iter::empty())[N::new(1)].is_empty());
        let lists = Lists::in_order(3, |key: N, items| items.extend(0..key.index()));
        assert_eq!([0, 1, 2].map(|key| lists[N::new(key)].len()), [0, 1, 2]);
    }

    #[test]
    fn lists_of_a_pool_shrink_and_join() {
        let mut pool = Pool::default();
        let (mut first, second) = (pool.extend(1..6), pool.extend([7, 8]));
        pool.retain(&mut first, |item| item % 2 == 1);
        assert_eq!((&pool[first], first.len()), (&[1, 3, 5][..], 3));
        let both = pool.join(first, second);
        pool[both][0] = 0;
        assert_eq!((&pool[both], &pool[first]), (&[0, 3, 5, 7, 8][..], &[1, 3, 5][..]));
        assert!(!both.is_empty() && pool.extend([]).is_empty());
    }
}
