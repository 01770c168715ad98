//! A small scene for shaders that trace rays.
//!
//! In: a device with acceleration structures. Out: a top-level structure. What must hold: the scene
//! is the same on every machine; rays from places near the origin meet something in most
//! directions.

use ash::vk;
use dxil_vulkan::{Buffer, BuildInput, Gpu, Structure, StructureCommands, StructureInstance};

use super::fill::{NumberRange, NumberSource};
use super::stop::Stop;
use super::turns::HITS;

/// The triangles inside of the room, and the boxes.
const INSIDE: u64 = 16;
/// The stream of the random numbers of the scene.
const STREAM: u64 = 0xfffd << 48;
/// The corners of the room around all: a tetrahedron, no plane of which is parallel to an axis.
const ROOM: [[f32; 3]; 4] = [[-31.0, -17.5, -23.0], [37.0, -19.25, -21.0], [3.5, 41.0, -18.0], [2.0, -3.0, 47.0]];
const IDENTITY: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// A scene with its memory.
pub struct Scene<'g> {
    /// The top-level structure.
    pub top: Structure<'g>,
    _bottoms: [Structure<'g>; 2],
    _inputs: Vec<Buffer<'g>>,
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

impl<'g> Scene<'g> {
    /// Builds the scene: a closed room of opaque triangles with other triangles in it, twice, and
    /// boxes.
    ///
    /// # Errors
    /// What the device lacks, or the driver's error.
    pub fn new(gpu: &'g Gpu) -> Result<Self, Stop> {
        let commands = StructureCommands::new(gpu);
        let source = NumberSource { seed: 0, bounds: NumberRange::Inside, most: 0, round: 0 };
        let numbers = |from: u64, count: u64| (from..from + count).map(|at| source.float(STREAM, at) * 2.0);
        let room = [[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]].as_flattened().iter();
        let room: Vec<f32> = room.flat_map(|corner| ROOM[*corner]).collect();
        let triangles: Vec<f32> = numbers(0, INSIDE * 9).collect();
        let boxes = numbers(1000, INSIDE * 3).collect::<Vec<f32>>();
        let boxes: Vec<f32> =
            boxes.as_chunks::<3>().0.iter().flat_map(|low| [*low, low.map(|it| it + 0.375)]).flatten().collect();

        let mut inputs = Vec::new();
        let mut input = |numbers: &[f32]| {
            let buffer = commands.input(&bytes(numbers))?;
            let device_address = buffer.address();
            inputs.push(buffer);
            Ok::<_, Stop>(vk::DeviceOrHostAddressConstKHR { device_address })
        };
        let opaque = vk::GeometryFlagsKHR::OPAQUE;
        let geometries = vec![
            triangles_of(input(&room)?, room.len()).flags(opaque),
            triangles_of(input(&triangles)?, triangles.len()),
        ];
        let ty = vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL;
        let primitives = vec![room.len() as u32 / 9, INSIDE as u32];
        let solid = commands.build(&BuildInput { ty, geometries, primitives })?;
        let aabbs = vk::AccelerationStructureGeometryAabbsDataKHR::default().data(input(&boxes)?).stride(24);
        let aabbs = vk::AccelerationStructureGeometryKHR::default()
            .geometry_type(vk::GeometryTypeKHR::AABBS)
            .geometry(vk::AccelerationStructureGeometryDataKHR { aabbs });
        let hollow = commands.build(&BuildInput { ty, geometries: vec![aabbs], primitives: vec![INSIDE as u32] })?;

        let mut smaller = IDENTITY.map(|it| it * 0.5);
        (smaller[3], smaller[7], smaller[11]) = (0.25, 0.125, -0.375);
        let one = |id: u32, transform, (mask, contribution), structure: &Structure<'_>| {
            let (flags, address) = (vk::GeometryInstanceFlagsKHR::empty(), structure.address);
            StructureInstance { transform, id, mask, contribution, flags, address }.bytes()
        };
        let instances = [
            one(3, IDENTITY, (0xff, 0), &solid),
            one(5, IDENTITY, (0xff, HITS), &hollow),
            one(7, smaller, (0x0f, 0), &solid),
        ];
        let instances = instances.concat();
        let buffer = commands.input(&instances)?;
        let data = vk::DeviceOrHostAddressConstKHR { device_address: buffer.address() };
        inputs.push(buffer);
        let instances = vk::AccelerationStructureGeometryInstancesDataKHR::default().data(data);
        let geometry = vk::AccelerationStructureGeometryKHR::default()
            .geometry_type(vk::GeometryTypeKHR::INSTANCES)
            .geometry(vk::AccelerationStructureGeometryDataKHR { instances });
        let ty = vk::AccelerationStructureTypeKHR::TOP_LEVEL;
        let top = commands.build(&BuildInput { ty, geometries: vec![geometry], primitives: vec![3] })?;
        Ok(Self { top, _bottoms: [solid, hollow], _inputs: inputs })
    }
}

/// Triangles of three corners each, with so many numbers.
fn triangles_of(
    data: vk::DeviceOrHostAddressConstKHR,
    numbers: usize,
) -> vk::AccelerationStructureGeometryKHR<'static> {
    let triangles = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
        .vertex_format(vk::Format::R32G32B32_SFLOAT)
        .vertex_data(data)
        .vertex_stride(12)
        .max_vertex((numbers / 3).saturating_sub(1) as u32)
        .index_type(vk::IndexType::NONE_KHR);
    vk::AccelerationStructureGeometryKHR::default()
        .geometry_type(vk::GeometryTypeKHR::TRIANGLES)
        .geometry(vk::AccelerationStructureGeometryDataKHR { triangles })
}
