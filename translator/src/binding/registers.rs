//! The registers of the items of a root signature, against those of a resource.
//!
//! In: an item's registers, and a resource. Out: whether the item has all registers of the resource
//! and the stage sees it; if not, what is near it, for messages. What must hold: as in D3D12, one
//! item has all registers of a resource.

use std::fmt;

use super::root_signature::Visibility;
use crate::dxil::consts::{ResourceClass, ShaderStage};
use crate::dxil::resources::{Resource, UNBOUNDED};

/// An item of a root signature, by index.
#[derive(Clone, Copy)]
pub(super) enum Item {
    /// A root parameter.
    Parameter(u32),
    /// A static sampler.
    StaticSampler(u32),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Parameter(index) => write!(f, "parameter {index}"),
            Item::StaticSampler(index) => write!(f, "static sampler {index}"),
        }
    }
}

/// An item that has some registers of the resource but does not fit, for messages.
pub(super) enum Near {
    /// Other stages see it.
    Invisible(Item, Visibility),
    /// It has a part of the registers.
    Partly(Item),
}

/// The registers of an item of a root signature.
pub(super) struct Registers {
    /// Register class.
    pub class: ResourceClass,
    /// First register.
    pub register: u32,
    /// Number of registers.
    pub count: u32,
    /// Register space.
    pub space: u32,
}

fn last(register: u32, count: u32) -> u32 {
    if count == UNBOUNDED { u32::MAX } else { register.saturating_add(count.saturating_sub(1)) }
}

impl Registers {
    /// Whether the item has all registers of the resource, and the stage sees it.
    pub fn look(
        &self,
        resource: &Resource,
        visibility: Visibility,
        stage: ShaderStage,
        item: Item,
        near: &mut Option<Near>,
    ) -> bool {
        if visibility.includes(stage) {
            return self.has(resource, item, near);
        }
        if self.touches(resource) {
            *near = Some(Near::Invisible(item, visibility));
        }
        false
    }

    /// Whether the item has all registers of the resource.
    pub fn has(&self, resource: &Resource, item: Item, near: &mut Option<Near>) -> bool {
        let touches = self.touches(resource);
        let whole = self.register <= resource.lower_bound
            && last(resource.lower_bound, resource.count) <= last(self.register, self.count);
        if touches && !whole {
            *near = Some(Near::Partly(item));
        }
        touches && whole
    }

    /// Whether the item has some registers of the resource.
    fn touches(&self, resource: &Resource) -> bool {
        (self.class, self.space) == (resource.class, resource.space)
            && resource.lower_bound <= last(self.register, self.count)
            && self.register <= last(resource.lower_bound, resource.count)
    }
}
