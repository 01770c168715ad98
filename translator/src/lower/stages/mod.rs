//! What a shader has because of its stage: inputs, outputs, system values, and the operations and
//! modes of one stage.
//!
//! In: signature elements and the entry's properties. Out: interface variables, accesses to them,
//! execution modes. What must hold: stages that are translated apart agree on locations
//! (docs/bindings.md, "Stage interfaces").

pub mod builtin;
pub mod compute;
pub mod demote;
mod distances;
pub mod geometry;
pub mod interface;
pub mod interlock;
pub mod io;
pub mod pixel;
pub mod point;
mod signature;
pub mod system;
pub mod tessellation;
