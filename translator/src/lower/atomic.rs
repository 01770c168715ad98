//! Atomic operations on resources.
