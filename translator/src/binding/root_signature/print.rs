//! Prints a root signature as HLSL root signature text, which compilers can read.

use std::fmt;

use super::{DescriptorRange, RootParameter, RootParameterKind, RootSignature, RootVersion, StaticSampler, Visibility};
use super::{descriptor_flags, flags, range_flags};
use crate::dxil::consts::ResourceClass;

const ADDRESS_MODES: [&str; 5] = ["WRAP", "MIRROR", "CLAMP", "BORDER", "MIRROR_ONCE"];
const COMPARISONS: [&str; 8] =
    ["NEVER", "LESS", "EQUAL", "LESS_EQUAL", "GREATER", "NOT_EQUAL", "GREATER_EQUAL", "ALWAYS"];
const BORDER_COLORS: [&str; 5] =
    ["TRANSPARENT_BLACK", "OPAQUE_BLACK", "OPAQUE_WHITE", "OPAQUE_BLACK_UINT", "OPAQUE_WHITE_UINT"];
/// The parts of filters for minification, magnification and mip levels: bits of `D3D12_FILTER` and
/// name.
const FILTERS: [(u32, &str); 10] = [
    (0x00, "MIN_MAG_MIP_POINT"),
    (0x01, "MIN_MAG_POINT_MIP_LINEAR"),
    (0x04, "MIN_POINT_MAG_LINEAR_MIP_POINT"),
    (0x05, "MIN_POINT_MAG_MIP_LINEAR"),
    (0x10, "MIN_LINEAR_MAG_MIP_POINT"),
    (0x11, "MIN_LINEAR_MAG_POINT_MIP_LINEAR"),
    (0x14, "MIN_MAG_LINEAR_MIP_POINT"),
    (0x15, "MIN_MAG_MIP_LINEAR"),
    (0x54, "MIN_MAG_ANISOTROPIC_MIP_POINT"),
    (0x55, "ANISOTROPIC"),
];
/// The reductions of filters: average, comparison, minimum, maximum.
const REDUCTIONS: [(u32, &str); 4] = [(0, ""), (0x80, "COMPARISON_"), (0x100, "MINIMUM_"), (0x180, "MAXIMUM_")];

impl StaticSampler {
    /// The two parts of the filter's name, or `None` if D3D12 does not have the filter.
    pub(super) fn filter_name(&self) -> Option<(&'static str, &'static str)> {
        let (_, reduction) = REDUCTIONS.into_iter().find(|(bits, _)| *bits == self.filter & 0x180)?;
        let (_, filter) = FILTERS.into_iter().find(|(bits, _)| *bits == self.filter & !0x180)?;
        Some((reduction, filter))
    }
}

/// The names of the flags, joined by `|`; `0` if there are none.
fn join(f: &mut fmt::Formatter<'_>, value: u32, names: &[(u32, &str)]) -> fmt::Result {
    let mut separator = "";
    for (flag, name) in names {
        if value & flag != 0 {
            write!(f, "{separator}{name}")?;
            separator = " | ";
        }
    }
    if separator.is_empty() { write!(f, "0") } else { Ok(()) }
}

fn space(f: &mut fmt::Formatter<'_>, space: u32) -> fmt::Result {
    if space == 0 { Ok(()) } else { write!(f, ", space={space}") }
}

impl fmt::Display for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Visibility::All => "SHADER_VISIBILITY_ALL",
            Visibility::Vertex => "SHADER_VISIBILITY_VERTEX",
            Visibility::Hull => "SHADER_VISIBILITY_HULL",
            Visibility::Domain => "SHADER_VISIBILITY_DOMAIN",
            Visibility::Geometry => "SHADER_VISIBILITY_GEOMETRY",
            Visibility::Pixel => "SHADER_VISIBILITY_PIXEL",
            Visibility::Amplification => "SHADER_VISIBILITY_AMPLIFICATION",
            Visibility::Mesh => "SHADER_VISIBILITY_MESH",
        })
    }
}

fn visibility(f: &mut fmt::Formatter<'_>, visibility: Visibility) -> fmt::Result {
    if visibility == Visibility::All { Ok(()) } else { write!(f, ", visibility={visibility}") }
}

/// The name of a class in root signature text, and its register letter.
fn clause(class: ResourceClass) -> (&'static str, char) {
    match class {
        ResourceClass::Srv => ("SRV", 't'),
        ResourceClass::Uav => ("UAV", 'u'),
        ResourceClass::CBuffer => ("CBV", 'b'),
        ResourceClass::Sampler => ("Sampler", 's'),
    }
}

impl RootSignature {
    fn has_flags(&self) -> bool {
        self.version != RootVersion::V1_0
    }

    fn range(&self, f: &mut fmt::Formatter<'_>, range: &DescriptorRange) -> fmt::Result {
        let (name, letter) = clause(range.class);
        write!(f, "{name}({letter}{}", range.register)?;
        match range.count {
            1 => {}
            u32::MAX => write!(f, ", numDescriptors=unbounded")?,
            count => write!(f, ", numDescriptors={count}")?,
        }
        space(f, range.space)?;
        write!(f, ", offset={}", range.offset)?;
        if self.has_flags() {
            write!(f, ", flags=")?;
            join(f, range.flags, &range_flags::ALL)?;
        }
        write!(f, ")")
    }

    fn parameter(&self, f: &mut fmt::Formatter<'_>, parameter: &RootParameter) -> fmt::Result {
        match &parameter.kind {
            RootParameterKind::Constants { register, space: number, count } => {
                write!(f, "RootConstants(num32BitConstants={count}, b{register}")?;
                space(f, *number)?;
            }
            RootParameterKind::Descriptor { class, register, space: number, flags } => {
                let (name, letter) = clause(*class);
                write!(f, "{name}({letter}{register}")?;
                space(f, *number)?;
                if self.has_flags() {
                    write!(f, ", flags=")?;
                    join(f, *flags, &descriptor_flags::ALL)?;
                }
            }
            RootParameterKind::Table(ranges) => {
                write!(f, "DescriptorTable(")?;
                for (index, range) in ranges.iter().enumerate() {
                    write!(f, "{}", if index == 0 { "" } else { ", " })?;
                    self.range(f, range)?;
                }
            }
        }
        visibility(f, parameter.visibility)?;
        write!(f, ")")
    }
}

/// The name of a number, where `first` is the number of the first name; the number itself if it has
/// no name.
fn named(names: &[&str], first: u32, number: u32) -> String {
    let name = number.checked_sub(first).and_then(|index| names.get(index as usize));
    name.map_or_else(|| number.to_string(), |name| (*name).to_owned())
}

/// An f32 in a form that compilers read as the same value.
fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    // Rust prints the largest float as 3.4028235e38. As a double that is larger than the float, and
    // compilers refuse it.
    if value == f32::MAX { "3.402823466e38".to_owned() } else { format!("{value:?}") }
}

impl fmt::Display for StaticSampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StaticSampler(s{}", self.register)?;
        match self.filter_name() {
            Some((reduction, filter)) => write!(f, ", filter=FILTER_{reduction}{filter}")?,
            None => write!(f, ", filter={}", self.filter)?,
        }
        for (axis, mode) in ['U', 'V', 'W'].into_iter().zip(self.address) {
            write!(f, ", address{axis}=TEXTURE_ADDRESS_{}", named(&ADDRESS_MODES, 1, mode))?;
        }
        write!(f, ", mipLODBias={}", float(self.mip_lod_bias))?;
        write!(f, ", maxAnisotropy={}", self.max_anisotropy)?;
        if self.comparison != 0 {
            write!(f, ", comparisonFunc=COMPARISON_{}", named(&COMPARISONS, 1, self.comparison))?;
        }
        write!(f, ", borderColor=STATIC_BORDER_COLOR_{}", named(&BORDER_COLORS, 0, self.border_color))?;
        write!(f, ", minLOD={}, maxLOD={}", float(self.min_lod), float(self.max_lod))?;
        space(f, self.space)?;
        visibility(f, self.visibility)?;
        write!(f, ")")
    }
}

impl fmt::Display for RootSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RootFlags(")?;
        join(f, self.flags, &flags::ALL)?;
        write!(f, ")")?;
        for parameter in &self.parameters {
            writeln!(f, ",")?;
            self.parameter(f, parameter)?;
        }
        for sampler in &self.static_samplers {
            write!(f, ",\n{sampler}")?;
        }
        Ok(())
    }
}
