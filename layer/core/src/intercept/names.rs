//! Debug names of shader modules (VK_EXT_debug_utils), which their replacements inherit.
//!
//! In: names that the application sets. Out: the same calls; a module with which the layer replaces
//! a named one gets its name.

use std::ffi::{CStr, CString};

use ash::vk;
use ash::vk::Handle;

use crate::intercept::guard::guard;
use crate::intercept::objects::Device;

/// `vkSetDebugUtilsObjectNameEXT`.
pub unsafe extern "system" fn set_object_name(
    device: vk::Device,
    info: *const vk::DebugUtilsObjectNameInfoEXT<'_>,
) -> vk::Result {
    let failed = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
    guard(failed, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
        let Some(next) = device.table.set_object_name else { return failed };
        // SAFETY: valid, by the command's valid usage.
        let given = unsafe { &*info };
        if given.object_type == vk::ObjectType::SHADER_MODULE
            && let Some(module) = device.modules.get(vk::ShaderModule::from_raw(given.object_handle))
        {
            // SAFETY: null or a valid string, by the structure's valid usage.
            let name =
                (!given.p_object_name.is_null()).then(|| unsafe { CStr::from_ptr(given.p_object_name) }.to_owned());
            *module.name.lock() = name;
        }
        // SAFETY: the application's own arguments.
        unsafe { next(device.handle, info) }
    })
}

/// Names a module that the layer made.
pub fn name_module(device: &Device, module: vk::ShaderModule, name: &CString) {
    let Some(set) = device.table.set_object_name else { return };
    let info = vk::DebugUtilsObjectNameInfoEXT {
        object_type: vk::ObjectType::SHADER_MODULE,
        object_handle: module.as_raw(),
        p_object_name: name.as_ptr(),
        ..Default::default()
    };
    // SAFETY: a live device, its module and a valid string. A failure to set the name has no
    // effect.
    let _ = unsafe { set(device.handle, &info) };
}
