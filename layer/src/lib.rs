//! `VK_LAYER_DXIL_translate`: a Vulkan layer that lets an application hand DXIL to any Vulkan driver.
//!
//! The layer sits between the application and the driver. It is inert until it sees DXIL: SPIR-V and everything else goes down
//! by the very pointers the application passed. Code that begins with `DXBC` is parsed, verified and translated
//! (`blobs`, through one process-wide `cache`); the driver gets SPIR-V, the application the driver's own handle.
//!
//! - `shader_modules`: a module is translated when it is created, with the binding plan that needs no pipeline layout. What
//!   can only be decided by a layout waits for the pipeline, behind a placeholder module.
//! - `pipelines` and `stages`: a pipeline knows layout, entry names and neighbours. Where those ask for another plan the
//!   stage gets another module for this one call; else the call goes down untouched.
//! - `device`, `features`, `profile`: at `vkCreateDevice` the layer adds what translated code can use, and writes down
//!   what is finally enabled: that is all the translator knows about the device.
//! - `refused` and `nested`: the ways by which code reaches a driver that are not built yet. DXIL there is an error, never forwarded.
//!
//! The contract with the loader: one exported symbol; loading has no side effects; `vkGet*ProcAddr` asks the next layer first
//! and never makes up a command; handles are never wrapped; nothing per command, draw or queue is intercepted; every entry
//! point catches panics. Vulkan-Loader's LoaderLayerInterface.md has the rules.

#![cfg_attr(
    not(test),
    expect(non_snake_case, reason = "the crate's name is the shared object's, which manifests name")
)]

mod blobs;
mod cache;
mod device;
mod dispatch;
mod dump;
mod error;
mod feature_table;
mod features;
mod handles;
mod instance;
mod layouts;
mod loader;
mod log;
#[cfg(test)]
mod manifest;
mod nested;
mod pipelines;
mod pnext;
mod proc_addr;
mod profile;
mod refused;
mod settings;
mod settings_sources;
mod shader_modules;
mod spirv;
mod stages;
mod stats;
mod support;
mod translate;

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ash::vk;

/// The layer's name, as the manifests have it.
const LAYER_NAME: &CStr = c"VK_LAYER_DXIL_translate";

/// Negotiates the loader-layer interface: the library's one exported symbol, named in the manifests.
///
/// # Safety
/// `negotiation` must be null or point to a `VkNegotiateLayerInterface`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn VK_LAYER_DXIL_translate_negotiate(
    negotiation: *mut loader::NegotiateLayerInterface,
) -> vk::Result {
    // SAFETY: null or valid, by the caller's contract.
    let Some(negotiation) = (unsafe { negotiation.as_mut() }) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
    if negotiation.s_type != loader::NEGOTIATE_INTERFACE_STRUCT
        || negotiation.loader_layer_interface_version < loader::INTERFACE_VERSION
    {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    }
    negotiation.loader_layer_interface_version = loader::INTERFACE_VERSION;
    negotiation.get_instance_proc_addr = Some(proc_addr::get_instance_proc_addr);
    negotiation.get_device_proc_addr = Some(proc_addr::get_device_proc_addr);
    negotiation.get_physical_device_proc_addr = None;
    vk::Result::SUCCESS
}

/// Runs the body of an entry point; a panic, which must not unwind into C, gives `otherwise`.
fn guard<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}
