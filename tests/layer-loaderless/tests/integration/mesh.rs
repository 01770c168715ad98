//! Tests of mesh and amplification shaders in graphics pipelines: every structure with stages,
//! pipeline libraries, and what Vulkan ignores beside them.

use ash::vk;
use ash::vk::{Handle, ShaderStageFlags as S};
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, PipelineSeen, ShaderCode, binding, chained_stage, fixture, handle,
    instructions, next, shader, stale,
};

const INVALID: vk::Result = vk::Result::ERROR_INVALID_SHADER_NV;
/// An amplification shader with a payload; its entry point is `task_main`.
const TASK: &str = "mesh.task.dxil";
/// A mesh shader with that payload; its entry point is `mesh_main`.
const MESH: &str = "mesh.mesh.dxil";
/// A mesh shader without a payload; its entry point is `alone_main`.
const ALONE: &str = "mesh.alone.dxil";

/// TaskEXT and MeshEXT.
const MODELS: [(S, u32); 2] = [(S::TASK_EXT, 5364), (S::MESH_EXT, 5365)];

fn request() -> InstanceRequest {
    InstanceRequest::new([(c"register_shifts", c"u=200")]).with_messages()
}

fn app() -> App {
    let mut mesh = vk::PhysicalDeviceMeshShaderFeaturesEXT::default().mesh_shader(true).task_shader(true);
    let names = [c"VK_EXT_mesh_shader".as_ptr()];
    let info = vk::DeviceCreateInfo::default().enabled_extension_names(&names).push_next(&mut mesh);
    App::with(Config { extensions: &[c"VK_EXT_mesh_shader"], ..Config::default() }, &request(), &info).unwrap()
}

fn layout(app: &App) -> vk::PipelineLayout {
    let buffer = binding(200, vk::DescriptorType::STORAGE_BUFFER);
    let layout = app.layout(&[buffer.stage_flags(S::TASK_EXT | S::MESH_EXT)]);
    app.events();
    layout
}

fn stage(flag: S, module: vk::ShaderModule) -> vk::PipelineShaderStageCreateInfo<'static> {
    dxil_layer_loaderless::stage(flag, module, c"main")
}

/// A create info whose vertex input, input assembly and tessellation state cannot be read: Vulkan
/// ignores them beside a mesh shader (`VkGraphicsPipelineCreateInfo`).
fn pipeline<'a>(
    stages: &'a [vk::PipelineShaderStageCreateInfo<'a>],
    layout: vk::PipelineLayout,
) -> vk::GraphicsPipelineCreateInfo<'a> {
    vk::GraphicsPipelineCreateInfo {
        p_vertex_input_state: stale(),
        p_input_assembly_state: stale(),
        p_tessellation_state: stale(),
        render_pass: handle(7),
        layout,
        ..vk::GraphicsPipelineCreateInfo::default().stages(stages)
    }
}

/// The execution model of a module's only entry point.
fn model(words: &[u32]) -> u32 {
    instructions(words).find(|instruction| instruction[0] & 0xffff == 15).expect("an entry point")[1]
}

/// Creates a pipeline and returns it as it went down, with the words of the modules of this call.
fn create(app: &App, info: vk::GraphicsPipelineCreateInfo<'_>) -> (PipelineSeen, Vec<(u64, Vec<u32>)>) {
    let (result, pipelines) = app.graphics(&[info]);
    assert_eq!(result.as_raw(), 0, "{:?}", app.fake_instance().messages());
    assert!(!pipelines[0].is_null());
    let (mut seen, mut made) = (None, Vec::new());
    for event in app.events() {
        match event {
            Event::Pipelines { pipelines, .. } => seen = pipelines.into_iter().next(),
            Event::Module { handle, words, .. } => made.push((handle, words)),
            Event::DestroyModule(_) => {}
            other => panic!("{other:?}"),
        }
    }
    (seen.expect("a pipeline"), made)
}

#[test]
fn every_structure_can_have_mesh_stages() {
    let app = app();
    let layout = layout(&app);
    let mesh = shader(MESH);
    let code = ShaderCode::new(&mesh);
    let code = code.info();
    let chained = chained_stage(S::MESH_EXT, next(&code), c"main");
    let pre_rasterization = vk::GraphicsPipelineLibraryCreateInfoEXT::default()
        .flags(vk::GraphicsPipelineLibraryFlagsEXT::PRE_RASTERIZATION_SHADERS);
    let stages = [stage(S::TASK_EXT, app.module(&shader(TASK))), chained, stage(S::FRAGMENT, handle(0x77))];
    let library = vk::GraphicsPipelineCreateInfo {
        p_next: next(&pre_rasterization),
        flags: vk::PipelineCreateFlags::LIBRARY_KHR,
        ..pipeline(&stages[..2], layout)
    };
    for info in [pipeline(&stages, layout), library] {
        let (seen, made) = create(&app, info);
        assert_eq!(seen.stages.len(), info.stage_count as usize);
        for (index, name) in ["task_main", "mesh_main"].into_iter().enumerate() {
            assert_eq!(seen.stages[index].name.to_str().unwrap(), name);
        }
        for (seen, (flag, expected)) in seen.stages.iter().zip(MODELS) {
            assert_eq!(seen.stage, flag.as_raw());
            // The amplification shader needs no other module than the one that it has.
            let made = made.iter().find(|(handle, _)| *handle == seen.module).map(|(_, words)| words);
            if let Some(words) = seen.chained_words.as_ref().or(made) {
                assert_eq!(model(words), expected);
            }
        }
        assert!(seen.stages[1].chained_words.is_some());
        if let Some(fragment) = seen.stages.get(2) {
            assert_eq!((fragment.module, fragment.name.as_c_str()), (0x77, c"main"));
        }
    }
}

/// A pixel shader of another library is translated without what it has to know of this mesh shader.
#[test]
fn attributes_of_primitives_need_the_pixel_shader_in_the_same_library() {
    let app = app();
    let layout = layout(&app);
    let mesh = app.module(&fixture("mesh/view.ms.dxil"));
    type Subset = vk::GraphicsPipelineLibraryFlagsEXT;
    let stages = [stage(S::MESH_EXT, mesh), stage(S::FRAGMENT, handle(0x77))];
    let with = |flags: Subset, stages| {
        let subsets = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(flags);
        let info = vk::GraphicsPipelineCreateInfo {
            p_next: next(&subsets),
            flags: vk::PipelineCreateFlags::LIBRARY_KHR,
            ..pipeline(stages, layout)
        };
        app.graphics(&[info]).0
    };
    assert!(with(Subset::PRE_RASTERIZATION_SHADERS, &stages[..1]) == INVALID);
    let messages = app.fake_instance().messages();
    let expected = "outputs `PLACE0` per primitive, and a pixel shader that is created apart from it cannot find it";
    assert!(messages[0].1.contains(expected), "{messages:?}");
    assert_eq!(with(Subset::PRE_RASTERIZATION_SHADERS | Subset::FRAGMENT_SHADER, &stages).as_raw(), 0);
    create(&app, pipeline(&stages, layout));
}

#[test]
fn a_stage_of_another_kind_is_refused() {
    let app = app();
    let layout = layout(&app);
    let module = app.module(&shader(ALONE));
    assert!(app.graphics(&[pipeline(&[stage(S::TASK_EXT, module)], layout)]).0 == INVALID);
    let messages = app.fake_instance().messages();
    let expected = "the stage VK_SHADER_STAGE_TASK_BIT_EXT was given an entry point of VK_SHADER_STAGE_MESH_BIT_EXT";
    assert!(messages[0].1.contains(expected), "{messages:?}");
    create(&app, pipeline(&[stage(S::MESH_EXT, module)], layout));
}

#[test]
fn the_extension_of_nv_has_other_mesh_shaders() {
    let mut mesh = vk::PhysicalDeviceMeshShaderFeaturesNV::default().mesh_shader(true).task_shader(true);
    let names = [c"VK_NV_mesh_shader".as_ptr()];
    let info = vk::DeviceCreateInfo::default().enabled_extension_names(&names).push_next(&mut mesh);
    let extensions = &[c"VK_NV_mesh_shader", c"VK_EXT_mesh_shader"];
    let app = App::with(Config { extensions, ..Config::default() }, &request(), &info).unwrap();
    let layout = layout(&app);
    // The blob waits for the pipeline, which is then refused.
    let module = app.module(&shader(ALONE));
    assert!(app.graphics(&[pipeline(&[stage(S::MESH_EXT, module)], layout)]).0 == INVALID);
    assert_eq!(app.events(), []);
    let messages = app.fake_instance().messages();
    let expected = "VkPhysicalDeviceMeshShaderFeaturesEXT::meshShader";
    assert!(messages[0].1.contains(expected), "{messages:?}");
}
