//! Whether the driver or the shader checks the bounds of an access.

use super::handle;
use crate::analysis::handles::Handle;
use crate::lower::cx::Inputs;
use crate::options::{Bounds, Options};
use dxil_base::profile::Feature;
use dxil_spirv_builder::Caps;

/// Whether the driver, not the shader, keeps D3D's rules for accesses outside a buffer. The feature
/// `robustBufferAccess` alone does not suffice: under it such a load may give any value that the
/// buffer holds, and a store may change the buffer.
pub fn driver_bounds_buffers(options: &Options, caps: &Caps<'_>) -> bool {
    driver_bounds(options, caps, Feature::RobustBufferAccess2)
}

/// Whether the shader keeps D3D's rules for accesses outside the buffer of a handle. The driver
/// does not know a view that is a part of its descriptor.
pub fn shader_bounds_buffer(input: Inputs<'_>, caps: &Caps<'_>, handle: Handle) -> bool {
    handle::range(input, handle.resource).is_some() || !driver_bounds_buffers(input.options, caps)
}

/// Whether the driver, not the shader, keeps D3D's rules for stores and atomic operations outside
/// an image.
pub fn driver_bounds_image_writes(options: &Options, caps: &Caps<'_>) -> bool {
    driver_bounds(options, caps, Feature::RobustImageAccess)
}

/// Whether the driver, not the shader, keeps D3D's rules for loads outside an image. The feature
/// `robustImageAccess` alone does not suffice: it promises nothing for a mip level that the image
/// does not have, and it lets alpha be one elsewhere (VK_EXT_image_robustness, issue 1).
pub fn driver_bounds_image_loads(options: &Options, caps: &Caps<'_>) -> bool {
    driver_bounds(options, caps, Feature::RobustImageAccess2)
}

fn driver_bounds(options: &Options, caps: &Caps<'_>, feature: Feature) -> bool {
    match options.bounds {
        Bounds::Auto => caps.enabled(feature),
        Bounds::Driver => true,
        Bounds::Emit => false,
    }
}
