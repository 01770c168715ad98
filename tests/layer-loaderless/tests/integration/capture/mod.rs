//! The setting `capture_dir`: every member of a create info is found in the record, and what the
//! record cannot have is named.
//!
//! Each create info has another value in each of its members, and the expected records are written
//! in full, so that a member that is forgotten or taken for another one is seen.

mod graphics;
mod rays;

use std::ffi::c_void;
use std::ptr;

use ash::vk;
use ash::vk::{ShaderStageFlags as S, TaggedStructure};
use dxil_capture::digest::Bytes;
use dxil_capture::model::{
    Application, Binding, Chain, Code, Command, Constant, Pipeline, PipelineLayout, PushRange, Record, Sampler,
    SetLayout, Stage, Structure, YcbcrConversion,
};
use dxil_capture::{Capture, Digest};
use dxil_layer_loaderless::{
    App, COMMANDS, Config, InstanceRequest, SPIRV, ShaderCode, TempFolder, Unknown, below, binding, chained_stage,
    compute_pipeline, fixture, handle, next, stage,
};
use dxil_translator::Shader;

/// A compute shader that needs no pipeline layout.
const SHADER: &str = "arithmetic/float_basic.dxil";

fn app(folder: &TempFolder) -> App {
    let settings = vec![folder.setting(c"capture_dir"), (c"register_shifts", c"t=100,u=200,s=300")];
    App::with_settings(settings)
}

/// The records of a folder.
fn records(folder: &TempFolder) -> Vec<(Digest, Record)> {
    let Ok(capture) = Capture::open(&folder.path) else { return Vec::new() };
    capture.records().map(|(name, record)| (name, record.unwrap())).collect()
}

fn only(folder: &TempFolder) -> Record {
    let mut records = records(folder);
    assert_eq!(records.len(), 1, "{records:?}");
    records.remove(0).1
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn structure(s_type: vk::StructureType, words: &[u32]) -> Structure {
    Structure { s_type: s_type.as_raw(), bytes: Bytes(words.iter().flat_map(|word| word.to_le_bytes()).collect()) }
}

/// A compute pipeline of this code.
fn pipeline_of(app: &App, code: &[u8]) -> vk::ComputePipelineCreateInfo<'static> {
    compute_pipeline(app.module(code))
}

const UNKNOWN: i32 = 0x7ead_beef;

/// A chain of an unknown structure.
fn lost() -> Chain {
    Chain { lost: vec![UNKNOWN], ..Chain::default() }
}

/// A chain of one plain structure and an unknown one.
fn mixed(s_type: vk::StructureType, words: &[u32]) -> Chain {
    Chain { structures: vec![structure(s_type, words)], lost: vec![UNKNOWN] }
}

/// The address of an unknown structure.
fn unknown() -> *const c_void {
    Box::leak(Unknown::before(ptr::null())).as_next()
}

/// A sampler in which each member has another value, and which samples by a conversion.
fn create_sampler(app: &App, conversion: vk::SamplerYcbcrConversion) -> vk::Sampler {
    let mut reduction = vk::SamplerReductionModeCreateInfo::default().reduction_mode(vk::SamplerReductionMode::MAX);
    reduction.p_next = unknown();
    let mut with_conversion = vk::SamplerYcbcrConversionInfo::default().conversion(conversion);
    with_conversion.p_next = next(&reduction);
    app.create(&vk::SamplerCreateInfo {
        p_next: next(&with_conversion),
        flags: vk::SamplerCreateFlags::SUBSAMPLED_EXT,
        mag_filter: vk::Filter::LINEAR,
        min_filter: vk::Filter::CUBIC_EXT,
        mipmap_mode: vk::SamplerMipmapMode::LINEAR,
        address_mode_u: vk::SamplerAddressMode::MIRRORED_REPEAT,
        address_mode_v: vk::SamplerAddressMode::CLAMP_TO_EDGE,
        address_mode_w: vk::SamplerAddressMode::CLAMP_TO_BORDER,
        mip_lod_bias: 0.5,
        anisotropy_enable: vk::TRUE,
        max_anisotropy: 4.0,
        compare_enable: vk::TRUE,
        compare_op: vk::CompareOp::GREATER,
        min_lod: 1.5,
        max_lod: vk::LOD_CLAMP_NONE,
        border_color: vk::BorderColor::INT_OPAQUE_WHITE,
        unnormalized_coordinates: vk::TRUE,
        ..Default::default()
    })
}

fn create_conversion(app: &App) -> vk::SamplerYcbcrConversion {
    app.create(&vk::SamplerYcbcrConversionCreateInfo {
        p_next: unknown(),
        format: vk::Format::G8_B8_R8_3PLANE_420_UNORM,
        ycbcr_model: vk::SamplerYcbcrModelConversion::YCBCR_709,
        ycbcr_range: vk::SamplerYcbcrRange::ITU_NARROW,
        components: vk::ComponentMapping {
            r: vk::ComponentSwizzle::R,
            g: vk::ComponentSwizzle::ZERO,
            b: vk::ComponentSwizzle::ONE,
            a: vk::ComponentSwizzle::B,
        },
        x_chroma_offset: vk::ChromaLocation::MIDPOINT,
        y_chroma_offset: vk::ChromaLocation::COSITED_EVEN,
        chroma_filter: vk::Filter::LINEAR,
        force_explicit_reconstruction: vk::TRUE,
        ..Default::default()
    })
}

/// A set layout with these samplers.
fn create_set(app: &App, samplers: &[vk::Sampler; 2]) -> vk::DescriptorSetLayout {
    // The bindings are not in order, and the pointer of the second one is stale.
    let bindings = [
        vk::DescriptorSetLayoutBinding {
            binding: 9,
            descriptor_type: vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
            descriptor_count: 2,
            stage_flags: S::COMPUTE | S::FRAGMENT,
            p_immutable_samplers: samplers.as_ptr(),
            ..Default::default()
        },
        vk::DescriptorSetLayoutBinding {
            binding: 2,
            descriptor_type: vk::DescriptorType::MUTABLE_EXT,
            descriptor_count: 5,
            stage_flags: S::COMPUTE,
            p_immutable_samplers: ptr::without_provenance(8),
            ..Default::default()
        },
    ];
    let types = [vk::DescriptorType::STORAGE_BUFFER, vk::DescriptorType::UNIFORM_BUFFER];
    let lists = [
        vk::MutableDescriptorTypeListEXT::default(),
        vk::MutableDescriptorTypeListEXT::default().descriptor_types(&types),
    ];
    let mut mutable = vk::MutableDescriptorTypeCreateInfoEXT::default().mutable_descriptor_type_lists(&lists);
    mutable.p_next = unknown();
    let flags = [vk::DescriptorBindingFlags::PARTIALLY_BOUND, vk::DescriptorBindingFlags::UPDATE_AFTER_BIND];
    let mut binding_flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
    binding_flags.p_next = next(&mutable);
    app.create(&vk::DescriptorSetLayoutCreateInfo {
        p_next: next(&binding_flags),
        flags: vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL,
        ..vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings)
    })
}

/// A stage with specialization constants, of which the second reaches beyond the data, and with
/// flags and a chain.
fn create_stage(module: vk::ShaderModule) -> vk::PipelineShaderStageCreateInfo<'static> {
    let entries = leak([
        vk::SpecializationMapEntry { constant_id: 3, offset: 2, size: 4 },
        vk::SpecializationMapEntry { constant_id: 4, offset: 4, size: 4 },
    ]);
    let size = leak(vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo {
        p_next: unknown().cast_mut(),
        required_subgroup_size: 32,
        ..Default::default()
    });
    vk::PipelineShaderStageCreateInfo {
        p_next: next(size),
        flags: vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS,
        p_specialization_info: leak(vk::SpecializationInfo::default().map_entries(entries).data(&[1, 2, 3, 4, 5, 6])),
        ..stage(S::COMPUTE, module, c"main")
    }
}

/// What a record has of [`create_set`].
fn expected_set() -> SetLayout {
    let conversion = YcbcrConversion {
        format: 1_000_156_002,
        model: 2,
        range: 1,
        components: [3, 1, 2, 5],
        chroma_offsets: [1, 0],
        chroma_filter: 1,
        force_explicit_reconstruction: true,
        chain: lost(),
    };
    let sampler = Sampler {
        flags: 1,
        mag_filter: 1,
        min_filter: 1_000_015_000,
        mipmap_mode: 1,
        address_modes: [1, 2, 3],
        mip_lod_bias: 0.5.into(),
        max_anisotropy: Some(4.0.into()),
        compare_op: Some(4),
        min_lod: 1.5.into(),
        max_lod: 1000.0.into(),
        border_color: 5,
        unnormalized_coordinates: true,
        conversion: Some(conversion),
        // The mode, and four bytes of padding.
        chain: mixed(vk::SamplerReductionModeCreateInfo::STRUCTURE_TYPE, &[2, 0]),
    };
    SetLayout {
        flags: 2,
        bindings: vec![
            Binding {
                binding: 2,
                ty: 1_000_351_000,
                count: 5,
                stages: 0x20,
                flags: 1,
                samplers: Vec::new(),
                mutable_types: vec![7, 6],
            },
            Binding {
                binding: 9,
                ty: 1,
                count: 2,
                stages: 0x30,
                flags: 4,
                samplers: vec![sampler, Sampler::default()],
                mutable_types: Vec::new(),
            },
        ],
        chain: lost(),
    }
}

/// What a record has of [`create_stage`].
fn expected_stage(code: Code) -> Stage {
    Stage {
        stage: 0x20,
        flags: 2,
        code,
        entry: "main".into(),
        constants: vec![
            Constant { id: 3, value: Bytes(vec![3, 4, 5, 6]) },
            Constant { id: 4, value: Bytes(Vec::new()) },
        ],
        next_stages: None,
        layout: None,
        chain: mixed(vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::STRUCTURE_TYPE, &[32, 0]),
    }
}

#[test]
fn a_compute_pipeline_and_its_layout() {
    let folder = TempFolder::new("capture-compute");
    let app = app(&folder);
    let conversion = create_conversion(&app);
    let sampler = create_sampler(&app, conversion);
    let plain = app.create(&vk::SamplerCreateInfo { max_anisotropy: 7.0, ..Default::default() });
    let set = create_set(&app, &[sampler, plain]);
    let sets = [app.set_layout(&buffers()), vk::DescriptorSetLayout::null(), set];
    let ranges = [vk::PushConstantRange { stage_flags: S::COMPUTE, offset: 16, size: 32 }];
    let layout = app.create(&vk::PipelineLayoutCreateInfo {
        flags: vk::PipelineLayoutCreateFlags::INDEPENDENT_SETS_EXT,
        p_next: unknown(),
        ..vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&ranges)
    });
    // All that the pipeline layout was made of may be destroyed now.
    app.destroy(set);
    app.destroy(sampler);
    app.destroy(conversion);

    let blob = fixture(SHADER);
    let stage = create_stage(app.module(&blob));
    let mut feedback = vk::PipelineCreationFeedback::default();
    let mut feedback = vk::PipelineCreationFeedbackCreateInfo::default().pipeline_creation_feedback(&mut feedback);
    feedback.p_next = unknown();
    let mut flags2 =
        vk::PipelineCreateFlags2CreateInfoKHR::default().flags(vk::PipelineCreateFlags2KHR::from_raw(1 << 40));
    flags2.p_next = next(&feedback);
    let info = vk::ComputePipelineCreateInfo {
        p_next: next(&flags2),
        flags: vk::PipelineCreateFlags::DISABLE_OPTIMIZATION,
        stage,
        layout,
        ..Default::default()
    };
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);

    let buffer = |binding| Binding { binding, ty: 7, count: 1, stages: 0x20, ..Binding::default() };
    let expected = Pipeline {
        command: Command::Compute,
        flags: 1 << 40,
        stages: vec![expected_stage(Code::Dxil(Digest::new(&blob)))],
        layout: Some(PipelineLayout {
            flags: 2,
            sets: vec![
                Some(SetLayout { bindings: [100, 200].map(buffer).into(), ..SetLayout::default() }),
                None,
                Some(expected_set()),
            ],
            push_ranges: vec![PushRange { stages: 0x20, offset: 16, size: 32 }],
            chain: lost(),
        }),
        graphics: None,
        groups: Vec::new(),
        max_recursion: None,
        interface: None,
        dynamic: Vec::new(),
        libraries: Vec::new(),
        chain: lost(),
    };
    let record = only(&folder);
    assert_eq!(record.pipeline, expected);
    let capture = Capture::open(&folder.path).unwrap();
    assert_eq!(capture.dxil(Digest::new(&blob)).unwrap(), blob);
    // The request makes the words again that went down.
    let text = capture.request(record.requests[0].unwrap()).unwrap();
    let request = dxil_translator::Request::parse(&text, &Shader::parse(&blob).unwrap()).unwrap();
    assert_eq!((record.requests.len(), &*request.entry_name), (1, "main"));
}

/// Bindings for the first buffers of both classes.
fn buffers() -> [vk::DescriptorSetLayoutBinding<'static>; 2] {
    [100, 200].map(|number| binding(number, vk::DescriptorType::STORAGE_BUFFER).stage_flags(S::COMPUTE))
}

#[test]
fn what_is_refused_is_captured() {
    let folder = TempFolder::new("capture-refused");
    let app = app(&folder);
    let module = app.module(&fixture(SHADER));
    let bytes = b"DXBC and nothing more";
    let code = ShaderCode::new(bytes);
    let code = code.info();
    for stage in [stage(S::VERTEX, module, c"main"), chained_stage(S::COMPUTE, next(&code), c"main")] {
        let info = vk::ComputePipelineCreateInfo { stage, ..Default::default() };
        assert!(app.compute(&[info]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    }
    let mut records = records(&folder);
    records.sort_by_key(|(_, record)| record.pipeline.stages[0].stage);
    let stage = |(_, record): &'static (Digest, Record)| (record.pipeline.stages[0].stage, &record.requests[..]);
    let records = leak(records);
    assert_eq!(records.iter().map(stage).collect::<Vec<_>>(), [(1, &[None][..]), (0x20, &[None])]);
    assert_eq!(records[1].1.pipeline.stages[0].code, Code::Dxil(Digest::new(bytes)));
    assert_eq!(Capture::open(&folder.path).unwrap().dxil(Digest::new(bytes)).unwrap(), bytes);
}

#[test]
fn a_failing_translation_has_its_request() {
    let folder = TempFolder::new("capture-failed");
    let settings = vec![
        folder.setting(c"capture_dir"),
        (c"profile_cap", c"shaderFloat64"),
        (c"register_shifts", c"t=100,u=200,s=300"),
    ];
    let request = InstanceRequest::new(settings);
    let app = App::with_request(Config::default(), &request);
    let blob = fixture("types/double.dxil");
    let info = pipeline_of(&app, &blob);
    assert!(app.compute(&[info]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    let record = only(&folder);
    let capture = Capture::open(&folder.path).unwrap();
    // The plan does not need the feature, so that there is a request.
    let text = capture.request(record.requests[0].unwrap()).unwrap();
    let shader = Shader::parse(&blob).unwrap();
    let request = dxil_translator::Request::parse(&text, &shader).unwrap();
    let error = request.translate(&shader).err().unwrap();
    assert!(error.to_string().contains("shaderFloat64"), "{error}");
}

#[test]
fn only_pipelines_with_dxil_are_captured() {
    let folder = TempFolder::new("capture-spirv");
    let app = app(&folder);
    let info = pipeline_of(&app, &spirv());
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
    assert!(!folder.path.exists(), "not even the folder is made");
    let info = pipeline_of(&app, &fixture(SHADER));
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
    assert_eq!(records(&folder).len(), 1);
}

fn spirv() -> Vec<u8> {
    SPIRV.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn the_other_stages_of_a_pipeline_are_captured_too() {
    let folder = TempFolder::new("capture-mixed");
    let app = app(&folder);
    let spirv = spirv();
    let other = app.module(&spirv);
    let dxil = app.module(&fixture("stages/dual_source.ps.dxil"));
    let gone = app.module(&spirv);
    app.destroy_module(gone);
    let identifier = [7u8; 8];
    let mut identifier = vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::default().identifier(&identifier);
    let identified = stage(S::GEOMETRY, handle(0), c"main").push_next(&mut identifier);
    let stages = [
        stage(S::VERTEX, other, c"vertices"),
        identified,
        stage(S::TESSELLATION_CONTROL, gone, c"main"),
        stage(S::FRAGMENT, dxil, c"ps_main"),
    ];
    let info = vk::GraphicsPipelineCreateInfo::default().stages(&stages).render_pass(handle(7));
    assert_eq!(app.graphics(&[info]).0.as_raw(), 0);
    let record = only(&folder);
    let codes: Vec<_> = record.pipeline.stages.iter().map(|stage| (&*stage.entry, stage.code)).collect();
    let blob = Digest::new(&fixture("stages/dual_source.ps.dxil"));
    assert_eq!(
        codes,
        [
            ("vertices", Code::Spirv(Digest::new(&spirv))),
            ("main", Code::Missing),
            ("main", Code::Missing),
            ("ps_main", Code::Dxil(blob)),
        ]
    );
    assert!(record.pipeline.stages.iter().all(|stage| stage.chain.is_empty()), "the code says that it is missing");
    assert_eq!(record.requests.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, false, true]);
    assert_eq!(Capture::open(&folder.path).unwrap().spirv(Digest::new(&spirv)).unwrap(), spirv);
}

#[test]
fn embedded_containers_are_captured_as_containers() {
    let folder = TempFolder::new("capture-embedded");
    let app = app(&folder);
    let blob = fixture(SHADER);
    let embedded = dxil_translator::embed(&blob, &Default::default()).unwrap();
    let bytes: Vec<u8> = embedded.iter().flat_map(|word| word.to_le_bytes()).collect();
    let info = pipeline_of(&app, &bytes);
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
    let record = only(&folder);
    assert_eq!(record.pipeline.stages[0].code, Code::Dxil(Digest::new(&blob)));
    assert_eq!(Capture::open(&folder.path).unwrap().dxil(Digest::new(&blob)).unwrap(), blob);
}

#[test]
fn the_device_is_described() {
    let folder = TempFolder::new("capture-device");
    let settings = vec![
        folder.setting(c"capture_dir"),
        (c"invert_y", c"true"),
        (c"stats", c"true"),
        (c"cache_mb", c"64"),
        (c"register_shifts", c"t=100,u=200,s=300"),
    ];
    let request = InstanceRequest {
        api_version: vk::API_VERSION_1_2,
        extensions: vec![c"VK_EXT_debug_utils".to_owned()],
        names: Some([c"game", c"engine"]),
        settings,
        ..Default::default()
    };
    let features = vk::PhysicalDeviceFeatures { shader_int64: vk::TRUE, ..Default::default() };
    let mut memory_model = vk::PhysicalDeviceVulkanMemoryModelFeatures::default().vulkan_memory_model(true);
    let names = [c"VK_KHR_maintenance1".as_ptr()];
    let info = vk::DeviceCreateInfo::default()
        .enabled_features(&features)
        .enabled_extension_names(&names)
        .push_next(&mut memory_model);
    let app = App::with(Config::default(), &request, &info).unwrap();
    assert_eq!(app.compute(&[pipeline_of(&app, &fixture(SHADER))]).0.as_raw(), 0);

    let device = Capture::open(&folder.path).unwrap().device(only(&folder).device.unwrap()).unwrap();
    let mut properties = vk::PhysicalDeviceProperties::default();
    // SAFETY: the command's own type; valid arguments.
    unsafe {
        let get: vk::PFN_vkGetPhysicalDeviceProperties =
            std::mem::transmute(app.instance_command(c"vkGetPhysicalDeviceProperties"));
        get(app.fake_instance().physical_device(), &mut properties);
    }
    assert_eq!(device.name, properties.device_name_as_c_str().unwrap().to_str().unwrap());
    assert_eq!(device.ids, [properties.vendor_id, properties.device_id]);
    assert_eq!(device.driver_version, properties.driver_version);
    assert_eq!(device.api_version, vk::API_VERSION_1_2);
    assert_eq!(device.layer_version, env!("CARGO_PKG_VERSION"));
    let (name, engine) = (Some("game".to_owned()), Some("engine".to_owned()));
    assert_eq!(device.application, Some(Application { name, version: 7, engine, engine_version: 9 }));
    assert_eq!(device.extensions, ["VK_EXT_debug_utils", "VK_KHR_maintenance1"]);
    let settings: Vec<_> = device.settings.iter().map(|(key, value)| (&**key, &**value)).collect();
    assert_eq!(settings, [("invert_y", "true"), ("register_shifts", "t=100,u=200,s=300")]);
    assert!(device.profile.starts_with("api 1.2") || device.profile.contains("1.2"), "{}", device.profile);
    let model = structure(vk::PhysicalDeviceVulkanMemoryModelFeatures::STRUCTURE_TYPE, &[1, 0, 0, 0]);
    let mut core = [0; 56];
    core[std::mem::offset_of!(vk::PhysicalDeviceFeatures, shader_int64) / 4] = 1;
    let core = structure(vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE, &core);
    let expected = [model, core].map(|structure| (structure.s_type, structure.bytes));
    assert_eq!(device.features.into_iter().collect::<std::collections::BTreeMap<_, _>>(), expected.into());
}

/// What only a capture needs.
const CAPTURED: [&str; 7] = [
    "vkCreateSampler",
    "vkDestroySampler",
    "vkCreateSamplerYcbcrConversion",
    "vkCreateSamplerYcbcrConversionKHR",
    "vkDestroySamplerYcbcrConversion",
    "vkDestroySamplerYcbcrConversionKHR",
    "vkDestroyPipeline",
];

#[test]
fn without_the_setting_nothing_more_is_intercepted() {
    let folder = TempFolder::new("capture-parity");
    let (without, with) = (App::new(Config::default()), app(&folder));
    let intercepted = |app: &App, name: &str| {
        let name = std::ffi::CString::new(name).unwrap();
        // SAFETY: a live device of the fake.
        let next = unsafe { below(app.device, &name) };
        let of = |command: vk::PFN_vkVoidFunction| command.map(|command| command as usize);
        let (by_device, by_instance) = (of(app.device_command(&name)), of(app.instance_command(&name)));
        if CAPTURED.contains(&name.to_str().unwrap()) {
            assert_eq!(by_device, by_instance, "{name:?}");
        }
        by_device != of(next)
    };
    let more: Vec<&str> =
        COMMANDS.lines().filter(|name| intercepted(&with, name) && !intercepted(&without, name)).collect();
    let mut expected = CAPTURED.to_vec();
    expected.sort_unstable();
    assert_eq!(more, expected);
    assert!(COMMANDS.lines().all(|name| intercepted(&with, name) || !intercepted(&without, name)));
    // A command that the next layer does not have stays away.
    let missing = Config { missing: |name| name == c"vkCreateSampler", ..Config::default() };
    let settings = vec![folder.setting(c"capture_dir")];
    let app = App::with_request(missing, &InstanceRequest::new(settings));
    assert!(app.device_command(c"vkCreateSampler").is_none() && app.instance_command(c"vkCreateSampler").is_none());
}
