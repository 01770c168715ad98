//! Tests of code that the layer does not translate. Code that is not DXIL reaches the driver by the
//! application's own pointers. Code that starts with `DXBC` and cannot be translated never reaches
//! the driver.

use std::ffi::c_void;
use std::ptr;

use ash::vk;
use ash::vk::Handle;
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, SPIRV, ShaderCode, Unknown, aligned, binding, compute_pipeline, fixture,
    handle, next,
};
use dxil_test_support::Random;

const INVALID: vk::Result = vk::Result::ERROR_INVALID_SHADER_NV;

fn address<T>(value: *const T) -> usize {
    value as usize
}

#[test]
fn spirv_modules_by_the_same_pointers() {
    let app = App::new(Config::default());
    let unknown = Unknown::before(ptr::null());
    let info =
        vk::ShaderModuleCreateInfo { p_next: unknown.as_next(), ..vk::ShaderModuleCreateInfo::default().code(&SPIRV) };
    let (result, module) = app.create_module(&info);
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let [Event::Module { info: seen, code, next, words, handle }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*seen, address(&info));
    assert_eq!(*code, address(SPIRV.as_ptr()));
    assert_eq!(*next, unknown.as_next() as usize);
    assert_eq!(words, &SPIRV);
    assert_eq!(module.as_raw(), *handle, "the driver's own handle");
    app.destroy_module(module);
    assert_eq!(app.events(), [Event::DestroyModule(*handle)]);
}

#[test]
fn whatever_does_not_begin_with_dxbc_is_not_ours() {
    let app = App::new(Config::default());
    for bytes in [&b"DXB"[..], b"", b"XDXBC", b"dxbc", b"BC\xC0\xDE", b"DXIL", b"\0\0\0\0", b"CBXD"] {
        let (result, _) = app.module_of(bytes);
        assert_eq!(result.as_raw(), 0, "{bytes:?}");
        assert_eq!(app.events().len(), 1, "{bytes:?}");
    }
    // Each call was a single event, so none is left.
    let events = app.events();
    assert!(events.is_empty());
}

#[test]
fn failing_dxbc_never_reaches_the_driver() {
    let app = App::new(Config::default());
    let mut blobs: Vec<Vec<u8>> = vec![b"DXBC".to_vec(), b"DXBC and then text".to_vec()];
    // Sizes and counts of every magnitude at their places in the container's header.
    for word in [0u32, 1, 31, 32, 33, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
        let mut blob = b"DXBC".to_vec();
        blob.extend([0; 16]);
        blob.extend(1u32.to_le_bytes());
        blob.extend(word.to_le_bytes());
        blob.extend(word.to_le_bytes());
        blob.extend(word.to_le_bytes());
        blobs.push(blob);
    }
    // Pseudorandom bytes after the magic number.
    let mut random = Random::new(1);
    for length in 0..400 {
        let mut blob = b"DXBC".to_vec();
        blob.extend((0..length).map(|_| random.bits() as u8));
        blobs.push(blob);
    }
    for blob in &blobs {
        let (result, module) = app.module_of(blob);
        assert!(result == INVALID, "{} for {} bytes", result.as_raw(), blob.len());
        assert!(module.is_null());
        assert_eq!(app.events(), [], "{} bytes", blob.len());
    }
}

#[test]
fn a_failure_is_submitted_to_the_messengers() {
    let request = InstanceRequest::new([]).with_messages();
    let mut app = App::instance(Config::default(), &request).unwrap();
    app.device = app.create_device(&vk::DeviceCreateInfo::default()).unwrap();
    let (result, _) = app.module_of(b"DXBC, but no container");
    assert!(result == INVALID);
    let messages = app.fake_instance().messages();
    let [(severity, text)] = messages.as_slice() else { panic!("{messages:?}") };
    assert!(*severity == vk::DebugUtilsMessageSeverityFlagsEXT::ERROR);
    assert!(text.starts_with("DXIL blob "), "{text}");
    assert!(text.contains(" at "), "a place: {text}");
}

#[test]
fn without_the_extension_nothing_is_submitted() {
    let app = App::new(Config::default());
    assert!(app.module_of(b"DXBC").0 == INVALID);
    assert!(app.fake_instance().messages().is_empty());
}

fn stage(module: vk::ShaderModule, next: *const c_void) -> vk::PipelineShaderStageCreateInfo<'static> {
    let stage = dxil_layer_loaderless::stage(vk::ShaderStageFlags::COMPUTE, module, c"main");
    vk::PipelineShaderStageCreateInfo { p_next: next, ..stage }
}

/// A compute pipeline with code in the chain of its stage.
fn chained(code: &vk::ShaderModuleCreateInfo<'_>) -> vk::ComputePipelineCreateInfo<'static> {
    vk::ComputePipelineCreateInfo::default().stage(stage(handle(0), next(code)))
}

#[test]
fn spirv_pipelines_by_the_same_pointers() {
    let app = App::new(Config::default());
    let (_, module) = app.create_module(&vk::ShaderModuleCreateInfo::default().code(&SPIRV));
    app.events();
    let unknown = Unknown::before(ptr::null());
    let compute = [
        vk::ComputePipelineCreateInfo { p_next: unknown.as_next(), ..Default::default() }
            .stage(stage(module, unknown.as_next())),
        compute_pipeline(handle(0x77)),
    ];
    let (result, pipelines) = app.compute(&compute);
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let [Event::Pipelines { infos, pipelines: seen, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*infos, address(compute.as_ptr()));
    assert_eq!(seen[0].stages[0].chain, [(0x7ead_beef, unknown.as_next() as usize)]);
    assert!(pipelines.iter().all(|p| !p.is_null()));

    let stages = [stage(module, unknown.as_next()), stage(module, ptr::null())];
    let graphics = [vk::GraphicsPipelineCreateInfo::default().stages(&stages)];
    assert_eq!(app.graphics(&graphics).0.as_raw(), 0);
    let events = app.events();
    let [Event::Pipelines { infos, pipelines: seen, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*infos, address(graphics.as_ptr()));
    assert_eq!(seen[0].stages_at, address(stages.as_ptr()));
}

#[test]
fn chained_spirv_by_the_same_pointers() {
    let app = App::new(Config::default());
    let code = vk::ShaderModuleCreateInfo::default().code(&SPIRV);
    let compute = [chained(&code)];
    assert_eq!(app.compute(&compute).0.as_raw(), 0);
    let events = app.events();
    let [Event::Pipelines { infos, pipelines, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*infos, address(compute.as_ptr()));
    assert_eq!(pipelines[0].stages[0].chained_words.as_deref(), Some(&SPIRV[..]));
}

#[test]
fn chained_garbage_fails_its_element_alone() {
    let app = App::new(Config::default());
    let garbage = ShaderCode::new(b"DXBC and nothing");
    let code = garbage.info();
    let bad = chained(&code);
    let good = |base: i32| vk::ComputePipelineCreateInfo {
        base_pipeline_index: base,
        flags: vk::PipelineCreateFlags::DERIVATIVE,
        ..compute_pipeline(handle(0x77))
    };
    // The third pipeline derives from the second, and the fourth from the one that fails.
    let infos = [bad, good(-1), good(1), good(0)];
    let (result, pipelines) = app.compute(&infos);
    assert!(result == INVALID);
    assert_eq!(pipelines.iter().map(|p| p.is_null()).collect::<Vec<_>>(), [true, false, false, false]);
    let events = app.events();
    let [Event::Pipelines { pipelines: seen, .. }] = events.as_slice() else { panic!("{events:?}") };
    let derivative = vk::PipelineCreateFlags::DERIVATIVE.as_raw();
    let bases: Vec<_> = seen.iter().map(|p| (p.base_index, p.flags & derivative != 0)).collect();
    assert_eq!(bases, [(-1, true), (0, true), (-1, false)]);
    assert!(seen.iter().all(|p| p.stages[0].chained_words.is_none()), "no DXIL went down");
}

#[test]
fn early_return_stops_at_the_failure() {
    let app = App::new(Config::default());
    let garbage = ShaderCode::new(b"DXBC and nothing");
    let code = garbage.info();
    let good = compute_pipeline(handle(0x77));
    let bad =
        vk::ComputePipelineCreateInfo { flags: vk::PipelineCreateFlags::EARLY_RETURN_ON_FAILURE, ..chained(&code) };
    let (result, pipelines) = app.compute(&[good, bad, good]);
    assert!(result == INVALID);
    assert_eq!(pipelines.iter().map(|p| p.is_null()).collect::<Vec<_>>(), [false, true, true]);
}

#[test]
fn who_forbids_compilation_is_told_so() {
    let app = App::with_settings([(c"compile_required", c"strict")]);
    let garbage = ShaderCode::new(&b"DXBC that nobody parsed before"[..28]);
    let code = garbage.info();
    let info = vk::ComputePipelineCreateInfo {
        flags: vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED,
        ..chained(&code)
    };
    let (result, pipelines) = app.compute(&[info]);
    assert!(result == vk::Result::PIPELINE_COMPILE_REQUIRED);
    assert!(pipelines[0].is_null());
    assert_eq!(app.events(), []);
}

#[test]
fn stages_that_vulkan_ignores_are_not_read() {
    let app = App::new(Config { read_stages: false, ..Config::default() });
    // Vulkan ignores pStages in a pipeline library of vertex input alone, in a pipeline linked from
    // libraries, and in a pipeline created from binaries. The pointer may be invalid there.
    let subset = vk::GraphicsPipelineLibraryCreateInfoEXT::default()
        .flags(vk::GraphicsPipelineLibraryFlagsEXT::VERTEX_INPUT_INTERFACE);
    let libraries: [vk::Pipeline; 1] = [handle(0x99)];
    let linked = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
    // VkPipelineBinaryInfoKHR: sType, pNext, binaryCount, pBinaries.
    let binaries = [1_000_483_002u64, 0, 1, 0];
    let nexts = [next(&subset), next(&linked), binaries.as_ptr().cast::<c_void>()];
    for next in nexts {
        let mut info = vk::GraphicsPipelineCreateInfo { p_next: next, stage_count: 1, ..Default::default() };
        // The address is not readable.
        info.p_stages = ptr::without_provenance(8);
        assert_eq!(app.graphics(&[info]).0.as_raw(), 0);
        assert_eq!(app.events().len(), 1);
    }
}

#[test]
fn dxil_is_refused_where_it_is_not_built_yet() {
    let app = App::new(Config::default());
    let garbage = aligned(b"DXBC and nothing");
    // Shader objects.
    // SAFETY: the name determines the command's type.
    let create: vk::PFN_vkCreateShadersEXT = unsafe { app.typed(c"vkCreateShadersEXT") };
    let dxil = vk::ShaderCreateInfoEXT {
        code_type: vk::ShaderCodeTypeEXT::SPIRV,
        code_size: 16,
        p_code: garbage.as_ptr().cast(),
        ..Default::default()
    };
    let mut out: [vk::ShaderEXT; 2] = [handle(0xbad); 2];
    // SAFETY: all arguments are valid for two shaders, and the layer must refuse the code.
    let result = unsafe { create(app.device, 2, [dxil, dxil].as_ptr(), ptr::null(), out.as_mut_ptr()) };
    assert!(result == vk::Result::ERROR_INITIALIZATION_FAILED);
    assert!(out.iter().all(|s| s.is_null()));
    assert_eq!(app.events(), []);
    // The layer does not inspect binaries.
    let binary = vk::ShaderCreateInfoEXT { code_type: vk::ShaderCodeTypeEXT::BINARY, ..dxil };
    let infos = [binary];
    // SAFETY: all arguments are valid for one shader.
    let result = unsafe { create(app.device, 1, infos.as_ptr(), ptr::null(), out.as_mut_ptr()) };
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let [Event::Shaders { infos: at, out: to, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((*at, *to), (address(infos.as_ptr()), address(out.as_ptr())), "the application's own pointers");

    // Identifiers.
    // SAFETY: the name determines the command's type.
    let identify: vk::PFN_vkGetShaderModuleCreateInfoIdentifierEXT =
        unsafe { app.typed(c"vkGetShaderModuleCreateInfoIdentifierEXT") };
    let mut identifier = vk::ShaderModuleIdentifierEXT::default();
    let code = vk::ShaderModuleCreateInfo { code_size: 16, p_code: garbage.as_ptr(), ..Default::default() };
    // SAFETY: the device, the create info and its code, and the identifier are valid.
    unsafe { identify(app.device, &code, &mut identifier) };
    assert_eq!(identifier.identifier_size, 32, "it is that of the bytes, whatever they are");
    assert_eq!(app.events(), []);
    let spirv = vk::ShaderModuleCreateInfo::default().code(&SPIRV);
    // SAFETY: the device, the create info and its code, and the identifier are valid.
    unsafe { identify(app.device, &spirv, &mut identifier) };
    assert_eq!(identifier.identifier_size, 7);
    assert_eq!(app.events(), [Event::CreateInfoIdentifier { info: address(&spirv), words: SPIRV.to_vec() }]);
}

#[test]
fn dxil_nested_in_keys_and_binaries_is_refused() {
    type Key = unsafe extern "system" fn(vk::Device, *const c_void, *mut c_void) -> vk::Result;
    type Binaries = unsafe extern "system" fn(vk::Device, *const c_void, *const c_void, *mut c_void) -> vk::Result;
    let app = App::new(Config::default());
    let garbage = ShaderCode::new(b"DXBC and nothing");
    let code = garbage.info();
    let dxil = chained(&code);
    let spirv = compute_pipeline(handle(0x77));
    // SAFETY: the name determines the command's type.
    let key: Key = unsafe { app.typed(c"vkGetPipelineKeyKHR") };
    // SAFETY: the name determines the command's type.
    let create: Binaries = unsafe { app.typed(c"vkCreatePipelineBinariesKHR") };
    for (info, fails) in [(&dxil, true), (&spirv, false)] {
        // VkPipelineCreateInfoKHR: sType, and the pipeline's create info as pNext.
        let nested: [*const c_void; 2] = [ptr::without_provenance(1_000_483_007), ptr::from_ref(info).cast()];
        let at = nested.as_ptr() as usize;
        // SAFETY: the create info is valid, and the fake does not write a key.
        let result = unsafe { key(app.device, nested.as_ptr().cast(), ptr::null_mut()) };
        assert_eq!(result == vk::Result::ERROR_UNKNOWN, fails);
        let infos = |events: Vec<Event>| -> Vec<usize> {
            let info = |event| match event {
                Event::PipelineKey { info, .. } | Event::PipelineBinaries { info, .. } => info,
                other => panic!("{other:?}"),
            };
            events.into_iter().map(info).collect()
        };
        assert_eq!(infos(app.events()), if fails { vec![] } else { vec![at] });
        // VkPipelineBinaryCreateInfoKHR: sType, pNext, pKeysAndDataInfo, pipeline,
        // pPipelineCreateInfo. VkPipelineBinaryHandlesInfoKHR: sType, pNext, count, binaries.
        let create_info: [usize; 5] = [1_000_483_001, 0, 0, 0, at];
        let mut binaries = [0xbadu64; 2];
        let mut out: [usize; 4] = [0, 0, 2, binaries.as_mut_ptr() as usize];
        let info_at = create_info.as_ptr().cast::<c_void>();
        // SAFETY: the create info and the handles info are valid, with space for two binaries.
        let result = unsafe { create(app.device, info_at, ptr::null(), out.as_mut_ptr().cast()) };
        assert_eq!(result == vk::Result::ERROR_INITIALIZATION_FAILED, fails);
        let expected = if fails { vec![] } else { vec![info_at as usize] };
        assert_eq!(infos(app.events()), expected);
        assert_eq!(binaries == [0, 0], fails);
    }
}

/// `vkGetPipelineKeyKHR` of a pipeline create info: the result, and whether it went down.
fn key_of<T>(app: &App, info: &T) -> (vk::Result, bool) {
    type Key = unsafe extern "system" fn(vk::Device, *const c_void, *mut c_void) -> vk::Result;
    // VkPipelineCreateInfoKHR: a header before the pipeline's create info.
    let nested: [*const c_void; 2] = [ptr::without_provenance(1_000_483_007), ptr::from_ref(info).cast()];
    // SAFETY: the command's own type; valid arguments.
    let result = unsafe {
        let key: Key = app.typed(c"vkGetPipelineKeyKHR");
        key(app.device, nested.as_ptr().cast(), ptr::null_mut())
    };
    (result, !app.events().is_empty())
}

/// Keys, binaries and requirements are no compilation: the flag of the create info is about the
/// pipeline.
#[test]
fn who_forbids_compilation_gets_keys_binaries_and_requirements() {
    const FLAG: vk::PipelineCreateFlags = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
    fn requirements(app: &App, info: &vk::ComputePipelineCreateInfo<'_>) -> (vk::Result, bool) {
        let mut out = vk::MemoryRequirements2::default();
        // SAFETY: the command's own type; valid arguments.
        unsafe {
            let get: vk::PFN_vkGetPipelineIndirectMemoryRequirementsNV =
                app.typed(c"vkGetPipelineIndirectMemoryRequirementsNV");
            get(app.device, info, &mut out);
        }
        (vk::Result::from_raw(if out.memory_requirements.size == 0 { -1 } else { 0 }), !app.events().is_empty())
    }
    fn binaries(app: &App, info: &vk::ComputePipelineCreateInfo<'_>) -> (vk::Result, bool) {
        type Create = unsafe extern "system" fn(vk::Device, *const c_void, *const c_void, *mut c_void) -> vk::Result;
        let nested: [*const c_void; 2] = [ptr::without_provenance(1_000_483_007), ptr::from_ref(info).cast()];
        // VkPipelineBinaryCreateInfoKHR and VkPipelineBinaryHandlesInfoKHR.
        let info: [usize; 5] = [1_000_483_001, 0, 0, 0, nested.as_ptr() as usize];
        let mut out = [0usize; 4];
        // SAFETY: the command's own type; valid arguments.
        let result = unsafe {
            let create: Create = app.typed(c"vkCreatePipelineBinariesKHR");
            create(app.device, info.as_ptr().cast(), ptr::null(), out.as_mut_ptr().cast())
        };
        (result, !app.events().is_empty())
    }
    let blob = ShaderCode::new(&fixture("buffer/raw_read_write.dxil"));
    let code = blob.info();
    // No other test has u0 at these places, so the translations are not in the cache.
    type Ask = fn(&App, &vk::ComputePipelineCreateInfo<'_>) -> (vk::Result, bool);
    let rows: [(u32, _, Ask); 3] = [
        (231, c"b=0,t=100,u=231,s=300", |app, info| key_of(app, info)),
        (232, c"b=0,t=100,u=232,s=300", requirements),
        (233, c"b=0,t=100,u=233,s=300", binaries),
    ];
    for (place, shifts, ask) in rows {
        let app = App::with_messages([(c"register_shifts", shifts), (c"compile_required", c"strict")]);
        let layout = app.layout(&[binding(place, vk::DescriptorType::STORAGE_BUFFER)]);
        app.events();
        let info = vk::ComputePipelineCreateInfo { flags: FLAG, layout, ..chained(&code) };
        assert!(app.compute(&[info]).0 == vk::Result::PIPELINE_COMPILE_REQUIRED);
        assert!(ask(&app, &info) == (vk::Result::SUCCESS, true));
        assert_eq!(app.fake_instance().messages(), []);
    }
}

#[test]
fn dxil_in_every_pipeline_of_a_key_is_refused() {
    let app = App::new(Config::default());
    let garbage = ShaderCode::new(b"DXBC and nothing");
    let code = garbage.info();
    let dxil = [stage(handle(0x77), ptr::null()), stage(handle(0), ptr::from_ref(&code).cast())];
    let spirv = [stage(handle(0x77), ptr::null())];
    for (stages, refused) in [(&dxil[..], true), (&spirv[..], false)] {
        let expected = if refused { (vk::Result::ERROR_UNKNOWN, false) } else { (vk::Result::SUCCESS, true) };
        let graphics = vk::GraphicsPipelineCreateInfo::default().stages(stages);
        assert!(key_of(&app, &graphics) == expected);
        let rays = vk::RayTracingPipelineCreateInfoKHR::default().stages(stages);
        assert!(key_of(&app, &rays) == expected);
        let graph = vk::ExecutionGraphPipelineCreateInfoAMDX::default().stages(stages);
        assert!(key_of(&app, &graph) == expected, "execution graph");
        // Shader groups in the chain of a graphics pipeline without DXIL of its own.
        let group = [vk::GraphicsShaderGroupCreateInfoNV::default().stages(stages)];
        let mut groups = vk::GraphicsPipelineShaderGroupsCreateInfoNV::default().groups(&group);
        let graphics = vk::GraphicsPipelineCreateInfo::default().stages(&spirv).push_next(&mut groups);
        assert!(key_of(&app, &graphics) == expected, "shader groups");
    }
}

#[test]
fn dxil_in_shader_groups_fails_the_pipeline() {
    let app = App::new(Config::default());
    let garbage = ShaderCode::new(b"DXBC and nothing");
    let code = garbage.info();
    let dxil = [stage(handle(0), ptr::from_ref(&code).cast())];
    let spirv = [stage(handle(0x77), ptr::null())];
    let group = |stages| vk::GraphicsShaderGroupCreateInfoNV::default().stages(stages);
    let group = [group(&spirv), group(&dxil)];
    let mut groups = vk::GraphicsPipelineShaderGroupsCreateInfoNV::default().groups(&group);
    let info = vk::GraphicsPipelineCreateInfo::default().stages(&spirv).push_next(&mut groups);
    let (result, pipelines) = app.graphics(&[info]);
    assert!(result == INVALID);
    assert!(pipelines[0].is_null());
    assert_eq!(app.events(), []);
}

#[test]
fn layouts_by_the_same_pointers() {
    let app = App::new(Config::default());
    app.layout(&[vk::DescriptorSetLayoutBinding::default().descriptor_count(1)]);
    let events = app.events();
    assert!(
        matches!(
            events.as_slice(),
            [Event::SetLayout { .. }, Event::PipelineLayout { .. }, Event::DestroySetLayout(_)]
        ),
        "{events:?}"
    );
}

#[test]
fn an_unknown_structure_in_front_of_the_instances_chain_passes() {
    let unknown = Unknown::before(ptr::null());
    let request =
        InstanceRequest { api_version: vk::API_VERSION_1_3, next: Some(unknown.as_next()), ..Default::default() };
    assert!(App::instance(Config::default(), &request).is_ok());
    assert_eq!(unknown.payload, [0x5555; 3]);
}
