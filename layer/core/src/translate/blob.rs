//! Blobs: how DXIL is recognised.

/// The first bytes of every DXIL (and DXBC) container. SPIR-V begins with another magic number in
/// either byte order.
const MAGIC: &[u8; 4] = b"DXBC";

/// The DXIL container that this code is, if it is one. Every carrier of shader code asks here.
pub fn dxil_in(code: &[u8]) -> Option<&[u8]> {
    code.starts_with(MAGIC).then_some(code)
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
