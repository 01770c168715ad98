//! The state of lowering one function.
//!
//! In: the state of the entry point and an IR function. Out: ids of values. What must hold: each
//! function has its own state, created when its lowering begins.

use foldhash::{HashMap, HashSet};

use super::analysis::FunctionAnalysis;
use super::entry::EntryCx;
use super::input::Inputs;
use super::locals::Locals;
use super::lowered::{Code, Component, Leaf, Lowered, WIDEST};
use super::node_cache::NodeReads;
use crate::analysis::address::Index;
use crate::analysis::handles::ArrayElement;
use crate::analysis::hit_objects::HitObjects;
use crate::ir::declarations::SignatureElement;
use crate::ir::{Func, Function, TypeId, Value, ValueKind};
use dxil_base::entity::Entity;
use dxil_base::error::{Error, Result};
use dxil_spirv_builder::{Id, Module};
use dxil_structure::Node;

/// The state of lowering one function.
pub struct FunctionCx<'m, 'a> {
    /// What lowering reads.
    pub input: Inputs<'a>,
    /// The state of the entry point.
    pub entry: &'m mut EntryCx<'a>,
    /// The function's key in the module.
    pub func: Func,
    /// The function.
    pub function: &'a Function,
    /// The analysis of the function.
    pub analysis: FunctionAnalysis<'a>,
    /// The node of the structured graph that is being emitted.
    pub node: Node,
    /// What becomes of the components of vectors.
    pub components: Components,
    /// Whether the node may run several times: it is in a loop, or the function is not the entry's.
    pub repeats: bool,
    /// The results of lowering the function's values.
    pub locals: Locals,
    /// The function's variables.
    pub variables: Variables,
    /// What was read.
    pub reads: NodeReads,
    /// What waits, and is written before the node ends.
    pub pending: Pending<'a>,
}

/// What becomes of the components of vectors.
#[derive(Debug, Default)]
pub struct Components {
    /// Whether they become values of their own only where they are used. Not so where a driver
    /// loses values that leave loops.
    pub are_shared: bool,
    /// By local: whether phis take it. They are filled in when nothing can be written any more.
    pub taken_by_phis: Vec<bool>,
}

/// The SPIR-V variables of a function.
#[derive(Debug, Default)]
pub struct Variables {
    /// The variable of each alloca, by the alloca's result.
    allocas: HashMap<Value, Id>,
    /// The allocas that have a variable, in the order in which these were declared.
    declared: Vec<Value>,
    /// The variables of each ray query that has its own, by its handle and which variable it is.
    pub queries: HashMap<(Value, u32), Id>,
    /// Which hit objects have one variable, once that is asked for.
    pub hit_objects: Option<HitObjects>,
    /// Their variables, by [`HitObjects::representative`].
    pub hit_object_variables: HashMap<Value, Id>,
    /// The indexes of an access to a variable, in lists that all of them use in turn.
    pub paths: Paths,
    /// The pointers to elements of descriptor heaps that have their names.
    named: HashSet<Id>,
}

impl Variables {
    /// The variable of an alloca, if it is declared.
    pub fn of_alloca(&self, alloca: Value) -> Option<Id> {
        self.allocas.get(&alloca).copied()
    }

    /// The variable of an alloca is declared.
    pub fn declare(&mut self, alloca: Value, variable: Id) {
        self.allocas.insert(alloca, variable);
        self.declared.push(alloca);
    }

    /// The allocas that have got a variable after the first so many.
    pub fn declared_after(&self, count: usize) -> &[Value] {
        self.declared.get(count..).unwrap_or_default()
    }
}

/// The indexes of an access to a variable.
#[derive(Debug, Default)]
pub struct Paths {
    /// Those of its address.
    pub address: Vec<Index>,
    /// Those of its access chain.
    pub chain: Vec<Id>,
}

/// The ids of a SPIR-V function that is about to be written.
#[derive(Clone, Copy)]
pub struct FunctionIds {
    /// The id of the function.
    pub id: Id,
    /// The id of its type.
    pub ty: Id,
}

/// What waits, and is written before the node ends.
#[derive(Debug, Default)]
pub struct Pending<'a> {
    /// The mesh shaders that end the node.
    pub mesh_tasks: Option<MeshTasks>,
    /// The stores to outputs that wait for more components.
    pub stores: Vec<PendingStore<'a>>,
}

/// A store to some components of a row of an output.
#[derive(Clone, Copy, Debug)]
pub struct PendingStore<'a> {
    /// The element.
    pub element: &'a SignatureElement,
    /// Whether the element is a patch constant, or an output of a primitive.
    pub is_patch: bool,
    /// The row of the element.
    pub row: Value,
    /// The vertex or primitive, in mesh shaders.
    pub index: Option<Value>,
    /// The value of each column.
    pub columns: [Option<Value>; 4],
}

/// The operands of `DispatchMesh`: the number of groups in each direction, and the payload.
#[derive(Clone, Copy, Debug)]
pub struct MeshTasks {
    pub groups: [Id; 3],
    pub payload: Option<Id>,
}

impl<'m, 'a> FunctionCx<'m, 'a> {
    /// The state before the function's first instruction.
    pub fn new(entry: &'m mut EntryCx<'a>, func: Func) -> Self {
        let input = entry.input;
        let function = &input.program.module.functions[func];
        FunctionCx {
            input,
            entry,
            func,
            function,
            analysis: FunctionAnalysis::new(input, func),
            node: Node::new(0),
            components: Components::default(),
            repeats: true,
            locals: Locals::new(function.locals.len()),
            variables: Variables::default(),
            reads: NodeReads::default(),
            pending: Pending::default(),
        }
    }

    /// The name in the source of what a pointer to an element of a descriptor heap points to, once
    /// for each pointer. `None` where nothing of the source is written.
    pub fn heap_name(&mut self, element: ArrayElement, pointer: Id) -> Option<&'a str> {
        self.input.source?;
        let name = self.function.debug.as_ref()?.heap_elements.get(&(element.value, element.constant))?;
        self.variables.named.insert(pointer).then_some(&**name)
    }

    /// The IR type of a value.
    #[inline]
    pub fn type_of(&self, value: Value) -> TypeId {
        self.input.program.module.type_of(self.function, value)
    }

    /// The SPIR-V value of an IR value that is a number, bool or vector.
    ///
    /// # Errors
    /// `Unsupported` for structures, handles and pointers, which have no SPIR-V value;
    /// `MissingFeature` for types that the device does not have; `Malformed` if the definition does
    /// not dominate the use.
    #[inline]
    pub fn value(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Id> {
        match value.kind() {
            ValueKind::Const(constant) => self.entry.constant(code, constant),
            ValueKind::Local(_) => match self.locals.slot(value, self.node) {
                Some(Lowered::Id(id)) if !self.locals.has_repaired() => Ok(id),
                slot => self.other_value(code, value, slot),
            },
        }
    }

    /// The value of a local that is a component of a vector, or in a function where some locals are
    /// replaced in some nodes.
    #[inline(never)]
    fn other_value(&mut self, code: &mut Code<'_, '_>, value: Value, slot: Option<Lowered>) -> Result<Id> {
        match slot {
            Some(Lowered::Component(Component { vector, index, value: None }))
                if self.locals.repaired(value, self.node).is_none() =>
            {
                let id = code.component(vector, index.into());
                // The rest of the node does not see what is inside a piece of control flow.
                if !code.is_inside() {
                    self.locals.set_component(value, Component { vector, index, value: Some(id) }, self.node);
                }
                Ok(id)
            }
            _ => self.repaired_value(value, slot),
        }
    }

    /// The result of an instruction that is a component of a vector. It is a value of its own at
    /// once with `own`, and where phis take it.
    pub fn defined(&self, code: &mut Code<'_, '_>, result: Value, component: Component, own: bool) -> Lowered {
        let Component { vector, index, .. } = component;
        if own || !self.components.are_shared {
            return Lowered::Id(code.component(vector, index.into()));
        }
        let is_taken = result.as_local().and_then(|local| self.components.taken_by_phis.get(local)) == Some(&true);
        let value = is_taken.then(|| code.component(vector, index.into()));
        Lowered::Component(Component { vector, index, value })
    }

    /// The value of a constant, or of a local that is a value of its own. As
    /// [`value`](Self::value), where nothing can be written.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn emitted(&mut self, module: &mut Module<'_>, value: Value) -> Result<Id> {
        match value.kind() {
            ValueKind::Const(constant) => self.entry.constant(module, constant),
            ValueKind::Local(_) => self.repaired_value(value, self.locals.slot(value, self.node)),
        }
    }

    /// A value that may stay a component of a vector.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn leaf(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Leaf> {
        match self.locals.component(value, self.node) {
            Some(Component { vector, index, .. }) if !self.locals.has_repaired() => Ok(Leaf::Component(vector, index)),
            _ => Ok(Leaf::Value(self.value(code, value)?)),
        }
    }

    /// A vector of some values of one type, at most four, or the value itself if there is one.
    /// Components that follow each other in a vector are taken from it together.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn vector(&mut self, code: &mut Code<'_, '_>, values: &[Value]) -> Result<Id> {
        let mut ids = [code.label(); WIDEST];
        let (mut count, mut rest) = (0, values);
        while let (&[value, ..], Some(id)) = (rest, ids.get_mut(count)) {
            let (part, taken) = match self.shared_components(code, rest) {
                Some(shared) => shared,
                None => (self.value(code, value)?, 1),
            };
            if taken == values.len() {
                return Ok(part);
            }
            *id = part;
            count += 1;
            rest = &rest[taken..];
        }
        let ids = ids.get(..count).filter(|_| rest.is_empty()).unwrap_or_default();
        let Some(scalar) = ids.first().and_then(|&id| Some(code.scalar(code.type_of(id)?).0)) else {
            return Err(bug!(self.entry.place, "a vector of {} values", values.len()));
        };
        let ty = code.type_vector(scalar, values.len() as u32);
        if ids.iter().all(|&id| code.constant_value(id).is_some()) {
            return Ok(code.const_composite(ty, ids));
        }
        let vector = code.construct(ty, ids);
        if ids.len() == values.len() && self.components.are_shared && !code.is_inside() {
            for (index, (&value, &id)) in (0..).zip(values.iter().zip(ids)) {
                self.locals.set_component(value, Component { vector, index, value: Some(id) }, self.node);
            }
        }
        Ok(vector)
    }

    /// The vector that the first of some values are components of, or a shuffle of it, and how many
    /// they are. `None` where it takes fewer words to construct a vector of their values.
    fn shared_components(&mut self, code: &mut Code<'_, '_>, values: &[Value]) -> Option<(Id, usize)> {
        if self.locals.has_repaired() {
            return None;
        }
        let component = |value: &Value| self.locals.component(*value, self.node);
        let first = component(values.first()?)?;
        let ty = code.type_of(first.vector)?;
        let (mut indexes, mut count, mut are_values) = ([0; WIDEST], 0, true);
        let shared = values.iter().map_while(component).take_while(|other| other.vector == first.vector);
        for (slot, component) in indexes.iter_mut().zip(shared) {
            *slot = u32::from(component.index);
            are_values &= component.value.is_some();
            count += 1;
        }
        let (scalar, size) = code.scalar(ty);
        let size = size as usize;
        if count >= size && (0..).zip(&indexes[..size]).all(|(n, &index)| n == index) {
            return Some((first.vector, size));
        }
        if are_values || count < 2 {
            return None;
        }
        let ty = code.type_vector(scalar, count as u32);
        Some((code.shuffle(ty, first.vector, first.vector, &indexes[..count]), count))
    }

    /// The value of a local in a function where some are replaced in some nodes.
    #[inline(never)]
    fn repaired_value(&self, value: Value, slot: Option<Lowered>) -> Result<Id> {
        match (self.locals.repaired(value, self.node), slot) {
            (Some(id), _) | (None, Some(Lowered::Id(id) | Lowered::Component(Component { value: Some(id), .. }))) => {
                Ok(id)
            }
            (None, slot) => Err(self.no_value(value, slot)),
        }
    }

    /// The error for a value that is no number, bool or vector.
    #[cold]
    fn no_value(&self, value: Value, slot: Option<Lowered>) -> Error {
        let place = self.entry.place;
        match slot {
            Some(Lowered::Parts(_) | Lowered::Row(_) | Lowered::Component(..)) => {
                unsupported!(place, "a structure is used where a number, bool or vector is expected")
            }
            Some(Lowered::Virtual) => {
                unsupported!(place, "a handle or pointer is used where a number, bool or vector is expected")
            }
            _ => {
                self.input.uses.met.set(true);
                malformed!(place, "{value} is used where its definition does not dominate the use")
            }
        }
    }

    /// The SPIR-V values of several IR values.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    #[inline(always)]
    pub fn values<const N: usize>(&mut self, code: &mut Code<'_, '_>, values: [Value; N]) -> Result<[Id; N]> {
        let mut ids = [code.type_u32(); N];
        for n in 0..N {
            ids[n] = self.value(code, values[n])?;
        }
        Ok(ids)
    }
}
