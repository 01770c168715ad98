//! Structures with shader code other than modules and stages: shader objects, shader groups,
//! identifiers, and the debug names of modules. That each of them takes DXIL at all is in
//! `embedded.rs`.

use std::collections::BTreeSet;
use std::ffi::CStr;

use ash::vk;
use ash::vk::{Handle, ShaderCreateFlagsEXT as Flags, ShaderStageFlags as S};
use dxil_layer_loaderless::{
    App, Config, Event, SPIRV, ShaderSeen, Unknown, aligned, binding, fixture, handle, next, stage,
};

const MAGIC: [u8; 4] = [3, 2, 0x23, 7];

/// A vertex shader and a pixel shader without resources.
const VERTEX: &str = "stages/dual_source.vs.dxil";
const PIXEL: &str = "stages/dual_source.ps.dxil";

fn app() -> App {
    App::with_messages([])
}

/// Code that lives as long as the test.
fn code(bytes: &[u8]) -> &'static [u8] {
    let words = Box::leak(aligned(bytes).into_boxed_slice());
    // SAFETY: the words have at least as many bytes.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), bytes.len()) }
}

fn object(stage: S, bytes: &[u8], flags: Flags, name: &'static CStr) -> vk::ShaderCreateInfoEXT<'static> {
    vk::ShaderCreateInfoEXT::default()
        .stage(stage)
        .code_type(vk::ShaderCodeTypeEXT::SPIRV)
        .code(code(bytes))
        .flags(flags)
        .name(name)
}

/// The shaders that one call created.
fn created(app: &App) -> Vec<ShaderSeen> {
    match app.events().as_slice() {
        [] => Vec::new(),
        [Event::Shaders { shaders, .. }] => shaders.clone(),
        events => panic!("{events:?}"),
    }
}

#[test]
fn linked_shader_objects_of_dxil_and_spirv() {
    let app = app();
    let spirv: Vec<u8> = SPIRV.iter().flat_map(|word| word.to_le_bytes()).collect();
    let infos = [
        object(S::VERTEX, &fixture(VERTEX), Flags::LINK_STAGE, c"main"),
        object(S::FRAGMENT, &fixture(PIXEL), Flags::LINK_STAGE, c"ps_main"),
        object(S::COMPUTE, &spirv, Flags::empty(), c"other"),
    ];
    let (result, shaders) = app.shaders(&infos);
    assert_eq!(result.as_raw(), 0);
    assert!(shaders.iter().all(|shader| !shader.is_null()));
    let seen = created(&app);
    assert_eq!(seen.len(), 3);
    for (seen, name) in seen.iter().zip([c"vs_main", c"ps_main"]) {
        assert_eq!(seen.code[..4], MAGIC);
        assert_eq!(seen.name.as_deref(), Some(name), "the name that the entry point has in SPIR-V");
        assert_eq!(seen.flags, Flags::LINK_STAGE.as_raw());
    }
    assert_eq!(seen[2].code, spirv);
    assert_eq!(seen[2].name.as_deref(), Some(c"other"));
}

#[test]
fn a_shader_object_that_fails_leaves_those_before_it() {
    let app = app();
    let dxil = |flags| object(S::VERTEX, &fixture(VERTEX), flags, c"vs_main");
    let garbage = |flags| object(S::FRAGMENT, b"DXBC and nothing", flags, c"main");
    let (free, linked) = (Flags::empty(), Flags::LINK_STAGE);
    for (infos, expected) in [
        ([dxil(free), garbage(free), dxil(free)], 1),
        ([garbage(free), dxil(free), dxil(free)], 0),
        // A part of a linked group is never created.
        ([dxil(linked), dxil(free), garbage(linked)], 0),
        ([dxil(free), dxil(linked), garbage(linked)], 1),
        ([dxil(linked), garbage(free), dxil(linked)], 0),
    ] {
        let (result, shaders) = app.shaders(&infos);
        assert!(result == vk::Result::ERROR_INITIALIZATION_FAILED);
        let kept = shaders.iter().take_while(|shader| !shader.is_null()).count();
        assert_eq!((kept, created(&app).len()), (expected, expected));
        assert!(shaders[kept..].iter().all(|shader| shader.is_null()));
        let messages = app.fake_instance().messages();
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].1.starts_with("shader object "), "{messages:?}");
    }
}

#[test]
fn a_driver_that_fails_says_so_itself() {
    let config = Config { shaders_result: vk::Result::ERROR_OUT_OF_DEVICE_MEMORY, ..Config::default() };
    let app = App::new(config);
    let dxil = object(S::VERTEX, &fixture(VERTEX), Flags::empty(), c"main");
    assert!(app.shaders(&[dxil]).0 == vk::Result::ERROR_OUT_OF_DEVICE_MEMORY);
}

#[test]
fn what_follows_a_shader_object_must_be_known_where_it_counts() {
    let app = app();
    // The shader writes a layer: the rasterizer reads it, or a geometry shader gets a plain value.
    let layer = "stages/vertex_layer.vs.dxil";
    let with = |next_stage| {
        let info = object(S::VERTEX, &fixture(layer), Flags::empty(), c"main").next_stage(next_stage);
        (app.shaders(&[info]).0, created(&app))
    };
    let (result, rasterized) = with(S::FRAGMENT);
    assert_eq!(result.as_raw(), 0);
    let (result, read) = with(S::GEOMETRY);
    assert_eq!(result.as_raw(), 0);
    assert_ne!(rasterized[0].code, read[0].code);
    assert_eq!(app.fake_instance().messages(), []);
    assert!(with(S::FRAGMENT | S::GEOMETRY).0 == vk::Result::ERROR_INITIALIZATION_FAILED);
    let messages = app.fake_instance().messages();
    assert!(messages[0].1.contains("VkShaderCreateInfoEXT::nextStage names both"), "{messages:?}");
}

/// The operands of all instructions with an opcode in a module.
fn instructions(code: &[u8], opcode: u32) -> Vec<Vec<u32>> {
    let words: Vec<u32> = code.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let found = dxil_layer_loaderless::instructions(&words).filter(|instruction| instruction[0] & 0xffff == opcode);
    found.map(|instruction| instruction[1..].to_vec()).collect()
}

/// The execution modes of a module with their operands.
fn modes(code: &[u8]) -> Vec<Vec<u32>> {
    const OP_EXECUTION_MODE: u32 = 16;
    instructions(code, OP_EXECUTION_MODE).into_iter().map(|operands| operands[1..].to_vec()).collect()
}

/// Commands know no division of patches, so a domain shader must say it
/// (VUID-VkShaderCreateInfoEXT-codeType-08872 to 08875). D3D has it in the hull shader.
#[test]
fn a_domain_shader_says_how_its_hull_shader_divides_patches() {
    const TRIANGLES: u32 = 22;
    const SPACING_EQUAL: u32 = 1;
    const ORDER_CW: u32 = 4;
    const ORDER_CCW: u32 = 5;
    const POINT_MODE: u32 = 10;
    const OUTPUT_VERTICES: u32 = 26;
    let app = app();
    let stages = |group: &str, flags| {
        let file = |stage| fixture(&format!("tessellation/{group}.{stage}.dxil"));
        [
            object(S::TESSELLATION_CONTROL, &file("hs"), flags, c"hs_main"),
            object(S::TESSELLATION_EVALUATION, &file("ds"), flags, c"ds_main"),
        ]
    };
    for (group, wanted) in [
        ("tri_points", vec![vec![OUTPUT_VERTICES, 3], vec![SPACING_EQUAL], vec![POINT_MODE], vec![ORDER_CW]]),
        ("tri_integer_ccw", vec![vec![OUTPUT_VERTICES, 3], vec![SPACING_EQUAL], vec![ORDER_CCW]]),
    ] {
        assert_eq!(
            app.shaders(&stages(group, Flags::LINK_STAGE)).0.as_raw(),
            0,
            "{:?}",
            app.fake_instance().messages()
        );
        let seen = created(&app);
        assert_eq!(modes(&seen[1].code), [&wanted[..], &[vec![TRIANGLES]]].concat(), "{group}");
    }
    let (result, shaders) = app.shaders(&stages("tri_points", Flags::empty()));
    assert!(result == vk::Result::ERROR_INITIALIZATION_FAILED);
    assert!(!shaders[0].is_null() && shaders[1].is_null(), "the hull shader is complete without the other");
    let messages = app.fake_instance().messages();
    assert!(messages[0].1.contains("in DXIL the hull shader says it: link both"), "{messages:?}");
}

#[test]
fn linked_stages_have_one_root_signature() {
    const OP_DECORATE: u32 = 71;
    const BINDING: u32 = 33;
    const DESCRIPTOR_SET: u32 = 34;
    let app = app();
    let binding = |number, ty| binding(number, ty).stage_flags(S::ALL_GRAPHICS);
    // The root signature, which only the pixel shader has: a table with t0, and a root descriptor
    // for b0.
    let sets = [
        app.set_layout(&[binding(0, vk::DescriptorType::STORAGE_BUFFER)]),
        app.set_layout(&[binding(1, vk::DescriptorType::UNIFORM_BUFFER)]),
    ];
    app.events();
    let file = |stage| fixture(&format!("rootsig/one_stage_carries.{stage}.dxil"));
    let infos = [
        object(S::VERTEX, &file("vs"), Flags::LINK_STAGE, c"vs_main").set_layouts(&sets),
        object(S::FRAGMENT, &file("ps"), Flags::LINK_STAGE, c"ps_main").set_layouts(&sets),
    ];
    assert_eq!(app.shaders(&infos).0.as_raw(), 0, "{:?}", app.fake_instance().messages());
    for seen in created(&app) {
        let decorations = instructions(&seen.code, OP_DECORATE);
        let places = |of| -> Vec<_> { decorations.iter().filter(|it| it[1] == of).map(|it| it[2]).collect() };
        let found: BTreeSet<_> = places(DESCRIPTOR_SET).into_iter().zip(places(BINDING)).collect();
        assert_eq!(found, BTreeSet::from([(0, 0), (1, 1)]));
    }
}

/// A pipeline stage of the pixel shader with another name, so that it is replaced.
fn pixel(module: vk::ShaderModule) -> vk::PipelineShaderStageCreateInfo<'static> {
    stage(S::FRAGMENT, module, c"main")
}

#[test]
fn the_stages_of_shader_groups_are_replaced() {
    let app = app();
    let module = app.module(&fixture(PIXEL));
    let other = [pixel(handle(0x77))];
    let dxil = [pixel(handle(0x78)), pixel(module)];
    let groups = [
        vk::GraphicsShaderGroupCreateInfoNV::default().stages(&other),
        vk::GraphicsShaderGroupCreateInfoNV::default().stages(&dxil),
    ];
    let last = vk::PipelineCreationFeedbackCreateInfo::default();
    let mut list = vk::GraphicsPipelineShaderGroupsCreateInfoNV::default().groups(&groups);
    list.p_next = next(&last);
    let rendering = vk::PipelineRenderingCreateInfo { p_next: next(&list), ..Default::default() };
    let info = vk::GraphicsPipelineCreateInfo { p_next: next(&rendering), ..Default::default() }.stages(&other);
    assert_eq!(app.graphics(&[info]).0.as_raw(), 0);
    let events = app.events();
    let [Event::Pipelines { pipelines, .. }] = events.as_slice() else { panic!("{events:?}") };
    let names = |stages: &[dxil_layer_loaderless::StageSeen]| -> Vec<_> {
        stages.iter().map(|stage| (stage.module, stage.name.clone())).collect()
    };
    assert_eq!(pipelines[0].stages_at, other.as_ptr() as usize, "the pipeline's own stages are the application's");
    assert_eq!(names(&pipelines[0].groups[0]), [(0x77, c"main".into())]);
    assert_eq!(names(&pipelines[0].groups[1]), [(0x78, c"main".into()), (module.as_raw(), c"ps_main".into())]);
    // The application's structures are unchanged, and what follows the groups is shared.
    // SAFETY: the application's own string.
    assert_eq!(unsafe { CStr::from_ptr(dxil[1].p_name) }, c"main");

    // A structure that cannot be copied is in front of the groups.
    let unknown = Unknown::before(next(&list));
    let info = vk::GraphicsPipelineCreateInfo { p_next: unknown.as_next(), ..Default::default() }.stages(&other);
    assert!(app.graphics(&[info]).0 == vk::Result::ERROR_INVALID_SHADER_NV);
    assert_eq!(app.events(), []);
    let messages = app.fake_instance().messages();
    assert!(messages[0].1.contains("chain that structure after the groups"), "{messages:?}");
}

#[test]
fn the_name_of_a_module_follows_to_its_substitute() {
    let app = app();
    let (_, module) = app.module_of(&fixture("buffer/raw_read_write.dxil"));
    app.events();
    let name = vk::DebugUtilsObjectNameInfoEXT::default().object_handle(module).object_name(c"skin");
    // SAFETY: the command's own type; valid arguments.
    unsafe {
        let set: vk::PFN_vkSetDebugUtilsObjectNameEXT =
            std::mem::transmute(app.device_command(c"vkSetDebugUtilsObjectNameEXT"));
        assert_eq!(set(app.device, &name).as_raw(), 0);
    }
    let expected = [Event::Name { info: next(&name) as usize, object: module.as_raw(), name: Some(c"skin".into()) }];
    assert_eq!(app.events(), expected, "the application's own pointer");
    // A dynamic buffer would be the same code, a texel buffer is not.
    let binding = vk::DescriptorSetLayoutBinding::default()
        .descriptor_type(vk::DescriptorType::STORAGE_TEXEL_BUFFER)
        .descriptor_count(1)
        .stage_flags(S::ALL);
    let layout = app.layout(&[binding]);
    app.events();
    let stage = vk::PipelineShaderStageCreateInfo { stage: S::COMPUTE, ..pixel(module) };
    let info = vk::ComputePipelineCreateInfo { stage, layout, ..Default::default() };
    assert_eq!(app.compute(&[info]).0.as_raw(), 0, "{:?}", app.fake_instance().messages());
    let events = app.events();
    let [
        Event::Module { handle, .. },
        Event::Name { object, name, .. },
        Event::Pipelines { .. },
        Event::DestroyModule(_),
    ] = events.as_slice()
    else {
        panic!("{events:?}")
    };
    assert_eq!((object, name.as_deref()), (handle, Some(c"skin")));
    assert_ne!(*handle, module.as_raw());
}
