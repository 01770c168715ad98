//! Makes values of the hit objects in variables, which code has that was not optimised.
//!
//! In: a function in strict SSA form. Out: the same function without the variables of hit objects
//! that are loaded and stored alone: a load is the value that was stored last, and a block where
//! several values meet has a parameter. What must hold: a variable that was not stored to is a hit
//! object that is neither a hit nor a miss, as HLSL declares it.

use foldhash::{HashMap, HashSet};

use super::super::growth::Growth;
use super::super::splice::Splice;
use crate::ir::{Block, Def, Func, Function, Inst, InstData, Module, Terminator, TypeId, Value, ValueList};
use crate::ops::OpCode;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;

/// Rewrites a function, whose hit objects have the type `ty`. Returns whether it has such a
/// variable.
///
/// # Errors
/// `Limit` if the parameters that are added are too many, or if there are too many variables for so
/// much code, because each looks at all of it.
pub(super) fn make(module: &mut Module, func: Func, ty: TypeId, growth: &mut Growth<'_>, fuel: &Fuel) -> Result<bool> {
    let function = &mut module.functions[func];
    let found = find(function, ty);
    let edges: usize = function.blocks.values().map(|block| 1 + block.terminator.targets().count()).sum();
    for &(inst, variable) in &found {
        let code = function.insts.len() + SWEEPS * edges;
        fuel.steps(Place::Function(function.number), "variables of hit objects", code)?;
        let (locals, bytes) = (function.locals.len(), function.bytes());
        replace(function, inst, variable, ty);
        growth.add(function, function.locals.len() - locals, function.bytes() - bytes)?;
    }
    Ok(!found.is_empty())
}

/// The variables of hit objects that are loaded and stored alone.
fn find(function: &Function, ty: TypeId) -> Vec<(Inst, Value)> {
    let is_variable = |inst: Inst| matches!(function.insts[inst], InstData::Alloca { ty: of } if of == ty);
    let all: Vec<Inst> = function.blocks.values().flat_map(|block| &block.insts).copied().collect();
    // Compilers declare variables in the entry block.
    let variables: Vec<(Inst, Value)> = function
        .blocks
        .values()
        .take(1)
        .flat_map(|block| &block.insts)
        .filter(|&&inst| is_variable(inst))
        .filter_map(|&inst| Some((inst, function.result(inst)?)))
        .collect();
    if variables.is_empty() {
        return variables;
    }
    let mut others: HashSet<Value> = HashSet::default();
    let used = used(function);
    for inst in all {
        let accessed = match function.insts[inst] {
            InstData::Load { ptr, volatile: false } => {
                let loaded = function.result(inst).and_then(Value::as_local).map(|local| function.locals[local].ty);
                (loaded == Some(ty)).then_some(ptr)
            }
            InstData::Store { ptr, value, volatile: false } => (ptr != value).then_some(ptr),
            _ => cast_for_nothing(function, &used, inst),
        };
        function.for_each_operand(inst, |value| {
            if Some(value) != accessed {
                others.insert(value);
            }
        });
    }
    for block in function.blocks.values() {
        function.for_each_terminator_operand(&block.terminator, |value| {
            others.insert(value);
        });
    }
    variables.into_iter().filter(|(_, variable)| !others.contains(variable)).collect()
}

/// The values that something uses.
fn used(function: &Function) -> HashSet<Value> {
    let mut used = HashSet::default();
    let mut add = |value: Value| {
        used.insert(value);
    };
    for block in function.blocks.values() {
        block.insts.iter().for_each(|&inst| function.for_each_operand(inst, &mut add));
        function.for_each_terminator_operand(&block.terminator, &mut add);
    }
    used
}

/// The operand of a cast that nothing uses: what is left of a mark of the variable's lifetime.
fn cast_for_nothing(function: &Function, used: &HashSet<Value>, inst: Inst) -> Option<Value> {
    match (&function.insts[inst], function.result(inst)) {
        (&InstData::Cast { value, .. }, Some(result)) if !used.contains(&result) => Some(value),
        _ => None,
    }
}

/// What a block does with a variable.
#[derive(Clone, Copy, Default)]
struct Access {
    /// Whether it loads the variable before it stores to it.
    loads: bool,
    stores: bool,
}

/// A hit object that is neither a hit nor a miss, and the instruction that makes it.
fn empty(function: &mut Function, ty: TypeId) -> (Value, Vec<Inst>) {
    let data = InstData::Op { op: OpCode::HitObject_MakeNop, precise: false, args: ValueList::default() };
    let value = Value::local(function.locals.len());
    (value, vec![function.make_inst(data, Some(ty))])
}

/// The blocks that lead to each block.
type Before = HashMap<Block, Vec<Block>>;

/// Replaces a variable.
fn replace(function: &mut Function, inst: Inst, variable: Value, ty: TypeId) {
    let mut before = Before::default();
    for (block, data) in function.blocks.iter() {
        data.terminator.targets().for_each(|call| before.entry(call.block).or_default().push(block));
    }
    let mut params = parameters(function, &before, variable, ty);
    let blocks: Vec<Block> = function.blocks.keys().collect();
    let mut splice = Splice::default();
    let mut values: HashMap<Value, Value> = HashMap::default();
    // The value at the end of each block that has one.
    let mut last: HashMap<Block, Value> = HashMap::default();
    for &block in &blocks {
        let mut value = params.get(&block).copied();
        for inst in function.blocks[block].insts.clone() {
            match function.insts[inst] {
                InstData::Load { ptr, .. } if ptr == variable => {
                    let Some(loaded) = function.result(inst) else { continue };
                    let by = value.map(|value| resolved(&mut values, value)).filter(|&value| value != loaded);
                    // Code that is never reached may store what it loads.
                    let (by, code) = by.map_or_else(|| empty(function, ty), |by| (by, Vec::new()));
                    values.insert(loaded, by);
                    splice.inst(inst, code);
                }
                InstData::Store { ptr, value: stored, .. } if ptr == variable => {
                    value = Some(resolved(&mut values, stored));
                    splice.inst(inst, Vec::new());
                }
                InstData::Cast { value: of, .. } if of == variable => splice.inst(inst, Vec::new()),
                _ => {}
            }
        }
        value.into_iter().for_each(|value| {
            last.insert(block, value);
        });
    }
    let made = function.blocks.keys().next().and_then(|entry| params.remove(&entry));
    drop_needless(&blocks, &before, &mut params, &last, &mut values);
    for block in blocks {
        let mut terminator = std::mem::replace(&mut function.blocks[block].terminator, Terminator::Unreachable);
        for call in terminator.targets_mut() {
            if let (true, Some(&value)) = (params.contains_key(&call.block), last.get(&block)) {
                let mut args = function.list(call.args).to_vec();
                args.push(value);
                call.args = function.make_list(&args);
            }
        }
        function.blocks[block].terminator = terminator;
        params.get(&block).into_iter().for_each(|&param| function.blocks[block].params.push(param));
    }
    values.into_iter().for_each(|(value, by)| splice.value(value, by));
    // An empty hit object stands in the place of the variable.
    let start = made.and_then(|made| function.def_inst(made)).map(|(made, _)| made);
    splice.inst(inst, start.into_iter().collect());
    splice.apply(function);
}

/// What replaces a value, or the value. Chains of replacements become short on the way.
fn resolved(values: &mut HashMap<Value, Value>, value: Value) -> Value {
    let mut last = value;
    while let Some(&next) = values.get(&last) {
        last = next;
    }
    let mut at = value;
    while let Some(next) = values.get_mut(&at) {
        at = std::mem::replace(next, last);
    }
    last
}

/// How often all parameters are looked at for those that are needless. A rest is right, and only
/// more than is needed.
const SWEEPS: usize = 8;

/// Drops the parameters to which all blocks pass one value.
fn drop_needless(
    blocks: &[Block],
    before: &Before,
    params: &mut HashMap<Block, Value>,
    last: &HashMap<Block, Value>,
    values: &mut HashMap<Value, Value>,
) {
    for _ in 0..SWEEPS {
        let mut changed = false;
        for block in blocks {
            let Some(&param) = params.get(block) else { continue };
            let passed = before.get(block).map(Vec::as_slice).unwrap_or_default();
            let passed = passed.iter().filter_map(|block| last.get(block));
            let mut passed = passed.map(|&value| resolved(values, value)).collect::<Vec<_>>().into_iter();
            let first = passed.find(|&value| value != param);
            if let Some(first) = first.filter(|&first| passed.all(|value| value == first || value == param)) {
                values.insert(param, first);
                params.remove(block);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// A value for each block that needs the variable's value at its start: a parameter, or an empty
/// hit object for the entry block.
fn parameters(function: &mut Function, before: &Before, variable: Value, ty: TypeId) -> HashMap<Block, Value> {
    let mut accesses: HashMap<Block, Access> = HashMap::default();
    let mut stack = Vec::new();
    for (block, data) in function.blocks.iter() {
        let mut access = Access::default();
        for &inst in &data.insts {
            match function.insts[inst] {
                InstData::Load { ptr, .. } if ptr == variable => access.loads |= !access.stores,
                InstData::Store { ptr, .. } if ptr == variable => access.stores = true,
                _ => {}
            }
        }
        if access.loads {
            stack.push(block);
        }
        accesses.insert(block, access);
    }
    let entry = function.blocks.keys().next();
    let mut params: HashMap<Block, Value> = HashMap::default();
    while let Some(block) = stack.pop() {
        if params.contains_key(&block) {
            continue;
        }
        let is_entry = Some(block) == entry;
        params.insert(block, if is_entry { empty(function, ty).0 } else { function.make_local(ty, Def::Param(block)) });
        let earlier = before.get(&block).map(Vec::as_slice).unwrap_or_default();
        stack.extend(earlier.iter().filter(|block| !accesses[*block].stores));
    }
    // So each block that leads to a parameter has a value at its end: what it stored, or its own.
    params
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BlockData, ControlFlowHints, Type};
    use dxil_base::error::ErrorKind;
    use dxil_base::limits::Budget;

    /// A function of one block with hit objects in this many variables, each stored once. Returns
    /// what the pass says with so many steps.
    fn variables(count: u32, steps: u64) -> Result<bool> {
        let mut module = Module::default();
        let void = module.types.intern(Type::Void);
        let ty = module.types.intern(Type::Other("a hit object".into()));
        let mut function = Function::new("main".into(), void, 0);
        let mut insts = Vec::new();
        for _ in 0..count {
            let made = InstData::Op { op: OpCode::HitObject_MakeNop, precise: false, args: ValueList::default() };
            for data in [InstData::Alloca { ty }, made] {
                insts.push(function.make_inst(data, Some(ty)));
            }
            let [ptr, value] = [2, 1].map(|back| Value::local(function.locals.len() - back));
            insts.push(function.make_inst(InstData::Store { ptr, value, volatile: false }, None));
        }
        let (hints, terminator) = (ControlFlowHints::default(), Terminator::Return(None));
        let _: Block = function.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints });
        let main = module.functions.push(function);
        let mut budget = Budget::default();
        budget.steps = steps;
        let fuel = Fuel::new(budget, 0);
        let made = make(&mut module, main, ty, &mut Growth::new(&fuel, "values", "values"), &fuel)?;
        let left = module.functions[main].blocks.values().flat_map(|block| &block.insts).count();
        assert_eq!(left, count as usize, "the hit objects stay, and no variable does");
        Ok(made)
    }

    #[test]
    fn each_variable_is_charged_for_the_code() {
        assert!(variables(8, 1000).expect("8 variables, 24 instructions"));
        assert!(!variables(0, 0).expect("no variable"));
        let error = variables(64, 1000).expect_err("64 variables, 192 instructions");
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.message().contains("variables of hit objects"), "{error}");
    }
}
