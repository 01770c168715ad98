//! The setting `capture_dir`: pipelines as data, from which they can be created without the
//! application.
//!
//! In: create infos, at the time of the call. Out: records of the crate `dxil_capture` in a folder.
//! What must hold: only pointers that Vulkan reads are dereferenced; a record is complete, or lists
//! what is missing ([`Chain::lost`](dxil_capture::model::Chain)); a folder that cannot be written
//! causes one warning and no failure; a device without the setting has no [`Capture`] and no cost.
//!
//! | file | subject |
//! |---|---|
//! | `folder` | the folder, and when writing to it stops |
//! | `objects` | the create infos of objects that pipelines may refer to |
//! | `device` | the record of a device |
//! | `chains` | `pNext` chains |
//! | `layouts` | pipeline layouts, set layouts, samplers, conversions |
//! | `passes`, `older_passes` | render passes; those of Vulkan 1.0 converted to `VkRenderPassCreateInfo2` |
//! | `stages` | shader stages and their code |
//! | `graphics`, `fragment` | the state of graphics pipelines, before and after rasterization |
//! | `pipelines` | pipelines and shader objects as a whole |

mod chains;
mod device;
mod folder;
mod fragment;
mod graphics;
mod layouts;
mod objects;
mod older_passes;
mod passes;
mod pipelines;
mod stages;

pub use device::{Application, application, describe};
pub use folder::Folder;
pub use layouts::conversion;
pub use objects::{Capture, Library, Module};
pub use older_passes::render_pass;
pub use passes::render_pass as render_pass2;
pub use pipelines::Captured;
