//! The verifier. Its list of rules *is* the contract of the IR.
//!
//! In: a module that [`decode`](crate::decode) or a pass made. Out: the first broken rule, as an
//! error with its place. Lowering relies on every rule here, so it does not check them again.
//!
//! **Structure.** A function has at least one block. The entry block has no parameters, and no
//! block branches to it. Every branch goes to a block of the function and passes one argument for
//! each parameter, with the parameter's type.
//!
//! **Values.** Every local that is used is defined exactly once: as an argument of the function, as
//! a parameter of one block, or as the result of one instruction in a block. Within a block it is
//! defined before it is used. A definition in another block need not dominate the use, although
//! LLVM requires that in code that is reached: lowering repairs such uses, and on a path without
//! the definition the value is `undef`. Passes ask [`strict`](crate::analysis::strict) for more.
//!
//! **Types.** Operands have the types that the instruction requires. Both sides of arithmetic and
//! comparisons have the same type, a scalar or vector of the right sort (integer or float). A
//! vector of one element is no scalar. Conditions are `i1`. Casts go between the sorts and widths
//! that they are defined for. Loads and stores have the type of the pointee. Address arithmetic
//! stays inside the type. Indexes of aggregates exist. Calls match the callee.
//!
//! **Operations.** Operands and result have the types of the operation's row in the
//! [table](crate::ops). All operands and results whose type is the overload have the same type.
//! Immediates are constants in their range.

mod rules;
#[cfg(test)]
mod tests;

pub use self::rules::{Masks, Rules};

use crate::ir::*;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};

/// Checks a whole module.
///
/// # Errors
/// `Malformed`, with the instruction that breaks a rule of this module's documentation.
pub fn verify(module: &Module) -> Result<()> {
    verify_functions(module, module.functions.keys())
}

/// Checks some functions of a module.
///
/// # Errors
/// Those of [`verify`](fn@verify).
pub fn verify_functions(module: &Module, functions: impl IntoIterator<Item = Func>) -> Result<()> {
    let masks = Masks::default();
    functions.into_iter().try_for_each(|func| verify_function(module, &module.functions[func], &masks))
}

/// Checks a module that code of this crate has made, in builds with debug assertions.
///
/// # Errors
/// `Bug`, with the name of the step that made the module.
pub fn check_in_debug(module: &Module, step: &str) -> Result<()> {
    match cfg!(debug_assertions) {
        true => verify(module).map_err(|error| bug!(Place::Input, "{step} broke the IR: {error}")),
        false => Ok(()),
    }
}

struct Verifier<'a> {
    rules: Rules<'a>,
    /// What the walk has seen of each local: [`NOTHING`], its [`DEFINITION`], or the number of its
    /// use in [`ahead`](Self::ahead) plus one.
    seen: Vec<u32>,
    /// The last use of each local that is used before its definition, in the order of the blocks.
    ahead: Vec<Use>,
    /// The block that is being checked.
    block: Block,
}

/// A use of a local that has no definition yet.
struct Use {
    value: Value,
    block: Block,
    place: Place,
}

/// The walk has seen neither a use nor the definition of a local.
const NOTHING: u32 = 0;
/// The walk has seen the definition of a local.
const DEFINITION: u32 = u32::MAX;

fn verify_function(module: &Module, function: &Function, masks: &Masks) -> Result<()> {
    let place = Place::Function(function.number);
    let rules = Rules { module, function, place, masks };
    let seen = vec![NOTHING; function.locals.len()];
    let mut v = Verifier { rules, seen, ahead: Vec::new(), block: Block::new(0) };
    let Some(entry) = function.blocks.values().next() else {
        return Err(malformed!(place, "function `{}` has no blocks", function.name));
    };
    if !entry.params.is_empty() {
        return Err(malformed!(place, "the entry block of `{}` has phis", function.name));
    }
    for (i, &arg) in function.args.iter().enumerate() {
        v.define(arg, Def::Arg(i as u32))?;
    }
    for (id, block) in function.blocks.iter() {
        (v.block, v.rules.place) = (id, place);
        for &param in &block.params {
            v.define(param, Def::Param(id))?;
        }
        for &inst in &block.insts {
            v.rules.place = Place::Inst { func: function.number, inst: inst.index() as u32 };
            v.rules.instruction(inst)?;
            function.for_each_operand(inst, |value| v.use_of(value));
            if let Some(result) = function.results.get(inst).copied().flatten() {
                v.define(result, Def::Inst(inst))?;
            }
        }
        v.rules.terminator(id, &block.terminator)?;
        v.rules.place = place;
        v.terminator(&block.terminator);
    }
    match v.ahead.iter().find(|used| !v.is_defined(used.value)) {
        Some(Use { value, place, .. }) => Err(malformed!(*place, "{value} is used but never defined")),
        None => Ok(()),
    }
}

impl Verifier<'_> {
    fn define(&mut self, value: Value, def: Def) -> Result<()> {
        let place = self.rules.place;
        let local = value.as_local().and_then(|i| Some((self.seen.get_mut(i)?, self.rules.function.locals.get(i)?)));
        let Some((seen, local)) = local else {
            return Err(malformed!(place, "{value} is not a local of the function"));
        };
        let before = std::mem::replace(seen, DEFINITION);
        if before == DEFINITION || local.def != def {
            return Err(malformed!(place, "{value} is defined twice"));
        }
        match (before as usize).checked_sub(1).and_then(|number| self.ahead.get(number)) {
            Some(used) if used.block == self.block => {
                Err(malformed!(used.place, "{value} is used before its definition"))
            }
            _ => Ok(()),
        }
    }

    fn is_defined(&self, value: Value) -> bool {
        value.as_local().and_then(|i| self.seen.get(i)).is_some_and(|&seen| seen == DEFINITION)
    }

    /// Records the use of a local that is not defined yet.
    fn use_of(&mut self, value: Value) {
        let Some(seen) = value.as_local().and_then(|i| self.seen.get_mut(i)) else { return };
        let used = Use { value, block: self.block, place: self.rules.place };
        match *seen {
            DEFINITION => {}
            NOTHING => {
                self.ahead.push(used);
                *seen = self.ahead.len() as u32;
            }
            number => match self.ahead.get_mut(number as usize - 1) {
                Some(before) if before.block != self.block => *before = used,
                _ => {}
            },
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        terminator.operand().into_iter().for_each(|value| self.use_of(value));
        for target in terminator.targets() {
            self.rules.place = Place::Edge { from: self.block.index() as u32, to: target.block.index() as u32 };
            self.rules.function.list(target.args).iter().for_each(|&value| self.use_of(value));
        }
    }
}
