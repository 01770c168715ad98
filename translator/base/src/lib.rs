//! What every part of the translator stands on: the error type ([`error`]), named limits and the
//! budget ([`limits`]), dense indexes and their maps ([`mod@entity`]), lists in one array
//! ([`lists`]), a pool of memory for each thread ([`pool`]), integers and halves ([`integer`],
//! [`half`]), what a device has enabled ([`feature`], [`profile`]), what its driver gets wrong
//! ([`quirks`]), the text form of plain data ([`mod@text`]), names of the input ([`names`]), and
//! HTML for the reports of tools ([`html`]).
//!
//! Nothing here knows DXIL or SPIR-V, and all that is known of LLVM is its mark of mangled names.
#![forbid(unsafe_code)]
// Hashes have a random secret, and the same input gives the same words.
#![cfg_attr(not(test), warn(clippy::iter_over_hash_type))]
// Public types may grow, unless they say why not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

#[macro_use]
pub mod error;
#[macro_use]
pub mod entity;
pub mod feature;
pub mod half;
pub mod html;
pub mod integer;
pub mod limits;
pub mod lists;
pub mod names;
pub mod pool;
pub mod profile;
pub mod quirks;
pub mod text;
