//! Tests of emitted modules. They are one program, so that the validator is linked once.

mod embedded;
mod emitted;
mod inputs;
mod listens;
mod mutations;
mod newer;
mod optimised;

use dxil_robustness::memory::Counting;

/// It counts the bytes of each thread, to which campaigns set a limit.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
