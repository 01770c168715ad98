//! D3D12's rules for root signatures, which are checked while a signature is read.
//!
//! In: values and the bytes at which they were read. Out: nothing, or `Malformed` at that byte. The
//! rules are those of `D3D12SerializeVersionedRootSignature` (DirectX-Specs, and the documentation
//! of each structure of d3d12.h).

use super::{DescriptorRange, RootParameterKind, RootSignature, StaticSampler, Visibility};
use super::{descriptor_flags, flags as root, range_flags};
use crate::dxil::consts::ResourceClass;
use crate::error::{Place, Result};
use crate::limits::ROOT_WORDS;

/// The first of the register spaces that D3D12 reserves.
const RESERVED_SPACE: u32 = 0xffff_fff0;

/// Checks that all flags of the signature are known.
pub(super) fn root_flags(place: Place, flags: u32) -> Result<()> {
    let unknown = flags & !root::ALL.iter().fold(0, |all, (flag, _)| all | flag);
    if unknown != 0 {
        return Err(malformed!(place, "unknown root signature flags 0x{unknown:x}"));
    }
    Ok(())
}

const DATA: u32 = range_flags::DATA_VOLATILE | range_flags::DATA_STATIC_WHILE_SET_AT_EXECUTE | range_flags::DATA_STATIC;

/// Checks that the flags of a root descriptor are known, and that at most one of them is set: they
/// exclude each other.
pub(super) fn descriptor_flags(place: Place, flags: u32) -> Result<()> {
    let unknown = flags & !descriptor_flags::ALL.iter().fold(0, |all, (flag, _)| all | flag);
    if unknown != 0 {
        return Err(malformed!(place, "unknown root descriptor flags 0x{unknown:x}"));
    }
    if flags.count_ones() > 1 {
        return Err(malformed!(
            place,
            "root descriptor flags 0x{flags:x} have several data flags; at most one is valid"
        ));
    }
    Ok(())
}

/// Checks that the flags of a range are known and do not contradict each other.
pub(super) fn range_flags(place: Place, class: ResourceClass, flags: u32) -> Result<()> {
    let unknown = flags & !range_flags::ALL.iter().fold(0, |all, (flag, _)| all | flag);
    if unknown != 0 {
        return Err(malformed!(place, "unknown descriptor range flags 0x{unknown:x}"));
    }
    if class == ResourceClass::Sampler && flags & DATA != 0 {
        return Err(malformed!(place, "a sampler range has flags 0x{flags:x}, but samplers cannot have data flags"));
    }
    if (flags & DATA).count_ones() > 1 {
        return Err(malformed!(
            place,
            "descriptor range flags 0x{flags:x} have several data flags; at most one is valid"
        ));
    }
    let volatile = flags & range_flags::DESCRIPTORS_VOLATILE != 0;
    if volatile && flags & range_flags::DATA_STATIC != 0 {
        return Err(malformed!(
            place,
            "a descriptor range has the flags DESCRIPTORS_VOLATILE and DATA_STATIC, which exclude each other"
        ));
    }
    if volatile && flags & range_flags::DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS != 0 {
        return Err(malformed!(
            place,
            "a descriptor range has the flags DESCRIPTORS_VOLATILE and \
             DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS, which exclude each other"
        ));
    }
    Ok(())
}

/// Checks that a table has either samplers or other descriptors: samplers have a heap of their own.
pub(super) fn same_heap(place: Place, first: Option<&DescriptorRange>, range: &DescriptorRange) -> Result<()> {
    let sampler = |range: &DescriptorRange| range.class == ResourceClass::Sampler;
    match first {
        Some(first) if sampler(first) != sampler(range) => Err(malformed!(
            place,
            "a descriptor table has both {} and {} ranges, but samplers need a table of their own",
            first.class,
            range.class
        )),
        _ => Ok(()),
    }
}

impl DescriptorRange {
    /// The offset after the last descriptor of the range; `None` if no range can follow, because
    /// this one is unbounded or ends at the last 32-bit offset.
    pub(super) fn end(&self, place: Place) -> Result<Option<u32>> {
        if self.count == u32::MAX {
            return Ok(None);
        }
        let end = u64::from(self.offset) + u64::from(self.count);
        if end > 1 << 32 {
            return Err(malformed!(
                place,
                "a range of {} descriptors at offset {} ends beyond the last 32-bit offset",
                self.count,
                self.offset
            ));
        }
        Ok(u32::try_from(end).ok())
    }
}

/// Checks the size of the root arguments in DWORDs: a table has one, a root descriptor two, each
/// root constant one.
pub(super) fn size(place: Place, signature: &RootSignature) -> Result<()> {
    let words: u64 = signature
        .parameters
        .iter()
        .map(|parameter| match &parameter.kind {
            RootParameterKind::Table(_) => 1,
            RootParameterKind::Descriptor { .. } => 2,
            RootParameterKind::Constants { count, .. } => u64::from(*count),
        })
        .sum();
    if words > ROOT_WORDS {
        return Err(malformed!(place, "the root arguments have {words} DWORDs, but at most {ROOT_WORDS} are valid"));
    }
    Ok(())
}

/// Checks the fields of a static sampler: its enumerations are known, the anisotropy is at most 16,
/// and the bias is in D3D12's range.
pub(super) fn static_sampler(place: Place, index: u32, sampler: &StaticSampler) -> Result<()> {
    let bad = |what: &str, value: u32| Err(malformed!(place, "static sampler {index}: unknown {what} {value}"));
    if sampler.filter_name().is_none() {
        return bad("filter", sampler.filter);
    }
    if let Some(&mode) = sampler.address.iter().find(|mode| !(1..=5).contains(*mode)) {
        return bad("texture address mode", mode);
    }
    // 0 is D3D12_COMPARISON_FUNC_NONE.
    if sampler.comparison > 8 {
        return bad("comparison function", sampler.comparison);
    }
    if sampler.border_color > 4 {
        return bad("static border colour", sampler.border_color);
    }
    if sampler.max_anisotropy > 16 {
        let most = sampler.max_anisotropy;
        return Err(malformed!(place, "static sampler {index}: maximum anisotropy {most}, but at most 16 is valid"));
    }
    let bias = f32::from_bits(sampler.mip_lod_bias);
    if !(-16.0..=15.99).contains(&bias) {
        return Err(malformed!(
            place,
            "static sampler {index}: mip level bias {bias} is not in the range -16 to 15.99"
        ));
    }
    Ok(())
}

/// The registers of a parameter or static sampler.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    place: Place,
    class: ResourceClass,
    space: u32,
    first: u32,
    last: u32,
    visibility: Visibility,
    parameter: Option<u32>,
}

impl Item {
    /// Checks the registers of one item on their own.
    pub(super) fn new(
        place: Place,
        class: ResourceClass,
        register: u32,
        count: u32,
        space: u32,
        visibility: Visibility,
        parameter: Option<u32>,
    ) -> Result<Self> {
        if space >= RESERVED_SPACE {
            return Err(malformed!(place, "register space 0x{space:x} is reserved"));
        }
        let last = match count {
            0 => return Err(malformed!(place, "a descriptor range has no descriptors")),
            u32::MAX => Some(u32::MAX),
            _ => register.checked_add(count - 1),
        };
        let last = last.ok_or_else(|| {
            malformed!(place, "{count} registers from register {register} on go beyond the last 32-bit register")
        })?;
        Ok(Self { place, class, space, first: register, last, visibility, parameter })
    }

    fn describe(&self) -> String {
        let letter = match self.class {
            ResourceClass::Srv => 't',
            ResourceClass::Uav => 'u',
            ResourceClass::CBuffer => 'b',
            ResourceClass::Sampler => 's',
        };
        let owner = match self.parameter {
            Some(index) => format!("parameter {index}"),
            None => "a static sampler".to_owned(),
        };
        format!("{letter}{} to {letter}{} space{} of {owner}", self.first, self.last, self.space)
    }
}

/// Checks that no stage sees a register twice.
pub(super) fn registers(mut items: Vec<Item>) -> Result<()> {
    items.sort_by_key(|item| (item.class, item.space, item.first));
    for visibility in Visibility::ALL {
        let seen = |item: &&Item| matches!(item.visibility, Visibility::All) || item.visibility == visibility;
        // The items are sorted by their first register, and none of the previous ones overlap each
        // other, so only the last of them can overlap this one.
        let mut before: Option<&Item> = None;
        for item in items.iter().filter(seen) {
            if let Some(other) = before
                && (other.class, other.space) == (item.class, item.space)
                && item.first <= other.last
            {
                return Err(malformed!(item.place, "{} overlaps {}", item.describe(), other.describe()));
            }
            before = Some(item);
        }
    }
    Ok(())
}
