//! Catching panics at the entry points.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the body of an entry point. A panic must not unwind into C; it gives `otherwise`.
pub fn guard<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}
