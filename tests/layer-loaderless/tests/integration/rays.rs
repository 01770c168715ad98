//! Tests of ray-tracing pipelines: what the driver gets for the stages that are DXIL, and what
//! stays as the application passed it.

use dxil_test_support::spirv::string;
use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;
use ash::vk::{Handle, ShaderStageFlags as S};
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, RaysSeen, SPIRV, ShaderCode, StageSeen, Unknown, aligned, below,
    chained_stage, generation_bindings, generation_stage, handle, instructions, next, shader, stage,
};

const UNKNOWN: vk::Result = vk::Result::ERROR_UNKNOWN;
const INVALID: vk::Result = vk::Result::ERROR_INVALID_SHADER_NV;
/// A library of ray-generation shaders: `generate_first` uses `u0`, `generate_second` `u1`,
/// `generate_both` both.
const LIBRARY: &str = "rays.generate.dxil";
/// A library with the single export `generate_alone`.
const ALONE: &str = "rays.alone.dxil";
/// A library of its own, whose `generate_first` is another one.
const OTHER: &str = "rays.other.dxil";

fn app() -> App {
    let request = InstanceRequest::new([(c"register_shifts", c"b=0,t=100,u=200,s=300,c=1000")]).with_messages();
    App::with_rays(Config::default(), &request)
}

/// A layout with `u0` and `u1`, for the stages of rays.
fn layout(app: &App) -> vk::PipelineLayout {
    let layout = app.layout(&generation_bindings());
    app.events();
    layout
}

/// A stage without a module.
fn chained(next: *const c_void, name: &'static CStr) -> vk::PipelineShaderStageCreateInfo<'static> {
    chained_stage(S::RAYGEN_KHR, next, name)
}

fn pipeline<'a>(
    stages: &'a [vk::PipelineShaderStageCreateInfo<'a>],
    layout: vk::PipelineLayout,
) -> vk::RayTracingPipelineCreateInfoKHR<'a> {
    vk::RayTracingPipelineCreateInfoKHR::default().stages(stages).layout(layout).base_pipeline_index(-1)
}

/// The only creation of ray-tracing pipelines among the events: its create infos' address, its
/// pipelines, the modules that were made before it with their words, and those destroyed after it.
#[expect(clippy::type_complexity, reason = "taken apart at once")]
fn call(events: &[Event]) -> (usize, &[RaysSeen], Vec<(u64, &[u32])>, Vec<u64>) {
    let mut call = None;
    let (mut made, mut destroyed) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::RayTracing { infos, pipelines, .. } => {
                assert!(call.is_none(), "one call down");
                assert!(destroyed.is_empty(), "no module is destroyed before the call");
                call = Some((*infos, pipelines.as_slice()));
            }
            Event::Module { handle, words, .. } => made.push((*handle, words.as_slice())),
            Event::DestroyModule(handle) => destroyed.push(*handle),
            other => panic!("{other:?}"),
        }
    }
    let (infos, pipelines) = call.expect("a creation of ray-tracing pipelines");
    (infos, pipelines, made, destroyed)
}

/// The names of a module's entry points, with their execution models.
fn entry_points(words: &[u32]) -> Vec<(u32, String)> {
    assert_eq!(words[0], 0x0723_0203);
    let points = instructions(words).filter(|instruction| instruction[0] & 0xffff == 15);
    points.map(|instruction| (instruction[1], string(&instruction[3..]))).collect()
}

/// RayGenerationKHR.
const GENERATION: u32 = 5313;

/// Asserts that a stage went down with SPIR-V of this entry point, by its name there.
fn assert_is(stage: &StageSeen, words: &[u32], entry: &str) {
    let points = entry_points(words);
    assert_eq!(points.len(), 1, "one entry point");
    assert_eq!(points[0].0, GENERATION);
    assert_eq!(stage.name.to_str().unwrap(), points[0].1, "pName is the name in SPIR-V");
    assert!(points[0].1.contains(entry), "{points:?} is not {entry}");
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    assert!(!bytes.windows(4).any(|w| w == b"DXBC"), "no DXIL goes down");
}

/// Three groups that refer to stages in mixed order.
fn groups(replay: &u64) -> [vk::RayTracingShaderGroupCreateInfoKHR<'static>; 3] {
    let group = vk::RayTracingShaderGroupCreateInfoKHR {
        ty: vk::RayTracingShaderGroupTypeKHR::GENERAL,
        general_shader: 4,
        closest_hit_shader: vk::SHADER_UNUSED_KHR,
        any_hit_shader: vk::SHADER_UNUSED_KHR,
        intersection_shader: vk::SHADER_UNUSED_KHR,
        p_shader_group_capture_replay_handle: ptr::from_ref(replay).cast(),
        ..Default::default()
    };
    let triangles = vk::RayTracingShaderGroupCreateInfoKHR {
        ty: vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP,
        general_shader: vk::SHADER_UNUSED_KHR,
        closest_hit_shader: 3,
        ..group
    };
    [group, triangles, vk::RayTracingShaderGroupCreateInfoKHR { general_shader: 0, ..group }]
}

/// Asserts that the stages that are DXIL went down as modules of the call, or in the chain.
fn assert_dxil_stages(seen: &RaysSeen, stages: &[vk::PipelineShaderStageCreateInfo<'_>], made: &[(u64, &[u32])]) {
    let words_of = |module: u64| made.iter().find(|(handle, _)| *handle == module).expect("a module of this call").1;
    for (index, entry) in [(0, "generate_second"), (4, "generate_alone"), (5, "generate_both")] {
        let stage = &seen.stages[index];
        assert_ne!(stage.module, stages[index].module.as_raw());
        assert_is(stage, words_of(stage.module), entry);
    }
    assert_eq!(seen.stages[1].module, 0, "code in the chain is replaced there");
    assert_is(&seen.stages[1], seen.stages[1].chained_words.as_ref().unwrap(), "generate_first");
}

#[test]
fn stages_of_every_structure_are_replaced_and_nothing_else_changes() {
    let app = app();
    let layout = layout(&app);
    let library = shader(LIBRARY);
    let code = ShaderCode::new(&library);
    let in_chain = code.info();
    let unknown = Unknown::before(ptr::null());
    let behind = Unknown::before(next(&in_chain));
    let spirv_in_chain = vk::ShaderModuleCreateInfo::default().code(&SPIRV);
    let identifier = vk::PipelineShaderStageModuleIdentifierCreateInfoEXT {
        identifier_size: 3,
        p_identifier: b"abc".as_ptr(),
        ..Default::default()
    };
    let stages = [
        generation_stage(app.module(&library), c"generate_second"),
        chained(next(&in_chain), c"generate_first"),
        vk::PipelineShaderStageCreateInfo {
            p_next: unknown.as_next(),
            ..stage(S::MISS_KHR, handle(0x77), c"whatever")
        },
        vk::PipelineShaderStageCreateInfo { stage: S::CLOSEST_HIT_KHR, ..chained(next(&spirv_in_chain), c"hit") },
        // A library with one export answers to `main`.
        generation_stage(app.module(&shader(ALONE)), c"main"),
        chained(behind.as_next(), c"generate_both"),
        vk::PipelineShaderStageCreateInfo { stage: S::CALLABLE_KHR, ..chained(next(&identifier), c"call") },
    ];
    let replay = 7u64;
    let groups = groups(&replay);
    let interface = vk::RayTracingPipelineInterfaceCreateInfoKHR::default().max_pipeline_ray_payload_size(16);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default();
    let library_info = vk::PipelineLibraryCreateInfoKHR::default();
    let infos = [vk::RayTracingPipelineCreateInfoKHR {
        p_next: unknown.as_next(),
        ..pipeline(&stages, layout)
            .groups(&groups)
            .max_pipeline_ray_recursion_depth(3)
            .library_info(&library_info)
            .library_interface(&interface)
            .dynamic_state(&dynamic)
            .flags(vk::PipelineCreateFlags::RAY_TRACING_NO_NULL_MISS_SHADERS_KHR)
    }];
    let (result, pipelines) = app.rays(&infos);
    assert_eq!(result.as_raw(), 0);
    assert!(!pipelines[0].is_null());
    let events = app.events();
    let (at, seen, made, destroyed) = call(&events);
    assert_ne!(at, infos.as_ptr() as usize);
    let [seen] = seen else { panic!("one pipeline") };

    // The number and order of the stages, and everything that is not code.
    assert_eq!(seen.stages.len(), stages.len());
    for (seen, given) in seen.stages.iter().zip(&stages) {
        assert_eq!(seen.stage, given.stage.as_raw());
    }
    assert_eq!(seen.groups_at, groups.as_ptr() as usize);
    let shaders: Vec<_> = seen.groups.iter().map(|group| group.3).collect();
    let unused = vk::SHADER_UNUSED_KHR;
    let general = |stage| [stage, unused, unused, unused];
    assert_eq!(shaders, [general(4), [unused, 3, unused, unused], general(0)]);
    assert!(seen.groups.iter().all(|group| group.4 == ptr::from_ref(&replay) as usize));
    assert_eq!(seen.next, unknown.as_next() as usize);
    assert_eq!(seen.others, [next(&library_info), next(&interface), next(&dynamic)].map(|p| p as usize));
    assert_eq!(seen.layout, layout.as_raw());
    assert_eq!(seen.flags, infos[0].flags.as_raw());

    assert_dxil_stages(seen, &stages, &made);
    assert_eq!(destroyed, made.iter().map(|(handle, _)| *handle).collect::<Vec<_>>());
    assert_eq!(made.len(), 3);

    // The stages with SPIR-V.
    assert_eq!((seen.stages[2].module, seen.stages[2].name.as_c_str()), (0x77, c"whatever"));
    assert_eq!(seen.stages[2].chain, [(0x7ead_beef, unknown.as_next() as usize)]);
    assert_eq!(seen.stages[3].chain[0].1, ptr::from_ref(&spirv_in_chain) as usize);
    assert_eq!(seen.stages[3].chained_words.as_deref(), Some(&SPIRV[..]));
    assert_eq!(seen.stages[6].chain[0].1, ptr::from_ref(&identifier) as usize);
    // The application's memory.
    assert_eq!(in_chain.p_code, code.words.as_ptr());
    assert!(stages[1].module.is_null() && stages[5].module.is_null());
}

#[test]
fn an_export_is_named_by_its_mangled_name_too() {
    let app = app();
    let layout = layout(&app);
    let module = app.module(&shader(LIBRARY));
    let mut words = Vec::new();
    for name in [c"generate_first", c"?generate_first@@YAXXZ"] {
        let stages = [generation_stage(module, name)];
        assert_eq!(app.rays(&[pipeline(&stages, layout)]).0.as_raw(), 0, "{name:?}");
        let events = app.events();
        let (_, seen, made, _) = call(&events);
        assert_is(&seen[0].stages[0], made[0].1, "generate_first");
        words.push(made[0].1.to_vec());
    }
    assert_eq!(words[0], words[1]);
}

#[test]
fn spirv_goes_down_by_the_same_pointers() {
    let app = app();
    let stages = [stage(S::RAYGEN_KHR, handle(0x77), c"main")];
    let infos = [pipeline(&stages, handle(3)), pipeline(&[], handle(3))];
    let mut out = [handle(0xbad); 2];
    let operation = handle(0x5);
    let result = app.rays_into(operation, &infos, None, &mut out);
    assert!(result == vk::Result::OPERATION_NOT_DEFERRED_KHR, "success codes are passed on unchanged");
    let events = app.events();
    let [Event::RayTracing { operation: seen, infos: at, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((*seen, *at), (operation.as_raw(), infos.as_ptr() as usize));
}

#[test]
fn pipelines_of_nv_are_substituted_too() {
    let app = app();
    let layout = layout(&app);
    let module = app.module(&shader(LIBRARY));
    let stages = [generation_stage(module, c"generate_first"), stage(S::MISS_KHR, handle(0x77), c"miss")];
    let group = vk::RayTracingShaderGroupCreateInfoNV {
        ty: vk::RayTracingShaderGroupTypeKHR::GENERAL,
        general_shader: 1,
        ..Default::default()
    };
    let groups = [group, vk::RayTracingShaderGroupCreateInfoNV { general_shader: 0, ..group }];
    let good = vk::RayTracingPipelineCreateInfoNV::default().stages(&stages).groups(&groups).layout(layout);
    let (result, pipelines) = app.rays_nv(&[good]);
    assert_eq!(result.as_raw(), 0);
    assert!(!pipelines[0].is_null());
    let events = app.events();
    let (_, seen, made, destroyed) = call(&events);
    assert_is(&seen[0].stages[0], made[0].1, "generate_first");
    assert_eq!(seen[0].stages[1].module, 0x77);
    assert_eq!(seen[0].groups_at, groups.as_ptr() as usize);
    assert_eq!(destroyed.len(), 1);
    // This command has a code for it.
    let stages = [generation_stage(module, c"nothing")];
    let bad = vk::RayTracingPipelineCreateInfoNV::default().stages(&stages).layout(layout);
    let (result, pipelines) = app.rays_nv(&[bad, good]);
    assert!(result == INVALID);
    assert_eq!(pipelines.iter().map(|p| p.is_null()).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_refused_pipeline_fails_alone() {
    let app = app();
    let layout = layout(&app);
    let module = app.module(&shader(LIBRARY));
    let spirv = [stage(S::RAYGEN_KHR, handle(0x77), c"main")];
    let bad = [generation_stage(module, c"generate_nothing")];
    let good = [generation_stage(module, c"generate_first")];
    let derived = |base: i32| {
        let flags = vk::PipelineCreateFlags::DERIVATIVE;
        pipeline(&good, layout).flags(flags).base_pipeline_index(base)
    };
    // The third pipeline derives from the first, and the fourth from the one that fails.
    let infos = [pipeline(&spirv, layout), pipeline(&bad, layout), derived(0), derived(1)];
    // A deferral is requested, and the failure is returned immediately: the others are not
    // deferred.
    for operation in [0, 5] {
        let mut out = [handle(0xbad); 4];
        let result = app.rays_into(handle(operation), &infos, None, &mut out);
        assert!(result == UNKNOWN);
        assert_eq!(out.iter().map(|p| p.is_null()).collect::<Vec<_>>(), [false, true, false, false]);
        assert!(out.iter().all(|p| p.as_raw() != 0xbad));
        let events = app.events();
        let (_, seen, made, destroyed) = call(&events);
        assert!(events.iter().any(|event| matches!(event, Event::RayTracing { operation: 0, .. })));
        let derivative = vk::PipelineCreateFlags::DERIVATIVE.as_raw();
        let bases: Vec<_> = seen.iter().map(|p| (p.base_index, p.flags & derivative != 0)).collect();
        assert_eq!(bases, [(-1, false), (0, true), (-1, false)]);
        assert_eq!(seen[1].stages[0].module, seen[2].stages[0].module, "one translation, one module");
        assert_eq!((made.len(), destroyed.len()), (1, 1));
        let text = app.message();
        assert!(text.starts_with("pipeline 1 is not created"), "{text}");
        for export in ["`generate_nothing`", "generate_first", "generate_second", "generate_both"] {
            assert!(text.contains(export), "{export}: {text}");
        }
    }
}

#[test]
fn an_entry_of_another_stage_is_refused() {
    let app = app();
    let layout = layout(&app);
    let library = app.module(&shader(LIBRARY));
    let compute = app.module(&dxil_layer_loaderless::fixture("buffer/raw_read_write.dxil"));
    let kinds = ["VK_SHADER_STAGE_RAYGEN_BIT_KHR", "VK_SHADER_STAGE_COMPUTE_BIT", "VK_SHADER_STAGE_MISS_BIT_KHR"];
    let cases =
        [(stage(S::MISS_KHR, library, c"generate_first"), [0, 2]), (stage(S::RAYGEN_KHR, compute, c"main"), [1, 0])];
    for (stage, [entry, asked]) in cases {
        let (result, pipelines) = app.rays(&[pipeline(&[stage], layout)]);
        assert!(result == UNKNOWN);
        assert!(pipelines[0].is_null());
        assert_eq!(app.events(), []);
        let messages = app.fake_instance().messages();
        let expected = format!("the stage {} was given an entry point of {}", kinds[asked], kinds[entry]);
        assert!(messages[0].1.contains(&expected), "{messages:?}");
    }
}

#[test]
fn garbage_in_a_chain_fails_its_pipeline_alone() {
    let app = app();
    let garbage = aligned(b"DXBC and nothing");
    let garbage = vk::ShaderModuleCreateInfo { code_size: 16, p_code: garbage.as_ptr(), ..Default::default() };
    let bad = [stage(S::MISS_KHR, handle(0x77), c"miss"), chained(next(&garbage), c"main")];
    let good = [stage(S::RAYGEN_KHR, handle(0x77), c"main")];
    let infos = [pipeline(&bad, handle(3)), pipeline(&good, handle(3))];
    let (result, pipelines) = app.rays(&infos);
    assert!(result == UNKNOWN);
    assert_eq!(pipelines.iter().map(|p| p.is_null()).collect::<Vec<_>>(), [true, false]);
    let events = app.events();
    let (_, seen, ..) = call(&events);
    assert!(seen.iter().flat_map(|p| &p.stages).all(|s| s.chained_words.is_none()), "no DXIL went down");
    // Without another pipeline, there is no call down.
    assert!(app.rays(&infos[..1]).0 == UNKNOWN);
    assert_eq!(app.events(), []);
}

#[test]
fn early_return_stops_at_the_failure() {
    let app = app();
    let layout = layout(&app);
    let module = app.module(&shader(LIBRARY));
    let bad = [generation_stage(module, c"nothing")];
    let good = [generation_stage(module, c"generate_first")];
    let early = vk::PipelineCreateFlags::EARLY_RETURN_ON_FAILURE;
    let infos = [pipeline(&good, layout), pipeline(&bad, layout).flags(early), pipeline(&good, layout)];
    let (result, pipelines) = app.rays(&infos);
    assert!(result == UNKNOWN);
    assert_eq!(pipelines.iter().map(|p| p.is_null()).collect::<Vec<_>>(), [false, true, true]);
}

#[test]
fn who_forbids_compilation_gets_what_is_cached() {
    let request = InstanceRequest::new([(c"compile_required", c"strict"), (c"register_shifts", c"u=200")]);
    let app = App::with_rays(Config::default(), &request.with_messages());
    let layout = layout(&app);
    // No other test of this process translates this library.
    let library = shader(OTHER);
    let code = ShaderCode::new(&library);
    let in_chain = code.info();
    let stages = [chained(next(&in_chain), c"generate_first")];
    let flags = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
    let forbidden = [pipeline(&stages, layout).flags(flags)];
    let compile_required = vk::Result::PIPELINE_COMPILE_REQUIRED;
    let (result, pipelines) = app.rays(&forbidden);
    assert!(result == compile_required && pipelines[0].is_null());
    // Nor is a parsed library enough.
    app.module(&library);
    assert!(app.rays(&forbidden).0 == compile_required);
    assert_eq!(app.events(), []);
    assert_eq!(app.rays(&[pipeline(&stages, layout)]).0.as_raw(), 0);
    app.events();
    assert_eq!(app.rays(&forbidden).0.as_raw(), 0);
}

#[test]
fn there_is_no_feedback_about_what_does_not_go_down() {
    let app = app();
    let layout = layout(&app);
    let module = app.module(&shader(LIBRARY));
    let (bad, good) = ([generation_stage(module, c"nothing")], [generation_stage(module, c"generate_first")]);
    let stale = vk::PipelineCreationFeedback { flags: vk::PipelineCreationFeedbackFlags::VALID, duration: 3 };
    let (mut of_pipelines, mut of_stages) = ([stale; 2], [[stale; 1]; 2]);
    let [first, second] = &mut of_pipelines;
    let [stage_of_first, stage_of_second] = &mut of_stages;
    let mut of_bad = vk::PipelineCreationFeedbackCreateInfo::default()
        .pipeline_creation_feedback(first)
        .pipeline_stage_creation_feedbacks(stage_of_first);
    let mut of_good = vk::PipelineCreationFeedbackCreateInfo::default()
        .pipeline_creation_feedback(second)
        .pipeline_stage_creation_feedbacks(stage_of_second);
    let good_at = ptr::from_ref(&of_good) as usize;
    let infos = [pipeline(&bad, layout).push_next(&mut of_bad), pipeline(&good, layout).push_next(&mut of_good)];
    assert!(app.rays(&infos).0 == UNKNOWN);
    let events = app.events();
    assert_eq!(call(&events).1[0].next, good_at, "the driver's feedback is the application's");
    let valid = |feedback: &vk::PipelineCreationFeedback| !feedback.flags.is_empty();
    assert_eq!(of_pipelines.each_ref().map(valid), [false, true]);
    assert_eq!(of_stages.each_ref().map(|stages| valid(&stages[0])), [false, true]);
}

#[test]
fn a_pipeline_is_linked_from_libraries_of_both_languages() {
    let app = app();
    let layout = layout(&app);
    let dxil = |name: &str, entry: &'static CStr| [generation_stage(app.module(&shader(name)), entry)];
    let parts =
        [dxil(LIBRARY, c"generate_both"), dxil(ALONE, c"generate_alone"), [stage(S::MISS_KHR, handle(0x77), c"miss")]];
    let interface = vk::RayTracingPipelineInterfaceCreateInfoKHR::default();
    let library = vk::PipelineCreateFlags::LIBRARY_KHR;
    let infos = parts.each_ref().map(|stages| pipeline(stages, layout).flags(library).library_interface(&interface));
    let (result, libraries) = app.rays(&infos);
    assert_eq!(result.as_raw(), 0);
    let events = app.events();
    let (_, seen, made, _) = call(&events);
    for (index, entry) in ["generate_both", "generate_alone"].into_iter().enumerate() {
        assert_is(&seen[index].stages[0], made[index].1, entry);
        assert_eq!(seen[index].flags, library.as_raw());
    }
    assert_eq!(seen[2].stages[0].module, 0x77);
    // A pipeline of libraries alone has no stages, and Vulkan does not read the arrays.
    let list = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
    let mut linked = pipeline(&[], layout).library_info(&list).library_interface(&interface);
    linked.p_stages = ptr::without_provenance(8);
    linked.p_groups = ptr::without_provenance(8);
    let linked = [linked];
    assert_eq!(app.rays(&linked).0.as_raw(), 0);
    let events = app.events();
    let (at, seen, made, _) = call(&events);
    assert_eq!((at, made.len()), (linked.as_ptr() as usize, 0));
    assert_eq!(seen[0].others[0], ptr::from_ref(&list) as usize);
    // One with a stage of its own.
    let stages = dxil(LIBRARY, c"generate_first");
    let own = pipeline(&stages, layout).library_info(&list).library_interface(&interface);
    assert_eq!(app.rays(&[own]).0.as_raw(), 0);
    let events = app.events();
    let (_, seen, made, _) = call(&events);
    assert_is(&seen[0].stages[0], made[0].1, "generate_first");
    assert_eq!(seen[0].others[0], ptr::from_ref(&list) as usize);
}

#[test]
fn commands_about_groups_are_the_drivers_own() {
    let app = app();
    for name in [
        c"vkGetRayTracingShaderGroupHandlesKHR",
        c"vkGetRayTracingShaderGroupHandlesNV",
        c"vkGetRayTracingCaptureReplayShaderGroupHandlesKHR",
        c"vkGetRayTracingShaderGroupStackSizeKHR",
        c"vkCmdTraceRaysKHR",
        c"vkCmdTraceRaysNV",
        c"vkCreateDeferredOperationKHR",
    ] {
        // SAFETY: the fake has created the device.
        let below = unsafe { below(app.device, name) };
        assert!(below.is_some());
        assert_eq!(app.device_command(name).map(|f| f as usize), below.map(|f| f as usize), "{name:?}");
    }
}

#[test]
fn a_device_without_the_feature_is_told_its_name() {
    let app = App::with_messages([(c"register_shifts", c"u=200")]);
    let layout = layout(&app);
    let stages = [generation_stage(app.module(&shader(LIBRARY)), c"generate_first")];
    assert!(app.rays(&[pipeline(&stages, layout)]).0 == UNKNOWN);
    assert_eq!(app.events(), []);
    let messages = app.fake_instance().messages();
    let expected = "VkPhysicalDeviceRayTracingPipelineFeaturesKHR::rayTracingPipeline";
    assert!(messages[0].1.contains(expected), "{messages:?}");
}
