//! Module identifiers (VK_EXT_shader_module_identifier).
//!
//! In: modules and code. Out: the layer's own identifiers for DXIL, and the driver's for SPIR-V.
//! What must hold: an identifier of DXIL depends on its container alone, in whatever code it comes,
//! and a pipeline with an identifier is the pipeline with the module (`substitute.rs`). What an
//! identifier names is looked for in the cache; if it is not there, the pipeline is not created,
//! with `VK_PIPELINE_COMPILE_REQUIRED`, as for any identifier that a driver does not know.

use ash::vk;
use log::Level;

use crate::intercept::guard::guard;
use crate::intercept::objects::Device;
use crate::messages::Id;
use crate::translate::{BlobDigest, Identifier, dxil_in};
use crate::vulkan::arrays::bytes;

/// Writes the identifier of a blob.
///
/// # Safety
/// `out` must be valid.
unsafe fn write(hash: BlobDigest, out: *mut vk::ShaderModuleIdentifierEXT<'_>) {
    // SAFETY: the caller's structure.
    let out = unsafe { &mut *out };
    out.identifier.fill(0);
    out.identifier_size = 0;
    for (to, from) in out.identifier.iter_mut().zip(Identifier::new(hash).bytes()) {
        *to = from;
        out.identifier_size += 1;
    }
}

/// `vkGetShaderModuleIdentifierEXT`.
pub unsafe extern "system" fn get_module_identifier(
    device: vk::Device,
    module: vk::ShaderModule,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    guard((), || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return };
        if let Some(module) = device.modules.get(module) {
            // SAFETY: valid, by the command's valid usage.
            unsafe { write(module.hash(), identifier) };
        } else if let Some(next) = device.table.get_module_identifier {
            // SAFETY: the application's own arguments.
            unsafe { next(device.handle, module, identifier) };
        }
    });
}

/// `vkGetShaderModuleCreateInfoIdentifierEXT`. A damaged embedded container has no identifier: one
/// of size 0 identifies no module.
pub unsafe extern "system" fn get_create_info_identifier(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    const COMMAND: &str = "vkGetShaderModuleCreateInfoIdentifierEXT";
    guard((), || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return };
        let Some(next) = device.table.get_create_info_identifier else { return };
        // SAFETY: valid code, by the command's valid usage.
        let code = unsafe { bytes((*info).p_code.cast(), (*info).code_size) };
        let Some(dxil) = dxil_in(code) else {
            // SAFETY: the application's own arguments.
            return unsafe { next(device.handle, info, identifier) };
        };
        match device.context().hash_of(dxil) {
            // SAFETY: valid, by the command's valid usage.
            Ok(hash) => unsafe { write(hash, identifier) },
            Err(failure) => {
                // SAFETY: as above.
                unsafe { (*identifier).identifier_size = 0 };
                let text = format!("{COMMAND}: the module has no identifier: {}", device.describe(&failure));
                device.instance.messages.report(Level::Warn, Id::Identifier, &[device.handle.into()], &text);
            }
        }
    });
}
