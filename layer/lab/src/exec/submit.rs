//! One run of a pipeline.
//!
//! In: a pipeline, its resources with their content, and the state of its record. Out: what the
//! resources that it may write and its targets contain afterwards. What must hold: every run starts
//! from the same content; everything is copied back before the run is over.

use std::time::Duration;

use ash::vk;
use dxil_capture::Digest;
use dxil_capture::model::{Command, Pipeline, PushRange};
use dxil_vulkan::{Gpu, Timestamps};

use super::bind::Bound;
use super::declared::Declared;
use super::draw::Draw;
use super::fill::NumberSource;
use super::picture::aspects;
use super::rays::Trace;
use super::stop::{CannotRun, Stop};
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
    /// Whether edges of triangles may go through it.
    pub has_edges: bool,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Everything that runs of a pipeline need.
pub struct Runner<'a> {
    gpu: &'a Gpu,
    pipeline: &'a Pipeline,
    made: &'a Made<'a>,
    bound: Bound<'a>,
    work: Work<'a>,
    timestamps: Option<Timestamps<'a>>,
}

/// What a pipeline does.
enum Work<'a> {
    /// So many thread groups.
    Dispatch([u32; 3]),
    /// A draw.
    Draw(Box<Draw<'a>>),
    /// Rays.
    Trace(Trace<'a>),
}

impl<'a> Work<'a> {
    fn draw(&self) -> Option<&Draw<'a>> {
        match self {
            Self::Draw(draw) => Some(draw),
            _ => None,
        }
    }

    fn bind_point(&self) -> vk::PipelineBindPoint {
        match self {
            Self::Dispatch(_) => vk::PipelineBindPoint::COMPUTE,
            Self::Draw(_) => vk::PipelineBindPoint::GRAPHICS,
            Self::Trace(_) => vk::PipelineBindPoint::RAY_TRACING_KHR,
        }
    }
}

impl<'a> Runner<'a> {
    /// Makes what runs need.
    ///
    /// # Errors
    /// What the lab cannot run, or the driver's error.
    pub fn new(
        gpu: &'a Gpu,
        made: &'a Made<'a>,
        pipeline: &'a Pipeline,
        mut bound: Bound<'a>,
        source: NumberSource,
        declared: &Declared,
    ) -> Result<Self, Stop> {
        let work = match pipeline.command {
            Command::Compute => Work::Dispatch(groups(declared.local_size)),
            Command::Graphics => Work::Draw(Box::new(Draw::new(gpu, (pipeline, made), source)?)),
            Command::RayTracing => Work::Trace(Trace::new(gpu, (pipeline, made), declared, &mut bound, source)?),
            Command::ShaderObjects => return Err(CannotRun::ShaderObjects.into()),
        };
        let timestamps = Timestamps::new(gpu, 2)?;
        Ok(Self { gpu, pipeline, made, bound, work, timestamps })
    }

    /// The digest of all inputs.
    pub fn digest(&self) -> Digest {
        self.bound.digest()
    }

    /// Runs the pipeline once, and gives the results in their order.
    ///
    /// # Errors
    /// The driver's.
    pub fn run(&self) -> Result<Vec<Raw>, Stop> {
        for buffer in &self.bound.buffers {
            buffer.it.write(&buffer.bytes);
        }
        for image in &self.bound.images {
            match image.it.image.shape.samples {
                1 => image.it.upload(&image.bytes)?,
                _ => image.it.image.clear(clear_value(image.it.image.shape.format), vk::ImageLayout::GENERAL)?,
            }
        }
        self.work.draw().map_or(Ok(()), Draw::prepare)?;
        // Whoever started this process ends it if the time is over.
        // SAFETY: the command buffer is open, and everything in it lives until it has ended.
        self.gpu.submit(|commands| unsafe { self.record(commands) })?;
        self.results()
    }

    /// The time of the last run on the device, without what comes before and behind it; `None` if
    /// the device has no timestamps.
    ///
    /// # Errors
    /// The driver's.
    pub fn device_time(&self) -> Result<Option<Duration>, Stop> {
        let times = self.timestamps.as_ref().map(Timestamps::durations).transpose()?;
        Ok(times.map(|times| times.iter().sum()))
    }

    fn results(&self) -> Result<Vec<Raw>, Stop> {
        let mut results = Vec::new();
        for buffer in &self.bound.buffers {
            buffer
                .output
                .iter()
                .for_each(|output| results.push(raw(output, buffer.it.read(buffer.bytes.len()), &buffer.bytes)));
        }
        for image in &self.bound.images {
            if let Some(output) = &image.output {
                results.push(raw(output, image.it.download()?, &image.bytes));
            }
        }
        let resources = results.len();
        for target in self.work.draw().into_iter().flat_map(Draw::targets) {
            let (format, bytes) = (target.drawn.image.shape.format, target.result().download()?);
            let output = (target.name.clone(), element_of(format), components(format));
            let zeros = vec![0; bytes.len()];
            results.push(raw(&output, bytes, &zeros));
        }
        let has_edges = self.work.draw().is_some_and(Draw::has_edges);
        results[resources..].iter_mut().for_each(|target| target.has_edges = has_edges);
        Ok(results)
    }

    /// # Safety
    /// The command buffer must be open.
    unsafe fn record(&self, commands: vk::CommandBuffer) {
        let (device, bind_point) = (&self.gpu.device, self.work.bind_point());
        // SAFETY: live objects of this device.
        unsafe {
            device.cmd_bind_pipeline(commands, bind_point, self.made.pipeline);
            if !self.bound.sets.is_empty() {
                let (layout, offsets) = (self.made.layout, &self.bound.dynamic_offsets);
                device.cmd_bind_descriptor_sets(commands, bind_point, layout, 0, &self.bound.sets, offsets);
            }
            self.push(commands);
            if let Some(timestamps) = &self.timestamps {
                timestamps.begin(commands);
            }
            match &self.work {
                Work::Dispatch([x, y, z]) => device.cmd_dispatch(commands, *x, *y, *z),
                Work::Draw(draw) => draw.record(commands),
                Work::Trace(trace) => trace.record(self.gpu, commands),
            }
        }
        if let Some(timestamps) = &self.timestamps {
            timestamps.end(commands, 1);
        }
        self.gpu.barrier(commands);
    }

    /// Pushes the push constants. Where ranges overlap, a byte is pushed for the stages of all of
    /// them (VUID-vkCmdPushConstants-offset-01796).
    fn push(&self, commands: vk::CommandBuffer) {
        let ranges = self.pipeline.layout.iter().flat_map(|layout| &layout.push_ranges);
        for (start, end, stages) in segments(&ranges.copied().collect::<Vec<_>>()) {
            let Some(bytes) = self.bound.push_constants.get(start as usize..end as usize) else { continue };
            let stages = vk::ShaderStageFlags::from_raw(stages);
            // SAFETY: bytes of ranges of the pipeline's layout.
            unsafe { self.gpu.device.cmd_push_constants(commands, self.made.layout, stages, start, bytes) };
        }
    }
}

/// A result with its content after a run, and what it was before.
fn raw((name, element, components): &(String, Element, usize), bytes: Vec<u8>, before: &[u8]) -> Raw {
    let (element, components, is_changed) = (*element, *components, bytes != before);
    Raw { name: name.clone(), element, components, is_changed, has_edges: false, bytes }
}

/// The thread groups of a dispatch, several in each dimension that the groups have threads in. A
/// shader that numbers its threads in one dimension would do everything twice in two.
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

/// The value of every texel of an image that cannot be copied to.
fn clear_value(format: vk::Format) -> vk::ClearValue {
    match (aspects(format), element_of(format)) {
        (vk::ImageAspectFlags::COLOR, Element::Integer) => {
            vk::ClearValue { color: vk::ClearColorValue { uint32: [3, 5, 7, 9] } }
        }
        (vk::ImageAspectFlags::COLOR, _) => {
            vk::ClearValue { color: vk::ClearColorValue { float32: [0.25, 0.5, 0.75, 1.0] } }
        }
        _ => vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: 0.5, stencil: 0 } },
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
