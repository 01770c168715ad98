//! Tangled operations: those whose result depends on which lanes execute them together.

use crate::ops::{OpSet, Tangle};

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
        for op in operations.iter() {
            match op.info().tangle {
                Tangle::None => {}
                Tangle::Wave => tangles.wave = true,
                Tangle::Quad => tangles.quad = true,
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
