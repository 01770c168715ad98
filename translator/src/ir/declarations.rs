//! What the metadata of a module declares of an entry point: signatures, shader flags, and the
//! properties of its stage.
//!
//! In: [`decode::metadata`](crate::decode::metadata) fills these types. Out: plain data, which does
//! not change any more. What must hold: a signature finds an element by its id in constant or
//! logarithmic time, whatever the ids are.

use std::sync::Arc;

use crate::ir::nodes::NodeProperties;
use crate::ops::consts::{
    ComponentType, InputPrimitive, InterpolationMode, MeshOutputTopology, PrimitiveTopology, SemanticKind,
    TessellatorDomain, TessellatorOutputPrimitive, TessellatorPartitioning,
};

/// One element of a signature: rows of one to four components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureElement {
    /// Its number, by which `loadInput` and `storeOutput` name it.
    pub id: u32,
    /// Semantic name, for example `TEXCOORD`.
    pub name: Arc<str>,
    /// The system value that the semantic stands for, if any.
    pub semantic: SemanticKind,
    /// Semantic index of each row.
    pub indices: Box<[u32]>,
    /// Type of its components.
    pub component: ComponentType,
    /// How a pixel shader's input is interpolated.
    pub interpolation: InterpolationMode,
    /// Number of rows: 1, or the length of the array.
    pub rows: u32,
    /// Components per row, 1 to 4.
    pub cols: u8,
    /// First row after packing; `None` if the element is not packed, as some system values.
    pub start_row: Option<u32>,
    /// First component after packing.
    pub start_col: u8,
    /// Geometry stream.
    pub stream: u32,
    /// Mask of the components that are read (inputs) or written (outputs); 0xf if the metadata does
    /// not tell.
    pub usage_mask: u8,
    /// Mask of components indexed dynamically.
    pub dynamic_index_mask: u8,
}

impl SignatureElement {
    /// Number of components.
    pub fn components(&self) -> u32 {
        self.rows.saturating_mul(u32::from(self.cols))
    }

    /// Whether a shader with this input reads it.
    pub fn is_read(&self) -> bool {
        self.usage_mask != 0 || self.dynamic_index_mask != 0
    }
}

/// A signature: its elements, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// The elements.
    pub elements: Vec<SignatureElement>,
    /// The numbers of the elements in `elements`, by id. Empty if all ids are these numbers.
    by_id: Vec<u32>,
    /// The components of each element's semantic.
    sums: Vec<SemanticComponents>,
}

/// The components that the elements of one semantic and stream have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SemanticComponents {
    /// Those of the elements before one of them.
    pub before: u32,
    /// Those of all elements.
    pub total: u32,
}

impl Signature {
    /// A signature of these elements.
    pub fn new(elements: Vec<SignatureElement>) -> Self {
        let id = |&number: &u32| elements.get(number as usize).map(|element| element.id);
        let mut by_id: Vec<u32> = Vec::new();
        if elements.iter().zip(0..).any(|(element, number)| element.id != number) {
            by_id.extend(0..elements.len() as u32);
            by_id.sort_by_key(id);
        }
        let sum = |of: &SignatureElement, among: &[SignatureElement]| {
            let same = among.iter().filter(|other| (other.semantic, other.stream) == (of.semantic, of.stream));
            same.fold(0, |sum: u32, other| sum.saturating_add(other.components()))
        };
        // A signature has few elements: `limits::SIGNATURE_ELEMENTS` at most.
        let sums = elements.iter().enumerate().map(|(number, element)| SemanticComponents {
            before: sum(element, &elements[..number]),
            total: sum(element, &elements),
        });
        let sums = sums.collect();
        Self { elements, by_id, sums }
    }

    /// The element with this id.
    pub fn element(&self, id: u32) -> Option<&SignatureElement> {
        self.elements.get(self.number(id)?)
    }

    /// What the elements of an element's semantic and stream have together. The element is one of
    /// this signature.
    pub fn components(&self, element: &SignatureElement) -> SemanticComponents {
        self.number(element.id).and_then(|number| self.sums.get(number)).copied().unwrap_or_default()
    }

    /// The bytes that its lists occupy, without what the elements point to.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.elements.capacity() * size_of::<SignatureElement>()
            + self.by_id.capacity() * size_of::<u32>()
            + self.sums.capacity() * size_of::<SemanticComponents>()
    }

    /// The place of the element with this id. Ids are the places, unless a signature has gaps or
    /// another order.
    fn number(&self, id: u32) -> Option<usize> {
        let id_at = |number: usize| self.elements.get(number).map(|element| element.id);
        let number = id as usize;
        if id_at(number) == Some(id) {
            return Some(number);
        }
        let first = self.by_id.partition_point(|&number| id_at(number as usize) < Some(id));
        let number = *self.by_id.get(first)? as usize;
        (id_at(number) == Some(id)).then_some(number)
    }
}

/// The flags of `ShaderFlags` metadata (DXIL.rst, "Shader Flags"), with functions for those that
/// the translation uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShaderFlags(pub u64);

impl ShaderFlags {
    /// The flags that are options of the compiler and therefore hold for every entry point of a
    /// library.
    pub fn compilation_flags(self) -> Self {
        Self(self.0 & (1 << 23))
    }
    /// Bit 3: `[earlydepthstencil]`.
    pub fn early_depth_stencil(self) -> bool {
        self.0 >> 3 & 1 != 0
    }
    /// Bit 13: typed loads of UAVs of more than one 32-bit component.
    pub fn typed_uav_load_additional_formats(self) -> bool {
        self.0 >> 13 & 1 != 0
    }
    /// Bit 23: `half` and `min16int` are native 16-bit types.
    pub fn native_low_precision(self) -> bool {
        self.0 >> 23 & 1 != 0
    }
}

/// The properties of an entry point that depend on its stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StageProperties {
    /// A stage without properties besides its signatures.
    #[default]
    None,
    /// Compute shader.
    Compute {
        /// `[numthreads]`.
        num_threads: [u32; 3],
        /// `[WaveSize]`: minimum, maximum (0: exact), preferred (0: none).
        wave_size: Option<[u32; 3]>,
    },
    /// Geometry shader.
    Geometry {
        /// Input primitive.
        input: InputPrimitive,
        /// Maximum number of vertices that an invocation emits.
        max_vertices: u32,
        /// Mask of the streams that it emits to.
        streams: u32,
        /// Topology of the output primitives.
        output: PrimitiveTopology,
        /// Invocations per primitive.
        instances: u32,
    },
    /// Hull shader.
    Hull {
        /// Control points of the input patch.
        input_points: u32,
        /// Control points of the output patch, which is the number of invocations of the
        /// control-point phase.
        output_points: u32,
        /// Tessellation domain.
        domain: TessellatorDomain,
        /// Partitioning mode.
        partitioning: TessellatorPartitioning,
        /// Primitive that the tessellator outputs.
        output: TessellatorOutputPrimitive,
    },
    /// Domain shader.
    Domain {
        /// Tessellation domain.
        domain: TessellatorDomain,
        /// Control points of the input patch.
        input_points: u32,
    },
    /// Mesh shader.
    Mesh {
        /// `[numthreads]`.
        num_threads: [u32; 3],
        /// `[WaveSize]`, as in a compute shader.
        wave_size: Option<[u32; 3]>,
        /// Vertices that a group outputs at most.
        max_vertices: u32,
        /// Primitives that a group outputs at most.
        max_primitives: u32,
        /// Topology of the output primitives.
        topology: MeshOutputTopology,
        /// Size of the payload in bytes; 0 if the shader does not read one.
        payload_bytes: u32,
    },
    /// Amplification shader.
    Amplification {
        /// `[numthreads]`.
        num_threads: [u32; 3],
        /// `[WaveSize]`, as in a compute shader.
        wave_size: Option<[u32; 3]>,
        /// Size of the payload in bytes.
        payload_bytes: u32,
    },
    /// A stage of a ray-tracing pipeline.
    Rays {
        /// Size of the payload, or of a callable shader's parameter, in bytes; 0 if the stage has
        /// none.
        payload_bytes: u32,
        /// Size of the attributes in bytes; 0 if the stage has none.
        attribute_bytes: u32,
    },
    /// A node of a work graph.
    Node(Box<NodeProperties>),
}

impl StageProperties {
    /// `[numthreads]` of a stage that has thread groups.
    pub fn num_threads(&self) -> Option<[u32; 3]> {
        match *self {
            Self::Compute { num_threads, .. }
            | Self::Mesh { num_threads, .. }
            | Self::Amplification { num_threads, .. } => Some(num_threads),
            Self::Node(ref node) => node.num_threads,
            _ => None,
        }
    }

    /// `[WaveSize]` of a stage that has thread groups: minimum, maximum (0: exact), preferred (0:
    /// none).
    pub fn wave_size(&self) -> Option<[u32; 3]> {
        match *self {
            Self::Compute { wave_size, .. } | Self::Mesh { wave_size, .. } | Self::Amplification { wave_size, .. } => {
                wave_size
            }
            _ => None,
        }
    }
}
