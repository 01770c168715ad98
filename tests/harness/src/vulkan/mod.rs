//! The harness's use of Vulkan: a context with or without the layers, which has all features that
//! fixtures use, and formats.

pub mod context;
pub mod features;
pub mod format;
pub mod heap;

pub use context::{Context, ContextOptions};
pub use format::Format;
