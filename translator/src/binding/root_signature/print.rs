//! Prints a root signature as HLSL root signature text, which compilers can read.

use std::fmt;

use super::names::{ADDRESS_MODES, BORDER_COLORS, COMPARISONS, clause, filter_name, visibility_name};
use super::{
    DescriptorRange, RootParameter, RootParameterKind, RootSignature, StaticSampler, Visibility, descriptor_flags,
    flags, range_flags, sampler_flags,
};

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
        f.write_str(visibility_name(*self))
    }
}

fn visibility(f: &mut fmt::Formatter<'_>, visibility: Visibility) -> fmt::Result {
    if visibility == Visibility::All { Ok(()) } else { write!(f, ", visibility={visibility}") }
}

/// A parameter of a root signature as text.
struct ParameterText<'a>(&'a RootSignature, &'a RootParameter);

impl fmt::Display for ParameterText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.parameter(f, self.1)
    }
}

impl RootSignature {
    /// The text of one of its parameters.
    pub fn parameter_text(&self, parameter: &RootParameter) -> String {
        ParameterText(self, parameter).to_string()
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
        if !range.append {
            write!(f, ", offset={}", range.offset)?;
        }
        if self.version.has_data_flags() {
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
                if self.version.has_data_flags() {
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
        match &parameter.kind {
            // Nothing to separate the visibility from.
            RootParameterKind::Table(ranges) if ranges.is_empty() && parameter.visibility != Visibility::All => {
                write!(f, "visibility={})", parameter.visibility)
            }
            _ => {
                visibility(f, parameter.visibility)?;
                write!(f, ")")
            }
        }
    }
}

/// The name of a number; the number itself if it has no name.
fn named(prefix: &str, names: &[(u32, &str)], number: u32) -> String {
    let name = names.iter().find(|(value, _)| *value == number);
    name.map_or_else(|| number.to_string(), |(_, name)| format!("{prefix}{name}"))
}

/// An f32 in a form that compilers read as the same value.
fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    // Rust prints the largest float as 3.4028235e38. As a double that is larger than the float, and
    // compilers refuse it.
    match value {
        f32::MAX => "3.402823466e38".to_owned(),
        f32::MIN => "-3.402823466e38".to_owned(),
        _ => format!("{value:?}"),
    }
}

impl fmt::Display for StaticSampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StaticSampler(s{}", self.register)?;
        match filter_name(self.filter) {
            Some((reduction, filter)) => write!(f, ", filter=FILTER_{reduction}{filter}")?,
            None => write!(f, ", filter={}", self.filter)?,
        }
        for (axis, mode) in ['U', 'V', 'W'].into_iter().zip(self.address) {
            write!(f, ", address{axis}={}", named("TEXTURE_ADDRESS_", &ADDRESS_MODES, mode))?;
        }
        write!(f, ", mipLODBias={}", float(self.mip_lod_bias))?;
        write!(f, ", maxAnisotropy={}", self.max_anisotropy)?;
        write!(f, ", comparisonFunc={}", named("COMPARISON_", &COMPARISONS, self.comparison))?;
        write!(f, ", borderColor={}", named("STATIC_BORDER_COLOR_", &BORDER_COLORS, self.border_color))?;
        write!(f, ", minLOD={}, maxLOD={}", float(self.min_lod), float(self.max_lod))?;
        space(f, self.space)?;
        visibility(f, self.visibility)?;
        if self.flags != 0 {
            write!(f, ", flags=")?;
            join(f, self.flags, &sampler_flags::ALL)?;
        }
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
