//! The driver lab.
//!
//! Everything begins at DXIL, a capture of the layer or a bare folder of containers, and ends at a
//! finding about a Vulkan driver.

pub mod archive;
pub mod driver;
pub mod exec;
pub mod files;
pub mod foz;
mod inputs;
mod named;
mod progress;
pub mod record;
pub mod reduce;
pub mod report;
pub mod results;
pub mod run;
pub mod shell;
pub mod suite;
pub mod synth;
pub mod valid;
pub mod vulkan;
mod words;
