//! The code of stages.

use crate::spec::Stage;

/// The code of a stage, as an application passes it to vkCreateShaderModule.
pub struct Code<'f> {
    /// The stage.
    pub stage: &'f Stage,
    /// SPIR-V or a DXIL container, padded to whole words.
    pub(super) words: Vec<u32>,
    /// The length in bytes without the padding.
    pub(super) length: usize,
    /// The names of the stage's entry points in the code, where they are not those of the source.
    names: Vec<(String, String)>,
}

impl<'f> Code<'f> {
    /// Creates the code of a stage from its bytes.
    #[must_use]
    pub fn new(stage: &'f Stage, bytes: &[u8]) -> Self {
        let word = |chunk: &[u8]| {
            let mut word = [0; 4];
            word.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
            u32::from_le_bytes(word)
        };
        Self { stage, words: bytes.chunks(4).map(word).collect(), length: bytes.len(), names: Vec::new() }
    }

    /// Says that the code has another name for an entry point of the source.
    pub fn rename(&mut self, entry: &str, name: &str) {
        self.names.push((entry.to_owned(), name.to_owned()));
    }

    /// Whether the code has an entry point of the source. Code that names some has no others.
    pub(super) fn has(&self, entry: &str) -> bool {
        match self.names.is_empty() {
            true => self.stage.entries.iter().any(|other| other == entry),
            false => self.names.iter().any(|(other, _)| other == entry),
        }
    }

    /// The name that the code has for an entry point of the source.
    pub(super) fn name_of<'n>(&'n self, entry: &'n str) -> &'n str {
        self.names.iter().find(|(other, _)| other == entry).map_or(entry, |(_, name)| name)
    }
}
