//! The setting `capture_dir`: pipelines as data, from which they can be made again without the
//! application.
//!
//! In: create infos, at the moment when Vulkan reads them. Out: records of the crate `dxil_capture` in a
//! folder. What must hold: only what Vulkan reads is followed; a record is whole, or says what it misses
//! ([`Chain::lost`](dxil_capture::model::Chain)); a folder that cannot be written causes one warning and
//! no failure; a device without the setting has no [`Capture`], and pays nothing for one.
//!
//! | file | subject |
//! |---|---|
//! | `folder` | the folder, and when to stop writing to it |
//! | `objects` | what is kept of a device's objects until pipelines refer to them |
//! | `device` | the record of a device |
//! | `chains` | `pNext` chains |
//! | `layouts` | pipeline layouts, set layouts, samplers, conversions |
//! | `passes`, `older_passes` | render passes; those of Vulkan 1.0 in the words of the newer form |
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

pub use device::{Application, describe};
pub use folder::Folder;
pub use layouts::conversion;
pub use objects::{Capture, Library, Module};
pub use older_passes::render_pass;
pub use passes::render_pass as render_pass2;
pub use pipelines::Captured;
