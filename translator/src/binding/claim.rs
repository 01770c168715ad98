//! What a model claims: set, binding and element, or push-constant bytes, before descriptor types are known.
//!
//! In: resources, by a model ([`register`](super::register), [`tables`](super::tables)). Out: one claim per resource, which
//! [`settle`](mod@super::settle) checks against the layout and turns into a plan. What must hold: a resource that the model has
//! no place for has a message that says what was looked for.

use std::fmt;

use super::options::{Model, RegisterShifts};
use super::plan::Root;

/// Why a model puts descriptors where it does; for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// By register and space.
    Register,
    /// A range of a table: index of the parameter, index of the range.
    Range(u32, u32),
    /// A root descriptor: index of the parameter.
    RootDescriptor(u32),
    /// A static sampler: its index.
    StaticSampler(u32),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Register => write!(f, "by register and space"),
            Origin::Range(parameter, range) => write!(f, "parameter {parameter}, range {range} of its table"),
            Origin::RootDescriptor(parameter) => write!(f, "parameter {parameter}, a root descriptor"),
            Origin::StaticSampler(sampler) => write!(f, "static sampler {sampler}"),
        }
    }
}

/// Descriptors in a set, their type not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// Element of the binding that is the first register.
    pub first: u32,
    /// Descriptors in the binding as the shader declares it, as in [`Descriptor`](super::plan::Descriptor).
    pub count: u32,
    /// Why there.
    pub origin: Origin,
}

/// Where a model puts a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// In a descriptor set.
    Slot(Slot),
    /// In the push-constant block.
    Push {
        /// First byte.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// Root constants in the shader record.
    Record {
        /// First byte.
        offset: u32,
        /// Size in bytes.
        size: u32,
    },
    /// A buffer whose address is a root argument.
    Address(Root),
    /// Nowhere: the entry point does not use the resource.
    Unused,
}

/// A resource's place, and its counter's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// Where it goes.
    pub spot: Spot,
    /// Where its hidden counter goes.
    pub counter: Option<Slot>,
}

impl Claim {
    /// The claim of a resource that the entry point does not use.
    pub const UNUSED: Self = Self { spot: Spot::Unused, counter: None };
}

/// What one model claims for a pipeline.
#[derive(Clone, Debug)]
pub(super) struct Claims {
    /// The model.
    pub model: Model,
    /// The shifts it used, for messages.
    pub shifts: RegisterShifts,
    /// Per stage and resource the claim, or why there is none.
    pub stages: Vec<Vec<Result<Claim, String>>>,
}
