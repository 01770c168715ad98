//! Shader modules: DXIL in, the driver's module of its SPIR-V out.
//!
//! In: the application's create info. Out: the driver's own handle. What must hold: code without
//! DXIL is forwarded with the application's own pointers; no byte of DXIL is forwarded, not even
//! after a failure.

use std::sync::Arc;

use ash::vk;
use log::Level;

use crate::capture;
use crate::intercept::guard::guard;
use crate::intercept::objects::Device;
use crate::intercept::root_signatures;
use crate::intercept::tracked::destruction;
use crate::messages::Id;
use crate::translate::{Module, dxil_in};
use crate::vulkan::arrays::bytes;

/// `vkCreateShaderModule`.
pub unsafe extern "system" fn create(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderModule,
) -> vk::Result {
    guard(vk::Result::ERROR_INVALID_SHADER_NV, || {
        let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
        let Some(next) = device.table.create_shader_module else { return failed };
        // SAFETY: valid code, by the command's valid usage.
        let code = unsafe { bytes((*info).p_code.cast(), (*info).code_size) };
        // SAFETY: the chain of the command's valid arguments.
        let without = unsafe { root_signatures::without((*info).p_next) };
        // SAFETY: valid, by the command's valid usage.
        let mut copy = unsafe { *info };
        if let Ok(Some(without)) = &without {
            copy.p_next = without.head;
        }
        let Some(dxil) = dxil_in(code) else {
            let info = if matches!(without, Ok(Some(_))) { &raw const copy } else { info };
            // SAFETY: the application's own arguments, or a copy without the layer's structure.
            let result = unsafe { next(device.handle, info, allocator, out) };
            if result == vk::Result::SUCCESS {
                // SAFETY: the call down wrote a handle.
                capture(&device, unsafe { *out }, code);
            }
            return result;
        };
        // SAFETY: valid, by the command's valid usage.
        unsafe { *out = vk::ShaderModule::null() };
        let messages = &device.instance.messages;
        messages.flush();
        // SAFETY: the chain of the command's valid arguments.
        let given =
            without.as_ref().map_err(Clone::clone).and_then(|_| unsafe { root_signatures::read((*info).p_next) });
        let made = given.and_then(|given| Module::new(dxil, given, &device.context()));
        let (module, emitted) = match made {
            Ok(made) => made,
            Err(failure) => {
                messages.report(Level::Error, Id::Module, &[device.handle.into()], &device.describe(&failure));
                return vk::Result::ERROR_INVALID_SHADER_NV;
            }
        };
        let words = module.words(emitted.as_deref());
        copy.code_size = size_of_val(&*words);
        copy.p_code = words.as_ptr();
        // SAFETY: the application's arguments, with other code that lives through the call.
        let result = unsafe { next(device.handle, &copy, allocator, out) };
        drop((words, without));
        if result == vk::Result::SUCCESS {
            // SAFETY: the call down wrote a handle.
            let handle = unsafe { *out };
            device.modules.add(handle, Arc::new(module));
            capture(&device, handle, code);
        } else {
            let hash = module.hash();
            let text = format!("DXIL blob {hash}: vkCreateShaderModule of its SPIR-V returned {}", result.as_raw());
            messages.report(Level::Error, Id::Module, &[device.handle.into()], &text);
        }
        result
    })
}

/// Stores the code of a module if the device is captured.
fn capture(device: &Device, module: vk::ShaderModule, code: &[u8]) {
    if let Some(capture) = &device.capture {
        capture.modules.add(module, Arc::new(capture::Module::new(code)));
    }
}

destruction!(destroy(ShaderModule): "vkDestroyShaderModule", |device| device.table.destroy_shader_module, |module| {
    device.modules.remove(module);
    if let Some(capture) = &device.capture {
        capture.modules.remove(module);
    }
});
