//! The data of a `heaps` line: the descriptor sets that stand for D3D12's descriptor heaps.

use ash::vk;

use super::line::Line;
use super::{Resource, SetBinding};
use crate::error::Result;

/// The binding of a heap in its set (docs/bindings.md, "Heaps").
const BINDING: u32 = 0;

/// The order of the sets of a resource heap that has a set for each descriptor type.
pub(super) const TYPES: [vk::DescriptorType; 7] = [
    vk::DescriptorType::SAMPLED_IMAGE,
    vk::DescriptorType::STORAGE_IMAGE,
    vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
    vk::DescriptorType::STORAGE_TEXEL_BUFFER,
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::STORAGE_BUFFER,
    vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
];

/// The descriptor heaps of a fixture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heaps {
    /// Whether the resource heap is one set of mutable descriptors. Otherwise each descriptor type
    /// has a set.
    pub mutable: bool,
    /// The number of descriptors in each heap.
    pub size: u32,
    /// The first set of the resource heap.
    pub resources: Option<u32>,
    /// The set of the sampler heap.
    pub samplers: Option<u32>,
    /// The set of the counters.
    pub counters: Option<u32>,
}

impl Heaps {
    /// Reads `heaps mutable|typed SIZE [resources=SET] [samplers=SET] [counters=SET]`.
    pub(super) fn parse(line: &mut Line<'_>) -> Result<Self> {
        Ok(Self {
            mutable: line.choice("arrangement", &[("mutable", true), ("typed", false)])?,
            size: line.size("SIZE")?,
            resources: line.option_value("resources")?,
            samplers: line.option_value("samplers")?,
            counters: line.option_value("counters")?,
        })
    }

    /// The set and binding of a resource in a heap; `None` if its heap has no set.
    #[must_use]
    pub fn place(&self, resource: &Resource) -> Option<SetBinding> {
        let set = match (resource.register.class, resource.descriptor) {
            ('c', _) => self.counters?,
            (_, vk::DescriptorType::SAMPLER) => self.samplers?,
            (_, descriptor) => {
                let number = TYPES.iter().position(|ty| *ty == descriptor)?;
                let number = if self.mutable { 0 } else { u32::try_from(number).ok()? };
                self.resources?.checked_add(number)?
            }
        };
        Some(SetBinding { set, binding: BINDING })
    }

    /// Whether a binding holds mutable descriptors.
    #[must_use]
    pub fn is_mutable(&self, place: SetBinding) -> bool {
        self.mutable && self.resources == Some(place.set) && place.binding == BINDING
    }
}
