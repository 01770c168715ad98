//! Requests for places: the place that a binding model wants for a resource, before its descriptor
//! type is known. A place is a set, binding and array element, or a range of bytes of push
//! constants or of the shader record.
//!
//! In: a model ([`register`](super::register), [`tables`](super::tables)) makes requests for
//! resources. Out: one request per resource, which [`resolve`](mod@super::resolve) checks against
//! the layout and turns into a plan. What must hold: if the model has no place for a resource, the
//! request is a message that says what the model looked for.

use std::cell::Cell;

use super::heap::{HeapSpot, Heaps};
use super::mismatch::LISTED;
use super::options::{Model, RegisterShifts};
use super::plan::Root;
pub(super) use super::slot::{Origin, Slot};

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
    /// In a descriptor heap that is a binding of its own.
    Heap {
        /// The heap. `first` is the offset in the table.
        heap: Slot,
        /// The place of the table's heap index; `None` if that is 0.
        table: Option<Root>,
        /// For acceleration structures that are addresses: stride and offset, in the terms of
        /// [`PairPlace`](super::plan::PairPlace).
        addresses: Option<[u32; 2]>,
    },
    /// No place: the entry point does not use the resource.
    Unused,
}

/// The places of a resource and of its hidden counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlaceRequest {
    /// The resource's place.
    pub spot: Spot,
    /// The place of its hidden counter, if the shader uses one.
    pub counter: Option<Slot>,
    /// For a counter that is at an address: stride and offset, in the terms of
    /// [`PairPlace`](super::plan::PairPlace).
    pub counter_pair: Option<[u32; 2]>,
    /// The place of the starts and sizes of its views.
    pub range: Option<RangeRequest>,
    /// The uniform block that has the root argument of the place, if it is not in the push
    /// constants.
    pub block: Option<Slot>,
}

/// The place of the starts and sizes of views, in the terms of
/// [`PairPlace`](super::plan::PairPlace).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RangeRequest {
    /// The buffer. `first` is the entry of the resource's first register.
    pub slot: Slot,
    /// The pairs of an entry.
    pub stride: u32,
    /// Which of them it is.
    pub offset: u32,
}

impl PlaceRequest {
    /// The request of a resource that the entry point does not use.
    pub const UNUSED: Self = Self::new(Spot::Unused, None);

    /// A resource that has all that its descriptors have.
    pub const fn new(spot: Spot, counter: Option<Slot>) -> Self {
        Self { spot, counter, counter_pair: None, range: None, block: None }
    }
}

/// The requests of one model for a pipeline.
#[derive(Clone, Debug)]
pub(super) struct PlaceRequests {
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
    /// Whether root constants are in a block of the root set.
    pub root_block: bool,
    /// Whether a message says that the layout does not tell the form of root descriptors.
    pub is_form_unknown: bool,
    /// The request of each declared resource of each stage, or a message that says why it has none.
    /// The message of a resource that no error lists may be empty.
    pub stages: Vec<Vec<Result<PlaceRequest, String>>>,
}

/// How many more resources without a place have a message that is costly to find or to keep. An
/// error lists the first of them, in the order in which models make requests.
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

    /// A request, without its message if it is that of a resource that no error lists.
    pub fn keep(&self, request: Result<PlaceRequest, String>) -> Result<PlaceRequest, String> {
        request.map_err(|message| if self.take() { message } else { String::new() })
    }
}
