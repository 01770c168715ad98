//! Tangled operations: those whose result depends on which lanes execute them together.

use crate::analysis::reachable::OpSet;
use crate::ops::{OpCode, Tangle};

/// The kinds of tangled operations that a shader has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tangles {
    /// Wave operations.
    pub wave: bool,
    /// Quad operations.
    pub quad: bool,
    /// Derivatives, and samples with implicit derivatives.
    pub gradient: bool,
    /// Barriers that threads wait at.
    pub barrier: bool,
}

impl Tangles {
    /// The kinds of tangled operations among those that the entry reaches.
    pub fn new(operations: OpSet) -> Self {
        let mut tangles = Tangles::default();
        for op in OpCode::all().filter(|&op| operations.has(op)) {
            match op.info().tangle {
                Tangle::None => {}
                Tangle::Wave => match op {
                    OpCode::QuadOp | OpCode::QuadReadLaneAt | OpCode::QuadVote => tangles.quad = true,
                    _ => tangles.wave = true,
                },
                Tangle::Gradient => tangles.gradient = true,
                Tangle::Barrier => tangles.barrier = true,
            }
        }
        tangles
    }

    /// Whether the shader has a tangled operation of any kind.
    pub fn any(self) -> bool {
        self.wave || self.quad || self.gradient || self.barrier
    }
}
