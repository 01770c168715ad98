//! The Vulkan side: an instance with or without the layers, a device with everything enabled that fixtures use, memory, and
//! the formats.

pub mod context;
pub mod features;
pub mod format;
pub mod memory;

pub use context::{Context, ContextOptions, Message, Severity};
pub use format::Format;
