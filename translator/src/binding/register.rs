//! The `register` model: set = register space, or the set that the caller gives the space; binding
//! = register + the shift of its class.
//!
//! In: the resources of a pipeline's stages, the shifts and the sets of spaces. Out: requests. An
//! array takes one binding with its count. The hidden counter of u# is at binding # + c. The places
//! are those of DXC's SPIR-V output with `-fvk-*-shift N all`.

use std::collections::BTreeMap;

use super::heap::Heaps;
use super::inputs::{PlanInputs, StageResources};
use super::options::{BindingOptions, Model};
use super::place_request::{Hints, Origin, PlaceRequest, PlaceRequests, Slot, Spot};
use super::record::{self, Records};
use crate::ir::resources::Resource;
use crate::ops::consts::ResourceClass;

/// The register of a resource that the compiler gave none.
const UNASSIGNED: u32 = u32::MAX;

/// The model's requests for the stages.
pub(super) fn requests(stages: &[StageResources<'_>], records: &Records<'_>, inputs: &PlanInputs<'_>) -> PlaceRequests {
    let options = &inputs.options;
    let heaps = Heaps::new(options, None, inputs.layout, inputs.profile);
    let (hints, texts) = (Hints::new(), Hints::new());
    let chosen = chosen(stages);
    let request = |(index, stage): (usize, &StageResources<'_>)| {
        let resources = stage.declared();
        let record = records.stage(index);
        let own = |(id, resource)| {
            texts.keep(
                record::without_model(stage, id, &heaps, record, &hints)
                    .unwrap_or_else(|| place(resource, register(resource, &chosen), options)),
            )
        };
        resources.map(own).collect()
    };
    let stages = stages.iter().enumerate().map(request).collect();
    PlaceRequests {
        model: Model::Register,
        heaps,
        root_set: None,
        addresses: false,
        root_block: false,
        is_form_unknown: false,
        shifts: options.shifts,
        stages,
    }
}

/// A resource of which the compiler left the register open: its class, space and name.
type Open<'a> = (ResourceClass, u32, &'a str);

/// The registers of resources that have none, behind all others of their class and space, in the
/// order of their names. Libraries of DXC have such resources, as `$Globals`, and several stages
/// may have the same one.
fn chosen<'a>(stages: &'a [StageResources<'_>]) -> BTreeMap<Open<'a>, u32> {
    let (mut ends, mut open) = (BTreeMap::new(), BTreeMap::new());
    if !stages.iter().flat_map(StageResources::declared).any(|(_, resource)| resource.lower_bound == UNASSIGNED) {
        return open;
    }
    for (_, resource) in stages.iter().flat_map(StageResources::declared) {
        let key = (resource.class, resource.space);
        if resource.lower_bound == UNASSIGNED {
            let count = open.entry((resource.class, resource.space, &*resource.name)).or_insert(0);
            *count = resource.count.max(*count);
        } else {
            let end = ends.entry(key).or_insert(0);
            *end = resource.lower_bound.saturating_add(resource.count).max(*end);
        }
    }
    for ((class, space, _), register) in &mut open {
        let end = ends.entry((*class, *space)).or_insert(0_u32);
        let count = std::mem::replace(register, *end);
        *end = end.saturating_add(count);
    }
    open
}

/// The register of a resource.
fn register(resource: &Resource, chosen: &BTreeMap<Open<'_>, u32>) -> u32 {
    match resource.lower_bound {
        UNASSIGNED => chosen.get(&(resource.class, resource.space, &*resource.name)).copied().unwrap_or(UNASSIGNED),
        own => own,
    }
}

fn place(
    resource: &Resource,
    register: u32,
    &BindingOptions { shifts, spaces, .. }: &BindingOptions,
) -> Result<PlaceRequest, String> {
    let (class, shift) = match resource.class {
        ResourceClass::CBuffer => ('b', shifts.b),
        ResourceClass::Srv => ('t', shifts.t),
        ResourceClass::Uav => ('u', shifts.u),
        ResourceClass::Sampler => ('s', shifts.s),
    };
    let slot = |class: char, shift: u32| {
        let binding = register
            .checked_add(shift)
            .ok_or_else(|| format!("register {register} plus shift {class}={shift} is not a 32-bit binding number"))?;
        Ok::<_, String>(Slot {
            set: spaces.set(resource.space),
            binding,
            first: 0,
            count: resource.count,
            origin: Origin::Register,
        })
    };
    let counter = if resource.has_counter { Some(slot('c', shifts.c)?) } else { None };
    Ok(PlaceRequest::new(Spot::Slot(slot(class, shift)?), counter))
}
