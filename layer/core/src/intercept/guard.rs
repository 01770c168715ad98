//! Catching panics at the entry points.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the body of an entry point. A panic must not unwind into C; it results in `otherwise`.
pub fn guard<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// Rolls back a creation unless it is disarmed: runs its function when it is dropped, also during a
/// panic.
pub struct Undo<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Undo<F> {
    /// A guard with this rollback function.
    pub fn new(undo: F) -> Self {
        Self(Some(undo))
    }

    /// Prevents the rollback after success.
    pub fn disarm(mut self) {
        self.0 = None;
    }
}

impl<F: FnOnce()> Drop for Undo<F> {
    fn drop(&mut self) {
        if let Some(undo) = self.0.take() {
            undo();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_a_panic_interrupts_is_undone() {
        let undone = Cell::new(0);
        let undo = || undone.set(undone.get() + 1);
        let result = guard(7, || {
            let _undo = Undo::new(undo);
            panic!("in the middle");
        });
        assert_eq!((result, undone.get()), (7, 1));
        guard((), || Undo::new(undo).disarm());
        assert_eq!(undone.get(), 1);
    }
}
