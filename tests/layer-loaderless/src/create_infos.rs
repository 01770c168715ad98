//! Create infos that most tests need, and the commands that create one object of one of them.

use std::ffi::{CStr, CString, c_void};
use std::ptr;

use ash::vk;
use ash::vk::Handle;

use crate::code::aligned;

/// The type of a command that creates one object.
pub(crate) type CreateCommand<I, O> =
    unsafe extern "system" fn(vk::Device, *const I, *const vk::AllocationCallbacks<'static>, *mut O) -> vk::Result;

/// The type of a command that destroys an object.
pub(crate) type DestroyCommand<O> = unsafe extern "system" fn(vk::Device, O, *const vk::AllocationCallbacks<'static>);

/// An object of a device.
///
/// # Safety
/// The command must have the type [`DestroyCommand`].
pub unsafe trait Object: Handle {
    const DESTROY: &'static CStr;
}

/// A create info.
///
/// # Safety
/// The command and its aliases must have the type [`CreateCommand`].
pub unsafe trait CreateInfo {
    type Object: Handle;
    const COMMAND: &'static CStr;
}

macro_rules! objects {
    ($($object:ident $destroy:literal: $($info:ident $create:literal),*;)*) => {$(
        // SAFETY: as Vulkan's registry declares the command.
        unsafe impl Object for vk::$object {
            const DESTROY: &'static CStr = $destroy;
        }
        // SAFETY: as Vulkan's registry declares the command.
        $(unsafe impl CreateInfo for vk::$info<'_> {
            type Object = vk::$object;
            const COMMAND: &'static CStr = $create;
        })*
    )*};
}

objects! {
    DeferredOperationKHR c"vkDestroyDeferredOperationKHR":;
    DescriptorSetLayout c"vkDestroyDescriptorSetLayout": DescriptorSetLayoutCreateInfo c"vkCreateDescriptorSetLayout";
    Pipeline c"vkDestroyPipeline":;
    PipelineLayout c"vkDestroyPipelineLayout": PipelineLayoutCreateInfo c"vkCreatePipelineLayout";
    RenderPass c"vkDestroyRenderPass":
        RenderPassCreateInfo c"vkCreateRenderPass", RenderPassCreateInfo2 c"vkCreateRenderPass2";
    Sampler c"vkDestroySampler": SamplerCreateInfo c"vkCreateSampler";
    SamplerYcbcrConversion c"vkDestroySamplerYcbcrConversion":
        SamplerYcbcrConversionCreateInfo c"vkCreateSamplerYcbcrConversion";
    ShaderModule c"vkDestroyShaderModule": ShaderModuleCreateInfo c"vkCreateShaderModule";
}

/// Code as Vulkan takes it, at an address that it keeps.
pub struct ShaderCode {
    pub words: Vec<u32>,
    pub bytes: usize,
}

impl ShaderCode {
    pub fn new(bytes: &[u8]) -> Self {
        Self { words: aligned(bytes), bytes: bytes.len() }
    }

    /// The create info of a module with this code.
    pub fn info(&self) -> vk::ShaderModuleCreateInfo<'_> {
        vk::ShaderModuleCreateInfo { code_size: self.bytes, p_code: self.words.as_ptr(), ..Default::default() }
    }
}

/// A stage of a pipeline.
pub fn stage(
    stage: vk::ShaderStageFlags,
    module: vk::ShaderModule,
    name: &'static CStr,
) -> vk::PipelineShaderStageCreateInfo<'static> {
    vk::PipelineShaderStageCreateInfo { stage, module, p_name: name.as_ptr(), ..Default::default() }
}

/// A stage without a module, with this chain.
pub fn chained_stage(
    flag: vk::ShaderStageFlags,
    next: *const c_void,
    name: &'static CStr,
) -> vk::PipelineShaderStageCreateInfo<'static> {
    vk::PipelineShaderStageCreateInfo { p_next: next, ..stage(flag, vk::ShaderModule::null(), name) }
}

/// A compute pipeline of a module's entry point `main`.
pub fn compute_pipeline(module: vk::ShaderModule) -> vk::ComputePipelineCreateInfo<'static> {
    vk::ComputePipelineCreateInfo::default().stage(stage(vk::ShaderStageFlags::COMPUTE, module, c"main"))
}

/// A binding of one descriptor for all stages.
pub fn binding(number: u32, ty: vk::DescriptorType) -> vk::DescriptorSetLayoutBinding<'static> {
    let binding = vk::DescriptorSetLayoutBinding::default().binding(number).descriptor_type(ty);
    binding.descriptor_count(1).stage_flags(vk::ShaderStageFlags::ALL)
}

/// A structure's address, for a `pNext` member.
pub fn next<T>(structure: &T) -> *const c_void {
    ptr::from_ref(structure).cast()
}

/// A pointer that cannot be read.
pub fn stale<T>() -> *const T {
    ptr::without_provenance(8)
}

/// The value of a setting, which lives as long as the process.
pub fn leaked(value: impl AsRef<std::path::Path>) -> &'static CStr {
    let text = value.as_ref().to_str().expect("text of UTF-8");
    Box::leak(CString::new(text).expect("text without NUL").into_boxed_c_str())
}
