//! The entries of a binding map.

use std::fmt;

use serde::Deserialize;

use super::super::count;
use super::super::layout::stage_flag;
use super::super::registers::{RegisterRange, last};
use crate::ir::resources::{Resource, UNBOUNDED};
use crate::ops::consts::{ResourceClass, ShaderStage};

/// A binding map: the places of register ranges. Its text form is TOML (docs/bindings.md, "`map`"),
/// which [`BindingMap::parse`] reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BindingMap {
    pub(super) entries: Vec<MapEntry>,
}

/// One entry: a range of registers and its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct MapEntry {
    pub(super) class: ResourceClass,
    pub(super) space: u32,
    /// First register.
    pub(super) register: u32,
    /// Number of registers; `u32::MAX` is unbounded.
    pub(super) count: u32,
    /// The stages that the entry is for, each once; `None` for all.
    pub(super) stages: Option<Vec<ShaderStage>>,
    /// The flags of these stages, or of all.
    pub(super) flags: u32,
    pub(super) place: MapPlace,
}

/// Where an entry puts its registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum MapPlace {
    Set {
        set: u32,
        binding: u32,
        /// The element of the first register. With it, all registers are elements of one binding;
        /// without it, each register has its own binding, counted up from `binding`.
        first: Option<u32>,
        /// Where the hidden counter of the first register is.
        counter: Option<MapCounter>,
        /// Where the starts and sizes of the views are.
        ranges: Option<MapRanges>,
        /// The word with the index in a descriptor heap to which `first` is added. The binding is
        /// then the heap.
        table: Option<MapRoot>,
        /// For acceleration structures whose binding has their addresses.
        addresses: Option<MapPair>,
    },
    /// Root constants from this byte on.
    Push(MapRoot),
    /// A buffer, whose address is at this byte.
    Address(MapRoot),
}

/// A byte of the push constants, or of a uniform block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MapRoot {
    pub(super) offset: u32,
    pub(super) block: Option<MapBinding>,
}

/// A binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapBinding {
    pub(super) set: u32,
    pub(super) binding: u32,
}

/// The place of a hidden counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapCounter {
    pub(super) set: u32,
    pub(super) binding: u32,
    /// For counters whose binding has their addresses.
    pub(super) addresses: Option<MapPair>,
}

/// Which pair of words of an entry an address is, in the terms of
/// [`PairPlace`](super::super::plan::PairPlace).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapPair {
    #[serde(default = "count::one")]
    pub(super) stride: u32,
    #[serde(default)]
    pub(super) offset: u32,
}

/// The starts and sizes of views, in the terms of [`PairPlace`](super::super::plan::PairPlace).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapRanges {
    pub(super) set: u32,
    pub(super) binding: u32,
    /// The entry of the first register.
    #[serde(default)]
    pub(super) first: u32,
    #[serde(default = "count::one")]
    pub(super) stride: u32,
    #[serde(default)]
    pub(super) offset: u32,
}

impl MapEntry {
    /// The range of registers.
    pub(super) fn registers(&self) -> RegisterRange {
        let &MapEntry { class, space, register, count, .. } = self;
        RegisterRange { class, register, count, space }
    }

    /// The last register of the range.
    pub(super) fn last(&self) -> u32 {
        last(self.register, self.count)
    }

    /// Whether the entry is for a stage.
    pub(super) fn is_for(&self, stage: ShaderStage) -> bool {
        self.stages.is_none() || stage_flag(stage).is_some_and(|flag| self.flags & flag != 0)
    }

    /// Whether a register of some stage is in both entries.
    pub(super) fn overlaps(&self, other: &MapEntry) -> bool {
        let stages = self.flags & other.flags != 0;
        let registers = self.register <= other.last() && other.register <= self.last();
        (self.class, self.space) == (other.class, other.space) && registers && stages
    }

    /// Whether the entry has the first register of a resource.
    pub(super) fn has_first(&self, resource: &Resource, stage: ShaderStage) -> bool {
        (self.class, self.space) == (resource.class, resource.space)
            && (self.register..=self.last()).contains(&resource.lower_bound)
            && self.is_for(stage)
    }
}

impl fmt::Display for MapEntry {
    /// The registers of the entry: `t0 to t7 space1 (pixel)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = self.class.letter();
        write!(f, "{class}{}", self.register)?;
        match self.count {
            1 => {}
            UNBOUNDED => write!(f, " and above")?,
            _ => write!(f, " to {class}{}", self.last())?,
        }
        write!(f, " space{}", self.space)?;
        if let Some(stages) = &self.stages {
            let names: Vec<&str> = stages.iter().map(|stage| stage.name()).collect();
            write!(f, " ({})", names.join(", "))?;
        }
        Ok(())
    }
}
