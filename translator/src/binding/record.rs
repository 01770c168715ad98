//! Local root signatures: the bytes of a shader record that hold a resource, or lead to it.
//!
//! In: a local root signature and a resource. Out: the resource's place, or `None` if the signature
//! does not have its registers; then the global root signature decides. What must hold: D3D12's
//! layout of a shader record (DirectX-Specs, Raytracing, «Shader record», «Shader table memory
//! initialization»). The parameters follow the shader identifier in order. Root constants are
//! aligned to 4 bytes; addresses and descriptor tables have 8 bytes and are aligned to 8. A table
//! holds the heap index of its first descriptor in the lower 4 of its bytes. Every stage sees every
//! parameter («Note on shader visibility»).

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;

use foldhash::{HashMap, HashSet};

use super::arguments::{ADDRESS, check_root_descriptor};
use super::heap::{HeapSpot, Heaps};
use super::inputs::StageResources;
use super::place_request::{Hints, Origin, PlaceRequest, Slot, Spot};
use super::plan::Root;
use super::registers::{Piece, Pieces, RootItem, RootItemContent};
use super::root_signature::{RootParameterKind, RootSignature, StaticSampler};

use crate::ir::resources::{Heap, Resource, ResourceId};
use crate::ops::consts::{ResourceClass, ShaderStage};
use dxil_base::error::{Place, Result};

/// Bytes of a shader identifier (`D3D12_SHADER_IDENTIFIER_SIZE_IN_BYTES`). Vulkan's shader group
/// handles have the same size (Vulkan, `shaderGroupHandleSize`).
const IDENTIFIER: u32 = 32;

/// The largest shader record with its identifier, in bytes (DirectX-Specs, Raytracing, «Shader
/// record stride»). Every device of Vulkan has a `maxShaderGroupStride` of at least this (Vulkan,
/// «Required Limits»).
const RECORD: u32 = 4096;

/// The only stages with shader records, for messages.
const ONLY_RAYS: &str = "only the shaders of ray-tracing pipelines have shader records";

impl RootSignature {
    /// The bytes of each parameter in a shader record, if this is a local root signature. They are
    /// counted from the end of the shader identifier, and are in the order of the parameters.
    pub fn record_bytes(&self) -> Vec<Range<u32>> {
        let mut at: u32 = 0;
        let parameters = self.parameters.iter().map(|parameter| {
            let size = match &parameter.kind {
                RootParameterKind::Constants { count, .. } => count.saturating_mul(4),
                RootParameterKind::Descriptor { .. } | RootParameterKind::Table(_) => {
                    at = at.saturating_add(ADDRESS - 1) & !(ADDRESS - 1);
                    ADDRESS
                }
            };
            let start = at;
            at = at.saturating_add(size);
            start..at
        });
        parameters.collect()
    }
}

/// Checks the local root signatures of a pipeline's stages.
///
/// # Errors
/// `Binding`: a stage without shader records has one; it is a global root signature; it is larger
/// than a shader record; or two of them define a static sampler differently.
pub(super) fn check(stages: &[StageResources<'_>]) -> Result<()> {
    let mut samplers: BTreeMap<(u32, u32), (ShaderStage, &StaticSampler)> = BTreeMap::new();
    let mut checked = HashSet::default();
    for (stage, signature) in stages.iter().filter_map(|stage| Some((stage.stage, stage.local_root_signature?))) {
        if !stage.is_rays() {
            return Err(binding_error!(
                Place::Input,
                "a local root signature is given for the {stage} stage, but {ONLY_RAYS}"
            ));
        }
        // Thousands of stages may share the root signature of one subobject.
        if !checked.insert(std::ptr::from_ref(signature)) {
            continue;
        }
        if !signature.is_local() {
            return Err(binding_error!(
                Place::Input,
                "expected a local root signature for the {stage} stage, found a global one: its flags do not have \
                 LOCAL_ROOT_SIGNATURE"
            ));
        }
        let (size, most) = (size(signature), RECORD - IDENTIFIER);
        if size > most {
            return Err(binding_error!(
                Place::Input,
                "the local root signature of the {stage} stage takes {size} bytes of a shader record, but a record has \
                 at most {most} bytes after the shader identifier"
            ));
        }
        for sampler in &signature.static_samplers {
            let register = (sampler.space, sampler.register);
            let (first, other) = samplers.entry(register).or_insert((stage, sampler));
            // DirectX-Specs, Raytracing, «Local root signatures vs global root signatures».
            if !is_same(other, sampler) {
                return Err(binding_error!(
                    Place::Input,
                    "the local root signatures of the {first} and {stage} stages define the static sampler s{} space{} \
                     differently, but those of one pipeline must agree: `{other}` and `{sampler}`",
                    sampler.register,
                    sampler.space
                ));
            }
        }
    }
    Ok(())
}

/// The bytes that a local root signature takes of a shader record.
pub(crate) fn size(signature: &RootSignature) -> u32 {
    signature.record_bytes().last().map_or(0, |bytes| bytes.end)
}

/// Whether two static samplers sample alike.
fn is_same(one: &StaticSampler, other: &StaticSampler) -> bool {
    let &StaticSampler { register, space, visibility, .. } = one;
    *one == StaticSampler { register, space, visibility, ..*other }
}

/// The places of a shader record: a local root signature, ready for a search by registers.
pub(super) struct ShaderRecord<'a> {
    signature: &'a RootSignature,
    pieces: Pieces<'a>,
    /// The bytes of each parameter.
    bytes: Vec<Range<u32>>,
}

impl<'a> ShaderRecord<'a> {
    /// The places of a local root signature.
    pub fn new(signature: &'a RootSignature) -> Self {
        Self { signature, pieces: Pieces::new(signature), bytes: signature.record_bytes() }
    }

    /// The request of a resource that a parameter has; `None` if no parameter has its registers.
    /// `hints` counts a resource of which a parameter has only a part.
    pub fn request(&self, resource: &Resource, heaps: &Heaps, hints: &Hints) -> Option<Result<PlaceRequest, String>> {
        for piece in self.pieces.with_first(resource) {
            let RootItem::Parameter(index) = piece.item else { continue };
            if !piece.registers.has(resource, piece.item, &mut None) {
                continue;
            }
            let bytes = self.bytes.get(index as usize).cloned().unwrap_or_default();
            let at = bytes.start;
            let spot = match piece.held {
                RootItemContent::Constants(_) => {
                    let (given, declared) = (bytes.end.saturating_sub(at), resource.size.saturating_add(3) & !3);
                    Spot::Record { offset: at, size: if declared == 0 { given } else { given.min(declared) } }
                }
                RootItemContent::Descriptor | RootItemContent::StaticSampler => {
                    if let Err(why) = check_root_descriptor(resource) {
                        return Some(Err(format!("parameter {index} of the local root signature {why}")));
                    }
                    Spot::Address(Root::Record(at))
                }
                RootItemContent::Range(range, ..) => {
                    let into = resource.lower_bound.saturating_sub(range.register);
                    let Some(first) = range.offset.checked_add(into) else {
                        return Some(Err(format!("offset {} + {into} in its table is too large", range.offset)));
                    };
                    let is_sampler = resource.class == ResourceClass::Sampler;
                    let heap = if is_sampler { Heap::Samplers } else { Heap::Resources };
                    let spot = HeapSpot { heap, first };
                    let counter = resource.has_counter.then(|| heaps.counter(&spot)).transpose();
                    let spot = Spot::Table { spot, table: Root::Record(at) };
                    return Some(counter.map(|counter| PlaceRequest::new(spot, counter)));
                }
            };
            return Some(Ok(PlaceRequest::new(spot, None)));
        }
        if !self.pieces.parameter_touches(resource) {
            return None;
        }
        let parameters = |piece: &&Piece<'_>| matches!(piece.item, RootItem::Parameter(_));
        let near = || self.pieces.touching(resource).filter(parameters).last();
        let item = if hints.take() { near() } else { None };
        let item = item.map_or_else(|| "a parameter".to_owned(), |piece| piece.item.to_string());
        Some(Err(format!(
            "{item} of the local root signature has only a part of its registers; one range must have all of them"
        )))
    }

    /// Whether the signature has the registers of a resource.
    pub fn has(&self, resource: &Resource) -> bool {
        self.pieces.with_first(resource).any(|piece| match piece.item {
            RootItem::Parameter(_) => piece.registers.has(resource, piece.item, &mut None),
            RootItem::StaticSampler(_) => resource.count == 1,
        })
    }

    /// The number of the parts of the signature that have registers.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The static sampler that a resource is.
    pub fn static_sampler(&self, resource: &Resource) -> Option<&'a StaticSampler> {
        self.pieces.with_first(resource).find_map(|piece| match piece.item {
            RootItem::StaticSampler(index) if resource.count == 1 => self.signature.static_samplers.get(index as usize),
            _ => None,
        })
    }
}

/// The shader records of a pipeline's stages. Stages that share a local root signature, as all
/// shaders of a library may, share one record.
pub(super) struct Records<'a> {
    /// The records, each with the first stage that has it.
    all: Vec<(ShaderStage, ShaderRecord<'a>)>,
    /// The index of each stage's record. It is empty if no stage has one.
    of_stage: Vec<Option<usize>>,
}

impl<'a> Records<'a> {
    /// The records of the stages.
    pub fn new(stages: &[StageResources<'a>]) -> Self {
        let mut all = Vec::new();
        if stages.iter().all(|stage| stage.local_root_signature.is_none()) {
            return Self { all, of_stage: Vec::new() };
        }
        let mut known = HashMap::default();
        let of_stage = stages.iter().map(|stage| {
            let signature = stage.local_root_signature?;
            Some(*known.entry(std::ptr::from_ref(signature)).or_insert_with(|| {
                all.push((stage.stage, ShaderRecord::new(signature)));
                all.len() - 1
            }))
        });
        let of_stage = of_stage.collect();
        Self { all, of_stage }
    }

    /// The record of a stage, if it has a local root signature.
    pub fn stage(&self, stage: usize) -> Option<&ShaderRecord<'a>> {
        let index = self.of_stage.get(stage).copied().flatten()?;
        self.all.get(index).map(|(_, record)| record)
    }

    /// The first stage whose record has a resource.
    fn stage_with(&self, resource: &Resource) -> Option<ShaderStage> {
        self.all.iter().find(|(_, record)| record.has(resource)).map(|(stage, _)| *stage)
    }
}

/// Static samplers of local root signatures in the root set: the binding of a sampler is `first`
/// plus its register.
pub(super) struct LocalSamplers<'a> {
    first: u32,
    /// All of them, by register and space, with their stages.
    all: BTreeMap<(u32, u32), LocalSampler<'a>>,
    /// Of each register those of the first space, and the next ones that sample differently. A
    /// sampler differs from one of its register where it differs from one of these.
    by_register: BTreeMap<u32, (LocalSampler<'a>, Option<LocalSampler<'a>>)>,
}

/// A static sampler of a local root signature, and the stage that messages name.
type LocalSampler<'a> = (ShaderStage, &'a StaticSampler);

impl<'a> LocalSamplers<'a> {
    /// The static samplers of the stages' local root signatures.
    pub fn new(stages: &[StageResources<'a>], first: u32) -> Self {
        // The last stage that defines a sampler is the one that messages name. Stages that share a
        // signature are visited once.
        let mut seen = HashSet::default();
        let mut all = BTreeMap::new();
        let local = stages.iter().rev().filter_map(|stage| Some((stage.stage, stage.local_root_signature?)));
        for (stage, signature) in local.filter(|(_, signature)| seen.insert(std::ptr::from_ref(*signature))) {
            for sampler in signature.static_samplers.iter().rev() {
                all.entry((sampler.register, sampler.space)).or_insert((stage, sampler));
            }
        }
        let mut by_register: BTreeMap<u32, (LocalSampler<'a>, Option<LocalSampler<'a>>)> = BTreeMap::new();
        for (&(register, _), &found) in &all {
            let (one, other) = by_register.entry(register).or_insert((found, None));
            if other.is_none() && !is_same(one.1, found.1) {
                *other = Some(found);
            }
        }
        Self { first, all, by_register }
    }

    /// Whether no signature has one.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The binding of a sampler.
    ///
    /// # Errors
    /// A message, if a sampler that samples differently has the same register of another space.
    pub fn slot(&self, sampler: &StaticSampler, set: u32) -> Result<Slot, String> {
        let &StaticSampler { register, space, .. } = sampler;
        let binding = self.first.checked_add(register);
        let binding =
            binding.ok_or_else(|| format!("register {register} plus {} is not a 32-bit number", self.first))?;
        let at_register = self.by_register.get(&register).into_iter();
        let mut at_register = at_register.flat_map(|(one, other)| iter::once(one).chain(other));
        match at_register.find(|(_, other)| !is_same(sampler, other)) {
            None => Ok(Slot { set, binding, first: 0, count: 1, origin: Origin::LocalSampler(register, space) }),
            Some((stage, other)) => Err(format!(
                "set {set} binding {binding} (static sampler of the local root signature) is also the place of s{register} \
                 space{}, a different static sampler of the local root signature of the {stage} stage; give them \
                 different registers",
                other.space
            )),
        }
    }

    /// The static samplers by binding.
    pub fn bindings(&self) -> impl Iterator<Item = (u32, &'a StaticSampler)> {
        self.all.values().filter_map(|(_, sampler)| Some((self.first.checked_add(sampler.register)?, *sampler)))
    }
}

/// Why no root signature has a resource of this stage, for messages. `None` for a stage without
/// shader records.
pub(super) fn missing(stage: &StageResources<'_>, records: &Records<'_>, resource: &Resource) -> Option<String> {
    if !stage.stage.is_rays() {
        return None;
    }
    if stage.local_root_signature.is_some() {
        return Some("neither the stage's local root signature nor the global one has its registers".to_owned());
    }
    let other = records.stage_with(resource);
    let other =
        other.map_or_else(String::new, |other| format!("; the local root signature of the {other} stage has them"));
    Some(format!(
        "the global root signature does not have its registers, and the stage has no local root signature{other}; \
         associate one with the export in the library, or give one with `--local-root-signature` of dxil2spv or the \
         layer's setting `local_root_signature`"
    ))
}

/// The request of a resource whose place does not depend on the model: a resource that is not
/// used, or one of a parameter of the local root signature. `None` for all other resources.
/// `record` is the stage's shader record.
pub(super) fn without_model(
    stage: &StageResources<'_>,
    id: ResourceId,
    heaps: &Heaps,
    record: Option<&ShaderRecord<'_>>,
    hints: &Hints,
) -> Option<Result<PlaceRequest, String>> {
    let resource = stage.resources.get(id)?;
    if !stage.uses(id) {
        return Some(Ok(PlaceRequest::UNUSED));
    }
    record?.request(resource, heaps, hints)
}
