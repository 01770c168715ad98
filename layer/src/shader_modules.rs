//! `vkCreateShaderModule`: DXIL in, the driver's module of its SPIR-V out.
//!
//! In: the application's create info. Out: the driver's own handle. What must hold: code that is no DXIL goes down by the very
//! pointers that came; of DXIL nothing goes down, also when it fails. A blob that can only be placed with a pipeline layout
//! gets a placeholder module, which is replaced in every pipeline.

use std::sync::Arc;

use ash::vk;

use crate::blobs::{self, Emitted, Source};
use crate::device::Device;
use crate::error::Failure;
use crate::translate::{ErrorKind, Facts, Plan};
use crate::{guard, log, spirv};

/// A shader module that was made of DXIL.
pub struct Module {
    /// The blob.
    pub source: Arc<Source>,
    /// What its driver module holds; `None` for a placeholder.
    pub default: Option<Default>,
}

/// The translation with the plan that needs no pipeline layout.
pub struct Default {
    /// The plan.
    pub plan: Plan,
    /// The translation.
    pub emitted: Arc<Emitted>,
}

/// `vkCreateShaderModule`.
pub unsafe extern "system" fn create(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderModule,
) -> vk::Result {
    guard(vk::Result::ERROR_INVALID_SHADER_NV, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let Some(next) = device.table.create_shader_module else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            let Some(bytes) = blobs::sniff((*info).p_code.cast(), (*info).code_size) else {
                return next(device.handle, info, allocator, out);
            };
            *out = vk::ShaderModule::null();
            log::flush(&device.instance);
            let module = match translate(&device, bytes) {
                Ok(module) => module,
                Err(failure) => {
                    log::report(&device.instance, ::log::Level::Error, &failure.to_string());
                    return vk::Result::ERROR_INVALID_SHADER_NV;
                }
            };
            let placeholder;
            let words = match &module.default {
                Some(default) => &default.emitted.words,
                None => {
                    placeholder = spirv::placeholder(module.source.hash);
                    &placeholder
                }
            };
            let mut copy = *info;
            copy.code_size = words.len() * 4;
            copy.p_code = words.as_ptr();
            let result = next(device.handle, &copy, allocator, out);
            if result == vk::Result::SUCCESS {
                device.modules.add(*out, Arc::new(module));
            } else {
                let text =
                    format!("DXIL blob {}: the driver refused its SPIR-V with {}", module.source.hash, result.as_raw());
                log::report(&device.instance, ::log::Level::Error, &text);
            }
            result
        }
    })
}

fn translate(device: &Device, bytes: &[u8]) -> Result<Module, Failure> {
    let context = device.context();
    let source = Source::parse(bytes, &context)?;
    if source.shader.is_library() {
        return Ok(Module { source, default: None });
    }
    match translate_by_default(device, &source) {
        Ok(default) => Ok(Module { source, default: Some(default) }),
        // The pipeline's layout may well have a place, or another lowering, for what has none by default.
        Err(failure) if matches!(failure.error.kind(), ErrorKind::Binding | ErrorKind::MissingFeature(_)) => {
            ::log::info!("{failure}; waiting for the pipeline's layout");
            Ok(Module { source, default: None })
        }
        Err(failure) => Err(failure),
    }
}

fn translate_by_default(device: &Device, source: &Arc<Source>) -> Result<Default, Failure> {
    let context = device.context();
    let entry = source.entry("main")?;
    let plan = blobs::plan(&[(source, entry)], None, &context)?.pop().unwrap_or_default();
    let emitted = source.emit(entry, &plan, Facts::default(), &context)?;
    Ok(Default { plan, emitted })
}

/// `vkDestroyShaderModule`.
pub unsafe extern "system" fn destroy(
    device: vk::Device,
    module: vk::ShaderModule,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    // SAFETY: a live device, by the command's valid usage.
    let Some(device) = (unsafe { Device::of(device) }) else { return };
    guard((), || device.modules.remove(module));
    if let Some(destroy) = device.table.destroy_shader_module {
        // SAFETY: the application's own arguments.
        unsafe { destroy(device.handle, module, allocator) };
    }
}
