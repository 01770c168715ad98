//! Changes that can make a module smaller.
//!
//! In: a module. Out: changes, and the module with some of them made. What must hold: a change
//! whose instruction is gone does nothing, because earlier changes may have removed it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, ExecutionMode, Op};

use super::code::{Code, Id, InstNode, Types, instruction};
use super::repair::repair;

/// A change. Instructions are named by their keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Removes an instruction; its value becomes zero.
    Take(u32),
    /// Replaces an instruction by another value of the same type.
    Forward(u32, Id),
    /// Takes a function.
    TakeFunction(u32),
    /// Makes the end of a block a branch to one label.
    Branch(u32, Id),
    /// Lets a loop, named by its merge instruction, run once.
    Straighten(u32),
    /// Removes the case with this index from a switch.
    TakeCase(u32, usize),
    /// Merges a block, named by its label, into its only predecessor.
    Join(Id),
    /// Lets a branch go to its second label instead of its first.
    Redirect(u32, Id, Id),
    /// Redirects branches past a block, named by its label, that only branches to another one.
    Thread(Id),
    /// Makes the size of workgroups one.
    SmallGroup(u32),
}

/// The kinds of changes, in the order in which a search tries them: those that remove most come
/// first.
pub const KINDS: [fn(&Code) -> Vec<Change>; 9] =
    [functions, skips, resources, instructions, branches, blocks, forwards, remarks, constants];

/// Changes a module; `None` if it cannot be repaired afterwards.
pub fn apply(code: &Code, changes: &[Change]) -> Option<Code> {
    let types = Types::new(code);
    let mut code = code.clone();
    let taken = changes.iter().filter_map(|change| match change {
        Change::Take(key) | Change::Forward(key, _) => Some(*key),
        _ => None,
    });
    let taken: HashSet<u32> = taken.collect();
    let mut instead: HashMap<Id, Id> = HashMap::new();
    for change in changes {
        match *change {
            Change::Take(_) => {}
            Change::Forward(key, to) => {
                let from = code.find(key).and_then(|at| code.nodes.get(at)?.inst.result_id);
                instead.extend(from.map(|from| (from, to)));
            }
            Change::TakeFunction(key) => take_function(&mut code, key),
            Change::Branch(key, target) => branch(&mut code, key, target),
            Change::Straighten(key) => straighten(&mut code, key),
            Change::TakeCase(key, case) => take_case(&mut code, key, case),
            Change::Join(label) => join(&mut code, label),
            Change::Redirect(key, from, to) => {
                if let Some(node) = code.find(key).and_then(|at| code.nodes.get_mut(at)) {
                    redirect(node, from, to);
                }
            }
            Change::Thread(label) => thread(&mut code, label),
            Change::SmallGroup(key) => small_group(&mut code, key),
        }
    }
    code.nodes.retain(|node| !taken.contains(&node.key));
    if !instead.is_empty() {
        // A value may be that of another one that goes; a phi may be that of itself, which has no
        // end.
        code.rewrite(|id| {
            let mut to = *instead.get(&id)?;
            for _ in 0..instead.len() {
                to = *instead.get(&to).unwrap_or(&to);
            }
            Some(to)
        });
    }
    repair(&mut code, &types)?;
    Some(code)
}

fn take_function(code: &mut Code, key: u32) {
    let Some(start) = code.find(key) else { return };
    let length = code.nodes.iter().skip(start).position(|node| node.op() == Op::FunctionEnd);
    if let Some(length) = length {
        code.nodes.drain(start..=start + length);
    }
}

fn branch(code: &mut Code, key: u32, target: Id) {
    let Some(at) = code.find(key) else { return };
    code.set(at, instruction(Op::Branch, vec![Operand::IdRef(target)]));
    let Some(before) = at.checked_sub(1).and_then(|before| Some((before, code.nodes.get(before)?.clone()))) else {
        return;
    };
    let (before, merge) = before;
    // A loop stays one, unless it is left at once.
    let goes = match merge.op() {
        Op::SelectionMerge => true,
        Op::LoopMerge => merge.id(0) == Some(target),
        _ => false,
    };
    if goes {
        code.nodes.remove(before);
    }
}

fn straighten(code: &mut Code, key: u32) {
    let Some(at) = code.find(key) else { return };
    let Some(merge) = code.nodes.get(at).and_then(|node| node.id(0)) else { return };
    let blocks = code.blocks();
    let Some(header) = blocks.iter().find(|block| block.start < at && at < block.end).cloned() else { return };
    for block in blocks.iter().filter(|block| block.start >= header.start) {
        if let Some(node) = code.nodes.get_mut(block.end) {
            redirect(node, header.label, merge);
        }
    }
    code.nodes.remove(at);
}

fn take_case(code: &mut Code, key: u32, case: usize) {
    let Some(at) = code.find(key) else { return };
    let Some(node) = code.nodes.get_mut(at) else { return };
    let first = 2 + 2 * case;
    if node.inst.operands.len() >= first + 2 {
        Rc::make_mut(&mut node.inst).operands.drain(first..first + 2);
    }
}

fn join(code: &mut Code, label: Id) {
    let blocks = code.blocks();
    let Some(block) = blocks.iter().find(|block| block.label == label) else { return };
    let mut from = blocks.iter().filter(|other| code.successors(other.end).contains(&label));
    let (Some(before), None) = (from.next(), from.next()) else { return };
    // A merge instruction that names the block, or stands between the two, needs both.
    let is_merge = |node: &InstNode| matches!(node.op(), Op::SelectionMerge | Op::LoopMerge);
    let is_named = code.nodes.iter().filter(|node| is_merge(node)).any(|node| node.uses().any(|id| id == label));
    let is_branch = code.nodes.get(before.end).is_some_and(|node| node.op() == Op::Branch);
    if is_named || !is_branch || before.label == label || code.merge(before).is_some() {
        return;
    }
    let mut instead: HashMap<Id, Id> = HashMap::from([(label, before.label)]);
    let mut moved: Vec<InstNode> = Vec::new();
    for node in code.nodes.get(block.start + 1..=block.end).unwrap_or_default() {
        match (node.op(), node.inst.result_id, node.id(0)) {
            (Op::Phi, Some(id), Some(value)) => {
                instead.insert(id, value);
            }
            _ => moved.push(node.clone()),
        }
    }
    let (start, end, at) = (block.start, block.end, before.end);
    if at < start {
        code.nodes.drain(start..=end);
        code.nodes.splice(at..=at, moved);
    } else {
        code.nodes.splice(at..=at, moved);
        code.nodes.drain(start..=end);
    }
    code.rewrite(|id| instead.get(&id).copied());
}

fn thread(code: &mut Code, label: Id) {
    let Some(at) = code.nodes.iter().position(|node| node.inst.result_id == Some(label)) else { return };
    let next = code.nodes.get(at + 1).filter(|node| node.op() == Op::Branch);
    let Some(target) = next.and_then(|node| node.id(0)).filter(|target| *target != label) else { return };
    code.nodes.iter_mut().filter(|node| node.ends_block()).for_each(|node| redirect(node, label, target));
}

/// Replaces an id by another one.
fn redirect(node: &mut InstNode, from: Id, to: Id) {
    if node.uses().any(|id| id == from) {
        let operands = Rc::make_mut(&mut node.inst).operands.iter_mut();
        operands.filter_map(Operand::id_ref_any_mut).filter(|id| **id == from).for_each(|id| *id = to);
    }
}

fn small_group(code: &mut Code, key: u32) {
    let Some(node) = code.find(key).and_then(|at| code.nodes.get_mut(at)) else { return };
    for operand in Rc::make_mut(&mut node.inst).operands.iter_mut().skip(2) {
        *operand = Operand::LiteralBit32(1);
    }
}

/// Functions other than entry points.
fn functions(code: &Code) -> Vec<Change> {
    let points: HashSet<Id> =
        code.nodes.iter().filter(|node| node.op() == Op::EntryPoint).filter_map(|node| node.id(1)).collect();
    let functions = code.nodes.iter().filter(|node| node.op() == Op::Function);
    let others = functions.filter(|node| node.inst.result_id.is_some_and(|id| !points.contains(&id)));
    others.map(|node| Change::TakeFunction(node.key)).collect()
}

/// Constructs that control flow may skip.
fn skips(code: &Code) -> Vec<Change> {
    let merges = code.blocks().into_iter().filter_map(|block| {
        let merge = code.nodes.get(code.merge(&block)?)?;
        Some(Change::Branch(code.nodes.get(block.end)?.key, merge.id(0)?))
    });
    merges.collect()
}

/// Global variables, with what uses them.
fn resources(code: &Code) -> Vec<Change> {
    let globals = code.nodes.iter().take(code.functions_at());
    globals.filter(|node| node.op() == Op::Variable).map(|node| Change::Take(node.key)).collect()
}

/// The instructions of functions that do not make their structure.
fn instructions(code: &Code) -> Vec<Change> {
    let inside = code.nodes.iter().skip(code.functions_at());
    let loose = inside.filter(|node| {
        let structural = matches!(
            node.op(),
            Op::Function | Op::FunctionParameter | Op::FunctionEnd | Op::Label | Op::SelectionMerge | Op::LoopMerge
        );
        !structural && !node.ends_block()
    });
    loose.map(|node| Change::Take(node.key)).collect()
}

/// Branches that may go one way.
fn branches(code: &Code) -> Vec<Change> {
    let mut changes = Vec::new();
    for block in code.blocks() {
        let Some(node) = code.nodes.get(block.end) else { continue };
        let targets = code.successors(block.end);
        if node.op() == Op::Switch {
            let cases = node.inst.operands.len().saturating_sub(2) / 2;
            changes.extend((0..cases).map(|case| Change::TakeCase(node.key, case)));
        }
        // Where a construct is left, nothing else needs to be there.
        let merge = code.merge(&block).and_then(|at| code.nodes.get(at)?.id(0));
        for target in targets.iter().filter(|target| merge.is_some_and(|merge| merge != **target)) {
            changes.extend(merge.map(|merge| Change::Redirect(node.key, *target, merge)));
        }
        if node.op() != Op::Branch {
            changes.extend(targets.into_iter().map(|target| Change::Branch(node.key, target)));
        }
    }
    changes
}

/// Loops that may run once, and blocks that may be one or none.
fn blocks(code: &Code) -> Vec<Change> {
    let mut changes = Vec::new();
    for block in code.blocks() {
        let merge = code.merge(&block).and_then(|at| code.nodes.get(at));
        changes.extend(merge.filter(|node| node.op() == Op::LoopMerge).map(|node| Change::Straighten(node.key)));
        if !block.first {
            changes.extend([Change::Join(block.label), Change::Thread(block.label)]);
        }
    }
    changes
}

/// Values that may be one of their operands.
fn forwards(code: &Code) -> Vec<Change> {
    let types = Types::new(code);
    let mut changes = Vec::new();
    for node in code.nodes.iter().skip(code.functions_at()) {
        let (Some(id), Some(ty)) = (node.inst.result_id, node.inst.result_type) else { continue };
        let mut seen = HashSet::from([id]);
        let operands = node.inst.operands.iter().filter_map(Operand::id_ref_any);
        let same = operands.filter(|operand| types.of.get(operand) == Some(&ty) && seen.insert(*operand));
        changes.extend(same.map(|operand| Change::Forward(node.key, operand)));
    }
    changes
}

/// Instructions before the functions that may go: those whose result nothing uses, and those
/// without one.
fn remarks(code: &Code) -> Vec<Change> {
    let mut used: HashSet<Id> = HashSet::new();
    for node in code.nodes.iter().filter(|node| !node.is_remark() && node.op() != Op::TypeForwardPointer) {
        // The function of an entry point is used; its interface is not.
        let uses = node.uses().take(if node.op() == Op::EntryPoint { 1 } else { usize::MAX });
        used.extend(uses);
    }
    let mut changes = Vec::new();
    for node in code.nodes.iter().take(code.functions_at()) {
        // Other capabilities imply Shader, but people look for it.
        let is_shader = node.inst.operands.first() == Some(&Operand::Capability(Capability::Shader));
        let stays = node.op() == Op::MemoryModel || (node.op() == Op::Capability && is_shader);
        if node.inst.result_id.is_none_or(|id| !used.contains(&id)) && !stays {
            changes.push(Change::Take(node.key));
        }
        let mode = node.inst.operands.get(1);
        let ones = node.inst.operands.iter().skip(2).all(|operand| *operand == Operand::LiteralBit32(1));
        if mode == Some(&Operand::ExecutionMode(ExecutionMode::LocalSize)) && !ones {
            changes.push(Change::SmallGroup(node.key));
        }
    }
    changes
}

/// Constants that may be the first of their type.
fn constants(code: &Code) -> Vec<Change> {
    let mut first: HashMap<Id, Id> = HashMap::new();
    let mut changes = Vec::new();
    let is_constant = |inst: &Instruction| {
        matches!(
            inst.class.opcode,
            Op::Constant | Op::ConstantNull | Op::ConstantTrue | Op::ConstantFalse | Op::ConstantComposite | Op::Undef
        )
    };
    for node in code.nodes.iter().take(code.functions_at()).filter(|node| is_constant(&node.inst)) {
        let (Some(id), Some(ty)) = (node.inst.result_id, node.inst.result_type) else { continue };
        match first.get(&ty) {
            None => {
                first.insert(ty, id);
            }
            Some(other) => changes.push(Change::Forward(node.key, *other)),
        }
    }
    changes
}
