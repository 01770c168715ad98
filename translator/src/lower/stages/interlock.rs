//! Rasterizer-ordered views: the mode and the instructions of a pixel shader's critical section.

use rspirv::spirv::{Capability, ExecutionMode, Op};

use crate::error::Result;
use crate::lower::cx::Code;
use crate::spirv::{Id, Module};

/// Declares the section's mode.
///
/// # Errors
/// `MissingFeature` where the device has no interlock: without it the order would be lost.
pub fn declare(module: &mut Module<'_>, main: Id) -> Result<()> {
    module.caps.capability(Capability::FragmentShaderPixelInterlockEXT)?;
    module.execution_mode(main, ExecutionMode::PixelInterlockOrderedEXT, &[]);
    Ok(())
}

/// Enters the section.
pub fn begin(code: &mut Code<'_, '_>) {
    code.stmt::<Id>(Op::BeginInvocationInterlockEXT, &[]);
}

/// Leaves it.
pub fn end(code: &mut Code<'_, '_>) {
    code.stmt::<Id>(Op::EndInvocationInterlockEXT, &[]);
}
