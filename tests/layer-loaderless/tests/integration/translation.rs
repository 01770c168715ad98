//! Tests of translation: what the driver gets instead of DXIL, for shader modules and for
//! pipelines.

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;
use ash::vk::{Handle, TaggedStructure};
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, PipelineSeen, SPIRV, ShaderCode, Unknown, aligned, binding, chained_stage,
    compute_pipeline, fixture, handle, next, stage,
};

const INVALID: vk::Result = vk::Result::ERROR_INVALID_SHADER_NV;
/// A shader with one raw buffer, `u0`.
const RAW: &str = "buffer/raw_read_write.dxil";
/// A shader with a constant buffer `b0` and a structured buffer `u0`.
const CBUFFER: &str = "cbuffer/dynamic.dxil";
/// A vertex shader with the entry point `vs_main`.
const VERTEX: &str = "graphics/cull.vs.dxil";
/// A pixel shader with the entry point `ps_main`.
const PIXEL: &str = "graphics/cull.ps.dxil";

/// An application whose setting places `u0` at binding 200.
fn app_with(config: Config) -> App {
    App::with_request(config, &InstanceRequest::new([(c"register_shifts", c"b=0,t=100,u=200,s=300,c=1000")]))
}

fn app() -> App {
    app_with(Config::default())
}

/// A pipeline layout for [`CBUFFER`] in which the constant buffer has this descriptor type.
fn cbuffer_layout(app: &App, ty: vk::DescriptorType) -> vk::PipelineLayout {
    let layout = app.layout(&[binding(0, ty), binding(200, vk::DescriptorType::STORAGE_BUFFER)]);
    app.events();
    layout
}

fn module_of(app: &App, name: &str) -> vk::ShaderModule {
    app.module(&fixture(name))
}

fn compute(module: vk::ShaderModule, layout: vk::PipelineLayout) -> vk::ComputePipelineCreateInfo<'static> {
    compute_pipeline(module).layout(layout)
}

/// The pipelines of the only pipeline call among the events, and the modules that were created and
/// destroyed before and after it.
fn pipeline_call(events: &[Event]) -> (usize, &[PipelineSeen], Vec<u64>, Vec<u64>) {
    let mut call = None;
    let (mut made, mut destroyed) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Pipelines { infos, pipelines, .. } => {
                assert!(call.is_none(), "one call down");
                assert!(destroyed.is_empty(), "no module is destroyed before the pipeline call");
                call = Some((*infos, pipelines.as_slice()));
            }
            Event::Module { handle, .. } => made.push(*handle),
            Event::DestroyModule(handle) => destroyed.push(*handle),
            other => panic!("{other:?}"),
        }
    }
    let (infos, pipelines) = call.expect("a pipeline call");
    (infos, pipelines, made, destroyed)
}

fn assert_is_spirv_of(words: &[u32], blob: &[u8]) {
    assert_eq!(words[0], 0x0723_0203);
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    assert!(!bytes.windows(4).any(|w| w == b"DXBC"), "no DXIL goes down");
    assert!(bytes.windows(5).any(|w| w == b"dxil "), "the blob's name is in the module");
    assert_ne!(bytes.len(), blob.len());
}

#[test]
fn a_module_holds_the_translation() {
    let app = app();
    let blob = fixture(RAW);
    let words = aligned(&blob);
    let unknown = Unknown::before(ptr::null());
    let info = vk::ShaderModuleCreateInfo {
        p_next: unknown.as_next(),
        code_size: blob.len(),
        p_code: words.as_ptr(),
        ..Default::default()
    };
    let (result, module) = app.create_module(&info);
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let [Event::Module { code, next, words: below, handle, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_is_spirv_of(below, &blob);
    assert_ne!(*code, words.as_ptr() as usize);
    assert_eq!(*next, unknown.as_next() as usize, "the chain is shared");
    assert_eq!(module.as_raw(), *handle, "the driver's own handle");
}

#[test]
fn the_same_blob_gives_the_same_words_everywhere() {
    let first = app();
    let second = app();
    let words = |app: &App| app.words_of(&fixture(RAW));
    let expected = words(&first);
    assert_eq!(words(&first), expected);
    assert_eq!(words(&second), expected);
}

#[test]
fn devices_with_different_features_get_different_words() {
    let full = app();
    let bare = app_with(Config { all_features: false, api_version: vk::API_VERSION_1_1, ..Config::default() });
    let words = |app: &App| app.words_of(&fixture(RAW));
    let (full, bare) = (words(&full), words(&bare));
    assert_ne!(full, bare);
    assert!(bare[1] < full[1], "SPIR-V versions {:#x} and {:#x}", bare[1], full[1]);
}

#[test]
fn a_pipeline_that_fits_goes_down_untouched() {
    let app = app();
    let module = module_of(&app, CBUFFER);
    let layout = cbuffer_layout(&app, vk::DescriptorType::UNIFORM_BUFFER);
    // The module is reused as well if the plan differs but the code does not.
    let dynamic = cbuffer_layout(&app, vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC);
    for layout in [layout, dynamic] {
        let infos = [compute(module, layout)];
        assert_eq!(app.compute(&infos).0.as_raw(), 0);
        let events = app.events();
        let (at, _, made, _) = pipeline_call(&events);
        assert_eq!(at, infos.as_ptr() as usize);
        assert!(made.is_empty());
    }
}

#[test]
fn a_layout_that_asks_for_other_code_gets_it() {
    let app = app();
    let module = module_of(&app, CBUFFER);
    let layout = cbuffer_layout(&app, vk::DescriptorType::STORAGE_BUFFER);
    let unknown = Unknown::before(ptr::null());
    let mut info = compute(module, layout);
    info.stage.p_next = unknown.as_next();
    let plain = compute_pipeline(handle(0x77));
    let infos = [plain, info];
    let (result, pipelines) = app.compute(&infos);
    assert_eq!(result.as_raw(), 0);
    assert!(pipelines.iter().all(|p| !p.is_null()));
    let events = app.events();
    let (at, seen, made, destroyed) = pipeline_call(&events);
    assert_ne!(at, infos.as_ptr() as usize);
    assert_eq!(seen[0].stages[0].module, 0x77, "the other element is unchanged");
    assert_eq!(made, [seen[1].stages[0].module]);
    assert_eq!(destroyed, made, "the module that was created for the call is destroyed after it");
    assert_eq!(seen[1].stages[0].chain, [(0x7ead_beef, unknown.as_next() as usize)], "the chain is shared");
    let Some(Event::Module { words, .. }) = events.first() else { panic!("{events:?}") };
    assert_is_spirv_of(words, &fixture(CBUFFER));
    assert_eq!(infos[1].stage.module, module, "the application's memory is unchanged");
}

#[test]
fn a_layout_without_the_resource_is_a_binding_error() {
    let app = App::with_messages([(c"register_shifts", c"u=200")]);
    let module = module_of(&app, CBUFFER);
    let layout = app.layout(&[binding(0, vk::DescriptorType::UNIFORM_BUFFER)]);
    app.events();
    let (result, pipelines) = app.compute(&[compute(module, layout)]);
    assert!(result == INVALID);
    assert!(pipelines[0].is_null());
    assert_eq!(app.events(), []);
    let text = app.message();
    assert!(text.contains("u0") && text.contains("binding"), "{text}");
}

#[test]
fn a_map_that_cannot_be_used_is_reported() {
    let with_map = |path: &'static CStr| App::with_messages([(c"map", path)]);
    let app = with_map(c"/no/such/map.toml");
    // The device is created, and the first call that needs a plan fails.
    app.events();
    assert!(app.module_of(&fixture(RAW)).0.as_raw() == 0);
    app.events();
    let layout = app.layout(&[binding(0, vk::DescriptorType::STORAGE_BUFFER)]);
    let module = module_of(&app, RAW);
    app.events();
    assert!(app.compute(&[compute(module, layout)]).0 == INVALID);
    let messages = app.fake_instance().messages();
    assert!(messages.len() > 1, "{messages:?}");
    for (_, text) in &messages {
        assert!(text.contains("setting map, file /no/such/map.toml: No such file"), "{text}");
    }
}

#[test]
fn what_clashes_by_default_waits_for_the_layout() {
    // Without shifts, b0 and u0 have the same binding. The shader cannot be translated before a
    // pipeline layout gives them different ones.
    let app = App::with_settings([]);
    let (result, module) = app.module_of(&fixture(CBUFFER));
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let [Event::Module { words, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_is_spirv_of(words, &fixture(CBUFFER));
    // A pipeline that cannot be translated fails; the placeholder module does not reach the driver.
    let layout = app.layout(&[binding(0, vk::DescriptorType::UNIFORM_BUFFER)]);
    app.events();
    assert!(app.compute(&[compute(module, layout)]).0 == INVALID);
    assert_eq!(app.events(), []);
    // The placeholder has the identifier of its container.
    assert_eq!(app.identifier_size(module), 32);
    assert_eq!(app.events(), []);
}

#[test]
fn a_library_waits_for_a_pipeline_to_name_its_entries() {
    let app = app();
    let blob = fixture("newer-dxc/rays.lib_6_6.dxil");
    let (result, module) = app.module_of(&blob);
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let [Event::Module { words, handle, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_is_spirv_of(words, &blob);
    assert_eq!(module.as_raw(), *handle);
    // The library's placeholder does not reach a pipeline of the supported kinds.
    let layout = app.layout(&[]);
    app.events();
    assert!(app.compute(&[compute(module, layout)]).0 == INVALID);
    assert_eq!(app.events(), []);
}

#[test]
fn a_name_that_differs_is_rewritten() {
    let app = app();
    let stages = [
        stage(vk::ShaderStageFlags::VERTEX, module_of(&app, VERTEX), c"main"),
        stage(vk::ShaderStageFlags::FRAGMENT, module_of(&app, PIXEL), c"ps_main"),
    ];
    let layout = app.layout(&[]);
    app.events();
    let infos = [vk::GraphicsPipelineCreateInfo::default().stages(&stages).layout(layout)];
    assert_eq!(app.graphics(&infos).0.as_raw(), 0);
    let events = app.events();
    let (_, seen, made, _) = pipeline_call(&events);
    assert_eq!(seen[0].stages.iter().map(|s| s.name.as_c_str()).collect::<Vec<_>>(), [c"vs_main", c"ps_main"]);
    assert_eq!(seen[0].stages[0].module, stages[0].module.as_raw());
    assert!(made.is_empty());
    assert_ne!(seen[0].stages_at, stages.as_ptr() as usize);
}

#[test]
fn a_name_that_is_none_fails() {
    let app = app();
    let mut info = compute(module_of(&app, RAW), app.layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)]));
    app.events();
    info.stage.p_name = c"nain".as_ptr();
    assert!(app.compute(&[info]).0 == INVALID);
    assert_eq!(app.events(), []);
}

/// A stage without a module, in whose chain this code comes after `nodes`.
fn chained(code: &vk::ShaderModuleCreateInfo<'_>) -> vk::PipelineShaderStageCreateInfo<'static> {
    chained_stage(vk::ShaderStageFlags::COMPUTE, next(code), c"main")
}

/// A shader of 32 threads that asks for waves of eight lanes, on a device with several sizes
/// (VUID-VkPipelineShaderStageCreateInfo-pNext-02756).
#[test]
fn a_required_wave_size_holds_the_whole_group() {
    let wave_size = fixture("wave/wave_size.dxil");
    let layout = |app: &App| app.layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)]);
    let app = app_with(Config { subgroup_sizes: [4, 32, 4], ..Config::default() });
    let info = compute(app.module(&wave_size), layout(&app));
    app.events();
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
    assert_eq!(pipeline_call(&app.events()).1[0].stages[0].required_size, Some(8));
    let request = InstanceRequest::new([(c"register_shifts", c"u=200")]).with_messages();
    let few = App::with_request(Config { subgroup_sizes: [4, 32, 3], ..Config::default() }, &request);
    assert!(few.module_of(&wave_size).0 == INVALID);
    let message = few.message();
    assert!(message.contains("maxComputeWorkgroupSubgroups"), "{message}");
}

#[test]
fn chained_code_is_replaced_in_place() {
    let app = app();
    let layout = app.layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)]);
    app.events();
    let blob = fixture(RAW);
    let words = aligned(&blob);
    let unknown = Unknown::before(ptr::null());
    let code = vk::ShaderModuleCreateInfo {
        p_next: unknown.as_next(),
        code_size: blob.len(),
        p_code: words.as_ptr(),
        ..Default::default()
    };
    let required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo {
        p_next: ptr::from_ref(&code).cast_mut().cast(),
        required_subgroup_size: 8,
        ..Default::default()
    };
    let mut info = vk::ComputePipelineCreateInfo::default().stage(chained(&code)).layout(layout);
    info.stage.p_next = ptr::from_ref(&required).cast();
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
    let events = app.events();
    let (_, seen, made, _) = pipeline_call(&events);
    assert!(made.is_empty());
    let stage = &seen[0].stages[0];
    assert_eq!(stage.module, 0);
    assert_is_spirv_of(stage.chained_words.as_ref().unwrap(), &blob);
    assert_eq!(stage.required_size, Some(8), "the node before the code is passed on as a copy");
    let types: Vec<i32> = stage.chain.iter().map(|(t, _)| *t).collect();
    let required_type = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::STRUCTURE_TYPE.as_raw();
    assert_eq!(types, [required_type, vk::ShaderModuleCreateInfo::STRUCTURE_TYPE.as_raw(), 0x7ead_beef]);
    assert_ne!(stage.chain[0].1, ptr::from_ref(&required) as usize);
    assert_eq!(stage.chain[2].1, unknown.as_next() as usize, "the tail is shared");
}

#[test]
fn chained_code_behind_an_unknown_structure_becomes_a_module() {
    let app = app();
    let layout = app.layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)]);
    app.events();
    let blob = fixture(RAW);
    let code = ShaderCode::new(&blob);
    let code = code.info();
    let unknown = Unknown::before(ptr::from_ref(&code).cast::<c_void>());
    let mut info = vk::ComputePipelineCreateInfo::default().stage(chained(&code)).layout(layout);
    info.stage.p_next = unknown.as_next();
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
    let events = app.events();
    let (_, seen, made, destroyed) = pipeline_call(&events);
    assert_eq!(made, [seen[0].stages[0].module]);
    assert_eq!(made, destroyed);
    assert_eq!(unknown.payload, [0x5555; 3]);
}

#[test]
fn equal_handles_are_forgotten_one_by_one() {
    let app = app_with(Config { equal_handles: true, ..Config::default() });
    let first = module_of(&app, CBUFFER);
    let second = module_of(&app, CBUFFER);
    assert_eq!(first, second, "the fake gives equal modules equal handles");
    let other = module_of(&app, RAW);
    assert_ne!(first, other, "different blobs give different modules");
    app.destroy_module(first);
    let layout = cbuffer_layout(&app, vk::DescriptorType::STORAGE_BUFFER);
    assert_eq!(app.compute(&[compute(second, layout)]).0.as_raw(), 0);
    let events = app.events();
    assert!(!pipeline_call(&events).2.is_empty(), "still known as DXIL");
    app.destroy_module(second);
    app.events();
    // The driver may reuse the handle for a module of SPIR-V.
    let infos = [compute(second, layout)];
    assert_eq!(app.compute(&infos).0.as_raw(), 0);
    let events = app.events();
    assert_eq!(pipeline_call(&events).0, infos.as_ptr() as usize);
}

#[test]
fn dxil_and_spirv_stages_mix() {
    let app = app();
    let (_, spirv) = app.create_module(&vk::ShaderModuleCreateInfo::default().code(&SPIRV));
    app.events();
    let stages = [
        stage(vk::ShaderStageFlags::VERTEX, module_of(&app, VERTEX), c"main"),
        stage(vk::ShaderStageFlags::FRAGMENT, spirv, c"whatever"),
    ];
    let layout = app.layout(&[]);
    app.events();
    assert_eq!(app.graphics(&[vk::GraphicsPipelineCreateInfo::default().stages(&stages).layout(layout)]).0.as_raw(), 0);
    let events = app.events();
    let (_, seen, ..) = pipeline_call(&events);
    assert_eq!(seen[0].stages[1].module, spirv.as_raw());
    assert_eq!(seen[0].stages[1].name.as_c_str(), c"whatever");
}

#[test]
fn who_forbids_compilation_gets_what_is_cached() {
    let request = InstanceRequest::new([(c"compile_required", c"strict"), (c"register_shifts", c"t=100,u=200,s=300")]);
    let app = App::with_request(Config::default(), &request.with_messages());
    let module = module_of(&app, CBUFFER);
    // The cache is shared by all tests of this process, so this test uses a descriptor type that no
    // other test uses.
    let layout = cbuffer_layout(&app, vk::DescriptorType::STORAGE_BUFFER_DYNAMIC);
    let mut info = compute(module, layout);
    info.flags = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
    assert!(app.compute(&[info]).0 == vk::Result::PIPELINE_COMPILE_REQUIRED);
    assert_eq!(app.events(), []);
    assert_eq!(app.compute(&[compute(module, layout)]).0.as_raw(), 0);
    app.events();
    assert_eq!(app.compute(&[info]).0.as_raw(), 0);
}

#[test]
fn truncated_blobs_never_reach_the_driver() {
    let app = app();
    let blob = fixture(RAW);
    for length in (4..blob.len()).step_by(7) {
        let (result, module) = app.module_of(&blob[..length]);
        assert!(result == INVALID, "{length} bytes");
        assert!(module.is_null());
        assert_eq!(app.events(), [], "{length} bytes");
    }
}
