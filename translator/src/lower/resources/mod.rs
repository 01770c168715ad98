//! Resources: the declaration that a handle stands for, its place in the plan, and its descriptor.
//!
//! In: handles. Out: pointers to descriptors, and who answers for their bounds. What must hold: set
//! and binding come from the plan alone.

pub mod bounds;
pub mod descriptor;
pub mod handle;

pub use descriptor::Picked;
