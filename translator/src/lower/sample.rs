//! Sampling and gathering.
