use super::*;

type Info<'a> = vk::GraphicsPipelineCreateInfo<'a>;

const UNKNOWN: Uses = Uses { colors: None, depth_stencil: None };
const ALL: Rules = Rules { dynamic_state3: false, any_topology: false };
/// The members read from every create info with shaders and a render pass.
const COMMON: Reads = Reads { dynamic_state: true, layout: true, render_pass: true, ..NOTHING };
const NOTHING: Reads = Reads {
    dynamic_state: false,
    vertex_input: false,
    input_assembly: false,
    tessellation: false,
    viewport: false,
    viewports: false,
    scissors: false,
    rasterization: false,
    multisample: false,
    depth_stencil: false,
    color_blend: false,
    color_blend_attachments: false,
    layout: false,
    render_pass: false,
    formats: false,
};
const VERTICES: Reads = Reads { dynamic_state: true, vertex_input: true, input_assembly: true, ..NOTHING };
const BEFORE: Reads = Reads { viewport: true, viewports: true, scissors: true, rasterization: true, ..COMMON };
const FRAGMENT: Reads = Reads { multisample: true, ..COMMON };
const OUTPUT: Reads =
    Reads { multisample: true, color_blend: true, color_blend_attachments: true, layout: false, ..COMMON };

fn reads_of(info: &Info<'_>, subpass: Uses, rules: Rules) -> Reads {
    // SAFETY: the tests make valid create infos.
    unsafe { Read::new(info, subpass, rules) }.reads
}

fn reads(info: &Info<'_>) -> Reads {
    reads_of(info, UNKNOWN, ALL)
}

fn with_pass<'a>() -> Info<'a> {
    Info { render_pass: vk::Handle::from_raw(1), ..Default::default() }
}

/// The members read with these dynamic states.
fn with_dynamic(dynamic: &[D], rules: Rules) -> Reads {
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(dynamic);
    reads_of(&with_pass().dynamic_state(&dynamic), Uses { depth_stencil: Some(true), ..UNKNOWN }, rules)
}

#[test]
fn subsets_decide_what_is_read() {
    let of = |flags: Subset| {
        let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(flags);
        reads(&with_pass().push_next(&mut library))
    };
    assert_eq!(of(Subset::VERTEX_INPUT_INTERFACE), VERTICES);
    assert_eq!(of(Subset::PRE_RASTERIZATION_SHADERS), BEFORE);
    assert_eq!(of(Subset::FRAGMENT_SHADER), FRAGMENT);
    assert_eq!(of(Subset::FRAGMENT_OUTPUT_INTERFACE), OUTPUT);
    // Without the structure: all subsets, or none for a library or a link of libraries.
    let complete = Reads { vertex_input: true, input_assembly: true, layout: true, ..OUTPUT };
    let before = |reads| Reads { viewport: true, viewports: true, scissors: true, rasterization: true, ..reads };
    assert_eq!(reads(&with_pass()), before(complete));
    let library = with_pass().flags(vk::PipelineCreateFlags::LIBRARY_KHR);
    let linked = Reads { layout: true, ..NOTHING };
    assert_eq!(reads(&library), linked);
    let libraries = [vk::Pipeline::null()];
    let mut link = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
    assert_eq!(reads(&with_pass().push_next(&mut link)), linked);
}

#[test]
fn flags_in_the_chain_replace_the_others() {
    let mut flags2 = vk::PipelineCreateFlags2CreateInfoKHR::default();
    let info = with_pass().flags(vk::PipelineCreateFlags::LIBRARY_KHR).push_next(&mut flags2);
    assert!(reads(&info).rasterization);
}

#[test]
fn discard_ends_the_viewport_and_fragment_state_unless_it_is_dynamic() {
    let rasterization = vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(true);
    let rest = Reads { vertex_input: true, input_assembly: true, rasterization: true, ..COMMON };
    assert_eq!(reads(&with_pass().rasterization_state(&rasterization)), rest);
    let dynamic = [D::RASTERIZER_DISCARD_ENABLE];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic);
    let maybe = reads(&with_pass().rasterization_state(&rasterization).dynamic_state(&dynamic));
    assert!(maybe.viewport && maybe.multisample && maybe.color_blend);
}

#[test]
fn stages_decide_about_vertices_and_patches() {
    let of = |stages: &[vk::ShaderStageFlags]| {
        let stage = |&stage| vk::PipelineShaderStageCreateInfo { stage, ..Default::default() };
        let stages: Vec<_> = stages.iter().map(stage).collect();
        reads(&with_pass().stages(&stages))
    };
    use vk::ShaderStageFlags as S;
    let mesh = of(&[S::MESH_EXT]);
    assert!(!mesh.vertex_input && !mesh.input_assembly && !mesh.tessellation && mesh.viewport);
    let patches = of(&[S::VERTEX, S::TESSELLATION_CONTROL, S::TESSELLATION_EVALUATION]);
    assert!(patches.vertex_input && patches.tessellation);
    assert!(!of(&[S::VERTEX, S::TESSELLATION_EVALUATION]).tessellation);
}

#[test]
fn the_subpass_decides_about_attachments() {
    let of = |colors, depth| {
        let uses = Uses { colors: Some(colors), depth_stencil: Some(depth) };
        let reads = reads_of(&with_pass(), uses, ALL);
        (reads.color_blend, reads.depth_stencil)
    };
    assert_eq!([of(0, false), of(1, false), of(0, true)], [(false, false), (true, false), (false, true)]);
    let formats = [vk::Format::R32_UINT];
    let mut colors = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    let rendered = reads(&Info::default().push_next(&mut colors));
    assert!(rendered.formats && rendered.color_blend && !rendered.depth_stencil);
    let mut stencil = vk::PipelineRenderingCreateInfo::default().stencil_attachment_format(vk::Format::S8_UINT);
    let rendered = reads(&Info::default().push_next(&mut stencil));
    assert!(!rendered.color_blend && rendered.depth_stencil);
    // A fragment shader library does not have the attachments.
    let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(Subset::FRAGMENT_SHADER);
    let alone = reads(&Info::default().push_next(&mut library));
    assert!(!alone.formats && alone.depth_stencil);
}

#[test]
fn what_is_dynamic_may_be_null() {
    let blend: Vec<D> = DYNAMIC_ATTACHMENTS.into_iter().chain(DYNAMIC_COLOR_BLEND).collect();
    assert!(with_dynamic(&DYNAMIC_COLOR_BLEND, ALL).color_blend_attachments);
    let attachments = with_dynamic(&DYNAMIC_ATTACHMENTS, ALL);
    assert!(attachments.color_blend && !attachments.color_blend_attachments);
    assert!(!with_dynamic(&blend, ALL).color_blend);
    assert!(!with_dynamic(&[D::VERTEX_INPUT_EXT], ALL).vertex_input);
    assert!(!with_dynamic(&DYNAMIC_RASTERIZATION, ALL).rasterization);
    assert!(!with_dynamic(&DYNAMIC_MULTISAMPLE, ALL).multisample);
    // Other structures only with an extension.
    let later = Rules { any_topology: false, ..Rules::LEAST };
    for (dynamic, read) in [
        (&DYNAMIC_VIEWPORT[..], (|r: Reads| r.viewport) as fn(Reads) -> bool),
        (&DYNAMIC_DEPTH_STENCIL, |r| r.depth_stencil),
    ] {
        let all: Vec<bool> = [ALL, later].into_iter().map(|rules| read(with_dynamic(dynamic, rules))).collect();
        let fewer: Vec<bool> = [ALL, later].into_iter().map(|rules| read(with_dynamic(&dynamic[1..], rules))).collect();
        assert_eq!((all, fewer), (vec![true, false], vec![true, true]), "state {}", dynamic[0].as_raw());
    }
    let topology = [ALL, later, Rules::LEAST].map(|rules| with_dynamic(&DYNAMIC_INPUT_ASSEMBLY, rules).input_assembly);
    assert_eq!(topology, [true, true, false]);
}

#[test]
fn dynamic_viewports_are_ignored() {
    let both = |dynamic: &[D]| {
        let reads = with_dynamic(dynamic, Rules::LEAST);
        (reads.viewport, reads.viewports, reads.scissors)
    };
    assert_eq!(both(&[D::VIEWPORT]), (true, false, true));
    assert_eq!(both(&[D::SCISSOR]), (true, true, false));
    assert_eq!(both(&[D::SCISSOR_WITH_COUNT]), (true, true, false));
}

#[test]
fn stages_are_read_with_shaders_and_without_binaries() {
    let stages = [vk::PipelineShaderStageCreateInfo::default()];
    let count = |info: &Info<'static>| {
        // SAFETY: a valid create info.
        unsafe { super::stages(info) }.len()
    };
    let info = Info { stage_count: 1, p_stages: stages.as_ptr(), ..Default::default() };
    assert_eq!(count(&info), 1);
    assert_eq!(count(&Info { flags: vk::PipelineCreateFlags::LIBRARY_KHR, ..info }), 0);
    let binaries = [1_000_483_002u64, 0, 1, 0];
    assert_eq!(count(&Info { p_next: binaries.as_ptr().cast(), ..info }), 0);
}
