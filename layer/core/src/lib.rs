//! The code of the Vulkan layer `VK_LAYER_DXIL_translate`, which lets an application hand DXIL to
//! any Vulkan driver. The shared object is a thin crate around this library.
//!
//! The layer stands between the application and the driver. It is inert until it sees DXIL: SPIR-V
//! and everything else goes down by the application's own pointers. Code that begins with
//! `DXBC`, or is a SPIR-V module with such code embedded, is parsed, verified and translated; the
//! driver gets SPIR-V, the application gets the driver's own handle.
//!
//! # Modules
//! Each module may use those above it in this table, and none below it; no files depend on each
//! other in a cycle. `tests/architecture` enforces both.
//!
//! | module | subject | may use |
//! |---|---|---|
//! | `translator` | plain data types of the translator | |
//! | [`translate`] | blobs, plans, translation, cache, dumps; the seam | `translator` |
//! | `vulkan` | loader, dispatch, handles, chains, what Vulkan reads | |
//! | `features` | device features: supported, enabled, added | `translator`, `vulkan` |
//! | `settings` | settings and their sources | `translator`, `vulkan`, `features` |
//! | `capture` | pipelines as data: from create infos to records | `translator`, `translate`, `vulkan`, `features` |
//! | `messages` | the log and the application's messengers | `vulkan`, `settings` |
//! | `intercept` | intercepted commands, a file for each family | all |
//!
//! # Public interface
//! [`translate`] is public: with a [`translate::Store`] and a [`translate::Context`] a tool
//! translates as the layer does, without Vulkan objects. The rest is private, except for
//! [`negotiate`], which the shared object exports, and [`plain_bytes`], which readers of captures
//! use.
//!
//! # The contract with the loader
//! The layer exports one symbol, and loading it has no side effects. `vkGet*ProcAddr` asks the next
//! layer first and returns no command that the next layer does not have. Handles are never wrapped.
//! No command per draw, command buffer or queue is intercepted. Every entry point catches panics.
//! The rules are in Vulkan-Loader's LoaderLayerInterface.md.

pub mod translate;

mod capture;
mod features;
mod intercept;
mod messages;
mod settings;
mod translator;
mod vulkan;

pub use intercept::negotiate::negotiate;
pub use vulkan::loader::{GetPhysicalDeviceProcAddr, NegotiateLayerInterface};
pub use vulkan::plain::plain_bytes;
