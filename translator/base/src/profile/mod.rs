//! Device profiles: the features, limits and properties that are enabled on a device, as plain
//! data.
//!
//! In: the layer fills a [`DeviceProfile`] from the features, properties and extensions of the
//! `VkDevice` (in one place); the tool takes a built-in profile (`builtin.rs`) or reads the text
//! form (`text.rs`). Out: `spirv::caps` answers lowering's questions by it, and `binding` reads two
//! limits. What must hold: a profile states what is *enabled*, not what is supported. No other
//! module reads its fields: the list `disallowed-fields` of clippy.toml, which the library
//! `dxil_translator` turns on.
//!
//! `document.rs` writes docs/profile.md from the tables of features and numbers.

mod builtin;
mod document;
mod text;

pub use builtin::{NAMES, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, everything, lavapipe, vulkan_1_0_desktop};
pub use document::markdown;
use serde::Deserialize;

pub use crate::feature::{Feature, FeatureSet};

macro_rules! numbers {
    ($(#[$smeta:meta])* $structure:ident, $prefix:literal { $($(#[doc = $remark:literal])+ $field:ident,)* }) => {
        $(#[$smeta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[non_exhaustive]
        pub struct $structure { $($(#[doc = $remark])+ pub $field: u32,)* }
        impl $structure {
            /// The keys of the text form, and what each is.
            const KEYS: &'static [(&'static str, &'static str)] =
                &[$((concat!($prefix, ".", stringify!($field)), concat!($($remark),+)),)*];
            /// The values, in the order of the keys.
            fn values(&self) -> Vec<u32> {
                vec![$(self.$field,)*]
            }
        }
    };
}

numbers! {
    /// Subgroup properties (`VkPhysicalDeviceSubgroupProperties`,
    /// `VkPhysicalDeviceSubgroupSizeControlProperties`).
    Subgroup, "subgroup" {
        /// Default number of lanes in a subgroup (`subgroupSize`).
        size,
        /// Smallest required subgroup size, in lanes (`minSubgroupSize`).
        min_size,
        /// Largest required subgroup size, in lanes (`maxSubgroupSize`).
        max_size,
        /// `VkShaderStageFlags` of the stages that support subgroup operations.
        stages,
        /// `VkSubgroupFeatureFlags` of the supported operations.
        operations,
        /// `VkShaderStageFlags` of the stages for which a pipeline may require a subgroup size.
        required_size_stages,
        /// Most subgroups in a workgroup for which a pipeline requires a subgroup size
        /// (`maxComputeWorkgroupSubgroups`); 0 if it is not known.
        max_compute_workgroup_subgroups,
    }
}

numbers! {
    /// Float controls per width. Each value is a sum of the constants of [`FloatControls`].
    FloatControls, "float" {
        /// For 16-bit floats.
        f16,
        /// For 32-bit floats.
        f32,
        /// For 64-bit floats.
        f64,
        /// `VkShaderFloatControlsIndependence` of denormal behaviour.
        denorm_independence,
        /// `VkShaderFloatControlsIndependence` of rounding modes.
        rounding_independence,
    }
}

impl FloatControls {
    /// `shaderSignedZeroInfNanPreserve` of the width.
    pub const SIGNED_ZERO_INF_NAN_PRESERVE: u32 = 1;
    /// `shaderDenormPreserve` of the width.
    pub const DENORM_PRESERVE: u32 = 2;
    /// `shaderDenormFlushToZero` of the width.
    pub const DENORM_FLUSH_TO_ZERO: u32 = 4;
    /// `shaderRoundingModeRTE` of the width.
    pub const ROUNDING_RTE: u32 = 8;
    /// `shaderRoundingModeRTZ` of the width.
    pub const ROUNDING_RTZ: u32 = 16;
}

numbers! {
    /// The driver, for the forms that depend on one ([`quirks`](crate::quirks)).
    Driver, "driver" {
        /// `VkPhysicalDeviceDriverProperties::driverID`; 0 if it is not known.
        id,
        /// `VkPhysicalDeviceProperties::driverVersion`, in the driver's own encoding.
        version,
    }
}

impl Driver {
    /// No driver is known.
    pub const UNKNOWN: Driver = Driver { id: 0, version: 0 };
    /// `VK_DRIVER_ID_NVIDIA_PROPRIETARY`.
    pub const NVIDIA: u32 = 4;
    /// `VK_DRIVER_ID_GOOGLE_SWIFTSHADER`.
    pub const SWIFTSHADER: u32 = 10;
    /// `VK_DRIVER_ID_MESA_LLVMPIPE`.
    pub const LLVMPIPE: u32 = 13;
}

numbers! {
    /// Limits (`VkPhysicalDeviceLimits` and others) that decide a lowering.
    DeviceLimits, "limit" {
        /// `maxPushConstantsSize`, bytes.
        max_push_constants_size,
        /// `maxBoundDescriptorSets`.
        max_bound_descriptor_sets,
        /// `maxUniformBufferRange`, bytes.
        max_uniform_buffer_range,
        /// `maxInlineUniformBlockSize`, bytes.
        max_inline_uniform_block_size,
        /// `maxClipDistances`.
        max_clip_distances,
        /// `maxComputeSharedMemorySize`, bytes.
        max_compute_shared_memory_size,
        /// `maxComputeWorkGroupInvocations`.
        max_compute_work_group_invocations,
        /// `maxTaskWorkGroupInvocations`.
        max_task_work_group_invocations,
        /// `maxTaskPayloadSize`, bytes.
        max_task_payload_size,
        /// `maxMeshWorkGroupInvocations`.
        max_mesh_work_group_invocations,
        /// `maxMeshOutputVertices`.
        max_mesh_output_vertices,
        /// `maxMeshOutputPrimitives`.
        max_mesh_output_primitives,
        /// `maxVectorComponents`, where the feature `longVector` is enabled.
        max_vector_components,
    }
}

numbers! {
    /// What formats allow beyond the features of the device. Each value is a sum of the constants
    /// of
    /// [`StorageFormats`].
    StorageFormats, "format" {
        /// The kinds of storage images and storage texel buffers of which some format can be read
        /// by an image without a format (`VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT`).
        /// Vulkan 1.3 permits such reads by format, on devices without
        /// `shaderStorageImageReadWithoutFormat` too.
        read_without_format,
    }
}

impl StorageFormats {
    /// Storage images of floats, normalised integers among them.
    pub const IMAGE_FLOAT: u32 = 1;
    /// Storage images of signed integers.
    pub const IMAGE_SINT: u32 = 2;
    /// Storage images of unsigned integers.
    pub const IMAGE_UINT: u32 = 4;
    /// Storage texel buffers of floats, normalised integers among them.
    pub const BUFFER_FLOAT: u32 = 8;
    /// Storage texel buffers of signed integers.
    pub const BUFFER_SINT: u32 = 16;
    /// Storage texel buffers of unsigned integers.
    pub const BUFFER_UINT: u32 = 32;
    /// All kinds.
    pub const ALL: u32 = 63;
}

/// The features, limits and properties that are enabled on a device.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DeviceProfile {
    /// Vulkan version, `(major, minor)`: the lower of the application's and the device's.
    pub api: (u8, u8),
    /// Highest SPIR-V version that the device accepts, `(major, minor)`.
    pub spirv: (u8, u8),
    /// Enabled features.
    pub features: FeatureSet,
    /// Subgroup properties.
    pub subgroup: Subgroup,
    /// Float controls.
    pub float: FloatControls,
    /// What formats allow.
    pub formats: StorageFormats,
    /// Limits.
    pub limits: DeviceLimits,
    /// The driver.
    pub driver: Driver,
}

impl DeviceProfile {
    /// Whether the device has the feature enabled.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }
}
