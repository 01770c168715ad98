//! Faults of a compiler, made in SPIR-V before the driver gets it.
//!
//! In: a module. Out: the module with one fault, or nothing if it has no place for it. What must
//! hold: the result is valid, so that only running it shows the fault.

use std::collections::BTreeMap;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use rspirv::spirv::Op;

use crate::words::{HEADER, instructions};

/// The module without its barriers.
pub fn without_barriers(words: &[u32]) -> Option<Vec<u32>> {
    let is_barrier = |opcode: u32| opcode == Op::ControlBarrier as u32;
    if !instructions(words).any(|(_, opcode, _)| is_barrier(opcode)) {
        return None;
    }
    let mut kept = words[..HEADER].to_vec();
    for (at, opcode, length) in instructions(words) {
        if !is_barrier(opcode) {
            kept.extend_from_slice(&words[at..at + length]);
        }
    }
    Some(kept)
}

/// The module with the operands of its last subtraction or division swapped. The last one is
/// nearest to what is written.
pub fn with_swapped_operands(words: &[u32]) -> Option<Vec<u32>> {
    let swappable = [Op::FSub, Op::ISub, Op::FDiv, Op::UDiv, Op::SDiv].map(|op| op as u32);
    // The type, the result, and two operands follow the first word.
    let fits = |(at, opcode, length): &(usize, u32, usize)| {
        swappable.contains(opcode) && *length == 5 && words[at + 3] != words[at + 4]
    };
    let (at, ..) = instructions(words).filter(fits).last()?;
    let mut swapped = words.to_vec();
    swapped.swap(at + 3, at + 4);
    Some(swapped)
}

/// The types of a module's results, and of its vectors and constants.
struct Types {
    /// The type of each result.
    of: BTreeMap<u32, u32>,
    vectors: BTreeMap<u32, u32>,
    /// The constants of 32 bits: the type and the value of each.
    constants: BTreeMap<u32, (u32, u32)>,
}

impl Types {
    fn read(words: &[u32]) -> Self {
        let mut types = Self { of: BTreeMap::new(), vectors: BTreeMap::new(), constants: BTreeMap::new() };
        for (at, opcode, length) in instructions(words) {
            let found = Op::from_u32(opcode).map(|op| INSTRUCTION_TABLE.get(op));
            let has_type =
                found.is_some_and(|it| it.operands.first().is_some_and(|it| it.kind == OperandKind::IdResultType));
            if has_type && length > 2 {
                types.of.insert(words[at + 2], words[at + 1]);
            }
            if opcode == Op::TypeVector as u32 && length == 4 {
                types.vectors.insert(words[at + 1], words[at + 3]);
            }
            if opcode == Op::Constant as u32 && length == 4 {
                types.constants.insert(words[at + 2], (words[at + 1], words[at + 3]));
            }
        }
        types
    }
}

/// The module in which the last addition or multiplication with a constant has another constant of
/// the module.
pub fn with_another_constant(words: &[u32]) -> Option<Vec<u32>> {
    let arithmetic = [Op::IAdd, Op::FAdd, Op::IMul, Op::FMul].map(|op| op as u32);
    let types = Types::read(words);
    let replaced = |operand: u32| {
        let (ty, value) = types.constants.get(&operand)?;
        let other = types.constants.iter().find(|(_, (other, number))| other == ty && number != value)?;
        Some(*other.0)
    };
    let places = instructions(words).filter(|(_, opcode, length)| arithmetic.contains(opcode) && *length == 5);
    let (place, other) =
        places.flat_map(|(at, ..)| [at + 3, at + 4]).filter_map(|at| Some((at, replaced(words[at])?))).last()?;
    let mut changed = words.to_vec();
    changed[place] = other;
    Some(changed)
}

/// The module in which the last component that is taken of a vector is another one.
pub fn with_another_component(words: &[u32]) -> Option<Vec<u32>> {
    let types = Types::read(words);
    let size = |vector: u32| types.vectors.get(types.of.get(&vector)?).copied();
    let extracts = instructions(words).filter(|it| it.1 == Op::CompositeExtract as u32 && it.2 == 5);
    let places = extracts.filter_map(|(at, ..)| Some((at + 4, size(words[at + 3])?)).filter(|(_, size)| *size > 1));
    let (place, _) = places.last()?;
    let mut changed = words.to_vec();
    changed[place] = if changed[place] == 0 { 1 } else { changed[place] - 1 };
    Some(changed)
}

/// The module in which the counter of the last loop that compares its counter begins with its step,
/// so that a loop from zero on does one step less.
pub fn with_another_start(words: &[u32]) -> Option<Vec<u32>> {
    let types = Types::read(words);
    let phis: BTreeMap<u32, (usize, usize)> = instructions(words)
        .filter(|it| it.1 == Op::Phi as u32)
        .map(|(at, _, length)| (words[at + 2], (at, length)))
        .collect();
    // The counters and their steps, by the counter and by its next value.
    let mut counters = BTreeMap::new();
    for (at, ..) in instructions(words).filter(|it| it.1 == Op::IAdd as u32 && it.2 == 5) {
        for (counter, step) in [(words[at + 3], words[at + 4]), (words[at + 4], words[at + 3])] {
            if phis.contains_key(&counter) && types.constants.contains_key(&step) {
                counters.insert(counter, (counter, step));
                counters.insert(words[at + 2], (counter, step));
            }
        }
    }
    let start = |operand: u32| {
        let (counter, step) = *counters.get(&operand)?;
        let (at, length) = *phis.get(&counter)?;
        let mut values = (at + 3..at + length).step_by(2);
        let place = values.find(|place| types.constants.contains_key(&words[*place]) && words[*place] != step)?;
        Some((place, step))
    };
    let compares = Op::IEqual as u32..=Op::SLessThanEqual as u32;
    let comparisons = instructions(words).filter(|it| compares.contains(&it.1) && it.2 == 5);
    let (place, step) = comparisons.flat_map(|(at, ..)| [words[at + 3], words[at + 4]]).filter_map(start).last()?;
    let mut changed = words.to_vec();
    changed[place] = step;
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBTRACT: u32 = 5 << 16 | Op::ISub as u32;
    const BARRIER: u32 = 4 << 16 | Op::ControlBarrier as u32;
    const RETURN: u32 = 1 << 16 | Op::Return as u32;

    #[test]
    fn barriers_are_taken_out_and_the_last_operands_are_swapped() {
        let header = [0x0723_0203, 0x0001_0300, 0, 20, 0];
        let body = [SUBTRACT, 1, 2, 3, 4, BARRIER, 5, 5, 6, SUBTRACT, 1, 7, 8, 9, SUBTRACT, 1, 10, 8, 8, RETURN];
        let words = [&header[..], &body].concat();
        let without = without_barriers(&words).unwrap();
        assert_eq!(without[5..], [&body[..5], &body[9..]].concat());
        assert_eq!(without_barriers(&without), None);
        let swapped = with_swapped_operands(&words).unwrap();
        assert_eq!(swapped[5 + 9..5 + 14], [SUBTRACT, 1, 7, 9, 8]);
        // A loop that compares the next value of its counter, and a vector.
        let (sum, compare) = (5 << 16 | Op::IAdd as u32, 5 << 16 | Op::IEqual as u32);
        let constant = 4 << 16 | Op::Constant as u32;
        let constants = [constant, 1, 20, 0, constant, 1, 21, 1];
        let counted = [7 << 16 | Op::Phi as u32, 1, 2, 20, 30, 5, 31, sum, 1, 5, 2, 21, compare, 7, 8, 5, 9];
        let looped = [&header[..], &constants, &counted].concat();
        assert_eq!(with_another_start(&looped).unwrap()[13..18], [7 << 16 | Op::Phi as u32, 1, 2, 21, 30]);
        assert_eq!(with_another_start(&words), None);
        let (vector, load, extract) =
            (4 << 16 | Op::TypeVector as u32, 4 << 16 | Op::Load as u32, 5 << 16 | Op::CompositeExtract as u32);
        let taken = [&header[..], &[vector, 2, 1, 4, load, 2, 3, 9, extract, 1, 4, 3, 2, RETURN]].concat();
        assert_eq!(with_another_component(&taken).unwrap()[13..], [extract, 1, 4, 3, 1, RETURN]);
        let multiply = 5 << 16 | Op::IMul as u32;
        let folded = [&header[..], &[constant, 1, 2, 5, constant, 1, 3, 7, multiply, 1, 4, 9, 3, RETURN]].concat();
        assert_eq!(with_another_constant(&folded).unwrap()[13..], [multiply, 1, 4, 9, 2, RETURN]);
        // An instruction that is longer than the rest of the module ends the search.
        assert_eq!(with_swapped_operands(&[&header[..], &[9 << 16 | 130, 1]].concat()), None);
    }
}
