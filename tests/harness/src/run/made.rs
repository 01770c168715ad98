//! Says of what pipelines are made, for the check of the layer's captures ([`crate::captured`]).

use ash::vk;
use dxil_translator::{BlobDigest, extract, is_embedded};

use super::code::Code;
use crate::layer;

/// A stage, for the check of captures.
pub(super) struct Name {
    /// Stage, digest of the code, entry point.
    text: String,
    is_dxil: bool,
}

impl Name {
    /// The name of a stage.
    pub(super) fn new(code: &Code<'_>, stage: vk::ShaderStageFlags, entry: &str) -> Self {
        let mut bytes: Vec<u8> = code.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(code.length);
        let is_dxil = bytes.starts_with(b"DXBC") || is_embedded(&bytes);
        let embedded = extract(&bytes).ok().flatten().map(|embedded| embedded.digest);
        let digest = embedded.unwrap_or_else(|| BlobDigest::from_bytes(&bytes));
        Self { text: format!("{}:{digest}:{entry}", stage.as_raw()), is_dxil }
    }
}

/// Says that a command is about to make a pipeline of these stages, which belongs to others that
/// have DXIL if `of_dxil` is set. Without a capture nothing is printed.
pub(super) fn say(command: &str, of_dxil: bool, stages: &[&Name]) {
    if layer::capture_folder().is_some() && (of_dxil || stages.iter().any(|name| name.is_dxil)) {
        let names: Vec<&str> = stages.iter().map(|name| name.text.as_str()).collect();
        println!("made: {command} {}", names.join(" "));
    }
}

/// Whether one of the stages is DXIL.
pub(super) fn has_dxil(stages: &[&Name]) -> bool {
    stages.iter().any(|name| name.is_dxil)
}
