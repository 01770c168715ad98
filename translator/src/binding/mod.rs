//! Where D3D12 resources live in Vulkan: planned before emission, then looked up.
//!
//! In: the resources of a shader, a root signature or shifts, and the pipeline layout where it is known. Out: a
//! [`BindingPlan`]. What must hold: the contract of docs/bindings.md; no SPIR-V ids here.

pub mod layout;
pub mod plan;

pub use layout::PipelineLayout;
pub use plan::BindingPlan;
