//! Whether the driver or the shader checks the bounds of an access.

use crate::lower::cx::ModuleCx;
use crate::options::Bounds;
use crate::profile::Feature;
use crate::spirv::Caps;

/// Whether the driver, not the shader, answers for accesses outside a buffer. `robustBufferAccess`
/// alone does not: it lets such a load give anything that the buffer holds, and a store change it.
pub fn driver_bounds_buffers(cx: &ModuleCx<'_>, caps: &Caps<'_>) -> bool {
    driver_bounds(cx, caps, Feature::RobustBufferAccess2)
}

/// Whether the driver, not the shader, answers for stores and atomic operations outside an image.
pub fn driver_bounds_image_writes(cx: &ModuleCx<'_>, caps: &Caps<'_>) -> bool {
    driver_bounds(cx, caps, Feature::RobustImageAccess)
}

/// The same for loads. `robustImageAccess` alone does not: it promises nothing for a level that is
/// not there, and lets alpha be one elsewhere (VK_EXT_image_robustness, issue 1).
pub fn driver_bounds_image_loads(cx: &ModuleCx<'_>, caps: &Caps<'_>) -> bool {
    driver_bounds(cx, caps, Feature::RobustImageAccess2)
}

fn driver_bounds(cx: &ModuleCx<'_>, caps: &Caps<'_>, feature: Feature) -> bool {
    match cx.options.bounds {
        Bounds::Auto => caps.enabled(feature),
        Bounds::Driver => true,
        Bounds::Emit => false,
    }
}
