//! Rasterizer-ordered views: the execution mode and the instructions of a pixel shader's critical
//! section.

use rspirv::spirv::{Capability, ExecutionMode, Op};

use crate::lower::cx::Code;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Module};

/// Declares the execution mode of the critical section.
///
/// # Errors
/// `MissingFeature` if the device has no interlock, because the accesses would then have no order.
pub fn declare(module: &mut Module<'_>, main: Id) -> Result<()> {
    module.caps.capability(Capability::FragmentShaderPixelInterlockEXT)?;
    module.execution_mode(main, ExecutionMode::PixelInterlockOrderedEXT, &[]);
    Ok(())
}

/// Enters the critical section.
pub fn begin(code: &mut Code<'_, '_>) {
    code.stmt(Op::BeginInvocationInterlockEXT, ());
}

/// Leaves the critical section.
pub fn end(code: &mut Code<'_, '_>) {
    code.stmt(Op::EndInvocationInterlockEXT, ());
}
