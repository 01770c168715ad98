//! Ten thousand random create infos of graphics pipelines, in which every pointer that Vulkan
//! ignores is one that cannot be read. The model of what is ignored is that of the specification's
//! `VkGraphicsPipelineCreateInfo`, written here a second time. Translation reads little of the
//! rest, and a capture all of it.

use std::ffi::c_void;
use std::ptr;

use ash::vk;
use ash::vk::{DynamicState as D, GraphicsPipelineLibraryFlagsEXT as Subset};
use dxil_capture::model::{Graphics, Target};
use dxil_layer_loaderless::{
    App, Config, InstanceRequest, Setting, TempFolder, Unknown, fixture, handle, next, stage, stale,
};
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

/// The pointer where Vulkan reads it, else one that cannot be read.
fn read_if<T>(reads: bool, pointer: &T) -> *const T {
    if reads { pointer } else { stale() }
}

/// A render pass with one subpass of this many colour attachments.
fn render_pass(app: &App, colors: usize) -> vk::RenderPass {
    let references = vec![vk::AttachmentReference::default(); colors];
    let subpasses = [vk::SubpassDescription::default().color_attachments(&references)];
    app.create(&vk::RenderPassCreateInfo::default().subpasses(&subpasses))
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
    // Equal create infos have one record. Every second pipeline is a library, which is recorded
    // with and without shaders.
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

/// What is chosen at random for one create info.
struct Case {
    shader: usize,
    is_library: bool,
    links: bool,
    /// The subsets of state that the create info has.
    subsets: Subset,
    states: Vec<D>,
    discards: bool,
    colors: usize,
    by_pass: bool,
    stencil: bool,
    blends: u32,
    /// The position of an unknown structure in the chain.
    unknown: u32,
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let all = Subset::VERTEX_INPUT_INTERFACE
            | Subset::PRE_RASTERIZATION_SHADERS
            | Subset::FRAGMENT_SHADER
            | Subset::FRAGMENT_OUTPUT_INTERFACE;
        let (shader, is_library, links) = (random.below(2usize), random.below(2) == 0, random.below(4) == 0);
        let subsets = match (is_library, links) {
            (true, _) => Subset::from_raw(1 + random.below(15)),
            (false, true) => Subset::empty(),
            (false, false) => all,
        };
        let mut states: Vec<D> = DYNAMIC.into_iter().filter(|_| random.below(3) == 0).collect();
        if random.below(3) == 0 {
            states.extend(RASTERIZATION);
        }
        if random.below(3) == 0 {
            states.extend(&DYNAMIC[11..17]);
        }
        Self {
            shader,
            is_library,
            links,
            subsets,
            states,
            discards: random.below(4) == 0,
            colors: random.below(3usize),
            by_pass: random.below(2) == 0,
            stencil: random.below(2) == 0,
            blends: random.below(2),
            unknown: random.below(4),
        }
    }

    fn has(&self, subset: Subset) -> bool {
        self.subsets.contains(subset)
    }

    fn dynamic(&self, all: &[D]) -> bool {
        !self.subsets.is_empty() && all.iter().all(|state| self.states.contains(state))
    }

    fn reads_stages(&self) -> bool {
        self.subsets.intersects(Subset::PRE_RASTERIZATION_SHADERS | Subset::FRAGMENT_SHADER)
    }

    fn reads_rasterization(&self) -> bool {
        self.has(Subset::PRE_RASTERIZATION_SHADERS) && !self.dynamic(RASTERIZATION)
    }

    /// Nothing is rasterised.
    fn nothing(&self) -> bool {
        self.reads_rasterization() && self.discards && !self.dynamic(&[D::RASTERIZER_DISCARD_ENABLE])
    }

    fn output(&self) -> bool {
        self.has(Subset::FRAGMENT_OUTPUT_INTERFACE) && !self.nothing()
    }

    fn fragment(&self) -> bool {
        self.has(Subset::FRAGMENT_SHADER) && !self.nothing()
    }

    /// With a fragment shader the pointer is null or valid
    /// (VUID-VkGraphicsPipelineCreateInfo-pMultisampleState-06629).
    fn reads_multisample(&self) -> bool {
        (self.output() || self.fragment()) && !self.dynamic(&DYNAMIC[8..11])
    }

    fn reads_blend(&self) -> bool {
        self.output() && self.colors > 0 && !self.dynamic(&DYNAMIC[11..17])
    }

    fn rendering<'a>(&self, formats: &'a [vk::Format]) -> vk::PipelineRenderingCreateInfo<'a> {
        let reads_formats = !self.by_pass && self.output() && self.colors > 0;
        vk::PipelineRenderingCreateInfo {
            stencil_attachment_format: if self.stencil { vk::Format::S8_UINT } else { vk::Format::UNDEFINED },
            color_attachment_count: self.colors as u32,
            p_color_attachment_formats: if reads_formats { formats.as_ptr() } else { stale() },
            ..Default::default()
        }
    }

    fn blend<'a>(
        &self,
        targets: &'a [vk::PipelineColorBlendAttachmentState],
    ) -> vk::PipelineColorBlendStateCreateInfo<'a> {
        let mut blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(targets);
        if self.dynamic(&DYNAMIC[11..14]) || self.colors == 0 {
            blend.p_attachments = stale();
        }
        blend
    }

    fn viewport(&self) -> vk::PipelineViewportStateCreateInfo<'static> {
        let mut viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&VIEWPORT).scissors(&SCISSOR);
        if self.dynamic(&[D::VIEWPORT]) || self.dynamic(&[D::VIEWPORT_WITH_COUNT]) {
            viewport.p_viewports = stale();
        }
        if self.dynamic(&[D::SCISSOR]) || self.dynamic(&[D::SCISSOR_WITH_COUNT]) {
            viewport.p_scissors = stale();
        }
        viewport
    }

    /// Creates a pipeline. `captures` says whether what only a capture reads is there.
    fn create(&self, app: &App, module: vk::ShaderModule, pass: vk::RenderPass, captures: bool) -> vk::Result {
        let stages = [stage(vk::ShaderStageFlags::FRAGMENT, module, c"ps_main")];
        let dynamic_state = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&self.states);
        let rasterization =
            vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(self.discards);
        let formats = vec![vk::Format::R8G8B8A8_UNORM; self.colors];
        let mut rendering = self.rendering(&formats);
        let target = vk::PipelineColorBlendAttachmentState {
            blend_enable: self.blends,
            src_color_blend_factor: vk::BlendFactor::SRC1_COLOR,
            ..Default::default()
        };
        let targets = vec![target; self.colors];
        let blend = self.blend(&targets);
        let multisample =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_4);
        // What only a capture reads.
        let vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
        let input_assembly = vk::PipelineInputAssemblyStateCreateInfo::default();
        let depth_stencil = vk::PipelineDepthStencilStateCreateInfo::default();
        let viewport = self.viewport();
        let vertices = captures && self.has(Subset::VERTEX_INPUT_INTERFACE);
        let reads_viewport = captures && self.has(Subset::PRE_RASTERIZATION_SHADERS) && !self.nothing();
        let reads_depth_stencil = captures && self.fragment() && !self.by_pass && (!self.output() || self.stencil);

        // The chain, with an unknown structure at a random position.
        let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(self.subsets);
        let libraries = [handle(0x11)];
        let mut linked = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
        let mut unknown = None;
        let mut insert = |at: u32, head: *const c_void| {
            if at == self.unknown { unknown.insert(Unknown::before(head)).as_next() } else { head }
        };
        rendering.p_next = insert(0, ptr::null());
        let mut head = insert(1, next(&rendering));
        if self.is_library {
            library.p_next = head.cast_mut();
            head = next(&library);
        }
        head = insert(2, head);
        if self.links {
            linked.p_next = head;
            head = next(&linked);
        }
        let flags = vk::PipelineCreateFlags::LIBRARY_KHR;
        let info = vk::GraphicsPipelineCreateInfo {
            p_next: insert(3, head),
            flags: if self.is_library { flags } else { vk::PipelineCreateFlags::empty() },
            stage_count: 1,
            p_stages: if self.reads_stages() { stages.as_ptr() } else { stale() },
            p_vertex_input_state: read_if(vertices && !self.dynamic(&[D::VERTEX_INPUT_EXT]), &vertex_input),
            p_input_assembly_state: read_if(vertices, &input_assembly),
            p_tessellation_state: stale(),
            p_viewport_state: read_if(reads_viewport, &viewport),
            p_depth_stencil_state: read_if(reads_depth_stencil, &depth_stencil),
            p_rasterization_state: read_if(self.reads_rasterization(), &rasterization),
            p_multisample_state: read_if(self.reads_multisample(), &multisample),
            p_color_blend_state: read_if(self.reads_blend(), &blend),
            p_dynamic_state: read_if(!self.subsets.is_empty(), &dynamic_state),
            render_pass: if self.by_pass { pass } else { vk::RenderPass::null() },
            ..Default::default()
        };
        app.graphics(&[info]).0
    }
}

fn run(cases: u32, settings: &[Setting]) {
    let features = vk::PhysicalDeviceFeatures { dual_src_blend: vk::TRUE, ..Default::default() };
    let request = InstanceRequest::new(settings);
    let device = vk::DeviceCreateInfo::default().enabled_features(&features);
    let app = App::with(Config { read_stages: false, ..Config::default() }, &request, &device).unwrap();
    let modules = SHADERS.map(|shader| app.module(&fixture(shader)));
    let passes: Vec<_> = (0..3).map(|colors| render_pass(&app, colors)).collect();
    let mut random = Random::new(15);
    let (mut created, mut refused, mut unread) = (0, 0, 0);
    for number in 0..cases {
        let case = Case::new(&mut random);
        unread += u32::from(!case.reads_stages());
        match case.create(&app, modules[case.shader], passes[case.colors], !settings.is_empty()) {
            vk::Result::SUCCESS => created += 1,
            // The number of samples or the use of the second target is not known.
            vk::Result::ERROR_INVALID_SHADER_NV => refused += 1,
            other => panic!("case {number}: {}", other.as_raw()),
        }
        app.events();
    }
    println!("{created} created, {refused} refused, {unread} without stages to read");
    assert!(created > cases / 3 && refused > cases / 20 && unread > cases / 20);
}
