//! The plan: where each resource of one shader lives in Vulkan.
//!
//! In: nothing; the models ([`super`]) make plans. Out: `lower` looks places up, the layer checks them against the pipeline
//! layout, the tool prints them. What must hold: emission never invents a binding; what has no place here is an error.

use crate::dxil::resources::ResourceId;
use crate::entity::PrimaryMap;

/// Vulkan descriptor types, with `VkDescriptorType`'s numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i32)]
pub enum DescriptorType {
    /// `VK_DESCRIPTOR_TYPE_SAMPLER`.
    Sampler = 0,
    /// `VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER`.
    CombinedImageSampler = 1,
    /// `VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE`.
    SampledImage = 2,
    /// `VK_DESCRIPTOR_TYPE_STORAGE_IMAGE`.
    StorageImage = 3,
    /// `VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER`.
    UniformTexelBuffer = 4,
    /// `VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER`.
    StorageTexelBuffer = 5,
    /// `VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER`.
    UniformBuffer = 6,
    /// `VK_DESCRIPTOR_TYPE_STORAGE_BUFFER`.
    StorageBuffer = 7,
    /// `VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC`.
    UniformBufferDynamic = 8,
    /// `VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC`.
    StorageBufferDynamic = 9,
    /// `VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT`.
    InputAttachment = 10,
    /// `VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK`.
    InlineUniformBlock = 1000138000,
    /// `VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR`.
    AccelerationStructure = 1000150000,
    /// `VK_DESCRIPTOR_TYPE_MUTABLE_EXT`.
    Mutable = 1000351000,
}

/// A descriptor, or an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Descriptor {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// Its type: decides the lowering.
    pub ty: DescriptorType,
    /// Array element of the binding that is the resource's first register.
    pub first: u32,
    /// Descriptors in the binding as the shader declares it: 1 is no array, `u32::MAX` a runtime array.
    pub count: u32,
}

/// Where a resource lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// In a descriptor set.
    Descriptor(Descriptor),
    /// Root constants in the push-constant block.
    PushConstants {
        /// First byte in the block.
        offset: u32,
        /// Bytes.
        size: u32,
    },
    /// The shader declares it and nothing uses it, so it needs no place.
    Unused,
}

/// A resource's place, and its counter's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourcePlan {
    /// Where it lives.
    pub location: Location,
    /// Where its hidden counter lives.
    pub counter: Option<Descriptor>,
}

/// Where each resource of one shader lives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BindingPlan {
    /// By resource of the program.
    pub resources: PrimaryMap<ResourceId, ResourcePlan>,
    /// Bytes of the push-constant block; 0 where there is none.
    pub push_constant_size: u32,
}
