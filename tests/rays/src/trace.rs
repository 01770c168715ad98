//! Ray tracing on the CPU: all candidates of a ray, and the results that a program may have.
//!
//! It follows DirectX Raytracing and shares nothing with the translator. It computes in f64.

use crate::program::{Program, flag};
use crate::scene::{GEOMETRIES, Instance, PRIMITIVES, Scene};
use crate::vector::{Vector, cross, dot, inverse, minus, moved};

/// The distance that separates what must not depend on the precision of floats.
const MARGIN: f64 = 4e-3;

/// What a ray meets: a triangle that it hits, or a box that it enters.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The instance's number.
    pub instance: usize,
    /// Its id.
    pub id: u32,
    /// Its contribution.
    pub contribution: u32,
    /// The geometry's number.
    pub geometry: usize,
    /// The primitive's number.
    pub primitive: usize,
    /// Whether it is a box.
    pub is_box: bool,
    /// Whether the ray sees the front of a triangle.
    pub front: bool,
    /// Whether it is opaque, by geometry, instance and ray.
    pub opaque: bool,
    /// Where the ray meets it first.
    pub enter: f64,
    /// Where the ray hits it: a point of the box that the program chooses.
    pub t: f64,
    /// The barycentrics of a hit of a triangle.
    pub barycentrics: [f64; 2],
    /// The ray in object space.
    pub object: [Vector; 2],
}

impl Candidate {
    /// Its number among all primitives of the scene.
    #[must_use]
    pub fn slot(&self) -> usize {
        (self.instance * GEOMETRIES + self.geometry) * PRIMITIVES + self.primitive
    }

    /// An attribute by its number in programs.
    #[must_use]
    pub fn attribute(&self, number: u32) -> u32 {
        match number {
            1 => u32::from(self.is_box),
            2 => self.instance as u32,
            3 => self.id,
            4 => self.contribution,
            5 => self.geometry as u32,
            6 => self.primitive as u32,
            7 => u32::from(!self.is_box && self.front),
            _ => u32::from(self.is_box && !self.opaque),
        }
    }

    /// Whether the device commits it without asking the shader.
    fn is_automatic(&self) -> bool {
        !self.is_box && self.opaque
    }
}

/// Whether code says yes to a candidate.
fn says(code: &[u32], candidate: &Candidate) -> bool {
    let mut stack = [0u32; 4];
    for &word in code {
        let [a, b] = [stack[1], stack[0]];
        let result = match word & 0xff {
            0 => {
                stack = [word >> 8, stack[0], stack[1], stack[2]];
                continue;
            }
            attribute @ 1..=8 => {
                stack = [candidate.attribute(attribute), stack[0], stack[1], stack[2]];
                continue;
            }
            15 => {
                stack[0] = u32::from(b == 0);
                continue;
            }
            9 => a & b,
            10 => a | b,
            11 => a ^ b,
            12 => a.wrapping_add(b),
            13 => u32::from(a == b),
            _ => u32::from(a < b),
        };
        stack = [result, stack[2], stack[3], 0];
    }
    stack[0] != 0
}

/// How a ray meets a primitive in object space: where it enters, where it hits, the front, the
/// barycentrics; and whether all of that is far from changing.
struct Met {
    hit: Option<(f64, f64, bool, [f64; 2])>,
    safe: bool,
}

fn triangle(origin: Vector, direction: Vector, points: &[Vector], range: [f64; 2]) -> Met {
    let (one, two) = (minus(points[1], points[0]), minus(points[2], points[0]));
    let normal = cross(one, two);
    let slope = dot(normal, direction);
    let t = dot(normal, minus(points[0], origin)) / slope;
    let at = [0, 1, 2].map(|n| origin[n] + t * direction[n] - points[0][n]);
    let area = dot(normal, normal);
    let (u, v) = (dot(cross(at, two), normal) / area, dot(cross(one, at), normal) / area);
    let inside = u.min(v).min(1.0 - u - v);
    let ends = (t - range[0]).min(range[1] - t);
    let steep = slope.abs() > 0.02 * area.sqrt() * dot(direction, direction).sqrt();
    let safe = steep && (inside < -MARGIN || ends < -MARGIN || inside > MARGIN && ends > MARGIN);
    let hit = (inside > 0.0 && ends > 0.0).then_some((t, t, slope < 0.0, [u, v]));
    Met { hit, safe }
}

fn cuboid(origin: Vector, direction: Vector, corners: &[Vector], range: [f64; 2], fraction: f64) -> Met {
    let (mut enter, mut leave) = (range[0], range[1]);
    for axis in 0..3 {
        let times = [0, 1].map(|corner: usize| (corners[corner][axis] - origin[axis]) / direction[axis]);
        enter = enter.max(times[0].min(times[1]));
        leave = leave.min(times[0].max(times[1]));
    }
    let steep = direction.iter().all(|d| d.abs() > 0.01);
    let safe = steep && (leave - enter).abs() > MARGIN;
    Met { hit: (enter < leave).then_some((enter, enter + (leave - enter) * fraction, false, [0.0; 2])), safe }
}

/// The candidates of a program's ray that its mask and flags do not exclude, and whether no
/// precision of floats could change them.
fn candidates(scene: &Scene, program: &Program) -> (Vec<Candidate>, bool) {
    let (mut found, mut safe) = (Vec::new(), true);
    let flags = program.all_flags();
    for (number, instance) in scene.instances.iter().enumerate() {
        let back = inverse(&instance.transform);
        let (origin, direction) = (moved(&back, program.origin, true), moved(&back, program.direction, false));
        for (geometry, data) in scene.geometries(instance).iter().enumerate() {
            for (primitive, points) in data.primitives.iter().enumerate() {
                let met = if instance.boxes {
                    cuboid(origin, direction, points, program.range, program.fraction)
                } else {
                    triangle(origin, direction, points, program.range)
                };
                safe &= met.safe;
                let Some((enter, t, faces, barycentrics)) = met.hit else { continue };
                let front = faces != instance.front_ccw;
                let opaque = opacity(flags, instance, data.opaque);
                if instance.mask & program.mask & 0xff != 0 && takes(flags, instance, front, opaque) {
                    found.push(Candidate {
                        instance: number,
                        id: instance.id,
                        contribution: instance.contribution,
                        geometry,
                        primitive,
                        is_box: instance.boxes,
                        front,
                        opaque,
                        enter,
                        t,
                        barycentrics,
                        object: [origin, direction],
                    });
                }
            }
        }
    }
    (found, safe)
}

fn opacity(flags: u32, instance: &Instance, geometry: bool) -> bool {
    if flags & flag::FORCE_OPAQUE != 0 {
        true
    } else if flags & flag::FORCE_NON_OPAQUE != 0 {
        false
    } else {
        instance.force.unwrap_or(geometry)
    }
}

/// Whether the flags of a ray let it meet a primitive.
fn takes(flags: u32, instance: &Instance, front: bool, opaque: bool) -> bool {
    let has = |flag: u32| flags & flag != 0;
    let kind = if instance.boxes { flag::SKIP_PROCEDURAL } else { flag::SKIP_TRIANGLES };
    let facing = if front { flag::CULL_FRONT } else { flag::CULL_BACK };
    let culled = !instance.boxes && !instance.cull_disable && has(facing);
    !has(kind) && !culled && !has(if opaque { flag::CULL_OPAQUE } else { flag::CULL_NON_OPAQUE })
}

/// Whether no precision of floats decides anything about a program's ray: edges, ends, and which of
/// two hits is nearer.
#[must_use]
pub fn is_safe(scene: &Scene, program: &Program) -> bool {
    let (found, safe) = candidates(scene, program);
    let mut times: Vec<f64> = found.iter().map(|candidate| candidate.t).collect();
    // A box is a candidate if the ray enters it before the nearest hit.
    times.extend(found.iter().filter(|candidate| candidate.is_box).map(|candidate| candidate.enter));
    times.sort_by(f64::total_cmp);
    let ends = times.iter().all(|t| (t - program.range[1]).abs() > MARGIN);
    // Boxes that hold the start of the ray are all entered there.
    let apart = times.windows(2).all(|pair| pair[1] - pair[0] > MARGIN || pair[1] <= program.range[0]);
    safe && ends && apart
}

/// The words that the shader writes for a program.
pub const WORDS: usize = 16;

/// What is wrong with the words of a program; `None` if nothing is.
#[must_use]
pub fn check(scene: &Scene, program: &Program, words: &[u32]) -> Option<String> {
    let (found, _) = candidates(scene, program);
    let commits = |one: &&Candidate| one.is_automatic() || says(&program.commits, one);
    let nearest = found.iter().filter(commits).min_by(|a, b| a.t.total_cmp(&b.t));
    let stops = found.iter().any(|one| !one.is_automatic() && says(&program.aborts, one));
    let first = program.all_flags() & flag::ACCEPT_FIRST != 0;
    let &[status, seen, flags, t, instance, id, geometry, primitive, contribution, facing, u, v, ..] = words else {
        return Some("too few words".to_owned());
    };
    let float = f32::from_bits;
    let near = |word: u32, value: f64| (f64::from(float(word)) - value).abs() <= 1e-3 * (1.0 + value.abs());
    if flags != program.all_flags() {
        return Some(format!("flags {flags:#x}"));
    }
    let hit = match status {
        0 => None,
        _ => {
            let is_it = |one: &&Candidate| {
                [one.instance, one.geometry, one.primitive] == [instance, geometry, primitive].map(|n| n as usize)
            };
            let Some(hit) = found.iter().find(is_it) else {
                return Some(format!("a hit of what the ray does not meet: {words:x?}"));
            };
            if !commits(&hit) {
                return Some(format!("a hit that is not committed: {hit:?}"));
            }
            Some(hit)
        }
    };
    // The search may end at any hit, or at any candidate.
    match (hit, nearest) {
        (None, Some(_)) if stops => {}
        (Some(_), Some(_)) if first || stops => {}
        (None, None) => {}
        (Some(hit), Some(nearest)) if hit.slot() == nearest.slot() => {}
        _ => return Some(format!("hit {hit:?}, expected {nearest:?}")),
    }
    let end = hit.map_or(program.range[1], |hit| hit.t);
    if !near(t, end) {
        return Some(format!("distance {}, expected {end}", float(t)));
    }
    if let Some(hit) = hit {
        let values =
            [1 + u32::from(hit.is_box), hit.id, hit.contribution, u32::from(!hit.is_box) * (1 + u32::from(hit.front))];
        if [status, id, contribution, facing] != values {
            return Some(format!("{:x?}, expected {values:x?}", [status, id, contribution, facing]));
        }
        let [origin, direction] = hit.object;
        let floats = [hit.barycentrics[0], hit.barycentrics[1], origin[0], origin[1], origin[2], direction[0]];
        let of_hit = [u, v].into_iter().chain(words.iter().skip(12).copied());
        if let Some((word, value)) = of_hit.zip(floats).find(|(word, value)| !near(*word, *value)) {
            return Some(format!("{}, expected {value}", float(word)));
        }
    }
    // The shader sees what is nearer than the final hit, and nothing that the ray does not meet.
    let asked = |one: &&Candidate| !one.is_automatic();
    let all = found.iter().filter(asked).fold(0, |all, one| all | 1u32 << one.slot());
    let must = found.iter().filter(asked).filter(|one| one.enter < end && !first && !stops);
    let must = must.fold(0, |all, one| all | 1u32 << one.slot());
    (seen & !all != 0 || must & !seen != 0)
        .then(|| format!("candidates {seen:#x}; at least {must:#x}, at most {all:#x}"))
}

#[cfg(test)]
mod tests {
    use dxil_test_support::Random;

    use super::*;

    /// The words that a right device writes for a program whose result is one alone.
    fn right(scene: &Scene, program: &Program) -> Option<[u32; WORDS]> {
        let (found, _) = candidates(scene, program);
        let asked = |one: &&Candidate| !one.is_automatic();
        let first = program.all_flags() & flag::ACCEPT_FIRST != 0;
        if first || found.iter().filter(asked).any(|one| says(&program.aborts, one)) {
            return None;
        }
        let commits = |one: &&Candidate| one.is_automatic() || says(&program.commits, one);
        let hit = found.iter().filter(commits).min_by(|a, b| a.t.total_cmp(&b.t))?;
        let seen = found.iter().filter(asked).filter(|one| one.enter < hit.t);
        let seen = seen.fold(0, |all, one| all | 1u32 << one.slot());
        let word = |number: f64| (number as f32).to_bits();
        let place = [hit.instance as u32, hit.id, hit.geometry as u32, hit.primitive as u32];
        let mut words =
            [1 + u32::from(hit.is_box), seen, program.all_flags(), word(hit.t), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        words[4..8].copy_from_slice(&place);
        words[8] = hit.contribution;
        words[9] = u32::from(!hit.is_box) * (1 + u32::from(hit.front));
        let floats = hit.barycentrics.into_iter().chain(hit.object[0]).chain([hit.object[1][0]]);
        words[10..].iter_mut().zip(floats).for_each(|(slot, number)| *slot = word(number));
        Some(words)
    }

    #[test]
    fn every_word_is_judged() {
        let mut judged = [0; WORDS];
        for seed in 0..8 {
            let (scene, random) = (Scene::new(seed), &mut Random::new(seed));
            for program in (0..32).flat_map(|_| Program::pair(random, &scene)) {
                let Some(words) = right(&scene, &program) else { continue };
                assert_eq!(check(&scene, &program, &words), None, "scene {seed} {program:?}");
                for (n, count) in judged.iter_mut().enumerate() {
                    let mut wrong = words;
                    // A float that is twice as large, a number with another lowest bit.
                    wrong[n] ^= if matches!(n, 3 | 10..) { 1 << 23 } else { 1 };
                    let changes = wrong[n] >> 23 & 0xff > 100 || !matches!(n, 3 | 10..);
                    *count += usize::from(changes && check(&scene, &program, &wrong).is_some());
                }
                // What is never seen is not a candidate, and a nearer candidate is always seen.
                let none = check(&scene, &program, &[words[0], u32::MAX, words[2], words[3]]);
                assert!(none.is_some());
            }
        }
        assert!(judged.iter().all(|&count| count > 20), "{judged:?}");
    }

    #[test]
    fn a_ray_straight_on_meets_what_it_must() {
        let mut scene = Scene::new(1);
        let triangle = vec![[-1.0, -1.0, 2.0], [1.0, -1.0, 2.0], [0.0, 1.0, 2.0]];
        scene.triangles = vec![crate::scene::Geometry { opaque: true, primitives: vec![triangle] }];
        scene.instances.truncate(1);
        let identity = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        let instance = &mut scene.instances[0];
        (instance.boxes, instance.mask, instance.force, instance.transform) = (false, 1, None, identity);
        (instance.front_ccw, instance.cull_disable) = (false, false);
        let mut program = Program::pair(&mut Random::new(1), &Scene::new(1))[0].clone();
        (program.kind, program.flags, program.mask) = (0, 0, 0xff);
        (program.origin, program.direction, program.range) = ([0.0; 3], [0.0, 0.0, 0.5], [0.0, 9.0]);
        let (found, safe) = candidates(&scene, &program);
        assert!(safe && found.len() == 1);
        // Counterclockwise as seen along +z with x to the right and y up, so it is the back.
        assert_eq!((found[0].t, found[0].front, found[0].barycentrics), (4.0, false, [0.25, 0.5]));
        program.flags = flag::CULL_BACK;
        assert!(candidates(&scene, &program).0.is_empty());
    }
}
