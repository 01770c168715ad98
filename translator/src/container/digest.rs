//! The digest in a container's header.
//!
//! In: the bytes of a container. Out: whether its digest is that of its content. The digest is the
//! MD5 compression function over everything after the digest field. The padding differs from that
//! of MD5: the length in bits comes *before* the rest of the last block, and the last word of that
//! block is the length in bits divided by four, plus one. hlsl-specs INF-0004 (validator hashing)
//! publishes the algorithm, and two sentinels that ask a runtime to skip the check.

/// Offset of the digest in the header, and offset of the digested bytes.
pub(super) const DIGEST_OFFSET: usize = 4;
const CONTENT_OFFSET: usize = DIGEST_OFFSET + 16;

/// The state of a container's digest field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digest {
    /// The digest is that of the content: a validator has signed the container.
    Valid,
    /// All bytes are 0: the container was never signed.
    Zero,
    /// All bytes are 1: the container asks the runtime to skip the check.
    Bypass,
    /// All bytes are 2: the container asks the runtime to skip the check for a preview shader
    /// model.
    PreviewBypass,
    /// None of these: the container was changed after signing, or signed by another algorithm.
    Mismatch,
}

impl Digest {
    /// The state of the digest field of `container`. `container` must have the length that its
    /// header gives.
    pub fn from_container(container: &[u8]) -> Self {
        let (Some(stored), Some(content)) =
            (container.get(DIGEST_OFFSET..CONTENT_OFFSET), container.get(CONTENT_OFFSET..))
        else {
            return Digest::Mismatch;
        };
        match stored {
            _ if stored.iter().all(|&byte| byte == 0) => Digest::Zero,
            _ if stored.iter().all(|&byte| byte == 1) => Digest::Bypass,
            _ if stored.iter().all(|&byte| byte == 2) => Digest::PreviewBypass,
            _ if stored == compute(content) => Digest::Valid,
            _ => Digest::Mismatch,
        }
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Digest::Valid => "valid",
            Digest::Zero => "zero (not signed)",
            Digest::Bypass => "bypass",
            Digest::PreviewBypass => "preview bypass",
            Digest::Mismatch => "does not match the content",
        })
    }
}

/// The digest of a container's bytes after the digest field.
pub fn compute(content: &[u8]) -> [u8; 16] {
    let mut state = Md5::new();
    let (blocks, rest) = content.as_chunks::<64>();
    for block in blocks {
        state.block(block);
    }
    // Lengths have 32 bits. A container is below 2 GiB, and its length in bits wraps as in the
    // published algorithm.
    let bits = (content.len() as u32).wrapping_mul(8);
    let tail = (content.len() as u32).wrapping_mul(2) | 1;
    let mut last = [0; 64];
    // As in MD5, one set bit follows the rest. If the rest, the set bit and the lengths need more
    // than a block, the lengths move to a further block.
    if rest.len() >= 56 {
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 0x80;
        state.block(&last);
        last = [0; 64];
    } else {
        last[4..4 + rest.len()].copy_from_slice(rest);
        last[4 + rest.len()] = 0x80;
    }
    last[..4].copy_from_slice(&bits.to_le_bytes());
    last[60..].copy_from_slice(&tail.to_le_bytes());
    state.block(&last);
    state.bytes()
}

/// The compression function of RFC 1321.
struct Md5([u32; 4]);

/// RFC 1321, 3.4: left rotations of the four rounds, used in turn.
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// RFC 1321, 3.4: the integer part of 2³² · |sin(i + 1)|.
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

impl Md5 {
    fn new() -> Self {
        Self([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476])
    }

    fn block(&mut self, block: &[u8; 64]) {
        let mut words = [0u32; 16];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d] = self.0;
        for (i, &sine) in SINES.iter().enumerate() {
            let (mix, index) = match i / 16 {
                0 => (b & c | !b & d, i),
                1 => (d & b | !d & c, 5 * i + 1),
                2 => (b ^ c ^ d, 3 * i + 5),
                _ => (c ^ (b | !d), 7 * i),
            };
            let sum = mix.wrapping_add(a).wrapping_add(sine).wrapping_add(words[index % 16]);
            (a, d, c) = (d, c, b);
            b = b.wrapping_add(sum.rotate_left(ROTATIONS[i / 16][i % 4]));
        }
        for (state, value) in self.0.iter_mut().zip([a, b, c, d]) {
            *state = state.wrapping_add(value);
        }
    }

    fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        for (out, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
            *out = word.to_le_bytes();
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compression_is_md5() {
        // The MD5 of the empty string (RFC 1321, A.5) is one block: the set bit, then a length of
        // zero.
        let mut block = [0; 64];
        block[0] = 0x80;
        let mut state = Md5::new();
        state.block(&block);
        assert_eq!(u128::from_be_bytes(state.bytes()), 0xd41d8cd98f00b204e9800998ecf8427e);
    }

    #[test]
    fn sentinels() {
        let mut container = [0u8; 40];
        container[24] = 7;
        assert_eq!(Digest::from_container(&container), Digest::Zero);
        container[4..20].fill(1);
        assert_eq!(Digest::from_container(&container), Digest::Bypass);
        container[4..20].fill(2);
        assert_eq!(Digest::from_container(&container), Digest::PreviewBypass);
        let digest = compute(&container[20..]);
        container[4..20].copy_from_slice(&digest);
        assert_eq!(Digest::from_container(&container), Digest::Valid);
        container[39] ^= 1;
        assert_eq!(Digest::from_container(&container), Digest::Mismatch);
        assert_eq!(Digest::from_container(b"DXBC"), Digest::Mismatch);
    }
}
