//! Root signatures in compiled containers. The tests compare the reader with LLVM's `obj2yaml`,
//! compile the printed text again, and check the places of a whole pipeline.
//!
//! Needs `obj2yaml` 22 (Debian package `llvm-22`) and the pinned compiler (`scripts/get-dxc.sh`);
//! without one of them its test says so and counts what it skips.

use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_translator::internals::binding::root_signature::{
    RootParameterKind, RootVersion, Visibility, descriptor_flags, flags, range_flags,
};
use dxil_translator::internals::binding::{self, StageResources};
use dxil_translator::internals::container::Container;
use dxil_translator::internals::dxil::consts::ResourceClass;
use dxil_translator::{PipelineStage, PlanInputs, RootSignature, Shader, VULKAN_1_3_DESKTOP};

fn fixtures(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            fixtures(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "dxil") {
            found.push(path);
        }
    }
    found.sort();
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures")
}

/// All fixtures with a root signature.
fn signatures() -> Vec<(PathBuf, RootSignature)> {
    let mut paths = Vec::new();
    fixtures(&folder(), &mut paths);
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::parse(&bytes).unwrap();
        RootSignature::of(&container).unwrap().map(|signature| (path.clone(), signature))
    };
    paths.into_iter().filter_map(read).collect()
}

/// LLVM's name of a number.
fn named(names: &[&'static str], number: u32) -> &'static str {
    names[number as usize]
}

const VISIBILITIES: [&str; 8] = ["All", "Vertex", "Hull", "Domain", "Geometry", "Pixel", "Amplification", "Mesh"];
const ADDRESSES: [&str; 6] = ["", "Wrap", "Mirror", "Clamp", "Border", "MirrorOnce"];
const COMPARISONS: [&str; 9] =
    ["None", "Never", "Less", "Equal", "LessEqual", "Greater", "NotEqual", "GreaterEqual", "Always"];
const BORDERS: [&str; 5] = ["TransparentBlack", "OpaqueBlack", "OpaqueWhite", "OpaqueBlackUint", "OpaqueWhiteUint"];

/// The lines that `obj2yaml` writes for a signature, without offsets into the part.
#[derive(Default)]
struct Yaml(Vec<String>);

impl Yaml {
    fn line(&mut self, key: &str, value: impl std::fmt::Display) {
        self.0.push(format!("{key}: {value}").trim_end().to_owned());
    }

    fn flags(&mut self, names: &[(u32, &str)], value: u32) {
        names.iter().filter(|(flag, _)| value & flag != 0).for_each(|(_, name)| self.line(name, true));
    }

    fn class(class: ResourceClass) -> &'static str {
        match class {
            ResourceClass::Srv => "SRV",
            ResourceClass::Uav => "UAV",
            ResourceClass::CBuffer => "CBuffer",
            ResourceClass::Sampler => "Sampler",
        }
    }

    fn signature(signature: &RootSignature) -> Vec<String> {
        let mut yaml = Yaml::default();
        let old = signature.version == RootVersion::V1_0;
        yaml.line("Version", if old { 1 } else { 2 });
        yaml.line("NumRootParameters", signature.parameters.len());
        yaml.line("NumStaticSamplers", signature.static_samplers.len());
        yaml.line("Parameters", if signature.parameters.is_empty() { "[]" } else { "" });
        for parameter in &signature.parameters {
            yaml.parameter(&parameter.kind, parameter.visibility, old);
        }
        if !signature.static_samplers.is_empty() {
            yaml.line("Samplers", "");
        }
        for sampler in &signature.static_samplers {
            yaml.line("- Filter", filter(sampler.filter));
            for (axis, mode) in ["U", "V", "W"].into_iter().zip(sampler.address) {
                yaml.line(&format!("Address{axis}"), named(&ADDRESSES, mode));
            }
            yaml.line("MipLODBias", float(f32::from_bits(sampler.mip_lod_bias)));
            yaml.line("MaxAnisotropy", sampler.max_anisotropy);
            yaml.line("ComparisonFunc", named(&COMPARISONS, sampler.comparison));
            yaml.line("BorderColor", named(&BORDERS, sampler.border_color));
            yaml.line("MinLOD", float(f32::from_bits(sampler.min_lod)));
            yaml.line("MaxLOD", float(f32::from_bits(sampler.max_lod)));
            yaml.line("ShaderRegister", sampler.register);
            yaml.line("RegisterSpace", sampler.space);
            yaml.line("ShaderVisibility", named(&VISIBILITIES, sampler.visibility as u32));
        }
        for (flag, name) in flags::ALL {
            if signature.flags & flag != 0 {
                yaml.line(&camel(name), true);
            }
        }
        yaml.0
    }

    fn parameter(&mut self, kind: &RootParameterKind, visibility: Visibility, old: bool) {
        let name = match kind {
            RootParameterKind::Table(_) => "DescriptorTable",
            RootParameterKind::Constants { .. } => "Constants32Bit",
            RootParameterKind::Descriptor { class: ResourceClass::CBuffer, .. } => "CBV",
            RootParameterKind::Descriptor { class, .. } => Self::class(*class),
        };
        self.line("- ParameterType", name);
        self.line("ShaderVisibility", named(&VISIBILITIES, visibility as u32));
        match kind {
            RootParameterKind::Constants { register, space, count } => {
                self.line("Constants", "");
                self.line("Num32BitValues", count);
                self.line("RegisterSpace", space);
                self.line("ShaderRegister", register);
            }
            RootParameterKind::Descriptor { register, space, flags, .. } => {
                self.line("Descriptor", "");
                self.line("RegisterSpace", space);
                self.line("ShaderRegister", register);
                if !old {
                    self.flags(&descriptor_flags::ALL, *flags);
                }
            }
            RootParameterKind::Table(ranges) => {
                self.line("Table", "");
                self.line("NumRanges", ranges.len());
                self.line("Ranges", if ranges.is_empty() { "[]" } else { "" });
                for range in ranges {
                    self.line("- RangeType", Self::class(range.class));
                    self.line("NumDescriptors", range.count as i32);
                    self.line("BaseShaderRegister", range.register);
                    self.line("RegisterSpace", range.space);
                    self.line("OffsetInDescriptorsFromTableStart", range.offset);
                    if !old {
                        self.flags(&range_flags::ALL, range.flags);
                    }
                }
            }
        }
    }
}

/// Prints a float with six digits, as LLVM does.
fn float(value: f32) -> String {
    format!("{value:.5e}")
}

/// Converts a name to LLVM's form: `ALLOW_STREAM_OUTPUT` to `AllowStreamOutput`.
fn camel(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        format!("{first}{}", rest.to_lowercase())
    };
    name.split('_').map(word).collect()
}

/// LLVM's name of a filter, made from the meaning of its bits (d3d12.h, D3D12_ENCODE_BASIC_FILTER).
fn filter(bits: u32) -> String {
    let reduction = ["", "Comparison", "Minimum", "Maximum"][(bits >> 7 & 3) as usize];
    let linear = |bit: u32| bits & bit != 0;
    let base = match (bits & 0x40 != 0, linear(0x10), linear(0x4), linear(0x1)) {
        (true, _, _, true) => "Anisotropic",
        (true, _, _, false) => "MinMagAnisotropicMipPoint",
        (_, false, false, false) => "MinMagMipPoint",
        (_, false, false, true) => "MinMagPointMipLinear",
        (_, false, true, false) => "MinPointMagLinearMipPoint",
        (_, false, true, true) => "MinPointMagMipLinear",
        (_, true, false, false) => "MinLinearMagMipPoint",
        (_, true, false, true) => "MinLinearMagPointMipLinear",
        (_, true, true, false) => "MinMagLinearMipPoint",
        (_, true, true, true) => "MinMagMipLinear",
    };
    format!("{reduction}{base}")
}

/// The lines of `obj2yaml` for the RTS0 part. APPEND is replaced by the offset that D3D12 gives it,
/// and offsets into the part are left out.
fn oracle_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    let (mut next, mut count) = (0u64, 0u64);
    for line in text.lines() {
        if inside && line.starts_with("  - Name:") {
            break;
        }
        if inside {
            let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
            let (key, value) = words.split_once(':').unwrap();
            let value = value.trim();
            match key {
                "RootParametersOffset" | "StaticSamplersOffset" | "RangesOffset" => continue,
                "NumRanges" => next = 0,
                "NumDescriptors" => count = u64::from(value.parse::<i64>().unwrap() as u32),
                "MipLODBias" | "MinLOD" | "MaxLOD" => {
                    lines.push(format!("{key}: {}", float(value.parse().unwrap())));
                    continue;
                }
                "OffsetInDescriptorsFromTableStart" => {
                    let offset = if value == "4294967295" { next } else { value.parse().unwrap() };
                    next = offset + count;
                    lines.push(format!("{key}: {offset}"));
                    continue;
                }
                _ => {}
            }
            lines.push(words);
        }
        inside |= line == "    RootSignature:";
    }
    lines
}

#[test]
fn read_as_obj2yaml_reads() {
    let signatures = signatures();
    let program = ["obj2yaml-22", "obj2yaml"].into_iter().find(|program| {
        let version = Command::new(program).arg("--version").output();
        version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("LLVM version 22."))
    });
    let Some(program) = program else {
        println!("skipped {} root signatures: no obj2yaml of LLVM 22 (Debian package llvm-22)", signatures.len());
        return;
    };
    assert!(signatures.len() >= 4, "{} fixtures with a root signature", signatures.len());
    for (path, signature) in &signatures {
        let output = Command::new(program).arg(path).output().unwrap();
        assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
        let expected = oracle_lines(&String::from_utf8_lossy(&output.stdout));
        assert!(!expected.is_empty(), "{}", path.display());
        assert_eq!(Yaml::signature(signature), expected, "{}", path.display());
    }
    println!("{} root signatures are as {program} reads them", signatures.len());
}

/// The pinned compiler, if it is installed.
fn compiler() -> Option<PathBuf> {
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build");
    let tools = std::env::var_os("DXIL_TOOLS").map_or(build, PathBuf::from);
    Some(tools.join("dxc/dxc")).filter(|path| path.exists())
}

#[test]
fn what_prints_compiles_to_the_same_signature() {
    let signatures = signatures();
    let Some(compiler) = compiler() else {
        println!("skipped {} root signatures: no compiler (scripts/get-dxc.sh)", signatures.len());
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (index, (path, signature)) in signatures.iter().enumerate() {
        let (source, object) =
            (folder.join(format!("printed{index}.hlsl")), folder.join(format!("printed{index}.dxil")));
        let text = signature.to_string().replace('\n', " ");
        std::fs::write(&source, format!("[RootSignature(\"{text}\")] [numthreads(1, 1, 1)] void main() {{}}\n"))
            .unwrap();
        let version = if signature.version == RootVersion::V1_0 { "rootsig_1_0" } else { "rootsig_1_1" };
        let mut command = Command::new(&compiler);
        command
            .arg(&source)
            .args(["-T", "cs_6_0", "-E", "main", "-force-rootsig-ver", version])
            .arg("-Fo")
            .arg(&object);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {text}\n{said}", path.display());
        let bytes = std::fs::read(&object).unwrap();
        let container = Container::parse(&bytes).unwrap();
        assert_eq!(RootSignature::of(&container).unwrap().as_ref(), Some(signature), "{}: {text}", path.display());
    }
    println!("{} root signatures compile from their text to what they were", signatures.len());
}

fn shader(name: &str) -> Shader {
    let bytes = std::fs::read(folder().join("root-signatures").join(name)).unwrap();
    Shader::parse(&bytes).unwrap()
}

/// The layout, computed by hand. There are n = 6 parameters and T = 2 tables, so the root set is
/// set 2, with root descriptors at bindings 0 and 4 and static samplers at 6 and 7. Root constants
/// of 16 bytes begin at byte 0, those of 8 bytes at byte 16. The pixel shader's array t2..t4 is
/// binding 2, and the vertex shader's t3 is element 1 of it. u1 is at binding 8 + 1, and its
/// counter at 1009.
const PIPELINE: &str = "model: root-signature
set 0
  binding 2: sampled_image, count 3, vertex|fragment
    t3 space0 Texture2D<f32>
    t2[3] space0 Texture2D<f32>
  binding 7: uniform_texel_buffer, fragment
    t7 space0 Buffer<f32>
  binding 9: storage_buffer, fragment
    u1 space0 StructuredBuffer size 4 counter
  binding 20: uniform_buffer, fragment
    b3 space0 ConstantBuffer size 64
  binding 1009: storage_buffer, fragment
    counter of u1 space0 StructuredBuffer size 4 counter
set 1
  binding 1: sampler, fragment
    s5 space0 SamplerState
set 2
  binding 0: uniform_buffer, vertex
    b0 space1 ConstantBuffer size 64
  binding 4: storage_buffer, vertex
    t9 space0 StructuredBuffer size 16
  binding 7: sampler, fragment, immutable sampler
    s1 space0 SamplerState
    StaticSampler(s1, filter=FILTER_ANISOTROPIC, addressU=TEXTURE_ADDRESS_WRAP, addressV=TEXTURE_ADDRESS_WRAP, \
addressW=TEXTURE_ADDRESS_WRAP, mipLODBias=0.0, maxAnisotropy=16, comparisonFunc=COMPARISON_LESS_EQUAL, \
borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE, minLOD=0.0, maxLOD=3.402823466e38)
push constants: bytes 0 to 24, vertex|fragment
  bytes 0 to 16: b1 space0 ConstantBuffer size 16
  bytes 16 to 24: b2 space0 ConstantBuffer size 8
";

#[test]
fn a_compiled_pipeline_is_placed() {
    let shaders = [shader("pipeline.vs.dxil"), shader("pipeline.ps.dxil")];
    let stage = |shader| PipelineStage::new(shader, shader.find_entry(None).unwrap()).resources().unwrap();
    let stages: Vec<StageResources<'_>> = shaders.iter().map(stage).collect();
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP);
    let plan = binding::plan_pipeline(&stages, &inputs).unwrap();
    // The lines are compared without the names of resources, which a compiler may leave out.
    let text = binding::layout_text(&stages, None, &plan);
    let text: Vec<&str> = text.lines().map(|line| line.split(" \"").next().unwrap_or(line)).collect();
    assert_eq!(text, PIPELINE.lines().collect::<Vec<_>>());
    // Planning against the required layout gives the same plan, and each plan can be read back from
    // its text.
    let layout = binding::required_layout(&stages, None, &plan).unwrap();
    let again = binding::plan_pipeline(&stages, &inputs.with_layout(Some(&layout))).unwrap();
    assert_eq!(again, plan);
    for (stage, planned) in stages.iter().zip(&plan.stages) {
        assert_eq!(&binding::BindingPlan::parse(&planned.to_string(), stage.resources).unwrap(), planned);
    }
}
