//! Named limits on every count, nesting depth, size and output. They are checked before memory is
//! allocated. Each constant is the largest allowed number of the items that its documentation
//! names.
//!
//! The limits are far above the numbers that shader compilers produce, and far below those that
//! would harm the process that hosts the translator.

mod fuel;

pub use fuel::{Budget, Fuel, TEXTS, text, text_of};

use crate::error::{Place, Result};

/// A named limit, for the document that lists them.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a row of a document")]
pub struct NamedLimit {
    /// The name of the constant.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// The lines of its documentation.
    pub text: &'static [&'static str],
}

/// Declares the constants, and a list of all of them.
macro_rules! limits {
    ($($(#[doc = $text:literal])* pub const $name:ident: $ty:ty = $value:expr;)*) => {
        $($(#[doc = $text])* pub const $name: $ty = $value;)*
        /// All limits.
        pub const ALL: &[NamedLimit] =
            &[$(NamedLimit { name: stringify!($name), value: $name as u64, text: &[$($text),*] }),*];
    };
}

limits! {
    /// Largest input, in bytes.
    pub const INPUT_BYTES: usize = 64 << 20;
    /// Number of parts in one container. DXC writes about ten.
    pub const CONTAINER_PARTS: usize = 256;
    /// Bytes in one name or other string of a container.
    pub const NAME_BYTES: usize = 1 << 14;
    /// Elements in one signature.
    pub const SIGNATURE_ELEMENTS: usize = 1024;
    /// Rows of the elements of all signatures of a module. A signature that several entry points
    /// share counts once.
    pub const SIGNATURE_ROWS_OF_ALL: usize = 1 << 16;
    /// Nesting depth of bitcode blocks. LLVM nests four or five deep.
    pub const BLOCK_NESTING: usize = 32;
    /// Abbreviations in scope in one block.
    pub const ABBREVIATIONS: usize = 1 << 12;
    /// Operands of all abbreviations of a module together.
    pub const ABBREVIATION_OPERANDS: usize = 1 << 18;
    /// Records of the `BLOCKINFO` blocks of a module, and the operands of these records, all
    /// together.
    pub const BLOCK_INFO_RECORDS: usize = 1 << 20;
    /// Operands in one bitcode record.
    pub const RECORD_OPERANDS: usize = 1 << 22;
    /// Types in one module.
    pub const TYPES: usize = 1 << 16;
    /// Nesting depth of types: an array of structs of arrays and so on.
    pub const TYPE_NESTING: usize = 64;
    /// Fields and parameters in all types together.
    pub const TYPE_FIELDS: usize = 1 << 20;
    /// Fields nested inside one type, with the fields of fields. An array has one, whatever its
    /// length. This bounds a walk over a type.
    pub const NESTED_FIELDS: usize = 1 << 16;
    /// Bytes in all names and strings together.
    pub const STRING_BYTES: usize = 64 << 20;
    /// Attributes in all attribute groups together, and in all attribute lists together.
    pub const ATTRIBUTES: usize = 1 << 16;
    /// Constants of the module and all functions together.
    pub const CONSTANTS: usize = 1 << 20;
    /// Nesting depth of constants.
    pub const CONSTANT_NESTING: usize = 256;
    /// Elements in all constants together, and in one constant with its operands expanded. Direct3D
    /// 11 has at most 16,384 in the tables of a shader (its immediate constant buffer).
    pub const CONSTANT_WORDS: usize = 1 << 18;
    /// Module-level values: globals, functions, constants.
    pub const MODULE_VALUES: usize = 1 << 19;
    /// Metadata nodes and strings.
    pub const METADATA: usize = 1 << 19;
    /// Operands of all metadata nodes together.
    pub const METADATA_OPERANDS: usize = 1 << 21;
    /// Elements of one list of tags and values in the metadata. DXIL has fewer than thirty tags,
    /// and many nodes may refer to one list.
    pub const METADATA_TAGS: usize = 1 << 8;
    /// Largest number of a kind of metadata attachment.
    pub const METADATA_KINDS: usize = 1 << 12;
    /// Functions with a body.
    pub const FUNCTIONS: usize = 1 << 14;
    /// Maximum number of functions that the entry points of a module reach, counted once for each
    /// entry point.
    pub const REACHED_FUNCTIONS: usize = 1 << 21;
    /// Callees and resources of these functions, counted once for each entry point and function.
    pub const REACHED_USES: usize = 1 << 21;
    /// Basic blocks in one function. A few more than a phi can have predecessors.
    pub const BLOCKS: usize = 33 << 10;
    /// Case values that the ranges of one switch expand to.
    pub const SWITCH_RANGE_LABELS: u64 = 1 << 12;
    /// Instructions in one function.
    pub const INSTRUCTIONS: usize = 1 << 19;
    /// Values, instructions and blocks in all copies of inlined functions together.
    pub const INLINED: usize = 1 << 20;
    /// Blocks and edges that are visited in one function to make irreducible loops reducible. A
    /// block counts once for each loop around it.
    pub const DISPATCH_STEPS: usize = 1 << 23;
    /// Nesting depth of control-flow constructs (SPIR-V specification, "Universal Limits").
    pub const CONSTRUCT_NESTING: usize = 1023;
    /// The bound of a module's ids (SPIR-V specification, "Universal Limits").
    pub const SPIRV_IDS: usize = 4_194_303;
    /// Cases of one switch (SPIR-V specification, "Universal Limits").
    pub const SPIRV_SWITCH_CASES: usize = 16_383;
    /// Members of one structure type (SPIR-V specification, "Universal Limits").
    pub const SPIRV_STRUCTURE_MEMBERS: usize = 16_383;
    /// Parameters of one function (SPIR-V specification, "Universal Limits").
    pub const SPIRV_FUNCTION_PARAMETERS: usize = 255;
    /// Variables of one function (SPIR-V specification, "Universal Limits").
    pub const SPIRV_LOCAL_VARIABLES: usize = 524_287;
    /// Variables at module scope (SPIR-V specification, "Universal Limits").
    pub const SPIRV_GLOBAL_VARIABLES: usize = 65_535;
    /// Words of one instruction (SPIR-V specification, "Universal Limits").
    pub const SPIRV_INSTRUCTION_WORDS: usize = 65_535;
    /// Elements of one constant: those that fit in an instruction, which has three words besides.
    pub const SPIRV_CONSTITUENTS: usize = SPIRV_INSTRUCTION_WORDS - 3;
    /// Predecessors of one phi: those that fit in an instruction, which has three words besides.
    pub const SPIRV_PHI_PREDECESSORS: usize = (SPIRV_INSTRUCTION_WORDS - 3) / 2;
    /// Numbers in one structure or array that is a value. DXC's own structures have at most eight.
    pub const VALUE_LEAVES: usize = 1024;
    /// Structures, arrays and numbers in one structure or array that is a value. Structures may be
    /// empty, and then there are more of them than of numbers.
    pub const VALUE_PARTS: usize = 2048;
    /// Bytes of the variables that become one array of words. Groupshared memory has 32 KiB, and
    /// the memory of a thread is smaller.
    pub const WORD_MEMORY: u64 = 1 << 20;
    /// Operations in the chain from the use of an address to its variable.
    pub const ADDRESS_CHAIN: usize = 64;
    /// Operations in the chain from the use of a handle to its creation.
    pub const HANDLE_CHAIN: usize = 16;
    /// Resources in one module.
    pub const RESOURCES: usize = 1 << 14;
    /// Resources that the stages of a pipeline declare. A resource counts once for each stage,
    /// because each stage has its own plan.
    pub const PLANNED_RESOURCES: usize = 1 << 20;
    /// Resources that the stages of a pipeline use. A resource counts once for each stage.
    pub const PLACED_RESOURCES: usize = 1 << 18;
    /// Resources that the stages of a pipeline use, each with each local root signature that its
    /// stage may have, where a library associates several and the caller chooses none.
    pub const RECORD_CHOICES: usize = 1 << 22;
    /// Bytes of text about the shader records of the stages of a pipeline, in a listing of its
    /// layout. Each parameter of a stage's local root signature takes 64 besides the texts of its
    /// resources.
    pub const RECORD_TEXT: usize = 64 << 20;
    /// Parameters in a root signature, descriptor ranges in one table, and static samplers. D3D12
    /// allows 64 DWORDs.
    pub const ROOT_ITEMS: usize = 1 << 12;
    /// Elements and descriptor ranges in the root signatures of all functions of a module, as
    /// metadata has them.
    pub const ROOT_METADATA: usize = 1 << 16;
    /// Size of the arguments of a root signature, in 32-bit words (D3D12, "Root Signature Limits").
    pub const ROOT_WORDS: u64 = 64;
    /// State subobjects that a library declares.
    pub const SUBOBJECTS: usize = 1 << 12;
    /// Exports that the associations of a library name, all together.
    pub const ASSOCIATED_EXPORTS: usize = 1 << 16;
    /// Parameters, descriptor ranges and static samplers in all root signatures that a library
    /// declares.
    pub const LIBRARY_ROOT_ITEMS: usize = 1 << 16;
    /// Bytes in the text of a request, a profile, a binding plan or a binding map. A line of a
    /// plan, of which there is one for each resource, has about 100.
    pub const TEXT_BYTES: usize = 4 << 20;
    /// Tokens in such a text, blanks and comments among them. A line of a plan has about 30. A dot
    /// in a key counts twice, because it makes a table.
    pub const TEXT_TOKENS: usize = 1 << 20;
    /// Levels of brackets in such a text, and of dots in a key of it.
    pub const TEXT_NESTING: usize = 8;
    /// Entries in a binding map.
    pub const MAP_ENTRIES: usize = 1 << 12;
    /// Descriptor sets in a pipeline layout that is made from a plan. Devices have 4 to 32.
    pub const DESCRIPTOR_SETS: usize = 1 << 10;
    /// Threads of a group (D3D11.3 functional specification, `dcl_thread_group`).
    pub const GROUP_THREADS: u32 = 1024;
    /// Control points of a patch (D3D11.3 functional specification, "Hull Shader Stage").
    pub const CONTROL_POINTS: u32 = 32;
    /// Vertices that a geometry shader emits. D3D allows 1024 scalars.
    pub const GEOMETRY_VERTICES: u32 = 1024;
    /// Instances of a geometry shader.
    pub const GEOMETRY_INSTANCES: u32 = 32;
    /// Vertices that a group of a mesh shader outputs (DirectX-Specs, Mesh Shader,
    /// "SetMeshOutputCounts").
    pub const MESH_VERTICES: u32 = 256;
    /// Primitives that a group of a mesh shader outputs (DirectX-Specs, Mesh Shader,
    /// "SetMeshOutputCounts").
    pub const MESH_PRIMITIVES: u32 = 256;
    /// Bytes of the payload between amplification and mesh shaders (DirectX-Specs, Mesh Shader,
    /// "DispatchMesh").
    pub const MESH_PAYLOAD_BYTES: u32 = 16 << 10;
    /// Ray queries that the code of an entry point allocates.
    pub const RAY_QUERIES: usize = 256;
    /// Blocks and uses that are visited in the code of the entry points of one output module to
    /// find where the handles of their ray queries go; and blocks, operations and conditions that
    /// are visited to find what is known of their states, where nothing is known beyond the limit.
    /// A function that several entry points reach counts once.
    pub const QUERY_STEPS: usize = 1 << 21;
    /// Bytes of the attributes of a hit (D3D12, `D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES`).
    pub const ATTRIBUTE_BYTES: u32 = 32;
    /// Threads of a group of a mesh or amplification shader (DirectX-Specs, Mesh Shader,
    /// "numthreads").
    pub const MESH_THREADS: u32 = 128;
    /// Bytes of all outputs of a group of a mesh shader (DirectX-Specs, Mesh Shader, "Mesh shader
    /// output size limits").
    pub const MESH_OUTPUT_BYTES: u32 = 32 << 10;
    /// Rows of a mesh shader's output elements that the pixel shader of its pipeline gets. There
    /// are at most 128 packed rows, and system values are few.
    pub const MESH_OUTPUTS: usize = 1 << 8;
    /// Rows of outputs that a pipeline writes to buffers: four streams of 32 rows, each of which
    /// may have four elements.
    pub const STREAM_OUTPUTS: usize = 1 << 9;
    /// Rows of a signature. Vertices and primitives of a mesh shader share them.
    pub const SIGNATURE_ROWS: u32 = 32;
    /// Components of temporary registers. Shader model 5 has 4096 registers of four components.
    pub const REGISTERS: usize = 1 << 14;
    /// Largest output, in 32-bit words.
    pub const OUTPUT_WORDS: usize = 4 << 20;
    /// Steps of one parse or translation, of the parts whose time depends on products of counts.
    pub const BUDGET_STEPS: u64 = 1 << 21;
    /// Bytes of one parse or translation that depend on products of counts. Memory that is freed is
    /// counted as well.
    pub const BUDGET_BYTES: u64 = 256 << 20;
}

/// Checks that `count` is at most `limit`.
///
/// # Errors
/// `Limit`, with `what` as the name of the counted items.
#[inline]
pub fn check(place: Place, what: &str, count: usize, limit: usize) -> Result<()> {
    // The place is not an argument, or each check would store it in memory for the call.
    if count <= limit { Ok(()) } else { Err(over(what, count, limit).or_at(place)) }
}

#[cold]
fn over(what: &str, count: usize, limit: usize) -> crate::error::Error {
    limit_error!(Place::Input, "{count} {what}, the limit is {limit}")
}
