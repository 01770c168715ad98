//! Reads a serialized root signature: the RTS0 part, versions 1.0 and 1.1.
//!
//! In: the bytes of the part. Out: [`RootSignature`]. What must hold: nothing is read outside the
//! bytes, every count is checked before allocation, and every value that was read has passed
//! [`validate`].
//!
//! The form (DxilRootSignature.h): all fields have 32 bits, and all offsets count from the part's
//! first byte. A header has version, parameter count and offset, static sampler count and offset,
//! and flags. The record of a parameter has type, visibility and the offset of its data. The data
//! of a table is a header with range count and offset, which leads to the ranges.

use super::validate::{self, Item};
use super::{DescriptorRange, RootParameter, RootParameterKind, RootSignature, RootVersion, StaticSampler, Visibility};
use super::{descriptor_flags, range_flags};
use crate::container::Container;
use crate::container::reader::Reader;
use crate::dxil::consts::ResourceClass;
use crate::error::{Place, Result};
use crate::limits;

/// Size in bytes of a parameter's record: type, visibility, offset.
const PARAMETER_SIZE: usize = 12;
/// Size in bytes of a static sampler, up to version 1.1.
const SAMPLER_SIZE: usize = 52;
/// `D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND`: the range begins at the end of the previous one.
const APPEND: u32 = u32::MAX;

impl RootSignature {
    /// The root signature in a container, if it has one.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn of(container: &Container<'_>) -> Result<Option<Self>> {
        container.root_signature().map(|part| Self::parse(part.data, part.data_offset())).transpose()
    }

    /// Reads the content of an RTS0 part, whose first byte is at `base` in the whole input.
    ///
    /// # Errors
    /// `Malformed`: offsets or counts outside the part, or a rule of D3D12 that the signature
    /// breaks. `Unsupported`: a version other than 1.0 and 1.1. `Limit`: too many parameters,
    /// ranges or samplers.
    pub fn parse(bytes: &[u8], base: usize) -> Result<Self> {
        let part = Reader::new(bytes, base, "root signature");
        let mut header = part;
        let place = header.place();
        let version = match header.u32()? {
            1 => RootVersion::V1_0,
            2 => RootVersion::V1_1,
            3 => {
                return Err(unsupported!(place, "root signature version 1.2; only versions 1.0 and 1.1 are supported"));
            }
            other => {
                return Err(unsupported!(
                    place,
                    "root signature version {other}; only 1 (1.0) and 2 (1.1) are supported"
                ));
            }
        };
        let count_place = header.place();
        let (parameter_count, parameter_offset) = (header.u32()? as usize, header.u32()? as usize);
        limits::check(count_place, "root parameters", parameter_count, limits::ROOT_ITEMS)?;
        let sampler_place = header.place();
        let (sampler_count, sampler_offset) = (header.u32()? as usize, header.u32()? as usize);
        limits::check(sampler_place, "static samplers", sampler_count, limits::ROOT_ITEMS)?;
        let flags_place = header.place();
        let flags = header.u32()?;
        validate::root_flags(flags_place, flags)?;

        let mut read = Read { part, version, items: Vec::new(), ranges: 0 };
        let mut records = read.records("root parameters", parameter_count, parameter_offset, PARAMETER_SIZE)?;
        let mut parameters = Vec::with_capacity(parameter_count);
        for index in 0..parameter_count {
            parameters.push(read.parameter(&mut records, index as u32)?);
        }
        let mut records = read.records("static samplers", sampler_count, sampler_offset, SAMPLER_SIZE)?;
        let mut static_samplers = Vec::with_capacity(sampler_count);
        for index in 0..sampler_count {
            static_samplers.push(read.static_sampler(&mut records, index as u32)?);
        }
        let signature = Self { version, flags, parameters, static_samplers };
        validate::size(count_place, &signature)?;
        validate::registers(read.items)?;
        Ok(signature)
    }
}

/// The state of reading one part.
struct Read<'a> {
    part: Reader<'a>,
    version: RootVersion,
    /// All items that have registers, for the check that none overlap.
    items: Vec<Item>,
    /// Number of ranges read so far, over all tables. Tables may share bytes, so the size of the
    /// part does not bound it.
    ranges: usize,
}

impl<'a> Read<'a> {
    /// A cursor over `count` records of `size` bytes each at an offset. All of them are inside the
    /// part.
    fn records(&self, what: &'static str, count: usize, offset: usize, size: usize) -> Result<Reader<'a>> {
        if count == 0 {
            // No record is read, so compilers may write any offset.
            return Ok(Reader::new(&[], self.part.offset(), what));
        }
        let mut at = self.part.seek(offset)?;
        let bytes = count.checked_mul(size);
        at.part(bytes.ok_or_else(|| malformed!(self.part.place(), "{count} {what} do not fit into the part"))?, what)
    }

    fn visibility(&self, at: &mut Reader<'a>) -> Result<Visibility> {
        let place = at.place();
        let number = at.u32()?;
        let known = Visibility::ALL.into_iter().find(|v| *v as u32 == number);
        known.ok_or_else(|| malformed!(place, "unknown shader visibility {number}"))
    }

    fn parameter(&mut self, records: &mut Reader<'a>, index: u32) -> Result<RootParameter> {
        let place = records.place();
        let kind = records.u32()?;
        let visibility = self.visibility(records)?;
        let offset = records.u32()? as usize;
        let mut at = self.part.seek(offset)?;
        let kind = match kind {
            0 => RootParameterKind::Table(self.table(&mut at, index, visibility)?),
            1 => {
                let place = at.place();
                let (register, space, count) = (at.u32()?, at.u32()?, at.u32()?);
                self.item(place, ResourceClass::CBuffer, (register, 1, space), visibility, Some(index))?;
                RootParameterKind::Constants { register, space, count }
            }
            2 => self.descriptor(&mut at, ResourceClass::CBuffer, index, visibility)?,
            3 => self.descriptor(&mut at, ResourceClass::Srv, index, visibility)?,
            4 => self.descriptor(&mut at, ResourceClass::Uav, index, visibility)?,
            other => return Err(malformed!(place, "unknown root parameter type {other}")),
        };
        Ok(RootParameter { visibility, kind })
    }

    fn descriptor(
        &mut self,
        at: &mut Reader<'a>,
        class: ResourceClass,
        index: u32,
        visibility: Visibility,
    ) -> Result<RootParameterKind> {
        let place = at.place();
        let (register, space) = (at.u32()?, at.u32()?);
        let flags = match self.version {
            RootVersion::V1_0 => descriptor_flags::DATA_VOLATILE,
            RootVersion::V1_1 => {
                let place = at.place();
                let flags = at.u32()?;
                validate::descriptor_flags(place, flags)?;
                flags
            }
        };
        self.item(place, class, (register, 1, space), visibility, Some(index))?;
        Ok(RootParameterKind::Descriptor { class, register, space, flags })
    }

    fn table(&mut self, at: &mut Reader<'a>, index: u32, visibility: Visibility) -> Result<Vec<DescriptorRange>> {
        let place = at.place();
        let (count, offset) = (at.u32()? as usize, at.u32()? as usize);
        self.ranges = self.ranges.saturating_add(count);
        limits::check(place, "descriptor ranges", self.ranges, limits::ROOT_ITEMS)?;
        let size = match self.version {
            RootVersion::V1_0 => 20,
            RootVersion::V1_1 => 24,
        };
        let mut records = self.records("descriptor ranges", count, offset, size)?;
        let mut ranges = Vec::with_capacity(count);
        // The offset that APPEND stands for; `None` if no range can follow the previous one.
        let mut next = Some(0);
        for _ in 0..count {
            let place = records.place();
            let range = self.range(&mut records, next)?;
            validate::same_heap(place, ranges.first(), &range)?;
            next = range.end(place)?;
            let registers = (range.register, range.count, range.space);
            self.item(place, range.class, registers, visibility, Some(index))?;
            ranges.push(range);
        }
        Ok(ranges)
    }

    fn range(&self, at: &mut Reader<'a>, next: Option<u32>) -> Result<DescriptorRange> {
        let place = at.place();
        let class = match at.u32()? {
            0 => ResourceClass::Srv,
            1 => ResourceClass::Uav,
            2 => ResourceClass::CBuffer,
            3 => ResourceClass::Sampler,
            other => return Err(malformed!(place, "unknown descriptor range type {other}")),
        };
        let (count, register, space) = (at.u32()?, at.u32()?, at.u32()?);
        let flags = match self.version {
            RootVersion::V1_0 if class == ResourceClass::Sampler => range_flags::DESCRIPTORS_VOLATILE,
            RootVersion::V1_0 => range_flags::DESCRIPTORS_VOLATILE | range_flags::DATA_VOLATILE,
            RootVersion::V1_1 => {
                let place = at.place();
                let flags = at.u32()?;
                validate::range_flags(place, class, flags)?;
                flags
            }
        };
        let place = at.place();
        let offset = match (at.u32()?, next) {
            (APPEND, Some(next)) => next,
            (APPEND, None) => {
                return Err(malformed!(
                    place,
                    "a descriptor range is appended to an unbounded range, or to one that ends at the last offset"
                ));
            }
            (offset, _) => offset,
        };
        Ok(DescriptorRange { class, count, register, space, flags, offset })
    }

    fn static_sampler(&mut self, at: &mut Reader<'a>, index: u32) -> Result<StaticSampler> {
        let place = at.place();
        let filter = at.u32()?;
        let address = [at.u32()?, at.u32()?, at.u32()?];
        let (mip_lod_bias, max_anisotropy) = (at.u32()?, at.u32()?);
        let (comparison, border_color) = (at.u32()?, at.u32()?);
        let (min_lod, max_lod) = (at.u32()?, at.u32()?);
        let (register, space) = (at.u32()?, at.u32()?);
        let visibility = self.visibility(at)?;
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
        };
        validate::static_sampler(place, index, &sampler)?;
        self.item(place, ResourceClass::Sampler, (register, 1, space), visibility, None)?;
        Ok(sampler)
    }

    fn item(
        &mut self,
        place: Place,
        class: ResourceClass,
        (register, count, space): (u32, u32, u32),
        visibility: Visibility,
        parameter: Option<u32>,
    ) -> Result<()> {
        self.items.push(Item::new(place, class, register, count, space, visibility, parameter)?);
        Ok(())
    }
}
