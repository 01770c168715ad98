//! Acceleration structures, built on the device.
//!
//! In: the scene of a fixture. Out: the handle and the address of every top-level structure. What
//! must hold: every structure is built when [`Structures::new`] returns, and the buffers that a
//! structure refers to live as long as it.

use ash::vk;

use crate::error::Result;
use crate::spec::Scene;
use crate::spec::scene::{Geometry, Instance, Shape};
use crate::vulkan::Context;
use dxil_vulkan::{Buffer, BuildInput, Structure, StructureCommands, StructureInstance};

/// The acceleration structures of a fixture.
pub struct Structures<'c> {
    commands: StructureCommands<'c>,
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
        let mut made = Self {
            commands: StructureCommands::new(&context.gpu),
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
            let structure = made.commands.build(&input)?;
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
            let structure = made.commands.build(&input)?;
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
        let buffer = self.commands.input(bytes)?;
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
        let bottom = instance.bottom.and_then(|index| self.bottoms.get(index));
        StructureInstance {
            transform: instance.transform,
            id: instance.id,
            mask: instance.mask,
            contribution: instance.contribution,
            flags: instance.flags,
            address: bottom.map_or(0, |bottom| bottom.address),
        }
        .bytes()
    }
}
