//! Which state Vulkan reads from a pipeline create info: pointers that it ignores are stale here,
//! and must not be followed; what it reads decides what a shader becomes.

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;
use ash::vk::{DynamicState as D, GraphicsPipelineLibraryFlagsEXT as Subset, Handle};
use dxil_layer_loaderless::{App, Config, Event, InstanceRequest, fixture, handle, next, stage, stale};

/// A pixel shader with two targets, of which the second may be the second source of blending.
const TWO_TARGETS: &str = "stages/dual_source.ps.dxil";
/// A pixel shader that reads the samples that its primitive covers.
const COVERAGE: &str = "graphics/coverage_output.ps.dxil";
/// A pixel shader that reads the number of samples of its target.
const SAMPLES: &str = "stages/target_samples_4.ps.dxil";

const BLEND: [D; 3] = [D::COLOR_BLEND_ENABLE_EXT, D::COLOR_BLEND_EQUATION_EXT, D::COLOR_WRITE_MASK_EXT];
const RASTERIZATION: [D; 8] = [
    D::DEPTH_CLAMP_ENABLE_EXT,
    D::RASTERIZER_DISCARD_ENABLE,
    D::POLYGON_MODE_EXT,
    D::CULL_MODE,
    D::FRONT_FACE,
    D::DEPTH_BIAS_ENABLE,
    D::DEPTH_BIAS,
    D::LINE_WIDTH,
];

/// One attachment that is blended with two sources.
fn dual_source_target() -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState {
        blend_enable: vk::TRUE,
        src_color_blend_factor: vk::BlendFactor::ONE,
        dst_color_blend_factor: vk::BlendFactor::SRC1_COLOR,
        ..Default::default()
    }
}

/// What became of the shader's outputs.
#[derive(Debug, PartialEq, Eq)]
enum Became {
    /// The module went down that was made without a pipeline.
    Default,
    /// A module with two sources for one target went down.
    DualSource,
    /// Another module went down.
    Other,
    /// The pipeline failed, because the shader depends on unknown state.
    Refused,
}

/// Whether a module has a decoration `Index 1`.
fn has_second_index(words: &[u32]) -> bool {
    const DECORATE: u32 = 4 << 16 | 71;
    const INDEX: u32 = 32;
    words.windows(4).any(|w| w[0] == DECORATE && w[2] == INDEX && w[3] == 1)
}

/// Creates a pipeline of one pixel shader with this state, on a device without features.
fn create(shader: &str, state: vk::GraphicsPipelineCreateInfo<'_>) -> Became {
    create_on(&App::new(Config::default()), shader, state)
}

/// Creates a pipeline of one pixel shader with this state.
fn create_on(app: &App, shader: &str, state: vk::GraphicsPipelineCreateInfo<'_>) -> Became {
    let stages = [stage(vk::ShaderStageFlags::FRAGMENT, app.module(&fixture(shader)), c"ps_main")];
    let info = vk::GraphicsPipelineCreateInfo { stage_count: 1, p_stages: stages.as_ptr(), ..state };
    let (result, pipelines) = app.graphics(&[info]);
    assert_eq!(result.as_raw() == 0, pipelines[0] != vk::Pipeline::null());
    if result.as_raw() != 0 {
        assert!(result == vk::Result::ERROR_INVALID_SHADER_NV);
        return Became::Refused;
    }
    match app.words().first() {
        None => Became::Default,
        Some(words) if has_second_index(words) => Became::DualSource,
        Some(_) => Became::Other,
    }
}

/// State of a complete pipeline with a render pass.
fn complete() -> vk::GraphicsPipelineCreateInfo<'static> {
    vk::GraphicsPipelineCreateInfo { render_pass: handle(7), ..Default::default() }
}

#[test]
fn static_state_decides() {
    let targets = [dual_source_target()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let multisample =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_4);
    let rasterization = vk::PipelineRasterizationStateCreateInfo::default();
    let state =
        complete().color_blend_state(&blend).multisample_state(&multisample).rasterization_state(&rasterization);
    assert_eq!(create(TWO_TARGETS, state), Became::DualSource);
    assert_eq!(create(SAMPLES, state), Became::Other);
    // Vulkan gives an invocation its own samples only, and D3D all of the pixel.
    assert_eq!(create(COVERAGE, state), Became::Default);
    let shading = multisample.sample_shading_enable(true).min_sample_shading(0.5);
    assert_eq!(create(COVERAGE, state.multisample_state(&shading)), Became::Refused);
    let discard = rasterization.rasterizer_discard_enable(true);
    let state = vk::GraphicsPipelineCreateInfo {
        p_color_blend_state: stale(),
        p_multisample_state: stale(),
        ..complete().rasterization_state(&discard)
    };
    assert_eq!(create(TWO_TARGETS, state), Became::Default, "nothing is rasterised");
    assert_eq!(create(SAMPLES, state), Became::Refused, "nothing is rasterised");
}

#[test]
fn a_fragment_shader_library_has_no_rasterization_state() {
    let library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(Subset::FRAGMENT_SHADER);
    let state = vk::GraphicsPipelineCreateInfo {
        p_next: next(&library),
        flags: vk::PipelineCreateFlags::LIBRARY_KHR,
        p_rasterization_state: stale(),
        p_color_blend_state: stale(),
        ..complete()
    };
    assert_eq!(create(TWO_TARGETS, state), Became::Default);
    assert_eq!(create(SAMPLES, state), Became::Refused);
}

#[test]
fn a_library_of_shader_and_output_reads_its_blend_state() {
    let library = vk::GraphicsPipelineLibraryCreateInfoEXT::default()
        .flags(Subset::FRAGMENT_SHADER | Subset::FRAGMENT_OUTPUT_INTERFACE);
    let targets = [dual_source_target()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let state = vk::GraphicsPipelineCreateInfo {
        p_next: next(&library),
        flags: vk::PipelineCreateFlags::LIBRARY_KHR,
        p_rasterization_state: stale(),
        ..complete().color_blend_state(&blend)
    };
    assert_eq!(create(TWO_TARGETS, state), Became::DualSource);
}

#[test]
fn all_dynamic_rasterization_state_is_not_read() {
    let targets = [dual_source_target()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&RASTERIZATION);
    let state = vk::GraphicsPipelineCreateInfo {
        p_rasterization_state: stale(),
        ..complete().color_blend_state(&blend).dynamic_state(&dynamic)
    };
    assert_eq!(create(TWO_TARGETS, state), Became::DualSource);
}

#[test]
fn the_attachments_of_dynamic_blend_state_are_not_read() {
    let blend =
        vk::PipelineColorBlendStateCreateInfo { attachment_count: 1, p_attachments: stale(), ..Default::default() };
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&BLEND);
    assert_eq!(create(TWO_TARGETS, complete().color_blend_state(&blend).dynamic_state(&dynamic)), Became::Default);
}

#[test]
fn all_dynamic_blend_state_is_not_read() {
    let mut states = BLEND.to_vec();
    states.extend([D::LOGIC_OP_ENABLE_EXT, D::LOGIC_OP_EXT, D::BLEND_CONSTANTS]);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let state = vk::GraphicsPipelineCreateInfo { p_color_blend_state: stale(), ..complete().dynamic_state(&dynamic) };
    assert_eq!(create(TWO_TARGETS, state), Became::Default);
}

#[test]
fn all_dynamic_multisample_state_is_not_read() {
    let states = [D::RASTERIZATION_SAMPLES_EXT, D::SAMPLE_MASK_EXT, D::ALPHA_TO_COVERAGE_ENABLE_EXT];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let state = vk::GraphicsPipelineCreateInfo { p_multisample_state: stale(), ..complete().dynamic_state(&dynamic) };
    assert_eq!(create(SAMPLES, state), Became::Refused);
}

#[test]
fn without_color_attachments_the_blend_state_is_not_read() {
    let state = vk::GraphicsPipelineCreateInfo { p_color_blend_state: stale(), ..Default::default() };
    assert_eq!(create(TWO_TARGETS, state), Became::Default, "neither render pass nor attachment formats");
    let unused = [vk::Format::UNDEFINED; 2];
    let rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&unused);
    let state = vk::GraphicsPipelineCreateInfo { p_next: next(&rendering), ..state };
    assert_eq!(create(TWO_TARGETS, state), Became::Default, "only unused attachments");
}

#[test]
fn attachment_formats_beside_a_render_pass_are_not_read() {
    let targets = [dual_source_target()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let none = vk::PipelineRenderingCreateInfo::default();
    let many = vk::PipelineRenderingCreateInfo {
        color_attachment_count: 4,
        p_color_attachment_formats: stale(),
        ..Default::default()
    };
    for rendering in [none, many] {
        let state = vk::GraphicsPipelineCreateInfo { p_next: next(&rendering), ..complete().color_blend_state(&blend) };
        assert_eq!(create(TWO_TARGETS, state), Became::DualSource);
    }
}

#[test]
fn attachment_formats_without_a_render_pass_are_read() {
    let targets = [dual_source_target()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let formats = [vk::Format::R8G8B8A8_UNORM];
    let rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    let state = vk::GraphicsPipelineCreateInfo { p_next: next(&rendering), ..Default::default() };
    assert_eq!(create(TWO_TARGETS, state.color_blend_state(&blend)), Became::DualSource);
}

/// An application that enables `dualSrcBlend`, with these settings.
fn blending_app(settings: &[(&'static CStr, &'static CStr)]) -> App {
    let request = InstanceRequest::new(settings);
    let features = vk::PhysicalDeviceFeatures { dual_src_blend: vk::TRUE, ..Default::default() };
    App::with(Config::default(), &request, &vk::DeviceCreateInfo::default().enabled_features(&features)).unwrap()
}

/// A render pass whose second subpass has these colour attachments, made by the first or second
/// command.
fn render_pass(app: &App, attachments: &[u32], second_form: bool) -> vk::RenderPass {
    if second_form {
        let reference = |&n: &u32| vk::AttachmentReference2::default().attachment(n);
        let references: Vec<_> = attachments.iter().map(reference).collect();
        let subpass = vk::SubpassDescription2::default();
        let info = vk::RenderPassCreateInfo2::default();
        app.create_by(c"vkCreateRenderPass2KHR", &info.subpasses(&[subpass, subpass.color_attachments(&references)]))
    } else {
        let reference = |&n: &u32| vk::AttachmentReference::default().attachment(n);
        let references: Vec<_> = attachments.iter().map(reference).collect();
        let subpass = vk::SubpassDescription::default();
        app.create(&vk::RenderPassCreateInfo::default().subpasses(&[subpass, subpass.color_attachments(&references)]))
    }
}

#[test]
fn a_subpass_without_color_attachments_leaves_the_blend_state_unread() {
    let app = blending_app(&[]);
    for (attachments, second_form) in [(&[][..], false), (&[vk::ATTACHMENT_UNUSED][..], true)] {
        let state = vk::GraphicsPipelineCreateInfo {
            p_color_blend_state: stale(),
            render_pass: render_pass(&app, attachments, second_form),
            subpass: 1,
            ..Default::default()
        };
        assert_eq!(create_on(&app, TWO_TARGETS, state), Became::Default);
    }
}

#[test]
fn where_commands_decide_on_blending_the_attachments_count() {
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&BLEND);
    let blend =
        vk::PipelineColorBlendStateCreateInfo { attachment_count: 1, p_attachments: stale(), ..Default::default() };
    let library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(Subset::FRAGMENT_SHADER);
    for second_form in [false, true] {
        let app = blending_app(&[]);
        for (attachments, became) in [(&[0][..], Became::DualSource), (&[0, 1][..], Became::Default)] {
            let state = vk::GraphicsPipelineCreateInfo {
                render_pass: render_pass(&app, attachments, second_form),
                subpass: 1,
                ..Default::default()
            };
            let whole = state.color_blend_state(&blend).dynamic_state(&dynamic);
            assert_eq!(create_on(&app, TWO_TARGETS, whole), became, "dynamic blending, {attachments:?}");
            let part = vk::GraphicsPipelineCreateInfo {
                p_next: next(&library),
                flags: vk::PipelineCreateFlags::LIBRARY_KHR,
                p_rasterization_state: stale(),
                p_color_blend_state: stale(),
                ..state
            };
            assert_eq!(create_on(&app, TWO_TARGETS, part), became, "a library without blending, {attachments:?}");
        }
    }
}

#[test]
fn what_nobody_can_know_is_refused_unless_a_setting_says_it() {
    // With dynamic rendering, the formats belong to the library with the output state.
    let rendering = vk::PipelineRenderingCreateInfo {
        color_attachment_count: 1,
        p_color_attachment_formats: stale(),
        ..Default::default()
    };
    let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(Subset::FRAGMENT_SHADER);
    library.p_next = next(&rendering).cast_mut();
    let state = vk::GraphicsPipelineCreateInfo {
        p_next: next(&library),
        flags: vk::PipelineCreateFlags::LIBRARY_KHR,
        p_color_blend_state: stale(),
        ..Default::default()
    };
    assert_eq!(create_on(&blending_app(&[]), TWO_TARGETS, state), Became::Refused);
    assert_eq!(create_on(&blending_app(&[(c"dual_source", c"on")]), TWO_TARGETS, state), Became::DualSource);
    assert_eq!(create_on(&blending_app(&[(c"dual_source", c"off")]), TWO_TARGETS, state), Became::Default);
    // Commands need the feature to set a factor of the second source.
    assert_eq!(create(TWO_TARGETS, state), Became::Default);
}

#[test]
fn with_dynamic_discard_the_blend_state_is_read() {
    let targets = [dual_source_target()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let rasterization = vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(true);
    let states = [D::RASTERIZER_DISCARD_ENABLE];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let state = complete().color_blend_state(&blend).rasterization_state(&rasterization).dynamic_state(&dynamic);
    assert_eq!(create(TWO_TARGETS, state), Became::DualSource);
}

#[test]
fn mesh_shaders_leave_vertex_and_tessellation_state_unread() {
    let app = App::new(Config::default());
    let module = app.module(&fixture(TWO_TARGETS));
    let stages = [
        stage(vk::ShaderStageFlags::TASK_EXT, handle(0x71), c"task"),
        stage(vk::ShaderStageFlags::MESH_EXT, handle(0x72), c"mesh"),
        // `main` is not the entry point's own name, so this stage is substituted.
        stage(vk::ShaderStageFlags::FRAGMENT, module, c"main"),
    ];
    let pre_rasterization = vk::GraphicsPipelineLibraryCreateInfoEXT::default()
        .flags(Subset::PRE_RASTERIZATION_SHADERS | Subset::FRAGMENT_SHADER);
    for library in [ptr::null(), next(&pre_rasterization)] {
        let infos = [vk::GraphicsPipelineCreateInfo {
            p_next: library,
            p_vertex_input_state: stale(),
            p_input_assembly_state: stale(),
            p_tessellation_state: stale(),
            ..complete().stages(&stages)
        }];
        assert_eq!(app.graphics(&infos).0.as_raw(), 0);
        let events = app.events();
        let [Event::Pipelines { pipelines, .. }] = events.as_slice() else { panic!("{events:?}") };
        let names: Vec<_> = pipelines[0].stages.iter().map(|s| (s.module, s.name.as_c_str())).collect();
        assert_eq!(names, [(0x71, c"task"), (0x72, c"mesh"), (module.as_raw(), c"ps_main")]);
    }
}

#[test]
fn a_ray_tracing_pipeline_from_binaries_ignores_its_code() {
    let app = App::new(Config { read_stages: false, ..Config::default() });
    // VkPipelineBinaryInfoKHR: sType, pNext, binaryCount, pBinaries.
    let binaries = [1_000_483_002u64, 0, 1, 0];
    let code = vk::ShaderModuleCreateInfo { code_size: 64, p_code: stale(), ..Default::default() };
    let stages = [vk::PipelineShaderStageCreateInfo { p_next: next(&code), ..Default::default() }];
    let info = vk::RayTracingPipelineCreateInfoKHR { p_next: next(&binaries), ..Default::default() }.stages(&stages);
    let list = [info];
    assert_eq!(app.rays(&list).0.as_raw(), 0);
    let events = app.events();
    let [Event::RayTracing { infos, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(*infos, list.as_ptr() as usize);
}

#[test]
fn the_pointers_of_empty_arrays_are_not_read() {
    let app = App::new(Config::default());
    let odd = ptr::without_provenance::<c_void>(3);
    app.create(&vk::DescriptorSetLayoutCreateInfo { p_bindings: odd.cast(), ..Default::default() });
    app.create(&vk::PipelineLayoutCreateInfo {
        p_set_layouts: odd.cast(),
        p_push_constant_ranges: odd.cast(),
        ..Default::default()
    });
}
