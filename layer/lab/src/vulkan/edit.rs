//! Faults of a compiler, made in SPIR-V before the driver gets it.
//!
//! In: a module. Out: the module with one fault, or nothing if it has no place for it. What must hold: the
//! result is valid, so that only running it shows the fault.

use rspirv::spirv::Op;

/// The words before the first instruction (SPIR-V, 2.3).
const HEADER: usize = 5;

/// The instructions of a module: where each begins, its opcode, and its length in words.
fn instructions(words: &[u32]) -> impl Iterator<Item = (usize, u32, usize)> + '_ {
    let mut at = HEADER;
    std::iter::from_fn(move || {
        let first = *words.get(at)?;
        let (opcode, length) = (first & 0xffff, (first >> 16) as usize);
        if length == 0 || at + length > words.len() {
            return None;
        }
        at += length;
        Some((at - length, opcode, length))
    })
}

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

/// The module with the operands of its last subtraction or division swapped. The last one is nearest to
/// what is written.
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
        // An instruction that claims to be longer than the module ends the search.
        assert_eq!(with_swapped_operands(&[&header[..], &[9 << 16 | 130, 1]].concat()), None);
    }
}
