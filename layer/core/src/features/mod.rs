//! Device features: where Vulkan enables them, what a device supports, and what the layer adds.
//!
//! | file | subject |
//! |---|---|
//! | `structures` | feature structures with their numbers, versions and extensions |
//! | `table` | one row per feature: the structure and the member that enable it |
//! | `choice` | which features the layer enables by itself, and how new they are |
//! | `cap` | the setting `profile_cap` |
//! | `support` | what a physical device supports |
//! | `requested` | what a device create info asks for and enables |
//! | `augment` | the create info with what translated code can use added |
//! | `absent` | why a feature is not enabled, for messages |
//! | `formats` | what the formats of a device allow beyond its features |
//! | `profile` | the profile of the created device, with which translation works |
//! | `robustness` | robustness by pipeline stage, and the profile of such a stage |

pub mod absent;
pub mod augment;
pub mod cap;
mod choice;
mod formats;
pub mod profile;
mod requested;
pub mod robustness;
mod structures;
pub mod support;
mod table;

pub use requested::enables;
