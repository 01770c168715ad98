//! The `register` model: set = register space, or the set that the caller gives the space; binding =
//! register + the shift of its class.
//!
//! In: the resources of a pipeline's stages, the shifts and the sets of spaces. Out: requests. An array takes one
//! binding with its count. The hidden counter of u# is at binding # + c. The places are those of
//! DXC's SPIR-V output with `-fvk-*-shift N all`.

use super::heap::Heaps;
use super::inputs::{PlanInputs, StageResources};
use super::options::{BindingOptions, Model};
use super::place_request::{Hints, Origin, PlaceRequest, PlaceRequests, Slot, Spot};
use super::record::{self, Records};
use crate::ir::resources::Resource;
use crate::ops::consts::ResourceClass;

/// The model's requests for the stages.
pub(super) fn requests(stages: &[StageResources<'_>], records: &Records<'_>, inputs: &PlanInputs<'_>) -> PlaceRequests {
    let options = &inputs.options;
    let heaps = Heaps::new(options, None, inputs.layout, inputs.profile);
    let (hints, texts) = (Hints::new(), Hints::new());
    let request = |(index, stage): (usize, &StageResources<'_>)| {
        let resources = stage.declared();
        let record = records.stage(index);
        let own = |(id, resource)| {
            texts.keep(
                record::without_model(stage, id, &heaps, record, &hints).unwrap_or_else(|| place(resource, options)),
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

fn place(resource: &Resource, &BindingOptions { shifts, spaces, .. }: &BindingOptions) -> Result<PlaceRequest, String> {
    let (class, shift) = match resource.class {
        ResourceClass::CBuffer => ('b', shifts.b),
        ResourceClass::Srv => ('t', shifts.t),
        ResourceClass::Uav => ('u', shifts.u),
        ResourceClass::Sampler => ('s', shifts.s),
    };
    let slot = |class: char, shift: u32| {
        let register = resource.lower_bound;
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
