//! The pipeline layout that a plan requires, as data and as text. `layout_report.rs` has all of it
//! as data.
//!
//! In: a pipeline's stages and their plan. Out: what an application has to declare: sets, bindings,
//! descriptor types, counts, stage flags, immutable samplers, push-constant ranges, and what
//! follows the handle in shader records. What must hold: planning against [`required_layout`] gives
//! the same plan again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::arguments::constant_binding;
use super::layout::{LayoutBinding, PipelineLayout, PushRange};
use super::plan::{
    CounterPlace, Descriptor, DescriptorType, HeapAddresses, HeapDescriptors, Location, PairPlace, Register, Root,
};
use super::record::{self, LocalSamplers};
use super::root_signature::{RootParameterKind, RootSignature, StaticSampler};
use super::{Arrangement, PipelinePlan, StageResources, heap, stage_flag, tables};
use crate::ir::resources::{Resource, UNBOUNDED};
use crate::ops::consts::{ResourceClass, ShaderStage};
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// The bits of `VkShaderStageFlagBits` and their names.
pub(super) const STAGES: [(u32, &str); 14] = [
    (0x1, "vertex"),
    (0x2, "tessellation_control"),
    (0x4, "tessellation_evaluation"),
    (0x8, "geometry"),
    (0x10, "fragment"),
    (0x20, "compute"),
    (0x40, "task"),
    (0x80, "mesh"),
    (0x100, "raygen"),
    (0x200, "any_hit"),
    (0x400, "closest_hit"),
    (0x800, "miss"),
    (0x1000, "intersection"),
    (0x2000, "callable"),
];

fn stage_names(flags: u32) -> String {
    let names: Vec<&str> = STAGES.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, name)| *name).collect();
    names.join("|")
}

/// One binding and the resources at it.
pub(super) struct ReportedBinding {
    pub(super) binding: LayoutBinding,
    /// The resources as text. A resource that several stages have is listed once.
    pub(super) resources: Vec<Arc<str>>,
    /// The same texts. An array may have thousands of resources at one binding.
    known: HashSet<Arc<str>>,
    /// What the texts were made of. Stages of one module have the same resources, which are text
    /// once.
    seen: HashSet<(*const Resource, Annotation)>,
    pub(super) sampler: Option<StaticSampler>,
}

/// What the text of a resource at a binding says before the resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Annotation {
    /// Nothing.
    Itself,
    /// The bytes of a block.
    Bytes(u32, u32),
    /// What is there of it.
    Of(&'static str),
}

/// What the text of a resource says where the starts and sizes of its views are.
const RANGES: &str = "starts and sizes of the views";

/// What the text of a resource says where its address is.
const ADDRESS: &str = "the address";

/// Whether resources become text, which a layout as data does not need.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Texts {
    Made,
    Omitted,
}

/// The entries by set and binding.
pub(super) type Entries = BTreeMap<(u32, u32), ReportedBinding>;

/// Collects the bindings of all stages.
pub(super) fn entries(
    stages: &[StageResources<'_>],
    root_signature: Option<&RootSignature>,
    plan: &PipelinePlan,
    texts: Texts,
) -> Entries {
    let mut entries = Entries::new();
    let mut add = |descriptor: &Descriptor, flag, bytes, resource, said| {
        let entry = add(&mut entries, descriptor, flag, bytes);
        if texts == Texts::Made && entry.seen.insert((std::ptr::from_ref(resource), said)) {
            entry.say(resource, said);
        }
    };
    for (stage, planned) in stages.iter().zip(&plan.stages) {
        let flag = stage_flag(stage.stage).unwrap_or(0);
        for (resource, planned) in stage.resources.values().zip(planned.resources.values()) {
            match &planned.location {
                Location::Descriptor(descriptor) => {
                    add(descriptor, flag, resource.size, resource, Annotation::Itself);
                }
                Location::Inline { block, offset, size } => {
                    let end = offset.saturating_add(*size);
                    add(block, flag, end.saturating_add(15) & !15, resource, Annotation::Bytes(*offset, end));
                }
                Location::Heap(HeapDescriptors { descriptor, .. }) => {
                    add(descriptor, flag, 0, resource, Annotation::Itself);
                }
                Location::HeapAddresses(HeapAddresses { addresses, .. }) => {
                    add(&addresses.buffer, flag, 0, resource, Annotation::Of(ADDRESS));
                }
                _ => {}
            }
            if let Some(Root::Inline { block, offset }) = planned.location.root() {
                let end = offset.saturating_add(8);
                add(&block, flag, end.saturating_add(15) & !15, resource, Annotation::Bytes(offset, end));
            }
            if let Some(counter) = &planned.counter {
                let what = match counter {
                    CounterPlace::Descriptor(_) => "counter",
                    CounterPlace::Addresses(_) => "addresses of the counters",
                };
                add(counter.descriptor(), flag, resource.size, resource, Annotation::Of(what));
            }
            if let Some(PairPlace { buffer, .. }) = &planned.range {
                add(buffer, flag, 0, resource, Annotation::Of(RANGES));
            }
        }
        for (_, resource, _) in stage.heap_views() {
            match heap::view(&planned.heaps, resource) {
                Some(Location::Heap(HeapDescriptors { descriptor, .. })) => {
                    add(&descriptor, flag, 0, resource, Annotation::Itself);
                }
                Some(Location::HeapAddresses(HeapAddresses { addresses, .. })) => {
                    add(&addresses.buffer, flag, 0, resource, Annotation::Of(ADDRESS));
                }
                _ => {}
            }
            if let Some(counter) = planned.heaps.counters.filter(|_| resource.has_counter) {
                let what = match counter {
                    CounterPlace::Descriptor(_) => "counters",
                    CounterPlace::Addresses(_) => "addresses of the counters",
                };
                add(counter.descriptor(), flag, 0, resource, Annotation::Of(what));
            }
            if let Some(PairPlace { buffer, .. }) = heap::range(&planned.heaps, resource) {
                add(&buffer, flag, 0, resource, Annotation::Of(RANGES));
            }
        }
    }
    if plan.heap == Some(Arrangement::Mutable) {
        make_mutable(&mut entries, plan);
    }
    if let Some(set) = plan.root_set
        && let Ok(signature) = tables::common(stages, root_signature)
    {
        root_set(&mut entries, stages, signature, set, plan);
    }
    entries
}

/// Makes the binding of the resource heap mutable, also where these shaders use only one descriptor
/// type of it: the heap's place depends on whether its binding is mutable.
fn make_mutable(entries: &mut Entries, plan: &PipelinePlan) {
    let model = plan.model;
    for plan in &plan.stages {
        let tables = plan.resources.values();
        let tables = tables.filter_map(|planned| heap::Heaps::descriptor(model, &planned.location));
        for descriptor in plan.heaps.descriptors.iter().copied().chain(tables) {
            let Some(entry) = entries.get_mut(&(descriptor.set, descriptor.binding)) else { continue };
            let binding = &mut entry.binding;
            if !matches!(descriptor.ty, DescriptorType::Sampler) && binding.ty != DescriptorType::Mutable {
                binding.mutable_types.push(binding.ty);
                binding.ty = DescriptorType::Mutable;
            }
        }
    }
}

/// Adds what only the root signature tells about the root set: which bindings are static samplers,
/// and the root descriptors and the block of root constants that no shader uses. The layout needs
/// the latter too: a layout without any root descriptor requests root descriptors by address, and
/// one without the block has no root constants there.
fn root_set(
    entries: &mut Entries,
    stages: &[StageResources<'_>],
    signature: &RootSignature,
    set: u32,
    plan: &PipelinePlan,
) {
    let descriptors = if plan.root_addresses { &[] } else { &signature.parameters[..] };
    let stages_of_all = stages.iter().filter_map(|stage| stage_flag(stage.stage)).fold(0, |all, flag| all | flag);
    for (binding, parameter) in (0..).zip(descriptors) {
        let RootParameterKind::Descriptor { class, register, space, .. } = parameter.kind else { continue };
        let ty = match class {
            ResourceClass::CBuffer => DescriptorType::UniformBuffer,
            _ => DescriptorType::StorageBuffer,
        };
        entries.entry((set, binding)).or_insert_with(|| {
            let text = format!("{}, which these shaders do not use", Register { class, space, register });
            let entry = ReportedBinding::new(LayoutBinding::new(binding, ty, 1, stages_of_all));
            ReportedBinding { resources: vec![text.into()], ..entry }
        });
    }
    if plan.root_block {
        let binding = constant_binding(signature);
        entries.entry((set, binding)).or_insert_with(|| {
            let ty = DescriptorType::UniformBuffer;
            let entry = ReportedBinding::new(LayoutBinding::new(binding, ty, 1, stages_of_all));
            ReportedBinding { resources: vec!["root constants, which these shaders do not use".into()], ..entry }
        });
    }
    let local = LocalSamplers::new(stages, constant_binding(signature).saturating_add(1));
    let global = (signature.parameters.len() as u32..).zip(&signature.static_samplers);
    for (binding, sampler) in global.chain(local.bindings()) {
        if let Some(entry) = entries.get_mut(&(set, binding)) {
            entry.binding.immutable_samplers = true;
            entry.sampler = Some(*sampler);
        }
    }
}

impl ReportedBinding {
    /// A binding without resources.
    fn new(binding: LayoutBinding) -> Self {
        let (known, seen) = (HashSet::default(), HashSet::default());
        Self { binding, resources: Vec::new(), known, seen, sampler: None }
    }

    /// Adds the text of a resource, if no other resource of the binding has the same text.
    fn say(&mut self, resource: &Resource, said: Annotation) {
        let text: Arc<str> = match said {
            Annotation::Itself => resource.to_string(),
            Annotation::Bytes(offset, end) => format!("bytes {offset} to {end}: {resource}"),
            Annotation::Of(what) => format!("{what} of {resource}"),
        }
        .into();
        if self.known.insert(Arc::clone(&text)) {
            self.resources.push(text);
        }
    }
}

/// The entry of a descriptor, which a stage with this flag has now.
fn add<'e>(entries: &'e mut Entries, descriptor: &Descriptor, flag: u32, bytes: u32) -> &'e mut ReportedBinding {
    let ty = descriptor.ty;
    // The count of an inline uniform block is its size in bytes, a multiple of four.
    let count = match ty {
        DescriptorType::InlineUniformBlock => bytes.saturating_add(3) & !3,
        _ => descriptor.count,
    };
    let entry = entries.entry((descriptor.set, descriptor.binding));
    let entry = entry.or_insert_with(|| ReportedBinding::new(LayoutBinding::new(descriptor.binding, ty, count, 0)));
    let binding = &mut entry.binding;
    binding.stages |= flag;
    binding.count = binding.count.max(count);
    // Only a mutable descriptor can be of several types.
    if binding.ty != ty {
        if binding.ty != DescriptorType::Mutable {
            binding.mutable_types.push(binding.ty);
            binding.ty = DescriptorType::Mutable;
        }
        if !binding.mutable_types.contains(&ty) {
            binding.mutable_types.push(ty);
        }
    }
    entry
}

/// The push-constant range that covers what the stages read, with the flags of the stages that read
/// push constants.
fn push_range(stages: &[StageResources<'_>], plan: &PipelinePlan) -> Option<PushRange> {
    let mut range: Option<(u32, u32, u32)> = None;
    for (stage, planned) in stages.iter().zip(&plan.stages) {
        for planned in planned.resources.values() {
            if let Some(bytes) = planned.location.push_bytes() {
                let (first, end, flags) = range.unwrap_or((u32::MAX, 0, 0));
                let end = end.max(bytes.end);
                range = Some((first.min(bytes.start), end, flags | stage_flag(stage.stage).unwrap_or(0)));
            }
        }
    }
    range.map(|(offset, end, stages)| PushRange { stages, offset, size: end.saturating_sub(offset) })
}

/// What shaders read in the push constants: one resource, or an address or index that leads to it.
pub(super) struct PushMember {
    pub(super) bytes: Range<u32>,
    /// `VkShaderStageFlags` of the stages that read it.
    pub(super) stages: u32,
    pub(super) text: String,
}

/// What the stages read in the push constants, in the order of stages and resources. What several
/// stages read alike is one member.
pub(super) fn push_members(stages: &[StageResources<'_>], plan: &PipelinePlan) -> Vec<PushMember> {
    let mut members: Vec<PushMember> = Vec::new();
    let mut known = HashMap::default();
    // Stages of one module have the same resources, which are text once.
    let mut seen: HashMap<(*const Resource, Location), usize> = HashMap::default();
    for (stage, planned) in stages.iter().zip(&plan.stages) {
        let flag = stage_flag(stage.stage).unwrap_or(0);
        for (resource, planned) in stage.resources.values().zip(planned.resources.values()) {
            let Some(bytes) = planned.location.push_bytes() else { continue };
            let key = (std::ptr::from_ref(resource), planned.location);
            if let Some(member) = seen.get(&key).and_then(|&index| members.get_mut(index)) {
                member.stages |= flag;
                continue;
            }
            let text = match planned.location {
                Location::Address(_) => format!("address of {resource}"),
                Location::InlineAddress { offset, size, .. } => format!(
                    "address of the buffer of root constants, with {resource} at its bytes {offset} to {}",
                    offset.saturating_add(size)
                ),
                _ => resource.to_string(),
            };
            let index = *known.entry((bytes.clone(), text.clone())).or_insert(members.len());
            seen.insert(key, index);
            match members.get_mut(index) {
                Some(member) => member.stages |= flag,
                None => members.push(PushMember { bytes, stages: flag, text }),
            }
        }
    }
    members
}

/// What one stage has in its shader records.
pub(super) struct RecordReport {
    pub(super) stage: ShaderStage,
    /// The plain name of the entry point.
    pub(super) entry: String,
    /// The bytes of the local root arguments, without the shader group handle before them.
    pub(super) size: u32,
    /// Each parameter of the local root signature: its bytes after the handle, and what is there.
    pub(super) members: Vec<(Range<u32>, String)>,
}

/// What the stages with local root signatures have in their shader records, in the order of the
/// stages. Each stage has texts of its own, although thousands may share a root signature.
///
/// # Errors
/// `Limit`: the texts are too long.
pub(super) fn records(stages: &[StageResources<'_>], plan: &PipelinePlan) -> Result<Vec<RecordReport>> {
    let mut size = 0usize;
    let mut count = |bytes: usize| {
        size = size.saturating_add(bytes);
        let what = "bytes of text about the shader records of the stages of a pipeline";
        limits::check(Place::Input, what, size, limits::RECORD_TEXT)
    };
    // What is there before any resource has a text comes first, so that a refusal takes no time.
    let local = || stages.iter().filter_map(|stage| stage.local_root_signature);
    count(local().map(|local| local.parameters.len()).fold(0, usize::saturating_add).saturating_mul(MEMBER_TEXT))?;
    let mut reports = Vec::new();
    for (stage, planned) in stages.iter().zip(&plan.stages) {
        let Some(signature) = stage.local_root_signature else { continue };
        // The resources by the first byte of their parameter. Parameters without bytes share theirs
        // with the one that follows them, which has the resources.
        let mut by_start: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for (resource, planned) in stage.resources.values().zip(planned.resources.values()) {
            let at = match planned.location {
                Location::Record { offset, .. } => offset,
                Location::Address(Root::Record(offset)) => offset,
                location => match location.table() {
                    Some(Root::Record(offset)) => offset,
                    _ => continue,
                },
            };
            let text = resource.to_string();
            count(text.len())?;
            by_start.entry(at).or_default().push(text);
        }
        let members = signature.parameters.iter().zip(signature.record_bytes()).map(|(parameter, bytes)| {
            let here = if bytes.is_empty() { None } else { by_start.remove(&bytes.start) };
            let resources = here.unwrap_or_default();
            let resources = if resources.is_empty() { "not used".to_owned() } else { resources.join(", ") };
            let text = match parameter.kind {
                RootParameterKind::Constants { .. } => format!("constants: {resources}"),
                RootParameterKind::Descriptor { .. } => format!("address: {resources}"),
                RootParameterKind::Table(_) => format!("heap index of a table: {resources}"),
            };
            (bytes, text)
        });
        let members = members.collect();
        let entry = stage.name.to_owned();
        count(entry.len())?;
        reports.push(RecordReport { stage: stage.stage, entry, size: record::size(signature), members });
    }
    Ok(reports)
}

/// Bytes that a parameter of a shader record takes in a text besides its resources, about as many
/// as there are.
const MEMBER_TEXT: usize = 64;

/// The smallest pipeline layout that fits a plan. An unbounded array of the shader has the count
/// `u32::MAX`.
///
/// # Errors
/// `Limit`: the plan has a set number beyond [`limits::DESCRIPTOR_SETS`], which is possible in a
/// plan that was not made for a device.
pub fn required_layout(
    stages: &[StageResources<'_>],
    root_signature: Option<&RootSignature>,
    plan: &PipelinePlan,
) -> Result<PipelineLayout> {
    let mut layout = PipelineLayout { sets: Vec::new(), push_ranges: push_range(stages, plan).into_iter().collect() };
    for ((set, _), entry) in entries(stages, root_signature, plan, Texts::Omitted) {
        let set = set as usize;
        limits::check(Place::Input, "descriptor sets", set, limits::DESCRIPTOR_SETS)?;
        if layout.sets.len() <= set {
            layout.sets.resize(set + 1, Some(Vec::new()));
        }
        if let Some(Some(bindings)) = layout.sets.get_mut(set) {
            bindings.push(entry.binding);
        }
    }
    // An empty root set says that root descriptors are addresses.
    if let Some(set) = address_set(plan)
        && layout.sets.len() <= set as usize
    {
        layout.sets.resize(set as usize + 1, Some(Vec::new()));
    }
    Ok(layout)
}

/// The number of the root set, where root descriptors are addresses and no heap has that set.
fn address_set(plan: &PipelinePlan) -> Option<u32> {
    plan.root_set.filter(|set| plan.root_addresses && !heap::Heaps::owners(plan.model, &plan.stages).contains_key(set))
}

/// The layout that an application has to declare for a pipeline, as text.
///
/// # Errors
/// `Limit`: the texts about shader records are too long.
pub fn layout_text(
    stages: &[StageResources<'_>],
    root_signature: Option<&RootSignature>,
    plan: &PipelinePlan,
) -> Result<String> {
    let records = records(stages, plan)?;
    let mut text = format!("model: {}\n", plan.model);
    let entries = entries(stages, root_signature, plan, Texts::Made);
    let mut last_set = None;
    for ((set, _), entry) in &entries {
        if last_set != Some(*set) {
            text.push_str(&format!("set {set}\n"));
            last_set = Some(*set);
        }
        // Writing to a string does not fail.
        let _ = print_entry(&mut text, entry);
    }
    if let Some(set) = address_set(plan) {
        let empty = if entries.keys().any(|(other, _)| *other == set) { "" } else { ", which may be empty" };
        let _ = writeln!(
            text,
            "set {set} has no bindings of root descriptors, which are addresses in the push constants; declare the set{empty}"
        );
    }
    if let Some(range) = push_range(stages, plan) {
        let end = range.offset.saturating_add(range.size);
        let _ = writeln!(text, "push constants: bytes {} to {end}, {}", range.offset, stage_names(range.stages));
        for PushMember { bytes, text: member, .. } in push_members(stages, plan) {
            let _ = writeln!(text, "  bytes {} to {}: {member}", bytes.start, bytes.end);
        }
    }
    if last_set.is_none() && push_range(stages, plan).is_none() {
        text.push_str("no descriptors, no push constants\n");
    }
    for RecordReport { stage, entry, size, members } in records {
        let entry = entry.escape_debug();
        let _ = writeln!(text, "shader records, {stage} `{entry}`: {size} bytes after the shader group handle");
        for (bytes, member) in members {
            let _ = writeln!(text, "  bytes {} to {}: {member}", bytes.start, bytes.end);
        }
    }
    Ok(text)
}

fn print_entry(text: &mut String, entry: &ReportedBinding) -> std::fmt::Result {
    let binding = &entry.binding;
    write!(text, "  binding {}: {}", binding.binding, binding.ty)?;
    if !binding.mutable_types.is_empty() {
        let types: Vec<&str> = binding.mutable_types.iter().map(|ty| ty.name()).collect();
        write!(text, " of {}", types.join(" or "))?;
    }
    match binding.count {
        1 => {}
        UNBOUNDED => write!(text, ", count: unbounded")?,
        count if binding.ty == DescriptorType::InlineUniformBlock => write!(text, ", {count} bytes")?,
        count => write!(text, ", count {count}")?,
    }
    write!(text, ", {}", stage_names(binding.stages))?;
    if binding.immutable_samplers {
        write!(text, ", immutable sampler")?;
    }
    writeln!(text)?;
    for resource in &entry.resources {
        writeln!(text, "    {resource}")?;
    }
    match &entry.sampler {
        Some(sampler) => writeln!(text, "    {sampler}"),
        None => Ok(()),
    }
}
