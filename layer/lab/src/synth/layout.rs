//! The pipeline layout that shaders need.
//!
//! In: the stages of a pipeline. Out: the layout, as `dxil2spv layout` prints it, and each stage
//! translated for it. What must hold: the layer, given this layout and the settings of the lab,
//! plans the same places.

use std::collections::{BTreeMap, BTreeSet};

use dxil_base::profile::StorageFormats;
use dxil_capture::model::{Binding, Chain, PipelineLayout, PushRange, Sampler, SetLayout};
use dxil_translator::binding;
use dxil_translator::binding::{BindingOptions, BindingReport, HeapSets, Model, RegisterShifts, SamplerReport};
use dxil_translator::{
    DeviceProfile, Feature, Options, PipelineStage, PlanInputs, ShaderStage, VULKAN_1_3_DESKTOP, translate,
};

use super::containers::{Containers, StageId};
use super::error::ShaderError;

/// Shaders without a root signature are bound by register, and resources of different classes have
/// different bindings.
const SHIFTS: RegisterShifts = RegisterShifts { b: 0, t: 256, u: 512, s: 768, c: 1024 };
const HEAP_COUNTER_SET: u32 = 2;
const SAMPLER_HEAP_SET: u32 = 3;
const RESOURCE_HEAP_SET: u32 = 4;
/// The number of descriptors of an unbounded array.
const UNBOUNDED: u32 = 64;
/// `VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT`.
const PARTIALLY_BOUND: u32 = 4;

/// The sets that every device binds (Vulkan, "Required Limits", `maxBoundDescriptorSets`).
const SETS: usize = 4;

/// The formats of storage images in a translation for every device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Formats {
    /// None, as far as a device may leave it out.
    Open,
    /// One component where D3D promises no others, as for a device that needs formats.
    Named,
}

/// A planned pipeline.
pub struct Planned {
    /// The settings of the layer under which it plans the same.
    pub settings: BTreeMap<String, String>,
    /// The layout.
    pub layout: PipelineLayout,
    /// The sets of the heaps.
    heap_sets: HeapSets,
    /// The binding model.
    pub model: String,
    /// The SPIR-V of each stage, for a device with everything. Its interface is that of any other.
    pub words: Vec<Vec<u32>>,
}

/// The layer's settings that stand for these options.
fn settings(options: &BindingOptions, spaces: &str) -> BTreeMap<String, String> {
    let RegisterShifts { b, t, u, s, c } = SHIFTS;
    let HeapSets { resources, samplers, counters, .. } = options.heap_sets;
    let sets = [("resource_heap_set", resources), ("sampler_heap_set", samplers), ("heap_counter_set", counters)];
    let sets = sets.into_iter().filter_map(|(name, set)| Some((name, set?.to_string())));
    let spaces = (!spaces.is_empty()).then(|| ("spaces", spaces.to_owned()));
    let settings = [
        ("register_shifts", format!("b={b},t={t},u={u},s={s},c={c}")),
        // Draws of the lab begin at vertex and instance 0, so that drivers without
        // shaderDrawParameters can run them as well.
        ("vertex_id", "vulkan".to_owned()),
    ];
    sets.chain(spaces).chain(settings).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The options of a pipeline whose sets need not be packed.
fn options() -> BindingOptions {
    let mut options = BindingOptions::new(Model::Auto, SHIFTS);
    options.heap_sets = HeapSets::default();
    options.heap_sets.counters = Some(HEAP_COUNTER_SET);
    options.heap_sets.samplers = Some(SAMPLER_HEAP_SET);
    options.heap_sets.resources = Some(RESOURCE_HEAP_SET);
    options
}

/// Plans the stages of a pipeline.
///
/// # Errors
/// The translator's.
pub fn plan(containers: &Containers, ids: &[StageId], formats: Formats) -> Result<Planned, ShaderError> {
    let mut profile = dxil_base::profile::everything();
    profile.limits = VULKAN_1_3_DESKTOP.limits;
    // Not every driver has mutable descriptors, so they are taken only where nothing else will do.
    profile.features.set(Feature::MutableDescriptorType, false);
    if formats == Formats::Named {
        profile.features.set(Feature::StorageImageReadWithoutFormat, false);
        profile.formats.read_without_format = StorageFormats::ALL;
    }
    let planned = plan_in_few_sets(&profile, containers, ids);
    if planned.as_ref().is_ok_and(|planned| planned.layout.sets.len() <= SETS) {
        return planned;
    }
    // A heap of mutable descriptors is one set instead of seven.
    profile.features.set(Feature::MutableDescriptorType, true);
    match (planned, plan_in_few_sets(&profile, containers, ids)) {
        (Ok(planned), Ok(mutable)) if mutable.layout.sets.len() < planned.layout.sets.len() => Ok(mutable),
        (Err(_), Ok(mutable)) => Ok(mutable),
        (planned, _) => planned,
    }
}

/// Plans the stages of a pipeline with as few sets as every device binds, if there is such a plan.
fn plan_in_few_sets(profile: &DeviceProfile, containers: &Containers, ids: &[StageId]) -> Result<Planned, ShaderError> {
    let mut planned = plan_for(profile, containers, ids, (options(), ""));
    // The second time, the heaps that are not used have no sets.
    for _ in 0..2 {
        if planned.as_ref().is_ok_and(|planned| planned.layout.sets.len() <= SETS) {
            break;
        }
        let (packed, spaces) = packed(containers, ids, planned.as_ref().ok())?;
        let fewer = plan_for(profile, containers, ids, (packed, &spaces));
        planned = match (planned, fewer) {
            (Ok(planned), Ok(fewer)) if fewer.layout.sets.len() < planned.layout.sets.len() => Ok(fewer),
            (Err(_), Ok(fewer)) => Ok(fewer),
            (planned, _) => planned,
        };
    }
    planned
}

/// Options that give the register spaces and the heaps that a pipeline uses the first sets, and the
/// text of the layer's setting `spaces`. Which heaps are used, a plan of the pipeline tells.
fn packed(
    containers: &Containers,
    ids: &[StageId],
    planned: Option<&Planned>,
) -> Result<(BindingOptions, String), ShaderError> {
    let mut options = options();
    if planned.is_some_and(|planned| planned.model == Model::RootSignature.to_string()) {
        // Heaps follow the sets of the root signature then.
        options.heap_sets = HeapSets::default();
        return Ok((options, String::new()));
    }
    let mut spaces = BTreeSet::new();
    for id in ids {
        let resources = PipelineStage::new(containers.shader(*id), id.1).resources()?;
        spaces.extend(resources.resources.iter().map(|(_, resource)| resource.space));
    }
    let pairs = (0..).zip(&spaces).filter(|(set, space)| set != *space).map(|(set, space)| format!("{space}={set}"));
    let text = pairs.collect::<Vec<_>>().join(",");
    // The sets of more spaces than the setting can name stay as they are, and the plan says so.
    options.spaces = text.parse().unwrap_or_default();
    let mut next = spaces.len() as u32;
    let is_used = |set: Option<u32>| match (planned, set) {
        (Some(planned), Some(set)) => {
            let found = planned.layout.sets.get(set as usize).and_then(Option::as_ref);
            !spaces.contains(&set) && found.is_some_and(|set| !set.bindings.is_empty())
        }
        (planned, _) => planned.is_none(),
    };
    let before = planned.map(|planned| planned.heap_sets).unwrap_or_default();
    let heaps = &mut options.heap_sets;
    for (heap, before) in [(&mut heaps.counters, before.counters), (&mut heaps.samplers, before.samplers)] {
        if is_used(before) {
            *heap = Some(next);
            next += 1;
        } else {
            *heap = None;
        }
    }
    // The resource heap may have several sets, and is the last.
    heaps.resources = Some(next);
    Ok((options, text))
}

fn plan_for(
    profile: &DeviceProfile,
    containers: &Containers,
    ids: &[StageId],
    (binding_options, spaces): (BindingOptions, &str),
) -> Result<Planned, ShaderError> {
    let stages: Vec<PipelineStage<'_>> =
        ids.iter().map(|id| PipelineStage::new(containers.shader(*id), id.1)).collect();
    let inputs = PlanInputs::new(profile).with_options(binding_options);
    let planned = dxil_translator::plan(&stages, &inputs)?;
    let resources = stages.iter().map(PipelineStage::resources).collect::<Result<Vec<_>, _>>()?;
    let report = binding::layout_report(&resources, None, &planned)?;
    let mut words = Vec::new();
    let mesh = ids.iter().find_map(|id| containers.shader(*id).mesh_outputs(id.1));
    for (index, (id, plan)) in ids.iter().zip(&planned.stages).enumerate() {
        let mut options = Options::new(profile.clone());
        options.pipeline.samples = 1;
        options.pipeline.feeds_stage = ids.get(index + 1).is_some_and(|next| {
            !matches!(containers.get(*next).1.stage, ShaderStage::Pixel) && !containers.get(*id).1.stage.is_rays()
        });
        options.pipeline.mesh_outputs = mesh.clone().filter(|_| containers.get(*id).1.stage == ShaderStage::Pixel);
        words.push(translate(containers.shader(*id), id.1, plan, &options)?.words);
    }
    let sets = report.sets.into_iter().map(|set| {
        let bindings = set.bindings.into_iter().map(binding_of).collect();
        Some(SetLayout { bindings, ..SetLayout::default() })
    });
    let ranges = report.push_constant_ranges.iter();
    let layout = PipelineLayout {
        sets: sets.collect(),
        push_ranges: ranges.map(|r| PushRange { stages: r.stages, offset: r.offset, size: r.size }).collect(),
        ..PipelineLayout::default()
    };
    let (settings, heap_sets) = (settings(&binding_options, spaces), binding_options.heap_sets);
    Ok(Planned { settings, layout, heap_sets, model: report.model.to_string(), words })
}

fn binding_of(reported: BindingReport) -> Binding {
    let (count, flags) = match reported.count {
        u32::MAX => (UNBOUNDED, PARTIALLY_BOUND),
        count => (count, 0),
    };
    Binding {
        binding: reported.binding,
        ty: reported.ty as i32,
        count,
        stages: reported.stages,
        flags,
        samplers: reported.immutable_samplers.iter().map(sampler).collect(),
        mutable_types: reported.mutable_types.iter().map(|&ty| ty as i32).collect(),
    }
}

fn sampler(it: &SamplerReport) -> Sampler {
    let mut chain = Chain::default();
    if it.reduction_mode != 0 {
        // VkSamplerReductionModeCreateInfo: the mode, and padding.
        let mut bytes = it.reduction_mode.to_le_bytes().to_vec();
        bytes.extend([0; 4]);
        let bytes = dxil_capture::digest::Bytes(bytes);
        chain.structures.push(dxil_capture::model::Structure { s_type: 1_000_130_001, bytes });
    }
    Sampler {
        flags: 0,
        mag_filter: it.mag_filter,
        min_filter: it.min_filter,
        mipmap_mode: it.mipmap_mode,
        address_modes: [it.address_mode_u, it.address_mode_v, it.address_mode_w],
        mip_lod_bias: it.mip_lod_bias.into(),
        max_anisotropy: it.anisotropy_enable.then(|| it.max_anisotropy.into()),
        compare_op: it.compare_enable.then_some(it.compare_op),
        min_lod: it.min_lod.into(),
        max_lod: it.max_lod.into(),
        border_color: it.border_color,
        unnormalized_coordinates: it.unnormalized_coordinates,
        conversion: None,
        chain,
    }
}
