//! Module identifiers: a module made of DXIL has none yet.

use ash::vk;

use crate::intercept::guard::guard;
use crate::intercept::inspect::has_dxil;
use crate::intercept::objects::Device;

/// Gives an identifier of size 0, which identifies no module.
///
/// # Safety
/// `identifier` must be valid.
unsafe fn no_identifier(device: &Device, command: &str, identifier: *mut vk::ShaderModuleIdentifierEXT<'_>) {
    // SAFETY: by the caller's contract.
    unsafe { (*identifier).identifier_size = 0 };
    let text = format!("{command}: a module made of DXIL has no identifier yet");
    device.instance.messages.report(log::Level::Warn, &text);
}

/// `vkGetShaderModuleIdentifierEXT`.
pub unsafe extern "system" fn get_module_identifier(
    device: vk::Device,
    module: vk::ShaderModule,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    guard((), || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::of(device) }) else { return };
        if device.modules.get(module).is_some() {
            // SAFETY: valid, by the command's valid usage.
            unsafe { no_identifier(&device, "vkGetShaderModuleIdentifierEXT", identifier) };
        } else if let Some(next) = device.table.get_module_identifier {
            // SAFETY: the application's own arguments.
            unsafe { next(device.handle, module, identifier) };
        }
    });
}

/// `vkGetShaderModuleCreateInfoIdentifierEXT`.
pub unsafe extern "system" fn get_create_info_identifier(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    guard((), || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::of(device) }) else { return };
        // SAFETY: a valid create info, by the command's valid usage.
        if unsafe { has_dxil(&device, info) } {
            // SAFETY: valid, by the command's valid usage.
            unsafe { no_identifier(&device, "vkGetShaderModuleCreateInfoIdentifierEXT", identifier) };
        } else if let Some(next) = device.table.get_create_info_identifier {
            // SAFETY: the application's own arguments.
            unsafe { next(device.handle, info, identifier) };
        }
    });
}
