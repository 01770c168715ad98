//! Ray-tracing pipelines and shader objects in a capture.

use std::ptr;

use ash::vk;
use ash::vk::ShaderStageFlags as S;
use dxil_capture::Digest;
use dxil_capture::digest::Bytes;
use dxil_capture::model::{
    Chain, Code, Command, Constant, Group, Interface, Pipeline, PipelineLayout, PushRange, Stage,
};
use dxil_layer_loaderless::{
    App, Config, Deferral, InstanceRequest, SPIRV, ShaderCode, TempFolder, Unknown, aligned, chained_stage, fixture,
    generation_bindings, generation_stage, handle, next, shader,
};

use super::{SHADER, buffers, lost, records, spirv};

/// A library of ray-generation shaders.
const LIBRARY: &str = "rays.generate.dxil";

fn request(folder: &TempFolder) -> InstanceRequest {
    let settings = vec![folder.setting(c"capture_dir"), (c"register_shifts", c"b=0,t=100,u=200,s=300,c=1000")];
    InstanceRequest::new(settings)
}

fn expected_stage(name: &str, code: Code) -> Stage {
    Stage {
        stage: 0x100,
        flags: 0,
        code,
        entry: name.into(),
        constants: Vec::new(),
        next_stages: None,
        layout: None,
        chain: Chain::default(),
    }
}

#[test]
fn a_ray_tracing_pipeline_and_its_library() {
    let folder = TempFolder::new("capture-rays");
    let app = App::with_rays(Config::default(), &request(&folder));
    let unknown = Unknown::before(ptr::null());
    let layout = app.layout(&generation_bindings());
    // Code in the chain of the stage: two stages share it.
    let blob = shader(LIBRARY);
    let code = ShaderCode::new(&blob);
    let code = code.info();
    let chained = |name| chained_stage(S::RAYGEN_KHR, next(&code), name);
    let group = |general, closest_hit| {
        vk::RayTracingShaderGroupCreateInfoKHR::default()
            .ty(vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP)
            .general_shader(general)
            .closest_hit_shader(closest_hit)
            .any_hit_shader(vk::SHADER_UNUSED_KHR)
            .intersection_shader(2)
    };
    let interface = vk::RayTracingPipelineInterfaceCreateInfoKHR::default()
        .max_pipeline_ray_payload_size(48)
        .max_pipeline_ray_hit_attribute_size(8);
    let states = [vk::DynamicState::RAY_TRACING_PIPELINE_STACK_SIZE_KHR];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let stages = [chained(c"generate_first"), chained(c"generate_second")];
    let groups = [group(0, vk::SHADER_UNUSED_KHR), group(vk::SHADER_UNUSED_KHR, 1)];
    let info = vk::RayTracingPipelineCreateInfoKHR {
        p_next: unknown.as_next(),
        flags: vk::PipelineCreateFlags::LIBRARY_KHR,
        max_pipeline_ray_recursion_depth: 3,
        p_library_interface: &interface,
        ..vk::RayTracingPipelineCreateInfoKHR::default().stages(&stages).groups(&groups).layout(layout)
    }
    .dynamic_state(&dynamic);
    let (result, pipelines) = app.rays(&[info]);
    assert_eq!(result.as_raw(), 0);

    let code = Code::Dxil(Digest::new(&blob));
    let (name, record) = records(&folder).remove(0);
    let record_layout = record.pipeline.layout.clone().unwrap();
    let bindings: Vec<u32> =
        record_layout.sets[0].as_ref().unwrap().bindings.iter().map(|binding| binding.binding).collect();
    assert_eq!(bindings, [200, 201]);
    let expected_group =
        |general, closest_hit| Group { ty: 1, general, closest_hit, any_hit: None, intersection: Some(2) };
    let expected = Pipeline {
        command: Command::RayTracing,
        flags: 0x800,
        stages: vec![expected_stage("generate_first", code), expected_stage("generate_second", code)],
        layout: Some(record_layout),
        graphics: None,
        groups: vec![expected_group(Some(0), None), expected_group(None, Some(1))],
        max_recursion: Some(3),
        interface: Some(Interface { max_payload: 48, max_attributes: 8 }),
        dynamic: vec![1_000_347_000],
        libraries: Vec::new(),
        chain: lost(),
    };
    assert_eq!(record.pipeline, expected);
    assert!(record.requests.len() == 2 && record.requests.iter().all(Option::is_some));
    assert_ne!(record.requests[0], record.requests[1]);

    // A pipeline that has no stage of its own, and what it is linked with.
    let library = vk::PipelineLibraryCreateInfoKHR::default().libraries(&pipelines);
    let info = vk::RayTracingPipelineCreateInfoKHR::default().layout(layout).library_info(&library);
    assert_eq!(app.rays(&[info]).0.as_raw(), 0);
    let records = records(&folder);
    let (_, linked) = records.iter().find(|(_, record)| record.pipeline.stages.is_empty()).unwrap();
    assert_eq!((records.len(), &linked.pipeline.libraries), (2, &vec![Some(name)]));
    assert_eq!((linked.pipeline.interface, linked.pipeline.max_recursion), (None, Some(0)));
}

#[test]
fn a_library_that_the_driver_defers() {
    for (deferral, translated) in [(Deferral::AtJoin(1), true), (Deferral::AtJoin(1), false), (Deferral::Early, true)] {
        let folder = TempFolder::new(&format!("capture-deferred-{translated}-{}", deferral == Deferral::Early));
        let app = App::with_rays(Config { deferral, ..Config::default() }, &request(&folder));
        let code = if translated { shader(LIBRARY) } else { spirv() };
        let module = app.module(&code);
        let stages = [generation_stage(module, c"generate_first")];
        let library = [vk::RayTracingPipelineCreateInfoKHR::default()
            .stages(&stages)
            .layout(app.layout(&generation_bindings()))
            .flags(vk::PipelineCreateFlags::LIBRARY_KHR)];
        let operation = handle(0x77);
        let mut out = [vk::Pipeline::null()];
        assert!(app.rays_into(operation, &library, None, &mut out) == vk::Result::OPERATION_DEFERRED_KHR);
        while app.join(operation) != vk::Result::SUCCESS {}
        let name = records(&folder).remove(0).0;
        assert!(out[0] != vk::Pipeline::null());
        app.destroy_operation(operation);
        // Beside a stage that is DXIL in any case.
        let module = app.module(&shader(LIBRARY));
        let stages = [generation_stage(module, c"generate_both")];
        let libraries = vk::PipelineLibraryCreateInfoKHR::default().libraries(&out);
        let info = vk::RayTracingPipelineCreateInfoKHR::default()
            .stages(&stages)
            .layout(app.layout(&generation_bindings()))
            .library_info(&libraries);
        assert_eq!(app.rays(&[info]).0.as_raw(), 0);
        let records = records(&folder);
        let (_, linked) = records.iter().find(|(_, record)| !record.pipeline.libraries.is_empty()).unwrap();
        assert_eq!(linked.pipeline.libraries, [Some(name)]);
    }
}

#[test]
fn shader_objects_of_one_call() {
    let folder = TempFolder::new("capture-shaders");
    let app = App::with_request(Config::default(), &request(&folder));
    let unknown = Unknown::before(ptr::null());
    let (blob, words) = (fixture(SHADER), aligned(&fixture(SHADER)));
    let set = app.set_layout(&[]);
    let buffer = app.set_layout(&buffers());
    let sets = [buffer, set];
    let ranges = [vk::PushConstantRange { stage_flags: S::COMPUTE, offset: 4, size: 8 }];
    let data = [9u8, 8, 7, 6];
    let entries = [vk::SpecializationMapEntry { constant_id: 5, offset: 0, size: 4 }];
    let constants = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
    let info = |code: &[u32], size: usize, ty| vk::ShaderCreateInfoEXT {
        p_next: unknown.as_next(),
        flags: vk::ShaderCreateFlagsEXT::DISPATCH_BASE,
        stage: S::COMPUTE,
        next_stage: S::FRAGMENT,
        code_type: ty,
        code_size: size,
        p_code: code.as_ptr().cast(),
        p_name: c"main".as_ptr(),
        set_layout_count: 2,
        p_set_layouts: sets.as_ptr(),
        push_constant_range_count: 1,
        p_push_constant_ranges: ranges.as_ptr(),
        p_specialization_info: &constants,
        ..Default::default()
    };
    let (source, binary) = (vk::ShaderCodeTypeEXT::SPIRV, vk::ShaderCodeTypeEXT::BINARY);
    let infos = [info(&words, blob.len(), source), info(&SPIRV, 32, source), info(&words, blob.len(), binary)];
    // Without DXIL there is no record.
    assert_eq!(app.shaders(&infos[1..]).0.as_raw(), 0);
    assert!(!folder.path.exists());
    assert_eq!(app.shaders(&infos).0.as_raw(), 0);
    let (_, record) = records(&folder).remove(0);
    let codes = [Code::Dxil(Digest::new(&blob)), Code::Spirv(Digest::new(&spirv())), Code::Missing];
    assert_eq!((record.pipeline.command, record.pipeline.flags), (Command::ShaderObjects, 0));
    assert_eq!(record.pipeline.stages.len(), 3);
    for (stage, code) in record.pipeline.stages.iter().zip(codes) {
        let sets = stage.layout.as_ref().unwrap().sets.clone();
        let bindings: Vec<usize> = sets.iter().map(|set| set.as_ref().unwrap().bindings.len()).collect();
        assert_eq!(bindings, [2, 0]);
        let expected = Stage {
            stage: 0x20,
            flags: 0x10,
            code,
            entry: "main".into(),
            constants: vec![Constant { id: 5, value: Bytes(data.to_vec()) }],
            next_stages: Some(0x10),
            layout: Some(PipelineLayout {
                flags: 0,
                sets,
                push_ranges: vec![PushRange { stages: 0x20, offset: 4, size: 8 }],
                chain: Chain::default(),
            }),
            chain: lost(),
        };
        assert_eq!(*stage, expected);
    }
    assert_eq!(record.requests.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, false]);
}
