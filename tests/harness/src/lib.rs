//! Runs fixtures on a Vulkan driver and judges their outputs.
//!
//! A fixture (docs/testing.md) is an HLSL file with directives on top, which specify what to run.
//! [`spec`] reads the directives, [`run`] runs one compiled form of the shaders on one device, and
//! [`judge`] runs everything that the fixture's judges need and compares the outputs
//! ([`mod@compare`]). A fixture runs in a process of its own ([`alone`]), so that a crash or a hang
//! is a failure of that fixture: the program `dxil-run-fixture`, or a child of the test target
//! `fixtures` ([`child`]). That target runs all fixtures, and repeats the translations that the
//! layer dumped meanwhile ([`dump`]). It checks what the layer captured of each fixture
//! ([`captured`]). [`emitted`] translates the repository's containers without a driver. [`library`]
//! makes one module of each container, for a run without the layer.

pub mod alone;
pub mod arguments;
pub mod captured;
pub mod child;
pub mod compare;
pub mod dump;
pub mod emitted;
pub mod error;
pub mod judge;
pub mod layer;
pub mod library;
pub mod renderdoc;
pub mod run;
pub mod spec;
pub mod vulkan;
