//! Rules of Vulkan that the validator does not hold a module to.
//!
//! In: a valid module. Out: the first rule that it breaks. What must hold: a rule is one that the
//! specification states, or that a driver of the table of quirks depends on.

use std::collections::HashMap;

use dxil_test_support::spirv::instructions;
use rspirv::spirv::{Decoration, Op, StorageClass};

/// The decorations by which the block types of buffer variables are distinguished
/// (`block-types-by-access` in docs/quirks.md).
const ACCESS: [Decoration; 2] = [Decoration::NonWritable, Decoration::Coherent];

/// The first rule that a valid module breaks.
#[must_use]
pub fn broken(words: &[u32]) -> Option<String> {
    let mut decorated: HashMap<u32, [bool; ACCESS.len()]> = HashMap::new();
    // What a pointer type points to, and an array type has.
    let mut inside: HashMap<u32, u32> = HashMap::new();
    let mut blocks: HashMap<u32, [bool; ACCESS.len()]> = HashMap::new();
    for (op, operands) in instructions(words) {
        match (op, operands) {
            (op, [_, id, ..]) if [Op::SRem as u32, Op::SMod as u32].contains(&op) => {
                return Some(format!(
                    "%{id} is a signed remainder, which Vulkan leaves undefined for negative operands"
                ));
            }
            (op, &[id, decoration, ..]) if op == Op::Decorate as u32 => {
                if let Some(place) = ACCESS.iter().position(|&known| known as u32 == decoration) {
                    decorated.entry(id).or_default()[place] = true;
                }
            }
            (op, &[id, _, pointee]) if op == Op::TypePointer as u32 => drop(inside.insert(id, pointee)),
            (op, &[id, element, ..]) if [Op::TypeArray as u32, Op::TypeRuntimeArray as u32].contains(&op) => {
                inside.insert(id, element);
            }
            (op, &[pointer, id, class, ..])
                if op == Op::Variable as u32 && class == StorageClass::StorageBuffer as u32 =>
            {
                let mut block = pointer;
                while let Some(&within) = inside.get(&block) {
                    block = within;
                }
                let access = decorated.get(&id).copied().unwrap_or_default();
                if *blocks.entry(block).or_insert(access) != access {
                    return Some(format!("%{id} has the block type %{block} of a variable with other decorations"));
                }
            }
            _ => {}
        }
    }
    None
}
