//! Descriptors: the one that a handle picks from the variable of its binding.
//!
//! In: a resolved [`Handle`] and the plan's [`Descriptor`]. Out: pointers and loaded objects. What
//! must hold: where an index differs between lanes, the index, the pointer and the object loaded
//! through it are marked NonUniform (Vulkan, «Shader Resource Interface»); each index declares the
//! capability that its descriptor type requires.

use rspirv::spirv::{Capability, Decoration, Op};

use super::{handle, root};
use crate::analysis::entry::RootStorage;
use crate::analysis::handles::{ArrayElement, Handle};
use crate::binding::plan::{Descriptor, DescriptorType, HeapAddresses, HeapDescriptors, Location, Root};
use crate::ir::resources::UNBOUNDED;
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::numbers;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, MemoryAccess};

/// A pointer to one descriptor.
#[derive(Clone, Copy)]
pub struct PickedDescriptor {
    /// The pointer.
    pub pointer: Id,
    /// Whether its index differs between lanes. Then an object loaded through it is marked
    /// NonUniform.
    pub non_uniform: bool,
    /// The index, if the shader computes it.
    pub index: Option<Id>,
}

/// The descriptor that a handle picks from the variable of its binding.
pub fn pick(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    descriptor: Descriptor,
    content: Id,
    variable: Id,
) -> Result<PickedDescriptor> {
    if descriptor.count == 1 {
        let resource = handle::declaration(cx.input, handle);
        if resource.is_array() && handle.element != ArrayElement::FIRST {
            return Err(binding_error!(
                resource.place(),
                "the binding plan has one descriptor for {resource}, which is an array"
            ));
        }
        return Ok(PickedDescriptor { pointer: variable, non_uniform: false, index: None });
    }
    let ArrayIndex { id: index, computed, non_uniform } = index(cx, code, handle, descriptor, indexing(descriptor.ty))?;
    let pointer = code.access_chain(content, variable, &[index]);
    if !handle::declaration(cx.input, handle).is_declared()
        && let Some(name) = cx.heap_name(handle.element, pointer)
    {
        code.name(pointer, name);
    }
    if non_uniform {
        code.caps.capability(Capability::ShaderNonUniform)?;
        code.mark(index, Decoration::NonUniform);
        code.mark(pointer, Decoration::NonUniform);
    }
    Ok(PickedDescriptor { pointer, non_uniform, index: computed.then_some(index) })
}

/// The element of an array that a handle picks.
struct ArrayIndex {
    id: Id,
    /// Whether the shader computes it.
    computed: bool,
    /// Whether it differs between lanes.
    non_uniform: bool,
}

/// The capabilities that an index into descriptors requires.
#[derive(Clone, Copy)]
struct Indexing {
    /// Of a dynamically uniform index.
    dynamic: Capability,
    /// Of a non-uniform index.
    non_uniform: Capability,
}

/// The element that a handle picks from an array of descriptors.
fn index(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    descriptor: Descriptor,
    capabilities: Option<Indexing>,
) -> Result<ArrayIndex> {
    let resource = handle::declaration(cx.input, handle);
    let element = handle.element;
    let (table, shift) = match handle::location(cx.input, handle.resource)? {
        Location::Heap(HeapDescriptors { table, shift, .. })
        | Location::HeapAddresses(HeapAddresses { table, shift, .. }) => (table, shift),
        _ => (None, 0),
    };
    let in_record = matches!(table, Some(Root::Record(_)));
    let index = match element.value {
        None => {
            let register = resource.lower_bound.wrapping_add(element.constant);
            if element.constant >= resource.count && resource.count != UNBOUNDED {
                return Err(malformed!(cx.entry.place, "register {register} is outside the range of {resource}"));
            }
            let number = descriptor.first.wrapping_add(element.constant);
            if number >= descriptor.count {
                let count = descriptor.count;
                return Err(binding_error!(
                    resource.place(),
                    "register {register} of {resource}: the binding plan has only {count} descriptors"
                ));
            }
            code.const_u32(number)
        }
        Some(value) => {
            if let Some(Indexing { dynamic, non_uniform }) = capabilities {
                code.caps.capability(if in_record || handle.non_uniform { non_uniform } else { dynamic })?;
            }
            let index = cx.value(code, value)?;
            numbers::index::add(code, index, descriptor.first.wrapping_add(element.constant))
        }
    };
    let id = match table {
        None => index,
        // A descriptor table begins at a heap index that is a root argument.
        Some(table) => {
            if let Some(Indexing { dynamic, non_uniform }) = capabilities {
                code.caps.capability(if in_record { non_uniform } else { dynamic })?;
            }
            let (source, offset) = RootStorage::from_root(table);
            let mut start = root::word(cx, code, source, offset)?;
            let word = code.type_u32();
            if shift != 0 {
                let bits = code.const_u32(shift);
                start = code.binary(Op::ShiftRightLogical, word, start, bits);
            }
            code.binary(Op::IAdd, word, start, index)
        }
    };
    // Lanes that run one shader together may have different shader records.
    let non_uniform = in_record || handle.non_uniform && element.value.is_some();
    Ok(ArrayIndex { id, computed: in_record || element.value.is_some(), non_uniform })
}

/// The element that a handle picks from a buffer with one entry for each descriptor of its heap.
/// `first` is the entry of the resource's first register.
///
/// # Errors
/// As [`pick`].
pub fn entry(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    buffer: Descriptor,
    first: u32,
) -> Result<Id> {
    // An index into a buffer requires no capability, and may differ between lanes.
    let entries = Descriptor { first, count: UNBOUNDED, ..buffer };
    Ok(index(cx, code, handle, entries, None)?.id)
}

/// Loads the object in a descriptor: an image, a sampler or an acceleration structure.
pub fn load(code: &mut Code<'_, '_>, picked: PickedDescriptor) -> Id {
    let value = code.load_constant(picked.pointer, MemoryAccess::default());
    if picked.non_uniform {
        code.mark(value, Decoration::NonUniform);
    }
    value
}

/// The capabilities for a dynamically uniform and for a non-uniform index into descriptors of a
/// type; `None` if it needs none.
fn indexing(ty: DescriptorType) -> Option<Indexing> {
    use Capability as C;
    use DescriptorType as D;
    let (dynamic, non_uniform) = match ty {
        // No feature of Vulkan concerns indexes into acceleration structures. NonUniform needs
        // ShaderNonUniform alone (SPIR-V 3.20).
        D::AccelerationStructure => return None,
        D::StorageImage => (C::StorageImageArrayDynamicIndexing, C::StorageImageArrayNonUniformIndexing),
        // Its other capability is not asked for: a non-uniform index is refused before.
        D::InputAttachment => (C::InputAttachmentArrayDynamicIndexing, C::InputAttachmentArrayDynamicIndexing),
        D::UniformTexelBuffer => {
            (C::UniformTexelBufferArrayDynamicIndexing, C::UniformTexelBufferArrayNonUniformIndexing)
        }
        D::StorageTexelBuffer => {
            (C::StorageTexelBufferArrayDynamicIndexing, C::StorageTexelBufferArrayNonUniformIndexing)
        }
        D::UniformBuffer | D::UniformBufferDynamic => {
            (C::UniformBufferArrayDynamicIndexing, C::UniformBufferArrayNonUniformIndexing)
        }
        D::StorageBuffer | D::StorageBufferDynamic => {
            (C::StorageBufferArrayDynamicIndexing, C::StorageBufferArrayNonUniformIndexing)
        }
        _ => (C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing),
    };
    Some(Indexing { dynamic, non_uniform })
}
