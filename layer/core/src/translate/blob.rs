//! Blobs: detection of DXIL, alone or embedded in SPIR-V, and its digest.

use std::borrow::Cow;

use crate::translate::failure::Failure;
use crate::translate::seam;
use crate::translator::BlobDigest;

/// The first bytes of every DXIL (and DXBC) container. SPIR-V begins with another magic number in
/// either byte order.
const MAGIC: &[u8; 4] = b"DXBC";

/// Returns the code if it is a DXIL container or a SPIR-V module with an embedded one. All shader
/// code is checked here. For other SPIR-V this costs a comparison of the first word and of the
/// generator word.
pub fn dxil_in(code: &[u8]) -> Option<&[u8]> {
    (code.starts_with(MAGIC) || seam::is_embedded(code)).then_some(code)
}

/// A container and the hash that identifies it.
pub struct Blob<'a> {
    /// The container.
    pub bytes: Cow<'a, [u8]>,
    /// The hash of its bytes.
    pub hash: BlobDigest,
}

impl<'a> Blob<'a> {
    /// The container in this code.
    ///
    /// # Errors
    /// The translator's errors, if an embedded container is damaged.
    pub fn from_code(code: &'a [u8]) -> Result<Self, Failure> {
        match seam::embedded(code) {
            Ok(None) => Ok(Self { bytes: Cow::Borrowed(code), hash: BlobDigest::from_bytes(code) }),
            // The hash was computed to check the embedded container and is reused.
            Ok(Some((container, hash))) => Ok(Self { bytes: Cow::Owned(container), hash }),
            Err(error) => Err(Failure::new(None, None, error)),
        }
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
    fn the_generator_word_makes_spirv_dxil() {
        let mut module = *b"\x03\x02\x23\x07\x00\x00\x01\x00DXIL\x05\x00\x00\x00\x00\x00\x00\x00";
        assert!(dxil_in(&module).is_some());
        assert!(dxil_in(&module[..11]).is_none());
        let Err(failure) = Blob::from_code(&module) else { panic!("a module without a container") };
        assert!(failure.to_string().contains("it has no string `DXIL.Container.…`"), "{failure}");
        module[8] += 1;
        assert!(dxil_in(&module).is_none());
    }
}
