//! The camera: where it is, how it projects, and the planes of what it sees.

use super::SIZE;
use super::vector::{Vector, cross, dot, length, normalize, sub};
use crate::cube::{Matrix, multiply};

/// Where the camera is.
const EYE: Vector = [1.0, 2.3, -6.3];
/// The point at the centre of the picture.
const TARGET: Vector = [0.1, 0.1, 0.0];

/// The product of projection and view matrix. As usual in D3D, the eye looks along +z of view
/// space.
fn view_projection() -> Matrix {
    let (near, far) = (0.3, 20.0);
    let focal = 1.75;
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let depth = far / (far - near);
    let forward = normalize(sub(TARGET, EYE));
    let right = normalize(cross([0.0, 1.0, 0.0], forward));
    let up = cross(forward, right);
    let row = |axis: Vector| [axis[0], axis[1], axis[2], -dot(axis, EYE)];
    let view = [row(right), row(up), row(forward), [0.0, 0.0, 0.0, 1.0]];
    let projection = [
        [focal / aspect, 0.0, 0.0, 0.0],
        [0.0, focal, 0.0, 0.0],
        [0.0, 0.0, depth, -near * depth],
        [0.0, 0.0, 1.0, 0.0],
    ];
    multiply(projection, view)
}

/// The planes of the frustum, which point inwards. A point p is inside if x·p.x + y·p.y + z·p.z + w
/// is not negative for any of them. With the rows of the matrix, D3D's conditions −w ≤ x ≤ w,
/// −w ≤ y ≤ w and 0 ≤ z ≤ w have this form.
fn planes([x, y, z, w]: Matrix) -> [[f32; 4]; 6] {
    let sum = |a: [f32; 4], b: [f32; 4], sign: f32| [0, 1, 2, 3].map(|i| a[i] + sign * b[i]);
    [sum(w, x, 1.0), sum(w, x, -1.0), sum(w, y, 1.0), sum(w, y, -1.0), z, sum(w, z, -1.0)]
        .map(|plane| plane.map(|number| number / length([plane[0], plane[1], plane[2]])))
}

/// The words of the structure `Camera` in the HLSL.
pub fn words(meshlets: u32) -> Vec<u32> {
    let matrix = view_projection();
    let numbers = matrix.into_iter().chain(planes(matrix)).flatten().chain(EYE);
    numbers.map(f32::to_bits).chain([meshlets]).collect()
}
