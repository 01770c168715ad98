//! Structures, commands and numbers of Vulkan that are newer than `ash`.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::vulkan::chain::Header;

pub use dxil_vulkan_profile::newer::{API_VERSION_1_4, minor_version};

/// `VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT`.
pub const PIPELINE_CREATE_2_DESCRIPTOR_HEAP: u64 = 1 << 36;

/// `VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT`.
pub const SHADER_CREATE_DESCRIPTOR_HEAP: vk::ShaderCreateFlagsEXT = vk::ShaderCreateFlagsEXT::from_raw(1 << 10);

dxil_vulkan_profile::newer_structures! {
    /// `VkPipelineBinaryCreateInfoKHR`.
    PipelineBinaryCreateInfo = 1_000_483_001 {
        keys_and_data: *const c_void,
        pipeline: vk::Pipeline,
        pipeline_create_info: *const PipelineCreateInfo,
    }
    /// `VkPipelineBinaryInfoKHR`.
    PipelineBinaryInfo = 1_000_483_002 {
        binary_count: u32,
        binaries: *const u64,
    }
    /// `DxilRootSignatureInfo` of layer/include/dxil_layer.h, which says how the number was chosen.
    RootSignatureInfo = 0x7fff_fdc1 {
        global_size: usize,
        global: *const c_void,
        local_size: usize,
        local: *const c_void,
    }
    /// `VkPipelineCreateInfoKHR`: a header whose chain has the create info of a pipeline.
    PipelineCreateInfo = 1_000_483_007 {}
    /// `VkPipelineBinaryHandlesInfoKHR`.
    PipelineBinaryHandlesInfo = 1_000_483_009 {
        count: u32,
        binaries: *mut u64,
    }
    /// `VkDescriptorSetAndBindingMappingEXT`.
    DescriptorMapping = 1_000_135_005 {
        set: u32,
        first_binding: u32,
        binding_count: u32,
        resource_mask: u32,
        source: i32,
        data: MappingData,
    }
    /// `VkShaderDescriptorSetAndBindingMappingInfoEXT`.
    DescriptorMappingInfo = 1_000_135_006 {
        count: u32,
        mappings: *const DescriptorMapping,
    }
    /// `VkPhysicalDeviceDescriptorHeapPropertiesEXT`.
    PhysicalDeviceDescriptorHeapProperties = 1_000_135_008 {
        heap_alignments_sizes_and_reserved_ranges: [u64; 7],
        sampler_descriptor_size: u64,
        image_descriptor_size: u64,
        buffer_descriptor_size: u64,
        sampler_descriptor_alignment: u64,
        image_descriptor_alignment: u64,
        buffer_descriptor_alignment: u64,
        max_push_data_size: u64,
        image_capture_replay_opaque_data_size: usize,
        max_descriptor_heap_embedded_samplers: u32,
        sampler_ycbcr_conversion_count: u32,
        sparse_descriptor_heaps: vk::Bool32,
        protected_descriptor_heaps: vk::Bool32,
    }
}

/// `VkDescriptorMappingSourceConstantOffsetEXT`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ConstantOffset {
    /// The byte of the heap that has the first descriptor.
    pub heap_offset: u32,
    /// The bytes from one element of an array to the next.
    pub heap_array_stride: u32,
    /// The sampler, if the shader has it instead of the heap.
    pub embedded_sampler: *const vk::SamplerCreateInfo<'static>,
    /// As above, for the sampler of a combined image sampler.
    pub sampler_heap_offset: u32,
    /// As above, for the sampler of a combined image sampler.
    pub sampler_heap_array_stride: u32,
}

/// `VkDescriptorMappingSourceDataEXT`: the data of a constant offset, and space for any other.
#[derive(Clone, Copy)]
#[repr(C)]
pub union MappingData {
    /// For the source `VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT`.
    pub constant: ConstantOffset,
    others: [MaybeUninit<u64>; 7],
}

// SAFETY: the structures are data, and whoever makes them keeps what they point to, as for those of
// `ash`.
unsafe impl Send for DescriptorMapping {}
// SAFETY: as above.
unsafe impl Send for DescriptorMappingInfo {}

impl DescriptorMapping {
    /// The mapping of one binding with descriptors of these types (`VkSpirvResourceTypeFlagsEXT`)
    /// to a constant offset.
    pub fn constant(set: u32, binding: u32, resource_mask: u32, constant: ConstantOffset) -> Self {
        let mut data = MappingData { others: [MaybeUninit::zeroed(); 7] };
        data.constant = constant;
        let (s_type, p_next) = (Self::STRUCTURE_TYPE, std::ptr::null());
        Self { s_type, p_next, set, first_binding: binding, binding_count: 1, resource_mask, source: 0, data }
    }
}

impl DescriptorMappingInfo {
    /// A structure in front of a chain.
    pub fn before(p_next: *const c_void, mappings: &[DescriptorMapping]) -> Self {
        let mut info = Self { s_type: Self::STRUCTURE_TYPE, p_next, count: 0, mappings: std::ptr::null() };
        info.set(mappings);
        info
    }

    /// Replaces the mappings.
    pub fn set(&mut self, mappings: &[DescriptorMapping]) {
        (self.count, self.mappings) = (mappings.len() as u32, mappings.as_ptr());
    }
}

impl Default for PhysicalDeviceDescriptorHeapProperties {
    fn default() -> Self {
        // SAFETY: the structure consists of integers and a pointer, for which zero is valid.
        Self { s_type: Self::STRUCTURE_TYPE, ..unsafe { MaybeUninit::zeroed().assume_init() } }
    }
}
// SAFETY: the registry lets it extend VkPhysicalDeviceProperties2.
unsafe impl vk::ExtendsPhysicalDeviceProperties2 for PhysicalDeviceDescriptorHeapProperties {}

/// `PFN_vkGetPipelineKeyKHR`. The key is only passed on.
pub type GetPipelineKey = unsafe extern "system" fn(vk::Device, *const PipelineCreateInfo, *mut c_void) -> vk::Result;
/// `PFN_vkCreatePipelineBinariesKHR`.
pub type CreatePipelineBinaries = unsafe extern "system" fn(
    vk::Device,
    *const PipelineBinaryCreateInfo,
    *const vk::AllocationCallbacks<'static>,
    *mut PipelineBinaryHandlesInfo,
) -> vk::Result;

const _: () = assert!(size_of::<PipelineCreateInfo>() == size_of::<Header>());
