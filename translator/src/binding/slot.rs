//! Descriptors in a set whose type is not known yet, and the rule that chose them.

use std::fmt;

use crate::ir::resources::Heap;

/// The rule by which a model chose a descriptor's place, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The register and space of the resource.
    Register,
    /// A range of a descriptor table: index of the root parameter, index of the range in the table.
    Range(u32, u32),
    /// A root descriptor: index of the root parameter.
    RootDescriptor(u32),
    /// A static sampler: its index.
    StaticSampler(u32),
    /// A static sampler of a local root signature: its register and space.
    LocalSampler(u32, u32),
    /// A descriptor heap.
    Heap(Heap),
    /// The counters of UAVs in the resource heap.
    HeapCounters,
    /// The addresses of the counters of UAVs in the resource heap.
    HeapCounterAddresses,
    /// Root constants outside push constants: index of the root parameter.
    Constants(u32),
    /// An entry of a binding map: its index.
    Map(u32),
    /// A heap, by an entry of a binding map: its index.
    MapHeap(u32),
    /// A block with root arguments, by an entry of a binding map: its index.
    MapBlock(u32),
    /// The starts and sizes of views, by an entry of a binding map: its index.
    Ranges(u32),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Register => write!(f, "by register and space"),
            Origin::Range(parameter, range) => write!(f, "root parameter {parameter}, range {range} of its table"),
            Origin::RootDescriptor(parameter) => write!(f, "root parameter {parameter}, a root descriptor"),
            Origin::StaticSampler(sampler) => write!(f, "static sampler {sampler}"),
            Origin::LocalSampler(register, space) => {
                write!(f, "static sampler s{register} space{space} of the local root signature")
            }
            Origin::Heap(heap) => write!(f, "{heap}"),
            Origin::HeapCounters => write!(f, "the counters of {}", Heap::Resources),
            Origin::HeapCounterAddresses => write!(f, "the addresses of the counters of {}", Heap::Resources),
            Origin::Constants(parameter) => write!(f, "root parameter {parameter}, root constants"),
            Origin::Map(entry) => write!(f, "entries[{entry}] of the map"),
            Origin::MapHeap(entry) => write!(f, "the heap of entries[{entry}] of the map"),
            Origin::MapBlock(entry) => write!(f, "the block of entries[{entry}] of the map"),
            Origin::Ranges(entry) => write!(f, "`ranges` of entries[{entry}] of the map"),
        }
    }
}

/// Descriptors in a set whose type is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// Array element of the binding that is the resource's first register.
    pub first: u32,
    /// Descriptors in the binding as the shader declares it, as in
    /// [`Descriptor`](super::plan::Descriptor).
    pub count: u32,
    /// The rule that chose the place.
    pub origin: Origin,
}
