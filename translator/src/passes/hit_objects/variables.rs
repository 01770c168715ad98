//! Makes values of the hit objects in variables, which code has that was not optimised.
//!
//! In: a function in strict SSA form. Out: the same function without the variables of hit objects
//! that are loaded and stored alone: a load is the value that was stored last, and a block where
//! several values meet has a parameter. What must hold: a variable that was not stored to is a hit
//! object that is neither a hit nor a miss, as HLSL declares it.

use foldhash::{HashMap, HashSet};

use super::super::growth::Growth;
use super::super::splice::Splice;
use super::super::variables::{self, PlainVariable};
use crate::ir::{Block, Def, Func, Function, Inst, InstData, Module, Terminator, TypeId, Value, ValueList};
use crate::ops::OpCode;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;

/// Rewrites a function, whose hit objects have the type `ty`. Returns whether it has such a
/// variable.
///
/// # Errors
/// `Limit` if the parameters that are added are too many, or if there are too many variables for so
/// many branches, because each looks at all of them.
pub(super) fn make(module: &mut Module, func: Func, ty: TypeId, growth: &mut Growth<'_>, fuel: &Fuel) -> Result<bool> {
    let function = &mut module.functions[func];
    let found = variables::find(function, |of| of == ty);
    if found.is_empty() {
        return Ok(false);
    }
    let mut before = Before::default();
    for (block, data) in function.blocks.iter() {
        data.terminator.targets().for_each(|call| before.entry(call.block).or_default().push(block));
    }
    let edges: usize = function.blocks.values().map(|block| 1 + block.terminator.targets().count()).sum();
    let mut replacer = Replacer { ty, before, splice: Splice::default() };
    for variable in &found {
        let code = variable.accesses.len() + SWEEPS * edges;
        fuel.steps(Place::Function(function.number), "variables of hit objects", code)?;
        let (locals, bytes) = (function.locals.len(), function.bytes());
        replacer.replace(function, variable);
        growth.add(function, function.locals.len() - locals, function.bytes() - bytes)?;
    }
    replacer.splice.apply(function);
    Ok(true)
}

/// A hit object that is neither a hit nor a miss, and the instruction that makes it.
fn empty(function: &mut Function, ty: TypeId) -> (Value, Vec<Inst>) {
    let data = InstData::Op { op: OpCode::HitObject_MakeNop, precise: false, args: ValueList::default() };
    let value = Value::local(function.locals.len());
    (value, vec![function.make_inst(data, Some(ty))])
}

/// The blocks that lead to each block.
type Before = HashMap<Block, Vec<Block>>;

/// Replaces the variables of a function.
struct Replacer {
    /// The type of hit objects.
    ty: TypeId,
    before: Before,
    splice: Splice,
}

impl Replacer {
    /// Replaces a variable.
    fn replace(&mut self, function: &mut Function, variable: &PlainVariable) {
        let mut params = self.parameters(function, variable);
        // The value at the end of each block that has one.
        let mut last = params.clone();
        for &(block, inst) in &variable.accesses {
            let mut code = Vec::new();
            match (function.insts[inst], function.result(inst)) {
                (InstData::Load { .. }, Some(loaded)) => {
                    let by = last.get(&block).map(|&value| self.splice.resolve(value));
                    // Code that is never reached may store what it loads.
                    let by = by.filter(|&value| value != loaded).unwrap_or_else(|| {
                        let (by, made) = empty(function, self.ty);
                        code = made;
                        by
                    });
                    self.splice.value(loaded, by);
                }
                (InstData::Store { value, .. }, _) => {
                    last.insert(block, self.splice.resolve(value));
                }
                _ => {}
            }
            self.splice.inst(inst, code);
        }
        let made = function.blocks.keys().next().and_then(|entry| params.remove(&entry));
        self.pass_values(function, params, &last);
        // An empty hit object stands in the place of the variable.
        let start = made.and_then(|made| function.def_inst(made)).map(|(made, _)| made);
        self.splice.inst(variable.alloca, start.into_iter().collect());
    }

    /// Makes values parameters of blocks, and passes to each the last value of the block before.
    fn pass_values(&mut self, function: &mut Function, params: HashMap<Block, Value>, last: &HashMap<Block, Value>) {
        let mut params = params;
        let blocks: Vec<Block> = function.blocks.keys().collect();
        self.drop_needless(&blocks, &mut params, last);
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
    }

    /// Drops the parameters to which all blocks pass one value.
    fn drop_needless(&mut self, blocks: &[Block], params: &mut HashMap<Block, Value>, last: &HashMap<Block, Value>) {
        for _ in 0..SWEEPS {
            let mut changed = false;
            for block in blocks {
                let Some(&param) = params.get(block) else { continue };
                let passed = self.before.get(block).map(Vec::as_slice).unwrap_or_default();
                let passed = passed.iter().filter_map(|block| last.get(block));
                let mut passed = passed.map(|&value| self.splice.resolve(value)).collect::<Vec<_>>().into_iter();
                let first = passed.find(|&value| value != param);
                if let Some(first) = first.filter(|&first| passed.all(|value| value == first || value == param)) {
                    self.splice.value(param, first);
                    params.remove(block);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// A value for each block that needs the variable's value at its start: a parameter, or an
    /// empty hit object for the entry block.
    fn parameters(&self, function: &mut Function, variable: &PlainVariable) -> HashMap<Block, Value> {
        let mut stores: HashSet<Block> = HashSet::default();
        // The blocks that load the variable before they store to it.
        let mut stack = Vec::new();
        for &(block, inst) in &variable.accesses {
            match function.insts[inst] {
                InstData::Load { .. } if !stores.contains(&block) && stack.last() != Some(&block) => stack.push(block),
                InstData::Store { .. } => {
                    stores.insert(block);
                }
                _ => {}
            }
        }
        let entry = function.blocks.keys().next();
        let mut params: HashMap<Block, Value> = HashMap::default();
        while let Some(block) = stack.pop() {
            if params.contains_key(&block) {
                continue;
            }
            let is_entry = Some(block) == entry;
            let value =
                if is_entry { empty(function, self.ty).0 } else { function.make_local(self.ty, Def::Param(block)) };
            params.insert(block, value);
            let earlier = self.before.get(&block).map(Vec::as_slice).unwrap_or_default();
            stack.extend(earlier.iter().filter(|block| !stores.contains(block)));
        }
        // So each block that leads to a parameter has a value at its end: what it stored, or its
        // own.
        params
    }
}

/// How often all parameters are looked at for those that are needless. A rest is right, and only
/// more than is needed.
const SWEEPS: usize = 8;

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
    fn each_variable_is_charged_for_the_branches() {
        assert!(variables(8, 1000).expect("8 variables, 24 instructions"));
        assert!(!variables(0, 0).expect("no variable"));
        let error = variables(128, 1000).expect_err("128 variables");
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert!(error.message().contains("variables of hit objects"), "{error}");
    }
}
