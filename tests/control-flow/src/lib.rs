//! Random structured programs from end to end: a source, its HLSL, what every thread must write, and what a driver writes
//! when it runs DXC's code of that HLSL through the layer.
//!
//! [`generate()`] makes a [`Program`] from a seed. [`print`](print::hlsl) writes it as HLSL, which DXC compiles without optimisation
//! and with ([`LEVELS`]). [`interpret`] runs the source on the CPU, a subgroup at a time, with the lane sets of maximal
//! reconvergence. [`batch`] runs compiled programs on one device and compares. The same seed gives the same program forever, so a
//! committed program needs its compiled forms and no expectation.
//!
//! What makes a difference visible: every thread keeps a hash over the marks it passed, and a ring of traces (which site, which
//! value), so that the order of statements is judged and not only the final values.

pub mod ast;
pub mod batch;
pub mod execute;
pub mod generate;
pub mod interpret;
pub mod print;
pub mod random;
pub mod reach;
pub mod survey;

pub use ast::Program;
pub use generate::generate;

/// The optimisation levels that every program is compiled at.
pub const LEVELS: [&str; 3] = ["Od", "O1", "O3"];
/// What stands in a level's place for DXC's own SPIR-V of the same HLSL, the judge of programs without wave operations: it must write what the
/// interpreter does, on the same driver.
pub const SPIRV: &str = "spirv";
/// The file of a program's compiled form at a level.
#[must_use]
pub fn file_name(seed: u32, level: &str) -> String {
    if level == SPIRV { format!("{seed}.spv") } else { format!("{seed}.{level}.dxil") }
}
/// The levels at which a program is compiled, DXC's SPIR-V among them where it is a judge.
#[must_use]
pub fn levels(program: &Program) -> Vec<&'static str> {
    // DXC's SPIR-V does not ask for maximal reconvergence, so it is none of programs with wave operations.
    LEVELS.into_iter().chain((!program.is_tangled()).then_some(SPIRV)).collect()
}
/// Threads of a group: whole subgroups on every device.
pub const GROUP: usize = 64;
/// Groups of a dispatch.
pub const GROUPS: usize = 2;
/// All threads of a dispatch.
pub const THREADS: usize = GROUP * GROUPS;
/// Input words of a thread.
pub const INPUTS: usize = 4;
/// Traces that a thread keeps: the last ones.
pub const TRACES: usize = 8;
/// Output words of a thread: hash, count of traces (from [`TRACES`] on), the variables, padding, the ring of traces.
pub const OUTPUTS: usize = 8 + 2 * TRACES;
/// A program that takes a wave more steps than this is not generated.
pub const STEPS: usize = 6000;
