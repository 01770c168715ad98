//! Device features: what a device supports, and what the layer adds. Where Vulkan enables them is
//! in the crate `dxil_vulkan_profile`.
//!
//! | file | subject |
//! |---|---|
//! | `choice` | which features the layer enables by itself, and how new they are |
//! | `cap` | the setting `profile_cap` |
//! | `support` | what a physical device supports |
//! | `augment` | the create info with added features that translated code can use |
//! | `absent` | why a feature is not enabled, for messages |
//! | `formats` | capabilities that depend on formats |
//! | `profile` | the profile of the created device, for translations |
//! | `robustness` | robustness by pipeline stage, and the profile of such a stage |

pub mod absent;
pub mod augment;
pub mod cap;
pub mod choice;
mod formats;
pub mod profile;
pub mod robustness;
pub mod support;
