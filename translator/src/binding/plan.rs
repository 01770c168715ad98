//! The binding plan: the place of each resource of one shader in Vulkan.
//!
//! In: [`resolve`](mod@super::resolve) makes plans from the requests of a model, and
//! [`BindingPlan::parse`] reads them from text. Out: `lower` looks places up, and the tool prints
//! them. What must hold: emission never invents a binding; a resource without a place in the plan
//! is an error.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::count;
use crate::ir::resources::{Resource, ResourceId};
use crate::ops::consts::ResourceClass;
use dxil_base::entity::PrimaryMap;

/// Vulkan's descriptor types, with the numbers of `VkDescriptorType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(i32)]
#[non_exhaustive]
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
    /// A type that D3D resources cannot have, with the number of `VK_DESCRIPTOR_TYPE_MAX_ENUM`.
    /// Only the layouts that applications describe have it.
    #[serde(skip)]
    Other = i32::MAX,
}

impl DescriptorType {
    /// All types but `Other`, in the order of their numbers.
    pub const ALL: [DescriptorType; 14] = [
        Self::Sampler,
        Self::CombinedImageSampler,
        Self::SampledImage,
        Self::StorageImage,
        Self::UniformTexelBuffer,
        Self::StorageTexelBuffer,
        Self::UniformBuffer,
        Self::StorageBuffer,
        Self::UniformBufferDynamic,
        Self::StorageBufferDynamic,
        Self::InputAttachment,
        Self::InlineUniformBlock,
        Self::AccelerationStructure,
        Self::Mutable,
    ];
    /// The type with this number in `VkDescriptorType`.
    pub fn from_vulkan(number: i32) -> Self {
        Self::ALL.into_iter().find(|&ty| ty as i32 == number).unwrap_or(Self::Other)
    }
    /// Whether the descriptor is of a storage buffer, dynamic or not.
    pub const fn is_storage_buffer(self) -> bool {
        matches!(self, Self::StorageBuffer | Self::StorageBufferDynamic)
    }
    /// The type's name: Vulkan's name in small letters, without `VK_DESCRIPTOR_TYPE_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sampler => "sampler",
            Self::CombinedImageSampler => "combined_image_sampler",
            Self::SampledImage => "sampled_image",
            Self::StorageImage => "storage_image",
            Self::UniformTexelBuffer => "uniform_texel_buffer",
            Self::StorageTexelBuffer => "storage_texel_buffer",
            Self::UniformBuffer => "uniform_buffer",
            Self::StorageBuffer => "storage_buffer",
            Self::UniformBufferDynamic => "uniform_buffer_dynamic",
            Self::StorageBufferDynamic => "storage_buffer_dynamic",
            Self::InputAttachment => "input_attachment",
            Self::InlineUniformBlock => "inline_uniform_block",
            Self::AccelerationStructure => "acceleration_structure",
            Self::Mutable => "mutable",
            Self::Other => "other",
        }
    }
}

impl std::fmt::Display for DescriptorType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A descriptor, or an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Descriptor {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// Descriptor type. It decides how the resource is accessed.
    #[serde(rename = "type")]
    pub ty: DescriptorType,
    /// Array element of the binding that is the resource's first register.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first: u32,
    /// Number of descriptors of the binding as the shader declares it: 1 is not an array,
    /// `u32::MAX` is a runtime array.
    #[serde(default = "count::one", skip_serializing_if = "count::is_one", with = "count")]
    pub count: u32,
}

/// Whether a text leaves out a number that is 0 by default.
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The place of a root argument that leads to a resource: an address of 8 bytes, or a descriptor
/// index of 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Root {
    /// At this byte of the push-constant block.
    Push(u32),
    /// At this byte of the shader record, counted from the end of the shader identifier.
    Record(u32),
    /// In a uniform block.
    Inline {
        /// The block.
        block: Descriptor,
        /// First byte in the block.
        offset: u32,
    },
}

impl Root {
    /// The first byte in the block that has the argument.
    pub(crate) const fn offset(self) -> u32 {
        let (Self::Push(offset) | Self::Record(offset) | Self::Inline { offset, .. }) = self;
        offset
    }
}

/// A resource in a descriptor heap: the binding with all descriptors of the heap, and the offsets
/// that are added to a handle's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HeapDescriptors {
    /// The runtime array of the heap's descriptors. `first` is the resource's offset in its table.
    pub descriptor: Descriptor,
    /// The root argument with the heap index of the table's first descriptor; `None` if the shader
    /// indexes the heap itself.
    pub table: Option<Root>,
    /// The bits by which that argument is shifted right to become the index: 0 if it is the index.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shift: u32,
}

/// Pairs of words in a buffer, in an entry for each descriptor of an array or of a heap: an
/// address, or the start and the size of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PairPlace {
    /// The buffer.
    pub buffer: Descriptor,
    /// The entry of the resource's first register.
    pub first: u32,
    /// The number of pairs that an entry has space for.
    #[serde(default = "count::one", skip_serializing_if = "count::is_one")]
    pub stride: u32,
    /// Which pair of its entry it is, less than the stride.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: u32,
}

/// Acceleration structures in a descriptor heap that is a buffer of their 64-bit addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HeapAddresses {
    /// The addresses. `first` is the resource's offset in its table.
    pub addresses: PairPlace,
    /// As in [`HeapDescriptors`].
    pub table: Option<Root>,
    /// As in [`HeapDescriptors`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shift: u32,
}

/// The place of a hidden counter, or of the counters of an array of UAVs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CounterPlace {
    /// A descriptor of the counter, or an array of descriptors, one for each counter.
    Descriptor(Descriptor),
    /// A buffer of 64-bit addresses, one for each counter: the word at an address is the counter.
    Addresses(PairPlace),
}

impl CounterPlace {
    /// The descriptor through which the counter is reached.
    pub const fn descriptor(&self) -> &Descriptor {
        match self {
            Self::Descriptor(descriptor) | Self::Addresses(PairPlace { buffer: descriptor, .. }) => descriptor,
        }
    }

    /// The descriptor through which the counter is reached.
    pub(super) const fn descriptor_mut(&mut self) -> &mut Descriptor {
        match self {
            Self::Descriptor(descriptor) | Self::Addresses(PairPlace { buffer: descriptor, .. }) => descriptor,
        }
    }
}

/// The place of a resource: one of the kinds of docs/bindings.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Location {
    /// A descriptor, or an array of descriptors, in a descriptor set.
    Descriptor(Descriptor),
    /// An array of static samplers with a binding each. The bindings are counted up from this one,
    /// and `count` is their number.
    Bindings(Descriptor),
    /// In a descriptor heap.
    Heap(HeapDescriptors),
    /// An acceleration structure, or an array of them, in a descriptor heap that has addresses.
    HeapAddresses(HeapAddresses),
    /// Root constants in the push-constant block.
    Push {
        /// First byte in the block.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// Root constants in an inline uniform block or uniform buffer that several parameters share.
    Inline {
        /// The block.
        block: Descriptor,
        /// First byte in the block.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// Root constants in a buffer that several parameters share, and whose 64-bit address is a root
    /// argument.
    InlineAddress {
        /// The place of the address.
        address: Root,
        /// First byte in the buffer.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// A buffer or acceleration structure whose 64-bit address is a root argument.
    Address(Root),
    /// Root constants in the shader record.
    Record {
        /// First byte in the record, counted from the end of the shader identifier.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// No place: the shader declares the resource, but the entry point does not use it.
    Unused,
}

impl Location {
    /// The name of this kind of place, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Location::Descriptor(_) => "a descriptor",
            Location::Bindings(_) => "bindings of single descriptors",
            Location::Heap(_) => "a descriptor heap",
            Location::HeapAddresses(_) => "a heap of addresses",
            Location::Push { .. } => "push constants",
            Location::Inline { .. } => "a part of a uniform block",
            Location::InlineAddress { .. } => "a part of a buffer at an address",
            Location::Address(_) => "a buffer address",
            Location::Record { .. } => "the shader record",
            Location::Unused => "no place",
        }
    }

    /// The descriptors that the place consists of, in a set of its own or in a heap; `None` for
    /// places without descriptors and for a part of a uniform block.
    pub fn descriptor(&self) -> Option<Descriptor> {
        match *self {
            Location::Descriptor(descriptor) | Location::Heap(HeapDescriptors { descriptor, .. }) => Some(descriptor),
            _ => None,
        }
    }

    /// The root argument with the heap index of the table that the place is in.
    pub(crate) fn table(&self) -> Option<Root> {
        match *self {
            Location::Heap(HeapDescriptors { table, .. }) | Location::HeapAddresses(HeapAddresses { table, .. }) => {
                table
            }
            _ => None,
        }
    }

    /// The root argument that leads to the place.
    pub(crate) fn root(&self) -> Option<Root> {
        match *self {
            Location::Address(root) | Location::InlineAddress { address: root, .. } => Some(root),
            _ => self.table(),
        }
    }

    /// The bytes of the push-constant block that the place needs, or `None` if it needs none.
    pub fn push_bytes(&self) -> Option<Range<u32>> {
        let (offset, size) = match *self {
            Location::Push { offset, size } => (offset, size),
            Location::Address(Root::Push(offset)) | Location::InlineAddress { address: Root::Push(offset), .. } => {
                (offset, 8)
            }
            _ => match self.table() {
                Some(Root::Push(offset)) => (offset, 4),
                _ => return None,
            },
        };
        Some(offset..offset.saturating_add(size))
    }
}

/// D3D's name of a resource: register class, first register and register space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Register {
    /// Register class.
    pub class: ResourceClass,
    /// Register space.
    pub space: u32,
    /// First register.
    pub register: u32,
}

impl Register {
    /// The name of a resource.
    pub fn from_resource(resource: &Resource) -> Self {
        Self { class: resource.class, space: resource.space, register: resource.lower_bound }
    }
}

/// The places of a resource and of its hidden counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ResourcePlan {
    /// The resource's name in the text of a plan.
    pub register: Register,
    /// The resource's place.
    pub location: Location,
    /// The place of its hidden counter, if the shader uses one.
    pub counter: Option<CounterPlace>,
    /// For a buffer whose descriptors have more than its views: where the start and the size of
    /// each view are, in elements of a typed buffer, otherwise in bytes.
    pub range: Option<PairPlace>,
}

/// Where the start and the size of each buffer view of a descriptor heap are, for views that are
/// only a part of what their descriptors have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HeapRanges {
    /// Those of raw and structured buffers whose alignment is less than `below`, in bytes.
    pub untyped: Option<PairPlace>,
    /// A power of two. The alignment of a raw buffer is 16, that of a structured one is the largest
    /// power of two in the size of an element.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub below: u32,
    /// Those of typed buffers, in elements.
    pub typed: Option<PairPlace>,
}

/// The places of the descriptor heaps that a shader indexes itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HeapPlan {
    /// The runtime array with the heap's descriptors of a type, for each type that the shader uses,
    /// in the order of the types' numbers.
    pub descriptors: Vec<Descriptor>,
    /// The hidden counters of UAVs in the resource heap: a runtime array of descriptors, or a
    /// buffer of addresses.
    pub counters: Option<CounterPlace>,
    /// The starts and sizes of buffer views.
    pub ranges: Option<HeapRanges>,
    /// The addresses of acceleration structures, which then have no descriptors.
    pub structures: Option<PairPlace>,
}

/// The places of all resources of one shader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BindingPlan {
    /// The plan of each resource that the program declares.
    pub resources: PrimaryMap<ResourceId, ResourcePlan>,
    /// The descriptor heaps.
    pub heaps: HeapPlan,
    /// The end of the push-constant block, in bytes; 0 if there is no such block.
    pub push_constant_size: u32,
}
