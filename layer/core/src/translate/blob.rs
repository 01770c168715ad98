//! Blobs: how DXIL is recognised, and the hash that names a blob.

use std::fmt;

/// The first bytes of every DXIL (and DXBC) container. SPIR-V begins with another magic number in
/// either byte order.
const MAGIC: &[u8; 4] = b"DXBC";

/// The DXIL container that this code is, if it is one. Every carrier of shader code asks here.
pub fn dxil_in(code: &[u8]) -> Option<&[u8]> {
    code.starts_with(MAGIC).then_some(code)
}

/// The 256-bit BLAKE3 hash of a blob. It names the blob in messages, dumps and caches.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlobHash(pub [u8; 32]);

impl BlobHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

/// The first 16 hexadecimal digits, by which messages and file names call the blob.
impl fmt::Display for BlobHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(8).try_for_each(|byte| write!(f, "{byte:02x}"))
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
}
