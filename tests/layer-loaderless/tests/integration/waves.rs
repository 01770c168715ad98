//! The flags of stages with wave operations: D3D launches whole waves, and Vulkan does so by
//! request.

use ash::vk;
use ash::vk::{PipelineShaderStageCreateFlags as F, ShaderStageFlags as S};
use dxil_layer_loaderless::{
    App, Config, Event, InstanceRequest, ShaderCode, aligned, binding, chained_stage, fixture, next,
};

/// A device with subgroups of 8 invocations, or of these sizes.
fn app(api_version: u32, sizes: [u32; 2]) -> App {
    let settings = InstanceRequest::new([(c"register_shifts", c"t=100,u=200,s=300")]);
    let request = InstanceRequest { api_version, ..settings.with_messages() };
    let config = Config {
        subgroup_sizes: [sizes[0], sizes[1], 64],
        extensions: &[c"VK_EXT_subgroup_size_control", c"VK_EXT_shader_object"],
        ..Config::default()
    };
    App::with_request(config, &request)
}

/// The flags of the stage of a compute pipeline, which has these itself.
fn flags_of(app: &App, name: &str, own: F, required: Option<u32>) -> F {
    let code = ShaderCode::new(&fixture(name));
    let code = code.info();
    let mut stage = chained_stage(S::COMPUTE, next(&code), c"main").flags(own);
    let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
    if let Some(required) = required {
        size.required_subgroup_size = required;
        stage = stage.push_next(&mut size);
    }
    let layout = app.layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)]);
    app.events();
    let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
    assert_eq!(app.compute(&[info]).0.as_raw(), 0, "{:?}", app.fake_instance().messages());
    let events = app.events();
    let [Event::Pipelines { pipelines, .. }] = events.as_slice() else { panic!("{events:?}") };
    F::from_raw(pipelines[0].stages[0].flags)
}

/// 32 threads in x.
const WAVES: &str = "wave/lanes.dxil";
/// Without wave operations.
const NO_WAVES: &str = "buffer/raw_read_write.dxil";

#[test]
fn whole_waves_are_required_where_vulkan_allows_it() {
    let none = F::empty();
    let (full, varies) = (F::REQUIRE_FULL_SUBGROUPS, F::ALLOW_VARYING_SUBGROUP_SIZE);
    // SPIR-V 1.6, in which the size may vary anyway.
    let new = app(vk::API_VERSION_1_3, [8, 8]);
    assert_eq!(flags_of(&new, WAVES, none, None).as_raw(), full.as_raw());
    assert_eq!(flags_of(&new, NO_WAVES, none, None).as_raw(), 0);
    let wide = app(vk::API_VERSION_1_3, [8, 64]);
    assert_eq!(flags_of(&wide, WAVES, none, None).as_raw(), 0, "02758: 32 threads are no multiple of 64");
    assert_eq!(flags_of(&wide, WAVES, none, Some(16)).as_raw(), full.as_raw(), "02757: the required size counts");
    assert_eq!(flags_of(&wide, WAVES, none, Some(64)).as_raw(), 0);
    // Earlier SPIR-V: the size varies by a flag.
    let old = app(vk::API_VERSION_1_1, [8, 32]);
    assert_eq!(flags_of(&old, WAVES, none, None).as_raw(), (full | varies).as_raw());
    assert_eq!(flags_of(&old, WAVES, none, Some(8)).as_raw(), full.as_raw(), "02754: a required size does not vary");
    assert_eq!(flags_of(&old, NO_WAVES, varies, None).as_raw(), varies.as_raw(), "the application's own");
    let wide = app(vk::API_VERSION_1_1, [8, 64]);
    assert_eq!(flags_of(&wide, WAVES, none, None).as_raw(), full.as_raw(), "02759: a multiple of the one size, 8");
    assert_eq!(
        flags_of(&wide, WAVES, varies, None).as_raw(),
        varies.as_raw(),
        "02758 holds for the application's flag"
    );
}

#[test]
fn shader_objects_have_flags_of_their_own() {
    use vk::ShaderCreateFlagsEXT as O;
    for (version, expected) in [
        (vk::API_VERSION_1_3, O::REQUIRE_FULL_SUBGROUPS),
        (vk::API_VERSION_1_1, O::REQUIRE_FULL_SUBGROUPS | O::ALLOW_VARYING_SUBGROUP_SIZE),
    ] {
        let app = app(version, [8, 8]);
        let blob = fixture(WAVES);
        let words = aligned(&blob);
        let sets = [app.set_layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)])];
        app.events();
        let info = vk::ShaderCreateInfoEXT {
            stage: S::COMPUTE,
            code_type: vk::ShaderCodeTypeEXT::SPIRV,
            code_size: blob.len(),
            p_code: words.as_ptr().cast(),
            p_name: c"main".as_ptr(),
            ..Default::default()
        };
        assert_eq!(app.shaders(&[info.set_layouts(&sets)]).0.as_raw(), 0, "{:?}", app.fake_instance().messages());
        let events = app.events();
        let [Event::Shaders { shaders, .. }] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(shaders[0].flags, expected.as_raw());
    }
}
