//! The `map` model: the caller lists the place of each range of registers.
//!
//! In: a [`BindingMap`], which [`read`] makes from text, and the resources of a pipeline's
//! stages. Out: requests. What must hold: no register of a stage is in two entries, so that the
//! order of the entries does not matter; an entry that no resource matches is accepted, because one
//! map serves many shaders.

mod entries;
mod read;

use std::collections::BTreeMap;

use foldhash::HashMap;

use super::arguments::check_root_descriptor;
use super::heap::Heaps;
use super::inputs::{PlanInputs, StageResources};
use super::options::{BindingOptions, Model};
use super::place_request::{Hints, Origin, PlaceRequest, PlaceRequests, RangeRequest, Slot, Spot};
use super::places::has_ranges;
use super::plan::Root;
use super::record::{self, Records};
use super::registers::{Spans, last};
use crate::ir::resources::{Resource, UNBOUNDED};
use crate::ops::consts::{ResourceKind, ShaderStage};
pub use entries::BindingMap;
use entries::{MapBinding, MapCounter, MapEntry, MapPair, MapPlace, MapRanges, MapRoot};

impl BindingMap {
    /// The entries that have a place for no resource of these stages, each as a text that names it.
    pub fn unmatched(&self, stages: &[StageResources<'_>]) -> Vec<String> {
        let mut spans = HashMap::default();
        let mut matched = vec![false; self.entries.len()];
        for stage in stages {
            let spans = spans.entry(stage.stage).or_insert_with(|| self.spans(stage.stage));
            for (_, resource) in stage.declared().filter(|(id, _)| stage.uses(*id)) {
                for number in spans.with_first(resource) {
                    if let (Some(matched), Some(entry)) = (matched.get_mut(number), self.entries.get(number)) {
                        *matched |= entry.has_first(resource, stage.stage);
                    }
                }
            }
        }
        let entries = self.entries.iter().enumerate().zip(matched).filter(|(_, matched)| !matched);
        entries.map(|((index, entry), _)| format!("entries[{index}] ({entry})")).collect()
    }

    /// The registers of the entries for a stage, which do not overlap.
    fn spans(&self, stage: ShaderStage) -> Spans {
        let entries = self.entries.iter().enumerate().filter(|(_, entry)| entry.is_for(stage));
        Spans::new(entries.map(|(number, entry)| (number, entry.registers(), 0)))
    }

    /// `spans` has the entries for the stage, and `hints` counts a resource without an entry.
    fn request(
        &self,
        resource: &Resource,
        stage: ShaderStage,
        spans: &Spans,
        hints: &Hints,
        options: &BindingOptions,
    ) -> Result<PlaceRequest, String> {
        let numbers = spans.with_first(resource).into_iter();
        let mut entries = numbers.filter_map(|index| Some((index, self.entries.get(index)?)));
        let Some((index, entry)) = entries.find(|(_, entry)| entry.has_first(resource, stage)) else {
            let mut all = self.entries.iter().enumerate().map(|(index, entry)| NumberedEntry { index, entry });
            let near = hints.take().then(|| all.find(|near| near.entry.registers().touches(resource))).flatten();
            return Err(no_entry(near, stage));
        };
        let named = || format!("entries[{index}] of the map ({entry})");
        if last(resource.lower_bound, resource.count) > entry.last() {
            let named = named();
            return Err(format!("{named} has only a part of its registers; one entry must have all of them"));
        }
        let into = resource.lower_bound.saturating_sub(entry.register);
        let origin = Origin::Map(index as u32);
        let block = |root: MapRoot| {
            let MapBinding { set, binding } = root.block?;
            Some(Slot { set, binding, first: 0, count: 1, origin: Origin::MapBlock(index as u32) })
        };
        let (set, binding, first, counter, ranges, table, addresses) = match entry.place {
            MapPlace::Push(root) => {
                return push(resource, root.offset, block(root)).map_err(|why| format!("{}: {why}", named()));
            }
            MapPlace::Address(root) => {
                check_root_descriptor(resource).map_err(|why| format!("{} {why}", named()))?;
                let request = PlaceRequest::new(Spot::Address(Root::Push(root.offset)), None);
                return Ok(PlaceRequest { block: block(root), ..request });
            }
            MapPlace::Set { set, binding, first, counter, ranges, table, addresses } => {
                (set, binding, first, counter, ranges, table, addresses)
            }
        };
        if addresses.is_some() && resource.kind != ResourceKind::RtAccelerationStructure {
            return Err(format!("{}: `addresses` is for acceleration structures", named()));
        }
        let in_heap = table.is_some() || addresses.is_some();
        let slot = |set: u32, binding: u32, what: &str| {
            let too_large = || format!("{}: the {what} of register {} has no 32 bits", named(), resource.lower_bound);
            let (binding, first) = match first.or(in_heap.then_some(0)) {
                None => (binding.checked_add(into).ok_or_else(too_large)?, 0),
                Some(first) => (binding, first.checked_add(into).ok_or_else(too_large)?),
            };
            let (count, origin) = match (resource.count, first) {
                _ if in_heap => (UNBOUNDED, Origin::MapHeap(index as u32)),
                (UNBOUNDED, _) => (UNBOUNDED, origin),
                (count, first) => (first.checked_add(count).ok_or_else(too_large)?, origin),
            };
            Ok::<_, String>(Slot { set, binding, first, count, origin })
        };
        let pair = |MapPair { stride, offset }| [stride, offset];
        let requested = slot(set, binding, "place")?;
        let counter_pair = counter.and_then(|counter| counter.addresses).map(pair);
        let counter = match (resource.has_counter, counter) {
            (false, _) => None,
            (true, Some(MapCounter { set, binding, .. })) => Some(slot(set, binding, "counter")?),
            // Without a place of its own, a counter is where the other models put it.
            (true, None) => {
                let shift = options.shifts.c;
                let binding = requested.binding.checked_add(shift);
                let binding = binding.ok_or_else(|| {
                    let (named, binding) = (named(), requested.binding);
                    format!("{named}: binding {binding} plus shift c={shift} is not a 32-bit number")
                })?;
                Some(Slot { binding, ..requested })
            }
        };
        let range = ranges.filter(|_| has_ranges(resource)).map(|MapRanges { set, binding, first, stride, offset }| {
            let first = first.checked_add(into);
            let first = first.ok_or_else(|| format!("{}: the entry of `ranges` has no 32 bits", named()))?;
            let slot = Slot { set, binding, first, count: 1, origin: Origin::Ranges(index as u32) };
            Ok::<_, String>(RangeRequest { slot, stride, offset })
        });
        let spot = match in_heap {
            false => Spot::Slot(requested),
            true => {
                let table = table.map(|table| Root::Push(table.offset));
                Spot::Heap { heap: requested, table, addresses: addresses.map(pair) }
            }
        };
        let range = range.transpose()?;
        Ok(PlaceRequest { spot, counter, counter_pair, range, block: table.and_then(block) })
    }
}

/// An entry, with its number in the map.
struct NumberedEntry<'a> {
    index: usize,
    entry: &'a MapEntry,
}

/// Says that no entry has a resource. `near` is the first one that has it for other stages or in
/// part.
fn no_entry(near: Option<NumberedEntry<'_>>, stage: ShaderStage) -> String {
    match near {
        None => "the map has no entry for its registers".to_owned(),
        Some(NumberedEntry { index, entry }) if entry.is_for(stage) => {
            format!(
                "entries[{index}] of the map ({entry}) has only a part of its registers; one entry must have all of them"
            )
        }
        Some(NumberedEntry { index, entry }) => {
            format!("entries[{index}] of the map ({entry}) has its registers, but not for the stage {stage}")
        }
    }
}

/// The request of root constants at a byte of the push constants, or of a block.
fn push(resource: &Resource, offset: u32, block: Option<Slot>) -> Result<PlaceRequest, String> {
    if resource.is_array() {
        return Err("an array of constant buffers cannot be in push constants".to_owned());
    }
    let size = resource.size.saturating_add(3) & !3;
    let spot = match block {
        Some(block) => Spot::Inline { block, offset, size },
        None => Spot::Push { offset, size },
    };
    Ok(PlaceRequest::new(spot, None))
}

/// The model's requests for the stages.
pub(super) fn requests(
    stages: &[StageResources<'_>],
    records: &Records<'_>,
    map: &BindingMap,
    inputs: &PlanInputs<'_>,
) -> PlaceRequests {
    let options = &inputs.options;
    let heaps = Heaps::new(options, None, inputs.layout, inputs.profile);
    let (hints, texts, of_bytes) = (Hints::new(), Hints::new(), Hints::new());
    let mut spans = HashMap::default();
    let requests = |(index, stage): (usize, &StageResources<'_>)| {
        let record = records.stage(index);
        let spans = &*spans.entry(stage.stage).or_insert_with(|| map.spans(stage.stage));
        let place = |resource| map.request(resource, stage.stage, spans, &hints, options);
        let own = |(id, resource)| {
            record::without_model(stage, id, &heaps, record, &hints).unwrap_or_else(|| place(resource))
        };
        let mut requests: Vec<_> = stage.declared().map(|declared| texts.keep(own(declared))).collect();
        separate(stage, &mut requests, &of_bytes);
        requests
    };
    let stages: Vec<Vec<_>> = stages.iter().enumerate().map(requests).collect();
    let is_address = |request: &Result<PlaceRequest, String>| {
        matches!(request, Ok(PlaceRequest { spot: Spot::Address(Root::Push(_)), .. }))
    };
    let addresses = stages.iter().flatten().any(is_address);
    PlaceRequests {
        model: Model::Map,
        shifts: options.shifts,
        heaps,
        root_set: None,
        addresses,
        root_block: false,
        is_form_unknown: false,
        stages,
    }
}

/// Refuses bytes of the push constants, or of a block, that two resources of a stage have: members
/// of a block cannot overlap (SPIR-V specification, "Offset"). Resources of one table share its
/// word. `texts` counts the messages.
fn separate(stage: &StageResources<'_>, requests: &mut [Result<PlaceRequest, String>], texts: &Hints) {
    // What is taken does not overlap, so ranges in the order of their starts are in that of their
    // ends.
    let mut taken = BTreeMap::<_, (&Resource, bool)>::new();
    for ((_, resource), request) in stage.declared().zip(requests) {
        let Ok(PlaceRequest { spot, block, .. }) = request else { continue };
        let (block, offset, size, is_table) = match spot {
            Spot::Push { offset, size } => (None, *offset, *size, false),
            Spot::Inline { block, offset, size } => (Some(*block), *offset, *size, false),
            Spot::Address(Root::Push(offset)) => (*block, *offset, 8, false),
            Spot::Heap { table: Some(Root::Push(offset)), .. } => (*block, *offset, 4, true),
            _ => continue,
        };
        let block = block.map(|Slot { set, binding, .. }| (set, binding));
        let end = offset.saturating_add(size);
        match taken.range((block, 0, 0)..(block, end, 0)).next_back() {
            Some((&(_, first, last), &(_, true))) if is_table && (first, last) == (offset, end) => {}
            Some((&(_, first, last), (other, _))) if offset < last => {
                let what = block.map_or("push constants".to_owned(), |(set, binding)| {
                    format!("the block at set {set} binding {binding}")
                });
                *request = texts.keep(Err(format!(
                    "{what} at bytes {offset} to {end}, of which the map gives some to {other}, at bytes {first} to {last}"
                )));
            }
            _ => {
                taken.insert((block, offset, end), (resource, is_table));
            }
        }
    }
}
