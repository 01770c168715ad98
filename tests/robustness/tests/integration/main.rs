//! Tests of the translator with malformed and with large input. They are one program, so that the
//! translator is linked once.
//!
//! The allocator counts the bytes of each thread, and times are those of a thread on its processor.
//! So tests that run at the same time do not count in one another's figures.

mod bad_input;
mod bitcode;
mod budget;
mod debug;
mod determinism;
mod growth;
mod libraries;
mod map;
mod older_records;
mod planning;
mod root_signatures;
mod spirv_limits;
mod stages;
mod texts;
mod worst_cases;

use dxil_robustness::memory::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
