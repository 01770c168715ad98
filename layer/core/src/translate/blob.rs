//! Blobs: detection of DXIL, alone or embedded in SPIR-V, and its digest.

use std::sync::Arc;

use crate::translate::seam;
use crate::translator::{BlobDigest, Error};

/// The first bytes of every DXIL (and DXBC) container. SPIR-V begins with another magic number in
/// either byte order.
const MAGIC: &[u8; 4] = b"DXBC";

/// Returns the code if it is a DXIL container or a SPIR-V module with an embedded one. All shader
/// code is checked here. For other SPIR-V this costs a comparison of the first word and of the
/// generator word.
pub fn dxil_in(code: &[u8]) -> Option<&[u8]> {
    (code.starts_with(MAGIC) || seam::is_embedded(code)).then_some(code)
}

/// A container that code of the application has, and the hash that identifies it.
pub struct FoundContainer {
    /// The hash of the container's bytes.
    pub hash: BlobDigest,
    /// The container.
    pub bytes: Arc<[u8]>,
    is_embedded: bool,
}

impl FoundContainer {
    /// The container in this code. It shares the code's memory, unless it is embedded in SPIR-V.
    ///
    /// # Errors
    /// The translator's errors, if an embedded container is damaged.
    pub fn from_code(code: Arc<[u8]>) -> Result<Self, Error> {
        Ok(match seam::embedded(&code)? {
            None => Self { hash: BlobDigest::from_bytes(&code), bytes: code, is_embedded: false },
            // The hash was computed to check the embedded container and is reused.
            Some((container, hash)) => Self { hash, bytes: container.into(), is_embedded: true },
        })
    }

    /// The bytes of the container that are not those of the code.
    pub(super) fn embedded_bytes(&self) -> usize {
        if self.is_embedded { self.bytes.len() } else { 0 }
    }
}

/// The hash of the container in this code.
///
/// # Errors
/// As for [`FoundContainer::from_code`].
pub fn digest_of(code: &[u8]) -> Result<BlobDigest, Error> {
    Ok(seam::embedded(code)?.map_or_else(|| BlobDigest::from_bytes(code), |(_, hash)| hash))
}

/// What the layer's own module identifiers begin with, so that a driver's are distinguished.
const IDENTIFIER_TAG: &[u8; 8] = b"DXIL.id1";

/// Names a blob in a shader module identifier (VK_EXT_shader_module_identifier), by the beginning
/// of its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identifier(pub(super) [u8; 24]);

impl Identifier {
    /// The identifier of the blob with this hash.
    pub fn new(hash: BlobDigest) -> Self {
        let mut start = [0; 24];
        start.iter_mut().zip(hash.0).for_each(|(to, from)| *to = from);
        Self(start)
    }

    /// The identifier in these bytes; `None` for one that is not the layer's.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        bytes.strip_prefix(IDENTIFIER_TAG)?.try_into().ok().map(Self)
    }

    /// The bytes of the identifier, as many as Vulkan allows.
    pub fn bytes(self) -> impl Iterator<Item = u8> {
        IDENTIFIER_TAG.iter().copied().chain(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_containers_are_dxil() {
        assert!(dxil_in(b"DXBC and more").is_some());
        for other in [&b""[..], b"DXB", b"XDXBC", b"\x03\x02\x23\x07"] {
            assert!(dxil_in(other).is_none());
        }
    }

    #[test]
    fn identifiers_are_told_apart() {
        let id = Identifier::new(BlobDigest(std::array::from_fn(|at| at as u8)));
        let bytes: Vec<u8> = id.bytes().collect();
        assert_eq!((bytes.len(), Identifier::read(&bytes)), (ash::vk::MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT, Some(id)));
        for other in [&bytes[..31], &[bytes.clone(), vec![0]].concat(), &bytes[1..], &[7; 32], &[]] {
            assert_eq!(Identifier::read(other), None);
        }
    }

    #[test]
    fn the_generator_word_makes_spirv_dxil() {
        let mut module = *b"\x03\x02\x23\x07\x00\x00\x01\x00DXIL\x05\x00\x00\x00\x00\x00\x00\x00";
        assert!(dxil_in(&module).is_some());
        assert!(dxil_in(&module[..11]).is_none());
        let error = digest_of(&module).unwrap_err();
        assert!(error.to_string().contains("it has no string `DXIL.Container.…`"), "{error}");
        assert_eq!(FoundContainer::from_code(module.as_slice().into()).err(), Some(error));
        module[8] += 1;
        assert!(dxil_in(&module).is_none());
    }
}
