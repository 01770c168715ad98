//! A pool of reusable memory for each thread.
//!
//! To allocate and free the lists that a small shader needs costs a tenth of its translation. In:
//! lists that are no longer needed. Out: the same lists, for the next shader of the thread. What
//! must hold: nothing but capacity passes from one use to the next, and the pool of a thread has no
//! more than a few megabytes. So the lists are emptied before they are put into the pool, and lists
//! that are too large are freed instead.

use std::cell::Cell;
use std::thread::LocalKey;

/// The most bytes that a shader may have been charged for, so that its memory is pooled.
pub const MOST_BYTES: u64 = 1 << 20;

/// The most items that the lists of a function may have, so that its memory is pooled: blocks and
/// edges, statements, nodes, variables, or entries of phis.
pub const MOST_ITEMS: usize = 1 << 12;

/// A place of the pool.
pub type Pooled<T> = Cell<Option<T>>;

/// Takes the memory out of its place, which is empty afterwards. New memory if the place is empty.
pub fn take<T: Default>(key: &'static LocalKey<Pooled<T>>) -> T {
    key.try_with(Cell::take).ok().flatten().unwrap_or_default()
}

/// Puts memory into its place. While a thread ends, the memory is freed.
pub fn put<T>(key: &'static LocalKey<Pooled<T>>, memory: T) {
    _ = key.try_with(|place| place.set(Some(memory)));
}
