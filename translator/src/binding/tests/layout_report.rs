//! Static samplers in Vulkan's terms, against values taken from Vulkan's headers by hand.

use super::super::layout_report::sampler;
use super::*;

/// The members of the sampler that a `StaticSampler` clause becomes, `NAME=VALUE` for enumerations.
fn members(clause: &str) -> Vec<String> {
    let signature = RootSignature::from_bytes_of(clause.as_bytes(), None, None).unwrap();
    let value = serde_json::to_value(sampler(&signature.static_samplers[0])).unwrap();
    let text = |value: &serde_json::Value| match value.get("name") {
        Some(name) => format!("{}={}", name.as_str().unwrap(), value["value"]),
        None => value.to_string(),
    };
    let order = [
        "magFilter",
        "minFilter",
        "mipmapMode",
        "addressModeU",
        "addressModeV",
        "addressModeW",
        "mipLodBias",
        "anisotropyEnable",
        "maxAnisotropy",
        "compareEnable",
        "compareOp",
        "minLod",
        "maxLod",
        "borderColor",
        "unnormalizedCoordinates",
        "reductionMode",
    ];
    assert_eq!(value.as_object().unwrap().len(), order.len());
    order.iter().map(|name| text(&value[name])).collect()
}

#[test]
fn samplers_in_the_terms_of_vulkan() {
    let compared = "StaticSampler(s0, filter=FILTER_COMPARISON_MIN_LINEAR_MAG_MIP_POINT, \
                    addressU=TEXTURE_ADDRESS_WRAP, addressV=TEXTURE_ADDRESS_BORDER, \
                    addressW=TEXTURE_ADDRESS_MIRROR_ONCE, mipLODBias=-1.5, maxAnisotropy=0, \
                    comparisonFunc=COMPARISON_GREATER, borderColor=STATIC_BORDER_COLOR_OPAQUE_BLACK, \
                    minLOD=0.25, maxLOD=7.5)";
    let expected = [
        "VK_FILTER_NEAREST=0",
        "VK_FILTER_LINEAR=1",
        "VK_SAMPLER_MIPMAP_MODE_NEAREST=0",
        "VK_SAMPLER_ADDRESS_MODE_REPEAT=0",
        "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER=3",
        "VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE=4",
        "-1.5",
        "false",
        "1.0",
        "true",
        "VK_COMPARE_OP_GREATER=4",
        "0.25",
        "7.5",
        "VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK=2",
        "false",
        "VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE=0",
    ];
    assert_eq!(members(compared), expected);

    let anisotropic = members("StaticSampler(s0, filter=FILTER_MAXIMUM_ANISOTROPIC, maxAnisotropy=4)");
    assert_eq!(anisotropic[..3], ["VK_FILTER_LINEAR=1", "VK_FILTER_LINEAR=1", "VK_SAMPLER_MIPMAP_MODE_LINEAR=1"]);
    assert_eq!(anisotropic[7..10], ["true", "4.0", "false"]);
    assert_eq!(anisotropic[15], "VK_SAMPLER_REDUCTION_MODE_MAX=2");
}

/// Every border colour and comparison of D3D12 has the number of the same one in Vulkan.
#[test]
fn enumerations_of_samplers() {
    let colors = [
        ("TRANSPARENT_BLACK", "VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK=0"),
        ("OPAQUE_BLACK", "VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK=2"),
        ("OPAQUE_WHITE", "VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE=4"),
        ("OPAQUE_BLACK_UINT", "VK_BORDER_COLOR_INT_OPAQUE_BLACK=3"),
        ("OPAQUE_WHITE_UINT", "VK_BORDER_COLOR_INT_OPAQUE_WHITE=5"),
    ];
    for (color, expected) in colors {
        let members = members(&format!("StaticSampler(s0, borderColor=STATIC_BORDER_COLOR_{color})"));
        assert_eq!(members[13], expected);
    }
    let comparisons = [
        ("NEVER", "NEVER=0"),
        ("LESS", "LESS=1"),
        ("EQUAL", "EQUAL=2"),
        ("LESS_EQUAL", "LESS_OR_EQUAL=3"),
        ("GREATER", "GREATER=4"),
        ("NOT_EQUAL", "NOT_EQUAL=5"),
        ("GREATER_EQUAL", "GREATER_OR_EQUAL=6"),
        ("ALWAYS", "ALWAYS=7"),
    ];
    for (comparison, expected) in comparisons {
        let members = members(&format!("StaticSampler(s0, comparisonFunc=COMPARISON_{comparison})"));
        assert_eq!(members[10], format!("VK_COMPARE_OP_{expected}"));
    }
}
