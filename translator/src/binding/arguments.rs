//! The root arguments of a signature: where its root constants and the addresses of its root
//! descriptors are.
//!
//! In: a root signature, the bindings of the root set if the layout has them, and the device's
//! limit of push constants. Out: [`RootArguments`]. What must hold (docs/bindings.md): the
//! parameters are walked in order; root constants take 4 bytes each, an address takes 8 bytes,
//! aligned to 8, and the heap index of a table takes 4 bytes. The root constants of a signature are
//! all in push constants or all in the block of root constants.

use super::layout::LayoutBinding;
use super::root_signature::{RootParameterKind, RootSignature};
use crate::ir::resources::Resource;

/// Bytes of an address.
pub(super) const ADDRESS: u32 = 8;

/// Bytes of the heap index of a descriptor table.
pub(super) const INDEX: u32 = 4;

/// Which parameters besides root constants are root arguments in push constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pushed {
    /// Root descriptors, as addresses.
    pub descriptors: bool,
    /// Descriptor tables, as heap indexes.
    pub tables: bool,
}

/// Where the root constants of a signature are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstantsPlace {
    /// In push constants.
    Push,
    /// In a block that has a binding in the root set.
    Block,
    /// In a buffer whose address is at this byte of the push constants.
    Address(u32),
}

/// The places of a signature's root arguments.
#[derive(Clone, Debug)]
pub(super) struct RootArguments {
    /// The parameters that are root arguments.
    pub pushed: Pushed,
    /// Where the root constants are.
    pub constants: ConstantsPlace,
    /// First byte of each parameter, in push constants or in the block of root constants.
    offsets: Vec<u32>,
}

/// The binding of the block of root constants in the root set: after all root descriptors and
/// static samplers.
pub(super) fn constant_binding(signature: &RootSignature) -> u32 {
    let count = signature.parameters.len().saturating_add(signature.static_samplers.len());
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl RootArguments {
    /// The places of a signature's root arguments. `root_set` has the bindings of the root set, if
    /// they are known, and `limit` is the device's limit of push constants in bytes.
    pub fn new(signature: &RootSignature, pushed: Pushed, root_set: Option<&[LayoutBinding]>, limit: u32) -> Self {
        let by_address = pushed.descriptors;
        let (offsets, end) = walk(signature, pushed, true);
        let block = constant_binding(signature);
        let declared = root_set.map(|bindings| bindings.iter().any(|binding| binding.binding == block));
        let has_constants =
            signature.parameters.iter().any(|parameter| matches!(parameter.kind, RootParameterKind::Constants { .. }));
        let outside = match declared {
            _ if !has_constants => false,
            Some(true) => true,
            // Without a buffer there they have to fit, unless their address can be an argument.
            Some(false) => end > limit && by_address,
            None => end > limit,
        };
        if !outside {
            return Self { pushed, constants: ConstantsPlace::Push, offsets };
        }
        let (offsets, end) = walk(signature, pushed, false);
        let constants = match declared {
            Some(true) => ConstantsPlace::Block,
            _ if by_address => ConstantsPlace::Address(end.saturating_add(ADDRESS - 1) & !(ADDRESS - 1)),
            _ => ConstantsPlace::Block,
        };
        Self { pushed, constants, offsets }
    }

    /// First byte of a parameter, in push constants or in the block of root constants.
    pub fn offset(&self, parameter: u32) -> u32 {
        self.offsets.get(parameter as usize).copied().unwrap_or(u32::MAX)
    }
}

/// First byte of each parameter, and the end of the push constants. With `together`, root constants
/// and the other arguments are in one walk, otherwise each has its own.
fn walk(signature: &RootSignature, pushed: Pushed, together: bool) -> (Vec<u32>, u32) {
    let (mut push, mut block): (u32, u32) = (0, 0);
    let mut offsets = Vec::with_capacity(signature.parameters.len());
    for parameter in &signature.parameters {
        let (at, size) = match &parameter.kind {
            RootParameterKind::Constants { count, .. } => {
                (if together { &mut push } else { &mut block }, count.saturating_mul(4))
            }
            RootParameterKind::Table(_) if pushed.tables => (&mut push, INDEX),
            RootParameterKind::Descriptor { .. } if pushed.descriptors => {
                push = push.saturating_add(ADDRESS - 1) & !(ADDRESS - 1);
                (&mut push, ADDRESS)
            }
            _ => (&mut push, 0),
        };
        offsets.push(*at);
        *at = at.saturating_add(size);
    }
    (offsets, push)
}

/// Checks that a resource may be a root descriptor. D3D12 has root descriptors for buffers without
/// a format and without a counter, and for acceleration structures.
///
/// # Errors
/// A message that says why it may not, as the predicate of a sentence.
pub(super) fn check_root_descriptor(resource: &Resource) -> Result<(), String> {
    use crate::ops::consts::ResourceKind as K;
    let fits = matches!(resource.kind, K::CBuffer | K::RawBuffer | K::StructuredBuffer | K::RtAccelerationStructure);
    if !fits {
        let kind = resource.kind;
        return Err(format!(
            "is a root descriptor, but a {kind} cannot be one; only constant, raw and structured buffers and acceleration \
             structures can"
        ));
    }
    if resource.has_counter {
        return Err("is a root descriptor, which cannot have a counter, but the shader uses its counter".to_owned());
    }
    Ok(())
}
