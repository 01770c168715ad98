//! D3D12's rules for root signatures, which are checked while a signature is read.
//!
//! In: values and the places at which they were read. Out: nothing, or `Malformed` at that place.
//! The rules are those of `D3D12SerializeVersionedRootSignature` (DirectX-Specs, and the
//! documentation of each structure of d3d12.h).

use super::names::filter_name;
use super::{
    DescriptorRange, RootParameterKind, RootSignature, StaticSampler, Visibility, descriptor_flags, flags as root,
    range_flags, sampler_flags,
};
use crate::ops::consts::ResourceClass;
use dxil_base::error::{Place, Result};
use dxil_base::limits::ROOT_WORDS;

/// A register and its space.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShaderRegister {
    pub register: u32,
    pub space: u32,
}

/// The first of the register spaces that D3D12 reserves.
const RESERVED_SPACE: u32 = 0xffff_fff0;

/// The flags that a local root signature may have. The others concern the graphics pipeline, which
/// has no local root signatures (documentation of `D3D12_ROOT_SIGNATURE_FLAGS`).
const LOCAL: u32 =
    root::LOCAL_ROOT_SIGNATURE | root::CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED | root::SAMPLER_HEAP_DIRECTLY_INDEXED;

/// Checks that all flags of the signature are known, and that a local root signature has none of
/// the graphics pipeline.
pub(super) fn root_flags(place: Place, flags: u32) -> Result<()> {
    let unknown = flags & !all_of(&root::ALL);
    if unknown != 0 {
        return Err(malformed!(place, "unknown root signature flags 0x{unknown:x}"));
    }
    let graphics = root::ALL.iter().find(|(flag, _)| flags & flag & !LOCAL != 0);
    match graphics {
        Some((_, name)) if flags & root::LOCAL_ROOT_SIGNATURE != 0 => Err(malformed!(
            place,
            "a local root signature (LOCAL_ROOT_SIGNATURE) has the flag {name}, which is for graphics pipelines"
        )),
        _ => Ok(()),
    }
}

fn all_of(flags: &[(u32, &str)]) -> u32 {
    flags.iter().fold(0, |all, (flag, _)| all | flag)
}

const DATA: u32 = range_flags::DATA_VOLATILE | range_flags::DATA_STATIC_WHILE_SET_AT_EXECUTE | range_flags::DATA_STATIC;

/// Checks that the flags of a root descriptor are known, and that at most one of them is set: they
/// exclude each other.
pub(super) fn descriptor_flags(place: Place, flags: u32) -> Result<()> {
    let unknown = flags & !all_of(&descriptor_flags::ALL);
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
    let unknown = flags & !all_of(&range_flags::ALL);
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
/// root constant one. The arguments of a local root signature are in shader records, which have no
/// such limit (DirectX-Specs, Raytracing, «Local root signatures vs global root signatures»).
pub(super) fn size(place: Place, signature: &RootSignature) -> Result<()> {
    if signature.is_local() {
        return Ok(());
    }
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
/// the bias is in D3D12's range, and the bounds of the mip level are numbers.
pub(super) fn static_sampler(place: Place, index: usize, sampler: &StaticSampler) -> Result<()> {
    let bad = |what: &str, value: u32| Err(malformed!(place, "static sampler {index}: unknown {what} {value}"));
    if filter_name(sampler.filter).is_none() {
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
    for (name, bits) in [("smallest", sampler.min_lod), ("largest", sampler.max_lod)] {
        if f32::from_bits(bits).is_nan() {
            return Err(malformed!(place, "static sampler {index}: the {name} mip level is NaN"));
        }
    }
    Ok(())
}

/// The filters of samplers with non-normalized coordinates: the same filter for minification and
/// magnification, points for mip levels, without comparison and anisotropy.
const NON_NORMALIZED_FILTERS: [u32; 6] = [0x00, 0x14, 0x100, 0x114, 0x180, 0x194];
const ADDRESS_CLAMP: u32 = 3;
const ADDRESS_BORDER: u32 = 4;
/// The first of the static border colours of integers.
const BORDER_OPAQUE_BLACK_UINT: u32 = 3;

/// Checks that the flags of a static sampler are known and suit its other fields (DirectX-Specs,
/// VulkanOn12, "Non-normalized texture sampling coordinates").
pub(super) fn sampler_flags(place: Place, index: usize, sampler: &StaticSampler) -> Result<()> {
    let unknown = sampler.flags & !all_of(&sampler_flags::ALL);
    if unknown != 0 {
        return Err(malformed!(place, "static sampler {index}: unknown sampler flags 0x{unknown:x}"));
    }
    if sampler.flags & sampler_flags::UINT_BORDER_COLOR != 0 && sampler.border_color < BORDER_OPAQUE_BLACK_UINT {
        return Err(malformed!(
            place,
            "static sampler {index}: UINT_BORDER_COLOR is set, but its border colour is one of floats"
        ));
    }
    if sampler.flags & sampler_flags::NON_NORMALIZED_COORDINATES == 0 {
        return Ok(());
    }
    let zero = |bits: u32| f32::from_bits(bits) == 0.0;
    let fault = if !NON_NORMALIZED_FILTERS.contains(&sampler.filter) {
        "its filter is not one of MIN_MAG_MIP_POINT and MIN_MAG_LINEAR_MIP_POINT without comparison"
    } else if !zero(sampler.min_lod) || !zero(sampler.max_lod) {
        "its smallest and largest mip level are not 0"
    } else if sampler.address.iter().take(2).any(|mode| ![ADDRESS_CLAMP, ADDRESS_BORDER].contains(mode)) {
        "its address modes of u and v are not CLAMP or BORDER"
    } else {
        return Ok(());
    };
    Err(malformed!(place, "static sampler {index}: NON_NORMALIZED_COORDINATES is set, but {fault}"))
}

/// The registers of a parameter or static sampler.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItemRegisters {
    place: Place,
    class: ResourceClass,
    space: u32,
    first: u32,
    last: u32,
    visibility: Visibility,
    parameter: Option<usize>,
}

impl ItemRegisters {
    /// Checks the registers of one item on their own.
    pub(super) fn new(
        place: Place,
        class: ResourceClass,
        ShaderRegister { register, space }: ShaderRegister,
        count: u32,
        visibility: Visibility,
        parameter: Option<usize>,
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
pub(super) fn registers(mut items: Vec<ItemRegisters>) -> Result<()> {
    items.sort_by_key(|item| (item.class, item.space, item.first));
    for visibility in Visibility::ALL {
        let seen = |item: &&ItemRegisters| matches!(item.visibility, Visibility::All) || item.visibility == visibility;
        // The items are sorted by their first register, and none of the previous ones overlap each
        // other, so only the last of them can overlap this one.
        let mut before: Option<&ItemRegisters> = None;
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
