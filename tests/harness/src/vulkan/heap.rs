//! VK_EXT_descriptor_heap, which is newer than `ash`: its structures, and the commands that
//! programs need.
//!
//! In: a device with the extension. Out: its properties and commands. What must hold: the
//! structures are those of the registry.

use std::ffi::{CStr, c_void};

use ash::vk;
use dxil_vulkan::{Gpu, Instance};

use crate::error::{Error, Result};

/// `VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME`.
pub const NAME: &CStr = c"VK_EXT_descriptor_heap";

/// `VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT`.
pub const PIPELINE: vk::PipelineCreateFlags2KHR = vk::PipelineCreateFlags2KHR::from_raw(1 << 36);

/// `VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT`.
pub const SHADER: vk::ShaderCreateFlagsEXT = vk::ShaderCreateFlagsEXT::from_raw(1 << 10);

/// `VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT`.
pub const BUFFER: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(1 << 28);

/// The members that all structures begin with.
macro_rules! structures {
    ($($(#[$meta:meta])* $name:ident = $number:literal { $($field:ident: $ty:ty,)* })*) => {$(
        $(#[$meta])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy)]
        pub struct $name {
            /// `sType`.
            pub s_type: i32,
            /// `pNext`.
            pub p_next: *const c_void,
            $(#[doc = concat!("`", stringify!($field), "`.")] pub $field: $ty,)*
        }
        impl Default for $name {
            fn default() -> Self {
                // SAFETY: the structure consists of integers and pointers, for which zero is valid.
                Self { s_type: $number, ..unsafe { std::mem::zeroed() } }
            }
        }
    )*};
}

structures! {
    /// `VkTexelBufferDescriptorInfoEXT`.
    TexelBuffer = 1_000_135_000 { format: vk::Format, range: AddressRange, }
    /// `VkImageDescriptorInfoEXT`.
    Image = 1_000_135_001 { view: *const vk::ImageViewCreateInfo<'static>, layout: vk::ImageLayout, }
    /// `VkResourceDescriptorInfoEXT`. The data is an image, a texel buffer or a range of addresses.
    ResourceDescriptor = 1_000_135_002 { ty: vk::DescriptorType, data: *const c_void, }
    /// `VkBindHeapInfoEXT`.
    BindHeap = 1_000_135_003 { range: AddressRange, reserved_offset: u64, reserved_size: u64, }
    /// `VkPushDataInfoEXT`.
    PushData = 1_000_135_004 { offset: u32, data: *const c_void, size: usize, }
    /// `VkDescriptorSetAndBindingMappingEXT` with a constant offset.
    Mapping = 1_000_135_005 {
        set: u32,
        first_binding: u32,
        binding_count: u32,
        resource_mask: u32,
        source: i32,
        constant: ConstantOffset,
    }
    /// `VkShaderDescriptorSetAndBindingMappingInfoEXT`.
    MappingInfo = 1_000_135_006 { count: u32, mappings: *const Mapping, }
    /// `VkPhysicalDeviceDescriptorHeapPropertiesEXT`.
    Properties = 1_000_135_008 {
        sampler_heap_alignment: u64,
        resource_heap_alignment: u64,
        max_sampler_heap_size: u64,
        max_resource_heap_size: u64,
        min_sampler_heap_reserved_range: u64,
        min_sampler_heap_reserved_range_with_embedded: u64,
        min_resource_heap_reserved_range: u64,
        sampler_descriptor_size: u64,
        image_descriptor_size: u64,
        buffer_descriptor_size: u64,
        sampler_descriptor_alignment: u64,
        image_descriptor_alignment: u64,
        buffer_descriptor_alignment: u64,
        max_push_data_size: u64,
        others: [u32; 6],
    }
    /// `VkPhysicalDeviceDescriptorHeapFeaturesEXT`.
    Features = 1_000_135_009 { descriptor_heap: vk::Bool32, descriptor_heap_capture_replay: vk::Bool32, }
}

/// `VkDeviceAddressRangeEXT`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct AddressRange {
    /// The first byte.
    pub address: u64,
    /// The number of bytes.
    pub size: u64,
}

/// `VkDescriptorMappingSourceConstantOffsetEXT`, in a union of 56 bytes.
#[repr(C, align(8))]
#[derive(Debug, Clone, Copy)]
pub struct ConstantOffset {
    /// `heapOffset`.
    pub offset: u32,
    /// `heapArrayStride`.
    pub stride: u32,
    embedded_sampler: *const c_void,
    others: [u64; 5],
}

impl Mapping {
    /// Maps a binding to a byte of the heap.
    pub fn new(set: u32, binding: u32, resource_mask: u32, [offset, stride]: [u32; 2]) -> Self {
        let constant = ConstantOffset { offset, stride, embedded_sampler: std::ptr::null(), others: [0; 5] };
        Self { set, first_binding: binding, binding_count: 1, resource_mask, constant, ..Self::default() }
    }
}

const _: () = assert!(size_of::<Mapping>() == 96 && std::mem::offset_of!(Mapping, constant) == 40);
const _: () = assert!(size_of::<Properties>() == 152 && size_of::<BindHeap>() == 48 && size_of::<PushData>() == 40);
const _: () = assert!(size_of::<TexelBuffer>() == 40 && size_of::<ResourceDescriptor>() == 32);

/// `VkHostAddressRangeEXT`.
#[repr(C)]
pub struct HostRange {
    /// The first byte.
    pub address: *mut c_void,
    /// The number of bytes.
    pub size: usize,
}

type WriteResources =
    unsafe extern "system" fn(vk::Device, u32, *const ResourceDescriptor, *const HostRange) -> vk::Result;
type WriteSamplers =
    unsafe extern "system" fn(vk::Device, u32, *const vk::SamplerCreateInfo<'static>, *const HostRange) -> vk::Result;
type BindHeapCommand = unsafe extern "system" fn(vk::CommandBuffer, *const BindHeap);
type PushDataCommand = unsafe extern "system" fn(vk::CommandBuffer, *const PushData);

/// The commands and properties of a device with the extension.
pub struct Commands {
    /// `vkWriteResourceDescriptorsEXT`.
    pub write_resources: WriteResources,
    /// `vkWriteSamplerDescriptorsEXT`.
    pub write_samplers: WriteSamplers,
    /// `vkCmdBindResourceHeapEXT`.
    pub bind_resources: BindHeapCommand,
    /// `vkCmdBindSamplerHeapEXT`.
    pub bind_samplers: BindHeapCommand,
    /// `vkCmdPushDataEXT`.
    pub push_data: PushDataCommand,
    /// The sizes and alignments.
    pub properties: Properties,
}

impl Commands {
    /// The commands of a device that has the extension enabled.
    ///
    /// # Errors
    /// The driver does not have a command.
    pub fn new(gpu: &Gpu) -> Result<Self> {
        let command = |name: &CStr| {
            // SAFETY: the device is alive, and the name is a string.
            let found = unsafe { gpu.instance.handle.get_device_proc_addr(gpu.device.handle(), name.as_ptr()) };
            found.ok_or_else(|| Error::Wrong(format!("the driver does not have {}", name.to_string_lossy())))
        };
        let mut properties = Properties::default();
        let mut all = vk::PhysicalDeviceProperties2 { p_next: (&raw mut properties).cast(), ..Default::default() };
        // SAFETY: the physical device belongs to the instance, and has the extension of the chained
        // struct.
        unsafe { gpu.instance.handle.get_physical_device_properties2(gpu.instance.physical, &mut all) };
        type Any = unsafe extern "system" fn();
        // SAFETY: each command has the type that the registry gives it.
        unsafe {
            Ok(Self {
                write_resources: std::mem::transmute::<Any, WriteResources>(command(c"vkWriteResourceDescriptorsEXT")?),
                write_samplers: std::mem::transmute::<Any, WriteSamplers>(command(c"vkWriteSamplerDescriptorsEXT")?),
                bind_resources: std::mem::transmute::<Any, BindHeapCommand>(command(c"vkCmdBindResourceHeapEXT")?),
                bind_samplers: std::mem::transmute::<Any, BindHeapCommand>(command(c"vkCmdBindSamplerHeapEXT")?),
                push_data: std::mem::transmute::<Any, PushDataCommand>(command(c"vkCmdPushDataEXT")?),
                properties,
            })
        }
    }

    /// The bytes from one descriptor to the next: in the resource heap, and in the sampler heap.
    pub fn strides(&self) -> [u64; 2] {
        let p = &self.properties;
        let size = p.image_descriptor_size.max(p.buffer_descriptor_size);
        let alignment = p.image_descriptor_alignment.max(p.buffer_descriptor_alignment);
        [size.next_multiple_of(alignment), p.sampler_descriptor_size.next_multiple_of(p.sampler_descriptor_alignment)]
    }
}

/// Checks that a device can have descriptor heaps.
///
/// # Errors
/// A skip.
pub fn check(instance: &Instance) -> Result<()> {
    match instance.extensions.iter().any(|name| name.as_c_str() == NAME) {
        true => Ok(()),
        false => Err(Error::Skip("the driver does not support VK_EXT_descriptor_heap".into())),
    }
}
