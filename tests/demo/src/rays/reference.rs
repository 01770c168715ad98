//! The picture of rays on the CPU, as an independent expectation.
//!
//! In: the scene. Out: the picture. The numbers follow `rays.hlsli`, so that every path takes the
//! same random turns as on the device. The device may round otherwise, and a path that passes an
//! edge of the scene closely may then go another way; the caller states how much of the picture
//! that may change.

use super::scene::{
    INSTANCES, Instance, PATTERN, ROOM, Rectangle, SCREEN, SURFACES, Shape, Surface, Vector, scatters, texel,
};

const SAMPLES: u32 = 16;
const BOUNCES: u32 = 5;
const FAR: f32 = 100.0;
const START: f32 = 0.001;
const LAMP_CORNER: Vector = [-0.35, 0.995, -0.35];
const LAMP_SIDES: Vector = [0.7, 0.0, 0.7];
const LAMP_AREA: f32 = 0.49;
const LAMP_LIGHT: Vector = [14.0, 12.0, 9.0];
const CAMERA: Vector = [0.0, 0.0, 3.4];

fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn times(a: Vector, b: Vector) -> Vector {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}
fn scaled(a: Vector, by: f32) -> Vector {
    a.map(|x| x * by)
}
fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn normalized(a: Vector) -> Vector {
    scaled(a, 1.0 / dot(a, a).sqrt())
}

/// Random numbers: the state is the last hash.
struct Random(u32);

fn hash(value: u32) -> u32 {
    let state = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = hash(self.0);
        (self.0 >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    fn direction(&mut self) -> Vector {
        for _ in 0..16 {
            let spot = [0; 3].map(|_| self.next() * 2.0 - 1.0);
            let square = dot(spot, spot);
            if square <= 1.0 && square > 0.01 {
                return scaled(spot, 1.0 / square.sqrt());
            }
        }
        [0.0, 0.0, 1.0]
    }

    fn on_lamp(&mut self) -> Vector {
        let (u, v) = (self.next(), self.next());
        add(LAMP_CORNER, times([u, 0.0, v], LAMP_SIDES))
    }
}

/// A ray from `origin`; a hit has a distance between `least` and `most`.
#[derive(Clone, Copy)]
struct Ray {
    origin: Vector,
    direction: Vector,
    least: f32,
    most: f32,
}

/// A hit of a ray.
struct Hit {
    distance: f32,
    surface: Surface,
    /// Normal in world space, not normalised.
    normal: Vector,
    /// The place on a rectangle.
    place: [f32; 2],
}

/// The ray in the space of an instance, whose transform is a rotation with a uniform scale.
fn to_object(instance: &Instance, ray: &Ray) -> Ray {
    let t = &instance.transform;
    let square = t[0][0] * t[0][0] + t[1][0] * t[1][0] + t[2][0] * t[2][0];
    // The inverse of a scaled rotation is its transpose, divided by the square of the scale.
    let turned =
        |v: Vector| [0, 1, 2].map(|column| (t[0][column] * v[0] + t[1][column] * v[1] + t[2][column] * v[2]) / square);
    let moved = sub(ray.origin, [t[0][3], t[1][3], t[2][3]]);
    Ray { origin: turned(moved), direction: turned(ray.direction), ..*ray }
}

fn to_world(instance: &Instance, v: Vector) -> Vector {
    instance.transform.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// Distance and barycentrics of a hit of a triangle.
fn triangle(corners: [Vector; 3], ray: &Ray) -> Option<(f32, f32, f32)> {
    let (e1, e2) = (sub(corners[1], corners[0]), sub(corners[2], corners[0]));
    let p = cross(ray.direction, e2);
    let determinant = dot(e1, p);
    if determinant == 0.0 {
        return None;
    }
    let s = sub(ray.origin, corners[0]);
    let u = dot(s, p) / determinant;
    let q = cross(s, e1);
    let v = dot(ray.direction, q) / determinant;
    let t = dot(e2, q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > ray.least && t < ray.most).then_some((t, u, v))
}

/// Distance and place of a hit of a rectangle.
fn rectangle(corners: &Rectangle, ray: &Ray) -> Option<(f32, [f32; 2])> {
    let [a, b, c, d] = *corners;
    let first = triangle([a, b, c], ray).map(|(t, u, v)| (t, [u + v, v]));
    first.or_else(|| triangle([a, c, d], ray).map(|(t, u, v)| (t, [u, u + v])))
}

fn ball(ray: &Ray) -> Option<f32> {
    let a = dot(ray.direction, ray.direction);
    let b = dot(ray.origin, ray.direction);
    let c = dot(ray.origin, ray.origin) - 1.0;
    let inside = b * b - a * c;
    if inside <= 0.0 {
        return None;
    }
    let root = inside.sqrt();
    [(-b - root) / a, (-b + root) / a].into_iter().find(|&t| t > ray.least && t < ray.most)
}

fn pattern(pattern: u32, place: [f32; 2]) -> [f32; 4] {
    let size = PATTERN as f32;
    let [x, y] = place.map(|at| (at * size).min(size - 1.0) as u32);
    texel(pattern, x, y).map(|byte| f32::from(byte) / 255.0)
}

/// The nearest hit of a ray.
fn trace(mut ray: Ray) -> Option<Hit> {
    let mut nearest = None;
    for instance in &INSTANCES {
        let local = |ray: &Ray| to_object(instance, ray);
        let rectangles: &[Rectangle] = match instance.shape {
            Shape::Room => &ROOM,
            Shape::Screen => &SCREEN,
            Shape::Ball => &[],
        };
        let surfaces = &SURFACES[instance.id as usize..];
        for (corners, surface) in rectangles.iter().zip(surfaces) {
            let Some((distance, place)) = rectangle(corners, &local(&ray)) else { continue };
            if instance.shape == Shape::Screen && pattern(surface.pattern - 1, place)[3] < 0.5 {
                continue;
            }
            ray.most = distance;
            let normal = to_world(instance, surface.normal);
            nearest = Some(Hit { distance, surface: *surface, normal, place });
        }
        if instance.shape == Shape::Ball
            && let Some(distance) = ball(&local(&ray))
        {
            let inside = local(&ray);
            let normal = to_world(instance, add(inside.origin, scaled(inside.direction, distance)));
            ray.most = distance;
            nearest = Some(Hit { distance, surface: surfaces[0], normal, place: [0.0; 2] });
        }
    }
    nearest
}

fn from_lamp(normal: Vector, towards: Vector, square: f32) -> f32 {
    let (at_surface, at_lamp) = (dot(normal, towards), towards[1]);
    if at_surface <= 0.0 || at_lamp <= 0.0 {
        return 0.0;
    }
    at_surface * at_lamp * LAMP_AREA / (square * std::f32::consts::PI)
}

/// The light that comes to the camera along one path.
fn path(pixel: [u32; 2], size: [u32; 2], index: u32) -> Vector {
    let mut random = Random(hash(pixel[0] + size[0] * (pixel[1] + size[1] * index)));
    let x = (pixel[0] as f32 + random.next()) / size[0] as f32 * 2.0 - 1.0;
    let y = 1.0 - (pixel[1] as f32 + random.next()) / size[1] as f32 * 2.0;
    let direction = normalized([x * 0.45, y * 0.45, -1.0]);
    let mut ray = Ray { origin: CAMERA, direction, least: START, most: FAR };
    let (mut sum, mut weight, mut direct) = ([0.0; 3], [1.0; 3], true);
    for _ in 0..BOUNCES {
        let Some(hit) = trace(ray) else { break };
        weight = times(weight, hit.surface.colour);
        if hit.surface.pattern != 0 {
            let [r, g, b, _] = pattern(hit.surface.pattern - 1, hit.place);
            weight = times(weight, [r, g, b]);
        }
        let mut normal = normalized(hit.normal);
        if dot(normal, ray.direction) > 0.0 {
            normal = scaled(normal, -1.0);
        }
        if hit.surface.scatters == scatters::LAMP {
            if direct {
                sum = add(sum, times(weight, LAMP_LIGHT));
            }
            break;
        }
        ray.origin = add(ray.origin, scaled(ray.direction, hit.distance));
        let mirror = hit.surface.scatters == scatters::MIRROR;
        direct = direct && mirror;
        if mirror {
            ray.direction = sub(ray.direction, scaled(normal, 2.0 * dot(normal, ray.direction)));
            continue;
        }
        let to_lamp = sub(random.on_lamp(), ray.origin);
        let square = dot(to_lamp, to_lamp);
        let towards = scaled(to_lamp, 1.0 / square.sqrt());
        let share = from_lamp(normal, towards, square);
        let most = square.sqrt() - 2.0 * START;
        if share > 0.0 && trace(Ray { origin: ray.origin, direction: towards, least: START, most }).is_none() {
            sum = add(sum, scaled(times(weight, LAMP_LIGHT), share));
        }
        ray.direction = normalized(add(normal, random.direction()));
    }
    sum
}

/// The picture, four bytes for each pixel.
pub fn picture(size: [u32; 2]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity((size[0] * size[1] * 4) as usize);
    for y in 0..size[1] {
        for x in 0..size[0] {
            let light = (0..SAMPLES).fold([0.0; 3], |sum, index| add(sum, path([x, y], size, index)));
            let shown =
                light.map(|x| ((x * (1.0 / SAMPLES as f32)).clamp(0.0, 1.0).sqrt() * 255.0).round_ties_even() as u8);
            bytes.extend([shown[0], shown[1], shown[2], 255]);
        }
    }
    bytes
}
