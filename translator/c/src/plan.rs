//! Plans: where the resources of all stages of a pipeline live.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::sync::Arc;

use dxil_translator::binding::layout_report;
use dxil_translator::{
    BindingMap, BindingOptions, BindingPlan, DescriptorType, DeviceProfile, EntryId, HeapSets as Sets, LayoutBinding,
    LayoutReport, Model as PlanModel, PipelineLayout, PipelineStage, PipelineState, PlanInputs, PushRange as Range,
    RegisterShifts as Shifts, RootDescriptors as Descriptors, RootTables as Tables, ShaderTable, interface_mismatches,
    plan, shader_groups, stage_state, table_stride,
};

use crate::border::{Answer, Failure, array, behind, free, given, guard, hand, text, value};
use crate::error::{ErrorHandle, Result};
use crate::profile::Profile;
use crate::root_signature::RootSignature;
use crate::shader::Shader;
use crate::structures::{read, read_array, structures};
use crate::texts::Texts;

/// A descriptor set of DxtrHeapSets that is left to the model.
pub const DEFAULT_SET: u32 = 0xFFFF_FFFF;

/// A plan: the places of all resources of a pipeline, and the pipeline layout that they need. It
/// does not change after its creation.
#[derive(Debug)]
pub struct Plan {
    pub(crate) stages: Vec<PlannedStage>,
    pub(crate) profile: DeviceProfile,
    pub(crate) report: LayoutReport,
    pub(crate) groups: Vec<PlannedGroup>,
    /// The smallest strides of the shader tables, by the values of ShaderTable; 0 for a table
    /// without groups.
    pub(crate) strides: [u32; 4],
    pub(crate) faults: Vec<Arc<CStr>>,
    pub(crate) texts: Texts,
}

/// A stage of the pipeline.
#[derive(Debug)]
pub(crate) struct PlannedStage {
    pub shader: dxil_translator::Shader,
    /// Stages of one shader have the same number.
    pub shader_index: usize,
    pub entry: EntryId,
    pub plan: BindingPlan,
    /// What the other stages say of this one.
    pub state: PipelineState,
    /// The index of its shader record in the report.
    pub record: Option<usize>,
}

/// A group of a ray-tracing pipeline.
#[derive(Debug)]
pub(crate) struct PlannedGroup {
    pub table: u32,
    pub name: Arc<CStr>,
    pub shaders: Vec<Arc<CStr>>,
    pub record_bytes: u32,
}

/// One stage of a pipeline. The elements of an array of stages have the size that the first one
/// states.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Stage {
    /// sizeof(DxtrStage), which the program sets.
    pub structure_size: usize,
    /// The shader.
    pub shader: *const Shader,
    /// The index of the entry point in the shader.
    pub entry: u32,
    /// The local root signature of the stage's shader records; null for the one that the library
    /// associates with the entry point, if it is only one.
    pub local_root_signature: *const RootSignature,
}

/// The rule that gives resources their places (docs/bindings.md, "Models").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Model {
    /// MAP if there is a map, otherwise ROOT_SIGNATURE if there is a root signature, otherwise
    /// REGISTER.
    Auto = 0,
    /// Set = register space; binding = register + the shift of its class.
    Register = 1,
    /// Each descriptor table is a set, root constants are push constants, and all else is in the
    /// root set.
    RootSignature = 2,
    /// The places that DxtrPlanInfo::map lists.
    Map = 3,
}

/// How root descriptors reach the shader under the model ROOT_SIGNATURE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum RootDescriptors {
    /// As descriptors in the root set; with DxtrPlanInfo::layout as its bindings say.
    Descriptor = 0,
    /// As addresses of 8 bytes each in the push constants.
    Address = 1,
}

/// How descriptor tables reach the shader under the model ROOT_SIGNATURE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum RootTables {
    /// Each table is a descriptor set.
    Sets = 0,
    /// Each table is an offset of 4 bytes in the push constants: the index of its first descriptor
    /// in the descriptor heap.
    Offsets = 1,
}

/// For each register class, the number that the model REGISTER adds to a register to get its
/// binding. This structure does not grow.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RegisterShifts {
    /// Constant buffers.
    pub b: u32,
    /// Shader resource views.
    pub t: u32,
    /// Unordered access views.
    pub u: u32,
    /// Samplers.
    pub s: u32,
    /// Hidden counters of UAVs. The model ROOT_SIGNATURE adds it as well, to the binding of the
    /// UAV.
    pub c: u32,
}

/// The descriptor sets of the descriptor heaps; DXTR_DEFAULT_SET leaves one to the model. The model
/// REGISTER has no default. This structure does not grow.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HeapSets {
    /// The set of the resource heap: its first one, if each descriptor type has a set of its own.
    pub resources: u32,
    /// The set of the sampler heap.
    pub samplers: u32,
    /// The set of the hidden counters of UAVs in the resource heap.
    pub counters: u32,
}

/// What a plan is made from. Members that are zero have their defaults. Nothing that it points to
/// is needed after the call.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PlanInfo {
    /// sizeof(DxtrPlanInfo), which the program sets.
    pub structure_size: usize,
    /// All stages of the pipeline, because they share one layout. A plan of a part of a pipeline is
    /// possible if all parts are planned with the same root signature, or by registers.
    pub stages: *const Stage,
    /// The number of stages.
    pub stage_count: u32,
    /// A value of DxtrModel.
    pub model: u32,
    /// The device.
    pub profile: *const Profile,
    /// The global root signature; null for that of the shaders, if they have one.
    pub root_signature: *const RootSignature,
    /// The shifts of the model REGISTER; null for 0, and 1000 for counters.
    pub shifts: *const RegisterShifts,
    /// The sets of register spaces under the model REGISTER, such as "95=1,96=2"; null for set =
    /// space.
    pub spaces: *const c_char,
    /// The sets of the descriptor heaps; null for the model's defaults.
    pub heap_sets: *const HeapSets,
    /// The places for the model MAP as text (docs/bindings.md, "Map"); null for none.
    pub map: *const c_char,
    /// A value of DxtrRootDescriptors.
    pub root_descriptors: u32,
    /// A value of DxtrRootTables.
    pub root_tables: u32,
    /// The pipeline layout that the program has already, against which is planned: a resource that
    /// finds no suitable binding there is an error. Null if the program makes the layout from the
    /// plan.
    pub layout: *const GivenLayout,
}

/// A binding of a descriptor-set layout that the program has. The elements of an array of bindings
/// have the size that the first one states.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GivenBinding {
    /// sizeof(DxtrGivenBinding), which the program sets.
    pub structure_size: usize,
    /// The descriptor set, at most 65535.
    pub set: u32,
    /// VkDescriptorSetLayoutBinding::binding.
    pub binding: u32,
    /// VkDescriptorType.
    pub descriptor_type: i32,
    /// VkDescriptorSetLayoutBinding::descriptorCount. For an inline uniform block it is a size in
    /// bytes.
    pub descriptor_count: u32,
    /// VkShaderStageFlags.
    pub stages: u32,
    /// Not 0: the binding has immutable samplers.
    pub immutable_samplers: u32,
    /// The values of VkDescriptorType that a mutable binding may hold.
    pub mutable_types: *const i32,
    /// Number of `mutable_types`.
    pub mutable_type_count: u32,
}

/// VkPushConstantRange. This structure does not grow.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PushRange {
    /// VkShaderStageFlags.
    pub stages: u32,
    /// First byte.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// A pipeline layout that the program has.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GivenLayout {
    /// sizeof(DxtrGivenLayout), which the program sets.
    pub structure_size: usize,
    /// The bindings of all sets, in any order.
    pub bindings: *const GivenBinding,
    /// Number of bindings.
    pub binding_count: u32,
    /// Number of push-constant ranges.
    pub push_range_count: u32,
    /// The push-constant ranges.
    pub push_ranges: *const PushRange,
}

structures! {
    Stage;
    PlanInfo;
    GivenBinding;
    GivenLayout;
}

/// The largest number of a descriptor set. Devices have 8 or 32 sets.
const MOST_SETS: u32 = 0xFFFF;

fn given_layout(layout: &GivenLayout) -> Answer<PipelineLayout> {
    let mut sets = BTreeMap::<u32, Vec<LayoutBinding>>::new();
    for given in read_array(layout.bindings, layout.binding_count)? {
        if given.set > MOST_SETS {
            return Err(Failure::argument(format!("DxtrGivenBinding::set is {}, and at most {MOST_SETS}", given.set)));
        }
        let ty = DescriptorType::from_vulkan(given.descriptor_type);
        let mut binding = LayoutBinding::new(given.binding, ty, given.descriptor_count, given.stages);
        binding.immutable_samplers = given.immutable_samplers != 0;
        let types = array(given.mutable_types, given.mutable_type_count)?.iter();
        binding.mutable_types = types.map(|&ty| DescriptorType::from_vulkan(ty)).collect();
        sets.entry(given.set).or_default().push(binding);
    }
    let count = sets.last_key_value().map_or(0, |(&set, _)| set + 1);
    let set = |number| {
        let mut bindings = sets.remove(&number).unwrap_or_default();
        bindings.sort_by_key(|binding| binding.binding);
        Some(bindings)
    };
    let sets = (0..count).map(set).collect();
    let ranges = array(layout.push_ranges, layout.push_range_count)?.iter();
    let push_ranges = ranges.map(|&PushRange { stages, offset, size }| Range::new(stages, offset, size)).collect();
    Ok(PipelineLayout::new(sets, push_ranges))
}

/// The value of an enumeration with this number.
pub(crate) fn chosen<T: Copy>(number: u32, values: &[T], name: &str) -> Answer<T> {
    let found = values.get(number as usize).copied();
    found.ok_or_else(|| Failure::argument(format!("{number} is no value of {name}")))
}

fn binding_options(info: &PlanInfo) -> Answer<BindingOptions> {
    let mut options = BindingOptions::default();
    let models = [PlanModel::Auto, PlanModel::Register, PlanModel::RootSignature, PlanModel::Map];
    options.model = chosen(info.model, &models, "DxtrModel")?;
    // A pipeline layout that the program has says itself how root descriptors reach the shader.
    let default = if info.layout.is_null() { Descriptors::Descriptor } else { Descriptors::Auto };
    let forms = [default, Descriptors::Address];
    options.root_descriptors = chosen(info.root_descriptors, &forms, "DxtrRootDescriptors")?;
    options.root_tables = chosen(info.root_tables, &[Tables::Sets, Tables::Offsets], "DxtrRootTables")?;
    if let Some(&RegisterShifts { b, t, u, s, c }) = behind(info.shifts) {
        options.shifts = Shifts { b, t, u, s, c };
    }
    if let Some(sets) = behind(info.heap_sets) {
        let set = |number: u32| (number != DEFAULT_SET).then_some(number);
        let mut heaps = Sets::default();
        (heaps.resources, heaps.samplers, heaps.counters) =
            (set(sets.resources), set(sets.samplers), set(sets.counters));
        options.heap_sets = heaps;
    }
    if let Some(spaces) = text(info.spaces)? {
        options.spaces = spaces.parse()?;
    }
    Ok(options)
}

/// A stage of the program in the translator's terms.
fn pipeline_stage<'a>(stage: &Stage) -> Answer<PipelineStage<'a>> {
    let shader = given(behind(stage.shader), "DxtrStage::shader")?;
    let (entry, _) = shader.entry(stage.entry)?;
    let planned = PipelineStage::new(&shader.shader, entry);
    Ok(match behind(stage.local_root_signature) {
        Some(local) => planned.with_local_root_signature(Some(&local.signature)),
        None => planned,
    })
}

fn new_plan(info: &PlanInfo) -> Answer<Plan> {
    let profile = &given(behind(info.profile), "DxtrPlanInfo::profile")?.profile;
    let given_stages = read_array(info.stages, info.stage_count)?;
    let shader_index = |of: usize| {
        let shader = given_stages.get(of)?.shader;
        given_stages.iter().position(|stage| stage.shader == shader)
    };
    let stages = given_stages.iter().map(pipeline_stage).collect::<Answer<Vec<PipelineStage<'_>>>>()?;
    if stages.is_empty() {
        return Err(Failure::argument("a pipeline has at least one stage"));
    }
    let map = text(info.map)?.map(BindingMap::parse).transpose()?;
    let root_signature = behind(info.root_signature).map(|given| &*given.signature);
    let inputs = PlanInputs::new(profile).with_options(binding_options(info)?).with_map(map.as_ref());
    let layout = read(info.layout)?.as_ref().map(given_layout).transpose()?;
    let planned = plan(&stages, &inputs.with_root_signature(root_signature).with_layout(layout.as_ref()))?;
    let resources = stages.iter().map(PipelineStage::resources).collect::<dxil_translator::Result<Vec<_>>>()?;
    let report = layout_report(&resources, root_signature, &planned)?;
    let texts = Texts::default();
    let groups = shader_groups(&stages);
    let tables = [ShaderTable::RayGeneration, ShaderTable::Miss, ShaderTable::Hit, ShaderTable::Callable];
    let strides = tables.map(|table| table_stride(&groups, table).unwrap_or(0));
    let groups = groups.iter().map(|group| PlannedGroup {
        table: tables.iter().position(|&table| table == group.table).unwrap_or_default() as u32,
        name: texts.intern(group.name),
        shaders: group.shaders.iter().map(|name| texts.intern(name)).collect(),
        record_bytes: group.record_bytes,
    });
    let groups = groups.collect();
    let faults = interface_mismatches(&stages).iter().map(|fault| texts.intern(&fault.to_string())).collect();
    let mut records = 0..report.shader_records.len();
    let planned = stages.iter().zip(&resources).zip(planned.stages).enumerate();
    let planned = planned.map(|(index, ((stage, resources), plan))| PlannedStage {
        shader: stage.shader.clone(),
        shader_index: shader_index(index).unwrap_or(index),
        entry: stage.entry,
        plan,
        state: stage_state(&stages, stage),
        record: resources.local_root_signature.and_then(|_| records.next()),
    });
    let planned = planned.collect();
    Ok(Plan { stages: planned, profile: profile.clone(), report, groups, strides, faults, texts })
}

impl Plan {
    pub(crate) fn stage(&self, index: u32) -> Answer<&PlannedStage> {
        let count = self.stages.len();
        let missing = || Failure::argument(format!("no stage has the index {index}; the plan has {count}"));
        self.stages.get(index as usize).ok_or_else(missing)
    }
}

/// Plans the bindings of a pipeline over all its stages.
///
/// On success `*plan` is a handle, which the program frees with dxtr_plan_free; otherwise it is
/// null. The plan keeps what it needs of shaders, profile and root signatures, which may be freed
/// in any order. `error` may be null; otherwise `*error` is null on success, and an error that the
/// program frees. Codes: MALFORMED where the text of a map or of spaces breaks its rules,
/// UNSUPPORTED, BINDING, LIMIT, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_create(
    info: *const PlanInfo,
    plan: *mut *mut Plan,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || hand(plan, || new_plan(&given(read(info)?, "the pointer to DxtrPlanInfo")?)))
}

/// The plan of a stage as text, in the form that `dxil2spv --bindings` reads. It lives as long as
/// the plan. Null for null and for a stage that is not there.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_text(plan: Option<&Plan>, stage: u32) -> *const c_char {
    value(std::ptr::null(), || {
        let plan = given(plan, "the plan")?;
        Ok(plan.texts.pointer(&plan.stage(stage)?.plan.to_string()))
    })
}

/// Frees a plan. Null is accepted. Translations that were made from it stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_free(plan: Option<Box<Plan>>) {
    free(plan);
}
