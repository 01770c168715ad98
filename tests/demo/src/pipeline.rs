//! Code that all pictures share: descriptor sets, a pipeline layout and a pipeline, which are
//! destroyed together.

use std::ffi::CStr;

use ash::vk;
use dxil_tests::error::{Error, Result};
use dxil_tests::vulkan::{Context, Format};
use dxil_vulkan::Named as _;

use crate::target;

/// The place and type of a descriptor, or of an array of them.
#[derive(Clone, Copy)]
pub struct Slot {
    /// The number of the descriptor set.
    pub set: usize,
    /// The binding in the set.
    pub binding: u32,
    /// The descriptor type.
    pub kind: vk::DescriptorType,
    /// The number of descriptors.
    pub count: u32,
    /// The stages that use the descriptor.
    pub stages: vk::ShaderStageFlags,
}

/// A pipeline layout, one descriptor set for each of its set layouts, and the pipeline.
pub struct Program<'c> {
    context: &'c Context,
    set_layouts: Vec<vk::DescriptorSetLayout>,
    pool: vk::DescriptorPool,
    /// The descriptor sets, by number.
    pub sets: Vec<vk::DescriptorSet>,
    /// The pipeline layout.
    pub layout: vk::PipelineLayout,
    /// The pipeline. It is null until the caller sets it.
    pub pipeline: vk::Pipeline,
}

impl<'c> Program<'c> {
    /// Creates the layouts and sets for `slots`. `sampler` is the immutable sampler of every
    /// sampler slot. The caller creates the pipeline.
    pub fn new(
        context: &'c Context,
        slots: &[Slot],
        push: vk::PushConstantRange,
        sampler: vk::Sampler,
    ) -> Result<Self> {
        let device = &context.gpu.device;
        let mut program = Self {
            context,
            set_layouts: Vec::new(),
            pool: vk::DescriptorPool::null(),
            sets: Vec::new(),
            layout: vk::PipelineLayout::null(),
            pipeline: vk::Pipeline::null(),
        };
        let immutable = [sampler];
        for set in 0..=slots.iter().map(|slot| slot.set).max().unwrap_or(0) {
            let bindings: Vec<_> = slots
                .iter()
                .filter(|slot| slot.set == set)
                .map(|slot| {
                    let binding = vk::DescriptorSetLayoutBinding::default()
                        .binding(slot.binding)
                        .descriptor_type(slot.kind)
                        .descriptor_count(slot.count)
                        .stage_flags(slot.stages);
                    if slot.kind == vk::DescriptorType::SAMPLER {
                        binding.immutable_samplers(&immutable)
                    } else {
                        binding
                    }
                })
                .collect();
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            // SAFETY: the bindings and the immutable sampler outlive the call.
            let layout = unsafe { device.create_descriptor_set_layout(&info, None) };
            program.set_layouts.push(layout.named("vkCreateDescriptorSetLayout")?);
        }
        // A range without bytes is not allowed.
        let push: Vec<_> = Some(push).filter(|push| push.size != 0).into_iter().collect();
        let info =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&program.set_layouts).push_constant_ranges(&push);
        let sizes: Vec<_> = slots
            .iter()
            .map(|slot| vk::DescriptorPoolSize::default().ty(slot.kind).descriptor_count(slot.count))
            .collect();
        let count = u32::try_from(program.set_layouts.len()).unwrap_or(u32::MAX);
        let pool_info = vk::DescriptorPoolCreateInfo::default().max_sets(count).pool_sizes(&sizes);
        // SAFETY: the set layouts belong to this device and are alive.
        program.layout = unsafe { device.create_pipeline_layout(&info, None) }.named("vkCreatePipelineLayout")?;
        // SAFETY: the pool sizes outlive the call.
        program.pool = unsafe { device.create_descriptor_pool(&pool_info, None) }.named("vkCreateDescriptorPool")?;
        let info =
            vk::DescriptorSetAllocateInfo::default().descriptor_pool(program.pool).set_layouts(&program.set_layouts);
        // SAFETY: the pool and the set layouts belong to this device, and the pool has space for
        // one set of each layout.
        program.sets = unsafe { device.allocate_descriptor_sets(&info) }.named("vkAllocateDescriptorSets")?;
        Ok(program)
    }

    /// Creates the pipeline of a compute shader, DXIL or SPIR-V, whose entry point is `main`.
    pub fn compute(&mut self, code: &[u8]) -> Result<()> {
        let module = Module::new(self.context, code)?;
        let info = vk::ComputePipelineCreateInfo::default()
            .stage(module.stage(vk::ShaderStageFlags::COMPUTE, c"main"))
            .layout(self.layout);
        // SAFETY: the shader module and the layout are alive, and the entry point's name is static.
        let made =
            unsafe { self.context.gpu.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        self.pipeline = only(made, "vkCreateComputePipelines")?;
        Ok(())
    }

    /// Creates a graphics pipeline that draws a picture of this size ([`target::drawn`]). A
    /// pipeline with a mesh shader has no `vertices`.
    pub fn graphics(
        &mut self,
        stages: &[vk::PipelineShaderStageCreateInfo<'_>],
        size: [u32; 2],
        vertices: Option<&vk::PipelineVertexInputStateCreateInfo<'_>>,
        cull: vk::CullModeFlags,
    ) -> Result<()> {
        let assembly =
            vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let (width, height) = (size[0] as f32, size[1] as f32);
        // In D3D's clip space y points up, in Vulkan's down. The layer does not flip y, so the
        // application does, with a viewport of negative height.
        let viewports = [vk::Viewport { y: height, width, height: -height, max_depth: 1.0, ..Default::default() }];
        let scissors = [vk::Rect2D { extent: vk::Extent2D { width: size[0], height: size[1] }, ..Default::default() }];
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .cull_mode(cull)
            .front_face(vk::FrontFace::CLOCKWISE)
            .line_width(1.0);
        let samples =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let depth = vk::PipelineDepthStencilStateCreateInfo::default()
            .depth_test_enable(true)
            .depth_write_enable(true)
            .depth_compare_op(vk::CompareOp::LESS);
        let blends = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA)];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
        let formats = [target::FORMAT.vk];
        let mut rendering = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&formats)
            .depth_attachment_format(Format::DEPTH.vk);
        let mut info = vk::GraphicsPipelineCreateInfo::default()
            .stages(stages)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .layout(self.layout)
            .push_next(&mut rendering);
        if let Some(vertices) = vertices {
            info = info.vertex_input_state(vertices).input_assembly_state(&assembly);
        }
        // SAFETY: every pointer in the create info outlives the call, and the shader modules and
        // the layout are alive.
        let made =
            unsafe { self.context.gpu.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
        self.pipeline = only(made, "vkCreateGraphicsPipelines")?;
        Ok(())
    }

    /// Makes a buffer descriptor refer to a whole buffer.
    pub fn set_buffer(&self, slot: Slot, buffer: vk::Buffer) {
        let info = [vk::DescriptorBufferInfo::default().buffer(buffer).range(vk::WHOLE_SIZE)];
        self.write(slot, vk::WriteDescriptorSet::default().buffer_info(&info));
    }

    /// Makes an image descriptor refer to a view.
    pub fn set_image(&self, slot: Slot, view: vk::ImageView, layout: vk::ImageLayout) {
        self.set_images(slot, &[view], layout);
    }

    /// Makes the image descriptors of an array refer to views.
    pub fn set_images(&self, slot: Slot, views: &[vk::ImageView], layout: vk::ImageLayout) {
        let info = |&view: &vk::ImageView| vk::DescriptorImageInfo::default().image_view(view).image_layout(layout);
        let infos: Vec<_> = views.iter().map(info).collect();
        self.write(slot, vk::WriteDescriptorSet::default().image_info(&infos));
    }

    /// Makes a descriptor refer to an acceleration structure.
    pub fn set_structure(&self, slot: Slot, structure: vk::AccelerationStructureKHR) {
        let structures = [structure];
        let mut info = vk::WriteDescriptorSetAccelerationStructureKHR::default().acceleration_structures(&structures);
        self.write(slot, vk::WriteDescriptorSet::default().descriptor_count(1).push_next(&mut info));
    }

    fn write(&self, slot: Slot, write: vk::WriteDescriptorSet<'_>) {
        let Some(&set) = self.sets.get(slot.set) else { return };
        let write = write.dst_set(set).dst_binding(slot.binding).descriptor_type(slot.kind);
        // SAFETY: the set is alive and has this binding, and no pending command uses it, because
        // `Gpu::submit` waits for the queue.
        unsafe { self.context.gpu.device.update_descriptor_sets(&[write], &[]) };
    }

    /// Records commands that bind the pipeline and the sets and set the push constants.
    pub fn bind(
        &self,
        commands: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
        stages: vk::ShaderStageFlags,
        push: &[u8],
    ) {
        let device = &self.context.gpu.device;
        // SAFETY: the command buffer is recording. `Gpu::submit` waits for the queue, and the
        // pipeline, layout and sets are destroyed only after that.
        unsafe {
            device.cmd_bind_pipeline(commands, point, self.pipeline);
            device.cmd_bind_descriptor_sets(commands, point, self.layout, 0, &self.sets, &[]);
            if !push.is_empty() {
                device.cmd_push_constants(commands, self.layout, stages, 0, push);
            }
        }
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        let device = &self.context.gpu.device;
        // SAFETY: no pending command uses these objects, because `Gpu::submit` waits for the
        // queue. Vulkan ignores null handles here.
        unsafe {
            device.destroy_pipeline(self.pipeline, None);
            device.destroy_pipeline_layout(self.layout, None);
            device.destroy_descriptor_pool(self.pool, None);
            self.set_layouts.iter().for_each(|&layout| device.destroy_descriptor_set_layout(layout, None));
        }
    }
}

/// A shader module. It is needed only until its pipeline is created.
pub struct Module<'c> {
    context: &'c Context,
    handle: vk::ShaderModule,
}

impl<'c> Module<'c> {
    /// Creates a shader module from DXIL or SPIR-V.
    pub fn new(context: &'c Context, code: &[u8]) -> Result<Self> {
        // vkCreateShaderModule requires code that is aligned to four bytes.
        let words: Vec<u32> =
            code.chunks_exact(4).filter_map(|word| word.try_into().ok().map(u32::from_ne_bytes)).collect();
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: the code outlives the call. It is DXIL only if the layer is enabled, which
        // accepts it.
        let handle = unsafe { context.gpu.device.create_shader_module(&info, None) }.named("vkCreateShaderModule")?;
        Ok(Self { context, handle })
    }

    /// The create info of a pipeline stage that uses this module.
    pub fn stage<'n>(&self, stage: vk::ShaderStageFlags, entry: &'n CStr) -> vk::PipelineShaderStageCreateInfo<'n> {
        vk::PipelineShaderStageCreateInfo::default().stage(stage).module(self.handle).name(entry)
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: a pipeline does not need its modules after it is created.
        unsafe { self.context.gpu.device.destroy_shader_module(self.handle, None) };
    }
}

/// The pipeline of a command that was asked to create one.
pub fn only(
    result: std::result::Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>,
    command: &'static str,
) -> Result<vk::Pipeline> {
    let pipelines = result.map_err(|(_, result)| result).named(command)?;
    pipelines.first().copied().ok_or_else(|| Error::Wrong(format!("{command} made no pipeline")))
}

/// The little-endian bytes of 32-bit numbers.
pub fn bytes(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}
