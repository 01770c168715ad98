//! IR to SPIR-V: one function per operation, in the file of its group.
//!
//! In: a `Program`, the `BindingPlan` of its resources, `Options`. Out: SPIR-V words and a
//! `Reflection`. What must hold: D3D's semantics (docs/differences.md lists where they are not Vulkan's), and every
//! capability in the output is one that the profile allows and the shader needs.
//!
//! How a value travels: `Context::value` gives the SPIR-V id of an IR value; a lowering returns a `Lowered`, which the
//! caller keeps as the instruction's result. Structures have no id: their leaves are ids (`Lowered::Parts`). Handles and
//! pointers have no id either (`Lowered::Virtual`): they are resolved where they are used (`resources::handle`,
//! `memory::pointer`), so that they never need a phi.

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
