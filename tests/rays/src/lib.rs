//! Tests of ray queries by random programs over random scenes.
//!
//! [`scene`] makes a scene from a seed, and its lines in the language of fixtures. [`program`]
//! makes programs for it: a ray, its flags, and code that decides for each candidate whether to
//! commit it and whether to end the search. One shader (`tests/fixtures/query/programs.hlsl`)
//! interprets them, and [`print`](mod@print) writes some as HLSL
//! (`tests/fixtures/query/generated.hlsl`). [`trace`] computes on the CPU what a program may write.
//! A seed gives the same scene and programs on every machine, so nothing is committed but the
//! shaders.
//!
//! Results do not depend on the precision of floats: a ray that comes near an edge, or whose hits
//! are near one another or near its ends, is replaced by another ([`trace::is_safe`]). They do not
//! depend on the order of candidates either, except where D3D leaves it to the device which hit is
//! the first; then the result is one of several ([`trace::check`]).

mod generate;
pub mod print;
pub mod program;
pub mod scene;
pub mod trace;
pub mod vector;

pub use program::Program;
pub use scene::Scene;

/// The programs of scene 0 that are HLSL.
pub const PRINTED: usize = 16;
/// The programs of one scene: two for each thread.
pub const PROGRAMS: usize = 64;
