//! Local root signatures: the bytes of a shader record that hold a resource, or lead to it.
//!
//! In: a local root signature and a resource. Out: the resource's place, or `None` if the signature
//! does not have its registers; then the global root signature decides. What must hold: D3D12's layout
//! of a shader record (DirectX-Specs, Raytracing, «Shader record», «Shader table memory
//! initialization»). The parameters follow the shader identifier in order. Root constants are aligned
//! to 4 bytes; addresses and descriptor tables have 8 bytes and are aligned to 8. A table holds the heap
//! index of its first descriptor in the lower 4 of its bytes. Every stage sees every parameter
//! («Note on shader visibility»).

use std::collections::BTreeMap;
use std::ops::Range;

use super::StageResources;
use super::arguments::ADDRESS;
use super::claim::{Claim, Origin, Slot, Spot};
use super::heap::{HeapSpot, Heaps};
use super::plan::Root;
use super::registers::{Held, Item, Near, Pieces};
use super::root_signature::{RootParameterKind, RootSignature, StaticSampler};
use super::tables::check_root_descriptor;
use crate::dxil::consts::{ResourceClass, ShaderStage};
use crate::dxil::resources::{Heap, Resource};
use crate::error::{Place, Result};

/// Bytes of a shader identifier (`D3D12_SHADER_IDENTIFIER_SIZE_IN_BYTES`). Vulkan's shader group
/// handles have the same size (Vulkan, `shaderGroupHandleSize`).
const IDENTIFIER: u32 = 32;

/// The largest shader record with its identifier, in bytes (DirectX-Specs, Raytracing, «Shader record
/// stride»). Every device of Vulkan has a `maxShaderGroupStride` of at least this (Vulkan, «Required
/// Limits»).
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
/// `Binding`: a stage without shader records has one; it is a global root signature; it is larger than
/// a shader record; or two of them define a static sampler differently.
pub(super) fn check(stages: &[StageResources<'_>]) -> Result<()> {
    let mut samplers: BTreeMap<(u32, u32), (ShaderStage, &StaticSampler)> = BTreeMap::new();
    for (stage, signature) in stages.iter().filter_map(|stage| Some((stage.stage, stage.local_root_signature?))) {
        if !stage.is_rays() {
            return Err(binding_error!(
                Place::Input,
                "a local root signature is given for the {stage} stage, but {ONLY_RAYS}"
            ));
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
pub(super) fn size(signature: &RootSignature) -> u32 {
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

    /// The claim of a resource that a parameter has; `None` if no parameter has its registers.
    pub fn claim(&self, resource: &Resource, heaps: &Heaps) -> Option<Result<Claim, String>> {
        let mut near = None;
        for piece in self.pieces.touching(resource) {
            let Item::Parameter(index) = piece.item else { continue };
            if !piece.registers.has(resource, piece.item, &mut near) {
                continue;
            }
            let bytes = self.bytes.get(index as usize).cloned().unwrap_or_default();
            let at = bytes.start;
            let spot = match piece.held {
                Held::Constants(_) => {
                    let (given, declared) = (bytes.end.saturating_sub(at), resource.size.saturating_add(3) & !3);
                    Spot::Record { offset: at, size: if declared == 0 { given } else { given.min(declared) } }
                }
                Held::Descriptor | Held::StaticSampler => {
                    if let Err(why) = check_root_descriptor(resource) {
                        return Some(Err(format!("parameter {index} of the local root signature {why}")));
                    }
                    Spot::Address(Root::Record(at))
                }
                Held::Range(range, ..) => {
                    let into = resource.lower_bound.saturating_sub(range.register);
                    let Some(first) = range.offset.checked_add(into) else {
                        return Some(Err(format!("offset {} + {into} in its table is too large", range.offset)));
                    };
                    let is_sampler = resource.class == ResourceClass::Sampler;
                    let heap = if is_sampler { Heap::Samplers } else { Heap::Resources };
                    let spot = HeapSpot { heap, first };
                    let counter = resource.has_counter.then(|| heaps.counter(&spot)).transpose();
                    let spot = Spot::Table { spot, table: Root::Record(at) };
                    return Some(counter.map(|counter| Claim { spot, counter }));
                }
            };
            return Some(Ok(Claim { spot, counter: None }));
        }
        let Some(Near::Partly(item)) = near else { return None };
        Some(Err(format!(
            "{item} of the local root signature has only a part of its registers; one range must have all of them"
        )))
    }

    /// Whether the signature has the registers of a resource.
    pub fn has(&self, resource: &Resource) -> bool {
        self.pieces.touching(resource).any(|piece| match piece.item {
            Item::Parameter(_) => piece.registers.has(resource, piece.item, &mut None),
            Item::StaticSampler(_) => resource.count == 1,
        })
    }

    /// The static sampler that a resource is.
    pub fn static_sampler(&self, resource: &Resource) -> Option<&'a StaticSampler> {
        self.pieces.touching(resource).find_map(|piece| match piece.item {
            Item::StaticSampler(index) if resource.count == 1 => self.signature.static_samplers.get(index as usize),
            _ => None,
        })
    }
}

/// Static samplers of local root signatures in the root set: the binding of a sampler is `first` plus
/// its register.
pub(super) struct LocalSamplers<'a> {
    first: u32,
    /// All of them, by register and space, with their stages.
    all: BTreeMap<(u32, u32), (ShaderStage, &'a StaticSampler)>,
}

impl<'a> LocalSamplers<'a> {
    /// The static samplers of the stages' local root signatures.
    pub fn new(stages: &[StageResources<'a>], first: u32) -> Self {
        let local = stages.iter().filter_map(|stage| Some((stage.stage, stage.local_root_signature?)));
        let samplers =
            local.flat_map(|(stage, signature)| signature.static_samplers.iter().map(move |sampler| (stage, sampler)));
        Self { first, all: samplers.map(|(stage, s)| ((s.register, s.space), (stage, s))).collect() }
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
        let alike = self.all.range((register, 0)..=(register, u32::MAX));
        match alike.map(|(_, found)| found).find(|(_, other)| !is_same(sampler, other)) {
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

/// Why no root signature has a resource of this stage, for messages. `None` for a stage without shader
/// records.
pub(super) fn missing(
    stage: &StageResources<'_>,
    stages: &[StageResources<'_>],
    resource: &Resource,
) -> Option<String> {
    if !stage.stage.is_rays() {
        return None;
    }
    if stage.local_root_signature.is_some() {
        return Some("neither the stage's local root signature nor the global one has its registers".to_owned());
    }
    let other = stages.iter().find(|other| other.record().is_some_and(|record| record.has(resource)));
    let other = other
        .map_or_else(String::new, |other| format!("; the local root signature of the {} stage has them", other.stage));
    Some(format!(
        "the global root signature does not have its registers, and the stage has no local root signature{other}; \
         associate one with the export in the library, or give one with `--local-root-signature` of dxil2spv or the \
         layer's setting `local_root_signature`"
    ))
}
