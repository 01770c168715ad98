//! Structures and numbers of Vulkan that are newer than `ash`.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

/// `VK_API_VERSION_1_4`.
pub const API_VERSION_1_4: u32 = vk::make_api_version(0, 1, 4, 0);

/// A Vulkan version without its variant and patch number.
pub fn minor_version(version: u32) -> u32 {
    vk::make_api_version(0, vk::api_version_major(version), vk::api_version_minor(version), 0)
}

/// `structures! { Name = sType { members } … }` declares structures.
#[macro_export]
macro_rules! newer_structures {
    ($($(#[$meta:meta])* $name:ident = $number:literal { $($field:ident: $ty:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub struct $name {
            s_type: vk::StructureType,
            p_next: *const c_void,
            $(#[doc = concat!("The member `", stringify!($field), "`.")] pub $field: $ty,)*
        }
        // SAFETY: the structure begins with sType and pNext, and the registry gives it this number.
        unsafe impl TaggedStructure for $name {
            const STRUCTURE_TYPE: vk::StructureType = vk::StructureType::from_raw($number);
        }
    )*};
}

newer_structures! {
    /// `VkPhysicalDeviceVulkan14Features`.
    PhysicalDeviceVulkan14Features = 55 {
        members: [vk::Bool32; 21],
    }
    /// `VkPhysicalDeviceRayTracingInvocationReorderFeaturesEXT`.
    PhysicalDeviceRayTracingInvocationReorderFeatures = 1_000_581_000 {
        ray_tracing_invocation_reorder: vk::Bool32,
    }
    /// `VkPhysicalDeviceShaderLongVectorFeaturesEXT`.
    PhysicalDeviceShaderLongVectorFeatures = 1_000_635_000 {
        long_vector: vk::Bool32,
    }
    /// `VkPhysicalDeviceShaderLongVectorPropertiesEXT`.
    PhysicalDeviceShaderLongVectorProperties = 1_000_635_001 {
        max_vector_components: u32,
    }
    /// `VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT`.
    PhysicalDeviceShaderSubgroupPartitionedFeatures = 1_000_662_000 {
        shader_subgroup_partitioned: vk::Bool32,
    }
}

impl Default for PhysicalDeviceShaderLongVectorProperties {
    fn default() -> Self {
        Self { s_type: Self::STRUCTURE_TYPE, p_next: std::ptr::null(), max_vector_components: 0 }
    }
}
// SAFETY: the registry says that it extends VkPhysicalDeviceProperties2.
unsafe impl vk::ExtendsPhysicalDeviceProperties2 for PhysicalDeviceShaderLongVectorProperties {}
