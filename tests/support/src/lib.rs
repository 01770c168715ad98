//! What the tests of all crates share. It depends on no other crate, so every crate can have it
//! among its dev-dependencies.

pub mod golden;
mod random;

pub use random::{Random, mix};

use std::path::{Path, PathBuf};

/// The root folder of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
