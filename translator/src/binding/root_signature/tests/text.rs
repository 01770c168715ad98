//! HLSL root signature text: the grammar, its defaults, and its errors.

use dxil_test_support::Random;

use super::*;

fn text(text: &str) -> Result<RootSignature> {
    RootSignature::parse_text(text, None)
}

/// The words of the serialized form, as DXC writes them for these texts with `-T rootsig_1_1`.
#[test]
fn texts_mean_what_dxc_makes_of_them() {
    let sampler = [0x55, 1, 1, 1, 0, 0x10, 4, 2, 0, 0x7f7f_ffff, 0, 0, 0];
    let cases: Vec<(&str, Vec<u32>)> = vec![
        ("", vec![2, 0, 24, 0, 24, 0]),
        ("RootFlags(0)", vec![2, 0, 24, 0, 24, 0]),
        ("RootFlags(0),", vec![2, 0, 24, 0, 24, 0]),
        ("rootflags(allow_input_assembler_input_layout)", vec![2, 0, 24, 0, 24, 1]),
        ("RootFlags(ALLOW_STREAM_OUTPUT | ALLOW_STREAM_OUTPUT)", vec![2, 0, 24, 0, 24, 0x40]),
        ("CBV(b0), RootFlags(ALLOW_STREAM_OUTPUT)", vec![2, 1, 24, 0, 48, 0x40, 2, 0, 36, 0, 0, 0]),
        (
            "CBV(b0, visibility=shader_visibility_mesh, space=3, flags=DATA_STATIC)",
            vec![2, 1, 24, 0, 48, 0, 2, 7, 36, 0, 3, 8],
        ),
        (
            "RootConstants(num32BitConstants=3, b0, space=2, visibility=SHADER_VISIBILITY_ALL)",
            vec![2, 1, 24, 0, 48, 0, 1, 0, 36, 0, 2, 3],
        ),
        (
            "DESCRIPTORTABLE(srv(t0, NUMDESCRIPTORS=UNBOUNDED))",
            vec![2, 1, 24, 0, 68, 0, 0, 0, 36, 1, 44, 0, u32::MAX, 0, 0, 0, u32::MAX],
        ),
        (
            "DescriptorTable(SRV(offset=7, t0, numDescriptors=010))",
            vec![2, 1, 24, 0, 68, 0, 0, 0, 36, 1, 44, 0, 10, 0, 0, 0, 7],
        ),
        (
            "DescriptorTable(SRV(t0, offset=4294967295, numDescriptors=+3))",
            vec![2, 1, 24, 0, 68, 0, 0, 0, 36, 1, 44, 0, 3, 0, 0, 0, u32::MAX],
        ),
        (
            "DescriptorTable ( SRV ( t0 , offset = DESCRIPTOR_RANGE_OFFSET_APPEND ), visibility=SHADER_VISIBILITY_PIXEL, UAV(u0))",
            vec![2, 1, 24, 0, 92, 0, 0, 5, 36, 2, 44, 0, 1, 0, 0, 0, u32::MAX, 1, 1, 0, 0, 0, u32::MAX],
        ),
        ("StaticSampler(s0)", [&[2, 0, 24, 1, 24, 0], sampler.as_slice()].concat()),
        (
            "StaticSampler(s0), CBV(b0), StaticSampler(s1, minLOD=0.1, mipLODBias=-1.5f, maxLOD=16777217)",
            [
                &[2, 1, 24, 2, 48, 0, 2, 0, 36, 0, 0, 0],
                sampler.as_slice(),
                &[0x55, 1, 1, 1, 0xbfc0_0000, 0x10, 4, 2, 0x3dcc_cccd, 0x4b80_0000, 1, 0, 0],
            ]
            .concat(),
        ),
    ];
    for (source, expected) in cases {
        let signature = text(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        let bytes = signature.serialize().unwrap();
        let words: Vec<u32> = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words, expected, "{source}");
    }
}

#[test]
fn floats() {
    let cases = [
        ("1", 1.0),
        ("-1.5f", -1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e1", 10.0),
        ("+1.25e-1", 0.125),
        ("-2147483648", -2_147_483_648.0),
        ("3.402823466e38", f32::MAX),
        ("-3.402823466e38", f32::MIN),
        ("1e-40", f32::from_bits(0x116c2)),
        ("1e-50", 0.0),
        ("inf", f32::INFINITY),
        ("-INF", f32::NEG_INFINITY),
    ];
    for (number, expected) in cases {
        let signature = text(&format!("StaticSampler(s0, minLOD={number})")).unwrap();
        assert_eq!(signature.static_samplers[0].min_lod, f32::to_bits(expected), "{number}");
    }
    for number in ["1e", "- 1", "nan", "-nan", "3.402823467e38", "1e39", "0x10", "1.2.3", "e5", "+", "."] {
        let error = text(&format!("StaticSampler(s0, minLOD={number})")).unwrap_err();
        assert!(error.message().starts_with("expected a number"), "{number}: {error}");
    }
}

/// The reader and the printer agree on every float.
#[test]
fn printed_floats_read_back() {
    let mut random = Random::new(1);
    let random = (0..100_000).map(|_| random.bits() as u32);
    let edges = [f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE, -0.0, 1e-45];
    let mut signature = text("StaticSampler(s0)").unwrap();
    for bits in edges.map(f32::to_bits).into_iter().chain(random) {
        if f32::from_bits(bits).is_nan() {
            continue;
        }
        signature.static_samplers[0].max_lod = bits;
        assert_eq!(text(&signature.to_string()).unwrap(), signature, "{bits:#x}");
    }
}

/// Compilers refuse a table without ranges; serialized forms may have one.
#[test]
fn tables_without_ranges_read_back() {
    let source = "RootFlags(0),\nDescriptorTable(),\nDescriptorTable(visibility=SHADER_VISIBILITY_MESH)";
    assert_eq!(text(source).unwrap().to_string(), source);
}

#[test]
fn versions_of_texts() {
    let version = |source: &str, version| RootSignature::parse_text(source, version).map(|s| s.version);
    assert_eq!(version("CBV(b0)", None), Ok(RootVersion::V1_1));
    assert_eq!(version("CBV(b0)", Some(RootVersion::V1_2)), Ok(RootVersion::V1_2));
    let flags = "StaticSampler(s0, borderColor=STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT, flags=UINT_BORDER_COLOR)";
    assert_eq!(version(flags, None), Ok(RootVersion::V1_2));
    let error = version(flags, Some(RootVersion::V1_1)).unwrap_err();
    assert!(error.message().contains("version 1.1 has no flags of static samplers"), "{error}");
    let old = RootSignature::parse_text("UAV(u0), DescriptorTable(Sampler(s0))", Some(RootVersion::V1_0)).unwrap();
    assert_eq!(old.to_string(), "RootFlags(0),\nUAV(u0),\nDescriptorTable(Sampler(s0))");
    assert!(matches!(old.parameters[0].kind, RootParameterKind::Descriptor { flags: 2, .. }));
}

/// A comment is a blank, and lines and columns count through it.
#[test]
fn comments_and_line_breaks() {
    let source = "// The signature of «blur».\nRootFlags(0), /* one\n line */ CBV(b0), // end\r\n\tSRV(t0)";
    assert_eq!(text(source).unwrap(), text("RootFlags(0), CBV(b0), SRV(t0)").unwrap());
    let error = text("CBV(b0) /* «» */ SRV(t0)").unwrap_err();
    assert_eq!(error.place(), Place::Column { line: 1, column: 18 });
    assert_eq!(
        error.to_string(),
        "malformed at line 1 column 18: expected `,` between the elements of a root signature, found `SRV`"
    );
}

/// Texts, each with the line and the column of its error, and what the error says.
type Cases<'a> = &'a [(&'a str, u32, u32, &'a str)];

#[track_caller]
fn refused(cases: Cases<'_>) {
    for &(source, line, column, says) in cases {
        let error = text(source).expect_err(source);
        assert_eq!(error.kind(), ErrorKind::Malformed, "{source}: {error}");
        assert!(error.message().contains(says), "{source}: `{says}`: {error}");
        assert_eq!(error.place(), Place::Column { line, column }, "{source}: {error}");
    }
}

/// Every error names the line, the column, and the rule.
#[test]
fn errors_of_the_grammar_name_line_and_column() {
    refused(&[
        ("CBV(b0)\n,\n,CBV(b1)", 3, 1, "expected an element: RootFlags"),
        (
            "Foo(b0)",
            1,
            1,
            "expected an element: RootFlags, RootConstants, CBV, SRV, UAV, DescriptorTable or StaticSampler, found `Foo`",
        ),
        ("Sampler(s0)", 1, 1, "expected an element: "),
        ("CBV(b0) SRV(t0)", 1, 9, "expected `,` between the elements of a root signature, found `SRV`"),
        ("CBV b0", 1, 5, "expected `(` after CBV, found `b0`"),
        ("CBV(b0", 1, 7, "expected `,` or `)` after an argument of CBV, found the end of the text"),
        ("CBV()", 1, 1, "CBV has no register; expected an argument such as `b0`"),
        ("CBV(b0,)", 1, 8, "expected an argument of CBV: b#, space, visibility or flags, found `)`"),
        ("CBV(B0)", 1, 5, "expected an argument of CBV"),
        ("CBV(b)", 1, 5, "expected an argument of CBV"),
        ("CBV(t0)", 1, 5, "CBV needs a register of the kind b#, found `t0`"),
        ("CBV(b4294967296)", 1, 5, "`b4294967296` is beyond the last one, b4294967295"),
        ("CBV(b0, b1)", 1, 9, "the register is given twice"),
        ("CBV(b0, space=1,\n    space=2)", 2, 5, "space is given twice"),
        ("CBV(b0, space=-1)", 1, 15, "expected a register space, a whole number up to 4294967295, found `-1`"),
        ("CBV(b0, space=4294967296)", 1, 15, "expected a register space"),
        ("CBV(b0, visibility=PIXEL)", 1, 20, "expected a value such as SHADER_VISIBILITY_ALL, found `PIXEL`"),
        ("CBV(b0, flags=DESCRIPTORS_VOLATILE)", 1, 15, "expected 0 or a root descriptor flag (DATA_VOLATILE, "),
        ("CBV(b0, flags=0|DATA_STATIC)", 1, 16, "expected `,` or `)` after an argument of CBV, found `|`"),
        ("CBV(b0, numDescriptors=2)", 1, 9, "expected an argument of CBV"),
        ("RootFlags()", 1, 11, "expected 0 or a root signature flag (ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT, "),
        ("RootFlags(1)", 1, 11, "expected 0 or a root signature flag"),
        ("RootFlags(0), RootFlags(0)", 1, 15, "RootFlags is given twice"),
        ("RootConstants(b0)", 1, 1, "RootConstants has no argument num32BitConstants"),
        ("RootConstants(num32BitConstants=3)", 1, 1, "RootConstants has no register"),
        ("RootConstants(num32BitConstants=3, t0)", 1, 36, "RootConstants needs a register of the kind b#"),
        ("RootConstants(num32BitConstants=1.5, b0)", 1, 33, "expected a number of constants"),
        ("DescriptorTable(SRV(t0),)", 1, 25, "expected an argument of DescriptorTable"),
        ("DescriptorTable(SRV(numDescriptors=2))", 1, 17, "SRV has no register"),
        ("DescriptorTable(SRV(t0, numDescriptors=0x10))", 1, 40, "expected `unbounded` or a number of descriptors"),
        ("DescriptorTable(SRV(t0, visibility=SHADER_VISIBILITY_ALL))", 1, 25, "expected an argument of SRV"),
        ("StaticSampler(s0, filter=21)", 1, 26, "expected a filter such as FILTER_MIN_MAG_MIP_LINEAR, found `21`"),
        ("StaticSampler(s0, filter=FILTER_)", 1, 26, "expected a filter such as"),
        ("StaticSampler(s0, addressU=WRAP)", 1, 28, "expected one of TEXTURE_ADDRESS_WRAP, TEXTURE_ADDRESS_MIRROR, "),
        (
            "StaticSampler(s0, addressU=TEXTURE_ADDRESS_WRAP, addressU=TEXTURE_ADDRESS_WRAP)",
            1,
            50,
            "addressU is given twice",
        ),
        ("StaticSampler(s0, comparisonFunc=LESS)", 1, 34, "expected one of COMPARISON_NONE, COMPARISON_NEVER, "),
        ("StaticSampler(s0, borderColor=RED)", 1, 31, "expected one of STATIC_BORDER_COLOR_TRANSPARENT_BLACK, "),
        ("CBV(b0); CBV(b1)", 1, 8, "the character `;` is not one of root signature text"),
        ("CBV(b0) é", 1, 9, "the character `é` is not one of"),
        ("CBV(b0) /* open", 1, 9, "the comment `/*` has no end"),
    ]);
}

#[test]
fn errors_of_d3d12s_rules_name_line_and_column() {
    refused(&[
        ("RootFlags(LOCAL_ROOT_SIGNATURE | ALLOW_STREAM_OUTPUT)", 1, 11, "has the flag ALLOW_STREAM_OUTPUT"),
        ("CBV(b0, space=4294967280)", 1, 1, "register space 0xfffffff0 is reserved"),
        ("CBV(b0, flags=DATA_STATIC | DATA_VOLATILE)", 1, 15, "root descriptor flags 0xa have several data flags"),
        ("SRV(t0),\n SRV(t0)", 2, 2, "t0 to t0 space0 of parameter 1 overlaps t0 to t0 space0 of parameter 0"),
        ("DescriptorTable(Sampler(s0)), StaticSampler(s0)", 1, 31, "s0 to s0 space0 of a static sampler overlaps"),
        ("RootConstants(num32BitConstants=65, b0)", 1, 1, "65 DWORDs"),
        ("DescriptorTable(SRV(t0, numDescriptors=0))", 1, 17, "a descriptor range has no descriptors"),
        ("DescriptorTable(Sampler(s0), SRV(t0))", 1, 30, "both sampler and SRV ranges"),
        ("DescriptorTable(Sampler(s0, flags=DATA_STATIC))", 1, 35, "samplers cannot have data flags"),
        ("DescriptorTable(SRV(t0, flags=DATA_VOLATILE | DATA_STATIC))", 1, 31, "have several data flags"),
        ("DescriptorTable(SRV(t0, flags=DESCRIPTORS_VOLATILE|DATA_STATIC))", 1, 31, "exclude each other"),
        ("DescriptorTable(SRV(t0, numDescriptors=unbounded), UAV(u0))", 1, 52, "appended to an unbounded range"),
        ("DescriptorTable(SRV(t0, numDescriptors=3, offset=4294967294))", 1, 17, "ends beyond the last 32-bit offset"),
        ("DescriptorTable(SRV(t4294967295, numDescriptors=2))", 1, 17, "go beyond the last 32-bit register"),
        ("StaticSampler(s0, mipLODBias=16)", 1, 1, "mip level bias 16 is not in the range -16 to 15.99"),
        ("StaticSampler(s0, maxAnisotropy=17)", 1, 1, "maximum anisotropy 17, but at most 16"),
        ("StaticSampler(s0, flags=UINT_BORDER_COLOR)", 1, 25, "its border colour is one of floats"),
        (
            "StaticSampler(s0, flags=NON_NORMALIZED_COORDINATES)",
            1,
            25,
            "NON_NORMALIZED_COORDINATES is set, but its filter",
        ),
    ]);
    let error = RootSignature::parse_text("CBV(b0, flags=0)", Some(RootVersion::V1_0)).unwrap_err();
    assert_eq!(error.place(), Place::Column { line: 1, column: 9 });
    assert!(error.message().contains("version 1.0 has no root descriptor flags; version 1.1 has them"), "{error}");
}

#[test]
fn messages_quote_only_the_beginning_of_a_long_word() {
    let error = text(&"x".repeat(10_000)).unwrap_err();
    assert!(error.message().len() < 200, "{error}");
}

#[test]
fn the_number_of_elements_is_bounded() {
    let many = |element: &dyn Fn(usize) -> String| (0..5000).map(element).collect::<Vec<_>>().join(",");
    let flags = "RootFlags(LOCAL_ROOT_SIGNATURE), ";
    for (source, what) in [
        (format!("{flags}{}", many(&|n| format!("CBV(b{n})"))), "root parameters"),
        (many(&|n| format!("StaticSampler(s{n})")), "static samplers"),
        (format!("DescriptorTable({})", many(&|n| format!("SRV(t{n})"))), "descriptor ranges"),
    ] {
        let error = text(&source).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(error.message().contains(what), "{error}");
    }
}
