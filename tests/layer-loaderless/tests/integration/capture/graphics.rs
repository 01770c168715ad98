//! Graphics pipelines in a capture: every member of the state, render passes in both forms, and
//! pipeline libraries. The expected records are written in full.

use std::ffi::c_void;
use std::ptr;

use ash::vk;
use ash::vk::{DynamicState as D, GraphicsPipelineLibraryFlagsEXT as Subset, ShaderStageFlags as S, TaggedStructure};
use dxil_capture::Digest;
use dxil_capture::model::{
    Attachment, Attribute, Blend, Chain, Code, ColorBlend, Dependency, DepthStencil, Graphics, InputAssembly,
    Multisample, Rasterization, Rect, Reference, RenderPass, Rendering, StencilOp, Subpass, Target, VertexBinding,
    VertexInput, Viewport, ViewportState,
};
use dxil_layer_loaderless::{App, TempFolder, Unknown, fixture, handle, next, stage};

use super::{UNKNOWN, app, leak, lost, mixed, only, records, unknown};

const VERTICES: &str = "stages/dual_source.vs.dxil";
const PIXELS: &str = "stages/dual_source.ps.dxil";

fn shader_stage(app: &App, flag: S, shader: &str) -> vk::PipelineShaderStageCreateInfo<'static> {
    stage(flag, app.module(&fixture(shader)), if flag == S::VERTEX { c"vs_main" } else { c"ps_main" })
}

/// The target of a pipeline with this render pass.
fn target_of(folder: &TempFolder, app: &App, pass: vk::RenderPass) -> Target {
    let stages = [shader_stage(app, S::FRAGMENT, PIXELS)];
    let info = vk::GraphicsPipelineCreateInfo { subpass: 3, ..Default::default() }.stages(&stages).render_pass(pass);
    assert_eq!(app.graphics(&[info]).0.as_raw(), 0);
    only(folder).pipeline.graphics.unwrap().target.unwrap()
}

/// State in which each member has another value, and which lives as long as the test.
fn vertex_input() -> &'static vk::PipelineVertexInputStateCreateInfo<'static> {
    let divisors = leak([vk::VertexInputBindingDivisorDescriptionKHR { binding: 1, divisor: 3 }]);
    let divisor = leak(vk::PipelineVertexInputDivisorStateCreateInfoKHR {
        p_next: unknown(),
        ..vk::PipelineVertexInputDivisorStateCreateInfoKHR::default().vertex_binding_divisors(divisors)
    });
    leak(vk::PipelineVertexInputStateCreateInfo {
        p_next: next(divisor),
        ..vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(leak([
                vk::VertexInputBindingDescription { binding: 1, stride: 24, input_rate: vk::VertexInputRate::INSTANCE },
                vk::VertexInputBindingDescription { binding: 2, stride: 12, input_rate: vk::VertexInputRate::VERTEX },
            ]))
            .vertex_attribute_descriptions(leak([vk::VertexInputAttributeDescription {
                location: 4,
                binding: 1,
                format: vk::Format::R32G32_SFLOAT,
                offset: 8,
            }]))
    })
}

fn input_assembly() -> &'static vk::PipelineInputAssemblyStateCreateInfo<'static> {
    leak(vk::PipelineInputAssemblyStateCreateInfo {
        p_next: unknown(),
        topology: vk::PrimitiveTopology::PATCH_LIST,
        primitive_restart_enable: vk::TRUE,
        ..Default::default()
    })
}

fn tessellation() -> &'static vk::PipelineTessellationStateCreateInfo<'static> {
    let origin = leak(vk::PipelineTessellationDomainOriginStateCreateInfo {
        p_next: unknown(),
        domain_origin: vk::TessellationDomainOrigin::LOWER_LEFT,
        ..Default::default()
    });
    leak(vk::PipelineTessellationStateCreateInfo {
        p_next: next(origin),
        patch_control_points: 5,
        ..Default::default()
    })
}

fn viewport() -> &'static vk::PipelineViewportStateCreateInfo<'static> {
    let clip = leak(vk::PipelineViewportDepthClipControlCreateInfoEXT {
        p_next: unknown(),
        negative_one_to_one: vk::TRUE,
        ..Default::default()
    });
    let viewports =
        [vk::Viewport { x: 1.0, y: -2.0, width: 3.0, height: -4.0, min_depth: 0.25, max_depth: f32::INFINITY }];
    let scissors =
        [vk::Rect2D { offset: vk::Offset2D { x: -1, y: 2 }, extent: vk::Extent2D { width: 3, height: 4 } }; 2];
    leak(vk::PipelineViewportStateCreateInfo {
        p_next: next(clip),
        ..vk::PipelineViewportStateCreateInfo::default().viewports(leak(viewports)).scissors(leak(scissors))
    })
}

fn rasterization() -> &'static vk::PipelineRasterizationStateCreateInfo<'static> {
    let conservative = leak(vk::PipelineRasterizationConservativeStateCreateInfoEXT {
        p_next: unknown(),
        conservative_rasterization_mode: vk::ConservativeRasterizationModeEXT::UNDERESTIMATE,
        extra_primitive_overestimation_size: 0.5,
        ..Default::default()
    });
    leak(vk::PipelineRasterizationStateCreateInfo {
        p_next: next(conservative),
        depth_clamp_enable: vk::TRUE,
        rasterizer_discard_enable: vk::FALSE,
        polygon_mode: vk::PolygonMode::LINE,
        cull_mode: vk::CullModeFlags::BACK,
        front_face: vk::FrontFace::CLOCKWISE,
        depth_bias_enable: vk::TRUE,
        depth_bias_constant_factor: 1.5,
        depth_bias_clamp: 2.5,
        depth_bias_slope_factor: 3.5,
        line_width: 4.5,
        ..Default::default()
    })
}

static SAMPLE_MASK: [u32; 2] = [0x1234_5678, 0x9abc_def0];

fn multisample() -> &'static vk::PipelineMultisampleStateCreateInfo<'static> {
    leak(vk::PipelineMultisampleStateCreateInfo {
        p_next: unknown(),
        rasterization_samples: vk::SampleCountFlags::TYPE_64,
        sample_shading_enable: vk::TRUE,
        min_sample_shading: 0.75,
        p_sample_mask: SAMPLE_MASK.as_ptr(),
        alpha_to_coverage_enable: vk::TRUE,
        alpha_to_one_enable: vk::TRUE,
        ..Default::default()
    })
}

fn depth_stencil() -> &'static vk::PipelineDepthStencilStateCreateInfo<'static> {
    let op = |first: i32, mask: u32| vk::StencilOpState {
        fail_op: vk::StencilOp::from_raw(first),
        pass_op: vk::StencilOp::from_raw(first + 1),
        depth_fail_op: vk::StencilOp::from_raw(first + 2),
        compare_op: vk::CompareOp::from_raw(first + 3),
        compare_mask: mask,
        write_mask: mask + 1,
        reference: mask + 2,
    };
    leak(vk::PipelineDepthStencilStateCreateInfo {
        p_next: unknown(),
        flags: vk::PipelineDepthStencilStateCreateFlags::from_raw(2),
        depth_test_enable: vk::TRUE,
        depth_write_enable: vk::TRUE,
        depth_compare_op: vk::CompareOp::LESS_OR_EQUAL,
        depth_bounds_test_enable: vk::TRUE,
        stencil_test_enable: vk::TRUE,
        front: op(1, 10),
        back: op(2, 20),
        min_depth_bounds: 0.125,
        max_depth_bounds: 0.875,
        ..Default::default()
    })
}

fn color_blend() -> &'static vk::PipelineColorBlendStateCreateInfo<'static> {
    let targets = leak([vk::PipelineColorBlendAttachmentState {
        blend_enable: vk::TRUE,
        src_color_blend_factor: vk::BlendFactor::SRC_ALPHA,
        dst_color_blend_factor: vk::BlendFactor::ONE_MINUS_SRC_ALPHA,
        color_blend_op: vk::BlendOp::SUBTRACT,
        src_alpha_blend_factor: vk::BlendFactor::ONE,
        dst_alpha_blend_factor: vk::BlendFactor::DST_ALPHA,
        alpha_blend_op: vk::BlendOp::MAX,
        color_write_mask: vk::ColorComponentFlags::R | vk::ColorComponentFlags::A,
    }]);
    let write = leak(vk::PipelineColorWriteCreateInfoEXT {
        p_next: unknown(),
        ..vk::PipelineColorWriteCreateInfoEXT::default().color_write_enables(&[vk::TRUE])
    });
    leak(vk::PipelineColorBlendStateCreateInfo {
        p_next: next(write),
        flags: vk::PipelineColorBlendStateCreateFlags::RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXT,
        logic_op_enable: vk::TRUE,
        logic_op: vk::LogicOp::XOR,
        blend_constants: [0.1, 0.2, 0.3, f32::NAN],
        ..vk::PipelineColorBlendStateCreateInfo::default().attachments(targets)
    })
}

fn rendering() -> &'static vk::PipelineRenderingCreateInfo<'static> {
    let locations = leak(vk::RenderingAttachmentLocationInfoKHR {
        p_next: unknown(),
        ..vk::RenderingAttachmentLocationInfoKHR::default().color_attachment_locations(&[6])
    });
    leak(vk::PipelineRenderingCreateInfo {
        p_next: next(locations),
        view_mask: 3,
        depth_attachment_format: vk::Format::D32_SFLOAT,
        stencil_attachment_format: vk::Format::S8_UINT,
        ..vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&[vk::Format::R8G8B8A8_UNORM])
    })
}

/// What a record has of this state.
#[expect(clippy::too_many_lines, reason = "a flat table of members")]
fn expected_state() -> Graphics {
    let f32s = |numbers: [f32; 3]| numbers.map(Into::into);
    let expected_op = |first: i32, mask: u32| StencilOp {
        ops: [first, first + 1, first + 2],
        compare: first + 3,
        masks: [mask, mask + 1],
        reference: mask + 2,
    };
    let scissor = Rect { offset: [-1, 2], extent: [3, 4] };
    Graphics {
        subsets: None,
        vertex_input: Some(VertexInput {
            bindings: vec![
                VertexBinding { binding: 1, stride: 24, rate: 1, divisor: Some(3) },
                VertexBinding { binding: 2, stride: 12, rate: 0, divisor: None },
            ],
            attributes: vec![Attribute { location: 4, binding: 1, format: 103, offset: 8 }],
            chain: lost(),
        }),
        input_assembly: Some(InputAssembly { topology: 10, primitive_restart: true, chain: lost() }),
        tessellation: Some((5, mixed(vk::PipelineTessellationDomainOriginStateCreateInfo::STRUCTURE_TYPE, &[1, 0]))),
        viewport: Some(ViewportState {
            viewport_count: 1,
            viewports: vec![Viewport {
                origin: [1.0.into(), (-2.0).into()],
                extent: [3.0.into(), (-4.0).into()],
                depth: [0.25.into(), f32::INFINITY.into()],
            }],
            scissor_count: 2,
            scissors: vec![scissor, scissor],
            chain: mixed(vk::PipelineViewportDepthClipControlCreateInfoEXT::STRUCTURE_TYPE, &[1, 0]),
        }),
        rasterization: Some(Rasterization {
            depth_clamp: true,
            discard: false,
            polygon_mode: 1,
            cull_mode: 2,
            front_face: 1,
            depth_bias_enable: true,
            depth_bias: f32s([1.5, 2.5, 3.5]),
            line_width: 4.5.into(),
            chain: mixed(
                vk::PipelineRasterizationConservativeStateCreateInfoEXT::STRUCTURE_TYPE,
                &[0, 2, 0.5f32.to_bits(), 0],
            ),
        }),
        multisample: Some(Multisample {
            samples: 64,
            sample_shading: true,
            min_sample_shading: 0.75.into(),
            sample_mask: SAMPLE_MASK.to_vec(),
            alpha_to_coverage: true,
            alpha_to_one: true,
            chain: lost(),
        }),
        depth_stencil: Some(DepthStencil {
            flags: 2,
            depth_test: true,
            depth_write: true,
            depth_compare: 3,
            depth_bounds_test: true,
            depth_bounds: [0.125.into(), 0.875.into()],
            stencil_test: true,
            stencil: [expected_op(1, 10), expected_op(2, 20)],
            chain: lost(),
        }),
        color_blend: Some(ColorBlend {
            flags: 1,
            logic_op_enable: true,
            logic_op: 6,
            attachment_count: 1,
            attachments: vec![Blend { enable: true, color: [6, 7, 1], alpha: [1, 8, 4], write_mask: 9 }],
            constants: [0.1, 0.2, 0.3, f32::NAN].map(Into::into),
            write_enables: vec![true],
            chain: lost(),
        }),
        dynamic: vec![2, 8],
        target: Some(Target::Rendering(Rendering {
            view_mask: 3,
            colors: vec![37],
            depth: 126,
            stencil: 127,
            locations: Some(vec![6]),
        })),
    }
}

#[test]
fn every_member_of_the_state() {
    let folder = TempFolder::new("capture-state");
    let app = app(&folder);
    let states = [D::LINE_WIDTH, D::STENCIL_REFERENCE];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let discard = vk::PipelineDiscardRectangleStateCreateInfoEXT { p_next: next(rendering()), ..Default::default() };
    let stages = [
        shader_stage(&app, S::VERTEX, VERTICES),
        vk::PipelineShaderStageCreateInfo { module: handle(1), ..shader_stage(&app, S::TESSELLATION_CONTROL, PIXELS) },
        vk::PipelineShaderStageCreateInfo {
            module: handle(1),
            ..shader_stage(&app, S::TESSELLATION_EVALUATION, PIXELS)
        },
        shader_stage(&app, S::FRAGMENT, PIXELS),
    ];
    let info = vk::GraphicsPipelineCreateInfo {
        p_next: next(&discard),
        flags: vk::PipelineCreateFlags::ALLOW_DERIVATIVES,
        p_tessellation_state: tessellation(),
        ..vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(vertex_input())
            .input_assembly_state(input_assembly())
            .viewport_state(viewport())
            .rasterization_state(rasterization())
            .multisample_state(multisample())
            .depth_stencil_state(depth_stencil())
            .color_blend_state(color_blend())
            .dynamic_state(&dynamic)
    };
    assert_eq!(app.graphics(&[info]).0.as_raw(), 0);
    let pipeline = only(&folder).pipeline;
    assert_eq!(pipeline.graphics.unwrap(), expected_state());
    assert_eq!((pipeline.flags, pipeline.layout, pipeline.libraries), (2, None, vec![]));
    // The structure with a pointer has no member in the record.
    let discard = vk::PipelineDiscardRectangleStateCreateInfoEXT::STRUCTURE_TYPE.as_raw();
    assert_eq!(pipeline.chain, Chain { lost: vec![discard, UNKNOWN], ..Chain::default() });
}

/// What the passes of both forms are here.
fn expected_pass() -> RenderPass {
    let reference = |attachment, layout| Reference { attachment, layout, ..Reference::default() };
    let attachment = |format: vk::Format| Attachment {
        flags: 1,
        format: format.as_raw(),
        samples: 4,
        ops: [1, 0],
        stencil_ops: [2, 1],
        layouts: [0, 2],
        chain: Chain::default(),
    };
    RenderPass {
        flags: 2,
        attachments: vec![attachment(vk::Format::R32_UINT), attachment(vk::Format::D24_UNORM_S8_UINT)],
        subpasses: vec![Subpass {
            flags: 1,
            bind_point: 0,
            view_mask: 3,
            inputs: vec![
                Reference { aspects: 6, ..reference(Some(1), 5) },
                Reference { aspects: 1, ..reference(Some(0), 1) },
            ],
            colors: vec![reference(Some(0), 2), reference(None, 0)],
            resolves: vec![reference(None, 0), reference(Some(0), 1)],
            depth_stencil: Some(reference(Some(1), 3)),
            preserves: vec![7],
            ..Subpass::default()
        }],
        dependencies: vec![Dependency {
            subpasses: [u32::MAX, 0],
            stages: [1, 2],
            accesses: [4, 8],
            flags: 1,
            view_offset: -1,
            chain: Chain::default(),
        }],
        correlated_view_masks: vec![3, 4],
        chain: lost(),
    }
}

/// An attachment of the passes below.
fn attachment(format: vk::Format) -> vk::AttachmentDescription {
    vk::AttachmentDescription {
        flags: vk::AttachmentDescriptionFlags::MAY_ALIAS,
        format,
        samples: vk::SampleCountFlags::TYPE_4,
        load_op: vk::AttachmentLoadOp::CLEAR,
        store_op: vk::AttachmentStoreOp::STORE,
        stencil_load_op: vk::AttachmentLoadOp::DONT_CARE,
        stencil_store_op: vk::AttachmentStoreOp::DONT_CARE,
        initial_layout: vk::ImageLayout::UNDEFINED,
        final_layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
    }
}

#[test]
fn a_render_pass_of_the_older_form() {
    let folder = TempFolder::new("capture-pass1");
    let app = app(&folder);
    let unknown = Unknown::before(ptr::null());
    let reference =
        |attachment, layout| vk::AttachmentReference { attachment, layout: vk::ImageLayout::from_raw(layout) };
    let attachments = [attachment(vk::Format::R32_UINT), attachment(vk::Format::D24_UNORM_S8_UINT)];
    let inputs = [reference(1, 5), reference(0, 1)];
    let colors = [reference(0, 2), reference(vk::ATTACHMENT_UNUSED, 0)];
    let resolves = [reference(vk::ATTACHMENT_UNUSED, 0), reference(0, 1)];
    let depth = reference(1, 3);
    let preserves = [7];
    let subpasses = [vk::SubpassDescription {
        flags: vk::SubpassDescriptionFlags::from_raw(1),
        ..vk::SubpassDescription::default()
            .input_attachments(&inputs)
            .color_attachments(&colors)
            .resolve_attachments(&resolves)
            .depth_stencil_attachment(&depth)
            .preserve_attachments(&preserves)
    }];
    let dependencies = [vk::SubpassDependency {
        src_subpass: vk::SUBPASS_EXTERNAL,
        dst_subpass: 0,
        src_stage_mask: vk::PipelineStageFlags::TOP_OF_PIPE,
        dst_stage_mask: vk::PipelineStageFlags::DRAW_INDIRECT,
        src_access_mask: vk::AccessFlags::VERTEX_ATTRIBUTE_READ,
        dst_access_mask: vk::AccessFlags::UNIFORM_READ,
        dependency_flags: vk::DependencyFlags::BY_REGION,
    }];
    let (masks, offsets, correlated) = ([3], [-1], [3, 4]);
    let mut views = vk::RenderPassMultiviewCreateInfo::default()
        .view_masks(&masks)
        .view_offsets(&offsets)
        .correlation_masks(&correlated);
    views.p_next = unknown.as_next();
    // The aspects of the other input are those of its format.
    let aspects = [vk::InputAttachmentAspectReference {
        subpass: 0,
        input_attachment_index: 1,
        aspect_mask: vk::ImageAspectFlags::COLOR,
    }];
    let mut aspects = vk::RenderPassInputAttachmentAspectCreateInfo::default().aspect_references(&aspects);
    aspects.p_next = next(&views);
    let info = vk::RenderPassCreateInfo {
        p_next: next(&aspects),
        flags: vk::RenderPassCreateFlags::from_raw(2),
        ..vk::RenderPassCreateInfo::default()
            .attachments(&attachments)
            .subpasses(&subpasses)
            .dependencies(&dependencies)
    };
    let pass = app.create(&info);
    assert_eq!(target_of(&folder, &app, pass), Target::RenderPass(expected_pass(), 3));
}

/// The newer structure has the members of the older one.
fn newer_attachment(format: vk::Format, p_next: *const c_void) -> vk::AttachmentDescription2<'static> {
    let older = attachment(format);
    vk::AttachmentDescription2 {
        p_next,
        flags: older.flags,
        format: older.format,
        samples: older.samples,
        load_op: older.load_op,
        store_op: older.store_op,
        stencil_load_op: older.stencil_load_op,
        stencil_store_op: older.stencil_store_op,
        initial_layout: older.initial_layout,
        final_layout: older.final_layout,
        ..Default::default()
    }
}

/// The dependency of the newer form, whose masks are those of the older one.
fn newer_dependency() -> vk::SubpassDependency2<'static> {
    let barrier = leak(vk::MemoryBarrier2 {
        p_next: unknown(),
        src_stage_mask: vk::PipelineStageFlags2::from_raw(1 << 33),
        ..Default::default()
    });
    vk::SubpassDependency2 {
        p_next: next(barrier),
        src_subpass: vk::SUBPASS_EXTERNAL,
        dst_subpass: 0,
        src_stage_mask: vk::PipelineStageFlags::TOP_OF_PIPE,
        dst_stage_mask: vk::PipelineStageFlags::DRAW_INDIRECT,
        src_access_mask: vk::AccessFlags::VERTEX_ATTRIBUTE_READ,
        dst_access_mask: vk::AccessFlags::UNIFORM_READ,
        dependency_flags: vk::DependencyFlags::BY_REGION,
        view_offset: -1,
        ..Default::default()
    }
}

#[test]
fn a_render_pass_of_the_newer_form() {
    let folder = TempFolder::new("capture-pass2");
    let app = app(&folder);
    let unknown = Unknown::before(ptr::null());
    let stencil = vk::AttachmentDescriptionStencilLayout {
        p_next: ptr::from_ref(&*unknown).cast_mut().cast(),
        stencil_initial_layout: vk::ImageLayout::GENERAL,
        stencil_final_layout: vk::ImageLayout::PREINITIALIZED,
        ..Default::default()
    };
    let reference = |attachment, layout, aspects| vk::AttachmentReference2 {
        attachment,
        layout: vk::ImageLayout::from_raw(layout),
        aspect_mask: vk::ImageAspectFlags::from_raw(aspects),
        ..Default::default()
    };
    let unused = vk::ATTACHMENT_UNUSED;
    let attachments = [
        newer_attachment(vk::Format::R32_UINT, ptr::null()),
        newer_attachment(vk::Format::D24_UNORM_S8_UINT, next(&stencil)),
    ];
    let mut inputs = [reference(1, 5, 6), reference(0, 1, 1)];
    inputs[0].p_next = unknown.as_next();
    let colors = [reference(0, 2, 0), reference(unused, 0, 0)];
    let resolves = [reference(unused, 0, 0), reference(0, 1, 0)];
    let depth = reference(1, 3, 0);
    let (rate, resolve) = (reference(0, 4, 0), reference(unused, 5, 0));
    let rate = vk::FragmentShadingRateAttachmentInfoKHR {
        p_next: unknown.as_next(),
        p_fragment_shading_rate_attachment: &rate,
        shading_rate_attachment_texel_size: vk::Extent2D { width: 8, height: 16 },
        ..Default::default()
    };
    let resolve = vk::SubpassDescriptionDepthStencilResolve {
        p_next: next(&rate),
        depth_resolve_mode: vk::ResolveModeFlags::AVERAGE,
        stencil_resolve_mode: vk::ResolveModeFlags::MIN,
        p_depth_stencil_resolve_attachment: &resolve,
        ..Default::default()
    };
    let preserves = [7];
    let subpasses = [vk::SubpassDescription2 {
        p_next: next(&resolve),
        flags: vk::SubpassDescriptionFlags::from_raw(1),
        view_mask: 3,
        ..vk::SubpassDescription2::default()
            .input_attachments(&inputs)
            .color_attachments(&colors)
            .resolve_attachments(&resolves)
            .depth_stencil_attachment(&depth)
            .preserve_attachments(&preserves)
    }];
    let dependencies = [newer_dependency()];
    let correlated = [3, 4];
    let info = vk::RenderPassCreateInfo2 {
        p_next: unknown.as_next(),
        flags: vk::RenderPassCreateFlags::from_raw(2),
        ..vk::RenderPassCreateInfo2::default()
            .attachments(&attachments)
            .subpasses(&subpasses)
            .dependencies(&dependencies)
            .correlated_view_masks(&correlated)
    };
    let mut expected = expected_pass();
    expected.attachments[1].chain = mixed(vk::AttachmentDescriptionStencilLayout::STRUCTURE_TYPE, &[1, 8]);
    let subpass = &mut expected.subpasses[0];
    subpass.inputs[0].chain = lost();
    let only = |attachment, layout| Some(Reference { attachment, layout, ..Reference::default() });
    subpass.depth_stencil_resolve = Some(([2, 4], only(None, 5)));
    subpass.shading_rate = Some((only(Some(0), 4), [8, 16]));
    subpass.chain = lost();
    expected.dependencies[0].chain = mixed(vk::MemoryBarrier2::STRUCTURE_TYPE, &[0, 2, 0, 0, 0, 0, 0, 0]);
    let pass = app.create(&info);
    assert_eq!(target_of(&folder, &app, pass), Target::RenderPass(expected, 3));
}

/// Creates a pipeline library of these subsets of state.
fn create_library(app: &App, flags: Subset, info: vk::GraphicsPipelineCreateInfo<'_>) -> vk::Pipeline {
    let subsets =
        vk::GraphicsPipelineLibraryCreateInfoEXT { p_next: info.p_next.cast_mut(), flags, ..Default::default() };
    let info =
        vk::GraphicsPipelineCreateInfo { p_next: next(&subsets), flags: vk::PipelineCreateFlags::LIBRARY_KHR, ..info };
    let (result, pipelines) = app.graphics(&[info]);
    assert_eq!(result.as_raw(), 0);
    pipelines[0]
}

#[test]
fn linked_libraries_are_named_by_their_records() {
    let folder = TempFolder::new("capture-libraries");
    let app = app(&folder);
    let none = vk::GraphicsPipelineCreateInfo::default;
    let layout = app.layout(&[]);
    let input_assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_FAN);
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
    let (vertices, pixels) = ([shader_stage(&app, S::VERTEX, VERTICES)], [shader_stage(&app, S::FRAGMENT, PIXELS)]);
    // A library's own formats are ignored unless it has the output.
    let stale = vk::PipelineRenderingCreateInfo {
        view_mask: 5,
        color_attachment_count: 1,
        p_color_attachment_formats: ptr::without_provenance(8),
        ..Default::default()
    };
    let formats = [vk::Format::R32_SFLOAT];
    let rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats).view_mask(5);
    let libraries = [
        create_library(
            &app,
            Subset::VERTEX_INPUT_INTERFACE,
            none().input_assembly_state(&input_assembly).vertex_input_state(&vertex_input).layout(handle(0xdead)),
        ),
        create_library(
            &app,
            Subset::PRE_RASTERIZATION_SHADERS,
            vk::GraphicsPipelineCreateInfo { p_next: next(&stale), ..none().stages(&vertices).layout(layout) },
        ),
        create_library(
            &app,
            Subset::FRAGMENT_SHADER,
            vk::GraphicsPipelineCreateInfo { p_next: next(&stale), ..none().stages(&pixels).layout(layout) },
        ),
        create_library(
            &app,
            Subset::FRAGMENT_OUTPUT_INTERFACE,
            vk::GraphicsPipelineCreateInfo { p_next: next(&rendering), ..none() },
        ),
        handle(0x4711),
    ];
    let linked = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
    let info = vk::GraphicsPipelineCreateInfo { p_next: next(&linked), ..none().layout(layout) };
    assert_eq!(app.graphics(&[info]).0.as_raw(), 0);

    let records = records(&folder);
    assert_eq!(records.len(), 5);
    let of = |subset: Option<Subset>| {
        let subset = subset.map(|subset| subset.as_raw());
        let found = records.iter().find(|(_, record)| record.pipeline.graphics.as_ref().unwrap().subsets == subset);
        let (name, record) = found.unwrap();
        (Some(*name), &record.pipeline)
    };
    let (input, input_record) = of(Some(Subset::VERTEX_INPUT_INTERFACE));
    let (before, before_record) = of(Some(Subset::PRE_RASTERIZATION_SHADERS));
    let (fragment, _) = of(Some(Subset::FRAGMENT_SHADER));
    let (output, output_record) = of(Some(Subset::FRAGMENT_OUTPUT_INTERFACE));
    let (_, link) = of(None);
    assert_eq!(link.libraries, [input, before, fragment, output, None], "nobody knows the last one");
    assert!(link.stages.is_empty() && link.layout.is_some() && link.chain.is_empty());
    let input = input_record.graphics.as_ref().unwrap();
    assert_eq!(input.input_assembly.as_ref().unwrap().topology, 5);
    assert_eq!((input.target.as_ref(), input_record.layout.as_ref()), (None, None));
    assert_eq!(before_record.stages[0].code, Code::Dxil(Digest::new(&fixture(VERTICES))));
    let target = |pipeline: &dxil_capture::model::Pipeline| pipeline.graphics.clone().unwrap().target.unwrap();
    let unread = Rendering { view_mask: 5, ..Rendering::default() };
    assert_eq!(target(before_record), Target::Rendering(unread.clone()));
    assert_eq!(target(output_record), Target::Rendering(Rendering { colors: vec![100], ..unread }));

    // Without DXIL in a library, what is linked has none either.
    for library in &libraries[..4] {
        app.destroy(*library);
    }
    assert_eq!(app.graphics(&[info]).0.as_raw(), 0);
    assert_eq!(records.len(), super::records(&folder).len(), "its libraries are gone");
}
