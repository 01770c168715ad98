//! Numbers: arithmetic, bits and conversions of DXIL, and LLVM's operators.
//!
//! In: operands. Out: the ids of results. What must hold: where D3D defines a result that SPIR-V
//! leaves undefined (division by zero, wide shifts, conversions out of range), the result is D3D's.

pub mod arith;
pub mod bits;
pub mod convert;
pub mod index;
pub mod instruction;
pub mod operators;
