//! The text of a binding map, which is TOML.
//!
//! In: text of any origin. Out: a [`BindingMap`]. What must hold: an error names the line and the
//! column, and an error of an entry's content the entry as `entries[3]`; the number of entries is
//! within its limit.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::super::count;
use super::super::layout::stage_flag;
use super::entries::{BindingMap, MapBinding, MapCounter, MapEntry, MapPair, MapPlace, MapRanges, MapRoot};
use crate::ir::resources::UNBOUNDED;
use crate::ops::consts::{ResourceClass, ShaderStage};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::text::{self, Spanned};

/// The version of the text form, which the text states.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapText {
    version: u32,
    entries: Vec<Spanned<EntryText>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryText {
    #[serde(deserialize_with = "class")]
    class: ResourceClass,
    register: u32,
    #[serde(default = "count::one", with = "count")]
    count: u32,
    #[serde(default)]
    space: u32,
    stages: Option<Vec<String>>,
    set: Option<u32>,
    binding: Option<u32>,
    first: Option<u32>,
    counter: Option<MapCounter>,
    ranges: Option<MapRanges>,
    table: Option<u32>,
    addresses: Option<MapPair>,
    push: Option<u32>,
    address: Option<u32>,
    block: Option<MapBinding>,
}

/// Reads the letter of a class.
fn class<'de, D: Deserializer<'de>>(from: D) -> Result<ResourceClass, D::Error> {
    let letter = char::deserialize(from)?;
    let unknown = || D::Error::custom(format!("unknown class `{letter}`; expected one of `b`, `t`, `u`, `s`"));
    ResourceClass::from_letter(letter).ok_or_else(unknown)
}

impl BindingMap {
    /// Reads the text of a map, which is TOML (docs/bindings.md, "`map`").
    ///
    /// # Errors
    /// `Malformed`, with line and column: the text does not have this form, or the content of an
    /// entry (`entries[3]`) breaks a rule: an entry without registers or stages, two places or
    /// none. `Malformed`: two entries have the same register of a stage. `Unsupported` if the text
    /// has another version. `Limit` if it has too many entries. The errors of [`text::read`].
    pub fn parse(text: &str) -> Result<Self> {
        let map: MapText = text::read("binding map", text)?;
        if map.version != VERSION {
            return Err(unsupported!(
                Place::Input,
                "the binding map has version {}; this build reads version {VERSION}",
                map.version
            ));
        }
        limits::check(Place::Input, "entries in a binding map", map.entries.len(), limits::MAP_ENTRIES)?;
        let entry = |(index, entry): (usize, Spanned<EntryText>)| {
            let span = entry.span();
            let place = || text::place_at(text, span.start);
            check(entry.into_inner()).map_err(|why| malformed!(place(), "entries[{index}] of the binding map: {why}"))
        };
        let entries: Vec<MapEntry> = map.entries.into_iter().enumerate().map(entry).collect::<Result<_>>()?;
        find_overlap(&entries)?;
        Ok(Self { entries })
    }
}

/// The entry of a text, or what is wrong with it.
fn check(text: EntryText) -> Result<MapEntry, String> {
    let EntryText { class, register, count, space, ref stages, .. } = text;
    if count == 0 {
        return Err("`count` is 0, so no resource can match; expected at least 1 or \"unbounded\"".to_owned());
    }
    if count != UNBOUNDED && register.checked_add(count - 1).is_none() {
        return Err(format!("{count} registers from {register} on do not end within 32 bits"));
    }
    let stages = stages.as_deref().map(stages_of).transpose()?;
    let of_stages = |stages: &Vec<ShaderStage>| {
        stages.iter().filter_map(|&stage| stage_flag(stage)).fold(0, |all, flag| all | flag)
    };
    let flags = stages.as_ref().map_or(u32::MAX, of_stages);
    if stages.as_ref().is_some_and(Vec::is_empty) {
        return Err("`stages` is empty, so no resource can match; leave it out for all stages".to_owned());
    }
    Ok(MapEntry { class, space, register, count, stages, flags, place: place(&text)? })
}

/// The place of an entry, or what is wrong with it.
fn place(text: &EntryText) -> Result<MapPlace, String> {
    let &EntryText {
        class, count, set, binding, first, counter, ranges, table, addresses, push, address, block, ..
    } = text;
    let of_set = first.is_some() || counter.is_some() || ranges.is_some() || table.is_some() || addresses.is_some();
    let in_set = set.is_some() || binding.is_some() || of_set;
    let root = |offset| MapRoot { offset, block };
    if block.is_some() && push.or(address).or(table).is_none() {
        return Err("`block` has what `push`, `address` or `table` is a byte of".to_owned());
    }
    if let Some(offset) = address {
        if in_set || push.is_some() {
            return Err("`address` is a place, so no other place can be given with it".to_owned());
        }
        if class == ResourceClass::Sampler || count != 1 {
            return Err("`address` is for one buffer: `class` b, t or u, and `count` 1".to_owned());
        }
        // A member of 8 bytes has an offset that is a multiple of 8.
        if offset % 8 != 0 {
            return Err(format!("`address` is {offset}, which is not a multiple of 8"));
        }
        return Ok(MapPlace::Address(root(offset)));
    }
    if let Some(offset) = push {
        if in_set {
            return Err(
                "`push` is a place, so `set`, `binding` and what belongs to them cannot be given with it".to_owned()
            );
        }
        if class != ResourceClass::CBuffer || count != 1 {
            return Err("`push` is for one constant buffer: `class` b and `count` 1".to_owned());
        }
        // Vulkan declares members of push constants at multiples of their size, which is four here.
        if offset % 4 != 0 {
            return Err(format!("`push` is {offset}, which is not a multiple of 4"));
        }
        return Ok(MapPlace::Push(root(offset)));
    }
    let (Some(set), Some(binding)) = (set, binding) else {
        return Err("no place; expected `set` and `binding`, `push` or `address`".to_owned());
    };
    if counter.is_some() && class != ResourceClass::Uav {
        return Err("`counter` is for class u only".to_owned());
    }
    if ranges.is_some() && !matches!(class, ResourceClass::Srv | ResourceClass::Uav) {
        return Err("`ranges` is for classes t and u only".to_owned());
    }
    if addresses.is_some() && class != ResourceClass::Srv {
        return Err("`addresses` is for class t only".to_owned());
    }
    if let Some(offset) = table.filter(|offset| offset % 4 != 0) {
        return Err(format!("`table` is {offset}, which is not a multiple of 4"));
    }
    let of_ranges = ranges.map(|MapRanges { stride, offset, .. }| MapPair { stride, offset });
    let of_counter = counter.and_then(|counter| counter.addresses);
    for (what, pair) in [("ranges", of_ranges), ("addresses", addresses), ("counter", of_counter)] {
        if let Some(MapPair { stride, offset }) = pair.filter(|pair| pair.offset >= pair.stride) {
            return Err(format!("`{what}` has pair {offset} of an entry with space for {stride}"));
        }
    }
    Ok(MapPlace::Set { set, binding, first, counter, ranges, table: table.map(root), addresses })
}

/// The stages of these names. A name may occur thousands of times, and its stage occurs once.
fn stages_of(names: &[String]) -> Result<Vec<ShaderStage>, String> {
    let mut stages = Vec::new();
    for name in names {
        let stage = stage(name)?;
        if !stages.contains(&stage) {
            stages.push(stage);
        }
    }
    Ok(stages)
}

/// A stage by its name.
fn stage(name: &str) -> Result<ShaderStage, String> {
    let stages = ShaderStage::ALL.iter().copied();
    let mut stages = stages.filter(|stage| stage_flag(*stage).is_some());
    let found = stages.clone().find(|stage| stage.name() == name);
    found.ok_or_else(|| {
        let first = stages.next().map(ShaderStage::name).unwrap_or_default();
        let names = stages.map(ShaderStage::name).fold(first.to_owned(), |all, name| format!("{all}, {name}"));
        format!("unknown stage `{}`; expected one of {names}", name.escape_debug())
    })
}

/// Refuses two entries that have the same register of a stage.
fn find_overlap(entries: &[MapEntry]) -> Result<()> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    let key = |index: &usize| entries.get(*index).map(|entry| (entry.class, entry.space, entry.register));
    order.sort_by_key(key);
    for (position, &index) in order.iter().enumerate() {
        let Some(entry) = entries.get(index) else { continue };
        let after = order.iter().skip(position + 1).filter_map(|&other| Some((other, entries.get(other)?)));
        let near = after.take_while(|(_, other)| {
            (other.class, other.space) == (entry.class, entry.space) && other.register <= entry.last()
        });
        for (other_index, other) in near {
            if entry.overlaps(other) {
                return Err(malformed!(
                    Place::Input,
                    "entries[{index}] ({entry}) and entries[{other_index}] ({other}) of the binding map overlap; each \
                     register of a stage may be in one entry"
                ));
            }
        }
    }
    Ok(())
}
