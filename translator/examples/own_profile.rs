//! Makes a `DeviceProfile` from what a device has enabled, and shows what it decides.
//!
//! ```text
//! cargo run -p dxil-translator --example own_profile -- SHADER.dxil…
//! ```
//!
//! A shader that needs a feature that is not enabled is refused, and the error names the feature.
//! Where an operation can be written in two forms, the profile picks one: `discard` becomes a
//! demotion on a device that has `shaderDemoteToHelperInvocation`, and a flag otherwise.

use std::error::Error;
use std::fmt::Write as _;
use std::process::ExitCode;

use dxil_translator::{
    BindingOptions, DeviceProfile, ErrorKind, Feature, Model, Options, PipelineStage, PlanInputs, RegisterShifts,
    Shader, VULKAN_1_1_FLOOR, plan, translate,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// What an application knows of its device: what it asked `vkCreateDevice` for, and properties.
struct Device {
    api: (u8, u8),
    /// Members of feature structures that are true in `VkDeviceCreateInfo`.
    enabled: &'static [&'static str],
    subgroup_size: u32,
    max_push_constants_size: u32,
    max_bound_descriptor_sets: u32,
}

const DEVICE: Device = Device {
    api: (1, 1),
    enabled: &["fragmentStoresAndAtomics", "vertexPipelineStoresAndAtomics", "robustBufferAccess"],
    subgroup_size: 16,
    max_push_constants_size: 256,
    max_bound_descriptor_sets: 8,
};

/// The profile of a device. It begins with what every device of Vulkan 1.1 has, and adds what this
/// one has beyond that. A profile says what is *enabled*: a feature that a device merely supports
/// must not be in it.
fn profile_of(device: &Device) -> Result<DeviceProfile, Box<dyn Error>> {
    let mut profile = VULKAN_1_1_FLOOR;
    profile.api = device.api;
    // Vulkan 1.1 takes SPIR-V 1.3; VK_KHR_spirv_1_4 would make this (1, 4).
    profile.spirv = (1, 3);
    for name in device.enabled {
        // The name of a feature is the member of the Vulkan structure that enables it.
        let feature = Feature::from_name(name).ok_or_else(|| format!("unknown feature {name}"))?;
        profile.features.set(feature, true);
    }
    profile.subgroup.size = device.subgroup_size;
    (profile.subgroup.min_size, profile.subgroup.max_size) = (device.subgroup_size, device.subgroup_size);
    // Basic, vote and ballot operations, in pixel and compute shaders.
    profile.subgroup.operations = 0x1 | 0x2 | 0x8;
    profile.subgroup.stages = 0x10 | 0x20;
    profile.limits.max_push_constants_size = device.max_push_constants_size;
    profile.limits.max_bound_descriptor_sets = device.max_bound_descriptor_sets;
    Ok(profile)
}

/// Translates each file for the device, then for the device with more features enabled, and returns
/// what became of it.
///
/// # Errors
/// A file cannot be read or written, or the translator refuses it.
pub fn run(files: &[String]) -> Result<String, Box<dyn Error>> {
    if files.is_empty() {
        return Err("usage: own_profile SHADER.dxil…".into());
    }
    let mut text = String::new();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        let shader = Shader::parse(&bytes)?;
        let mut profile = profile_of(&DEVICE)?;
        // An application that gets `MissingFeature` may create its device anew with that feature.
        // Each round enables one more, so that there are at most as many rounds as features.
        let words = loop {
            match translated(&shader, &profile) {
                Ok(words) => break words,
                Err(error) => {
                    let ErrorKind::MissingFeature(feature) = error.kind() else { return Err(error.into()) };
                    writeln!(text, "{error}")?;
                    writeln!(text, "enabled now: {}::{feature}", feature.structure())?;
                    profile.features.set(feature, true);
                }
            }
        };
        writeln!(text, "translated to {} words; demotes: {}", words.len(), demotes(&words))?;

        profile.features.set(Feature::DemoteToHelperInvocation, true);
        let words = translated(&shader, &profile)?;
        let feature = Feature::DemoteToHelperInvocation;
        writeln!(text, "with {feature}: {} words; demotes: {}", words.len(), demotes(&words))?;
    }
    Ok(text)
}

/// The words of a shader's only entry point for a device.
fn translated(shader: &Shader, profile: &DeviceProfile) -> dxil_translator::Result<Vec<u32>> {
    let entry = shader.find_entry(None)?;
    let shifts: RegisterShifts = "b=0,t=100,u=200,s=300".parse()?;
    let inputs = PlanInputs::new(profile).with_options(BindingOptions::new(Model::Register, shifts));
    let pipeline = plan(&[PipelineStage::new(shader, entry)], &inputs)?;
    let options = Options::new(profile.clone());
    let stage_plan = pipeline.stages.into_iter().next().unwrap_or_default();
    Ok(translate(shader, entry, &stage_plan, &options)?.words)
}

/// Whether a module has `OpDemoteToHelperInvocation`. After a header of five words, each
/// instruction begins with a word that holds its length and its opcode.
fn demotes(words: &[u32]) -> bool {
    const OP_DEMOTE_TO_HELPER_INVOCATION: u32 = 5380;
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        if first & 0xffff == OP_DEMOTE_TO_HELPER_INVOCATION {
            return true;
        }
        at += (first >> 16).max(1) as usize;
    }
    false
}
