//! The state of graphics pipelines.

use ash::vk;
use dxil_capture::model::{Blend, ColorBlend, Graphics, Rasterization, StencilOp, Target, VertexInput, ViewportState};

use super::error::MakeError;
use super::maker::Maker;
use dxil_vulkan::Objects;

impl Maker<'_> {
    /// Puts the state into a create info.
    pub(super) fn graphics(
        &self,
        objects: &mut Objects<'_>,
        state: &Graphics,
        info: &mut vk::GraphicsPipelineCreateInfo<'static>,
    ) -> Result<(), MakeError> {
        if let Some(input) = &state.vertex_input {
            info.p_vertex_input_state = self.vertex_input(input)?;
        }
        if let Some(assembly) = &state.input_assembly {
            info.p_input_assembly_state = self.arena.one(vk::PipelineInputAssemblyStateCreateInfo {
                topology: vk::PrimitiveTopology::from_raw(assembly.topology),
                primitive_restart_enable: assembly.primitive_restart.into(),
                p_next: self.chained(&assembly.chain)?,
                ..Default::default()
            });
        }
        if let Some((points, chain)) = &state.tessellation {
            info.p_tessellation_state = self.arena.one(vk::PipelineTessellationStateCreateInfo {
                patch_control_points: *points,
                p_next: self.chained(chain)?,
                ..Default::default()
            });
        }
        if let Some(viewport) = &state.viewport {
            info.p_viewport_state = self.viewport(viewport)?;
        }
        if let Some(rasterization) = &state.rasterization {
            info.p_rasterization_state = self.rasterization(rasterization)?;
        }
        if let Some(it) = &state.multisample {
            info.p_multisample_state = self.arena.one(vk::PipelineMultisampleStateCreateInfo {
                rasterization_samples: vk::SampleCountFlags::from_raw(it.samples),
                sample_shading_enable: it.sample_shading.into(),
                min_sample_shading: it.min_sample_shading.into(),
                p_sample_mask: self.arena.all(it.sample_mask.clone()),
                alpha_to_coverage_enable: it.alpha_to_coverage.into(),
                alpha_to_one_enable: it.alpha_to_one.into(),
                p_next: self.chained(&it.chain)?,
                ..Default::default()
            });
        }
        if let Some(it) = &state.depth_stencil {
            info.p_depth_stencil_state = self.arena.one(vk::PipelineDepthStencilStateCreateInfo {
                flags: vk::PipelineDepthStencilStateCreateFlags::from_raw(it.flags),
                depth_test_enable: it.depth_test.into(),
                depth_write_enable: it.depth_write.into(),
                depth_compare_op: vk::CompareOp::from_raw(it.depth_compare),
                depth_bounds_test_enable: it.depth_bounds_test.into(),
                stencil_test_enable: it.stencil_test.into(),
                front: stencil(&it.stencil[0]),
                back: stencil(&it.stencil[1]),
                min_depth_bounds: it.depth_bounds[0].into(),
                max_depth_bounds: it.depth_bounds[1].into(),
                p_next: self.chained(&it.chain)?,
                ..Default::default()
            });
        }
        if let Some(blend) = &state.color_blend {
            info.p_color_blend_state = self.color_blend(blend)?;
        }
        info.p_dynamic_state = self.dynamic(&state.dynamic);
        if let Some(target) = &state.target {
            self.target(objects, target, info)?;
        }
        if let Some(subsets) = state.subsets {
            let library = vk::GraphicsPipelineLibraryCreateInfoEXT {
                flags: vk::GraphicsPipelineLibraryFlagsEXT::from_raw(subsets),
                p_next: info.p_next.cast_mut(),
                ..Default::default()
            };
            info.p_next = self.arena.one(library).cast();
        }
        Ok(())
    }

    /// Puts what a pipeline draws into into a create info.
    fn target(
        &self,
        objects: &mut Objects<'_>,
        target: &Target,
        info: &mut vk::GraphicsPipelineCreateInfo<'static>,
    ) -> Result<(), MakeError> {
        match target {
            Target::RenderPass(pass, subpass) => {
                info.render_pass = self.render_pass(objects, pass)?;
                self.render_pass.set(info.render_pass);
                info.subpass = *subpass;
            }
            Target::Rendering(rendering) => {
                let mut next = info.p_next;
                if let Some(locations) = &rendering.locations {
                    let locations = vk::RenderingAttachmentLocationInfoKHR {
                        color_attachment_count: locations.len() as u32,
                        p_color_attachment_locations: self.arena.all(locations.clone()),
                        p_next: next,
                        ..Default::default()
                    };
                    next = self.arena.one(locations).cast();
                }
                let formats: Vec<_> = rendering.colors.iter().map(|it| vk::Format::from_raw(*it)).collect();
                let rendering = vk::PipelineRenderingCreateInfo {
                    view_mask: rendering.view_mask,
                    color_attachment_count: formats.len() as u32,
                    p_color_attachment_formats: self.arena.all(formats),
                    depth_attachment_format: vk::Format::from_raw(rendering.depth),
                    stencil_attachment_format: vk::Format::from_raw(rendering.stencil),
                    p_next: next,
                    ..Default::default()
                };
                info.p_next = self.arena.one(rendering).cast();
            }
        }
        Ok(())
    }

    fn rasterization(
        &self,
        it: &Rasterization,
    ) -> Result<*const vk::PipelineRasterizationStateCreateInfo<'static>, MakeError> {
        Ok(self.arena.one(vk::PipelineRasterizationStateCreateInfo {
            depth_clamp_enable: it.depth_clamp.into(),
            rasterizer_discard_enable: it.discard.into(),
            polygon_mode: vk::PolygonMode::from_raw(it.polygon_mode),
            cull_mode: vk::CullModeFlags::from_raw(it.cull_mode),
            front_face: vk::FrontFace::from_raw(it.front_face),
            depth_bias_enable: it.depth_bias_enable.into(),
            depth_bias_constant_factor: it.depth_bias[0].into(),
            depth_bias_clamp: it.depth_bias[1].into(),
            depth_bias_slope_factor: it.depth_bias[2].into(),
            line_width: it.line_width.into(),
            p_next: self.chained(&it.chain)?,
            ..Default::default()
        }))
    }

    fn vertex_input(
        &self,
        input: &VertexInput,
    ) -> Result<*const vk::PipelineVertexInputStateCreateInfo<'static>, MakeError> {
        let bindings: Vec<_> = input
            .bindings
            .iter()
            .map(|binding| vk::VertexInputBindingDescription {
                binding: binding.binding,
                stride: binding.stride,
                input_rate: vk::VertexInputRate::from_raw(binding.rate),
            })
            .collect();
        let attributes: Vec<_> = input
            .attributes
            .iter()
            .map(|attribute| vk::VertexInputAttributeDescription {
                location: attribute.location,
                binding: attribute.binding,
                format: vk::Format::from_raw(attribute.format),
                offset: attribute.offset,
            })
            .collect();
        let divisors: Vec<_> = input
            .bindings
            .iter()
            .filter_map(|it| {
                let divisor = it.divisor?;
                Some(vk::VertexInputBindingDivisorDescriptionKHR { binding: it.binding, divisor })
            })
            .collect();
        let mut next = std::ptr::null();
        if !divisors.is_empty() {
            let divisors = vk::PipelineVertexInputDivisorStateCreateInfoKHR {
                vertex_binding_divisor_count: divisors.len() as u32,
                p_vertex_binding_divisors: self.arena.all(divisors),
                ..Default::default()
            };
            next = self.arena.one(divisors).cast();
        }
        Ok(self.arena.one(vk::PipelineVertexInputStateCreateInfo {
            vertex_binding_description_count: bindings.len() as u32,
            p_vertex_binding_descriptions: self.arena.all(bindings),
            vertex_attribute_description_count: attributes.len() as u32,
            p_vertex_attribute_descriptions: self.arena.all(attributes),
            p_next: self.before(&input.chain, next)?,
            ..Default::default()
        }))
    }

    fn viewport(
        &self,
        state: &ViewportState,
    ) -> Result<*const vk::PipelineViewportStateCreateInfo<'static>, MakeError> {
        let viewports: Vec<_> = state
            .viewports
            .iter()
            .map(|it| vk::Viewport {
                x: it.origin[0].into(),
                y: it.origin[1].into(),
                width: it.extent[0].into(),
                height: it.extent[1].into(),
                min_depth: it.depth[0].into(),
                max_depth: it.depth[1].into(),
            })
            .collect();
        let scissors: Vec<_> = state
            .scissors
            .iter()
            .map(|it| vk::Rect2D {
                offset: vk::Offset2D { x: it.offset[0], y: it.offset[1] },
                extent: vk::Extent2D { width: it.extent[0], height: it.extent[1] },
            })
            .collect();
        Ok(self.arena.one(vk::PipelineViewportStateCreateInfo {
            viewport_count: state.viewport_count,
            p_viewports: self.arena.all(viewports),
            scissor_count: state.scissor_count,
            p_scissors: self.arena.all(scissors),
            p_next: self.chained(&state.chain)?,
            ..Default::default()
        }))
    }

    fn color_blend(
        &self,
        state: &ColorBlend,
    ) -> Result<*const vk::PipelineColorBlendStateCreateInfo<'static>, MakeError> {
        let attachments: Vec<_> = state.attachments.iter().map(blend).collect();
        let mut next = std::ptr::null();
        if !state.write_enables.is_empty() {
            let enables: Vec<vk::Bool32> = state.write_enables.iter().map(|it| (*it).into()).collect();
            let enables = vk::PipelineColorWriteCreateInfoEXT {
                attachment_count: enables.len() as u32,
                p_color_write_enables: self.arena.all(enables),
                ..Default::default()
            };
            next = self.arena.one(enables).cast();
        }
        Ok(self.arena.one(vk::PipelineColorBlendStateCreateInfo {
            flags: vk::PipelineColorBlendStateCreateFlags::from_raw(state.flags),
            logic_op_enable: state.logic_op_enable.into(),
            logic_op: vk::LogicOp::from_raw(state.logic_op),
            attachment_count: state.attachment_count,
            p_attachments: self.arena.all(attachments),
            blend_constants: state.constants.map(f32::from),
            p_next: self.before(&state.chain, next)?,
            ..Default::default()
        }))
    }
}

fn stencil(it: &StencilOp) -> vk::StencilOpState {
    let [fail_op, pass_op, depth_fail_op] = it.ops.map(vk::StencilOp::from_raw);
    vk::StencilOpState {
        fail_op,
        pass_op,
        depth_fail_op,
        compare_op: vk::CompareOp::from_raw(it.compare),
        compare_mask: it.masks[0],
        write_mask: it.masks[1],
        reference: it.reference,
    }
}

fn blend(it: &Blend) -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState {
        blend_enable: it.enable.into(),
        src_color_blend_factor: vk::BlendFactor::from_raw(it.color[0]),
        dst_color_blend_factor: vk::BlendFactor::from_raw(it.color[1]),
        color_blend_op: vk::BlendOp::from_raw(it.color[2]),
        src_alpha_blend_factor: vk::BlendFactor::from_raw(it.alpha[0]),
        dst_alpha_blend_factor: vk::BlendFactor::from_raw(it.alpha[1]),
        alpha_blend_op: vk::BlendOp::from_raw(it.alpha[2]),
        color_write_mask: vk::ColorComponentFlags::from_raw(it.write_mask),
    }
}
