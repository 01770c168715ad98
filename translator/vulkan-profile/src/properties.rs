//! The properties of a physical device that a profile has.

use std::ffi::CStr;

use ash::vk;

use crate::chain;
use crate::newer::PhysicalDeviceShaderLongVectorProperties;
use crate::requested::Requested;

/// Which property structures a device has, by its Vulkan version and the enabled extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// `VkPhysicalDeviceSubgroupProperties`.
    pub subgroup: bool,
    /// `VkPhysicalDeviceSubgroupSizeControlProperties`.
    pub subgroup_size_control: bool,
    /// `VkPhysicalDeviceDriverProperties`.
    pub driver: bool,
    /// `VkPhysicalDeviceFloatControlsProperties`.
    pub float_controls: bool,
    /// `VkPhysicalDeviceMeshShaderPropertiesEXT`.
    pub mesh_shader: bool,
    /// `VkPhysicalDeviceShaderLongVectorPropertiesEXT`.
    pub long_vector: bool,
    /// `VkPhysicalDeviceInlineUniformBlockProperties`.
    pub inline_uniform_block: bool,
}

impl Known {
    /// The structures of a device that is used in this Vulkan version.
    pub fn new(requested: &Requested<'_>, version: u32) -> Self {
        let enabled = |extension: &CStr| requested.extensions.contains(&extension);
        let has = |core: u32, extension: &CStr| version >= core || enabled(extension);
        Self {
            subgroup: version >= vk::API_VERSION_1_1,
            subgroup_size_control: has(vk::API_VERSION_1_3, c"VK_EXT_subgroup_size_control"),
            driver: has(vk::API_VERSION_1_2, c"VK_KHR_driver_properties"),
            float_controls: has(vk::API_VERSION_1_2, c"VK_KHR_shader_float_controls"),
            mesh_shader: enabled(c"VK_EXT_mesh_shader"),
            long_vector: enabled(c"VK_EXT_shader_long_vector"),
            inline_uniform_block: has(vk::API_VERSION_1_3, c"VK_EXT_inline_uniform_block"),
        }
    }
}

/// The properties of a physical device that a profile has. A structure that is not known is left
/// out, and the profile then has the least that every device has.
#[derive(Clone, Copy, Default)]
pub struct Properties {
    /// Limits and the driver's version.
    pub core: vk::PhysicalDeviceProperties,
    /// Subgroups.
    pub subgroup: Option<vk::PhysicalDeviceSubgroupProperties<'static>>,
    /// Required subgroup sizes.
    pub subgroup_size_control: Option<vk::PhysicalDeviceSubgroupSizeControlProperties<'static>>,
    /// The driver.
    pub driver: Option<vk::PhysicalDeviceDriverProperties<'static>>,
    /// Float controls.
    pub float_controls: Option<vk::PhysicalDeviceFloatControlsProperties<'static>>,
    /// Limits of mesh shaders.
    pub mesh_shader: Option<vk::PhysicalDeviceMeshShaderPropertiesEXT<'static>>,
    /// Limits of long vectors.
    pub long_vector: Option<PhysicalDeviceShaderLongVectorProperties>,
    /// Limits of inline uniform blocks.
    pub inline_uniform_block: Option<vk::PhysicalDeviceInlineUniformBlockProperties<'static>>,
}

impl Properties {
    /// Reads a chain that `vkGetPhysicalDeviceProperties2` filled, as far as it has the structures:
    /// each by itself, or in `VkPhysicalDeviceVulkan11Properties` and its successors.
    ///
    /// # Safety
    /// The structure and its chain are valid.
    pub unsafe fn read(properties: &vk::PhysicalDeviceProperties2<'_>, known: &Known) -> Self {
        /// The structure in the chain, otherwise the same members of the aggregate in the chain.
        macro_rules! find {
            ($known:ident, $own:ident, $aggregate:ident { $($member:ident = $of_aggregate:ident,)* }) => {{
                // SAFETY: the caller's chain.
                let own = unsafe { chain::find::<vk::$own<'static>>(properties.p_next) }.copied();
                // SAFETY: as above.
                let all = unsafe { chain::find::<vk::$aggregate<'static>>(properties.p_next) };
                let part = all.map(|all| vk::$own { $($member: all.$of_aggregate,)* ..Default::default() });
                own.or(part).filter(|_| known.$known)
            }};
        }
        Self {
            core: properties.properties,
            subgroup: find!(subgroup, PhysicalDeviceSubgroupProperties, PhysicalDeviceVulkan11Properties {
                subgroup_size = subgroup_size,
                supported_stages = subgroup_supported_stages,
                supported_operations = subgroup_supported_operations,
            }),
            subgroup_size_control: find!(
                subgroup_size_control,
                PhysicalDeviceSubgroupSizeControlProperties,
                PhysicalDeviceVulkan13Properties {
                    min_subgroup_size = min_subgroup_size,
                    max_subgroup_size = max_subgroup_size,
                    max_compute_workgroup_subgroups = max_compute_workgroup_subgroups,
                    required_subgroup_size_stages = required_subgroup_size_stages,
                }
            ),
            driver: find!(driver, PhysicalDeviceDriverProperties, PhysicalDeviceVulkan12Properties {
                driver_id = driver_id,
            }),
            float_controls: find!(float_controls, PhysicalDeviceFloatControlsProperties, PhysicalDeviceVulkan12Properties {
                denorm_behavior_independence = denorm_behavior_independence,
                rounding_mode_independence = rounding_mode_independence,
                shader_signed_zero_inf_nan_preserve_float16 = shader_signed_zero_inf_nan_preserve_float16,
                shader_signed_zero_inf_nan_preserve_float32 = shader_signed_zero_inf_nan_preserve_float32,
                shader_signed_zero_inf_nan_preserve_float64 = shader_signed_zero_inf_nan_preserve_float64,
                shader_denorm_preserve_float16 = shader_denorm_preserve_float16,
                shader_denorm_preserve_float32 = shader_denorm_preserve_float32,
                shader_denorm_preserve_float64 = shader_denorm_preserve_float64,
                shader_denorm_flush_to_zero_float16 = shader_denorm_flush_to_zero_float16,
                shader_denorm_flush_to_zero_float32 = shader_denorm_flush_to_zero_float32,
                shader_denorm_flush_to_zero_float64 = shader_denorm_flush_to_zero_float64,
                shader_rounding_mode_rte_float16 = shader_rounding_mode_rte_float16,
                shader_rounding_mode_rte_float32 = shader_rounding_mode_rte_float32,
                shader_rounding_mode_rte_float64 = shader_rounding_mode_rte_float64,
                shader_rounding_mode_rtz_float16 = shader_rounding_mode_rtz_float16,
                shader_rounding_mode_rtz_float32 = shader_rounding_mode_rtz_float32,
                shader_rounding_mode_rtz_float64 = shader_rounding_mode_rtz_float64,
            }),
            // SAFETY: the caller's chain.
            mesh_shader: unsafe {
                chain::find::<vk::PhysicalDeviceMeshShaderPropertiesEXT<'static>>(properties.p_next)
            }
            .copied()
            .filter(|_| known.mesh_shader),
            // SAFETY: the caller's chain.
            long_vector: unsafe { chain::find::<PhysicalDeviceShaderLongVectorProperties>(properties.p_next) }
                .copied()
                .filter(|_| known.long_vector),
            inline_uniform_block: find!(
                inline_uniform_block,
                PhysicalDeviceInlineUniformBlockProperties,
                PhysicalDeviceVulkan13Properties { max_inline_uniform_block_size = max_inline_uniform_block_size, }
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A structure by itself and the aggregate that has its members give the same, and a structure
    /// that the device does not have gives nothing.
    #[test]
    fn aggregates_have_the_same_members() {
        let (size, least, bytes) = (32, 16, 256);
        let mut all11 = vk::PhysicalDeviceVulkan11Properties::default().subgroup_size(size);
        let mut all12 = vk::PhysicalDeviceVulkan12Properties::default()
            .driver_id(vk::DriverId::MESA_LLVMPIPE)
            .shader_denorm_preserve_float32(true);
        let mut all13 = vk::PhysicalDeviceVulkan13Properties::default()
            .min_subgroup_size(least)
            .max_inline_uniform_block_size(bytes);
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default().subgroup_size(2 * size);
        let aggregates =
            vk::PhysicalDeviceProperties2::default().push_next(&mut all11).push_next(&mut all12).push_next(&mut all13);
        let info = vk::DeviceCreateInfo::default();
        let read = |properties: &vk::PhysicalDeviceProperties2<'_>, version| {
            // SAFETY: the structures are valid.
            let known = Known::new(&unsafe { Requested::read(&info, version) }, version);
            // SAFETY: as above.
            unsafe { Properties::read(properties, &known) }
        };
        let found = read(&aggregates, vk::API_VERSION_1_3);
        assert_eq!(found.subgroup.map(|it| it.subgroup_size), Some(size));
        assert_eq!(found.subgroup_size_control.map(|it| it.min_subgroup_size), Some(least));
        assert_eq!(found.driver.map(|it| it.driver_id.as_raw()), Some(vk::DriverId::MESA_LLVMPIPE.as_raw()));
        assert_eq!(found.float_controls.map(|it| it.shader_denorm_preserve_float32), Some(vk::TRUE));
        assert_eq!(found.inline_uniform_block.map(|it| it.max_inline_uniform_block_size), Some(bytes));
        assert!(found.mesh_shader.is_none());
        let old = read(&aggregates, vk::API_VERSION_1_1);
        assert!(old.subgroup.is_some() && old.driver.is_none() && old.subgroup_size_control.is_none());
        let own = aggregates.push_next(&mut subgroup);
        assert_eq!(read(&own, vk::API_VERSION_1_3).subgroup.map(|it| it.subgroup_size), Some(2 * size));
    }
}
