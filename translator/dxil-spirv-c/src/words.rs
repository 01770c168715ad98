//! What the interface wants of the words: the name of the entry point, Invariant positions, and exact
//! arithmetic.
//!
//! In: words of a module with one entry point. Out: the same module with another name or more
//! decorations. What must hold: no other instruction changes, and words that are no module stay.

use std::collections::BTreeSet;
use std::iter;
use std::ops::RangeInclusive;

/// Words of the header of a module.
const HEADER: usize = 5;

/// The opcode of OpEntryPoint.
const ENTRY_POINT: u32 = 15;
/// The opcode of OpVariable.
const VARIABLE: u32 = 59;
/// The opcode of OpDecorate.
const DECORATE: u32 = 71;

/// The opcodes of types, before which decorations stand.
const TYPES: RangeInclusive<u32> = 19..=39;
/// The opcodes of arithmetic with floats that may be contracted: FNegate, FAdd, FSub, FMul, FDiv, FRem,
/// FMod, products of vectors and matrices, Dot.
const ARITHMETIC: [u32; 14] = [127, 129, 131, 133, 136, 140, 141, 142, 143, 144, 145, 146, 147, 148];

/// The storage class Output.
const OUTPUT: u32 = 3;
/// The decoration BuiltIn.
const BUILTIN: u32 = 11;
/// The decoration Invariant.
const INVARIANT: u32 = 18;
/// The decoration NoContraction.
const NO_CONTRACTION: u32 = 42;
/// The builtin Position.
const POSITION: u32 = 0;

/// The instructions of a module, each with its opcode.
fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    iter::from_fn(move || {
        let first = *rest.first()?;
        let (instruction, after) = rest.split_at_checked(((first >> 16) as usize).max(1))?;
        rest = after;
        Some((first & 0xffff, instruction))
    })
}

/// Replaces each instruction for which `replace` has others.
fn replaced(words: &[u32], mut replace: impl FnMut(u32, &[u32]) -> Option<Vec<u32>>) -> Vec<u32> {
    let mut out = words.get(..HEADER).unwrap_or(words).to_vec();
    for (opcode, instruction) in instructions(words) {
        match replace(opcode, instruction) {
            Some(others) => out.extend(others),
            None => out.extend_from_slice(instruction),
        }
    }
    out
}

/// Gives the entry point of a module this name.
pub fn rename(words: &[u32], name: &str) -> Vec<u32> {
    replaced(words, |opcode, instruction| {
        let [_, model, function, rest @ ..] = instruction else { return None };
        if opcode != ENTRY_POINT {
            return None;
        }
        let old = rest.iter().take_while(|word| word.to_le_bytes()[3] != 0).count() + 1;
        let interface = rest.get(old..).unwrap_or_default();
        let bytes: Vec<u8> = name.bytes().chain(iter::repeat_n(0, 4 - name.len() % 4)).collect();
        let name = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let length = 3 + name.len() + interface.len();
        let head = [(length as u32) << 16 | ENTRY_POINT, *model, *function];
        Some(head.into_iter().chain(name).chain(interface.iter().copied()).collect())
    })
}

/// Decorates the positions that the entry point writes as Invariant.
pub fn with_invariant_position(words: &[u32]) -> Vec<u32> {
    let is_output = |id: u32| {
        let is_variable = |(opcode, instruction): (u32, &[u32])| {
            opcode == VARIABLE && matches!(instruction, [_, _, other, class, ..] if *other == id && *class == OUTPUT)
        };
        instructions(words).any(is_variable)
    };
    replaced(words, |opcode, instruction| match instruction {
        [_, id, BUILTIN, POSITION] if opcode == DECORATE && is_output(*id) => {
            Some([instruction, &[3 << 16 | DECORATE, *id, INVARIANT]].concat())
        }
        _ => None,
    })
}

/// Decorates all arithmetic with floats as NoContraction, where it is not yet.
pub fn with_exact_arithmetic(words: &[u32]) -> Vec<u32> {
    let mut results = BTreeSet::new();
    for (opcode, instruction) in instructions(words) {
        match *instruction {
            [_, _, result, ..] if ARITHMETIC.contains(&opcode) => {
                results.insert(result);
            }
            _ => {}
        }
    }
    for (opcode, instruction) in instructions(words) {
        if let ([_, id, NO_CONTRACTION], DECORATE) = (instruction, opcode) {
            results.remove(id);
        }
    }
    let mut decorations: Vec<u32> =
        results.into_iter().flat_map(|result| [3 << 16 | DECORATE, result, NO_CONTRACTION]).collect();
    replaced(words, |opcode, instruction| {
        (TYPES.contains(&opcode) && !decorations.is_empty()).then(|| {
            decorations.extend_from_slice(instruction);
            std::mem::take(&mut decorations)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: [u32; 5] = [0x0723_0203, 0x1_0600, 0, 9, 0];

    /// A module whose only instructions are OpEntryPoint of a name and OpNop.
    fn module(name: [u32; 2]) -> Vec<u32> {
        [&HEAD[..], &[6 << 16 | 15, 5, 1, name[0], name[1], 7, 1 << 16]].concat()
    }

    #[test]
    fn names_are_replaced() {
        let long = module([u32::from_le_bytes(*b"long"), u32::from_le_bytes(*b"est\0")]);
        let main = module([u32::from_le_bytes(*b"main"), 0]);
        assert_eq!(rename(&long, "main"), main);
        assert_eq!(rename(&main, "longest"), long);
        let shorter = rename(&main, "cs");
        assert_eq!(shorter.len(), main.len() - 1);
        assert_eq!(shorter[5], 5 << 16 | 15);
        assert_eq!(rename(&shorter, "main"), main);
    }

    #[test]
    fn positions_become_invariant() {
        let decorate = [4 << 16 | DECORATE, 7, BUILTIN, POSITION];
        let variable = |class| [4 << 16 | VARIABLE, 6, 7, class];
        let written = [&HEAD[..], &decorate, &variable(OUTPUT)].concat();
        let invariant = [&HEAD[..], &decorate, &[3 << 16 | DECORATE, 7, INVARIANT], &variable(OUTPUT)].concat();
        assert_eq!(with_invariant_position(&written), invariant);
        // What a stage reads stays.
        let read = [&HEAD[..], &decorate, &variable(1)].concat();
        assert_eq!(with_invariant_position(&read), read);
    }

    #[test]
    fn arithmetic_becomes_exact() {
        let decorate = [3 << 16 | DECORATE, 8, NO_CONTRACTION];
        let code = [2 << 16 | 19, 1, 5 << 16 | 129, 2, 7, 3, 3, 5 << 16 | 133, 2, 8, 7, 7];
        let before = [&HEAD[..], &decorate, &code].concat();
        let exact = [&HEAD[..], &decorate, &[3 << 16 | DECORATE, 7, NO_CONTRACTION], &code].concat();
        assert_eq!(with_exact_arithmetic(&before), exact);
        assert_eq!(with_exact_arithmetic(&exact), exact);
    }

    #[test]
    fn words_that_are_no_module() {
        for words in [vec![], vec![1], HEAD.to_vec()] {
            assert_eq!(rename(&words, "main"), words);
            assert_eq!(with_invariant_position(&words), words);
            assert_eq!(with_exact_arithmetic(&words), words);
        }
    }
}
