//! The pipeline layout that a plan needs, as structures in Vulkan's numbers.

use std::ffi::c_char;

use dxil_translator::binding::{BindingReport, SamplerReport};

use crate::border::{Answer, Failure, code, given, value};
use crate::error::Result;
use crate::plan::Plan;
use crate::structures::{fill, structures};

/// The counts of a pipeline layout, and its push constants.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Layout {
    /// sizeof(DxtrLayout), which the program sets.
    pub structure_size: usize,
    /// Number of descriptor sets, from set 0 on. A set without bindings is declared empty.
    pub set_count: u32,
    /// Number of bindings of all sets (dxtr_plan_binding).
    pub binding_count: u32,
    /// VkPushConstantRange::stageFlags; 0 if there are no push constants.
    pub push_constant_stages: u32,
    /// VkPushConstantRange::offset, in bytes.
    pub push_constant_offset: u32,
    /// VkPushConstantRange::size, in bytes; 0 if there are no push constants.
    pub push_constant_size: u32,
    /// Number of what is in the push constants (dxtr_plan_push_member).
    pub push_member_count: u32,
    /// Number of shader groups of a ray-tracing pipeline (dxtr_plan_group).
    pub group_count: u32,
    /// Number of inputs that the stage before does not write (dxtr_plan_interface_fault).
    pub interface_fault_count: u32,
}

/// A binding of a descriptor-set layout: VkDescriptorSetLayoutBinding, and what else the
/// application has to know. The pointers live as long as the plan.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Binding {
    /// sizeof(DxtrBinding), which the program sets.
    pub structure_size: usize,
    /// The descriptor set.
    pub set: u32,
    /// VkDescriptorSetLayoutBinding::binding.
    pub binding: u32,
    /// VkDescriptorType.
    pub descriptor_type: i32,
    /// Number of descriptors; DXTR_UNBOUNDED for a number that the application chooses. For an
    /// inline uniform block it is a size in bytes.
    pub descriptor_count: u32,
    /// VkShaderStageFlags of the stages that use it.
    pub stages: u32,
    /// VkDescriptorBindingFlags that fit an unbounded array; otherwise 0. The code does not need
    /// them.
    pub flags: u32,
    /// Number of immutable samplers, 0 or 1 (dxtr_plan_sampler).
    pub immutable_sampler_count: u32,
    /// Number of `mutable_types`; 0 if the binding is not mutable.
    pub mutable_type_count: u32,
    /// The values of VkDescriptorType that the shaders use of a mutable binding.
    pub mutable_types: *const i32,
    /// The resources at the binding, for people: a line for each.
    pub resources: *const c_char,
}

/// A static sampler: the members of VkSamplerCreateInfo and of VkSamplerReductionModeCreateInfo.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sampler {
    /// sizeof(DxtrSampler), which the program sets.
    pub structure_size: usize,
    /// VkFilter.
    pub mag_filter: i32,
    /// VkFilter.
    pub min_filter: i32,
    /// VkSamplerMipmapMode.
    pub mipmap_mode: i32,
    /// VkSamplerAddressMode.
    pub address_mode_u: i32,
    /// VkSamplerAddressMode.
    pub address_mode_v: i32,
    /// VkSamplerAddressMode.
    pub address_mode_w: i32,
    /// mipLodBias.
    pub mip_lod_bias: f32,
    /// VkBool32.
    pub anisotropy_enable: u32,
    /// maxAnisotropy, at least 1.
    pub max_anisotropy: f32,
    /// VkBool32.
    pub compare_enable: u32,
    /// VkCompareOp.
    pub compare_op: i32,
    /// minLod.
    pub min_lod: f32,
    /// maxLod.
    pub max_lod: f32,
    /// VkBorderColor.
    pub border_color: i32,
    /// VkBool32.
    pub unnormalized_coordinates: u32,
    /// VkSamplerReductionMode. 0, a weighted average, needs no VkSamplerReductionModeCreateInfo.
    pub reduction_mode: i32,
}

/// What shaders read in the push constants: the root constants of a resource, the address of a
/// buffer, or the index of a descriptor table. The text lives as long as the plan.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PushMember {
    /// sizeof(DxtrPushMember), which the program sets.
    pub structure_size: usize,
    /// VkShaderStageFlags of the stages that read it.
    pub stages: u32,
    /// First byte in the push constants.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// What it is, for people.
    pub description: *const c_char,
}

/// The shader record of a stage: what follows the shader group handle.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Record {
    /// sizeof(DxtrRecord), which the program sets.
    pub structure_size: usize,
    /// Size in bytes, without the shader group handle; 0 for a stage without a local root
    /// signature.
    pub size: u32,
    /// Number of parameters of the local root signature (dxtr_plan_record_member).
    pub member_count: u32,
}

/// A parameter of a local root signature in a shader record. The text lives as long as the plan.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RecordMember {
    /// sizeof(DxtrRecordMember), which the program sets.
    pub structure_size: usize,
    /// First byte after the shader group handle.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// What it is, for people.
    pub description: *const c_char,
}

/// A table of shader records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum ShaderTable {
    /// pRaygenShaderBindingTable of vkCmdTraceRaysKHR.
    RayGeneration = 0,
    /// pMissShaderBindingTable.
    Miss = 1,
    /// pHitShaderBindingTable.
    Hit = 2,
    /// pCallableShaderBindingTable.
    Callable = 3,
}

/// A shader group of a ray-tracing pipeline. The text lives as long as the plan.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Group {
    /// sizeof(DxtrGroup), which the program sets.
    pub structure_size: usize,
    /// Its name: that of the hit group, or the plain name of the entry point.
    pub name: *const c_char,
    /// A value of DxtrShaderTable.
    pub table: u32,
    /// Bytes of a record: the shader group handle of 32 bytes, and the local root arguments.
    pub record_size: u32,
    /// Number of its shaders (dxtr_plan_group_shader).
    pub shader_count: u32,
}

structures! {
    Layout;
    Binding;
    Sampler;
    PushMember;
    Record;
    RecordMember;
    Group;
}

/// The element of a list.
fn at<'a, T>(list: &'a [T], index: u32, what: &str) -> Answer<&'a T> {
    let missing = || Failure::argument(format!("no {what} has the index {index}; there are {}", list.len()));
    list.get(index as usize).ok_or_else(missing)
}

/// The binding with this index among those of all sets.
fn binding(plan: &Plan, index: u32) -> Answer<(u32, &BindingReport)> {
    let mut left = index as usize;
    for set in &plan.report.sets {
        match set.bindings.get(left) {
            Some(binding) => return Ok((set.set, binding)),
            None => left -= set.bindings.len(),
        }
    }
    Err(Failure::argument(format!("no binding has the index {index}")))
}

/// Fills `*layout` with the counts and the push constants of the pipeline layout. Codes:
/// INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_layout(plan: Option<&Plan>, layout: *mut Layout) -> Result {
    code(|| {
        let plan = given(plan, "the plan")?;
        let range = plan.report.push_constant_ranges.first();
        let counts = Layout {
            structure_size: 0,
            set_count: plan.report.sets.len() as u32,
            binding_count: plan.report.sets.iter().map(|set| set.bindings.len()).sum::<usize>() as u32,
            push_constant_stages: range.map_or(0, |range| range.stages),
            push_constant_offset: range.map_or(0, |range| range.offset),
            push_constant_size: range.map_or(0, |range| range.size),
            push_member_count: range.map_or(0, |range| range.members.len() as u32),
            group_count: plan.groups.len() as u32,
            interface_fault_count: plan.faults.len() as u32,
        };
        fill(layout, counts)
    })
}

/// Fills `*binding` with the binding of an index below DxtrLayout::binding_count. Bindings are in
/// the order of sets, and within a set in that of their numbers. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_binding(plan: Option<&Plan>, index: u32, binding: *mut Binding) -> Result {
    code(|| {
        let plan = given(plan, "the plan")?;
        let (set, found) = self::binding(plan, index)?;
        let description = Binding {
            structure_size: 0,
            set,
            binding: found.binding,
            descriptor_type: found.ty as i32,
            descriptor_count: found.count,
            stages: found.stages,
            flags: found.flags,
            immutable_sampler_count: found.immutable_samplers.len() as u32,
            mutable_type_count: found.mutable_types.len() as u32,
            mutable_types: found.mutable_types.as_ptr().cast(),
            resources: plan.texts.pointer(&found.resources.join("\n")),
        };
        fill(binding, description)
    })
}

/// Fills `*sampler` with the static sampler of a binding whose DxtrBinding::immutable_sampler_count
/// is 1. Codes: INVALID_ARGUMENT, also for another binding.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_sampler(plan: Option<&Plan>, binding: u32, sampler: *mut Sampler) -> Result {
    code(|| {
        let (_, found) = self::binding(given(plan, "the plan")?, binding)?;
        let state: &SamplerReport = given(found.immutable_samplers.first(), "the sampler of the binding")?;
        let description = Sampler {
            structure_size: 0,
            mag_filter: state.mag_filter,
            min_filter: state.min_filter,
            mipmap_mode: state.mipmap_mode,
            address_mode_u: state.address_mode_u,
            address_mode_v: state.address_mode_v,
            address_mode_w: state.address_mode_w,
            mip_lod_bias: state.mip_lod_bias,
            anisotropy_enable: state.anisotropy_enable.into(),
            max_anisotropy: state.max_anisotropy,
            compare_enable: state.compare_enable.into(),
            compare_op: state.compare_op,
            min_lod: state.min_lod,
            max_lod: state.max_lod,
            border_color: state.border_color,
            unnormalized_coordinates: state.unnormalized_coordinates.into(),
            reduction_mode: state.reduction_mode,
        };
        fill(sampler, description)
    })
}

/// Fills `*member` with what is in the push constants: of an index below
/// DxtrLayout::push_member_count. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_push_member(plan: Option<&Plan>, index: u32, member: *mut PushMember) -> Result {
    code(|| {
        let plan = given(plan, "the plan")?;
        let members = plan.report.push_constant_ranges.first().map_or(&[][..], |range| &range.members);
        let found = at(members, index, "member of the push constants")?;
        let description = PushMember {
            structure_size: 0,
            stages: found.stages,
            offset: found.offset,
            size: found.size,
            description: plan.texts.pointer(&found.resource),
        };
        fill(member, description)
    })
}

/// Fills `*record` with the shader record of a stage, by the index of the stage in DxtrPlanInfo.
/// Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_record(plan: Option<&Plan>, stage: u32, record: *mut Record) -> Result {
    code(|| {
        let plan = given(plan, "the plan")?;
        let found = plan.stage(stage)?.record.and_then(|index| plan.report.shader_records.get(index));
        let (size, member_count) = found.map_or((0, 0), |found| (found.size, found.members.len() as u32));
        fill(record, Record { structure_size: 0, size, member_count })
    })
}

/// Fills `*member` with a parameter of the local root signature of a stage: of an index below
/// DxtrRecord::member_count. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_record_member(
    plan: Option<&Plan>,
    stage: u32,
    index: u32,
    member: *mut RecordMember,
) -> Result {
    code(|| {
        let plan = given(plan, "the plan")?;
        let record = plan.stage(stage)?.record.and_then(|index| plan.report.shader_records.get(index));
        let found = at(record.map_or(&[][..], |record| &record.members), index, "member of the shader record")?;
        let description = RecordMember {
            structure_size: 0,
            offset: found.offset,
            size: found.size,
            description: plan.texts.pointer(&found.resource),
        };
        fill(member, description)
    })
}

/// Fills `*group` with a shader group: of an index below DxtrLayout::group_count. The groups are
/// those of the general shaders, and then the hit groups that the libraries of the stages declare.
/// Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_group(plan: Option<&Plan>, index: u32, group: *mut Group) -> Result {
    code(|| {
        let found = at(&given(plan, "the plan")?.groups, index, "shader group")?;
        let description = Group {
            structure_size: 0,
            name: found.name.as_ptr(),
            table: found.table,
            record_size: found.record_bytes,
            shader_count: found.shaders.len() as u32,
        };
        fill(group, description)
    })
}

/// The plain name of a shader of a group, by an index below DxtrGroup::shader_count. It lives as
/// long as the plan. Null for null and for an index out of range.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_group_shader(plan: Option<&Plan>, group: u32, index: u32) -> *const c_char {
    value(std::ptr::null(), || {
        let group = at(&given(plan, "the plan")?.groups, group, "shader group")?;
        Ok(at(&group.shaders, index, "shader of the group")?.as_ptr())
    })
}

/// The smallest stride in bytes of a shader table (a value of DxtrShaderTable) that holds the
/// records of all groups on every device. 0 for null, and for a table without groups.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_table_stride(plan: Option<&Plan>, table: u32) -> u32 {
    plan.and_then(|plan| plan.strides.get(table as usize).copied()).unwrap_or(0)
}

/// An input that a stage reads and the stage before it does not write, for people, by an index
/// below DxtrLayout::interface_fault_count. D3D12 refuses such a pipeline; in Vulkan the input has
/// no defined value. The text lives as long as the plan. Null for null and for an index out of
/// range.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_interface_fault(plan: Option<&Plan>, index: u32) -> *const c_char {
    value(std::ptr::null(), || Ok(at(&given(plan, "the plan")?.faults, index, "fault of the interface")?.as_ptr()))
}
