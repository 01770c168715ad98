//! Puts a root signature together from parts, and checks each part with D3D12's rules.
//!
//! In: the parts in order, each with its place in the form that is read. Out: a [`RootSignature`]
//! that follows all rules of [`validate`]. What must hold: every form is read through this builder,
//! so that all forms accept the same signatures; the number of parts is bounded.

pub(super) use super::validate::ShaderRegister;
use super::validate::{self, ItemRegisters};
use super::{
    DescriptorRange, RootParameter, RootParameterKind, RootSignature, RootVersion, StaticSampler, Visibility,
    descriptor_flags, range_flags,
};
use crate::ops::consts::ResourceClass;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// `D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND`: the range begins at the end of the previous one.
pub(super) const APPEND: u32 = u32::MAX;

/// The places of a part, of its flags and of its offset. Forms that do not distinguish them give
/// one place three times.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartPlaces {
    pub part: Place,
    pub flags: Place,
    pub offset: Place,
}

impl PartPlaces {
    /// One place for all.
    pub(super) fn all(place: Place) -> Self {
        Self { part: place, flags: place, offset: place }
    }
}

/// A descriptor range as its form gives it.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnresolvedRange {
    pub class: ResourceClass,
    pub count: u32,
    pub at: ShaderRegister,
    /// `None` where the form does not give flags.
    pub flags: Option<u32>,
    /// The offset, or [`APPEND`].
    pub offset: u32,
}

/// A descriptor table that is being built.
#[derive(Debug)]
pub(super) struct TableBuilder {
    ranges: Vec<DescriptorRange>,
    places: Vec<Place>,
    /// The offset that APPEND stands for; `None` if no range can follow the previous one.
    next: Option<u32>,
}

impl TableBuilder {
    pub(super) fn new() -> Self {
        Self { ranges: Vec::new(), places: Vec::new(), next: Some(0) }
    }
}

/// A root signature that is being built.
#[derive(Debug)]
pub(super) struct Builder {
    version: RootVersion,
    flags: u32,
    parameters: Vec<RootParameter>,
    static_samplers: Vec<StaticSampler>,
    /// All items that have registers, for the check that none overlap.
    items: Vec<ItemRegisters>,
    /// The number of ranges over all tables. Tables may share bytes of a serialized form, so its
    /// size does not bound this number.
    ranges: usize,
}

impl Builder {
    pub(super) fn new(version: RootVersion) -> Self {
        Self { version, flags: 0, parameters: Vec::new(), static_samplers: Vec::new(), items: Vec::new(), ranges: 0 }
    }

    pub(super) fn version(&self) -> RootVersion {
        self.version
    }

    /// Changes version 1.1 to 1.2, which has the same rules and flags of static samplers besides.
    pub(super) fn raise_to_1_2(&mut self) {
        if self.version == RootVersion::V1_1 {
            self.version = RootVersion::V1_2;
        }
    }

    /// Sets the signature's flags.
    pub(super) fn flags(&mut self, place: Place, flags: u32) -> Result<()> {
        validate::root_flags(place, flags)?;
        self.flags = flags;
        Ok(())
    }

    /// Adds root constants.
    pub(super) fn constants(
        &mut self,
        place: Place,
        visibility: Visibility,
        at: ShaderRegister,
        count: u32,
    ) -> Result<()> {
        let item = self.item(place, ResourceClass::CBuffer, at, 1, visibility)?;
        self.items.push(item);
        let ShaderRegister { register, space } = at;
        self.parameter(place, visibility, RootParameterKind::Constants { register, space, count })
    }

    /// Adds a root descriptor.
    pub(super) fn descriptor(
        &mut self,
        places: PartPlaces,
        visibility: Visibility,
        class: ResourceClass,
        at: ShaderRegister,
        flags: Option<u32>,
    ) -> Result<()> {
        let implied = descriptor_flags::DATA_VOLATILE;
        let flags = self.checked_flags(places.flags, "root descriptor", flags, implied)?;
        validate::descriptor_flags(places.flags, flags)?;
        let item = self.item(places.part, class, at, 1, visibility)?;
        self.items.push(item);
        let ShaderRegister { register, space } = at;
        self.parameter(places.part, visibility, RootParameterKind::Descriptor { class, register, space, flags })
    }

    /// Announces ranges, before memory is allocated for them.
    pub(super) fn expect_ranges(&mut self, place: Place, count: usize) -> Result<()> {
        self.ranges = self.ranges.saturating_add(count);
        limits::check(place, "descriptor ranges", self.ranges, limits::ROOT_ITEMS)
    }

    /// Adds a range to a table. The range must be announced.
    pub(super) fn range(&mut self, table: &mut TableBuilder, places: PartPlaces, range: UnresolvedRange) -> Result<()> {
        let implied = match range.class {
            ResourceClass::Sampler => range_flags::DESCRIPTORS_VOLATILE,
            _ => range_flags::DESCRIPTORS_VOLATILE | range_flags::DATA_VOLATILE,
        };
        let flags = self.checked_flags(places.flags, "descriptor range", range.flags, implied)?;
        validate::range_flags(places.flags, range.class, flags)?;
        let (offset, append) = match (range.offset, table.next) {
            (APPEND, Some(next)) => (next, true),
            (APPEND, None) => {
                return Err(malformed!(
                    places.offset,
                    "a descriptor range is appended to an unbounded range, or to one that ends at the last offset"
                ));
            }
            (offset, _) => (offset, false),
        };
        let ShaderRegister { register, space } = range.at;
        let range = DescriptorRange { class: range.class, count: range.count, register, space, flags, offset, append };
        validate::same_heap(places.part, table.ranges.first(), &range)?;
        table.next = range.end(places.part)?;
        // The check does not depend on the visibility, which the text form may give after the
        // ranges.
        self.item(places.part, range.class, ShaderRegister { register, space }, range.count, Visibility::All)?;
        table.places.push(places.part);
        table.ranges.push(range);
        Ok(())
    }

    /// Adds a table with all of its ranges.
    pub(super) fn table(&mut self, place: Place, visibility: Visibility, table: TableBuilder) -> Result<()> {
        for (range, place) in table.ranges.iter().zip(table.places) {
            let at = ShaderRegister { register: range.register, space: range.space };
            let item = self.item(place, range.class, at, range.count, visibility)?;
            self.items.push(item);
        }
        self.parameter(place, visibility, RootParameterKind::Table(table.ranges))
    }

    /// Adds a static sampler.
    pub(super) fn static_sampler(&mut self, places: PartPlaces, sampler: StaticSampler) -> Result<()> {
        let place = places.part;
        let index = self.static_samplers.len();
        limits::check(place, "static samplers", index + 1, limits::ROOT_ITEMS)?;
        if sampler.flags != 0 && !self.version.has_sampler_flags() {
            return Err(malformed!(
                places.flags,
                "static sampler {index} has flags 0x{:x}, but root signature version {} has no flags of static samplers; \
                 version 1.2 has them",
                sampler.flags,
                self.version
            ));
        }
        validate::static_sampler(place, index, &sampler)?;
        validate::sampler_flags(places.flags, index, &sampler)?;
        let at = ShaderRegister { register: sampler.register, space: sampler.space };
        let class = ResourceClass::Sampler;
        self.items.push(ItemRegisters::new(place, class, at, 1, sampler.visibility, None)?);
        self.static_samplers.push(sampler);
        Ok(())
    }

    /// The signature. Checks the rules that concern all parts together.
    pub(super) fn finish(self, place: Place) -> Result<RootSignature> {
        let Self { version, flags, parameters, static_samplers, items, .. } = self;
        let signature = RootSignature { version, flags, parameters, static_samplers };
        validate::size(place, &signature)?;
        validate::registers(items)?;
        Ok(signature)
    }

    /// The flags of a descriptor or range: those that are given, otherwise those of the version.
    fn checked_flags(&self, place: Place, what: &str, given: Option<u32>, implied: u32) -> Result<u32> {
        match given {
            None if self.version.has_data_flags() => Ok(0),
            None => Ok(implied),
            Some(flags) if self.version.has_data_flags() || flags == implied => Ok(flags),
            Some(flags) => Err(malformed!(
                place,
                "{what} flags 0x{flags:x}: root signature version 1.0 has no such flags, and implies 0x{implied:x} here"
            )),
        }
    }

    /// The registers of a part of the next parameter.
    fn item(
        &self,
        place: Place,
        class: ResourceClass,
        at: ShaderRegister,
        count: u32,
        visibility: Visibility,
    ) -> Result<ItemRegisters> {
        ItemRegisters::new(place, class, at, count, visibility, Some(self.parameters.len()))
    }

    fn parameter(&mut self, place: Place, visibility: Visibility, kind: RootParameterKind) -> Result<()> {
        limits::check(place, "root parameters", self.parameters.len() + 1, limits::ROOT_ITEMS)?;
        self.parameters.push(RootParameter { visibility, kind });
        Ok(())
    }
}

impl RootSignature {
    /// Checks a signature that was put together by hand with the rules of D3D12. Every signature
    /// that this crate reads has passed this check.
    ///
    /// # Errors
    /// `Malformed`: the rule that the signature breaks. `Limit`: too many parameters, ranges or
    /// samplers.
    pub fn check(&self) -> Result<()> {
        let at = PartPlaces::all(Place::Input);
        let mut builder = Builder::new(self.version);
        builder.flags(at.part, self.flags)?;
        for parameter in &self.parameters {
            let visibility = parameter.visibility;
            match &parameter.kind {
                &RootParameterKind::Constants { register, space, count } => {
                    builder.constants(at.part, visibility, ShaderRegister { register, space }, count)?;
                }
                &RootParameterKind::Descriptor { class, register, space, flags } => {
                    builder.descriptor(at, visibility, class, ShaderRegister { register, space }, Some(flags))?;
                }
                RootParameterKind::Table(ranges) => {
                    builder.expect_ranges(at.part, ranges.len())?;
                    let mut table = TableBuilder::new();
                    for range in ranges {
                        checked_offset(range, table.next)?;
                        let &DescriptorRange { class, count, register, space, flags, offset, append } = range;
                        let offset = if append { APPEND } else { offset };
                        let at_register = ShaderRegister { register, space };
                        let range = UnresolvedRange { class, count, at: at_register, flags: Some(flags), offset };
                        builder.range(&mut table, at, range)?;
                    }
                    builder.table(at.part, visibility, table)?;
                }
            }
        }
        for sampler in &self.static_samplers {
            builder.static_sampler(at, *sampler)?;
        }
        builder.finish(at.part).map(drop)
    }
}

/// Checks that an appended range has the offset at which the ranges before it end, and that another
/// one does not have the offset that stands for APPEND.
fn checked_offset(range: &DescriptorRange, next: Option<u32>) -> Result<()> {
    let offset = range.offset;
    match next {
        Some(next) if range.append && offset != next => {
            Err(malformed!(Place::Input, "a descriptor range is appended at offset {next}, but its offset is {offset}"))
        }
        _ if !range.append && offset == APPEND => Err(malformed!(
            Place::Input,
            "a descriptor range has offset {APPEND}, which stands for D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND"
        )),
        _ => Ok(()),
    }
}
