//! Addresses: the variable that a pointer leads to, and the indexes into it.
//!
//! In: a pointer of a verified module. Out: an [`Address`], or the reason why there is none. What
//! must hold: an address is a single access path through the variable's own type, so that one
//! access chain of SPIR-V can express it. A cast does not interrupt the path if it names a type
//! that the variable has at that place. All other pointers are left to
//! [`passes::words`](crate::passes), which gives the variable another type.

#[cfg(test)]
mod tests;

use foldhash::HashMap;

use dxil_base::error::{Error, Place};
use dxil_base::limits::{ADDRESS_CHAIN, Fuel};

use crate::ir::{
    CastOp, Const, ConstData, ConstKind, Def, Function, Global, InstData, Module, Type, TypeId, Value, ValueKind,
};
use crate::ops::Access;

/// The variable of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryVariable {
    /// A variable of the module.
    Global(Global),
    /// The result of an `alloca`.
    Alloca(Value),
    /// What an argument of the function points to: a payload, attributes, or the parameter of a
    /// callable shader.
    Argument(Value),
    /// The payload that a mesh shader receives: the result of `GetMeshPayload`.
    MeshPayload,
}

/// One index of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// An element of an array or vector. Its index is a signed value; `None` is zero.
    Element(Option<Value>),
    /// A signed value that is added to the index of the element before. It has the same type.
    Plus(Value),
    /// A member of a structure.
    Member(u32),
}

/// A resolved address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The variable.
    pub variable: MemoryVariable,
    /// The type of the whole variable.
    pub whole: TypeId,
    /// The indexes from the whole variable to the part.
    pub indices: Vec<Index>,
    /// The part's type. The type of the pointer may differ because of a cast.
    pub ty: TypeId,
}

/// The reason why a pointer is not an [`Address`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does not lead to any part of the variable.
    Malformed(&'static str),
    /// It is not a single access path into one variable.
    Irregular(&'static str),
}

use Reason::{Irregular, Malformed};

impl Address {
    /// Resolves a pointer.
    ///
    /// # Errors
    /// The reason why the pointer is not a single access path into one variable: a phi, a cast to
    /// another layout, a step out of an array.
    pub fn resolve(module: &Module, function: &Function, pointer: Value) -> Result<Self, Reason> {
        Self::resolve_into(module, function, pointer, Vec::new())
    }

    /// [`resolve`](Self::resolve) with the memory of another address's indexes.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn resolve_into(
        module: &Module,
        function: &Function,
        pointer: Value,
        mut indices: Vec<Index>,
    ) -> Result<Self, Reason> {
        indices.clear();
        // The walk goes from the use back to the variable. It collects the index lists, each with
        // the type of its base pointer. Most addresses have one, which takes no list of lists.
        let (mut only, mut steps, mut count) = (None, Vec::new(), 0);
        let mut at = pointer;
        let (variable, whole) = loop {
            if count > ADDRESS_CHAIN {
                return Err(Irregular("an address that is computed by too many operations"));
            }
            let (base_type, list, base) = match at.kind() {
                ValueKind::Const(c) => match &module.consts[c].kind {
                    ConstKind::GlobalAddr(global) => {
                        break (MemoryVariable::Global(*global), module.globals[*global].ty);
                    }
                    ConstKind::Gep { base, indices } => {
                        (module.consts[*base].ty, Indexes::Constants(indices), Value::constant(*base))
                    }
                    ConstKind::Cast { value, .. } => (module.consts[*value].ty, Indexes::NONE, Value::constant(*value)),
                    _ => return Err(Irregular("an address that does not belong to a variable")),
                },
                ValueKind::Local(_) => match function.def_inst(at) {
                    Some((_, &InstData::Alloca { ty })) => break (MemoryVariable::Alloca(at), ty),
                    Some((_, &InstData::Op { op, .. })) if op.info().access == Access::Payload => {
                        match module.types[module.type_of(function, at)] {
                            Type::Pointer { pointee, .. } => break (MemoryVariable::MeshPayload, pointee),
                            _ => return Err(Malformed("a payload that is not a pointer")),
                        }
                    }
                    Some((_, &InstData::Gep { base, indices })) => {
                        (module.type_of(function, base), Indexes::Values(function.list(indices)), base)
                    }
                    Some((_, &InstData::Cast { value, .. }))
                        if module.types.is_pointer(module.type_of(function, value)) =>
                    {
                        (module.type_of(function, value), Indexes::NONE, value)
                    }
                    _ => match (argument(function, at), &module.types[module.type_of(function, at)]) {
                        (true, &Type::Pointer { pointee, .. }) => break (MemoryVariable::Argument(at), pointee),
                        _ => return Err(Irregular("an address from a phi, select or call")),
                    },
                },
            };
            steps.extend(only.replace((base_type, list)));
            (at, count) = (base, count + 1);
        };
        let mut walk = PathWalk { module, function, indices, ty: whole };
        if let Some((base_type, list)) = only {
            walk.follow(base_type, list)?;
            steps.iter().rev().try_for_each(|&(base_type, list)| walk.follow(base_type, list))?;
        }
        if let Type::Pointer { pointee, .. } = module.types[module.type_of(function, pointer)] {
            walk.first_of(pointee);
        }
        Ok(Self { variable, whole, indices: walk.indices, ty: walk.ty })
    }
}

/// The variable of the module that a pointer names, and its type, if the pointer leads to the whole
/// variable. Resources of libraries are loaded from such pointers.
#[inline]
pub fn whole_global(module: &Module, pointer: Value) -> Option<(Global, TypeId)> {
    let ConstData { ty, kind: ConstKind::GlobalAddr(global) } = module.consts[pointer.as_const()?] else { return None };
    let whole = module.globals[global].ty;
    matches!(module.types[ty], Type::Pointer { pointee, .. } if pointee == whole).then_some((global, whole))
}

/// The indexes of one operation of a chain, where the function or the constant keeps them.
#[derive(Clone, Copy)]
pub(crate) enum Indexes<'a> {
    /// Those of an instruction.
    Values(&'a [Value]),
    /// Those of a constant.
    Constants(&'a [Const]),
}

impl<'a> Indexes<'a> {
    /// The indexes of a cast.
    pub(crate) const NONE: Self = Self::Values(&[]);

    /// The indexes in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Value> + use<'a> {
        let (values, constants) = match self {
            Self::Values(values) => (values, &[][..]),
            Self::Constants(constants) => (&[][..], constants),
        };
        values.iter().copied().chain(constants.iter().copied().map(Value::constant))
    }

    /// How many there are.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Constants(constants) => constants.len(),
        }
    }
}

/// The pointer that a pointer is computed from, and the indexes of the operation that does it;
/// `None` for a variable and for a choice between pointers.
pub(crate) fn base_of<'a>(module: &'a Module, function: &'a Function, pointer: Value) -> Option<(Value, Indexes<'a>)> {
    match pointer.kind() {
        ValueKind::Const(constant) => match &module.consts[constant].kind {
            ConstKind::Gep { base, indices } => Some((Value::constant(*base), Indexes::Constants(indices))),
            ConstKind::Cast { value, .. } => Some((Value::constant(*value), Indexes::NONE)),
            _ => None,
        },
        ValueKind::Local(_) => match *function.def_inst(pointer)?.1 {
            InstData::Gep { base, indices } => Some((base, Indexes::Values(function.list(indices)))),
            InstData::Cast { value, .. } => Some((value, Indexes::NONE)),
            _ => None,
        },
    }
}

/// Charges the addresses that instructions and branches use. The chain of operations from the use
/// to the variable is followed again for each use, by several passes and by lowering.
///
/// # Errors
/// `Limit`.
pub fn charge(module: &Module, fuel: &Fuel) -> Result<(), Error> {
    let mut charge = Charge { module, fuel, depths: HashMap::default() };
    for function in module.functions.values() {
        let mut used = |value| charge.used(function, value);
        for block in function.blocks.values() {
            for &inst in &block.insts {
                match function.insts[inst] {
                    // The next operation of a chain.
                    InstData::Gep { .. } | InstData::Cast { .. } => {}
                    InstData::Load { ptr, .. }
                    | InstData::Store { ptr, .. }
                    | InstData::AtomicRmw { ptr, .. }
                    | InstData::CmpXchg { ptr, .. } => used(ptr)?,
                    InstData::Select { then, otherwise, .. } => {
                        used(then)?;
                        used(otherwise)?;
                    }
                    InstData::Op { op, .. } if !op.info().takes_addresses() => {}
                    InstData::Op { args, .. } | InstData::Call { args, .. } => {
                        function.list(args).iter().try_for_each(|&arg| used(arg))?;
                    }
                    _ => {}
                }
            }
            for call in block.terminator.targets() {
                function.list(call.args).iter().try_for_each(|&arg| used(arg))?;
            }
        }
    }
    Ok(())
}

/// Whether [`charge`] may charge a use of the address that an instruction computes. If it charges
/// no instruction and no [constant](is_charged_constant) of a module, it charges nothing.
#[inline]
pub fn is_charged(module: &Module, function: &Function, data: &InstData) -> bool {
    match *data {
        InstData::Gep { base, indices } => indices.len() >= FREE_STEPS || base_of(module, function, base).is_some(),
        InstData::Cast { op: CastOp::IntToPtr, .. } => true,
        InstData::Cast { value, .. } => module.types.is_pointer(module.type_of(function, value)),
        _ => false,
    }
}

/// Whether [`charge`] may charge a use of a constant address.
pub fn is_charged_constant(module: &Module, constant: &ConstData) -> bool {
    match &constant.kind {
        ConstKind::Gep { base, indices } => {
            let is_computed = matches!(module.consts[*base].kind, ConstKind::Gep { .. } | ConstKind::Cast { .. });
            indices.len() >= FREE_STEPS || is_computed
        }
        ConstKind::Cast { .. } => module.types.is_pointer(constant.ty),
        _ => false,
    }
}

/// Charges uses of addresses.
struct Charge<'a> {
    module: &'a Module,
    fuel: &'a Fuel,
    /// How deep the first number of each type is that a cast was made from.
    depths: HashMap<TypeId, usize>,
}

impl Charge<'_> {
    /// Charges one use of an address, if the value is one.
    #[inline]
    fn used(&mut self, function: &Function, value: Value) -> Result<(), Error> {
        match self.module.types.is_pointer(self.module.type_of(function, value)) {
            true => self.address(function, value),
            false => Ok(()),
        }
    }

    /// Charges one use of an address.
    fn address(&mut self, function: &Function, value: Value) -> Result<(), Error> {
        let (mut at, mut free) = (value, FREE_STEPS);
        // A longer chain is not resolved, but lowering looks for the values in it. In code that
        // does not run a chain may be a circle.
        for _ in 0..4 * ADDRESS_CHAIN {
            let Some((base, indices)) = base_of(self.module, function, at) else { break };
            // A cast may lead to the first part of any part.
            let indices = match (indices.len(), &self.module.types[self.module.type_of(function, base)]) {
                (0, &Type::Pointer { pointee, .. }) => self.depth(pointee),
                (count, _) => count,
            };
            let place = Place::Function(function.number);
            self.fuel.steps(place, ADDRESSES, (1 + indices).saturating_sub(free))?;
            free = free.saturating_sub(1 + indices);
            at = base;
        }
        Ok(())
    }

    /// How deep the first number of a type is.
    fn depth(&mut self, ty: TypeId) -> usize {
        let types = &self.module.types;
        *self.depths.entry(ty).or_insert_with(|| {
            let first = |&ty: &TypeId| match &types[ty] {
                Type::Array { element, .. } => Some(*element),
                Type::Struct { fields, .. } => fields.first().copied(),
                _ => None,
            };
            std::iter::successors(Some(ty), first).count()
        })
    }
}

/// What is charged where chains of addresses are followed.
const ADDRESSES: &str = "chains of addresses";
/// Operations and indexes of one chain that are not charged. Compilers write one operation, with an
/// index for each array and structure around the part.
const FREE_STEPS: usize = 8;

/// Whether a value is an argument of the function.
fn argument(function: &Function, value: Value) -> bool {
    let local = value.as_local().and_then(|index| function.locals.get(index));
    local.is_some_and(|local| matches!(local.def, Def::Arg(_)))
}

/// Whether an access of type `to` may access an object of type `from`: the types are the same, or
/// both are scalars with the same number of bits.
pub fn same_bits(module: &Module, from: TypeId, to: TypeId) -> bool {
    let number = |ty| matches!(module.types[ty], Type::Int(16 | 32 | 64) | Type::Float(_));
    from == to || number(from) && number(to) && module.types.scalar_bits(from) == module.types.scalar_bits(to)
}

/// The access path so far, from a variable to a part of type `ty`.
struct PathWalk<'a> {
    module: &'a Module,
    function: &'a Function,
    indices: Vec<Index>,
    ty: TypeId,
}

impl PathWalk<'_> {
    /// Follows the indexes of one operation from a pointer of the given type.
    #[inline]
    fn follow(&mut self, base_type: TypeId, list: Indexes<'_>) -> Result<(), Reason> {
        match list {
            Indexes::Values([first, rest @ ..]) => self.path(base_type, *first, rest.iter().copied()),
            Indexes::Constants([first, rest @ ..]) => {
                self.path(base_type, Value::constant(*first), rest.iter().copied().map(Value::constant))
            }
            Indexes::Values([]) | Indexes::Constants([]) => Ok(()),
        }
    }

    #[inline]
    fn path(&mut self, base_type: TypeId, first: Value, rest: impl Iterator<Item = Value>) -> Result<(), Reason> {
        let Type::Pointer { pointee, .. } = self.module.types[base_type] else { return Ok(()) };
        self.first_of(pointee);
        if pointee != self.ty {
            return Err(Irregular("address arithmetic through a pointer cast"));
        }
        self.step(first)?;
        for index in rest {
            self.enter(index)?;
        }
        Ok(())
    }

    /// Adds indexes of zero for a cast to the type of an object's first element, as from `[4 x
    /// float]*` to `float*`.
    fn first_of(&mut self, wanted: TypeId) {
        let (mut at, before) = (self.ty, self.indices.len());
        while at != wanted {
            let (index, first) = match &self.module.types[at] {
                Type::Array { element, .. } => (Index::Element(None), Some(*element)),
                Type::Struct { fields, .. } => (Index::Member(0), fields.first().copied()),
                _ => (Index::Member(0), None),
            };
            let Some(first) = first else { return self.indices.truncate(before) };
            self.indices.push(index);
            at = first;
        }
        self.ty = at;
    }

    /// Adds the first index of a `getelementptr`, which steps over whole objects. If the object is
    /// an array element, this is the same as a larger index of that array.
    fn step(&mut self, by: Value) -> Result<(), Reason> {
        if self.module.const_uint(by) == Some(0) {
            return Ok(());
        }
        let ty = |value| self.module.type_of(self.function, value);
        match self.indices.last_mut() {
            // An index of zero, which a cast left, accepts a value of any type.
            Some(Index::Element(zero @ None)) => *zero = Some(by),
            Some(&mut (Index::Element(Some(before)) | Index::Plus(before))) if ty(before) != ty(by) => {
                return Err(Irregular("address arithmetic with indexes of different widths"));
            }
            Some(Index::Element(_) | Index::Plus(_)) => self.indices.push(Index::Plus(by)),
            _ => return Err(Irregular("address arithmetic past a variable")),
        }
        Ok(())
    }

    fn enter(&mut self, index: Value) -> Result<(), Reason> {
        self.ty = match &self.module.types[self.ty] {
            Type::Array { element, .. } | Type::Vector { element, .. } => {
                if !matches!(self.module.types[self.module.type_of(self.function, index)], Type::Int(2..)) {
                    return Err(Malformed("an index that is not an integer"));
                }
                self.indices.push(Index::Element(Some(index)));
                *element
            }
            Type::Struct { fields, .. } => {
                let number = self.module.const_uint(index).and_then(|n| u32::try_from(n).ok());
                let Some((&field, n)) = number.and_then(|n| Some((fields.get(n as usize)?, n))) else {
                    return Err(Malformed("an address of a member that the structure does not have"));
                };
                self.indices.push(Index::Member(n));
                field
            }
            _ => return Err(Malformed("an address inside a scalar")),
        };
        Ok(())
    }
}
