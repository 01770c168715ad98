//! Tangled operations: those whose result depends on which lanes execute them together.

use crate::dxil::ir::{Func, InstData};
use crate::dxil::ops::{OpCode, Tangle};
use crate::dxil::program::Program;

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
    /// Finds the tangled operations in the functions that the entry reaches.
    pub fn find(program: &Program, functions: &[Func]) -> Self {
        let mut tangles = Tangles::default();
        for &func in functions {
            for data in program.module.functions[func].insts.values() {
                let InstData::Op { op, .. } = *data else { continue };
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
        }
        tangles
    }

    /// Whether the shader has a tangled operation of any kind.
    pub fn any(self) -> bool {
        self.wave || self.quad || self.gradient || self.barrier
    }
}
