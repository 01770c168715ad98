//! Shader tables, and the trace of rays.
//!
//! In: a ray-tracing pipeline, and what its stages read of their shader records. Out: tables in
//! memory. What must hold: every alignment and stride is the device's; an index that D3D allows is
//! inside of its table; the content of records depends on the seed, the table and the index alone,
//! but for addresses.

use ash::{khr, vk};
use dxil_capture::model::Pipeline;
use dxil_vulkan::{Buffer, Gpu, Named as _};

use super::bind::{Bound, Filled, check_block, storage_size};
use super::declared::{Block, Declared, Pointee, ShaderRecord};
use super::fill::NumberSource;
use super::stop::{CannotRun, RaysFault, Stop};
use super::turns::{self, shaders};
use crate::results::Element;
use crate::vulkan::Made;

/// The rays in each dimension.
const GRID: [u32; 3] = [16, 16, 1];
/// How many calls the stack has space for at most, where its size is dynamic.
const NESTED_CALLS: u64 = 16;
/// The stream of the random numbers of records.
const STREAM: u64 = 0xfffc << 48;

/// What a trace of rays needs.
pub struct Trace<'g> {
    commands: khr::ray_tracing_pipeline::Device,
    /// A table of one record for each ray generation shader.
    generate: Vec<vk::StridedDeviceAddressRegionKHR>,
    /// The tables of miss, hit and callable records.
    others: [vk::StridedDeviceAddressRegionKHR; 3],
    /// The bytes of the stack, if its size is dynamic.
    stack: Option<u32>,
    _buffers: Vec<Buffer<'g>>,
}

impl<'g> Trace<'g> {
    /// Makes shader tables. What is at addresses in records is added to `bound`.
    ///
    /// # Errors
    /// What the lab does not trace with, or the driver's error.
    pub fn new(
        gpu: &'g Gpu,
        (pipeline, made): (&Pipeline, &Made<'_>),
        declared: &Declared,
        bound: &mut Bound<'g>,
        source: NumberSource,
    ) -> Result<Self, Stop> {
        let lacks = |what| Stop::from(CannotRun::Rays(what));
        let library = u64::from(vk::PipelineCreateFlags::LIBRARY_KHR.as_raw());
        if !pipeline.libraries.is_empty() || pipeline.flags & library != 0 {
            return Err(lacks(RaysFault::Libraries));
        }
        let turns = turns::choose(pipeline, &declared.rays).map_err(CannotRun::Rays)?;
        let commands = khr::ray_tracing_pipeline::Device::new(&gpu.instance.handle, &gpu.device);
        let mut writer = TableWriter::new(gpu, &commands, (pipeline, made), source)?;
        for index in 0..pipeline.groups.len() {
            writer.add_group(pipeline, index, declared, bound)?;
        }
        // A table of its own for each ray generation shader.
        let generate = turns.generate.iter().map(|group| writer.table(*group as u64 + 3, &[Some(*group)]));
        let generate = generate.collect::<Result<Vec<_>, Stop>>()?;
        let miss = writer.table(0, &turns.miss)?;
        let hits = writer.table(1, &turns.hits)?;
        let callable = writer.table(2, &turns.callable)?;
        bound.records = writer.inputs;
        let buffers = writer.buffers;
        let dynamic = vk::DynamicState::RAY_TRACING_PIPELINE_STACK_SIZE_KHR.as_raw();
        let stack = pipeline.dynamic.contains(&dynamic).then(|| stack_size(&commands, pipeline, made));
        Ok(Self { commands, generate, others: [miss, hits, callable], stack, _buffers: buffers })
    }

    /// Records a trace by each ray generation shader, one after another.
    ///
    /// # Safety
    /// The command buffer must be open, with the pipeline, its sets and its push constants bound.
    pub unsafe fn record(&self, gpu: &Gpu, commands: vk::CommandBuffer) {
        let ([miss, hit, callable], [x, y, z]) = (&self.others, GRID);
        if let Some(stack) = self.stack {
            // SAFETY: the pipeline's stack is dynamic.
            unsafe { self.commands.cmd_set_ray_tracing_pipeline_stack_size(commands, stack) };
        }
        for (number, generate) in self.generate.iter().enumerate() {
            if number > 0 {
                gpu.barrier(commands);
            }
            // SAFETY: as above; the tables have handles of the pipeline, and live as long as this.
            unsafe { self.commands.cmd_trace_rays(commands, generate, miss, hit, callable, x, y, z) };
        }
    }
}

/// The bytes of stack for nested calls of the shader that needs most.
fn stack_size(commands: &khr::ray_tracing_pipeline::Device, pipeline: &Pipeline, made: &Made<'_>) -> u32 {
    let all = (0..).zip(&pipeline.groups).flat_map(|(number, group)| shaders(group).map(move |(it, _)| (number, it)));
    // SAFETY: the pipeline has this group, and the group has this shader.
    let size =
        |(number, shader)| unsafe { commands.get_ray_tracing_shader_group_stack_size(made.pipeline, number, shader) };
    let most = all.map(size).max().unwrap_or(0);
    u32::try_from(most.saturating_mul(1 + NESTED_CALLS)).unwrap_or(u32::MAX)
}

/// What the records of a group have behind the handle.
struct Content {
    block: Block,
    size: usize,
    addresses: Vec<(usize, vk::DeviceAddress)>,
}

/// Makes the tables of a pipeline.
struct TableWriter<'g> {
    gpu: &'g Gpu,
    properties: vk::PhysicalDeviceRayTracingPipelinePropertiesKHR<'static>,
    source: NumberSource,
    /// By the number of the group.
    contents: Vec<Content>,
    handles: Vec<u8>,
    /// The records without handles and addresses.
    inputs: Vec<u8>,
    buffers: Vec<Buffer<'g>>,
}

impl<'g> TableWriter<'g> {
    fn new(
        gpu: &'g Gpu,
        commands: &khr::ray_tracing_pipeline::Device,
        (pipeline, made): (&Pipeline, &Made<'_>),
        source: NumberSource,
    ) -> Result<Self, Stop> {
        let mut properties = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut properties);
        // SAFETY: the physical device is the instance's, and has the extension of the chained
        // structure, because the pipeline was made.
        unsafe { gpu.instance.handle.get_physical_device_properties2(gpu.instance.physical, &mut all) };
        let (count, size) = (pipeline.groups.len(), properties.shader_group_handle_size as usize);
        // SAFETY: the pipeline links no libraries, so it has this number of groups, and handles
        // have this size.
        let handles =
            unsafe { commands.get_ray_tracing_shader_group_handles(made.pipeline, 0, count as u32, size * count) };
        Ok(Self {
            gpu,
            properties,
            source,
            contents: Vec::new(),
            handles: handles.named("vkGetRayTracingShaderGroupHandlesKHR")?,
            inputs: Vec::new(),
            buffers: Vec::new(),
        })
    }

    /// Makes what is at addresses in the records of the next group.
    fn add_group(
        &mut self,
        pipeline: &Pipeline,
        index: usize,
        declared: &Declared,
        bound: &mut Bound<'g>,
    ) -> Result<(), Stop> {
        let mut record = ShaderRecord::default();
        let stages = pipeline.groups.get(index).into_iter().flat_map(shaders);
        for found in stages.filter_map(|(_, stage)| declared.records.get(&stage)) {
            record.merge(found.clone());
        }
        let mut addresses = Vec::new();
        for (offset, pointee) in &record.addresses {
            let address = match pointee {
                Pointee::Structure => bound.scene()?.address,
                Pointee::Buffer(block) => {
                    check_block(block).map_err(|what| CannotRun::Address { group: index, offset: *offset, what })?;
                    let stream = STREAM | 1 << 47 | (index as u64) << 16 | u64::from(*offset);
                    let bytes = self.source.elements(stream, block, storage_size(block));
                    let it = Buffer::new(self.gpu, vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS, &bytes)?;
                    let (name, address) = (format!("record of group {index}, byte {offset}"), it.address());
                    bound.buffers.push(Filled { it, bytes, output: Some((name, Element::of_block(block), 1)) });
                    address
                }
            };
            addresses.push((*offset as usize, address));
        }
        let ends = addresses.iter().map(|(offset, _)| offset + size_of::<u64>());
        let size = ends.chain([record.block.size as usize]).max().unwrap_or(0);
        self.contents.push(Content { block: record.block, size, addresses });
        Ok(())
    }

    /// The table of this number, with a record of each of these groups; the handle of none is zero.
    fn table(&mut self, number: u64, groups: &[Option<usize>]) -> Result<vk::StridedDeviceAddressRegionKHR, Stop> {
        if groups.is_empty() {
            return Ok(vk::StridedDeviceAddressRegionKHR::default());
        }
        let base = u64::from(self.properties.shader_group_base_alignment).max(1);
        let handle = self.properties.shader_group_handle_size as usize;
        let sizes = groups.iter().flatten().filter_map(|group| self.contents.get(*group)).map(|it| it.size);
        let alignment = u64::from(self.properties.shader_group_handle_alignment).max(1);
        let stride = (handle + sizes.max().unwrap_or(0)) as u64;
        let stride = stride.next_multiple_of(alignment);
        if stride > u64::from(self.properties.max_shader_group_stride) {
            let most = self.properties.max_shader_group_stride;
            return Err(CannotRun::Rays(RaysFault::Record { found: stride, most }).into());
        }
        let mut bytes = Vec::new();
        for (index, group) in (0_u64..).zip(groups) {
            let start = bytes.len();
            if let Some((group, content)) = group.and_then(|group| Some((group, self.contents.get(group)?))) {
                bytes.extend(self.handles.chunks_exact(handle).skip(group).take(1).flatten());
                let stream = STREAM | number << 32 | index;
                let mut record = self.source.constants(stream, &content.block, content.size);
                self.inputs.extend(&record);
                for (offset, address) in &content.addresses {
                    if let Some(place) = record.get_mut(*offset..offset + size_of::<u64>()) {
                        place.copy_from_slice(&address.to_le_bytes());
                    }
                }
                bytes.extend(record);
            }
            bytes.resize(start + stride as usize, 0);
        }
        let usage = vk::BufferUsageFlags::SHADER_BINDING_TABLE_KHR | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let buffer = Buffer::new(self.gpu, usage, &vec![0; bytes.len() + base as usize])?;
        // A buffer need not be aligned as a table must be.
        let start = buffer.address().next_multiple_of(base);
        let before = (start - buffer.address()) as usize;
        let region = vk::StridedDeviceAddressRegionKHR::default().device_address(start).stride(stride);
        let region = region.size(bytes.len() as u64);
        buffer.write(&[vec![0; before], bytes].concat());
        self.buffers.push(buffer);
        Ok(region)
    }
}
