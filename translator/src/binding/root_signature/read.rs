//! Reads a serialized root signature: the RTS0 part, versions 1.0, 1.1 and 1.2.
//!
//! In: the bytes of the part. Out: [`RootSignature`]. What must hold: nothing is read outside the
//! bytes, every count is checked before allocation, and every value that was read has passed the
//! rules of the [`Builder`].
//!
//! The form (DxilRootSignature.h): all fields have 32 bits, and all offsets count from the part's
//! first byte. A header has version, parameter count and offset, static sampler count and offset,
//! and flags. The record of a parameter has type, visibility and the offset of its data. The data
//! of a table is a header with range count and offset, which leads to the ranges. Version 1.1 added
//! flags to root descriptors and ranges, version 1.2 to static samplers (DirectX-Specs, VulkanOn12,
//! "Static Samplers").

use super::build::{Builder, PartPlaces, ShaderRegister, TableBuilder, UnresolvedRange};
use super::{RootSignature, RootVersion, StaticSampler, Visibility};
use crate::container::Container;
use crate::container::reader::ByteReader;
use crate::ops::consts::ResourceClass;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// Size in bytes of a parameter's record: type, visibility, offset.
const PARAMETER_SIZE: usize = 12;
/// Size in bytes of a descriptor range in version 1.0, and since 1.1 with flags.
const RANGE_SIZE: usize = 20;
const RANGE_SIZE_1_1: usize = 24;
/// Size in bytes of a static sampler up to version 1.1, and in 1.2 with flags.
const SAMPLER_SIZE: usize = 52;
const SAMPLER_SIZE_1_2: usize = 56;

impl RootVersion {
    /// The version with a number of serialized forms.
    ///
    /// # Errors
    /// `Unsupported`, with the numbers that are known.
    pub(super) fn from_number(place: Place, number: u32) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|version| version.number() == number);
        found.ok_or_else(|| {
            unsupported!(place, "root signature version {number}; only 1 (1.0), 2 (1.1) and 3 (1.2) are supported")
        })
    }
}

impl Visibility {
    /// The visibility with a number of D3D12.
    pub(super) fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|visibility| *visibility as u32 == number)
    }
}

impl RootSignature {
    /// The root signature in the RTS0 part of a container, if it has one.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn from_container(container: &Container<'_>) -> Result<Option<Self>> {
        container.root_signature().map(|part| Self::parse(part.data, part.data_offset())).transpose()
    }

    /// Reads the content of an RTS0 part, whose first byte is at `base` in the whole input.
    ///
    /// # Errors
    /// `Malformed`: offsets or counts outside the part, or a rule of D3D12 that the signature
    /// breaks. `Unsupported`: a version other than 1.0, 1.1 and 1.2. `Limit`: too many parameters,
    /// ranges or samplers.
    pub fn parse(bytes: &[u8], base: usize) -> Result<Self> {
        let part = ByteReader::new(bytes, base, "root signature");
        let mut header = part;
        let version_place = header.place();
        let version = RootVersion::from_number(version_place, header.u32()?)?;
        let count_place = header.place();
        let (parameter_count, parameter_offset) = (header.u32()? as usize, header.u32()? as usize);
        limits::check(count_place, "root parameters", parameter_count, limits::ROOT_ITEMS)?;
        let sampler_place = header.place();
        let (sampler_count, sampler_offset) = (header.u32()? as usize, header.u32()? as usize);
        limits::check(sampler_place, "static samplers", sampler_count, limits::ROOT_ITEMS)?;
        let flags_place = header.place();
        let mut read = Read { part, builder: Builder::new(version) };
        read.builder.flags(flags_place, header.u32()?)?;

        let mut records = read.records("root parameters", parameter_count, parameter_offset, PARAMETER_SIZE)?;
        for _ in 0..parameter_count {
            read.parameter(&mut records)?;
        }
        let size = if version.has_sampler_flags() { SAMPLER_SIZE_1_2 } else { SAMPLER_SIZE };
        let mut records = read.records("static samplers", sampler_count, sampler_offset, size)?;
        for _ in 0..sampler_count {
            read.static_sampler(&mut records)?;
        }
        read.builder.finish(count_place)
    }
}

/// The state of reading one part.
struct Read<'a> {
    part: ByteReader<'a>,
    builder: Builder,
}

impl<'a> Read<'a> {
    /// A cursor over `count` records of `size` bytes each at an offset. All of them are inside the
    /// part.
    fn records(&self, what: &'static str, count: usize, offset: usize, size: usize) -> Result<ByteReader<'a>> {
        if count == 0 {
            // No record is read, so compilers may write any offset.
            return Ok(ByteReader::new(&[], self.part.offset(), what));
        }
        let mut at = self.part.seek(offset)?;
        let bytes = count.checked_mul(size);
        at.part(bytes.ok_or_else(|| malformed!(self.part.place(), "{count} {what} do not fit into the part"))?, what)
    }

    fn visibility(&self, at: &mut ByteReader<'a>) -> Result<Visibility> {
        let place = at.place();
        let number = at.u32()?;
        Visibility::from_number(number).ok_or_else(|| malformed!(place, "unknown shader visibility {number}"))
    }

    fn parameter(&mut self, records: &mut ByteReader<'a>) -> Result<()> {
        let place = records.place();
        let kind = records.u32()?;
        let visibility = self.visibility(records)?;
        let offset = records.u32()? as usize;
        let mut at = self.part.seek(offset)?;
        match kind {
            0 => self.table(&mut at, visibility),
            1 => {
                let place = at.place();
                let (register, space, count) = (at.u32()?, at.u32()?, at.u32()?);
                self.builder.constants(place, visibility, ShaderRegister { register, space }, count)
            }
            2 => self.descriptor(&mut at, ResourceClass::CBuffer, visibility),
            3 => self.descriptor(&mut at, ResourceClass::Srv, visibility),
            4 => self.descriptor(&mut at, ResourceClass::Uav, visibility),
            other => Err(malformed!(place, "unknown root parameter type {other}")),
        }
    }

    /// The flags of a descriptor or range, and their place. Version 1.0 does not have the field.
    fn flags(&self, at: &mut ByteReader<'a>) -> Result<(Place, Option<u32>)> {
        let place = at.place();
        let has = self.builder.version().has_data_flags();
        Ok((place, has.then(|| at.u32()).transpose()?))
    }

    fn descriptor(&mut self, at: &mut ByteReader<'a>, class: ResourceClass, visibility: Visibility) -> Result<()> {
        let part = at.place();
        let (register, space) = (at.u32()?, at.u32()?);
        let (place, flags) = self.flags(at)?;
        let places = PartPlaces { flags: place, ..PartPlaces::all(part) };
        self.builder.descriptor(places, visibility, class, ShaderRegister { register, space }, flags)
    }

    fn table(&mut self, at: &mut ByteReader<'a>, visibility: Visibility) -> Result<()> {
        let place = at.place();
        let (count, offset) = (at.u32()? as usize, at.u32()? as usize);
        self.builder.expect_ranges(place, count)?;
        let size = if self.builder.version().has_data_flags() { RANGE_SIZE_1_1 } else { RANGE_SIZE };
        let mut records = self.records("descriptor ranges", count, offset, size)?;
        let mut table = TableBuilder::new();
        for _ in 0..count {
            let (places, range) = self.range(&mut records)?;
            self.builder.range(&mut table, places, range)?;
        }
        self.builder.table(place, visibility, table)
    }

    fn range(&self, at: &mut ByteReader<'a>) -> Result<(PartPlaces, UnresolvedRange)> {
        let part = at.place();
        let class = match at.u32()? {
            0 => ResourceClass::Srv,
            1 => ResourceClass::Uav,
            2 => ResourceClass::CBuffer,
            3 => ResourceClass::Sampler,
            other => return Err(malformed!(part, "unknown descriptor range type {other}")),
        };
        let (count, register, space) = (at.u32()?, at.u32()?, at.u32()?);
        let (flags_place, flags) = self.flags(at)?;
        let offset_place = at.place();
        let offset = at.u32()?;
        let places = PartPlaces { part, flags: flags_place, offset: offset_place };
        Ok((places, UnresolvedRange { class, count, at: ShaderRegister { register, space }, flags, offset }))
    }

    fn static_sampler(&mut self, at: &mut ByteReader<'a>) -> Result<()> {
        let part = at.place();
        let filter = at.u32()?;
        let address = [at.u32()?, at.u32()?, at.u32()?];
        let (mip_lod_bias, max_anisotropy) = (at.u32()?, at.u32()?);
        let (comparison, border_color) = (at.u32()?, at.u32()?);
        let (min_lod, max_lod) = (at.u32()?, at.u32()?);
        let (register, space) = (at.u32()?, at.u32()?);
        let visibility = self.visibility(at)?;
        let places = PartPlaces { flags: at.place(), ..PartPlaces::all(part) };
        let flags = if self.builder.version().has_sampler_flags() { at.u32()? } else { 0 };
        let sampler = StaticSampler {
            filter,
            address,
            mip_lod_bias,
            max_anisotropy,
            comparison,
            border_color,
            min_lod,
            max_lod,
            register,
            space,
            visibility,
            flags,
        };
        self.builder.static_sampler(places, sampler)
    }
}
