//! Replaces phis and selects of handles by phis and selects of descriptor indexes.
//!
//! In: a verified module. Out: the same module, in which a block parameter or `select` of handles
//! from one array of descriptors, or from one descriptor heap, is a handle that is created at a
//! chosen index. In a library, a handle is made of what is loaded from a global variable, and the
//! index is that of an element of the variable. What must hold: an index that may differ between
//! lanes is marked as such. [`choices`](super::choices) rewrites the choices, and says why that is
//! right.
//!
//! A handle has no SPIR-V value, so no phi can carry one. A choice between handles of several
//! resources, or with several annotations, stays unchanged; code that uses it is refused, with the
//! names of the resources ([`dxil::handles`](crate::analysis::handles)).

use std::collections::BTreeSet;

use super::choices::{Choice, ChoiceValue, groups, rewrite};
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{ConstKind, Consts, Def, Func, Function, Inst, InstData, Module, Type, TypeId, Value, ValueKind};
use crate::ops::OpCode;
use dxil_base::error::Result;
use dxil_base::limits::{Fuel, HANDLE_CHAIN};

/// The largest number of values that are followed to find that a condition is uniform.
const UNIFORM_STEPS: usize = 64;

/// Rewrites every function of the module. Returns whether anything changed.
///
/// # Errors
/// `Limit` if there are more choices than the budget allows.
pub(super) fn merge(module: &mut Module, fuel: &Fuel) -> Result<bool> {
    let funcs: Vec<Func> = module.functions.keys().collect();
    let mut changed = false;
    for func in funcs {
        // A choice between annotations of another choice becomes possible when the other one is a
        // created handle.
        for _ in 0..HANDLE_CHAIN {
            let groups = groups::<CommonHandle>(module, &module.functions[func], fuel)?;
            if groups.is_empty() {
                break;
            }
            rewrite(module, func, &groups, fuel)?;
            changed = true;
        }
    }
    Ok(changed)
}

/// How a handle is created, but for the index.
#[derive(Clone, Copy, PartialEq)]
enum Creation {
    Handle {
        resource_class: Value,
        range_id: Value,
    },
    Binding {
        bind: Value,
    },
    Heap {
        sampler_heap: Value,
    },
    /// By a load from a library's global variable, or from what is loaded there.
    Library(LibraryHandle),
}

/// The global variables of libraries that handles come from.
#[derive(Clone, Copy, PartialEq)]
struct LibraryHandle {
    /// The address of the whole variable.
    variable: Value,
    /// The constant 0 before the index of an element, and the index's type, if it is an array.
    array: Option<(Value, TypeId)>,
    /// The type of the element's address.
    address: TypeId,
    /// The type of what is loaded.
    loaded: TypeId,
    /// Whether the handle is made from the loaded value, and is not that value itself.
    creates: bool,
}

impl Creation {
    /// The creation, the index and the flag for an index that is not uniform, which libraries do
    /// not have.
    fn new(
        module: &Module,
        function: &Function,
        op: OpCode,
        operands: &[Value],
    ) -> Option<(Self, Value, Option<Value>)> {
        Some(match op {
            OpCode::CreateHandle => {
                let args = args::CreateHandle::view(operands)?;
                let creation = Self::Handle { resource_class: args.resource_class, range_id: args.range_id };
                (creation, args.index, Some(args.non_uniform_index))
            }
            OpCode::CreateHandleFromBinding => {
                let args = args::CreateHandleFromBinding::view(operands)?;
                (Self::Binding { bind: args.bind }, args.index, Some(args.non_uniform_index))
            }
            OpCode::CreateHandleFromHeap => {
                let args = args::CreateHandleFromHeap::view(operands)?;
                (Self::Heap { sampler_heap: args.sampler_heap }, args.index, Some(args.non_uniform_index))
            }
            OpCode::CreateHandleForLib => {
                let args = args::CreateHandleForLib::view(operands)?;
                let (_, &InstData::Load { ptr, .. }) = function.def_inst(args.resource)? else { return None };
                let (library, index) = LibraryHandle::new(module, function, ptr, args.resource, true)?;
                (Self::Library(library), index, None)
            }
            _ => return None,
        })
    }

    /// The last operation that creates the handle at an index. The instructions before it are added
    /// to `before`.
    fn at(self, function: &mut Function, index: Value, non_uniform: Option<Value>, before: &mut Vec<Inst>) -> InstData {
        let mut emit = |function: &mut Function, data, ty| {
            let inst = function.make_inst(data, Some(ty));
            before.push(inst);
            function.result(inst)
        };
        // In the order of the table of operations.
        let (op, mut operands) = match self {
            Self::Handle { resource_class, range_id } => (OpCode::CreateHandle, vec![resource_class, range_id, index]),
            Self::Binding { bind } => (OpCode::CreateHandleFromBinding, vec![bind, index]),
            Self::Heap { sampler_heap } => (OpCode::CreateHandleFromHeap, vec![index, sampler_heap]),
            Self::Library(LibraryHandle { variable, array, address, loaded, creates }) => {
                let mut ptr = Some(variable);
                if let Some((zero, _)) = array {
                    let indices = function.make_list(&[zero, index]);
                    ptr = emit(function, InstData::Gep { base: variable, indices }, address);
                }
                let load = InstData::Load { ptr: ptr.unwrap_or(variable), volatile: false };
                if !creates {
                    return load;
                }
                (OpCode::CreateHandleForLib, emit(function, load, loaded).into_iter().collect())
            }
        };
        operands.extend(non_uniform);
        InstData::Op { op, precise: false, args: function.make_list(&operands) }
    }
}

impl LibraryHandle {
    /// The variable that a load is from, and the index of its element: the address, if the variable
    /// is not an array.
    fn new(module: &Module, function: &Function, ptr: Value, value: Value, creates: bool) -> Option<(Self, Value)> {
        let (variable, indices) = match ptr.kind() {
            ValueKind::Const(constant) => match &module.consts[constant].kind {
                ConstKind::Gep { base, indices } => {
                    (Value::constant(*base), indices.iter().map(|&index| Value::constant(index)).collect())
                }
                _ => (ptr, Vec::new()),
            },
            ValueKind::Local(_) => match *function.def_inst(ptr)?.1 {
                InstData::Gep { base, indices } => (base, function.list(indices).to_vec()),
                _ => return None,
            },
        };
        let ConstKind::GlobalAddr(global) = module.consts[variable.as_const()?].kind else { return None };
        // The load moves to the place of the choice.
        if !module.globals[global].constant {
            return None;
        }
        let loaded = module.type_of(function, value);
        let whole = module.globals[global].ty;
        let (array, index) = match (&module.types[whole], &indices[..]) {
            (_, []) if whole == loaded => (None, ptr),
            (&Type::Array { element, .. }, &[zero, index])
                if element == loaded && module.const_uint(zero) == Some(0) =>
            {
                (Some((zero, module.type_of(function, index))), index)
            }
            _ => return None,
        };
        Some((Self { variable, array, address: module.type_of(function, ptr), loaded, creates }, index))
    }
}

/// A handle at the end of a chain of annotations.
#[derive(Clone, Copy)]
struct CreatedHandle {
    creation: Creation,
    index: Value,
    non_uniform: Option<Value>,
    /// The properties of the annotation nearest to the use, if there is one.
    properties: Option<Value>,
}

impl CreatedHandle {
    /// Whether the index may differ between lanes that run together, as D3D marks it. Libraries
    /// have no mark before shader model 6.6, so every address there that is not constant counts.
    fn may_differ(&self, module: &Module) -> bool {
        match self.non_uniform {
            Some(flag) => module.const_uint(flag) != Some(0),
            None => self.index.as_const().is_none(),
        }
    }
}

/// One of the handles that a choice chooses from.
type IncomingHandle = super::choices::Incoming<CreatedHandle>;

/// What the handles of a group have in common.
struct CommonHandle {
    /// A handle of the group. All others have the same creation and the same properties.
    first: CreatedHandle,
    /// The type of the index, if the handles have different indexes.
    varying: Option<TypeId>,
    /// The type of the flag for an index that is not uniform, and whether it is set.
    flag: Option<(TypeId, bool)>,
}

impl ChoiceValue for CommonHandle {
    type Origin = CreatedHandle;

    fn is_chosen(module: &Module, ty: TypeId) -> bool {
        module.types[ty] == Type::Handle
    }

    fn source(module: &Module, function: &Function, value: Value) -> IncomingHandle {
        source(module, function, value)
    }

    fn new(module: &Module, function: &Function, choices: &[&Choice<CreatedHandle>]) -> Option<Self> {
        let mut common: Option<CreatedHandle> = None;
        let (mut varying, mut marked) = (false, false);
        for from in choices.iter().flat_map(|choice| &choice.from) {
            let made = match from {
                IncomingHandle::Origin(made) => made,
                // The group has the choices among its operands. A parameter of a block that no
                // block branches to is not in it, but has no value either.
                IncomingHandle::Choice(_) | IncomingHandle::Any => continue,
                IncomingHandle::Other => return None,
            };
            let first = common.get_or_insert(*made);
            if first.creation != made.creation || first.properties != made.properties {
                return None;
            }
            // An index that is not constant may be defined after the place of the choice.
            varying |= first.index != made.index || made.index.as_const().is_none();
            marked |= made.may_differ(module);
        }
        let first = common?;
        // D3D's mark of a non-uniform index, `NonUniformResourceIndex`, is at the index of a
        // handle's creation. A choice between handles has no place for it: two handles, each at a
        // uniform index, may be chosen by a condition that differs between lanes. Vulkan requires
        // the mark wherever the index of a descriptor is not dynamically uniform («Shader Resource
        // Interface»), so it is left out only where the conditions are known to be uniform. Lanes
        // that run together may have come to a block by different edges. Whether they do depends on
        // all branches before, and is not followed here.
        let is_uniform =
            |choice: &&Choice<CreatedHandle>| choice.condition.is_some_and(|value| is_uniform(module, function, value));
        let non_uniform = marked || varying && !choices.iter().all(is_uniform);
        Some(Self {
            first,
            varying: varying.then(|| module.type_of(function, first.index)),
            flag: first.non_uniform.map(|flag| (module.type_of(function, flag), non_uniform)),
        })
    }

    /// Everything but the index is a constant: an immediate, or the address of a variable.
    fn base(&self) -> Option<Value> {
        None
    }

    fn varying(&self) -> impl Iterator<Item = TypeId> {
        self.varying.into_iter()
    }

    fn indexes(&self, origin: &CreatedHandle) -> impl Iterator<Item = Value> {
        self.varying.map(|_| origin.index).into_iter()
    }

    fn create(
        &self,
        consts: &mut Consts,
        function: &mut Function,
        ty: TypeId,
        indexes: &[Value],
        before: &mut Vec<Inst>,
    ) -> InstData {
        let CreatedHandle { creation, index: only, properties, .. } = self.first;
        let flag = self.flag.map(|(ty, flag)| consts.value(ty, ConstKind::Int(u64::from(flag))));
        let created = creation.at(function, indexes.first().copied().unwrap_or(only), flag, before);
        let Some(properties) = properties else { return created };
        let inst = function.make_inst(created, Some(ty));
        before.push(inst);
        let operands: Vec<Value> = function.result(inst).into_iter().chain([properties]).collect();
        InstData::Op { op: OpCode::AnnotateHandle, precise: false, args: function.make_list(&operands) }
    }
}

/// Follows a handle back to its creation, or to the choice that it comes from.
fn source(module: &Module, function: &Function, handle: Value) -> IncomingHandle {
    let (mut at, mut properties) = (handle, None);
    for _ in 0..HANDLE_CHAIN {
        let index = match at.kind() {
            ValueKind::Const(_) if module.is_undef(at) && properties.is_none() => return IncomingHandle::Any,
            ValueKind::Const(_) => return IncomingHandle::Other,
            ValueKind::Local(index) => index,
        };
        let inst = match function.locals.get(index).map(|local| local.def) {
            Some(Def::Param(_)) if properties.is_none() => return IncomingHandle::Choice(at),
            Some(Def::Inst(inst)) => inst,
            _ => return IncomingHandle::Other,
        };
        match function.insts[inst] {
            InstData::Select { .. } if properties.is_none() => return IncomingHandle::Choice(at),
            InstData::Op { op: OpCode::AnnotateHandle, args, .. } => {
                let Some(args) = args::AnnotateHandle::view(function.list(args)) else { return IncomingHandle::Other };
                properties = properties.or(Some(args.props));
                at = args.res;
            }
            // Since shader model 6.6, the global variables of libraries are handles themselves.
            InstData::Load { ptr, .. } if properties.is_none() => {
                return LibraryHandle::new(module, function, ptr, at, false).map_or(
                    IncomingHandle::Other,
                    |(library, index)| {
                        IncomingHandle::Origin(CreatedHandle {
                            creation: Creation::Library(library),
                            index,
                            non_uniform: None,
                            properties,
                        })
                    },
                );
            }
            InstData::Op { op, args, .. } => {
                let made = Creation::new(module, function, op, function.list(args));
                return made.map_or(IncomingHandle::Other, |(creation, index, non_uniform)| {
                    IncomingHandle::Origin(CreatedHandle { creation, index, non_uniform, properties })
                });
            }
            _ => return IncomingHandle::Other,
        }
    }
    IncomingHandle::Other
}

/// Whether a value is the same in all lanes that run together, as far as its operations show:
/// constants, the group's number and constant buffers, and what LLVM's operators make of them.
fn is_uniform(module: &Module, function: &Function, value: Value) -> bool {
    let (mut stack, mut seen) = (vec![value], BTreeSet::new());
    while let Some(value) = stack.pop() {
        if value.as_const().is_some() || !seen.insert(value) {
            continue;
        }
        let Some((inst, data)) = function.def_inst(value).filter(|_| seen.len() <= UNIFORM_STEPS) else { return false };
        match *data {
            InstData::Binary { .. }
            | InstData::Cast { .. }
            | InstData::Cmp { .. }
            | InstData::Select { .. }
            | InstData::ExtractValue { .. } => function.for_each_operand(inst, |operand| stack.push(operand)),
            InstData::Op { op: OpCode::GroupId, .. } => {}
            InstData::Op { op: OpCode::CBufferLoadLegacy, args, .. } => {
                let Some(args) = args::CBufferLoadLegacy::view(function.list(args)) else { return false };
                // Without the flag, D3D promises that the buffer is one for all lanes.
                match source(module, function, args.handle) {
                    IncomingHandle::Origin(made) if !made.may_differ(module) => stack.push(args.reg_index),
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
    true
}
