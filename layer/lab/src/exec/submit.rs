//! One run of a pipeline.
//!
//! In: a pipeline, its resources with their content, and the state of its record. Out: what the resources
//! that it may write and its targets contain afterwards. What must hold: every run starts from the same
//! content; everything is copied back before the fence is passed.

use ash::vk;
use dxil_capture::model::{Command, Pipeline, PushRange};

use super::bind::Bound;
use super::draw::Draw;
use super::fill::Source;
use super::stop::Stop;
use super::store::{Image, Store, transition};
use super::texel::{components, element_of};
use crate::results::Element;
use crate::vulkan::Made;

/// A result with its content.
pub struct Raw {
    /// Its place.
    pub name: String,
    /// Its elements.
    pub element: Element,
    /// The elements of a texel.
    pub components: usize,
    /// Whether the pipeline changed it.
    pub is_changed: bool,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Everything that runs of a pipeline need.
pub struct Runner<'a> {
    commands: vk::CommandBuffer,
    queue: vk::Queue,
    fence: vk::Fence,
    pipeline: &'a Pipeline,
    made: &'a Made<'a>,
    bound: Bound,
    groups: [u32; 3],
    draw: Option<Draw>,
}

impl<'a> Runner<'a> {
    /// Makes what runs need.
    ///
    /// # Errors
    /// What the lab cannot run, or the driver's error.
    pub fn new(
        store: &mut Store<'_>,
        made: &'a Made<'a>,
        pipeline: &'a Pipeline,
        bound: Bound,
        (source, local_size): (Source, [u32; 3]),
    ) -> Result<Self, Stop> {
        let draw = match pipeline.command {
            Command::Compute => None,
            Command::Graphics => Some(Draw::new(store, pipeline, source)?),
            Command::RayTracing => return Err(Stop::Lab("the lab does not trace rays".into())),
            Command::ShaderObjects => return Err(Stop::Lab("the lab makes no shader objects".into())),
        };
        let (device, family) = (&store.lab.device, store.lab.family);
        // SAFETY: valid create infos, and a queue that the device was made with.
        unsafe {
            let info = vk::CommandPoolCreateInfo::default()
                .queue_family_index(family)
                .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
            let pool = device.create_command_pool(&info, None);
            let pool = store.objects.command_pool(pool.map_err(|r| Stop::Driver("vkCreateCommandPool", r))?);
            let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info);
            let commands = commands.map_err(|r| Stop::Driver("vkAllocateCommandBuffers", r))?;
            let fence = device.create_fence(&vk::FenceCreateInfo::default(), None);
            let fence = store.objects.fence(fence.map_err(|r| Stop::Driver("vkCreateFence", r))?);
            let commands = commands.first().copied().unwrap_or_default();
            Ok(Self {
                commands,
                queue: device.get_device_queue(family, 0),
                fence,
                pipeline,
                made,
                bound,
                groups: groups(local_size),
                draw,
            })
        }
    }

    /// Runs the pipeline once, and gives the results in their order.
    ///
    /// # Errors
    /// The driver's.
    pub fn run(&self, store: &Store<'_>) -> Result<Vec<Raw>, Stop> {
        for buffer in &self.bound.buffers {
            buffer.it.write(&buffer.bytes);
        }
        for image in &self.bound.images {
            image.staging.iter().for_each(|staging| staging.write(&image.bytes));
        }
        let device = &store.lab.device;
        // SAFETY: live objects of this device; the last run has ended.
        unsafe {
            device
                .begin_command_buffer(self.commands, &vk::CommandBufferBeginInfo::default())
                .map_err(|result| Stop::Driver("vkBeginCommandBuffer", result))?;
            self.record(store);
            device.end_command_buffer(self.commands).map_err(|result| Stop::Driver("vkEndCommandBuffer", result))?;
            let commands = [self.commands];
            let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
            device
                .queue_submit(self.queue, &submit, self.fence)
                .map_err(|result| Stop::Driver("vkQueueSubmit", result))?;
            // Whoever started this process ends it if the time is over.
            device
                .wait_for_fences(&[self.fence], true, u64::MAX)
                .map_err(|result| Stop::Driver("vkWaitForFences", result))?;
            device.reset_fences(&[self.fence]).map_err(|result| Stop::Driver("vkResetFences", result))?;
        }
        Ok(self.results())
    }

    fn results(&self) -> Vec<Raw> {
        let mut results = Vec::new();
        let mut add = |(name, element, components): &(String, Element, usize), bytes: Vec<u8>, before: &[u8]| {
            let is_changed = bytes != before;
            let (element, components) = (*element, *components);
            results.push(Raw { name: name.clone(), element, components, is_changed, bytes });
        };
        for buffer in &self.bound.buffers {
            buffer.output.iter().for_each(|output| add(output, buffer.it.read(), &buffer.bytes));
        }
        for image in &self.bound.images {
            let output = image.output.iter().zip(&image.staging);
            output.for_each(|(output, staging)| add(output, staging.read(), &image.bytes));
        }
        for target in self.draw.iter().flat_map(Draw::attachments) {
            let (format, bytes) = (target.drawn.spec.format, target.staging.read());
            let output = (target.name.clone(), element_of(format), components(format));
            add(&output, bytes, &vec![0; target.staging.size]);
        }
        results
    }

    /// # Safety
    /// The command buffer must be open.
    unsafe fn record(&self, store: &Store<'_>) {
        let (device, commands) = (&store.lab.device, self.commands);
        let bind_point = match self.draw {
            Some(_) => vk::PipelineBindPoint::GRAPHICS,
            None => vk::PipelineBindPoint::COMPUTE,
        };
        // SAFETY: live objects of this device.
        unsafe {
            for image in &self.bound.images {
                transition(device, commands, &image.it, vk::ImageLayout::UNDEFINED);
                match &image.staging {
                    Some(staging) => {
                        let (copies, _) = image.it.spec.copies();
                        let layout = vk::ImageLayout::GENERAL;
                        device.cmd_copy_buffer_to_image(commands, staging.handle, image.it.handle, layout, &copies);
                    }
                    None => clear(device, commands, &image.it),
                }
            }
            full_barrier(device, commands);
            device.cmd_bind_pipeline(commands, bind_point, self.made.pipeline);
            if !self.bound.sets.is_empty() {
                let (layout, offsets) = (self.made.layout, &self.bound.dynamic_offsets);
                device.cmd_bind_descriptor_sets(commands, bind_point, layout, 0, &self.bound.sets, offsets);
            }
            self.push(device);
            match &self.draw {
                None => {
                    let [x, y, z] = self.groups;
                    device.cmd_dispatch(commands, x, y, z);
                }
                Some(draw) => draw.record(device, commands),
            }
            full_barrier(device, commands);
            let drawn = self.draw.iter().flat_map(Draw::attachments).map(|target| (target.result(), &target.staging));
            let written = self.bound.images.iter().filter(|image| image.output.is_some());
            let written = written.filter_map(|image| Some((&image.it, image.staging.as_ref()?)));
            for (image, staging) in drawn.chain(written) {
                let (copies, _) = image.spec.copies();
                let layout = vk::ImageLayout::GENERAL;
                device.cmd_copy_image_to_buffer(commands, image.handle, layout, staging.handle, &copies);
            }
            full_barrier(device, commands);
        }
    }

    /// Pushes the push constants. Where ranges overlap, a byte is pushed for the stages of all of them
    /// (VUID-vkCmdPushConstants-offset-01796).
    fn push(&self, device: &ash::Device) {
        let ranges = self.pipeline.layout.iter().flat_map(|layout| &layout.push_ranges);
        for (start, end, stages) in segments(&ranges.copied().collect::<Vec<_>>()) {
            let Some(bytes) = self.bound.push_constants.get(start as usize..end as usize) else { continue };
            let stages = vk::ShaderStageFlags::from_raw(stages);
            // SAFETY: bytes of ranges of the pipeline's layout.
            unsafe { device.cmd_push_constants(self.commands, self.made.layout, stages, start, bytes) };
        }
    }
}

/// The thread groups of a dispatch, several in each dimension that the groups have threads in. A shader
/// that numbers its threads in one dimension would do everything twice in two.
fn groups(local_size: [u32; 3]) -> [u32; 3] {
    match local_size {
        [_, 0..=1, 0..=1] => [4, 1, 1],
        [_, _, 0..=1] => [2, 2, 1],
        _ => [2, 2, 2],
    }
}

/// The bytes of push constants, cut where the stages change.
fn segments(ranges: &[PushRange]) -> Vec<(u32, u32, u32)> {
    let mut ends: Vec<u32> = ranges.iter().flat_map(|range| [range.offset, range.offset + range.size]).collect();
    ends.sort_unstable();
    ends.dedup();
    let stages = |start: u32| {
        let over = ranges.iter().filter(|range| range.offset <= start && start < range.offset + range.size);
        over.fold(0, |all, range| all | range.stages)
    };
    ends.windows(2).map(|pair| (pair[0], pair[1], stages(pair[0]))).filter(|(_, _, stages)| *stages != 0).collect()
}

/// Everything before is done and seen before everything behind.
///
/// # Safety
/// The command buffer must be open, outside of rendering.
unsafe fn full_barrier(device: &ash::Device, commands: vk::CommandBuffer) {
    let all = vk::PipelineStageFlags::ALL_COMMANDS | vk::PipelineStageFlags::HOST;
    let access = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
    let barrier = vk::MemoryBarrier::default().src_access_mask(access).dst_access_mask(access);
    // SAFETY: by this function's contract.
    unsafe {
        device.cmd_pipeline_barrier(commands, all, all, vk::DependencyFlags::empty(), &[barrier], &[], &[]);
    }
}

/// Gives every texel of an image that cannot be copied to the same value.
///
/// # Safety
/// As for [`transition`].
unsafe fn clear(device: &ash::Device, commands: vk::CommandBuffer, image: &Image) {
    let (layout, range) = (vk::ImageLayout::GENERAL, [image.spec.range()]);
    // SAFETY: by this function's contract.
    unsafe {
        if image.spec.aspects() == vk::ImageAspectFlags::COLOR {
            let value = match element_of(image.spec.format) {
                Element::Integer => vk::ClearColorValue { uint32: [3, 5, 7, 9] },
                _ => vk::ClearColorValue { float32: [0.25, 0.5, 0.75, 1.0] },
            };
            device.cmd_clear_color_image(commands, image.handle, layout, &value, &range);
        } else {
            let value = vk::ClearDepthStencilValue { depth: 0.5, stencil: 0 };
            device.cmd_clear_depth_stencil_image(commands, image.handle, layout, &value, &range);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_ranges_that_overlap_are_cut() {
        let range = |stages, offset, size| PushRange { stages, offset, size };
        assert_eq!(segments(&[range(1, 0, 16), range(16, 8, 16)]), [(0, 8, 1), (8, 16, 17), (16, 24, 16)]);
        assert_eq!(segments(&[range(1, 0, 4), range(1, 8, 4)]), [(0, 4, 1), (8, 12, 1)]);
        assert_eq!(segments(&[]), []);
    }
}
