//! Pipeline layouts, with all that they refer to.

use serde::{Deserialize, Serialize};

use crate::model::Chain;
use crate::number::Float;

/// `VkPipelineLayoutCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineLayout {
    /// `flags`.
    pub flags: u32,
    /// `pSetLayouts`; `None` for a set that another pipeline library defines.
    pub sets: Vec<Option<SetLayout>>,
    /// `pPushConstantRanges`.
    pub push_ranges: Vec<PushRange>,
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkDescriptorSetLayoutCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetLayout {
    /// `flags`.
    pub flags: u32,
    /// `pBindings`, by number.
    pub bindings: Vec<Binding>,
    /// `pNext` without `VkDescriptorSetLayoutBindingFlagsCreateInfo` and
    /// `VkMutableDescriptorTypeCreateInfoEXT`, which the bindings have.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkDescriptorSetLayoutBinding`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// `binding`.
    pub binding: u32,
    /// `descriptorType`.
    pub ty: i32,
    /// `descriptorCount`.
    pub count: u32,
    /// `stageFlags`.
    pub stages: u32,
    /// Its element of `VkDescriptorSetLayoutBindingFlagsCreateInfo::pBindingFlags`.
    pub flags: u32,
    /// `pImmutableSamplers`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samplers: Vec<Sampler>,
    /// Its element of `VkMutableDescriptorTypeCreateInfoEXT::pMutableDescriptorTypeLists`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutable_types: Vec<i32>,
}

/// `VkPushConstantRange`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushRange {
    /// `stageFlags`.
    pub stages: u32,
    /// `offset`, in bytes.
    pub offset: u32,
    /// `size`, in bytes.
    pub size: u32,
}

/// `VkSamplerCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampler {
    /// `flags`.
    pub flags: u32,
    /// `magFilter`.
    pub mag_filter: i32,
    /// `minFilter`.
    pub min_filter: i32,
    /// `mipmapMode`.
    pub mipmap_mode: i32,
    /// `addressModeU`, `addressModeV`, `addressModeW`.
    pub address_modes: [i32; 3],
    /// `mipLodBias`.
    pub mip_lod_bias: Float,
    /// `maxAnisotropy`, where `anisotropyEnable` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_anisotropy: Option<Float>,
    /// `compareOp`, where `compareEnable` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare_op: Option<i32>,
    /// `minLod`.
    pub min_lod: Float,
    /// `maxLod`.
    pub max_lod: Float,
    /// `borderColor`.
    pub border_color: i32,
    /// `unnormalizedCoordinates`.
    pub unnormalized_coordinates: bool,
    /// The conversion of `VkSamplerYcbcrConversionInfo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversion: Option<YcbcrConversion>,
    /// `pNext` without that structure.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkSamplerYcbcrConversionCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct YcbcrConversion {
    /// `format`.
    pub format: i32,
    /// `ycbcrModel`.
    pub model: i32,
    /// `ycbcrRange`.
    pub range: i32,
    /// `components`: r, g, b, a.
    pub components: [i32; 4],
    /// `xChromaOffset` and `yChromaOffset`.
    pub chroma_offsets: [i32; 2],
    /// `chromaFilter`.
    pub chroma_filter: i32,
    /// `forceExplicitReconstruction`.
    pub force_explicit_reconstruction: bool,
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}
