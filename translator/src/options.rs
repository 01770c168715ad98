//! The options of a translation: everything that it depends on besides the shader and the binding
//! plan. They are plain data that can be compared and hashed.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use dxil_base::limits::Budget;
use dxil_base::profile::DeviceProfile;

/// Options of one translation. Those that are not the default are in the text of a
/// [`Request`](crate::request::Request).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Options {
    /// The features and limits that are enabled on the device. A profile writes its own text.
    #[serde(skip_serializing)]
    pub profile: DeviceProfile,
    /// The state of the pipeline that the shader is part of.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pipeline: PipelineState,
    /// Whether to write `OpName` for everything that the shader names, and for resources. Those
    /// have their names in the source where a part of the container has them (STAT or ILDB, which
    /// `dxc` leaves out with `-Qstrip_reflect`), otherwise their registers, as in `t3_space1`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub names: bool,
    /// Whether to negate the y coordinate of the position in the last stage before rasterization.
    #[serde(default, skip_serializing_if = "is_default")]
    pub invert_y: bool,
    /// Whether `SV_VertexID` and `SV_InstanceID` include the base, as in Vulkan. In D3D they do
    /// not.
    #[serde(default, skip_serializing_if = "is_default")]
    pub vulkan_vertex_ids: bool,
    /// Who keeps D3D's rules for accesses outside a resource.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bounds: Bounds,
    /// How several components of a byte-address buffer are accessed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub raw_vectors: RawVectors,
    /// How the inputs of a vertex shader get their locations.
    #[serde(default, skip_serializing_if = "is_default")]
    pub vertex_locations: VertexLocations,
    /// The name of the entry point in the words; `None` for the shader's own name. A module with
    /// several entry points cannot have it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub entry_point_name: Option<Arc<str>>,
    /// Whether the positions that a stage writes are decorated Invariant: two pipelines with the
    /// same expressions for the position then compute the same position.
    #[serde(default, skip_serializing_if = "is_default")]
    pub invariant_position: bool,
    /// Whether all arithmetic with floats is decorated NoContraction, as if the source said
    /// `precise` everywhere.
    #[serde(default, skip_serializing_if = "is_default")]
    pub precise: bool,
    /// What is written of the shader's source, where the container has debug information
    /// ([`Shader::debug_warning`](crate::shader::Shader::debug_warning)).
    #[serde(default, skip_serializing_if = "is_default")]
    pub debug: Debug,
    /// What the translation may cost. The words do not depend on it, so it is no part of a
    /// [`Request`](crate::request::Request).
    #[serde(skip)]
    pub budget: Budget,
}

/// State of the pipeline that changes what a shader means and that the shader itself does not
/// state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PipelineState {
    /// Whether the pipeline blends with two sources: then `SV_Target1` is the second source of
    /// target 0.
    #[serde(skip_serializing_if = "is_default")]
    pub dual_source: bool,
    /// Whether the outputs of this stage go to another shader stage instead of the rasterizer. Then
    /// a layer, viewport or shading rate that the stage writes is a plain value.
    #[serde(skip_serializing_if = "is_default")]
    pub feeds_stage: bool,
    /// Sample count of the pipeline's targets; 0 if it is not known.
    #[serde(skip_serializing_if = "is_default")]
    pub samples: u32,
    /// The id of a specialisation constant that has the sample count, where `samples` is 0. Its
    /// default value is 1. The translator does not know the count then, so what depends on it in
    /// another way than by its number and the samples' positions is refused.
    pub samples_constant: Option<u32>,
    /// Whether the pipeline's state makes a pixel shader run several times for a pixel
    /// (`VkPipelineMultisampleStateCreateInfo::sampleShadingEnable`). In D3D the shader alone says
    /// how often it runs.
    #[serde(skip_serializing_if = "is_default")]
    pub sample_shading: bool,
    /// Whether 16-bit values between the stages have 32 bits in SPIR-V, although the device has
    /// 16-bit interfaces. All stages of a pipeline must agree. A pixel shader needs it that
    /// evaluates a 16-bit input at another place
    /// ([`Entry::evaluates_16_bit_inputs`](crate::analysis::program::Entry::evaluates_16_bit_inputs)),
    /// because SPIR-V interpolates floats of 32 bits only.
    #[serde(skip_serializing_if = "is_default")]
    pub wide_interface: bool,
    /// The order in which the components of a pixel shader's outputs go to each target.
    #[serde(skip_serializing_if = "is_default")]
    pub output_swizzles: [Swizzle; 8],
    /// The first location of patch constants, which must be the same in the hull and the domain
    /// shader of a pipeline and above the rows of the control points; `None` for
    /// [`PATCH_LOCATION`](Self::PATCH_LOCATION).
    pub patch_location: Option<u32>,
    /// The outputs of the mesh shader whose primitives a pixel shader draws
    /// ([`Shader::mesh_outputs`](crate::shader::Shader::mesh_outputs)); `None` without a mesh
    /// shader, or if it is not known. D3D links these two stages by semantics and not by packed
    /// rows, and a pixel shader does not state which inputs have one value per primitive.
    pub mesh_outputs: Option<Arc<[MeshOutput]>>,
    /// How the hull shader before a domain shader divides its patches
    /// ([`Shader::tessellation`](crate::shader::Shader::tessellation)); `None` if the domain shader
    /// need not repeat that. A pipeline takes it from either stage. Shader objects
    /// (VK_EXT_shader_object) take it from the domain shader, which does not state it in D3D.
    pub tessellation: Option<Tessellation>,
    /// The outputs that this stage, the last one before the rasterizer, also writes to buffers
    /// (VK_EXT_transform_feedback); `None` for none.
    pub stream_output: Option<Arc<[StreamOutput]>>,
    /// How the views of a multiview draw are the view instances of D3D; `None` if `SV_ViewID` is
    /// the index of the view, and no instance has a viewport of its own.
    pub view_instancing: Option<ViewInstancing>,
}

impl PipelineState {
    /// The first location of patch constants where none is given. D3D packs them separately from
    /// control points, but in Vulkan both share one range of locations. A stage does not know how
    /// many rows each of the two signatures has in the other stage. So each gets half of the 32
    /// rows that D3D allows.
    pub const PATCH_LOCATION: u32 = 16;
}

/// Whether a text leaves out a value.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How a hull shader divides its patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Tessellation {
    /// How edges are divided.
    pub spacing: Spacing,
    /// What the tessellator outputs.
    pub output: TessellatorOutput,
    /// Control points of the output patch.
    #[serde(deserialize_with = "not_zero")]
    pub points: u32,
}

impl Tessellation {
    /// A division of patches with this number of output control points.
    pub fn new(spacing: Spacing, output: TessellatorOutput, points: u32) -> Self {
        Self { spacing, output, points }
    }
}

fn not_zero<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    NonZeroU32::deserialize(from).map(NonZeroU32::get)
}

/// How the tessellator divides edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Spacing {
    /// Into equal parts.
    Equal,
    /// Into an odd number of parts, two of which may be shorter.
    FractionalOdd,
    /// Into an even number of parts, two of which may be shorter.
    FractionalEven,
}

/// What the tessellator outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TessellatorOutput {
    /// Points.
    Points,
    /// Lines.
    Lines,
    /// Triangles with clockwise winding.
    Clockwise,
    /// Triangles with counterclockwise winding.
    Counterclockwise,
}

/// A row of an output that is also written to a buffer. The row is written as a whole. The rows of
/// an array follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StreamOutput {
    /// Semantic name in capital letters, without the index.
    #[serde(deserialize_with = "capitals")]
    pub semantic: Box<str>,
    /// Semantic index.
    pub index: u32,
    /// The stream of a geometry shader.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stream: u32,
    /// Number of the buffer. All outputs in a buffer are of one stream.
    pub buffer: u32,
    /// First byte in a vertex of the buffer.
    pub offset: u32,
    /// Bytes of a vertex, which all outputs in a buffer agree on.
    pub stride: u32,
}

impl StreamOutput {
    /// An output of stream 0, at a byte of the vertices of a buffer, which have `stride` bytes.
    pub fn new(semantic: &str, index: u32, buffer: u32, offset: u32, stride: u32) -> Self {
        Self { semantic: semantic.to_ascii_uppercase().into(), index, stream: 0, buffer, offset, stride }
    }
}

impl FromStr for StreamOutput {
    type Err = String;
    /// Reads `SEMANTIC=STREAM:BUFFER:OFFSET:STRIDE`, with the semantic's index behind its name.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected SEMANTIC=STREAM:BUFFER:OFFSET:STRIDE, found `{}`", text.escape_debug());
        let (semantic, numbers) = text.split_once('=').ok_or_else(wrong)?;
        let name = semantic.trim_end_matches(|c: char| c.is_ascii_digit());
        let index = match semantic.strip_prefix(name) {
            None | Some("") => 0,
            Some(digits) => digits.parse().map_err(|_| wrong())?,
        };
        let numbers = numbers.split(':').map(str::parse).collect::<Result<Vec<u32>, _>>().map_err(|_| wrong())?;
        match *numbers.as_slice() {
            [stream, buffer, offset, stride] if !name.is_empty() => {
                Ok(Self { stream, ..Self::new(name, index, buffer, offset, stride) })
            }
            _ => Err(wrong()),
        }
    }
}

/// D3D's view instancing by Vulkan's multiview: the ids of two specialisation constants. Each has
/// 32 bits, four for each of eight numbers, of which the lowest are the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ViewInstancing {
    /// The constant that has the view instance, which is `SV_ViewID`, of each view. By default they
    /// have the same numbers.
    pub instances: u32,
    /// The constant that has the viewport of each view instance, which is added to the one that a
    /// shader chooses. By default it is 0.
    pub viewports: u32,
}

impl ViewInstancing {
    /// View instancing by the constants with these ids.
    pub fn new(instances: u32, viewports: u32) -> Self {
        Self { instances, viewports }
    }
}

impl FromStr for ViewInstancing {
    type Err = String;
    /// Reads `INSTANCES:VIEWPORTS`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected INSTANCES:VIEWPORTS, found `{}`", text.escape_debug());
        let (instances, viewports) = text.split_once(':').ok_or_else(wrong)?;
        let id = |text: &str| text.parse().map_err(|_| wrong());
        Ok(Self::new(id(instances)?, id(viewports)?))
    }
}

/// The components of a pixel shader's output in the order in which a target gets them. The text
/// form has a letter for each: `zyxw` gives the target's first component the third of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Swizzle([u8; 4]);

impl Swizzle {
    /// The order of the output.
    pub const IDENTITY: Self = Self([0, 1, 2, 3]);

    /// A swizzle of two bits for each component. The lowest bits are the number of the output's
    /// component that the target's first one gets.
    pub const fn from_bits(bits: u8) -> Self {
        Self([bits & 3, bits >> 2 & 3, bits >> 4 & 3, bits >> 6])
    }

    /// For each component of the target, the number of the output's.
    pub const fn components(self) -> [u8; 4] {
        self.0
    }
}

impl Default for Swizzle {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The letters of components.
const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .filter_map(|&number| LETTERS.get(usize::from(number)))
            .try_for_each(|letter| write!(f, "{letter}"))
    }
}

impl From<Swizzle> for String {
    fn from(swizzle: Swizzle) -> Self {
        swizzle.to_string()
    }
}

impl TryFrom<String> for Swizzle {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Swizzle {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |letter| LETTERS.iter().position(|&known| known == letter).map(|number| number as u8);
        let numbers: Option<Vec<u8>> = text.chars().map(number).collect();
        let components = numbers.and_then(|numbers| numbers.try_into().ok());
        components.map(Self).ok_or_else(|| format!("expected four of the letters x, y, z and w, found `{text}`"))
    }
}

/// A row of an output of a mesh shader.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MeshOutput {
    /// Semantic name in capital letters, without the index.
    #[serde(deserialize_with = "capitals")]
    pub semantic: Box<str>,
    /// Semantic index of the row.
    pub index: u32,
    /// Number of components.
    pub components: u8,
    /// Location and first component; `None` for a builtin.
    pub location: Option<(u32, u32)>,
    /// Whether there is one value per primitive instead of one per vertex.
    #[serde(default, skip_serializing_if = "is_default")]
    pub per_primitive: bool,
}

impl MeshOutput {
    /// The row of an output with a semantic.
    pub fn new(semantic: &str, index: u32, components: u8, per_primitive: bool) -> Self {
        Self { semantic: semantic.to_ascii_uppercase().into(), index, components, location: None, per_primitive }
    }
}

/// Reads the name of a semantic, which has no case in D3D.
fn capitals<'de, D: Deserializer<'de>>(from: D) -> Result<Box<str>, D::Error> {
    Ok(String::deserialize(from)?.to_ascii_uppercase().into())
}

/// Who keeps D3D's rules for accesses outside a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Bounds {
    /// The driver, if a robustness feature of the profile covers the access; otherwise emitted
    /// checks.
    #[default]
    Auto,
    /// Always the driver: the caller knows that it keeps the rules.
    Driver,
    /// Always emitted checks.
    Emit,
}

impl Bounds {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Driver, Self::Emit];

    /// The value's name in texts and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Driver => "driver",
            Self::Emit => "emit",
        }
    }
}

/// What a translation says of the shader's source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Debug {
    /// Nothing.
    #[default]
    None,
    /// Files with their texts, and lines: `OpSource` and `OpLine`.
    Lines,
    /// Files, lines, scopes, inlined calls, types and variables:
    /// `NonSemantic.Shader.DebugInfo.100`. On a device without `VK_KHR_shader_non_semantic_info` it
    /// is [`Lines`](Self::Lines).
    Full,
}

impl Debug {
    /// All values.
    pub const ALL: [Self; 3] = [Self::None, Self::Lines, Self::Full];

    /// The value's name in texts and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lines => "lines",
            Self::Full => "full",
        }
    }
}

/// How several components of a byte-address buffer, or of a structured buffer without fixed
/// members, are accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RawVectors {
    /// As vectors where the shader's arithmetic proves that the address is aligned to the vector's
    /// size. Where the driver keeps the bounds, it may treat a vector across the end of a buffer as
    /// wholly outside.
    #[default]
    Aligned,
    /// One by one, so that each component has its own bounds on every device.
    Exact,
}

impl RawVectors {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Aligned, Self::Exact];

    /// The value's name in texts and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aligned => "aligned",
            Self::Exact => "exact",
        }
    }
}

/// How a vertex shader's inputs get their locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VertexLocations {
    /// Locations are counted in signature order, one per row of an element, leaving out
    /// `SV_VertexID` and `SV_InstanceID`. DXC's SPIR-V has the same locations.
    #[default]
    Order,
    /// The location is the row at which the signature packs the element.
    Row,
    /// `TEXCOORDn` is at location n. A vertex input with another semantic name is an error.
    Texcoord,
}

impl VertexLocations {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Order, Self::Row, Self::Texcoord];

    /// The value's name in texts and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Row => "row",
            Self::Texcoord => "texcoord",
        }
    }
}

impl Options {
    /// The default options for a device with this profile.
    pub fn new(profile: DeviceProfile) -> Self {
        Self {
            profile,
            pipeline: PipelineState::default(),
            names: false,
            invert_y: false,
            vulkan_vertex_ids: false,
            bounds: Bounds::default(),
            raw_vectors: RawVectors::default(),
            vertex_locations: VertexLocations::default(),
            entry_point_name: None,
            invariant_position: false,
            precise: false,
            debug: Debug::default(),
            budget: Budget::default(),
        }
    }
}
