//! Plans from places that a caller knows, resource by resource.
//!
//! In: the resources of a shader, and a place for each that the entry point uses. Out: a plan. What
//! must hold: a resource has a place that it can have, or the plan is refused with the resource's
//! name; what no model would plan, such as the UAV of vendor intrinsics, is refused too.

use super::heap;
use super::layout::{ADDRESSES_ACCEPTED, BLOCK_ACCEPTED, COUNTER_ACCEPTED, accepted, has_counterpart};
use super::plan::{
    BindingPlan, CounterPlace, Descriptor, DescriptorType, HeapAddresses, HeapDescriptors, Location, PairPlace,
    Register, ResourcePlan, Root,
};
use super::tables::check_root_descriptor;
use super::vendor;
use crate::ir::resources::{Resource, ResourceId, UNBOUNDED};
use crate::ops::consts::{ResourceClass, ResourceKind};
use dxil_base::entity::PrimaryMap;
use dxil_base::error::Result;

/// The static samplers that a root signature can have (D3D12, «Hardware Tiers»).
pub const STATIC_SAMPLERS: u32 = 2032;

impl Descriptor {
    /// One descriptor.
    pub const fn new(set: u32, binding: u32, ty: DescriptorType) -> Self {
        Self { set, binding, ty, first: 0, count: 1 }
    }

    /// The descriptor in the binding that is this many after the binding.
    pub(crate) const fn nth(self, number: u32) -> Self {
        Self::new(self.set, self.binding.saturating_add(number), self.ty)
    }

    /// An array of descriptors, of which the element `first` is the resource's first register. A
    /// count of `u32::MAX` is a runtime array.
    #[must_use]
    pub const fn array(self, first: u32, count: u32) -> Self {
        Self { first, count, ..self }
    }
}

impl HeapDescriptors {
    /// The descriptors of a heap. `descriptor` is its runtime array, and `table` the root argument
    /// with the index of the table's first descriptor.
    pub const fn new(descriptor: Descriptor, table: Option<Root>) -> Self {
        Self { descriptor, table, shift: 0 }
    }

    /// The same descriptors, where the root argument is shifted right by this number of bits to
    /// become the index.
    #[must_use]
    pub const fn with_shift(self, shift: u32) -> Self {
        Self { shift, ..self }
    }
}

impl HeapAddresses {
    /// The addresses of a heap. `table` is the root argument with the index of the table's first
    /// one.
    pub const fn new(addresses: PairPlace, table: Option<Root>) -> Self {
        Self { addresses, table, shift: 0 }
    }

    /// The same addresses, where the root argument is shifted right by this number of bits to
    /// become the index.
    #[must_use]
    pub const fn with_shift(self, shift: u32) -> Self {
        Self { shift, ..self }
    }
}

impl PairPlace {
    /// The pairs of a buffer, of which the entry `first` is that of the resource's first register.
    /// An entry has space for `stride` pairs and has this one at `offset`.
    pub const fn new(buffer: Descriptor, first: u32, stride: u32, offset: u32) -> Self {
        Self { buffer, first, stride, offset }
    }

    /// Checks that pairs for a resource can be there. `what` names the pairs.
    fn check(&self, resource: &Resource, what: &str) -> Result<()> {
        let wrong = |why: String| binding_error!(resource.place(), "the {what} of {resource}: {why}");
        self.fault().map_or(Ok(()), |why| Err(wrong(why)))
    }

    /// Why no pairs can be there.
    pub(super) fn fault(&self) -> Option<String> {
        let PairPlace { buffer, stride, offset, .. } = *self;
        if offset >= stride {
            return Some(format!("there is no pair {offset} in an entry that has space for {stride}"));
        }
        if !ADDRESSES_ACCEPTED.contains(&buffer.ty) {
            return Some(format!("they cannot be a {}", buffer.ty));
        }
        let one = (buffer.first, buffer.count) == (0, 1);
        (!one).then(|| "they are in one buffer, not in an array".to_owned())
    }
}

impl ResourcePlan {
    /// The plan of a resource that has no hidden counter.
    pub fn new(resource: &Resource, location: Location) -> Self {
        Self { register: Register::from_resource(resource), location, counter: None, range: None }
    }

    /// The same with the place of the hidden counter.
    #[must_use]
    pub const fn with_counter(self, counter: Option<CounterPlace>) -> Self {
        Self { counter, ..self }
    }

    /// The same with the place of starts and sizes of views.
    #[must_use]
    pub const fn with_range(self, range: Option<PairPlace>) -> Self {
        Self { range, ..self }
    }
}

impl BindingPlan {
    /// A plan for a shader with these resources. `place` gives each one its place, and that of its
    /// hidden counter and of the starts and sizes of its views: [`Location::Unused`] where the
    /// entry point does not use the resource, and [`Location::Heap`] or [`Location::HeapAddresses`]
    /// without a table for a view of a descriptor heap that the shader indexes itself.
    ///
    /// # Errors
    /// Those of `place`. `Binding`, with the resource: it cannot have the place, or two views of a
    /// heap have one descriptor type and different bindings, or different places of starts and
    /// sizes or of addresses. `Unsupported`: a resource that stands for vendor intrinsics, or a
    /// feedback texture.
    pub fn from_places(
        resources: &PrimaryMap<ResourceId, Resource>,
        mut place: impl FnMut(ResourceId, &Resource) -> Result<ResourcePlan>,
    ) -> Result<Self> {
        let mut plan = Self::default();
        let mut views = Vec::new();
        for (id, resource) in resources.iter() {
            let planned = place(id, resource)?;
            if planned.location != Location::Unused {
                vendor::check(resource)?;
                has_counterpart(resource)?;
            }
            match resource.is_declared() {
                true => plan.add(resource, planned)?,
                false => {
                    plan.add_view(resource, &planned)?;
                    views.push((resource, planned));
                }
            }
        }
        let used = |(_, planned): &&(&Resource, ResourcePlan)| planned.location != Location::Unused;
        for (resource, planned) in views.iter().filter(used) {
            if heap::range(&plan.heaps, resource) != planned.range {
                return Err(binding_error!(
                    resource.place(),
                    "the start and the size of {resource} are not where those of other views of the heap are"
                ));
            }
            if resource.kind == ResourceKind::RtAccelerationStructure
                && heap::view(&plan.heaps, resource) != Some(planned.location)
            {
                return Err(binding_error!(
                    resource.place(),
                    "the address of {resource} is not where those of other views of the heap are"
                ));
            }
        }
        plan.heaps.descriptors.sort_unstable_by_key(|descriptor| descriptor.ty);
        Ok(plan)
    }

    /// Adds the next declared resource.
    ///
    /// # Errors
    /// `Binding` if it cannot have the place.
    pub(super) fn add(&mut self, resource: &Resource, planned: ResourcePlan) -> Result<()> {
        check(resource, &planned)?;
        if let Some(bytes) = planned.location.push_bytes() {
            self.push_constant_size = self.push_constant_size.max(bytes.end);
        }
        self.resources.push(planned);
        Ok(())
    }

    /// Adds a view of a descriptor heap.
    fn add_view(&mut self, resource: &Resource, planned: &ResourcePlan) -> Result<()> {
        let descriptor = match planned.location {
            Location::Unused => return Ok(()),
            Location::Heap(HeapDescriptors { descriptor, table: None, .. }) => descriptor,
            Location::HeapAddresses(HeapAddresses { addresses, table: None, .. }) => {
                self.heaps.structures = Some(addresses);
                return check(resource, planned);
            }
            _ => {
                return Err(binding_error!(
                    resource.place(),
                    "{resource} must be in a descriptor heap, without a table"
                ));
            }
        };
        check(resource, planned)?;
        let heaps = &mut self.heaps;
        match heaps.descriptors.iter().find(|other| other.ty == descriptor.ty) {
            None => heaps.descriptors.push(descriptor),
            Some(other) if *other == descriptor => {}
            Some(other) => {
                return Err(binding_error!(
                    resource.place(),
                    "{resource} is in `{descriptor}`, and another view of the heap with this type in `{other}`"
                ));
            }
        }
        match (heaps.counters, planned.counter) {
            (Some(one), Some(other)) if one != other => {
                return Err(binding_error!(
                    resource.place(),
                    "the counters of {resource} are not with those of other views"
                ));
            }
            (None, Some(counter)) => heaps.counters = Some(counter),
            _ => {}
        }
        if let Some(range) = planned.range {
            let ranges = heaps.ranges.get_or_insert_default();
            match resource.kind {
                ResourceKind::TypedBuffer => ranges.typed = Some(range),
                _ => {
                    ranges.untyped = Some(range);
                    ranges.below = ranges.below.max(resource.alignment().saturating_mul(2));
                }
            }
        }
        Ok(())
    }
}

/// Checks the shift of a table's word.
fn check_shift(resource: &Resource, shift: u32) -> Result<()> {
    if shift < u32::BITS {
        return Ok(());
    }
    Err(binding_error!(resource.place(), "{resource}: a word cannot be shifted by {shift} bits"))
}

/// Checks the root argument, or the block with root constants, that a place has.
fn check_roots(resource: &Resource, location: &Location) -> Result<()> {
    if let Location::Address(root) | Location::InlineAddress { address: root, .. } = location {
        let offset = root.offset();
        if offset % 8 != 0 {
            return Err(binding_error!(
                resource.place(),
                "an address at byte {offset}: the offset must be a multiple of 8"
            ));
        }
    }
    if let Some(offset) = location.table().map(Root::offset).filter(|offset| offset % 4 != 0) {
        return Err(binding_error!(
            resource.place(),
            "the word of a table at byte {offset}: the offset must be a multiple of 4"
        ));
    }
    let block = match (location, location.root()) {
        (Location::Inline { block, .. }, _) => *block,
        (_, Some(Root::Inline { block, .. })) => block,
        _ => return Ok(()),
    };
    if !BLOCK_ACCEPTED.contains(&block.ty) || block.first != 0 || block.count != 1 {
        return Err(binding_error!(
            resource.place(),
            "{resource} cannot live in `{block}`: expected one uniform block"
        ));
    }
    Ok(())
}

/// Checks that the views of a resource can be parts of its descriptors, where the plan says so.
fn check_range(resource: &Resource, planned: &ResourcePlan) -> Result<()> {
    let Some(range) = &planned.range else { return Ok(()) };
    if !has_ranges(resource) || planned.location.descriptor().is_none() {
        return Err(binding_error!(
            resource.place(),
            "{resource} in {} cannot have a start and a size in a buffer: only raw, structured and typed buffers in \
             descriptors can",
            planned.location.kind()
        ));
    }
    range.check(resource, "starts and sizes")
}

/// Checks that a resource can have the place that a text or a caller gives it.
fn check(resource: &Resource, planned: &ResourcePlan) -> Result<()> {
    let holds = |descriptor: &Descriptor, types: &[DescriptorType]| {
        let Descriptor { ty, first, count, .. } = *descriptor;
        if !types.contains(&ty) {
            return Err(binding_error!(resource.place(), "{resource} cannot be a {ty}"));
        }
        let end = u64::from(first) + u64::from(resource.count);
        // Lowering refuses an access to another register of an array with one descriptor: an
        // unbounded one, or one of samplers, of which a static sampler is one register.
        let alone = count == 1 && (resource.count == UNBOUNDED || resource.class == ResourceClass::Sampler);
        if !alone && count != UNBOUNDED && (resource.count == UNBOUNDED || u64::from(count) < end) {
            return Err(binding_error!(resource.place(), "{resource} does not fit in `{descriptor}`"));
        }
        Ok(())
    };
    match &planned.location {
        Location::Descriptor(descriptor) => holds(descriptor, accepted(resource))?,
        Location::Bindings(bindings) => {
            let Descriptor { ty, first, count, .. } = *bindings;
            let is_sampler = resource.class == ResourceClass::Sampler && ty == DescriptorType::Sampler;
            if !is_sampler || first != 0 || !(1..=STATIC_SAMPLERS).contains(&count) {
                return Err(binding_error!(
                    resource.place(),
                    "{resource} cannot be `{bindings}`: only samplers can have a binding each, at most {STATIC_SAMPLERS}"
                ));
            }
        }
        Location::Heap(heap) => {
            holds(&heap.descriptor, accepted(resource))?;
            check_shift(resource, heap.shift)?;
        }
        Location::HeapAddresses(heap) => {
            if resource.kind != ResourceKind::RtAccelerationStructure {
                return Err(binding_error!(
                    resource.place(),
                    "{resource} cannot live in {}: only acceleration structures can",
                    planned.location.kind()
                ));
            }
            heap.addresses.check(resource, "addresses")?;
            check_shift(resource, heap.shift)?;
        }
        Location::Push { offset, size }
        | Location::Inline { offset, size, .. }
        | Location::InlineAddress { offset, size, .. }
        | Location::Record { offset, size } => {
            let kind = planned.location.kind();
            if resource.class != ResourceClass::CBuffer || resource.is_array() {
                return Err(binding_error!(
                    resource.place(),
                    "{resource} cannot live in {kind}: only a constant buffer that is not an array can"
                ));
            }
            if offset % 4 != 0 || size % 4 != 0 {
                return Err(binding_error!(
                    resource.place(),
                    "{size} bytes at byte {offset} of {kind}: offset and size must be multiples of 4"
                ));
            }
        }
        Location::Address(_) => {
            check_root_descriptor(resource).map_err(|why| binding_error!(resource.place(), "{resource} {why}"))?;
        }
        Location::Unused => {}
    }
    check_roots(resource, &planned.location)?;
    check_range(resource, planned)?;
    match &planned.counter {
        Some(_) if !resource.has_counter => Err(binding_error!(resource.place(), "{resource} has no counter")),
        Some(CounterPlace::Descriptor(counter)) => holds(counter, COUNTER_ACCEPTED),
        Some(CounterPlace::Addresses(addresses)) => addresses.check(resource, "addresses of the counters"),
        None => Ok(()),
    }
}

/// Whether the views of a resource can be parts of what its descriptors have.
pub(super) fn has_ranges(resource: &Resource) -> bool {
    use ResourceKind as K;
    matches!(resource.kind, K::RawBuffer | K::StructuredBuffer | K::TypedBuffer)
}
