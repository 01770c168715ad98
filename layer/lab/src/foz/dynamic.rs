//! State that is set while drawing.

use std::collections::BTreeSet;

use ash::vk;

/// The dynamic states of a pipeline.
#[derive(Clone, Default, Debug)]
pub struct Dynamic(BTreeSet<i32>);

impl Dynamic {
    /// Those of a list. A state with its count is the state too.
    pub fn new(states: &[vk::DynamicState]) -> Self {
        let mut all: BTreeSet<i32> = states.iter().map(|state| state.as_raw()).collect();
        for (with_count, alone) in [
            (vk::DynamicState::VIEWPORT_WITH_COUNT, vk::DynamicState::VIEWPORT),
            (vk::DynamicState::SCISSOR_WITH_COUNT, vk::DynamicState::SCISSOR),
        ] {
            if all.contains(&with_count.as_raw()) {
                all.insert(alone.as_raw());
            }
        }
        Self(all)
    }

    /// Whether a state is among them.
    pub fn has(&self, state: vk::DynamicState) -> bool {
        self.0.contains(&state.as_raw())
    }
}
