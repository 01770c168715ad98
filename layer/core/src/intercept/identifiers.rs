//! Module identifiers (VK_EXT_shader_module_identifier).
//!
//! In: modules and code. Out: the driver's identifiers of their SPIR-V. What must hold: the
//! identifier of code is that of the module that `vkCreateShaderModule` creates for it. A pipeline
//! that needs another translation has another module, so the driver does not find it by this
//! identifier and returns `VK_PIPELINE_COMPILE_REQUIRED`, as for any unknown pipeline. A
//! placeholder has no identifier, because one identifier must not match pipelines of different
//! shaders.

use ash::vk;
use log::Level;

use crate::intercept::guard::guard;
use crate::intercept::objects::Device;
use crate::messages::{Id, Object};
use crate::translate::{Module, dxil_in};
use crate::vulkan::arrays::bytes;

/// Returns an identifier of size 0, which identifies no module.
///
/// # Safety
/// `identifier` must be valid.
unsafe fn no_identifier(
    device: &Device,
    objects: &[Object],
    command: &str,
    why: &str,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    // SAFETY: by the caller's contract.
    unsafe { (*identifier).identifier_size = 0 };
    let text = format!("{command}: the module has no identifier: {why}");
    device.instance.messages.report(Level::Warn, Id::Identifier, objects, &text);
}

const PLACEHOLDER: &str = "its DXIL is translated when a pipeline gives its layout and its entry point";

/// `vkGetShaderModuleIdentifierEXT`.
pub unsafe extern "system" fn get_module_identifier(
    device: vk::Device,
    module: vk::ShaderModule,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    guard((), || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return };
        if device.modules.get(module).is_some_and(|module| module.default.is_none()) {
            let (objects, command) = ([device.handle.into(), module.into()], "vkGetShaderModuleIdentifierEXT");
            // SAFETY: valid, by the command's valid usage.
            unsafe { no_identifier(&device, &objects, command, PLACEHOLDER, identifier) };
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
        let why = match Module::new(dxil, &device.context()) {
            Ok((_, Some(emitted))) => {
                let words = &emitted.words;
                // SAFETY: valid, by the command's valid usage.
                let mut copy = unsafe { *info };
                copy.code_size = size_of_val(words.as_slice());
                copy.p_code = words.as_ptr();
                // SAFETY: the application's arguments, with other code that lives through the call.
                return unsafe { next(device.handle, &copy, identifier) };
            }
            Ok(_) => PLACEHOLDER.to_owned(),
            Err(failure) => device.describe(&failure),
        };
        // SAFETY: valid, by the command's valid usage.
        unsafe { no_identifier(&device, &[device.handle.into()], COMMAND, &why, identifier) };
    });
}
