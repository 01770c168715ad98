//! `libVkLayer_dxil.so`: the shared object that the manifests name.
//!
//! All code is in the library `dxil_layer_core`. This crate adds the one exported symbol, so that a
//! tool that uses the library exports nothing.

#![cfg_attr(
    not(test),
    expect(non_snake_case, reason = "the crate has the name of the shared object, which manifests name")
)]

use ash::vk;
use dxil_layer_core::NegotiateLayerInterface;

/// Negotiates the loader-layer interface: the one exported symbol, named in the manifests.
///
/// # Safety
/// `negotiation` must be null or point to a `VkNegotiateLayerInterface`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn VK_LAYER_DXIL_translate_negotiate(
    negotiation: *mut NegotiateLayerInterface,
) -> vk::Result {
    // SAFETY: the caller has the same contract.
    unsafe { dxil_layer_core::negotiate(negotiation) }
}
