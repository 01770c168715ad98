//! Loads the layer's library without the Vulkan loader: this crate plays the loader above the
//! layer, and a fake next layer below it.
//!
//! In: the built library, and a [`Config`] of the fake. Out: an [`App`] with an instance and a
//! device; every call that reaches the fake is recorded as an [`Event`]. What must hold:
//! dispatchable handles of the fake are pointers to an object that starts with a dispatch pointer
//! of its own, as the loader requires. There is no global state, so tests can run in parallel.
#![expect(missing_docs, reason = "test support whose fields mean the same as Vulkan's members")]

mod app;
mod code;
mod create_infos;
mod fake;
mod library;
mod loader;
mod rays;
mod temp;

use std::ffi::c_void;
use std::ptr;

use ash::vk;

pub use app::{App, InstanceRequest, Setting, below, create_instance};
pub use code::{SPIRV, aligned, bindings, instructions, shader};
pub use create_infos::{
    CreateInfo, Object, ShaderCode, binding, chained_stage, compute_pipeline, leaked, next, stage, stale,
};
pub use dxil_test_support::fixture;
pub use fake::{
    Config, Deferral, DeviceSeen, Event, FakeDevice, FakeInstance, GroupSeen, MAPPING_INFO, MappingSeen, Message,
    PipelineSeen, RaysSeen, ShaderSeen, StageSeen, handle, other,
};
pub use library::{Negotiation, library_path, negotiate, negotiate_with};
pub use loader::{DeviceLink, InstanceLink, LayerCreateInfo};
pub use rays::{RAY_EXTENSIONS, generation_bindings, generation_stage};
pub use temp::TempFolder;

/// The names of all commands, one on each line (written by scripts/regenerate-registry.sh).
pub const COMMANDS: &str = include_str!("commands.txt");

/// A structure with an `sType` that no version of Vulkan defines.
#[repr(C)]
pub struct Unknown {
    pub s_type: vk::StructureType,
    pub next: *const c_void,
    pub payload: [u64; 3],
}

impl Unknown {
    /// An unknown structure that is chained before `next`.
    pub fn before(next: *const c_void) -> Box<Self> {
        Box::new(Self { s_type: vk::StructureType::from_raw(0x7ead_beef), next, payload: [0x5555; 3] })
    }
    /// The address of this structure, for a `pNext` member.
    pub fn as_next(&self) -> *const c_void {
        ptr::from_ref(self).cast()
    }
}
