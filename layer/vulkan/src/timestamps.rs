//! Timestamps of the device.

use std::time::Duration;

use ash::vk;

use crate::error::{Error, Named};
use crate::gpu::Gpu;
use crate::objects::Objects;

/// Points in time of one submission, by the device's clock.
pub struct Timestamps<'g> {
    gpu: &'g Gpu,
    pool: vk::QueryPool,
    count: u32,
    _object: Objects<'g>,
}

impl<'g> Timestamps<'g> {
    /// Makes a pool of so many timestamps; `None` if the queue has none.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn new(gpu: &'g Gpu, count: u32) -> Result<Option<Self>, Error> {
        if gpu.instance.timestamp_bits == 0 {
            return Ok(None);
        }
        let mut object = Objects::new(gpu);
        let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(count);
        // SAFETY: the device is alive, and the create info holds no pointers.
        let pool = unsafe { gpu.device.create_query_pool(&info, None) }.named("vkCreateQueryPool")?;
        let pool = object.query_pool(pool);
        Ok(Some(Self { gpu, pool, count, _object: object }))
    }

    /// Records that no timestamp has been written, and then the first one. The command buffer must
    /// be recording outside rendering.
    pub fn begin(&self, commands: vk::CommandBuffer) {
        // SAFETY: the command buffer is recording outside rendering, and the pool has this number
        // of queries.
        unsafe { self.gpu.device.cmd_reset_query_pool(commands, self.pool, 0, self.count) };
        self.write(commands, vk::PipelineStageFlags::TOP_OF_PIPE, 0);
    }

    /// Records a timestamp behind all earlier commands: number `query`, from 1 on, each once.
    pub fn end(&self, commands: vk::CommandBuffer, query: u32) {
        self.write(commands, vk::PipelineStageFlags::BOTTOM_OF_PIPE, query);
    }

    fn write(&self, commands: vk::CommandBuffer, stage: vk::PipelineStageFlags, query: u32) {
        if query < self.count {
            // SAFETY: the command buffer is recording, and the pool has this query, which `begin`
            // has reset.
            unsafe { self.gpu.device.cmd_write_timestamp(commands, stage, self.pool, query) };
        }
    }

    /// The times between the timestamps of the last submission, which must have ended and have
    /// written all.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn durations(&self) -> Result<Vec<Duration>, Error> {
        let mut ticks = vec![0u64; self.count as usize];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: `ticks` has a number for each query.
        let result = unsafe { self.gpu.device.get_query_pool_results(self.pool, 0, &mut ticks, flags) };
        result.named("vkGetQueryPoolResults")?;
        let mask = u64::MAX >> (64 - self.gpu.instance.timestamp_bits.clamp(1, 64));
        let period = f64::from(self.gpu.instance.properties.limits.timestamp_period);
        let between = |pair: &[u64]| match *pair {
            [before, after] => Duration::from_secs_f64((after.wrapping_sub(before) & mask) as f64 * period * 1e-9),
            _ => Duration::ZERO,
        };
        Ok(ticks.windows(2).map(between).collect())
    }
}
