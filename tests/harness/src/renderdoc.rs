//! Captures a run by RenderDoc, whose layer is below the layer under test and so gets SPIR-V.
//!
//! RenderDoc captures frames, and a fixture presents none. Its interface for applications
//! (`renderdoc_app.h`) says where a capture begins and ends.

use std::path::{Path, PathBuf};

use ash::vk;
use dxil_vulkan::RenderDoc;

use crate::error::{Error, Result};

/// The manifest of the layer in Debian's package librenderdoc.
const MANIFEST: &str = "/usr/share/vulkan/implicit_layer.d/renderdoc_capture.json";
/// The version of Vulkan that RenderDoc gives devices, and the newest header revision that it
/// knows.
pub const VERSION: (u32, u32) = (vk::API_VERSION_1_2, 203);

/// The folder of the layer's manifest.
///
/// # Errors
/// A skip if RenderDoc is not installed.
pub fn manifest_folder() -> Result<PathBuf> {
    let manifest = Path::new(MANIFEST);
    match manifest.parent().filter(|_| manifest.exists()) {
        Some(folder) => Ok(folder.to_owned()),
        None => Err(Error::Skip(format!("RenderDoc is not installed: {MANIFEST} does not exist"))),
    }
}

/// Captures what `submit` submits.
///
/// # Errors
/// If RenderDoc captured nothing, or `submit` failed.
pub fn capture(renderdoc: &RenderDoc, submit: impl FnOnce() -> Result<()>) -> Result<()> {
    let (submitted, captured) = renderdoc.capture(submit);
    submitted?;
    if captured { Ok(()) } else { Err(Error::Wrong("RenderDoc captured nothing".into())) }
}
