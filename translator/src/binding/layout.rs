//! The application's pipeline layout as plain data, and the descriptor types that each resource
//! accepts.
//!
//! In: the layer fills a [`PipelineLayout`] from the create calls that it intercepts. Out: planning
//! looks descriptors up in it. What must hold: the accepted types are those of the table in
//! docs/bindings.md, in the same order of preference.

use crate::binding::plan::DescriptorType;
use crate::ir::resource_types::ResourceType;
use crate::ir::resources::Resource;
use crate::ops::consts::{ResourceClass, ResourceKind, ShaderStage};
use dxil_base::error::Result;

/// One binding of a descriptor-set layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LayoutBinding {
    /// Binding number.
    pub binding: u32,
    /// Descriptor type.
    pub ty: DescriptorType,
    /// `descriptorCount`. For an inline uniform block it is a number of bytes.
    pub count: u32,
    /// `VkShaderStageFlags`.
    pub stages: u32,
    /// Whether the binding has immutable samplers.
    pub immutable_samplers: bool,
    /// Descriptor types that the binding may hold, if it is mutable.
    pub mutable_types: Vec<DescriptorType>,
}

impl LayoutBinding {
    /// A binding of `count` descriptors of a type, for the stages of a `VkShaderStageFlags`,
    /// without immutable samplers and mutable types.
    pub const fn new(binding: u32, ty: DescriptorType, count: u32, stages: u32) -> Self {
        Self { binding, ty, count, stages, immutable_samplers: false, mutable_types: Vec::new() }
    }
}

/// A push-constant range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PushRange {
    /// `VkShaderStageFlags`.
    pub stages: u32,
    /// First byte.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

impl PushRange {
    /// A range of `size` bytes from byte `offset` on, for the stages of a `VkShaderStageFlags`.
    pub const fn new(stages: u32, offset: u32, size: u32) -> Self {
        Self { stages, offset, size }
    }
}

/// A pipeline layout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PipelineLayout {
    /// The bindings of each set, sorted by number. `None` for a set that the layout leaves out: its
    /// handle is null, or it belongs to another pipeline library.
    pub sets: Vec<Option<Vec<LayoutBinding>>>,
    /// Push-constant ranges.
    pub push_ranges: Vec<PushRange>,
}

impl PipelineLayout {
    /// A layout of these sets, whose bindings are sorted by number, and push-constant ranges.
    pub const fn new(sets: Vec<Option<Vec<LayoutBinding>>>, push_ranges: Vec<PushRange>) -> Self {
        Self { sets, push_ranges }
    }

    /// The binding, if the layout has it.
    pub fn binding(&self, set: u32, binding: u32) -> Option<&LayoutBinding> {
        let bindings = self.sets.get(set as usize)?.as_ref()?;
        bindings.binary_search_by_key(&binding, |b| b.binding).ok().and_then(|at| bindings.get(at))
    }
}

/// The descriptor types that a resource accepts, in order of preference (docs/bindings.md, "The
/// layout decides the descriptor type").
pub fn accepted(resource: &Resource) -> &'static [DescriptorType] {
    use DescriptorType as D;
    match (resource.class, resource.kind) {
        (ResourceClass::CBuffer, _) => BLOCK_ACCEPTED,
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
        (_, ResourceKind::TBuffer) => &[
            D::StorageBuffer,
            D::StorageBufferDynamic,
            D::UniformBuffer,
            D::UniformBufferDynamic,
            D::UniformTexelBuffer,
            D::StorageTexelBuffer,
        ],
        (ResourceClass::Uav, _) => &[D::StorageImage],
        (ResourceClass::Srv, _) => &[D::SampledImage, D::CombinedImageSampler, D::StorageImage, D::InputAttachment],
    }
}

/// Refuses a resource of a type that Vulkan does not have.
pub(super) fn has_counterpart(resource: &Resource) -> Result<()> {
    match ResourceType::refusal(resource) {
        Some(reason) => Err(unsupported!(resource.place(), "{resource}: {reason}")),
        None => Ok(()),
    }
}

/// The descriptor types that a constant buffer and a block of root arguments accept, in order of
/// preference.
pub const BLOCK_ACCEPTED: &[DescriptorType] = &[
    DescriptorType::UniformBuffer,
    DescriptorType::UniformBufferDynamic,
    DescriptorType::InlineUniformBlock,
    DescriptorType::StorageBuffer,
    DescriptorType::StorageBufferDynamic,
];

/// The descriptor types that a hidden counter accepts, in order of preference.
pub const COUNTER_ACCEPTED: &[DescriptorType] =
    &[DescriptorType::StorageBuffer, DescriptorType::StorageBufferDynamic, DescriptorType::StorageTexelBuffer];

/// The descriptor types that a buffer with the addresses of counters accepts, in order of
/// preference.
pub const ADDRESSES_ACCEPTED: &[DescriptorType] =
    &[DescriptorType::StorageBuffer, DescriptorType::StorageBufferDynamic];

/// The bit of `VkShaderStageFlagBits` for a stage; `None` for a kind of shader that is not a stage
/// of a Vulkan pipeline.
pub fn stage_flag(stage: ShaderStage) -> Option<u32> {
    Some(match stage {
        ShaderStage::Vertex => 0x1,
        ShaderStage::Hull => 0x2,
        ShaderStage::Domain => 0x4,
        ShaderStage::Geometry => 0x8,
        ShaderStage::Pixel => 0x10,
        ShaderStage::Compute => 0x20,
        ShaderStage::Amplification => 0x40,
        ShaderStage::Mesh => 0x80,
        ShaderStage::RayGeneration => 0x100,
        ShaderStage::AnyHit => 0x200,
        ShaderStage::ClosestHit => 0x400,
        ShaderStage::Miss => 0x800,
        ShaderStage::Intersection => 0x1000,
        ShaderStage::Callable => 0x2000,
        ShaderStage::Library | ShaderStage::Node => return None,
    })
}
