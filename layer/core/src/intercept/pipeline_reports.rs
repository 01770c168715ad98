//! The messages about pipelines that are not created: by the layer, or by the driver.

use std::collections::HashSet;
use std::ops::ControlFlow;

use ash::vk;
use log::Level;

use crate::intercept::dxil_stage::{Refusal, refused_by_driver, undefined_inputs};
use crate::intercept::inspect::{StageDxil, dxil_of_stage};
use crate::intercept::objects::Device;
use crate::messages::{Id, Object};
use crate::translate::{BlobDigest, digest_of};
use crate::vulkan::create_info::PipelineCreateInfo;
use crate::vulkan::shader_code::{self, Code, ShaderCode};

/// Reports the refused elements to the application. Returns the most severe result.
///
/// # Safety
/// The create infos must be valid.
pub unsafe fn report<T: PipelineCreateInfo>(device: &Device, infos: &[T], refused: &[(usize, Refusal)]) -> vk::Result {
    let mut result = vk::Result::PIPELINE_COMPILE_REQUIRED;
    for (index, refusal) in refused {
        match refusal {
            Refusal::Failed(failure) => {
                let text = format!("pipeline {index} is not created: {}", device.describe(failure));
                let concerns = |blob| failure.concerns(blob);
                // SAFETY: the caller's create infos.
                let objects = infos.get(*index).map(|info| unsafe { objects(device, info, concerns) });
                device.instance.messages.report(Level::Error, Id::Pipeline, &objects.unwrap_or_default(), &text);
                result = T::INVALID;
            }
            Refusal::Driver(error) => {
                if let Some(info) = infos.get(*index) {
                    // SAFETY: the caller's create infos.
                    unsafe { report_one(device, *index, info, "vkCreateShaderModule", *error) };
                }
                if result.as_raw() > 0 {
                    // This command may not be able to return the result of vkCreateShaderModule.
                    result = if *error == vk::Result::ERROR_INVALID_SHADER_NV { T::INVALID } else { *error };
                }
            }
            Refusal::CompileRequired => {}
        }
    }
    result
}

/// Reports what the stages of a pipeline read and nothing gives them.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn report_mismatches<T: PipelineCreateInfo>(device: &Device, index: usize, info: &T, mismatches: &[String]) {
    if mismatches.is_empty() {
        return;
    }
    let text = format!("pipeline {index}: {}", undefined_inputs(mismatches));
    // SAFETY: the caller's create info.
    let objects = unsafe { objects(device, info, |_| true) };
    device.instance.messages.report(Level::Warn, Id::Interface, &objects, &text);
}

/// Reports the pipelines with DXIL that the driver got and did not create.
///
/// # Safety
/// The create infos must be valid.
pub unsafe fn report_driver<T: PipelineCreateInfo>(
    device: &Device,
    infos: &[T],
    out: &[vk::Pipeline],
    result: vk::Result,
    is_forwarded: impl Fn(usize) -> bool,
) {
    if result.as_raw() >= 0 {
        return;
    }
    for (index, (info, pipeline)) in infos.iter().zip(out).enumerate() {
        if *pipeline != vk::Pipeline::null() || !is_forwarded(index) {
            continue;
        }
        // SAFETY: the caller's create infos.
        unsafe { report_one(device, index, info, "the driver", result) };
        // SAFETY: the caller's create infos.
        if unsafe { info.flags() }.has(vk::PipelineCreateFlags::EARLY_RETURN_ON_FAILURE) {
            break;
        }
    }
}

/// Reports that the driver did not take the translated code of a pipeline, if the pipeline has any.
///
/// # Safety
/// The create info must be valid.
unsafe fn report_one<T: PipelineCreateInfo>(device: &Device, index: usize, info: &T, command: &str, error: vk::Result) {
    // SAFETY: the caller's create info.
    let blobs = unsafe { blobs(device, info) };
    if blobs.is_empty() {
        return;
    }
    let text = format!("pipeline {index} is not created: {}", refused_by_driver(command, error, &blobs));
    // SAFETY: the caller's create info.
    let objects = unsafe { objects(device, info, |_| true) };
    device.instance.messages.report(Level::Error, Id::Pipeline, &objects, &text);
}

/// The DXIL blobs of a pipeline, each once.
///
/// # Safety
/// The create info must be valid.
unsafe fn blobs<T: PipelineCreateInfo>(device: &Device, info: &T) -> Vec<BlobDigest> {
    let (mut blobs, mut seen, mut hashed) = (Vec::new(), HashSet::new(), HashSet::new());
    let mut each = |found: ShaderCode<'_>| {
        let stages = if let Code::Stages(stages) = found.code { stages } else { &[] };
        for stage in stages {
            // SAFETY: the stages of the caller's create info.
            let blob = match unsafe { dxil_of_stage(device, stage) } {
                Some(StageDxil::Module(module)) => Some(module.hash()),
                // Thousands of stages may have one library in their chains.
                Some(StageDxil::Code(code)) if hashed.insert(code.as_ptr()) => digest_of(code).ok(),
                Some(StageDxil::Identified(identifier)) => {
                    let blob = device.instance.store.identified(identifier);
                    blob.and_then(Result::ok).map(|blob| blob.hash)
                }
                _ => None,
            };
            blobs.extend(blob.filter(|blob| seen.insert(*blob)));
        }
        ControlFlow::Continue(())
    };
    // SAFETY: the caller's create info.
    let _ = unsafe { shader_code::visit(info.header(), &mut each) };
    blobs
}

/// The objects that the failure of a pipeline concerns: the device, the pipeline layout, and the
/// modules of the blobs that it concerns.
///
/// # Safety
/// The create info must be valid.
unsafe fn objects<T: PipelineCreateInfo>(
    device: &Device,
    info: &T,
    concerns: impl Fn(BlobDigest) -> bool,
) -> Vec<Object> {
    let mut objects = vec![device.handle.into(), info.layout().into()];
    // Thousands of stages may share one module, or have one each.
    let mut seen = HashSet::new();
    let mut each = |found: ShaderCode<'_>| {
        let stages = if let Code::Stages(stages) = found.code { stages } else { &[] };
        for stage in stages {
            let is_new = seen.insert(stage.module);
            let module = device.modules.get(stage.module).filter(|_| is_new);
            if module.is_some_and(|module| concerns(module.hash())) {
                objects.push(stage.module.into());
            }
        }
        ControlFlow::Continue(())
    };
    // SAFETY: the caller's create info.
    let _ = unsafe { shader_code::visit(info.header(), &mut each) };
    objects
}
