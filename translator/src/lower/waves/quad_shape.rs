//! The threads of a group that form a quad.
//!
//! In: `[numthreads]`. Out: the shape of the group's quads, and whether the device has derivative
//! groups of that shape (HLSL_SM_6_6_Derivatives, "Thread Groups and Quads").

use rspirv::spirv::{Capability, ExecutionMode};

use crate::lower::cx::Inputs;
use crate::ops::consts::ShaderStage;
use dxil_spirv_builder::Caps;

/// The shape of a group's quads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quads {
    /// Four consecutive threads of a group that has one row.
    Linear,
    /// Two by two threads.
    Square,
}

impl Quads {
    /// The capability and the execution mode for derivative groups of this shape.
    pub fn native(self) -> (Capability, ExecutionMode) {
        match self {
            Quads::Linear => (Capability::ComputeDerivativeGroupLinearKHR, ExecutionMode::DerivativeGroupLinearKHR),
            Quads::Square => (Capability::ComputeDerivativeGroupQuadsKHR, ExecutionMode::DerivativeGroupQuadsKHR),
        }
    }
}

/// The shape of the quads that a shader with thread groups relies on (HLSL_SM_6_6_Derivatives,
/// "Thread Groups and Quads"). It is `None` in other stages, if no operation needs quads, and if
/// the thread group does not divide into quads.
pub fn quads(input: Inputs<'_>) -> Option<Quads> {
    let entry = input.entry;
    let [x, y, z] = entry.properties.num_threads()?;
    let asked = input.analysis.tangles.gradient || input.analysis.tangles.quad && input.program.shader_model >= (6, 6);
    if !asked {
        return None;
    }
    match (x, y, z) {
        (_, 1, 1) if x % 4 == 0 => Some(Quads::Linear),
        _ if x % 2 == 0 && y % 2 == 0 => Some(Quads::Square),
        _ => None,
    }
}

/// Whether the device has derivative groups of the shape that the shader relies on.
pub fn has_native_quads(input: Inputs<'_>, caps: &Caps<'_>) -> bool {
    // In the other stages derivative groups need a property of their own
    // (`meshAndTaskShaderDerivatives`), which a profile does not have.
    input.entry.stage == ShaderStage::Compute && quads(input).is_some_and(|quads| caps.allows(quads.native().0))
}
