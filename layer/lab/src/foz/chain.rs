//! The structures of `pNext` chains.
//!
//! In: a chain. Out: the same in the hash and as JSON. What must hold: a structure that Fossilize
//! does not know, or that this file does not, is [`Unsupported`] by its name; the words of each
//! structure go into the hash in the order of Fossilize's `hash_pnext_struct`.

use std::ffi::c_void;

use ash::vk;
use ash::vk::DynamicState as D;
use ash::vk::StructureType as S;
use serde_json::{Value, json};

use super::dynamic::Dynamic;
use super::hash::{Hasher, JsonNode, described};
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

/// A structure of a valid chain, which is what its type says.
#[derive(Clone, Copy)]
pub struct Structure<'a>(&'a vk::BaseInStructure<'a>);

impl<'a> Structure<'a> {
    /// Its type.
    pub fn s_type(self) -> S {
        self.0.s_type
    }

    /// Its address.
    pub fn as_ptr(self) -> *const vk::BaseInStructure<'a> {
        self.0
    }

    /// The structure as this type, if it is of this type.
    fn cast<T: vk::TaggedStructure>(self) -> Option<&'a T> {
        // SAFETY: the structure is what its type says.
        (self.s_type() == T::STRUCTURE_TYPE).then(|| unsafe { &*std::ptr::from_ref(self.0).cast() })
    }
}

/// The structures of a chain.
///
/// # Safety
/// `next` must be a valid chain that lives as long as the result is used.
pub unsafe fn structures<'a>(next: *const c_void) -> impl Iterator<Item = Structure<'a>> {
    let mut next = next.cast::<vk::BaseInStructure<'a>>();
    std::iter::from_fn(move || {
        // SAFETY: every structure of a valid chain begins with its type and the address of the
        // next.
        let structure = unsafe { next.as_ref() }?;
        next = structure.p_next;
        Some(Structure(structure))
    })
}

/// The structure of a type in a chain.
///
/// # Safety
/// As for [`structures`].
pub unsafe fn find<'a, T: vk::TaggedStructure>(next: *const c_void) -> Option<&'a T> {
    // SAFETY: the caller's chain.
    unsafe { structures(next) }.find_map(Structure::cast)
}

/// Adds a chain to a structure.
///
/// # Safety
/// `next` must be a valid chain.
pub unsafe fn add(node: &mut JsonNode<'_>, next: *const c_void, around: Around<'_>) -> Result<(), Unsupported> {
    if next.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's chain.
    let all = unsafe { structures(next) };
    let all = all.filter(|it| !SILENT.contains(&it.s_type()) && !CODE.contains(&it.s_type()));
    let all = all.map(|it| one(node.hash, it, around)).collect::<Result<Vec<_>, _>>()?;
    node.set("pNext", all);
    Ok(())
}

/// Checks that a chain has no structures that change the object.
///
/// # Safety
/// `next` must be a valid chain.
pub unsafe fn none(of: &str, next: *const c_void) -> Result<(), Unsupported> {
    // SAFETY: the caller's chain.
    match unsafe { structures(next) }.find(|structure| !SILENT.contains(&structure.s_type())) {
        Some(structure) => Err(unknown(of, structure.s_type())),
        None => Ok(()),
    }
}

fn unknown(place: &str, s_type: S) -> Unsupported {
    Unsupported(format!("{place} has a structure that Fossilize has no form for: VkStructureType {s_type:?}"))
}

/// One structure.
fn one(hash: &mut Hasher, structure: Structure<'_>, around: Around<'_>) -> Result<Value, Unsupported> {
    if let Some(it) = structure.cast::<vk::SamplerYcbcrConversionInfo<'_>>() {
        // Fossilize has the conversion in the place of its handle.
        return ycbcr(hash, around.objects.conversion(it.conversion)?);
    }
    let s_type = structure.s_type();
    hash.u32(s_type.as_raw() as u32);
    described(hash, |node: &mut JsonNode<'_>| {
        node.set("sType", s_type.as_raw());
        for kind in [rasterization, fragment_output, pipeline, layout, render_pass] {
            if kind(node, structure, around)? {
                return Ok(());
            }
        }
        Err(unknown("a pNext chain", s_type))
    })
}

/// The structures in the chains of the state before the fragment shader; `false` for other
/// structures.
fn rasterization(node: &mut JsonNode<'_>, structure: Structure<'_>, around: Around<'_>) -> Result<bool, Unsupported> {
    let dynamic = |state| around.dynamic.has(state);
    if let Some(it) = structure.cast::<vk::PipelineTessellationDomainOriginStateCreateInfo<'_>>() {
        let hidden = dynamic(D::TESSELLATION_DOMAIN_ORIGIN_EXT);
        node.masked("domainOrigin", it.domain_origin.as_raw() as u32, hidden);
    } else if let Some(it) = structure.cast::<vk::PipelineVertexInputDivisorStateCreateInfoKHR<'_>>() {
        node.u32("vertexBindingDivisorCount", it.vertex_binding_divisor_count);
        // SAFETY: an array of a valid structure.
        let all = unsafe { array(it.p_vertex_binding_divisors, it.vertex_binding_divisor_count) };
        node.list("vertexBindingDivisors", all, |node, it| {
            node.u32("binding", it.binding);
            node.u32("divisor", it.divisor);
            Ok(())
        })?;
    } else if let Some(it) = structure.cast::<vk::PipelineRasterizationDepthClipStateCreateInfoEXT<'_>>() {
        node.u32("flags", it.flags.as_raw());
        node.masked("depthClipEnable", it.depth_clip_enable, dynamic(D::DEPTH_CLIP_ENABLE_EXT));
    } else if let Some(it) = structure.cast::<vk::PipelineRasterizationStateStreamCreateInfoEXT<'_>>() {
        node.u32("flags", it.flags.as_raw());
        let hidden = dynamic(D::RASTERIZATION_STREAM_EXT);
        node.masked("rasterizationStream", it.rasterization_stream, hidden);
    } else if let Some(it) = structure.cast::<vk::PipelineRasterizationConservativeStateCreateInfoEXT<'_>>() {
        node.u32("flags", it.flags.as_raw());
        let hidden = dynamic(D::CONSERVATIVE_RASTERIZATION_MODE_EXT);
        node.masked("conservativeRasterizationMode", it.conservative_rasterization_mode.as_raw() as u32, hidden);
        let hidden = dynamic(D::EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT);
        node.hash.f32(if hidden { 0.0 } else { it.extra_primitive_overestimation_size });
        node.set_f32("extraPrimitiveOverestimationSize", it.extra_primitive_overestimation_size);
    } else if let Some(it) = structure.cast::<vk::PipelineRasterizationLineStateCreateInfoKHR<'_>>() {
        let enable = dynamic(D::LINE_STIPPLE_ENABLE_EXT);
        let hidden = dynamic(D::LINE_RASTERIZATION_MODE_EXT);
        node.masked("lineRasterizationMode", it.line_rasterization_mode.as_raw() as u32, hidden);
        node.masked("stippledLineEnable", it.stippled_line_enable, enable);
        let hidden = !(enable || it.stippled_line_enable != 0) || dynamic(D::LINE_STIPPLE_KHR);
        node.masked("lineStippleFactor", it.line_stipple_factor, hidden);
        node.masked("lineStipplePattern", u32::from(it.line_stipple_pattern), hidden);
    } else if let Some(it) = structure.cast::<vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT<'_>>() {
        let hidden = dynamic(D::PROVOKING_VERTEX_MODE_EXT);
        node.masked("provokingVertexMode", it.provoking_vertex_mode.as_raw() as u32, hidden);
    } else if let Some(it) = structure.cast::<vk::PipelineViewportDepthClipControlCreateInfoEXT<'_>>() {
        let hidden = dynamic(D::DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT);
        node.masked("negativeOneToOne", it.negative_one_to_one, hidden);
    } else if let Some(it) = structure.cast::<vk::DepthBiasRepresentationInfoEXT<'_>>() {
        if dynamic(D::DEPTH_BIAS) {
            node.hash.u32(0);
        } else {
            node.hash.u32(it.depth_bias_exact);
            node.hash.u32(it.depth_bias_representation.as_raw() as u32);
        }
        node.set("depthBiasExact", it.depth_bias_exact);
        node.set("depthBiasRepresentation", it.depth_bias_representation.as_raw());
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// The structures about what fragments are written to and how often; `false` for other structures.
fn fragment_output(node: &mut JsonNode<'_>, structure: Structure<'_>, around: Around<'_>) -> Result<bool, Unsupported> {
    let dynamic = |state| around.dynamic.has(state);
    if let Some(it) = structure.cast::<vk::PipelineColorBlendAdvancedStateCreateInfoEXT<'_>>() {
        if dynamic(D::COLOR_BLEND_ADVANCED_EXT) {
            node.hash.u32(0);
        } else {
            node.hash.u32(it.src_premultiplied);
            node.hash.u32(it.dst_premultiplied);
            node.hash.u32(it.blend_overlap.as_raw() as u32);
        }
        node.set("srcPremultiplied", it.src_premultiplied);
        node.set("dstPremultiplied", it.dst_premultiplied);
        node.set("blendOverlap", it.blend_overlap.as_raw());
    } else if let Some(it) = structure.cast::<vk::PipelineColorWriteCreateInfoEXT<'_>>() {
        node.u32("attachmentCount", it.attachment_count);
        if !dynamic(D::COLOR_WRITE_ENABLE_EXT) {
            // SAFETY: an array of a valid structure, which Vulkan reads without the dynamic state.
            let all = unsafe { array(it.p_color_write_enables, it.attachment_count) };
            node.words("colorWriteEnables", all);
        }
    } else if let Some(it) = structure.cast::<vk::PipelineFragmentShadingRateStateCreateInfoKHR<'_>>() {
        if !dynamic(D::FRAGMENT_SHADING_RATE_KHR) {
            node.hash.u32(it.fragment_size.width);
            node.hash.u32(it.fragment_size.height);
            let combiners = it.combiner_ops.map(|op| op.as_raw());
            combiners.iter().for_each(|op| node.hash.u32(*op as u32));
            let size = json!({ "width": it.fragment_size.width, "height": it.fragment_size.height });
            node.set("fragmentSize", size);
            node.set("combinerOps", &combiners[..]);
        }
    } else if let Some(it) = structure.cast::<vk::PipelineRenderingCreateInfo<'_>>() {
        rendering(node, it, around.subsets);
    } else if let Some(it) = structure.cast::<vk::RenderingAttachmentLocationInfoKHR<'_>>() {
        node.u32("colorAttachmentCount", it.color_attachment_count);
        optional(node, "colorAttachmentLocations", it.p_color_attachment_locations, it.color_attachment_count);
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// The structures in the chains of pipelines and stages as a whole; `false` for other structures.
fn pipeline(node: &mut JsonNode<'_>, structure: Structure<'_>, around: Around<'_>) -> Result<bool, Unsupported> {
    if let Some(it) = structure.cast::<vk::GraphicsPipelineLibraryCreateInfoEXT<'_>>() {
        node.u32("flags", it.flags.as_raw());
    } else if let Some(it) = structure.cast::<vk::PipelineLibraryCreateInfoKHR<'_>>() {
        libraries(node, it, around)?;
    } else if let Some(it) = structure.cast::<vk::PipelineCreateFlags2CreateInfoKHR<'_>>() {
        let flags = lasting(it.flags.as_raw());
        node.hash.u64(flags);
        node.set("flags", flags);
    } else if let Some(it) = structure.cast::<vk::PipelineRobustnessCreateInfoEXT<'_>>() {
        node.u32("images", it.images.as_raw() as u32);
        node.u32("vertexInputs", it.vertex_inputs.as_raw() as u32);
        node.u32("uniformBuffers", it.uniform_buffers.as_raw() as u32);
        node.u32("storageBuffers", it.storage_buffers.as_raw() as u32);
    } else if let Some(it) = structure.cast::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'_>>() {
        node.u32("requiredSubgroupSize", it.required_subgroup_size);
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// The structures in the chains of set layouts and samplers; `false` for other structures.
fn layout(node: &mut JsonNode<'_>, structure: Structure<'_>, _: Around<'_>) -> Result<bool, Unsupported> {
    if let Some(it) = structure.cast::<vk::DescriptorSetLayoutBindingFlagsCreateInfo<'_>>() {
        node.hash.u32(it.binding_count);
        // SAFETY: an array of a valid structure.
        let all = unsafe { array(it.p_binding_flags, it.binding_count) };
        let all: Vec<u32> = all.iter().map(|flags| flags.as_raw()).collect();
        if !all.is_empty() {
            node.words("bindingFlags", &all);
        }
    } else if let Some(it) = structure.cast::<vk::MutableDescriptorTypeCreateInfoEXT<'_>>() {
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
    } else if let Some(it) = structure.cast::<vk::SamplerReductionModeCreateInfo<'_>>() {
        node.u32("reductionMode", it.reduction_mode.as_raw() as u32);
    } else if let Some(it) = structure.cast::<vk::SamplerCustomBorderColorCreateInfoEXT<'_>>() {
        // SAFETY: all members of the union are four words.
        let color = unsafe { it.custom_border_color.uint32 };
        node.words("customBorderColor", &color);
        node.u32("format", it.format.as_raw() as u32);
    } else if let Some(it) = structure.cast::<vk::SamplerBorderColorComponentMappingCreateInfoEXT<'_>>() {
        node.u32("srgb", it.srgb);
        let parts = [it.components.r, it.components.g, it.components.b, it.components.a].map(|it| it.as_raw());
        parts.iter().for_each(|part| node.hash.u32(*part as u32));
        node.set("components", json!({ "r": parts[0], "g": parts[1], "b": parts[2], "a": parts[3] }));
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// The structures in the chains of render passes; `false` for other structures.
fn render_pass(node: &mut JsonNode<'_>, structure: Structure<'_>, around: Around<'_>) -> Result<bool, Unsupported> {
    if let Some(it) = structure.cast::<vk::AttachmentDescriptionStencilLayout<'_>>() {
        node.u32("stencilInitialLayout", it.stencil_initial_layout.as_raw() as u32);
        node.u32("stencilFinalLayout", it.stencil_final_layout.as_raw() as u32);
    } else if let Some(it) = structure.cast::<vk::AttachmentReferenceStencilLayout<'_>>() {
        node.u32("stencilLayout", it.stencil_layout.as_raw() as u32);
    } else if let Some(it) = structure.cast::<vk::SubpassDescriptionDepthStencilResolve<'_>>() {
        let (depth, stencil) = (it.depth_resolve_mode.as_raw(), it.stencil_resolve_mode.as_raw());
        // SAFETY: null or valid in a valid structure.
        match unsafe { it.p_depth_stencil_resolve_attachment.as_ref() } {
            Some(it) => {
                node.hash.u32(depth);
                node.hash.u32(stencil);
                let name = "depthStencilResolveAttachment";
                node.structure(name, |node: &mut JsonNode<'_>| reference(node, it, around))?;
            }
            None => node.hash.u32(0),
        }
        node.set("depthResolveMode", depth);
        node.set("stencilResolveMode", stencil);
    } else if let Some(it) = structure.cast::<vk::FragmentShadingRateAttachmentInfoKHR<'_>>() {
        let size = it.shading_rate_attachment_texel_size;
        // SAFETY: null or valid in a valid structure.
        match unsafe { it.p_fragment_shading_rate_attachment.as_ref() } {
            Some(attachment) => {
                // SAFETY: the chain of a valid structure.
                unsafe { none("the reference of VkFragmentShadingRateAttachmentInfoKHR", attachment.p_next)? };
                let name = "fragmentShadingRateAttachment";
                node.structure(name, |node: &mut JsonNode<'_>| reference(node, attachment, around))?;
                node.hash.u32(size.width);
                node.hash.u32(size.height);
            }
            None => node.hash.u32(0),
        }
        node.set("shadingRateAttachmentTexelSize", json!({ "width": size.width, "height": size.height }));
    } else if let Some(it) = structure.cast::<vk::MemoryBarrier2<'_>>() {
        for (name, mask) in [
            ("srcStageMask", it.src_stage_mask.as_raw()),
            ("srcAccessMask", it.src_access_mask.as_raw()),
            ("dstStageMask", it.dst_stage_mask.as_raw()),
            ("dstAccessMask", it.dst_access_mask.as_raw()),
        ] {
            node.hash.u64(mask);
            node.set(name, mask);
        }
    } else if let Some(it) = structure.cast::<vk::RenderPassCreationControlEXT<'_>>() {
        node.u32("disallowMerging", it.disallow_merging);
    } else if let Some(it) = structure.cast::<vk::MultisampledRenderToSingleSampledInfoEXT<'_>>() {
        node.u32("multisampledRenderToSingleSampledEnable", it.multisampled_render_to_single_sampled_enable);
        node.u32("rasterizationSamples", it.rasterization_samples.as_raw());
    } else if let Some(it) = structure.cast::<vk::RenderPassFragmentDensityMapCreateInfoEXT<'_>>() {
        let it = it.fragment_density_map_attachment;
        node.hash.u32(it.attachment);
        node.hash.u32(it.layout.as_raw() as u32);
        let attachment = json!({ "attachment": it.attachment, "layout": it.layout.as_raw() });
        node.set("fragmentDensityMapAttachment", attachment);
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// The reference of a subpass, or of a structure in its chain, to an attachment. The caller has it
/// of a valid create info.
pub fn reference(
    node: &mut JsonNode<'_>,
    it: &vk::AttachmentReference2<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    node.u32("attachment", it.attachment);
    node.u32("layout", it.layout.as_raw() as u32);
    node.u32("aspectMask", it.aspect_mask.as_raw());
    // SAFETY: the chain of a valid structure.
    unsafe { add(node, it.p_next, around) }
}

/// An array that may be absent, which Fossilize hashes as one zero.
fn optional(node: &mut JsonNode<'_>, name: &'static str, first: *const u32, count: u32) {
    if first.is_null() {
        node.hash.u32(0);
        return;
    }
    // SAFETY: an array of a valid structure.
    let all = unsafe { array(first, count) };
    node.words(name, all);
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
    // SAFETY: an array of a valid structure.
    let libraries = unsafe { array(it.p_libraries, it.library_count) };
    node.objects("libraries", &around.objects.all(libraries)?);
    Ok(())
}

fn ycbcr(hash: &mut Hasher, it: &vk::SamplerYcbcrConversionCreateInfo<'_>) -> Result<Value, Unsupported> {
    hash.u32(S::SAMPLER_YCBCR_CONVERSION_CREATE_INFO.as_raw() as u32);
    described(hash, |node: &mut JsonNode<'_>| {
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
        Ok(())
    })
}
