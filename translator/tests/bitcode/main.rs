//! Bitcode written by hand: forms that the compilers at hand do not write, and what has to be refused.
//!
//! The fixtures are compared with LLVM in `llvm_dis`; here is what no fixture has. What is read is compared in the
//! text form, so expectations can be read.

mod constants;
mod functions;
mod hostile;
mod make;
mod metadata;
mod module;
mod mutations;
mod stream;
#[path = "../support/bit_writer.rs"]
mod writer;
