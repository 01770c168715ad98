//! Reads the container with debug information in a PDB, as DXC writes it.
//!
//! In: the bytes of a file. Out: the bytes of the container, which has ILDB, SRCI or both. What
//! must hold: no more is copied than the file has; every number of the file is checked before it is
//! used.
//!
//! A PDB is a multi-stream file (LLVM, "The MSF File Format"): blocks of one size, of which each
//! stream has a list. The directory, which has the lists, is in blocks itself. DXC's container is
//! stream 5 (dxcpdbutils.cpp, `pdb::LoadDataFromStream`).

use super::CONTAINER_MAGIC;
use super::reader::ByteReader;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

const MAGIC: &[u8; 32] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";

/// The stream with the container.
const STREAM: usize = 5;

/// The size of a stream that is not there.
const ABSENT: u32 = u32::MAX;

/// The container in a PDB. A container alone is taken as it is.
///
/// # Errors
/// `Malformed` if the file is no PDB, or one without such a container. `Limit` if it is too long.
pub fn container_in_pdb(bytes: &[u8]) -> Result<Vec<u8>> {
    limits::check(Place::Input, "bytes of a PDB", bytes.len(), limits::INPUT_BYTES)?;
    if bytes.starts_with(&CONTAINER_MAGIC) {
        return Ok(bytes.to_vec());
    }
    let file = Blocks::read(bytes)?;
    let directory = file.directory()?;
    let mut reader = ByteReader::new(&directory, 0, "PDB directory");
    let count = reader.u32()? as usize;
    if count <= STREAM {
        return Err(malformed!(
            Place::Input,
            "the PDB has {count} streams, so it has no container, which is stream {STREAM}"
        ));
    }
    let mut sizes = ByteReader::new(reader.records(count, 4)?, 0, "PDB directory");
    let mut before = 0_usize;
    for _ in 0..STREAM {
        before = before.saturating_add(file.count(sizes.u32()?));
    }
    let size = sizes.u32()?;
    reader.records(before, 4)?;
    let blocks = reader.records(file.count(size), 4)?;
    let container = file.gather(blocks, if size == ABSENT { 0 } else { size as usize })?;
    if !container.starts_with(&CONTAINER_MAGIC) {
        return Err(malformed!(
            Place::Input,
            "stream {STREAM} of the PDB is no DXIL container; expected a PDB that DXC wrote"
        ));
    }
    Ok(container)
}

/// The blocks of a file.
struct Blocks<'a> {
    bytes: &'a [u8],
    /// The size of a block, in bytes.
    size: usize,
    /// The size of the directory, in bytes.
    directory: u32,
    /// The block with the list of the directory's blocks.
    map: u32,
}

impl<'a> Blocks<'a> {
    /// Reads the superblock.
    fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = ByteReader::new(bytes, 0, "PDB header");
        if !bytes.starts_with(MAGIC) {
            return Err(malformed!(Place::Byte(0), "neither a PDB (MSF 7.00) nor a DXIL container"));
        }
        reader.bytes(MAGIC.len())?;
        let place = reader.place();
        let size = reader.u32()?;
        if !size.is_power_of_two() || !(512..=1 << 16).contains(&size) {
            return Err(malformed!(
                place,
                "the PDB has blocks of {size} bytes; expected a power of two from 512 to 65536"
            ));
        }
        let (_free, _count, directory, _unknown, map) =
            (reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?);
        Ok(Self { bytes, size: size as usize, directory, map })
    }

    /// The number of blocks of a stream.
    fn count(&self, bytes: u32) -> usize {
        if bytes == ABSENT { 0 } else { (bytes as usize).div_ceil(self.size) }
    }

    fn block(&self, number: u32) -> Result<&'a [u8]> {
        let start = (number as usize).saturating_mul(self.size);
        // The last block may be shorter.
        let end = start.saturating_add(self.size).min(self.bytes.len());
        let block = self.bytes.get(start..end).filter(|block| !block.is_empty());
        block.ok_or_else(|| malformed!(Place::Input, "block {number} of the PDB is past its end"))
    }

    /// The content of so many bytes in these blocks, whose numbers are little-endian words.
    fn gather(&self, numbers: &[u8], size: usize) -> Result<Vec<u8>> {
        // A stream has each block once, so it is no longer than the file.
        if size > self.bytes.len() {
            return Err(malformed!(Place::Input, "a stream of {size} bytes is longer than its PDB"));
        }
        let mut reader = ByteReader::new(numbers, 0, "PDB directory");
        let mut content = Vec::with_capacity(size);
        while content.len() < size {
            let block = self.block(reader.u32()?)?;
            content.extend_from_slice(block.get(..size - content.len()).unwrap_or(block));
        }
        Ok(content)
    }

    fn directory(&self) -> Result<Vec<u8>> {
        let count = self.count(self.directory);
        // The list may go on in the blocks behind.
        let start = (self.map as usize).saturating_mul(self.size);
        let map = ByteReader::new(self.bytes, 0, "PDB").seek(start)?.records(count, 4)?;
        self.gather(map, self.directory as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pdb(name: &str) -> Vec<u8> {
        let path = format!("{}/../tests/fixtures/debug/{name}.pdb", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(path).unwrap()
    }

    #[test]
    fn a_pdb_has_a_container() {
        for name in ["in_pdb", "sources_in_pdb"] {
            let container = container_in_pdb(&pdb(name)).unwrap();
            assert_eq!(container[24..28], u32::try_from(container.len()).unwrap().to_le_bytes());
            assert_eq!(container_in_pdb(&container).unwrap(), container);
        }
    }

    #[test]
    fn faults_are_named() {
        let whole = pdb("in_pdb");
        let with = |at: usize, value: u32| {
            let mut bytes = whole.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            container_in_pdb(&bytes).unwrap_err().to_string()
        };
        assert!(container_in_pdb(b"").unwrap_err().to_string().contains("neither a PDB"));
        assert!(with(32, 0).contains("blocks of 0 bytes"));
        assert!(with(32, 48).contains("blocks of 48 bytes"));
        assert!(with(44, 4).contains("PDB directory: "));
        assert!(with(44, u32::MAX - 1).contains("longer than its PDB") || with(44, u32::MAX - 1).contains("PDB: "));
        assert!(with(52, u32::MAX).contains("past its end"));
        for length in 0..whole.len() {
            // A container may end before the last block does.
            if let Ok(container) = container_in_pdb(&whole[..length]) {
                assert_eq!(container, container_in_pdb(&whole).unwrap());
            }
        }
    }
}
