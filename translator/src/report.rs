//! What a shader declares and needs, and what a pipeline of shaders needs, as data: the documents
//! of `dxil2spv resources --json` and `dxil2spv layout --json`.
//!
//! In: a shader, or a planned pipeline. Out: a [`ShaderReport`], a [`PipelineReport`]. What must
//! hold: locations and features are those of a translation, so that they are never another rule
//! than the translator's own; what a report costs is bounded, whatever the shader.

use std::collections::HashSet;
use std::sync::Arc;

use dxil_base::error::Error;
use dxil_base::profile::Feature;
use dxil_spirv_builder::interface;
use serde::{Serialize, Serializer};

use crate::analysis::program::{Entry, EntryId};
use crate::binding::{self, LayoutReport, PipelinePlan, PlanInputs};
use crate::ir::declarations::StageProperties;
use crate::ir::members::BufferMembers;
use crate::ir::resources::DescriptorOrigin;
use crate::ops::consts::ShaderStage;
use crate::pipeline::{ShaderGroup, ShaderTable, shader_groups, table_stride};
use crate::requirements::{Requirements, requirements};
use crate::shader::{PipelineStage, Shader};

/// What a shader declares, and what it needs of a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShaderReport {
    /// The kind of shader: a stage, or a library.
    #[serde(serialize_with = "displayed")]
    pub kind: ShaderStage,
    /// Shader model: major and minor number.
    pub shader_model: (u8, u8),
    /// Version of DXIL: major and minor number.
    pub dxil_version: (u8, u8),
    /// Its entry points.
    pub entries: Vec<EntryReport>,
    /// Of a library, the exported functions that are not entry points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// Of a library, its subobjects as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subobjects: Vec<String>,
    /// The resources that it declares.
    pub resources: Vec<ResourceReport>,
    /// The members of constant buffers, where the container has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constant_buffers: Vec<BufferMembers>,
}

/// A resource that a shader declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ResourceReport {
    /// The resource, as text.
    pub resource: String,
    /// Its name in the source, where the container has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Arc<str>>,
    /// The letter of its registers: `t`, `u`, `b` or `s`.
    pub class: char,
    /// Register space.
    pub space: u32,
    /// First register.
    pub register: u32,
    /// Number of registers; `None` if it has no bound.
    pub count: Option<u32>,
}

/// What an entry point declares, and what it needs of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EntryReport {
    /// Its name.
    pub name: String,
    /// Its stage.
    pub stage: String,
    /// Threads of a group in x, y and z.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_group: Option<[u32; 3]>,
    /// Lanes of a wave: the least number, the largest, or 0 if it is the least, and the preferred
    /// one, or 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wave_size: Option<[u32; 3]>,
    /// The descriptor heaps that it accesses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub descriptor_heaps: Vec<String>,
    /// Its inputs and outputs in Vulkan.
    pub interface: Vec<InterfaceReport>,
    /// The features that it needs and Vulkan 1.3 does not guarantee: members of Vulkan's
    /// structures, or extensions.
    #[serde(serialize_with = "names")]
    pub features: Vec<Feature>,
    /// Why it is not translated on any device; `interface` and `features` are not known then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// An input or an output of an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct InterfaceReport {
    /// Whether it is an output.
    pub is_output: bool,
    /// Its semantic with the index, or a built-in variable of SPIR-V.
    pub name: String,
    /// Its location; `None` for a built-in variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<u32>,
    /// Its first component at the location.
    pub component: u32,
    /// Whether it is the second source of blending.
    pub is_second_source: bool,
}

/// What the stages of a planned pipeline need besides their code. It serializes to the JSON of
/// `dxil2spv layout --json`, without the files' names and the plans.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PipelineReport<'a> {
    /// The pipeline layout.
    #[serde(flatten)]
    pub layout: LayoutReport,
    /// The shader groups of a ray-tracing pipeline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shader_groups: Vec<ShaderGroup<'a>>,
    /// The strides of the tables that have records of these groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shader_tables: Vec<TableStride>,
    /// The members of constant buffers that the stages use, where the containers have them. What
    /// shaders declare alike is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constant_buffers: Vec<BufferMembers>,
    /// The root parameters and static samplers that no shader reads, as text.
    pub unread: Vec<String>,
    /// The entries of a binding map that match no resource of the shaders, as text.
    pub unmatched: Vec<String>,
}

/// The smallest stride of a shader table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TableStride {
    /// The table.
    pub table: ShaderTable,
    /// Bytes from one record to the next, which hold each group of the table on every device.
    pub stride: u32,
}

fn displayed<S: Serializer>(stage: &ShaderStage, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(stage)
}

fn names<S: Serializer>(features: &[Feature], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(features.iter().map(|feature| feature.name()))
}

/// The most that the translations of all entry points together may take, in instructions, resources
/// and signature elements. An entry point is translated up to twice for each feature, and a library
/// has thousands of entry points that may share one long function.
const MOST_EFFORT: usize = 1 << 24;

/// What one translation takes besides.
const LEAST_EFFORT: usize = 1 << 8;

/// What the translations of entry points may still take.
struct Effort(usize);

impl Effort {
    /// Takes the effort of one translation, if it is left.
    fn take(&mut self, one: usize) -> Result<(), Refusal> {
        let refused = || {
            Refusal(format!(
                "the entry points of this listing take more than the limit of {MOST_EFFORT} instructions, with each \
                 counted once for each translation; translate this one alone"
            ))
        };
        self.0 = self.0.checked_sub(one).ok_or_else(refused)?;
        Ok(())
    }
}

/// Why the features of an entry point are not known.
struct Refusal(String);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// What one translation of an entry point takes.
fn effort(shader: &Shader, entry: &Entry) -> usize {
    let program = shader.program();
    let functions = program.reached[entry.reachable.functions].iter().map(|&func| &program.module.functions[func]);
    let code = functions.map(|function| function.insts.len() + function.blocks.len());
    let elements = [&entry.inputs, &entry.outputs, &entry.patch_constants].map(|side| side.elements.len());
    let rest = program.resources.len() + elements.iter().sum::<usize>();
    code.fold(LEAST_EFFORT.saturating_add(rest), usize::saturating_add)
}

/// What a shader declares, and what each of its entry points needs of a device. Each is translated
/// up to twice for each feature that it needs; where that is too much in all, the rest are refused
/// in the report.
pub fn shader_report(shader: &Shader) -> ShaderReport {
    let program = shader.program();
    let mut left = Effort(MOST_EFFORT);
    let entries = shader.entries().map(|(id, entry)| entry_report(shader, id, entry, &mut left)).collect();
    let declared = program.resources.values().filter(|resource| !matches!(resource.origin, DescriptorOrigin::Heap(_)));
    let resources = declared.map(|resource| ResourceReport {
        resource: resource.to_string(),
        name: resource.source_name.clone(),
        class: resource.class.letter(),
        space: resource.space,
        register: resource.lower_bound,
        count: (resource.count != u32::MAX).then_some(resource.count),
    });
    ShaderReport {
        kind: program.kind,
        shader_model: program.shader_model,
        dxil_version: program.dxil_version,
        entries,
        functions: shader.functions().map(str::to_owned).collect(),
        subobjects: shader.subobjects().iter().map(ToString::to_string).collect(),
        resources: resources.collect(),
        constant_buffers: shader.buffer_members(),
    }
}

fn entry_report(shader: &Shader, id: EntryId, entry: &Entry, left: &mut Effort) -> EntryReport {
    let is_node = matches!(entry.properties, StageProperties::Node(_));
    let mut report = EntryReport {
        name: entry.name.to_string(),
        stage: entry.stage.to_string(),
        thread_group: entry.properties.num_threads().filter(|_| !is_node),
        wave_size: entry.properties.wave_size(),
        ..EntryReport::default()
    };
    for (resource_id, resource) in shader.program().resources.iter() {
        if let DescriptorOrigin::Heap(heap) = resource.origin
            && entry.reachable.resources.contains(resource_id)
            && !report.descriptor_heaps.contains(&heap.to_string())
        {
            report.descriptor_heaps.push(heap.to_string());
        }
    }
    let one = effort(shader, entry);
    let found = left.take(one).and_then(|()| requirements(shader, id, || left.take(one)));
    match found {
        Ok(Requirements { words, features, .. }) => {
            let variable = |variable: interface::InterfaceVariable| InterfaceReport {
                is_output: variable.is_output,
                name: variable.name,
                location: variable.location,
                component: variable.component,
                is_second_source: variable.is_second_source,
            };
            report.interface = interface::interface(&words).into_iter().map(variable).collect();
            report.features = features;
        }
        Err(Refusal(error)) => report.refused = Some(error),
    }
    report
}

/// What the stages of a pipeline need besides their code; `inputs` are those that the plan was made
/// from.
///
/// # Errors
/// Those of [`PipelineStage::resources`] and of [`binding::layout_report`].
pub fn pipeline_report<'a>(
    stages: &[PipelineStage<'a>],
    inputs: &PlanInputs<'_>,
    plan: &PipelinePlan,
) -> dxil_base::error::Result<PipelineReport<'a>> {
    let resources = stages.iter().map(PipelineStage::resources).collect::<Result<Vec<_>, _>>()?;
    let shader_groups = shader_groups(stages);
    let tables = [ShaderTable::RayGeneration, ShaderTable::Miss, ShaderTable::Hit, ShaderTable::Callable];
    let stride = |table| Some(TableStride { table, stride: table_stride(&shader_groups, table)? });
    // One map serves many shaders, so an entry without a resource is not an error.
    let unmatched = inputs.map.map_or_else(Vec::new, |map| map.unmatched(&resources));
    Ok(PipelineReport {
        layout: binding::layout_report(&resources, inputs.root_signature, plan)?,
        shader_tables: tables.into_iter().filter_map(stride).collect(),
        constant_buffers: used_members(stages),
        unread: binding::unread(&resources, inputs.root_signature, plan),
        unmatched,
        shader_groups,
    })
}

/// The members of the constant buffers that the stages use.
fn used_members(stages: &[PipelineStage<'_>]) -> Vec<BufferMembers> {
    let (mut shaders, mut seen): (Vec<&Shader>, _) = (Vec::new(), HashSet::new());
    for stage in stages {
        if !shaders.iter().any(|shader| std::ptr::eq(*shader, stage.shader)) {
            shaders.push(stage.shader);
        }
    }
    let mut all = Vec::new();
    for shader in shaders {
        let used = stages.iter().filter(|stage| std::ptr::eq(stage.shader, shader));
        let used: Vec<&Entry> = used.filter_map(|stage| shader.entry(stage.entry)).collect();
        let is_used = |buffer: &BufferMembers| used.iter().any(|entry| entry.reachable.resources.contains(buffer.id));
        let found = shader.buffer_members().into_iter().filter(is_used);
        all.extend(found.filter(|buffer| seen.insert((buffer.resource.clone(), buffer.members.clone()))));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry point is translated several times, and each time counts.
    #[test]
    fn the_effort_of_a_report_ends() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/buffer/raw_read_write.dxil");
        let shader = Shader::parse(&std::fs::read(path).unwrap()).unwrap();
        let (id, entry) = shader.entries().next().unwrap();
        let one = effort(&shader, entry);
        assert!(one > LEAST_EFFORT);
        let mut left = Effort(MOST_EFFORT);
        assert_eq!(entry_report(&shader, id, entry, &mut left).refused, None);
        let taken = MOST_EFFORT - left.0;
        assert!(taken >= 2 * one && taken.is_multiple_of(one), "{taken}, {one}");
        for left in [one - 1, one, taken - 1] {
            let refused = entry_report(&shader, id, entry, &mut Effort(left)).refused.unwrap();
            assert!(refused.starts_with("the entry points of this listing take more than the limit"), "{refused}");
        }
    }
}
