//! Root signatures that an application chains (`DxilRootSignatureInfo`): to pipelines, stages,
//! modules and shader objects.

use std::ffi::c_void;
use std::ptr;

use ash::vk;
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, ShaderCode, binding, bindings, chained_stage, compute_pipeline, fixture,
    instructions, next,
};

/// A shader with a constant buffer `b0` and a structured buffer `u0`, without a root signature.
const SHADER: &str = "cbuffer/dynamic.dxil";
/// Their bindings by this root signature, which are others than those by registers.
const FIRST: (&str, [u32; 2]) = ("DescriptorTable(CBV(b0, offset=5), UAV(u0, offset=9))", [5, 9]);
const SECOND: (&str, [u32; 2]) = ("DescriptorTable(CBV(b0, offset=2), UAV(u0, offset=3))", [2, 3]);
/// `sType` of the structure.
const ROOT_SIGNATURE_INFO: i32 = 0x7fff_fdc1;

/// `DxilRootSignatureInfo` of layer/include/dxil_layer.h.
#[repr(C)]
struct RootSignatureInfo {
    s_type: i32,
    p_next: *const c_void,
    global_size: usize,
    global: *const u8,
    local_size: usize,
    local: *const u8,
}

fn info(global: &str) -> RootSignatureInfo {
    let (local, local_size, p_next) = (ptr::null(), 0, ptr::null());
    RootSignatureInfo {
        s_type: ROOT_SIGNATURE_INFO,
        p_next,
        global_size: global.len(),
        global: global.as_ptr(),
        local_size,
        local,
    }
}

fn app() -> (App, vk::PipelineLayout) {
    let app = App::with_messages([]);
    let uniform = |number| binding(number, vk::DescriptorType::UNIFORM_BUFFER);
    let storage = |number| binding(number, vk::DescriptorType::STORAGE_BUFFER);
    let layout = app.layout(&[uniform(5), storage(9), uniform(2), storage(3)]);
    app.events();
    (app, layout)
}

/// Creates a pipeline. Returns the bindings of the module that it got, after a check of the chains.
fn create(app: &App, pipeline: &vk::ComputePipelineCreateInfo<'_>) -> Vec<u32> {
    let (result, _) = app.compute(&[*pipeline]);
    assert_eq!(result.as_raw(), 0, "{:?}", app.fake_instance().messages());
    let mut found = Vec::new();
    for event in app.events() {
        match event {
            Event::Module { words, next, .. } => {
                assert_eq!(next, 0);
                found = bindings(&words);
            }
            Event::Pipelines { pipelines, .. } => {
                assert_eq!(pipelines[0].next, 0, "the structure is not forwarded");
                let stage = &pipelines[0].stages[0];
                assert!(stage.chain.iter().all(|(s_type, _)| *s_type != ROOT_SIGNATURE_INFO));
                if let Some(words) = &stage.chained_words {
                    found = bindings(words);
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn a_pipeline_a_stage_and_a_module_have_root_signatures() {
    let (app, layout) = app();
    let module = app.module(&fixture(SHADER));
    let first = info(FIRST.0);
    let mut pipeline = compute_pipeline(module).layout(layout);
    // Without a root signature the layout has no binding for the shader.
    assert!(app.compute(&[pipeline]).0.as_raw() < 0);
    app.fake_instance().messages();
    app.events();
    pipeline.p_next = next(&first);
    assert_eq!(create(&app, &pipeline), FIRST.1);
    // What is behind the structure in the chain stays.
    let flags = vk::PipelineCreateFlags2CreateInfoKHR::default();
    let with_rest = RootSignatureInfo { p_next: next(&flags), ..info(SECOND.0) };
    pipeline.p_next = next(&with_rest);
    assert_eq!(app.compute(&[pipeline]).0.as_raw(), 0);
    let events = app.events();
    let forwarded = events.iter().find_map(|event| match event {
        Event::Pipelines { pipelines, .. } => Some(pipelines[0].next),
        _ => None,
    });
    assert_eq!(forwarded, Some(ptr::from_ref(&flags).addr()));

    pipeline.p_next = ptr::null();
    pipeline.stage.p_next = next(&first);
    assert_eq!(create(&app, &pipeline), FIRST.1);
    // That of the pipeline comes before that of the stage.
    let second = info(SECOND.0);
    pipeline.p_next = next(&second);
    assert_eq!(create(&app, &pipeline), SECOND.1);

    let code = ShaderCode::new(&fixture(SHADER));
    let (result, module) = app.create_module(&vk::ShaderModuleCreateInfo { p_next: next(&first), ..code.info() });
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let [Event::Module { words, next: chain, .. }] = &events[..] else { panic!("{events:?}") };
    assert_eq!((bindings(words), *chain), (FIRST.1.to_vec(), 0));
    let mut pipeline = compute_pipeline(module).layout(layout);
    assert_eq!(create(&app, &pipeline), [0; 0], "the module is right already");
    pipeline.stage.p_next = next(&second);
    assert_eq!(create(&app, &pipeline), SECOND.1);
    // The same code without the structure is a placeholder, because by registers two resources have
    // one binding.
    assert_eq!(bindings(&app.words_of(&fixture(SHADER))), [0; 0]);
}

/// Code in the chain of a stage has the structure before it or behind it.
#[test]
fn chained_code_has_a_root_signature() {
    let (app, layout) = app();
    let code = ShaderCode::new(&fixture(SHADER));
    let behind = info(FIRST.0);
    let module = vk::ShaderModuleCreateInfo { p_next: next(&behind), ..code.info() };
    let plain = code.info();
    let before = RootSignatureInfo { p_next: next(&plain), ..info(SECOND.0) };
    for (chain, expected) in [(next(&module), FIRST.1), (next(&before), SECOND.1)] {
        let stage = chained_stage(vk::ShaderStageFlags::COMPUTE, chain, c"main");
        let pipeline = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        assert_eq!(create(&app, &pipeline), expected);
    }
}

/// SPIR-V of the application has no root signature, and nothing below the layer sees the structure.
#[test]
fn spirv_loses_the_structure_only() {
    let (app, layout) = app();
    let first = info(FIRST.0);
    let code =
        ShaderCode::new(&dxil_layer_loaderless::SPIRV.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
    // A root signature that cannot be read does not matter to a module without DXIL.
    let unread = info("no root signature");
    let [_, module] = [&unread, &first].map(|given| {
        let (result, module) = app.create_module(&vk::ShaderModuleCreateInfo { p_next: next(given), ..code.info() });
        assert_eq!(result.as_raw(), 0);
        let events = app.events();
        assert!(matches!(events[..], [Event::Module { next: 0, .. }]), "{events:?}");
        module
    });
    let mut pipeline = compute_pipeline(module).layout(layout);
    (pipeline.p_next, pipeline.stage.p_next) = (next(&first), next(&first));
    assert_eq!(create(&app, &pipeline), [0; 0]);
}

#[test]
fn what_cannot_be_used_is_reported() {
    let (app, layout) = app();
    let module = app.module(&fixture(SHADER));
    let wrong = info("CBV(t0)");
    let mut pipeline = compute_pipeline(module).layout(layout);
    pipeline.p_next = next(&wrong);
    let refused = |pipeline: &vk::ComputePipelineCreateInfo<'_>| {
        assert!(app.compute(&[*pipeline]).0.as_raw() < 0);
        app.message()
    };
    let text = refused(&pipeline);
    assert!(text.contains("DxilRootSignatureInfo::pGlobal: ") && text.contains("CBV"), "{text}");
    // A structure of unknown size cannot be copied, so the layer's has to precede it.
    let first = info(FIRST.0);
    let unknown = vk::BaseInStructure {
        s_type: vk::StructureType::from_raw(0x7ead_beef),
        p_next: next(&first).cast(),
        ..Default::default()
    };
    pipeline.p_next = next(&unknown);
    let text = refused(&pipeline);
    assert!(text.contains("chain DxilRootSignatureInfo before that structure"), "{text}");
    let code = ShaderCode::new(&fixture(SHADER));
    let (result, _) = app.create_module(&vk::ShaderModuleCreateInfo { p_next: next(&wrong), ..code.info() });
    assert!(result == vk::Result::ERROR_INVALID_SHADER_NV);
    assert!(app.message().contains("DxilRootSignatureInfo::pGlobal"));
}

/// The stages of a pipeline have one root signature.
#[test]
fn stages_agree_on_a_root_signature() {
    use vk::ShaderStageFlags as S;
    let app = App::with_messages([]);
    let names = [
        (S::VERTEX, "graphics/half_interpolants.vs.dxil", c"vs_main"),
        (S::FRAGMENT, "graphics/half_interpolants.ps.dxil", c"ps_main"),
    ];
    let given = ["RootFlags(0)", "CBV(b9)"].map(info);
    for (second, works) in [(0, true), (1, false)] {
        let mut stages =
            names.map(|(flag, name, entry)| dxil_layer_loaderless::stage(flag, app.module(&fixture(name)), entry));
        (stages[0].p_next, stages[1].p_next) = (next(&given[0]), next(&given[second]));
        let render_pass = dxil_layer_loaderless::handle(7);
        let pipeline = vk::GraphicsPipelineCreateInfo { render_pass, ..Default::default() }.stages(&stages);
        let result = app.graphics(&[pipeline]).0.as_raw();
        let messages = app.fake_instance().messages();
        assert_eq!(result == 0, works, "{messages:?}");
        let reported = messages.iter().any(|(_, text)| text.contains("the stages have different root signatures"));
        assert_eq!(reported, !works, "{messages:?}");
    }
}

/// The local root signature of a stage, or of all stages of a pipeline.
#[test]
fn shader_records_have_local_root_signatures() {
    let app = App::with_rays(Config::default(), &InstanceRequest::new([]).with_messages());
    let module = app.module(&fixture("rays/record_constants.dxil"));
    let text = "RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants=15, b0, space=1), \
                RootConstants(num32BitConstants=6, b1, space=1)";
    let local = RootSignatureInfo { global: ptr::null(), local: text.as_ptr(), local_size: text.len(), ..info("") };
    let layout = app.layout(&[binding(0, vk::DescriptorType::STORAGE_BUFFER)]);
    let create = |of_stage: bool, of_pipeline: bool| {
        let mut stage = dxil_layer_loaderless::stage(vk::ShaderStageFlags::CALLABLE_KHR, module, c"pick");
        stage.p_next = if of_stage { next(&local) } else { ptr::null() };
        let stages = [stage];
        let mut info = vk::RayTracingPipelineCreateInfoKHR::default().stages(&stages).layout(layout);
        info.p_next = if of_pipeline { next(&local) } else { ptr::null() };
        app.events();
        let result = app.rays(&[info]).0;
        let messages = app.fake_instance().messages();
        let has_records = app.words().iter().any(|words| {
            // OpVariable (59) in the storage class ShaderRecordBufferKHR (5343).
            instructions(words).any(|instruction| instruction[0] & 0xffff == 59 && instruction[3] == 5343)
        });
        (result.as_raw() == 0, has_records, messages)
    };
    for (of_stage, of_pipeline) in [(true, false), (false, true)] {
        let (works, has_records, messages) = create(of_stage, of_pipeline);
        assert!(works && has_records, "{messages:?}");
    }
    let (works, _, messages) = create(false, false);
    assert!(!works && !messages.is_empty());
}

/// The key of a pipeline is that of the code that its root signature gives.
#[test]
fn a_key_depends_on_the_root_signature() {
    type Key = unsafe extern "system" fn(vk::Device, *const c_void, *mut c_void) -> vk::Result;
    let (app, layout) = app();
    let module = app.module(&fixture(SHADER));
    for (text, expected) in [FIRST, SECOND] {
        let given = info(text);
        let mut pipeline = compute_pipeline(module).layout(layout);
        pipeline.p_next = next(&given);
        // `VkPipelineCreateInfoKHR`, whose chain has the create info.
        let nested: [*const c_void; 2] = [ptr::without_provenance(1_000_483_007), next(&pipeline)];
        // SAFETY: the command's own type; valid arguments.
        let result = unsafe {
            let key: Key = app.typed(c"vkGetPipelineKeyKHR");
            key(app.device, nested.as_ptr().cast(), ptr::null_mut())
        };
        assert_eq!(result.as_raw(), 0, "{:?}", app.fake_instance().messages());
        assert_eq!(app.words().iter().map(|words| bindings(words)).collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn shader_objects_have_root_signatures() {
    let (app, _) = app();
    let sets = [app.set_layout(&[
        binding(FIRST.1[0], vk::DescriptorType::UNIFORM_BUFFER),
        binding(FIRST.1[1], vk::DescriptorType::STORAGE_BUFFER),
    ])];
    app.events();
    let code = ShaderCode::new(&fixture(SHADER));
    let object = vk::ShaderCreateInfoEXT {
        stage: vk::ShaderStageFlags::COMPUTE,
        code_type: vk::ShaderCodeTypeEXT::SPIRV,
        code_size: code.bytes,
        p_code: code.words.as_ptr().cast(),
        p_name: c"main".as_ptr(),
        ..vk::ShaderCreateInfoEXT::default().set_layouts(&sets)
    };
    // Without a root signature the layout has no binding for the shader.
    assert!(app.shaders(&[object]).0.as_raw() < 0);
    assert!(app.events().is_empty());
    let first = info(FIRST.0);
    let given = vk::ShaderCreateInfoEXT { p_next: next(&first), ..object };
    // SPIR-V has no use for it, and the driver does not see it either.
    let spirv = ShaderCode::new(
        &app.words_of(&fixture("arithmetic/casts.dxil")).iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>(),
    );
    app.events();
    let plain = vk::ShaderCreateInfoEXT { code_size: spirv.bytes, p_code: spirv.words.as_ptr().cast(), ..given };
    for infos in [&[given, plain][..], &[plain]] {
        assert_eq!(app.shaders(infos).0.as_raw(), 0, "{:?}", app.fake_instance().messages());
        let events = app.events();
        let [Event::Shaders { shaders, .. }] = &events[..] else { panic!("{events:?}") };
        assert_eq!(shaders.len(), infos.len());
        assert!(shaders.iter().all(|shader| shader.chain.is_empty()), "the structure is not forwarded");
        if infos.len() == 2 {
            let words: Vec<u32> =
                shaders[0].code.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
            assert_eq!(bindings(&words), FIRST.1);
        }
    }
    // Linked shader objects have one root signature, like the stages of a pipeline.
    let second = info(SECOND.0);
    let linked = |p_next| vk::ShaderCreateInfoEXT { flags: vk::ShaderCreateFlagsEXT::LINK_STAGE, p_next, ..object };
    app.fake_instance().messages();
    assert!(app.shaders(&[linked(next(&first)), linked(next(&second))]).0.as_raw() < 0);
    assert!(app.message().contains("the stages have different root signatures"));
}
