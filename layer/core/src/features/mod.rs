//! Device features: where Vulkan enables them, what a device supports, and what the layer adds.
//!
//! | file | subject |
//! |---|---|
//! | `structures` | feature structures with their numbers, versions and extensions |
//! | `table` | one row per feature: the structure and the member that enable it |
//! | `choice` | which features the layer enables by itself, and how new they are |
//! | `cap` | the setting `profile_cap` |
//! | `support` | what a physical device supports |
//! | `requested` | the features that a device create info requests and enables |
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
mod requested;
pub mod robustness;
mod structures;
pub mod support;
mod table;

pub use requested::enables;
