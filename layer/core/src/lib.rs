//! The code of the Vulkan layer `VK_LAYER_DXIL_translate`, which lets an application hand DXIL to
//! any Vulkan driver. The shared object itself is a thin crate around it.
//!
//! The layer stands between the application and the driver. It is inert until it sees DXIL: SPIR-V
//! and everything else goes down by the very pointers the application passed. Code that begins with
//! `DXBC`, or is a SPIR-V module that carries such code, is parsed, verified and translated; the
//! driver gets SPIR-V, the application gets the driver's own handle.
//!
//! # Rooms
//! Each room may use those above it in this table, and none below it; no two files depend on each
//! other in a circle. The tests of `tests/architecture` hold the crate to both.
//!
//! | room | subject | may use |
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
//! # What a tool needs
//! [`translate`] is public: with a [`translate::Store`] and a [`translate::Context`] a tool
//! translates as the layer does, without a Vulkan object. Of the interception only [`negotiate`] is
//! public, for the shared object, and [`plain_bytes`], for who reads the structures of a capture.
//!
//! # The contract with the loader
//! One exported symbol; loading has no side effects; `vkGet*ProcAddr` asks the next layer first and
//! never invents a command; handles are never wrapped; no command per draw, command buffer or queue
//! is intercepted; every entry point catches panics. Vulkan-Loader's LoaderLayerInterface.md has
//! the rules.

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
