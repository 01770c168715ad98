//! Render passes.

use serde::{Deserialize, Serialize};

use crate::model::Chain;

/// `VkRenderPassCreateInfo2`. A render pass of the older command is converted to it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderPass {
    /// `flags`.
    pub flags: u32,
    /// `pAttachments`.
    pub attachments: Vec<Attachment>,
    /// `pSubpasses`.
    pub subpasses: Vec<Subpass>,
    /// `pDependencies`.
    pub dependencies: Vec<Dependency>,
    /// `pCorrelatedViewMasks`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub correlated_view_masks: Vec<u32>,
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkAttachmentDescription2`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// `flags`.
    pub flags: u32,
    /// `format`.
    pub format: i32,
    /// `samples`.
    pub samples: u32,
    /// `loadOp` and `storeOp`.
    pub ops: [i32; 2],
    /// `stencilLoadOp` and `stencilStoreOp`.
    pub stencil_ops: [i32; 2],
    /// `initialLayout` and `finalLayout`.
    pub layouts: [i32; 2],
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkAttachmentReference2`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// `attachment`; `None` for `VK_ATTACHMENT_UNUSED`.
    pub attachment: Option<u32>,
    /// `layout`.
    pub layout: i32,
    /// `aspectMask`.
    pub aspects: u32,
    /// `pNext`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkSubpassDescription2`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subpass {
    /// `flags`.
    pub flags: u32,
    /// `pipelineBindPoint`.
    pub bind_point: i32,
    /// `viewMask`.
    pub view_mask: u32,
    /// `pInputAttachments`.
    pub inputs: Vec<Reference>,
    /// `pColorAttachments`.
    pub colors: Vec<Reference>,
    /// `pResolveAttachments`: none, or as many as `colors`.
    pub resolves: Vec<Reference>,
    /// `pDepthStencilAttachment`.
    pub depth_stencil: Option<Reference>,
    /// `pPreserveAttachments`.
    pub preserves: Vec<u32>,
    /// `VkSubpassDescriptionDepthStencilResolve`: the modes of depth and stencil, and the
    /// attachment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_stencil_resolve: Option<([u32; 2], Option<Reference>)>,
    /// `VkFragmentShadingRateAttachmentInfoKHR`: the attachment, and the width and height of its
    /// texels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shading_rate: Option<(Option<Reference>, [u32; 2])>,
    /// `pNext` without these two structures.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}

/// `VkSubpassDependency2`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    /// `srcSubpass` and `dstSubpass`.
    pub subpasses: [u32; 2],
    /// `srcStageMask` and `dstStageMask`.
    pub stages: [u32; 2],
    /// `srcAccessMask` and `dstAccessMask`.
    pub accesses: [u32; 2],
    /// `dependencyFlags`.
    pub flags: u32,
    /// `viewOffset`.
    pub view_offset: i32,
    /// `pNext`, for example `VkMemoryBarrier2`.
    #[serde(default, skip_serializing_if = "Chain::is_empty")]
    pub chain: Chain,
}
