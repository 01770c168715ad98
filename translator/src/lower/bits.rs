//! Bit manipulation.
