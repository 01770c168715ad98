//! Acceleration structures, built on the device.

use ash::{khr, vk};

use crate::buffer::Buffer;
use crate::error::{Error, Named};
use crate::gpu::Gpu;

/// The commands of VK_KHR_acceleration_structure on a device that has it enabled, with
/// `bufferDeviceAddress`.
pub struct StructureCommands<'g> {
    gpu: &'g Gpu,
    commands: khr::acceleration_structure::Device,
    /// The alignment of scratch memory.
    scratch_alignment: u64,
}

/// The input of the build of one structure.
pub struct BuildInput {
    /// Whether its geometries are triangles and boxes, or instances of other structures.
    pub ty: vk::AccelerationStructureTypeKHR,
    /// The geometries, in memory that lives as long as the structure.
    pub geometries: Vec<vk::AccelerationStructureGeometryKHR<'static>>,
    /// The primitives of each geometry.
    pub primitives: Vec<u32>,
}

/// A structure with its memory. It is destroyed when this is dropped.
pub struct Structure<'g> {
    /// The handle.
    pub handle: vk::AccelerationStructureKHR,
    /// The address, by which instances and shaders may refer to it.
    pub address: vk::DeviceAddress,
    commands: khr::acceleration_structure::Device,
    // The structure is destroyed before its memory.
    _memory: Buffer<'g>,
}

impl<'g> StructureCommands<'g> {
    /// The commands of a device.
    #[must_use]
    pub fn new(gpu: &'g Gpu) -> Self {
        let mut properties = vk::PhysicalDeviceAccelerationStructurePropertiesKHR::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut properties);
        // SAFETY: the physical device belongs to the instance, and has the extension of the chained
        // structure.
        unsafe { gpu.instance.handle.get_physical_device_properties2(gpu.instance.physical, &mut all) };
        Self {
            gpu,
            commands: khr::acceleration_structure::Device::new(&gpu.instance.handle, &gpu.device),
            scratch_alignment: u64::from(properties.min_acceleration_structure_scratch_offset_alignment).max(1),
        }
    }

    /// Makes a buffer from which structures are built.
    ///
    /// # Errors
    /// There is no memory for the buffer, or a command failed.
    pub fn input(&self, bytes: &[u8]) -> Result<Buffer<'g>, Error> {
        let usage = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR
            | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        Buffer::new(self.gpu, usage, bytes)
    }

    /// Creates and builds a structure, and waits for the queue.
    ///
    /// # Errors
    /// There is no memory for the structure, or a command failed.
    pub fn build(&self, input: &BuildInput) -> Result<Structure<'g>, Error> {
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
        let memory = Buffer::new(self.gpu, usage, &bytes(sizes.acceleration_structure_size))?;
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
        let structure = Structure { handle, address, commands: self.commands.clone(), _memory: memory };
        let usage = Usage::STORAGE_BUFFER | Usage::SHADER_DEVICE_ADDRESS;
        let scratch = Buffer::new(self.gpu, usage, &bytes(sizes.build_scratch_size + self.scratch_alignment))?;
        info = info.dst_acceleration_structure(handle).scratch_data(vk::DeviceOrHostAddressKHR {
            device_address: scratch.address().next_multiple_of(self.scratch_alignment),
        });
        let range = |&count: &u32| vk::AccelerationStructureBuildRangeInfoKHR::default().primitive_count(count);
        let ranges: Vec<_> = input.primitives.iter().map(range).collect();
        self.gpu.submit(|commands| {
            // SAFETY: the command buffer is recording. The structure, the scratch memory and the
            // buffers of the geometries are alive, have the sizes that the driver asked for, and
            // are not destroyed before `submit` has waited for the queue; so all bottom-level
            // structures are built when a top-level one refers to them.
            unsafe { self.commands.cmd_build_acceleration_structures(commands, &[info], &[&ranges]) };
        })?;
        Ok(structure)
    }
}

/// An instance of a bottom-level structure in a top-level one.
#[derive(Debug, Clone, Copy)]
pub struct StructureInstance {
    /// Three rows of four numbers, from object space to world space.
    pub transform: [f32; 12],
    /// The instance's own number, of 24 bits.
    pub id: u32,
    /// The visibility mask.
    pub mask: u8,
    /// What the instance adds to the index of the hit record, of 24 bits.
    pub contribution: u32,
    /// The flags.
    pub flags: vk::GeometryInstanceFlagsKHR,
    /// The address of the bottom-level structure; 0 for an inactive instance.
    pub address: vk::DeviceAddress,
}

impl StructureInstance {
    /// The 64 bytes of a `VkAccelerationStructureInstanceKHR`.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let packed = |low: u32, high: u32| (low & 0x00ff_ffff) | high << 24;
        let mut bytes: Vec<u8> = self.transform.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(packed(self.id, u32::from(self.mask)).to_le_bytes());
        bytes.extend(packed(self.contribution, self.flags.as_raw()).to_le_bytes());
        bytes.extend(self.address.to_le_bytes());
        bytes
    }
}

impl Drop for Structure<'_> {
    fn drop(&mut self) {
        // SAFETY: the structure belongs to this device, and no pending command uses it, because
        // `Gpu::submit` waits for the queue.
        unsafe { self.commands.destroy_acceleration_structure(self.handle, None) };
    }
}
