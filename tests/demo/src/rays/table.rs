//! The stages, groups and shader records of the ray-tracing pipeline.

use std::ffi::CStr;

use ash::{khr, vk};
use dxil_tests::error::Result;
use dxil_tests::vulkan::Context;
use dxil_vulkan::Buffer;
use dxil_vulkan::Named as _;

use super::scene::{INSTANCES, SURFACES, Shape};
use crate::pipeline::bytes;

/// How deep rays nest: the shadow ray of a surface is traced while the camera's ray is.
pub const RECURSION: u32 = 2;

/// The stages, with the names of their entry points in the library.
pub const STAGES: [(vk::ShaderStageFlags, &CStr); 9] = [
    (vk::ShaderStageFlags::RAYGEN_KHR, c"generate"),
    (vk::ShaderStageFlags::MISS_KHR, c"nothing"),
    (vk::ShaderStageFlags::MISS_KHR, c"unshadowed"),
    (vk::ShaderStageFlags::CLOSEST_HIT_KHR, c"wall"),
    (vk::ShaderStageFlags::ANY_HIT_KHR, c"cut_out"),
    (vk::ShaderStageFlags::CLOSEST_HIT_KHR, c"ball"),
    (vk::ShaderStageFlags::INTERSECTION_KHR, c"meet_ball"),
    (vk::ShaderStageFlags::CALLABLE_KHR, c"matt"),
    (vk::ShaderStageFlags::CALLABLE_KHR, c"mirror"),
];

/// A shader group, with the numbers of its stages.
pub enum Group {
    /// One stage.
    General(u32),
    /// Closest hit and any hit of triangles.
    Triangles(u32, u32),
    /// Closest hit and intersection of boxes.
    Boxes(u32, u32),
}

/// The groups.
pub const GROUPS: [Group; 8] = [
    Group::General(0),
    Group::General(1),
    Group::General(2),
    Group::Triangles(3, vk::SHADER_UNUSED_KHR),
    Group::Triangles(3, 4),
    Group::Boxes(5, 6),
    Group::General(7),
    Group::General(8),
];

/// The groups of the hit records of a shape.
const fn group(shape: Shape) -> usize {
    match shape {
        Shape::Room => 3,
        Shape::Screen => 4,
        Shape::Ball => 5,
    }
}

impl Group {
    /// The form in which Vulkan takes the group.
    pub fn create_info(&self) -> vk::RayTracingShaderGroupCreateInfoKHR<'static> {
        use vk::RayTracingShaderGroupTypeKHR as Kind;
        let none = vk::RayTracingShaderGroupCreateInfoKHR::default()
            .general_shader(vk::SHADER_UNUSED_KHR)
            .closest_hit_shader(vk::SHADER_UNUSED_KHR)
            .any_hit_shader(vk::SHADER_UNUSED_KHR)
            .intersection_shader(vk::SHADER_UNUSED_KHR);
        match *self {
            Group::General(stage) => none.ty(Kind::GENERAL).general_shader(stage),
            Group::Triangles(closest, any) => {
                none.ty(Kind::TRIANGLES_HIT_GROUP).closest_hit_shader(closest).any_hit_shader(any)
            }
            Group::Boxes(closest, intersection) => {
                none.ty(Kind::PROCEDURAL_HIT_GROUP).closest_hit_shader(closest).intersection_shader(intersection)
            }
        }
    }
}

/// The shader records.
pub struct Table<'c> {
    _memory: Buffer<'c>,
    /// Ray generation, miss, hit and callable records.
    pub regions: [vk::StridedDeviceAddressRegionKHR; 4],
}

impl<'c> Table<'c> {
    /// Writes the records of a pipeline with [`GROUPS`]. Behind its handle, the hit record of a
    /// surface has what the local root signature names: constants, and a descriptor table.
    pub fn new(context: &'c Context, rays: &khr::ray_tracing_pipeline::Device, pipeline: vk::Pipeline) -> Result<Self> {
        let mut properties = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut properties);
        // SAFETY: the physical device belongs to the instance, and has the extension of the struct.
        unsafe { context.gpu.instance.handle.get_physical_device_properties2(context.gpu.instance.physical, &mut all) };
        let size = properties.shader_group_handle_size as usize;
        let base = properties.shader_group_base_alignment as usize;
        let count = GROUPS.len();
        // SAFETY: the pipeline has these groups, and the size is that of all handles.
        let handles = unsafe { rays.get_ray_tracing_shader_group_handles(pipeline, 0, count as u32, size * count) };
        let handles = handles.named("vkGetRayTracingShaderGroupHandlesKHR")?;
        let handle = |group: usize| handles.get(group * size..(group + 1) * size).unwrap_or_default().to_vec();
        let mut hits = Vec::new();
        for instance in &INSTANCES {
            let surfaces = if instance.shape == Shape::Room { super::scene::ROOM.len() } else { 1 };
            for surface in SURFACES.iter().skip(instance.id as usize).take(surfaces) {
                // The table's index in the resource heap; surfaces without a pattern do not read
                // it.
                let table = [surface.pattern.saturating_sub(1), 0];
                let data = bytes(surface.words().into_iter().chain(table));
                hits.push([handle(group(instance.shape)), data].concat());
            }
        }
        let tables = [vec![handle(0)], vec![handle(1), handle(2)], hits, vec![handle(6), handle(7)]];
        let mut memory = Vec::new();
        let mut regions = [vk::StridedDeviceAddressRegionKHR::default(); 4];
        for (region, records) in regions.iter_mut().zip(tables) {
            let record = records.iter().map(Vec::len).max().unwrap_or(0);
            let stride = record.next_multiple_of(base);
            memory.resize(memory.len().next_multiple_of(base), 0);
            region.device_address = memory.len() as u64;
            region.stride = stride as u64;
            region.size = (stride * records.len()) as u64;
            for record in records {
                let end = memory.len() + stride;
                memory.extend(record);
                memory.resize(end, 0);
            }
        }
        let usage = vk::BufferUsageFlags::SHADER_BINDING_TABLE_KHR | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        // The buffer has space to begin at the alignment of a table.
        memory.resize(memory.len() + base, 0);
        let buffer = Buffer::new(&context.gpu, usage, &memory)?;
        let shift = buffer.address().next_multiple_of(base as u64) - buffer.address();
        memory.rotate_right(shift as usize);
        buffer.write(&memory);
        regions.iter_mut().for_each(|region| region.device_address += buffer.address() + shift);
        Ok(Self { _memory: buffer, regions })
    }
}
