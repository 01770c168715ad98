//! The pipeline layout that a plan requires, with all that an application may ask of it, in
//! Vulkan's numbers.
//!
//! In: the entries of `report.rs`. Out: a [`LayoutReport`]. `dxil2spv layout --json` writes it,
//! with the names of Vulkan's enumerations beside their numbers. What must hold: sets, bindings,
//! types, counts, stages and push-constant ranges are those of [`required_layout`]; the order of
//! keys and elements depends on the plan alone.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::options::Model;
use super::plan::DescriptorType;
use super::report::{STAGES, Texts, entries, push_members, records, required_layout};
use super::root_signature::{RootSignature, StaticSampler, sampler_flags};
use super::{PipelinePlan, StageResources};
use crate::ir::resources::UNBOUNDED;
use crate::ops::consts::ShaderStage;
use dxil_base::error::Result;

/// The members of `VkSamplerCreateInfo` that a static sampler decides, and the reduction mode of
/// `VkSamplerReductionModeCreateInfo`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SamplerReport {
    /// `VkFilter`.
    #[serde(serialize_with = "filter")]
    pub mag_filter: i32,
    /// `VkFilter`.
    #[serde(serialize_with = "filter")]
    pub min_filter: i32,
    /// `VkSamplerMipmapMode`.
    #[serde(serialize_with = "mipmap_mode")]
    pub mipmap_mode: i32,
    /// `VkSamplerAddressMode`.
    #[serde(serialize_with = "address_mode")]
    pub address_mode_u: i32,
    /// `VkSamplerAddressMode`.
    #[serde(serialize_with = "address_mode")]
    pub address_mode_v: i32,
    /// `VkSamplerAddressMode`.
    #[serde(serialize_with = "address_mode")]
    pub address_mode_w: i32,
    /// Bias of the mip level.
    pub mip_lod_bias: f32,
    /// Whether `max_anisotropy` counts.
    pub anisotropy_enable: bool,
    /// Largest anisotropy, at least 1.
    pub max_anisotropy: f32,
    /// Whether `compare_op` counts.
    pub compare_enable: bool,
    /// `VkCompareOp`.
    #[serde(serialize_with = "compare_op")]
    pub compare_op: i32,
    /// Smallest mip level.
    pub min_lod: f32,
    /// Largest mip level.
    pub max_lod: f32,
    /// `VkBorderColor`.
    #[serde(serialize_with = "border_color")]
    pub border_color: i32,
    /// Whether coordinates are texels.
    pub unnormalized_coordinates: bool,
    /// `VkSamplerReductionMode`.
    #[serde(serialize_with = "reduction_mode")]
    pub reduction_mode: i32,
}

/// A binding of a descriptor-set layout.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BindingReport {
    /// Its number.
    pub binding: u32,
    /// `VkDescriptorType`.
    #[serde(rename = "type", serialize_with = "descriptor_type")]
    pub ty: DescriptorType,
    /// Number of descriptors; `u32::MAX` is unbounded. For an inline uniform block, its size in
    /// bytes.
    #[serde(serialize_with = "count")]
    pub count: u32,
    /// `VkShaderStageFlags` of the shaders that use it.
    #[serde(serialize_with = "stage_flags")]
    pub stages: u32,
    /// `VkDescriptorBindingFlags`.
    #[serde(serialize_with = "binding_flags")]
    pub flags: u32,
    /// The descriptor types that the shaders use, if the binding is mutable.
    #[serde(serialize_with = "descriptor_types")]
    pub mutable_types: Vec<DescriptorType>,
    /// The immutable samplers: one of a static sampler, otherwise none.
    pub immutable_samplers: Vec<SamplerReport>,
    /// The resources at the binding, as text.
    pub resources: Vec<Arc<str>>,
}

/// A descriptor-set layout.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SetReport {
    /// Its number.
    pub set: u32,
    /// Its bindings in the order of their numbers.
    pub bindings: Vec<BindingReport>,
}

/// What shaders read in the push constants: one resource, or an address or index that leads to it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PushMemberReport {
    /// `VkShaderStageFlags` of the stages that read it.
    #[serde(serialize_with = "stage_flags")]
    pub stages: u32,
    /// First byte.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// What is there, as text.
    pub resource: String,
}

/// A push-constant range.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PushRangeReport {
    /// `VkShaderStageFlags`.
    #[serde(serialize_with = "stage_flags")]
    pub stages: u32,
    /// First byte.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// What is where in the range.
    pub members: Vec<PushMemberReport>,
}

/// A parameter of a local root signature in a shader record.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RecordMemberReport {
    /// First byte after the shader group handle.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// What is there, as text.
    pub resource: String,
}

/// The shader records of one stage: what follows the shader group handle.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ShaderRecordReport {
    /// The stage.
    #[serde(serialize_with = "stage")]
    pub stage: ShaderStage,
    /// The plain name of the entry point.
    pub entry: String,
    /// Size in bytes, without the shader group handle.
    pub size: u32,
    /// The parameters of the local root signature.
    pub members: Vec<RecordMemberReport>,
}

/// The layout that an application has to declare for a pipeline. It serializes to JSON.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LayoutReport {
    /// The model that chose the places.
    #[serde(serialize_with = "model")]
    pub model: Model,
    /// All sets from 0 on. A set without bindings is declared empty.
    pub sets: Vec<SetReport>,
    /// The push-constant ranges.
    pub push_constant_ranges: Vec<PushRangeReport>,
    /// The shader records of the stages that have local root signatures, in the order of the
    /// stages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shader_records: Vec<ShaderRecordReport>,
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
    let numbers = 0..required.sets.len() as u32;
    let mut sets: Vec<SetReport> = numbers.map(|set| SetReport { set, bindings: Vec::new() }).collect();
    for ((set, _), entry) in entries(stages, root_signature, plan, Texts::Made) {
        let last = required.sets.get(set as usize).and_then(|set| set.as_ref()?.last());
        let binding = entry.binding;
        let is_last = last.is_some_and(|last| last.binding == binding.binding);
        let binding = BindingReport {
            binding: binding.binding,
            ty: binding.ty,
            count: binding.count,
            stages: binding.stages,
            flags: flags_of(binding.count, is_last),
            mutable_types: binding.mutable_types,
            immutable_samplers: entry.sampler.iter().map(sampler).collect(),
            resources: entry.resources,
        };
        if let Some(set) = sets.get_mut(set as usize) {
            set.bindings.push(binding);
        }
    }
    let members = || {
        push_members(stages, plan).into_iter().map(|member| PushMemberReport {
            stages: member.stages,
            offset: member.bytes.start,
            size: member.bytes.end.saturating_sub(member.bytes.start),
            resource: member.text,
        })
    };
    let ranges = required.push_ranges.iter().map(|range| PushRangeReport {
        stages: range.stages,
        offset: range.offset,
        size: range.size,
        // `required_layout` makes at most one range, so it has all members.
        members: members().collect(),
    });
    let push_constant_ranges = ranges.collect();
    let shader_records = records(stages, plan)?.into_iter().map(|record| ShaderRecordReport {
        stage: record.stage,
        entry: record.entry,
        size: record.size,
        members: record.members.into_iter().map(record_member).collect(),
    });
    let shader_records = shader_records.collect();
    Ok(LayoutReport { model: plan.model, sets, push_constant_ranges, shader_records })
}

fn record_member((bytes, resource): (std::ops::Range<u32>, String)) -> RecordMemberReport {
    RecordMemberReport { offset: bytes.start, size: bytes.end.saturating_sub(bytes.start), resource }
}

/// The flags of a binding (`VkDescriptorBindingFlags`). An application fills a part of an unbounded
/// array. Only the last binding of a set may have a count that is chosen at allocation
/// (VUID-VkDescriptorSetLayoutBindingFlagsCreateInfo-pBindingFlags-03004).
fn flags_of(count: u32, is_last: bool) -> u32 {
    match (count, is_last) {
        (UNBOUNDED, true) => PARTIALLY_BOUND.0 | VARIABLE_COUNT.0,
        (UNBOUNDED, false) => PARTIALLY_BOUND.0,
        _ => 0,
    }
}

const PARTIALLY_BOUND: (u32, &str) = (0x4, "VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT");
const VARIABLE_COUNT: (u32, &str) = (0x8, "VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT");

/// The state of a static sampler, in Vulkan's terms.
pub(super) fn sampler(sampler: &StaticSampler) -> SamplerReport {
    // Two bits each for mip levels, magnification and minification, then the bit of anisotropy and
    // two bits of the reduction (D3D12_ENCODE_BASIC_FILTER and D3D12_ENCODE_ANISOTROPIC_FILTER). A
    // root signature is checked when it is read, so the numbers are in Vulkan's enumerations.
    let part = |shift: u32| (sampler.filter >> shift & 3) as i32;
    // D3D12 counts address modes and comparisons from 1, in the order in which Vulkan counts
    // from 0.
    let less_one = |number: u32| number.saturating_sub(1) as i32;
    let [u, v, w] = sampler.address;
    let reduction = part(7);
    // JSON has no infinity. No image has a level beyond the largest finite number.
    let level = |bits: u32| f32::from_bits(bits).clamp(f32::MIN, f32::MAX);
    SamplerReport {
        mag_filter: part(2),
        min_filter: part(4),
        mipmap_mode: part(0),
        address_mode_u: less_one(u),
        address_mode_v: less_one(v),
        address_mode_w: less_one(w),
        mip_lod_bias: f32::from_bits(sampler.mip_lod_bias),
        anisotropy_enable: sampler.filter & 0x40 != 0,
        // Vulkan has no anisotropy below 1.
        max_anisotropy: sampler.max_anisotropy.max(1) as f32,
        compare_enable: reduction == 1,
        // D3D12's first number is COMPARISON_NONE, which compares as little as NEVER does.
        compare_op: less_one(sampler.comparison),
        min_lod: level(sampler.min_lod),
        max_lod: level(sampler.max_lod),
        border_color: match sampler.border_color {
            0 => 0,
            1 => 2,
            2 => 4,
            3 => 3,
            _ => 5,
        },
        unnormalized_coordinates: sampler.flags & sampler_flags::NON_NORMALIZED_COORDINATES != 0,
        // A comparison too has the mode of a weighted average.
        reduction_mode: (reduction - 1).max(0),
    }
}

/// A value of one of Vulkan's enumerations in JSON.
#[derive(Serialize)]
struct JsonEnum {
    name: String,
    value: i32,
}

/// A value of one of Vulkan's flag types in JSON.
#[derive(Serialize)]
struct JsonFlags {
    names: Vec<String>,
    value: u32,
}

/// Serializers of enumerations whose numbers are the positions in a list.
macro_rules! enumerations {
    ($($name:ident $prefix:literal $names:expr;)*) => {$(
        fn $name<S: Serializer>(number: &i32, to: S) -> Result<S::Ok, S::Error> {
            let name = usize::try_from(*number).ok().and_then(|number| $names.get(number).copied()).unwrap_or_default();
            JsonEnum { name: format!("{}{name}", $prefix), value: *number }.serialize(to)
        }
    )*};
}

enumerations! {
    filter "VK_FILTER_" ["NEAREST", "LINEAR"];
    mipmap_mode "VK_SAMPLER_MIPMAP_MODE_" ["NEAREST", "LINEAR"];
    address_mode "VK_SAMPLER_ADDRESS_MODE_"
        ["REPEAT", "MIRRORED_REPEAT", "CLAMP_TO_EDGE", "CLAMP_TO_BORDER", "MIRROR_CLAMP_TO_EDGE"];
    compare_op "VK_COMPARE_OP_"
        ["NEVER", "LESS", "EQUAL", "LESS_OR_EQUAL", "GREATER", "NOT_EQUAL", "GREATER_OR_EQUAL", "ALWAYS"];
    border_color "VK_BORDER_COLOR_" [
        "FLOAT_TRANSPARENT_BLACK",
        "INT_TRANSPARENT_BLACK",
        "FLOAT_OPAQUE_BLACK",
        "INT_OPAQUE_BLACK",
        "FLOAT_OPAQUE_WHITE",
        "INT_OPAQUE_WHITE",
    ];
    reduction_mode "VK_SAMPLER_REDUCTION_MODE_" ["WEIGHTED_AVERAGE", "MIN", "MAX"];
}

fn named_type(ty: DescriptorType) -> JsonEnum {
    let suffix = match ty {
        DescriptorType::AccelerationStructure => "_KHR",
        DescriptorType::Mutable => "_EXT",
        _ => "",
    };
    let name = ty.name().to_ascii_uppercase();
    JsonEnum { name: format!("VK_DESCRIPTOR_TYPE_{name}{suffix}"), value: ty as i32 }
}

fn descriptor_type<S: Serializer>(ty: &DescriptorType, to: S) -> Result<S::Ok, S::Error> {
    named_type(*ty).serialize(to)
}

fn descriptor_types<S: Serializer>(types: &[DescriptorType], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(types.iter().map(|&ty| named_type(ty)))
}

fn count<S: Serializer>(count: &u32, to: S) -> Result<S::Ok, S::Error> {
    if *count == UNBOUNDED { to.serialize_str("unbounded") } else { to.serialize_u32(*count) }
}

fn stage_flags<S: Serializer>(value: &u32, to: S) -> Result<S::Ok, S::Error> {
    let names = STAGES.iter().filter(|(flag, _)| value & flag != 0).map(|(flag, name)| {
        // The bits above the compute stage are those of mesh shading, then those of ray tracing.
        let suffix = match flag {
            0x40 | 0x80 => "_EXT",
            0x100.. => "_KHR",
            _ => "",
        };
        format!("VK_SHADER_STAGE_{}_BIT{suffix}", name.to_ascii_uppercase())
    });
    JsonFlags { names: names.collect(), value: *value }.serialize(to)
}

fn binding_flags<S: Serializer>(value: &u32, to: S) -> Result<S::Ok, S::Error> {
    let set = [PARTIALLY_BOUND, VARIABLE_COUNT].into_iter().filter(|(flag, _)| value & flag != 0);
    JsonFlags { names: set.map(|(_, name)| name.to_owned()).collect(), value: *value }.serialize(to)
}

fn stage<S: Serializer>(stage: &ShaderStage, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(stage)
}

fn model<S: Serializer>(model: &Model, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(model)
}

#[cfg(test)]
mod tests {
    use super::{UNBOUNDED, flags_of, named_type};

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
            assert_eq!(flags_of(count, is_last), value, "{count}, {is_last}");
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
            let found = named_type(crate::DescriptorType::from_vulkan(value));
            assert_eq!((found.name.as_str(), found.value), (name, value));
        }
    }
}
