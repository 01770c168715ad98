//! Translates every container of the repository for several devices. Every emitted module must pass
//! a current SPIR-V validator, and keep rules of Vulkan that the validator does not know
//! ([`defined`]).
//!
//! `dxil_tests::emitted` says how a container is translated. Refusals are printed and counted by
//! kind. A fixture may be refused only for a feature that the profile leaves out, and names
//! `shader_draw_parameters` if it needs that: most that read SV_VertexID or SV_InstanceID do.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use dxil_test_support::is_fixture;
use dxil_test_support::spirv::instructions;
use dxil_tests::emitted::{SHIFTS, files, layout, tests_folder, translate_container, translate_fixture};
use dxil_tests::spec::parse;
use dxil_translator::{
    BindingOptions, BindingPlan, Debug, DeviceProfile, Error, ErrorKind, Feature, Model, Options, PipelineStage,
    PlanInputs, Shader, plan, translate,
};
use dxil_validate::{defined, validate};
use rspirv::spirv::{Capability, Op};

/// The named profiles, by Vulkan version.
const PROFILES: [&str; 5] = ["vulkan-1.0-desktop", "vulkan-1.1-floor", "vulkan-1.3-desktop", "lavapipe", "everything"];

fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Malformed => "Malformed",
        ErrorKind::Unsupported => "Unsupported",
        ErrorKind::MissingFeature(_) => "MissingFeature",
        ErrorKind::Binding => "Binding",
        ErrorKind::Limit => "Limit",
        ErrorKind::Bug => "Bug",
        _ => "of a kind without a name here",
    }
}

/// Faults of the validator: the end of a fixture's name, and a part of the message.
///
/// SPIRV-Tools holds PrimitiveId, Layer and ViewportIndex in any module with the capability
/// MeshShadingEXT to the rules for mesh shaders. The rules are those of the execution model MeshEXT
/// (VUID-PrimitiveId-PrimitiveId-10595), and a pixel shader needs the capability for attributes of
/// primitives.
const KNOWN_FAULTS: &[(&str, &str)] = &[("mesh/primitive_both.hlsl", "BuiltIn PrimitiveId variable needs to be")];

/// The number of modules by outcome.
#[derive(Default)]
struct Tally {
    valid: usize,
    /// Modules that the validator refuses because of a fault of its own.
    known: usize,
    refused: BTreeMap<&'static str, usize>,
    faults: Vec<String>,
}

impl Tally {
    /// Counts the modules of one translation. `may` lists the kinds of errors with which it may be
    /// refused.
    fn take(&mut self, name: &str, profile: &DeviceProfile, result: Result<Vec<Vec<u32>>, Error>, may: &[&str]) {
        let known = KNOWN_FAULTS.iter().find(|(fixture, _)| name.ends_with(fixture)).map(|(_, message)| *message);
        match result {
            Ok(modules) => {
                for words in modules {
                    match validate(&words, profile) {
                        Ok(_) => match defined::broken(&words) {
                            None => self.valid += 1,
                            Some(rule) => self.faults.push(format!("{name}: {rule}")),
                        },
                        Err(message) if known.is_some_and(|known| message.contains(known)) => self.known += 1,
                        Err(message) => self.faults.push(format!("{name}: {message}")),
                    }
                }
            }
            Err(error) => {
                // A stage or operation that subgroups do not support is reported as unsupported,
                // but is a missing feature of the device.
                let subgroups = error.message().contains("VkPhysicalDeviceSubgroupProperties");
                let kind = if subgroups { "MissingFeature" } else { kind_name(error.kind()) };
                if may.contains(&kind) {
                    *self.refused.entry(kind).or_default() += 1;
                    println!("    {name}: {error}");
                } else {
                    self.faults.push(format!("{name}: {error}"));
                }
            }
        }
    }

    fn finish(self, what: &str) {
        let Self { valid, known, refused, .. } = &self;
        println!("{what}: {valid} modules valid, refused {refused:?}, {known} skipped for faults of the validator");
        assert!(self.valid > 0, "{what}: no container was translated");
        assert!(self.faults.is_empty(), "{what}: {} faults\n{}", self.faults.len(), self.faults.join("\n"));
    }
}

#[test]
fn fixtures() {
    let folders = ["fixtures", "content", "demo/shaders"].map(|folder| tests_folder().join(folder));
    for name in PROFILES {
        let profile = named(name);
        let mut tally = Tally::default();
        for source in folders.iter().flat_map(|folder| files(folder, "hlsl")) {
            let text = fs::read_to_string(&source).unwrap();
            if is_fixture(&text) {
                let fixture = parse::parse(&source.display().to_string(), &source, &text).unwrap();
                let result = translate_fixture(&fixture, &profile);
                // A device may also have fewer descriptor sets than the fixture's layout.
                let sets = layout(&fixture).sets.len() as u32;
                let fits = sets <= profile.limits.max_bound_descriptor_sets;
                // And groups of fewer threads or less shared memory than the shader's.
                let is_limit = |error: &Error| error.to_string().contains("; the device's limit maxCompute");
                let is_large = result.as_ref().is_err_and(is_limit);
                let may: &[&str] = match name {
                    "everything" => &[],
                    _ if is_large => &["Unsupported"],
                    _ if fits => &["MissingFeature"],
                    _ => &["MissingFeature", "Binding"],
                };
                let has = fixture.require.iter().any(|name| name == "shader_draw_parameters");
                if !has && result.iter().flatten().any(|words| declares(words, Capability::DrawParameters)) {
                    tally.faults.push(format!("{}: it has no `require shader_draw_parameters`", fixture.name));
                }
                tally.take(&fixture.name, &profile, result, may);
            }
        }
        tally.finish(&format!("fixtures for {name}"));
    }
}

/// Whether a module declares a capability.
pub fn declares(words: &[u32], capability: Capability) -> bool {
    let declared = |(op, operands): (u32, &[u32])| op == Op::Capability as u32 && operands == [capability as u32];
    instructions(words).any(declared)
}

/// A built-in profile without SPV_EXT_shader_invocation_reorder and SPV_EXT_long_vector, which the
/// validator does not know. What these have is held by contract tests and by a newer validator
/// ([`crate::newer`]). Hit objects of the NV form and vectors of SPIR-V's core are validated.
fn named(name: &str) -> DeviceProfile {
    let mut profile = DeviceProfile::named(name).unwrap();
    for newer in [Feature::RayTracingInvocationReorderExt, Feature::LongVector] {
        profile.features.set(newer, false);
    }
    profile
}

/// Translates and validates all containers of some folders for each profile. `may` lists the kinds
/// of errors with which a container may be refused.
fn containers(what: &str, folders: &[PathBuf], may: &[&str]) {
    for name in PROFILES {
        let profile = named(name);
        let mut tally = Tally::default();
        for path in folders.iter().flat_map(|folder| files(folder, "dxil")) {
            let result = translate_container(&fs::read(&path).unwrap(), &profile);
            tally.take(&path.display().to_string(), &profile, result, may);
        }
        tally.finish(&format!("{what} for {name}"));
    }
}

#[test]
fn other_containers() {
    let folders = ["fixtures/newer-dxc", "fixtures/resource-types", "fixtures/libraries", "corpus"];
    let folders = folders.map(|folder| tests_folder().join(folder));
    // Stages and operations that the translator does not support yet are refused as unsupported.
    // A register space beyond the device's number of descriptor sets is a binding error.
    containers("other containers", &folders, &["MissingFeature", "Unsupported", "Binding"]);
}

/// The committed control-flow programs, and the containers of a folder that the environment
/// variable `CONTAINERS` names, such as one of fresh programs.
#[test]
fn control_flow_programs() {
    let named = std::env::var_os("CONTAINERS").map(PathBuf::from);
    assert!(named.as_ref().is_none_or(|folder| folder.is_dir()), "CONTAINERS names {named:?}, which is not a folder");
    let folders: Vec<_> = [tests_folder().join("control-flow")].into_iter().chain(named).collect();
    containers("control-flow programs", &folders, &["MissingFeature"]);
}

/// Debug information by the rules of the validator: of the fixtures, or of the containers in the
/// folder that the environment variable `DEBUG_CONTENT` names (scripts/debug-content.py).
#[test]
fn debug_information() {
    let named = std::env::var_os("DEBUG_CONTENT").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| tests_folder().join("fixtures/debug"));
    let profile = DeviceProfile::named("everything").unwrap();
    let inputs = PlanInputs::new(&profile).with_options(BindingOptions::new(Model::Register, SHIFTS));
    let mut count = 0;
    for path in files(&folder, "dxil") {
        let shader = Shader::parse(&fs::read(&path).unwrap()).unwrap();
        let Ok(_) = shader.debug_program() else { continue };
        let (entry, _) = shader.entries().next().unwrap();
        let plan = plan(&[PipelineStage::new(&shader, entry)], &inputs).unwrap();
        let mut options = Options::new(profile.clone());
        // Positions at the centroid depend on it.
        options.pipeline.samples = 4;
        for debug in [Debug::Lines, Debug::Full] {
            options.debug = debug;
            let words = translate(&shader, entry, &plan.stages[0], &options).unwrap().words;
            validate(&words, &profile).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        count += 1;
    }
    println!("debug information of {count} shaders is valid");
    assert!(count > 20);
}

/// A multisampled input attachment, which no fixture has.
#[test]
fn multisampled_input_attachment() {
    let bytes = fs::read(tests_folder().join("../translator/tests/shaders/own_sample.dxil")).unwrap();
    let shader = Shader::parse(&bytes).unwrap();
    let entry = shader.find_entry(None).unwrap();
    let profile = DeviceProfile::named("vulkan-1.3-desktop").unwrap();
    let inputs = PlanInputs::new(&profile).with_options(BindingOptions::new(Model::Register, SHIFTS));
    let default = plan(&[PipelineStage::new(&shader, entry)], &inputs).unwrap().stages[0].to_string();
    let text = default.replace("sampled_image", "input_attachment");
    assert_ne!(text, default);
    let plan = BindingPlan::parse(&text, &shader.program().resources).unwrap();
    let words = translate(&shader, entry, &plan, &Options::new(profile.clone())).unwrap().words;
    validate(&words, &profile).unwrap();
}

/// The view of a mesh shader as a builtin, which no driver of the tests has.
#[test]
fn view_of_a_mesh_shader() {
    let bytes = fs::read(tests_folder().join("fixtures/mesh/view.ms.dxil")).unwrap();
    let mut profile = DeviceProfile::named("lavapipe").unwrap();
    profile.features.set(Feature::MultiviewMeshShader, true);
    for words in translate_container(&bytes, &profile).unwrap() {
        // OpCapability MultiView.
        assert!(words.windows(2).any(|pair| pair == [0x2_0011, 4439]));
        validate(&words, &profile).unwrap();
    }
}
