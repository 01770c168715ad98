//! The scene as meshlets: patches of curved surfaces, each with a sphere around its vertices and a
//! cone around the normals of its triangles.

use std::f32::consts::TAU;

use super::vector::{Vector, add, cross, dot, length, normalize, scale, sub};

/// A patch has at most this many quads along each side, so that it has at most 64 vertices and 98
/// triangles. The mesh shader has space for 64 and 126.
const PATCH: usize = 7;

/// The cones are wider than the normals by this angle in radians. The rasterizer rounds positions
/// to fractions of a pixel, so a triangle that is seen from the edge may be drawn although it faces
/// away by a smaller angle.
const MARGIN: f32 = 0.02;

/// A meshlet, as the structure `Meshlet` in the HLSL.
#[derive(Debug, Clone, Copy)]
pub struct Meshlet {
    /// The centre of a sphere around all vertices.
    pub center: Vector,
    /// The radius of the sphere.
    pub radius: f32,
    /// The axis of a cone around the normals of all triangles.
    pub axis: Vector,
    /// The sine of the cone's half angle, or a number above 1 if the cone is wider than a
    /// hemisphere.
    pub cutoff: f32,
    /// The colour.
    pub color: Vector,
    /// The first vertex in [`Model::vertices`].
    pub first_vertex: u32,
    /// The number of vertices.
    pub vertex_count: u32,
    /// The first triangle in [`Model::triangles`].
    pub first_triangle: u32,
    /// The number of triangles.
    pub triangle_count: u32,
}

impl Meshlet {
    /// The 16 words of the structure.
    pub fn words(&self) -> [u32; 16] {
        let [x, y, z] = self.center.map(f32::to_bits);
        let [u, v, w] = self.axis.map(f32::to_bits);
        let [r, g, b] = self.color.map(f32::to_bits);
        let (radius, cutoff) = (self.radius.to_bits(), self.cutoff.to_bits());
        let counts = [self.first_vertex, self.vertex_count, self.first_triangle, self.triangle_count];
        let [first_vertex, vertices, first_triangle, triangles] = counts;
        [x, y, z, radius, u, v, w, cutoff, r, g, b, first_vertex, vertices, first_triangle, triangles, 0]
    }
}

/// All meshlets, their vertices and their triangles.
#[derive(Default)]
pub struct Model {
    /// Position and normal of each vertex. No vertex belongs to two meshlets.
    pub vertices: Vec<[Vector; 2]>,
    /// The meshlet of each vertex.
    pub owners: Vec<u32>,
    /// The vertices of each triangle, clockwise if they are seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The meshlets.
    pub meshlets: Vec<Meshlet>,
}

/// A surface over the parameters u and v, which both run from 0 to 1.
struct Surface<'s> {
    /// Position and outward normal.
    at: &'s dyn Fn(f32, f32) -> [Vector; 2],
    /// The number of quads along u, in which direction the surface is closed.
    across: usize,
    /// The number of quads along v.
    along: usize,
    /// Whether the surface is closed along v.
    closed: bool,
    /// The colour of the meshlet at u and v.
    color: &'s dyn Fn(f32, f32) -> Vector,
}

impl Model {
    /// The scene: a knot, and spheres and tori in a circle around it.
    pub fn scene() -> Self {
        let mut model = Self::default();
        model.knot();
        for number in 0..20u8 {
            let turn = f32::from(number) / 20.0;
            let (sin, cos) = (turn * TAU).sin_cos();
            let center = [4.8 * cos, -1.3 + 0.4 * (3.0 * turn * TAU).sin(), 4.8 * sin];
            if number % 2 == 0 { model.sphere(center, 0.62, turn) } else { model.torus(center, [sin, 0.0, -cos], turn) }
        }
        model
    }

    fn sphere(&mut self, center: Vector, radius: f32, hue: f32) {
        let at = |u: f32, v: f32| {
            let (sin_u, cos_u) = (u * TAU).sin_cos();
            // All vertices at a pole have exactly the same position.
            let (sin_v, cos_v) = if v >= 1.0 { (0.0, -1.0) } else { (v * TAU / 2.0).sin_cos() };
            let normal = [sin_v * cos_u, cos_v, sin_v * sin_u];
            [add(center, scale(normal, radius)), normal]
        };
        let color = |u: f32, v: f32| tint(hue, u, v);
        self.add(&Surface { at: &at, across: 56, along: 28, closed: false, color: &color });
    }

    fn torus(&mut self, center: Vector, axis: Vector, hue: f32) {
        let side = normalize(cross([0.0, 1.0, 0.0], axis));
        let up = cross(axis, side);
        let at = |u: f32, v: f32| {
            let (sin, cos) = (v * TAU).sin_cos();
            let outward = add(scale(side, cos), scale(up, sin));
            tube(add(center, scale(outward, 0.52)), [outward, axis], 0.2, -u)
        };
        let color = |u: f32, v: f32| tint(hue, u, v);
        self.add(&Surface { at: &at, across: 35, along: 84, closed: true, color: &color });
    }

    /// A trefoil knot.
    fn knot(&mut self) {
        let curve = |v: f32| {
            let (sin2, cos2) = (2.0 * v * TAU).sin_cos();
            let (sin3, cos3) = (3.0 * v * TAU).sin_cos();
            let wide = 1.62 + 0.72 * cos3;
            [wide * cos2, wide * sin2 + 0.55, 0.95 * sin3]
        };
        let at = |u: f32, v: f32| {
            let center = curve(v);
            let forward = normalize(sub(curve(v + 1e-3), curve(v - 1e-3)));
            let side = normalize(cross(forward, [0.0, 0.0, 1.0]));
            tube(center, [side, cross(side, forward)], 0.42, -u)
        };
        let color = |u: f32, v: f32| tint(v, u, v);
        self.add(&Surface { at: &at, across: 56, along: 420, closed: true, color: &color });
    }

    /// Cuts a surface into meshlets.
    fn add(&mut self, surface: &Surface<'_>) {
        for v in (0..surface.along).step_by(PATCH) {
            for u in (0..surface.across).step_by(PATCH) {
                let ends = [(u + PATCH).min(surface.across), (v + PATCH).min(surface.along)];
                self.patch(surface, [u, v], ends);
            }
        }
    }

    /// Adds a meshlet with the quads from `start` to `end`.
    fn patch(&mut self, surface: &Surface<'_>, start: [usize; 2], end: [usize; 2]) {
        let first_vertex = small(self.vertices.len());
        let first_triangle = small(self.triangles.len());
        let number = small(self.meshlets.len());
        // The parameters wrap, so that the vertices at the seams of closed surfaces are equal in
        // every bit.
        let parameter = |at: usize, of: usize, closed: bool| {
            let at = if closed { at % of } else { at };
            at as f32 / of as f32
        };
        for v in start[1]..=end[1] {
            for u in start[0]..=end[0] {
                let v = parameter(v, surface.along, surface.closed);
                self.vertices.push((surface.at)(parameter(u, surface.across, true), v));
                self.owners.push(number);
            }
        }
        let width = small(end[0] - start[0]) + 1;
        let mut normals = Vec::new();
        for row in 0..small(end[1] - start[1]) {
            for column in 0..width - 1 {
                let corner = first_vertex + row * width + column;
                let (right, below) = (corner + 1, corner + width);
                for triangle in [[corner, right, below], [right, below + 1, below]] {
                    let [a, b, c] = triangle.map(|vertex| self.position(vertex));
                    // At a pole of a sphere one of the two has no area.
                    if a != b && b != c && c != a {
                        normals.push(normalize(cross(sub(b, a), sub(c, a))));
                        self.triangles.push(triangle);
                    }
                }
            }
        }
        let positions: Vec<_> =
            self.vertices.iter().skip(first_vertex as usize).map(|&[position, _]| position).collect();
        let (center, radius) = sphere_around(&positions);
        let (axis, cutoff) = cone_around(&normals);
        let middle = |start: usize, end: usize, of: usize| (start + end) as f32 / (2 * of) as f32;
        let color = (surface.color)(middle(start[0], end[0], surface.across), middle(start[1], end[1], surface.along));
        self.meshlets.push(Meshlet {
            center,
            radius,
            axis,
            cutoff,
            color,
            first_vertex,
            vertex_count: small(self.vertices.len()) - first_vertex,
            first_triangle,
            triangle_count: small(self.triangles.len()) - first_triangle,
        });
    }

    fn position(&self, vertex: u32) -> Vector {
        self.vertices.get(vertex as usize).map_or([0.0; 3], |&[position, _]| position)
    }
}

/// A number of vertices, triangles or meshlets, of which the scene has fewer than 2^32.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Position and normal on a circle around `center`.
fn tube(center: Vector, [x, y]: [Vector; 2], radius: f32, u: f32) -> [Vector; 2] {
    let (sin, cos) = (u * TAU).sin_cos();
    let normal = add(scale(x, cos), scale(y, sin));
    [add(center, scale(normal, radius)), normal]
}

/// A sphere around points, which is a little too large, so that rounding cannot leave one outside.
fn sphere_around(points: &[Vector]) -> (Vector, f32) {
    let low = points.iter().fold([f32::MAX; 3], |low, point| [0, 1, 2].map(|axis| low[axis].min(point[axis])));
    let high = points.iter().fold([f32::MIN; 3], |high, point| [0, 1, 2].map(|axis| high[axis].max(point[axis])));
    let center = scale(add(low, high), 0.5);
    let radius = points.iter().map(|&point| length(sub(point, center))).fold(0.0, f32::max);
    (center, radius * 1.001 + 1e-3)
}

/// The axis of a cone around unit vectors, and the sine of its half angle.
fn cone_around(normals: &[Vector]) -> (Vector, f32) {
    let axis = normalize(normals.iter().fold([0.0; 3], |sum, &normal| add(sum, normal)));
    let least = normals.iter().map(|&normal| dot(axis, normal)).fold(1.0, f32::min);
    let angle = least.acos() + MARGIN;
    // No meshlet with a wider cone is ever culled, because no distance reaches twice itself.
    let cutoff = if angle < TAU / 4.0 { angle.sin() } else { 2.0 };
    (axis, cutoff)
}

/// A colour near `hue` that differs from those of the neighbours.
fn tint(hue: f32, u: f32, v: f32) -> Vector {
    let noise = |seed: f32| (((u * 37.7 + v * 91.3 + seed) * 12.9898).sin() * 43.758).rem_euclid(1.0);
    let (hue, value, grey) = (hue + 0.16 * (noise(1.0) - 0.5), 0.62 + 0.38 * noise(2.0), 0.18 + 0.25 * noise(3.0));
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|phase| {
        let wave = 0.5 + 0.5 * ((hue + phase) * TAU).cos();
        value * (grey + (1.0 - grey) * wave)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The meshlets fit into the mesh shader's arrays, and cover all vertices and triangles once.
    #[test]
    fn meshlets_are_consecutive_and_small() {
        let model = Model::scene();
        let (mut vertex, mut triangle) = (0, 0);
        for (number, meshlet) in (0..).zip(&model.meshlets) {
            assert_eq!((meshlet.first_vertex, meshlet.first_triangle), (vertex, triangle));
            assert!(meshlet.vertex_count <= 64 && meshlet.triangle_count <= 126, "{meshlet:?}");
            let vertices = vertex..vertex + meshlet.vertex_count;
            (vertex, triangle) = (vertices.end, triangle + meshlet.triangle_count);
            assert!(vertices.clone().all(|v| model.owners[v as usize] == number));
            let own = &model.triangles[meshlet.first_triangle as usize..triangle as usize];
            assert!(own.iter().flatten().all(|corner| vertices.contains(corner)));
        }
        assert_eq!((vertex as usize, triangle as usize), (model.vertices.len(), model.triangles.len()));
    }

    /// The order of a triangle's vertices agrees with their outward normals.
    #[test]
    fn triangles_face_outwards() {
        let model = Model::scene();
        for triangle in &model.triangles {
            let [a, b, c] = triangle.map(|vertex| model.vertices[vertex as usize]);
            let normal = cross(sub(b[0], a[0]), sub(c[0], a[0]));
            assert!([a, b, c].iter().all(|vertex| dot(normal, vertex[1]) > 0.0), "{a:?} {b:?} {c:?}");
        }
    }

    /// A meshlet that the test of the amplification shader takes for one that faces away has only
    /// triangles that face away, for many positions of the eye.
    #[test]
    fn cones_are_conservative() {
        let model = Model::scene();
        let eyes = [[1.1, 1.9, -5.6], [0.0, 0.0, 0.0], [-3.0, 4.0, 1.0], [0.5, -2.0, 3.0], [7.0, 0.2, 0.1f32]];
        let mut away = 0;
        for (meshlet, eye) in model.meshlets.iter().flat_map(|meshlet| eyes.map(|eye| (meshlet, eye))) {
            let view = sub(meshlet.center, eye);
            if dot(view, meshlet.axis) < meshlet.cutoff * length(view) + meshlet.radius {
                continue;
            }
            away += 1;
            let first = meshlet.first_triangle as usize;
            for triangle in &model.triangles[first..first + meshlet.triangle_count as usize] {
                let [a, b, c] = triangle.map(|vertex| model.position(vertex));
                assert!(dot(cross(sub(b, a), sub(c, a)), sub(a, eye)) > 0.0, "{meshlet:?}");
            }
        }
        assert!(away > model.meshlets.len(), "{away}");
    }
}
