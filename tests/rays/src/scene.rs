//! Random scenes: triangles and boxes, and instances of them with transforms, masks, ids and flags.

use std::fmt::Write as _;

use dxil_test_support::Random;

use crate::vector::{Matrix, Vector, cross, dot, minus};

/// The instances of a scene; their primitives are numbered below [`SLOTS`] together.
pub const INSTANCES: usize = 4;
/// The geometries of a bottom-level structure, and the primitives of a geometry.
pub const GEOMETRIES: usize = 2;
/// The most primitives of a geometry.
pub const PRIMITIVES: usize = 4;
/// The numbers of all primitives of all instances.
pub const SLOTS: usize = INSTANCES * GEOMETRIES * PRIMITIVES;

/// A geometry of triangles (three points each) or of boxes (two).
#[derive(Clone, Debug)]
pub struct Geometry {
    /// Whether its hits are opaque.
    pub opaque: bool,
    /// The points of each primitive.
    pub primitives: Vec<Vec<Vector>>,
}

/// An instance of the triangles or of the boxes.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Whether it is one of the boxes.
    pub boxes: bool,
    /// Its id of 24 bits.
    pub id: u32,
    /// Its mask of 8 bits.
    pub mask: u32,
    /// Its contribution of 24 bits.
    pub contribution: u32,
    /// `cull_disable`.
    pub cull_disable: bool,
    /// `front_ccw`.
    pub front_ccw: bool,
    /// `force_opaque` and `force_non_opaque`, which exclude each other.
    pub force: Option<bool>,
    /// From object space to world space.
    pub transform: Matrix,
}

/// A scene.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The geometries of the bottom-level structure of triangles.
    pub triangles: Vec<Geometry>,
    /// The geometries of the bottom-level structure of boxes.
    pub boxes: Vec<Geometry>,
    /// The instances in order.
    pub instances: Vec<Instance>,
}

/// A multiple of 1/`parts` between −`limit` and `limit`, which f32 represents.
fn number(random: &mut Random, limit: u32, parts: u32) -> f64 {
    f64::from(random.below(2 * limit * parts + 1)) / f64::from(parts) - f64::from(limit)
}

fn vector(random: &mut Random, limit: u32) -> Vector {
    [0; 3].map(|_| number(random, limit, 16))
}

fn triangle(random: &mut Random) -> Vec<Vector> {
    loop {
        let points: Vec<Vector> = (0..3).map(|_| vector(random, 4)).collect();
        let normal = cross(minus(points[1], points[0]), minus(points[2], points[0]));
        if dot(normal, normal) > 16.0 {
            return points;
        }
    }
}

fn cuboid(random: &mut Random) -> Vec<Vector> {
    let low = vector(random, 4);
    let size = [0; 3].map(|_| f64::from(1 + random.below(40)) / 16.0);
    vec![low, [low[0] + size[0], low[1] + size[1], low[2] + size[2]]]
}

fn geometry(random: &mut Random, make: impl Fn(&mut Random) -> Vec<Vector>) -> Geometry {
    let count = 1 + random.below(PRIMITIVES as u32);
    Geometry { opaque: random.chance(40), primitives: (0..count).map(|_| make(random)).collect() }
}

fn transform(random: &mut Random) -> Matrix {
    loop {
        let matrix = [0; 3].map(|_| {
            let row = [0; 3].map(|_| number(random, 1, 8));
            [row[0], row[1], row[2], number(random, 3, 8)]
        });
        let rows = matrix.map(|row| [row[0], row[1], row[2]]);
        let determinant = dot(rows[0], cross(rows[1], rows[2]));
        if determinant.abs() > 0.4 {
            return matrix;
        }
    }
}

impl Scene {
    /// The scene of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed.wrapping_mul(2));
        let triangles = (0..GEOMETRIES).map(|_| geometry(random, triangle)).collect();
        let boxes = (0..GEOMETRIES).map(|_| geometry(random, cuboid)).collect();
        let instance = |random: &mut Random| Instance {
            boxes: random.chance(40),
            id: random.below(1 << 24),
            mask: if random.chance(60) { 0xff } else { 1 << random.below(8) },
            contribution: random.below(1 << 24),
            cull_disable: random.chance(25),
            front_ccw: random.chance(25),
            force: random.chance(30).then(|| random.chance(50)),
            transform: transform(random),
        };
        Self { triangles, boxes, instances: (0..INSTANCES).map(|_| instance(random)).collect() }
    }

    /// The geometries of an instance.
    #[must_use]
    pub fn geometries(&self, instance: &Instance) -> &[Geometry] {
        if instance.boxes { &self.boxes } else { &self.triangles }
    }

    /// The lines of a fixture that build the scene as `world`.
    #[must_use]
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for (kind, geometries) in [("triangles", &self.triangles), ("boxes", &self.boxes)] {
            for (number, geometry) in geometries.iter().enumerate() {
                let points: Vec<&Vector> = geometry.primitives.iter().flatten().collect();
                let count = if kind == "boxes" { points.len() / 2 } else { points.len() };
                let opaque = if geometry.opaque { " opaque" } else { "" };
                let _ = write!(text, "//! geometry {kind}{number} {kind} {count}{opaque} words");
                for coordinate in points.into_iter().flatten() {
                    let _ = write!(text, " {:#x}", (*coordinate as f32).to_bits());
                }
                text.push('\n');
            }
            let _ = writeln!(text, "//! bottom all_{kind} {kind}0 {kind}1");
        }
        text.push_str("//! top world\n");
        for instance in &self.instances {
            let kind = if instance.boxes { "boxes" } else { "triangles" };
            let Instance { id, mask, contribution, .. } = instance;
            let _ = write!(text, "//! instance world all_{kind} id={id} mask={mask} contribution={contribution}");
            let flags: Vec<&str> = [
                (instance.cull_disable, "cull_disable"),
                (instance.front_ccw, "front_ccw"),
                (instance.force == Some(true), "force_opaque"),
                (instance.force == Some(false), "force_non_opaque"),
            ]
            .into_iter()
            .filter_map(|(on, name)| on.then_some(name))
            .collect();
            if !flags.is_empty() {
                let _ = write!(text, " flags={}", flags.join("+"));
            }
            let numbers: Vec<String> = instance.transform.iter().flatten().map(f64::to_string).collect();
            let _ = writeln!(text, " transform={}", numbers.join(","));
        }
        text
    }

    /// The corners of the boxes as the shader reads them: two points for each slot of a geometry.
    #[must_use]
    pub fn corners(&self) -> Vec<u32> {
        let mut words = Vec::new();
        for geometry in &self.boxes {
            for slot in 0..PRIMITIVES {
                let corners = geometry.primitives.get(slot).cloned().unwrap_or_else(|| vec![[0.0; 3]; 2]);
                words.extend(corners.into_iter().flatten().map(|coordinate| (coordinate as f32).to_bits()));
            }
        }
        words
    }
}
