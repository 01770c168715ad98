//! Rays: acceleration structures, shader calls of ray-tracing pipelines, and ray queries.
//!
//! In: handles of acceleration structures, operations on ray queries and of ray-tracing stages.
//! Out: SPIR-V of `SPV_KHR_ray_query` and `SPV_KHR_ray_tracing`. What must hold: only [`structure`]
//! makes an acceleration structure from a handle, so every place that the plan may give one works
//! for all operations that trace.

pub mod calls;
mod flags;
pub mod hit;
mod object;
pub mod parameters;
pub mod query;
pub mod ray;
pub mod state;
pub mod structure;
