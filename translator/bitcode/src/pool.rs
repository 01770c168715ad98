//! Lists of small items in one allocation.
//!
//! In: slices. Out: [`List`], a `Copy` handle of eight bytes, so that types, constants and
//! instructions stay small. What must hold: a list is only ever used with the [`Pool`] that made
//! it.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;

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
    /// Reserves memory for further items.
    pub fn reserve(&mut self, items: usize) {
        self.items.reserve(items);
    }
    /// Appends items and returns their list. The items come from an input of limited size, so `u32`
    /// is enough.
    pub fn extend(&mut self, items: impl IntoIterator<Item = T>) -> List<T> {
        let start = self.items.len();
        self.items.extend(items);
        debug_assert!(self.items.len() <= u32::MAX as usize);
        List { start: start as u32, len: (self.items.len() - start) as u32, item: PhantomData }
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
        &self.items[list.start as usize..][..list.len as usize]
    }
}

/// Bytes of a name or string: a handle for [`Module::bytes`](super::Module::bytes). LLVM's names
/// need not be valid text.
pub type Str = List<u8>;
