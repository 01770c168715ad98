//! The builds of the libraries of a process.
//!
//! In: the files that the process has mapped. Out: the build id of each, or a checksum where the
//! linker wrote none. What must hold: two builds of a driver have different texts, and the same
//! build has the same one on every machine.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// The most bytes of the headers and of the notes of a library.
const MOST: u64 = 1 << 16;

/// The libraries that this process has mapped (Linux; elsewhere none).
pub fn libraries() -> BTreeSet<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    // Address, permissions, offset, device, inode, and the path, in columns.
    let paths = maps.lines().filter_map(|line| Some(&line[line.find('/')?..]));
    paths.filter(|path| path.contains(".so")).map(PathBuf::from).collect()
}

/// The build of a file: its build id, or a checksum.
pub fn build_of(path: &Path) -> String {
    if let Some(id) = File::open(path).ok().and_then(build_id) {
        return format!("build id {}", hex(&id));
    }
    match fs::read(path) {
        Ok(bytes) => format!("CRC-32 {:08x} of {} bytes", crc32fast::hash(&bytes), bytes.len()),
        Err(error) => error.to_string(),
    }
}

/// Bytes as text.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The build id of an ELF file of 64 bits (System V ABI, "Program Header" and "Note Section").
fn build_id(mut file: File) -> Option<Vec<u8>> {
    const NOTE: u64 = 4;
    let mut part = |at: u64, size: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(at)).ok()?;
        (&mut file).take(size.min(MOST)).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    let head = part(0, MOST)?;
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (first, size, count) = (number(&head, 32, 8)?, number(&head, 54, 2)?, number(&head, 56, 2)?);
    for index in 0..count {
        let at = usize::try_from(first + index * size).ok()?;
        if number(&head, at, 4)? == NOTE {
            let notes = part(number(&head, at + 8, 8)?, number(&head, at + 32, 8)?)?;
            let align = if number(&head, at + 48, 8)? == 8 { 8 } else { 4 };
            if let Some(id) = gnu_build_id(&notes, align) {
                return Some(id);
            }
        }
    }
    None
}

/// The descriptor of the note `NT_GNU_BUILD_ID`.
fn gnu_build_id(notes: &[u8], align: usize) -> Option<Vec<u8>> {
    const BUILD_ID: u64 = 3;
    let mut at = 0;
    loop {
        let (name, size) = (number(notes, at, 4)? as usize, number(notes, at + 4, 4)? as usize);
        let start = at + 12 + name.next_multiple_of(4);
        if number(notes, at + 8, 4)? == BUILD_ID && notes.get(at + 12..at + 16)? == b"GNU\0" {
            return Some(notes.get(start..start + size)?.to_vec());
        }
        at = (start + size).next_multiple_of(align);
    }
}

/// A number of so many bytes, the lowest first.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_another_kind_is_passed_over() {
        let note = |kind: u32, name: &[u8; 4], bytes: &[u8]| {
            let head = [4, bytes.len() as u32, kind].map(u32::to_le_bytes).concat();
            [&head[..], name, bytes].concat()
        };
        let notes = [note(1, b"GNU\0", &[9; 4]), note(3, b"GNU\0", &[1, 2, 3, 4])].concat();
        assert_eq!(gnu_build_id(&notes, 4), Some(vec![1, 2, 3, 4]));
        assert_eq!(gnu_build_id(&notes[..20], 4), None);
        // A name or a descriptor may have any size.
        assert_eq!(gnu_build_id(&[0xff; 64], 4), None);
    }

    #[test]
    fn a_file_without_a_build_id_has_a_checksum() {
        let path = std::env::temp_dir().join(format!("dxil-lab-build-{}", std::process::id()));
        fs::write(&path, "no library").unwrap();
        let first = build_of(&path);
        fs::write(&path, "no librarz").unwrap();
        let second = build_of(&path);
        fs::remove_file(&path).unwrap();
        assert!(first.starts_with("CRC-32 ") && first.ends_with(" of 10 bytes") && first != second, "{first} {second}");
        assert!(libraries().iter().any(|path| path.to_string_lossy().contains("libc.so")));
    }
}
