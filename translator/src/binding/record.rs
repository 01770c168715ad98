//! Local root signatures: the bytes of a shader record that hold a resource.
//!
//! In: a local root signature and a resource. Out: the resource's place in the record, or `None` if
//! the signature does not have its registers; then the global root signature decides. What must
//! hold: D3D12's layout of a shader record (DirectX-Specs, Raytracing, «Shader record», «Local root
//! signatures vs global root signatures»). The parameters follow the shader identifier in order.
//! Root constants are aligned to 4 bytes; addresses and descriptor tables have 8 bytes and are
//! aligned to 8.

use super::claim::Spot;
use super::plan::Root;
use super::root_signature::{RootParameterKind, RootSignature};
use crate::dxil::consts::ResourceClass;
use crate::dxil::resources::{Resource, UNBOUNDED};

impl RootSignature {
    /// Whether this local root signature has the registers of a resource.
    pub fn has_registers_of(&self, resource: &Resource) -> bool {
        place(self, resource).is_some()
    }
}

/// The place that a local root signature gives a resource; `None` if it does not have the
/// resource's registers.
///
/// # Errors
/// A message, if the signature has the registers in a form that is not supported.
pub(super) fn place(signature: &RootSignature, resource: &Resource) -> Option<Result<Spot, String>> {
    let is = |class: ResourceClass, space: u32, first: u32, count: u32| {
        let last = if count == UNBOUNDED { u32::MAX } else { first.saturating_add(count.saturating_sub(1)) };
        (class, space) == (resource.class, resource.space) && (first..=last).contains(&resource.lower_bound)
    };
    let mut at: u32 = 0;
    for (index, parameter) in signature.parameters.iter().enumerate() {
        match &parameter.kind {
            &RootParameterKind::Constants { register, space, count } => {
                let given = count.saturating_mul(4);
                if is(ResourceClass::CBuffer, space, register, 1) {
                    let declared = resource.size.saturating_add(3) & !3;
                    let size = if declared == 0 { given } else { given.min(declared) };
                    return Some(Ok(Spot::Record { offset: at, size }));
                }
                at = at.saturating_add(given);
            }
            &RootParameterKind::Descriptor { class, register, space, .. } => {
                at = at.saturating_add(7) & !7;
                if is(class, space, register, 1) {
                    return Some(Ok(Spot::Address(Root::Record(at))));
                }
                at = at.saturating_add(8);
            }
            RootParameterKind::Table(ranges) => {
                at = at.saturating_add(7) & !7;
                if ranges.iter().any(|range| is(range.class, range.space, range.register, range.count)) {
                    let message = format!(
                        "parameter {index} of the local root signature is a descriptor table at byte {at} of the shader \
                         record; descriptor tables in shader records are not supported yet"
                    );
                    return Some(Err(message));
                }
                at = at.saturating_add(8);
            }
        }
    }
    let sampler = |s: &super::root_signature::StaticSampler| is(ResourceClass::Sampler, s.space, s.register, 1);
    let index = signature.static_samplers.iter().position(sampler)?;
    Some(Err(format!("static sampler {index} of the local root signature has its register; that is not supported yet")))
}
