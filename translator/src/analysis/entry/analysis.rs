//! The analysis of one entry point: what lowering has to know of it before it emits anything.
//!
//! In: the program, the entry, its plan, and what the device and the pipeline decide, as plain
//! data. Out: an [`EntryAnalysis`], which is complete when it is made and does not change. What
//! must hold: an analysis that needs the result of another one comes after it here, and nowhere
//! else.

use std::collections::BTreeMap;

use super::bit_globals::bit_globals;
use super::extracted::ExtractedMembers;
use super::interlock::{self, Interlock};
use super::mesh_payload::mesh_payload;
use super::payloads::{ShaderCall, passed_allocas};
use super::pixel::per_vertex_inputs;
use super::queries::{FunctionQueries, Queries};
use super::roots::{RootBlocks, root_blocks};
use super::stores::{self, StoredColumns};
use super::tables::VectorTables;
use super::tangles::Tangles;
use super::usage::Usage;
use super::vectors::Vectors;
use crate::analysis::program::{Entry, Program};
use crate::binding::plan::BindingPlan;
use crate::ir::{Func, Global, Value};
use crate::ops::MemoryEffect;
use crate::ops::consts::ShaderStage;
use dxil_base::entity::EntitySet;
use dxil_base::error::Result;

/// What an [`EntryAnalysis`] is made from.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisInputs<'a> {
    /// The program that the entry belongs to.
    pub program: &'a Program,
    /// The entry.
    pub entry: &'a Entry,
    /// Where the program's resources live.
    pub plan: &'a BindingPlan,
    /// What the device can do.
    pub device: Device,
    /// Whether the pipeline runs a pixel shader once for each sample.
    pub sample_shading: bool,
    /// Whether accesses to raw and structured buffers may be vectors where their alignment is
    /// proved.
    pub aligned_vectors: bool,
    /// Whether the shader checks the bounds of buffers, and the device does not.
    pub checks_buffers: bool,
}

/// What a device can do, as far as an analysis depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Device {
    /// A vector in memory may begin at any multiple of its component's size.
    pub scalar_layout: bool,
    /// Arithmetic of 16 bits.
    pub native_16_bit: bool,
    /// A lane may become a helper.
    pub demotes: bool,
}

/// The analysis of one entry point.
#[derive(Clone, Debug)]
pub struct EntryAnalysis {
    /// The members of results that are extracted.
    pub extracted: ExtractedMembers,
    /// The usage of each resource by the entry.
    pub usage: Usage,
    /// The accesses to raw and structured buffers that may be vectors.
    pub vectors: Vectors,
    /// The blocks of root arguments that the entry reads.
    pub roots: RootBlocks,
    /// The kinds of tangled operations that the entry has.
    pub tangles: Tangles,
    /// Whether minimum-precision numbers are 32 bits wide in the output.
    pub widens: bool,
    /// Groupshared variables whose floats are declared as integers of the same width.
    pub bit_globals: EntitySet<Global>,
    /// The constant tables that are declared as arrays of vectors.
    pub tables: VectorTables,
    /// What concerns ray queries and shader calls.
    pub rays: RayAnalysis,
    /// What concerns pixel shaders.
    pub pixel: PixelAnalysis,
    /// What concerns mesh and amplification shaders.
    pub mesh: MeshAnalysis,
}

/// The analysis of an entry's ray queries and shader calls.
#[derive(Clone, Debug)]
pub struct RayAnalysis {
    /// The ray queries of the entry.
    pub queries: Queries,
    /// The allocas that shader calls take.
    pub payloads: BTreeMap<(Func, Value), ShaderCall>,
}

/// The analysis of a pixel shader. All is absent in other stages.
#[derive(Clone, Debug)]
pub struct PixelAnalysis {
    /// Numbers of the input elements that are read per vertex, in ascending order.
    pub per_vertex: Vec<u32>,
    /// Whether the shader runs once for each sample: because of what it reads, as in D3D, or of the
    /// pipeline's state.
    pub runs_per_sample: bool,
    /// Whether a discard sets a flag, because the device cannot demote.
    pub flags_discards: bool,
    /// The critical section that rasterizer-ordered views need.
    pub interlock: Option<Interlock>,
}

/// The analysis of a mesh or amplification shader. All is absent in other stages.
#[derive(Clone, Debug)]
pub struct MeshAnalysis {
    /// The groupshared variable that is the payload of an amplification shader.
    pub payload: Option<Global>,
    /// The columns of a mesh shader's outputs that it stores.
    pub stored_columns: StoredColumns,
}

impl EntryAnalysis {
    /// Analyses an entry. `queries` has what is known of functions that other entries of the
    /// program reach too. The cost is a few visits of each instruction that the entry reaches, and
    /// one of each resource.
    ///
    /// # Errors
    /// Those of [`Queries::find`].
    pub fn new(inputs: &AnalysisInputs<'_>, queries: &mut FunctionQueries) -> Result<Self> {
        let AnalysisInputs { program, entry, plan, device, .. } = *inputs;
        let tangles = Tangles::new(entry.reachable.operations);
        let extracted = ExtractedMembers::find(program, entry);
        let mut usage = Usage::find(program, entry, &extracted, device.scalar_layout);
        usage.add_partial_stores(program, entry, plan);
        usage.join_memory(program, entry, plan);
        if tangles.barrier {
            usage.add_fences(program, entry);
        }
        let roots = root_blocks(entry, plan, &usage);
        let vectors = match inputs.aligned_vectors {
            true => Vectors::find(program, entry, &usage, &extracted, inputs.checks_buffers),
            false => Vectors::default(),
        };
        Ok(Self {
            extracted,
            usage,
            vectors,
            roots,
            tangles,
            widens: !entry.flags.native_low_precision() && !device.native_16_bit,
            bit_globals: bit_globals(program, entry),
            tables: VectorTables::find(program),
            rays: RayAnalysis {
                queries: Queries::find(program, entry, queries)?,
                payloads: passed_allocas(program, entry),
            },
            pixel: PixelAnalysis::new(inputs),
            mesh: MeshAnalysis {
                payload: mesh_payload(program, entry),
                stored_columns: stores::columns(program, entry),
            },
        })
    }
}

impl PixelAnalysis {
    fn new(inputs: &AnalysisInputs<'_>) -> Self {
        let AnalysisInputs { program, entry, device, .. } = *inputs;
        let is_pixel = entry.stage == ShaderStage::Pixel;
        Self {
            per_vertex: per_vertex_inputs(program, entry),
            runs_per_sample: entry.runs_per_sample() || is_pixel && inputs.sample_shading,
            flags_discards: is_pixel && !device.demotes && entry.reachable.operations.has_effect(MemoryEffect::Demote),
            interlock: if is_pixel { interlock::find(program, entry) } else { None },
        }
    }
}
