//! The translator's plain data types that any room may name.
//!
//! Only this file and `translate/seam.rs` name the crate `dxil_translator` (a test holds them to
//! it). This file has data alone: errors, features, profiles, plans. Whatever calls the translator
//! is in the seam.

pub use dxil_translator::binding::layout::{LayoutBinding, PushRange};
pub use dxil_translator::binding::{BindingOptions, BindingPlan as Plan, PipelineLayout};
pub use dxil_translator::error::{Error, ErrorKind, Place};
pub use dxil_translator::profile::{DeviceProfile, Feature, FloatControls, VULKAN_1_1_FLOOR};

#[cfg(test)]
pub use dxil_translator::binding::Model;
