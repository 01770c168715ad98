//! Random programs: a ray with its flags, and code that decides what to do with each candidate.

use dxil_test_support::Random;

use crate::scene::Scene;
use crate::trace::{self, Candidate, Vector};

/// HLSL's ray flags.
pub mod flag {
    /// `RAY_FLAG_FORCE_OPAQUE`.
    pub const FORCE_OPAQUE: u32 = 0x1;
    /// `RAY_FLAG_FORCE_NON_OPAQUE`.
    pub const FORCE_NON_OPAQUE: u32 = 0x2;
    /// `RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH`.
    pub const ACCEPT_FIRST: u32 = 0x4;
    /// `RAY_FLAG_SKIP_CLOSEST_HIT_SHADER`, which means nothing to a query.
    pub const SKIP_CLOSEST: u32 = 0x8;
    /// `RAY_FLAG_CULL_BACK_FACING_TRIANGLES`.
    pub const CULL_BACK: u32 = 0x10;
    /// `RAY_FLAG_CULL_FRONT_FACING_TRIANGLES`.
    pub const CULL_FRONT: u32 = 0x20;
    /// `RAY_FLAG_CULL_OPAQUE`.
    pub const CULL_OPAQUE: u32 = 0x40;
    /// `RAY_FLAG_CULL_NON_OPAQUE`.
    pub const CULL_NON_OPAQUE: u32 = 0x80;
    /// `RAY_FLAG_SKIP_TRIANGLES`.
    pub const SKIP_TRIANGLES: u32 = 0x100;
    /// `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES`.
    pub const SKIP_PROCEDURAL: u32 = 0x200;
}

/// The constant flags of the shader's queries, by the kind of a program.
pub const KINDS: [u32; 5] = [
    0,
    flag::FORCE_OPAQUE,
    flag::FORCE_NON_OPAQUE,
    flag::CULL_NON_OPAQUE | flag::CULL_BACK,
    flag::SKIP_PROCEDURAL | flag::ACCEPT_FIRST,
];

/// The most instructions of a program.
const CODE: usize = 24;
/// The words of a program in the shader's buffer.
pub const WORDS: usize = 15 + CODE;

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Which query runs it: an index of [`KINDS`].
    pub kind: usize,
    /// The flags of the ray.
    pub flags: u32,
    /// The mask of the ray, of which eight bits count.
    pub mask: u32,
    /// The order in which two queries take turns.
    pub pattern: u32,
    /// The ray's start and end.
    pub range: [f64; 2],
    /// The ray's origin.
    pub origin: Vector,
    /// The ray's direction.
    pub direction: Vector,
    /// Where a box is hit, between entry and exit.
    pub fraction: f64,
    /// Code that says whether a candidate is committed.
    pub commits: Vec<u32>,
    /// Code that says whether the search ends at a candidate.
    pub aborts: Vec<u32>,
}

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
    trace::moved(&instance.transform, inside, true).map(|coordinate| (coordinate * 64.0).round() / 64.0)
}

/// Whether code says yes to a candidate.
#[must_use]
pub fn says(code: &[u32], candidate: &Candidate) -> bool {
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

    /// All flags of the ray.
    #[must_use]
    pub fn all_flags(&self) -> u32 {
        self.flags | KINDS[self.kind]
    }

    /// The words of the program in the shader's buffer.
    #[must_use]
    pub fn words(&self) -> [u32; WORDS] {
        let float = |number: f64| (number as f32).to_bits();
        let mut words = [0; WORDS];
        let head = [self.kind as u32, self.flags, self.mask, self.pattern];
        let ray = self.range.into_iter().chain(self.origin).chain(self.direction).chain([self.fraction]).map(float);
        let first = self.commits.len() as u32;
        let ends = [first, first + self.aborts.len() as u32];
        let code = self.commits.iter().chain(&self.aborts).copied();
        let all = head.into_iter().chain(ray).chain(ends).chain(code);
        words.iter_mut().zip(all).for_each(|(word, value)| *word = value);
        words
    }
}
