//! The harness's use of Vulkan: an instance with or without the layers, a device with all features
//! that fixtures use, memory, and formats.

pub mod context;
pub mod features;
pub mod format;
pub mod memory;

pub use context::{Context, ContextOptions, Message, Severity};
pub use format::Format;
