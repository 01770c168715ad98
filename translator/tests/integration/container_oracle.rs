//! Compares what this crate reads from every container of the fixtures with what LLVM's `obj2yaml`
//! reads.
//!
//! The test writes what [`Container`] found in the form of `obj2yaml` and compares line by line:
//! header, part index, feature flags, signatures, all of PSV0, hash, program header and the
//! bitcode's bytes. It leaves out the content of RTS0, which the binding module reads, and parts
//! that `obj2yaml` does not know. The test needs `obj2yaml` 22 (Debian package `llvm-22`); without
//! it the test is skipped and prints how many containers it skips.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

use dxil_test_support::{containers, repository};
use dxil_translator::container::{
    Container, Dependencies, FourCc, PipelineStateValidation, PsvElement, ShaderKind, Signature, StageInfo,
};

/// LLVM's names of the feature flags, by bit.
const FLAGS: [&str; 34] = [
    "Doubles",
    "ComputeShadersPlusRawAndStructuredBuffers",
    "UAVsAtEveryStage",
    "Max64UAVs",
    "MinimumPrecision",
    "DX11_1_DoubleExtensions",
    "DX11_1_ShaderExtensions",
    "LEVEL9ComparisonFiltering",
    "TiledResources",
    "StencilRef",
    "InnerCoverage",
    "TypedUAVLoadAdditionalFormats",
    "ROVs",
    "ViewportAndRTArrayIndexFromAnyShaderFeedingRasterizer",
    "WaveOps",
    "Int64Ops",
    "ViewID",
    "Barycentrics",
    "NativeLowPrecision",
    "ShadingRate",
    "Raytracing_Tier_1_1",
    "SamplerFeedback",
    "AtomicInt64OnTypedResource",
    "AtomicInt64OnGroupShared",
    "DerivativesInMeshAndAmpShaders",
    "ResourceDescriptorHeapIndexing",
    "SamplerDescriptorHeapIndexing",
    "RESERVED",
    "AtomicInt64OnHeapResource",
    "AdvancedTextureOps",
    "WriteableMSAATextures",
    "SampleCmpWithGradientOrBias",
    "ExtendedCommandInfo",
    "NextUnusedBit",
];

/// The name of an `obj2yaml` of the version whose output has the form that this test writes.
pub fn oracle() -> Option<&'static str> {
    ["obj2yaml-22", "obj2yaml"].into_iter().find(|program| {
        let version = Command::new(program).arg("--version").output();
        version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("LLVM version 22."))
    })
}

/// The lines of `obj2yaml`, with flow sequences joined to one line, single blanks, and without the
/// content of RTS0.
fn normalise(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut open, mut root_signature) = (false, false);
    for line in text.lines() {
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        root_signature = line == "    RootSignature:" || root_signature && !line.starts_with("  - Name:");
        if root_signature || ["---", "..."].iter().any(|mark| words.starts_with(mark)) {
            continue;
        }
        match lines.last_mut() {
            Some(last) if open => write!(last, " {words}").unwrap(),
            _ => lines.push(words.clone()),
        }
        open = words.contains("[ ") && !words.contains(']') || open && !words.contains(']');
    }
    lines
}

fn hex(bytes: impl Iterator<Item = u32>) -> String {
    let list: Vec<String> = bytes.map(|byte| format!("{byte:#X}").replace("0X", "0x")).collect();
    if list.is_empty() { "[ ]".to_owned() } else { format!("[ {} ]", list.join(", ")) }
}

fn decimal(numbers: impl Iterator<Item = u32>) -> String {
    format!("[ {} ]", numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", "))
}

fn text(name: &str) -> &str {
    if name.is_empty() { "''" } else { name }
}

/// Writes the same lines as `obj2yaml`.
struct Yaml(Vec<String>);

impl Yaml {
    fn line(&mut self, key: &str, value: impl std::fmt::Display) {
        self.0.push(format!("{key}: {value}").trim_end().to_owned());
    }
    /// Writes a list of items, or `key: []` if there are none.
    fn list<T>(&mut self, key: &str, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.line(key, if items.is_empty() { "[]" } else { "" });
        items.iter().for_each(|element| item(self, element));
    }

    fn container(&mut self, bytes: &[u8], container: &Container<'_>) {
        self.line("Header", "");
        self.line("Hash", hex(bytes[4..20].iter().map(|&byte| byte.into())));
        self.line("Version", "");
        self.line("Major", container.version().0);
        self.line("Minor", container.version().1);
        self.line("FileSize", bytes.len());
        self.line("PartCount", container.parts().len());
        self.line("PartOffsets", decimal(container.parts().iter().map(|part| part.offset as u32)));
        self.line("Parts", "");
        for part in container.parts() {
            self.line("- Name", part.fourcc);
            self.line("Size", part.data.len());
            match part.fourcc {
                FourCc::SFI0 => self.flags(container.feature_flags().unwrap().unwrap().0),
                FourCc::ISG1 => self.signature(&container.input_signature().unwrap().unwrap()),
                FourCc::OSG1 => self.signature(&container.output_signature().unwrap().unwrap()),
                FourCc::PSG1 => self.signature(&container.patch_constant_signature().unwrap().unwrap()),
                FourCc::PSV0 => self.psv(&container.pipeline_state_validation().unwrap().unwrap()),
                FourCc::HASH => {
                    let hash = container.shader_hash().unwrap().unwrap();
                    self.line("Hash", "");
                    self.line("IncludesSource", hash.includes_source());
                    self.line("Digest", hex(hash.digest.iter().map(|&byte| byte.into())));
                }
                FourCc::DXIL => {
                    let program = container.program().unwrap();
                    let target = program.target.unwrap();
                    self.line("Program", "");
                    self.line("MajorVersion", target.shader_model.0);
                    self.line("MinorVersion", target.shader_model.1);
                    self.line("ShaderKind", target.kind.value());
                    self.line("Size", part.data.len() / 4);
                    self.line("DXILMajorVersion", target.dxil_version.0);
                    self.line("DXILMinorVersion", target.dxil_version.1);
                    self.line("DXILSize", program.bitcode.len());
                    self.line("DXIL", hex(program.bitcode.iter().map(|&byte| byte.into())));
                }
                _ => {}
            }
        }
    }

    fn flags(&mut self, flags: u64) {
        if flags != 0 {
            self.line("Flags", "");
            for (bit, name) in FLAGS.iter().enumerate() {
                self.line(name, flags >> bit & 1 != 0);
            }
        }
    }

    fn signature(&mut self, signature: &Signature<'_>) {
        self.line("Signature", "");
        self.list("Parameters", &signature.elements, |yaml, element| {
            yaml.line("- Stream", element.stream);
            yaml.line("Name", text(element.name));
            yaml.line("Index", element.index);
            yaml.line("SystemValue", element.system_value);
            yaml.line("CompType", element.component_type);
            yaml.line("Register", element.register);
            yaml.line("Mask", element.mask);
            yaml.line("ExclusiveMask", element.rw_mask);
            yaml.line("MinPrecision", element.min_precision);
        });
    }

    fn psv(&mut self, psv: &PipelineStateValidation<'_>) {
        self.line("PSVInfo", "");
        // `obj2yaml` does not know the fields of version 4.
        self.line("Version", psv.version.min(3));
        if let Some(shape) = psv.shape {
            self.line("ShaderStage", shape.kind.value());
        }
        self.stage(&psv.stage);
        self.line("MinimumWaveLaneCount", psv.min_wave_lanes);
        self.line("MaximumWaveLaneCount", psv.max_wave_lanes);
        if let Some(shape) = psv.shape {
            self.line("UsesViewID", u8::from(shape.uses_view_id));
            match shape.kind {
                ShaderKind::Geometry => self.line("MaxVertexCount", shape.max_vertex_count),
                ShaderKind::Hull | ShaderKind::Domain => {
                    self.line("SigPatchConstOrPrimVectors", shape.patch_or_primitive_vectors);
                }
                ShaderKind::Mesh => {
                    self.line("SigPrimVectors", shape.patch_or_primitive_vectors);
                    self.line("MeshOutputTopology", shape.mesh_topology);
                }
                _ => {}
            }
            self.line("SigInputVectors", shape.input_vectors);
            self.line("SigOutputVectors", decimal(shape.output_vectors.iter().map(|&vectors| vectors.into())));
        }
        for (axis, threads) in ["X", "Y", "Z"].iter().zip(psv.num_threads.iter().flatten()) {
            self.line(&format!("NumThreads{axis}"), threads);
        }
        if let Some(name) = psv.entry_name {
            self.line("EntryName", text(name));
        }
        self.line("ResourceStride", if psv.version >= 2 { 24 } else { 16 });
        self.list("Resources", &psv.resources, |yaml, resource| {
            yaml.line("- Type", resource.resource_type);
            yaml.line("Space", resource.space);
            yaml.line("LowerBound", resource.lower);
            yaml.line("UpperBound", resource.upper);
            if let Some((kind, flags)) = resource.kind_and_flags {
                yaml.line("Kind", kind);
                yaml.line("Flags", "");
                yaml.line("UsedByAtomic64", flags & 1 != 0);
            }
        });
        let Some(shape) = psv.shape else { return };
        self.list("SigInputElements", &psv.inputs, Self::element);
        self.list("SigOutputElements", &psv.outputs, Self::element);
        self.list("SigPatchOrPrimElements", &psv.patch_or_primitive, Self::element);
        if shape.uses_view_id {
            self.masks("OutputVectorMasks", &psv.view_id_outputs);
            // `obj2yaml` 22 does not read the mask of a mesh shader's primitives, which DXC writes,
            // and shows nothing that follows the bytes it reads. Ours must end with the mask.
            assert_eq!(psv.trailing, 0);
            if shape.kind == ShaderKind::Hull {
                self.line("PatchOrPrimMasks", hex(psv.view_id_patch_or_primitive.words.iter()));
            }
        }
        self.masks("InputOutputMap", &psv.input_outputs);
        if !psv.input_patch_constants.words.is_empty() {
            self.line("InputPatchMap", hex(psv.input_patch_constants.words.iter()));
        }
        if !psv.patch_constant_outputs.words.is_empty() {
            self.line("PatchOutputMap", hex(psv.patch_constant_outputs.words.iter()));
        }
    }

    fn masks(&mut self, key: &str, masks: &[Dependencies<'_>]) {
        self.line(key, "");
        masks.iter().for_each(|mask| self.0.push(format!("- {}", hex(mask.words.iter()))));
    }

    fn element(&mut self, element: &PsvElement<'_>) {
        self.line("- Name", text(element.name));
        self.line("Indices", decimal(element.indexes.iter()));
        self.line("StartRow", element.start_row);
        self.line("Cols", element.columns);
        self.line("StartCol", element.start_column);
        self.line("Allocated", element.allocated);
        self.line("Kind", element.semantic);
        self.line("ComponentType", element.component_type);
        self.line("Interpolation", element.interpolation);
        self.line("DynamicMask", format!("{:#x}", element.dynamic_mask).to_uppercase().replace("0X", "0x"));
        self.line("Stream", element.stream);
    }

    fn stage(&mut self, stage: &StageInfo) {
        match *stage {
            StageInfo::Vertex { position_present } => self.line("OutputPositionPresent", u8::from(position_present)),
            StageInfo::Hull { input_control_points, output_control_points, domain, output_primitive } => {
                self.line("InputControlPointCount", input_control_points);
                self.line("OutputControlPointCount", output_control_points);
                self.line("TessellatorDomain", domain);
                self.line("TessellatorOutputPrimitive", output_primitive);
            }
            StageInfo::Domain { input_control_points, position_present, domain } => {
                self.line("InputControlPointCount", input_control_points);
                self.line("OutputPositionPresent", u8::from(position_present));
                self.line("TessellatorDomain", domain);
            }
            StageInfo::Geometry { input_primitive, output_topology, stream_mask, position_present } => {
                self.line("InputPrimitive", input_primitive);
                self.line("OutputTopology", output_topology);
                self.line("OutputStreamMask", stream_mask);
                self.line("OutputPositionPresent", u8::from(position_present));
            }
            StageInfo::Pixel { depth_output, sample_frequency } => {
                self.line("DepthOutput", u8::from(depth_output));
                self.line("SampleFrequency", u8::from(sample_frequency));
            }
            StageInfo::Mesh {
                groupshared_bytes,
                groupshared_bytes_by_view,
                payload_bytes,
                max_vertices,
                max_primitives,
            } => {
                self.line("GroupSharedBytesUsed", groupshared_bytes);
                self.line("GroupSharedBytesDependentOnViewID", groupshared_bytes_by_view);
                self.line("PayloadSizeInBytes", payload_bytes);
                self.line("MaxOutputVertices", max_vertices);
                self.line("MaxOutputPrimitives", max_primitives);
            }
            StageInfo::Amplification { payload_bytes } => self.line("PayloadSizeInBytes", payload_bytes),
            StageInfo::Other => {}
        }
    }
}

#[test]
fn fixtures_read_as_obj2yaml_reads_them() {
    let files = containers(repository().join("tests/fixtures"));
    assert!(files.len() >= 13, "only {} fixtures", files.len());
    let Some(oracle) = oracle() else {
        // The line goes around the test harness's capture of output, and has the form that
        // scripts/test.sh looks for.
        let skip = format!("\ntest container_oracle skipped: no obj2yaml 22 (llvm-22), {} containers\n", files.len());
        std::io::stderr().write_all(skip.as_bytes()).unwrap();
        return;
    };
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let output = Command::new(oracle).arg(file).output().unwrap();
        assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
        let expected = normalise(&String::from_utf8(output.stdout).unwrap());
        // A library of functions has the fewest parts: no signatures, and nothing of a stage.
        assert!(expected.len() > 20, "{}: {expected:?}", file.display());
        let mut yaml = Yaml(Vec::new());
        yaml.container(&bytes, &Container::parse(&bytes).unwrap());
        for (number, pair) in yaml.0.iter().zip(&expected).enumerate() {
            assert_eq!(pair.0, pair.1, "{} line {number}, ours left", file.display());
        }
        assert_eq!(yaml.0.len(), expected.len(), "{}", file.display());
    }
}

/// A container that was changed after it was signed may parse, and `parse_unchanged` refuses it. A
/// container without a signature is accepted by both.
#[test]
fn a_container_that_was_changed_is_refused() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/buffer/raw_read_write.dxil");
    let mut bytes = std::fs::read(path).unwrap();
    assert!(dxil_translator::Shader::parse_unchanged(&bytes).is_ok());
    // The digest is behind the magic number, and the file's header ends with the flags that it
    // covers.
    bytes[4] ^= 1;
    assert!(dxil_translator::Shader::parse(&bytes).is_ok());
    let error = dxil_translator::Shader::parse_unchanged(&bytes).unwrap_err();
    assert_eq!(error.kind(), dxil_translator::ErrorKind::Malformed);
    assert!(error.to_string().contains("digest"), "{error}");
    bytes[4..20].fill(0);
    assert!(dxil_translator::Shader::parse_unchanged(&bytes).is_ok());
    assert!(dxil_translator::Shader::parse_unchanged(&bytes[..40]).is_err());
}
