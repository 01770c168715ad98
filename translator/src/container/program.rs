//! Reads DXIL programs: the header before LLVM bitcode in the parts DXIL, ILDB and STAT.
//!
//! In: a part, or an input that is bitcode itself. Out: shader kind, versions, and the bitcode with
//! its place in the input. What must hold: the bitcode lies inside the part and begins with LLVM's
//! magic number (`DxilProgramHeader` and `DxilBitcodeHeader` of DxilContainer.h; LLVM's
//! BitCodeFormat document for the wrapper).

use super::names::ShaderKind;
use super::reader::ByteReader;
use dxil_base::error::Result;

/// LLVM bitcode's magic number, `'BC' 0xC0DE`.
pub(super) const BITCODE_MAGIC: [u8; 4] = *b"BC\xc0\xde";
/// The magic number of LLVM's bitcode wrapper, 0x0B17C0DE.
pub(super) const WRAPPER_MAGIC: [u8; 4] = [0xde, 0xc0, 0x17, 0x0b];
const DXIL_MAGIC: [u8; 4] = *b"DXIL";
/// Offset of the bitcode header, after program version and size. Offsets in the bitcode header
/// count from there.
const BITCODE_HEADER: usize = 8;

/// What is said of the bitcode in a program header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Shader kind.
    pub kind: ShaderKind,
    /// Shader model, `(major, minor)`.
    pub shader_model: (u8, u8),
    /// DXIL version, `(major, minor)`.
    pub dxil_version: (u8, u8),
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (model, dxil) = (self.shader_model, self.dxil_version);
        write!(f, "{} shader model {}.{}, DXIL {}.{}", self.kind, model.0, model.1, dxil.0, dxil.1)
    }
}

/// A DXIL program: bitcode and its header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ProgramBitcode<'a> {
    /// The header; `None` for an input that is bitcode itself. The module's metadata contains the
    /// same values.
    pub target: Option<Target>,
    /// LLVM bitcode, from its magic number on.
    pub bitcode: &'a [u8],
    /// Offset of the bitcode in the input.
    pub offset: usize,
}

impl std::fmt::Debug for ProgramBitcode<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ProgramBitcode({:?}, {} bytes at {})", self.target, self.bitcode.len(), self.offset)
    }
}

impl<'a> ProgramBitcode<'a> {
    pub(super) fn parse(part: ByteReader<'a>) -> Result<Self> {
        let mut reader = part;
        let version = reader.u32()?;
        let size_place = reader.place();
        let words = reader.u32()? as usize;
        let part_bytes = reader.position() + reader.left();
        if words.checked_mul(4).is_none_or(|bytes| bytes > part_bytes) {
            return Err(malformed!(size_place, "the program has {words} words, but its part only {part_bytes} bytes"));
        }
        let place = reader.place();
        let magic = reader.bytes(4)?;
        if magic != DXIL_MAGIC {
            return Err(malformed!(place, "expected the magic number `DXIL`, found `{}`", magic.escape_ascii()));
        }
        let dxil_version = reader.u32()?;
        let place = reader.place();
        let (offset, size) = (reader.u32()? as usize, reader.u32()? as usize);
        let header_end = reader.position() - BITCODE_HEADER;
        if offset < header_end {
            return Err(malformed!(
                place,
                "the bitcode at offset {offset} overlaps its own header of {header_end} bytes"
            ));
        }
        let start = offset
            .checked_add(BITCODE_HEADER)
            .ok_or_else(|| malformed!(place, "the bitcode offset {offset} is too large"))?;
        let mut reader = part.seek(start)?;
        let at = reader.offset();
        let bitcode = reader.bytes(size)?;
        let target = Target {
            kind: ShaderKind::new((version >> 16) as u16),
            shader_model: ((version >> 4 & 0xf) as u8, (version & 0xf) as u8),
            dxil_version: ((dxil_version >> 8 & 0xff) as u8, (dxil_version & 0xff) as u8),
        };
        Ok(Self { target: Some(target), ..Self::bare(bitcode, at)? })
    }

    /// Bitcode without a program header, in LLVM's wrapper or not.
    pub(super) fn bare(bytes: &'a [u8], offset: usize) -> Result<Self> {
        let mut reader = ByteReader::new(bytes, offset, "bitcode");
        let place = reader.place();
        let magic = reader.bytes(4)?;
        if magic == BITCODE_MAGIC {
            return Ok(Self { target: None, bitcode: bytes, offset });
        }
        if magic != WRAPPER_MAGIC {
            return Err(malformed!(place, "expected LLVM bitcode, found `{}`", magic.escape_ascii()));
        }
        // The wrapper consists of magic, version, offset, size and CPU type. Offset and size are
        // those of the bitcode, counted from the wrapper's start.
        let _version = reader.u32()?;
        let (start, size) = (reader.u32()? as usize, reader.u32()? as usize);
        let _cpu_type = reader.u32()?;
        let mut inner = reader.seek(start)?;
        let place = inner.place();
        let bitcode = inner.bytes(size)?;
        if !bitcode.starts_with(&BITCODE_MAGIC) {
            return Err(malformed!(place, "expected LLVM bitcode inside the bitcode wrapper"));
        }
        Ok(Self { target: None, bitcode, offset: offset.saturating_add(start) })
    }
}

/// Describes the version token of a SHEX or SHDR part: the program type and shader model of
/// bytecode that is not DXIL.
pub(super) fn legacy_version(part: ByteReader<'_>) -> Option<String> {
    let token = { part }.u32().ok()?;
    let kind = match token >> 16 {
        0 => "pixel",
        1 => "vertex",
        2 => "geometry",
        3 => "hull",
        4 => "domain",
        5 => "compute",
        _ => return None,
    };
    Some(format!("a {kind} shader of shader model {}.{}", token >> 4 & 0xf, token & 0xf))
}
