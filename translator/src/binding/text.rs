//! Prints a binding plan as text, which is TOML, and reads it back.
//!
//! In: a plan, or a text that a person or `Display` wrote. Out: the text, or the plan. What must
//! hold: a plan that is printed and read back is equal to the first; a text that does not fit the
//! shader's resources is refused, with its line or resource.
//!
//! The text has one line for each declared resource, one for each hidden counter, and one for each
//! descriptor type of the heaps that the shader indexes itself (docs/bindings.md, "The plan as
//! text").

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use foldhash::HashMap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::layout::{ADDRESSES_ACCEPTED, COUNTER_ACCEPTED};
use super::plan::{
    BindingPlan, CounterPlace, Descriptor, DescriptorType, HeapPlan, HeapRanges, Location, PairPlace, Register,
    ResourcePlan,
};
use crate::ir::resources::{Resource, ResourceId, UNBOUNDED};
use crate::ops::consts::ResourceClass;
use dxil_base::entity::PrimaryMap;
use dxil_base::error::Result;
use dxil_base::text::{self, Spanned};

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} space{}", self.class.letter(), self.register, self.space)
    }
}

impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::line(self)?)
    }
}

/// The name of a resource in the text. Resources without registers, which a library may have, all
/// have the last register, so those of one register are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    register: Register,
    /// How many resources of this register come before it.
    before: u32,
}

impl Name {
    /// The names of resources with these registers, in this order.
    fn all(registers: impl Iterator<Item = Register>) -> impl Iterator<Item = Self> {
        let mut seen: HashMap<Register, u32> = HashMap::default();
        registers.map(move |register| {
            let next = seen.entry(register).or_default();
            let before = *next;
            *next = next.saturating_add(1);
            Self { register, before }
        })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.before {
            0 => write!(f, "{}", self.register),
            before => write!(f, "{} #{}", self.register, u64::from(before) + 1),
        }
    }
}

impl<'de> Deserialize<'de> for Name {
    /// Reads the name of a resource, which has one form only, so that no text has two lines for it.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let parts = || {
            let (register, space) = text.split_once(" space")?;
            let (space, before) = match space.split_once(" #") {
                None => (space, 0),
                Some((space, number)) => (space, number.parse::<u32>().ok()?.checked_sub(1)?),
            };
            let mut letters = register.chars();
            let class = ResourceClass::from_letter(letters.next()?)?;
            let register = Register { class, space: space.parse().ok()?, register: letters.as_str().parse().ok()? };
            Some(Self { register, before })
        };
        let name = parts().filter(|name| name.to_string() == text);
        name.ok_or_else(|| D::Error::custom(format!("expected a register such as `t0 space0`, found `{text}`")))
    }
}

/// A binding of a heap. Its descriptors are a runtime array.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeapBinding {
    set: u32,
    binding: u32,
}

/// The keys of a plan.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Keys {
    push_constant_size: Option<Spanned<u32>>,
    heap_counters: Option<Spanned<CounterPlace>>,
    heap_ranges: Option<Spanned<HeapRanges>>,
    heap_structures: Option<Spanned<PairPlace>>,
    heaps: BTreeMap<DescriptorType, HeapBinding>,
    resources: BTreeMap<Name, Spanned<Location>>,
    counters: BTreeMap<Name, Spanned<CounterPlace>>,
    ranges: BTreeMap<Name, Spanned<PairPlace>>,
}

/// Writes a place in one line. A table that has the kind of the place alone needs no braces.
fn write_place(out: &mut dyn fmt::Write, key: impl fmt::Display, place: &impl Serialize) -> fmt::Result {
    let value = text::line(place)?;
    match value.strip_prefix("{ ").and_then(|value| value.strip_suffix(" }")) {
        Some(value) => writeln!(out, "{key}.{value}"),
        None => writeln!(out, "{key} = {value}"),
    }
}

/// Writes a table of the places of resources, if there are any.
fn write_table<'a, P: Serialize + 'a>(
    out: &mut dyn fmt::Write,
    heading: &str,
    places: impl Iterator<Item = (Name, &'a P)>,
) -> fmt::Result {
    let mut places = places.peekable();
    if places.peek().is_some() {
        writeln!(out, "\n[{heading}]")?;
    }
    places.try_for_each(|(name, place)| write_place(out, format_args!("\"{name}\""), place))
}

impl fmt::Display for BindingPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "")
    }
}

impl BindingPlan {
    /// Writes the plan. Its headings begin with the path of the table that it is in.
    pub(crate) fn write(&self, out: &mut dyn fmt::Write, path: &str) -> fmt::Result {
        writeln!(out, "push_constant_size = {}", self.push_constant_size)?;
        if let Some(counters) = &self.heaps.counters {
            write_place(out, "heap_counters", counters)?;
        }
        if let Some(ranges) = &self.heaps.ranges {
            writeln!(out, "heap_ranges = {}", text::line(ranges)?)?;
        }
        if let Some(structures) = &self.heaps.structures {
            writeln!(out, "heap_structures = {}", text::line(structures)?)?;
        }
        if !self.heaps.descriptors.is_empty() {
            writeln!(out, "\n[{path}heaps]")?;
        }
        for &Descriptor { set, binding, ty, .. } in &self.heaps.descriptors {
            writeln!(out, "{ty} = {}", text::line(&HeapBinding { set, binding })?)?;
        }
        let planned = || {
            let names = Name::all(self.resources.values().map(|planned| planned.register));
            names.zip(self.resources.values())
        };
        write_table(out, &format!("{path}resources"), planned().map(|(name, planned)| (name, &planned.location)))?;
        let counters = planned().filter_map(|(name, planned)| Some((name, planned.counter.as_ref()?)));
        write_table(out, &format!("{path}counters"), counters)?;
        let mut ranges = planned().filter_map(|(name, planned)| Some((name, planned.range?))).peekable();
        if ranges.peek().is_some() {
            writeln!(out, "\n[{path}ranges]")?;
        }
        ranges.try_for_each(|(name, range)| writeln!(out, "\"{name}\" = {}", text::line(&range)?))
    }

    /// Reads a plan for a shader with these resources.
    ///
    /// # Errors
    /// `Malformed`, with line and column: wrong syntax, a resource that the shader does not have,
    /// or a second place for a resource. `Binding`, with the resource: the text has no place for
    /// it, or gives it a place that it cannot have. The errors of [`text::read`].
    pub fn parse(text: &str, resources: &PrimaryMap<ResourceId, Resource>) -> Result<Self> {
        text::read::<Keys>("plan", text)?.plan(text, resources)
    }
}

impl Keys {
    /// The plan for a shader with these resources. The text is that of the keys.
    ///
    /// # Errors
    /// Those of [`BindingPlan::parse`].
    pub(crate) fn plan(self, text: &str, resources: &PrimaryMap<ResourceId, Resource>) -> Result<BindingPlan> {
        let Self { push_constant_size, heap_counters, heap_ranges, heap_structures, heaps, .. } = self;
        let (mut locations, mut counters, mut ranges) = (self.resources, self.counters, self.ranges);
        // Views of descriptor heaps come after the declared resources and have no registers, hence
        // no lines.
        let declared = || resources.values().take_while(|resource| resource.is_declared());
        let names: Vec<Name> = Name::all(declared().map(Register::from_resource)).collect();
        let known: BTreeSet<Name> = names.iter().copied().collect();
        let given = locations.iter().map(|(name, place)| (name, place.span()));
        let given = given.chain(counters.iter().map(|(name, place)| (name, place.span())));
        let given = given.chain(ranges.iter().map(|(name, place)| (name, place.span())));
        if let Some((name, span)) = given.into_iter().find(|(name, _)| !known.contains(name)) {
            return Err(malformed!(text::place_at(text, span.start), "the shader has no resource {name}"));
        }
        let descriptor =
            |(ty, HeapBinding { set, binding })| Descriptor { set, binding, ty, first: 0, count: UNBOUNDED };
        let counters_of_heap = heap_counters.map(|place| heap_counters_of(text, &place)).transpose()?;
        let ranges_of_heap = heap_ranges.map(|ranges| {
            let &HeapRanges { untyped, typed, .. } = ranges.get_ref();
            let pairs: Vec<_> = untyped.into_iter().chain(typed).collect();
            heap_pairs(text, &ranges, "starts and sizes", &pairs)
        });
        let descriptors = heaps.into_iter().map(descriptor).collect();
        let structures = heap_structures.map(|place| heap_pairs(text, &place, "addresses", &[*place.get_ref()]));
        let heaps = HeapPlan {
            descriptors,
            counters: counters_of_heap,
            ranges: ranges_of_heap.transpose()?,
            structures: structures.transpose()?,
        };
        let mut plan = BindingPlan { heaps, ..BindingPlan::default() };
        for (resource, name) in declared().zip(names) {
            let missing = || binding_error!(resource.place(), "the plan has no line for {resource}");
            let location = locations.remove(&name).ok_or_else(missing)?.into_inner();
            let counter = counters.remove(&name).map(|place| counter(text, &place)).transpose()?;
            let range = ranges.remove(&name).map(Spanned::into_inner);
            let planned = ResourcePlan { register: name.register, location, counter, range };
            plan.add(resource, planned)?;
        }
        if let Some(size) = push_constant_size {
            if *size.get_ref() < plan.push_constant_size {
                return Err(malformed!(
                    text::place_at(text, size.span().start),
                    "push_constant_size is {size}, but the places of the resources use {} bytes",
                    plan.push_constant_size
                ));
            }
            plan.push_constant_size = size.into_inner();
        }
        Ok(plan)
    }
}

/// The place of a counter, or of the counters of an array of UAVs.
fn counter(text: &str, place: &Spanned<CounterPlace>) -> Result<CounterPlace> {
    match *place.get_ref() {
        CounterPlace::Addresses(PairPlace { buffer: Descriptor { first, count, .. }, .. })
            if (first, count) != (0, 1) =>
        {
            let place = text::place_at(text, place.span().start);
            Err(malformed!(place, "the addresses of counters are in one buffer, not in an array"))
        }
        place => Ok(place),
    }
}

/// What a heap has in pairs, which are checked.
fn heap_pairs<T: Copy>(text: &str, value: &Spanned<T>, what: &str, pairs: &[PairPlace]) -> Result<T> {
    let place = text::place_at(text, value.span().start);
    let fault = pairs.iter().find_map(PairPlace::fault);
    fault.map_or(Ok(*value.get_ref()), |why| Err(malformed!(place, "the {what} of a heap: {why}")))
}

/// The place of the counters of a heap.
fn heap_counters_of(text: &str, place: &Spanned<CounterPlace>) -> Result<CounterPlace> {
    let counters = counter(text, place)?;
    let place = text::place_at(text, place.span().start);
    let (accepted, what) = match counters {
        CounterPlace::Descriptor(_) => (COUNTER_ACCEPTED, "counters"),
        CounterPlace::Addresses(_) => (ADDRESSES_ACCEPTED, "addresses of the counters"),
    };
    let ty = counters.descriptor().ty;
    if !accepted.contains(&ty) {
        return Err(malformed!(place, "the {what} of a heap cannot be a {ty}"));
    }
    let all = match counters {
        CounterPlace::Descriptor(Descriptor { first, count, .. }) => (first, count) == (0, UNBOUNDED),
        CounterPlace::Addresses(PairPlace { first, .. }) => first == 0,
    };
    let wrong = || malformed!(place, "a heap has all its counters in one runtime array, without `first`");
    all.then_some(counters).ok_or_else(wrong)
}
