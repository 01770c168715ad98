//! The answers of a program whose descriptors are all in heaps, as vkd3d-proton has them: a
//! descriptor table is a word of the root block with an index, a root descriptor is an address.
//!
//! In: an entry point with its root signatures. Out: a script. What must hold: the root block has
//! the addresses first, then constants and tables in the order of the parameters.

use dxil_translator::binding::root_signature::{RootParameterKind, RootSignature};
use dxil_translator::ir::resources::{Resource, UNBOUNDED};
use dxil_translator::ops::consts::{ResourceClass, ResourceKind};
use dxil_translator::{EntryId, Shader};

use crate::script::{NONE, NOWHERE, PlaceNumbers, Script};

/// The set of static samplers.
const STATIC_SAMPLERS: u32 = 7;

/// The set of the addresses of counters.
const COUNTERS: u32 = 8;

/// The place of the starts and sizes of views.
const RANGES: [u32; 2] = [10, 0];

/// The place of the addresses of acceleration structures.
const STRUCTURES: [u32; 2] = [11, 0];

/// The set of the heap's descriptors of a resource's type, and the number of the type.
fn heap_of(resource: &Resource, form: Form) -> [u32; 2] {
    match (resource.class, resource.kind) {
        (ResourceClass::Sampler, _) => [0, 0],
        (ResourceClass::CBuffer, _) => [1, 4],
        (_, ResourceKind::RtAccelerationStructure) if form == Form::Parts => [STRUCTURES[0], 1],
        (_, ResourceKind::RtAccelerationStructure) => [2, 0],
        (_, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer) => [3, 1],
        (ResourceClass::Uav, ResourceKind::TypedBuffer) => [4, 0],
        (_, ResourceKind::TypedBuffer) => [5, 0],
        (ResourceClass::Uav, _) => [6, 0],
        _ => [9, 0],
    }
}

/// The places of a resource in a heap, at a word with the table's index.
fn in_heap(resource: &Resource, word: u32, offset: u32, form: Form) -> [PlaceNumbers; 3] {
    let [set, ty] = heap_of(resource, form);
    let counter = if resource.has_counter { [COUNTERS, 0, word, offset, 1, 1] } else { NOWHERE };
    [[set, 0, word, offset, 1, ty], counter, [RANGES[0], RANGES[1], NONE, 0, 1, 1]]
}

/// The offset of a resource in a table with these ranges.
fn offset_in(resource: &Resource, ranges: &[dxil_translator::binding::root_signature::DescriptorRange]) -> Option<u32> {
    let found = ranges.iter().find(|range| {
        let end = if range.count == UNBOUNDED { u32::MAX } else { range.register.saturating_add(range.count) };
        (range.class, range.space) == (resource.class, resource.space)
            && (range.register..end).contains(&resource.lower_bound)
    })?;
    Some(found.offset.wrapping_add(resource.lower_bound - found.register))
}

/// What the heaps have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A descriptor for each view.
    Whole,
    /// Descriptors with more than the views, whose starts and sizes are in a buffer, and addresses
    /// of acceleration structures.
    Parts,
}

/// The script for an entry point.
#[must_use]
pub fn script(shader: &Shader, id: EntryId, form: Form) -> Script {
    let mut script = Script::default();
    let Some(entry) = shader.entry(id) else { return script };
    script.options(1, 5);
    script.ranges(Some(RANGES).filter(|_| form == Form::Parts));
    if shader.is_library() {
        script.entry(&entry.name);
    }
    let none = RootSignature::parse_text("", None).expect("an empty root signature");
    let global = shader.entry_root_signature(id);
    let signature = global.unwrap_or(&none);
    let (mut descriptors, mut words) = (0, 0);
    for parameter in &signature.parameters {
        match parameter.kind {
            RootParameterKind::Descriptor { .. } => descriptors += 1,
            RootParameterKind::Constants { count, .. } => words += count,
            RootParameterKind::Table(_) => words += 1,
        }
    }
    // Without a root signature everything is in one table.
    script.line("roots", &[descriptors, words + u32::from(global.is_none())]);
    if let Some(local) = shader.entry_local_root_signature(id) {
        script.local(local);
    }
    let mut next = 0u32;
    let resources = shader.program().resources.iter();
    for (_, resource) in resources.filter(|(id, _)| entry.reachable.resources.contains(*id)) {
        if !resource.is_declared() {
            script.answer(resource, NONE, false, in_heap(resource, NONE, 0, form));
        } else if !placed(&mut script, signature, resource, entry.stage, form) {
            script.answer(resource, NONE, false, in_heap(resource, words, next, form));
            // What follows an unbounded array in a heap has space after it.
            next = next.saturating_add(resource.count.min(1 << 16));
        }
    }
    script
}

/// Adds the answer for a resource that the root signature has.
fn placed(
    script: &mut Script,
    signature: &RootSignature,
    resource: &Resource,
    stage: dxil_translator::ShaderStage,
    form: Form,
) -> bool {
    let (mut descriptor, mut word) = (0, 0);
    for parameter in &signature.parameters {
        let seen = parameter.visibility.includes(stage);
        match &parameter.kind {
            RootParameterKind::Descriptor { class, register, space, .. } => {
                if seen && (*class, *space, *register) == (resource.class, resource.space, resource.lower_bound) {
                    script.answer(resource, NONE, false, [[0, 0, descriptor, 0, 0, 3], NOWHERE, NOWHERE]);
                    return true;
                }
                descriptor += 1;
            }
            RootParameterKind::Constants { register, space, count } => {
                let own = (ResourceClass::CBuffer, *space, *register);
                if seen && own == (resource.class, resource.space, resource.lower_bound) {
                    script.answer(resource, NONE, true, [[word, 0, 0, 0, 0, 0], NOWHERE, NOWHERE]);
                    return true;
                }
                word += count;
            }
            RootParameterKind::Table(ranges) => {
                if let Some(offset) = offset_in(resource, ranges).filter(|_| seen) {
                    script.answer(resource, NONE, false, in_heap(resource, word, offset, form));
                    return true;
                }
                word += 1;
            }
        }
    }
    let of_resource = |(_, sampler): &(u32, &dxil_translator::binding::root_signature::StaticSampler)| {
        resource.class == ResourceClass::Sampler
            && (sampler.space, sampler.register) == (resource.space, resource.lower_bound)
            && sampler.visibility.includes(stage)
    };
    match (0..).zip(&signature.static_samplers).find(of_resource) {
        None => false,
        Some((binding, _)) => {
            script.answer(resource, NONE, false, [[STATIC_SAMPLERS, binding, NONE, 0, 0, 0], NOWHERE, NOWHERE]);
            true
        }
    }
}
