//! Random programs: a ray with its flags, and code that decides what to do with each candidate.

use crate::vector::Vector;

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
pub(crate) const CODE: usize = 24;
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

impl Program {
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
