//! Code of shaders as bytes and words.

/// The bytes as words, because Vulkan requires aligned code. The last word is padded with zeros.
pub fn aligned(bytes: &[u8]) -> Vec<u32> {
    let word = |c: &[u8]| u32::from_le_bytes(std::array::from_fn(|i| c.get(i).copied().unwrap_or(0)));
    let mut words: Vec<u32> = bytes.chunks(4).map(word).collect();
    words.push(0);
    words
}

/// The instructions of a SPIR-V module, which must be whole.
pub fn instructions(words: &[u32]) -> impl Iterator<Item = &[u32]> {
    let mut rest = &words[5..];
    std::iter::from_fn(move || {
        let (instruction, after) = rest.split_at((rest.first()? >> 16) as usize);
        rest = after;
        Some(instruction)
    })
}

/// The values of the decoration `Binding` (33) in a module, sorted.
pub fn bindings(words: &[u32]) -> Vec<u32> {
    // OpDecorate has the number 71.
    let decorations = instructions(words).filter(|instruction| instruction[0] & 0xffff == 71 && instruction[2] == 33);
    let mut found: Vec<u32> = decorations.map(|decoration| decoration[3]).collect();
    found.sort();
    found
}

/// The contents of a compiled shader of this crate's folder `shaders`.
pub fn shader(name: &str) -> Vec<u8> {
    dxil_test_support::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders").join(name))
}

/// A few words that the layer takes for SPIR-V, because they start with the magic number.
pub const SPIRV: [u32; 8] = [0x0723_0203, 0x0001_0300, 0, 1, 0, 0x0002_0011, 1, 7];
