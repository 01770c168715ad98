//! Ten thousand random create infos of graphics pipelines, in which every pointer that Vulkan ignores is
//! one that cannot be read. The model of what is ignored is that of the specification's
//! `VkGraphicsPipelineCreateInfo`, written here a second time. Translation reads little of the rest, and a
//! capture all of it.

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;
use ash::vk::{DynamicState as D, GraphicsPipelineLibraryFlagsEXT as Subset};
use dxil_capture::model::{Graphics, Target};
use dxil_layer_loaderless::{App, Config, InstanceRequest, TempFolder, Unknown, fixture, handle};
use dxil_test_support::Random;

const CASES: u32 = 10_000;
/// Each case leaves a file.
const CAPTURED_CASES: u32 = 2_000;

/// Pixel shaders whose code depends on blending, and on the number of samples.
const SHADERS: [&str; 2] = ["stages/dual_source.ps.dxil", "stages/target_samples_4.ps.dxil"];

/// All state that decides whether another member is read.
const DYNAMIC: [D; 25] = [
    D::DEPTH_CLAMP_ENABLE_EXT,
    D::RASTERIZER_DISCARD_ENABLE,
    D::POLYGON_MODE_EXT,
    D::CULL_MODE,
    D::FRONT_FACE,
    D::DEPTH_BIAS_ENABLE,
    D::DEPTH_BIAS,
    D::LINE_WIDTH,
    D::RASTERIZATION_SAMPLES_EXT,
    D::SAMPLE_MASK_EXT,
    D::ALPHA_TO_COVERAGE_ENABLE_EXT,
    D::COLOR_BLEND_ENABLE_EXT,
    D::COLOR_BLEND_EQUATION_EXT,
    D::COLOR_WRITE_MASK_EXT,
    D::LOGIC_OP_ENABLE_EXT,
    D::LOGIC_OP_EXT,
    D::BLEND_CONSTANTS,
    D::VIEWPORT,
    D::SCISSOR,
    D::VIEWPORT_WITH_COUNT,
    D::SCISSOR_WITH_COUNT,
    D::VERTEX_INPUT_EXT,
    D::PRIMITIVE_TOPOLOGY,
    D::DEPTH_TEST_ENABLE,
    D::PATCH_CONTROL_POINTS_EXT,
];
const VIEWPORT: [vk::Viewport; 1] =
    [vk::Viewport { x: 0.0, y: 0.0, width: 1.0, height: 1.0, min_depth: 0.0, max_depth: 1.0 }];
const SCISSOR: [vk::Rect2D; 1] =
    [vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: 1, height: 1 } }];
const RASTERIZATION: &[D] = DYNAMIC.first_chunk::<8>().unwrap();

/// A pointer that cannot be read.
fn stale<T>() -> *const T {
    ptr::without_provenance(8)
}

/// The pointer where Vulkan reads it, else one that cannot be read.
fn read_if<T>(reads: bool, pointer: &T) -> *const T {
    if reads { pointer } else { stale() }
}

fn next<T>(structure: &T) -> *const c_void {
    ptr::from_ref(structure).cast()
}

/// A render pass with one subpass of this many colour attachments.
fn render_pass(app: &App, colors: usize) -> vk::RenderPass {
    let references = vec![vk::AttachmentReference::default(); colors];
    let subpasses = [vk::SubpassDescription::default().color_attachments(&references)];
    let mut pass: vk::RenderPass = handle(0);
    // SAFETY: the command's own type; valid arguments.
    let result = unsafe {
        let create: vk::PFN_vkCreateRenderPass = std::mem::transmute(app.device_command(c"vkCreateRenderPass"));
        create(app.device, &vk::RenderPassCreateInfo::default().subpasses(&subpasses), ptr::null(), &mut pass)
    };
    assert_eq!(result.as_raw(), 0);
    pass
}

#[test]
fn no_ignored_pointer_is_followed() {
    run(CASES, &[]);
}

#[test]
fn no_ignored_pointer_is_captured() {
    let folder = TempFolder::new("random");
    run(CAPTURED_CASES, &[folder.setting(c"capture_dir")]);
    let capture = dxil_capture::Capture::open(&folder.path).unwrap();
    let records: Vec<_> = capture.records().map(|(_, record)| record.unwrap().pipeline).collect();
    println!("{} records", records.len());
    // Equal create infos have one record. Every second pipeline is a library, which is recorded with and
    // without shaders.
    assert!(records.len() > CAPTURED_CASES as usize / 4);
    for member in [
        |g: &Graphics| g.vertex_input.is_some(),
        |g| g.input_assembly.is_some(),
        |g| g.viewport.is_some(),
        |g| g.rasterization.is_some(),
        |g| g.multisample.is_some(),
        |g| g.depth_stencil.is_some(),
        |g| g.color_blend.is_some(),
        |g| matches!(g.target, Some(Target::Rendering(_))),
        |g| matches!(g.target, Some(Target::RenderPass(..))),
    ] as [fn(&Graphics) -> bool; 9]
    {
        let with = records.iter().filter(|pipeline| member(pipeline.graphics.as_ref().unwrap())).count();
        assert!(with > 100 && with < records.len(), "{with}");
    }
}

fn run(cases: u32, settings: &[(&'static CStr, &'static CStr)]) {
    let features = vk::PhysicalDeviceFeatures { dual_src_blend: vk::TRUE, ..Default::default() };
    let captures = !settings.is_empty();
    let settings = settings.to_vec();
    let request = InstanceRequest { api_version: vk::API_VERSION_1_3, settings, ..Default::default() };
    let device = vk::DeviceCreateInfo::default().enabled_features(&features);
    let app = App::with(Config { read_stages: false, ..Config::default() }, &request, &device).unwrap();
    let modules = SHADERS.map(|shader| app.module_of(&fixture(shader)).1);
    let passes: Vec<_> = (0..3).map(|colors| render_pass(&app, colors)).collect();
    let mut random = Random::new(15);
    let (mut created, mut refused, mut unread) = (0, 0, 0);
    for case in 0..cases {
        let stages = [vk::PipelineShaderStageCreateInfo {
            stage: vk::ShaderStageFlags::FRAGMENT,
            module: modules[random.below(2usize)],
            p_name: c"ps_main".as_ptr(),
            ..Default::default()
        }];
        // The subsets of state that the create info has.
        let all = Subset::VERTEX_INPUT_INTERFACE
            | Subset::PRE_RASTERIZATION_SHADERS
            | Subset::FRAGMENT_SHADER
            | Subset::FRAGMENT_OUTPUT_INTERFACE;
        let libraries = [handle(0x11)];
        let linked = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
        let (is_library, links) = (random.below(2) == 0, random.below(4) == 0);
        let subsets = match (is_library, links) {
            (true, _) => Subset::from_raw(1 + random.below(15)),
            (false, true) => Subset::empty(),
            (false, false) => all,
        };
        let has = |subset| subsets.contains(subset);

        let mut states: Vec<D> = DYNAMIC.into_iter().filter(|_| random.below(3) == 0).collect();
        if random.below(3) == 0 {
            states.extend(RASTERIZATION);
        }
        if random.below(3) == 0 {
            states.extend(&DYNAMIC[11..17]);
        }
        let dynamic = |all: &[D]| !subsets.is_empty() && all.iter().all(|state| states.contains(state));
        let dynamic_state = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);

        let discards = random.below(4) == 0;
        let rasterization = vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(discards);
        let reads_rasterization = has(Subset::PRE_RASTERIZATION_SHADERS) && !dynamic(RASTERIZATION);
        let nothing = reads_rasterization && discards && !dynamic(&[D::RASTERIZER_DISCARD_ENABLE]);
        let output = has(Subset::FRAGMENT_OUTPUT_INTERFACE) && !nothing;

        let colors = random.below(3usize);
        let formats = vec![vk::Format::R8G8B8A8_UNORM; colors];
        let by_pass = random.below(2) == 0;
        let reads_formats = !by_pass && output && colors > 0;
        let stencil = random.below(2) == 0;
        let mut rendering = vk::PipelineRenderingCreateInfo {
            stencil_attachment_format: if stencil { vk::Format::S8_UINT } else { vk::Format::UNDEFINED },
            color_attachment_count: colors as u32,
            p_color_attachment_formats: if reads_formats { formats.as_ptr() } else { stale() },
            ..Default::default()
        };

        let targets = vec![
            vk::PipelineColorBlendAttachmentState {
                blend_enable: random.below(2),
                src_color_blend_factor: vk::BlendFactor::SRC1_COLOR,
                ..Default::default()
            };
            colors
        ];
        let mut blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
        if dynamic(&DYNAMIC[11..14]) || colors == 0 {
            blend.p_attachments = stale();
        }
        let reads_blend = output && colors > 0 && !dynamic(&DYNAMIC[11..17]);
        let multisample =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_4);
        let fragment = has(Subset::FRAGMENT_SHADER) && !nothing;
        // With a fragment shader the pointer is null or valid
        // (VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-06629).
        let reads_multisample = (output || fragment) && !dynamic(&DYNAMIC[8..11]);

        // What only a capture reads.
        let vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
        let input_assembly = vk::PipelineInputAssemblyStateCreateInfo::default();
        let depth_stencil = vk::PipelineDepthStencilStateCreateInfo::default();
        let mut viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&VIEWPORT).scissors(&SCISSOR);
        if dynamic(&[D::VIEWPORT]) || dynamic(&[D::VIEWPORT_WITH_COUNT]) {
            viewport.p_viewports = stale();
        }
        if dynamic(&[D::SCISSOR]) || dynamic(&[D::SCISSOR_WITH_COUNT]) {
            viewport.p_scissors = stale();
        }
        let vertices = has(Subset::VERTEX_INPUT_INTERFACE);
        let reads_vertex_input = vertices && !dynamic(&[D::VERTEX_INPUT_EXT]);
        let reads_viewport = has(Subset::PRE_RASTERIZATION_SHADERS) && !nothing;
        let reads_depth_stencil = fragment && !by_pass && (!output || stencil);

        // The chain, with an unknown structure at a random position.
        let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(subsets);
        let mut linked = linked;
        let place = random.below(4);
        let mut unknown = None;
        let mut insert = |at: u32, head: *const c_void| {
            if at == place { unknown.insert(Unknown::before(head)).as_next() } else { head }
        };
        let mut head = insert(0, ptr::null());
        rendering.p_next = head;
        head = insert(1, next(&rendering));
        if is_library {
            library.p_next = head.cast_mut();
            head = next(&library);
        }
        head = insert(2, head);
        if links {
            linked.p_next = head;
            head = next(&linked);
        }
        head = insert(3, head);

        let reads_stages = subsets.intersects(Subset::PRE_RASTERIZATION_SHADERS | Subset::FRAGMENT_SHADER);
        unread += u32::from(!reads_stages);
        let flags = if is_library { vk::PipelineCreateFlags::LIBRARY_KHR } else { vk::PipelineCreateFlags::empty() };
        let info = vk::GraphicsPipelineCreateInfo {
            p_next: head,
            flags,
            stage_count: 1,
            p_stages: if reads_stages { stages.as_ptr() } else { stale() },
            p_vertex_input_state: read_if(captures && reads_vertex_input, &vertex_input),
            p_input_assembly_state: read_if(captures && vertices, &input_assembly),
            p_tessellation_state: stale(),
            p_viewport_state: read_if(captures && reads_viewport, &viewport),
            p_depth_stencil_state: read_if(captures && reads_depth_stencil, &depth_stencil),
            p_rasterization_state: read_if(reads_rasterization, &rasterization),
            p_multisample_state: read_if(reads_multisample, &multisample),
            p_color_blend_state: read_if(reads_blend, &blend),
            p_dynamic_state: read_if(!subsets.is_empty(), &dynamic_state),
            render_pass: if by_pass { passes[colors] } else { vk::RenderPass::null() },
            ..Default::default()
        };
        let result = app.graphics(&[info]).0;
        match result {
            vk::Result::SUCCESS => created += 1,
            // The number of samples or the use of the second target is not known.
            vk::Result::ERROR_INVALID_SHADER_NV => refused += 1,
            other => panic!("case {case}: {}", other.as_raw()),
        }
        app.events();
    }
    println!("{created} created, {refused} refused, {unread} without stages to read");
    assert!(created > cases / 3 && refused > cases / 20 && unread > cases / 20);
}
