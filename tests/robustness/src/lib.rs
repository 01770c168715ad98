//! Bad input for the translator, and what must come of it.
//!
//! [`Corpus`] holds the fixtures' containers, [`mutate`] changes one of them in a way that a seed decides, [`pipeline`] runs all
//! of the translator over an input, and [`Campaign`] runs many inputs on all cores and collects what went wrong: panics,
//! errors without a place, cases that take too long or too much memory. Every case has a name that reproduces it.

pub mod bitstream;
pub mod campaign;
pub mod corpus;
pub mod memory;
pub mod mutate;
pub mod pipeline;
pub mod random;

pub use campaign::{Campaign, Tally};
pub use corpus::Corpus;
pub use random::Random;
