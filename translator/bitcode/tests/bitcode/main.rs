//! Tests on bitcode written by hand: forms that the available compilers do not write, and input
//! that must be refused.
//!
//! `llvm_dis` compares the fixtures with LLVM; these tests cover forms that no fixture has. They
//! compare the text form of the modules, so that the expectations are readable.

mod constants;
mod functions;
mod hostile;
mod make;
mod metadata;
mod module;
mod mutations;
mod stream;
