//! Plans from places that a caller knows, resource by resource.
//!
//! In: the resources of a shader, and a place for each that the entry point uses. Out: a plan. What
//! must hold: a resource has a place that it can have, or the plan is refused with the resource's
//! name; what no model would plan, such as the UAV of vendor intrinsics, is refused too.

use super::layout::{ADDRESSES_ACCEPTED, COUNTER_ACCEPTED, accepted, has_counterpart};
use super::plan::{
    BindingPlan, CounterPlace, Descriptor, DescriptorType, HeapDescriptors, Location, Register, ResourcePlan, Root,
};
use super::tables::check_root_descriptor;
use super::vendor;
use crate::ir::resources::{Resource, ResourceId, UNBOUNDED};
use crate::ops::consts::ResourceClass;
use dxil_base::entity::PrimaryMap;
use dxil_base::error::Result;

impl Descriptor {
    /// One descriptor.
    pub const fn new(set: u32, binding: u32, ty: DescriptorType) -> Self {
        Self { set, binding, ty, first: 0, count: 1 }
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

    /// The same descriptors, where the root argument is shifted right by this number of bits to become
    /// the index.
    #[must_use]
    pub const fn with_shift(self, shift: u32) -> Self {
        Self { shift, ..self }
    }
}

impl BindingPlan {
    /// A plan for a shader with these resources. `place` gives each one its place, and the place of
    /// its hidden counter: [`Location::Unused`] where the entry point does not use the resource,
    /// and [`Location::Heap`] without a table for a view of a descriptor heap that the shader
    /// indexes itself.
    ///
    /// # Errors
    /// Those of `place`. `Binding`, with the resource: it cannot have the place, or two views of a
    /// heap have one descriptor type and different bindings. `Unsupported`: a resource that stands
    /// for vendor intrinsics, or a feedback texture.
    pub fn from_places(
        resources: &PrimaryMap<ResourceId, Resource>,
        mut place: impl FnMut(ResourceId, &Resource) -> Result<(Location, Option<CounterPlace>)>,
    ) -> Result<Self> {
        let mut plan = Self::default();
        for (id, resource) in resources.iter() {
            let (location, counter) = place(id, resource)?;
            if location != Location::Unused {
                vendor::check(resource)?;
                has_counterpart(resource)?;
            }
            let planned = ResourcePlan { register: Register::from_resource(resource), location, counter };
            match resource.is_declared() {
                true => plan.add(resource, planned)?,
                false => plan.add_view(resource, &planned)?,
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
        Ok(())
    }
}

/// Checks that a resource can have the place that a text or a caller gives it.
fn check(resource: &Resource, planned: &ResourcePlan) -> Result<()> {
    let holds = |descriptor: &Descriptor, types: &[DescriptorType]| {
        let Descriptor { ty, first, count, .. } = *descriptor;
        if !types.contains(&ty) {
            return Err(binding_error!(resource.place(), "{resource} cannot be a {ty}"));
        }
        let end = u64::from(first) + u64::from(resource.count);
        // Lowering refuses an access to another register of an unbounded array with one descriptor.
        let alone = resource.count == UNBOUNDED && count == 1;
        if !alone && count != UNBOUNDED && (resource.count == UNBOUNDED || u64::from(count) < end) {
            return Err(binding_error!(resource.place(), "{resource} does not fit in `{descriptor}`"));
        }
        Ok(())
    };
    match &planned.location {
        Location::Descriptor(descriptor) => holds(descriptor, accepted(resource))?,
        Location::Heap(heap) => {
            holds(&heap.descriptor, accepted(resource))?;
            let shift = heap.shift;
            if shift >= u32::BITS {
                return Err(binding_error!(resource.place(), "{resource}: a word cannot be shifted by {shift} bits"));
            }
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
    if let Location::Address(root) | Location::InlineAddress { address: root, .. } = &planned.location {
        let (Root::Push(offset) | Root::Record(offset)) = root;
        if offset % 8 != 0 {
            return Err(binding_error!(
                resource.place(),
                "an address at byte {offset}: the offset must be a multiple of 8"
            ));
        }
    }
    if let Location::Inline { block, .. } = &planned.location {
        let types = accepted(resource);
        if !types.contains(&block.ty) || block.first != 0 || block.count != 1 {
            return Err(binding_error!(
                resource.place(),
                "{resource} cannot live in `{block}`: expected one uniform block"
            ));
        }
    }
    match &planned.counter {
        Some(_) if !resource.has_counter => Err(binding_error!(resource.place(), "{resource} has no counter")),
        Some(CounterPlace::Descriptor(counter)) => holds(counter, COUNTER_ACCEPTED),
        Some(CounterPlace::Addresses { stride, offset, .. }) if offset >= stride => Err(binding_error!(
            resource.place(),
            "the address of the counter of {resource} is number {offset} of an entry that has {stride}"
        )),
        Some(CounterPlace::Addresses { buffer, .. }) => match ADDRESSES_ACCEPTED.contains(&buffer.ty) {
            true => Ok(()),
            false => Err(binding_error!(
                resource.place(),
                "the addresses of the counters of {resource} cannot be a {}",
                buffer.ty
            )),
        },
        None => Ok(()),
    }
}
