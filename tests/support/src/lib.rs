//! What the tests of all crates share. It depends on no crate of the workspace, so every crate can
//! have it among its dev-dependencies.

pub mod bit_writer;
mod container;
mod files;
pub mod golden;
pub mod memory;
mod process;
mod random;
pub mod spirv;

pub use container::bitcode_parts;
pub use files::{TempFolder, containers, fixture, is_fixture, read, repository};
pub use process::{assert_one_thread, set_environment};
pub use random::{Random, mix};
