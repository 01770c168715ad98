//! What a translation depends on besides the shader: plain data that hashes and compares, for cache keys.

use crate::profile::DeviceProfile;

/// Options of one translation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// What the device has enabled.
    pub profile: DeviceProfile,
    /// Write `OpName` for what the shader names.
    pub names: bool,
    /// Flip the sign of the position's y in the last stage before rasterization.
    pub invert_y: bool,
    /// `SV_VertexID` and `SV_InstanceID` as Vulkan has them (with the base included) instead of as D3D does.
    pub vulkan_vertex_ids: bool,
    /// Who answers for out-of-bounds accesses.
    pub bounds: Bounds,
    /// Where vertex inputs are.
    pub vertex_locations: VertexLocations,
    /// The pipeline blends with two sources: `SV_Target1` is the second source of target 0. The shader does not say so.
    pub dual_source: bool,
    /// The outputs go to another shader stage, not to the rasterizer. A vertex or domain shader does not say so.
    pub feeds_stage: bool,
    /// Samples of the pipeline's targets; 0 where they are not known. No instruction asks for them.
    pub samples: u32,
}

/// Who answers for D3D's out-of-bounds rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// The driver where the profile has a robustness feature that covers it, else emitted checks.
    #[default]
    Auto,
    /// The driver, always: the caller knows that it does.
    Driver,
    /// Emitted checks, always.
    Emit,
}

/// How a vertex shader's inputs get their locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexLocations {
    /// Rows counted over elements that are no system values, in signature order: as DXC's SPIR-V.
    #[default]
    Order,
    /// The packed row of the signature.
    Row,
    /// `TEXCOORDn` at n.
    Texcoord,
}

impl Options {
    /// The defaults for a device.
    pub fn new(profile: DeviceProfile) -> Self {
        Self {
            profile,
            names: false,
            invert_y: false,
            vulkan_vertex_ids: false,
            bounds: Bounds::default(),
            vertex_locations: VertexLocations::default(),
            dual_source: false,
            feeds_stage: false,
            samples: 0,
        }
    }
}
