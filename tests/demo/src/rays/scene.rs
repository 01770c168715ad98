//! The scene of the picture of rays: a room with a lamp, a cut-out screen and two balls.
//!
//! In: nothing. Out: rectangles, instances, surfaces and patterns, as the device gets them and the
//! reference reads them. What must hold: the surface of a geometry has the number «id of its
//! instance plus number of the geometry», which is also the number of its shader record.

/// A vector of three numbers.
pub type Vector = [f32; 3];

/// How a surface scatters light, as `rays.hlsli` numbers it.
pub mod scatters {
    /// In all directions.
    pub const MATT: u32 = 0;
    /// As a mirror.
    pub const MIRROR: u32 = 1;
    /// Not at all: it shines.
    pub const LAMP: u32 = 2;
}

/// A surface, with the members of `Record` in the shaders.
#[derive(Clone, Copy)]
pub struct Surface {
    /// The share of light that it reflects: red, green, blue.
    pub colour: Vector,
    /// One of [`scatters`].
    pub scatters: u32,
    /// The normal in the space of its geometry; unused for balls.
    pub normal: Vector,
    /// 0, or one more than the index of its pattern.
    pub pattern: u32,
}

impl Surface {
    /// The 32 bytes of `Record`, as words.
    pub fn words(&self) -> [u32; 8] {
        let [r, g, b] = self.colour.map(f32::to_bits);
        let [x, y, z] = self.normal.map(f32::to_bits);
        [r, g, b, self.scatters, x, y, z, self.pattern]
    }
}

/// A rectangle: its corners in order. It has the triangles 0, 1, 2 and 0, 2, 3.
pub type Rectangle = [Vector; 4];

/// The rectangles of the room; the last one is the lamp.
pub const ROOM: [Rectangle; 6] = [
    [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]],
    [[-1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0]],
    [[1.0, -1.0, -1.0], [1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, -1.0]],
    [[-0.35, 0.995, -0.35], [0.35, 0.995, -0.35], [0.35, 0.995, 0.35], [-0.35, 0.995, 0.35]],
];

/// The screen, before its instance's transform.
pub const SCREEN: [Rectangle; 1] = [[[-0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.5, -0.5, 0.0], [-0.5, -0.5, 0.0]]];

/// What the geometry of an instance is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// [`ROOM`], opaque.
    Room,
    /// [`SCREEN`], with holes.
    Screen,
    /// A ball of radius 1 at the origin.
    Ball,
}

/// An instance.
#[derive(Clone, Copy)]
pub struct Instance {
    /// Its geometry.
    pub shape: Shape,
    /// Its id, which is the number of its first surface and record.
    pub id: u32,
    /// Three rows of four numbers, as `VkTransformMatrixKHR`.
    pub transform: [[f32; 4]; 3],
}

const fn placed(scale: f32, at: Vector) -> [[f32; 4]; 3] {
    [[scale, 0.0, 0.0, at[0]], [0.0, scale, 0.0, at[1]], [0.0, 0.0, scale, at[2]]]
}

/// The instances.
pub const INSTANCES: [Instance; 4] = [
    Instance { shape: Shape::Room, id: 0, transform: placed(1.0, [0.0, 0.0, 0.0]) },
    // Turned about the vertical axis: the cosine is 0.8, the sine 0.6.
    Instance {
        shape: Shape::Screen,
        id: 6,
        transform: [[0.8, 0.0, 0.6, 0.45], [0.0, 1.0, 0.0, -0.5], [-0.6, 0.0, 0.8, 0.35]],
    },
    Instance { shape: Shape::Ball, id: 7, transform: placed(0.45, [-0.4, -0.55, -0.35]) },
    Instance { shape: Shape::Ball, id: 8, transform: placed(0.3, [0.45, -0.7, -0.3]) },
];

const fn matt(colour: Vector, normal: Vector, pattern: u32) -> Surface {
    Surface { colour, scatters: scatters::MATT, normal, pattern }
}

/// The surfaces: six of the room, one of the screen, two of the balls.
pub const SURFACES: [Surface; 9] = [
    matt([0.75, 0.75, 0.75], [0.0, 1.0, 0.0], 0),
    matt([0.75, 0.75, 0.75], [0.0, -1.0, 0.0], 0),
    matt([0.9, 0.9, 0.9], [0.0, 0.0, 1.0], 1),
    matt([0.75, 0.15, 0.12], [1.0, 0.0, 0.0], 0),
    matt([0.15, 0.6, 0.2], [-1.0, 0.0, 0.0], 0),
    Surface { colour: [1.0, 1.0, 1.0], scatters: scatters::LAMP, normal: [0.0, -1.0, 0.0], pattern: 0 },
    matt([0.85, 0.65, 0.25], [0.0, 0.0, 1.0], 2),
    Surface { colour: [0.92, 0.92, 0.95], scatters: scatters::MIRROR, normal: [0.0, 0.0, 0.0], pattern: 0 },
    matt([0.3, 0.45, 0.8], [0.0, 0.0, 0.0], 0),
];

/// Number of patterns.
pub const PATTERNS: u32 = 2;
/// Width and height of a pattern in texels.
pub const PATTERN: u32 = 16;

/// A texel of a pattern, eight bits for each of red, green, blue and alpha. Pattern 0 is a wall of
/// bricks; pattern 1 is white, and its alpha is zero in the holes.
pub fn texel(pattern: u32, x: u32, y: u32) -> [u8; 4] {
    if pattern == 0 {
        let joint = y.is_multiple_of(4) || (x + (y / 4 % 2) * 4).is_multiple_of(8);
        return if joint { [190, 185, 175, 255] } else { [200, 110 + (x * 7 + y * 3) as u8 % 24, 80, 255] };
    }
    let hole = !x.is_multiple_of(4) && !y.is_multiple_of(4);
    [255, 255, 255, if hole { 0 } else { 255 }]
}

/// All texels of a pattern, row by row.
pub fn texels(pattern: u32) -> Vec<u8> {
    (0..PATTERN * PATTERN).flat_map(|i| texel(pattern, i % PATTERN, i / PATTERN)).collect()
}
