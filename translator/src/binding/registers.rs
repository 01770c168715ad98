//! The registers of the items of a root signature, against those of a resource.
//!
//! In: an item's registers, and a resource. Out: whether the item has all registers of the resource
//! and the stage sees it; if not, what is near it, for messages. [`Spans`] finds the items that
//! come into question. What must hold: as in D3D12, one item has all registers of a resource.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use super::root_signature::{DescriptorRange, RootParameterKind, RootSignature, Visibility};
use crate::ir::resources::{Resource, UNBOUNDED};
use crate::ops::consts::{ResourceClass, ShaderStage};

/// An item of a root signature, by index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RootItem {
    /// A root parameter.
    Parameter(u32),
    /// A static sampler.
    StaticSampler(u32),
}

impl fmt::Display for RootItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RootItem::Parameter(index) => write!(f, "parameter {index}"),
            RootItem::StaticSampler(index) => write!(f, "static sampler {index}"),
        }
    }
}

/// An item that has some registers of the resource but does not fit, for messages.
pub(super) enum NearMiss {
    /// Other stages see it.
    Invisible(RootItem, Visibility),
    /// It has a part of the registers.
    Partly(RootItem),
}

/// The registers of an item of a root signature.
#[derive(Clone, Copy)]
pub(super) struct RegisterRange {
    /// Register class.
    pub class: ResourceClass,
    /// First register.
    pub register: u32,
    /// Number of registers.
    pub count: u32,
    /// Register space.
    pub space: u32,
}

/// The last of some registers.
pub(super) fn last(register: u32, count: u32) -> u32 {
    if count == UNBOUNDED { u32::MAX } else { register.saturating_add(count.saturating_sub(1)) }
}

impl RegisterRange {
    /// Whether the item has all registers of the resource, and the stage sees it.
    pub fn look(
        &self,
        resource: &Resource,
        visibility: Visibility,
        stage: ShaderStage,
        item: RootItem,
        near: &mut Option<NearMiss>,
    ) -> bool {
        if visibility.includes(stage) {
            return self.has(resource, item, near);
        }
        if self.touches(resource) {
            *near = Some(NearMiss::Invisible(item, visibility));
        }
        false
    }

    /// Whether the item has all registers of the resource.
    pub fn has(&self, resource: &Resource, item: RootItem, near: &mut Option<NearMiss>) -> bool {
        let touches = self.touches(resource);
        let whole = self.register <= resource.lower_bound
            && last(resource.lower_bound, resource.count) <= last(self.register, self.count);
        if touches && !whole {
            *near = Some(NearMiss::Partly(item));
        }
        touches && whole
    }

    /// Whether the item has some registers of the resource.
    pub fn touches(&self, resource: &Resource) -> bool {
        (self.class, self.space) == (resource.class, resource.space)
            && resource.lower_bound <= last(self.register, self.count)
            && self.register <= last(resource.lower_bound, resource.count)
    }
}

/// Ranges of registers by number, for finding those that have registers of a resource.
#[derive(Default)]
pub(super) struct Spans(BTreeMap<(ResourceClass, u32, u32), Vec<RegisterSpan>>);

#[derive(Clone, Copy)]
struct RegisterSpan {
    first: u32,
    last: u32,
    /// The largest last register of this range and those before it.
    most: u32,
    number: usize,
}

impl Spans {
    /// The index of these ranges with their numbers. Ranges of one kind, which is the last of each
    /// triple, should not overlap, because a search visits those that overlap others.
    pub fn new(ranges: impl Iterator<Item = (usize, RegisterRange, u32)>) -> Self {
        let mut spans = Self::default();
        for (number, registers, kind) in ranges {
            let RegisterRange { class, register: first, count, space } = registers;
            let last = last(first, count);
            spans.0.entry((class, space, kind)).or_default().push(RegisterSpan { first, last, most: last, number });
        }
        for spans in spans.0.values_mut() {
            spans.sort_by_key(|span| span.first);
            let mut most = 0;
            for span in spans {
                most = span.last.max(most);
                span.most = most;
            }
        }
        spans
    }

    /// The numbers of the ranges of some kinds with some of the resource's registers, in no order.
    /// An array may have registers of thousands of ranges.
    fn near(
        &self,
        resource: &Resource,
        last: u32,
        kinds: RangeInclusive<u32>,
    ) -> impl Iterator<Item = usize> + use<'_> {
        let (class, space, first) = (resource.class, resource.space, resource.lower_bound);
        let spans = self.0.range((class, space, *kinds.start())..=(class, space, *kinds.end()));
        spans.flat_map(move |(_, spans)| {
            let before = spans.partition_point(|span| span.first <= last);
            let near = spans.iter().take(before).rev().take_while(move |span| span.most >= first);
            near.filter(move |span| span.last >= first).map(|span| span.number)
        })
    }

    /// The numbers of the ranges with the first register of the resource, in order: those that may
    /// have all of its registers. There is at most one of each kind whose ranges do not overlap.
    pub fn with_first(&self, resource: &Resource) -> Vec<usize> {
        let mut found: Vec<usize> = self.near(resource, resource.lower_bound, ALL_KINDS).collect();
        found.sort_unstable();
        found
    }

    /// The numbers of the ranges with registers of the resource, in order.
    fn touching(&self, resource: &Resource) -> Vec<usize> {
        let last = last(resource.lower_bound, resource.count);
        let mut found: Vec<usize> = self.near(resource, last, ALL_KINDS).collect();
        found.sort_unstable();
        found
    }
}

/// The kinds of ranges.
const ALL_KINDS: RangeInclusive<u32> = 0..=u32::MAX;
/// The kinds of ranges of root parameters: their visibilities. Those of static samplers follow.
const PARAMETERS: RangeInclusive<u32> = 0..=0xff;

/// What an item of a root signature with registers is.
#[derive(Clone, Copy)]
pub(super) enum RootItemContent<'a> {
    /// Root constants, this many.
    Constants(u32),
    /// A root descriptor.
    Descriptor,
    /// A range of a table: its index there, and the number of the table among all tables.
    Range(&'a DescriptorRange, u32, u32),
    /// A static sampler.
    StaticSampler,
}

/// A part of a root signature with registers: root constants, a root descriptor, one range of a
/// table, or a static sampler.
pub(super) struct Piece<'a> {
    /// The item that it belongs to.
    pub item: RootItem,
    /// What it is.
    pub held: RootItemContent<'a>,
    /// Its registers.
    pub registers: RegisterRange,
    /// The stages that see it.
    pub visibility: Visibility,
}

/// All parts of a root signature with registers, in its order.
pub(super) struct Pieces<'a> {
    all: Vec<Piece<'a>>,
    spans: Spans,
}

impl<'a> Pieces<'a> {
    /// The parts of a signature.
    pub fn new(signature: &'a RootSignature) -> Self {
        let (mut all, mut tables) = (Vec::new(), 0);
        for (index, parameter) in (0..).zip(&signature.parameters) {
            let piece = |held, class, register, count, space| {
                let registers = RegisterRange { class, register, count, space };
                Piece { item: RootItem::Parameter(index), held, registers, visibility: parameter.visibility }
            };
            match &parameter.kind {
                &RootParameterKind::Constants { register, space, count } => {
                    all.push(piece(RootItemContent::Constants(count), ResourceClass::CBuffer, register, 1, space));
                }
                &RootParameterKind::Descriptor { class, register, space, .. } => {
                    all.push(piece(RootItemContent::Descriptor, class, register, 1, space));
                }
                RootParameterKind::Table(ranges) => {
                    let ranges = (0..).zip(ranges);
                    all.extend(ranges.map(|(number, range)| {
                        let held = RootItemContent::Range(range, number, tables);
                        piece(held, range.class, range.register, range.count, range.space)
                    }));
                    tables += 1;
                }
            }
        }
        for (index, sampler) in (0..).zip(&signature.static_samplers) {
            let (class, register, space) = (ResourceClass::Sampler, sampler.register, sampler.space);
            let registers = RegisterRange { class, register, count: 1, space };
            let (item, held) = (RootItem::StaticSampler(index), RootItemContent::StaticSampler);
            all.push(Piece { item, held, registers, visibility: sampler.visibility });
        }
        // The parts that one stage sees do not overlap (D3D12, "Root Signatures").
        let spans = Spans::new(all.iter().enumerate().map(|(number, piece)| {
            let of_item = match piece.item {
                RootItem::Parameter(_) => 0,
                RootItem::StaticSampler(_) => PARAMETERS.end() + 1,
            };
            (number, piece.registers, of_item + piece.visibility as u32)
        }));
        Self { all, spans }
    }

    /// The parts with the first register of the resource, in order: those that may have all of its
    /// registers.
    pub fn with_first(&self, resource: &Resource) -> impl Iterator<Item = &Piece<'a>> {
        self.spans.with_first(resource).into_iter().filter_map(|number| self.all.get(number))
    }

    /// The parts with registers of the resource, in order. There may be thousands of them, which
    /// only messages need.
    pub fn touching(&self, resource: &Resource) -> impl Iterator<Item = &Piece<'a>> {
        self.spans.touching(resource).into_iter().filter_map(|number| self.all.get(number))
    }

    /// Whether a parameter has registers of the resource.
    pub fn parameter_touches(&self, resource: &Resource) -> bool {
        let last = last(resource.lower_bound, resource.count);
        self.spans.near(resource, last, PARAMETERS).next().is_some()
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.all.len()
    }
}
