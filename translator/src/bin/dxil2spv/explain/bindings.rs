//! The table of resources: their names, their registers, and where they live in Vulkan.

use std::collections::BTreeMap;

use dxil_base::text;
use dxil_translator::ir::resources::{Resource, UNBOUNDED};
use dxil_translator::{CounterPlace, Descriptor, EntryId, Location, PipelinePlan, Shader};

use super::dxil::Listing;

/// The most rows of the table.
pub const MOST_ROWS: usize = 1000;

/// A resource at a place.
pub struct Row {
    /// Its name in the source; empty for none.
    pub name: String,
    /// Its registers.
    pub registers: String,
    /// What it is.
    pub kind: String,
    /// Where it lives.
    pub place: ShownPlace,
    /// The entry points that have it there.
    pub entries: Vec<EntryId>,
    /// Its line in the listing of DXIL.
    pub dxil: Option<usize>,
}

/// Where a resource lives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShownPlace {
    /// Set, binding, and the type and number of descriptors.
    Descriptor(u32, u32, String),
    /// Another place, in words.
    Other(String),
    /// No entry point uses it.
    Unused,
}

/// The rows. Without a plan no place is known.
pub fn rows(shader: &Shader, entries: &[EntryId], planned: Option<&PipelinePlan>, listing: &Listing) -> Vec<Row> {
    let mut rows = Vec::new();
    for (id, resource) in shader.program().resources.iter().filter(|(_, resource)| resource.is_declared()) {
        let (mut places, mut counters) = (Places::default(), Places::default());
        for (&entry, plan) in entries.iter().zip(planned.iter().flat_map(|planned| &planned.stages)) {
            let Some(planned) = plan.resources.get(id) else { continue };
            if let Some(place) = place(&planned.location) {
                places.entry(place).or_default().push(entry);
            }
            if let Some(counter) = &planned.counter {
                counters.entry(counter_place(counter)).or_default().push(entry);
            }
        }
        if places.is_empty() {
            places.insert(ShownPlace::Unused, Vec::new());
        }
        let row = |kind: String, (place, entries): (ShownPlace, Vec<EntryId>)| Row {
            name: resource.shown_name().to_string(),
            registers: registers(resource),
            kind,
            place,
            entries,
            dxil: listing.resource(id),
        };
        rows.extend(places.into_iter().map(|found| row(kind(resource), found)));
        rows.extend(counters.into_iter().map(|found| row("its counter".to_owned(), found)));
    }
    rows.extend(heaps(entries, planned));
    rows
}

/// The entry points by the places that they have a resource at.
type Places = BTreeMap<ShownPlace, Vec<EntryId>>;

/// The rows of the descriptor heaps.
fn heaps(entries: &[EntryId], planned: Option<&PipelinePlan>) -> Vec<Row> {
    let mut places: BTreeMap<(&str, ShownPlace), Vec<EntryId>> = BTreeMap::new();
    for (&entry, plan) in entries.iter().zip(planned.iter().flat_map(|planned| &planned.stages)) {
        let mut add = |what, place| places.entry((what, place)).or_default().push(entry);
        for heap in &plan.heaps.descriptors {
            let is_sampler = heap.ty == dxil_translator::DescriptorType::Sampler;
            let name = if is_sampler { "SamplerDescriptorHeap" } else { "ResourceDescriptorHeap" };
            add(name, descriptor(heap));
        }
        if let Some(counters) = &plan.heaps.counters {
            add("counters of ResourceDescriptorHeap", counter_place(counters));
        }
        if let Some(structures) = &plan.heaps.structures {
            add("acceleration structures of ResourceDescriptorHeap", descriptor(&structures.buffer));
        }
    }
    let row = |((name, place), entries): ((&str, ShownPlace), Vec<EntryId>)| Row {
        name: name.to_owned(),
        registers: String::new(),
        kind: "heap".to_owned(),
        place,
        entries,
        dxil: None,
    };
    places.into_iter().map(row).collect()
}

fn registers(resource: &Resource) -> String {
    let count = match resource.count {
        1 => String::new(),
        UNBOUNDED => "[]".to_owned(),
        count => format!("[{count}]"),
    };
    format!("{}{}{count} space{}", resource.class.letter(), resource.lower_bound, resource.space)
}

fn kind(resource: &Resource) -> String {
    let mut text = resource.kind.to_string();
    if let Some(element) = resource.element {
        text += &format!("<{element}>");
    }
    if resource.size != 0 {
        text += &format!(", {} bytes", resource.size);
    }
    text
}

fn descriptor(it: &Descriptor) -> ShownPlace {
    let array = match it.count {
        1 => String::new(),
        UNBOUNDED => " []".to_owned(),
        count => format!(" [{count}]"),
    };
    let first = if it.first == 0 { String::new() } else { format!(", from element {}", it.first) };
    ShownPlace::Descriptor(it.set, it.binding, format!("{}{array}{first}", it.ty))
}

fn counter_place(counter: &CounterPlace) -> ShownPlace {
    descriptor(counter.descriptor())
}

/// `None` for a resource that the entry point does not use.
fn place(location: &Location) -> Option<ShownPlace> {
    match location {
        Location::Unused => None,
        Location::Descriptor(it) => Some(descriptor(it)),
        Location::Push { offset, size } => {
            Some(ShownPlace::Other(format!("push constants, bytes {offset} to {}", offset.saturating_add(*size))))
        }
        other => {
            // The text of a plan has no error of its own.
            Some(ShownPlace::Other(format!("{}: {}", other.kind(), text::line(other).unwrap_or_default())))
        }
    }
}
