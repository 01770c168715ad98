//! The scene as the harness builds acceleration structures from it.

use ash::vk;
use dxil_tests::spec::Pattern;
use dxil_tests::spec::scene::{Bottom, Geometry, Instance, Scene, Shape as Kind, Top};

use super::scene::{INSTANCES, ROOM, Rectangle, SCREEN, Shape};

fn geometry(shape: Kind, count: u32, numbers: impl IntoIterator<Item = f32>, flags: vk::GeometryFlagsKHR) -> Geometry {
    let pattern = Pattern::Words(numbers.into_iter().map(f32::to_bits).collect());
    Geometry { name: String::new(), shape, count, pattern, flags }
}

fn rectangle(corners: &Rectangle, flags: vk::GeometryFlagsKHR) -> Geometry {
    let indices = Some((vk::IndexType::UINT16, vec![0, 1, 2, 0, 2, 3]));
    geometry(Kind::Triangles { indices, transform: None }, 4, corners.iter().flatten().copied(), flags)
}

/// One bottom-level structure for each shape, and a top-level structure with all instances. The hit
/// record of a geometry has the number of its surface.
pub fn scene() -> Scene {
    let opaque = vk::GeometryFlagsKHR::OPAQUE;
    let mut geometries: Vec<_> = ROOM.iter().map(|corners| rectangle(corners, opaque)).collect();
    geometries.extend(SCREEN.iter().map(|corners| rectangle(corners, vk::GeometryFlagsKHR::empty())));
    geometries.push(geometry(Kind::Boxes, 1, [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0], opaque));
    let (room, screen) = (ROOM.len(), SCREEN.len());
    let parts = [0..room, room..room + screen, room + screen..geometries.len()];
    let bottoms = parts.map(|part| Bottom { name: String::new(), geometries: part.collect() });
    let instance = |instance: &super::scene::Instance| {
        let mut transform = [0.0; 12];
        for (to, from) in transform.iter_mut().zip(instance.transform.iter().flatten()) {
            *to = *from;
        }
        let bottom = match instance.shape {
            Shape::Room => 0,
            Shape::Screen => 1,
            Shape::Ball => 2,
        };
        Instance {
            bottom: Some(bottom),
            id: instance.id,
            mask: 0xff,
            contribution: instance.id,
            flags: vk::GeometryInstanceFlagsKHR::empty(),
            transform,
        }
    };
    let top = Top { name: String::new(), instances: INSTANCES.iter().map(instance).collect() };
    Scene { geometries, bottoms: bottoms.into(), tops: vec![top] }
}
