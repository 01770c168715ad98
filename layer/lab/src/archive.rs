//! The file of a Fossilize database: its stream archive, version 6 (fossilize_db.cpp).
//!
//! ```text
//! 81 "FOSSILIZEDB" 00 00 00 06
//! entry*:  24 digits  resource tag, hexadecimal
//!          16 digits  hash, hexadecimal
//!          u32        size of the payload in the file
//!          u32        1: as it is, 2: in zlib's form
//!          u32        CRC-32 of the payload in the file
//!          u32        size of the payload
//!          payload
//! ```
//!
//! What must hold: an entry occurs once; a truncated file is continued behind its last whole
//! entry; nothing in a file is trusted.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{At as _, FileError};
use crate::named::named;

const MAGIC: [u8; 16] = *b"\x81FOSSILIZEDB\0\0\0\x06";
/// The digits of an entry's name: tag and hash.
const NAME: usize = 40;
/// The largest payload that is read.
const LARGEST: u32 = 256 << 20;
/// zlib's levels: 1 is the fastest, which Fossilize's layer takes too.
const LEVEL: u8 = 1;

named! {
    /// What an entry is of: the resource tags of fossilize_types.hpp.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Tag {
        /// The application, and features that change what drivers compile.
        Application = 0 => "applications",
        /// `VkSampler`.
        Sampler = 1 => "samplers",
        /// `VkDescriptorSetLayout`.
        SetLayout = 2 => "set layouts",
        /// `VkPipelineLayout`.
        PipelineLayout = 3 => "pipeline layouts",
        /// `VkShaderModule`.
        Module = 4 => "modules",
        /// `VkRenderPass`.
        RenderPass = 5 => "render passes",
        /// A graphics pipeline.
        Graphics = 6 => "graphics pipelines",
        /// A compute pipeline.
        Compute = 7 => "compute pipelines",
        /// A link from an object to an application.
        Link = 8 => "links",
        /// A ray-tracing pipeline.
        Rays = 9 => "ray-tracing pipelines",
    }
}

impl Tag {
    /// Its number.
    pub fn number(self) -> u32 {
        self as u32
    }
}

/// Why an archive cannot be read or written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The system's error.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is something else.
    #[error("{}: this is no Fossilize database of version 6", .0.display())]
    NoArchive(PathBuf),
    /// An entry is malformed.
    #[error("{}: the entry at byte {at} {fault}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// Where the entry begins.
        at: u64,
        /// What is wrong with it.
        fault: EntryFault,
    },
    /// A payload has 4 GiB or more.
    #[error("{}: {source}", path.display())]
    Large {
        /// The file.
        path: PathBuf,
        /// That the size has no 32 bits.
        source: std::num::TryFromIntError,
    },
}

/// What is wrong with an entry.
#[derive(Debug, Error)]
pub enum EntryFault {
    /// It has more bytes than are read.
    #[error("has more than {0} bytes")]
    Large(u32),
    /// Its content is not that of its checksum.
    #[error("does not have its checksum")]
    Checksum,
    /// Its content cannot be decompressed.
    #[error("is not in zlib's form: {0}")]
    Zlib(miniz_oxide::inflate::DecompressError),
    /// Its form of compression is unknown.
    #[error("has the form {0}, and 1 and 2 are known")]
    Form(u32),
    /// It has another size than it says.
    #[error("has {found} bytes instead of {expected}")]
    Size {
        /// The bytes that there are.
        found: usize,
        /// The bytes that it says it has.
        expected: u32,
    },
}

/// What an entry is called.
pub type Name = (Tag, u64);

/// An archive that is written.
pub struct Archive {
    path: PathBuf,
    file: File,
    names: BTreeSet<Name>,
}

/// An entry of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: Name,
    /// JSON, and behind a NUL the code of a module.
    pub payload: Vec<u8>,
}

impl Archive {
    /// Opens or creates a file, and continues behind its last whole entry.
    ///
    /// # Errors
    /// The system's, or that the file is no archive.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.at(path)?;
        let mut names = BTreeSet::new();
        let whole = if file.metadata().at(path)?.len() < MAGIC.len() as u64 {
            // The file is new, or its writer was killed before the header was complete.
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&MAGIC)).at(path)?;
            MAGIC.len() as u64
        } else {
            scan(path, &file, |entry| {
                names.insert(entry.name);
            })?
        };
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).at(path)?;
        Ok(Self { path: path.to_owned(), file, names })
    }

    /// Adds an entry, if there is none of this name.
    ///
    /// # Errors
    /// The system's, or a payload of 4 GiB and more.
    pub fn add(&mut self, name: Name, payload: &[u8]) -> Result<(), ArchiveError> {
        if !self.names.insert(name) {
            return Ok(());
        }
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(payload, LEVEL);
        let (form, stored) = if packed.len() < payload.len() { (2, &packed[..]) } else { (1, payload) };
        let size =
            u32::try_from(payload.len()).map_err(|source| ArchiveError::Large { path: self.path.clone(), source })?;
        let (tag, hash) = name;
        let mut bytes = format!("{:024x}{hash:016x}", tag.number()).into_bytes();
        for word in [stored.len() as u32, form, crc32fast::hash(stored), size] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend_from_slice(stored);
        // One call, so that only the last entry of the file can be incomplete.
        Ok(self.file.write_all(&bytes).at(&self.path)?)
    }

    /// The entries' names.
    pub fn names(&self) -> &BTreeSet<Name> {
        &self.names
    }
}

/// The entries of a file, without an incomplete one at the end.
///
/// # Errors
/// The system's, or what is wrong with the file.
pub fn read(path: &Path) -> Result<Vec<Entry>, ArchiveError> {
    let file = File::open(path).at(path)?;
    let mut entries = Vec::new();
    scan(path, &file, |entry| entries.push(entry))?;
    Ok(entries)
}

/// Visits the complete entries, and returns where they end.
fn scan(path: &Path, file: &File, mut each: impl FnMut(Entry)) -> Result<u64, ArchiveError> {
    let length = file.metadata().at(path)?.len();
    let mut reader = BufReader::new(file);
    let mut magic = [0; MAGIC.len()];
    let is_whole = reader.read_exact(&mut magic).is_ok();
    if !is_whole || magic != MAGIC {
        return Err(ArchiveError::NoArchive(path.to_owned()));
    }
    let mut at = magic.len() as u64;
    let mut head = [0; NAME + 16];
    while at + head.len() as u64 <= length {
        reader.read_exact(&mut head).at(path)?;
        let wrong = |fault| ArchiveError::Entry { path: path.to_owned(), at, fault };
        let word = |index: usize| {
            let bytes = head[NAME..].as_chunks::<4>().0.get(index).copied().unwrap_or_default();
            u32::from_le_bytes(bytes)
        };
        let (stored, form, crc, size) = (word(0), word(1), word(2), word(3));
        let end = at + head.len() as u64 + u64::from(stored);
        if end > length {
            break;
        }
        if stored > LARGEST || size > LARGEST {
            return Err(wrong(EntryFault::Large(LARGEST)));
        }
        let mut payload = vec![0; stored as usize];
        reader.read_exact(&mut payload).at(path)?;
        // Fossilize writes 0 for a payload without a checksum.
        if crc != 0 && crc != crc32fast::hash(&payload) {
            return Err(wrong(EntryFault::Checksum));
        }
        let payload = match form {
            1 => payload,
            2 => miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&payload, size as usize)
                .map_err(|error| wrong(EntryFault::Zlib(error)))?,
            _ => return Err(wrong(EntryFault::Form(form))),
        };
        if payload.len() != size as usize {
            return Err(wrong(EntryFault::Size { found: payload.len(), expected: size }));
        }
        let name = std::str::from_utf8(&head[..NAME]).ok().and_then(|name| {
            let (tag, hash) = name.split_at_checked(NAME - 16)?;
            let number = u32::from_str_radix(tag, 16).ok()?;
            let tag = Tag::ALL.into_iter().find(|tag| tag.number() == number)?;
            Some((tag, u64::from_str_radix(hash, 16).ok()?))
        });
        // Fossilize skips unknown tags.
        if let Some(name) = name {
            each(Entry { name, payload });
        }
        at = end;
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("dxil-lab-archive-{name}-{}.foz", std::process::id()))
    }

    #[test]
    fn an_entry_is_there_once_and_a_file_goes_on_behind_what_is_whole() {
        let path = file("cut");
        let _ = std::fs::remove_file(&path);
        let long = vec![b'x'; 1000];
        let mut archive = Archive::open(&path).unwrap();
        archive.add((Tag::Sampler, 1), b"{}").unwrap();
        archive.add((Tag::Module, u64::MAX), &long).unwrap();
        archive.add((Tag::Sampler, 1), b"other").unwrap();
        drop(archive);
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(&whole[..16], b"\x81FOSSILIZEDB\0\0\0\x06");
        assert_eq!(&whole[16..56], b"0000000000000000000000010000000000000001");
        let entries = [
            Entry { name: (Tag::Sampler, 1), payload: b"{}".to_vec() },
            Entry { name: (Tag::Module, u64::MAX), payload: long.clone() },
        ];
        assert_eq!(read(&path).unwrap(), entries);
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut archive = Archive::open(&path).unwrap();
            archive.add((Tag::Sampler, 1), b"{}").unwrap();
            archive.add((Tag::Module, u64::MAX), &long).unwrap();
            drop(archive);
            assert_eq!(read(&path).unwrap(), entries, "cut to {length}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let path = file("wrong");
        std::fs::write(&path, "no database, but long enough").unwrap();
        assert!(read(&path).unwrap_err().to_string().ends_with("this is no Fossilize database of version 6"));
        assert!(Archive::open(&path).is_err());
        std::fs::remove_file(&path).unwrap();
        let mut archive = Archive::open(&path).unwrap();
        archive.add((Tag::Sampler, 1), b"{}").unwrap();
        drop(archive);
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(read(&path).unwrap_err().to_string().ends_with("the entry at byte 16 does not have its checksum"));
        std::fs::remove_file(&path).unwrap();
    }
}
