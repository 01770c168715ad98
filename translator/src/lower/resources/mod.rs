//! Resources: the declaration that a handle stands for, its place in the plan, its descriptor,
//! and the root arguments.
//!
//! In: handles. Out: places, pointers to descriptors, and whether the driver or the shader checks
//! bounds. What must hold: set and binding come from the plan alone.

pub mod bounds;
pub mod declare;
pub mod descriptor;
pub mod handle;
pub mod pairs;
pub mod root;
