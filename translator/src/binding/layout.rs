//! The application's pipeline layout as plain data, and which descriptor types a resource accepts.
//!
//! In: the layer fills a [`PipelineLayout`] from the hooked create calls. Out: the models look descriptors up in it. What must
//! hold: the table of accepted types is the one in docs/bindings.md, first choice first.

use crate::binding::plan::DescriptorType;
use crate::dxil::consts::{ResourceClass, ResourceKind};
use crate::dxil::resources::Resource;

/// One binding of a descriptor-set layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayoutBinding {
    /// Its number.
    pub binding: u32,
    /// `VkDescriptorType` as Vulkan numbers it.
    pub ty: i32,
    /// `descriptorCount`; bytes for an inline uniform block.
    pub count: u32,
    /// `VkShaderStageFlags`.
    pub stages: u32,
    /// Whether it has immutable samplers.
    pub immutable_samplers: bool,
    /// Descriptor types that a mutable descriptor may hold.
    pub mutable_types: Vec<i32>,
}

/// A push-constant range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PushRange {
    /// `VkShaderStageFlags`.
    pub stages: u32,
    /// First byte.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// A pipeline layout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PipelineLayout {
    /// Per set its bindings, sorted by number; `None` where the set is absent (null, or in another library).
    pub sets: Vec<Option<Vec<LayoutBinding>>>,
    /// Push-constant ranges.
    pub push_ranges: Vec<PushRange>,
}

impl PipelineLayout {
    /// The binding, where the layout has it.
    pub fn binding(&self, set: u32, binding: u32) -> Option<&LayoutBinding> {
        let bindings = self.sets.get(set as usize)?.as_ref()?;
        bindings.iter().find(|b| b.binding == binding)
    }
}

/// The descriptor types that a resource accepts, first choice first (bindings.md, "The layout decides how").
pub fn accepted(resource: &Resource) -> &'static [DescriptorType] {
    use DescriptorType as D;
    match (resource.class, resource.kind) {
        (ResourceClass::CBuffer, _) => &[
            D::UniformBuffer,
            D::UniformBufferDynamic,
            D::InlineUniformBlock,
            D::StorageBuffer,
            D::StorageBufferDynamic,
        ],
        (ResourceClass::Sampler, _) => &[D::Sampler, D::CombinedImageSampler],
        (_, ResourceKind::RtAccelerationStructure) => &[D::AccelerationStructure],
        (ResourceClass::Srv, ResourceKind::TypedBuffer) => &[D::UniformTexelBuffer, D::StorageTexelBuffer],
        (ResourceClass::Uav, ResourceKind::TypedBuffer) => &[D::StorageTexelBuffer],
        (ResourceClass::Srv, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer) => {
            &[D::StorageBuffer, D::StorageBufferDynamic, D::UniformTexelBuffer, D::StorageTexelBuffer]
        }
        (ResourceClass::Uav, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer) => {
            &[D::StorageBuffer, D::StorageBufferDynamic, D::StorageTexelBuffer]
        }
        (_, ResourceKind::TBuffer) => {
            &[D::StorageBuffer, D::UniformBuffer, D::UniformTexelBuffer, D::StorageTexelBuffer]
        }
        (ResourceClass::Uav, _) => &[D::StorageImage],
        (ResourceClass::Srv, _) => &[D::SampledImage, D::CombinedImageSampler, D::StorageImage, D::InputAttachment],
    }
}

/// The descriptor types that a hidden counter accepts.
pub const COUNTER_ACCEPTED: &[DescriptorType] = &[DescriptorType::StorageBuffer, DescriptorType::StorageTexelBuffer];
