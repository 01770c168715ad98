//! Lowering from IR to SPIR-V: one function per operation, grouped in modules by subject.
//!
//! In: a `Program`, the `BindingPlan` of its resources, `Options`. Out: SPIR-V words and a
//! `Reflection`. What must hold: the output has D3D's semantics (docs/differences.md lists where
//! they differ from Vulkan's), and every capability in the output is one that the profile allows
//! and the shader needs.
//!
//! How a value travels: `FunctionCx::value` gives the SPIR-V id of an IR value; a lowering returns
//! a `Lowered`, which the caller keeps as the instruction's result. A structure has no id of its
//! own: each of its leaves, the scalars and vectors in it, has one (`Lowered::Parts`). A component
//! of a vector has an id only where it is used by itself (`Lowered::Component`): what takes several
//! of them asks for their vector (`FunctionCx::vector`), and operations on each of them become one
//! (`control::vectors`). Handles and pointers have no id either (`Lowered::Virtual`): they are
//! resolved where they are used (`resources::handle`, `memory::pointer`), so no phi ever merges
//! them.
//!
//! A module is a folder or a single file with one subject. It imports only from modules above it in
//! this table. Other modules may use only what its `mod.rs` makes public. No file of a module
//! imports this one.
//!
//! | module | subject | imports |
//! |---|---|---|
//! | `cx` | what lowering reads (`Inputs`), declarations (`EntryCx`), values of a function (`FunctionCx`) | |
//! | `numbers` | arithmetic, bits, conversions, LLVM's operators | `cx` |
//! | `memory` | allocas, groupshared variables, payloads, constant tables, registers | `cx` |
//! | `waves` | operations across lanes: wave and quad operations, derivatives, barriers, helper lanes | `cx` |
//! | `resources` | handles, places, descriptors, bounds | `cx`, `numbers` |
//! | `images` | textures and typed buffers, with and without samplers | `cx`, `waves`, `resources` |
//! | `buffers` | raw, structured and constant buffers, counters, sizes | `cx`, `numbers`, `resources`, `images` |
//! | `atomic` | atomic operations on memory, images and buffers | `cx`, `memory`, `resources`, `images`, `buffers` |
//! | `rays` | acceleration structures, ray queries, shader calls of ray-tracing stages | `cx`, `memory`, `resources` |
//! | `stages` | inputs, outputs, system values, and operations that only one stage has | `cx`, `memory`, `waves`, `images` |
//! | `source` | lines and variables of the source, for debuggers | `cx` |
//! | `dispatch` | the match from an operation to the function that lowers it | the modules above |
//! | `control` | functions, control flow, the entry point | the modules above |
//!
//! All that lowering has to know of the entry point is in one analysis before it begins
//! ([`EntryAnalysis`](crate::analysis::entry::EntryAnalysis), as `cx.input.analysis`). A function
//! that declares something at module scope takes an `EntryCx`. A function that lowers an
//! instruction takes a `FunctionCx`, whose field `entry` is the `EntryCx`. docs/ops.md says which
//! function lowers an operation. To add one, name its function in the operation's row:
//! docs/add-a-dxil-op.md.

mod atomic;
mod buffers;
mod control;
mod cx;
mod dispatch;

mod images;
mod memory;
mod numbers;
mod rays;
mod resources;
mod source;
mod stages;
mod waves;

pub use crate::analysis::entry::{graph, tree_text};
pub use control::{EntryWithPlan, NamedEntry, execution_model, lower, lower_library, lower_with_fuel, stub};
pub use stages::interface::vertex_inputs;
pub use stages::link::mesh_outputs;
pub use stages::tessellation::{division, patch_location};

/// Whether the device has vectors of this many elements, more than SPIR-V's core has.
pub fn has_long_vectors(options: &crate::options::Options, elements: u32) -> bool {
    dxil_spirv_builder::Caps::has_long_vectors(&options.profile, elements)
}
