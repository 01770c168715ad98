//! Integers by which shaders index arrays of descriptors.
//!
//! In: an instruction, and what its operands are. Out: what its result is: the sum of a word of
//! memory and of a number between two bounds. What must hold: what is not known to be so is
//! nothing.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, Word};

/// Words of a variable: one at an offset, or one at each of so many bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WordPlace {
    /// The variable.
    pub variable: Word,
    /// The offset in bytes.
    pub offset: u32,
    /// The distance in bytes.
    pub every: Option<u32>,
}

/// The sum of a word of memory, if there is one, and of a number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sum {
    /// The words that the first may be; none for a sum of the number alone.
    pub words: Vec<WordPlace>,
    /// The smallest number.
    pub low: i64,
    /// The largest number.
    pub high: i64,
}

/// The largest number that is followed: an array has fewer descriptors.
const LARGEST: i64 = 1 << 24;
/// A number that is not followed.
const BEYOND: i64 = LARGEST + 1;
/// The most words that one value may be.
const WAYS: usize = 16;
/// The number of `UMin` in GLSL.std.450.
const UMIN: u32 = 38;

/// What the result of an instruction is, if its operands tell.
pub fn evaluate(instruction: &Instruction, operand: impl Fn(Word) -> Option<Sum>) -> Option<Sum> {
    let ids: Vec<Word> = instruction.operands.iter().filter_map(Operand::id_ref_any).collect();
    let sums = || Some((operand(*ids.first()?), operand(*ids.get(1)?)));
    let found = match instruction.class.opcode {
        Op::CopyObject | Op::Bitcast => operand(*ids.first()?)?,
        Op::IAdd => match sums()? {
            (Some(a), Some(b)) => plus(a, b)?,
            _ => return None,
        },
        Op::ISub => match sums()? {
            (Some(a), Some(b)) if b.words.is_empty() => plus(a, Sum { words: Vec::new(), low: -b.high, high: -b.low })?,
            _ => return None,
        },
        Op::UMod => remainder(sums()?)?,
        Op::BitwiseAnd => {
            let (a, b) = sums()?;
            let is_constant = |sum: &Option<Sum>| sum.as_ref().and_then(Sum::constant).is_some();
            masked(if is_constant(&a) { (b, a) } else { (a, b) })?
        }
        // Compilers make an addition of it where no bit is in both.
        Op::BitwiseOr => match sums()? {
            (Some(a), Some(b)) if a.is_apart_from(&b) || b.is_apart_from(&a) => plus(a, b)?,
            _ => return None,
        },
        // A shift by more bits than a word has is undefined.
        Op::ShiftRightLogical => scaled(sums()?, |number, bits| if bits < 32 { number >> bits } else { BEYOND })?,
        Op::ShiftLeftLogical => scaled(sums()?, |number, bits| if bits < 32 { number << bits } else { BEYOND })?,
        Op::UDiv => scaled(sums()?, |number, by| number / by.max(1))?,
        Op::IMul => {
            let (a, b) = sums()?;
            let is_first = a.as_ref().and_then(Sum::constant).is_some();
            scaled(if is_first { (b, a) } else { (a, b) }, |number, by| number * by)?
        }
        // The first operand is the condition.
        Op::Select => either(operand(*ids.get(1)?)?, operand(*ids.get(2)?)?)?,
        // Values, each followed by the block that it comes from.
        Op::Phi => {
            let mut ways = ids.iter().step_by(2).map(|id| operand(*id));
            let first = ways.next()??;
            ways.try_fold(first, |sum, way| either(sum, way?))?
        }
        Op::ExtInst if matches!(instruction.operands.get(1), Some(Operand::LiteralExtInstInteger(UMIN))) => {
            smaller(operand(*ids.get(1)?), operand(*ids.get(2)?))?
        }
        _ => return None,
    };
    (found.low >= -LARGEST && found.high <= LARGEST && found.words.len() <= WAYS).then_some(found)
}

impl Sum {
    fn range(low: i64, high: i64) -> Self {
        Self { words: Vec::new(), low, high }
    }

    /// The number, if it is one.
    fn constant(&self) -> Option<i64> {
        (self.words.is_empty() && self.low == self.high).then_some(self.low)
    }

    /// Whether no bit is in this constant and in the other number.
    fn is_apart_from(&self, other: &Self) -> bool {
        let above = u64::try_from(other.high).map_or(0, |high| (high + 1).next_power_of_two());
        let is_multiple = |it: i64| u64::try_from(it).is_ok_and(|it| it.is_multiple_of(above));
        other.is_number() && self.constant().is_some_and(is_multiple)
    }

    /// Whether it is nothing but zero.
    pub fn is_zero(&self) -> bool {
        self.constant() == Some(0)
    }

    fn is_number(&self) -> bool {
        self.words.is_empty() && self.low >= 0
    }
}

fn plus(a: Sum, b: Sum) -> Option<Sum> {
    if !a.words.is_empty() && !b.words.is_empty() {
        return None;
    }
    Some(Sum { words: [a.words, b.words].concat(), low: a.low + b.low, high: a.high + b.high })
}

fn remainder((a, b): (Option<Sum>, Option<Sum>)) -> Option<Sum> {
    let divisor = b?.constant().filter(|it| *it > 0)?;
    Some(a.filter(|it| it.is_number() && it.high < divisor).unwrap_or_else(|| Sum::range(0, divisor - 1)))
}

/// Bits of a number. Words are small, so that the lowest bits of one are the whole.
fn masked((a, b): (Option<Sum>, Option<Sum>)) -> Option<Sum> {
    const LOWEST: i64 = 0xff;
    let mask = b?.constant().filter(|it| *it >= 0)?;
    let is_whole = mask & LOWEST == LOWEST && mask & (mask + 1) == 0;
    let kept =
        a.filter(
            |it| if it.words.is_empty() { it.low >= 0 && it.high <= mask && mask & (mask + 1) == 0 } else { is_whole },
        );
    Some(kept.unwrap_or_else(|| Sum::range(0, mask)))
}

fn scaled((a, b): (Option<Sum>, Option<Sum>), scale: impl Fn(i64, i64) -> i64) -> Option<Sum> {
    let (a, by) = (a?, b?.constant().filter(|it| (0..=LARGEST).contains(it))?);
    a.is_number().then(|| Sum::range(scale(a.low, by), scale(a.high, by)))
}

/// One of two. Where one has a word and the other is zero, the other is what a check of bounds
/// gives.
fn either(a: Sum, b: Sum) -> Option<Sum> {
    match (a.words.is_empty(), b.words.is_empty()) {
        (true, true) => Some(Sum::range(a.low.min(b.low), a.high.max(b.high))),
        (false, true) if b.is_zero() => Some(a),
        (true, false) if a.is_zero() => Some(b),
        (false, false) if (a.low, a.high) == (b.low, b.high) => {
            Some(Sum { words: [a.words, b.words].concat(), low: a.low, high: a.high })
        }
        _ => None,
    }
}

/// The smaller one of two. A word is small already.
fn smaller(a: Option<Sum>, b: Option<Sum>) -> Option<Sum> {
    let limit = |sum: &Option<Sum>| sum.as_ref().filter(|it| it.is_number()).map(|it| it.high);
    match (limit(&a), limit(&b)) {
        (Some(first), Some(second)) => Some(Sum::range(0, first.min(second))),
        (Some(most), None) => Some(b.filter(|it| !it.words.is_empty()).unwrap_or_else(|| Sum::range(0, most))),
        (None, Some(most)) => Some(a.filter(|it| !it.words.is_empty()).unwrap_or_else(|| Sum::range(0, most))),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_two(op: Op, a: Option<Sum>, b: Option<Sum>) -> Option<Sum> {
        let operands = vec![Operand::IdRef(1), Operand::IdRef(2)];
        evaluate(&Instruction::new(op, None, Some(3), operands), |id| if id == 1 { a.clone() } else { b.clone() })
    }

    #[test]
    fn sums_keep_their_word_and_their_bounds() {
        let word = Sum { words: vec![WordPlace { variable: 9, offset: 4, every: None }], low: 0, high: 0 };
        let number = |low, high| Some(Sum::range(low, high));
        let found = of_two(Op::IAdd, Some(word.clone()), number(-1, -1)).unwrap();
        assert_eq!((&found.words, found.low, found.high), (&word.words, -1, -1));
        assert_eq!(of_two(Op::ISub, number(8, 9), number(1, 2)), number(6, 8));
        assert_eq!(of_two(Op::IAdd, Some(word.clone()), Some(word.clone())), None);
        assert_eq!(of_two(Op::UMod, None, number(4, 4)), number(0, 3));
        assert_eq!(of_two(Op::BitwiseAnd, number(3, 3), None), number(0, 3));
        assert_eq!(of_two(Op::BitwiseAnd, Some(word.clone()), number(0xffff, 0xffff)), Some(word.clone()));
        assert_eq!(of_two(Op::BitwiseAnd, Some(word.clone()), number(3, 3)), number(0, 3));
        assert_eq!(of_two(Op::ShiftRightLogical, number(0, 7), number(2, 2)), number(0, 1));
        assert_eq!(of_two(Op::ShiftLeftLogical, number(1, 1), number(40, 40)), None);
        assert_eq!(of_two(Op::IMul, number(4, 4), number(0, 3)), number(0, 12));
        assert_eq!(of_two(Op::IMul, number(LARGEST, LARGEST), number(2, 2)), None);
        assert_eq!(of_two(Op::UDiv, number(0, 9), number(0, 0)), number(0, 9));
        // A value that a loop changes has one way that is not known yet.
        let phi = |second: Option<Sum>| {
            let operands = [1, 5, 2, 6].map(Operand::IdRef).to_vec();
            evaluate(&Instruction::new(Op::Phi, None, Some(3), operands), |id| {
                if id == 1 { number(0, 0) } else { second.clone() }
            })
        };
        assert_eq!(phi(None), None);
        assert_eq!(phi(Some(word.clone())), Some(word.clone()));
        assert_eq!(of_two(Op::BitwiseOr, number(0, 3), number(12, 12)), number(12, 15));
        assert_eq!(of_two(Op::BitwiseOr, number(0, 3), number(2, 2)), None);
        assert_eq!(of_two(Op::BitwiseOr, Some(word), number(12, 12)), None);
        assert_eq!(phi(number(3, 3)), number(0, 3));
    }
}
