//! Claims: the place that a binding model wants for a resource, before its descriptor type is
//! known. A place is a set, binding and array element, or a range of bytes of push constants or of
//! the shader record.
//!
//! In: a model ([`register`](super::register), [`tables`](super::tables)) makes claims for
//! resources. Out: one claim per resource, which [`settle`](mod@super::settle) checks against the
//! layout and turns into a plan. What must hold: if the model has no place for a resource, the
//! claim is a message that says what the model looked for.

use std::cell::Cell;
use std::fmt;

use super::LISTED;
use super::heap::{HeapSpot, Heaps};
use super::options::{Model, RegisterShifts};
use super::plan::Root;
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

/// Where a model puts a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// In a descriptor set.
    Slot(Slot),
    /// In the push-constant block.
    Push {
        /// First byte.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// Root constants in a block that several parameters share.
    Inline {
        /// The block's descriptor.
        block: Slot,
        /// First byte in the block.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// Root constants in a buffer that several parameters share, at an address that is a root
    /// argument.
    InlineAddress {
        /// The place of the address.
        address: Root,
        /// First byte in the buffer.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// Root constants in the shader record.
    Record {
        /// First byte.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// At an address that is a root argument.
    Address(Root),
    /// In a descriptor heap: in a descriptor table whose heap index is a root argument.
    Table {
        /// The place in the heap.
        spot: HeapSpot,
        /// The place of the table's heap index.
        table: Root,
    },
    /// No place: the entry point does not use the resource.
    Unused,
}

/// The places of a resource and of its hidden counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// The resource's place.
    pub spot: Spot,
    /// The place of its hidden counter, if the shader uses one.
    pub counter: Option<Slot>,
}

impl Claim {
    /// The claim of a resource that the entry point does not use.
    pub const UNUSED: Self = Self { spot: Spot::Unused, counter: None };
}

/// The claims of one model for a pipeline.
#[derive(Clone, Debug)]
pub(super) struct Claims {
    /// The model.
    pub model: Model,
    /// The shifts that the model used, for messages.
    pub shifts: RegisterShifts,
    /// The descriptor heaps.
    pub heaps: Heaps,
    /// The number of the root set, under the root-signature model.
    pub root_set: Option<u32>,
    /// Whether some root argument is an address.
    pub addresses: bool,
    /// The claim of each declared resource of each stage, or a message that says why it has none. The
    /// message of a resource that no error lists may be empty.
    pub stages: Vec<Vec<Result<Claim, String>>>,
}

/// How many more resources without a place have a message that is costly to find or to keep. An error
/// lists the first of them, in the order in which models make claims.
pub(super) struct Hints(Cell<usize>);

impl Hints {
    /// As many as an error lists.
    pub fn new() -> Self {
        Self(Cell::new(LISTED))
    }

    /// Whether a resource without a place is one of those that an error lists. Counts the resource.
    pub fn take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }

    /// A claim, without its message if it is that of a resource that no error lists.
    pub fn keep(&self, claim: Result<Claim, String>) -> Result<Claim, String> {
        claim.map_err(|message| if self.take() { message } else { String::new() })
    }
}
