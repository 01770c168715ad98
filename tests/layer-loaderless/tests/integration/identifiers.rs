//! Module identifiers of DXIL (VK_EXT_shader_module_identifier): they depend on the container
//! alone, and a pipeline with an identifier is the pipeline with the module.

use std::ffi::c_void;
use std::ptr;

use ash::vk;
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, ShaderCode, StageSeen, Unknown, binding, chained_stage, compute_pipeline,
    fixture, next,
};
use dxil_translator::{EmbedOptions, embed};

const COMPILE_REQUIRED: vk::Result = vk::Result::PIPELINE_COMPILE_REQUIRED;
const FAIL: vk::PipelineCreateFlags = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;

/// The modules of the fake have handles by their words, so that equal modules are seen.
fn app() -> App {
    let settings = InstanceRequest::new([(c"register_shifts", c"t=100,u=200,s=300")]).with_messages();
    App::with_request(Config { equal_handles: true, ..Config::default() }, &settings)
}

/// A container that only the test with this number uses, because all tests share a cache. Nothing
/// compares the digest in its header.
fn blob(test: u8) -> Vec<u8> {
    let mut blob = fixture("buffer/raw_read_write.dxil");
    blob[4..8].fill(test);
    blob
}

/// The identifier of code.
fn of_code(app: &App, code: &[u8]) -> Vec<u8> {
    let code = ShaderCode::new(code);
    let mut out = vk::ShaderModuleIdentifierEXT { identifier_size: 99, ..Default::default() };
    // SAFETY: the command's own type; valid arguments.
    unsafe {
        let identify: vk::PFN_vkGetShaderModuleCreateInfoIdentifierEXT =
            app.typed(c"vkGetShaderModuleCreateInfoIdentifierEXT");
        identify(app.device, &code.info(), &mut out);
    }
    out.identifier[..out.identifier_size as usize].to_vec()
}

/// The identifier of a module.
fn of_module(app: &App, module: vk::ShaderModule) -> Vec<u8> {
    let mut out = vk::ShaderModuleIdentifierEXT::default();
    // SAFETY: the command's own type; valid arguments.
    unsafe {
        let identify: vk::PFN_vkGetShaderModuleIdentifierEXT = app.typed(c"vkGetShaderModuleIdentifierEXT");
        identify(app.device, module, &mut out);
    }
    out.identifier[..out.identifier_size as usize].to_vec()
}

fn layout(app: &App) -> vk::PipelineLayout {
    let layout = app.layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)]);
    app.events();
    layout
}

/// The stages that reached the fake in its one call with pipelines.
fn stages(events: &[Event]) -> Vec<StageSeen> {
    let mut all = events.iter().filter_map(|event| match event {
        Event::Pipelines { pipelines, .. } => Some(pipelines[0].stages.clone()),
        Event::PipelineKey { stages, .. } => Some(stages.clone()),
        _ => None,
    });
    all.next_back().unwrap_or_default()
}

/// `vkGetPipelineKeyKHR`, and the stages that the driver makes the key of.
fn key(app: &App, info: &vk::ComputePipelineCreateInfo<'_>) -> (vk::Result, Vec<StageSeen>) {
    type Key = unsafe extern "system" fn(vk::Device, *const c_void, *mut c_void) -> vk::Result;
    let nested: [*const c_void; 2] = [ptr::without_provenance(1_000_483_007), next(info)];
    // SAFETY: the command's own type; valid arguments.
    let result = unsafe {
        let key: Key = app.typed(c"vkGetPipelineKeyKHR");
        key(app.device, nested.as_ptr().cast(), ptr::null_mut())
    };
    (result, stages(&app.events()))
}

/// `vkCreatePipelineBinariesKHR` of a pipeline create info.
fn binaries(app: &App, info: &vk::ComputePipelineCreateInfo<'_>) -> vk::Result {
    type Create = unsafe extern "system" fn(vk::Device, *const c_void, *const c_void, *mut c_void) -> vk::Result;
    let nested: [*const c_void; 2] = [ptr::without_provenance(1_000_483_007), next(info)];
    // VkPipelineBinaryCreateInfoKHR and VkPipelineBinaryHandlesInfoKHR.
    let info: [usize; 5] = [1_000_483_001, 0, 0, 0, nested.as_ptr() as usize];
    let mut out = [0usize; 4];
    // SAFETY: the command's own type; valid arguments.
    unsafe {
        let create: Create = app.typed(c"vkCreatePipelineBinariesKHR");
        create(app.device, info.as_ptr().cast(), ptr::null(), out.as_mut_ptr().cast())
    }
}

/// What a driver makes a key of, without addresses.
fn without_addresses(stages: Vec<StageSeen>) -> Vec<(u32, u64, std::ffi::CString, u32)> {
    stages.into_iter().map(|stage| (stage.stage, stage.module, stage.name, stage.flags)).collect()
}

#[test]
fn an_identifier_depends_on_the_container_alone() {
    let (app, container) = (app(), blob(101));
    let code = of_code(&app, &container);
    assert_eq!((code.len(), app.events()), (32, Vec::new()), "nothing is translated for it");
    let embedded: Vec<u8> =
        embed(&container, &EmbedOptions::default()).unwrap().iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(of_code(&app, &embedded), code);
    assert_ne!(of_code(&app, &blob(102)), code);
    let module = app.module(&container);
    assert_eq!(of_module(&app, module), code);
    // Another device binds other registers, and a placeholder has the identifier, too.
    let other = App::with_settings([]);
    let placeholder = other.module(&container);
    assert_eq!((of_code(&other, &container), of_module(&other, placeholder)), (code.clone(), code));
}

#[test]
fn a_pipeline_with_an_identifier_is_the_one_with_the_module() {
    let (app, container) = (app(), blob(103));
    let layout = layout(&app);
    let identifier = of_code(&app, &container);
    let mut info = vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::default().identifier(&identifier);
    let feedback = Unknown::before(ptr::null());
    info.p_next = feedback.as_next();
    let stage = chained_stage(vk::ShaderStageFlags::COMPUTE, next(&info), c"main");
    let by_identifier = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout).flags(FAIL);
    // Nobody has given the container yet.
    let (result, pipelines) = app.compute(&[by_identifier]);
    assert!(result == COMPILE_REQUIRED && pipelines[0] == vk::Pipeline::null());
    assert!(key(&app, &by_identifier).0 == vk::Result::ERROR_UNKNOWN);
    assert!(app.message().contains("no DXIL of a shader module identifier"));
    // VK_PIPELINE_BINARY_MISSING_KHR.
    assert_eq!(binaries(&app, &by_identifier).as_raw(), 1_000_483_000);
    assert!(app.message().contains("no DXIL of a shader module identifier"));
    assert_eq!(app.events(), []);

    let module = app.module(&container);
    let by_module = compute_pipeline(module).layout(layout);
    let with_module = key(&app, &by_module);
    assert_eq!(with_module.0.as_raw(), 0);
    let (result, seen) = key(&app, &by_identifier);
    assert_eq!((result.as_raw(), seen[0].identifier_size), (0, Some(0)), "it has the module instead");
    assert_eq!(seen[0].chain[1].1, feedback.as_next() as usize, "the rest of the chain is shared");
    assert_eq!(without_addresses(seen), without_addresses(with_module.1));
    assert_eq!(app.compute(&[by_identifier]).0.as_raw(), 0);
    let events = app.events();
    let Some(Event::Pipelines { pipelines, .. }) = events.iter().find(|event| matches!(event, Event::Pipelines { .. }))
    else {
        panic!("{events:?}")
    };
    assert_eq!(pipelines[0].flags, FAIL.as_raw(), "the driver decides whether it has to compile");
    assert_eq!(info.identifier_size, 32, "the application's structure is unchanged");

    // A structure that cannot be copied is in front of the identifier.
    let unknown = Unknown::before(next(&info));
    let stage = chained_stage(vk::ShaderStageFlags::COMPUTE, unknown.as_next(), c"main");
    assert!(app.compute(&[by_identifier.stage(stage)]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    assert!(app.message().contains("chain that structure after the identifier"));
}

/// An identifier of the driver goes down as it is.
#[test]
fn identifiers_of_others_are_the_drivers() {
    let app = app();
    for identifier in [&b"DXIL.id1"[..], &[7; 32], b"x"] {
        let info = vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::default().identifier(identifier);
        let stage = chained_stage(vk::ShaderStageFlags::COMPUTE, next(&info), c"main");
        let pipeline = [vk::ComputePipelineCreateInfo::default().stage(stage)];
        assert_eq!(app.compute(&pipeline).0.as_raw(), 0);
        let events = app.events();
        let [Event::Pipelines { infos, .. }] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(*infos, pipeline.as_ptr() as usize);
    }
}

/// In a new process the layer's cache is empty, and the driver's may be full. So DXIL is
/// translated, and the driver gets the flag.
#[test]
fn who_forbids_compilation_gets_what_the_driver_has_cached() {
    let app = app();
    let code = ShaderCode::new(&blob(104));
    let code = code.info();
    let stage = chained_stage(vk::ShaderStageFlags::COMPUTE, next(&code), c"main");
    let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout(&app)).flags(FAIL);
    let create = |app: &App| {
        let (result, _) = app.compute(&[info]);
        (result, app.events())
    };
    let (result, events) = create(&app);
    let [Event::Pipelines { pipelines, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((result.as_raw(), pipelines[0].flags), (0, FAIL.as_raw()));
    assert!(pipelines[0].stages[0].chained_words.is_some());
    // The driver's own answer.
    let config = Config { compute_result: Some(COMPILE_REQUIRED), ..Config::default() };
    let settings = InstanceRequest::new([(c"register_shifts", c"t=100,u=200,s=300")]).with_messages();
    let other = App::with_request(config, &settings);
    let info = vk::ComputePipelineCreateInfo { layout: layout(&other), ..info };
    assert!(other.compute(&[info]).0 == COMPILE_REQUIRED);
    assert_eq!(other.fake_instance().messages(), [], "nothing failed");
}
