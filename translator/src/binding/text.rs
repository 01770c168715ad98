//! Prints a binding plan as text, and reads it back.
//!
//! In: a plan, or a text that a person or `Display` wrote. Out: the text, or the plan. What must
//! hold: a plan that is printed and read back is equal to the first; a text that does not fit the
//! shader's resources is refused, with its line or resource.
//!
//! One line per declared resource, and one per descriptor type of the heaps that the shader indexes
//! itself. `#` starts a comment:
//!
//! ```text
//! b0 space0 = set 0 binding 1 uniform_buffer
//! t4 space0 = set 0 binding 2 sampled_image first 4 count 8
//! u1 space2 = set 1 binding 0 storage_buffer counter set 1 binding 1000 storage_buffer
//! b7 space0 = push 16 size 12
//! b8 space0 = inline 0 size 256 of set 2 binding 9 inline_uniform_block
//! b11 space0 = inline 0 size 256 of address push 40
//! b9 space0 = address push 32
//! b10 space0 = record 8 size 16
//! t0 space1 = heap set 3 binding 0 sampled_image first 5 count unbounded table push 40
//! s0 space0 = unused
//! heap sampled_image = set 3 binding 0
//! heap sampler = set 4 binding 0
//! heap counter = set 5 binding 0 storage_buffer
//! heap counter = addresses set 5 binding 0 storage_buffer
//! push_constant_size = 28
//! ```

use std::collections::BTreeMap;
use std::fmt;

use super::layout::{ADDRESSES_ACCEPTED, COUNTER_ACCEPTED, accepted};
use super::plan::{
    BindingPlan, CounterPlace, Descriptor, DescriptorType, HeapDescriptors, HeapPlan, Location, Register, ResourcePlan,
    Root,
};
use super::tables::check_root_descriptor;
use crate::ir::resources::{Resource, ResourceId, UNBOUNDED};
use crate::ops::consts::ResourceClass;
use dxil_base::entity::PrimaryMap;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.class {
            ResourceClass::Srv => 't',
            ResourceClass::Uav => 'u',
            ResourceClass::CBuffer => 'b',
            ResourceClass::Sampler => 's',
        };
        write!(f, "{letter}{} space{}", self.register, self.space)
    }
}

impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "set {} binding {} {}", self.set, self.binding, self.ty)?;
        if self.first != 0 {
            write!(f, " first {}", self.first)?;
        }
        match self.count {
            1 => Ok(()),
            UNBOUNDED => write!(f, " count unbounded"),
            count => write!(f, " count {count}"),
        }
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Root::Push(offset) => write!(f, "push {offset}"),
            Root::Record(offset) => write!(f, "record {offset}"),
        }
    }
}

impl fmt::Display for ResourcePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = ", self.register)?;
        match &self.location {
            Location::Descriptor(descriptor) => write!(f, "{descriptor}")?,
            Location::Heap(HeapDescriptors { descriptor, table: None }) => write!(f, "heap {descriptor}")?,
            Location::Heap(HeapDescriptors { descriptor, table: Some(root) }) => {
                write!(f, "heap {descriptor} table {root}")?;
            }
            Location::Push { offset, size } => write!(f, "push {offset} size {size}")?,
            Location::Inline { block, offset, size } => write!(f, "inline {offset} size {size} of {block}")?,
            Location::InlineAddress { address, offset, size } => {
                write!(f, "inline {offset} size {size} of address {address}")?;
            }
            Location::Address(root) => write!(f, "address {root}")?,
            Location::Record { offset, size } => write!(f, "record {offset} size {size}")?,
            Location::Unused => write!(f, "unused")?,
        }
        match &self.counter {
            Some(CounterPlace::Descriptor(counter)) => write!(f, " counter {counter}"),
            Some(CounterPlace::Addresses { buffer, first }) => {
                // The element of the buffer is where a descriptor has the element of its array.
                write!(f, " counter addresses {}", Descriptor { first: *first, ..*buffer })
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for BindingPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for planned in self.resources.values() {
            writeln!(f, "{planned}")?;
        }
        for Descriptor { set, binding, ty, .. } in &self.heaps.descriptors {
            writeln!(f, "heap {ty} = set {set} binding {binding}")?;
        }
        if let Some(counters) = &self.heaps.counters {
            let &Descriptor { set, binding, ty, .. } = counters.descriptor();
            let addresses = if matches!(counters, CounterPlace::Addresses { .. }) { "addresses " } else { "" };
            writeln!(f, "heap counter = {addresses}set {set} binding {binding} {ty}")?;
        }
        writeln!(f, "push_constant_size = {}", self.push_constant_size)
    }
}

/// Checks the size of a text that has a plan: a request, or the plan alone.
///
/// # Errors
/// `Limit` if the text is too long.
pub(crate) fn check_size(what: &str, text: &str) -> Result<()> {
    limits::check(Place::Input, &format!("bytes in a {what}"), text.len(), limits::TEXT_BYTES)
}

impl BindingPlan {
    /// Reads a plan for a shader with these resources.
    ///
    /// # Errors
    /// `Malformed`, with the line: wrong syntax, a resource that the shader does not have, or a
    /// second line for a resource. `Binding`, with the resource: the text has no line for it, or
    /// gives it a place that it cannot have. `Limit` if the text is too long.
    pub fn parse(text: &str, resources: &PrimaryMap<ResourceId, Resource>) -> Result<Self> {
        check_size("plan", text)?;
        // Views of descriptor heaps come after the declared resources and have no registers, hence
        // no lines.
        let declared = || resources.iter().take_while(|(_, r)| r.is_declared());
        let ids: BTreeMap<Register, ResourceId> = declared().map(|(id, r)| (Register::from_resource(r), id)).collect();
        let mut found: Vec<Option<ResourcePlan>> = declared().map(|_| None).collect();
        let mut push_constant_size = None;
        let mut heaps = HeapPlan::default();
        for (number, line) in text.lines().enumerate() {
            let place = Place::Line(u32::try_from(number).unwrap_or(u32::MAX).saturating_add(1));
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (key, value) =
                line.split_once('=').ok_or_else(|| malformed!(place, "expected `t0 space0 = …`, found `{line}`"))?;
            let mut words = Words { words: value.split_whitespace(), place };
            if key.trim() == "push_constant_size" {
                push_constant_size = Some((words.number()?, place));
            } else if let Some(what) = key.trim().strip_prefix("heap ") {
                words.heap(what.trim(), &mut heaps)?;
            } else {
                let register = register(key.trim(), place)?;
                let planned = words.planned(register)?;
                let slot = ids.get(&register).and_then(|id| found.get_mut(dxil_base::entity::Entity::index(*id)));
                let slot = slot.ok_or_else(|| malformed!(place, "the shader has no resource {register}"))?;
                if slot.replace(planned).is_some() {
                    return Err(malformed!(place, "this is the second line for {register}"));
                }
            }
            if let Some(word) = words.words.next() {
                return Err(malformed!(place, "expected the end of the line, found `{word}`"));
            }
        }
        heaps.descriptors.sort_unstable_by_key(|descriptor| descriptor.ty);
        let resource_plans = PrimaryMap::with_capacity(found.len());
        let mut plan = BindingPlan { resources: resource_plans, heaps, push_constant_size: 0 };
        for (resource, planned) in resources.values().zip(found) {
            let missing = || binding_error!(resource.place(), "the plan has no line for {resource}");
            let planned = planned.ok_or_else(missing)?;
            check(resource, &planned)?;
            if let Some(bytes) = planned.location.push_bytes() {
                plan.push_constant_size = plan.push_constant_size.max(bytes.end);
            }
            plan.resources.push(planned);
        }
        match push_constant_size {
            Some((size, place)) if size < plan.push_constant_size => {
                return Err(malformed!(
                    place,
                    "push_constant_size is {size}, but the places above use {} bytes",
                    plan.push_constant_size
                ));
            }
            Some((size, _)) => plan.push_constant_size = size,
            None => {}
        }
        Ok(plan)
    }
}

/// Checks that a resource can have the place that a text gives it.
fn check(resource: &Resource, planned: &ResourcePlan) -> Result<()> {
    let holds = |descriptor: &Descriptor, types: &[DescriptorType]| {
        let Descriptor { ty, first, count, .. } = *descriptor;
        if !types.contains(&ty) {
            return Err(binding_error!(resource.place(), "{resource} cannot be a {ty}"));
        }
        let end = u64::from(first) + u64::from(resource.count);
        if count != UNBOUNDED && (resource.count == UNBOUNDED || u64::from(count) < end) {
            return Err(binding_error!(resource.place(), "{resource} does not fit in `{descriptor}`"));
        }
        Ok(())
    };
    match &planned.location {
        Location::Descriptor(descriptor) => holds(descriptor, accepted(resource))?,
        Location::Heap(heap) => holds(&heap.descriptor, accepted(resource))?,
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

/// Reads the name of a resource, for example `t0 space0`.
fn register(text: &str, place: Place) -> Result<Register> {
    let parts = || {
        let (register, space) = text.split_once(char::is_whitespace)?;
        let space = space.trim().strip_prefix("space")?.parse().ok()?;
        let mut letters = register.chars();
        let class = match letters.next()? {
            't' => ResourceClass::Srv,
            'u' => ResourceClass::Uav,
            'b' => ResourceClass::CBuffer,
            's' => ResourceClass::Sampler,
            _ => return None,
        };
        Some(Register { class, space, register: letters.as_str().parse().ok()? })
    };
    parts().ok_or_else(|| malformed!(place, "expected a register such as `t0 space0`, found `{text}`"))
}

struct Words<'a> {
    words: std::str::SplitWhitespace<'a>,
    place: Place,
}

impl<'a> Words<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str> {
        self.words.next().ok_or_else(|| malformed!(self.place, "expected {what}, found the end of the line"))
    }

    fn number(&mut self) -> Result<u32> {
        let word = self.next("a number")?;
        word.parse().map_err(|_| malformed!(self.place, "expected a 32-bit number, found `{word}`"))
    }

    fn keyword(&mut self, keyword: &str) -> Result<()> {
        let word = self.next(&format!("`{keyword}`"))?;
        if word == keyword { Ok(()) } else { Err(malformed!(self.place, "expected `{keyword}`, found `{word}`")) }
    }

    /// Takes the next word if it is this one, and says whether it was.
    fn accept(&mut self, keyword: &str) -> bool {
        let mut ahead = self.words.clone();
        let found = ahead.next() == Some(keyword);
        if found {
            self.words = ahead;
        }
        found
    }

    fn planned(&mut self, register: Register) -> Result<ResourcePlan> {
        let location = if self.accept("unused") {
            Location::Unused
        } else if self.accept("heap") {
            let descriptor = self.descriptor()?;
            let table = if self.accept("table") { Some(self.root()?) } else { None };
            Location::Heap(HeapDescriptors { descriptor, table })
        } else if self.accept("push") {
            let (offset, size) = self.part()?;
            Location::Push { offset, size }
        } else if self.accept("inline") {
            let (offset, size) = self.part()?;
            self.keyword("of")?;
            if self.accept("address") {
                Location::InlineAddress { address: self.root()?, offset, size }
            } else {
                Location::Inline { block: self.descriptor()?, offset, size }
            }
        } else if self.accept("address") {
            Location::Address(self.root()?)
        } else if self.accept("record") {
            let (offset, size) = self.part()?;
            Location::Record { offset, size }
        } else {
            Location::Descriptor(self.descriptor()?)
        };
        let counter = match self.accept("counter") {
            true if self.accept("addresses") => {
                let place = self.descriptor()?;
                if place.count != 1 {
                    return Err(malformed!(self.place, "the addresses of counters are in one buffer, not in an array"));
                }
                Some(CounterPlace::Addresses { buffer: Descriptor { first: 0, ..place }, first: place.first })
            }
            true => Some(CounterPlace::Descriptor(self.descriptor()?)),
            false => None,
        };
        Ok(ResourcePlan { register, location, counter })
    }

    /// Reads an offset and a size, for example `16 size 12`.
    fn part(&mut self) -> Result<(u32, u32)> {
        let offset = self.number()?;
        self.keyword("size")?;
        Ok((offset, self.number()?))
    }

    /// Reads the place of a root argument, for example `push 16` or `record 16`.
    fn root(&mut self) -> Result<Root> {
        if self.accept("record") {
            return Ok(Root::Record(self.number()?));
        }
        self.keyword("push")?;
        Ok(Root::Push(self.number()?))
    }

    /// Reads a set and a binding.
    fn set_and_binding(&mut self) -> Result<(u32, u32)> {
        self.keyword("set")?;
        let set = self.number()?;
        self.keyword("binding")?;
        Ok((set, self.number()?))
    }

    fn descriptor_type(&self, name: &str) -> Result<DescriptorType> {
        let ty = DescriptorType::ALL.into_iter().find(|ty| ty.name() == name);
        ty.ok_or_else(|| {
            malformed!(
                self.place,
                "unknown descriptor type `{name}`; expected Vulkan's name in small letters, such as `storage_buffer`"
            )
        })
    }

    /// Reads the place of a heap's descriptors of the type `what`, or of the heap's counters.
    fn heap(&mut self, what: &str, heaps: &mut HeapPlan) -> Result<()> {
        let addresses = what == "counter" && self.accept("addresses");
        let (set, binding) = self.set_and_binding()?;
        let descriptor = |ty| Descriptor { set, binding, ty, first: 0, count: UNBOUNDED };
        if what == "counter" {
            let name = self.next("a descriptor type")?;
            let ty = self.descriptor_type(name)?;
            let (accepted, what, counters) = match addresses {
                true => {
                    let buffer = Descriptor { count: 1, ..descriptor(ty) };
                    (ADDRESSES_ACCEPTED, "addresses of the counters", CounterPlace::Addresses { buffer, first: 0 })
                }
                false => (COUNTER_ACCEPTED, "counters", CounterPlace::Descriptor(descriptor(ty))),
            };
            if !accepted.contains(&ty) {
                return Err(malformed!(self.place, "the {what} of a heap cannot be a {ty}"));
            }
            if heaps.counters.replace(counters).is_some() {
                return Err(malformed!(self.place, "this is the second line for the heap's counters"));
            }
            return Ok(());
        }
        let ty = self.descriptor_type(what)?;
        if heaps.descriptors.iter().any(|other| other.ty == ty) {
            return Err(malformed!(self.place, "this is the second line for the heap's descriptors of type {ty}"));
        }
        heaps.descriptors.push(descriptor(ty));
        Ok(())
    }

    fn descriptor(&mut self) -> Result<Descriptor> {
        let (set, binding) = self.set_and_binding()?;
        let name = self.next("a descriptor type")?;
        let ty = self.descriptor_type(name)?;
        let first = if self.accept("first") { self.number()? } else { 0 };
        let count = match self.accept("count") {
            true if self.accept("unbounded") => UNBOUNDED,
            true => self.number()?,
            false => 1,
        };
        Ok(Descriptor { set, binding, ty, first, count })
    }
}
