//! Plans of hand-made pipelines, against places computed by hand from docs/bindings.md.

mod heaps;
mod layout_report;
mod map;
mod record;
mod register;
mod tables;
mod text;

use super::layout::{LayoutBinding, PushRange};
use super::plan::{CounterPlace, Descriptor, DescriptorType as D, Location};
use super::*;
use crate::ir::resources::{DescriptorOrigin, ResourceId};
use crate::ops::consts::{ComponentType, ResourceClass, ResourceKind};
use dxil_base::entity::PrimaryMap;
use dxil_base::profile::{DeviceProfile, VULKAN_1_3_DESKTOP};

/// A resource from `t3[4] space1 Texture2D`: register, count, space, kind by name.
fn resource(text: &str) -> Resource {
    let mut words = text.split(' ');
    let register = words.next().unwrap();
    let space = words.next().unwrap().strip_prefix("space").unwrap().parse().unwrap();
    let kind = words.next().unwrap();
    let kind = ResourceKind::ALL.iter().copied().find(|k| k.name() == kind).unwrap();
    let (register, count) = match register.split_once('[') {
        None => (register, 1),
        Some((register, "]")) => (register, u32::MAX),
        Some((register, count)) => (register, count.trim_end_matches(']').parse().unwrap()),
    };
    let class = match register.as_bytes()[0] {
        b't' => ResourceClass::Srv,
        b'u' => ResourceClass::Uav,
        b'b' => ResourceClass::CBuffer,
        _ => ResourceClass::Sampler,
    };
    Resource {
        origin: DescriptorOrigin::Registers,
        class,
        range_id: 0,
        name: "".into(),
        source_name: None,
        space,
        lower_bound: register[1..].parse().unwrap(),
        count,
        kind,
        element: (kind.name().starts_with("Tex") || kind == ResourceKind::TypedBuffer).then_some(ComponentType::F32),
        has_pairs: false,
        size: if class == ResourceClass::CBuffer { 64 } else { 0 },
        sample_count: 0,
        globally_coherent: false,
        reorder_coherent: false,
        has_counter: words.next() == Some("counter"),
        rasterizer_ordered: false,
        atomic_64: false,
        comparison_sampler: false,
        intrinsics: None,
    }
}

fn resources(list: &[&str]) -> PrimaryMap<ResourceId, Resource> {
    list.iter().map(|text| resource(text)).collect()
}

fn stage<'a>(
    stage: ShaderStage,
    resources: &'a PrimaryMap<ResourceId, Resource>,
    root_signature: Option<&'a RootSignature>,
) -> StageResources<'a> {
    StageResources { name: "main", stage, resources, used: None, root_signature, local_root_signature: None }
}

/// The plan of a pipeline with these inputs.
fn plan_pipeline(
    stages: &[StageResources<'_>],
    options: &BindingOptions,
    layout: Option<&PipelineLayout>,
    profile: &DeviceProfile,
) -> Result<PipelinePlan> {
    super::plan_pipeline(stages, &PlanInputs::new(profile).with_options(*options).with_layout(layout))
}

/// The same, for tests that look at the stages alone.
fn plan(
    stages: &[StageResources<'_>],
    options: &BindingOptions,
    layout: Option<&PipelineLayout>,
    profile: &DeviceProfile,
) -> Result<Vec<BindingPlan>> {
    Ok(plan_pipeline(stages, options, layout, profile)?.stages)
}

fn at(set: u32, binding: u32, ty: D) -> Location {
    Location::Descriptor(Descriptor { set, binding, ty, first: 0, count: 1 })
}

fn binding(binding: u32, ty: D, count: u32, stages: u32) -> LayoutBinding {
    LayoutBinding::new(binding, ty, count, stages)
}

fn locations(plan: &BindingPlan) -> Vec<Location> {
    plan.resources.values().map(|planned| planned.location).collect()
}
