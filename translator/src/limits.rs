//! A named bound on every count, nesting, size and output, checked before allocation.
//!
//! The bounds are far above what shader compilers write and far below what would harm the process that hosts the translator.

use crate::error::{Place, Result};

/// Largest input, in bytes.
pub const INPUT_BYTES: usize = 64 << 20;
/// Most parts in one container. DXC writes about ten.
pub const CONTAINER_PARTS: usize = 256;
/// Most bytes in one name or other string of a container.
pub const NAME_BYTES: usize = 1 << 14;
/// Most elements in one signature.
pub const SIGNATURE_ELEMENTS: usize = 1024;
/// Most nested bitcode blocks. LLVM nests four or five deep.
pub const BLOCK_NESTING: usize = 32;
/// Most abbreviations in scope in one block.
pub const ABBREVIATIONS: usize = 1 << 12;
/// Most operands of all abbreviations of a module.
pub const ABBREVIATION_OPERANDS: usize = 1 << 18;
/// Most operands in one bitcode record.
pub const RECORD_OPERANDS: usize = 1 << 22;
/// Most types in one module.
pub const TYPES: usize = 1 << 16;
/// Most types nested inside one another: an array of structs of arrays and so on.
pub const TYPE_NESTING: usize = 64;
/// Most fields and parameters in all types together.
pub const TYPE_FIELDS: usize = 1 << 20;
/// Most fields nested inside one type, where an array counts as one element: bounds a walk over a type.
pub const TYPE_LEAVES: usize = 1 << 16;
/// Most bytes in all names and strings.
pub const STRING_BYTES: usize = 64 << 20;
/// Most attributes in all attribute lists together.
pub const ATTRIBUTES: usize = 1 << 20;
/// Most constants, of the module and all functions.
pub const CONSTANTS: usize = 1 << 22;
/// Most constants nested inside one another.
pub const CONSTANT_NESTING: usize = 256;
/// Most elements in all constants together, and in one when what it contains is written out.
pub const CONSTANT_WORDS: usize = 1 << 23;
/// Most module-level values: globals, functions, constants.
pub const MODULE_VALUES: usize = 1 << 20;
/// Most metadata nodes and strings.
pub const METADATA: usize = 1 << 21;
/// Most operands of all metadata nodes.
pub const METADATA_OPERANDS: usize = 1 << 23;
/// Largest number of a kind of metadata attachment.
pub const METADATA_KINDS: usize = 1 << 12;
/// Most functions with a body.
pub const FUNCTIONS: usize = 1 << 14;
/// Most functions that the entry points of a module reach, counted once for each entry point.
pub const REACHED_FUNCTIONS: usize = 1 << 21;
/// Most basic blocks in one function.
pub const BLOCKS: usize = 1 << 17;
/// Most labels that the ranges of one switch stand for.
pub const SWITCH_RANGE_LABELS: u64 = 1 << 12;
/// Most instructions in one function.
pub const INSTRUCTIONS: usize = 1 << 21;
/// Most values, instructions and blocks in all copies of functions that are inlined.
pub const INLINED: usize = 1 << 20;
/// Most blocks and edges that are walked to make irreducible loops reducible, in one function and counted once for each loop around them.
pub const DISPATCH_STEPS: usize = 1 << 24;
/// Most control-flow constructs inside one another: SPIR-V's universal limit (specification, section 2.17).
pub const CONSTRUCT_NESTING: usize = 1023;
/// Most numbers in one structure or array that is a value. DXC's own structures have at most eight.
pub const VALUE_LEAVES: usize = 1024;
/// Most bytes of variables that become one array of words. Groupshared memory has 32 KiB, and a thread's own is less.
pub const WORD_MEMORY: u64 = 1 << 20;
/// Longest chain of operations from the use of an address to its variable.
pub const ADDRESS_CHAIN: usize = 64;
/// Longest chain of operations from the use of a handle to its creation.
pub const HANDLE_CHAIN: usize = 16;
/// Most resources in one module.
pub const RESOURCES: usize = 1 << 14;
/// Most parameters in a root signature, descriptor ranges in one table, and static samplers. D3D12 stops at 64 DWORDs.
pub const ROOT_ITEMS: usize = 1 << 12;
/// Most 32-bit words that the arguments of a root signature take (D3D12, "Root Signature Limits").
pub const ROOT_WORDS: u64 = 64;
/// Most descriptor sets in a pipeline layout that is made from a plan. Devices have 4 to 32.
pub const DESCRIPTOR_SETS: usize = 1 << 10;
/// Most threads of a group (D3D11.3 functional specification, `dcl_thread_group`).
pub const GROUP_THREADS: u32 = 1024;
/// Most control points of a patch (D3D11.3 functional specification, "Hull Shader Stage").
pub const CONTROL_POINTS: u32 = 32;
/// Most vertices that a geometry shader emits: D3D stops at 1024 scalars.
pub const GEOMETRY_VERTICES: u32 = 1024;
/// Most instances of a geometry shader.
pub const GEOMETRY_INSTANCES: u32 = 32;
/// Most components of temporary registers: shader model 5 has 4096 registers of four.
pub const REGISTERS: usize = 1 << 14;
/// Largest output, in 32-bit words.
pub const OUTPUT_WORDS: usize = 64 << 20;

/// `Ok` where `count` is at most `limit`.
///
/// # Errors
/// `Limit`, naming what was counted.
pub fn check(place: Place, what: &str, count: usize, limit: usize) -> Result<()> {
    if count <= limit { Ok(()) } else { Err(limit_error!(place, "{count} {what}, the limit is {limit}")) }
}
