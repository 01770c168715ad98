//! What LLVM's `obj2yaml` writes for a root signature.

use std::path::Path;
use std::process::Command;

use dxil_translator::RootSignature;
use dxil_translator::binding::root_signature::{
    RootParameterKind, RootVersion, Visibility, descriptor_flags, flags, range_flags, sampler_flags,
};
use dxil_translator::ops::consts::ResourceClass;

use super::{corpus, fixture_signatures};
use crate::container_oracle::oracle;

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
        yaml.line("Version", signature.version.number());
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
            for (flag, name) in sampler_flags::ALL {
                if sampler.flags & flag != 0 {
                    yaml.line(&format!("SAMPLER_FLAG_{name}"), true);
                }
            }
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
        if ["CBV", "SRV", "UAV"].contains(&word) {
            return word.to_owned();
        }
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
        if inside && (line.starts_with("  - Name:") || line == "...") {
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

/// What LLVM 22 does not read: it takes versions 1.0 and 1.1 alone for root descriptors and ranges.
fn is_read(signature: &RootSignature) -> bool {
    let has_flags = |kind: &RootParameterKind| match kind {
        RootParameterKind::Descriptor { .. } => true,
        RootParameterKind::Table(ranges) => !ranges.is_empty(),
        RootParameterKind::Constants { .. } => false,
    };
    signature.version != RootVersion::V1_2 || !signature.parameters.iter().any(|p| has_flags(&p.kind))
}

fn compare(program: &str, name: &str, path: &Path, signature: &RootSignature) {
    let output = Command::new(program).arg(path).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let expected = oracle_lines(&String::from_utf8_lossy(&output.stdout));
    assert!(!expected.is_empty(), "{name}");
    assert_eq!(Yaml::signature(signature), expected, "{name}");
}

/// The fixtures as DXC wrote them, and the whole corpus as this crate writes it.
#[test]
fn read_as_obj2yaml_reads() {
    let (fixtures, corpus) = (fixture_signatures(), corpus::all_versions());
    let Some(program) = oracle() else {
        let count = fixtures.len() + corpus.len();
        println!("skipped {count} root signatures: no obj2yaml of LLVM 22 (Debian package llvm-22)");
        return;
    };
    assert!(fixtures.len() >= 4, "{} fixtures with a root signature", fixtures.len());
    for (path, signature) in &fixtures {
        compare(program, &path.display().to_string(), path, signature);
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("obj2yaml.dxil");
    let (mut read, mut skipped) = (0, 0);
    for (name, signature) in &corpus {
        if !is_read(signature) {
            skipped += 1;
            continue;
        }
        std::fs::write(&path, signature.serialize_container().unwrap()).unwrap();
        compare(program, name, &path, signature);
        read += 1;
    }
    println!("{} fixtures and {read} root signatures of the corpus are as {program} reads them", fixtures.len());
    println!("skipped {skipped} root signatures: {program} does not read root descriptors and ranges of version 1.2");
    assert!(read >= 120, "{read}");
}
