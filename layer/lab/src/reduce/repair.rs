//! Repairs a module from which instructions were removed.
//!
//! In: a module of which some instructions are gone or branch elsewhere, and the types of its
//! values before that. Out: a module in which every id that is used is defined. What must hold:
//! nothing is removed that could stay, so that a search sees the effect of each change.
//!
//! - An unreachable block is removed, or is empty where a merge instruction names it.
//! - A value that is gone is zero where it is used. Where its type has no zero, the instruction
//!   that uses it goes too.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use rspirv::dr::Operand;
use rspirv::spirv::Op;

use super::code::{BasicBlock, Code, Id, Types, instruction};

/// Repairs a module; `None` if that cannot be done.
pub fn repair(code: &mut Code, types: &Types) -> Option<()> {
    drop_unreachable(code)?;
    mend_phis(code, types);
    mend_uses(code, types)
}

/// Removes unreachable blocks.
fn drop_unreachable(code: &mut Code) -> Option<()> {
    let blocks = code.blocks();
    let by_label: HashMap<Id, &BasicBlock> = blocks.iter().map(|block| (block.label, block)).collect();
    let mut reached: HashSet<Id> = HashSet::new();
    let mut open: Vec<Id> = blocks.iter().filter(|block| block.first).map(|block| block.label).collect();
    while let Some(label) = open.pop() {
        if reached.insert(label) {
            open.extend(code.successors(by_label.get(&label)?.end));
        }
    }
    // What a merge instruction names must be there (SPIR-V 2.11.1, "structured control flow"): a
    // merge block without predecessors, and a continue target that only branches back.
    let mut empty: HashMap<Id, Option<Id>> = HashMap::new();
    for block in blocks.iter().filter(|block| reached.contains(&block.label)) {
        let Some(merge) = code.merge(block).and_then(|at| code.nodes.get(at)) else { continue };
        empty.entry(merge.id(0)?).or_default();
        if merge.op() == Op::LoopMerge {
            empty.insert(merge.id(1)?, Some(block.label));
        }
    }
    let mut taken = HashSet::new();
    let mut ends = Vec::new();
    for block in blocks.iter().filter(|block| !reached.contains(&block.label)) {
        match empty.get(&block.label) {
            None => taken.extend(block.start..=block.end),
            Some(back) => {
                taken.extend(block.start + 1..block.end);
                ends.push((
                    block.end,
                    match back {
                        Some(header) => instruction(Op::Branch, vec![Operand::IdRef(*header)]),
                        None => instruction(Op::Unreachable, Vec::new()),
                    },
                ));
            }
        }
    }
    for (at, inst) in ends {
        code.set(at, inst);
    }
    let mut at = 0..;
    code.nodes.retain(|_| at.next().is_some_and(|at| !taken.contains(&at)));
    Some(())
}

/// Gives each phi one value for each predecessor.
fn mend_phis(code: &mut Code, types: &Types) {
    let blocks = code.blocks();
    let mut predecessors: HashMap<Id, BTreeMap<usize, Id>> = HashMap::new();
    for block in &blocks {
        for label in code.successors(block.end) {
            predecessors.entry(label).or_default().insert(block.start, block.label);
        }
    }
    let none = BTreeMap::new();
    let mut changed = Vec::new();
    for block in &blocks {
        let from = predecessors.get(&block.label).unwrap_or(&none);
        for at in block.start + 1..block.end {
            let Some(node) = code.nodes.get(at).filter(|node| node.op() == Op::Phi) else { break };
            let operands = &node.inst.operands;
            let pairs = || operands.as_chunks::<2>().0.iter();
            let kept: Vec<&[Operand; 2]> = pairs()
                .filter(|[_, parent]| parent.id_ref_any().is_some_and(|it| from.values().any(|label| *label == it)))
                .collect();
            let has = |label: &Id| kept.iter().any(|[_, parent]| parent.id_ref_any() == Some(*label));
            let missing: Vec<Id> = from.values().copied().filter(|label| !has(label)).collect();
            if kept.len() * 2 != operands.len() || !missing.is_empty() {
                let kept: Vec<Operand> = kept.into_iter().flatten().cloned().collect();
                changed.push((node.key, node.inst.result_type, kept, missing));
            }
        }
    }
    for (key, ty, mut operands, missing) in changed {
        for label in missing {
            let Some(null) = ty.and_then(|ty| code.null(ty, types)) else { continue };
            operands.extend([Operand::IdRef(null), Operand::IdRef(label)]);
        }
        if let Some(at) = code.find(key) {
            let mut inst = (*code.nodes[at].inst).clone();
            inst.operands = operands;
            code.set(at, inst);
        }
    }
}

/// Replaces removed values by zeros, and removes instructions that cannot do without them.
fn mend_uses(code: &mut Code, types: &Types) -> Option<()> {
    loop {
        let defined: HashSet<Id> = code.nodes.iter().filter_map(|node| node.inst.result_id).collect();
        let functions = code.functions_at();
        let mut taken: HashSet<u32> = HashSet::new();
        let mut zeros: Vec<u32> = Vec::new();
        let mut points: Vec<u32> = Vec::new();
        for (at, node) in code.nodes.iter().enumerate() {
            if node.uses().all(|id| defined.contains(&id)) {
                continue;
            }
            let has_type = node.inst.result_type.is_none_or(|ty| defined.contains(&ty));
            match node.op() {
                Op::EntryPoint if node.id(1).is_some_and(|function| defined.contains(&function)) => {
                    points.push(node.key);
                }
                Op::Function | Op::FunctionParameter | Op::LoopMerge | Op::SelectionMerge => return None,
                _ if at < functions || !has_type => {
                    taken.insert(node.key);
                }
                _ => {
                    let gone = node.inst.operands.iter().filter_map(Operand::id_ref_any);
                    let mut gone = gone.filter(|id| !defined.contains(id));
                    if gone.all(|id| types.of.get(&id).is_some_and(|ty| types.nullable.contains(ty))) {
                        zeros.push(node.key);
                    } else if node.ends_block() {
                        return None;
                    } else {
                        taken.insert(node.key);
                    }
                }
            }
        }
        if taken.is_empty() && zeros.is_empty() && points.is_empty() {
            return Some(());
        }
        for key in zeros {
            let at = code.find(key)?;
            let mut inst = code.nodes.get(at)?.inst.clone();
            for id in Rc::make_mut(&mut inst).operands.iter_mut().filter_map(Operand::id_ref_any_mut) {
                if !defined.contains(id) {
                    *id = code.null(*types.of.get(id)?, types)?;
                }
            }
            let at = code.find(key)?;
            code.nodes.get_mut(at)?.inst = inst;
        }
        for key in points {
            let at = code.find(key)?;
            let inst = Rc::make_mut(&mut code.nodes.get_mut(at)?.inst);
            inst.operands.retain(|operand| operand.id_ref_any().is_none_or(|id| defined.contains(&id)));
        }
        code.nodes.retain(|node| !taken.contains(&node.key));
    }
}
