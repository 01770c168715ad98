//! Which blocks of a pipeline's code ran.
//!
//! In: the record of a pipeline. Out: the record with a place for counters, and a buffer at that
//! place. What must hold: no resource of the pipeline is elsewhere than before.

use ash::vk;
use dxil_capture::model::{Binding, PipelineLayout, SetLayout};
use dxil_vulkan::{Buffer, Gpu};

use super::stop::Stop;
use crate::results::Coverage;
use crate::vulkan::SetBinding;

/// The binding of the counters, or the first one behind those of the set: beyond the places that a
/// binding model gives a meaning.
const BINDING: u32 = 7000;
/// The most blocks that are counted.
const MOST: usize = 1 << 16;

/// Adds a storage buffer for counters to a layout.
pub fn add_counters(layout: &mut PipelineLayout) -> SetBinding {
    if layout.sets.is_empty() {
        layout.sets.push(None);
    }
    let set = layout.sets[0].get_or_insert_with(SetLayout::default);
    let behind = set.bindings.iter().map(|binding| binding.binding.saturating_add(1)).max().unwrap_or(0);
    let binding = behind.max(BINDING);
    let (ty, stages) = (vk::DescriptorType::STORAGE_BUFFER.as_raw(), vk::ShaderStageFlags::ALL.as_raw());
    set.bindings.push(Binding { binding, ty, count: 1, stages, ..Binding::default() });
    (0, binding)
}

/// The counters of the blocks of a pipeline.
pub struct Counters<'g> {
    buffer: Buffer<'g>,
    place: SetBinding,
    /// The stores of each block.
    blocks: Vec<usize>,
}

impl<'g> Counters<'g> {
    /// Makes the buffer.
    ///
    /// # Errors
    /// The driver's.
    pub fn new(gpu: &'g Gpu, place: SetBinding, mut blocks: Vec<usize>) -> Result<Self, Stop> {
        blocks.truncate(MOST);
        // The words of further blocks are there, and are not read.
        let buffer = Buffer::new(gpu, vk::BufferUsageFlags::STORAGE_BUFFER, &vec![0; MOST * 4])?;
        Ok(Self { buffer, place, blocks })
    }

    /// Writes the descriptor of the buffer.
    pub fn bind(&self, gpu: &Gpu, sets: &[vk::DescriptorSet]) {
        let Some(set) = sets.get(self.place.0 as usize) else { return };
        let info = [vk::DescriptorBufferInfo { buffer: self.buffer.handle, offset: 0, range: vk::WHOLE_SIZE }];
        let write = vk::WriteDescriptorSet::default().dst_set(*set).dst_binding(self.place.1);
        let write = write.descriptor_type(vk::DescriptorType::STORAGE_BUFFER).buffer_info(&info);
        // SAFETY: a live set whose layout has this binding, and a live buffer.
        unsafe { gpu.device.update_descriptor_sets(&[write], &[]) };
    }

    /// What ran since the buffer was made.
    pub fn coverage(&self) -> Coverage {
        let bytes = self.buffer.read(self.blocks.len() * 4);
        let ran = bytes.as_chunks::<4>().0.iter().map(|word| *word != [0; 4]);
        let mut coverage = Coverage::default();
        for (stores, ran) in self.blocks.iter().zip(ran) {
            let one = Coverage { blocks: [1, usize::from(ran)], stores: [*stores, if ran { *stores } else { 0 }] };
            coverage = coverage.plus(one);
        }
        coverage
    }
}
