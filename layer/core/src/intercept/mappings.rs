//! The mappings of a stage's bindings to descriptor heaps (VK_EXT_descriptor_heap).
//!
//! In: the plan of a stage, and the mappings that the application chains to it
//! (`VkShaderDescriptorSetAndBindingMappingInfoEXT`). Out: the mappings that the stage lacks, for
//! the driver. What must hold (docs/bindings.md, "Heaps of the device"): a binding that the
//! application maps stays as it says; a binding that nobody can map is refused, with what to chain.

use std::ffi::c_void;

use crate::intercept::embedded_sampler::EmbeddedSampler;
use crate::intercept::heaps::InHeaps;
use crate::intercept::scratch::Scratch;
use crate::translator::{
    CounterPlace, Descriptor, DescriptorType, Error, ErrorKind, Location, Place, Plan, Register, Root, StaticSampler,
};
use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::newer::{ConstantOffset, DescriptorMapping, DescriptorMappingInfo};

/// The mappings that the application chains to a stage.
///
/// # Safety
/// `p_next` must be a valid chain that outlives the result.
unsafe fn own_mappings<'a>(p_next: *const c_void) -> &'a [DescriptorMapping] {
    // SAFETY: the caller's chain, and the array of a valid structure.
    unsafe { chain::find::<DescriptorMappingInfo>(p_next).map_or(&[], |info| slice(info.mappings, info.count)) }
}

/// Whether the application chains mappings.
///
/// # Safety
/// `p_next` must be a valid chain.
pub unsafe fn is_mapped(p_next: *const c_void) -> bool {
    // SAFETY: the caller's chain.
    !unsafe { own_mappings(p_next) }.is_empty()
}

/// A binding that the code of a stage declares.
struct Declared {
    descriptor: Descriptor,
    owner: Owner,
}

/// What a binding is for.
#[derive(Clone, Copy)]
enum Owner {
    /// A descriptor heap.
    Heap,
    /// A declared resource.
    Resource(Register),
    /// The counter of a declared resource, or counters of the resource heap.
    Counter(Option<Register>),
    /// Something else that the plan reads.
    Other,
}

/// The first descriptor of a heap.
const NOWHERE: ConstantOffset = ConstantOffset {
    heap_offset: 0,
    heap_array_stride: 0,
    embedded_sampler: std::ptr::null(),
    sampler_heap_offset: 0,
    sampler_heap_array_stride: 0,
};

impl InHeaps<'_> {
    /// The chain of a stage with the mappings that it lacks; the same chain if it lacks none.
    ///
    /// # Errors
    /// `Binding`: nothing maps a binding; `Unsupported`: the chain cannot be copied.
    ///
    /// # Safety
    /// `p_next` must be a valid chain that outlives the scratch.
    pub unsafe fn mapped(
        &self,
        p_next: *const c_void,
        plan: &Plan,
        scratch: &mut Scratch<'_>,
    ) -> Result<*const c_void, Error> {
        // SAFETY: the caller's chain.
        let own = unsafe { own_mappings(p_next) };
        let mut more: Vec<DescriptorMapping> = Vec::new();
        for Declared { descriptor, owner } in declared(plan) {
            let Descriptor { set, binding, ty, .. } = descriptor;
            let mask = resource_mask(ty);
            let maps = |mapping: &DescriptorMapping| {
                let is_in_range = binding.wrapping_sub(mapping.first_binding) < mapping.binding_count;
                mapping.set == set && is_in_range && mapping.resource_mask & mask != 0
            };
            if own.iter().any(maps) {
                continue;
            }
            let is_here = |mapping: &&mut DescriptorMapping| mapping.set == set && mapping.first_binding == binding;
            if let Some(mapping) = more.iter_mut().find(is_here) {
                mapping.resource_mask |= mask;
                continue;
            }
            let constant = match (owner, self.static_sampler(&descriptor)) {
                (Owner::Heap, _) => {
                    let [resources, samplers] = self.heaps.strides;
                    let heap_array_stride = if ty == DescriptorType::Sampler { samplers } else { resources };
                    ConstantOffset { heap_array_stride, ..NOWHERE }
                }
                (_, Some(sampler)) => {
                    let sampler = Box::new(EmbeddedSampler::new(sampler, self.heaps.has_anisotropy));
                    ConstantOffset { embedded_sampler: scratch.embedded_sampler(sampler), ..NOWHERE }
                }
                _ => return Err(unmapped(&descriptor, owner)),
            };
            more.push(DescriptorMapping::constant(set, binding, mask, constant));
        }
        if more.is_empty() {
            return Ok(p_next);
        }
        // SAFETY: the caller's chain.
        unsafe { scratch.map_descriptors(p_next, &more) }.map_err(|unknown| {
            let reason = format!(
                "the mappings of descriptor heaps need a copy of the stage's pNext chain, whose structure {unknown} is unknown \
                 to the layer; chain that structure after VkShaderDescriptorSetAndBindingMappingInfoEXT"
            );
            Error::new(ErrorKind::Unsupported, Place::Input, reason)
        })
    }

    /// The static sampler at a binding.
    fn static_sampler(&self, at: &Descriptor) -> Option<&StaticSampler> {
        let (first, samplers) = self.samplers.as_ref()?;
        let index = at.binding.checked_sub(first.binding).filter(|_| at.set == first.set)?;
        samplers.get(index as usize)
    }
}

/// The bindings that the code of a plan declares.
fn declared(plan: &Plan) -> Vec<Declared> {
    let mut all = Vec::new();
    let mut add = |descriptor, owner| all.push(Declared { descriptor, owner });
    for planned in plan.resources.values() {
        let owner = Owner::Resource(planned.register);
        let block = match planned.location {
            Location::Descriptor(descriptor) | Location::Inline { block: descriptor, .. } => {
                add(descriptor, owner);
                None
            }
            Location::Heap(heap) => {
                add(heap.descriptor, Owner::Heap);
                heap.table
            }
            Location::HeapAddresses(heap) => {
                add(heap.addresses.buffer, owner);
                heap.table
            }
            Location::Address(root) | Location::InlineAddress { address: root, .. } => Some(root),
            _ => None,
        };
        if let Some(Root::Inline { block, .. }) = block {
            add(block, owner);
        }
        if let Some(counter) = &planned.counter {
            add(*counter.descriptor(), Owner::Counter(Some(planned.register)));
        }
        if let Some(range) = planned.range {
            add(range.buffer, Owner::Other);
        }
    }
    let heaps = &plan.heaps;
    heaps.descriptors.iter().for_each(|&descriptor| add(descriptor, Owner::Heap));
    if let Some(counters) = &heaps.counters {
        add(*CounterPlace::descriptor(counters), Owner::Counter(None));
    }
    let ranges = heaps.ranges.iter().flat_map(|ranges| [ranges.untyped, ranges.typed]).flatten();
    ranges.chain(heaps.structures).for_each(|pairs| add(pairs.buffer, Owner::Other));
    all
}

/// The bits of `VkSpirvResourceTypeFlagBitsEXT` that variables of a descriptor type may have.
fn resource_mask(ty: DescriptorType) -> u32 {
    use DescriptorType as D;
    match ty {
        D::Sampler => 0x1,
        D::SampledImage | D::UniformTexelBuffer => 0x2,
        D::StorageImage | D::StorageTexelBuffer | D::InputAttachment => 0x4 | 0x8,
        D::CombinedImageSampler => 0x10,
        D::UniformBuffer | D::UniformBufferDynamic | D::InlineUniformBlock => 0x20,
        D::StorageBuffer | D::StorageBufferDynamic => 0x40 | 0x80,
        D::AccelerationStructure => 0x100,
        // No plan has another type.
        _ => 0,
    }
}

fn unmapped(descriptor: &Descriptor, owner: Owner) -> Error {
    let space = |register: Register| match register.space {
        0 => String::new(),
        space => format!(" in space {space}"),
    };
    let named = |register: Register| format!("{}{}{}", register.class.letter(), register.register, space(register));
    let what = match owner {
        Owner::Resource(register) => named(register),
        Owner::Counter(Some(register)) => format!("the counter of {}", named(register)),
        Owner::Counter(None) => "the counters of ResourceDescriptorHeap".to_owned(),
        Owner::Heap | Owner::Other => "a buffer of the binding map".to_owned(),
    };
    let Descriptor { set, binding, ty, .. } = *descriptor;
    let reason = format!(
        "nothing maps {what} (set {set} binding {binding}, {ty}) to a descriptor heap; chain a mapping of the binding, with \
         VkShaderDescriptorSetAndBindingMappingInfoEXT in the pNext chain of the stage or shader object, or give the \
         shaders a root signature"
    );
    Error::new(ErrorKind::Binding, Place::Input, reason)
}
