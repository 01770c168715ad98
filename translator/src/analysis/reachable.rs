//! The reachable set of an entry point: the functions, resources and operations that its code uses,
//! found once when a shader is parsed.
//!
//! In: the module after all passes, and the handles of its functions. Out: a [`ReachableSet`] per
//! entry point. What must hold: the question «does this entry use X» is answered from its reachable
//! set and nowhere else. The cost is one visit of each operation on a handle, then one visit of
//! each function, of its callees and of its resources for each entry that reaches it, which
//! [`limits::REACHED_FUNCTIONS`] and [`limits::REACHED_USES`] bound.

use std::ops::Range;

use crate::analysis::handles::Resolved;
use crate::ir::resources::ResourceId;
use crate::ir::{Func, Function, InstData, Module};
use crate::ops::OpSet;
use dxil_base::entity::{EntitySet, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::lists::{List, Pool};

/// What the code of an entry point uses, directly and through calls.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReachableSet {
    /// The functions that may run, each callee before its callers, in
    /// [`Program::reached`](crate::analysis::program::Program::reached).
    pub functions: List<Func>,
    /// The resources whose handles are operands of an operation.
    pub resources: EntitySet<ResourceId>,
    /// The DXIL operations that are called.
    pub operations: OpSet,
    /// A function that calls itself, directly or indirectly. DXIL forbids recursion, so lowering
    /// refuses the entry.
    pub recursion: Option<Func>,
}

/// What one function uses directly, without its callees: ranges of the lists of all functions.
#[derive(Clone, Default)]
struct DirectUses {
    callees: Range<usize>,
    resources: Range<usize>,
    operations: OpSet,
}

/// Finds the reachable sets of entry points.
pub struct ReachableSets {
    own: PrimaryMap<Func, DirectUses>,
    /// Each callee of a function once, in the order of the last calls.
    callees: Vec<Func>,
    /// Each resource of a function once.
    resources: Vec<ResourceId>,
    /// The functions in all reachable sets so far.
    reached: Pool<Func>,
    /// Number of functions that were visited for them.
    functions: usize,
    /// Number of callees and resources that were visited for them.
    uses: usize,
    /// The functions that the current entry reaches. It is empty between two entries.
    seen: EntitySet<Func>,
    /// The functions on the current path of calls. A call of one of them is recursion.
    open: EntitySet<Func>,
    /// The functions to visit, and whether their callees were.
    stack: Vec<(Func, bool)>,
}

impl ReachableSets {
    /// Visits every function of the module.
    pub fn new(module: &Module, resolved: &Resolved) -> Self {
        let mut sets = Self {
            own: PrimaryMap::with_capacity(module.functions.len()),
            callees: Vec::new(),
            resources: Vec::new(),
            reached: Pool::new(),
            functions: 0,
            uses: 0,
            seen: EntitySet::new(),
            open: EntitySet::new(),
            stack: Vec::new(),
        };
        // They are empty between two functions.
        let (mut used, mut called) = (EntitySet::new(), EntitySet::new());
        for (func, function) in module.functions.iter() {
            sets.visit(func, function, resolved, &mut used, &mut called);
        }
        sets
    }

    /// Visits the next function.
    fn visit(
        &mut self,
        func: Func,
        function: &Function,
        resolved: &Resolved,
        used: &mut EntitySet<ResourceId>,
        called: &mut EntitySet<Func>,
    ) {
        let (callees, resources) = (self.callees.len(), self.resources.len());
        // An operation that only makes a handle does not use the resource.
        let handles = resolved.handles.of(func);
        for &inst in handles.accesses {
            let InstData::Op { op, args, .. } = function.insts[inst] else { continue };
            let new = handles.of(op, function.list(args)).map(|handle| handle.resource);
            self.resources.extend(new.filter(|&resource| used.insert(resource)));
        }
        // Functions are visited from the last call to the first, so the last of several calls
        // counts.
        self.callees.extend(resolved.calls[func].iter().rev().copied().filter(|&callee| called.insert(callee)));
        if let Some(callees) = self.callees.get_mut(callees..) {
            callees.reverse();
            callees.iter().for_each(|&callee| _ = called.remove(callee));
        }
        self.resources.iter().skip(resources).for_each(|&resource| _ = used.remove(resource));
        let (callees, resources) = (callees..self.callees.len(), resources..self.resources.len());
        let _: Func = self.own.push(DirectUses { callees, resources, operations: resolved.operations[func] });
    }

    /// The reachable set of an entry's function and, if it has one, of its patch-constant function.
    ///
    /// # Errors
    /// `Limit` if the entries of the module reach too much, counted once for each entry.
    pub fn from(&mut self, func: Func, patch_function: Option<Func>) -> Result<ReachableSet> {
        let mut found = ReachableSet::default();
        let start = self.reached.len();
        self.stack.extend(patch_function.map(|func| (func, false)));
        self.stack.push((func, false));
        while let Some((func, done)) = self.stack.pop() {
            if done {
                self.open.remove(func);
                self.reached.push(func);
                continue;
            }
            if !self.seen.insert(func) {
                continue;
            }
            self.open.insert(func);
            self.stack.push((func, true));
            let DirectUses { callees, resources, operations } = &self.own[func];
            self.functions += 1;
            let what = "functions, counted once for each entry point that reaches them";
            limits::check(Place::Input, what, self.functions, limits::REACHED_FUNCTIONS)?;
            self.uses = self.uses.saturating_add(callees.len() + resources.len());
            let what = "callees and resources of functions, counted once for each entry point and function";
            limits::check(Place::Input, what, self.uses, limits::REACHED_USES)?;
            found.operations.unite(*operations);
            for &resource in &self.resources[resources.clone()] {
                found.resources.insert(resource);
            }
            for &callee in &self.callees[callees.clone()] {
                if self.open.contains(callee) {
                    found.recursion.get_or_insert(callee);
                } else {
                    self.stack.push((callee, false));
                }
            }
        }
        found.functions = self.reached.since(start);
        for &func in &self.reached[found.functions] {
            self.seen.remove(func);
        }
        Ok(found)
    }

    /// The functions of all reachable sets.
    pub fn finish(self) -> Pool<Func> {
        let mut reached = self.reached;
        reached.shrink_to_fit();
        reached
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
        let mut resolved = Resolved::default();
        let mut function = |operations: &[OpCode], calls: &[Func]| {
            let func = module.functions.push(Function::new("f".into(), void, module.functions.len() as u32));
            let mut own = OpSet::default();
            operations.iter().for_each(|&op| own.insert(op));
            let _: Func = resolved.operations.push(own);
            resolved.calls.add(calls);
            func
        };
        let callee = function(&[OpCode::IgnoreHit, OpCode::PrimitiveIndex], &[]);
        let main = function(&[OpCode::IgnoreHit, OpCode::InstanceID], &[callee]);
        let mut sets = ReachableSets::new(&module, &resolved);
        let found = sets.from(main, None).expect("two functions");
        assert_eq!(sets.finish()[found.functions], [callee, main]);
        let operations: Vec<OpCode> = OpCode::all().filter(|&op| found.operations.has(op)).collect();
        assert_eq!(operations, [OpCode::InstanceID, OpCode::IgnoreHit, OpCode::PrimitiveIndex]);
    }
}
