//! Choices: block parameters and selects of values that SPIR-V cannot choose between, and the sets of
//! them that have to be rewritten together.
//!
//! In: the choices of a function, each with the choices among its operands. Out: the connected sets.
//! [`pointers`](super::pointers) and [`passes::handles`](crate::passes) rewrite them.

use std::collections::BTreeMap;

use crate::ir::Value;

/// The sets of choices that are operands of one another, as lists of their numbers, ordered by the
/// first number. An operand that is not among the choices is left out.
pub fn connected<I: IntoIterator<Item = Value>>(choices: impl Iterator<Item = (Value, I)>) -> Vec<Vec<usize>> {
    let (values, operands): (Vec<Value>, Vec<I>) = choices.unzip();
    let number: BTreeMap<Value, usize> = values.iter().enumerate().map(|(i, &value)| (value, i)).collect();
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); values.len()];
    for (i, operands) in operands.into_iter().enumerate() {
        for other in operands.into_iter().filter_map(|value| number.get(&value).copied()) {
            near[i].push(other);
            near[other].push(i);
        }
    }
    let mut seen = vec![false; values.len()];
    let mut groups = Vec::new();
    for start in 0..values.len() {
        let (mut group, mut stack) = (Vec::new(), vec![start]);
        while let Some(i) = stack.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                group.push(i);
                stack.extend(&near[i]);
            }
        }
        if !group.is_empty() {
            groups.push(group);
        }
    }
    groups
}
