//! The structures of a `pNext` chain.

use std::ffi::c_void;

use dxil_capture::model::{Chain, Structure};
use dxil_layer_core::plain_bytes;

use super::error::{Incomplete, MakeError};
use super::maker::Maker;

impl Maker<'_> {
    /// The head of a chain of the record's structures; null without any.
    ///
    /// # Errors
    /// A structure that Vulkan could not read from the record's bytes.
    pub fn chained(&self, chain: &Chain) -> Result<*const c_void, MakeError> {
        self.before(chain, std::ptr::null())
    }

    /// The head of a chain of the record's structures, and then `next`.
    ///
    /// # Errors
    /// As those of [`chained`](Self::chained).
    pub fn before(&self, chain: &Chain, mut next: *const c_void) -> Result<*const c_void, MakeError> {
        self.lost.borrow_mut().extend_from_slice(&chain.lost);
        for structure in chain.structures.iter().rev() {
            next = self.arena.all(words_of(structure, next)?).cast();
        }
        Ok(next)
    }
}

/// The words of a structure. Vulkan takes its size from its `sType`, and follows the pointers that
/// this says it has; a capture is a file, which may say anything.
fn words_of(structure: &Structure, next: *const c_void) -> Result<Vec<u64>, Incomplete> {
    let (s_type, bytes) = (structure.s_type, &structure.bytes.0);
    let Some(expected) = plain_bytes(s_type) else {
        return Err(Incomplete::Structure(s_type));
    };
    if bytes.len() != expected {
        return Err(Incomplete::StructureSize { s_type, found: bytes.len(), expected });
    }
    let mut words = vec![u64::from(s_type as u32), next as u64];
    let (whole, rest) = bytes.as_chunks::<8>();
    words.extend(whole.iter().map(|bytes| u64::from_le_bytes(*bytes)));
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u64::from_le_bytes(last));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use ash::vk::{self, TaggedStructure as _};
    use dxil_capture::digest::Bytes;

    use super::*;

    fn words(s_type: vk::StructureType, bytes: usize) -> Result<Vec<u64>, String> {
        let structure = Structure { s_type: s_type.as_raw(), bytes: Bytes(vec![1; bytes]) };
        words_of(&structure, std::ptr::null()).map_err(|error| error.to_string())
    }

    #[test]
    fn structures_have_the_size_of_their_type() {
        let mode = vk::SamplerReductionModeCreateInfo::STRUCTURE_TYPE;
        let whole = 0x0101_0101_0101_0101;
        assert_eq!(words(mode, 8), Ok(vec![u64::from(mode.as_raw() as u32), 0, whole]));
        for bytes in [0, 4, 7, 9, 16] {
            let error = words(mode, bytes).unwrap_err();
            assert!(error.contains("which has 8"), "{error}");
        }
    }

    #[test]
    fn structures_with_pointers_are_not_taken_from_a_file() {
        let pointers = [
            vk::PipelineRenderingCreateInfo::STRUCTURE_TYPE,
            vk::ShaderModuleCreateInfo::STRUCTURE_TYPE,
            vk::SamplerYcbcrConversionInfo::STRUCTURE_TYPE,
            vk::StructureType::from_raw(i32::MIN),
        ];
        for s_type in pointers {
            let error = words(s_type, 24).unwrap_err();
            assert!(error.contains("not known to be without pointers"), "{error}");
        }
    }
}
