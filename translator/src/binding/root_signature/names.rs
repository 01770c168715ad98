//! The words of root signature text, which its reader and its printer share.

use super::Visibility;
use crate::ops::consts::ResourceClass;

/// `D3D12_TEXTURE_ADDRESS_MODE`, without the prefix `TEXTURE_ADDRESS_`.
pub(super) const ADDRESS_MODES: [(u32, &str); 5] =
    [(1, "WRAP"), (2, "MIRROR"), (3, "CLAMP"), (4, "BORDER"), (5, "MIRROR_ONCE")];

/// `D3D12_COMPARISON_FUNC`, without the prefix `COMPARISON_`.
pub(super) const COMPARISONS: [(u32, &str); 9] = [
    (0, "NONE"),
    (1, "NEVER"),
    (2, "LESS"),
    (3, "EQUAL"),
    (4, "LESS_EQUAL"),
    (5, "GREATER"),
    (6, "NOT_EQUAL"),
    (7, "GREATER_EQUAL"),
    (8, "ALWAYS"),
];

/// `D3D12_STATIC_BORDER_COLOR`, without the prefix `STATIC_BORDER_COLOR_`.
pub(super) const BORDER_COLORS: [(u32, &str); 5] = [
    (0, "TRANSPARENT_BLACK"),
    (1, "OPAQUE_BLACK"),
    (2, "OPAQUE_WHITE"),
    (3, "OPAQUE_BLACK_UINT"),
    (4, "OPAQUE_WHITE_UINT"),
];

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

/// The two parts of the name of a `D3D12_FILTER`, or `None` if D3D12 does not have the filter.
pub(super) fn filter_name(filter: u32) -> Option<(&'static str, &'static str)> {
    let (_, reduction) = REDUCTIONS.into_iter().find(|(bits, _)| *bits == filter & 0x180)?;
    let (_, filter) = FILTERS.into_iter().find(|(bits, _)| *bits == filter & !0x180)?;
    Some((reduction, filter))
}

/// The `D3D12_FILTER` with a name, which begins with `FILTER_`. Letters of either case are equal.
pub(super) fn filter(word: &str) -> Option<u32> {
    let name = strip(word, "FILTER_")?;
    REDUCTIONS.iter().find_map(|(reduction, prefix)| Some(reduction | number(&FILTERS, prefix, name)?))
}

/// The number with a name in a list of numbers and names. The word is the prefix and the name;
/// letters of either case are equal.
pub(super) fn number(names: &[(u32, &str)], prefix: &str, word: &str) -> Option<u32> {
    let name = strip(word, prefix)?;
    names.iter().find(|(_, other)| other.eq_ignore_ascii_case(name)).map(|(number, _)| *number)
}

/// The word without a prefix, which it has in letters of either case.
fn strip<'a>(word: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = word.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// The name of a visibility.
pub(super) fn visibility_name(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::All => "SHADER_VISIBILITY_ALL",
        Visibility::Vertex => "SHADER_VISIBILITY_VERTEX",
        Visibility::Hull => "SHADER_VISIBILITY_HULL",
        Visibility::Domain => "SHADER_VISIBILITY_DOMAIN",
        Visibility::Geometry => "SHADER_VISIBILITY_GEOMETRY",
        Visibility::Pixel => "SHADER_VISIBILITY_PIXEL",
        Visibility::Amplification => "SHADER_VISIBILITY_AMPLIFICATION",
        Visibility::Mesh => "SHADER_VISIBILITY_MESH",
    }
}

/// The name of a class in root signature text, and its register letter.
pub(super) fn clause(class: ResourceClass) -> (&'static str, char) {
    match class {
        ResourceClass::Srv => ("SRV", 't'),
        ResourceClass::Uav => ("UAV", 'u'),
        ResourceClass::CBuffer => ("CBV", 'b'),
        ResourceClass::Sampler => ("Sampler", 's'),
    }
}

/// The class with a name in root signature text.
pub(super) fn class(name: &str) -> Option<ResourceClass> {
    let all = [ResourceClass::Srv, ResourceClass::Uav, ResourceClass::CBuffer, ResourceClass::Sampler];
    all.into_iter().find(|class| clause(*class).0.eq_ignore_ascii_case(name))
}
