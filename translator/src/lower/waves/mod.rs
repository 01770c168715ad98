//! Operations across lanes: wave and quad operations, derivatives, barriers, helper lanes.
//!
//! In: operands. Out: instructions of subgroup scope, or their replacement on a device without
//! them. What must hold: the code assumes no particular subgroup size, and a helper lane takes part
//! only in operations that D3D defines for helper lanes.

pub mod barrier;
pub mod derivative;
pub mod helper;
pub mod lanes;
pub mod quad;
pub mod quad_shape;
pub mod wave;
