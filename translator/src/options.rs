//! What a translation depends on besides the shader and the binding plan: plain data that hashes and compares.

use crate::profile::DeviceProfile;

/// Options of one translation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options {
    /// What the device has enabled.
    pub profile: DeviceProfile,
    /// What the pipeline around the shader says.
    pub facts: PipelineFacts,
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
}

/// State of the pipeline that decides what a shader means and that the shader itself does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PipelineFacts {
    /// The pipeline blends with two sources: `SV_Target1` is the second source of target 0.
    pub dual_source: bool,
    /// The outputs of this stage go to another shader stage instead of the rasterizer. Then a layer, viewport or shading rate
    /// that it writes is a plain value.
    pub feeds_stage: bool,
    /// Sample count of the pipeline's targets; 0 where it is not known.
    pub samples: u32,
}

/// Who keeps D3D's rules for accesses outside a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bounds {
    /// The driver where the profile has a robustness feature that covers it, else emitted checks.
    #[default]
    Auto,
    /// The driver, always: the caller knows that it does.
    Driver,
    /// Emitted checks, always.
    Emit,
}

impl Bounds {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Driver, Self::Emit];

    /// The word for it in texts and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Driver => "driver",
            Self::Emit => "emit",
        }
    }
}

/// How a vertex shader's inputs get their locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VertexLocations {
    /// Rows counted over elements that are no system values, in signature order: as DXC's SPIR-V.
    #[default]
    Order,
    /// The packed row of the signature.
    Row,
    /// `TEXCOORDn` at n.
    Texcoord,
}

impl VertexLocations {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Order, Self::Row, Self::Texcoord];

    /// The word for it in texts and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Row => "row",
            Self::Texcoord => "texcoord",
        }
    }
}

impl Options {
    /// The defaults for a device.
    pub fn new(profile: DeviceProfile) -> Self {
        Self {
            profile,
            facts: PipelineFacts::default(),
            names: false,
            invert_y: false,
            vulkan_vertex_ids: false,
            bounds: Bounds::default(),
            vertex_locations: VertexLocations::default(),
        }
    }
}
