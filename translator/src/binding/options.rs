//! The caller's choices for the binding plan: the binding model and the register shifts.
//!
//! In: settings, as values or as text. Out: plain data that can be compared and hashed, for cache
//! keys. What must hold: a value that is printed and read back is equal to the first.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use dxil_base::error::{Error, Place, Result};

/// The rule that gives resources their places (docs/bindings.md, "Models").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Model {
    /// `Map` if there is a map, otherwise `RootSignature` if there is a root signature, otherwise
    /// `Register`. If a pipeline layout is given and does not match the first choice, `auto` takes
    /// `Register`.
    #[default]
    Auto,
    /// Set = register space; binding = register + the shift of its class.
    Register,
    /// Each descriptor table is a set, root constants are push constants, and everything else is in
    /// the root set.
    RootSignature,
    /// The places that a [`BindingMap`](super::BindingMap) lists.
    Map,
}

impl Model {
    /// All models.
    pub const ALL: [Model; 4] = [Model::Auto, Model::Register, Model::RootSignature, Model::Map];

    /// The model's name in settings and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Auto => "auto",
            Model::Register => "register",
            Model::RootSignature => "root-signature",
            Model::Map => "map",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Model {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|model| model.name() == text).ok_or_else(|| {
            malformed!(Place::Input, "unknown binding model `{text}`; expected auto, register, root-signature or map")
        })
    }
}

/// For each register class, the number that the register model adds to a register to get its
/// binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "one number for each of D3D12's register classes, and one for counters")]
pub struct RegisterShifts {
    /// Constant buffers.
    pub b: u32,
    /// Shader resource views.
    pub t: u32,
    /// Unordered access views.
    pub u: u32,
    /// Samplers.
    pub s: u32,
    /// Hidden counters: the register model adds this number to the register of the UAV, the
    /// root-signature model adds it to the binding of the UAV.
    pub c: u32,
}

impl Default for RegisterShifts {
    fn default() -> Self {
        Self { b: 0, t: 0, u: 0, s: 0, c: 1000 }
    }
}

impl fmt::Display for RegisterShifts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b={},t={},u={},s={},c={}", self.b, self.t, self.u, self.s, self.c)
    }
}

impl FromStr for RegisterShifts {
    type Err = Error;
    /// Reads `b=0,t=100,…`, in any order. A class that is not mentioned keeps its default.
    fn from_str(text: &str) -> Result<Self> {
        let mut shifts = Self::default();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (class, value) = item
                .split_once('=')
                .ok_or_else(|| malformed!(Place::Input, "expected a shift such as `t=100`, found `{item}`"))?;
            let value = value.trim();
            let shift = match class.trim() {
                "b" => &mut shifts.b,
                "t" => &mut shifts.t,
                "u" => &mut shifts.u,
                "s" => &mut shifts.s,
                "c" => &mut shifts.c,
                other => {
                    return Err(malformed!(Place::Input, "unknown register class `{other}`; expected b, t, u, s or c"));
                }
            };
            *shift = value
                .parse()
                .map_err(|_| malformed!(Place::Input, "shift `{item}`: expected a 32-bit number, found `{value}`"))?;
        }
        Ok(shifts)
    }
}

/// The register model's sets for register spaces whose number is not that of a set: at most
/// [`SpaceMap::MOST`] spaces are renamed, all others keep their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpaceMap([Option<(u32, u32)>; SpaceMap::MOST]);

impl SpaceMap {
    /// The largest number of spaces that can be renamed. Devices have 4 to 32 descriptor sets.
    pub const MOST: usize = 16;

    /// The descriptor set of a space.
    pub fn set(&self, space: u32) -> u32 {
        let renamed = self.0.iter().flatten().find(|(from, _)| *from == space);
        renamed.map_or(space, |&(_, set)| set)
    }

    /// Whether no space is renamed.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

impl fmt::Display for SpaceMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (space, set)) in self.0.iter().flatten().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{space}={set}")?;
        }
        Ok(())
    }
}

impl FromStr for SpaceMap {
    type Err = Error;
    /// Reads `95=1,96=2`. The order does not matter, and two texts of one map give equal values.
    fn from_str(text: &str) -> Result<Self> {
        let mut pairs = BTreeMap::new();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let pair = item
                .split_once('=')
                .and_then(|(space, set)| Some((space.trim().parse::<u32>().ok()?, set.trim().parse::<u32>().ok()?)));
            let (space, set) =
                pair.ok_or_else(|| malformed!(Place::Input, "expected SPACE=SET such as `95=1`, found `{item}`"))?;
            if pairs.insert(space, set).is_some() {
                return Err(malformed!(Place::Input, "register space {space} has two sets in `{text}`"));
            }
        }
        if pairs.len() > Self::MOST {
            return Err(malformed!(
                Place::Input,
                "{} spaces in `{text}`; at most {} are possible",
                pairs.len(),
                Self::MOST
            ));
        }
        let mut map = Self::default();
        map.0.iter_mut().zip(pairs).for_each(|(slot, pair)| *slot = Some(pair));
        Ok(map)
    }
}

/// How root descriptors reach the shader under the root-signature model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RootDescriptors {
    /// As the bindings of the pipeline layout's root set say; without a layout, as descriptors.
    #[default]
    Auto,
    /// As descriptors in the root set.
    Descriptor,
    /// As addresses of 8 bytes each in the push constants.
    Address,
}

impl RootDescriptors {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Descriptor, Self::Address];

    /// The word for it in settings and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Descriptor => "descriptor",
            Self::Address => "address",
        }
    }
}

impl fmt::Display for RootDescriptors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RootDescriptors {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|form| form.name() == text);
        found.ok_or_else(|| {
            malformed!(Place::Input, "unknown form of root descriptors `{text}`; expected auto, descriptor or address")
        })
    }
}

/// How descriptor tables reach the shader under the root-signature model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RootTables {
    /// Each table is a descriptor set.
    #[default]
    Sets,
    /// Each table is an offset of 4 bytes in the push constants: the index of its first descriptor
    /// in the descriptor heap.
    Offsets,
}

impl RootTables {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Sets, Self::Offsets];

    /// The word for it in settings and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sets => "sets",
            Self::Offsets => "offsets",
        }
    }
}

impl fmt::Display for RootTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RootTables {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|form| form.name() == text);
        found.ok_or_else(|| {
            malformed!(Place::Input, "unknown form of descriptor tables `{text}`; expected sets or offsets")
        })
    }
}

/// What the set of the hidden counters of UAVs in the resource heap has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HeapCounters {
    /// An array of storage buffers, each of which is a counter.
    #[default]
    Descriptor,
    /// One storage buffer with a 64-bit address for each descriptor of the heap. A counter is the
    /// word at the address of its UAV.
    Address,
}

impl HeapCounters {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Descriptor, Self::Address];

    /// The word for it in settings and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Descriptor => "descriptor",
            Self::Address => "address",
        }
    }
}

impl fmt::Display for HeapCounters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HeapCounters {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|form| form.name() == text);
        found.ok_or_else(|| {
            malformed!(Place::Input, "unknown form of heap counters `{text}`; expected descriptor or address")
        })
    }
}

/// The descriptor sets of the descriptor heaps (docs/bindings.md, "Heaps"). `None` is the default
/// of the root-signature model: the sets after the last one that the root signature uses. The
/// register model has no default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HeapSets {
    /// The set of the resource heap: its first one, if each descriptor type has a set of its own.
    pub resources: Option<u32>,
    /// The set of the sampler heap.
    pub samplers: Option<u32>,
    /// The set of the hidden counters of UAVs in the resource heap.
    pub counters: Option<u32>,
}

/// The caller's choices for the binding plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BindingOptions {
    /// The binding model.
    pub model: Model,
    /// Shifts of the register model. The root-signature model uses `c` too.
    pub shifts: RegisterShifts,
    /// How root descriptors reach the shader.
    pub root_descriptors: RootDescriptors,
    /// How descriptor tables reach the shader.
    pub root_tables: RootTables,
    /// The sets of register spaces, under the register model.
    pub spaces: SpaceMap,
    /// The sets of the descriptor heaps.
    pub heap_sets: HeapSets,
    /// What the set of the heap's counters has.
    pub heap_counters: HeapCounters,
}

impl BindingOptions {
    /// Options with this model and these shifts.
    pub fn new(model: Model, shifts: RegisterShifts) -> Self {
        Self { model, shifts, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_read_back() {
        let shifts: RegisterShifts = "t=100, u=200,s=300".parse().unwrap();
        assert_eq!(shifts, RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 });
        assert_eq!(shifts.to_string().parse::<RegisterShifts>().unwrap(), shifts);
        assert_eq!("".parse::<RegisterShifts>().unwrap(), RegisterShifts::default());
    }

    #[test]
    fn bad_shifts_name_the_item() {
        for (text, says) in [("x=1", "`x`"), ("t=-1", "`-1`"), ("t", "`t`"), ("t=4294967296", "`4294967296`")] {
            let error = text.parse::<RegisterShifts>().unwrap_err();
            assert!(error.message().contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn space_maps_read_back() {
        let map: SpaceMap = " 96=2, 95=1,".parse().unwrap();
        assert_eq!((map.set(95), map.set(96), map.set(97), map.to_string()), (1, 2, 97, "95=1,96=2".to_owned()));
        assert_eq!("95=1,96=2".parse::<SpaceMap>().unwrap(), map);
        assert!("".parse::<SpaceMap>().unwrap().is_empty() && !map.is_empty());
        let many = (0..17).map(|n| format!("{n}=0")).collect::<Vec<_>>().join(",");
        for (text, says) in [
            ("95", "expected SPACE=SET such as `95=1`, found `95`"),
            ("a=1", "found `a=1`"),
            ("1=-1", "found `1=-1`"),
            ("1=2,1=3", "register space 1 has two sets in `1=2,1=3`"),
            (&many, "17 spaces in"),
        ] {
            let error = text.parse::<SpaceMap>().unwrap_err();
            assert!(error.message().contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn models_read_back() {
        for model in Model::ALL {
            assert_eq!(model.to_string().parse::<Model>().unwrap(), model);
        }
        assert!("registers".parse::<Model>().is_err());
    }
}
