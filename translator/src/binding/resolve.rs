//! From requests to plans: each requested descriptor gets its type from the layout, if the layout
//! has a suitable one there.
//!
//! In: a model's requests, and the application's pipeline layout if it is known. Out: a plan per
//! stage, or the list of all resources without a suitable place, with what was looked for and what
//! the layout has. What must hold: a descriptor's type is one that [`accepted`] lists for its
//! resource, and without a layout the first one; two registers share a binding only where
//! docs/bindings.md permits it.

use super::arguments::{ADDRESS, INDEX};
use super::clash;
use super::heap::{HeapSpot, Heaps};
use super::inputs::StageResources;
use super::layout::{
    ADDRESSES_ACCEPTED, BLOCK_ACCEPTED, COUNTER_ACCEPTED, LayoutBinding, PipelineLayout, accepted, stage_flag,
};
use super::mismatch::{BoundResource, Clash, Mismatches, StageResource};
use super::options::Model;
use super::place_request::{Origin, PlaceRequest, PlaceRequests, RangeRequest, Slot, Spot};
use super::plan::{
    BindingPlan, CounterPlace, Descriptor, DescriptorType, HeapAddresses, HeapDescriptors, HeapPlan, Location,
    PairPlace, ResourcePlan, Root,
};
use crate::ir::resources::{Heap, Resource, ResourceId, UNBOUNDED};
use crate::ops::consts::{ResourceClass, ShaderStage};
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::profile::{DeviceProfile, Feature};

/// The plans of all stages, or the list of everything that does not fit.
pub(super) fn resolve(
    requests: &PlaceRequests,
    stages: &[StageResources<'_>],
    layout: Option<&PipelineLayout>,
    profile: &DeviceProfile,
) -> Result<Vec<BindingPlan>, Mismatches> {
    let heaps = &requests.heaps;
    let mut mismatches = Mismatches::new();
    let mut plans = Vec::with_capacity(stages.len());
    for (index, (stage, requests)) in stages.iter().zip(&requests.stages).enumerate() {
        let mut resolver = PlaceResolver { stage: stage.stage, layout, profile, is_listed: true };
        let mut plan = BindingPlan { resources: PrimaryMap::with_capacity(requests.len()), ..BindingPlan::default() };
        for ((id, resource), request) in stage.resources.iter().zip(requests) {
            resolver.is_listed = mismatches.lists(StageResource { stage: index, id });
            let resolved = request.as_ref().map_err(Clone::clone).and_then(|request| {
                let location = resolver.location(heaps, request, resource)?;
                let counter =
                    request.counter.as_ref().map(|slot| resolver.counter(slot, request.counter_pair, resource));
                let range = request.range.as_ref().map(|range| resolver.range(range, resource));
                let planned = ResourcePlan::new(resource, location).with_counter(counter.transpose()?);
                Ok(planned.with_range(range.transpose()?))
            });
            let planned = resolved.unwrap_or_else(|message| {
                mismatches.add(StageResource { stage: index, id }, None, || message);
                ResourcePlan::new(resource, Location::Unused)
            });
            if let Some(bytes) = planned.location.push_bytes() {
                plan.push_constant_size = plan.push_constant_size.max(bytes.end);
            }
            plan.resources.push(planned);
        }
        for (id, resource, heap) in stage.heap_views() {
            resolver.is_listed = mismatches.lists(StageResource { stage: index, id });
            if let Err(message) = resolver.heap_view(heaps, heap, resource, &mut plan.heaps) {
                mismatches.add(StageResource { stage: index, id }, None, || message);
            }
        }
        plan.heaps.descriptors.sort_unstable_by_key(|descriptor| descriptor.ty);
        plans.push(plan);
    }
    let mixes = match layout {
        Some(_) => MixedTypes::Layout,
        #[expect(clippy::disallowed_methods, reason = "bindings are shared by mutableDescriptorType")]
        None if profile.has(Feature::MutableDescriptorType) => MixedTypes::Mutable,
        None => MixedTypes::Nothing,
    };
    share_bindings(requests, stages, mixes, &mut plans, &mut mismatches);
    share_heap_sets(requests.model, &plans, &mut mismatches);
    if mismatches.is_empty() { Ok(plans) } else { Err(mismatches) }
}

fn descriptor(slot: &Slot, ty: DescriptorType) -> Descriptor {
    Descriptor { set: slot.set, binding: slot.binding, ty, first: slot.first, count: slot.count }
}

/// Looks places up in the layout for one stage.
struct PlaceResolver<'a> {
    stage: ShaderStage,
    layout: Option<&'a PipelineLayout>,
    profile: &'a DeviceProfile,
    /// Whether an error lists the resource. Otherwise a message may be empty.
    is_listed: bool,
}

impl PlaceResolver<'_> {
    /// A message, if an error has it.
    fn message(&self, text: impl FnOnce() -> String) -> String {
        if self.is_listed { text() } else { String::new() }
    }

    /// The place of a resource.
    fn location(&self, heaps: &Heaps, request: &PlaceRequest, resource: &Resource) -> Result<Location, String> {
        let block = request.block.as_ref();
        Ok(match &request.spot {
            Spot::Slot(slot) => {
                let ty = self.descriptor_type(slot, resource, accepted(resource), resource.size)?;
                Location::Descriptor(descriptor(slot, ty))
            }
            Spot::Inline { block, offset, size } => {
                // The block is as large as the rows that it may be declared as.
                let end = offset.saturating_add(*size).saturating_add(15) & !15;
                let ty = self.descriptor_type(block, resource, accepted(resource), end)?;
                Location::Inline { block: descriptor(block, ty), offset: *offset, size: *size }
            }
            &Spot::InlineAddress { address, offset, size } => {
                self.check_root(address, ADDRESS)?;
                Location::InlineAddress { address, offset, size }
            }
            &Spot::Push { offset, size } => {
                self.check_push(offset, size)?;
                Location::Push { offset, size }
            }
            &Spot::Record { offset, size } => Location::Record { offset, size },
            &Spot::Address(root) => Location::Address(self.root(root, block, ADDRESS, resource)?),
            Spot::Table { spot, table } => {
                self.check_root(*table, INDEX)?;
                let descriptor = self.heap_descriptor(heaps, spot, resource)?;
                Location::Heap(HeapDescriptors::new(descriptor, Some(*table)))
            }
            &Spot::Heap { heap, table, addresses } => {
                let table = table.map(|table| self.root(table, block, INDEX, resource));
                let table = table.transpose()?;
                match addresses {
                    Some(pair) => {
                        let pairs = self.pairs(&heap, resource, pair)?;
                        Location::HeapAddresses(HeapAddresses::new(pairs, table))
                    }
                    None => {
                        let ty = self.descriptor_type(&heap, resource, accepted(resource), resource.size)?;
                        Location::Heap(HeapDescriptors::new(descriptor(&heap, ty), table))
                    }
                }
            }
            Spot::Unused => Location::Unused,
        })
    }

    /// The type of the descriptors at a slot: the layout's type there, or without a layout the
    /// first accepted type. `bytes` is what an inline uniform block needs to have.
    fn descriptor_type(
        &self,
        slot: &Slot,
        resource: &Resource,
        accepted: &[DescriptorType],
        bytes: u32,
    ) -> Result<DescriptorType, String> {
        let &Slot { set, binding, origin, .. } = slot;
        #[expect(clippy::disallowed_fields, reason = "the device's number of sets is a limit of plans")]
        let limit = self.profile.limits.max_bound_descriptor_sets;
        if set >= limit {
            let remedy = match origin {
                Origin::Register => {
                    "; give register spaces other sets with `--spaces 95=1,96=2` of dxil2spv or the layer's setting `spaces`"
                }
                Origin::Range(..) => {
                    "; tables need no sets of their own with `--root-tables offsets` of dxil2spv or the layer's setting \
                     `root_tables`"
                }
                Origin::Heap(Heap::Resources) | Origin::HeapCounters | Origin::HeapCounterAddresses => {
                    "; a device with mutableDescriptorType enabled needs one set for the resource heap, others need seven"
                }
                _ => "",
            };
            return Err(format!(
                "set {set} binding {binding} ({origin}), but the device has only {}{remedy}",
                counted(u64::from(limit), "set")
            ));
        }
        let Some(layout) = self.layout else {
            return accepted.first().copied().ok_or_else(|| "no descriptor type is accepted".to_owned());
        };
        let wanted = || format!("set {set} binding {binding} ({origin}) of type {}", names(accepted));
        let is_static = matches!(origin, Origin::StaticSampler(_) | Origin::LocalSampler(..));
        let found = layout.binding(set, binding).ok_or_else(|| {
            let hint = if is_static { DECLARE_IMMUTABLE } else { "" };
            self.message(|| format!("{}: {}{hint}", wanted(), without(layout, set)))
        })?;
        let other = || self.message(|| format!("{}: the layout has {}", wanted(), type_name(found)));
        let ty = accepted_by(found, accepted).ok_or_else(other)?;
        if is_static && !found.immutable_samplers {
            return Err(
                self.message(|| format!("{}: the layout has no immutable sampler there{DECLARE_IMMUTABLE}", wanted()))
            );
        }
        let flag = stage_flag(self.stage);
        let flag = flag.ok_or_else(|| format!("{}: {} is not a stage of a Vulkan pipeline", wanted(), self.stage))?;
        if found.stages & flag == 0 {
            let stage = self.stage;
            return Err(self.message(|| {
                let flags = found.stages;
                format!("{}: the layout's stage flags 0x{flags:x} leave out {stage} (0x{flag:x})", wanted())
            }));
        }
        check_count(slot, resource, bytes, found, ty)
            .map_err(|found| self.message(|| format!("{}: {found}", wanted())))?;
        Ok(ty)
    }

    /// The descriptors of a resource in a heap: of the first type that the layout has.
    fn heap_descriptor(&self, heaps: &Heaps, spot: &HeapSpot, resource: &Resource) -> Result<Descriptor, String> {
        let slots = heaps.slots(spot, resource)?;
        // Without a layout the first accepted type is taken, as everywhere.
        let choices = if self.layout.is_some() { slots.len() } else { 1 };
        let mut first = None;
        for (slot, ty) in slots.into_iter().take(choices) {
            match self.descriptor_type(&slot, resource, &[ty], 0) {
                Ok(ty) => {
                    heaps.check_apart(spot.heap, slot.set)?;
                    return Ok(descriptor(&slot, ty));
                }
                Err(message) => {
                    first.get_or_insert(message);
                }
            }
        }
        Err(first.unwrap_or_default())
    }

    /// Gives a view of a heap, and its counter, a place in the plan.
    fn heap_view(&self, heaps: &Heaps, heap: Heap, resource: &Resource, plan: &mut HeapPlan) -> Result<(), String> {
        let spot = HeapSpot { heap, first: 0 };
        let found = self.heap_descriptor(heaps, &spot, resource)?;
        if !plan.descriptors.contains(&found) {
            plan.descriptors.push(found);
        }
        if resource.has_counter {
            plan.counters = Some(self.counter(&heaps.counter(&spot)?, None, resource)?);
        }
        Ok(())
    }

    /// The place of a counter, or of the addresses of counters, at a slot.
    fn counter(&self, slot: &Slot, pair: Option<[u32; 2]>, resource: &Resource) -> Result<CounterPlace, String> {
        let pair = pair.or((slot.origin == Origin::HeapCounterAddresses).then_some([1, 0]));
        let place = match pair {
            Some(pair) => self.pairs(slot, resource, pair).map(CounterPlace::Addresses),
            None => {
                let ty = self.descriptor_type(slot, resource, COUNTER_ACCEPTED, 4);
                ty.map(|ty| CounterPlace::Descriptor(descriptor(slot, ty)))
            }
        };
        place.map_err(|message| format!("its counter: {message}"))
    }

    /// The place of the starts and sizes of views.
    fn range(&self, range: &RangeRequest, resource: &Resource) -> Result<PairPlace, String> {
        let &RangeRequest { slot, stride, offset } = range;
        let pairs = self.pairs(&slot, resource, [stride, offset]);
        pairs.map_err(|message| format!("the starts and sizes of its views: {message}"))
    }

    /// The pairs of a buffer, with stride and offset.
    fn pairs(&self, slot: &Slot, resource: &Resource, [stride, offset]: [u32; 2]) -> Result<PairPlace, String> {
        let ty = self.descriptor_type(slot, resource, ADDRESSES_ACCEPTED, 8)?;
        Ok(PairPlace::new(Descriptor::new(slot.set, slot.binding, ty), slot.first, stride, offset))
    }

    /// A root argument of this size in bytes: in the block, if there is one.
    fn root(&self, root: Root, block: Option<&Slot>, size: u32, resource: &Resource) -> Result<Root, String> {
        let Some(block) = block else { return self.check_root(root, size).map(|()| root) };
        let offset = root.offset();
        let end = offset.saturating_add(size).saturating_add(15) & !15;
        let ty = self.descriptor_type(block, resource, BLOCK_ACCEPTED, end)?;
        Ok(Root::Inline { block: descriptor(block, ty), offset })
    }

    /// Checks that a push-constant range of the layout covers a root argument of this size in
    /// bytes.
    fn check_root(&self, root: Root, size: u32) -> Result<(), String> {
        match root {
            Root::Push(offset) => self.check_push(offset, size),
            Root::Record(_) | Root::Inline { .. } => Ok(()),
        }
    }

    /// Checks that a push-constant range of the layout covers the bytes.
    fn check_push(&self, offset: u32, size: u32) -> Result<(), String> {
        let end = offset.saturating_add(size);
        let wanted = || format!("push constants at bytes {offset} to {end}");
        #[expect(clippy::disallowed_fields, reason = "the device's bytes of push constants are a limit of plans")]
        let limit = self.profile.limits.max_push_constants_size;
        if end > limit {
            return Err(format!("{}, but the device has only {limit} bytes of push constants", wanted()));
        }
        let Some(layout) = self.layout else { return Ok(()) };
        let flag = stage_flag(self.stage);
        let flag = flag.ok_or_else(|| format!("{}: {} is not a stage of a Vulkan pipeline", wanted(), self.stage))?;
        // At most one range may name a stage (VkPipelineLayoutCreateInfo), so a stage finds all its
        // bytes in one range.
        let Some(range) = layout.push_ranges.iter().find(|range| range.stages & flag != 0) else {
            return Err(format!("{}: the layout has no push-constant range for {}", wanted(), self.stage));
        };
        let range_end = range.offset.saturating_add(range.size);
        if range.offset > offset || range_end < end {
            return Err(format!("{}: the layout's range is bytes {} to {range_end}", wanted(), range.offset));
        }
        Ok(())
    }
}

fn check_count(
    slot: &Slot,
    resource: &Resource,
    bytes: u32,
    found: &LayoutBinding,
    ty: DescriptorType,
) -> Result<(), String> {
    if ty == DescriptorType::InlineUniformBlock {
        // VkDescriptorSetLayoutBinding: descriptorCount is the block's size in bytes, and there are
        // no arrays of blocks.
        if slot.count != 1 || slot.first != 0 {
            return Err("the layout has an inline uniform block, which cannot be an array".to_owned());
        }
        if found.count < bytes {
            return Err(format!("the layout's block has {} bytes, but {bytes} are needed", found.count));
        }
        return Ok(());
    }
    let needed = match slot.origin {
        // A table's place in the heap is known only when the shader runs.
        Origin::Heap(_)
        | Origin::HeapCounters
        | Origin::HeapCounterAddresses
        | Origin::MapHeap(_)
        | Origin::MapBlock(_)
        | Origin::Ranges(_) => 1,
        _ if resource.count == UNBOUNDED => u64::from(slot.first) + 1,
        _ => u64::from(slot.first) + u64::from(resource.count),
    };
    if u64::from(found.count) < needed {
        let has = counted(u64::from(found.count), "descriptor");
        return Err(format!("the layout has {has} there, but {needed} are needed"));
    }
    Ok(())
}

/// A number of things, in words.
fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// What a layout has in a set, which is without the binding that a resource needs.
pub(super) fn without(layout: &PipelineLayout, set: u32) -> String {
    let bindings = match layout.sets.get(set as usize) {
        None => return format!("the layout has only {}", counted(layout.sets.len() as u64, "set")),
        Some(None) => return format!("the layout leaves set {set} out"),
        Some(Some(bindings)) => bindings,
    };
    let has: Vec<String> = bindings.iter().take(SHOWN).map(|b| b.binding.to_string()).collect();
    let more = if bindings.len() > SHOWN { ", …" } else { "" };
    match has.is_empty() {
        true => format!("the layout's set {set} is empty"),
        false => format!("the layout's set {set} has bindings {}{more}", has.join(", ")),
    }
}

/// What a layout without the immutable sampler of a static sampler needs. D3D12 has no descriptor
/// of a static sampler that an application could write.
const DECLARE_IMMUTABLE: &str =
    "; declare the static sampler as an immutable sampler (pImmutableSamplers) at that binding";

/// The maximum number of bindings that a message lists.
const SHOWN: usize = 16;

/// The type of a binding, if the resource accepts it. A mutable descriptor has every type of its
/// list.
fn accepted_by(found: &LayoutBinding, accepted: &[DescriptorType]) -> Option<DescriptorType> {
    match found.ty {
        DescriptorType::Mutable => accepted.iter().copied().find(|ty| found.mutable_types.contains(ty)),
        ty => accepted.contains(&ty).then_some(ty),
    }
}

fn type_name(found: &LayoutBinding) -> String {
    match found.ty {
        DescriptorType::Mutable => {
            let list: Vec<&str> = found.mutable_types.iter().map(|ty| ty.name()).collect();
            format!("mutable of {}", list.join(", "))
        }
        ty => ty.to_string(),
    }
}

fn names(types: &[DescriptorType]) -> String {
    types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(" or ")
}

/// Finds the resources that share a binding and may not. The same register in two stages may share
/// one; under the register model a texture and a sampler may, as a combined image sampler; under
/// the root-signature model overlapping ranges may; under the model `map` all that the map puts
/// together may. Without a layout the descriptor types must
/// agree as well, because a binding has one type.
fn share_bindings(
    requests: &PlaceRequests,
    stages: &[StageResources<'_>],
    mixes: MixedTypes,
    plans: &mut [BindingPlan],
    mismatches: &mut Mismatches,
) {
    let mut at: Vec<((u32, u32), BoundResource)> = Vec::new();
    for (stage, plan) in plans.iter().enumerate() {
        for (id, planned) in plan.resources.iter() {
            let own = match planned.location {
                Location::Descriptor(d) => Some(d),
                // The types of a heap may differ if its descriptors are mutable.
                Location::Heap(heap) if mixes == MixedTypes::Nothing && is_map_heap(requests, stage, id) => {
                    Some(heap.descriptor)
                }
                _ => None,
            };
            if let Some(d) = own {
                at.push(((d.set, d.binding), BoundResource { stage, id, counter: false }));
            }
            // All counters of resources in a heap are in its binding of counters.
            let counter = planned.counter.as_ref().filter(|_| !matches!(planned.location, Location::Heap(_)));
            if let Some(d) = counter.map(CounterPlace::descriptor) {
                at.push(((d.set, d.binding), BoundResource { stage, id, counter: true }));
            }
        }
    }
    // Those of one binding stay in their order.
    at.sort_by_key(|&(place, _)| place);
    let mut remedy = None;
    for sharing in at.chunk_by(|a, b| a.0 == b.0).filter(|sharing| sharing.len() > 1) {
        let Some(&((set, binding), _)) = sharing.first() else { continue };
        let holders: Vec<BoundResource> = sharing.iter().map(|&(_, holder)| holder).collect();
        let has_heap = holders.iter().any(|holder| is_map_heap(requests, holder.stage, holder.id));
        if matches!(requests.model, Model::Register | Model::Map) && mixes != MixedTypes::Layout && !has_heap {
            combine(stages, plans, &holders);
        }
        let mut holders = holders.into_iter();
        let Some(one) = holders.next() else { continue };
        for other in holders {
            let problem = match requests.model {
                Model::Register => register_clash(requests, stages, mixes, plans, one, other),
                _ => types_differ(requests, mixes, plans, one, other).map(Conflict::Text),
            };
            let Some(problem) = problem else { continue };
            let is_clash = matches!(problem, Conflict::Classes);
            let clash = is_clash.then_some(Clash { set, binding, holders: [one, other] });
            mismatches.add(StageResource { stage: other.stage, id: other.id }, clash, || {
                let problem = match problem {
                    Conflict::Text(text) => text,
                    Conflict::Classes => {
                        let remedy = remedy.get_or_insert_with(|| clash::remedy(stages));
                        format!("the register shifts are {}; {remedy}", requests.shifts)
                    }
                };
                let first = describe(stages, one);
                format!("set {set} binding {binding} is also the place of {first}: {problem}")
            });
        }
    }
}

/// Finds the resources whose sets are those of a descriptor heap. A heap is the only binding of its
/// set.
fn share_heap_sets(model: Model, plans: &[BindingPlan], mismatches: &mut Mismatches) {
    let owners = Heaps::owners(model, plans);
    for (stage, plan) in plans.iter().enumerate().filter(|_| !owners.is_empty()) {
        for (resource, planned) in plan.resources.iter() {
            let own = match planned.location {
                Location::Descriptor(descriptor) => Some(descriptor),
                _ => None,
            };
            // The counter of a resource in a heap is where the heap's counters are.
            let counter = planned.counter.filter(|_| own.is_some()).map(|counter| *counter.descriptor());
            for descriptor in own.into_iter().chain(counter) {
                if let Some(owner) = owners.get(&descriptor.set) {
                    let set = descriptor.set;
                    mismatches.add(StageResource { stage, id: resource }, None, || {
                        format!(
                            "set {set} binding {} is in the set of {owner}; give the heap another set, in dxil2spv with \
                             `--resource-heap-set`, `--sampler-heap-set` or `--heap-counter-set`, in the layer with \
                             the settings of these names",
                            descriptor.binding
                        )
                    });
                }
            }
        }
    }
}

/// Whether a binding map puts a resource into a heap.
fn is_map_heap(requests: &PlaceRequests, stage: usize, id: ResourceId) -> bool {
    let request = requests.stages.get(stage).and_then(|requests| requests.get(id.index())?.as_ref().ok());
    request.is_some_and(|request| matches!(request.spot, Spot::Heap { .. }))
}

fn resource_of<'a>(stages: &[StageResources<'a>], holder: BoundResource) -> Option<&'a Resource> {
    stages.get(holder.stage)?.resources.get(holder.id)
}

fn describe(stages: &[StageResources<'_>], holder: BoundResource) -> String {
    let stage = stages.get(holder.stage).map_or("", |stage| stage.stage.name());
    let counter = if holder.counter { "the counter of " } else { "" };
    resource_of(stages, holder).map_or_else(String::new, |resource| format!("{counter}{resource} ({stage})"))
}

fn place_of(plans: &mut [BindingPlan], holder: BoundResource) -> Option<&mut Descriptor> {
    let plans = plans.get_mut(holder.stage)?;
    let planned = plans.resources.values_mut().nth(holder.id.index())?;
    match (&mut planned.location, &mut planned.counter) {
        (_, Some(counter)) if holder.counter => Some(counter.descriptor_mut()),
        (Location::Descriptor(d) | Location::Heap(HeapDescriptors { descriptor: d, .. }), _) if !holder.counter => {
            Some(d)
        }
        _ => None,
    }
}

fn types_differ(
    requests: &PlaceRequests,
    mixes: MixedTypes,
    plans: &mut [BindingPlan],
    one: BoundResource,
    other: BoundResource,
) -> Option<String> {
    let (a, b) = (place_of(plans, one)?.ty, place_of(plans, other)?.ty);
    let origin =
        |holder: BoundResource| match requests.stages.get(holder.stage)?.get(holder.id.index())?.as_ref().ok()?.spot {
            Spot::Slot(slot) => Some(slot.origin),
            _ => None,
        };
    let ranges = match (requests.model, origin(one), origin(other)) {
        (Model::RootSignature, Some(first), Some(second)) if first != second => Some((first, second)),
        _ => None,
    };
    match mixes {
        _ if a == b => return None,
        // A layout gave both resources a type that it has; two different types then come from a
        // mutable descriptor.
        MixedTypes::Layout => return None,
        // Ranges of several types at one offset are what mutable descriptors are for: each resource
        // keeps its own type, and the layout to declare has one mutable binding for them.
        MixedTypes::Mutable if ranges.is_some() => return None,
        MixedTypes::Mutable | MixedTypes::Nothing => {}
    }
    let why = ranges.map_or_else(String::new, |(first, second)| {
        format!(
            " ({first}; {second}); ranges of different types at one offset need a mutable descriptor, for which the device \
             must have mutableDescriptorType enabled, or tables as heap offsets (`--root-tables offsets` of dxil2spv, the \
             layer's setting `root_tables`)"
        )
    });
    Some(format!("a binding has one descriptor type, but the types are {a} and {b}{why}"))
}

/// What lets resources of different descriptor types share a binding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MixedTypes {
    /// A pipeline layout, which has resolved the types.
    Layout,
    /// Without a layout, a mutable descriptor, which the device has enabled.
    Mutable,
    /// Nothing.
    Nothing,
}

/// Why two resources may not share a binding.
enum Conflict {
    /// For the reason in words.
    Text(String),
    /// They are of different register classes, which shifts keep apart.
    Classes,
}

fn register_clash(
    requests: &PlaceRequests,
    stages: &[StageResources<'_>],
    mixes: MixedTypes,
    plans: &mut [BindingPlan],
    one: BoundResource,
    other: BoundResource,
) -> Option<Conflict> {
    let (first, second) = (resource_of(stages, one)?, resource_of(stages, other)?);
    if first.space != second.space {
        return Some(Conflict::Text(format!(
            "register spaces {} and {} are both in this set; give each space that the shaders use a set of its own with \
             `--spaces` of dxil2spv or the layer's setting `spaces`",
            first.space, second.space
        )));
    }
    if first.class == second.class && one.counter == other.counter {
        let same_stage = one.stage == other.stage;
        return match same_stage {
            true => Some(Conflict::Text("two resources of one shader have the same register".to_owned())),
            false => types_differ(requests, mixes, plans, one, other).map(Conflict::Text),
        };
    }
    let pair = matches!(
        (first.class, second.class),
        (ResourceClass::Srv, ResourceClass::Sampler) | (ResourceClass::Sampler, ResourceClass::Srv)
    );
    let combined = pair
        && !one.counter
        && !other.counter
        && place_of(plans, one)?.ty == DescriptorType::CombinedImageSampler
        && place_of(plans, other)?.ty == DescriptorType::CombinedImageSampler;
    (!combined).then_some(Conflict::Classes)
}

/// Makes textures and samplers that share a binding combined image samplers, if the binding has
/// nothing else.
fn combine(stages: &[StageResources<'_>], plans: &mut [BindingPlan], holders: &[BoundResource]) {
    let class = |holder: &BoundResource| match resource_of(stages, *holder) {
        Some(resource) if !holder.counter && can_combine(resource) => Some(resource.class),
        _ => None,
    };
    let has = |wanted: ResourceClass| holders.iter().any(|holder| class(holder) == Some(wanted));
    if !has(ResourceClass::Srv) || !has(ResourceClass::Sampler) || holders.iter().any(|h| class(h).is_none()) {
        return;
    }
    for &holder in holders {
        if let Some(descriptor) = place_of(plans, holder) {
            descriptor.ty = DescriptorType::CombinedImageSampler;
        }
    }
}

fn can_combine(resource: &Resource) -> bool {
    accepted(resource).contains(&DescriptorType::CombinedImageSampler)
}
