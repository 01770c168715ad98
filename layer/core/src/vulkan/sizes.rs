//! Sizes of structures by `sType`, for those that the layer may have to copy.
//!
//! What must hold: sizes are those of the registry, including structures that are newer than `ash`.
//! A structure of unknown size prevents the copy of all structures after it in a chain.

use ash::vk;
use ash::vk::TaggedStructure;

use crate::vulkan::loader;
use crate::vulkan::newer::RootSignatureInfo;

/// `sType` and size of the registry's structures on 64-bit platforms, in order of `sType`.
const SIZES: &[(i32, usize)] = &include!("sizes.inc");

/// The size in bytes of a structure, if it is known.
pub fn size_of_structure(s_type: vk::StructureType) -> Option<usize> {
    if s_type == loader::LOADER_DEVICE_CREATE_INFO {
        return Some(size_of::<loader::LayerDeviceCreateInfo>());
    }
    if s_type == RootSignatureInfo::STRUCTURE_TYPE {
        return Some(size_of::<RootSignatureInfo>());
    }
    // On other platforms pointers, and so structures, have other sizes.
    if !cfg!(target_pointer_width = "64") {
        return None;
    }
    let at = SIZES.binary_search_by_key(&s_type.as_raw(), |&(known, _)| known).ok()?;
    SIZES.get(at).map(|&(_, size)| size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vulkan::newer::{DescriptorMapping, DescriptorMappingInfo, PhysicalDeviceDescriptorHeapProperties};
    use dxil_vulkan_profile::newer::{
        PhysicalDeviceShaderLongVectorFeatures, PhysicalDeviceShaderLongVectorProperties,
        PhysicalDeviceShaderSubgroupPartitionedFeatures, PhysicalDeviceVulkan14Features,
    };

    #[test]
    fn sizes_are_those_of_ash() {
        macro_rules! check {
            ($($ty:ty,)*) => {
                $(assert_eq!(size_of_structure(<$ty>::STRUCTURE_TYPE), Some(size_of::<$ty>()), stringify!($ty));)*
            };
        }
        check! {
            vk::ShaderModuleCreateInfo<'_>,
            vk::ShaderModuleValidationCacheCreateInfoEXT<'_>,
            vk::DebugUtilsObjectNameInfoEXT<'_>,
            vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'_>,
            vk::PipelineShaderStageModuleIdentifierCreateInfoEXT<'_>,
            vk::PipelineShaderStageNodeCreateInfoAMDX<'_>,
            vk::GraphicsPipelineShaderGroupsCreateInfoNV<'_>,
            vk::PipelineRenderingCreateInfo<'_>,
            vk::PipelineCreateFlags2CreateInfoKHR<'_>,
            vk::DeviceGroupDeviceCreateInfo<'_>,
            vk::DeviceDeviceMemoryReportCreateInfoEXT<'_>,
            vk::DevicePrivateDataCreateInfo<'_>,
            vk::PhysicalDeviceFeatures2<'_>,
            vk::PhysicalDeviceVulkan11Features<'_>,
            vk::PhysicalDeviceVulkan12Features<'_>,
            vk::PhysicalDeviceVulkan13Features<'_>,
            vk::PhysicalDeviceDescriptorIndexingFeatures<'_>,
            vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV<'_>,
            PhysicalDeviceVulkan14Features,
            PhysicalDeviceShaderSubgroupPartitionedFeatures,
            PhysicalDeviceShaderLongVectorFeatures,
            PhysicalDeviceShaderLongVectorProperties,
            DescriptorMapping,
            DescriptorMappingInfo,
            PhysicalDeviceDescriptorHeapProperties,
        }
    }

    #[test]
    fn structures_newer_than_ash_are_known() {
        // VkPhysicalDeviceDescriptorHeapFeaturesEXT has two members (VK_EXT_descriptor_heap).
        let heap = vk::StructureType::from_raw(1_000_135_009);
        assert_eq!(size_of_structure(heap), Some(24));
        assert_eq!(size_of_structure(vk::StructureType::from_raw(0x7ead_beef)), None);
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(SIZES.is_sorted_by_key(|&(s_type, _)| s_type));
        assert!(SIZES.len() > 1000);
    }
}
