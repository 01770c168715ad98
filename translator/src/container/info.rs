//! The parts about the origin of a shader: HASH, ILDN, PDBI, VERS and SRCI.
//!
//! In: one of these parts. Out: its header as typed data, its strings and blobs borrowed from the
//! input. Translation needs none of these parts, so a fault in one never stops a shader
//! (DxilContainer.h).

use super::names::SourceInfoKind;
use super::reader::ByteReader;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;

/// HASH: the hash by which tools identify a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShaderHash {
    /// Bit 0: the source went into the hash (`-Zss`).
    pub flags: u32,
    /// MD5 digest.
    pub digest: [u8; 16],
}

impl ShaderHash {
    pub(super) fn parse(mut part: ByteReader<'_>) -> Result<Self> {
        Ok(Self { flags: part.u32()?, digest: part.digest()? })
    }
    /// Whether the source went into the hash.
    pub fn includes_source(&self) -> bool {
        self.flags & 1 != 0
    }
}

/// ILDN: the name of the file that holds the debug information.
pub(super) fn debug_name<'a>(mut part: ByteReader<'a>) -> Result<&'a str> {
    let _flags = part.u16()?;
    let place = part.place();
    let len = usize::from(part.u16()?);
    let name = part.string()?;
    if name.len() != len {
        return Err(malformed!(place, "the debug name has {} bytes, but its header says {len}", name.len()));
    }
    Ok(name)
}

/// PDBI: debug information as runtime data, perhaps compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PdbInfo<'a> {
    /// Version, 0.
    pub version: u16,
    /// 0: not compressed, 1: zlib.
    pub compression: u16,
    /// Size of the uncompressed data, in bytes.
    pub uncompressed_size: u32,
    /// The data as stored.
    pub data: &'a [u8],
}

impl<'a> PdbInfo<'a> {
    pub(super) fn parse(mut part: ByteReader<'a>) -> Result<Self> {
        let (version, compression) = (part.u16()?, part.u16()?);
        let (size, uncompressed_size) = (part.u32()? as usize, part.u32()?);
        Ok(Self { version, compression, uncompressed_size, data: part.bytes(size)? })
    }
}

/// VERS: the compiler that wrote the container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompilerVersion<'a> {
    /// Version, `(major, minor)`.
    pub version: (u16, u16),
    /// Flags: bit 0 debug build, bit 1 internal.
    pub flags: u32,
    /// Number of commits.
    pub commit_count: u32,
    /// Hash of the commit, or empty.
    pub commit: &'a str,
    /// Version as text, or empty.
    pub text: &'a str,
}

impl<'a> CompilerVersion<'a> {
    pub(super) fn parse(mut part: ByteReader<'a>) -> Result<Self> {
        let version = (part.u16()?, part.u16()?);
        let (flags, commit_count, size) = (part.u32()?, part.u32()?, part.u32()? as usize);
        let mut strings = part.part(size, "VERS string list")?;
        let mut next = || if strings.left() > 0 { strings.string() } else { Ok("") };
        Ok(Self { version, flags, commit_count, commit: next()?, text: next()? })
    }
}

/// One section of SRCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceInfoSection<'a> {
    /// Content of the section.
    pub kind: SourceInfoKind,
    /// The section's bytes after its header, with padding.
    pub data: &'a [u8],
}

/// SRCI: sources, their names, and compiler arguments, in sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceInfo<'a> {
    /// The sections, in order.
    pub sections: Vec<SourceInfoSection<'a>>,
    /// Compiler arguments as name and value.
    pub arguments: Vec<(&'a str, &'a str)>,
}

/// A source file of SRCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Its name, as the compiler was given it.
    pub name: Box<str>,
    /// Its text.
    pub text: Box<str>,
}

impl<'a> SourceInfo<'a> {
    /// Reads the content of an SRCI part, alone.
    ///
    /// # Errors
    /// `Malformed` if sections or arguments do not fit the part.
    pub fn from_part(bytes: &'a [u8]) -> Result<Self> {
        Self::parse(ByteReader::new(bytes, 0, "SRCI part"))
    }

    /// The source files, the one that the compiler was called with first. Compilers compress their
    /// texts.
    ///
    /// # Errors
    /// `Malformed` if names or texts do not fit their sections, or are not what they were
    /// compressed from. `Limit` if they are too long for the budget.
    pub fn files(&self, fuel: &Fuel) -> Result<Vec<SourceText>> {
        let section = |kind, what| {
            let section = self.sections.iter().find(|section| section.kind == kind);
            ByteReader::new(section.map_or(&[], |section| section.data), 0, what)
        };
        let mut names = section(SourceInfoKind::SourceNames, "SRCI names");
        let mut contents = section(SourceInfoKind::SourceContents, "SRCI contents");
        if names.left() == 0 || contents.left() == 0 {
            return Ok(Vec::new());
        }
        let (_flags, count, _size) = (names.u32()?, names.u32()?, names.u16()?);
        let texts = uncompressed(&mut contents, fuel)?;
        let mut texts = ByteReader::new(&texts, 0, "SRCI contents");
        let mut files = Vec::new();
        for _ in 0..count {
            let mut name = entry(&mut names, "SRCI name")?;
            let (_flags, _name_size, _content_size) = (name.u32()?, name.u32()?, name.u32()?);
            let name = name.string()?;
            let mut text = entry(&mut texts, "SRCI content")?;
            let (_flags, size) = (text.u32()?, text.u32()? as usize);
            let text = String::from_utf8_lossy(text.bytes(size)?);
            // The size counts the null byte at the end.
            let text = text.strip_suffix('\0').unwrap_or(&text);
            fuel.items::<u8>(Place::Input, "sources", size_of::<SourceText>() + name.len() + text.len())?;
            files.push(SourceText { name: name.into(), text: text.into() });
        }
        Ok(files)
    }

    pub(super) fn parse(mut part: ByteReader<'a>) -> Result<Self> {
        const HEADER: usize = 8;
        let place = part.place();
        let size = part.u32()? as usize;
        let (_flags, count) = (part.u16()?, part.u16()?);
        let body = size.checked_sub(HEADER).ok_or_else(|| {
            malformed!(place, "the source information has {size} bytes; expected at least {HEADER} for its header")
        })?;
        let mut body = part.part(body, "SRCI")?;
        let mut info = SourceInfo::default();
        for _ in 0..count {
            let place = body.place();
            let size = body.u32()? as usize;
            let (_flags, kind) = (body.u16()?, SourceInfoKind::new(body.u16()?));
            let size = size.checked_sub(HEADER).ok_or_else(|| {
                malformed!(
                    place,
                    "a section of the source information has {size} bytes; expected at least {HEADER} for its header"
                )
            })?;
            let section = body.part(size, "SRCI section")?;
            if kind == SourceInfoKind::Args {
                info.arguments = arguments(section)?;
            }
            info.sections.push(SourceInfoSection { kind, data: section.rest() });
        }
        Ok(info)
    }
}

/// Reads argument pairs: flags, size in bytes, count, then two strings per pair.
fn arguments<'a>(mut section: ByteReader<'a>) -> Result<Vec<(&'a str, &'a str)>> {
    let _flags = section.u32()?;
    let (size, place) = (section.u32()? as usize, section.place());
    let count = section.u32()? as usize;
    limits::check(place, "compiler arguments", count, limits::METADATA)?;
    let mut strings = section.part(size, "SRCI arguments")?;
    // Each pair has at least two null bytes, so a count that the bytes cannot hold is refused
    // before it is allocated.
    if count > size / 2 {
        return Err(malformed!(place, "{count} compiler arguments do not fit in {size} bytes"));
    }
    (0..count).map(|_| Ok((strings.string()?, strings.string()?))).collect()
}

/// An entry of a section, which begins with its size.
fn entry<'a>(section: &mut ByteReader<'a>, what: &'static str) -> Result<ByteReader<'a>> {
    let place = section.place();
    let size = section.u32()? as usize;
    let rest = size.checked_sub(4).ok_or_else(|| malformed!(place, "{what} of {size} bytes"))?;
    section.part(rest, what)
}

/// The entries of the section with the texts.
fn uncompressed(section: &mut ByteReader<'_>, fuel: &Fuel) -> Result<Vec<u8>> {
    let (_size, _flags) = (section.u32()?, section.u16()?);
    let place = section.place();
    let compression = section.u16()?;
    let (size, whole, _count) = (section.u32()? as usize, section.u32()? as usize, section.u32()?);
    let data = section.bytes(size)?;
    limits::check(place, "bytes of sources", whole, limits::STRING_BYTES)?;
    fuel.items::<u8>(place, "sources", whole)?;
    let content = match compression {
        0 => Some(data.to_vec()),
        1 => miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(data, whole).ok(),
        _ => None,
    };
    let content = content.filter(|content| content.len() == whole);
    content
        .ok_or_else(|| malformed!(place, "the sources are not compressed as their header says (method {compression})"))
}
