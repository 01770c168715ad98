//! Writes a root signature in its serialized form, as DXC does.
//!
//! In: a [`RootSignature`]. Out: the content of an RTS0 part, or a container with that part alone.
//! What must hold: the bytes are those that DXC writes for the same signature, and reading them
//! gives the signature back.
//!
//! DXC's order: the header, the records of all parameters, the data of each parameter in order (a
//! table's header is followed by its ranges), and the static samplers. The offset of the static
//! samplers is written even if there are none.

use super::build::APPEND;
use super::{DescriptorRange, RootParameterKind, RootSignature, RootVersion, StaticSampler};
use crate::container::{CONTAINER_MAGIC, FourCc, compute_digest};
use crate::ops::consts::ResourceClass;
use dxil_base::error::Result;

/// Size in bytes of the header.
const HEADER_SIZE: u32 = 24;
/// Size in bytes of a parameter's record.
const PARAMETER_SIZE: u32 = 12;
/// Size in bytes of a table's header.
const TABLE_SIZE: u32 = 8;

impl RootSignature {
    /// The serialized form, which is the content of an RTS0 part. The version is that of the
    /// signature.
    ///
    /// # Errors
    /// The errors of [`check`](Self::check), for a signature that was put together by hand.
    pub fn serialize(&self) -> Result<Vec<u8>> {
        self.check()?;
        let records = u32::try_from(self.parameters.len()).unwrap_or(u32::MAX).saturating_mul(PARAMETER_SIZE);
        let mut data =
            ParameterWriter { version: self.version, base: HEADER_SIZE.saturating_add(records), words: Vec::new() };
        let mut out = vec![self.version.number(), self.parameters.len() as u32, HEADER_SIZE];
        let mut table = Vec::with_capacity(self.parameters.len() * 3);
        for parameter in &self.parameters {
            table.extend([parameter_type(&parameter.kind), parameter.visibility as u32, data.end()]);
            data.parameter(&parameter.kind);
        }
        out.extend([self.static_samplers.len() as u32, data.end(), self.flags]);
        for sampler in &self.static_samplers {
            data.static_sampler(sampler);
        }
        Ok([out, table, data.words].concat().into_iter().flat_map(u32::to_le_bytes).collect())
    }

    /// A container with the serialized form as its only part, as `dxc -T rootsig_1_1` and
    /// `D3D12SerializeVersionedRootSignature` make it. The container has a digest.
    ///
    /// # Errors
    /// The errors of [`serialize`](Self::serialize).
    pub fn serialize_container(&self) -> Result<Vec<u8>> {
        let part = self.serialize()?;
        // Version 1.0 of the container format, one part, which begins after the one offset.
        const CONTENT: u32 = 36;
        let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
        let size = CONTENT.saturating_add(8).saturating_add(length);
        let mut body: Vec<u8> = [1, size, 1, CONTENT].into_iter().flat_map(u32::to_le_bytes).collect();
        body.extend(FourCc::RTS0.0);
        body.extend(length.to_le_bytes());
        body.extend(part);
        let mut container = CONTAINER_MAGIC.to_vec();
        container.extend(compute_digest(&body));
        container.extend(body);
        Ok(container)
    }
}

/// `D3D12_ROOT_PARAMETER_TYPE`.
fn parameter_type(kind: &RootParameterKind) -> u32 {
    match kind {
        RootParameterKind::Table(_) => 0,
        RootParameterKind::Constants { .. } => 1,
        RootParameterKind::Descriptor { class: ResourceClass::CBuffer, .. } => 2,
        RootParameterKind::Descriptor { class: ResourceClass::Uav, .. } => 4,
        RootParameterKind::Descriptor { .. } => 3,
    }
}

/// `D3D12_DESCRIPTOR_RANGE_TYPE`.
fn range_type(class: ResourceClass) -> u32 {
    match class {
        ResourceClass::Srv => 0,
        ResourceClass::Uav => 1,
        ResourceClass::CBuffer => 2,
        ResourceClass::Sampler => 3,
    }
}

/// The data of the parameters, which begins at the byte `base` of the part.
struct ParameterWriter {
    version: RootVersion,
    base: u32,
    words: Vec<u32>,
}

impl ParameterWriter {
    /// The offset in the part of what is written next.
    fn end(&self) -> u32 {
        u32::try_from(self.words.len() * 4).unwrap_or(u32::MAX).saturating_add(self.base)
    }

    fn parameter(&mut self, kind: &RootParameterKind) {
        match kind {
            &RootParameterKind::Constants { register, space, count } => self.words.extend([register, space, count]),
            &RootParameterKind::Descriptor { register, space, flags, .. } => {
                self.words.extend([register, space]);
                self.words.extend(self.version.has_data_flags().then_some(flags));
            }
            RootParameterKind::Table(ranges) => {
                let ranges_at = self.end().saturating_add(TABLE_SIZE);
                self.words.extend([ranges.len() as u32, ranges_at]);
                ranges.iter().for_each(|range| self.range(range));
            }
        }
    }

    fn range(&mut self, range: &DescriptorRange) {
        self.words.extend([range_type(range.class), range.count, range.register, range.space]);
        self.words.extend(self.version.has_data_flags().then_some(range.flags));
        self.words.push(if range.append { APPEND } else { range.offset });
    }

    fn static_sampler(&mut self, sampler: &StaticSampler) {
        self.words.push(sampler.filter);
        self.words.extend(sampler.address);
        self.words.extend([sampler.mip_lod_bias, sampler.max_anisotropy, sampler.comparison, sampler.border_color]);
        self.words.extend([sampler.min_lod, sampler.max_lod, sampler.register, sampler.space]);
        self.words.push(sampler.visibility as u32);
        self.words.extend(self.version.has_sampler_flags().then_some(sampler.flags));
    }
}
