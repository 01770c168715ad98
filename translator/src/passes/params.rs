//! Removes block parameters that always have the same value.
//!
//! In: a verified module. Out: the same module, in which a parameter to which every branch passes
//! the same value, or the parameter itself, is replaced by that value. What must hold: the value
//! dominates all uses of the parameter. It does, because it is visible at the end of every block
//! that branches there. Parameters that are handles or pointers are replaced too; lowering has no
//! phi for them.
//!
//! LLVM keeps such phis for values that leave loops ("Loop-Closed SSA"); DXC does not remove them
//! at -Od.

use foldhash::HashMap;

use super::replacements::Replacements;
use crate::ir::{Block, BlockCall, Function, Module, Terminator, Value};

/// Rewrites all functions. Returns whether anything changed.
pub(super) fn fold(module: &mut Module) -> bool {
    let mut changed = false;
    for function in module.functions.values_mut() {
        let mut same = find(function);
        if same.len() != 0 {
            replace(function, &mut same);
            changed = true;
        }
    }
    changed
}

/// Whether some parameter has one value: whether [`fold`] changes the function.
pub(super) fn is_needed(function: &Function) -> bool {
    if function.blocks.values().all(|block| block.params.is_empty()) {
        return false;
    }
    // The first value that a branch passes to each local, and whether another branch passes
    // another.
    let mut given: Vec<(Option<Value>, bool)> = vec![(None, false); function.locals.len()];
    let mut pass = |call: BlockCall| {
        for (&param, &arg) in function.blocks[call.block].params.iter().zip(function.list(call.args)) {
            if let Some((first, differs)) = param.as_local().and_then(|local| given.get_mut(local))
                && arg != param
            {
                *differs |= *first.get_or_insert(arg) != arg;
            }
        }
    };
    let targets = function.blocks.values().map(|block| block.terminator.targets());
    targets.for_each(|targets| targets.filter(|call| !call.args.is_empty()).for_each(&mut pass));
    let mut params = function.blocks.values().flat_map(|block| &block.params).filter_map(|param| param.as_local());
    params.any(|param| matches!(given.get(param), Some((Some(_), false))))
}

/// The largest number of rounds over all parameters. One round is enough if definitions stand
/// before uses; each level of loops takes another.
const ROUNDS: usize = 8;

/// The parameters to remove, each with the value that replaces it.
fn find(function: &Function) -> Replacements {
    let mut given: HashMap<Value, Vec<Value>> = HashMap::default();
    for call in function.blocks.values().flat_map(|block| block.terminator.targets()) {
        for (&param, &arg) in function.blocks[call.block].params.iter().zip(function.list(call.args)) {
            given.entry(param).or_default().push(arg);
        }
    }
    let mut same = Replacements::default();
    for _ in 0..ROUNDS {
        let before = same.len();
        for &param in function.blocks.values().flat_map(|block| &block.params) {
            let Some(args) = given.get_mut(&param) else { continue };
            args.iter_mut().for_each(|arg| *arg = same.resolve(*arg));
            let mut others = args.iter().copied().filter(|&arg| arg != param);
            if let Some(only) = others.next()
                && others.all(|other| other == only)
            {
                given.remove(&param);
                same.insert(param, only);
            }
        }
        if same.len() == before {
            break;
        }
    }
    same
}

fn replace(function: &mut Function, same: &mut Replacements) {
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for &block in &blocks {
        let mut terminator = std::mem::replace(&mut function.blocks[block].terminator, Terminator::Unreachable);
        for call in terminator.targets_mut() {
            let params = &function.blocks[call.block].params;
            if params.iter().any(|param| same.has(*param)) {
                let args = params.iter().zip(function.list(call.args));
                let kept: Vec<Value> = args.filter(|(param, _)| !same.has(**param)).map(|(_, &arg)| arg).collect();
                call.args = function.make_list(&kept);
            }
        }
        function.blocks[block].terminator = terminator;
    }
    for &block in &blocks {
        function.blocks[block].params.retain(|param| !same.has(*param));
    }
    function.for_each_use_mut(|value| *value = same.resolve(*value));
}
