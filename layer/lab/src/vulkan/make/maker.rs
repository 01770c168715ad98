//! What the files of this folder share.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use ash::vk;
use dxil_capture::{Capture, Digest};

use crate::vulkan::arena::Arena;
use crate::vulkan::device::Lab;

/// The state of the making of one pipeline.
pub struct Maker<'a> {
    /// The device.
    pub lab: &'a Lab,
    /// The capture of the record.
    pub capture: &'a Capture,
    /// The memory of create infos.
    pub arena: Arena,
    /// The pipeline libraries that were made, by their names.
    pub libraries: RefCell<BTreeMap<Digest, vk::Pipeline>>,
    /// The structures that the capture does not have, by `sType`.
    pub lost: RefCell<Vec<i32>>,
    /// The render pass that was made last, which is that of the pipeline itself.
    pub render_pass: Cell<vk::RenderPass>,
}

impl Maker<'_> {
    /// `pDynamicState`; null without any.
    pub fn dynamic(&self, states: &[i32]) -> *const vk::PipelineDynamicStateCreateInfo<'static> {
        if states.is_empty() {
            return std::ptr::null();
        }
        let states: Vec<_> = states.iter().map(|state| vk::DynamicState::from_raw(*state)).collect();
        self.arena.one(vk::PipelineDynamicStateCreateInfo {
            dynamic_state_count: states.len() as u32,
            p_dynamic_states: self.arena.all(states),
            ..Default::default()
        })
    }
}
