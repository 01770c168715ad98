//! Pipelines as data.
//!
//! A *capture* is a folder with every pipeline that an application makes of DXIL, in a form from
//! which the pipeline can be made again on another machine. The layer's setting `capture_dir`
//! writes one. The driver lab reads it, and makes records of the same form for containers without
//! an application. This crate is what the two share: the records ([`model`]) and the folder
//! ([`folder`]). It calls neither Vulkan nor the translator.
//!
//! - **A record is complete.** It has every member that Vulkan reads of the create info and of the
//!   objects that the create info refers to: layouts, samplers, render passes. Members that Vulkan
//!   ignores are absent. A structure that the writer cannot copy is listed in
//!   [`Chain::lost`](model::Chain), so that a reader knows what is missing.
//! - **Numbers are Vulkan's.** Enumerations and flags have the values of `vulkan_core.h`, so a
//!   record can also have values that this project does not know.
//! - **The same pipeline has the same name everywhere.** A record's [`Digest`] is that of its
//!   [`Pipeline`](model::Pipeline) alone. It does not depend on the device or the settings.
//! - **A killed writer leaves a readable folder.** Files are written atomically, under names that
//!   derive from their content, and are never changed.
//! - **Input is not trusted.** A file that is truncated, too large or malformed is an error with
//!   its name, and the rest of the folder is still read.

pub mod digest;
pub mod folder;
pub mod model;
pub mod number;

pub use digest::Digest;
pub use folder::{Capture, Fault, Writer};
