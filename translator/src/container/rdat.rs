//! RDAT, runtime data: what a runtime needs to know about the functions of a library (or of a
//! shader, in newer containers).
//!
//! In: the part. Out: its subparts, and the resource, function and subobject tables as typed data.
//! What must hold: subparts and records lie inside the part. Strings and index arrays are checked
//! when they are read. A record's stride may be larger than the fields known here
//! (RDAT_LibraryTypes.inl, RDAT_SubobjectTypes.inl, DxilRuntimeReflection.h).

use std::cell::Cell;

use super::features::FeatureFlags;
use super::names::{HitGroupType, ResourceClass, ResourceKind, RuntimeDataKind, ShaderKind, SubobjectKind};
use super::reader::{ByteReader, Words};
use super::subobject::{RuntimeSubobject, RuntimeSubobjectContent};
use dxil_base::error::Result;
use dxil_base::limits;

/// The version that all released compilers write.
const VERSION: u32 = 0x10;
/// The index that stands for no index array.
const NULL_REFERENCE: u32 = u32::MAX;

/// A subpart: its kind, and the bytes after its header of kind and size.
#[derive(Clone, Copy)]
pub struct RuntimeDataPart<'a> {
    /// Content of the subpart.
    pub kind: RuntimeDataKind,
    /// Offset of the content in the input.
    pub offset: usize,
    /// The content.
    pub data: &'a [u8],
}

impl RuntimeDataPart<'_> {
    /// Number of records and their stride in bytes, for the kinds that are tables.
    pub fn table_shape(&self) -> Option<(u32, u32)> {
        use RuntimeDataKind as Kind;
        let bytes = matches!(self.kind, Kind::StringBuffer | Kind::IndexArrays | Kind::RawBytes | Kind::Other(_));
        let words = Words::new(self.data);
        if bytes { None } else { words.get(0).zip(words.get(1)) }
    }
}

impl std::fmt::Debug for RuntimeDataPart<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} bytes at {})", self.kind, self.data.len(), self.offset)
    }
}

/// A resource of the resource table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeResource<'a> {
    /// Resource class.
    pub class: ResourceClass,
    /// Resource kind.
    pub kind: ResourceKind,
    /// Number within the class.
    pub id: u32,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower: u32,
    /// Last register; `u32::MAX` for an unbounded range.
    pub upper: u32,
    /// Name of the global.
    pub name: &'a str,
    /// `RDAT::DxilResourceFlag`.
    pub flags: u32,
}

/// Fields that newer function records add (validator version 1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeFunction2 {
    /// Smallest number of wave lanes; 0 for any.
    pub min_wave_lanes: u8,
    /// Largest number of wave lanes; 0 for any.
    pub max_wave_lanes: u8,
    /// `RDAT::DxilShaderFlags`.
    pub shader_flags: u16,
    /// Index of the stage's record in the table of that stage.
    pub stage_record: u32,
}

/// A function of the function table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeFunction<'a> {
    /// Name in the module.
    pub name: &'a str,
    /// Name in the source.
    pub unmangled_name: &'a str,
    /// The resources that the function uses, as indexes into the resource table.
    pub resources: Words<'a>,
    /// Names of the external functions that the function calls, as offsets into the string buffer.
    pub dependencies: Words<'a>,
    /// Kind of the entry point; `Library` for a function that is not an entry point.
    pub kind: ShaderKind,
    /// Size of the payload (hit, miss) or parameter (callable), in bytes.
    pub payload_bytes: u32,
    /// Size of the attributes (hit), in bytes.
    pub attribute_bytes: u32,
    /// Feature flags.
    pub features: FeatureFlags,
    /// Stages that may use the function, one bit per [`ShaderKind`].
    pub stages: u32,
    /// Smallest target: shader kind in the upper half, shader model as in a program header.
    pub min_target: u32,
    /// Fields of newer records.
    pub newer: Option<RuntimeFunction2>,
}

/// The RDAT part.
#[derive(Clone, Debug)]
pub struct RuntimeData<'a> {
    /// Format version, 0x10.
    pub version: u32,
    /// The subparts, in the part's order.
    pub parts: Vec<RuntimeDataPart<'a>>,
    /// The resource table.
    pub resources: Vec<RuntimeResource<'a>>,
    /// The function table.
    pub functions: Vec<RuntimeFunction<'a>>,
    /// The subobject table.
    pub subobjects: Vec<RuntimeSubobject<'a>>,
    /// The bytes of all strings that were read. Records may share one long string.
    scanned: Cell<usize>,
}

impl<'a> RuntimeData<'a> {
    pub(super) fn parse(part: ByteReader<'a>) -> Result<Self> {
        let mut reader = part;
        let place = reader.place();
        let version = reader.u32()?;
        if version != VERSION {
            return Err(unsupported!(place, "the runtime data has version {version:#x}; expected {VERSION:#x}"));
        }
        let count = reader.u32()? as usize;
        limits::check(place, "runtime data subparts", count, limits::CONTAINER_PARTS)?;
        { reader }.records(count, 4)?;
        let mut parts = Vec::with_capacity(count);
        for _ in 0..count {
            let mut at = part.seek(reader.u32()? as usize)?;
            let kind = RuntimeDataKind::new(at.u32()?);
            let size = at.u32()? as usize;
            let offset = at.offset();
            parts.push(RuntimeDataPart { kind, offset, data: at.bytes(size)? });
        }
        let mut data = Self {
            version,
            parts,
            resources: Vec::new(),
            functions: Vec::new(),
            subobjects: Vec::new(),
            scanned: Cell::new(0),
        };
        data.resources = data.table(RuntimeDataKind::ResourceTable, limits::RESOURCES, 32, Self::resource)?;
        data.functions = data.table(RuntimeDataKind::FunctionTable, limits::FUNCTIONS, 44, Self::function)?;
        data.subobjects = data.table(RuntimeDataKind::SubobjectTable, limits::SUBOBJECTS, 8, Self::subobject)?;
        Ok(data)
    }

    /// Whether these are the functions of a library without an entry point.
    pub fn has_functions_only(&self) -> bool {
        !self.functions.is_empty() && self.functions.iter().all(|function| function.kind == ShaderKind::Library)
    }

    /// The first subpart of a kind.
    pub fn part(&self, kind: RuntimeDataKind) -> Option<RuntimeDataPart<'a>> {
        self.parts.iter().copied().find(|part| part.kind == kind)
    }

    fn reader(&self, kind: RuntimeDataKind) -> Option<ByteReader<'a>> {
        self.part(kind).map(|part| ByteReader::new(part.data, part.offset, "RDAT subpart"))
    }

    /// The string at an offset of the string buffer.
    ///
    /// # Errors
    /// `Malformed` if there is no string at the offset. `Limit` if all strings that were read have
    /// too many bytes together.
    pub fn string(&self, offset: u32) -> Result<&'a str> {
        let buffer =
            self.reader(RuntimeDataKind::StringBuffer).unwrap_or(ByteReader::new(&[], 0, "RDAT string buffer"));
        let mut at = buffer.seek(offset as usize)?;
        let (place, scanned) = (at.place(), self.scanned.get());
        limits::check(place, "bytes in the strings of runtime data", scanned, limits::STRING_BYTES)?;
        let text = at.string()?;
        self.scanned.set(scanned.saturating_add(text.len()));
        Ok(text)
    }

    /// The index array at an index of the index array subpart. It is stored as its length, followed
    /// by that many numbers.
    ///
    /// # Errors
    /// `Malformed` if there is no array at the index.
    pub fn index_array(&self, index: u32) -> Result<Words<'a>> {
        if index == NULL_REFERENCE {
            return Ok(Words::default());
        }
        let buffer = self.reader(RuntimeDataKind::IndexArrays).unwrap_or(ByteReader::new(&[], 0, "RDAT index arrays"));
        let start = (index as usize)
            .checked_mul(4)
            .ok_or_else(|| malformed!(buffer.place(), "index array {index} is out of range"))?;
        let mut array = buffer.seek(start)?;
        let count = array.u32()? as usize;
        Ok(Words::new(array.records(count, 4)?))
    }

    /// The bytes that a record refers to by offset and size in the raw bytes subpart, and their
    /// offset in the input.
    pub(super) fn raw_bytes(&self, record: &mut ByteReader<'a>) -> Result<(usize, &'a [u8])> {
        let (offset, size) = (record.u32()? as usize, record.u32()? as usize);
        let buffer = self.reader(RuntimeDataKind::RawBytes).unwrap_or(ByteReader::new(&[], 0, "RDAT raw bytes"));
        let mut bytes = buffer.seek(offset)?;
        Ok((bytes.offset(), bytes.bytes(size)?))
    }

    fn table<T>(
        &self,
        kind: RuntimeDataKind,
        limit: usize,
        known: usize,
        parse: fn(&Self, ByteReader<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let Some(mut reader) = self.reader(kind) else { return Ok(Vec::new()) };
        let place = reader.place();
        let (count, stride) = (reader.u32()? as usize, reader.u32()? as usize);
        limits::check(place, "runtime data records", count, limit)?;
        if count > 0 && stride < known {
            return Err(malformed!(place, "{kind} has records of {stride} bytes; expected at least {known}"));
        }
        { reader }.records(count, stride)?;
        let mut records = Vec::with_capacity(count);
        for _ in 0..count {
            records.push(parse(self, reader.part(stride, "RDAT record")?)?);
        }
        Ok(records)
    }

    /// Reads a record of the subobject table. `record` is a cursor over this record alone, so that
    /// a record that is too short for its kind is refused.
    fn subobject(&self, mut record: ByteReader<'a>) -> Result<RuntimeSubobject<'a>> {
        let place = record.place();
        let kind = SubobjectKind::new(record.u32()?);
        let name = self.string(record.u32()?)?;
        let content = match kind {
            SubobjectKind::StateObjectConfig => RuntimeSubobjectContent::StateObjectConfig { flags: record.u32()? },
            SubobjectKind::GlobalRootSignature | SubobjectKind::LocalRootSignature => {
                let (offset, bytes) = self.raw_bytes(&mut record)?;
                RuntimeSubobjectContent::RootSignature { offset, bytes }
            }
            SubobjectKind::SubobjectToExportsAssociation => {
                let subobject = self.string(record.u32()?)?;
                let exports = self.index_array(record.u32()?)?;
                RuntimeSubobjectContent::Association { subobject, exports }
            }
            SubobjectKind::RaytracingShaderConfig => {
                RuntimeSubobjectContent::ShaderConfig { payload_bytes: record.u32()?, attribute_bytes: record.u32()? }
            }
            SubobjectKind::RaytracingPipelineConfig => {
                RuntimeSubobjectContent::PipelineConfig { recursion: record.u32()?, flags: 0 }
            }
            SubobjectKind::RaytracingPipelineConfig1 => {
                RuntimeSubobjectContent::PipelineConfig { recursion: record.u32()?, flags: record.u32()? }
            }
            SubobjectKind::HitGroup => RuntimeSubobjectContent::HitGroup {
                ty: HitGroupType::new(record.u32()?),
                any_hit: self.string(record.u32()?)?,
                closest_hit: self.string(record.u32()?)?,
                intersection: self.string(record.u32()?)?,
            },
            SubobjectKind::Other(_) => RuntimeSubobjectContent::Unknown,
        };
        Ok(RuntimeSubobject { kind, name, content, place })
    }

    fn resource(&self, mut record: ByteReader<'a>) -> Result<RuntimeResource<'a>> {
        Ok(RuntimeResource {
            class: ResourceClass::new(record.u32()?),
            kind: ResourceKind::new(record.u32()?),
            id: record.u32()?,
            space: record.u32()?,
            lower: record.u32()?,
            upper: record.u32()?,
            name: self.string(record.u32()?)?,
            flags: record.u32()?,
        })
    }

    fn function(&self, mut record: ByteReader<'a>) -> Result<RuntimeFunction<'a>> {
        Ok(RuntimeFunction {
            name: self.string(record.u32()?)?,
            unmangled_name: self.string(record.u32()?)?,
            resources: self.index_array(record.u32()?)?,
            dependencies: self.index_array(record.u32()?)?,
            kind: ShaderKind::new(record.u32()?.try_into().unwrap_or(u16::MAX)),
            payload_bytes: record.u32()?,
            attribute_bytes: record.u32()?,
            // Two 32-bit halves, the lower first.
            features: FeatureFlags(record.u64()?),
            stages: record.u32()?,
            min_target: record.u32()?,
            newer: match record.left() >= 8 {
                true => Some(RuntimeFunction2 {
                    min_wave_lanes: record.u8()?,
                    max_wave_lanes: record.u8()?,
                    shader_flags: record.u16()?,
                    stage_record: record.u32()?,
                }),
                false => None,
            },
        })
    }
}
