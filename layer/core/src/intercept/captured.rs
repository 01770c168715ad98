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
use crate::intercept::tracked::{creation, destruction};

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

/// Commands that create and destroy objects which only captures store.
macro_rules! captured {
    ($($ty:ident($info:ident), $objects:ident:
        $create:ident = $create_command:literal, $destroy:ident = $destroy_command:literal,
        |$capture:ident, $it:ident| $record:expr;)*) => {$(
        creation!($create($info) -> $ty: $create_command, |device| command!(device.$create), |info, handle| {
            if let Some($capture) = &device.capture {
                let $it = info;
                // SAFETY: a valid create info.
                $capture.layouts.$objects.add(handle, Arc::new(unsafe { $record }));
            }
        });
        destruction!($destroy($ty): $destroy_command, |device| command!(device.$destroy), |object| {
            if let Some(capture) = &device.capture {
                capture.layouts.$objects.remove(object);
            }
        });
    )*};
}

/// The next layer's command of a device that is captured.
macro_rules! command {
    ($device:ident.$name:ident) => {
        $device.capture.as_ref().and_then(|capture| capture.table.$name)
    };
}

captured! {
    Sampler(SamplerCreateInfo), samplers:
        create_sampler = "vkCreateSampler", destroy_sampler = "vkDestroySampler",
        |capture, info| capture.layouts.sampler(info);
    SamplerYcbcrConversion(SamplerYcbcrConversionCreateInfo), conversions:
        create_conversion = "vkCreateSamplerYcbcrConversion",
        destroy_conversion = "vkDestroySamplerYcbcrConversion",
        |capture, info| capture::conversion(info);
    SamplerYcbcrConversion(SamplerYcbcrConversionCreateInfo), conversions:
        create_conversion_khr = "vkCreateSamplerYcbcrConversionKHR",
        destroy_conversion_khr = "vkDestroySamplerYcbcrConversionKHR",
        |capture, info| capture::conversion(info);
}
destruction!(destroy_pipeline(Pipeline): "vkDestroyPipeline", |device| command!(device.destroy_pipeline), |pipeline| {
    if let Some(capture) = &device.capture {
        capture.libraries.remove(pipeline);
    }
});
