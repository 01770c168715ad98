//! Observer of object creation.
//!
//! In: the create infos that reach the driver. Out: the same to an [`Observer`]. What must hold:
//! with an observer the driver makes no modules and no pipelines, whose handles are numbers of this
//! file; without one the commands are called as they are.
//!
//! A process has one lab, so the state is static.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use ash::vk;

/// An object that was created below the layer, with its create info.
#[derive(Clone, Copy)]
pub enum Created<'a> {
    /// The instance; `None` if the application says nothing about itself.
    Instance(Option<&'a vk::ApplicationInfo<'a>>),
    /// The device.
    Device(&'a vk::DeviceCreateInfo<'a>),
    /// A sampler.
    Sampler(vk::Sampler, &'a vk::SamplerCreateInfo<'a>),
    /// A Y′CbCr conversion.
    Conversion(vk::SamplerYcbcrConversion, &'a vk::SamplerYcbcrConversionCreateInfo<'a>),
    /// A descriptor set layout.
    SetLayout(vk::DescriptorSetLayout, &'a vk::DescriptorSetLayoutCreateInfo<'a>),
    /// A pipeline layout.
    Layout(vk::PipelineLayout, &'a vk::PipelineLayoutCreateInfo<'a>),
    /// A render pass.
    RenderPass(vk::RenderPass, &'a vk::RenderPassCreateInfo2<'a>),
    /// A shader module.
    Module(vk::ShaderModule, &'a vk::ShaderModuleCreateInfo<'a>),
    /// A compute pipeline.
    Compute(vk::Pipeline, &'a vk::ComputePipelineCreateInfo<'a>),
    /// A graphics pipeline.
    Graphics(vk::Pipeline, &'a vk::GraphicsPipelineCreateInfo<'a>),
    /// A ray-tracing pipeline.
    Rays(vk::Pipeline, &'a vk::RayTracingPipelineCreateInfoKHR<'a>),
}

/// Receives every object that is created below the layer.
pub trait Observer: Send {
    /// An object was created.
    ///
    /// # Safety
    /// The create info must be valid, as its command demands.
    unsafe fn created(&mut self, what: Created<'_>);
}

static OBSERVER: Mutex<Option<Box<dyn Observer>>> = Mutex::new(None);
/// Whether the driver is left out.
static APART: AtomicBool = AtomicBool::new(false);
/// The last handle that was returned in the driver's place.
static HANDLES: AtomicU64 = AtomicU64::new(0);
/// The driver's device, and how its commands are found.
static NEXT: OnceLock<(vk::PFN_vkGetDeviceProcAddr, vk::Device)> = OnceLock::new();

/// Sets the observer. This must be done before there is an instance.
pub fn observe(observer: Box<dyn Observer>) {
    *OBSERVER.lock().unwrap_or_else(PoisonError::into_inner) = Some(observer);
}

/// Leaves the driver out: it makes no objects of pipelines, whose handles are numbers of this file.
/// This must be done before there is an instance.
pub fn leave_driver_out() {
    APART.store(true, Relaxed);
}

/// Whether the driver is left out.
pub(super) fn is_apart() -> bool {
    APART.load(Relaxed)
}

/// Whether the driver makes no modules and no pipelines.
pub(super) fn is_set() -> bool {
    is_apart() || OBSERVER.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

/// Passes an object to the observer, if there is one.
///
/// # Safety
/// The create info must be valid.
pub(super) unsafe fn notify(what: Created<'_>) {
    if let Some(observer) = &mut *OBSERVER.lock().unwrap_or_else(PoisonError::into_inner) {
        // SAFETY: the caller's create info.
        unsafe { observer.created(what) };
    }
}

/// Stores the driver's device.
pub(super) fn set_device(get: vk::PFN_vkGetDeviceProcAddr, device: vk::Device) {
    let _ = NEXT.set((get, device));
}

/// A handle in the driver's place.
pub(super) fn handle<T: vk::Handle>() -> T {
    T::from_raw(HANDLES.fetch_add(1, Relaxed) + 1)
}

macro_rules! objects {
    ($($name:ident: $pfn:ident = $command:literal, $kind:ident($info:ident, $object:ident);)*) => {$(
        unsafe extern "system" fn $name(
            device: vk::Device,
            info: *const vk::$info<'_>,
            allocator: *const vk::AllocationCallbacks<'_>,
            out: *mut vk::$object,
        ) -> vk::Result {
            if let Some(result) = super::inject::suffer_layout($command) {
                return super::trace::checked($command.to_str().unwrap_or_default(), result);
            }
            if is_apart() {
                // SAFETY: the caller's place for a handle.
                unsafe { *out = handle() };
                return vk::Result::SUCCESS;
            }
            let Some((get, own)) = NEXT.get() else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let _call = super::calls::enter($command);
            // SAFETY: the driver's command of this name, with the caller's arguments.
            unsafe {
                let Some(create) = get(*own, $command.as_ptr()) else {
                    return vk::Result::ERROR_INITIALIZATION_FAILED;
                };
                let create: vk::$pfn = std::mem::transmute(create);
                let result = create(device, info, allocator, out);
                if result == vk::Result::SUCCESS && is_set() {
                    notify(Created::$kind(*out, &*info));
                }
                super::trace::checked($command.to_str().unwrap_or_default(), result)
            }
        }
    )*};
}

objects! {
    sampler: PFN_vkCreateSampler = c"vkCreateSampler", Sampler(SamplerCreateInfo, Sampler);
    conversion: PFN_vkCreateSamplerYcbcrConversion = c"vkCreateSamplerYcbcrConversion",
        Conversion(SamplerYcbcrConversionCreateInfo, SamplerYcbcrConversion);
    set_layout: PFN_vkCreateDescriptorSetLayout = c"vkCreateDescriptorSetLayout",
        SetLayout(DescriptorSetLayoutCreateInfo, DescriptorSetLayout);
    layout: PFN_vkCreatePipelineLayout = c"vkCreatePipelineLayout", Layout(PipelineLayoutCreateInfo, PipelineLayout);
    pass: PFN_vkCreateRenderPass2 = c"vkCreateRenderPass2", RenderPass(RenderPassCreateInfo2, RenderPass);
}

macro_rules! destroyed {
    ($($name:ident: $object:ident;)*) => {$(
        /// Handles of this file need no destruction.
        unsafe extern "system" fn $name(_: vk::Device, _: vk::$object, _: *const vk::AllocationCallbacks<'_>) {}
    )*};
}

destroyed! {
    destroy_module: ShaderModule;
    destroy_pipeline: Pipeline;
    destroy_sampler: Sampler;
    destroy_conversion: SamplerYcbcrConversion;
    destroy_set_layout: DescriptorSetLayout;
    destroy_layout: PipelineLayout;
    destroy_pass: RenderPass;
}

/// A command as what `vkGet*ProcAddr` returns.
macro_rules! command {
    ($function:ident: $pfn:ident) => {
        // SAFETY: all function pointers have one size, and whoever asked by this name calls it as
        // what it is.
        unsafe { std::mem::transmute::<vk::$pfn, vk::PFN_vkVoidFunction>($function) }
    };
}

/// The commands that stand before the driver's, besides those of `interposer`.
pub(super) fn command(name: &[u8]) -> vk::PFN_vkVoidFunction {
    match name {
        b"vkCreateSampler" => command!(sampler: PFN_vkCreateSampler),
        b"vkCreateSamplerYcbcrConversion" | b"vkCreateSamplerYcbcrConversionKHR" => {
            command!(conversion: PFN_vkCreateSamplerYcbcrConversion)
        }
        b"vkCreateDescriptorSetLayout" => command!(set_layout: PFN_vkCreateDescriptorSetLayout),
        b"vkCreatePipelineLayout" => command!(layout: PFN_vkCreatePipelineLayout),
        b"vkCreateRenderPass2" | b"vkCreateRenderPass2KHR" => command!(pass: PFN_vkCreateRenderPass2),
        b"vkDestroyShaderModule" if is_set() => command!(destroy_module: PFN_vkDestroyShaderModule),
        b"vkDestroyPipeline" if is_set() => command!(destroy_pipeline: PFN_vkDestroyPipeline),
        b"vkDestroySampler" if is_apart() => command!(destroy_sampler: PFN_vkDestroySampler),
        b"vkDestroySamplerYcbcrConversion" if is_apart() => {
            command!(destroy_conversion: PFN_vkDestroySamplerYcbcrConversion)
        }
        b"vkDestroyDescriptorSetLayout" if is_apart() => command!(destroy_set_layout: PFN_vkDestroyDescriptorSetLayout),
        b"vkDestroyPipelineLayout" if is_apart() => command!(destroy_layout: PFN_vkDestroyPipelineLayout),
        b"vkDestroyRenderPass" if is_apart() => command!(destroy_pass: PFN_vkDestroyRenderPass),
        _ => None,
    }
}
