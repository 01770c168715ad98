//! Reads SPIR-V modules, their files and their text, for tests of what is emitted.

/// The bytes of a module's file: words of 32 bits, the lowest byte first.
pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The words of a module's file. What follows the last whole word is left out.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The literal string at the beginning of operands.
///
/// # Panics
/// If it is not UTF-8.
pub fn string(operands: &[u32]) -> String {
    let bytes = bytes(operands);
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    str::from_utf8(&bytes[..end]).expect("a literal string is UTF-8").to_owned()
}

/// The number of lines of a disassembled module that contain something.
pub fn count(text: &str, what: &str) -> usize {
    text.lines().filter(|line| line.contains(what)).count()
}

/// The instructions of a whole module in order, each as its opcode and the words after the first.
///
/// # Panics
/// If the module is not whole.
pub fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    // The header has five words.
    let mut rest = words.get(5..).expect("a module has a header");
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let (instruction, after) = rest.split_at((first >> 16) as usize);
        rest = after;
        Some((first & 0xffff, &instruction[1..]))
    })
}
