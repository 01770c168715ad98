//! Graphics pipelines.
//!
//! In: a create info. Out: hash and JSON. What must hold: state that Vulkan ignores, because other
//! state says so, is neither read nor hashed; which that is, is as Fossilize decides it.

use ash::vk;
use serde_json::{Value, json};
use vk::DynamicState as D;
use vk::GraphicsPipelineLibraryFlagsEXT as Subset;

use super::chain::{Around, add, array, find};
use super::dynamic::Dynamic;
use super::hash::{JsonNode, object};
use super::objects::{Objects, Uses};
use super::pipelines::{dynamic_state, flags, stages, underived};
use super::unsupported::Unsupported;

/// More colour attachments than any device has.
const MOST_ATTACHMENTS: u32 = 256;

/// Which state counts.
struct Counts {
    input_assembly: bool,
    tessellation: bool,
    viewport: bool,
    multisample: bool,
    depth_stencil: bool,
    color_blend: bool,
    vertex_input: bool,
    rasterization: bool,
    render_pass: bool,
    modules: bool,
}

/// The subsets that a pipeline defines: all, if it is no library.
///
/// # Safety
/// The create info must be valid.
unsafe fn subsets(info: &vk::GraphicsPipelineCreateInfo<'_>) -> Subset {
    // SAFETY: the chain of a valid create info.
    let library = unsafe { find::<vk::GraphicsPipelineLibraryCreateInfoEXT<'_>>(info.p_next) };
    match library.filter(|_| info.flags.contains(vk::PipelineCreateFlags::LIBRARY_KHR)) {
        Some(library) => library.flags,
        None => {
            Subset::VERTEX_INPUT_INTERFACE
                | Subset::PRE_RASTERIZATION_SHADERS
                | Subset::FRAGMENT_SHADER
                | Subset::FRAGMENT_OUTPUT_INTERFACE
        }
    }
}

/// # Safety
/// The create info must be valid.
unsafe fn counts(info: &vk::GraphicsPipelineCreateInfo<'_>, dynamic: &Dynamic, uses: Uses) -> Counts {
    // SAFETY: a valid create info.
    let subsets = unsafe { subsets(info) };
    let vertices = subsets.contains(Subset::VERTEX_INPUT_INTERFACE);
    let shaders = subsets.contains(Subset::PRE_RASTERIZATION_SHADERS);
    let fragments = subsets.contains(Subset::FRAGMENT_SHADER);
    let output = subsets.contains(Subset::FRAGMENT_OUTPUT_INTERFACE);
    let modules = shaders || fragments;
    // SAFETY: the stages, where Vulkan reads them, and the state of the rasterizer.
    let (stages, discards) = unsafe {
        let rasterization = info.p_rasterization_state.as_ref().filter(|_| shaders);
        let discards = rasterization.is_some_and(|state| state.rasterizer_discard_enable == vk::TRUE);
        let stages = if modules { array(info.p_stages, info.stage_count) } else { &[] };
        (stages, discards && !dynamic.has(D::RASTERIZER_DISCARD_ENABLE))
    };
    let has = |flags: vk::ShaderStageFlags| stages.iter().any(|stage| stage.stage.intersects(flags));
    let is_mesh = has(vk::ShaderStageFlags::MESH_EXT | vk::ShaderStageFlags::TASK_EXT);
    let tessellates = has(vk::ShaderStageFlags::TESSELLATION_CONTROL | vk::ShaderStageFlags::TESSELLATION_EVALUATION);
    Counts {
        input_assembly: vertices && !is_mesh && !info.p_input_assembly_state.is_null(),
        vertex_input: vertices && !is_mesh && !info.p_vertex_input_state.is_null() && !dynamic.has(D::VERTEX_INPUT_EXT),
        tessellation: shaders && tessellates && !info.p_tessellation_state.is_null(),
        viewport: shaders && !discards && !info.p_viewport_state.is_null(),
        rasterization: shaders && !info.p_rasterization_state.is_null(),
        multisample: (fragments || output) && !discards && !info.p_multisample_state.is_null(),
        depth_stencil: fragments && !discards && !info.p_depth_stencil_state.is_null() && uses.depth_stencil,
        color_blend: output && !discards && !info.p_color_blend_state.is_null() && uses.color,
        render_pass: shaders || fragments || output,
        modules,
    }
}

/// What the pipeline draws into.
///
/// # Safety
/// The create info must be valid.
unsafe fn uses(info: &vk::GraphicsPipelineCreateInfo<'_>, pass: u64, objects: &Objects) -> Result<Uses, Unsupported> {
    if pass != 0 {
        let subpasses = objects.subpasses.get(&pass).and_then(|all| all.get(info.subpass as usize));
        let uses = subpasses.ok_or_else(|| Unsupported(format!("its render pass has no subpass {}", info.subpass)))?;
        return Ok(*uses);
    }
    // SAFETY: the chain of a valid create info.
    let (library, rendering) = unsafe {
        (
            find::<vk::GraphicsPipelineLibraryCreateInfoEXT<'_>>(info.p_next),
            find::<vk::PipelineRenderingCreateInfo<'_>>(info.p_next),
        )
    };
    let mut uses = rendering.map_or(Uses::default(), |it| Uses {
        color: it.color_attachment_count > 0,
        depth_stencil: it.depth_attachment_format != vk::Format::UNDEFINED
            || it.stencil_attachment_format != vk::Format::UNDEFINED,
    });
    // A library of fragment shaders alone cannot know, and Vulkan wants the state then.
    uses.depth_stencil |= library.is_some_and(|library| {
        library.flags.contains(Subset::FRAGMENT_SHADER) && !library.flags.contains(Subset::FRAGMENT_OUTPUT_INTERFACE)
    });
    Ok(uses)
}

/// A graphics pipeline.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn graphics(
    info: &vk::GraphicsPipelineCreateInfo<'_>,
    objects: &Objects,
) -> Result<(u64, Value), Unsupported> {
    // SAFETY: a valid create info, whose members are read where they count.
    object(|node: &mut JsonNode<'_>| unsafe {
        let dynamic = info.p_dynamic_state.as_ref();
        let dynamic = dynamic.map_or(&[][..], |state| array(state.p_dynamic_states, state.dynamic_state_count));
        let dynamic = &Dynamic::new(dynamic);
        let around = Around { objects, dynamic, subsets: subsets(info) };
        node.u32("flags", flags(info.flags, info.p_next));
        underived(node, info.flags)?;
        let early = counts(info, dynamic, Uses { color: true, depth_stencil: true });
        let layout = if early.modules { objects.get(info.layout)? } else { 0 };
        node.object("layout", layout);
        let pass = if early.render_pass { objects.get(info.render_pass)? } else { 0 };
        node.object("renderPass", pass);
        let counts = counts(info, dynamic, uses(info, pass, objects)?);
        node.u32("subpass", if counts.render_pass { info.subpass } else { 0 });
        node.hash.u32(if counts.modules { info.stage_count } else { 0 });
        dynamic_state(node, info.p_dynamic_state)?;
        // A member that counts, or 0 in the hash.
        let it = info.p_depth_stencil_state.as_ref().filter(|_| counts.depth_stencil);
        node.optional("depthStencilState", it, |node, it| depth_stencil(node, it, around))?;
        let it = info.p_input_assembly_state.as_ref().filter(|_| counts.input_assembly);
        node.optional("inputAssemblyState", it, |node, it| input_assembly(node, it, around))?;
        let it = info.p_rasterization_state.as_ref().filter(|_| counts.rasterization);
        node.optional("rasterizationState", it, |node, it| rasterization(node, it, around))?;
        // Fossilize has no 0 for this one.
        if let Some(it) = info.p_multisample_state.as_ref().filter(|_| counts.multisample) {
            node.structure("multisampleState", |node: &mut JsonNode<'_>| multisample(node, it, around))?;
        }
        let it = info.p_viewport_state.as_ref().filter(|_| counts.viewport);
        node.optional("viewportState", it, |node, it| viewport(node, it, around))?;
        let it = info.p_vertex_input_state.as_ref().filter(|_| counts.vertex_input);
        node.optional("vertexInputState", it, |node, it| vertex_input(node, it, around))?;
        let it = info.p_color_blend_state.as_ref().filter(|_| counts.color_blend);
        node.optional("colorBlendState", it, |node, it| color_blend(node, it, around))?;
        let it = info.p_tessellation_state.as_ref().filter(|_| counts.tessellation);
        node.optional("tessellationState", it, |node, it| {
            node.u32("flags", it.flags.as_raw());
            node.masked("patchControlPoints", it.patch_control_points, dynamic.has(D::PATCH_CONTROL_POINTS_EXT));
            add(node, it.p_next, around)
        })?;
        if counts.modules {
            stages(node, array(info.p_stages, info.stage_count), around)?;
        }
        add(node, info.p_next, around)
    })
}

/// # Safety
/// The state must be valid, as for the functions below.
unsafe fn depth_stencil(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineDepthStencilStateCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    let dynamic = around.dynamic;
    node.u32("flags", it.flags.as_raw());
    let bounds = dynamic.has(D::DEPTH_BOUNDS_TEST_ENABLE);
    node.masked("depthBoundsTestEnable", it.depth_bounds_test_enable, bounds);
    node.masked("depthCompareOp", it.depth_compare_op.as_raw() as u32, dynamic.has(D::DEPTH_COMPARE_OP));
    node.masked("depthTestEnable", it.depth_test_enable, dynamic.has(D::DEPTH_TEST_ENABLE));
    node.masked("depthWriteEnable", it.depth_write_enable, dynamic.has(D::DEPTH_WRITE_ENABLE));
    let ops = |face: &vk::StencilOpState| {
        [face.compare_op.as_raw(), face.depth_fail_op.as_raw(), face.fail_op.as_raw(), face.pass_op.as_raw()]
    };
    let hidden = dynamic.has(D::STENCIL_OP);
    for op in [ops(&it.front), ops(&it.back)].as_flattened() {
        node.hash.u32(if hidden { 0 } else { *op as u32 });
    }
    let stencil = dynamic.has(D::STENCIL_TEST_ENABLE);
    node.masked("stencilTestEnable", it.stencil_test_enable, stencil);
    if !dynamic.has(D::DEPTH_BOUNDS) && (bounds || it.depth_bounds_test_enable != 0) {
        node.hash.f32(it.min_depth_bounds);
        node.hash.f32(it.max_depth_bounds);
    }
    node.set_f32("minDepthBounds", it.min_depth_bounds);
    node.set_f32("maxDepthBounds", it.max_depth_bounds);
    if stencil || it.stencil_test_enable != 0 {
        for (state, front, back) in [
            (D::STENCIL_COMPARE_MASK, it.front.compare_mask, it.back.compare_mask),
            (D::STENCIL_REFERENCE, it.front.reference, it.back.reference),
            (D::STENCIL_WRITE_MASK, it.front.write_mask, it.back.write_mask),
        ] {
            if !dynamic.has(state) {
                node.hash.u32(front);
                node.hash.u32(back);
            }
        }
    }
    for (name, face) in [("front", &it.front), ("back", &it.back)] {
        let [compare, depth_fail, fail, pass] = ops(face);
        let face = json!({
            "compareOp": compare, "depthFailOp": depth_fail, "failOp": fail, "passOp": pass,
            "compareMask": face.compare_mask, "writeMask": face.write_mask, "reference": face.reference,
        });
        node.set(name, face);
    }
    // SAFETY: the chain of a valid structure.
    unsafe { add(node, it.p_next, around) }
}

unsafe fn input_assembly(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineInputAssemblyStateCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    node.u32("flags", it.flags.as_raw());
    let hidden = around.dynamic.has(D::PRIMITIVE_RESTART_ENABLE);
    node.masked("primitiveRestartEnable", it.primitive_restart_enable, hidden);
    node.u32("topology", it.topology.as_raw() as u32);
    // SAFETY: the chain of a valid structure.
    unsafe { add(node, it.p_next, around) }
}

unsafe fn rasterization(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineRasterizationStateCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    let dynamic = around.dynamic;
    node.u32("flags", it.flags.as_raw());
    node.masked("cullMode", it.cull_mode.as_raw(), dynamic.has(D::CULL_MODE));
    node.masked("depthClampEnable", it.depth_clamp_enable, dynamic.has(D::DEPTH_CLAMP_ENABLE_EXT));
    node.masked("frontFace", it.front_face.as_raw() as u32, dynamic.has(D::FRONT_FACE));
    let hidden = dynamic.has(D::RASTERIZER_DISCARD_ENABLE);
    node.masked("rasterizerDiscardEnable", it.rasterizer_discard_enable, hidden);
    node.masked("polygonMode", it.polygon_mode.as_raw() as u32, dynamic.has(D::POLYGON_MODE_EXT));
    let enable = dynamic.has(D::DEPTH_BIAS_ENABLE);
    node.masked("depthBiasEnable", it.depth_bias_enable, enable);
    let counts = (enable || it.depth_bias_enable != 0) && !dynamic.has(D::DEPTH_BIAS);
    for (name, value) in [
        ("depthBiasClamp", it.depth_bias_clamp),
        ("depthBiasSlopeFactor", it.depth_bias_slope_factor),
        ("depthBiasConstantFactor", it.depth_bias_constant_factor),
    ] {
        if counts {
            node.hash.f32(value);
        }
        node.set_f32(name, value);
    }
    if !dynamic.has(D::LINE_WIDTH) {
        node.hash.f32(it.line_width);
    }
    node.set_f32("lineWidth", it.line_width);
    // SAFETY: the chain of a valid structure.
    unsafe { add(node, it.p_next, around) }
}

unsafe fn multisample(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineMultisampleStateCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    let dynamic = around.dynamic;
    node.u32("flags", it.flags.as_raw());
    let hidden = dynamic.has(D::ALPHA_TO_COVERAGE_ENABLE_EXT);
    node.masked("alphaToCoverageEnable", it.alpha_to_coverage_enable, hidden);
    node.masked("alphaToOneEnable", it.alpha_to_one_enable, dynamic.has(D::ALPHA_TO_ONE_ENABLE_EXT));
    node.f32("minSampleShading", it.min_sample_shading);
    let samples = it.rasterization_samples.as_raw();
    node.masked("rasterizationSamples", samples, dynamic.has(D::RASTERIZATION_SAMPLES_EXT));
    node.u32("sampleShadingEnable", it.sample_shading_enable);
    if !dynamic.has(D::SAMPLE_MASK_EXT) && !it.p_sample_mask.is_null() {
        // SAFETY: one word for each 32 samples.
        let mask = unsafe { array(it.p_sample_mask, samples.div_ceil(32)) };
        node.words("sampleMask", mask);
    } else {
        node.hash.u32(0);
    }
    // SAFETY: the chain of a valid structure.
    unsafe { add(node, it.p_next, around) }
}

unsafe fn viewport(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineViewportStateCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    let dynamic = around.dynamic;
    node.u32("flags", it.flags.as_raw());
    node.masked("scissorCount", it.scissor_count, dynamic.has(D::SCISSOR_WITH_COUNT));
    node.masked("viewportCount", it.viewport_count, dynamic.has(D::VIEWPORT_WITH_COUNT));
    if !dynamic.has(D::SCISSOR) {
        // SAFETY: an array that Vulkan reads without the dynamic state.
        node.list("scissors", unsafe { array(it.p_scissors, it.scissor_count) }, |node, it| {
            node.i32("x", it.offset.x);
            node.i32("y", it.offset.y);
            node.u32("width", it.extent.width);
            node.u32("height", it.extent.height);
            Ok(())
        })?;
    }
    if !dynamic.has(D::VIEWPORT) {
        // SAFETY: as above.
        node.list("viewports", unsafe { array(it.p_viewports, it.viewport_count) }, |node, it| {
            node.f32("x", it.x);
            node.f32("y", it.y);
            node.f32("width", it.width);
            node.f32("height", it.height);
            node.f32("minDepth", it.min_depth);
            node.f32("maxDepth", it.max_depth);
            Ok(())
        })?;
    }
    // SAFETY: the chain of a valid structure.
    unsafe { add(node, it.p_next, around) }
}

unsafe fn vertex_input(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineVertexInputStateCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    node.u32("flags", it.flags.as_raw());
    node.hash.u32(it.vertex_attribute_description_count);
    node.hash.u32(it.vertex_binding_description_count);
    // SAFETY: the arrays of a valid structure.
    let (attributes, bindings) = unsafe {
        (
            array(it.p_vertex_attribute_descriptions, it.vertex_attribute_description_count),
            array(it.p_vertex_binding_descriptions, it.vertex_binding_description_count),
        )
    };
    node.list("attributes", attributes, |node, it| {
        node.u32("offset", it.offset);
        node.u32("binding", it.binding);
        node.u32("format", it.format.as_raw() as u32);
        node.u32("location", it.location);
        Ok(())
    })?;
    node.list("bindings", bindings, |node, it| {
        node.u32("binding", it.binding);
        node.u32("inputRate", it.input_rate.as_raw() as u32);
        node.masked("stride", it.stride, around.dynamic.has(D::VERTEX_INPUT_BINDING_STRIDE));
        Ok(())
    })?;
    // SAFETY: the chain of a valid structure.
    unsafe { add(node, it.p_next, around) }
}

unsafe fn color_blend(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineColorBlendStateCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    let dynamic = around.dynamic;
    node.u32("flags", it.flags.as_raw());
    node.hash.u32(it.attachment_count);
    let logic = dynamic.has(D::LOGIC_OP_ENABLE_EXT);
    node.masked("logicOpEnable", it.logic_op_enable, logic);
    let hidden = dynamic.has(D::LOGIC_OP_EXT) || !(logic || it.logic_op_enable != 0);
    node.masked("logicOp", it.logic_op.as_raw() as u32, hidden);
    let (all, needs_constants) = attachments(node, it, dynamic)?;
    let counts = needs_constants && !dynamic.has(D::BLEND_CONSTANTS);
    let mut constants = Vec::new();
    for constant in it.blend_constants {
        if counts {
            node.hash.f32(constant);
        }
        constants.push(node.number("blendConstants", if counts { constant } else { 0.0 }));
    }
    node.set("blendConstants", constants);
    let all: Vec<Value> = all
        .iter()
        .map(|it| {
            json!({
                "blendEnable": it.blend_enable,
                "colorWriteMask": it.color_write_mask.as_raw(),
                "alphaBlendOp": it.alpha_blend_op.as_raw(),
                "colorBlendOp": it.color_blend_op.as_raw(),
                "dstAlphaBlendFactor": it.dst_alpha_blend_factor.as_raw(),
                "srcAlphaBlendFactor": it.src_alpha_blend_factor.as_raw(),
                "dstColorBlendFactor": it.dst_color_blend_factor.as_raw(),
                "srcColorBlendFactor": it.src_color_blend_factor.as_raw(),
            })
        })
        .collect();
    node.set("attachments", all);
    // SAFETY: the chain of a valid structure.
    unsafe { add(node, it.p_next, around) }
}

/// Hashes the attachments of a valid create info. Returns them, and whether one of them reads the
/// blend constants.
fn attachments(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineColorBlendStateCreateInfo<'_>,
    dynamic: &Dynamic,
) -> Result<(Vec<vk::PipelineColorBlendAttachmentState>, bool), Unsupported> {
    use vk::BlendFactor as F;
    let enable = dynamic.has(D::COLOR_BLEND_ENABLE_EXT);
    let mask = dynamic.has(D::COLOR_WRITE_MASK_EXT);
    let equation = dynamic.has(D::COLOR_BLEND_EQUATION_EXT);
    let advanced = dynamic.has(D::COLOR_BLEND_ADVANCED_EXT);
    let mut needs_constants = equation;
    let mut all = Vec::new();
    if enable && mask && equation {
        // Vulkan ignores the attachments then, and Fossilize writes as many that say nothing.
        if it.attachment_count > MOST_ATTACHMENTS {
            return Err(Unsupported(format!("it has {} colour attachments", it.attachment_count)));
        }
        node.hash.u32(0);
        all.resize(it.attachment_count as usize, vk::PipelineColorBlendAttachmentState::default());
    } else {
        // SAFETY: an array that Vulkan reads.
        all.extend_from_slice(unsafe { array(it.p_attachments, it.attachment_count) });
        for attachment in &all {
            node.hash.u32(if enable { 0 } else { attachment.blend_enable });
            node.hash.u32(if mask { 0 } else { attachment.color_write_mask.as_raw() });
            if !enable && attachment.blend_enable == 0 {
                node.hash.u32(0);
                continue;
            }
            let factors = [
                attachment.dst_alpha_blend_factor,
                attachment.src_alpha_blend_factor,
                attachment.dst_color_blend_factor,
                attachment.src_color_blend_factor,
            ];
            if equation {
                node.hash.u32(0);
            } else {
                for op in [attachment.alpha_blend_op, attachment.color_blend_op] {
                    node.hash.u32(if advanced { 0 } else { op.as_raw() as u32 });
                }
                factors.iter().for_each(|factor| node.hash.u32(factor.as_raw() as u32));
            }
            needs_constants |= factors.iter().any(|it| matches!(*it, F::CONSTANT_ALPHA | F::CONSTANT_COLOR));
        }
    }
    Ok((all, needs_constants))
}
