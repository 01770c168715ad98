//! Reads DXIL containers: parts by four-character code.
//!
//! In: the bytes of a container, or of LLVM bitcode alone. Out: [`Container`], the parts with their
//! absolute offsets, borrowed from the input. An accessor gives typed data for each kind of part
//! that DXC writes. What must hold after [`Container::parse`]: every part lies inside the
//! container, no two parts overlap, and no known part occurs twice. The content of a part is
//! checked when its accessor is called, so that a fault in a part that translation does not need
//! never stops a shader. Every error names the byte.
//!
//! DxilContainer.h defines the format, and LLVM's "DirectX Container" document describes it.

mod digest;
mod features;
mod foreign;
mod info;
mod names;
mod pdb;
mod print;
mod program;
mod psv;
mod rdat;
pub(crate) mod reader;
mod signature;
mod subobject;
#[cfg(test)]
mod tests;

pub use digest::{Digest, compute as compute_digest};
pub use features::FeatureFlags;
pub use info::{CompilerVersion, PdbInfo, ShaderHash, SourceInfo, SourceInfoSection, SourceText};
pub use names::{
    ComponentType, HitGroupType, InterpolationMode, MinPrecision, PsvResourceType, ResourceClass, ResourceKind,
    RuntimeDataKind, SemanticKind, ShaderKind, SourceInfoKind, SubobjectKind, SystemValue,
};
pub use pdb::container_in_pdb;
pub use program::{ProgramBitcode, Target};
pub use psv::{Dependencies, PipelineStateValidation, PsvElement, ResourceBinding, StageInfo, StageShape};
pub use rdat::{RuntimeData, RuntimeDataPart, RuntimeFunction, RuntimeFunction2, RuntimeResource};
pub use reader::Words;
pub use signature::{Signature, SignatureElement};
pub use subobject::{RuntimeSubobject, RuntimeSubobjectContent};

use dxil_base::error::{Place, Result};
use dxil_base::limits;
use reader::ByteReader;
use signature::ElementFormat;

/// The four characters that a container begins with.
pub const CONTAINER_MAGIC: [u8; 4] = *b"DXBC";
/// Magic, digest, version, size and part count.
const HEADER_SIZE: usize = 32;
/// Four-character code and size.
const PART_HEADER_SIZE: usize = 8;

/// A four-character code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FourCc(pub [u8; 4]);

macro_rules! four_ccs {
    ($($constant:ident $text:literal $what:literal,)*) => {
        impl FourCc {
            $(#[doc = $what] pub const $constant: FourCc = FourCc(*$text);)*
            /// The content of the part, for the parts that compilers write.
            pub fn description(self) -> Option<&'static str> {
                $(if self == Self::$constant { return Some($what); })*
                None
            }
        }
    };
}

four_ccs! {
    DXIL b"DXIL" "DXIL program",
    ILDB b"ILDB" "DXIL program with debug information",
    ILDN b"ILDN" "name of the debug information",
    STAT b"STAT" "reflection program",
    ISG1 b"ISG1" "input signature",
    OSG1 b"OSG1" "output signature",
    PSG1 b"PSG1" "patch constant or primitive signature",
    ISGN b"ISGN" "input signature of shader model 4 or 5",
    OSGN b"OSGN" "output signature of shader model 4",
    OSG5 b"OSG5" "output signature of shader model 5",
    PCSG b"PCSG" "patch constant signature of shader model 5",
    PSV0 b"PSV0" "pipeline state validation",
    SFI0 b"SFI0" "feature flags",
    RTS0 b"RTS0" "root signature",
    RDAT b"RDAT" "runtime data",
    HASH b"HASH" "shader hash",
    PDBI b"PDBI" "debug information as runtime data",
    PRIV b"PRIV" "private data",
    VERS b"VERS" "compiler version",
    SRCI b"SRCI" "sources",
    RDEF b"RDEF" "resource definitions of DXBC bytecode",
    SHEX b"SHEX" "DXBC bytecode of shader model 5",
    SHDR b"SHDR" "DXBC bytecode of shader model 4",
}

impl std::fmt::Display for FourCc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

impl std::fmt::Debug for FourCc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// A part: code, place and bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// Four-character code.
    pub fourcc: FourCc,
    /// Offset of the part's header in the input.
    pub offset: usize,
    /// Content of the part, after the header.
    pub data: &'a [u8],
}

impl<'a> Part<'a> {
    /// Offset of the content in the input.
    pub fn data_offset(&self) -> usize {
        self.offset + PART_HEADER_SIZE
    }
    fn end(&self) -> usize {
        self.data_offset() + self.data.len()
    }
    /// The place of the content's first byte.
    pub fn place(&self) -> Place {
        Place::Byte(self.data_offset() as u64)
    }
    pub(crate) fn reader(&self, what: &'static str) -> ByteReader<'a> {
        ByteReader::new(self.data, self.data_offset(), what)
    }
}

impl std::fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}, {} bytes", self.fourcc, self.offset, self.data.len())
    }
}

/// An observation about a container that is not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Bytes follow the end that the header gives.
    TrailingBytes {
        /// Offset of the first of these bytes.
        offset: usize,
        /// Number of bytes.
        bytes: usize,
    },
    /// The digest is not that of a validated container.
    Digest(Digest),
    /// The minor version of the container format is above 0.
    MinorVersion(u16),
    /// The library has no entry point, so that there is nothing to translate.
    FunctionsOnly {
        /// Number of functions.
        functions: usize,
    },
    /// The code of a part is not known.
    UnknownPart {
        /// Code of the part.
        fourcc: FourCc,
        /// Offset of the part's header.
        offset: usize,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::TrailingBytes { offset, bytes } => {
                write!(f, "{bytes} bytes after the container's end at {offset}")
            }
            Warning::Digest(digest) => write!(f, "digest: {digest}"),
            Warning::MinorVersion(minor) => write!(f, "container format 1.{minor}; expected 1.0"),
            Warning::FunctionsOnly { functions } => {
                write!(f, "the library has functions only, {functions}: there is no entry point")
            }
            Warning::UnknownPart { fourcc, offset } => write!(f, "unknown part {fourcc} at {offset}, skipped"),
        }
    }
}

/// A parsed container.
#[derive(Clone, Debug)]
pub struct Container<'a> {
    /// The container's bytes: the input up to the size in the header.
    bytes: &'a [u8],
    /// Number of input bytes after the container.
    trailing: usize,
    version: (u16, u16),
    parts: Vec<Part<'a>>,
    /// The program of an input that is bitcode itself, without a container.
    bare: Option<ProgramBitcode<'a>>,
}

impl<'a> Container<'a> {
    /// Reads the part index of a container. LLVM bitcode without a container, in LLVM's wrapper or
    /// not, is accepted too: it gives a container without parts that has a
    /// [`program`](Self::program).
    ///
    /// # Errors
    /// `Malformed` if the input is neither, or if sizes, offsets or parts contradict each other.
    /// `Limit` if the input is too large or has too many parts. `Unsupported` if the format has
    /// another major version.
    pub fn parse(input: &'a [u8]) -> Result<Self> {
        limits::check(Place::Input, "bytes of input", input.len(), limits::INPUT_BYTES)?;
        if input.starts_with(&program::BITCODE_MAGIC) || input.starts_with(&program::WRAPPER_MAGIC) {
            let bare = Some(ProgramBitcode::bare(input, 0)?);
            return Ok(Self { bytes: input, trailing: 0, version: (0, 0), parts: Vec::new(), bare });
        }
        if !input.starts_with(&CONTAINER_MAGIC) {
            return Err(foreign::refusal(input));
        }
        let mut header = ByteReader::new(input, 0, "container header");
        header.bytes(CONTAINER_MAGIC.len())?;
        header.digest()?;
        let place = header.place();
        let version = (header.u16()?, header.u16()?);
        if version.0 != 1 {
            let (major, minor) = version;
            return Err(unsupported!(place, "container format version {major}.{minor}; expected 1.0"));
        }
        let size_place = header.place();
        let size = header.u32()? as usize;
        let count_place = header.place();
        let count = header.u32()? as usize;
        let Some(bytes) = input.get(..size) else {
            let len = input.len();
            return Err(malformed!(
                size_place,
                "the container has {size} bytes, but the input only {len}: it is cut short"
            ));
        };
        limits::check(count_place, "container parts", count, limits::CONTAINER_PARTS)?;
        let table_end = HEADER_SIZE + 4 * count;
        if table_end > size {
            return Err(malformed!(
                size_place,
                "the container has {size} bytes, but the index of {count} parts needs {table_end}"
            ));
        }
        let mut container =
            Self { bytes, trailing: input.len() - size, version, parts: Vec::with_capacity(count), bare: None };
        for _ in 0..count {
            let place = header.place();
            let offset = header.u32()? as usize;
            if offset < table_end {
                return Err(malformed!(place, "a part at {offset} overlaps the part index, which ends at {table_end}"));
            }
            container.parts.push(container.part_at(offset, place)?);
        }
        container.check_overlap()?;
        container.check_repeats()?;
        Ok(container)
    }

    fn part_at(&self, offset: usize, place: Place) -> Result<Part<'a>> {
        let size = self.bytes.len();
        let Some(bytes) = self.bytes.get(offset..) else {
            return Err(malformed!(place, "a part starts at {offset}, past the container's end at {size}"));
        };
        let mut reader = ByteReader::new(bytes, offset, "part header");
        let mut fourcc = [0; 4];
        fourcc.copy_from_slice(reader.bytes(4)?);
        let fourcc = FourCc(fourcc);
        let place = reader.place();
        let len = reader.u32()? as usize;
        let left = reader.left();
        if len > left {
            return Err(malformed!(place, "part {fourcc} has {len} bytes, but only {left} are left in the container"));
        }
        Ok(Part { fourcc, offset, data: reader.bytes(len)? })
    }

    fn check_overlap(&self) -> Result<()> {
        // Compilers write the parts in the order of the index.
        if self.parts.is_sorted_by(|first, second| first.end() <= second.offset) {
            return Ok(());
        }
        let mut sorted: Vec<&Part<'_>> = self.parts.iter().collect();
        sorted.sort_by_key(|part| part.offset);
        for pair in sorted.windows(2) {
            if let [first, second] = pair
                && second.offset < first.end()
            {
                let place = Place::Byte(second.offset as u64);
                let (a, b, end) = (first.fourcc, second.fourcc, first.end());
                return Err(malformed!(place, "part {b} at {} overlaps part {a}, which ends at {end}", second.offset));
            }
        }
        Ok(())
    }

    /// A known part must not occur twice: two readers could use different ones and see different
    /// shaders.
    fn check_repeats(&self) -> Result<()> {
        for (i, part) in self.parts.iter().enumerate() {
            let repeated = self.parts.iter().take(i).any(|earlier| earlier.fourcc == part.fourcc);
            if repeated && part.fourcc.description().is_some() {
                return Err(malformed!(
                    Place::Byte(part.offset as u64),
                    "the container has a second part {}; expected one",
                    part.fourcc
                ));
            }
        }
        Ok(())
    }

    /// The parts, in the order of the index.
    pub fn parts(&self) -> &[Part<'a>] {
        &self.parts
    }

    /// The part with this code.
    pub fn part(&self, fourcc: FourCc) -> Option<Part<'a>> {
        self.parts.iter().copied().find(|part| part.fourcc == fourcc)
    }

    /// Version of the container format, `(major, minor)`; `(0, 0)` for bitcode without a container.
    pub fn version(&self) -> (u16, u16) {
        self.version
    }

    /// The state of the digest field; `None` for bitcode without a container.
    pub fn digest(&self) -> Option<Digest> {
        if self.bare.is_some() { None } else { Some(Digest::from_container(self.bytes)) }
    }

    /// Checks that a signed container has the content that was signed. A container without a
    /// signature is accepted.
    ///
    /// # Errors
    /// `Malformed` if the digest is not that of the content.
    pub fn check_digest(&self) -> Result<()> {
        match self.digest() {
            Some(Digest::Mismatch) => Err(malformed!(
                Place::Byte(digest::DIGEST_OFFSET as u64),
                "the digest is not that of the content, so the container was changed after it was signed; `--any-digest` of \
                 dxil2spv reads it as it is"
            )),
            _ => Ok(()),
        }
    }

    /// Observations about the container that are not errors. Computes the digest.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.version.1 != 0 {
            warnings.push(Warning::MinorVersion(self.version.1));
        }
        if self.trailing != 0 {
            warnings.push(Warning::TrailingBytes { offset: self.bytes.len(), bytes: self.trailing });
        }
        warnings.extend(self.digest().filter(|&digest| digest != Digest::Valid).map(Warning::Digest));
        for part in self.parts.iter().filter(|part| part.fourcc.description().is_none()) {
            warnings.push(Warning::UnknownPart { fourcc: part.fourcc, offset: part.offset });
        }
        // A fault of the runtime data is not a fault of the container as a whole.
        if let Ok(Some(data)) = self.runtime_data()
            && data.has_functions_only()
        {
            warnings.push(Warning::FunctionsOnly { functions: data.functions.len() });
        }
        warnings
    }

    /// The DXIL program to translate.
    ///
    /// # Errors
    /// `Unsupported` if the container holds DXBC bytecode of shader model 5 or earlier. `Malformed`
    /// if it holds no program, or one with a faulty header.
    pub fn program(&self) -> Result<ProgramBitcode<'a>> {
        if let Some(program) = self.bare {
            return Ok(program);
        }
        if let Some(part) = self.part(FourCc::DXIL) {
            return ProgramBitcode::parse(part.reader("DXIL part"));
        }
        if let Some(part) = self.part(FourCc::SHEX).or(self.part(FourCc::SHDR)) {
            let what = program::legacy_version(part.reader("bytecode")).unwrap_or_else(|| "a shader".to_owned());
            let fourcc = part.fourcc;
            return Err(unsupported!(
                part.place(),
                "DXBC bytecode of shader model 5 or earlier, not DXIL: part {fourcc} holds {what}; compile it with DXC for \
                 shader model 6.0 or later"
            ));
        }
        if self.part(FourCc::ILDB).is_some() {
            return Err(malformed!(
                Place::Input,
                "no DXIL part: the container has debug information (part ILDB) without the shader, as a PDB has; give the \
                 container that dxc writes with `-Fo`"
            ));
        }
        let has: Vec<String> = self.parts.iter().map(|part| part.fourcc.to_string()).collect();
        let has = if has.is_empty() { "no part at all".to_owned() } else { format!("only {}", has.join(", ")) };
        if self.part(FourCc::RTS0).is_some() {
            return Err(malformed!(
                Place::Input,
                "no DXIL part: the container has {has}; `dxil2spv rootsig` prints a root signature"
            ));
        }
        Err(malformed!(Place::Input, "no DXIL part: the container has {has}"))
    }

    /// The program with debug information, ILDB.
    ///
    /// # Errors
    /// `Malformed` if the program's header is faulty.
    pub fn debug_program(&self) -> Result<Option<ProgramBitcode<'a>>> {
        self.part(FourCc::ILDB).map(|part| ProgramBitcode::parse(part.reader("ILDB part"))).transpose()
    }

    /// The reflection program, STAT. Compilers of DXBC bytecode write another STAT, which consists
    /// of numbers only; that one is `Malformed`.
    ///
    /// # Errors
    /// `Malformed` if the program's header is faulty.
    pub fn reflection_program(&self) -> Result<Option<ProgramBitcode<'a>>> {
        self.part(FourCc::STAT).map(|part| ProgramBitcode::parse(part.reader("STAT part"))).transpose()
    }

    /// The signature in the first of these parts that the container has.
    fn signature(&self, parts: &[FourCc]) -> Result<Option<Signature<'a>>> {
        for &fourcc in parts {
            if let Some(part) = self.part(fourcc) {
                let layout = match fourcc {
                    FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 => ElementFormat::Full,
                    FourCc::OSG5 => ElementFormat::Streams,
                    _ => ElementFormat::Old,
                };
                return Signature::parse(part.reader("signature part"), layout).map(Some);
            }
        }
        Ok(None)
    }

    /// The input signature: ISG1 or ISGN.
    ///
    /// # Errors
    /// `Malformed` if elements or names lie outside the part. `Limit` if there are too many
    /// elements.
    pub fn input_signature(&self) -> Result<Option<Signature<'a>>> {
        self.signature(&[FourCc::ISG1, FourCc::ISGN])
    }

    /// The output signature: OSG1, OSG5 or OSGN.
    ///
    /// # Errors
    /// The same as for [`input_signature`](Self::input_signature).
    pub fn output_signature(&self) -> Result<Option<Signature<'a>>> {
        self.signature(&[FourCc::OSG1, FourCc::OSG5, FourCc::OSGN])
    }

    /// The patch constant signature (hull, domain) or primitive signature (mesh): PSG1 or PCSG.
    ///
    /// # Errors
    /// The same as for [`input_signature`](Self::input_signature).
    pub fn patch_constant_signature(&self) -> Result<Option<Signature<'a>>> {
        self.signature(&[FourCc::PSG1, FourCc::PCSG])
    }

    /// Pipeline state validation, PSV0.
    ///
    /// # Errors
    /// `Malformed` if tables or offsets lie outside the part. `Limit` if there are too many
    /// resources.
    pub fn pipeline_state_validation(&self) -> Result<Option<PipelineStateValidation<'a>>> {
        let Some(part) = self.part(FourCc::PSV0) else { return Ok(None) };
        // Version 0 does not contain the stage, so it is taken from the program. A fault of the
        // program is not a fault of this part.
        let kind = self.program().ok().and_then(|program| program.target).map(|target| target.kind);
        PipelineStateValidation::parse(part.reader("PSV0 part"), kind).map(Some)
    }

    /// Feature flags, SFI0.
    ///
    /// # Errors
    /// `Malformed` if the part is too short.
    pub fn feature_flags(&self) -> Result<Option<FeatureFlags>> {
        self.part(FourCc::SFI0).map(|part| FeatureFlags::parse(part.reader("SFI0 part"))).transpose()
    }

    /// The serialized root signature, RTS0; the binding module reads it.
    pub fn root_signature(&self) -> Option<Part<'a>> {
        self.part(FourCc::RTS0)
    }

    /// Runtime data, RDAT.
    ///
    /// # Errors
    /// `Malformed` if subparts, records or strings lie outside the part. `Unsupported` if the data
    /// has another version. `Limit` if there are too many records.
    pub fn runtime_data(&self) -> Result<Option<RuntimeData<'a>>> {
        self.part(FourCc::RDAT).map(|part| RuntimeData::parse(part.reader("RDAT part"))).transpose()
    }

    /// The shader hash, HASH.
    ///
    /// # Errors
    /// `Malformed` if the part is too short.
    pub fn shader_hash(&self) -> Result<Option<ShaderHash>> {
        self.part(FourCc::HASH).map(|part| ShaderHash::parse(part.reader("HASH part"))).transpose()
    }

    /// The name of the file with the debug information, ILDN.
    ///
    /// # Errors
    /// `Malformed` if the name does not fit its length or the part.
    pub fn debug_name(&self) -> Result<Option<&'a str>> {
        self.part(FourCc::ILDN).map(|part| info::debug_name(part.reader("ILDN part"))).transpose()
    }

    /// Debug information as runtime data, PDBI.
    ///
    /// # Errors
    /// `Malformed` if the data does not fit the part.
    pub fn pdb_info(&self) -> Result<Option<PdbInfo<'a>>> {
        self.part(FourCc::PDBI).map(|part| PdbInfo::parse(part.reader("PDBI part"))).transpose()
    }

    /// Private data, PRIV.
    pub fn private_data(&self) -> Option<&'a [u8]> {
        self.part(FourCc::PRIV).map(|part| part.data)
    }

    /// The compiler's version, VERS.
    ///
    /// # Errors
    /// `Malformed` if the strings do not fit the part.
    pub fn compiler_version(&self) -> Result<Option<CompilerVersion<'a>>> {
        self.part(FourCc::VERS).map(|part| CompilerVersion::parse(part.reader("VERS part"))).transpose()
    }

    /// Sources and compiler arguments, SRCI.
    ///
    /// # Errors
    /// `Malformed` if sections or arguments do not fit the part.
    pub fn source_info(&self) -> Result<Option<SourceInfo<'a>>> {
        self.part(FourCc::SRCI).map(|part| SourceInfo::parse(part.reader("SRCI part"))).transpose()
    }
}
