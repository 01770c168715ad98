//! Random programs for a scene.

use dxil_test_support::Random;

use crate::program::{CODE, KINDS, Program, flag};
use crate::scene::Scene;
use crate::trace;
use crate::vector::{Vector, moved};

/// Whether D3D permits a combination of flags (DXR, "Ray flags").
fn is_valid(flags: u32) -> bool {
    let at_most_one = |group: u32| (flags & group).count_ones() <= 1;
    at_most_one(flag::FORCE_OPAQUE | flag::FORCE_NON_OPAQUE | flag::CULL_OPAQUE | flag::CULL_NON_OPAQUE)
        && at_most_one(flag::CULL_BACK | flag::CULL_FRONT | flag::SKIP_TRIANGLES)
        && at_most_one(flag::SKIP_TRIANGLES | flag::SKIP_PROCEDURAL)
}

/// Code in postfix notation of at most `most` instructions that leaves one number.
fn code(random: &mut Random, most: usize) -> Vec<u32> {
    let leaf = |random: &mut Random| match random.below(3) {
        0 => random.below(6) << 8,
        _ => 1 + random.below(8),
    };
    let mut code = vec![leaf(random)];
    while code.len() + 2 <= most && random.chance(70) {
        if random.chance(20) {
            code.push(15);
        } else {
            code.extend([leaf(random), 9 + random.below(6)]);
        }
    }
    code
}

/// A point in or near a random primitive in world space, in steps that f32 has.
fn aim(random: &mut Random, scene: &Scene) -> Vector {
    let instance = &scene.instances[random.below(scene.instances.len() as u32) as usize];
    let geometries = scene.geometries(instance);
    let primitives = &geometries[random.below(geometries.len() as u32) as usize].primitives;
    let points = &primitives[random.below(primitives.len() as u32) as usize];
    let weights: Vec<f64> = points.iter().map(|_| f64::from(1 + random.below(16))).collect();
    let sum: f64 = weights.iter().sum();
    let inside = [0, 1, 2].map(|axis| points.iter().zip(&weights).map(|(point, w)| point[axis] * w).sum::<f64>() / sum);
    moved(&instance.transform, inside, true).map(|coordinate| (coordinate * 64.0).round() / 64.0)
}

impl Program {
    /// Two programs of a thread. They have the same kind.
    #[must_use]
    pub fn pair(random: &mut Random, scene: &Scene) -> [Self; 2] {
        let kind = if random.chance(50) { 0 } else { 1 + random.below(KINDS.len() as u32 - 1) as usize };
        [(); 2].map(|()| Self::new(random, scene, kind))
    }

    fn new(random: &mut Random, scene: &Scene, kind: usize) -> Self {
        let flags = loop {
            let mut flags = 0;
            for bit in 0..10 {
                flags |= u32::from(random.chance(12)) << bit;
            }
            if is_valid(flags | KINDS[kind]) {
                break flags;
            }
        };
        let mask = match random.below(6) {
            0 => 1 << random.below(8) | random.below(1 << 24) << 8,
            1 => random.below(256) | 0x55,
            _ => 0xff,
        };
        let commits = match random.below(6) {
            0 => vec![1 << 8],
            1 => vec![0],
            _ => code(random, CODE - 6),
        };
        let aborts = if random.chance(75) { vec![0] } else { code(random, 5) };
        let mut program = Self {
            kind,
            flags,
            mask,
            pattern: random.bits() as u32,
            range: [0.0, 1.0],
            origin: [0.0; 3],
            direction: [0.0; 3],
            fraction: [0.25, 0.5, 0.75][random.below(3) as usize],
            commits,
            aborts,
        };
        // A ray towards a primitive, until floats cannot decide anything about it.
        loop {
            let origin = [0; 3].map(|_| f64::from(random.below(24 * 64)) / 64.0 - 12.0 + 1.0 / 128.0);
            let target = aim(random, scene);
            program.origin = origin;
            program.direction = [0, 1, 2].map(|n| (target[n] - origin[n]) / 4.0);
            let start = if random.chance(50) { 0.0 } else { f64::from(random.below(48)) / 16.0 };
            let length = if random.chance(75) { 40.0 } else { f64::from(1 + random.below(64)) / 16.0 };
            program.range = [start, start + length];
            if trace::is_safe(scene, &program) {
                return program;
            }
        }
    }
}
