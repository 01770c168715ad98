//! Families of inputs that grow with one number: many blocks, many entry points, long names, and
//! products of such numbers.
//!
//! In: the size. Out: bitcode of a shader that is valid, but larger than any that a compiler
//! writes. `growth.rs` of the tests measures how time and memory grow with the size.

mod bitcode;
mod collisions;
mod control;
mod family;
mod functions;
mod metadata;
mod rays;
mod resources;
mod shared;
mod signatures;
mod values;
mod words;

use dxil_translator::{Options, lavapipe};

pub use self::control::{breaks, cases, switch_ranges, values_after_breaks};
pub use self::family::{Family, Growth, Kernel};
pub use self::functions::{doubled, entries, one_entry, wide_function};
pub use self::resources::{overlapping, ray_resources, resources};
pub use self::signatures::{long_names, shared_indices, two_targets};
pub use self::values::{copied_structures, globals};

/// All families, by topic.
pub const TOPICS: [(&str, &[Family]); 11] = [
    ("control flow", control::FAMILIES),
    ("functions", functions::FAMILIES),
    ("values", values::FAMILIES),
    ("signatures", signatures::FAMILIES),
    ("resources", resources::FAMILIES),
    ("metadata", metadata::FAMILIES),
    ("shared parts", shared::FAMILIES),
    ("collisions of hashes", collisions::FAMILIES),
    ("rays", rays::FAMILIES),
    ("words", words::FAMILIES),
    ("bitcode", bitcode::FAMILIES),
];

/// How families are translated: with names, for a device that has memory for every variable.
pub fn options() -> Options {
    let mut options = Options::new(lavapipe());
    options.names = true;
    options.profile.limits.max_compute_shared_memory_size = u32::MAX;
    options
}

/// All families.
pub fn all() -> impl Iterator<Item = &'static Family> {
    TOPICS.into_iter().flat_map(|(_, families)| families)
}
