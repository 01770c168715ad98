//! Changes the version of a root signature, as D3D12 does.
//!
//! In: a [`RootSignature`] and a version. Out: the signature in that version. What must hold: the
//! result makes no promise that the first signature does not make.
//!
//! A newer version states what an older one implies: version 1.0 declares all descriptors and data
//! volatile (DirectX-Specs and d3d12.h, "Root Signature Version 1.1"). An older version drops the
//! flags that it does not have, as `D3DX12SerializeVersionedRootSignature` does: version 1.0 takes
//! everything for volatile, which is right for static data too. Only NON_NORMALIZED_COORDINATES,
//! which changes what a sampler does, cannot be dropped.

use super::{RootParameterKind, RootSignature, RootVersion, descriptor_flags, range_flags, sampler_flags};
use crate::ops::consts::ResourceClass;
use dxil_base::error::{Place, Result};

impl RootSignature {
    /// The signature in another version.
    ///
    /// # Errors
    /// `Unsupported`: a static sampler has the flag NON_NORMALIZED_COORDINATES, which versions
    /// before 1.2 do not have.
    pub fn to_version(&self, version: RootVersion) -> Result<Self> {
        let mut signature = Self { version, ..self.clone() };
        if !version.has_sampler_flags() {
            for (index, sampler) in signature.static_samplers.iter_mut().enumerate() {
                if sampler.flags & sampler_flags::NON_NORMALIZED_COORDINATES != 0 {
                    return Err(unsupported!(
                        Place::Input,
                        "static sampler {index} has NON_NORMALIZED_COORDINATES, which root signature version {version} \
                         does not have; version 1.2 has it"
                    ));
                }
                // UINT_BORDER_COLOR is only valid beside a border colour of integers, which says
                // the same.
                sampler.flags = 0;
            }
        }
        if !version.has_data_flags() {
            for parameter in &mut signature.parameters {
                if let RootParameterKind::Descriptor { flags, .. } = &mut parameter.kind {
                    *flags = descriptor_flags::DATA_VOLATILE;
                }
            }
            for range in signature.ranges_mut() {
                range.flags = match range.class {
                    ResourceClass::Sampler => range_flags::DESCRIPTORS_VOLATILE,
                    _ => range_flags::DESCRIPTORS_VOLATILE | range_flags::DATA_VOLATILE,
                };
            }
        }
        Ok(signature)
    }
}
