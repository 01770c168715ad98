//! The `root-signature` model: descriptor tables are sets, and the rest is in the root set and in
//! push constants.
//!
//! In: the resources of a pipeline's stages, and their root signature. Out: requests. What must
//! hold (docs/bindings.md): if the signature has n parameters and T of them are tables, the k-th
//! table is set k, and the binding of a descriptor is its offset in the table; a root descriptor
//! that is parameter i is binding i of set T (the *root set*), and static sampler j is binding n +
//! j there; root constants are in the push-constant block, in the order of the parameters, or in a
//! block at binding n + (number of static samplers) of set T. An array over several offsets, in any
//! stage, is one binding, and the other stages index into it.

use std::cell::Cell;
use std::cmp::Reverse;

use foldhash::HashSet;

pub(super) use super::arguments::check_root_descriptor;
use super::arguments::{ADDRESS, ConstantsPlace, INDEX, Pushed, RootArguments, constant_binding};
use super::heap::{HeapSpot, Heaps};
use super::inputs::{PlanInputs, StageResources};
use super::layout::{LayoutBinding, PipelineLayout};
use super::mismatch::LISTED;
use super::options::{BindingOptions, Model, RegisterShifts, RootDescriptors, RootTables};
use super::place_request::{Hints, Origin, PlaceRequest, PlaceRequests, Slot, Spot};
use super::plan::{DescriptorType, Root};
use super::record::{self, LocalSamplers, Records};
use super::registers::{NearMiss, Pieces, RootItem, RootItemContent};
use super::resolve::without;
use super::root_signature::{RootParameterKind, RootSignature, flags};
use crate::ir::resources::{Heap, Resource, UNBOUNDED};
use crate::ops::consts::{ResourceClass, ShaderStage};
use dxil_base::error::{Place, Result};

/// The global root signature of a pipeline: the given one, otherwise the one in the containers of
/// its stages.
///
/// # Errors
/// `Binding`: there is none, the signatures of two stages differ, or it is a local root signature.
pub(super) fn common<'a>(stages: &[StageResources<'a>], given: Option<&'a RootSignature>) -> Result<&'a RootSignature> {
    if let Some(signature) = given {
        return global(signature);
    }
    let mut all = stages.iter().filter_map(|stage| Some((stage.stage, stage.root_signature?)));
    let Some((stage, signature)) = all.next() else {
        return Err(binding_error!(
            Place::Input,
            "the binding model root-signature needs a root signature, but no stage of the pipeline has one; compile the \
             shaders with a root signature, or choose the model register or auto"
        ));
    };
    // Stages of one library share a root signature, which may be long.
    let mut same = HashSet::from_iter([std::ptr::from_ref(signature)]);
    let mut differs = |other| same.insert(std::ptr::from_ref(other)) && !other.is_same_as(signature);
    if let Some((other_stage, other)) = all.find(|&(_, other)| differs(other)) {
        let (text, other_text) = (signature.to_string(), other.to_string());
        let mut lines = text.lines().chain([""]).zip(other_text.lines().chain([""]));
        let difference = match lines.find(|(line, other)| line != other) {
            Some((line, other)) => format!("`{line}` and `{other}`"),
            None => format!("version {} and {}", signature.version, other.version),
        };
        return Err(binding_error!(
            Place::Input,
            "the root signatures of the {stage} and {other_stage} stages differ, but a pipeline has only one: {difference}"
        ));
    }
    global(signature)
}

/// Checks that a root signature is a global one.
fn global(signature: &RootSignature) -> Result<&RootSignature> {
    if signature.is_local() {
        return Err(binding_error!(
            Place::Input,
            "expected the pipeline's global root signature, found a local one (its flags have LOCAL_ROOT_SIGNATURE)"
        ));
    }
    Ok(signature)
}

/// The model's requests for the stages.
pub(super) fn requests(
    stages: &[StageResources<'_>],
    records: &Records<'_>,
    signature: &RootSignature,
    &PlanInputs { options, layout, profile, .. }: &PlanInputs<'_>,
) -> PlaceRequests {
    let BindingOptions { shifts, .. } = options;
    let first = constant_binding(signature).saturating_add(1);
    let local = LocalSamplers::new(stages, first);
    #[expect(clippy::disallowed_fields, reason = "root constants are held to the device's bytes of push constants")]
    let most = profile.limits.max_push_constants_size;
    let map = RootMap::new(signature, &options, layout, most, !local.is_empty());
    let heaps = Heaps::new(&options, Some(map.sets()), layout, profile);
    let (hints, texts) = (Hints::new(), Hints::new());
    let mut in_tables = Vec::new();
    let mut all: Vec<Vec<Result<PlaceRequest, String>>> = Vec::with_capacity(stages.len());
    for (stage_index, stage) in stages.iter().enumerate() {
        let mut requests = Vec::with_capacity(stage.resources.len());
        let record = records.stage(stage_index);
        for (index, (id, resource)) in stage.declared().enumerate() {
            if let Some(request) = record::without_model(stage, id, &heaps, record, &hints) {
                requests.push(texts.keep(request));
                continue;
            }
            let sampler = record.and_then(|record| record.static_sampler(resource));
            let placed = match sampler {
                Some(sampler) => local.slot(sampler, map.tables).map(|slot| RequestedPlace::Here(Spot::Slot(slot))),
                None => map.place(resource, stage, records, &hints),
            };
            let request = placed.and_then(|placed| match placed {
                RequestedPlace::Here(spot @ Spot::Table { spot: ref in_heap, .. }) if resource.has_counter => {
                    Ok(PlaceRequest::new(spot, Some(heaps.counter(in_heap)?)))
                }
                RequestedPlace::Here(spot) => Ok(PlaceRequest::new(spot, None)),
                RequestedPlace::Table { slot, start } => {
                    let end = match resource.count {
                        UNBOUNDED => u64::MAX,
                        count => u64::from(start) + u64::from(count),
                    };
                    let start = u64::from(start);
                    in_tables.push(TableResource { set: slot.set, start, end, stage: stage_index, index });
                    Ok(PlaceRequest::new(Spot::Slot(slot), None))
                }
            });
            requests.push(texts.keep(request));
        }
        all.push(requests);
    }
    join_arrays(&mut in_tables, stages, shifts, &mut all);
    PlaceRequests {
        model: Model::RootSignature,
        shifts,
        heaps,
        root_set: Some(map.tables),
        addresses: map.has_addresses(),
        root_block: map.has_block(),
        is_form_unknown: map.is_form_unknown.get(),
        stages: all,
    }
}

/// The descriptors of a table that a resource of some stage uses: the offsets from `start` to
/// `end`, without `end`.
#[derive(Clone, Copy)]
struct TableResource {
    set: u32,
    start: u64,
    end: u64,
    stage: usize,
    index: usize,
}

/// Makes each array one binding. A resource at an offset inside an array becomes an element of that
/// binding.
fn join_arrays(
    in_tables: &mut [TableResource],
    stages: &[StageResources<'_>],
    shifts: RegisterShifts,
    all: &mut [Vec<Result<PlaceRequest, String>>],
) {
    // An outer array comes before everything that it contains. The rest of the key makes the order
    // unique.
    in_tables.sort_by_key(|item| (item.set, item.start, Reverse(item.end), item.stage, item.index));
    let mut binding: Option<TableResource> = None;
    let mut partly = Vec::new();
    let resource = |item: &TableResource| stages.get(item.stage)?.resources.values().nth(item.index);
    for item in in_tables.iter() {
        let outer = match &binding {
            Some(outer) if outer.set == item.set && item.start < outer.end => *outer,
            _ => *item,
        };
        binding = Some(outer);
        let Some(request) = all.get_mut(item.stage).and_then(|requests| requests.get_mut(item.index)) else { continue };
        let Some(this) = resource(item) else { continue };
        if item.end > outer.end {
            *request = Err(String::new());
            partly.push((*item, outer));
            continue;
        }
        if let Ok(made) = request
            && let Err(message) = join(made, this, item, &outer, shifts)
        {
            *request = Err(message);
        }
    }
    // Messages are for the resources that an error lists, which are the first ones of the stages.
    partly.sort_unstable_by_key(|(item, _)| (item.stage, item.index));
    for (item, outer) in partly.iter().take(LISTED) {
        let Some(request) = all.get_mut(item.stage).and_then(|requests| requests.get_mut(item.index)) else { continue };
        let other = resource(outer).map_or_else(String::new, Resource::to_string);
        let stage = stages.get(outer.stage).map_or("", |stage| stage.stage.name());
        *request = Err(format!(
            "offsets {} to {} of the table at set {}: the array {other} ({stage}) has some of these offsets but not all, \
             and a descriptor cannot be in two bindings",
            item.start,
            item.end - 1,
            item.set
        ));
    }
}

fn join(
    request: &mut PlaceRequest,
    resource: &Resource,
    item: &TableResource,
    outer: &TableResource,
    shifts: RegisterShifts,
) -> Result<(), String> {
    let Spot::Slot(slot) = &mut request.spot else { return Ok(()) };
    // Both are at most the offset of the item, which has 32 bits.
    slot.binding = u32::try_from(outer.start).unwrap_or(u32::MAX);
    slot.first = u32::try_from(item.start - outer.start).unwrap_or(u32::MAX);
    slot.count = match resource.count {
        UNBOUNDED => UNBOUNDED,
        count => slot.first.saturating_add(count),
    };
    if resource.has_counter {
        let binding = slot.binding.checked_add(shifts.c);
        let binding = binding.ok_or_else(|| {
            format!("its counter: {} plus shift c={} is not a 32-bit binding number", slot.binding, shifts.c)
        })?;
        request.counter = Some(Slot { binding, ..*slot });
    }
    Ok(())
}

/// The place of one resource.
enum RequestedPlace {
    /// In the root set or in push constants.
    Here(Spot),
    /// In a table: the slot, before arrays are joined, and the offset in the table.
    Table { slot: Slot, start: u32 },
}

/// The item of a root signature that has a resource's registers.
enum DeclaringItem {
    Constants { parameter: u32, count: u32 },
    Descriptor { parameter: u32 },
    Range { parameter: u32, range: u32, table: u32, offset: u32 },
    StaticSampler(u32),
}

/// A root signature and the places of its parameters.
struct RootMap<'a> {
    signature: &'a RootSignature,
    /// The parts of the signature with registers.
    pieces: Pieces<'a>,
    /// T: the number of tables, which is also the set number of the root set.
    tables: u32,
    /// The places of the root arguments. There are two forms where the layout does not say whether
    /// root descriptors are addresses: the form with descriptors, and the one with addresses.
    forms: Vec<RootArguments>,
    /// The application's pipeline layout, for messages.
    layout: Option<&'a PipelineLayout>,
    /// Whether a message says that the layout does not tell the form of root descriptors.
    is_form_unknown: Cell<bool>,
    /// The device's limit of push constants, in bytes.
    limit: u32,
    /// Whether the root set has static samplers of local root signatures.
    local_samplers: bool,
}

impl<'a> RootMap<'a> {
    fn new(
        signature: &'a RootSignature,
        options: &BindingOptions,
        layout: Option<&'a PipelineLayout>,
        limit: u32,
        local_samplers: bool,
    ) -> Self {
        let parameters = &signature.parameters;
        let offsets = options.root_tables == RootTables::Offsets;
        let in_sets = |kind: &RootParameterKind| !offsets && matches!(kind, RootParameterKind::Table(_));
        let tables = parameters.iter().filter(|parameter| in_sets(&parameter.kind)).count();
        // A set that the layout leaves out, as pipeline libraries may, says nothing about its
        // bindings.
        let root_set = layout.and_then(|layout| layout.sets.get(tables)?.as_ref());
        let by_address: &[bool] = match (options.root_descriptors, layout, root_set) {
            (RootDescriptors::Descriptor, ..) | (RootDescriptors::Auto, None, _) => &[false],
            (RootDescriptors::Address, ..) => &[true],
            (RootDescriptors::Auto, Some(_), None) => &[false, true],
            (RootDescriptors::Auto, _, Some(bindings)) => {
                // Without bindings of root arguments, the set may be that of a heap, which is an
                // array.
                let heaps = [options.heap_sets.resources, options.heap_sets.samplers, options.heap_sets.counters];
                let is_heap = heaps.contains(&Some(tables as u32));
                let is_descriptor = |binding: &LayoutBinding| {
                    (binding.binding as usize) < parameters.len()
                        && binding.ty != DescriptorType::Sampler
                        && (binding.count == 1 || !is_heap)
                };
                match bindings.iter().any(is_descriptor) {
                    true => &[false],
                    false => &[true],
                }
            }
        };
        let form = |&descriptors: &bool| {
            let pushed = Pushed { descriptors, tables: offsets };
            RootArguments::new(signature, pushed, root_set.map(Vec::as_slice), limit)
        };
        let (pieces, forms) = (Pieces::new(signature), by_address.iter().map(form).collect());
        let (tables, is_form_unknown) = (tables as u32, Cell::new(false));
        Self { signature, pieces, tables, forms, layout, is_form_unknown, limit, local_samplers }
    }

    /// Whether some root argument is an address.
    fn has_addresses(&self) -> bool {
        let [RootArguments { pushed: Pushed { descriptors: true, .. }, constants, .. }] = &self.forms[..] else {
            return false;
        };
        let is_descriptor = |kind: &RootParameterKind| matches!(kind, RootParameterKind::Descriptor { .. });
        matches!(constants, ConstantsPlace::Address(_))
            || self.signature.parameters.iter().any(|parameter| is_descriptor(&parameter.kind))
    }

    /// Whether root constants are in a block of the root set, in one of the forms.
    fn has_block(&self) -> bool {
        self.forms.iter().any(|form| form.constants == ConstantsPlace::Block)
    }

    /// The number of descriptor sets that the root signature uses: one for each table, and the root
    /// set if it has a binding.
    fn sets(&self) -> u32 {
        let has = |form: &RootArguments| {
            let mut parameters = self.signature.parameters.iter();
            !form.pushed.descriptors && parameters.any(|p| matches!(p.kind, RootParameterKind::Descriptor { .. }))
        };
        let samplers = self.local_samplers || !self.signature.static_samplers.is_empty();
        let root_set = samplers || self.has_block() || self.forms.iter().any(has);
        self.tables + u32::from(root_set)
    }

    /// The place of root constants of a parameter, of which the shader declares some bytes.
    fn constants(&self, parameter: u32, count: u32, declared: u32) -> Result<Spot, String> {
        let given = count.saturating_mul(4);
        let declared = declared.saturating_add(3) & !3;
        let size = if declared == 0 { given } else { given.min(declared) };
        let mut spots = self.forms.iter().map(|form| {
            let offset = form.offset(parameter);
            match form.constants {
                ConstantsPlace::Push => Spot::Push { offset, size },
                ConstantsPlace::Block => Spot::Inline { block: self.constant_block(parameter), offset, size },
                ConstantsPlace::Address(at) => Spot::InlineAddress { address: Root::Push(at), offset, size },
            }
        });
        let (spot, other) = (spots.next().unwrap_or(Spot::Unused), spots.next());
        match (spot, other) {
            (Spot::Push { offset, .. }, None) => self.check_limit(offset, given, parameter)?,
            (_, None) => {}
            (_, Some(other)) if spot == other => {}
            (Spot::Push { offset, .. }, Some(Spot::Push { offset: with, .. })) => {
                return Err(format!(
                    "root constants of parameter {parameter}, at byte {offset} or {with} of the push constants: {}",
                    self.unknown_form()
                ));
            }
            _ => {
                return Err(format!(
                    "root constants of parameter {parameter}, in push constants or in set {} binding {}: {}",
                    self.tables,
                    constant_binding(self.signature),
                    self.unknown_form()
                ));
            }
        }
        Ok(spot)
    }

    /// The block of root constants in the root set.
    fn constant_block(&self, parameter: u32) -> Slot {
        let (binding, origin) = (constant_binding(self.signature), Origin::Constants(parameter));
        Slot { set: self.tables, binding, first: 0, count: 1, origin }
    }

    fn check_limit(&self, offset: u32, size: u32, parameter: u32) -> Result<(), String> {
        let (end, limit, set) = (offset.saturating_add(size), self.limit, self.tables);
        if end <= limit {
            return Ok(());
        }
        let binding = constant_binding(self.signature);
        Err(format!(
            "root argument of parameter {parameter} at bytes {offset} to {end}, but the device has only {limit} bytes of \
             push constants; declare a uniform buffer or an inline uniform block for the root constants at set {set} \
             binding {binding}"
        ))
    }

    /// The place of a root descriptor.
    fn descriptor(&self, parameter: u32) -> Result<Spot, String> {
        let set = self.tables;
        match &self.forms[..] {
            [form] if form.pushed.descriptors => {
                let offset = form.offset(parameter);
                self.check_limit(offset, ADDRESS, parameter)?;
                Ok(Spot::Address(Root::Push(offset)))
            }
            [_] => Ok(Spot::Slot(Slot {
                set,
                binding: parameter,
                first: 0,
                count: 1,
                origin: Origin::RootDescriptor(parameter),
            })),
            _ => {
                let unknown = self.unknown_form();
                Err(format!("set {set} binding {parameter} (root descriptor): {unknown}"))
            }
        }
    }

    /// The place of a resource in a table that is a heap index; `None` where tables are sets.
    fn in_heap(&self, parameter: u32, offset: u32, resource: &Resource) -> Option<Result<Spot, String>> {
        let mut at = self.forms.iter().filter(|form| form.pushed.tables).map(|form| form.offset(parameter));
        let index = at.next()?;
        if let Some(other) = at.find(|&other| other != index) {
            return Some(Err(format!(
                "the heap index of parameter {parameter}, at byte {index} or {other} of the push constants: {}",
                self.unknown_form()
            )));
        }
        let is_sampler = resource.class == ResourceClass::Sampler;
        let heap = if is_sampler { Heap::Samplers } else { Heap::Resources };
        let spot = Spot::Table { spot: HeapSpot { heap, first: offset }, table: Root::Push(index) };
        Some(self.check_limit(index, INDEX, parameter).map(|()| spot))
    }

    /// Says that the layout lacks the root set, so that the form of root descriptors is unknown.
    fn unknown_form(&self) -> String {
        self.is_form_unknown.set(true);
        let lacks = self.layout.map_or_else(String::new, |layout| without(layout, self.tables));
        format!("{lacks}, so it does not say whether root descriptors are addresses")
    }

    fn place(
        &self,
        resource: &Resource,
        stage: &StageResources<'_>,
        records: &Records<'_>,
        hints: &Hints,
    ) -> Result<RequestedPlace, String> {
        let root_slot = |binding: u32, origin: Origin| {
            RequestedPlace::Here(Spot::Slot(Slot { set: self.tables, binding, first: 0, count: 1, origin }))
        };
        let missing = || record::missing(stage, records, resource);
        match self.holder(resource, stage.stage, missing, hints)? {
            DeclaringItem::Constants { parameter, count } => {
                Ok(RequestedPlace::Here(self.constants(parameter, count, resource.size)?))
            }
            DeclaringItem::Descriptor { parameter } => {
                check_root_descriptor(resource).map_err(|why| format!("parameter {parameter} {why}"))?;
                Ok(RequestedPlace::Here(self.descriptor(parameter)?))
            }
            DeclaringItem::StaticSampler(sampler) => {
                let n = self.signature.parameters.len() as u32;
                Ok(root_slot(n.saturating_add(sampler), Origin::StaticSampler(sampler)))
            }
            DeclaringItem::Range { parameter, range, table, offset } => {
                if let Some(spot) = self.in_heap(parameter, offset, resource) {
                    return Ok(RequestedPlace::Here(spot?));
                }
                let slot =
                    Slot { set: table, binding: offset, first: 0, count: 1, origin: Origin::Range(parameter, range) };
                Ok(RequestedPlace::Table { slot, start: offset })
            }
        }
    }

    /// The item of the signature that has all registers of the resource and is visible to the
    /// stage. `missing` gives the message for a resource of a stage with shader records that no
    /// item is near to, and `hints` counts a resource that no item has.
    fn holder(
        &self,
        resource: &Resource,
        stage: ShaderStage,
        missing: impl FnOnce() -> Option<String>,
        hints: &Hints,
    ) -> Result<DeclaringItem, String> {
        if let Some(name) = denied(self.signature.flags, stage) {
            return Err(format!("the root signature has the flag {name}, so the stage has no access to it"));
        }
        for piece in self.pieces.with_first(resource) {
            if !piece.registers.look(resource, piece.visibility, stage, piece.item, &mut None) {
                continue;
            }
            return Ok(match (piece.item, piece.held) {
                (RootItem::Parameter(parameter), RootItemContent::Constants(count)) => {
                    DeclaringItem::Constants { parameter, count }
                }
                (RootItem::Parameter(parameter), RootItemContent::Range(found, range, table)) => {
                    let into = resource.lower_bound.saturating_sub(found.register);
                    let offset = found.offset.checked_add(into);
                    let offset =
                        offset.ok_or_else(|| format!("offset {} + {into} in its table is too large", found.offset))?;
                    DeclaringItem::Range { parameter, range, table, offset }
                }
                (RootItem::Parameter(parameter), _) => DeclaringItem::Descriptor { parameter },
                (RootItem::StaticSampler(sampler), _) => DeclaringItem::StaticSampler(sampler),
            });
        }
        let mut near = None;
        if !hints.take() {
            return Err("no item of the root signature has all of its registers".to_owned());
        }
        for piece in self.pieces.touching(resource) {
            piece.registers.look(resource, piece.visibility, stage, piece.item, &mut near);
        }
        Err(match near {
            None => missing().unwrap_or_else(|| "the root signature does not have its registers".to_owned()),
            Some(NearMiss::Invisible(item, visibility)) => {
                format!("{item} of the root signature has its registers, but only for {visibility}")
            }
            Some(NearMiss::Partly(item)) => {
                format!(
                    "{item} of the root signature has only a part of its registers; one range must have all of them"
                )
            }
        })
    }
}

/// The name of the flag that denies a stage access to the root signature, if the flag is set.
fn denied(value: u32, stage: ShaderStage) -> Option<&'static str> {
    let flag = match stage {
        ShaderStage::Vertex => flags::DENY_VERTEX_SHADER_ROOT_ACCESS,
        ShaderStage::Hull => flags::DENY_HULL_SHADER_ROOT_ACCESS,
        ShaderStage::Domain => flags::DENY_DOMAIN_SHADER_ROOT_ACCESS,
        ShaderStage::Geometry => flags::DENY_GEOMETRY_SHADER_ROOT_ACCESS,
        ShaderStage::Pixel => flags::DENY_PIXEL_SHADER_ROOT_ACCESS,
        ShaderStage::Amplification => flags::DENY_AMPLIFICATION_SHADER_ROOT_ACCESS,
        ShaderStage::Mesh => flags::DENY_MESH_SHADER_ROOT_ACCESS,
        _ => return None,
    };
    flags::ALL.into_iter().find(|(bit, _)| *bit == flag && value & flag != 0).map(|(_, name)| name)
}
