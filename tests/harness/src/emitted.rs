//! Translates the repository's containers as their users do.
//!
//! Fixtures are translated as the layer does it: all stages together, with the pipeline layout that
//! the harness creates for the fixture's resources. Other containers are translated stage by stage
//! with the default plan.

use std::fs;
use std::path::{Path, PathBuf};

use crate::spec::{BindingModel, Fixture, Kind, Pass, Resource};
use dxil_translator::{
    BindingMap, BindingOptions, BindingPlan, Debug, DescriptorType, DeviceProfile, EntryId, Error, LayoutBinding,
    Model, Options, PipelineLayout, PipelineStage, PlanInputs, PlannedEntry, PushRange, RawVectors, RegisterShifts,
    RootSignature, Shader, ShaderStage, plan, translate, translate_library,
};

/// The folder `tests`.
#[must_use]
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files below a folder with this extension, sorted by path.
#[must_use]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
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

/// The pipeline layout that the harness creates for a fixture's resources.
#[must_use]
pub fn layout(fixture: &Fixture) -> PipelineLayout {
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
            let own = DescriptorType::from_vulkan(resource.descriptor.as_raw());
            let ty = mutable.map_or(own, |_| DescriptorType::Mutable);
            let count = heap.map_or(resource.descriptor_count(), |heap| heap.size);
            let stages = fixture.set_flags(resource.place.set).as_raw();
            let mut binding = LayoutBinding::new(resource.place.binding, ty, count, stages);
            binding.immutable_samplers = immutable_samplers;
            if mutable.is_some() {
                let types = fixture.heap_types().map(|ty| DescriptorType::from_vulkan(ty.as_raw()));
                binding.mutable_types = types.collect();
            }
            bindings.push(binding);
            bindings.sort_by_key(|binding| binding.binding);
        }
    }
    layout.push_ranges = fixture.push.iter().map(|&(size, _)| PushRange::new(stages, 0, size)).collect();
    layout
}

/// The register shifts of the fixtures, with which registers of one space do not clash.
pub const SHIFTS: RegisterShifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };

/// The binding options that a fixture's directives are in the layer's settings.
fn binding_options(fixture: &Fixture) -> BindingOptions {
    let mut options = match fixture.bindings {
        BindingModel::Register => BindingOptions::new(Model::Register, SHIFTS),
        BindingModel::Shifted => {
            BindingOptions::new(Model::Register, RegisterShifts { c: 0, ..RegisterShifts::default() })
        }
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
            // Options of the code.
            "raw_vectors" | "debug" => {}
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
///
/// # Errors
/// Those of the translator.
///
/// # Panics
/// If a file of the fixture cannot be read, or has a setting that is not known here.
pub fn translate_fixture(fixture: &Fixture, profile: &DeviceProfile) -> Result<Vec<Vec<u32>>, Error> {
    let passes = fixture.passes.iter().map(|pass| translate_pass(fixture, pass, profile));
    Ok(passes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// A stage of a pass, planned as the layer plans it, and the options of its translation.
pub struct PlannedStage {
    /// The number of the stage among those of the pass.
    pub number: usize,
    /// The container.
    pub shader: Shader,
    /// The entry point.
    pub entry: EntryId,
    /// The local root signature.
    pub local: Option<RootSignature>,
    /// Where the resources live.
    pub plan: BindingPlan,
    /// The options.
    pub options: Options,
}

/// Plans a pass of a fixture as one pipeline. A stage that is SPIR-V in every run has no plan.
///
/// # Errors
/// Those of the translator.
///
/// # Panics
/// If a file of the fixture cannot be read, or has a setting that is not known here.
pub fn plan_pass(fixture: &Fixture, pass: &Pass, profile: &DeviceProfile) -> Result<Vec<PlannedStage>, Error> {
    let read = |stage| fs::read(fixture.code_path(pass, stage, "dxil")).unwrap();
    let ours: Vec<_> = pass.stages.iter().enumerate().filter(|(_, stage)| !stage.spirv).collect();
    let shaders = ours.iter().map(|(_, stage)| Shader::parse(&read(stage))).collect::<Result<Vec<_>, _>>()?;
    // As in the layer, the file is for ray-tracing shaders with which their library associates
    // none.
    let local = root_signature(fixture, "local_root_signature");
    let with_local = |stage: PipelineStage<'_>| {
        let is_rays = stage.shader.entry(stage.entry).is_some_and(|entry| entry.stage.is_rays());
        is_rays && local.is_some() && stage.local_root_signature.is_none()
    };
    let (mut stages, mut numbers) = (Vec::new(), Vec::new());
    for (shader, (number, stage)) in shaders.iter().zip(&ours) {
        for entry in &stage.entries {
            let stage = PipelineStage::new(shader, shader.find_entry(Some(entry))?);
            stages.push(if with_local(stage) { stage.with_local_root_signature(local.as_ref()) } else { stage });
            numbers.push(*number);
        }
    }
    let layout = layout(fixture);
    let root_signature = root_signature(fixture, "root_signature");
    let inputs = PlanInputs::new(profile).with_options(binding_options(fixture)).with_layout(Some(&layout));
    let inputs = inputs.with_root_signature(root_signature.as_ref());
    let map = match fixture.bindings {
        BindingModel::Map => Some(BindingMap::parse(&fs::read_to_string(fixture.map_path()).unwrap())?),
        BindingModel::Register | BindingModel::Shifted | BindingModel::RootSignature => None,
    };
    let plan = plan(&stages, &inputs.with_map(map.as_ref()))?;
    let mut options = Options::new(profile.clone());
    options.pipeline.samples = pass.samples;
    options.pipeline.wide_interface =
        stages.iter().any(|stage| stage.shader.entry(stage.entry).is_some_and(|entry| entry.evaluates_16_bit_inputs()));
    if fixture.settings.iter().any(|(name, value)| name == "raw_vectors" && value == "exact") {
        options.raw_vectors = RawVectors::Exact;
    }
    let debug = fixture.settings.iter().find(|(name, _)| name == "debug");
    options.debug = debug.map_or(Debug::None, |(_, value)| Debug::ALL.into_iter().find(|d| d.name() == value).unwrap());
    options.pipeline.patch_location = stages.iter().find_map(|stage| stage.shader.patch_location(stage.entry));
    let mesh_outputs = stages.iter().find_map(|stage| stage.shader.mesh_outputs(stage.entry));
    let planned = stages.iter().zip(plan.stages).zip(numbers).map(|((stage, plan), number)| {
        let mut options = options.clone();
        let pixel = stage.shader.entry(stage.entry).is_some_and(|entry| entry.stage == ShaderStage::Pixel);
        options.pipeline.mesh_outputs = mesh_outputs.clone().filter(|_| pixel);
        let (shader, local) = (stage.shader.clone(), stage.local_root_signature.cloned());
        PlannedStage { number, shader, entry: stage.entry, local, plan, options }
    });
    Ok(planned.collect())
}

fn translate_pass(fixture: &Fixture, pass: &Pass, profile: &DeviceProfile) -> Result<Vec<Vec<u32>>, Error> {
    let stages = plan_pass(fixture, pass, profile)?;
    let one = |stage: &PlannedStage, options: &Options| {
        Ok(translate(&stage.shader, stage.entry, &stage.plan, options)?.words)
    };
    let mut words: Vec<_> = stages.iter().map(|stage| one(stage, &stage.options)).collect::<Result<_, Error>>()?;
    // Domain shaders also as for shader objects, where they say how patches are divided.
    let division = stages.iter().find_map(|stage| stage.shader.tessellation(stage.entry));
    for stage in &stages {
        if stage.shader.entry(stage.entry).is_some_and(|entry| entry.stage == ShaderStage::Domain) {
            let mut options = stage.options.clone();
            options.pipeline.tessellation = division;
            words.push(one(stage, &options)?);
        }
    }
    // The entry points of one library also as one module.
    for of_one in stages.chunk_by(|one, other| one.number == other.number).filter(|of_one| of_one.len() > 1) {
        let entries: Vec<_> = of_one.iter().map(|stage| PlannedEntry::new(stage.entry, &stage.plan)).collect();
        words.push(translate_library(&of_one[0].shader, &entries, &of_one[0].options)?.words);
    }
    Ok(words)
}

/// Translates every entry of a container, each by itself, and the entries of a library also
/// together.
///
/// # Errors
/// Those of the translator.
///
/// # Panics
/// If a plan of one stage has no stage.
pub fn translate_container(bytes: &[u8], profile: &DeviceProfile) -> Result<Vec<Vec<u32>>, Error> {
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
        let entries: Vec<_> = plans.iter().map(|(entry, plan)| PlannedEntry::new(*entry, plan)).collect();
        words.push(translate_library(&shader, &entries, &options)?.words);
    }
    Ok(words)
}
