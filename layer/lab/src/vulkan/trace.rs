//! A trace of what the driver receives.
//!
//! In: what the commands of `interposer` and `observer` see. Out: a [`Trace`]. What must hold: a
//! trace has what passed since the last one was taken. A process has one lab, so the state is
//! static.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ash::vk;

/// What passed between the layer and the driver.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The time that the driver, and a validation layer, took to make pipelines.
    pub time: Duration,
    /// The SPIR-V of the pipelines' stages, in the order in which it came.
    pub modules: Vec<Vec<u32>>,
    /// The stages of the pipelines, in the order in which they came.
    pub stages: Vec<TracedStage>,
    /// Whether an injected fault changed the code.
    pub miscompiled: bool,
    /// The last command that failed below the layer, if any did.
    pub failed: Option<(&'static str, vk::Result)>,
    /// The modules' handles, and their places in `modules`.
    pub(super) handles: Vec<(vk::ShaderModule, usize)>,
}

/// A stage of a pipeline, as the driver gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedStage {
    /// `VkShaderStageFlagBits`.
    pub stage: u32,
    /// `VkPipelineShaderStageCreateFlags`.
    pub flags: u32,
    /// The name of the entry point.
    pub entry: String,
    /// The place of its code in [`Trace::modules`]; `None` for code that the lab did not see.
    pub module: Option<usize>,
    /// The required subgroup size.
    pub subgroup_size: Option<u32>,
    /// `VkPipelineRobustnessCreateInfo`: the four behaviours.
    pub robustness: Option<[i32; 4]>,
}

static TRACE: Mutex<Trace> = Mutex::new(Trace {
    time: Duration::ZERO,
    modules: Vec::new(),
    stages: Vec::new(),
    miscompiled: false,
    failed: None,
    handles: Vec::new(),
});
/// The modules that were recorded.
pub(super) fn modules() -> Vec<Vec<u32>> {
    TRACE.lock().unwrap_or_else(PoisonError::into_inner).modules.clone()
}

/// The trace since the last one was taken.
pub fn take() -> Trace {
    std::mem::take(&mut *TRACE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Records something.
pub(super) fn record(change: impl FnOnce(&mut Trace)) {
    change(&mut TRACE.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Records the failure of a command, and returns its result.
pub(super) fn checked(command: &'static str, result: vk::Result) -> vk::Result {
    if result.as_raw() < 0 {
        record(|trace| trace.failed = Some((command, result)));
    }
    result
}
