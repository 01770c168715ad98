//! Pipelines as data.
//!
//! A *capture* is a folder with every pipeline that an application makes of DXIL, in a form from
//! which the pipeline can be made again on another machine. The layer's setting `capture_dir` writes
//! one. The driver lab reads it, and makes records of the same form for containers without an
//! application. This crate is what the two share: the records ([`model`]) and the folder
//! ([`folder`]). It knows no Vulkan object and no shader, and calls neither.
//!
//! - **A record is whole.** It has every member of the create info that Vulkan reads, and of the
//!   objects that the create info refers to: layouts, samplers, render passes. What Vulkan ignores is
//!   absent. A structure that the writer cannot copy is named in [`Chain::lost`](model::Chain), so
//!   that a reader knows what it misses.
//! - **Numbers are Vulkan's.** Enumerations and flags have the values of `vulkan_core.h`, so that a
//!   record can say what this project has no name for.
//! - **The same pipeline has the same name everywhere.** A record's [`Digest`] is that of its
//!   [`Pipeline`](model::Pipeline) alone, without the device and the settings of the day.
//! - **A folder survives its writer.** Files are written whole, under the name of their content, and
//!   are never changed. A writer that is killed leaves a folder that can be read.
//! - **What is read is not trusted.** A file that is cut short, too large, or not of this form is an
//!   error with its name, and the rest of the folder is still read.

pub mod digest;
pub mod folder;
pub mod model;
pub mod number;

pub use digest::Digest;
pub use folder::{Capture, Fault, Writer};
