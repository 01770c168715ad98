//! PSV0, pipeline state validation: what a runtime needs to know about a shader, without reading
//! its bitcode.
//!
//! In: the part, and the program's shader kind, which version 0 of the part does not contain. Out:
//! runtime information of versions 0 to 4, resource bindings, signature elements and the dependency
//! tables, all borrowed from the input. What must hold: every table lies inside the part, every
//! offset inside its table. Records carry their size, and the size determines the version. A record
//! larger than the newest known version is read as that version (DxilPipelineStateValidation.h).

use super::names::{ComponentType, InterpolationMode, PsvResourceType, ResourceKind, SemanticKind, ShaderKind};
use super::reader::{ByteReader, Words};
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// Sizes of `PSVRuntimeInfo0` to `PSVRuntimeInfo4`, in bytes. Each appends fields to the one
/// before.
const RUNTIME_INFO_SIZES: [usize; 5] = [24, 36, 48, 52, 56];
/// Size of the union that `PSVRuntimeInfo0` starts with.
const STAGE_INFO_SIZE: usize = 16;
/// Sizes of `PSVResourceBindInfo0` and `PSVResourceBindInfo1`.
const RESOURCE_SIZES: [usize; 2] = [16, 24];
/// Size of `PSVSignatureElement0`.
const ELEMENT_SIZE: usize = 16;
/// Geometry shaders have four output streams, all others one.
const STREAMS: usize = 4;

/// Stage-specific information: the union at the start of the runtime information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageInfo {
    /// Vertex shader.
    Vertex {
        /// Whether SV_Position is written.
        position_present: bool,
    },
    /// Hull shader.
    Hull {
        /// Control points of the input patch.
        input_control_points: u32,
        /// Control points of the output patch.
        output_control_points: u32,
        /// `DXIL::TessellatorDomain`.
        domain: u32,
        /// `DXIL::TessellatorOutputPrimitive`.
        output_primitive: u32,
    },
    /// Domain shader.
    Domain {
        /// Control points of the input patch.
        input_control_points: u32,
        /// Whether SV_Position is written.
        position_present: bool,
        /// `DXIL::TessellatorDomain`.
        domain: u32,
    },
    /// Geometry shader.
    Geometry {
        /// `DXIL::InputPrimitive`.
        input_primitive: u32,
        /// `DXIL::PrimitiveTopology`.
        output_topology: u32,
        /// Streams written, one bit each.
        stream_mask: u32,
        /// Whether SV_Position is written.
        position_present: bool,
    },
    /// Pixel shader.
    Pixel {
        /// Whether a depth is written.
        depth_output: bool,
        /// Whether the shader runs per sample.
        sample_frequency: bool,
    },
    /// Mesh shader.
    Mesh {
        /// Size of groupshared memory, in bytes.
        groupshared_bytes: u32,
        /// Size of groupshared memory that depends on the view, in bytes.
        groupshared_bytes_by_view: u32,
        /// Bytes of the payload.
        payload_bytes: u32,
        /// Largest number of vertices that a group emits.
        max_vertices: u16,
        /// Largest number of primitives that a group emits.
        max_primitives: u16,
    },
    /// Amplification shader.
    Amplification {
        /// Bytes of the payload.
        payload_bytes: u32,
    },
    /// A stage without such information.
    Other,
}

impl StageInfo {
    fn parse(mut reader: ByteReader<'_>, kind: Option<ShaderKind>) -> Result<Self> {
        Ok(match kind {
            Some(ShaderKind::Vertex) => StageInfo::Vertex { position_present: reader.u8()? != 0 },
            Some(ShaderKind::Hull) => StageInfo::Hull {
                input_control_points: reader.u32()?,
                output_control_points: reader.u32()?,
                domain: reader.u32()?,
                output_primitive: reader.u32()?,
            },
            Some(ShaderKind::Domain) => {
                let input_control_points = reader.u32()?;
                let position_present = reader.u8()? != 0;
                reader.bytes(3)?;
                StageInfo::Domain { input_control_points, position_present, domain: reader.u32()? }
            }
            Some(ShaderKind::Geometry) => StageInfo::Geometry {
                input_primitive: reader.u32()?,
                output_topology: reader.u32()?,
                stream_mask: reader.u32()?,
                position_present: reader.u8()? != 0,
            },
            Some(ShaderKind::Pixel) => {
                StageInfo::Pixel { depth_output: reader.u8()? != 0, sample_frequency: reader.u8()? != 0 }
            }
            Some(ShaderKind::Mesh) => StageInfo::Mesh {
                groupshared_bytes: reader.u32()?,
                groupshared_bytes_by_view: reader.u32()?,
                payload_bytes: reader.u32()?,
                max_vertices: reader.u16()?,
                max_primitives: reader.u16()?,
            },
            Some(ShaderKind::Amplification) => StageInfo::Amplification { payload_bytes: reader.u32()? },
            _ => StageInfo::Other,
        })
    }
}

/// The fields that `PSVRuntimeInfo1` adds: the stage and the shape of its signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageShape {
    /// The stage.
    pub kind: ShaderKind,
    /// Whether SV_ViewID is used.
    pub uses_view_id: bool,
    /// Largest number of vertices that a geometry shader emits; zero for other stages.
    pub max_vertex_count: u16,
    /// Vectors of the patch constant (hull, domain) or primitive signature (mesh); zero for other
    /// stages.
    pub patch_or_primitive_vectors: u8,
    /// `DXIL::MeshOutputTopology` of a mesh shader; zero for other stages.
    pub mesh_topology: u8,
    /// Vectors of the input signature.
    pub input_vectors: u8,
    /// Vectors of the output signature, by stream.
    pub output_vectors: [u8; STREAMS],
}

/// A resource binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceBinding {
    /// Kind of binding.
    pub resource_type: PsvResourceType,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower: u32,
    /// Last register; `u32::MAX` for an unbounded range.
    pub upper: u32,
    /// The fields that `PSVResourceBindInfo1` adds: the kind, and flags (1: used by 64-bit
    /// atomics).
    pub kind_and_flags: Option<(ResourceKind, u32)>,
}

/// A signature element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PsvElement<'a> {
    /// Semantic name; empty for system values.
    pub name: &'a str,
    /// Semantic indexes, one per row.
    pub indexes: Words<'a>,
    /// First row, if the element is allocated.
    pub start_row: u8,
    /// Number of columns.
    pub columns: u8,
    /// First column, if the element is allocated.
    pub start_column: u8,
    /// Whether the element has a place in the packed signature.
    pub allocated: bool,
    /// Semantic.
    pub semantic: SemanticKind,
    /// Component type.
    pub component_type: ComponentType,
    /// Interpolation mode.
    pub interpolation: InterpolationMode,
    /// Columns that are indexed dynamically, one bit each.
    pub dynamic_mask: u8,
    /// Output stream.
    pub stream: u8,
}

/// The outputs that depend on SV_ViewID or on inputs, as masks of `vectors` × 4 bits in whole
/// words. The dependency on SV_ViewID is a single mask; a table over inputs has one mask per input
/// component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dependencies<'a> {
    /// The masks, one after the other.
    pub words: Words<'a>,
    /// Output vectors.
    pub vectors: u8,
}

impl<'a> Dependencies<'a> {
    /// Words per mask: one bit per component, four components per vector.
    fn words_per_mask(vectors: u8) -> usize {
        usize::from(vectors).div_ceil(8)
    }
    fn mask(reader: &mut ByteReader<'a>, vectors: u8) -> Result<Self> {
        Ok(Self { words: Words::new(reader.records(Self::words_per_mask(vectors), 4)?), vectors })
    }
    fn table(reader: &mut ByteReader<'a>, inputs: u8, outputs: u8) -> Result<Self> {
        let masks = usize::from(inputs) * 4;
        Ok(Self { words: Words::new(reader.records(masks * Self::words_per_mask(outputs), 4)?), vectors: outputs })
    }
    /// Whether output component `output` depends on input component `input`.
    pub fn depends(&self, input: usize, output: usize) -> bool {
        if output / 4 >= usize::from(self.vectors) {
            return false;
        }
        let start = input.saturating_mul(Self::words_per_mask(self.vectors));
        self.words.get(start.saturating_add(output / 32)).is_some_and(|word| word >> (output % 32) & 1 != 0)
    }
}

/// The PSV0 part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineStateValidation<'a> {
    /// Version of the runtime information, 0 to 4.
    pub version: u8,
    /// Stage-specific information.
    pub stage: StageInfo,
    /// Smallest number of wave lanes; 0 for any.
    pub min_wave_lanes: u32,
    /// Largest number of wave lanes; `u32::MAX` for any.
    pub max_wave_lanes: u32,
    /// Version 1: stage and signature shape.
    pub shape: Option<StageShape>,
    /// Version 2: threads in a group.
    pub num_threads: Option<[u32; 3]>,
    /// Version 3: name of the entry function.
    pub entry_name: Option<&'a str>,
    /// Version 4: size of groupshared memory, in bytes.
    pub groupshared_bytes: Option<u32>,
    /// Resource bindings.
    pub resources: Vec<ResourceBinding>,
    /// Input signature elements.
    pub inputs: Vec<PsvElement<'a>>,
    /// Output signature elements.
    pub outputs: Vec<PsvElement<'a>>,
    /// Patch constant or primitive signature elements.
    pub patch_or_primitive: Vec<PsvElement<'a>>,
    /// Outputs that depend on SV_ViewID, by stream.
    pub view_id_outputs: [Dependencies<'a>; STREAMS],
    /// Patch constants or primitive outputs that depend on SV_ViewID.
    pub view_id_patch_or_primitive: Dependencies<'a>,
    /// Outputs that depend on inputs, by stream.
    pub input_outputs: [Dependencies<'a>; STREAMS],
    /// Patch constants that depend on inputs (hull).
    pub input_patch_constants: Dependencies<'a>,
    /// Outputs that depend on patch constants (domain).
    pub patch_constant_outputs: Dependencies<'a>,
    /// Bytes of the part after everything known.
    pub trailing: usize,
}

/// Names and semantic indexes that signature elements refer to.
#[derive(Clone, Copy)]
struct Tables<'a> {
    strings: ByteReader<'a>,
    indexes: Words<'a>,
}

impl<'a> PipelineStateValidation<'a> {
    pub(super) fn parse(part: ByteReader<'a>, program: Option<ShaderKind>) -> Result<Self> {
        let mut reader = part;
        let size_place = reader.place();
        let size = reader.u32()? as usize;
        let Some(version) = RUNTIME_INFO_SIZES.iter().rposition(|&known| size >= known) else {
            let least = RUNTIME_INFO_SIZES[0];
            return Err(malformed!(size_place, "the runtime information has {size} bytes; expected at least {least}"));
        };
        let mut info = reader.part(size, "PSV0 runtime information")?;
        let stage_info = info;
        info.bytes(STAGE_INFO_SIZE)?;
        let (min_wave_lanes, max_wave_lanes) = (info.u32()?, info.u32()?);
        let mut element_counts = [0; 3];
        let shape = if version >= 1 { Some(StageShape::parse(&mut info, &mut element_counts)?) } else { None };
        let num_threads = if version >= 2 { Some([info.u32()?, info.u32()?, info.u32()?]) } else { None };
        let entry_name_at = if version >= 3 { Some((info.place(), info.u32()? as usize)) } else { None };
        let groupshared_bytes = if version >= 4 { Some(info.u32()?) } else { None };
        let stage = StageInfo::parse(stage_info, shape.map(|shape| shape.kind).or(program))?;

        let mut psv = Self {
            version: version as u8,
            stage,
            min_wave_lanes,
            max_wave_lanes,
            shape,
            num_threads,
            entry_name: None,
            groupshared_bytes,
            resources: parse_resources(&mut reader)?,
            inputs: Vec::new(),
            outputs: Vec::new(),
            patch_or_primitive: Vec::new(),
            view_id_outputs: Default::default(),
            view_id_patch_or_primitive: Default::default(),
            input_outputs: Default::default(),
            input_patch_constants: Default::default(),
            patch_constant_outputs: Default::default(),
            trailing: 0,
        };
        if let Some(shape) = shape {
            let tables = Tables::parse(&mut reader)?;
            if let Some((place, offset)) = entry_name_at {
                psv.entry_name = Some(tables.string(place, offset)?);
            }
            [psv.inputs, psv.outputs, psv.patch_or_primitive] = tables.elements(&mut reader, element_counts)?;
            psv.parse_dependencies(&mut reader, shape)?;
        }
        psv.trailing = reader.left();
        Ok(psv)
    }

    fn parse_dependencies(&mut self, reader: &mut ByteReader<'a>, shape: StageShape) -> Result<()> {
        let StageShape { kind, input_vectors, output_vectors, patch_or_primitive_vectors: patch, .. } = shape;
        let streams = if kind == ShaderKind::Geometry { STREAMS } else { 1 };
        if shape.uses_view_id {
            for (mask, &vectors) in self.view_id_outputs.iter_mut().zip(&output_vectors[..streams]) {
                *mask = Dependencies::mask(reader, vectors)?;
            }
            if matches!(kind, ShaderKind::Hull | ShaderKind::Mesh) {
                self.view_id_patch_or_primitive = Dependencies::mask(reader, patch)?;
            }
        }
        if kind != ShaderKind::Mesh {
            for (table, &vectors) in self.input_outputs.iter_mut().zip(&output_vectors[..streams]) {
                *table = Dependencies::table(reader, input_vectors, vectors)?;
            }
        }
        if kind == ShaderKind::Hull {
            self.input_patch_constants = Dependencies::table(reader, input_vectors, patch)?;
        }
        if kind == ShaderKind::Domain {
            self.patch_constant_outputs = Dependencies::table(reader, patch, output_vectors[0])?;
        }
        Ok(())
    }
}

impl StageShape {
    fn parse(info: &mut ByteReader<'_>, element_counts: &mut [usize; 3]) -> Result<Self> {
        let kind = ShaderKind::new(u16::from(info.u8()?));
        let uses_view_id = info.u8()? != 0;
        // These two bytes are a union: a vertex count of 16 bits (geometry), or a byte of vectors
        // and, for mesh shaders, a byte of topology.
        let [low, high] = [info.u8()?, info.u8()?];
        for count in element_counts {
            *count = usize::from(info.u8()?);
        }
        let has_patch = matches!(kind, ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Mesh);
        Ok(Self {
            kind,
            uses_view_id,
            max_vertex_count: if kind == ShaderKind::Geometry { u16::from_le_bytes([low, high]) } else { 0 },
            patch_or_primitive_vectors: if has_patch { low } else { 0 },
            mesh_topology: if kind == ShaderKind::Mesh { high } else { 0 },
            input_vectors: info.u8()?,
            output_vectors: [info.u8()?, info.u8()?, info.u8()?, info.u8()?],
        })
    }
}

fn parse_resources(reader: &mut ByteReader<'_>) -> Result<Vec<ResourceBinding>> {
    let place = reader.place();
    let count = reader.u32()? as usize;
    limits::check(place, "resource bindings", count, limits::RESOURCES)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let place = reader.place();
    let stride = reader.u32()? as usize;
    if stride < RESOURCE_SIZES[0] {
        return Err(malformed!(
            place,
            "resource bindings have {stride} bytes each; expected at least {}",
            RESOURCE_SIZES[0]
        ));
    }
    { *reader }.records(count, stride)?;
    let mut resources = Vec::with_capacity(count);
    for _ in 0..count {
        let mut record = *reader;
        reader.bytes(stride)?;
        resources.push(ResourceBinding {
            resource_type: PsvResourceType::new(record.u32()?),
            space: record.u32()?,
            lower: record.u32()?,
            upper: record.u32()?,
            kind_and_flags: match stride >= RESOURCE_SIZES[1] {
                true => Some((ResourceKind::new(record.u32()?), record.u32()?)),
                false => None,
            },
        });
    }
    Ok(resources)
}

impl<'a> Tables<'a> {
    fn parse(reader: &mut ByteReader<'a>) -> Result<Self> {
        let place = reader.place();
        let size = reader.u32()? as usize;
        if !size.is_multiple_of(4) {
            return Err(malformed!(place, "the string table has {size} bytes; expected a multiple of four"));
        }
        let strings = reader.part(size, "PSV0 string table")?;
        let count = reader.u32()? as usize;
        Ok(Self { strings, indexes: Words::new(reader.records(count, 4)?) })
    }

    fn string(&self, place: Place, offset: usize) -> Result<&'a str> {
        // An empty table contains only the empty string.
        if offset == 0 && self.strings.left() == 0 {
            return Ok("");
        }
        let mut at = self
            .strings
            .seek(offset)
            .map_err(|_| malformed!(place, "there is no string at offset {offset} of the string table"))?;
        at.string()
    }

    fn elements(&self, reader: &mut ByteReader<'a>, counts: [usize; 3]) -> Result<[Vec<PsvElement<'a>>; 3]> {
        let mut lists = [const { Vec::new() }; 3];
        if counts == [0; 3] {
            return Ok(lists);
        }
        let place = reader.place();
        let stride = reader.u32()? as usize;
        if stride < ELEMENT_SIZE {
            return Err(malformed!(
                place,
                "signature elements have {stride} bytes each; expected at least {ELEMENT_SIZE}"
            ));
        }
        for (list, count) in lists.iter_mut().zip(counts) {
            for _ in 0..count {
                let record = *reader;
                reader.bytes(stride)?;
                list.push(self.element(record)?);
            }
        }
        Ok(lists)
    }

    fn element(&self, mut record: ByteReader<'a>) -> Result<PsvElement<'a>> {
        let place = record.place();
        let name = self.string(place, record.u32()? as usize)?;
        let (first_index, rows, start_row) = (record.u32()? as usize, record.u8()?, record.u8()?);
        let indexes = self.indexes.slice(first_index, usize::from(rows)).ok_or_else(|| {
            let len = self.indexes.len();
            malformed!(
                place,
                "an element has {rows} semantic indexes from {first_index} on, but the table has only {len}"
            )
        })?;
        // The bits are: four for columns, two for the first column, one for allocation.
        let place_bits = record.u8()?;
        let semantic = SemanticKind::new(record.u8()?);
        let component_type = ComponentType::new(u32::from(record.u8()?));
        let interpolation = InterpolationMode::new(record.u8()?);
        let dynamic_bits = record.u8()?;
        Ok(PsvElement {
            name,
            indexes,
            start_row,
            columns: place_bits & 0xf,
            start_column: place_bits >> 4 & 3,
            allocated: place_bits >> 6 & 1 != 0,
            semantic,
            component_type,
            interpolation,
            dynamic_mask: dynamic_bits & 0xf,
            stream: dynamic_bits >> 4 & 3,
        })
    }
}
