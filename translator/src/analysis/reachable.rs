//! The reachable set of an entry point: the functions, resources and operations that its code uses,
//! found once when a shader is parsed.
//!
//! In: the module after all passes, and the handles of its functions. Out: a [`ReachableSet`] per
//! entry point. What must hold: the question «does this entry use X» is answered from its reachable
//! set and nowhere else. The cost is one visit of each operation on a handle, then one visit of
//! each function, of its callees and of its resources for each entry that reaches it, which
//! [`limits::REACHED_FUNCTIONS`] and [`limits::REACHED_USES`] bound.

use crate::analysis::handles::HandleTable;
use crate::ir::resources::ResourceId;
use crate::ir::{Func, Function, InstData, Module};
use crate::ops::OpSet;
use dxil_base::entity::{EntitySet, SecondaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// What the code of an entry point uses, directly and through calls.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReachableSet {
    /// The functions that may run, each callee before its callers.
    pub functions: Vec<Func>,
    /// The resources whose handles are operands of an operation.
    pub resources: EntitySet<ResourceId>,
    /// The DXIL operations that are called.
    pub operations: OpSet,
    /// A function that calls itself, directly or indirectly. DXIL forbids recursion, so lowering
    /// refuses the entry.
    pub recursion: Option<Func>,
}

/// What one function uses directly, without its callees.
#[derive(Clone, Default)]
struct DirectUses {
    /// Each callee once, in the order of the last calls.
    callees: Vec<Func>,
    resources: Vec<ResourceId>,
    operations: OpSet,
}

impl DirectUses {
    fn new(function: &Function, handles: &HandleTable) -> Self {
        let (callees, operations) = (handles.calls.clone(), handles.operations);
        let mut own = DirectUses { callees, operations, resources: Vec::new() };
        let mut seen: EntitySet<ResourceId> = EntitySet::new();
        // An operation that only makes a handle does not use the resource.
        for &inst in &handles.accesses {
            let InstData::Op { op, args, .. } = function.insts[inst] else { continue };
            for handle in handles.of(op, function.list(args)) {
                if seen.insert(handle.resource) {
                    own.resources.push(handle.resource);
                }
            }
        }
        // Functions are visited from the last call to the first, so the last of several calls
        // counts.
        let mut called: EntitySet<Func> = EntitySet::new();
        own.callees.reverse();
        own.callees.retain(|&callee| called.insert(callee));
        own.callees.reverse();
        own
    }
}

/// Finds the reachable sets of entry points.
pub struct ReachableSets {
    own: SecondaryMap<Func, DirectUses>,
    /// Number of functions in all reachable sets so far.
    functions: usize,
    /// Number of callees and resources that were visited for them.
    uses: usize,
}

impl ReachableSets {
    /// Visits every function of the module.
    pub fn new(module: &Module, handles: &SecondaryMap<Func, HandleTable>) -> Self {
        let mut own = SecondaryMap::default();
        for (func, function) in module.functions.iter() {
            own[func] = DirectUses::new(function, &handles[func]);
        }
        Self { own, functions: 0, uses: 0 }
    }

    /// The reachable set of an entry's function and, if it has one, of its patch-constant function.
    ///
    /// # Errors
    /// `Limit` if the entries of the module reach too much, counted once for each entry.
    pub fn from(&mut self, func: Func, patch_function: Option<Func>) -> Result<ReachableSet> {
        let mut found = ReachableSet::default();
        let mut seen: EntitySet<Func> = EntitySet::new();
        // The functions on the current path of calls. A call of one of them is recursion.
        let mut open: EntitySet<Func> = EntitySet::new();
        let mut stack: Vec<_> = patch_function.into_iter().map(|func| (func, false)).collect();
        stack.push((func, false));
        while let Some((func, done)) = stack.pop() {
            if done {
                open.remove(func);
                found.functions.push(func);
                continue;
            }
            if !seen.insert(func) {
                continue;
            }
            open.insert(func);
            stack.push((func, true));
            let own = &self.own[func];
            self.functions += 1;
            let what = "functions, counted once for each entry point that reaches them";
            limits::check(Place::Input, what, self.functions, limits::REACHED_FUNCTIONS)?;
            self.uses = self.uses.saturating_add(own.callees.len() + own.resources.len());
            let what = "callees and resources of functions, counted once for each entry point and function";
            limits::check(Place::Input, what, self.uses, limits::REACHED_USES)?;
            found.operations.unite(own.operations);
            for &resource in &own.resources {
                found.resources.insert(resource);
            }
            for &callee in &own.callees {
                if open.contains(callee) {
                    found.recursion.get_or_insert(callee);
                } else {
                    stack.push((callee, false));
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OpCode;

    #[test]
    fn a_reach_has_what_several_functions_use() {
        let mut module = Module::default();
        let void = module.types.intern(crate::ir::Type::Void);
        let mut handles: SecondaryMap<Func, HandleTable> = SecondaryMap::default();
        let mut function = |operations: &[OpCode], calls: &[Func]| {
            let func = module.functions.push(Function::new("f".into(), void, module.functions.len() as u32));
            operations.iter().for_each(|&op| handles[func].operations.insert(op));
            handles[func].calls.extend(calls);
            func
        };
        let callee = function(&[OpCode::IgnoreHit, OpCode::PrimitiveIndex], &[]);
        let main = function(&[OpCode::IgnoreHit, OpCode::InstanceID], &[callee]);
        let found = ReachableSets::new(&module, &handles).from(main, None).expect("two functions");
        assert_eq!(found.functions, [callee, main]);
        let operations: Vec<OpCode> = OpCode::all().filter(|&op| found.operations.has(op)).collect();
        assert_eq!(operations, [OpCode::InstanceID, OpCode::IgnoreHit, OpCode::PrimitiveIndex]);
    }
}
