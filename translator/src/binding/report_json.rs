//! The pipeline layout that a plan requires, in a form for JSON: Vulkan's names and numbers.
//!
//! In: the entries of `report.rs`. Out: a [`LayoutReport`], which `dxil2spv layout --json` writes.
//! What must hold: sets, bindings, types, counts, stages and push-constant ranges are those of
//! [`required_layout`]; the order of keys and elements depends on the plan alone.

use serde::Serialize;

use super::plan::DescriptorType;
use super::report::{STAGES, Texts, entries, push_members, records, required_layout};
use super::root_signature::{RootSignature, StaticSampler, sampler_flags};
use super::{PipelinePlan, StageResources};
use crate::ir::resources::UNBOUNDED;
use dxil_base::error::Result;

/// A value of one of Vulkan's enumerations.
#[derive(Serialize)]
struct JsonEnum {
    name: String,
    value: i32,
}

/// A value of one of Vulkan's flag types.
#[derive(Serialize)]
struct JsonFlags {
    names: Vec<String>,
    value: u32,
}

/// The count of a binding.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonCount {
    Number(u32),
    Text(&'static str),
}

/// The members of `VkSamplerCreateInfo` that a static sampler decides, and the reduction mode of
/// `VkSamplerReductionModeCreateInfo`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JsonSampler {
    mag_filter: JsonEnum,
    min_filter: JsonEnum,
    mipmap_mode: JsonEnum,
    address_mode_u: JsonEnum,
    address_mode_v: JsonEnum,
    address_mode_w: JsonEnum,
    mip_lod_bias: f32,
    anisotropy_enable: bool,
    max_anisotropy: f32,
    compare_enable: bool,
    compare_op: JsonEnum,
    min_lod: f32,
    max_lod: f32,
    border_color: JsonEnum,
    unnormalized_coordinates: bool,
    reduction_mode: JsonEnum,
}

#[derive(Serialize)]
struct JsonBinding {
    binding: u32,
    #[serde(rename = "type")]
    ty: JsonEnum,
    count: JsonCount,
    stages: JsonFlags,
    flags: JsonFlags,
    mutable_types: Vec<JsonEnum>,
    immutable_samplers: Vec<JsonSampler>,
    resources: Vec<String>,
}

#[derive(Serialize)]
struct JsonSet {
    set: usize,
    bindings: Vec<JsonBinding>,
}

#[derive(Serialize)]
struct JsonMember {
    stages: JsonFlags,
    offset: u32,
    size: u32,
    resource: String,
}

#[derive(Serialize)]
struct JsonRange {
    stages: JsonFlags,
    offset: u32,
    size: u32,
    members: Vec<JsonMember>,
}

#[derive(Serialize)]
struct JsonRecordMember {
    offset: u32,
    size: u32,
    resource: String,
}

/// The shader records of one stage: what follows the shader group handle.
#[derive(Serialize)]
struct JsonRecord {
    stage: String,
    entry: String,
    size: u32,
    members: Vec<JsonRecordMember>,
}

/// The layout that an application has to declare for a pipeline. It serializes to JSON.
#[derive(Serialize)]
pub struct LayoutReport {
    model: String,
    sets: Vec<JsonSet>,
    push_constant_ranges: Vec<JsonRange>,
    /// Only of pipelines with shader records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shader_records: Vec<JsonRecord>,
}

/// The layout that an application has to declare for a pipeline.
///
/// # Errors
/// Those of [`required_layout`]. `Limit`: the texts about shader records are too long.
pub fn layout_report(
    stages: &[StageResources<'_>],
    root_signature: Option<&RootSignature>,
    plan: &PipelinePlan,
) -> Result<LayoutReport> {
    let required = required_layout(stages, root_signature, plan)?;
    let mut sets: Vec<JsonSet> = (0..required.sets.len()).map(|set| JsonSet { set, bindings: Vec::new() }).collect();
    for ((set, _), entry) in entries(stages, root_signature, plan, Texts::Made) {
        let last = required.sets.get(set as usize).and_then(|set| set.as_ref()?.last());
        let is_last = last.is_some_and(|last| last.binding == entry.binding.binding);
        let binding = &entry.binding;
        let count =
            if binding.count == UNBOUNDED { JsonCount::Text("unbounded") } else { JsonCount::Number(binding.count) };
        let binding = JsonBinding {
            binding: binding.binding,
            ty: descriptor_type(binding.ty),
            count,
            stages: stage_flags(binding.stages),
            flags: binding_flags(binding.count, is_last),
            mutable_types: binding.mutable_types.iter().map(|&ty| descriptor_type(ty)).collect(),
            immutable_samplers: entry.sampler.iter().map(sampler).collect(),
            resources: entry.resources.iter().map(|text| text.to_string()).collect(),
        };
        if let Some(set) = sets.get_mut(set as usize) {
            set.bindings.push(binding);
        }
    }
    let members = || {
        push_members(stages, plan).into_iter().map(|member| JsonMember {
            stages: stage_flags(member.stages),
            offset: member.bytes.start,
            size: member.bytes.end.saturating_sub(member.bytes.start),
            resource: member.text,
        })
    };
    let ranges = required.push_ranges.iter().map(|range| JsonRange {
        stages: stage_flags(range.stages),
        offset: range.offset,
        size: range.size,
        // `required_layout` makes at most one range, so it has all members.
        members: members().collect(),
    });
    let shader_records = records(stages, plan)?.into_iter().map(|record| JsonRecord {
        stage: record.stage.to_string(),
        entry: record.entry,
        size: record.size,
        members: record.members.into_iter().map(record_member).collect(),
    });
    Ok(LayoutReport {
        model: plan.model.to_string(),
        sets,
        push_constant_ranges: ranges.collect(),
        shader_records: shader_records.collect(),
    })
}

fn record_member((bytes, resource): (std::ops::Range<u32>, String)) -> JsonRecordMember {
    JsonRecordMember { offset: bytes.start, size: bytes.end.saturating_sub(bytes.start), resource }
}

fn descriptor_type(number: i32) -> JsonEnum {
    let suffix = match DescriptorType::from_vulkan(number) {
        Some(DescriptorType::AccelerationStructure) => "_KHR",
        Some(DescriptorType::Mutable) => "_EXT",
        _ => "",
    };
    let name = DescriptorType::from_vulkan(number).map_or("unknown", DescriptorType::name);
    JsonEnum { name: format!("VK_DESCRIPTOR_TYPE_{}{suffix}", name.to_ascii_uppercase()), value: number }
}

fn stage_flags(value: u32) -> JsonFlags {
    let names = STAGES.iter().filter(|(flag, _)| value & flag != 0).map(|(flag, name)| {
        // The bits above the compute stage are those of mesh shading, then those of ray tracing.
        let suffix = match flag {
            0x40 | 0x80 => "_EXT",
            0x100.. => "_KHR",
            _ => "",
        };
        format!("VK_SHADER_STAGE_{}_BIT{suffix}", name.to_ascii_uppercase())
    });
    JsonFlags { names: names.collect(), value }
}

/// The flags of a binding (`VkDescriptorBindingFlags`). An application fills a part of an unbounded
/// array. Only the last binding of a set may have a count that is chosen at allocation
/// (VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03004).
fn binding_flags(count: u32, is_last: bool) -> JsonFlags {
    let partially_bound = (0x4, "VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT");
    let variable_count = (0x8, "VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT");
    let flags: &[(u32, &str)] = match (count, is_last) {
        (UNBOUNDED, true) => &[partially_bound, variable_count],
        (UNBOUNDED, false) => &[partially_bound],
        _ => &[],
    };
    JsonFlags {
        names: flags.iter().map(|(_, name)| (*name).to_owned()).collect(),
        value: flags.iter().fold(0, |all, (flag, _)| all | flag),
    }
}

/// The state of a static sampler, in Vulkan's terms.
pub(super) fn sampler(sampler: &StaticSampler) -> JsonSampler {
    // Two bits each for mip levels, magnification and minification, then the bit of anisotropy and
    // two bits of the reduction (D3D12_ENCODE_BASIC_FILTER and D3D12_ENCODE_ANISOTROPIC_FILTER).
    let part = |shift: u32| ((sampler.filter >> shift) & 3) as usize;
    let [u, v, w] = sampler.address;
    let reduction = part(7);
    // JSON has no infinity. No image has a level beyond the largest finite number.
    let level = |bits: u32| f32::from_bits(bits).clamp(f32::MIN, f32::MAX);
    JsonSampler {
        mag_filter: value("VK_FILTER_", &FILTERS, part(2)),
        min_filter: value("VK_FILTER_", &FILTERS, part(4)),
        mipmap_mode: value("VK_SAMPLER_MIPMAP_MODE_", &FILTERS, part(0)),
        address_mode_u: address_mode(u),
        address_mode_v: address_mode(v),
        address_mode_w: address_mode(w),
        mip_lod_bias: f32::from_bits(sampler.mip_lod_bias),
        anisotropy_enable: sampler.filter & 0x40 != 0,
        // Vulkan has no anisotropy below 1.
        max_anisotropy: sampler.max_anisotropy.max(1) as f32,
        compare_enable: reduction == 1,
        // D3D12's first number is COMPARISON_NONE, which compares as little as NEVER does.
        compare_op: value("VK_COMPARE_OP_", &COMPARE_OPS, sampler.comparison.saturating_sub(1) as usize),
        min_lod: level(sampler.min_lod),
        max_lod: level(sampler.max_lod),
        border_color: match sampler.border_color {
            0 => border_color("FLOAT_TRANSPARENT_BLACK", 0),
            1 => border_color("FLOAT_OPAQUE_BLACK", 2),
            2 => border_color("FLOAT_OPAQUE_WHITE", 4),
            3 => border_color("INT_OPAQUE_BLACK", 3),
            _ => border_color("INT_OPAQUE_WHITE", 5),
        },
        unnormalized_coordinates: sampler.flags & sampler_flags::NON_NORMALIZED_COORDINATES != 0,
        reduction_mode: value("VK_SAMPLER_REDUCTION_MODE_", &REDUCTION_MODES, reduction.saturating_sub(1)),
    }
}

const FILTERS: [&str; 2] = ["NEAREST", "LINEAR"];
const ADDRESS_MODES: [&str; 5] =
    ["REPEAT", "MIRRORED_REPEAT", "CLAMP_TO_EDGE", "CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE"];
const COMPARE_OPS: [&str; 8] =
    ["NEVER", "LESS", "EQUAL", "LESS_OR_EQUAL", "GREATER", "NOT_EQUAL", "GREATER_OR_EQUAL", "ALWAYS"];
/// A comparison too has the mode of a weighted average.
const REDUCTION_MODES: [&str; 3] = ["WEIGHTED_AVERAGE", "MIN", "MAX"];

/// The value of an enumeration whose numbers are the positions in a list.
fn value(prefix: &str, names: &[&str], number: usize) -> JsonEnum {
    // A root signature is checked when it is read, so the number is in the list.
    let number = number.min(names.len().saturating_sub(1));
    JsonEnum { name: format!("{prefix}{}", names.get(number).unwrap_or(&"")), value: number as i32 }
}

/// D3D12 counts address modes from 1, in the order in which Vulkan counts from 0.
fn address_mode(mode: u32) -> JsonEnum {
    value("VK_SAMPLER_ADDRESS_MODE_", &ADDRESS_MODES, mode.saturating_sub(1) as usize)
}

fn border_color(name: &str, value: i32) -> JsonEnum {
    JsonEnum { name: format!("VK_BORDER_COLOR_{name}"), value }
}

#[cfg(test)]
mod tests {
    use super::{UNBOUNDED, binding_flags, descriptor_type};

    /// A layout has one variable count at most, that of its last binding
    /// (VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03004).
    #[test]
    fn flags_of_unbounded_arrays() {
        let (partially_bound, variable_count) = (0x4_u32, 0x8);
        let cases = [
            ((UNBOUNDED, true), partially_bound | variable_count),
            ((UNBOUNDED, false), partially_bound),
            ((8, true), 0),
            ((8, false), 0),
        ];
        for ((count, is_last), value) in cases {
            let flags = binding_flags(count, is_last);
            assert_eq!((flags.value, flags.names.len()), (value, value.count_ones() as usize), "{count}, {is_last}");
        }
    }

    /// Values of Vulkan's headers.
    #[test]
    fn names_of_descriptor_types() {
        let names = [
            (0, "VK_DESCRIPTOR_TYPE_SAMPLER"),
            (7, "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER"),
            (1_000_150_000, "VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR"),
            (1_000_351_000, "VK_DESCRIPTOR_TYPE_MUTABLE_EXT"),
        ];
        for (value, name) in names {
            let found = descriptor_type(value);
            assert_eq!((found.name.as_str(), found.value), (name, value));
        }
    }
}
