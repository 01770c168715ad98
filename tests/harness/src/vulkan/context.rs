//! A device with the features that fixtures use, with or without the layers.

use std::ffi::{CStr, CString};
use std::sync::OnceLock;

use ash::vk;
use dxil_vulkan::{DXIL_LAYER, Gpu, Instance, InstanceInfo, Message, VALIDATION_LAYER};

use super::features::{self, FeatureChoice, Features};
use super::heap;
use crate::error::{Error, Result};
use crate::renderdoc;

/// Options of a new [`Context`].
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// Enables the layer under test, closest to the application.
    pub dxil_layer: bool,
    /// Enables the validation layer, directly above the driver.
    pub validation: bool,
    /// Places the validation layer above the layer under test.
    pub validation_above: bool,
    /// Disables robust buffer access.
    pub no_robustness: bool,
    /// Enables VK_EXT_shader_object, so that programs run by shader objects instead of pipelines.
    pub shader_objects: bool,
    /// Creates each shader object by itself, linked to none.
    pub unlinked: bool,
    /// Enables VK_EXT_descriptor_heap, so that all descriptors are in the device's heaps.
    pub heaps: bool,
    /// Enables RenderDoc's layer, directly above the driver.
    pub renderdoc: bool,
    /// Settings of the layer under test beside those of the environment, by their names.
    pub settings: Vec<(&'static CStr, CString)>,
}

/// A Vulkan device on which a fixture can run.
pub struct Context {
    /// The device.
    pub gpu: Gpu,
    /// The features that the device has enabled.
    pub features: Box<Features>,
    /// The names of the enabled device extensions.
    pub extensions: Vec<&'static CStr>,
    /// The commands of shader objects, if programs run by these instead of pipelines.
    pub shader_objects: Option<ash::ext::shader_object::Device>,
    /// Each shader object is created by itself, linked to none.
    pub unlinked: bool,
    /// The commands of descriptor heaps, if all descriptors are there.
    pub heaps: Option<heap::Commands>,
}

/// The beginning of a message. Some validation messages list every structure that Vulkan has.
fn clip(text: &str) -> String {
    const LONGEST: usize = 700;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl Context {
    /// Creates an instance with the chosen layers, and a device on the first physical device.
    ///
    /// # Errors
    /// A skip if the machine has no Vulkan loader or no suitable device, or else the Vulkan command
    /// that failed.
    pub fn new(options: &ContextOptions) -> Result<Self> {
        let entry = dxil_vulkan::load()?;
        let layers = wanted_layers(options);
        let (version, newest_header) = match () {
            () if options.renderdoc => renderdoc::VERSION,
            () if options.validation => (vk::API_VERSION_1_3, vk::api_version_patch(validation_version(&entry)?)),
            () => (vk::API_VERSION_1_3, u32::MAX),
        };
        let values: Vec<_> = options.settings.iter().map(|(_, value)| value.as_ptr()).collect();
        let named = options.settings.iter().zip(&values);
        let settings: Vec<_> = named.map(|((name, _), value)| dxil_vulkan::layer_setting(name, value)).collect();
        let mut chain = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
        let next = if settings.is_empty() { std::ptr::null_mut() } else { std::ptr::from_mut(&mut chain).cast() };
        let application = vk::ApplicationInfo::default().application_name(c"dxil-run-fixture").api_version(version);
        let info = InstanceInfo { application, layers: &layers, device: None, next };
        // SAFETY: the entry is that of the loader. The chain is the settings, which outlive the
        // call.
        let instance = unsafe { Instance::new(entry, info) }.map_err(|error| missing_layer(error, &layers))?;
        let choice = FeatureChoice {
            robust: !options.no_robustness,
            shader_objects: options.shader_objects,
            newest_header,
            can_replay: options.renderdoc,
        };
        let (mut features, mut extensions) = features::supported(&instance, choice);
        if options.shader_objects {
            check_shader_objects(&features, choice.newest_header)?;
        }
        let next = std::ptr::from_mut(&mut features.core).cast_const().cast();
        let of_heaps = heap::Features { p_next: next, descriptor_heap: vk::TRUE, ..heap::Features::default() };
        let next = match options.heaps {
            false => next,
            true => {
                heap::check(&instance)?;
                extensions.push(heap::NAME);
                std::ptr::from_ref(&of_heaps).cast()
            }
        };
        // SAFETY: the device supports the extensions. The chained structs are in the box, and hold
        // only features that the device has reported.
        let gpu = unsafe { Gpu::new(instance, &extensions, next, u64::MAX)? };
        let commands = || ash::ext::shader_object::Device::new(&gpu.instance.handle, &gpu.device);
        let shader_objects = options.shader_objects.then(commands);
        let heaps = options.heaps.then(|| heap::Commands::new(&gpu)).transpose()?;
        Ok(Self { features, extensions, shader_objects, unlinked: options.unlinked, heaps, gpu })
    }

    /// All messages received so far, oldest first.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        let messages = self.gpu.instance.messages().into_iter();
        messages.map(|message| Message { text: clip(&message.text), ..message }).collect()
    }

    /// Breaks a rule of Vulkan on purpose, for a test of the validation layer: creates a fence with
    /// a flag that does not exist.
    pub fn commit_fault(&self) {
        let info = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::from_raw(0x80));
        // SAFETY: the device and the create info are valid but for the flag. This violates
        // VUID-VkFenceCreateInfo-flags-parameter on purpose; drivers ignore unknown flag bits.
        if let Ok(fence) = unsafe { self.gpu.device.create_fence(&info, None) } {
            // SAFETY: the fence has just been created and is not part of any submission.
            unsafe { self.gpu.device.destroy_fence(fence, None) };
        }
    }
}

fn wanted_layers(options: &ContextOptions) -> Vec<&'static CStr> {
    // The first layer is closest to the application. The layer under test must be above the
    // validation layer, which accepts SPIR-V only, unless its DXIL is embedded in SPIR-V.
    let mut wanted: Vec<&'static CStr> = Vec::new();
    wanted.extend(options.dxil_layer.then_some(DXIL_LAYER));
    wanted.extend(options.validation.then_some(VALIDATION_LAYER));
    wanted.extend(options.renderdoc.then_some(dxil_vulkan::RENDERDOC_LAYER));
    if options.validation_above {
        wanted.reverse();
    }
    wanted
}

/// The error of creating an instance, which says what to do if the loader does not find a layer.
fn missing_layer(error: dxil_vulkan::Error, layers: &[&CStr]) -> Error {
    match error {
        dxil_vulkan::Error::Vulkan { result: vk::Result::ERROR_LAYER_NOT_PRESENT, .. } => Error::Io(format!(
            "the Vulkan loader does not find one of the layers {layers:?}; name the folder of its manifest in \
             VK_ADD_LAYER_PATH"
        )),
        error => error.into(),
    }
}

/// Checks that the device can run programs by shader objects.
fn check_shader_objects(features: &Features, newest_header: u32) -> Result<()> {
    let since = features::SHADER_OBJECT_SINCE;
    if newest_header < since {
        return Err(Error::Skip(format!(
            "the validation layer knows Vulkan 1.3.{newest_header}, and VK_EXT_shader_object is of 1.3.{since}"
        )));
    }
    match features.shader_object.shader_object {
        vk::TRUE => Ok(()),
        _ => Err(Error::Skip("the driver does not support VK_EXT_shader_object".into())),
    }
}

/// The version of the Vulkan header that the installed validation layer was built from. The layer
/// rejects features that are newer. It is asked for once, because the loader reads the manifests of
/// all layers for it.
fn validation_version(entry: &ash::Entry) -> Result<u32> {
    static VERSION: OnceLock<u32> = OnceLock::new();
    if let Some(version) = VERSION.get() {
        return Ok(*version);
    }
    let found = dxil_vulkan::find_layer(entry, VALIDATION_LAYER)?;
    Ok(*VERSION.get_or_init(|| found.map_or(0, |layer| layer.spec_version)))
}

/// The installed validation layer's version, in the form that the setting `profile_cap` takes.
///
/// # Errors
/// A skip if the machine has no Vulkan loader.
pub fn validation_cap() -> Result<String> {
    Ok(dxil_vulkan::version_text(validation_version(&dxil_vulkan::load()?)?))
}
