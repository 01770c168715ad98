//! The pipeline layout that shaders need.
//!
//! In: the stages of a pipeline. Out: the layout, as `dxil2spv layout` prints it, and each stage
//! translated for it. What must hold: the layer, given this layout and the settings of the lab, plans
//! the same places.

use std::collections::BTreeMap;

use dxil_capture::model::{Binding, Chain, PipelineLayout, PushRange, Sampler, SetLayout};
use dxil_translator::binding;
use dxil_translator::binding::{BindingOptions, HeapSets, Model, RegisterShifts};
use dxil_translator::{
    DeviceProfile, Feature, Options, PipelineStage, PlanInputs, ShaderStage, VULKAN_1_3_DESKTOP, translate,
};
use serde::Deserialize;

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

/// A planned pipeline.
pub struct Planned {
    /// The layout.
    pub layout: PipelineLayout,
    /// The binding model.
    pub model: String,
    /// The SPIR-V of each stage, for a device with everything. Its interface is that of any other.
    pub words: Vec<Vec<u32>>,
}

/// The document of `dxil2spv layout --json`, as far as a layout needs it.
#[derive(Deserialize)]
struct Report {
    model: String,
    sets: Vec<Set>,
    push_constant_ranges: Vec<Range>,
}

#[derive(Deserialize)]
struct Set {
    bindings: Vec<Reported>,
}

#[derive(Deserialize)]
struct Reported {
    binding: u32,
    #[serde(rename = "type")]
    ty: Value,
    count: Count,
    stages: Flags,
    mutable_types: Vec<Value>,
    immutable_samplers: Vec<ReportedSampler>,
}

#[derive(Deserialize)]
struct Range {
    stages: Flags,
    offset: u32,
    size: u32,
}

#[derive(Deserialize)]
struct Value {
    value: i32,
}

#[derive(Deserialize)]
struct Flags {
    value: u32,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Count {
    Number(u32),
    /// `"unbounded"`.
    #[expect(dead_code, reason = "the only text is that one")]
    Text(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReportedSampler {
    mag_filter: Value,
    min_filter: Value,
    mipmap_mode: Value,
    address_mode_u: Value,
    address_mode_v: Value,
    address_mode_w: Value,
    mip_lod_bias: f32,
    anisotropy_enable: bool,
    max_anisotropy: f32,
    compare_enable: bool,
    compare_op: Value,
    min_lod: f32,
    max_lod: f32,
    border_color: Value,
    unnormalized_coordinates: bool,
    reduction_mode: Value,
}

/// The layer's settings for synthesised pipelines.
pub fn settings() -> BTreeMap<String, String> {
    let RegisterShifts { b, t, u, s, c } = SHIFTS;
    let settings = [
        ("heap_counter_set", HEAP_COUNTER_SET.to_string()),
        ("register_shifts", format!("b={b},t={t},u={u},s={s},c={c}")),
        ("resource_heap_set", RESOURCE_HEAP_SET.to_string()),
        ("sampler_heap_set", SAMPLER_HEAP_SET.to_string()),
        // Draws of the lab begin at vertex and instance 0, so that drivers without shaderDrawParameters
        // can run them as well.
        ("vertex_id", "vulkan".to_owned()),
    ];
    settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The options that [`settings`] give the layer.
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
pub fn plan(containers: &Containers, ids: &[StageId]) -> Result<Planned, ShaderError> {
    let mut profile = dxil_base::profile::everything();
    profile.limits = VULKAN_1_3_DESKTOP.limits;
    // Not every driver has mutable descriptors, so they are taken only where nothing else will do.
    profile.features.set(Feature::MutableDescriptorType, false);
    plan_for(&profile, containers, ids).or_else(|error| {
        profile.features.set(Feature::MutableDescriptorType, true);
        plan_for(&profile, containers, ids).map_err(|_| error)
    })
}

fn plan_for(profile: &DeviceProfile, containers: &Containers, ids: &[StageId]) -> Result<Planned, ShaderError> {
    let stages: Vec<PipelineStage<'_>> =
        ids.iter().map(|id| PipelineStage::new(containers.shader(*id), id.1)).collect();
    let inputs = PlanInputs::new(profile).with_options(options());
    let planned = dxil_translator::plan(&stages, &inputs)?;
    let resources = stages.iter().map(PipelineStage::resources).collect::<Result<Vec<_>, _>>()?;
    let report = binding::layout_report(&resources, None, &planned)?;
    let report = serde_json::to_value(report).and_then(serde_json::from_value::<Report>);
    let report = report.map_err(ShaderError::Report)?;
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
        push_ranges: ranges.map(|r| PushRange { stages: r.stages.value, offset: r.offset, size: r.size }).collect(),
        ..PipelineLayout::default()
    };
    Ok(Planned { layout, model: report.model, words })
}

fn binding_of(reported: Reported) -> Binding {
    let (count, flags) = match reported.count {
        Count::Number(count) => (count, 0),
        Count::Text(_) => (UNBOUNDED, PARTIALLY_BOUND),
    };
    Binding {
        binding: reported.binding,
        ty: reported.ty.value,
        count,
        stages: reported.stages.value,
        flags,
        samplers: reported.immutable_samplers.iter().map(sampler).collect(),
        mutable_types: reported.mutable_types.iter().map(|ty| ty.value).collect(),
    }
}

fn sampler(it: &ReportedSampler) -> Sampler {
    let mut chain = Chain::default();
    if it.reduction_mode.value != 0 {
        // VkSamplerReductionModeCreateInfo: the mode, and padding.
        let mut bytes = it.reduction_mode.value.to_le_bytes().to_vec();
        bytes.extend([0; 4]);
        let bytes = dxil_capture::digest::Bytes(bytes);
        chain.structures.push(dxil_capture::model::Structure { s_type: 1_000_130_001, bytes });
    }
    Sampler {
        flags: 0,
        mag_filter: it.mag_filter.value,
        min_filter: it.min_filter.value,
        mipmap_mode: it.mipmap_mode.value,
        address_modes: [it.address_mode_u.value, it.address_mode_v.value, it.address_mode_w.value],
        mip_lod_bias: it.mip_lod_bias.into(),
        max_anisotropy: it.anisotropy_enable.then(|| it.max_anisotropy.into()),
        compare_op: it.compare_enable.then_some(it.compare_op.value),
        min_lod: it.min_lod.into(),
        max_lod: it.max_lod.into(),
        border_color: it.border_color.value,
        unnormalized_coordinates: it.unnormalized_coordinates,
        conversion: None,
        chain,
    }
}
