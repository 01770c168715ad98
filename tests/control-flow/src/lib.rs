//! Tests of random structured control flow from end to end.
//!
//! [`generate()`] makes a [`Program`] from a seed. [`print`](print::hlsl) writes it as HLSL, which
//! DXC compiles at several optimisation levels ([`LEVELS`]). [`interpret`] computes what every
//! thread must write: it runs the source on the CPU, a subgroup at a time, with the lane sets of
//! maximal reconvergence. [`batch`] runs the compiled programs on one device, through the layer,
//! and compares. A seed gives the same program on every machine and in every run, so a committed
//! program needs its compiled forms and no expectation.
//!
//! Every thread keeps a hash over the marks it passed and a ring of traces (which site, which
//! value). The order of statements is therefore judged, and not only the final values.
//!
//! A program is *tangled* if it has wave operations: what one lane computes then depends on which
//! lanes run together.

pub mod ast;
pub mod batch;
pub mod execute;
pub mod generate;
pub mod interpret;
pub mod latches;
pub mod print;
pub mod survey;

pub use ast::Program;
pub use generate::generate;
pub use print::digest;

/// The optimisation levels that every program is compiled at.
pub const LEVELS: [&str; 3] = ["Od", "O1", "O3"];
/// The name used instead of a level for DXC's own SPIR-V of the same HLSL. It is the second judge
/// of programs without wave operations: on the same driver it must write what the interpreter
/// writes.
pub const SPIRV: &str = "spirv";
/// The file name of a program's compiled form at a level.
#[must_use]
pub fn file_name(seed: u32, level: &str) -> String {
    if level == SPIRV { format!("{seed}.spv") } else { format!("{seed}.{level}.dxil") }
}
/// The levels at which a program is compiled, with [`SPIRV`] if that is a judge of the program.
#[must_use]
pub fn levels(program: &Program) -> Vec<&'static str> {
    // DXC's SPIR-V does not declare MaximallyReconvergesKHR, so a driver may run wave operations
    // with other lanes than the source says. It cannot judge programs with wave operations.
    LEVELS.into_iter().chain((!program.is_tangled()).then_some(SPIRV)).collect()
}
/// The number of threads in a group: a multiple of the subgroup size of every device.
pub const GROUP: usize = 64;
/// The number of groups in a dispatch.
pub const GROUPS: usize = 2;
/// The number of threads in a dispatch.
pub const THREADS: usize = GROUP * GROUPS;
/// The number of input words of a thread.
pub const INPUTS: usize = 4;
/// The number of traces that a thread keeps. Older ones are overwritten.
pub const TRACES: usize = 8;
/// The number of output words of a thread: the hash, the count of traces (which starts at
/// [`TRACES`]), the variables, two words of padding, and the ring of traces.
pub const OUTPUTS: usize = 8 + 2 * TRACES;
/// The most statements that a wave may execute. The generator discards longer programs.
pub const STEPS: usize = 6000;
