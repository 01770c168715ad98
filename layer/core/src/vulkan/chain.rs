//! Walking chains of Vulkan structures.

pub use dxil_vulkan_profile::chain::{Header, find, nodes};
