use super::*;

use vk::DynamicState as D;

type Info<'a> = vk::GraphicsPipelineCreateInfo<'a>;

const DUAL: vk::PipelineColorBlendAttachmentState = vk::PipelineColorBlendAttachmentState {
    blend_enable: vk::TRUE,
    src_color_blend_factor: vk::BlendFactor::ONE,
    dst_color_blend_factor: vk::BlendFactor::SRC1_ALPHA,
    color_blend_op: vk::BlendOp::ADD,
    src_alpha_blend_factor: vk::BlendFactor::ONE,
    dst_alpha_blend_factor: vk::BlendFactor::ZERO,
    alpha_blend_op: vk::BlendOp::ADD,
    color_write_mask: vk::ColorComponentFlags::RGBA,
};

fn state(info: &Info<'_>) -> GraphicsState {
    // SAFETY: the tests make valid create infos.
    unsafe { GraphicsState::read(info, None) }
}

fn with_pass<'a>() -> Info<'a> {
    Info { render_pass: vk::Handle::from_raw(1), ..Default::default() }
}

/// The state of a pipeline with this attachment and these dynamic states.
fn blended(target: vk::PipelineColorBlendAttachmentState, dynamic: &[D]) -> GraphicsState {
    let targets = [target];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(dynamic);
    state(&with_pass().color_blend_state(&blend).dynamic_state(&dynamic))
}

#[test]
fn static_blending_is_known() {
    assert_eq!(blended(DUAL, &[]).dual_source, Some(true));
    let off = vk::PipelineColorBlendAttachmentState { blend_enable: vk::FALSE, ..DUAL };
    assert_eq!(blended(off, &[]).dual_source, Some(false));
    assert_eq!(blended(Default::default(), &[]).dual_source, Some(false));
}

#[test]
fn dynamic_blending_is_known_only_where_static_members_rule_it_out() {
    let off = vk::PipelineColorBlendAttachmentState { blend_enable: vk::FALSE, ..DUAL };
    let one_source = vk::PipelineColorBlendAttachmentState { dst_color_blend_factor: vk::BlendFactor::ONE, ..DUAL };
    let known_no = [
        (off, D::COLOR_BLEND_EQUATION_EXT, "never enabled"),
        (one_source, D::COLOR_BLEND_ENABLE_EXT, "no second source"),
    ];
    for (target, dynamic, why) in known_no {
        assert_eq!(blended(target, &[dynamic]).dual_source, Some(false), "{why}");
    }
    for (target, dynamic, stated) in [
        (DUAL, D::COLOR_BLEND_ENABLE_EXT, true),
        (DUAL, D::COLOR_BLEND_EQUATION_EXT, true),
        (off, D::COLOR_BLEND_ENABLE_EXT, false),
        (one_source, D::COLOR_BLEND_EQUATION_EXT, false),
    ] {
        let state = blended(target, &[dynamic]);
        assert_eq!((state.dual_source, state.stated_dual_source), (None, stated));
    }
    let state = blended(DUAL, &[D::COLOR_BLEND_ENABLE_EXT, D::COLOR_BLEND_EQUATION_EXT, D::COLOR_WRITE_MASK_EXT]);
    assert_eq!((state.dual_source, state.stated_dual_source), (None, false), "ignored attachments");
}

#[test]
fn a_library_without_the_pixel_shader() {
    let elsewhere = |flags: Subset, discard: bool| {
        let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(flags);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(discard);
        state(&with_pass().rasterization_state(&raster).push_next(&mut library)).pixel_shader_elsewhere
    };
    let before = Subset::PRE_RASTERIZATION_SHADERS;
    assert!(elsewhere(before, false) && elsewhere(before | Subset::FRAGMENT_OUTPUT_INTERFACE, false));
    assert!(!elsewhere(before, true), "no pixel shader runs");
    assert!(!elsewhere(before | Subset::FRAGMENT_SHADER, false) && !elsewhere(Subset::FRAGMENT_SHADER, false));
    assert!(!state(&with_pass()).pixel_shader_elsewhere);
}

#[test]
fn discard_ends_the_fragment_state_unless_it_is_dynamic() {
    let rasterization = vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(true);
    let discarded = state(&with_pass().rasterization_state(&rasterization));
    assert_eq!(discarded.rasterizer_discard, Some(true));
    assert_eq!(discarded.dual_source, Some(false));
    let dynamic = [D::RASTERIZER_DISCARD_ENABLE];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic);
    let maybe = state(&with_pass().rasterization_state(&rasterization).dynamic_state(&dynamic));
    assert_eq!(maybe.rasterizer_discard, None);
}

#[test]
fn color_attachments_come_from_the_render_pass_or_the_formats() {
    // SAFETY: a valid create info.
    let with_subpass = |uses| unsafe { GraphicsState::read(&with_pass(), uses) };
    assert_eq!(with_subpass(Some(0)).dual_source, Some(false));
    assert_eq!(state(&Info::default()).color_attachments, Some(0));
    for (format, used) in [(vk::Format::UNDEFINED, 0), (vk::Format::R32_UINT, 1)] {
        let formats = [format];
        let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
        let state = state(&Info::default().push_next(&mut rendering));
        assert_eq!(state.color_attachments, Some(used));
    }
}

#[test]
fn a_second_target_beside_unknown_blending_follows_the_attachments() {
    let dynamic = [D::COLOR_BLEND_ENABLE_EXT, D::COLOR_BLEND_EQUATION_EXT, D::COLOR_WRITE_MASK_EXT];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic);
    let info = with_pass().dynamic_state(&dynamic);
    for (colors, second) in [(None, None), (Some(0), Some(false)), (Some(1), Some(true)), (Some(2), Some(false))] {
        // SAFETY: a valid create info.
        assert_eq!(unsafe { GraphicsState::read(&info, colors) }.second_source(), second, "{colors:?}");
    }
}

#[test]
fn sample_shading_is_several_times_for_a_pixel() {
    let shades = |dynamic: &[D], enable: bool, least: f32| {
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(dynamic);
        let multisample = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_4)
            .sample_shading_enable(enable)
            .min_sample_shading(least);
        state(&with_pass().multisample_state(&multisample).dynamic_state(&dynamic)).sample_shading
    };
    assert!(shades(&[], true, 1.0) && shades(&[], true, 0.3));
    // A quarter of four samples is once for each pixel.
    assert!(!shades(&[], true, 0.25) && !shades(&[], true, 0.0) && !shades(&[], false, 1.0));
    // A command may set more samples.
    assert!(shades(&[D::RASTERIZATION_SAMPLES_EXT], true, 0.25));
}

#[test]
fn samples_are_known_at_standard_locations() {
    let samples = |dynamic: &[D], custom: bool| {
        let mut locations = vk::PipelineSampleLocationsStateCreateInfoEXT::default().sample_locations_enable(custom);
        let multisample = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_8)
            .push_next(&mut locations);
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(dynamic);
        state(&with_pass().multisample_state(&multisample).dynamic_state(&dynamic)).samples
    };
    assert_eq!(samples(&[], false), Some(8));
    assert_eq!(samples(&[], true), None);
    assert_eq!(samples(&[D::RASTERIZATION_SAMPLES_EXT], false), None);
    assert_eq!(samples(&[D::SAMPLE_LOCATIONS_ENABLE_EXT], false), None);
}
