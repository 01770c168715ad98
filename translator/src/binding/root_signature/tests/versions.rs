//! Writing, changing the version, and telling the forms apart.

use super::*;

fn text(text: &str) -> RootSignature {
    RootSignature::parse_text(text, None).unwrap()
}

/// What a compiler wrote is written again byte for byte: the part, and the part alone in a
/// container.
#[test]
fn what_a_compiler_wrote_is_written_again() {
    for bytes in [EVERYTHING_1_0, EVERYTHING_1_1] {
        let signature = from_container(bytes);
        let part = Container::parse(bytes).unwrap().root_signature().unwrap().data;
        assert_eq!(signature.serialize().unwrap(), part);
        let container = signature.serialize_container().unwrap();
        let parsed = Container::parse(&container).unwrap();
        assert!(parsed.warnings().is_empty(), "{:?}", parsed.warnings());
        assert_eq!(RootSignature::from_container(&parsed).unwrap(), Some(signature));
    }
}

/// The parameters of what was compiled as 1.1 are in version 1.0 those of what was compiled as 1.0.
#[test]
fn an_older_version_takes_everything_for_volatile() {
    let (old, new) = (from_container(EVERYTHING_1_0), from_container(EVERYTHING_1_1));
    let converted = new.to_version(RootVersion::V1_0).unwrap();
    assert_eq!((converted.version, &converted.parameters), (RootVersion::V1_0, &old.parameters));
    assert_eq!((converted.flags, &converted.static_samplers), (new.flags, &new.static_samplers));
    let again = old.to_version(RootVersion::V1_1).unwrap();
    assert!(again.to_string().contains("CBV(b1, flags=DATA_VOLATILE)"), "{again}");
    assert_eq!(again.to_version(RootVersion::V1_0).unwrap(), old);
    assert_eq!(new.to_version(RootVersion::V1_2).unwrap().to_version(RootVersion::V1_1).unwrap(), new);
}

#[test]
fn flags_of_static_samplers_in_older_versions() {
    let redundant = "StaticSampler(s0, borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT, flags=UINT_BORDER_COLOR)";
    let old = text(redundant).to_version(RootVersion::V1_1).unwrap();
    assert_eq!((old.version, old.static_samplers[0].flags), (RootVersion::V1_1, 0));
    let needed = "StaticSampler(s0, filter=FILTER_MIN_MAG_MIP_POINT, addressU=TEXTURE_ADDRESS_CLAMP, \
                  addressV=TEXTURE_ADDRESS_CLAMP, minLOD=0, maxLOD=0, flags=NON_NORMALIZED_COORDINATES)";
    for version in [RootVersion::V1_0, RootVersion::V1_1] {
        let error = text(needed).to_version(version).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains("static sampler 0 has NON_NORMALIZED_COORDINATES"), "{error}");
    }
    assert!(text(needed).to_version(RootVersion::V1_2).is_ok());
}

/// A signature that was put together by hand is checked before it is written.
#[test]
fn an_invalid_signature_is_not_written() {
    let good = text("DescriptorTable(SRV(t0, numDescriptors=2), UAV(u0)), CBV(b0), StaticSampler(s0)");
    assert!(good.serialize().is_ok());
    let edit = |change: &dyn Fn(&mut RootSignature)| {
        let mut signature = good.clone();
        change(&mut signature);
        signature.serialize().unwrap_err().message().to_owned()
    };
    let range = |signature: &mut RootSignature, change: &dyn Fn(&mut DescriptorRange)| {
        let RootParameterKind::Table(ranges) = &mut signature.parameters[0].kind else { panic!("no table") };
        change(&mut ranges[1]);
    };
    let cases = [
        (edit(&|s| s.flags = 0x1000), "unknown root signature flags"),
        (edit(&|s| s.static_samplers[0].flags = 1), "version 1.1 has no flags of static samplers"),
        (edit(&|s| s.version = RootVersion::V1_0), "version 1.0 has no such flags, and implies 0x3 here"),
        (edit(&|s| range(s, &|range| range.offset = 7)), "appended at offset 2, but its offset is 7"),
        (
            edit(&|s| range(s, &|range| (range.offset, range.append) = (u32::MAX, false))),
            "has offset 4294967295, which stands for D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND",
        ),
        (edit(&|s| range(s, &|range| range.count = 0)), "a descriptor range has no descriptors"),
    ];
    for (message, says) in cases {
        assert!(message.contains(says), "`{says}`: {message}");
    }
}

#[test]
fn forms_are_told_apart_by_their_beginning() {
    let signature = from_container(EVERYTHING_1_1);
    let forms: [Vec<u8>; 4] = [
        EVERYTHING_1_1.to_vec(),
        signature.serialize_container().unwrap(),
        signature.serialize().unwrap(),
        signature.to_string().into_bytes(),
    ];
    for form in &forms {
        assert_eq!(RootSignature::from_bytes(form, None).as_ref(), Ok(&signature));
        let old = RootSignature::from_bytes(form, Some(RootVersion::V1_0));
        match old {
            Ok(old) => assert_eq!(old, signature.to_version(RootVersion::V1_0).unwrap()),
            // The text has flags, which a text of version 1.0 cannot have.
            Err(error) => assert!(matches!(error.place(), Place::Column { .. }), "{error}"),
        }
    }
    let error = RootSignature::from_bytes(b"\xff\xfeR\0", None).unwrap_err();
    assert!(error.message().contains("neither a container, nor LLVM bitcode, nor RTS0, nor UTF-8 text"), "{error}");
    let error = RootSignature::from_bytes(b"#define RS", None).unwrap_err();
    assert_eq!(error.place(), Place::Column { line: 1, column: 1 });
    let shader = include_bytes!("../../../../../tests/fixtures/buffer/atomics_64.dxil");
    let error = RootSignature::from_bytes(shader, None).unwrap_err();
    assert!(error.message().contains("neither an RTS0 part nor `dx.rootsignatures` metadata"), "{error}");
}
