//! Commands that are intercepted only for captures: samplers and conversions, which layouts may
//! refer to, and the pipeline libraries that calls create.
//!
//! In: the application's calls. Out: the same calls. What must hold: without the setting
//! `capture_dir` none of these commands is intercepted.

use std::sync::Arc;

use ash::vk;

use crate::capture::{self, Library};
use crate::intercept::guard::guard;
use crate::intercept::objects::Device;

/// The pipeline libraries of one call, and its output array.
pub struct Libraries {
    /// By the index of the create info.
    found: Vec<(usize, Library)>,
    count: usize,
    out: *const vk::Pipeline,
}

impl Libraries {
    /// No libraries, for a call with `count` create infos and outputs.
    pub fn new(count: usize, out: *const vk::Pipeline) -> Self {
        Self { found: Vec::new(), count, out }
    }

    /// Adds the library of a create info, if it is one.
    pub fn add(&mut self, index: usize, library: Option<Library>) {
        self.found.extend(library.map(|library| (index, library)));
    }

    /// Whether the call creates no library.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Stores the names of the libraries that were created.
    ///
    /// # Safety
    /// The call must have written its outputs, one for each create info.
    pub unsafe fn created(&self, device: &Device) {
        let Some(capture) = &device.capture else { return };
        for &(index, library) in self.found.iter().filter(|(index, _)| *index < self.count) {
            // SAFETY: the caller's outputs.
            let handle = unsafe { *self.out.add(index) };
            if handle != vk::Pipeline::null() {
                capture.libraries.add(handle, Arc::new(library));
            }
        }
    }
}

/// `vkDestroyPipeline`.
pub unsafe extern "system" fn destroy_pipeline(
    device: vk::Device,
    pipeline: vk::Pipeline,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    // SAFETY: a live device, by the command's valid usage.
    let Some(device) = (unsafe { Device::from_handle(device) }) else { return };
    let Some(capture) = &device.capture else { return };
    guard((), || capture.libraries.remove(pipeline));
    if let Some(destroy) = capture.table.destroy_pipeline {
        // SAFETY: the application's own arguments.
        unsafe { destroy(device.handle, pipeline, allocator) };
    }
}

/// A pair of commands that create and destroy objects whose create infos are stored.
macro_rules! tracked {
    ($ty:ident, $info:ident, $objects:ident:
        $create:ident = $create_command:literal, $destroy:ident = $destroy_command:literal,
        |$capture:ident, $it:ident| $record:expr) => {
        #[doc = concat!("`", $create_command, "`.")]
        pub unsafe extern "system" fn $create(
            device: vk::Device,
            info: *const vk::$info<'_>,
            allocator: *const vk::AllocationCallbacks<'_>,
            out: *mut vk::$ty,
        ) -> vk::Result {
            let failed = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
            guard(failed, || {
                // SAFETY: a live device, by the command's valid usage.
                let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
                let Some($capture) = &device.capture else { return failed };
                let Some(create) = $capture.table.$create else { return failed };
                // SAFETY: the application's own arguments.
                let result = unsafe { create(device.handle, info, allocator, out) };
                if result == vk::Result::SUCCESS {
                    // SAFETY: a valid create info, and the handle that was made of it.
                    let ($it, handle) = unsafe { (&*info, *out) };
                    // SAFETY: a valid create info.
                    $capture.layouts.$objects.add(handle, Arc::new(unsafe { $record }));
                }
                result
            })
        }

        #[doc = concat!("`", $destroy_command, "`.")]
        pub unsafe extern "system" fn $destroy(
            device: vk::Device,
            object: vk::$ty,
            allocator: *const vk::AllocationCallbacks<'_>,
        ) {
            // SAFETY: a live device, by the command's valid usage.
            let Some(device) = (unsafe { Device::from_handle(device) }) else { return };
            let Some(capture) = &device.capture else { return };
            guard((), || capture.layouts.$objects.remove(object));
            if let Some(destroy) = capture.table.$destroy {
                // SAFETY: the application's own arguments.
                unsafe { destroy(device.handle, object, allocator) };
            }
        }
    };
}

tracked!(Sampler, SamplerCreateInfo, samplers:
    create_sampler = "vkCreateSampler", destroy_sampler = "vkDestroySampler",
    |capture, info| capture.layouts.sampler(info));
tracked!(SamplerYcbcrConversion, SamplerYcbcrConversionCreateInfo, conversions:
    create_conversion = "vkCreateSamplerYcbcrConversion", destroy_conversion = "vkDestroySamplerYcbcrConversion",
    |capture, info| capture::conversion(info));
tracked!(SamplerYcbcrConversion, SamplerYcbcrConversionCreateInfo, conversions:
    create_conversion_khr = "vkCreateSamplerYcbcrConversionKHR",
    destroy_conversion_khr = "vkDestroySamplerYcbcrConversionKHR",
    |capture, info| capture::conversion(info));
