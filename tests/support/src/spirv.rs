//! Reads the instructions of SPIR-V modules, for tests of what is emitted.

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
