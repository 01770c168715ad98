//! SPIR-V as files have it: words of 32 bits, the lowest byte first.

/// The bytes of words.
pub fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The words of bytes. What follows the last whole word is left out.
pub fn of_bytes(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}
