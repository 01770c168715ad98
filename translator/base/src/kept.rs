//! Memory that a thread keeps from one use to the next.
//!
//! To allocate and free the lists that a small shader needs costs a tenth of its translation. In:
//! lists that are no longer needed. Out: the same lists, for the next shader of the thread. What
//! must hold: nothing but capacity passes from one use to the next, and a thread keeps no more than
//! a few megabytes. So who keeps lists empties them first, and gives those up that are too large.

use std::cell::Cell;
use std::thread::LocalKey;

/// The most bytes that a shader may have been charged for, so that its memory is kept.
pub const MOST_BYTES: u64 = 1 << 20;

/// What a thread keeps.
pub type Kept<T> = Cell<Option<T>>;

/// The memory that the thread keeps, or else none. The thread has none until it keeps some again.
pub fn take<T: Default>(key: &'static LocalKey<Kept<T>>) -> T {
    key.try_with(Cell::take).ok().flatten().unwrap_or_default()
}

/// Keeps memory. A thread that ends keeps nothing.
pub fn keep<T>(key: &'static LocalKey<Kept<T>>, memory: T) {
    _ = key.try_with(|kept| kept.set(Some(memory)));
}
