//! Numbers: DXIL's arithmetic, bit operations and conversions, and LLVM's operators.
//!
//! In: operands. Out: the ids of results. What must hold: if D3D defines a result that SPIR-V
//! leaves undefined (division by zero, shifts by the width or more, conversions out of range), the
//! result is D3D's.

pub mod arith;
pub mod bits;
pub mod convert;
pub mod index;
pub mod instruction;
pub mod operators;
