//! Bitcode in containers, for crates that do not know containers.

/// The bitcode parts of a valid DXIL container, by the name of the part: the program (`DXIL`), then
/// the program with debug information (`ILDB`).
///
/// # Panics
/// If the container is not valid.
#[must_use]
pub fn bitcode_parts(container: &[u8]) -> Vec<(&'static str, &[u8])> {
    let word = |at: usize| {
        let bytes = container[at..at + 4].try_into().expect("four bytes");
        u32::from_le_bytes(bytes) as usize
    };
    let offsets: Vec<usize> = (0..word(28)).map(|part| word(32 + 4 * part)).collect();
    let bitcode = |name: &'static str| {
        let part = *offsets.iter().find(|&&at| &container[at..at + 4] == name.as_bytes())?;
        // The part's name and size, then the version and size of the program. The offset of the
        // bitcode is relative to the magic number after them.
        let magic = part + 16;
        let (start, size) = (magic + word(magic + 8), word(magic + 12));
        Some((name, &container[start..start + size]))
    };
    ["DXIL", "ILDB"].into_iter().filter_map(bitcode).collect()
}
