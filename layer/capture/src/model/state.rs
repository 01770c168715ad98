//! The state of graphics pipelines.
//!
//! A member that an `…Enable` member disables still has the application's value, because the enable
//! may be dynamic state.

use serde::{Deserialize, Serialize};

use crate::model::{Chain, RenderPass};
use crate::number::Float;

/// The state of a `VkGraphicsPipelineCreateInfo`. State that Vulkan does not read is absent: its
/// subset is in another library, or all of it is dynamic.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graphics {
    /// `VkGraphicsPipelineLibraryCreateInfoEXT::flags`; `None` without that structure.
    pub subsets: Option<u32>,
    /// `pVertexInputState`.
    pub vertex_input: Option<VertexInput>,
    /// `pInputAssemblyState`.
    pub input_assembly: Option<InputAssembly>,
    /// `VkPipelineTessellationStateCreateInfo::patchControlPoints`, and the chain of that
    /// structure.
    pub tessellation: Option<(u32, Chain)>,
    /// `pViewportState`.
    pub viewport: Option<ViewportState>,
    /// `pRasterizationState`.
    pub rasterization: Option<Rasterization>,
    /// `pMultisampleState`.
    pub multisample: Option<Multisample>,
    /// `pDepthStencilState`.
    pub depth_stencil: Option<DepthStencil>,
    /// `pColorBlendState`.
    pub color_blend: Option<ColorBlend>,
    /// `pDynamicState`.
    pub dynamic: Vec<i32>,
    /// The render pass, or the attachment formats of dynamic rendering.
    pub target: Option<Target>,
}

/// The render target of a pipeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// `renderPass` and `subpass`.
    RenderPass(RenderPass, u32),
    /// `VkPipelineRenderingCreateInfo`.
    Rendering(Rendering),
}

/// `VkPipelineRenderingCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rendering {
    /// `viewMask`.
    pub view_mask: u32,
    /// `pColorAttachmentFormats`.
    pub colors: Vec<i32>,
    /// `depthAttachmentFormat`.
    pub depth: i32,
    /// `stencilAttachmentFormat`.
    pub stencil: i32,
    /// `VkRenderingAttachmentLocationInfo::pColorAttachmentLocations`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<u32>>,
}

/// `VkPipelineVertexInputStateCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexInput {
    /// `pVertexBindingDescriptions`.
    pub bindings: Vec<VertexBinding>,
    /// `pVertexAttributeDescriptions`.
    pub attributes: Vec<Attribute>,
    /// `pNext` without `VkPipelineVertexInputDivisorStateCreateInfo`, which the bindings have.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkVertexInputBindingDescription`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexBinding {
    /// `binding`.
    pub binding: u32,
    /// `stride`, in bytes.
    pub stride: u32,
    /// `inputRate`.
    pub rate: i32,
    /// Its `divisor`; `None` without such a structure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divisor: Option<u32>,
}

/// `VkVertexInputAttributeDescription`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// `location`.
    pub location: u32,
    /// `binding`.
    pub binding: u32,
    /// `format`.
    pub format: i32,
    /// `offset`, in bytes.
    pub offset: u32,
}

/// `VkPipelineInputAssemblyStateCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputAssembly {
    /// `topology`.
    pub topology: i32,
    /// `primitiveRestartEnable`.
    pub primitive_restart: bool,
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkPipelineViewportStateCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewportState {
    /// `viewportCount`.
    pub viewport_count: u32,
    /// `pViewports`; empty where they are dynamic.
    pub viewports: Vec<Viewport>,
    /// `scissorCount`.
    pub scissor_count: u32,
    /// `pScissors`; empty where they are dynamic.
    pub scissors: Vec<Rect>,
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkViewport`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Viewport {
    /// `x`, `y`.
    pub origin: [Float; 2],
    /// `width`, `height`.
    pub extent: [Float; 2],
    /// `minDepth`, `maxDepth`.
    pub depth: [Float; 2],
}

/// `VkRect2D`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rect {
    /// `offset`.
    pub offset: [i32; 2],
    /// `extent`.
    pub extent: [u32; 2],
}

/// `VkPipelineRasterizationStateCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rasterization {
    /// `depthClampEnable`.
    pub depth_clamp: bool,
    /// `rasterizerDiscardEnable`.
    pub discard: bool,
    /// `polygonMode`.
    pub polygon_mode: i32,
    /// `cullMode`.
    pub cull_mode: u32,
    /// `frontFace`.
    pub front_face: i32,
    /// `depthBiasEnable`.
    pub depth_bias_enable: bool,
    /// `depthBiasConstantFactor`, `depthBiasClamp` and `depthBiasSlopeFactor`.
    pub depth_bias: [Float; 3],
    /// `lineWidth`.
    pub line_width: Float,
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkPipelineMultisampleStateCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Multisample {
    /// `rasterizationSamples`.
    pub samples: u32,
    /// `sampleShadingEnable`.
    pub sample_shading: bool,
    /// `minSampleShading`.
    pub min_sample_shading: Float,
    /// `pSampleMask`; empty without one.
    pub sample_mask: Vec<u32>,
    /// `alphaToCoverageEnable`.
    pub alpha_to_coverage: bool,
    /// `alphaToOneEnable`.
    pub alpha_to_one: bool,
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkPipelineDepthStencilStateCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepthStencil {
    /// `flags`.
    pub flags: u32,
    /// `depthTestEnable`.
    pub depth_test: bool,
    /// `depthWriteEnable`.
    pub depth_write: bool,
    /// `depthCompareOp`.
    pub depth_compare: i32,
    /// `depthBoundsTestEnable`.
    pub depth_bounds_test: bool,
    /// `minDepthBounds` and `maxDepthBounds`.
    pub depth_bounds: [Float; 2],
    /// `stencilTestEnable`.
    pub stencil_test: bool,
    /// `front` and `back`.
    pub stencil: [StencilOp; 2],
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkStencilOpState`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StencilOp {
    /// `failOp`, `passOp`, `depthFailOp`.
    pub ops: [i32; 3],
    /// `compareOp`.
    pub compare: i32,
    /// `compareMask`, `writeMask`.
    pub masks: [u32; 2],
    /// `reference`.
    pub reference: u32,
}

/// `VkPipelineColorBlendStateCreateInfo`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColorBlend {
    /// `flags`.
    pub flags: u32,
    /// `logicOpEnable`.
    pub logic_op_enable: bool,
    /// `logicOp`.
    pub logic_op: i32,
    /// `attachmentCount`.
    pub attachment_count: u32,
    /// `pAttachments`; empty where all of their state is dynamic.
    pub attachments: Vec<Blend>,
    /// `blendConstants`.
    pub constants: [Float; 4],
    /// `VkPipelineColorWriteCreateInfoEXT::pColorWriteEnables`; empty without that structure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_enables: Vec<bool>,
    /// `pNext` without that structure.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkPipelineColorBlendAttachmentState`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blend {
    /// `blendEnable`.
    pub enable: bool,
    /// `srcColorBlendFactor`, `dstColorBlendFactor` and `colorBlendOp`.
    pub color: [i32; 3],
    /// `srcAlphaBlendFactor`, `dstAlphaBlendFactor` and `alphaBlendOp`.
    pub alpha: [i32; 3],
    /// `colorWriteMask`.
    pub write_mask: u32,
}
