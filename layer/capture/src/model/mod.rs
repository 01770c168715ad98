//! The records of a capture.
//!
//! Each type corresponds to the Vulkan structure that its documentation names. Its members have the
//! same meaning and order. An absent member (`None`, or an empty list) is one that Vulkan does not
//! read in that create info.

mod chain;
mod device;
mod layout;
mod pipeline;
mod render_pass;
mod state;

pub use chain::{Chain, Structure};
pub use device::{Application, Device};
pub use layout::{Binding, PipelineLayout, PushRange, Sampler, SetLayout, YcbcrConversion};
pub use pipeline::{Code, Command, Constant, Group, Interface, Pipeline, Record, Stage};
pub use render_pass::{Attachment, Dependency, Reference, RenderPass, Subpass};
pub use state::{
    Attribute, Blend, ColorBlend, DepthStencil, Graphics, InputAssembly, Multisample, Rasterization, Rect, Rendering,
    StencilOp, Target, VertexBinding, VertexInput, Viewport, ViewportState,
};
