//! Tests of the translator's public items and of `dxil2spv`. They are one program, so that the
//! translator is linked once. `documents` is a program of its own, because it has no test harness.

mod addresses;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod cli_messages;
mod constant_expressions;
mod container_oracle;
mod contracts;
mod debug;
mod debug_errors;
mod descriptor_types;
mod embedded;
mod examples;
#[cfg(feature = "cli")]
mod explain;
mod handles;
mod heap_counters;
#[cfg(feature = "cli")]
mod layout_json;
#[cfg(feature = "cli")]
mod layout_libraries;
mod libraries;
mod limits_doc;
mod linkage;
#[cfg(feature = "cli")]
mod members;
mod memory_size;
mod mesh;
mod ops_doc;
mod places;
mod queries;
mod records;
mod requests;
mod resource_types;
mod root_signatures;
mod stages;
#[cfg(feature = "cli")]
mod tool;
mod tracing;
mod unobserved;
mod vectors;
mod vendor;
#[cfg(feature = "cli")]
mod version;
mod wave_forms;

use dxil_test_support::memory::Counting;

/// It counts the bytes of each thread, for `memory_size`.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
