//! How the stages of a pipeline fit together: what each reads of the one before it, the state that
//! one gives another, and the shader groups of ray tracing.
//!
//! In: the stages of a pipeline. Out: plain data. What must hold: nothing here changes a
//! translation.

mod groups;
mod linkage;
mod state;

pub use groups::{ShaderGroup, ShaderTable, shader_groups, table_stride};
pub use linkage::{InterfaceFault, InterfaceMismatch, interface_mismatches};
pub use state::stage_state;
