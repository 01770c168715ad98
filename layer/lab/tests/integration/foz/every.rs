//! A capture with every structure that a database can have and a record can say, and code that no
//! translator makes, so that the hashes stay the same.

use std::path::Path;

use dxil_capture::digest::Bytes;
use dxil_capture::folder::Writer;
use dxil_capture::model::{
    Attachment, Attribute, Binding, Blend, Chain, Code, ColorBlend, Command, Constant, Dependency, DepthStencil,
    Graphics, Group, InputAssembly, Interface, Multisample, Pipeline, PipelineLayout, PushRange, Rasterization, Record,
    Rect, Reference, RenderPass, Rendering, Sampler, SetLayout, Stage, StencilOp, Structure, Subpass, Target,
    VertexBinding, VertexInput, Viewport, ViewportState, YcbcrConversion,
};
use dxil_capture::{Digest, number::Float};

/// `VkStructureType`s with 32-bit members, and their words.
fn chain(structures: &[(i32, &[u32])]) -> Chain {
    let structure = |(s_type, words): &(i32, &[u32])| Structure {
        s_type: *s_type,
        bytes: Bytes(words.iter().flat_map(|word| word.to_le_bytes()).collect()),
    };
    Chain { structures: structures.iter().map(structure).collect(), lost: Vec::new() }
}

fn float(value: f32) -> Float {
    value.into()
}

/// A module with one empty entry point `main`.
fn module(model: u32, capabilities: &[u32], extension: Option<&str>, modes: &[&[u32]]) -> Vec<u8> {
    let mut words = vec![0x0723_0203, 0x0001_0400, 0, 5, 0];
    let mut op = |opcode: u32, operands: &[u32]| {
        words.push((operands.len() as u32 + 1) << 16 | opcode);
        words.extend_from_slice(operands);
    };
    capabilities.iter().for_each(|capability| op(17, &[*capability]));
    if let Some(name) = extension {
        let mut bytes = name.as_bytes().to_vec();
        bytes.resize(name.len() / 4 * 4 + 4, 0);
        let text: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        op(10, &text);
    }
    op(14, &[0, 1]);
    op(15, &[model, 1, u32::from_le_bytes(*b"main"), 0]);
    modes.iter().for_each(|mode| op(16, &[&[1], *mode].concat()));
    op(19, &[2]);
    op(33, &[3, 2]);
    op(54, &[2, 1, 0, 3]);
    op(248, &[4]);
    op(253, &[]);
    op(56, &[]);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

struct Codes {
    vertex: Digest,
    control: Digest,
    evaluation: Digest,
    fragment: Digest,
    compute: Digest,
    generation: Digest,
}

fn codes(writer: &Writer) -> Codes {
    let add = |bytes: Vec<u8>| writer.spirv(&bytes).unwrap();
    Codes {
        vertex: add(module(0, &[1], None, &[])),
        control: add(module(1, &[1, 3], None, &[&[26, 3]])),
        evaluation: add(module(2, &[1, 3], None, &[&[22], &[1], &[5]])),
        fragment: add(module(4, &[1], None, &[&[7]])),
        compute: add(module(5, &[1], None, &[&[17, 1, 1, 1]])),
        generation: add(module(5313, &[4479], Some("SPV_KHR_ray_tracing"), &[])),
    }
}

fn stage(stage: u32, code: Digest) -> Stage {
    Stage {
        stage,
        flags: 0,
        code: Code::Spirv(code),
        entry: "main".into(),
        constants: Vec::new(),
        next_stages: None,
        layout: None,
        chain: Chain::default(),
    }
}

fn binding(binding: u32, ty: i32, count: u32) -> Binding {
    Binding { binding, ty, count, stages: 0x7fff_ffff, ..Binding::default() }
}

/// Samplers of all kinds, binding flags, mutable types and push constants.
fn layout() -> PipelineLayout {
    let plain = Sampler { max_lod: float(1000.0), ..Sampler::default() };
    let odd = Sampler {
        mag_filter: 1,
        min_filter: 1,
        mipmap_mode: 1,
        address_modes: [1, 2, 3],
        mip_lod_bias: float(-0.5),
        max_anisotropy: Some(float(8.0)),
        compare_op: Some(4),
        min_lod: float(0.25),
        max_lod: float(12.75),
        border_color: 4,
        ..Sampler::default()
    };
    let reduced = Sampler { chain: chain(&[(1_000_130_001, &[2, 0])]), ..plain.clone() };
    // The colour, the format, and what fills the last word.
    let custom = chain(&[(1_000_287_000, &[0x3f80_0000, 0, 0x3f00_0000, 1, 37, 0])]);
    let custom = Sampler { border_color: 1_000_287_003, address_modes: [3; 3], chain: custom, ..plain.clone() };
    let conversion = YcbcrConversion {
        format: 1_000_156_003,
        model: 2,
        range: 1,
        components: [0, 0, 0, 0],
        chroma_offsets: [1, 1],
        chroma_filter: 0,
        ..YcbcrConversion::default()
    };
    // VkSamplerBorderColorComponentMappingCreateInfoEXT.
    let mapped = Sampler { chain: chain(&[(1_000_411_001, &[3, 4, 5, 6, 1, 0])]), ..plain.clone() };
    let converted = Sampler { address_modes: [2; 3], conversion: Some(conversion), ..Sampler::default() };
    let with = |mut it: Binding, samplers: Vec<Sampler>| {
        it.samplers = samplers;
        it
    };
    let samplers = SetLayout {
        bindings: vec![
            with(binding(0, 0, 3), vec![plain.clone(), odd, reduced]),
            with(binding(1, 0, 1), vec![custom]),
            with(binding(2, 1, 1), vec![converted]),
            with(binding(3, 0, 1), vec![mapped]),
            binding(7, 6, 2),
        ],
        ..SetLayout::default()
    };
    let flagged = Binding { flags: 4, ..binding(0, 2, 16) };
    let mutable = Binding { flags: 4, mutable_types: vec![2, 3, 6, 7], ..binding(1, 1_000_351_000, 8) };
    let heap = SetLayout { bindings: vec![flagged, mutable], ..SetLayout::default() };
    PipelineLayout {
        sets: vec![Some(samplers), Some(heap), Some(SetLayout::default())],
        push_ranges: vec![PushRange { stages: 1, offset: 0, size: 16 }, PushRange { stages: 16, offset: 16, size: 4 }],
        ..PipelineLayout::default()
    }
}

fn pipeline(command: Command, stages: Vec<Stage>) -> Pipeline {
    Pipeline { layout: Some(PipelineLayout::default()), ..Pipeline::new(command, stages) }
}

/// Two subpasses with depth, resolves and what chains say.
fn render_pass() -> RenderPass {
    let attachment = |format, samples| Attachment {
        format,
        samples,
        ops: [1, 0],
        stencil_ops: [2, 1],
        layouts: [0, 1],
        ..Attachment::default()
    };
    let reference = |attachment, layout| Reference { attachment, layout, aspects: 1, chain: Chain::default() };
    // VkAttachmentDescriptionStencilLayout.
    let depth = Attachment { chain: chain(&[(1_000_241_002, &[0, 5])]), ..attachment(130, 4) };
    // VkAttachmentReferenceStencilLayout.
    let of_depth = Reference { chain: chain(&[(1_000_241_001, &[1_000_241_002, 0])]), ..reference(Some(1), 3) };
    let first = Subpass {
        view_mask: 3,
        colors: vec![reference(Some(0), 2), reference(None, 0)],
        resolves: vec![reference(Some(2), 2), reference(None, 0)],
        depth_stencil: Some(of_depth),
        depth_stencil_resolve: Some(([1, 1], Some(reference(Some(3), 3)))),
        ..Subpass::default()
    };
    let second = Subpass {
        view_mask: 3,
        inputs: vec![reference(Some(2), 5)],
        colors: vec![reference(Some(0), 2)],
        preserves: vec![1, 3],
        shading_rate: Some((Some(reference(Some(4), 1_000_164_003)), [16, 8])),
        // VkMultisampledRenderToSingleSampledInfoEXT.
        chain: chain(&[(1_000_376_002, &[0, 4])]),
        ..Subpass::default()
    };
    let dependency = Dependency {
        subpasses: [0, 1],
        stages: [0x400, 0x80],
        accesses: [0x100, 0x20],
        flags: 3,
        view_offset: -1,
        // VkMemoryBarrier2: four masks of 64 bits.
        chain: chain(&[(1_000_314_000, &[0x400, 0, 0x100, 1, 0x80, 0, 0x20, 0])]),
    };
    RenderPass {
        attachments: vec![attachment(37, 4), depth, attachment(37, 1), attachment(130, 1), attachment(13, 1)],
        subpasses: vec![first, second],
        dependencies: vec![dependency],
        correlated_view_masks: vec![3],
        // VkRenderPassCreationControlEXT and VkRenderPassFragmentDensityMapCreateInfoEXT.
        chain: chain(&[(1_000_458_001, &[1, 0]), (1_000_218_002, &[4, 0])]),
        ..RenderPass::default()
    }
}

/// Every state, set in the pipeline.
fn state(target: Target) -> Graphics {
    let op = |n: i32| StencilOp { ops: [n, n + 1, n + 2], compare: n, masks: [0xf, 0xf0], reference: n as u32 };
    let blend = Blend { enable: true, color: [10, 6, 0], alpha: [12, 7, 2], write_mask: 15 };
    Graphics {
        subsets: None,
        vertex_input: Some(VertexInput {
            bindings: vec![
                VertexBinding { binding: 0, stride: 16, rate: 0, divisor: None },
                VertexBinding { binding: 3, stride: 4, rate: 1, divisor: Some(2) },
            ],
            attributes: vec![
                Attribute { location: 0, binding: 0, format: 109, offset: 0 },
                Attribute { location: 5, binding: 3, format: 98, offset: 0 },
            ],
            chain: Chain::default(),
        }),
        input_assembly: Some(InputAssembly { topology: 10, primitive_restart: false, chain: Chain::default() }),
        // VkPipelineTessellationDomainOriginStateCreateInfo.
        tessellation: Some((3, chain(&[(1_000_117_003, &[1, 0])]))),
        viewport: Some(ViewportState {
            viewport_count: 1,
            viewports: vec![Viewport {
                origin: [float(0.5), float(-1.0)],
                extent: [float(64.0), float(32.25)],
                depth: [float(0.0), float(1.0)],
            }],
            scissor_count: 1,
            scissors: vec![Rect { offset: [1, 2], extent: [30, 20] }],
            // VkPipelineViewportDepthClipControlCreateInfoEXT.
            chain: chain(&[(1_000_355_001, &[1, 0])]),
        }),
        rasterization: Some(Rasterization {
            depth_clamp: true,
            cull_mode: 2,
            front_face: 1,
            depth_bias_enable: true,
            depth_bias: [float(1.5), float(0.25), float(-2.0)],
            line_width: float(1.0),
            chain: chain(&[
                // Depth clipping, conservative rasterization, lines, the provoking vertex, the
                // stream, and the representation of depth bias.
                (1_000_102_001, &[0, 1]),
                (1_000_101_001, &[0, 1, 0x3e80_0000, 0]),
                (1_000_259_001, &[1, 1, 3, 0xaaaa]),
                (1_000_254_001, &[1, 0]),
                (1_000_028_002, &[0, 0]),
                (1_000_283_002, &[1, 1]),
            ]),
            ..Rasterization::default()
        }),
        multisample: Some(Multisample {
            samples: 4,
            sample_shading: true,
            min_sample_shading: float(0.5),
            sample_mask: vec![0xa],
            alpha_to_coverage: true,
            ..Multisample::default()
        }),
        depth_stencil: Some(DepthStencil {
            depth_test: true,
            depth_write: true,
            depth_compare: 4,
            depth_bounds_test: true,
            depth_bounds: [float(0.125), float(0.875)],
            stencil_test: true,
            stencil: [op(1), op(3)],
            ..DepthStencil::default()
        }),
        color_blend: Some(ColorBlend {
            attachment_count: 2,
            attachments: vec![blend, Blend::default()],
            constants: [float(0.1), float(0.2), float(0.3), float(1.0)],
            write_enables: vec![true, false],
            // VkPipelineColorBlendAdvancedStateCreateInfoEXT.
            chain: chain(&[(1_000_148_002, &[1, 0, 2, 0])]),
            ..ColorBlend::default()
        }),
        dynamic: Vec::new(),
        target: Some(target),
    }
}

/// A pipeline with a name.
type Named = (&'static str, Pipeline);

/// `VkPipelineRobustnessCreateInfo`.
const ROBUSTNESS: (i32, &[u32]) = (1_000_068_000, &[1, 2, 1, 3]);

fn compute(codes: &Codes) -> Vec<Named> {
    let constants = vec![
        Constant { id: 7, value: Bytes(vec![1, 0, 0, 0]) },
        Constant { id: 9, value: Bytes(vec![0, 0, 0, 0, 0, 0, 0xf8, 0x3f]) },
    ];
    let compute = Stage {
        constants,
        // VkPipelineShaderStageRequiredSubgroupSizeCreateInfo.
        chain: chain(&[(1_000_225_001, &[8, 0]), ROBUSTNESS]),
        ..stage(32, codes.compute)
    };
    vec![
        ("compute", Pipeline { layout: Some(layout()), ..pipeline(Command::Compute, vec![compute.clone()]) }),
        // The first bit beyond the 32 of the older member.
        ("long flags", Pipeline { flags: 1 << 40 | 1, ..pipeline(Command::Compute, vec![compute]) }),
        ("plain", pipeline(Command::Compute, vec![stage(32, codes.compute)])),
    ]
}

fn graphics(state: Graphics, stages: &[Stage]) -> Pipeline {
    Pipeline { graphics: Some(state), ..pipeline(Command::Graphics, stages.to_vec()) }
}

/// Attachments of dynamic rendering.
fn rendered() -> Target {
    let locations = Some(vec![1, 0]);
    Target::Rendering(Rendering { view_mask: 3, colors: vec![37, 0], depth: 130, stencil: 130, locations })
}

fn whole(drawing: &[Stage]) -> Vec<Named> {
    let mut all = Vec::new();
    for (name, subpass) in [("the first subpass", 0), ("the second subpass", 1)] {
        let mut state = state(Target::RenderPass(render_pass(), subpass));
        state.color_blend.as_mut().unwrap().attachment_count -= subpass;
        all.push((name, graphics(state, drawing)));
    }
    // VkPipelineFragmentShadingRateStateCreateInfoKHR.
    let rate = chain(&[(1_000_226_001, &[2, 1, 1, 2]), ROBUSTNESS]);
    all.push(("rendering", Pipeline { chain: rate.clone(), ..graphics(state(rendered()), drawing) }));
    // What is set while drawing is in no record.
    let without_viewports = |mut state: Graphics| {
        let viewport = state.viewport.as_mut().unwrap();
        viewport.viewports.clear();
        viewport.scissors.clear();
        state
    };
    let flat = Graphics { dynamic: (0..9).collect(), ..without_viewports(state(rendered())) };
    all.push(("dynamic state of Vulkan 1.0", graphics(flat, drawing)));
    let newer = (1_000_267_000..=1_000_267_011).chain([1_000_377_000, 1_000_377_001, 1_000_377_002]);
    let newer = Graphics { dynamic: newer.collect(), ..without_viewports(state(rendered())) };
    all.push(("dynamic state of Vulkan 1.3", graphics(newer, drawing)));
    let newest = (1_000_455_002..=1_000_455_022).chain([1_000_226_000, 1_000_259_000, 1_000_352_000, 1_000_381_000]);
    let newest = Graphics { dynamic: newest.chain([1_000_377_003, 1_000_377_004]).collect(), ..state(rendered()) };
    all.push(("dynamic state of extensions", Pipeline { chain: rate, ..graphics(newest, drawing) }));
    let mut partly = state(rendered());
    partly.dynamic = vec![1_000_455_010, 1_000_455_012];
    all.push(("dynamic blending in part", graphics(partly, drawing)));
    let mut discards = state(rendered());
    discards.rasterization.as_mut().unwrap().discard = true;
    all.push(("rasterizer discard", graphics(discards.clone(), &drawing[..3])));
    discards.dynamic = vec![1_000_377_001];
    all.push(("rasterizer discard, dynamic", graphics(discards, drawing)));
    let depth_only = Rendering { view_mask: 0, colors: Vec::new(), stencil: 0, depth: 126, locations: None };
    all.push(("depth alone", graphics(state(Target::Rendering(depth_only)), &drawing[..3])));
    all
}

/// The four subsets of a graphics pipeline, and what links them.
fn subsets(drawing: &[Stage]) -> Vec<Named> {
    let (mut all, mut parts) = (Vec::new(), Vec::new());
    for (name, subset) in [("vertices", 1), ("shaders", 2), ("fragments", 4), ("output", 8)] {
        let whole = state(rendered());
        let part = Graphics {
            subsets: Some(subset),
            vertex_input: whole.vertex_input.filter(|_| subset == 1),
            input_assembly: whole.input_assembly.filter(|_| subset == 1),
            tessellation: whole.tessellation.filter(|_| subset == 2),
            viewport: whole.viewport.filter(|_| subset == 2),
            rasterization: whole.rasterization.filter(|_| subset == 2),
            depth_stencil: whole.depth_stencil.filter(|_| subset == 4),
            multisample: whole.multisample.filter(|_| subset >= 4),
            color_blend: whole.color_blend.filter(|_| subset == 8),
            target: whole.target.filter(|_| subset != 1),
            ..Graphics::default()
        };
        let stages = match subset {
            2 => &drawing[..3],
            4 => &drawing[3..],
            _ => &[],
        };
        // VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.
        let part = Pipeline { flags: 0x800, ..graphics(part, stages) };
        parts.push(Some(part.digest()));
        all.push((name, part));
    }
    all.push(("linked", Pipeline { libraries: parts, graphics: None, ..pipeline(Command::Graphics, Vec::new()) }));
    all
}

fn rays(codes: &Codes) -> Vec<Named> {
    let group = Group { ty: 0, general: Some(0), closest_hit: None, any_hit: None, intersection: None };
    let rays = Pipeline {
        groups: vec![group],
        max_recursion: Some(2),
        interface: Some(Interface { max_payload: 32, max_attributes: 8 }),
        ..pipeline(Command::RayTracing, vec![stage(0x100, codes.generation)])
    };
    let library = Pipeline { flags: 0x800, ..rays.clone() };
    let linked = Pipeline {
        libraries: vec![Some(library.digest())],
        // VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR.
        dynamic: vec![1_000_347_000],
        ..rays
    };
    vec![("a library of rays", library), ("linked rays", linked)]
}

/// The pipelines, with a name for each.
pub fn pipelines(writer: &Writer) -> Vec<Named> {
    let codes = codes(writer);
    let drawing =
        [stage(1, codes.vertex), stage(2, codes.control), stage(4, codes.evaluation), stage(16, codes.fragment)];
    [compute(&codes), whole(&drawing), subsets(&drawing), rays(&codes)].concat()
}

/// Writes the capture.
pub fn capture(folder: &Path) -> Vec<(&'static str, Digest)> {
    let writer = Writer::new(folder.to_owned(), u64::MAX);
    let mut names = Vec::new();
    for (name, pipeline) in pipelines(&writer) {
        let record = Record { format: Record::FORMAT, device: None, requests: Vec::new(), pipeline };
        names.push((name, writer.record(&record).unwrap()));
    }
    names
}
