//! Tests of the translator with malformed input.
//!
//! [`Corpus`] holds the fixtures' containers, [`mutate`] makes random changes to one of them,
//! [`pipeline`] runs all stages of the translator on an input, and [`Campaign`] runs many inputs on
//! all cores. A campaign collects the faults: panics, errors without a place, and cases that take
//! too long or too much memory. A case follows from its seed and number alone, so every fault can
//! be reproduced.

pub mod bitstream;
pub mod campaign;
pub mod compose;
pub mod corpus;
pub mod families;
pub mod graft;
pub mod handed;
pub mod memory;
pub mod mutate;
pub mod pipeline;
pub mod ratio;
pub mod runtime_data;
pub mod worst;

pub use campaign::{Campaign, Tally};
pub use corpus::Corpus;
