//! Pipelines and shader objects.

use serde::{Deserialize, Serialize};

use crate::digest::{Bytes, Digest};
use crate::model::{Chain, Graphics, PipelineLayout};

/// The record of a pipeline: the pipeline, and where it was seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The format version of the record: [`Record::FORMAT`].
    pub format: u32,
    /// The [`Device`](crate::model::Device), by the digest of its file; `None` for a pipeline that
    /// no application made.
    pub device: Option<Digest>,
    /// For each stage, the digest of the text of its translation request; `None` for stages that
    /// are not DXIL, and for those that were refused before a request was made. A stage with a
    /// request may have failed to translate.
    pub requests: Vec<Option<Digest>>,
    /// The pipeline.
    pub pipeline: Pipeline,
}

impl Record {
    /// The current format version. It changes whenever older readers would misread a record.
    pub const FORMAT: u32 = 1;
}

/// The command that makes a pipeline or shader objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// `vkCreateComputePipelines`.
    Compute,
    /// `vkCreateGraphicsPipelines`.
    Graphics,
    /// `vkCreateRayTracingPipelinesKHR`.
    RayTracing,
    /// `vkCreateShadersEXT`, for shaders of one call.
    ShaderObjects,
}

/// One element of a command's array of create infos; for shader objects the whole array.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// The command.
    pub command: Command,
    /// `VkPipelineCreateFlags2`, or `flags` if the chain does not have them.
    pub flags: u64,
    /// The stages that Vulkan reads.
    pub stages: Vec<Stage>,
    /// `layout`; `None` if Vulkan does not read it.
    pub layout: Option<PipelineLayout>,
    /// The state of a graphics pipeline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graphics: Option<Graphics>,
    /// The shader groups of a ray-tracing pipeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    /// `maxPipelineRayRecursionDepth` of a ray-tracing pipeline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_recursion: Option<u32>,
    /// `pLibraryInterface` of a ray-tracing pipeline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<Interface>,
    /// `pDynamicState` of a ray-tracing pipeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dynamic: Vec<i32>,
    /// The names of the pipelines of `VkPipelineLibraryCreateInfoKHR`. The capture has them even if
    /// they have no DXIL. `None` is a pipeline that the writer does not know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<Option<Digest>>,
    /// The structures of `pNext` that have no member of their own here.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

impl Pipeline {
    /// A pipeline with stages and nothing else.
    pub fn new(command: Command, stages: Vec<Stage>) -> Self {
        Self {
            command,
            flags: 0,
            stages,
            layout: None,
            graphics: None,
            groups: Vec::new(),
            max_recursion: None,
            interface: None,
            dynamic: Vec::new(),
            libraries: Vec::new(),
            chain: Chain::default(),
        }
    }

    /// The pipeline's name: the digest of its text.
    pub fn digest(&self) -> Digest {
        // Every type in a record can be expressed in JSON: all keys of maps are strings.
        Digest::new(&serde_json::to_vec(self).unwrap_or_default())
    }
}

/// `VkPipelineShaderStageCreateInfo`, or `VkShaderCreateInfoEXT`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// `stage`.
    pub stage: u32,
    /// `flags`.
    pub flags: u32,
    /// The code.
    pub code: Code,
    /// `pName`.
    pub entry: String,
    /// `pSpecializationInfo`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<Constant>,
    /// `nextStage` of a shader object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_stages: Option<u32>,
    /// `pSetLayouts` and `pPushConstantRanges` of a shader object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<PipelineLayout>,
    /// `pNext` without the code.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

impl Stage {
    /// A stage with code and nothing else.
    pub fn new(stage: u32, code: Code, entry: &str) -> Self {
        Self {
            stage,
            flags: 0,
            code,
            entry: entry.to_owned(),
            constants: Vec::new(),
            next_stages: None,
            layout: None,
            chain: Chain::default(),
        }
    }
}

/// The code of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// A DXIL container, which may have been embedded in SPIR-V.
    Dxil(Digest),
    /// A SPIR-V module.
    Spirv(Digest),
    /// No code: a module identifier, a driver's binary, or a module unknown to the writer.
    Missing,
}

/// A constant of `VkSpecializationInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// `constantID`.
    pub id: u32,
    /// Its bytes.
    pub value: Bytes,
}

/// `VkRayTracingShaderGroupCreateInfoKHR`. Shaders are indexes of stages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// `type`.
    pub ty: i32,
    /// `generalShader`.
    pub general: Option<u32>,
    /// `closestHitShader`.
    pub closest_hit: Option<u32>,
    /// `anyHitShader`.
    pub any_hit: Option<u32>,
    /// `intersectionShader`.
    pub intersection: Option<u32>,
}

/// `VkRayTracingPipelineInterfaceCreateInfoKHR`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interface {
    /// `maxPipelineRayPayloadSize`, in bytes.
    pub max_payload: u32,
    /// `maxPipelineRayHitAttributeSize`, in bytes.
    pub max_attributes: u32,
}
