//! Runs fixtures on a Vulkan driver and judges what comes back.
//!
//! A fixture (docs/testing.md) is one HLSL file whose first lines say what to run. [`spec`] reads it, [`run`] runs one set of
//! code blobs on one device, [`judge`] runs all that a fixture's judges ask for and compares ([`mod@compare`]). The program
//! `dxil-run-fixture` does this for one fixture in a process of its own, so that a crash or a hang is a failure with a name;
//! the test target `fixtures` runs that program for each.

pub mod compare;
pub mod error;
pub mod judge;
pub mod layer;
pub mod run;
pub mod spec;
pub mod vulkan;
