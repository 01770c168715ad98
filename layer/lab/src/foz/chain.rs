//! The structures of `pNext` chains.
//!
//! In: a chain. Out: the same in the hash and as JSON. What must hold: a structure that Fossilize does
//! not know, or that this file does not, is [`Unsupported`] by its name; the words of each structure
//! go into the hash in the order of Fossilize's `hash_pnext_struct`.

use std::ffi::c_void;

use ash::vk;
use ash::vk::StructureType as S;
use serde_json::{Value, json};

use super::dynamic::Dynamic;
use super::hash::{Hasher, JsonNode, hex};
use super::objects::Objects;
use super::unsupported::Unsupported;

/// The context of a chain's members.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Handles and their hashes.
    pub objects: &'a Objects,
    /// The state of the graphics pipeline that is set while drawing.
    pub dynamic: &'a Dynamic,
    /// The subsets of a graphics pipeline that are defined here.
    pub subsets: vk::GraphicsPipelineLibraryFlagsEXT,
}

/// Structures that Fossilize skips: outputs of Vulkan, and data for tools.
const SILENT: [S; 6] = [
    S::PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
    S::SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT,
    S::DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
    S::VALIDATION_FEATURES_EXT,
    S::RENDER_PASS_CREATION_FEEDBACK_CREATE_INFO_EXT,
    S::RENDER_PASS_SUBPASS_FEEDBACK_CREATE_INFO_EXT,
];

/// Structures with the source of code, whose hash is that of the module.
const CODE: [S; 2] = [S::SHADER_MODULE_CREATE_INFO, S::PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT];

/// The types of mutable descriptors that Fossilize's replayer takes (fossilize_feature_filter.cpp).
const MUTABLE: [vk::DescriptorType; 7] = [
    vk::DescriptorType::SAMPLER,
    vk::DescriptorType::SAMPLED_IMAGE,
    vk::DescriptorType::STORAGE_IMAGE,
    vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
    vk::DescriptorType::STORAGE_TEXEL_BUFFER,
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::STORAGE_BUFFER,
];

/// `VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR`.
const CAPTURE_DATA: u64 = 0x8000_0000;

/// The flags of a pipeline without those that do not change what is compiled.
pub fn lasting(flags: u64) -> u64 {
    let passing = vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR
        | vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR
        | vk::PipelineCreateFlags::EARLY_RETURN_ON_FAILURE
        | vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
    flags & !(u64::from(passing.as_raw()) | CAPTURE_DATA)
}

/// An array of a create info.
///
/// # Safety
/// `first` must be the address of `count` values, or null.
pub unsafe fn array<'a, T>(first: *const T, count: u32) -> &'a [T] {
    // SAFETY: the caller's array.
    if first.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(first, count as usize) } }
}

/// The structures of a chain.
///
/// # Safety
/// `next` must be a valid chain that lives as long as the result is used.
pub unsafe fn nodes<'a>(next: *const c_void) -> impl Iterator<Item = &'a vk::BaseInStructure<'a>> {
    let mut next = next.cast::<vk::BaseInStructure<'a>>();
    std::iter::from_fn(move || {
        // SAFETY: every structure of a valid chain begins with its type and the address of the next.
        let node = unsafe { next.as_ref() }?;
        next = node.p_next;
        Some(node)
    })
}

/// The structure of a type in a chain.
///
/// # Safety
/// As for [`nodes`].
pub unsafe fn find<'a, T: vk::TaggedStructure>(next: *const c_void) -> Option<&'a T> {
    // SAFETY: the caller's chain, whose structures are what their types say.
    unsafe { nodes(next).find(|node| node.s_type == T::STRUCTURE_TYPE).map(|node| &*std::ptr::from_ref(node).cast()) }
}

/// Adds a chain to a structure.
///
/// # Safety
/// `next` must be a valid chain.
pub unsafe fn add(node: &mut JsonNode<'_>, next: *const c_void, around: Around<'_>) -> Result<(), Unsupported> {
    if next.is_null() {
        return Ok(());
    }
    let mut all = Vec::new();
    // SAFETY: the caller's chain.
    for structure in unsafe { nodes(next) } {
        if SILENT.contains(&structure.s_type) || CODE.contains(&structure.s_type) {
            continue;
        }
        // SAFETY: a structure of a valid chain is what its type says.
        all.push(unsafe { one(node.hash, structure, around)? });
    }
    node.set("pNext", all);
    Ok(())
}

/// Checks that a chain has no structures that change the object.
///
/// # Safety
/// `next` must be a valid chain.
pub unsafe fn none(of: &str, next: *const c_void) -> Result<(), Unsupported> {
    // SAFETY: the caller's chain.
    match unsafe { nodes(next) }.find(|node| !SILENT.contains(&node.s_type)) {
        Some(node) => Err(unknown(of, node.s_type)),
        None => Ok(()),
    }
}

fn unknown(place: &str, s_type: S) -> Unsupported {
    Unsupported(format!("{place} has a structure that Fossilize has no form for: VkStructureType {s_type:?}"))
}

/// One structure.
///
/// # Safety
/// The structure must be valid, and what its type says.
unsafe fn one(
    hash: &mut Hasher,
    structure: &vk::BaseInStructure<'_>,
    around: Around<'_>,
) -> Result<Value, Unsupported> {
    /// The structure as what it is.
    macro_rules! typed {
        ($name:ident) => {
            // SAFETY: the caller's promise, after the type was compared.
            unsafe { &*std::ptr::from_ref(structure).cast::<vk::$name<'_>>() }
        };
    }
    let s_type = structure.s_type;
    let dynamic = |state| around.dynamic.has(state);
    if s_type == S::SAMPLER_YCBCR_CONVERSION_INFO {
        // Fossilize has the conversion in the place of its handle.
        let conversion = around.objects.conversion(typed!(SamplerYcbcrConversionInfo).conversion)?;
        return ycbcr(hash, conversion);
    }
    hash.u32(s_type.as_raw() as u32);
    let mut node = JsonNode::new(hash);
    node.set("sType", s_type.as_raw());
    match s_type {
        S::PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO => {
            let it = typed!(PipelineTessellationDomainOriginStateCreateInfo);
            let hidden = dynamic(vk::DynamicState::TESSELLATION_DOMAIN_ORIGIN_EXT);
            node.masked("domainOrigin", it.domain_origin.as_raw() as u32, hidden);
        }
        S::PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_KHR => {
            let it = typed!(PipelineVertexInputDivisorStateCreateInfoKHR);
            node.u32("vertexBindingDivisorCount", it.vertex_binding_divisor_count);
            // SAFETY: an array of a valid structure.
            let all = unsafe { array(it.p_vertex_binding_divisors, it.vertex_binding_divisor_count) };
            let all = all.iter().map(|divisor| {
                node.hash.u32(divisor.binding);
                node.hash.u32(divisor.divisor);
                json!({ "binding": divisor.binding, "divisor": divisor.divisor })
            });
            let all: Vec<_> = all.collect();
            node.set("vertexBindingDivisors", all);
        }
        S::PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT => {
            let it = typed!(PipelineRasterizationDepthClipStateCreateInfoEXT);
            node.u32("flags", it.flags.as_raw());
            node.masked("depthClipEnable", it.depth_clip_enable, dynamic(vk::DynamicState::DEPTH_CLIP_ENABLE_EXT));
        }
        S::PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT => {
            let it = typed!(PipelineRasterizationStateStreamCreateInfoEXT);
            node.u32("flags", it.flags.as_raw());
            let hidden = dynamic(vk::DynamicState::RASTERIZATION_STREAM_EXT);
            node.masked("rasterizationStream", it.rasterization_stream, hidden);
        }
        S::PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT => {
            let it = typed!(PipelineRasterizationConservativeStateCreateInfoEXT);
            node.u32("flags", it.flags.as_raw());
            let hidden = dynamic(vk::DynamicState::CONSERVATIVE_RASTERIZATION_MODE_EXT);
            node.masked("conservativeRasterizationMode", it.conservative_rasterization_mode.as_raw() as u32, hidden);
            let hidden = dynamic(vk::DynamicState::EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT);
            node.hash.f32(if hidden { 0.0 } else { it.extra_primitive_overestimation_size });
            node.set_f32("extraPrimitiveOverestimationSize", it.extra_primitive_overestimation_size);
        }
        S::PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_KHR => {
            let it = typed!(PipelineRasterizationLineStateCreateInfoKHR);
            let enable = dynamic(vk::DynamicState::LINE_STIPPLE_ENABLE_EXT);
            let hidden = dynamic(vk::DynamicState::LINE_RASTERIZATION_MODE_EXT);
            node.masked("lineRasterizationMode", it.line_rasterization_mode.as_raw() as u32, hidden);
            node.masked("stippledLineEnable", it.stippled_line_enable, enable);
            let hidden = !(enable || it.stippled_line_enable != 0) || dynamic(vk::DynamicState::LINE_STIPPLE_KHR);
            node.masked("lineStippleFactor", it.line_stipple_factor, hidden);
            node.masked("lineStipplePattern", u32::from(it.line_stipple_pattern), hidden);
        }
        S::PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT => {
            let it = typed!(PipelineRasterizationProvokingVertexStateCreateInfoEXT);
            let hidden = dynamic(vk::DynamicState::PROVOKING_VERTEX_MODE_EXT);
            node.masked("provokingVertexMode", it.provoking_vertex_mode.as_raw() as u32, hidden);
        }
        S::PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT => {
            let it = typed!(PipelineViewportDepthClipControlCreateInfoEXT);
            let hidden = dynamic(vk::DynamicState::DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT);
            node.masked("negativeOneToOne", it.negative_one_to_one, hidden);
        }
        S::DEPTH_BIAS_REPRESENTATION_INFO_EXT => {
            let it = typed!(DepthBiasRepresentationInfoEXT);
            if dynamic(vk::DynamicState::DEPTH_BIAS) {
                node.hash.u32(0);
            } else {
                node.hash.u32(it.depth_bias_exact);
                node.hash.u32(it.depth_bias_representation.as_raw() as u32);
            }
            node.set("depthBiasExact", it.depth_bias_exact);
            node.set("depthBiasRepresentation", it.depth_bias_representation.as_raw());
        }
        S::PIPELINE_COLOR_BLEND_ADVANCED_STATE_CREATE_INFO_EXT => {
            let it = typed!(PipelineColorBlendAdvancedStateCreateInfoEXT);
            if dynamic(vk::DynamicState::COLOR_BLEND_ADVANCED_EXT) {
                node.hash.u32(0);
            } else {
                node.hash.u32(it.src_premultiplied);
                node.hash.u32(it.dst_premultiplied);
                node.hash.u32(it.blend_overlap.as_raw() as u32);
            }
            node.set("srcPremultiplied", it.src_premultiplied);
            node.set("dstPremultiplied", it.dst_premultiplied);
            node.set("blendOverlap", it.blend_overlap.as_raw());
        }
        S::PIPELINE_COLOR_WRITE_CREATE_INFO_EXT => {
            let it = typed!(PipelineColorWriteCreateInfoEXT);
            node.u32("attachmentCount", it.attachment_count);
            if !dynamic(vk::DynamicState::COLOR_WRITE_ENABLE_EXT) {
                // SAFETY: an array of a valid structure, which Vulkan reads without the dynamic state.
                let all = unsafe { array(it.p_color_write_enables, it.attachment_count) };
                all.iter().for_each(|enable| node.hash.u32(*enable));
                node.set("colorWriteEnables", all);
            }
        }
        S::PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR => {
            let it = typed!(PipelineFragmentShadingRateStateCreateInfoKHR);
            if !dynamic(vk::DynamicState::FRAGMENT_SHADING_RATE_KHR) {
                node.hash.u32(it.fragment_size.width);
                node.hash.u32(it.fragment_size.height);
                let combiners = it.combiner_ops.map(|op| op.as_raw());
                combiners.iter().for_each(|op| node.hash.u32(*op as u32));
                let size = json!({ "width": it.fragment_size.width, "height": it.fragment_size.height });
                node.set("fragmentSize", size);
                node.set("combinerOps", &combiners[..]);
            }
        }
        S::PIPELINE_RENDERING_CREATE_INFO => rendering(&mut node, typed!(PipelineRenderingCreateInfo), around.subsets),
        S::RENDERING_ATTACHMENT_LOCATION_INFO_KHR => {
            let it = typed!(RenderingAttachmentLocationInfoKHR);
            node.u32("colorAttachmentCount", it.color_attachment_count);
            optional(&mut node, "colorAttachmentLocations", it.p_color_attachment_locations, it.color_attachment_count);
        }
        S::GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT => {
            node.u32("flags", typed!(GraphicsPipelineLibraryCreateInfoEXT).flags.as_raw());
        }
        S::PIPELINE_LIBRARY_CREATE_INFO_KHR => libraries(&mut node, typed!(PipelineLibraryCreateInfoKHR), around)?,
        S::PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR => {
            let flags = lasting(typed!(PipelineCreateFlags2CreateInfoKHR).flags.as_raw());
            node.hash.u64(flags);
            node.set("flags", flags);
        }
        S::PIPELINE_ROBUSTNESS_CREATE_INFO_EXT => {
            let it = typed!(PipelineRobustnessCreateInfoEXT);
            node.u32("images", it.images.as_raw() as u32);
            node.u32("vertexInputs", it.vertex_inputs.as_raw() as u32);
            node.u32("uniformBuffers", it.uniform_buffers.as_raw() as u32);
            node.u32("storageBuffers", it.storage_buffers.as_raw() as u32);
        }
        S::PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO => {
            let it = typed!(PipelineShaderStageRequiredSubgroupSizeCreateInfo);
            node.u32("requiredSubgroupSize", it.required_subgroup_size);
        }
        S::DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO => {
            let it = typed!(DescriptorSetLayoutBindingFlagsCreateInfo);
            node.hash.u32(it.binding_count);
            // SAFETY: an array of a valid structure.
            let all = unsafe { array(it.p_binding_flags, it.binding_count) };
            let all: Vec<u32> = all.iter().map(|flags| flags.as_raw()).collect();
            all.iter().for_each(|flags| node.hash.u32(*flags));
            if !all.is_empty() {
                node.set("bindingFlags", all);
            }
        }
        S::MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT => {
            let it = typed!(MutableDescriptorTypeCreateInfoEXT);
            node.hash.u32(it.mutable_descriptor_type_list_count);
            // SAFETY: the arrays of a valid structure.
            let all = unsafe { array(it.p_mutable_descriptor_type_lists, it.mutable_descriptor_type_list_count) };
            let mut lists = Vec::new();
            for list in all {
                node.hash.u32(list.descriptor_type_count);
                // SAFETY: as above.
                let types = unsafe { array(list.p_descriptor_types, list.descriptor_type_count) };
                if let Some(other) = types.iter().find(|ty| !MUTABLE.contains(ty)) {
                    let text = "Fossilize's replayer refuses mutable descriptors that may have the VkDescriptorType";
                    return Err(Unsupported(format!("{text} {other:?}")));
                }
                types.iter().for_each(|ty| node.hash.u32(ty.as_raw() as u32));
                lists.push(types.iter().map(|ty| ty.as_raw()).collect::<Vec<_>>());
            }
            node.set("mutableDescriptorTypeLists", json!(lists));
        }
        S::SAMPLER_REDUCTION_MODE_CREATE_INFO => {
            node.u32("reductionMode", typed!(SamplerReductionModeCreateInfo).reduction_mode.as_raw() as u32);
        }
        S::SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT => {
            let it = typed!(SamplerCustomBorderColorCreateInfoEXT);
            // SAFETY: all members of the union are four words.
            let color = unsafe { it.custom_border_color.uint32 };
            color.iter().for_each(|word| node.hash.u32(*word));
            node.set("customBorderColor", &color[..]);
            node.u32("format", it.format.as_raw() as u32);
        }
        S::SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT => {
            let it = typed!(SamplerBorderColorComponentMappingCreateInfoEXT);
            node.u32("srgb", it.srgb);
            let parts = [it.components.r, it.components.g, it.components.b, it.components.a].map(|it| it.as_raw());
            parts.iter().for_each(|part| node.hash.u32(*part as u32));
            node.set("components", json!({ "r": parts[0], "g": parts[1], "b": parts[2], "a": parts[3] }));
        }
        _ => {
            // SAFETY: the caller's structure.
            if !unsafe { of_render_pass(&mut node, structure, around)? } {
                return Err(unknown("a pNext chain", s_type));
            }
        }
    }
    node.end()
}

/// The structures in the chains of render passes; `false` if it is none of them.
///
/// # Safety
/// The structure must be valid, and what its type says.
unsafe fn of_render_pass(
    node: &mut JsonNode<'_>,
    structure: &vk::BaseInStructure<'_>,
    around: Around<'_>,
) -> Result<bool, Unsupported> {
    macro_rules! typed {
        ($name:ident) => {
            // SAFETY: the caller's promise, after the type was compared.
            unsafe { &*std::ptr::from_ref(structure).cast::<vk::$name<'_>>() }
        };
    }
    match structure.s_type {
        S::ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT => {
            let it = typed!(AttachmentDescriptionStencilLayout);
            node.u32("stencilInitialLayout", it.stencil_initial_layout.as_raw() as u32);
            node.u32("stencilFinalLayout", it.stencil_final_layout.as_raw() as u32);
        }
        S::ATTACHMENT_REFERENCE_STENCIL_LAYOUT => {
            node.u32("stencilLayout", typed!(AttachmentReferenceStencilLayout).stencil_layout.as_raw() as u32);
        }
        S::SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE => {
            let it = typed!(SubpassDescriptionDepthStencilResolve);
            let (depth, stencil) = (it.depth_resolve_mode.as_raw(), it.stencil_resolve_mode.as_raw());
            // SAFETY: null or valid in a valid structure.
            match unsafe { it.p_depth_stencil_resolve_attachment.as_ref() } {
                Some(attachment) => {
                    node.hash.u32(depth);
                    node.hash.u32(stencil);
                    let attachment = reference(node.hash, attachment, around)?;
                    node.set("depthStencilResolveAttachment", attachment);
                }
                None => node.hash.u32(0),
            }
            node.set("depthResolveMode", depth);
            node.set("stencilResolveMode", stencil);
        }
        S::FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR => {
            let it = typed!(FragmentShadingRateAttachmentInfoKHR);
            let size = it.shading_rate_attachment_texel_size;
            // SAFETY: null or valid in a valid structure.
            match unsafe { it.p_fragment_shading_rate_attachment.as_ref() } {
                Some(attachment) => {
                    // SAFETY: the chain of a valid structure.
                    unsafe { none("the reference of VkFragmentShadingRateAttachmentInfoKHR", attachment.p_next)? };
                    let attachment = reference(node.hash, attachment, around)?;
                    node.set("fragmentShadingRateAttachment", attachment);
                    node.hash.u32(size.width);
                    node.hash.u32(size.height);
                }
                None => node.hash.u32(0),
            }
            node.set("shadingRateAttachmentTexelSize", json!({ "width": size.width, "height": size.height }));
        }
        S::MEMORY_BARRIER_2 => {
            let it = typed!(MemoryBarrier2);
            for (name, mask) in [
                ("srcStageMask", it.src_stage_mask.as_raw()),
                ("srcAccessMask", it.src_access_mask.as_raw()),
                ("dstStageMask", it.dst_stage_mask.as_raw()),
                ("dstAccessMask", it.dst_access_mask.as_raw()),
            ] {
                node.hash.u64(mask);
                node.set(name, mask);
            }
        }
        S::RENDER_PASS_CREATION_CONTROL_EXT => {
            node.u32("disallowMerging", typed!(RenderPassCreationControlEXT).disallow_merging);
        }
        S::MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT => {
            let it = typed!(MultisampledRenderToSingleSampledInfoEXT);
            node.u32("multisampledRenderToSingleSampledEnable", it.multisampled_render_to_single_sampled_enable);
            node.u32("rasterizationSamples", it.rasterization_samples.as_raw());
        }
        S::RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT => {
            let it = typed!(RenderPassFragmentDensityMapCreateInfoEXT).fragment_density_map_attachment;
            node.hash.u32(it.attachment);
            node.hash.u32(it.layout.as_raw() as u32);
            let attachment = json!({ "attachment": it.attachment, "layout": it.layout.as_raw() });
            node.set("fragmentDensityMapAttachment", attachment);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The reference of a subpass, or of a structure in its chain, to an attachment. The caller has it of a valid
/// create info.
pub fn reference(
    hash: &mut Hasher,
    it: &vk::AttachmentReference2<'_>,
    around: Around<'_>,
) -> Result<Value, Unsupported> {
    let mut node = JsonNode::new(hash);
    node.u32("attachment", it.attachment);
    node.u32("layout", it.layout.as_raw() as u32);
    node.u32("aspectMask", it.aspect_mask.as_raw());
    // SAFETY: the chain of a valid structure.
    unsafe { add(&mut node, it.p_next, around)? };
    node.end()
}

/// An array that may be absent, which Fossilize hashes as one zero.
fn optional(node: &mut JsonNode<'_>, name: &'static str, first: *const u32, count: u32) {
    if first.is_null() {
        node.hash.u32(0);
        return;
    }
    // SAFETY: an array of a valid structure.
    let all = unsafe { array(first, count) };
    all.iter().for_each(|word| node.hash.u32(*word));
    node.set(name, all);
}

fn rendering(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineRenderingCreateInfo<'_>,
    subsets: vk::GraphicsPipelineLibraryFlagsEXT,
) {
    use vk::GraphicsPipelineLibraryFlagsEXT as Subset;
    let has_formats = subsets.contains(Subset::FRAGMENT_OUTPUT_INTERFACE);
    let has_views = subsets
        .intersects(Subset::FRAGMENT_OUTPUT_INTERFACE | Subset::FRAGMENT_SHADER | Subset::PRE_RASTERIZATION_SHADERS);
    let mut formats = Vec::new();
    if has_formats {
        node.hash.u32(it.color_attachment_count);
        // SAFETY: an array of a valid structure, which Vulkan reads with this subset.
        let all = unsafe { array(it.p_color_attachment_formats, it.color_attachment_count) };
        formats.extend(all.iter().map(|format| format.as_raw()));
    }
    if has_views {
        node.u32("viewMask", it.view_mask);
    } else {
        node.set("viewMask", 0);
    }
    formats.iter().for_each(|format| node.hash.u32(*format as u32));
    let (depth, stencil) = (it.depth_attachment_format.as_raw(), it.stencil_attachment_format.as_raw());
    if has_formats {
        node.u32("depthAttachmentFormat", depth as u32);
        node.u32("stencilAttachmentFormat", stencil as u32);
    } else {
        node.set("depthAttachmentFormat", 0);
        node.set("stencilAttachmentFormat", 0);
    }
    if !formats.is_empty() {
        node.set("colorAttachmentFormats", formats);
    }
}

/// The libraries that a pipeline links.
pub fn libraries(
    node: &mut JsonNode<'_>,
    it: &vk::PipelineLibraryCreateInfoKHR<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    node.hash.u32(it.library_count);
    let mut all = Vec::new();
    // SAFETY: an array of a valid structure.
    for library in unsafe { array(it.p_libraries, it.library_count) } {
        let hash = around.objects.get(*library)?;
        node.hash.u64(hash);
        all.push(hex(hash));
    }
    node.set("libraries", all);
    Ok(())
}

fn ycbcr(hash: &mut Hasher, it: &vk::SamplerYcbcrConversionCreateInfo<'_>) -> Result<Value, Unsupported> {
    hash.u32(S::SAMPLER_YCBCR_CONVERSION_CREATE_INFO.as_raw() as u32);
    let mut node = JsonNode::new(hash);
    node.set("sType", S::SAMPLER_YCBCR_CONVERSION_CREATE_INFO.as_raw());
    node.u32("format", it.format.as_raw() as u32);
    node.u32("ycbcrModel", it.ycbcr_model.as_raw() as u32);
    node.u32("ycbcrRange", it.ycbcr_range.as_raw() as u32);
    let parts = [it.components.r, it.components.g, it.components.b, it.components.a].map(|it| it.as_raw());
    parts.iter().for_each(|part| node.hash.u32(*part as u32));
    node.set("components", &parts[..]);
    node.u32("xChromaOffset", it.x_chroma_offset.as_raw() as u32);
    node.u32("yChromaOffset", it.y_chroma_offset.as_raw() as u32);
    node.u32("chromaFilter", it.chroma_filter.as_raw() as u32);
    node.u32("forceExplicitReconstruction", it.force_explicit_reconstruction);
    node.end()
}
