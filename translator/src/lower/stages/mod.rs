//! Parts of a shader that depend on its stage: inputs, outputs, system values, execution modes, and
//! operations that only one stage has.
//!
//! In: signature elements and the entry's properties. Out: interface variables, accesses to them,
//! execution modes. What must hold: stages that are translated separately agree on locations
//! (docs/bindings.md, "Stage interfaces").

pub mod amplification;
pub mod builtin;
pub mod compute;
pub mod demote;
mod distances;
pub mod geometry;
pub mod group;
pub mod interface;
pub mod interlock;
pub mod io;
pub mod link;
pub mod mesh;
pub mod outputs;
pub mod pixel;
pub mod point;
mod position;
mod signature;
pub mod stream_output;
pub mod system;
pub mod tessellation;
pub mod views;
