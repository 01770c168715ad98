//! Hand-made RTS0 blobs, good and bad, and what compilers wrote.

use dxil_test_support::Random;

use super::*;

fn parse(words: &[u32]) -> Result<RootSignature> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    RootSignature::parse(&bytes, 1000)
}

/// A 1.1 signature of one table: header, parameter record, table header, ranges.
fn one_table(ranges: &[[u32; 6]]) -> Vec<u32> {
    let mut words = vec![2, 1, 24, 0, 0, 0, 0, 0, 36, ranges.len() as u32, 44];
    words.extend(ranges.iter().flatten());
    words
}

/// A signature of two root descriptors: type, visibility, register, space, flags.
fn two_descriptors(first: [u32; 5], second: [u32; 5]) -> Vec<u32> {
    let mut words = vec![2, 2, 24, 0, 0, 0];
    words.extend([first[0], first[1], 48, second[0], second[1], 60]);
    words.extend(&first[2..]);
    words.extend(&second[2..]);
    words
}

/// A signature of one static sampler, with one field changed.
fn one_sampler(field: usize, value: u32) -> Vec<u32> {
    let mut words = vec![2, 0, 24, 1, 24, 0, 0x15, 1, 1, 1, 0, 16, 4, 2, 0, f32::MAX.to_bits(), 0, 0, 0];
    words[6 + field] = value;
    words
}

/// A 1.2 signature of one static sampler with these flags, with one field changed.
fn one_flagged_sampler(flags: u32, field: usize, value: u32) -> Vec<u32> {
    let mut words = vec![3, 0, 24, 1, 24, 0, 0x14, 3, 4, 1, 0, 16, 4, 3, 0, 0, 0, 0, 0, flags];
    words[6 + field] = value;
    words
}

#[test]
fn version_1_2_has_flags_of_static_samplers() {
    let signature = parse(&one_flagged_sampler(3, 0, 0x114)).unwrap();
    assert_eq!((signature.version, signature.static_samplers[0].flags), (RootVersion::V1_2, 3));
    let text = signature.to_string();
    assert!(text.ends_with(", flags=UINT_BORDER_COLOR | NON_NORMALIZED_COORDINATES)"), "{text}");
    // The records of version 1.2 have 56 bytes.
    let sampler = &one_flagged_sampler(1, 0, 0x15)[6..];
    let words = [&[3, 0, 24, 2, 24, 0], sampler, &sampler[..10], &[9, 0, 5, 0]].concat();
    let signature = parse(&words).unwrap();
    let found: Vec<_> = signature.static_samplers.iter().map(|s| (s.register, s.visibility, s.flags)).collect();
    assert_eq!(found, [(0, Visibility::All, 1), (9, Visibility::Pixel, 0)]);
}

#[test]
fn an_empty_signature() {
    let signature = parse(&[2, 0, 24, 0, 24, 1]).unwrap();
    assert_eq!((signature.version, signature.flags), (RootVersion::V1_1, 1));
    assert_eq!(signature.to_string(), "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT)");
    // Compilers may leave the offsets of nothing at anything.
    assert!(parse(&[1, 0, 0, 0, u32::MAX, 0]).is_ok());
}

#[test]
fn appended_ranges_are_resolved() {
    let append = u32::MAX;
    let ranges = [[0, 4, 0, 0, 0, append], [1, 3, 0, 0, 0, append], [2, 1, 0, 0, 0, 20], [0, append, 4, 0, 0, append]];
    let signature = parse(&one_table(&ranges)).unwrap();
    let RootParameterKind::Table(ranges) = &signature.parameters[0].kind else { panic!("no table") };
    assert_eq!(ranges.iter().map(|range| range.offset).collect::<Vec<_>>(), [0, 4, 20, 21]);
}

#[test]
fn version_1_0_has_the_flags_of_volatile_data() {
    // Header, parameter records of a CBV and two tables; the tables' headers; two ranges of 20
    // bytes; the descriptor.
    let words = [
        [1, 3, 24, 0, 0, 0, 2, 0, 116, 0, 0].as_slice(),
        &[60, 0, 0, 68],
        &[1, 76, 1, 96],
        &[0, 1, 0, 0, 0],
        &[3, 1, 0, 0, 0],
        &[5, 6],
    ]
    .concat();
    let signature = parse(&words).unwrap();
    let expected =
        "RootFlags(0),\nCBV(b5, space=6),\nDescriptorTable(SRV(t0, offset=0)),\nDescriptorTable(Sampler(s0, offset=0))";
    assert_eq!(signature.to_string(), expected);
    let flags: Vec<u32> = signature
        .parameters
        .iter()
        .map(|parameter| match &parameter.kind {
            RootParameterKind::Table(ranges) => ranges[0].flags,
            RootParameterKind::Descriptor { flags, .. } => *flags,
            RootParameterKind::Constants { .. } => 0,
        })
        .collect();
    assert_eq!(flags, [2, 3, 1]);
}

#[test]
fn what_a_compiler_wrote_prints_as_its_source() {
    let expected =
        "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | DENY_HULL_SHADER_ROOT_ACCESS | DENY_MESH_SHADER_ROOT_ACCESS),
RootConstants(num32BitConstants=3, b0, visibility=SHADER_VISIBILITY_PIXEL),
CBV(b1, flags=DATA_STATIC),
DescriptorTable(SRV(t0, numDescriptors=4, flags=DESCRIPTORS_VOLATILE | DATA_VOLATILE), \
UAV(u1, space=2, flags=DATA_VOLATILE), \
CBV(b2, numDescriptors=2, offset=16, flags=DESCRIPTORS_VOLATILE | DATA_STATIC_WHILE_SET_AT_EXECUTE), \
SRV(t8, numDescriptors=unbounded, space=1, flags=0)),
SRV(t4, space=3, flags=DATA_STATIC_WHILE_SET_AT_EXECUTE, visibility=SHADER_VISIBILITY_VERTEX),
UAV(u0, flags=0),
DescriptorTable(Sampler(s2, numDescriptors=2, flags=DESCRIPTORS_VOLATILE), visibility=SHADER_VISIBILITY_PIXEL),
DescriptorTable(SRV(t5, flags=0), visibility=SHADER_VISIBILITY_PIXEL),
RootConstants(num32BitConstants=1, b0, space=7),
StaticSampler(s0, filter=FILTER_MIN_MAG_LINEAR_MIP_POINT, addressU=TEXTURE_ADDRESS_CLAMP, \
addressV=TEXTURE_ADDRESS_BORDER, addressW=TEXTURE_ADDRESS_MIRROR_ONCE, mipLODBias=-1.5, maxAnisotropy=4, \
comparisonFunc=COMPARISON_GREATER, borderColor=STATIC_BORDER_COLOR_OPAQUE_BLACK, minLOD=0.25, maxLOD=7.5, space=1, \
visibility=SHADER_VISIBILITY_PIXEL),
StaticSampler(s1, filter=FILTER_COMPARISON_ANISOTROPIC, addressU=TEXTURE_ADDRESS_WRAP, addressV=TEXTURE_ADDRESS_WRAP, \
addressW=TEXTURE_ADDRESS_WRAP, mipLODBias=0.0, maxAnisotropy=16, comparisonFunc=COMPARISON_LESS_EQUAL, \
borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE, minLOD=0.0, maxLOD=3.402823466e38)";
    assert_eq!(from_container(EVERYTHING_1_1).to_string(), expected);
    let old = from_container(EVERYTHING_1_0);
    assert_eq!(old.version, RootVersion::V1_0);
    assert!(old.to_string().contains("SRV(t8, numDescriptors=unbounded, space=1)"), "{old}");
}

#[test]
fn versions_that_are_not_read_are_refused_by_name() {
    for (version, says) in [(0, "version 0"), (4, "version 4")] {
        let error = parse(&[version, 0, 24, 0, 24, 0]).unwrap_err();
        assert_eq!((error.kind(), error.place()), (ErrorKind::Unsupported, Place::Byte(1000)));
        assert!(error.message().contains(says), "{error}");
    }
}

#[test]
fn rules_of_d3d12() {
    let range = |class: u32, count: u32, flags: u32, offset: u32| one_table(&[[class, count, 0, 0, flags, offset]]);
    let far = u32::MAX;
    let cases: Vec<(Vec<u32>, u64, &str)> = vec![
        (vec![2, 0, 24, 0, 24, 0x1000], 20, "unknown root signature flags 0x1000"),
        (vec![2, 1, 24, 0, 24, 0, 5, 0, 36, 0, 0, 0], 24, "unknown root parameter type 5"),
        (vec![2, 1, 24, 0, 24, 0, 2, 8, 36, 0, 0, 0], 28, "unknown shader visibility 8"),
        (vec![2, 1, 24, 0, 24, 0, 2, 0, 37, 0, 0, 0], 45, "4 bytes expected, 3 are left"),
        (vec![2, 1, 24, 0, 24, 0, 2, 0, 49, 0, 0, 0], 0, "offset 49 is past its end"),
        (vec![2, 1, 24, 0, 24, 0, 1, 0, 36, 0, 0, 65], 4, "65 DWORDs"),
        (range(4, 1, 0, 0), 44, "unknown descriptor range type 4"),
        (range(0, 0, 0, 0), 44, "a descriptor range has no descriptors"),
        (range(0, 1, 0x20, 0), 60, "unknown descriptor range flags 0x20"),
        (range(0, 1, 0x6, 0), 60, "descriptor range flags 0x6 have several data flags"),
        (range(0, 1, 0x9, 0), 60, "flags DESCRIPTORS_VOLATILE and DATA_STATIC, which"),
        (
            range(0, 1, 0x10001, 0),
            60,
            "DESCRIPTORS_VOLATILE and DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS, which",
        ),
        (range(3, 1, 0x2, 0), 60, "samplers cannot have data flags"),
        (range(0, 3, 0, far - 1), 44, "ends beyond the last 32-bit offset"),
        (one_table(&[[0, 2, far, 0, 0, 0]]), 44, "2 registers from register 4294967295"),
        (one_table(&[[0, 1, 0, 0xffff_fff0, 0, 0]]), 44, "reserved"),
        (one_table(&[[0, 1, 0, 0, 0, 0], [3, 1, 0, 0, 0, far]]), 68, "both SRV and sampler ranges"),
        (one_table(&[[0, far, 0, 0, 0, 0], [1, 1, 0, 0, 0, far]]), 88, "appended to an unbounded range"),
        (
            one_table(&[[0, 4, 0, 0, 0, 0], [0, 1, 3, 0, 0, far]]),
            68,
            "t3 to t3 space0 of parameter 0 overlaps t0 to t3",
        ),
        (two_descriptors([3, 0, 1, 2, 0], [3, 5, 1, 2, 0]), 60, "t1 to t1 space2 of parameter 1 overlaps"),
        (two_descriptors([3, 0, 1, 2, 1], [3, 5, 1, 3, 0]), 56, "unknown root descriptor flags 0x1"),
        (two_descriptors([3, 0, 1, 2, 12], [3, 5, 1, 3, 0]), 56, "root descriptor flags 0xc have several data flags"),
        (one_sampler(0, 0x16), 24, "unknown filter 22"),
        (one_sampler(0, 0x200), 24, "unknown filter 512"),
        (one_sampler(2, 0), 24, "unknown texture address mode 0"),
        (one_sampler(4, 17f32.to_bits()), 24, "bias 17"),
        (one_sampler(4, f32::NAN.to_bits()), 24, "bias NaN"),
        (one_sampler(5, 17), 24, "maximum anisotropy 17"),
        (one_sampler(6, 9), 24, "unknown comparison function 9"),
        (one_sampler(7, 5), 24, "unknown static border colour 5"),
        (one_sampler(12, 8), 72, "unknown shader visibility 8"),
        (one_sampler(8, f32::NAN.to_bits()), 24, "the smallest mip level is NaN"),
        (one_sampler(9, 0xff80_0001), 24, "the largest mip level is NaN"),
        (vec![2, 0, 24, 0, 24, 0x84], 20, "(LOCAL_ROOT_SIGNATURE) has the flag DENY_HULL_SHADER_ROOT_ACCESS"),
        (one_flagged_sampler(4, 0, 0), 76, "unknown sampler flags 0x4"),
        (one_flagged_sampler(1, 7, 2), 76, "UINT_BORDER_COLOR is set, but its border colour is one of floats"),
        (one_flagged_sampler(2, 0, 0x15), 76, "NON_NORMALIZED_COORDINATES is set, but its filter"),
        (one_flagged_sampler(2, 8, 1f32.to_bits()), 76, "its smallest and largest mip level are not 0"),
        (one_flagged_sampler(2, 9, 1f32.to_bits()), 76, "its smallest and largest mip level are not 0"),
        (one_flagged_sampler(2, 1, 1), 76, "its address modes of u and v are not CLAMP or BORDER"),
        (one_flagged_sampler(2, 2, 2), 76, "its address modes of u and v are not CLAMP or BORDER"),
    ];
    for (words, byte, says) in cases {
        let error = parse(&words).expect_err(says);
        assert_eq!(error.kind(), ErrorKind::Malformed, "{says}: {error}");
        assert!(error.message().contains(says), "`{says}`: {error}");
        assert_eq!(error.place(), Place::Byte(1000 + byte), "{says}: {error}");
    }
}

#[test]
fn stages_that_do_not_meet_may_share_registers() {
    assert!(parse(&two_descriptors([3, 1, 1, 2, 0], [3, 5, 1, 2, 0])).is_ok());
    assert!(parse(&two_descriptors([3, 0, 1, 2, 0], [4, 0, 1, 2, 0])).is_ok());
}

#[test]
fn the_last_offset_and_the_last_register() {
    assert!(parse(&one_table(&[[0, 2, u32::MAX - 1, 0, 0, u32::MAX - 1]])).is_ok());
    assert!(parse(&one_table(&[[0, u32::MAX, 5, 0, 0, 9], [0, 1, 4, 0, 0, 3]])).is_ok());
}

/// The arguments of a local root signature are in shader records, which may have 4096 bytes.
#[test]
fn a_local_root_signature_may_have_more_than_64_dwords() {
    let constants = |flags: u32| [2, 1, 24, 0, 24, flags, 1, 0, 36, 0, 0, 65];
    assert!(parse(&constants(0)).is_err());
    assert!(parse(&constants(flags::LOCAL_ROOT_SIGNATURE)).is_ok());
    let heaps = flags::CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED | flags::SAMPLER_HEAP_DIRECTLY_INDEXED;
    assert!(parse(&constants(flags::LOCAL_ROOT_SIGNATURE | heaps)).is_ok());
}

#[test]
fn counts_are_bounded_before_they_are_believed() {
    let many = u32::MAX;
    for words in [[2, many, 24, 0, 24, 0], [2, 0, 24, many, 24, 0]] {
        assert_eq!(parse(&words).unwrap_err().kind(), ErrorKind::Limit);
    }
    let mut words = one_table(&[[0, 1, 0, 0, 0, 0]]);
    words[9] = many;
    assert_eq!(parse(&words).unwrap_err().kind(), ErrorKind::Limit);
    // 64 tables that share the bytes of 4,000 ranges: the ranges of all count together.
    let mut words = vec![2, 64, 24, 0, 0, 0];
    (0..64).for_each(|_| words.extend([0, 0, 24 + 64 * 12]));
    words.extend([4000, 24 + 64 * 12 + 8]);
    (0..4000).for_each(|register| words.extend([0, 1, register, 0, 0, u32::MAX]));
    assert_eq!(parse(&words).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn truncations_and_mutations_never_panic() {
    for container in [EVERYTHING_1_0, EVERYTHING_1_1] {
        let part = Container::parse(container).unwrap().root_signature().unwrap().data;
        for len in 0..part.len() {
            let error = RootSignature::parse(&part[..len], 0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Malformed, "{len} bytes: {error}");
        }
        let mut random = Random::new(1);
        let mut accepted = 0;
        for _ in 0..20_000 {
            let mut bytes = part.to_vec();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = random.bits() as u8;
            }
            if let Ok(signature) = RootSignature::parse(&bytes, 0) {
                accepted += 1;
                assert!(!signature.to_string().is_empty());
            }
        }
        // Some bytes are registers and floats, which may be nearly anything.
        assert!(accepted > 100 && accepted < 20_000, "{accepted} of 20000 mutations were accepted");
    }
}
