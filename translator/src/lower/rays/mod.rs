//! Rays: acceleration structures and ray queries.
//!
//! In: handles of acceleration structures, and operations on ray queries. Out: SPIR-V of
//! `SPV_KHR_ray_query`. What must hold: only [`structure`] makes an acceleration structure from a
//! handle, so every place that the plan may give one works for all operations that trace.

mod flags;
mod object;
pub mod query;
pub mod state;
pub mod structure;
