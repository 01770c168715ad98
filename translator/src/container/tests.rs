//! Tests containers of a compiler against values that were read from their bytes by hand, and
//! made-up containers against the rules of the format.

use super::*;
use dxil_base::error::ErrorKind;

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/../tests/fixtures/newer-dxc/{name}.dxil", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A container of these parts, one after the other, with its digest.
fn container(parts: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut bytes = b"DXBC".to_vec();
    bytes.extend([0; 16]);
    bytes.extend([1, 0, 0, 0]);
    let table = 32 + 4 * parts.len();
    let size: usize = table + parts.iter().map(|(_, data)| 8 + data.len()).sum::<usize>();
    bytes.extend((size as u32).to_le_bytes());
    bytes.extend((parts.len() as u32).to_le_bytes());
    let mut offset = table;
    for (_, data) in parts {
        bytes.extend((offset as u32).to_le_bytes());
        offset += 8 + data.len();
    }
    for (fourcc, data) in parts {
        bytes.extend(*fourcc);
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(*data);
    }
    let digest = compute_digest(&bytes[20..]);
    bytes[4..20].copy_from_slice(&digest);
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn set(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

#[track_caller]
fn refused(input: &[u8], kind: ErrorKind, byte: u64, message: &str) {
    let error = Container::parse(input).expect_err(message);
    assert_eq!((error.kind(), error.place()), (kind, Place::Byte(byte)), "{error}");
    assert!(error.message().contains(message), "{error}");
}

#[test]
fn compute_container() {
    let bytes = fixture("compute_mix.cs_6_8");
    let container = Container::parse(&bytes).unwrap();
    let parts: Vec<_> =
        container.parts().iter().map(|part| (part.fourcc.to_string(), part.offset, part.data.len())).collect();
    let expected = [
        ("SFI0", 60, 8),
        ("ISG1", 76, 8),
        ("OSG1", 92, 8),
        ("PSV0", 108, 228),
        ("RTS0", 344, 192),
        ("HASH", 544, 20),
        ("DXIL", 572, 3744),
    ];
    assert_eq!(parts, expected.map(|(name, offset, len)| (name.to_owned(), offset, len)));
    assert_eq!(container.warnings(), []);
    assert_eq!(container.digest(), Some(Digest::Valid));

    let program = container.program().unwrap();
    let target = Target { kind: ShaderKind::Compute, shader_model: (6, 8), dxil_version: (1, 8) };
    assert_eq!((program.target, program.offset, program.bitcode.len()), (Some(target), 604, 3720));
    assert!(program.bitcode.starts_with(b"BC\xc0\xde"));
    assert_eq!(container.feature_flags().unwrap().unwrap().to_string(), "WaveOps Int64Ops NativeLowPrecision");
    assert_eq!(container.root_signature().unwrap().data_offset(), 352);
    let hash = container.shader_hash().unwrap().unwrap();
    assert_eq!((hash.includes_source(), hash.digest[0], hash.digest[15]), (false, 0xa8, 0x5f));

    let psv = container.pipeline_state_validation().unwrap().unwrap();
    assert_eq!((psv.version, psv.num_threads, psv.entry_name), (4, Some([64, 1, 1]), Some("main")));
    assert_eq!((psv.min_wave_lanes, psv.max_wave_lanes), (0, u32::MAX));
    assert_eq!(psv.resources.len(), 6);
    assert_eq!(psv.resources[5].resource_type, PsvResourceType::UAVTyped);
    assert_eq!(psv.resources[5].kind_and_flags, Some((ResourceKind::TypedBuffer, 0)));
    assert_eq!(psv.trailing, 0);
}

#[test]
fn debug_container() {
    let bytes = fixture("compute_mix.cs_6_8.debug");
    let container = Container::parse(&bytes).unwrap();
    assert_eq!(container.debug_name().unwrap(), Some("a85e2859a259df53fbc043c02e82a45f.pdb"));
    let debug = container.debug_program().unwrap().unwrap();
    assert_eq!((debug.offset, debug.bitcode.len()), (556 + 8 + 24, 0x2b34));
    let reflection = container.reflection_program().unwrap().unwrap();
    assert_eq!((reflection.offset, reflection.bitcode.len()), (11648 + 8 + 24, 0xb40));
}

#[test]
fn pixel_signatures() {
    let bytes = fixture("vertex_pixel.ps_6_8");
    let container = Container::parse(&bytes).unwrap();
    let inputs = container.input_signature().unwrap().unwrap().elements;
    assert_eq!(inputs.len(), 7);
    assert_eq!((inputs[0].name, inputs[0].system_value, inputs[0].mask), ("SV_Position", SystemValue::Position, 0xf));
    let outputs = container.output_signature().unwrap().unwrap().elements;
    assert_eq!(outputs[0].system_value, SystemValue::Target);
    let psv = container.pipeline_state_validation().unwrap().unwrap();
    assert_eq!(psv.stage, StageInfo::Pixel { depth_output: true, sample_frequency: true });
    assert_eq!((psv.inputs.len(), psv.outputs.len()), (7, 3));
}

#[test]
fn stage_information() {
    let stage =
        |name: &str| Container::parse(&fixture(name)).unwrap().pipeline_state_validation().unwrap().unwrap().stage;
    assert_eq!(stage("vertex_pixel.vs_6_8"), StageInfo::Vertex { position_present: true });
    assert_eq!(
        stage("tessellation_geometry.hs_6_6"),
        StageInfo::Hull { input_control_points: 3, output_control_points: 3, domain: 2, output_primitive: 3 }
    );
    assert_eq!(
        stage("tessellation_geometry.ds_6_6"),
        StageInfo::Domain { input_control_points: 3, position_present: true, domain: 2 }
    );
    assert_eq!(
        stage("tessellation_geometry.gs_6_6"),
        StageInfo::Geometry { input_primitive: 3, output_topology: 5, stream_mask: 1, position_present: true }
    );
    assert_eq!(
        stage("mesh.ms_6_6"),
        StageInfo::Mesh {
            groupshared_bytes: 0,
            groupshared_bytes_by_view: 0,
            payload_bytes: 128,
            max_vertices: 64,
            max_primitives: 64
        }
    );
    assert_eq!(stage("mesh.as_6_6"), StageInfo::Amplification { payload_bytes: 128 });
}

#[test]
fn geometry_dependencies() {
    let bytes = fixture("tessellation_geometry.gs_6_6");
    let psv = Container::parse(&bytes).unwrap().pipeline_state_validation().unwrap().unwrap();
    // The position depends on the position, component by component. The two texture coordinates
    // depend on themselves likewise.
    for input in 0..6 {
        for output in 0..6 {
            assert_eq!(psv.input_outputs[0].depends(input, output), input == output, "{input} {output}");
        }
    }
    assert!(!psv.input_outputs[1].depends(0, 0));
}

#[test]
fn library_runtime_data() {
    let bytes = fixture("rays.lib_6_6");
    let container = Container::parse(&bytes).unwrap();
    let version = container.compiler_version().unwrap().unwrap();
    assert_eq!((version.version, version.commit, version.text), ((1, 10), "9a3e225d", "1.9.0.15466"));
    let data = container.runtime_data().unwrap().unwrap();
    assert_eq!(data.parts.len(), 4);
    let kinds: Vec<_> = data.functions.iter().map(|function| function.kind).collect();
    assert!(kinds.contains(&ShaderKind::RayGeneration) && kinds.contains(&ShaderKind::ClosestHit), "{kinds:?}");
    for function in &data.functions {
        assert!(!function.unmangled_name.is_empty() && function.name.contains(function.unmangled_name), "{function:?}");
        assert!(function.resources.iter().all(|index| (index as usize) < data.resources.len()));
    }
}

#[test]
fn bare_and_wrapped_bitcode() {
    let bytes = fixture("heap.cs_6_6");
    let bitcode = Container::parse(&bytes).unwrap().program().unwrap().bitcode;
    let bare = Container::parse(bitcode).unwrap();
    assert_eq!(bare.program().unwrap(), ProgramBitcode { target: None, bitcode, offset: 0 });
    assert_eq!((bare.warnings(), bare.digest()), (vec![], None));

    let mut wrapped = words(&[0x0b17c0de, 0, 20, bitcode.len() as u32, u32::MAX]);
    wrapped.extend(bitcode);
    wrapped.extend([0; 12]);
    let program = Container::parse(&wrapped).unwrap().program().unwrap();
    assert_eq!((program.bitcode, program.offset), (bitcode, 20));
    set(&mut wrapped, 12, bitcode.len() as u32 + 13);
    refused(&wrapped, ErrorKind::Malformed, 20, "are left");
}

#[test]
fn legacy_bytecode_is_refused_by_name() {
    for (fourcc, token, expected) in [
        (b"SHEX", 0x0005_0050, "a compute shader of shader model 5.0"),
        (b"SHDR", 0x40, "a pixel shader of shader model 4.0"),
    ] {
        let bytes = container(&[(b"RDEF", &[0; 28]), (fourcc, &words(&[token, 2]))]);
        let parsed = Container::parse(&bytes).unwrap();
        let error = parsed.program().unwrap_err();
        assert_eq!((error.kind(), error.place()), (ErrorKind::Unsupported, Place::Byte(84)));
        assert!(error.message().starts_with("DXBC bytecode of shader model 5 or earlier, not DXIL"), "{error}");
        assert!(error.message().contains(expected), "{error}");
    }
    let bytes = container(&[(b"RTS0", &[0; 24])]);
    let error = Container::parse(&bytes).unwrap().program().unwrap_err();
    assert_eq!(
        error.message(),
        "no DXIL part: the container has only RTS0; `dxil2spv rootsig` prints a root signature"
    );
    let bytes = container(&[(b"VERS", &[0; 24])]);
    let error = Container::parse(&bytes).unwrap().program().unwrap_err();
    assert_eq!(error.message(), "no DXIL part: the container has only VERS");
    let bytes = container(&[(b"HASH", &[0; 20]), (b"ILDB", &[0; 24])]);
    let error = Container::parse(&bytes).unwrap().program().unwrap_err();
    assert_eq!(
        error.message(),
        "no DXIL part: the container has debug information (part ILDB) without the shader, as a PDB has; give the container \
         that dxc writes with `-Fo`"
    );
}

#[test]
fn older_signatures_are_read() {
    let mut element = words(&[32, 3, 1, 3, 7]);
    element.extend([0xf, 3, 0, 0]);
    let mut old = words(&[1, 8]);
    old.extend(&element);
    old.extend(b"POSITION\0\0\0\0");
    let mut streams = words(&[1, 8, 2]);
    streams.extend(&element);
    streams[12..16].copy_from_slice(&36u32.to_le_bytes());
    streams.extend(b"COLOR\0");
    let bytes = container(&[(b"ISGN", &old), (b"OSG5", &streams), (b"PCSG", &words(&[0, 8]))]);
    let parsed = Container::parse(&bytes).unwrap();
    let input = parsed.input_signature().unwrap().unwrap().elements[0];
    assert_eq!((input.name, input.index, input.register, input.stream, input.rw_mask), ("POSITION", 3, 7, 0, 3));
    let output = parsed.output_signature().unwrap().unwrap().elements[0];
    assert_eq!((output.name, output.component_type, output.stream), ("COLOR", ComponentType::Float32, 2));
    assert_eq!(parsed.patch_constant_signature().unwrap().unwrap().elements, []);
}

#[test]
fn faulty_indexes_are_refused_with_their_byte() {
    let good = container(&[(b"SFI0", &[0; 8]), (b"XXXX", &[1; 5]), (b"PRIV", &[2; 3])]);
    let parsed = Container::parse(&good).unwrap();
    assert_eq!(parsed.warnings(), [Warning::UnknownPart { fourcc: FourCc(*b"XXXX"), offset: 60 }]);
    assert_eq!(parsed.private_data(), Some(&[2; 3][..]));
    let changed = |at: usize, value: u32| {
        let mut bytes = good.clone();
        set(&mut bytes, at, value);
        bytes
    };
    refused(b"DXBC", ErrorKind::Malformed, 4, "16 bytes expected");
    refused(b"DXI\0", ErrorKind::Malformed, 0, "expected a DXIL container (`DXBC`) or LLVM bitcode, found `DXI\\x00`");
    refused(&changed(20, 2), ErrorKind::Unsupported, 20, "version 2.0");
    refused(&changed(24, 1000), ErrorKind::Malformed, 24, "cut short");
    refused(&changed(24, 40), ErrorKind::Malformed, 24, "needs 44");
    refused(&changed(28, 257), ErrorKind::Limit, 28, "257 container parts, the limit is 256");
    refused(&changed(28, 20), ErrorKind::Malformed, 24, "needs 112");
    refused(&changed(32, 32), ErrorKind::Malformed, 32, "overlaps the part index");
    refused(&changed(36, u32::MAX), ErrorKind::Malformed, 36, "past the container's end");
    refused(&changed(36, 64), ErrorKind::Malformed, 68, "are left in the container");
    refused(&changed(48, u32::MAX), ErrorKind::Malformed, 48, "are left in the container");
    refused(&changed(48, 9), ErrorKind::Malformed, 60, "part XXXX at 60 overlaps part SFI0, which ends at 61");
    refused(&changed(36, 44), ErrorKind::Malformed, 44, "overlaps");
    let twice = container(&[(b"DXIL", &[0; 8]), (b"DXIL", &[1; 8])]);
    refused(&twice, ErrorKind::Malformed, 56, "second part DXIL");
    let unknown_twice = container(&[(b"XXXX", &[0; 8]), (b"XXXX", &[1; 8])]);
    assert_eq!(Container::parse(&unknown_twice).unwrap().parts().len(), 2);
}

#[test]
fn harmless_oddities_are_warnings() {
    let mut bytes = container(&[(b"SFI0", &[0; 8])]);
    bytes.extend([0; 3]);
    assert_eq!(Container::parse(&bytes).unwrap().warnings(), [Warning::TrailingBytes { offset: 52, bytes: 3 }]);
    bytes.truncate(52);
    bytes[51] = 1;
    assert_eq!(Container::parse(&bytes).unwrap().warnings(), [Warning::Digest(Digest::Mismatch)]);
    bytes[4..20].fill(0);
    assert_eq!(Container::parse(&bytes).unwrap().warnings(), [Warning::Digest(Digest::Zero)]);
    bytes[22] = 7;
    assert_eq!(Container::parse(&bytes).unwrap().warnings(), [Warning::MinorVersion(7), Warning::Digest(Digest::Zero)]);
}

#[test]
fn faulty_programs_are_refused_with_their_byte() {
    let program = |words_: &[u32]| {
        let bytes = container(&[(b"DXIL", &words(words_))]);
        let error = Container::parse(&bytes).unwrap().program().map(|program| program.offset);
        error.map_err(|error| (error.place(), error.message().to_owned()))
    };
    const BC: u32 = 0xdec0_4342;
    const DXIL: u32 = u32::from_le_bytes(*b"DXIL");
    assert_eq!(program(&[0x50060, 7, DXIL, 0x100, 16, 4, BC]), Ok(68));
    assert_eq!(program(&[0x50060, 7, DXIL, 0x100, 20, 4, 0, BC]), Ok(72));
    let refused = |words: &[u32], byte: u64, message: &str| {
        let (place, found) = program(words).unwrap_err();
        assert_eq!(place, Place::Byte(byte), "{found}");
        assert!(found.contains(message), "{found}");
    };
    refused(&[0x50060, 8, DXIL, 0x100, 16, 4, BC], 48, "the program has 8 words, but its part only 28 bytes");
    refused(&[0x50060, 7, 0, 0x100, 16, 4, BC], 52, "expected the magic number `DXIL`");
    refused(&[0x50060, 7, DXIL, 0x100, 12, 4, BC], 60, "overlaps its own header");
    refused(&[0x50060, 7, DXIL, 0x100, 16, 5, BC], 68, "are left");
    refused(&[0x50060, 7, DXIL, 0x100, u32::MAX, 4, BC], 44, "past its end");
    refused(&[0x50060, 7, DXIL, 0x100, 16, 4, 1], 68, "expected LLVM bitcode");
    refused(&[0x50060, 2], 52, "4 bytes expected");
}

#[test]
fn psv_versions_go_by_size() {
    for (size, version) in [(24, 0), (30, 0), (36, 1), (48, 2), (52, 3), (56, 4), (60, 4)] {
        let mut part = words(&[size]);
        part.resize(4 + size as usize, 0);
        part[28 - 4] = 9;
        if size >= 36 {
            part[28] = 2;
            part[30..32].copy_from_slice(&300u16.to_le_bytes());
        }
        part.extend(words(&[1, 16, 3, 4, 5, 6]));
        part.extend(words(&[0, 0]));
        let program = [&words(&[0x20060, 7, u32::from_le_bytes(*b"DXIL"), 0x100, 16, 4])[..], b"BC\xc0\xde"].concat();
        let bytes = container(&[(b"DXIL", &program), (b"PSV0", &part)]);
        let psv = Container::parse(&bytes).unwrap().pipeline_state_validation().unwrap().unwrap();
        assert_eq!(psv.version, version, "{size}");
        // Version 0 takes its stage from the program, a geometry shader.
        assert!(matches!(psv.stage, StageInfo::Geometry { .. }), "{size}");
        assert_eq!(psv.shape.map(|shape| shape.max_vertex_count), (size >= 36).then_some(300), "{size}");
        assert_eq!(psv.num_threads.is_some(), version >= 2);
        assert_eq!(psv.entry_name, (version >= 3).then_some(""));
        assert_eq!(psv.groupshared_bytes, (version >= 4).then_some(0));
        assert_eq!((psv.resources[0].space, psv.resources[0].kind_and_flags), (4, None));
        assert_eq!(psv.trailing, if version == 0 { 8 } else { 0 });
    }
}

#[test]
fn faulty_psv_is_refused() {
    let bytes = fixture("vertex_pixel.ps_6_8");
    let (start, _) = (Container::parse(&bytes).unwrap().part(FourCc::PSV0).unwrap().data_offset(), ());
    let refused = |at: usize, value: u32, kind: ErrorKind, message: &str| {
        let mut bytes = bytes.clone();
        set(&mut bytes, start + at, value);
        let error = Container::parse(&bytes).unwrap().pipeline_state_validation().unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(message), "{error}");
    };
    refused(0, 23, ErrorKind::Malformed, "at least 24");
    refused(0, u32::MAX, ErrorKind::Malformed, "are left");
    refused(52, 0x1000, ErrorKind::Malformed, "no string at offset");
    refused(60, u32::MAX, ErrorKind::Limit, "resource bindings");
    refused(64, 15, ErrorKind::Malformed, "at least 16");
    refused(64, u32::MAX, ErrorKind::Malformed, "");
}

#[test]
fn text_form_shows_every_part() {
    for name in ["compute_mix.cs_6_8.debug", "rays.lib_6_6", "tessellation_geometry.hs_6_6", "mesh.ms_6_6"] {
        let bytes = fixture(name);
        let container = Container::parse(&bytes).unwrap();
        let text = container.to_string();
        for part in container.parts() {
            assert!(
                text.contains(&format!("{} at {}, {} bytes: ", part.fourcc, part.offset, part.data.len())),
                "{text}"
            );
        }
        assert!(!text.contains("refused"), "{text}");
    }
    let bytes = container(&[(b"SFI0", &[0; 4])]);
    let text = Container::parse(&bytes).unwrap().to_string();
    assert!(text.contains("refused: malformed at byte 44: SFI0 part: 8 bytes expected, 4 are left"), "{text}");
}

/// Reads all parts of an input. Returns whether it has a program.
fn read_all(input: &[u8]) -> bool {
    let Ok(container) = Container::parse(input) else { return false };
    container.warnings();
    container.to_string();
    container.program().is_ok()
}

#[test]
fn every_truncation_is_refused_or_read() {
    for name in ["rays.lib_6_6", "tessellation_geometry.ds_6_6"] {
        let bytes = fixture(name);
        for len in 0..bytes.len() {
            assert!(!read_all(&bytes[..len]), "{name} cut at {len}");
            // The size in the header is reduced as well, so that the parts are cut instead of the
            // container.
            if len >= 32 {
                let mut bytes = bytes[..len].to_vec();
                set(&mut bytes, 24, len as u32);
                assert!(!read_all(&bytes), "{name} cut at {len} with its size");
            }
        }
        assert!(read_all(&bytes));
    }
}
