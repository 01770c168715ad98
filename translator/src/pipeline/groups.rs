//! The shader groups of a ray-tracing pipeline, and the sizes of their shader records.
//!
//! In: the stages of a pipeline. Out: the groups that they make, as
//! `vkCreateRayTracingPipelinesKHR` wants them. What must hold: the local root signature of a hit
//! group is that of its shaders (DirectX-Specs, Raytracing, "Subobject associations for hit
//! groups").

use foldhash::{HashMap, HashSet};
use serde::Serialize;

use crate::binding::RootSignature;
use crate::container::SubobjectKind;
use crate::ops::consts::ShaderStage;
use crate::shader::PipelineStage;
use dxil_base::names::unmarked;

/// `shaderGroupHandleSize`, which is 32 bytes on every device (Vulkan, "Required Limits").
const HANDLE_BYTES: u32 = 32;

/// The largest `shaderGroupHandleAlignment` of any device (Vulkan, "Required Limits"). The stride
/// of a shader table is a multiple of it.
const HANDLE_ALIGNMENT: u32 = 32;

/// A table of shader records: the region of `vkCmdTraceRaysKHR` that a group's records are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ShaderTable {
    /// `pRaygenShaderBindingTable`.
    RayGeneration,
    /// `pMissShaderBindingTable`.
    Miss,
    /// `pHitShaderBindingTable`.
    Hit,
    /// `pCallableShaderBindingTable`.
    Callable,
}

impl ShaderTable {
    /// The table of a stage that is a group alone.
    fn of_general(stage: ShaderStage) -> Option<Self> {
        match stage {
            ShaderStage::RayGeneration => Some(Self::RayGeneration),
            ShaderStage::Miss => Some(Self::Miss),
            ShaderStage::Callable => Some(Self::Callable),
            _ => None,
        }
    }

    /// The name of the table in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::RayGeneration => "ray generation",
            Self::Miss => "miss",
            Self::Hit => "hit",
            Self::Callable => "callable",
        }
    }
}

/// A shader group of a ray-tracing pipeline.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ShaderGroup<'a> {
    /// The table that has its records.
    pub table: ShaderTable,
    /// Its export: the name of the hit group, or the plain name of the entry point.
    pub name: &'a str,
    /// The plain names of its shaders.
    pub shaders: Vec<&'a str>,
    /// The bytes of a record that are used: the shader group handle, and the local root arguments.
    pub record_bytes: u32,
}

/// The smallest stride of a shader table in bytes that holds each of these groups on every device.
/// `None` if no group has records in the table.
pub fn table_stride(groups: &[ShaderGroup<'_>], table: ShaderTable) -> Option<u32> {
    let records = groups.iter().filter(|group| group.table == table).map(|group| group.record_bytes);
    // A root signature has at most 4,096 bytes in a record, so the sum is small.
    records.max().map(|bytes| bytes.next_multiple_of(HANDLE_ALIGNMENT))
}

/// The shader groups that the stages of a ray-tracing pipeline make: one for each ray-generation,
/// miss and callable shader, and the hit groups of the stages' libraries whose shaders are all
/// among the stages. They are in the order of the stages, and hit groups follow the other groups.
/// Hit groups that a state object declares are not known here.
pub fn shader_groups<'a>(stages: &[PipelineStage<'a>]) -> Vec<ShaderGroup<'a>> {
    let mut groups = Vec::new();
    let mut by_name: HashMap<&str, Vec<&PipelineStage<'a>>> = HashMap::default();
    for stage in stages {
        let Some(entry) = stage.shader.entry(stage.entry) else { continue };
        by_name.entry(&entry.name).or_default().push(stage);
        if entry.plain_name() != &*entry.name {
            by_name.entry(entry.plain_name()).or_default().push(stage);
        }
        if let Some(table) = ShaderTable::of_general(entry.stage) {
            let name = entry.plain_name();
            let record_bytes = record_bytes(stage.local_root_signature);
            groups.push(ShaderGroup { table, name, shaders: vec![name], record_bytes });
        }
    }
    let mut seen = HashSet::default();
    for stage in stages {
        let subobjects = stage.shader.subobjects();
        // Clones of a shader share them.
        if !seen.insert(std::ptr::from_ref(subobjects)) {
            continue;
        }
        for (name, group) in subobjects.hit_groups() {
            let shaders = group.shaders().map(|shader| by_name.get(unmarked(shader)));
            let Some(shaders) = shaders.collect::<Option<Vec<_>>>() else { continue };
            let own = subobjects.associated(SubobjectKind::LocalRootSignature, &[name]);
            let own = own.first().and_then(|only| only.root_signature()).filter(|_| own.len() == 1);
            let names = shaders.iter().filter_map(|stages| stages.first());
            let names = names.filter_map(|stage| Some(stage.shader.entry(stage.entry)?.plain_name())).collect();
            let record_bytes = record_bytes(signature_of_group(&shaders, own));
            groups.push(ShaderGroup { table: ShaderTable::Hit, name, shaders: names, record_bytes });
        }
    }
    groups
}

/// The local root signature of a hit group: that of a shader with one only, otherwise the one that
/// the library associates with the group.
fn signature_of_group<'a>(
    shaders: &[&Vec<&PipelineStage<'a>>],
    own: Option<&'a RootSignature>,
) -> Option<&'a RootSignature> {
    let decided = shaders.iter().filter(|stages| stages.len() == 1).flat_map(|stages| stages.first());
    decided.filter_map(|stage| stage.local_root_signature).next().or(own)
}

fn record_bytes(signature: Option<&RootSignature>) -> u32 {
    HANDLE_BYTES.saturating_add(signature.map_or(0, crate::binding::record_size))
}
