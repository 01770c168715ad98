//! Descriptor heaps: the sets and bindings of `ResourceDescriptorHeap` and `SamplerDescriptorHeap`.
//!
//! In: the sets that the caller or the model gives the heaps, the pipeline layout if it is known,
//! and the resources that live in a heap. Out: descriptors of a runtime array. What must hold
//! (docs/bindings.md, "Heaps"): the heaps are different sets, and each heap is the only binding of
//! its set, because D3D12 replaces heaps one by one and only the last binding of a set can have a
//! variable count. A descriptor's place does not depend on the shaders that use the heap.

use std::collections::BTreeMap;

use super::layout::{LayoutBinding, PipelineLayout, accepted};
use super::options::{BindingOptions, HeapCounters, HeapSets, Model};
use super::plan::{
    BindingPlan, CounterPlace, Descriptor, DescriptorType, HeapAddresses, HeapDescriptors, HeapPlan, Location,
    PairPlace, Root,
};
use super::slot::{Origin, Slot};
use crate::ir::resources::{DescriptorOrigin, Heap, Resource, UNBOUNDED};
use crate::ops::consts::ResourceKind;
use dxil_base::profile::{DeviceProfile, Feature};

/// The binding of a heap in its set.
const BINDING: u32 = 0;

/// The descriptor types of the resource heap. If the heap has a set for each type, the sets have
/// this order.
const TYPES: [DescriptorType; 7] = [
    DescriptorType::SampledImage,
    DescriptorType::StorageImage,
    DescriptorType::UniformTexelBuffer,
    DescriptorType::StorageTexelBuffer,
    DescriptorType::UniformBuffer,
    DescriptorType::StorageBuffer,
    DescriptorType::AccelerationStructure,
];

/// The names of the heaps' sets in messages.
const RESOURCES: &str = "the resource heap";
const SAMPLERS: &str = "the sampler heap";
const COUNTERS: &str = "the counters of the resource heap";
const ADDRESSES: &str = "the addresses of the counters of the resource heap";

/// The arrangement of the resource heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Arrangement {
    /// One set with one binding of mutable descriptors.
    Mutable,
    /// A set for each descriptor type.
    Typed,
}

/// The sets of the heaps of one pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heaps {
    sets: HeapSets,
    counters: HeapCounters,
    /// The arrangement of the resource heap.
    pub arrangement: Arrangement,
}

/// A resource in a heap, before its descriptor type is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeapSpot {
    /// The heap.
    pub heap: Heap,
    /// The resource's offset in its descriptor table; 0 if the shader indexes the heap itself.
    pub first: u32,
}

impl Heaps {
    /// The sets that the caller gives the heaps. Under the root-signature model the others follow
    /// the `used` sets of the root signature: the sampler heap, the resource heap, and the
    /// counters. The sampler heap is first, because it is one set in both arrangements.
    pub fn new(
        options: &BindingOptions,
        used: Option<u32>,
        layout: Option<&PipelineLayout>,
        profile: &DeviceProfile,
    ) -> Self {
        let given = options.heap_sets;
        let after = |sets: u32| used.and_then(|used| used.checked_add(sets));
        let resources = given.resources.or(after(1));
        let set = layout.zip(resources).and_then(|(layout, set)| layout.sets.get(set as usize)?.as_deref());
        let is_mutable = |b: &LayoutBinding| b.binding == BINDING && b.ty == DescriptorType::Mutable;
        let arrangement = match set {
            Some(bindings) if bindings.iter().any(is_mutable) => Arrangement::Mutable,
            Some(_) => Arrangement::Typed,
            #[expect(clippy::disallowed_methods, reason = "the heap is arranged by mutableDescriptorType")]
            None if profile.has(Feature::MutableDescriptorType) => Arrangement::Mutable,
            None => Arrangement::Typed,
        };
        let width = match arrangement {
            Arrangement::Mutable => 1,
            Arrangement::Typed => TYPES.len() as u32,
        };
        let counters = given.counters.or(after(1 + width));
        let sets = HeapSets { resources, samplers: given.samplers.or(after(0)), counters };
        Self { sets, counters: options.heap_counters, arrangement }
    }

    /// The places that a resource may have, best first, with the descriptor type that each
    /// requires.
    ///
    /// # Errors
    /// A message, if the heap has no set or cannot hold the resource.
    pub fn slots(&self, spot: &HeapSpot, resource: &Resource) -> Result<Vec<(Slot, DescriptorType)>, String> {
        let HeapSpot { heap, first, .. } = *spot;
        let slot = |set: u32| Slot { set, binding: BINDING, first, count: UNBOUNDED, origin: Origin::Heap(heap) };
        let types = accepted(resource).iter().copied();
        let slots: Vec<_> = match heap {
            Heap::Samplers => {
                let set = self.sets.samplers.ok_or_else(|| without_set(heap))?;
                types.filter(|&ty| ty == DescriptorType::Sampler).map(|ty| (slot(set), ty)).collect()
            }
            Heap::Resources => {
                let set = self.sets.resources.ok_or_else(|| without_set(heap))?;
                let at = |ty: DescriptorType| {
                    let number = TYPES.iter().position(|&other| other == ty)? as u32;
                    let number = if self.arrangement == Arrangement::Mutable { 0 } else { number };
                    Some((slot(set.checked_add(number)?), ty))
                };
                types.filter_map(at).collect()
            }
        };
        match slots.is_empty() {
            true => Err(format!("{heap} cannot hold it")),
            false => Ok(slots),
        }
    }

    /// Checks that a set which a heap's resource uses is not that of another heap too. The set of a
    /// descriptor type that no shader of the pipeline uses may be another heap's.
    ///
    /// # Errors
    /// A message that names both.
    pub fn check_apart(&self, heap: Heap, set: u32) -> Result<(), String> {
        let (own, samplers) = match heap {
            Heap::Resources => (RESOURCES, self.sets.samplers),
            Heap::Samplers => (SAMPLERS, None),
        };
        let others = [(samplers, SAMPLERS), (self.sets.counters, COUNTERS)];
        match others.iter().find(|(other, _)| *other == Some(set)) {
            None => Ok(()),
            Some((_, other)) => Err(format!(
                "set {set} is that of {own} and of {other}; give them different sets, in dxil2spv with \
                 `--resource-heap-set`, `--sampler-heap-set` and `--heap-counter-set`, in the layer with the settings of \
                 these names"
            )),
        }
    }

    /// The place of the counter of a UAV in the resource heap, or of its address.
    ///
    /// # Errors
    /// A message, if the counters have no set.
    pub fn counter(&self, spot: &HeapSpot) -> Result<Slot, String> {
        let (what, count, origin) = match self.counters {
            HeapCounters::Descriptor => (COUNTERS, UNBOUNDED, Origin::HeapCounters),
            HeapCounters::Address => (ADDRESSES, 1, Origin::HeapCounterAddresses),
        };
        let set = self.sets.counters.ok_or_else(|| {
            format!(
                "{what} have no set; give them one with `--heap-counter-set N` of dxil2spv or the layer's setting \
                 `heap_counter_set`"
            )
        })?;
        Ok(Slot { set, binding: BINDING, first: spot.first, count, origin })
    }

    /// The arrangement of the resource heap, if one of these plans has a resource there.
    pub fn used_arrangement(&self, model: Model, plans: &[BindingPlan]) -> Option<Arrangement> {
        Self::owners(model, plans).values().any(|owner| *owner == RESOURCES).then_some(self.arrangement)
    }

    /// The descriptors of a place in a heap that has sets of its own.
    pub fn descriptor(model: Model, location: &Location) -> Option<Descriptor> {
        match *location {
            // A binding map has heaps at any bindings, and the tables of shader records in these
            // sets.
            Location::Heap(HeapDescriptors { table: Some(Root::Push(_) | Root::Inline { .. }), .. })
                if model == Model::Map =>
            {
                None
            }
            Location::Heap(HeapDescriptors { descriptor, .. }) => Some(descriptor),
            _ => None,
        }
    }

    /// The sets of the heaps that these plans have descriptors in, with what each is used for.
    pub fn owners(model: Model, plans: &[BindingPlan]) -> BTreeMap<u32, &'static str> {
        let mut owners = BTreeMap::new();
        for plan in plans {
            let in_tables = plan
                .resources
                .values()
                .filter_map(|planned| Some((Self::descriptor(model, &planned.location)?, planned.counter)));
            let views = plan.heaps.descriptors.iter().map(|&descriptor| (descriptor, plan.heaps.counters));
            for (descriptor, counter) in views.chain(in_tables) {
                let heap = if descriptor.ty == DescriptorType::Sampler { SAMPLERS } else { RESOURCES };
                owners.entry(descriptor.set).or_insert(heap);
                if let Some(counter) = counter {
                    let what = match counter {
                        CounterPlace::Descriptor(_) => COUNTERS,
                        CounterPlace::Addresses(_) => ADDRESSES,
                    };
                    owners.entry(counter.descriptor().set).or_insert(what);
                }
            }
        }
        owners
    }
}

fn without_set(heap: Heap) -> String {
    let (flag, setting) = match heap {
        Heap::Resources => ("--resource-heap-set", "resource_heap_set"),
        Heap::Samplers => ("--sampler-heap-set", "sampler_heap_set"),
    };
    format!(
        "{heap} has no descriptor set; give it one with `{flag} N` of dxil2spv or the layer's setting `{setting}`, or use \
         the model root-signature"
    )
}

/// The place of a view of a descriptor heap; `None` if the plan has no place for descriptors of its
/// kind.
pub fn view(plan: &HeapPlan, resource: &Resource) -> Option<Location> {
    let is_view = matches!(resource.origin, DescriptorOrigin::Heap(_));
    if let Some(addresses) = plan.structures.filter(|_| resource.kind == ResourceKind::RtAccelerationStructure) {
        return is_view.then_some(Location::HeapAddresses(HeapAddresses::new(addresses, None)));
    }
    let mut types = accepted(resource).iter().filter(|_| is_view);
    let found = types.find_map(|&ty| plan.descriptors.iter().copied().find(|d| d.ty == ty));
    found.map(|descriptor| Location::Heap(HeapDescriptors::new(descriptor, None)))
}

impl BindingPlan {
    /// The place of a view of a descriptor heap; `None` for other resources, and if the plan has no
    /// place for descriptors of the view's kind.
    pub fn view(&self, resource: &Resource) -> Option<Location> {
        view(&self.heaps, resource)
    }
}

/// Where the start and the size of a view of a descriptor heap are; `None` if the view is all that
/// its descriptor has.
pub fn range(plan: &HeapPlan, resource: &Resource) -> Option<PairPlace> {
    let ranges = plan.ranges?;
    match resource.kind {
        ResourceKind::TypedBuffer => ranges.typed,
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => {
            ranges.untyped.filter(|_| resource.alignment() < ranges.below)
        }
        _ => None,
    }
}
