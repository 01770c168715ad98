//! The first call of the loader.

use ash::vk;

use crate::intercept::proc_addr;
use crate::vulkan::loader::{INTERFACE_VERSION, NEGOTIATE_INTERFACE_STRUCT, NegotiateLayerInterface};

/// Negotiates the loader-layer interface, version 2.
///
/// # Safety
/// `negotiation` must be null or point to a `VkNegotiateLayerInterface`.
pub unsafe fn negotiate(negotiation: *mut NegotiateLayerInterface) -> vk::Result {
    // SAFETY: null or valid, by the caller's contract.
    let Some(negotiation) = (unsafe { negotiation.as_mut() }) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
    if negotiation.s_type != NEGOTIATE_INTERFACE_STRUCT
        || negotiation.loader_layer_interface_version < INTERFACE_VERSION
    {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    }
    negotiation.loader_layer_interface_version = INTERFACE_VERSION;
    negotiation.get_instance_proc_addr = Some(proc_addr::get_instance_proc_addr);
    negotiation.get_device_proc_addr = Some(proc_addr::get_device_proc_addr);
    negotiation.get_physical_device_proc_addr = None;
    vk::Result::SUCCESS
}
