//! Handles: the descriptor that each one names is found once, when a shader is parsed.
//!
//! In: the module after all passes, and its resource declarations. Out: a [`HandleTable`] per
//! function; the views that handles take from a descriptor heap are added to the resources. What
//! must hold: later code looks an operation's handle up in the table and never follows the handle's
//! operations again. The properties in `annotateHandle` agree with the declaration of the resource,
//! otherwise the module is malformed. A handle that is not in the table is refused if reached code
//! uses it: it comes from a call, or from a phi or `select` that
//! [`passes`](crate::passes) could not replace by one of indexes.

use std::cell::OnceCell;

use foldhash::HashMap;

use crate::analysis::address::{self, Address, Index, MemoryVariable};
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::properties::Properties;
use crate::ir::resources::{Heap, Resource, ResourceId};
use crate::ir::{ConstKind, Def, Func, Function, Global, Inst, InstData, Module, Value};
use crate::ops::consts::ResourceClass;
use crate::ops::{OpCode, OpSet};
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::HANDLE_CHAIN;
use dxil_base::lists::Lists;

/// The element of an array of descriptors that a handle names, counted from the array's first
/// element. It is the sum of both parts, modulo 2^32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayElement {
    /// The part that is known only when the shader runs.
    pub value: Option<Value>,
    /// The constant part.
    pub constant: u32,
}

impl ArrayElement {
    /// The array's first element. A resource that is not an array has only this element.
    pub const FIRST: Self = Self { value: None, constant: 0 };
}

/// A resolved handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    /// The resource: a declared one, or a view of a descriptor heap.
    pub resource: ResourceId,
    /// The element of the resource's array.
    pub element: ArrayElement,
    /// Whether the element may differ between lanes that run together (`NonUniformResourceIndex`).
    pub non_uniform: bool,
}

/// The handles of all functions of a module.
#[derive(Clone, Debug, Default)]
pub struct HandleTables {
    handles: Lists<Func, (Value, Handle)>,
    accesses: Lists<Func, Inst>,
}

/// The handles of one function.
#[derive(Clone, Copy, Debug)]
pub struct HandleTable<'a> {
    /// In the order of the values.
    handles: &'a [(Value, Handle)],
    /// The operations that take a handle and make none, in the order of the instructions.
    pub accesses: &'a [Inst],
}

impl HandleTables {
    /// The handles of a function.
    pub fn of(&self, func: Func) -> HandleTable<'_> {
        HandleTable { handles: &self.handles[func], accesses: &self.accesses[func] }
    }

    /// Bytes that the tables occupy on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.handles.heap_bytes() + self.accesses.heap_bytes()
    }
}

impl<'a> HandleTable<'a> {
    /// The resolved handle of a value; `None` if the value does not come from a chain of handle
    /// operations.
    pub fn get(self, value: Value) -> Option<&'a Handle> {
        let at = self.handles.binary_search_by_key(&value, |&(value, _)| value).ok()?;
        self.handles.get(at).map(|(_, handle)| handle)
    }

    /// The resolved handles among an operation's operands.
    pub fn of(self, op: OpCode, operands: &[Value]) -> impl Iterator<Item = &'a Handle> {
        op.info().handles().filter_map(move |at| self.get(*operands.get(at)?))
    }

    /// Whether the function has a handle whose element of a resource array differs between lanes.
    pub fn has_non_uniform(self) -> bool {
        self.handles.iter().any(|(_, handle)| handle.non_uniform)
    }

    /// The resources that a handle which is not in the table may name, as texts: those that the
    /// phis and selects it comes from choose from. Each is listed once.
    pub fn candidates(
        self,
        module: &Module,
        resources: &PrimaryMap<ResourceId, Resource>,
        function: &Function,
        value: Value,
    ) -> Vec<String> {
        let (mut stack, mut seen, mut found) = (vec![value], Vec::new(), Vec::new());
        while let Some(value) = stack.pop() {
            if seen.contains(&value) || seen.len() == HANDLE_CHAIN {
                continue;
            }
            seen.push(value);
            let text = match (self.get(value), value.as_local().and_then(|i| function.locals.get(i)).map(|l| l.def)) {
                (Some(handle), _) => resources[handle.resource].to_string(),
                (None, Some(Def::Param(block))) => {
                    let at = function.blocks[block].params.iter().position(|param| *param == value);
                    let calls = function.blocks.values().flat_map(|data| data.terminator.targets());
                    let calls = calls.filter(|call| call.block == block);
                    stack.extend(calls.filter_map(|call| function.list(call.args).get(at?).copied()));
                    continue;
                }
                (None, Some(Def::Inst(inst))) => match function.insts[inst] {
                    InstData::Select { then, otherwise, .. } => {
                        stack.extend([otherwise, then]);
                        continue;
                    }
                    InstData::Op { op: OpCode::AnnotateHandle, args, .. } => {
                        stack.extend(args::AnnotateHandle::view(function.list(args)).map(|args| args.res));
                        continue;
                    }
                    InstData::Op { op: OpCode::CreateHandleFromHeap, args, .. } => {
                        match args::CreateHandleFromHeap::view(function.list(args)) {
                            Some(args) if module.const_uint(args.sampler_heap) == Some(1) => Heap::Samplers,
                            _ => Heap::Resources,
                        }
                        .to_string()
                    }
                    _ => continue,
                },
                _ => continue,
            };
            if !found.contains(&text) {
                found.push(text);
            }
        }
        found
    }
}

/// If an instruction annotates the handle of an element of a descriptor heap: the instruction that
/// made this handle.
pub fn annotated_element(function: &Function, inst: Inst) -> Option<Inst> {
    let InstData::Op { op: OpCode::AnnotateHandle, args, .. } = function.insts[inst] else { return None };
    let (created, data) = function.def_inst(args::AnnotateHandle::view(function.list(args))?.res)?;
    matches!(data, InstData::Op { op: OpCode::CreateHandleFromHeap, .. }).then_some(created)
}

/// What resolving handles finds of all functions of a module.
#[derive(Default)]
pub struct Resolved {
    /// The handles.
    pub handles: HandleTables,
    /// The operations of each function.
    pub operations: PrimaryMap<Func, OpSet>,
    /// The functions that each function calls, in the order of the calls.
    pub calls: Lists<Func, Func>,
}

impl Resolved {
    /// Resolves the handles of a module. Its declared resources, some of which have a global
    /// variable, get the views of descriptor heaps that handles take.
    ///
    /// # Errors
    /// `Malformed` if a handle names a resource that is not declared, or its annotation contradicts
    /// the declaration. `Limit` if there are too many views of descriptor heaps.
    pub fn new(
        module: &Module,
        resources: &mut PrimaryMap<ResourceId, Resource>,
        by_symbol: &HashMap<Global, ResourceId>,
    ) -> Result<Self> {
        let mut resolver = Resolver::new(module, resources, by_symbol);
        let mut found = Self { operations: PrimaryMap::with_capacity(module.functions.len()), ..Self::default() };
        // Code makes and uses a few handles for each resource.
        let (functions, few) = (module.functions.len(), 2 * resolver.resources.len());
        found.handles.handles.reserve(functions, few);
        found.handles.accesses.reserve(functions, few);
        module.functions.values().try_for_each(|function| resolver.function(function, &mut found))?;
        Ok(found)
    }
}

/// Resolves the handles of a module's functions.
struct Resolver<'a> {
    module: &'a Module,
    resources: &'a mut PrimaryMap<ResourceId, Resource>,
    /// Declared resources by class and range id, as `createHandle` names them, in order, once it
    /// does.
    by_range: OnceCell<Vec<(ResourceClass, u32, ResourceId)>>,
    /// Declared resources by class, space and first register, as `createHandleFromBinding` finds
    /// them, in order, once it does.
    by_register: OnceCell<Vec<(ResourceClass, u32, u32, ResourceId)>>,
    /// Declared resources by their global variable, which `createHandleForLib` loads from.
    by_symbol: &'a HashMap<Global, ResourceId>,
    /// Views of descriptor heaps found so far.
    views: HashMap<Resource, ResourceId>,
    /// The handles of what the function loads from computed addresses. Many handles may be made
    /// from one load, whose address may be a long chain.
    loads: HashMap<Value, Handle>,
}

/// What creates a handle.
enum HandleSource {
    Declared(Handle),
    /// From a descriptor heap. `annotateHandle` tells which view of the heap it is.
    Heap {
        heap: Heap,
        index: Value,
        non_uniform: bool,
    },
}

impl<'a> Resolver<'a> {
    fn new(
        module: &'a Module,
        resources: &'a mut PrimaryMap<ResourceId, Resource>,
        by_symbol: &'a HashMap<Global, ResourceId>,
    ) -> Self {
        let (by_range, by_register) = (OnceCell::new(), OnceCell::new());
        let (views, loads) = (HashMap::default(), HashMap::default());
        Self { module, resources, by_range, by_register, by_symbol, views, loads }
    }

    /// Resolves the handles of the next function.
    fn function(&mut self, function: &Function, found: &mut Resolved) -> Result<()> {
        self.loads.clear();
        let Resolved { handles: HandleTables { handles, accesses }, operations, calls } = found;
        let (start, mut own) = (handles.items_mut().len(), OpSet::default());
        for (inst, data) in function.insts.iter() {
            let op = match *data {
                InstData::Op { op, .. } => op,
                InstData::Call { func, .. } => {
                    calls.items_mut().push(func);
                    continue;
                }
                _ => continue,
            };
            own.insert(op);
            if !op.makes_handle() {
                if op.takes_handle() {
                    accesses.items_mut().push(inst);
                }
                continue;
            }
            if let Some(value) = function.result(inst)
                && let Some(handle) = self.resolve(function, inst, value)?
            {
                handles.items_mut().push((value, handle));
            }
        }
        let made = handles.items_mut().get_mut(start..).unwrap_or_default();
        // Passes add instructions behind those before which they stand.
        if !made.is_sorted_by_key(|&(value, _)| value) {
            made.sort_unstable_by_key(|&(value, _)| value);
        }
        handles.close();
        accesses.close();
        calls.close();
        let _: Func = operations.push(own);
        Ok(())
    }

    /// The resolved handle of a handle operation's result. The operations that it annotates are
    /// followed to the first one.
    fn resolve(&mut self, function: &Function, inst: Inst, value: Value) -> Result<Option<Handle>> {
        let place = Place::Inst { func: function.number, inst: inst.index() as u32 };
        let mut properties = None;
        let mut at = value;
        for _ in 0..HANDLE_CHAIN {
            let Some((_, &InstData::Op { op, args, .. })) = function.def_inst(at) else { return Ok(None) };
            let operands = function.list(args);
            if op == OpCode::AnnotateHandle {
                let Some(args) = args::AnnotateHandle::view(operands) else { return Ok(None) };
                // The annotation nearest to the use counts. The other annotations of a chain are
                // checked when their own results are resolved.
                if properties.is_none() {
                    properties = self.properties(args.props, place)?;
                }
                at = args.res;
                continue;
            }
            return match self.created(function, op, operands, place)? {
                None => Ok(None),
                Some(HandleSource::Declared(handle)) => {
                    if let Some(properties) = properties {
                        properties.check(&self.resources[handle.resource], place)?;
                    }
                    Ok(Some(handle))
                }
                Some(HandleSource::Heap { heap, index, non_uniform }) => {
                    // A heap handle without annotation has no type yet. Only `annotateHandle` takes
                    // such a handle.
                    let Some(properties) = properties else { return Ok(None) };
                    let resource = self.view(heap, properties, place)?;
                    Ok(Some(Handle { resource, element: self.element(index, 0), non_uniform }))
                }
            };
        }
        Err(unsupported!(place, "a handle that is made by a chain of more than {HANDLE_CHAIN} operations"))
    }

    fn created(
        &mut self,
        function: &Function,
        op: OpCode,
        operands: &[Value],
        place: Place,
    ) -> Result<Option<HandleSource>> {
        let flag = |value| self.module.const_uint(value) == Some(1);
        let declared = |id: Option<ResourceId>| {
            id.ok_or_else(|| malformed!(place, "{op} names a resource that the metadata does not declare"))
        };
        Ok(match op {
            OpCode::CreateHandle => args::CreateHandle::view(operands)
                .map(|args| {
                    let number = |v| self.module.const_uint(v).and_then(|n| u32::try_from(n).ok());
                    let class = number(args.resource_class).and_then(|n| ResourceClass::try_from(n).ok());
                    let range = class.zip(number(args.range_id));
                    let resource = declared(range.and_then(|(class, range)| self.ranged(class, range)))?;
                    Ok(self.at_register(resource, args.index, flag(args.non_uniform_index)))
                })
                .transpose()?,
            OpCode::CreateHandleFromBinding => args::CreateHandleFromBinding::view(operands)
                .map(|args| {
                    let resource = declared(self.bound(args.bind))?;
                    Ok(self.at_register(resource, args.index, flag(args.non_uniform_index)))
                })
                .transpose()?,
            OpCode::CreateHandleForLib => args::CreateHandleForLib::view(operands)
                .map(|args| self.loaded(function, args.resource, place))
                .transpose()?,
            OpCode::CreateHandleFromHeap => args::CreateHandleFromHeap::view(operands).map(|args| HandleSource::Heap {
                heap: if flag(args.sampler_heap) { Heap::Samplers } else { Heap::Resources },
                index: args.index,
                non_uniform: flag(args.non_uniform_index),
            }),
            _ => None,
        })
    }

    /// The keys of the declared resources, in order.
    fn in_order<T: Ord>(&self, key: impl Fn(ResourceId, &Resource) -> T) -> Vec<T> {
        let declared = self.resources.iter().filter(|(_, resource)| resource.is_declared());
        let mut keys: Vec<T> = declared.map(|(id, resource)| key(id, resource)).collect();
        keys.sort_unstable();
        keys
    }

    /// The first declared resource of a class with this range id.
    fn ranged(&self, class: ResourceClass, range: u32) -> Option<ResourceId> {
        let by_range =
            self.by_range.get_or_init(|| self.in_order(|id, resource| (resource.class, resource.range_id, id)));
        let at = by_range.partition_point(|&(c, r, _)| (c, r) < (class, range));
        let &(found_class, found_range, id) = by_range.get(at)?;
        ((found_class, found_range) == (class, range)).then_some(id)
    }

    /// The element of a resource for an index that counts from register 0 of its class and space.
    fn at_register(&self, resource: ResourceId, index: Value, non_uniform: bool) -> HandleSource {
        let element = self.element(index, 0u32.wrapping_sub(self.resources[resource].lower_bound));
        HandleSource::Declared(Handle { resource, element, non_uniform })
    }

    /// `index + constant`.
    fn element(&self, index: Value, constant: u32) -> ArrayElement {
        match self.module.const_uint(index) {
            Some(index) => ArrayElement { value: None, constant: constant.wrapping_add(index as u32) },
            None => ArrayElement { value: Some(index), constant },
        }
    }

    /// The declared resource that contains the registers of a `ResBind` constant `{ lower, upper,
    /// space, class }`.
    fn bound(&self, bind: Value) -> Option<ResourceId> {
        let [lower, upper, space, class] = self.numbers(bind)?;
        let class = ResourceClass::try_from(class).ok()?;
        // The ranges of one class and space do not overlap, so the range whose first register is
        // nearest below is the only candidate.
        let by_register = self.by_register.get_or_init(|| self.in_order(|id, r| (r.class, r.space, r.lower_bound, id)));
        let end = by_register.partition_point(|&(c, s, first, _)| (c, s, first) <= (class, space, lower));
        let &(found_class, found_space, _, id) = by_register.get(end.checked_sub(1)?)?;
        let found = (found_class, found_space) == (class, space) && upper <= self.resources[id].upper_bound();
        found.then_some(id)
    }

    /// The resource whose global variable a value was loaded from (libraries of shader models
    /// before linking).
    fn loaded(&mut self, function: &Function, value: Value, place: Place) -> Result<HandleSource> {
        let unknown = |what| unsupported!(place, "createHandleForLib of {what}");
        let Some((_, &InstData::Load { ptr, .. })) = function.def_inst(value) else {
            return Err(unknown("a value that is not a load of a resource variable"));
        };
        let declared = |global: Global| {
            let undeclared = || {
                malformed!(place, "createHandleForLib of `{}`, which is not declared", self.module.globals[global].name)
            };
            self.by_symbol.get(&global).copied().ok_or_else(undeclared)
        };
        if let Some((global, _)) = address::whole_global(self.module, ptr) {
            let handle = Handle { resource: declared(global)?, element: ArrayElement::FIRST, non_uniform: false };
            return Ok(HandleSource::Declared(handle));
        }
        if let Some(&handle) = self.loads.get(&value) {
            return Ok(HandleSource::Declared(handle));
        }
        let address = Address::resolve(self.module, function, ptr)
            .map_err(|_| unknown("a load whose address is not a single access path into one variable"))?;
        let MemoryVariable::Global(global) = address.variable else { return Err(unknown("a local variable")) };
        let resource = declared(global)?;
        let element = match address.indices.as_slice() {
            [] | [Index::Element(None)] => ArrayElement::FIRST,
            &[Index::Element(Some(index))] => self.element(index, 0),
            [Index::Element(_), rest @ ..] if rest.iter().all(|index| matches!(index, Index::Plus(_))) => {
                return Err(unknown("an array element whose index is a sum of several values"));
            }
            _ => return Err(unknown("an array of arrays")),
        };
        // Before shader model 6.6, `NonUniformResourceIndex` is metadata of the index, which
        // decoding does not keep. So every dynamic index counts as non-uniform.
        let non_uniform = element.value.is_some();
        let handle = Handle { resource, element, non_uniform };
        self.loads.insert(value, handle);
        Ok(HandleSource::Declared(handle))
    }

    /// The numbers of a constant structure. Missing numbers up to four are zero.
    fn numbers(&self, value: Value) -> Option<[u32; 4]> {
        let mut numbers = [0; 4];
        match &self.module.consts[value.as_const()?].kind {
            ConstKind::Null => {}
            ConstKind::Aggregate(fields) if fields.len() <= numbers.len() => {
                for (number, &field) in numbers.iter_mut().zip(fields) {
                    *number = self.module.consts.as_uint(field)? as u32;
                }
            }
            _ => return None,
        }
        Some(numbers)
    }

    fn properties(&self, value: Value, place: Place) -> Result<Option<Properties>> {
        match self.numbers(value) {
            Some([basic, extended, ..]) => Ok(Some(Properties { basic, extended })),
            None => Err(malformed!(place, "annotateHandle with properties that are not constants")),
        }
    }

    /// The view of a heap with these properties. A new view is added to the resources.
    fn view(&mut self, heap: Heap, properties: Properties, place: Place) -> Result<ResourceId> {
        let view = properties.view(heap, place)?;
        if let Some(&id) = self.views.get(&view) {
            return Ok(id);
        }
        limits::check(place, "resources and heap views", self.resources.len() + 1, limits::RESOURCES)?;
        let id = self.resources.push(view.clone());
        self.views.insert(view, id);
        Ok(id)
    }
}
