//! The range of a float, by the operations that compute it.
//!
//! In: a verified function. Out, on demand: the range of a scalar of 32 or 64 bits. What must hold:
//! in every execution that reaches its definition, the value is within the range, or it is NaN and
//! the range says so. Guards of conversions and of `frc` are left out where the range proves that
//! they change nothing, so a range that is too narrow gives wrong results.
//!
//! The proofs, operation by operation:
//!
//! - Sums, differences and products are rounded correctly (Vulkan, "Precision of Individual
//!   Operations"), and rounding is monotonic, so the rounded bounds bound the rounded result. A
//!   product that is fused with a sum is closer to the exact one. They are NaN if an operand is,
//!   for ∞ − ∞ and for 0 · ∞. Quotients have an error of 2.5 ULP for divisors from 2⁻¹²⁶ to 2¹²⁶.
//! - Each bound is moved outwards by [`ERROR`], which is more than these errors. A bound of zero
//!   stays: operands of one sign give results of one sign.
//! - A denormal number may be flushed to zero, so a bound that is a denormal number becomes zero.
//! - `min`, `max` and `saturate` give the operand that is not NaN (D3D11.3 functional
//!   specification, `min`), so one such operand suffices; `saturate` of NaN is 0.
//! - `frc` is from 0 to 1, and NaN for infinity; a rounded number is between its neighbours; a
//!   square root is not negative, and NaN for negative numbers.
//! - An integer that is converted is between its least and its largest known bits.
//! - The coordinates of a pixel, SV_Position's x and y, are within the framebuffer, whose sides
//!   have at most [`FRAMEBUFFER`] pixels.
//!
//! Everything else may have any value: parameters of blocks, what is loaded, and 16-bit floats.

use crate::analysis::known_bits::KnownBits;
use crate::ir::args::{self, Args};
use crate::ir::declarations::Signature;
use crate::ir::{BinaryOp, CastOp, ConstKind, Function, InstData, Module, Type, Value};
use crate::ops::OpCode;
use crate::ops::consts::SemanticKind;

/// How many operations are looked through.
const DEPTH: u32 = 8;

/// A relative error that no operation reaches.
const ERROR: f64 = 1e-5;

/// More pixels than a side of a framebuffer has. D3D has at most 16384 (D3D11.3 functional
/// specification, "D3D11_REQ_TEXTURE2D_U_OR_V_DIMENSION"); devices have up to 32768.
const FRAMEBUFFER: f64 = 16_777_216.0;

/// The numbers that a float may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatRange {
    /// The least of them, which may be −∞.
    pub low: f64,
    /// The largest of them, which may be ∞.
    pub high: f64,
    /// Whether it may also be NaN.
    pub nan: bool,
}

impl FloatRange {
    /// Any number or NaN.
    pub const ANY: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };

    /// Numbers, and no NaN.
    fn numbers(low: f64, high: f64) -> Self {
        Self { low, high, nan: false }
    }

    fn or_nan(self, nan: bool) -> Self {
        Self { nan: self.nan || nan, ..self }
    }

    fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The numbers of both ranges.
    fn either(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), nan: self.nan || other.nan }
    }

    /// The range of a result whose exact bounds these are.
    fn rounded(low: f64, high: f64, nan: bool) -> Self {
        /// The least normal number and the largest number of 32 bits.
        const LEAST: f64 = f32::MIN_POSITIVE as f64;
        const MOST: f64 = f32::MAX as f64;
        let outwards = |bound: f64, down: bool| match bound {
            _ if bound.is_nan() => Err(()),
            _ if bound.abs() <= LEAST * 2.0 => Ok(match (bound < 0.0, down) {
                (true, true) => -LEAST * 4.0,
                (false, false) if bound > 0.0 => LEAST * 4.0,
                _ => 0.0,
            }),
            _ => {
                let away = bound * if (bound < 0.0) == down { 1.0 + ERROR } else { 1.0 - ERROR };
                Ok(match away {
                    _ if away > MOST => {
                        if down {
                            MOST
                        } else {
                            f64::INFINITY
                        }
                    }
                    _ if away < -MOST => {
                        if down {
                            f64::NEG_INFINITY
                        } else {
                            -MOST
                        }
                    }
                    _ => away,
                })
            }
        };
        match (outwards(low, true), outwards(high, false)) {
            (Ok(low), Ok(high)) => Self { low, high, nan },
            _ => Self::ANY,
        }
    }

    fn add(self, other: Self) -> Self {
        let nan = self.nan || other.nan || !self.is_finite() && !other.is_finite();
        Self::rounded(self.low + other.low, self.high + other.high, nan)
    }

    fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low, nan: self.nan }
    }

    fn mul(self, other: Self) -> Self {
        // Zero times infinity is NaN, which makes the bounds unknown.
        let all = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        if all.iter().any(|bound| bound.is_nan()) {
            let low = if self.low >= 0.0 && other.low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
            return Self { low, ..Self::ANY };
        }
        let nan = self.nan || other.nan || !self.is_finite() || !other.is_finite();
        Self::rounded(
            all.into_iter().fold(f64::INFINITY, f64::min),
            all.into_iter().fold(f64::NEG_INFINITY, f64::max),
            nan,
        )
    }

    fn div(self, by: Self) -> Self {
        /// Divisors whose quotients have a known error: well within the numbers of 32 bits.
        const DIVISORS: std::ops::RangeInclusive<f64> = 1e-30..=1e30;
        let magnitudes = if by.low > 0.0 { by } else { by.negated() };
        if by.nan || !DIVISORS.contains(&magnitudes.low) || !DIVISORS.contains(&magnitudes.high) || !self.is_finite() {
            return Self::ANY;
        }
        self.mul(Self::numbers(1.0 / by.high, 1.0 / by.low))
    }

    fn abs(self) -> Self {
        let most = self.low.abs().max(self.high.abs());
        let least = if self.low > 0.0 {
            self.low
        } else if self.high < 0.0 {
            -self.high
        } else {
            0.0
        };
        Self { low: least, high: most, nan: self.nan }
    }

    /// The minimum; `max` is that of the negated operands, negated.
    fn min(self, other: Self) -> Self {
        let both = Self::numbers(self.low.min(other.low), self.high.min(other.high));
        let first = if other.nan { both.either(self) } else { both };
        let all = if self.nan { first.either(other) } else { first };
        Self { nan: self.nan && other.nan, ..all }
    }

    fn sqrt(self) -> Self {
        let nan = self.nan || self.low < 0.0;
        let root = Self::rounded(self.low.max(0.0).sqrt(), self.high.max(0.0).sqrt(), nan);
        Self { low: if self.low.is_normal() { root.low } else { 0.0 }, ..root }
    }
}

/// The ranges of the floats of one function.
pub struct FloatRanges<'a> {
    module: &'a Module,
    function: &'a Function,
    /// The inputs of a pixel shader.
    pixel: Option<&'a Signature>,
    /// What was found of locals until now.
    ranges: Vec<FloatRange>,
    /// By local: its place in `ranges`, counted from one; zero for one that was not looked at.
    /// Empty before the first query.
    places: Vec<u32>,
}

impl<'a> FloatRanges<'a> {
    /// The state before the first query; with the inputs, if the function is a pixel shader's.
    pub fn new(module: &'a Module, function: &'a Function, pixel: Option<&'a Signature>) -> Self {
        FloatRanges { module, function, pixel, ranges: Vec::new(), places: Vec::new() }
    }

    /// The range of a value. Nothing is known of one that is not a scalar of 32 or 64 bits. Each
    /// value is looked at once, so all queries of a function together cost time linear in its size.
    pub fn range(&mut self, value: Value, known: &mut KnownBits<'_>) -> FloatRange {
        self.within(value, known, DEPTH)
    }

    fn within(&mut self, value: Value, known: &mut KnownBits<'_>, depth: u32) -> FloatRange {
        if !matches!(self.module.types[self.module.type_of(self.function, value)], Type::Float(32 | 64)) {
            return FloatRange::ANY;
        }
        let Some(local) = value.as_local() else { return self.constant(value) };
        if self.places.is_empty() {
            self.places.resize(self.function.locals.len(), 0);
        }
        let found = self.places.get(local).and_then(|place| (*place as usize).checked_sub(1));
        if let Some(&found) = found.and_then(|place| self.ranges.get(place)) {
            return found;
        }
        let range = match (self.function.def_inst(value), depth.checked_sub(1)) {
            (Some((_, &data)), Some(depth)) => self.result(&data, known, depth),
            _ => FloatRange::ANY,
        };
        self.ranges.push(range);
        if let Some(place) = self.places.get_mut(local) {
            *place = self.ranges.len() as u32;
        }
        range
    }

    /// The number that a constant is.
    fn constant(&self, value: Value) -> FloatRange {
        let Some(constant) = value.as_const().map(|constant| &self.module.consts[constant]) else {
            return FloatRange::ANY;
        };
        let number = match (&constant.kind, &self.module.types[constant.ty]) {
            (ConstKind::Null, _) => 0.0,
            (&ConstKind::Float(bits), Type::Float(32)) => f64::from(f32::from_bits(bits as u32)),
            (&ConstKind::Float(bits), Type::Float(64)) => f64::from_bits(bits),
            _ => return FloatRange::ANY,
        };
        match number {
            _ if number.is_nan() => FloatRange::ANY,
            _ if number.is_infinite() => FloatRange::numbers(number, number),
            _ => FloatRange::rounded(number, number, false),
        }
    }

    /// The range of an instruction's result.
    fn result(&mut self, data: &InstData, known: &mut KnownBits<'_>, depth: u32) -> FloatRange {
        match *data {
            InstData::Binary { op: BinaryOp::FMul, lhs, rhs, .. } if lhs == rhs => {
                let magnitude = self.within(lhs, known, depth).abs();
                FloatRange { low: 0.0, ..magnitude.mul(magnitude) }
            }
            InstData::Binary { op, lhs, rhs, .. } => {
                let combine: fn(FloatRange, FloatRange) -> FloatRange = match op {
                    BinaryOp::FAdd => FloatRange::add,
                    BinaryOp::FSub => |a: FloatRange, b: FloatRange| a.add(b.negated()),
                    BinaryOp::FMul => FloatRange::mul,
                    BinaryOp::FDiv => FloatRange::div,
                    _ => return FloatRange::ANY,
                };
                self.both([lhs, rhs], known, depth, combine)
            }
            InstData::Select { then, otherwise, .. } => self.both([then, otherwise], known, depth, FloatRange::either),
            InstData::Cast { op, value } => match op {
                CastOp::FpExt => self.within(value, known, depth),
                CastOp::UiToFp | CastOp::SiToFp => self.converted(op == CastOp::SiToFp, value, known),
                _ => FloatRange::ANY,
            },
            InstData::Op { op, args, .. } => self.operation(op, self.function.list(args), known, depth),
            _ => FloatRange::ANY,
        }
    }

    /// The range of a result by those of two operands. If one may be anything, so may the result,
    /// and the other is not looked at.
    fn both(
        &mut self,
        [first, second]: [Value; 2],
        known: &mut KnownBits<'_>,
        depth: u32,
        combine: impl Fn(FloatRange, FloatRange) -> FloatRange,
    ) -> FloatRange {
        match self.within(first, known, depth) {
            FloatRange::ANY => FloatRange::ANY,
            range => combine(range, self.within(second, known, depth)),
        }
    }

    /// The range of an integer that is converted.
    fn converted(&self, signed: bool, value: Value, known: &mut KnownBits<'_>) -> FloatRange {
        let Type::Int(width) = self.module.types[self.module.type_of(self.function, value)] else {
            return FloatRange::ANY;
        };
        let most = known.bits(value).most();
        match signed && most >> (width.max(1) - 1) & 1 != 0 {
            true => {
                let half = 2f64.powi(i32::from(width) - 1);
                FloatRange::rounded(-half, half, false)
            }
            false => FloatRange::rounded(0.0, most as f64, false),
        }
    }

    fn operation(&mut self, op: OpCode, args: &[Value], known: &mut KnownBits<'_>, depth: u32) -> FloatRange {
        let is_pixel = op == OpCode::LoadInput && self.is_pixel(args);
        let mut operand = |n: usize| args.get(n).map_or(FloatRange::ANY, |&value| self.within(value, known, depth));
        match op {
            OpCode::LoadInput if is_pixel => FloatRange::numbers(0.0, FRAMEBUFFER),
            OpCode::Saturate => FloatRange::numbers(0.0, 1.0),
            OpCode::FMin => operand(0).min(operand(1)),
            OpCode::FMax => operand(0).negated().min(operand(1).negated()).negated(),
            OpCode::FMad => match operand(2) {
                FloatRange::ANY => FloatRange::ANY,
                sum => operand(0).mul(operand(1)).add(sum),
            },
            OpCode::Frc => {
                let whole = operand(0);
                FloatRange::numbers(0.0, 1.0).or_nan(whole.nan || !whole.is_finite())
            }
            OpCode::FAbs => operand(0).abs(),
            OpCode::Sqrt => operand(0).sqrt(),
            OpCode::Round_ne | OpCode::Round_ni | OpCode::Round_pi | OpCode::Round_z => {
                let exact = operand(0);
                FloatRange { low: exact.low.floor(), high: exact.high.ceil(), nan: exact.nan }
            }
            _ => FloatRange::ANY,
        }
    }

    /// Whether an input is the x or y of a pixel's position.
    fn is_pixel(&self, operands: &[Value]) -> bool {
        let number = |value| self.module.const_uint(value);
        let (Some(inputs), Some(input)) = (self.pixel, args::LoadInput::view(operands)) else { return false };
        let (id, column) = (number(input.input_sig_id), number(input.col_index));
        let element = inputs.elements.iter().find(|element| Some(u64::from(element.id)) == id);
        element.is_some_and(|element| element.semantic == SemanticKind::Position) && column.is_some_and(|n| n < 2)
    }
}

#[cfg(test)]
mod tests;
