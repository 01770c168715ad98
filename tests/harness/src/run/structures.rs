//! Acceleration structures, built on the device.
//!
//! In: the scene of a fixture. Out: the handle and the address of every top-level structure. What must
//! hold: every structure is built when [`Structures::new`] returns, and the buffers that a structure
//! refers to live as long as it.

use ash::{khr, vk};

use crate::error::Result;
use crate::spec::Scene;
use crate::spec::scene::{Geometry, Instance, Shape};
use crate::vulkan::Context;
use dxil_vulkan::Buffer;
use dxil_vulkan::Named as _;

/// A structure with its memory.
struct Structure<'c> {
    handle: vk::AccelerationStructureKHR,
    address: vk::DeviceAddress,
    _memory: Buffer<'c>,
}

/// The input of the build of one structure.
struct BuildInput {
    ty: vk::AccelerationStructureTypeKHR,
    geometries: Vec<vk::AccelerationStructureGeometryKHR<'static>>,
    primitives: Vec<u32>,
}

/// The acceleration structures of a fixture.
pub struct Structures<'c> {
    commands: khr::acceleration_structure::Device,
    context: &'c Context,
    /// The alignment of scratch memory.
    scratch_alignment: u64,
    bottoms: Vec<Structure<'c>>,
    tops: Vec<Structure<'c>>,
    /// The buffers that structures are built from.
    inputs: Vec<Buffer<'c>>,
}

impl<'c> Structures<'c> {
    /// Builds all structures and waits for the queue.
    ///
    /// # Errors
    /// A description that cannot be built, or what Vulkan returns.
    pub fn new(context: &'c Context, scene: &Scene) -> Result<Self> {
        let mut properties = vk::PhysicalDeviceAccelerationStructurePropertiesKHR::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut properties);
        // SAFETY: the physical device belongs to the instance, and the fixture's requirements say that
        // it has the extension of the chained struct.
        unsafe { context.gpu.instance.handle.get_physical_device_properties2(context.gpu.instance.physical, &mut all) };
        let mut made = Self {
            commands: khr::acceleration_structure::Device::new(&context.gpu.instance.handle, &context.gpu.device),
            context,
            scratch_alignment: u64::from(properties.min_acceleration_structure_scratch_offset_alignment).max(1),
            bottoms: Vec::new(),
            tops: Vec::new(),
            inputs: Vec::new(),
        };
        for bottom in &scene.bottoms {
            let geometries = bottom.geometries.iter().filter_map(|&index| scene.geometries.get(index));
            let input = BuildInput {
                ty: vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL,
                primitives: geometries.clone().map(Geometry::primitives).collect(),
                geometries: geometries.map(|geometry| made.geometry(geometry)).collect::<Result<_>>()?,
            };
            let structure = made.build(&input)?;
            made.bottoms.push(structure);
        }
        for top in &scene.tops {
            let bytes: Vec<u8> = top.instances.iter().flat_map(|instance| made.instance(instance)).collect();
            let instances = vk::AccelerationStructureGeometryInstancesDataKHR::default().data(made.input(&bytes)?);
            let geometry = vk::AccelerationStructureGeometryKHR::default()
                .geometry_type(vk::GeometryTypeKHR::INSTANCES)
                .geometry(vk::AccelerationStructureGeometryDataKHR { instances });
            let input = BuildInput {
                ty: vk::AccelerationStructureTypeKHR::TOP_LEVEL,
                geometries: vec![geometry],
                primitives: vec![u32::try_from(top.instances.len()).unwrap_or(u32::MAX)],
            };
            let structure = made.build(&input)?;
            made.tops.push(structure);
        }
        Ok(made)
    }

    /// The handle and the address of a top-level structure.
    pub fn top(&self, index: usize) -> Option<(vk::AccelerationStructureKHR, vk::DeviceAddress)> {
        self.tops.get(index).map(|top| (top.handle, top.address))
    }

    /// Makes a buffer from which structures are built, and returns its address.
    fn input(&mut self, bytes: &[u8]) -> Result<vk::DeviceOrHostAddressConstKHR> {
        let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR
            | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let buffer = Buffer::new(&self.context.gpu, usage, bytes)?;
        let device_address = buffer.address();
        self.inputs.push(buffer);
        Ok(vk::DeviceOrHostAddressConstKHR { device_address })
    }

    fn geometry(&mut self, geometry: &Geometry) -> Result<vk::AccelerationStructureGeometryKHR<'static>> {
        let words = u64::from(geometry.count) * u64::from(geometry.stride());
        let data = self.input(&geometry.pattern.bytes(0, words))?;
        let stride = u64::from(geometry.stride()) * 4;
        let (kind, data) = match &geometry.shape {
            Shape::Triangles { indices, transform } => {
                let mut triangles = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
                    .vertex_format(vk::Format::R32G32B32_SFLOAT)
                    .vertex_data(data)
                    .vertex_stride(stride)
                    .max_vertex(geometry.count.saturating_sub(1))
                    .index_type(vk::IndexType::NONE_KHR);
                if let Some((kind, list)) = indices {
                    let bytes: Vec<u8> = match *kind {
                        vk::IndexType::UINT16 => list.iter().flat_map(|&word| (word as u16).to_le_bytes()).collect(),
                        _ => list.iter().flat_map(|word| word.to_le_bytes()).collect(),
                    };
                    triangles = triangles.index_type(*kind).index_data(self.input(&bytes)?);
                }
                if let Some(rows) = transform {
                    let bytes: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
                    triangles = triangles.transform_data(self.input(&bytes)?);
                }
                (vk::GeometryTypeKHR::TRIANGLES, vk::AccelerationStructureGeometryDataKHR { triangles })
            }
            Shape::Boxes => {
                let aabbs = vk::AccelerationStructureGeometryAabbsDataKHR::default().data(data).stride(stride);
                (vk::GeometryTypeKHR::AABBS, vk::AccelerationStructureGeometryDataKHR { aabbs })
            }
        };
        Ok(vk::AccelerationStructureGeometryKHR::default().geometry_type(kind).geometry(data).flags(geometry.flags))
    }

    /// The bytes of a VkAccelerationStructureInstanceKHR.
    fn instance(&self, instance: &Instance) -> Vec<u8> {
        let packed = |low: u32, high: u32| (low & 0x00ff_ffff) | high << 24;
        let mut bytes: Vec<u8> = instance.transform.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(packed(instance.id, u32::from(instance.mask)).to_le_bytes());
        bytes.extend(packed(instance.contribution, instance.flags.as_raw()).to_le_bytes());
        let bottom = instance.bottom.and_then(|index| self.bottoms.get(index));
        bytes.extend(bottom.map_or(0, |bottom| bottom.address).to_le_bytes());
        bytes
    }

    /// Creates and builds a structure, and waits for the queue.
    fn build(&self, input: &BuildInput) -> Result<Structure<'c>> {
        use vk::BufferUsageFlags as Usage;
        let mut info = vk::AccelerationStructureBuildGeometryInfoKHR::default()
            .ty(input.ty)
            .mode(vk::BuildAccelerationStructureModeKHR::BUILD)
            .geometries(&input.geometries);
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        let on_device = vk::AccelerationStructureBuildTypeKHR::DEVICE;
        // SAFETY: the geometries outlive the call, and there is a number of primitives for each.
        unsafe {
            self.commands.get_acceleration_structure_build_sizes(on_device, &info, &input.primitives, &mut sizes);
        }
        let bytes = |size: u64| vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
        let usage = Usage::ACCELERATION_STRUCTURE_STORAGE_KHR | Usage::SHADER_DEVICE_ADDRESS;
        let memory = Buffer::new(&self.context.gpu, usage, &bytes(sizes.acceleration_structure_size))?;
        let create = vk::AccelerationStructureCreateInfoKHR::default()
            .buffer(memory.handle)
            .size(sizes.acceleration_structure_size)
            .ty(input.ty);
        // SAFETY: the buffer has the usage and the size, and lives as long as the structure.
        let handle = unsafe { self.commands.create_acceleration_structure(&create, None) };
        let handle = handle.named("vkCreateAccelerationStructureKHR")?;
        let address = vk::AccelerationStructureDeviceAddressInfoKHR::default().acceleration_structure(handle);
        // SAFETY: the structure belongs to this device.
        let address = unsafe { self.commands.get_acceleration_structure_device_address(&address) };
        let structure = Structure { handle, address, _memory: memory };
        let usage = Usage::STORAGE_BUFFER | Usage::SHADER_DEVICE_ADDRESS;
        let scratch = Buffer::new(&self.context.gpu, usage, &bytes(sizes.build_scratch_size + self.scratch_alignment))?;
        info = info.dst_acceleration_structure(handle).scratch_data(vk::DeviceOrHostAddressKHR {
            device_address: scratch.address().next_multiple_of(self.scratch_alignment),
        });
        let range = |&count: &u32| vk::AccelerationStructureBuildRangeInfoKHR::default().primitive_count(count);
        let ranges: Vec<_> = input.primitives.iter().map(range).collect();
        self.context.gpu.submit(|commands| {
            // SAFETY: the command buffer is recording. The structure, the scratch memory and the
            // buffers of the geometries are alive, have the sizes that the driver asked for, and are
            // not destroyed before `submit` has waited for the queue; so all bottom-level structures
            // are built when a top-level one refers to them.
            unsafe { self.commands.cmd_build_acceleration_structures(commands, &[info], &[&ranges]) };
        })?;
        Ok(structure)
    }
}

impl Drop for Structures<'_> {
    fn drop(&mut self) {
        for structure in self.tops.iter().chain(&self.bottoms) {
            // SAFETY: the structure belongs to this device, and no pending command uses it, because
            // `Gpu::submit` waits for the queue.
            unsafe { self.commands.destroy_acceleration_structure(structure.handle, None) };
        }
    }
}
