//! The `root-signature` model: descriptor tables are sets, and the rest is in the root set and in
//! push constants.
//!
//! In: the resources of a pipeline's stages, and their root signature. Out: claims. What must hold
//! (docs/bindings.md): if the signature has n parameters and T of them are tables, the k-th table
//! is set k, and the binding of a descriptor is its offset in the table; a root descriptor that is
//! parameter i is binding i of set T (the *root set*), and static sampler j is binding n + j there;
//! root constants are in the push-constant block, in the order of the parameters. An array over
//! several offsets, in any stage, is one binding, and the other stages index into it.

use std::cmp::Reverse;
use std::fmt;

use super::claim::{Claim, Claims, Origin, Slot, Spot};
use super::heap::Heaps;
use super::layout::PipelineLayout;
use super::options::{BindingOptions, Model, RegisterShifts, RootDescriptors};
use super::root_signature::{RootParameterKind, RootSignature, Visibility, flags};
use super::{PlanInputs, StageResources};
use crate::dxil::consts::{ResourceClass, ResourceKind, ShaderStage};
use crate::dxil::resources::{Resource, UNBOUNDED};
use crate::error::{Place, Result};
use crate::profile::DeviceProfile;

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
    if let Some((other_stage, other)) = all.find(|(_, other)| !other.is_same_as(signature)) {
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

/// The model's claims for the stages.
pub(super) fn claims(
    stages: &[StageResources<'_>],
    signature: &RootSignature,
    &PlanInputs { options, layout, profile, .. }: &PlanInputs<'_>,
) -> Claims {
    let BindingOptions { shifts, root_descriptors, heap_sets, .. } = options;
    let map = RootMap::new(signature, root_descriptors, layout);
    let mut in_tables = Vec::new();
    let mut all: Vec<Vec<Result<Claim, String>>> = Vec::with_capacity(stages.len());
    for (stage_index, stage) in stages.iter().enumerate() {
        let mut claims = Vec::with_capacity(stage.resources.len());
        for (index, (id, resource)) in stage.declared().enumerate() {
            if let Some(claim) = stage.without_model(id) {
                claims.push(claim);
                continue;
            }
            let claim = map.place(resource, stage.stage, profile).map(|placed| match placed {
                Placed::Here(spot) => Claim { spot, counter: None },
                Placed::Table { slot, start } => {
                    let end = match resource.count {
                        UNBOUNDED => u64::MAX,
                        count => u64::from(start) + u64::from(count),
                    };
                    let start = u64::from(start);
                    in_tables.push(InTable { set: slot.set, start, end, stage: stage_index, index });
                    Claim { spot: Spot::Slot(slot), counter: None }
                }
            });
            claims.push(claim);
        }
        all.push(claims);
    }
    join_arrays(&mut in_tables, stages, shifts, &mut all);
    let heaps = Heaps::new(heap_sets, Some(map.sets()), layout, profile);
    Claims { model: Model::RootSignature, shifts, heaps, stages: all }
}

/// The descriptors of a table that a resource of some stage uses: the offsets from `start` to
/// `end`, without `end`.
#[derive(Clone, Copy)]
struct InTable {
    set: u32,
    start: u64,
    end: u64,
    stage: usize,
    index: usize,
}

/// Makes each array one binding. A resource at an offset inside an array becomes an element of that
/// binding.
fn join_arrays(
    in_tables: &mut [InTable],
    stages: &[StageResources<'_>],
    shifts: RegisterShifts,
    all: &mut [Vec<Result<Claim, String>>],
) {
    // An outer array comes before everything that it contains. The rest of the key makes the order
    // unique.
    in_tables.sort_by_key(|item| (item.set, item.start, Reverse(item.end), item.stage, item.index));
    let mut binding: Option<InTable> = None;
    for item in in_tables.iter() {
        let resource = |item: &InTable| stages.get(item.stage)?.resources.values().nth(item.index);
        let outer = match &binding {
            Some(outer) if outer.set == item.set && item.start < outer.end => *outer,
            _ => *item,
        };
        binding = Some(outer);
        let Some(claim) = all.get_mut(item.stage).and_then(|claims| claims.get_mut(item.index)) else { continue };
        let Some(this) = resource(item) else { continue };
        if item.end > outer.end {
            let other = resource(&outer).map_or_else(String::new, Resource::to_string);
            let stage = stages.get(outer.stage).map_or("", |stage| stage.stage.name());
            *claim = Err(format!(
                "offsets {} to {} of the table at set {}: the array {other} ({stage}) has some of these offsets but not all, \
                 and a descriptor cannot be in two bindings",
                item.start,
                item.end - 1,
                item.set
            ));
            continue;
        }
        if let Ok(made) = claim
            && let Err(message) = join(made, this, item, &outer, shifts)
        {
            *claim = Err(message);
        }
    }
}

fn join(
    claim: &mut Claim,
    resource: &Resource,
    item: &InTable,
    outer: &InTable,
    shifts: RegisterShifts,
) -> Result<(), String> {
    let Spot::Slot(slot) = &mut claim.spot else { return Ok(()) };
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
        claim.counter = Some(Slot { binding, ..*slot });
    }
    Ok(())
}

/// The place of one resource.
enum Placed {
    /// In the root set or in push constants.
    Here(Spot),
    /// In a table: the slot, before arrays are joined, and the offset in the table.
    Table { slot: Slot, start: u32 },
}

/// The item of a root signature that has a resource's registers.
enum Holder {
    Constants { parameter: u32, count: u32 },
    Descriptor { parameter: u32 },
    Range { parameter: u32, range: u32, table: u32, offset: u32 },
    StaticSampler(u32),
}

/// A root signature and the places of its parameters.
struct RootMap<'a> {
    signature: &'a RootSignature,
    /// T: the number of tables, which is also the set number of the root set.
    tables: u32,
    /// First byte of each parameter in the push-constant block, where root descriptors are
    /// descriptors.
    push: Vec<u32>,
    /// The same where they are addresses.
    push_with_addresses: Vec<u32>,
    /// Whether root descriptors are addresses; `None` where the layout does not say.
    by_address: Option<bool>,
}

/// The first byte of each parameter in the push-constant block.
fn push_offsets(signature: &RootSignature, by_address: bool) -> Vec<u32> {
    let mut at: u32 = 0;
    let mut offsets = Vec::with_capacity(signature.parameters.len());
    for parameter in &signature.parameters {
        let size = match &parameter.kind {
            RootParameterKind::Constants { count, .. } => count.saturating_mul(4),
            RootParameterKind::Descriptor { .. } if by_address => {
                at = at.saturating_add(7) & !7;
                8
            }
            _ => 0,
        };
        offsets.push(at);
        at = at.saturating_add(size);
    }
    offsets
}

impl<'a> RootMap<'a> {
    fn new(signature: &'a RootSignature, form: RootDescriptors, layout: Option<&PipelineLayout>) -> Self {
        let parameters = &signature.parameters;
        let tables = parameters.iter().filter(|p| matches!(p.kind, RootParameterKind::Table(_))).count();
        let by_address = match (form, layout) {
            (RootDescriptors::Descriptor, _) | (RootDescriptors::Auto, None) => Some(false),
            (RootDescriptors::Address, _) => Some(true),
            // A set that the layout leaves out, as pipeline libraries may, says nothing about its bindings.
            (RootDescriptors::Auto, Some(layout)) => layout
                .sets
                .get(tables)
                .and_then(Option::as_ref)
                .map(|bindings| !bindings.iter().any(|binding| (binding.binding as usize) < parameters.len())),
        };
        Self {
            signature,
            tables: tables as u32,
            push: push_offsets(signature, false),
            push_with_addresses: push_offsets(signature, true),
            by_address,
        }
    }

    /// The number of descriptor sets that the root signature uses: one for each table, and the root
    /// set if it has a binding.
    fn sets(&self) -> u32 {
        let descriptors = self.by_address != Some(true)
            && self.signature.parameters.iter().any(|p| matches!(p.kind, RootParameterKind::Descriptor { .. }));
        let root_set = descriptors || !self.signature.static_samplers.is_empty();
        self.tables + u32::from(root_set)
    }

    /// The first byte of a parameter in the push-constant block.
    fn push_offset(&self, parameter: u32) -> Result<u32, String> {
        let at = |offsets: &[u32]| offsets.get(parameter as usize).copied().unwrap_or(u32::MAX);
        let (without, with) = (at(&self.push), at(&self.push_with_addresses));
        match self.by_address {
            Some(true) => Ok(with),
            Some(false) => Ok(without),
            None if without == with => Ok(without),
            None => Err(format!(
                "root constants of parameter {parameter}, at byte {without} or {with} of the push constants: {}",
                self.unknown_form()
            )),
        }
    }

    /// What to do where the layout does not say whether root descriptors are addresses.
    fn unknown_form(&self) -> String {
        format!(
            "the layout leaves out set {}, so it does not say whether root descriptors are addresses; say so with \
             `--root-descriptors` of dxil2spv or the layer's setting `root_descriptors`: descriptor or address",
            self.tables
        )
    }

    fn place(&self, resource: &Resource, stage: ShaderStage, profile: &DeviceProfile) -> Result<Placed, String> {
        let root_slot = |binding: u32, origin: Origin| {
            Placed::Here(Spot::Slot(Slot { set: self.tables, binding, first: 0, count: 1, origin }))
        };
        match self.holder(resource, stage)? {
            Holder::Constants { parameter, count } => {
                let offset = self.push_offset(parameter)?;
                let given = count.saturating_mul(4);
                let limit = profile.limits.max_push_constants_size;
                let end = offset.saturating_add(given);
                if end > limit {
                    return Err(format!(
                        "root constants of parameter {parameter} at bytes {offset} to {end}, but the device has only {limit} \
                         bytes of push constants; root constants in the root set are not supported yet"
                    ));
                }
                let declared = resource.size.saturating_add(3) & !3;
                let size = if declared == 0 { given } else { given.min(declared) };
                Ok(Placed::Here(Spot::Push { offset, size }))
            }
            Holder::Descriptor { parameter } => {
                check_root_descriptor(resource).map_err(|why| format!("parameter {parameter} {why}"))?;
                let set = self.tables;
                match self.by_address {
                    Some(false) => {}
                    Some(true) => {
                        return Err(format!(
                            "set {set} binding {parameter} (root descriptor): the layout or the setting \
                             `root_descriptors` requests root descriptors by address, which are not supported yet; \
                             declare a binding for every root descriptor in set {set}"
                        ));
                    }
                    None => {
                        let unknown = self.unknown_form();
                        return Err(format!("set {set} binding {parameter} (root descriptor): {unknown}"));
                    }
                }
                Ok(root_slot(parameter, Origin::RootDescriptor(parameter)))
            }
            Holder::StaticSampler(sampler) => {
                let n = self.signature.parameters.len() as u32;
                Ok(root_slot(n.saturating_add(sampler), Origin::StaticSampler(sampler)))
            }
            Holder::Range { parameter, range, table, offset } => {
                let slot =
                    Slot { set: table, binding: offset, first: 0, count: 1, origin: Origin::Range(parameter, range) };
                Ok(Placed::Table { slot, start: offset })
            }
        }
    }

    /// The item of the signature that has all registers of the resource and is visible to the
    /// stage.
    fn holder(&self, resource: &Resource, stage: ShaderStage) -> Result<Holder, String> {
        if let Some(name) = denied(self.signature.flags, stage) {
            return Err(format!("the root signature has the flag {name}, so the stage has no access to it"));
        }
        let mut near = None;
        let mut table = 0;
        for (index, parameter) in self.signature.parameters.iter().enumerate() {
            let index = index as u32;
            let registers = |class, register, count, space| Registers { class, register, count, space };
            let mut look = |registers: Registers| {
                registers.look(resource, parameter.visibility, stage, Item::Parameter(index), &mut near)
            };
            match &parameter.kind {
                &RootParameterKind::Constants { register, space, count } => {
                    if look(registers(ResourceClass::CBuffer, register, 1, space)) {
                        return Ok(Holder::Constants { parameter: index, count });
                    }
                }
                &RootParameterKind::Descriptor { class, register, space, .. } => {
                    if look(registers(class, register, 1, space)) {
                        return Ok(Holder::Descriptor { parameter: index });
                    }
                }
                RootParameterKind::Table(ranges) => {
                    for (range_index, range) in ranges.iter().enumerate() {
                        if look(registers(range.class, range.register, range.count, range.space)) {
                            let into = resource.lower_bound.saturating_sub(range.register);
                            let offset = range.offset.checked_add(into);
                            let offset = offset
                                .ok_or_else(|| format!("offset {} + {into} in its table is too large", range.offset))?;
                            let range = range_index as u32;
                            return Ok(Holder::Range { parameter: index, range, table, offset });
                        }
                    }
                    table += 1;
                }
            }
        }
        for (index, sampler) in self.signature.static_samplers.iter().enumerate() {
            let (class, register, space) = (ResourceClass::Sampler, sampler.register, sampler.space);
            let registers = Registers { class, register, count: 1, space };
            if registers.look(resource, sampler.visibility, stage, Item::StaticSampler(index as u32), &mut near) {
                return Ok(Holder::StaticSampler(index as u32));
            }
        }
        Err(match near {
            None => "the root signature does not have its registers".to_owned(),
            Some(Near::Invisible(item, visibility)) => {
                format!("{item} of the root signature has its registers, but only for {visibility}")
            }
            Some(Near::Partly(item)) => {
                format!(
                    "{item} of the root signature has only a part of its registers; one range must have all of them"
                )
            }
        })
    }
}

/// An item of a root signature, by index.
#[derive(Clone, Copy)]
enum Item {
    Parameter(u32),
    StaticSampler(u32),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Parameter(index) => write!(f, "parameter {index}"),
            Item::StaticSampler(index) => write!(f, "static sampler {index}"),
        }
    }
}

/// An item that has some registers of the resource but does not fit, for messages.
enum Near {
    Invisible(Item, Visibility),
    Partly(Item),
}

/// The registers of an item of a root signature.
struct Registers {
    class: ResourceClass,
    register: u32,
    count: u32,
    space: u32,
}

fn last(register: u32, count: u32) -> u32 {
    if count == UNBOUNDED { u32::MAX } else { register.saturating_add(count.saturating_sub(1)) }
}

impl Registers {
    fn look(
        &self,
        resource: &Resource,
        visibility: Visibility,
        stage: ShaderStage,
        item: Item,
        near: &mut Option<Near>,
    ) -> bool {
        if (self.class, self.space) != (resource.class, resource.space) {
            return false;
        }
        let (first, last) = (resource.lower_bound, last(resource.lower_bound, resource.count));
        let own_last = self::last(self.register, self.count);
        if first > own_last || last < self.register {
            return false;
        }
        if !visibility.includes(stage) {
            *near = Some(Near::Invisible(item, visibility));
            return false;
        }
        if first < self.register || last > own_last {
            *near = Some(Near::Partly(item));
            return false;
        }
        true
    }
}

/// Checks that a resource may be a root descriptor. D3D12 has root descriptors for buffers without
/// a format and without a counter, and for acceleration structures.
///
/// # Errors
/// A message that says why it may not, as the predicate of a sentence.
pub(super) fn check_root_descriptor(resource: &Resource) -> Result<(), String> {
    use ResourceKind as K;
    let fits = matches!(resource.kind, K::CBuffer | K::RawBuffer | K::StructuredBuffer | K::RtAccelerationStructure);
    if !fits {
        let kind = resource.kind;
        return Err(format!(
            "is a root descriptor, but a {kind} cannot be one; only constant, raw and structured buffers and acceleration \
             structures can"
        ));
    }
    if resource.has_counter {
        return Err("is a root descriptor, which cannot have a counter, but the shader uses its counter".to_owned());
    }
    Ok(())
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
