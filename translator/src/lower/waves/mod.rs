//! Lanes together: wave and quad operations, derivatives, barriers, helper lanes.
//!
//! In: operands. Out: instructions of subgroup scope, or their replacement on a device without
//! them. What must hold: nothing here assumes a subgroup size, and a helper lane takes part only
//! where D3D lets it.

pub mod barrier;
pub mod derivative;
pub mod helper;
pub mod lanes;
pub mod quad;
pub mod quad_shape;
pub mod wave;
