//! Vendor intrinsics: instructions that a shader encodes as accesses to a UAV that does not exist.
//!
//! In: a resource that lowering would access. Out: the refusal of a vendor's UAV. What must hold:
//! the accesses are never lowered as what they look like, atomic operations on memory. Where all
//! intrinsics of a UAV have a form, the passes have replaced them, and nothing accesses the UAV.

use crate::ir::resources::Resource;
use dxil_base::error::Result;

/// Holds a resource that a shader uses to not being a vendor's.
///
/// # Errors
/// `Unsupported`, with the name of the extension, and of the intrinsics where they are known.
pub(super) fn check(resource: &Resource) -> Result<()> {
    if let Some(intrinsics) = &resource.intrinsics {
        return Err(unsupported!(
            resource.place(),
            "{resource} encodes the vendor intrinsics of {}, of which some have no form in SPIR-V here: {}; compile the \
             shader without them",
            intrinsics.vendor,
            intrinsics.refused
        ));
    }
    match resource.vendor() {
        None => Ok(()),
        Some(vendor) => Err(unsupported!(
            resource.place(),
            "{resource} encodes the vendor intrinsics of {vendor} in a way that is not recognised; compile the shader \
             without them"
        )),
    }
}
