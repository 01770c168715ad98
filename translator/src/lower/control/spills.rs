//! Values that leave a loop through variables, for drivers that lose them otherwise.

use foldhash::HashMap;
use rspirv::spirv::Op;

use crate::ir::{Type, Value};
use crate::lower::cx::{Code, FunctionCx};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;
use dxil_structure::Node;

/// The spilled values of a function.
#[derive(Default)]
pub struct Spills {
    /// Their variables.
    variables: HashMap<Value, Id>,
    /// Values loaded from these variables, by the node that loads them.
    loads: HashMap<(Value, Node), Id>,
    /// The negations of those that are booleans.
    negated: HashMap<(Value, Node), Id>,
}

impl Spills {
    /// Stores a value that a later node loads. The value is copied from a second variable, because
    /// SwiftShader's optimizer turns variables that are only loaded and stored into SSA form, and
    /// with it goes the mask of a store.
    ///
    /// # Errors
    /// As [`EntryCx::ty`](crate::lower::cx::EntryCx::ty).
    pub fn store(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value, id: Id) -> Result<()> {
        let ty = cx.type_of(value);
        let ty = cx.entry.ty(code, ty)?;
        let null = code.const_null(ty);
        let (variable, passing) = (code.local(ty, Some(null)), code.local(ty, None));
        code.store(passing, id);
        code.stmt(Op::CopyMemory, &[variable, passing]);
        self.variables.insert(value, variable);
        Ok(())
    }

    /// Loads a value at the head of the node.
    ///
    /// # Errors
    /// `Bug` for a value that is not stored.
    pub fn load(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<()> {
        let Some(&variable) = self.variables.get(&value) else {
            return Err(bug!(cx.entry.place, "a value is loaded before it is stored"));
        };
        let (id, node) = (code.load(variable), cx.node);
        cx.locals.repair(value, node, id);
        self.loads.insert((value, node), id);
        if *cx.input.ir_type(cx.type_of(value)) == Type::Int(1) {
            let ty = code.type_bool();
            self.negated.insert((value, node), code.unary(Op::LogicalNot, ty, id));
        }
        Ok(())
    }

    /// The value that a node has loaded, or its negation.
    pub fn loaded(&self, value: Value, node: Node, negated: bool) -> Option<Id> {
        let loads = if negated { &self.negated } else { &self.loads };
        loads.get(&(value, node)).copied()
    }
}
