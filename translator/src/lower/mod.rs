//! IR to SPIR-V: one function per operation, in rooms by subject.
//!
//! In: a `Program`, the `BindingPlan` of its resources, `Options`. Out: SPIR-V words and a
//! `Reflection`. What must hold: D3D's semantics (docs/differences.md lists where they are not
//! Vulkan's), and every capability in the output is one that the profile allows and the shader
//! needs.
//!
//! How a value travels: `FunctionCx::value` gives the SPIR-V id of an IR value; a lowering returns
//! a `Lowered`, which the caller keeps as the instruction's result. Structures have no id: their
//! leaves are ids (`Lowered::Parts`). Handles and pointers have no id either (`Lowered::Virtual`):
//! they are resolved where they are used (`resources::handle`, `memory::pointer`), so no phi ever
//! merges them.
//!
//! A room is a folder, or a file. It imports from rooms above it in this table only, and its
//! `mod.rs` is its one face: what another room may use is public there. No file imports this one.
//!
//! | room | subject | imports |
//! |---|---|---|
//! | `facts` | what is known of an entry before anything is emitted | |
//! | `cx` | the state of a module (`ModuleCx`) and of a function (`FunctionCx`), values and types | `facts` |
//! | `numbers` | arithmetic, bits, conversions, LLVM's operators | `cx` |
//! | `memory` | allocas, groupshared variables, constant tables, registers | `cx` |
//! | `waves` | lanes together: wave and quad operations, derivatives, barriers, helper lanes | `cx` |
//! | `resources` | handles, places, descriptors, bounds | `facts`, `cx`, `numbers` |
//! | `images` | textures and typed buffers, with and without samplers | `facts`, `cx`, `waves`, `resources` |
//! | `buffers` | raw, structured and constant buffers, counters, sizes | `facts`, `cx`, `numbers`, `resources`, `images` |
//! | `atomic` | atomic operations on all of these | `cx`, `memory`, `resources`, `images`, `buffers` |
//! | `stages` | inputs, outputs, system values, and what one stage alone has | `cx`, `waves` |
//! | `dispatch` | from an operation of the table to the function that lowers it | the rooms above |
//! | `control` | functions, control flow, the entry point | the rooms above |
//!
//! A function that declares something at module scope takes a `ModuleCx`, one that lowers an
//! instruction a `FunctionCx`. docs/ops.md says which function lowers an operation. To add one,
//! name its function in the operation's row: docs/add-a-dxil-op.md.

mod atomic;
mod buffers;
mod control;
mod cx;
mod dispatch;
mod facts;
mod images;
mod memory;
mod numbers;
mod resources;
mod stages;
mod waves;

pub use control::lower;
pub use facts::graph;
