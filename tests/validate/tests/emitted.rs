//! Translates every container of the repository for several devices. Every emitted module must pass
//! a current SPIR-V validator.
//!
//! Fixtures are translated as the layer does it: all stages together, with the pipeline layout that
//! the harness creates for the fixture's resources. Other containers are translated stage by stage
//! with the default plan. Refusals are printed and counted by kind. A fixture may be refused only
//! for a feature that the profile leaves out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dxil_tests::spec::{BindingModel, Fixture, Kind, Pass, Resource, parse};
use dxil_translator::{
    BindingMap, BindingOptions, BindingPlan, DescriptorType, DeviceProfile, Error, ErrorKind, Feature, LayoutBinding,
    Model, Options, PipelineLayout, PipelineStage, PlanInputs, PushRange, RawVectors, RegisterShifts, RootSignature,
    Shader, ShaderStage, plan, translate, translate_library,
};
use dxil_validate::validate;

/// The named profiles, by Vulkan version.
const PROFILES: [&str; 5] = ["vulkan-1.0-desktop", "vulkan-1.1-floor", "vulkan-1.3-desktop", "lavapipe", "everything"];

fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files below a folder with this extension, sorted by path.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

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
                        Ok(()) => self.valid += 1,
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

/// The pipeline layout that the harness creates for a fixture's resources.
fn layout(fixture: &Fixture) -> PipelineLayout {
    let stages = fixture.stage_flags().as_raw();
    let described = |register| !fixture.resources.iter().any(|other| other.with == Some(register));
    let mut layout = PipelineLayout::default();
    layout.sets.resize(fixture.sets as usize, Some(Vec::new()));
    let placed = |resource: &&Resource| described(resource.register) && resource.described;
    for resource in fixture.resources.iter().filter(placed) {
        let set = resource.place.set as usize;
        if layout.sets.len() <= set {
            layout.sets.resize(set + 1, Some(Vec::new()));
        }
        let sampler = resource.with.unwrap_or(resource.register);
        let immutable_samplers = fixture
            .resources
            .iter()
            .any(|other| other.register == sampler && matches!(other.kind, Kind::Sampler(state) if state.fixed));
        let heap = fixture.heaps.filter(|_| resource.heap.is_some());
        let mutable = heap.filter(|heap| heap.is_mutable(resource.place));
        if let Some(Some(bindings)) = layout.sets.get_mut(set) {
            // A heap is one binding of all its resources.
            if heap.is_some() && !bindings.is_empty() {
                continue;
            }
            bindings.push(LayoutBinding {
                binding: resource.place.binding,
                ty: mutable.map_or(resource.descriptor.as_raw(), |_| DescriptorType::Mutable as i32),
                count: heap.map_or(resource.descriptor_count(), |heap| heap.size),
                stages: fixture.set_flags(resource.place.set).as_raw(),
                immutable_samplers,
                mutable_types: mutable.map_or(Vec::new(), |_| fixture.heap_types().map(|ty| ty.as_raw()).collect()),
            });
            bindings.sort_by_key(|binding| binding.binding);
        }
    }
    layout.push_ranges = fixture.push.iter().map(|&(size, _)| PushRange { stages, offset: 0, size }).collect();
    layout
}

/// The register shifts of the fixtures, with which registers of one space do not clash.
const SHIFTS: RegisterShifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };

/// The binding options that a fixture's directives are in the layer's settings.
fn binding_options(fixture: &Fixture) -> BindingOptions {
    let mut options = match fixture.bindings {
        BindingModel::Register => BindingOptions::new(Model::Register, SHIFTS),
        BindingModel::RootSignature => BindingOptions::new(Model::RootSignature, RegisterShifts::default()),
        BindingModel::Map => BindingOptions::new(Model::Map, RegisterShifts::default()),
    };
    for (name, value) in &fixture.settings {
        match name.as_str() {
            "resource_heap_set" => options.heap_sets.resources = Some(value.parse().unwrap()),
            "sampler_heap_set" => options.heap_sets.samplers = Some(value.parse().unwrap()),
            "heap_counter_set" => options.heap_sets.counters = Some(value.parse().unwrap()),
            "heap_counters" => options.heap_counters = value.parse().unwrap(),
            "root_tables" => options.root_tables = value.parse().unwrap(),
            "root_descriptors" => options.root_descriptors = value.parse().unwrap(),
            // `root_signature` below.
            "root_signature" | "local_root_signature" => {}
            // An option of the code.
            "raw_vectors" => {}
            other => panic!("{}: the setting {other} is not known here", fixture.name),
        }
    }
    options
}

/// The root signature that a setting of the fixture's directives names.
fn root_signature(fixture: &Fixture, setting: &str) -> Option<RootSignature> {
    let (_, file) = fixture.settings.iter().find(|(name, _)| name == setting)?;
    let bytes = fs::read(fixture.source.with_file_name(file)).unwrap();
    Some(RootSignature::from_bytes(&bytes, None).unwrap())
}

/// Translates every pass of a fixture, each as one pipeline.
fn translate_fixture(fixture: &Fixture, profile: &DeviceProfile) -> Result<Vec<Vec<u32>>, Error> {
    let passes = fixture.passes.iter().map(|pass| translate_pass(fixture, pass, profile));
    Ok(passes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn translate_pass(fixture: &Fixture, pass: &Pass, profile: &DeviceProfile) -> Result<Vec<Vec<u32>>, Error> {
    let read = |stage| fs::read(fixture.code_path(pass, stage, "dxil")).unwrap();
    // A stage that is SPIR-V in every run has nothing to translate.
    let ours: Vec<_> = pass.stages.iter().filter(|stage| !stage.spirv).collect();
    let shaders = ours.iter().map(|stage| Shader::parse(&read(stage))).collect::<Result<Vec<_>, _>>()?;
    // As in the layer, the file is for ray-tracing shaders with which their library associates none.
    let local = root_signature(fixture, "local_root_signature");
    let with_local = |stage: PipelineStage<'_>| {
        let is_rays = stage.shader.entry(stage.entry).is_some_and(|entry| entry.stage.is_rays());
        is_rays && local.is_some() && stage.local_root_signature.is_none()
    };
    let stages = shaders.iter().zip(&ours).map(|(shader, stage)| {
        let entries = stage.entries.iter().map(|entry| shader.find_entry(Some(entry)));
        let stages = entries.map(|entry| {
            let stage = PipelineStage::new(shader, entry?);
            Ok(if with_local(stage) { stage.with_local_root_signature(local.as_ref()) } else { stage })
        });
        stages.collect::<Result<Vec<_>, Error>>()
    });
    let stages: Vec<_> = stages.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten().collect();
    let layout = layout(fixture);
    let root_signature = root_signature(fixture, "root_signature");
    let inputs = PlanInputs::new(profile).with_options(binding_options(fixture)).with_layout(Some(&layout));
    let inputs = inputs.with_root_signature(root_signature.as_ref());
    let map = match fixture.bindings {
        BindingModel::Map => Some(BindingMap::parse(&fs::read_to_string(fixture.map_path()).unwrap())?),
        BindingModel::Register | BindingModel::RootSignature => None,
    };
    let plan = plan(&stages, &inputs.with_map(map.as_ref()))?;
    let mut options = Options::new(profile.clone());
    options.facts.samples = pass.samples;
    options.facts.wide_interface =
        stages.iter().any(|stage| stage.shader.entry(stage.entry).is_some_and(|entry| entry.evaluates_16_bit_inputs()));
    if fixture.settings.iter().any(|(name, value)| name == "raw_vectors" && value == "exact") {
        options.raw_vectors = RawVectors::Exact;
    }
    let mesh_outputs = stages.iter().find_map(|stage| stage.shader.mesh_outputs(stage.entry));
    let translate = |(stage, plan): (&PipelineStage<'_>, _), division| {
        let mut options = options.clone();
        let pixel = stage.shader.entry(stage.entry).is_some_and(|entry| entry.stage == ShaderStage::Pixel);
        options.facts.mesh_outputs = mesh_outputs.clone().filter(|_| pixel);
        options.facts.tessellation = division;
        translate(stage.shader, stage.entry, plan, &options)
    };
    let mut words: Vec<_> =
        stages.iter().zip(&plan.stages).map(|stage| Ok(translate(stage, None)?.words)).collect::<Result<_, Error>>()?;
    // Domain shaders also as for shader objects, where they say how patches are divided.
    let division = stages.iter().find_map(|stage| stage.shader.tessellation(stage.entry));
    for (stage, plan) in stages.iter().zip(&plan.stages) {
        if stage.shader.entry(stage.entry).is_some_and(|entry| entry.stage == ShaderStage::Domain) {
            words.push(translate((stage, plan), division)?.words);
        }
    }
    // The entry points of one library also as one module.
    for shader in &shaders {
        let of = |(stage, _): &(&PipelineStage<'_>, _)| std::ptr::eq(stage.shader, shader);
        let entries: Vec<_> =
            stages.iter().zip(&plan.stages).filter(of).map(|(stage, plan)| (stage.entry, plan)).collect();
        if entries.len() > 1 {
            words.push(translate_library(shader, &entries, &options)?.words);
        }
    }
    Ok(words)
}

/// Translates every entry of a container, each by itself, and the entries of a library also together.
fn translate_container(bytes: &[u8], profile: &DeviceProfile) -> Result<Vec<Vec<u32>>, Error> {
    let shader = Shader::parse(bytes)?;
    let options = Options::new(profile.clone());
    let inputs = PlanInputs::new(profile).with_options(BindingOptions::new(Model::Auto, SHIFTS));
    let one = |(entry, _)| {
        let plan = plan(&[PipelineStage::new(&shader, entry)], &inputs)?;
        let plan = plan.stages.into_iter().next().unwrap();
        Ok((translate(&shader, entry, &plan, &options)?.words, (entry, plan)))
    };
    let (mut words, plans): (Vec<_>, Vec<_>) =
        shader.entries().map(one).collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
    if plans.len() > 1 {
        let entries: Vec<_> = plans.iter().map(|(entry, plan)| (*entry, plan)).collect();
        words.push(translate_library(&shader, &entries, &options)?.words);
    }
    Ok(words)
}

#[test]
fn fixtures() {
    let folders = ["fixtures", "content", "demo/shaders"].map(|folder| tests_folder().join(folder));
    for name in PROFILES {
        let profile = DeviceProfile::named(name).unwrap();
        let mut tally = Tally::default();
        for source in folders.iter().flat_map(|folder| files(folder, "hlsl")) {
            let text = fs::read_to_string(&source).unwrap();
            if text.lines().any(|line| line.starts_with("//! stage ")) {
                let fixture = parse::parse(&source.display().to_string(), &source, &text).unwrap();
                let result = translate_fixture(&fixture, &profile);
                // A device may also have fewer descriptor sets than the fixture's layout.
                let sets = layout(&fixture).sets.len() as u32;
                let fits = sets <= profile.limits.max_bound_descriptor_sets;
                let may: &[&str] = match name {
                    "everything" => &[],
                    _ if fits => &["MissingFeature"],
                    _ => &["MissingFeature", "Binding"],
                };
                tally.take(&fixture.name, &profile, result, may);
            }
        }
        tally.finish(&format!("fixtures for {name}"));
    }
}

/// Translates and validates all containers of some folders for each profile. `may` lists the kinds
/// of errors with which a container may be refused.
fn containers(what: &str, folders: &[PathBuf], may: &[&str]) {
    for name in PROFILES {
        let profile = DeviceProfile::named(name).unwrap();
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
