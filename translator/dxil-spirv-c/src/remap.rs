//! From callbacks to places: each resource of an entry point is asked for once, and the answer
//! becomes a place of a binding plan.
//!
//! In: the callbacks of a converter, its settings, its root block and its shader record. Out: a
//! [`BindingPlan`]. What must hold: only resources that the entry point uses are asked for; a place
//! that the translator does not have is refused with the name of the resource.

use std::ffi::c_void;

use dxil_translator::binding::places::STATIC_SAMPLERS;
use dxil_translator::binding::plan::BindingPlan;
use dxil_translator::ir::resources::{Resource, UNBOUNDED};
use dxil_translator::ops::consts::{ResourceClass, ResourceKind};
use dxil_translator::{
    CounterPlace, Descriptor, DescriptorType, EntryId, Error, ErrorKind, HeapAddresses, HeapDescriptors, Location,
    PairPlace, ResourcePlan, Result, Root, Shader, ShaderStage,
};

use crate::abi::{
    Callback, CbvBinding, D3dBinding, NONE, SrvBinding, UavBinding, UavD3dBinding, VulkanBinding, descriptor_type,
};
use crate::blob::stage_number;
use crate::record::{RecordPlace, ShaderRecord};
use crate::settings::Settings;

/// A callback with its user data.
#[derive(Clone, Copy, Debug)]
pub struct Remapper<I, O> {
    callback: Callback<I, O>,
    user: *mut c_void,
}

impl<I, O> Default for Remapper<I, O> {
    fn default() -> Self {
        Self { callback: None, user: std::ptr::null_mut() }
    }
}

impl<I, O> Remapper<I, O> {
    /// A callback that the program sets.
    pub fn new(callback: Callback<I, O>, user: *mut c_void) -> Self {
        Self { callback, user }
    }

    /// Whether there is a callback.
    pub fn is_set(&self) -> bool {
        self.callback.is_some()
    }

    /// Asks. Without a callback the output stays as it is, and the answer is `None`.
    pub fn ask(&self, input: &I, output: &mut O) -> Option<bool> {
        // SAFETY: the program has set the callback together with its user data, for these
        // structures, which live until it returns.
        self.callback.map(|callback| unsafe { callback(self.user, input, output) } != 0)
    }
}

/// The callbacks for resources.
#[derive(Clone, Debug, Default)]
pub struct Remappers {
    /// For SRVs.
    pub srv: Remapper<D3dBinding, SrvBinding>,
    /// For UAVs.
    pub uav: Remapper<UavD3dBinding, UavBinding>,
    /// For constant buffers.
    pub cbv: Remapper<D3dBinding, CbvBinding>,
    /// For samplers.
    pub sampler: Remapper<D3dBinding, VulkanBinding>,
}

/// An answer to the question for a resource.
#[derive(Clone, Copy, Debug)]
struct Answered {
    place: VulkanBinding,
    counter: VulkanBinding,
    /// The buffer with the starts and sizes of views.
    offset: VulkanBinding,
    /// Whether `place` is root constants.
    constants: bool,
}

/// The resource as a question.
pub fn question(stage: ShaderStage, resource: &Resource) -> D3dBinding {
    let declared = |number: u32| if resource.is_declared() { number } else { NONE };
    D3dBinding {
        stage: stage_number(stage),
        kind: resource.kind as i32,
        resource_index: declared(resource.range_id),
        register_space: declared(resource.space),
        register_index: declared(resource.lower_bound),
        range_size: declared(resource.count),
        alignment: resource.alignment(),
    }
}

impl Remappers {
    /// Asks for a resource; `None` if the program has no place for it.
    fn ask(&self, question: D3dBinding, resource: &Resource) -> Option<Answered> {
        let place = VulkanBinding {
            set: question.register_space,
            binding: question.register_index,
            root_constant_index: NONE,
            ..VulkanBinding::default()
        };
        let mut answered = Answered { place, counter: place, offset: place, constants: false };
        let found = match resource.class {
            ResourceClass::Srv => {
                let mut out = SrvBinding { buffer_binding: place, offset_binding: place };
                let found = self.srv.ask(&question, &mut out);
                (answered.place, answered.offset) = (out.buffer_binding, out.offset_binding);
                found
            }
            ResourceClass::Uav => {
                let input = UavD3dBinding { d3d_binding: question, has_counter: resource.has_counter.into() };
                let mut out = UavBinding { buffer_binding: place, counter_binding: place, offset_binding: place };
                let found = self.uav.ask(&input, &mut out);
                (answered.place, answered.counter) = (out.buffer_binding, out.counter_binding);
                answered.offset = out.offset_binding;
                found
            }
            ResourceClass::CBuffer => {
                let mut out = CbvBinding { vulkan: place, push_constant: 0 };
                let found = self.cbv.ask(&question, &mut out);
                (answered.place, answered.constants) = (out.vulkan, out.push_constant != 0);
                found
            }
            ResourceClass::Sampler => self.sampler.ask(&question, &mut answered.place),
        };
        found.unwrap_or(true).then_some(answered)
    }
}

impl Remappers {
    /// Asks for a resource, and does not use the answer. Whether the program has a place for it.
    pub fn tells(&self, question: D3dBinding, resource: &Resource) -> bool {
        self.ask(question, resource).is_some()
    }
}

/// What a plan is made of.
#[derive(Debug)]
pub struct Places<'a> {
    /// The callbacks.
    pub remappers: &'a Remappers,
    /// The options.
    pub settings: &'a Settings,
    /// The local root signature.
    pub record: &'a ShaderRecord,
    /// Root descriptors of the root block, which are its first arguments.
    pub descriptors: u32,
    /// Words of the root block after these.
    pub words: u32,
}

impl Places<'_> {
    /// The plan for an entry point.
    ///
    /// # Errors
    /// `Binding` if a callback has no place for a resource; `Unsupported` for a place that the
    /// translator does not have; those of [`BindingPlan::from_places`].
    pub fn plan(&self, shader: &Shader, entry: EntryId) -> Result<BindingPlan> {
        let unknown =
            || Error::new(ErrorKind::Bug, dxil_translator::Place::Input, "the entry point is unknown".to_owned());
        let entry = shader.entry(entry).ok_or_else(unknown)?;
        BindingPlan::from_places(&shader.program().resources, |id, resource| {
            match entry.reachable.resources.contains(id) {
                true => self.place(entry.stage, resource),
                false => Ok(ResourcePlan::new(resource, Location::Unused)),
            }
        })
    }

    fn place(&self, stage: ShaderStage, resource: &Resource) -> Result<ResourcePlan> {
        let planned = |location| Ok(ResourcePlan::new(resource, location));
        if resource.class == ResourceClass::Uav
            && self.settings.vendor_uav == Some([resource.space, resource.lower_bound])
        {
            return Err(unsupported(resource, "carries the vendor intrinsics of NVIDIA NVAPI (option 47)"));
        }
        let local = self.record.find(resource);
        match local {
            Some(RecordPlace::Constants { offset, size }) => {
                return planned(Location::Record { offset, size: size.min(resource.size.next_multiple_of(4)) });
            }
            Some(RecordPlace::Address { offset }) => return planned(Location::Address(Root::Record(offset))),
            Some(RecordPlace::Table { .. }) | None => {}
        }
        let mut question = question(stage, resource);
        let mut count = resource.count;
        let mut answered = self.remappers.ask(question, resource);
        if answered.is_none() && count == UNBOUNDED && resource.is_declared() {
            // An array of which the program has one descriptor.
            (question.range_size, count) = (1, 1);
            answered = self.remappers.ask(question, resource);
        }
        let answered = answered.ok_or_else(|| {
            Error::new(ErrorKind::Binding, resource.place(), format!("the program has no place for {resource}"))
        })?;
        if answered.constants {
            return planned(self.root_constants(answered.place.set, resource));
        }
        let place = &answered.place;
        if resource.class == ResourceClass::Sampler && place.use_heap == 0 {
            return planned(self.static_samplers(&question, resource, place));
        }
        let location = self.location(resource, place, local, count)?;
        let counter = resource.has_counter.then(|| self.counter(resource, &answered, count)).transpose()?;
        let range = self.range(resource, &location, &answered.offset);
        Ok(ResourcePlan::new(resource, location).with_counter(counter).with_range(range))
    }

    /// The place of a sampler that is in no heap, which is static. The registers of an array are
    /// those of one binding, or have bindings of their own.
    fn static_samplers(&self, question: &D3dBinding, resource: &Resource, place: &VulkanBinding) -> Location {
        let VulkanBinding { set, binding, .. } = *place;
        let first = Descriptor::new(set, binding, DescriptorType::Sampler);
        if !resource.is_array() || resource.count == UNBOUNDED {
            return Location::Descriptor(first);
        }
        let is_at = |number: u32, binding: u32| {
            let register_index = resource.lower_bound.saturating_add(number);
            let answered = self.remappers.ask(D3dBinding { register_index, range_size: 1, ..*question }, resource);
            answered
                .is_some_and(|Answered { place, .. }| (place.set, place.binding, place.use_heap) == (set, binding, 0))
        };
        if is_at(resource.count - 1, binding) {
            return Location::Descriptor(first.array(0, resource.count));
        }
        let others = 1..resource.count.min(STATIC_SAMPLERS);
        let follow = others.take_while(|&number| is_at(number, binding.saturating_add(number))).count() as u32;
        Location::Bindings(first.array(0, 1 + follow))
    }

    /// The byte of a word of the root block after the root descriptors.
    fn word(&self, index: u32) -> u32 {
        index.saturating_mul(4).saturating_add(self.descriptors.saturating_mul(8))
    }

    /// The place of root constants that begin at a word.
    fn root_constants(&self, word: u32, resource: &Resource) -> Location {
        let (offset, size) = (self.word(word), resource.size.next_multiple_of(4));
        let size = size.min(self.words.saturating_sub(word).saturating_mul(4));
        match self.settings.root_block {
            Some([set, binding]) => {
                let block = Descriptor::new(set, binding, DescriptorType::UniformBuffer);
                Location::Inline { block, offset, size }
            }
            None => Location::Push { offset, size },
        }
    }

    /// A root argument that leads to a resource.
    fn root(&self, offset: u32) -> Root {
        match self.settings.root_block {
            Some([set, binding]) => {
                Root::Inline { block: Descriptor::new(set, binding, DescriptorType::UniformBuffer), offset }
            }
            None => Root::Push(offset),
        }
    }

    fn location(
        &self,
        resource: &Resource,
        place: &VulkanBinding,
        local: Option<RecordPlace>,
        count: u32,
    ) -> Result<Location> {
        if place.descriptor_type == descriptor_type::ADDRESS {
            return Ok(Location::Address(self.root(place.root_constant_index.saturating_mul(8))));
        }
        let in_heap = place.use_heap != 0;
        let (table, first, shift) = match (local, place.root_constant_index) {
            (Some(RecordPlace::Table { offset, first }), _) => {
                let size = self.settings.descriptor_sizes[usize::from(resource.class == ResourceClass::Sampler)];
                if !in_heap {
                    return Err(unsupported(resource, "is in a local table, and its place is not a heap"));
                }
                // A handle is a number of bytes in its heap.
                (Some(Root::Record(offset)), first, size)
            }
            _ if !in_heap => (None, 0, 0),
            (_, NONE) => (None, place.heap_root_offset, 0),
            (_, index) => (Some(self.root(self.word(index))), place.heap_root_offset, 0),
        };
        let structure = resource.kind == ResourceKind::RtAccelerationStructure;
        if structure && place.descriptor_type == descriptor_type::STORAGE_BUFFER {
            let addresses = HeapAddresses::new(self.address(place, first), table);
            return Ok(Location::HeapAddresses(addresses.with_shift(shift)));
        }
        let descriptor = Descriptor::new(place.set, place.binding, self.descriptor_type(resource, place)?);
        if !in_heap {
            return Ok(Location::Descriptor(descriptor.array(0, count)));
        }
        let heap = HeapDescriptors::new(descriptor.array(first, UNBOUNDED), table);
        Ok(Location::Heap(heap.with_shift(shift)))
    }

    /// The place of an address in a heap of addresses.
    fn address(&self, place: &VulkanBinding, first: u32) -> PairPlace {
        let [stride, offset] = self.settings.address_place;
        let buffer = Descriptor::new(place.set, place.binding, DescriptorType::StorageBuffer);
        PairPlace::new(buffer, first, stride, offset)
    }

    /// Where the start and the size of a view in a heap are, if the descriptor does not say them.
    /// The pair has the index of the descriptor.
    fn range(&self, resource: &Resource, location: &Location, place: &VulkanBinding) -> Option<PairPlace> {
        let Location::Heap(HeapDescriptors { descriptor, .. }) = location else { return None };
        let [untyped, typed, stride] = self.settings.offset_layout;
        let offset = match resource.kind {
            ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => {
                let aligned = resource.alignment() >= self.settings.storage_alignment;
                (descriptor.ty == DescriptorType::StorageBuffer && !aligned).then_some(untyped)
            }
            ResourceKind::TypedBuffer => self.settings.typed_offsets.then_some(typed),
            _ => None,
        };
        let buffer = Descriptor::new(place.set, place.binding, DescriptorType::StorageBuffer);
        Some(PairPlace::new(buffer, descriptor.first, stride, offset?))
    }

    fn descriptor_type(&self, resource: &Resource, place: &VulkanBinding) -> Result<DescriptorType> {
        use DescriptorType as D;
        let texel = match resource.class {
            ResourceClass::Uav => D::StorageTexelBuffer,
            _ => D::UniformTexelBuffer,
        };
        let identity = match (resource.class, resource.kind) {
            (ResourceClass::CBuffer, _) if self.settings.constants_as_storage && place.use_heap != 0 => {
                D::StorageBuffer
            }
            (ResourceClass::CBuffer, _) => D::UniformBuffer,
            (ResourceClass::Sampler, _) => D::Sampler,
            (_, ResourceKind::RtAccelerationStructure) => D::AccelerationStructure,
            (_, ResourceKind::TypedBuffer) => texel,
            (_, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer) => D::StorageBuffer,
            (ResourceClass::Uav, _) => D::StorageImage,
            _ => D::SampledImage,
        };
        match place.descriptor_type {
            descriptor_type::IDENTITY => Ok(identity),
            descriptor_type::STORAGE_BUFFER => Ok(D::StorageBuffer),
            descriptor_type::TEXEL_BUFFER => Ok(texel),
            descriptor_type::UNIFORM_BUFFER => Ok(D::UniformBuffer),
            descriptor_type::INPUT_ATTACHMENT => Ok(D::InputAttachment),
            other => {
                Err(unsupported(resource, &format!("has descriptor type {other}, which the interface does not have")))
            }
        }
    }

    /// The place of the hidden counter of a UAV.
    fn counter(&self, resource: &Resource, answered: &Answered, count: u32) -> Result<CounterPlace> {
        let Answered { place, counter, .. } = answered;
        if counter.root_constant_index != place.root_constant_index || counter.use_heap != place.use_heap {
            return Err(unsupported(resource, "has its counter in another table"));
        }
        let addresses = counter.use_heap != 0 && counter.descriptor_type != descriptor_type::TEXEL_BUFFER;
        if addresses {
            return Ok(CounterPlace::Addresses(self.address(counter, counter.heap_root_offset)));
        }
        let ty = match counter.descriptor_type {
            descriptor_type::TEXEL_BUFFER => DescriptorType::StorageTexelBuffer,
            _ => DescriptorType::StorageBuffer,
        };
        let descriptor = Descriptor::new(counter.set, counter.binding, ty);
        Ok(CounterPlace::Descriptor(match counter.use_heap {
            0 => descriptor.array(0, count),
            _ => descriptor.array(counter.heap_root_offset, UNBOUNDED),
        }))
    }
}

/// The refusal of a resource.
fn unsupported(resource: &Resource, why: &str) -> Error {
    Error::new(ErrorKind::Unsupported, resource.place(), format!("{resource} {why}; that place is not translated yet"))
}
