//! Where an address leads: a variable, and the indexes under it.
//!
//! In: a pointer of a verified module. Out: an [`Address`], or the reason why there is none. What must hold: an address follows the
//! variable's own type, so that one access chain of SPIR-V says the same; casts are looked through where they claim what is there. All
//! others are for [`passes::words`](crate::passes), which gives the variable another type.

use crate::limits::ADDRESS_CHAIN;

use super::ir::{ConstKind, Function, Global, InstData, Module, Type, TypeId, Value, ValueKind};

/// What an address leads to a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A variable of the module.
    Global(Global),
    /// The result of an `alloca`.
    Alloca(Value),
}

/// One index of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// An element of an array or vector: the sum of these, which are of one type. Indexes are signed. None is zero.
    Element(Vec<Value>),
    /// A member of a structure.
    Member(u32),
}

/// A resolved address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The variable.
    pub variable: Variable,
    /// The type of the whole variable.
    pub whole: TypeId,
    /// The way from the variable to the part.
    pub indices: Vec<Index>,
    /// The part's type. A cast may claim another.
    pub ty: TypeId,
}

/// Why an address has no such form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is nowhere in the variable.
    Malformed(&'static str),
    /// It is no one way through one variable's type.
    Irregular(&'static str),
}

use Reason::{Irregular, Malformed};

impl Address {
    /// Resolves a pointer.
    ///
    /// # Errors
    /// The reason why it is not one way through one variable's type: a phi, a cast to another layout, a step out of an array.
    pub fn resolve(module: &Module, function: &Function, pointer: Value) -> Result<Self, Reason> {
        // From the use to the variable: the index lists met on the way, with the type of the pointer that they are of.
        let mut steps: Vec<(TypeId, Vec<Value>)> = Vec::new();
        let mut at = pointer;
        let (variable, whole) = loop {
            if steps.len() > ADDRESS_CHAIN {
                return Err(Irregular("an address through too many operations"));
            }
            match at.kind() {
                ValueKind::Const(c) => match &module.consts[c].kind {
                    ConstKind::GlobalAddr(global) => break (Variable::Global(*global), module.globals[*global].ty),
                    ConstKind::Gep { base, indices } => {
                        steps.push((module.consts[*base].ty, indices.iter().map(|&i| Value::constant(i)).collect()));
                        at = Value::constant(*base);
                    }
                    ConstKind::Cast { value, .. } => {
                        steps.push((module.consts[*value].ty, Vec::new()));
                        at = Value::constant(*value);
                    }
                    _ => return Err(Irregular("an address that is no variable's")),
                },
                ValueKind::Local(_) => match function.def_inst(at) {
                    Some((_, &InstData::Alloca { ty })) => break (Variable::Alloca(at), ty),
                    Some((_, &InstData::Gep { base, indices })) => {
                        steps.push((module.type_of(function, base), function.list(indices).to_vec()));
                        at = base;
                    }
                    Some((_, &InstData::Cast { value, .. }))
                        if module.types.is_pointer(module.type_of(function, value)) =>
                    {
                        steps.push((module.type_of(function, value), Vec::new()));
                        at = value;
                    }
                    _ => return Err(Irregular("an address from a phi, select, call or argument")),
                },
            }
        };
        let mut walk = Walk { module, function, indices: Vec::new(), ty: whole };
        for (claimed, list) in steps.iter().rev() {
            let Some((&first, rest)) = list.split_first() else { continue };
            let Type::Pointer { pointee, .. } = module.types[*claimed] else { continue };
            walk.first_of(pointee);
            if pointee != walk.ty {
                return Err(Irregular("address arithmetic through a pointer cast"));
            }
            walk.step(first)?;
            for &index in rest {
                walk.enter(index)?;
            }
        }
        if let Type::Pointer { pointee, .. } = module.types[module.type_of(function, pointer)] {
            walk.first_of(pointee);
        }
        Ok(Self { variable, whole, indices: walk.indices, ty: walk.ty })
    }
}

/// Whether an access of type `to` may be of an object of type `from`: it has the same type, or the same bits in one number.
pub fn same_bits(module: &Module, from: TypeId, to: TypeId) -> bool {
    let number = |ty| matches!(module.types[ty], Type::Int(16 | 32 | 64) | Type::Float(_));
    from == to || number(from) && number(to) && module.types.scalar_bits(from) == module.types.scalar_bits(to)
}

/// The way so far, from a variable to what `ty` is the type of.
struct Walk<'a> {
    module: &'a Module,
    function: &'a Function,
    indices: Vec<Index>,
    ty: TypeId,
}

impl Walk<'_> {
    /// A cast to the type of an object's first element, as `[4 x float]*` to `float*`, is an index of zero.
    fn first_of(&mut self, wanted: TypeId) {
        let (mut at, mut way) = (self.ty, Vec::new());
        while at != wanted {
            at = match &self.module.types[at] {
                Type::Array { element, .. } => {
                    way.push(Index::Element(Vec::new()));
                    *element
                }
                Type::Struct { fields, .. } => match fields.first() {
                    Some(&first) => {
                        way.push(Index::Member(0));
                        first
                    }
                    None => return,
                },
                _ => return,
            };
        }
        self.indices.append(&mut way);
        self.ty = at;
    }

    /// The first index of address arithmetic steps over whole objects: that is indexing one level up, where there is one.
    fn step(&mut self, by: Value) -> Result<(), Reason> {
        if self.module.const_uint(by) == Some(0) {
            return Ok(());
        }
        let Some(Index::Element(sum)) = self.indices.last_mut() else {
            return Err(Irregular("address arithmetic past a variable"));
        };
        // An index of zero that a cast left has the type of what is added.
        let ty = |value| self.module.type_of(self.function, value);
        if sum.first().is_some_and(|&first| ty(first) != ty(by)) {
            return Err(Irregular("address arithmetic with indexes of different widths"));
        }
        sum.push(by);
        Ok(())
    }

    fn enter(&mut self, index: Value) -> Result<(), Reason> {
        self.ty = match &self.module.types[self.ty] {
            Type::Array { element, .. } | Type::Vector { element, .. } => {
                if !matches!(self.module.types[self.module.type_of(self.function, index)], Type::Int(2..)) {
                    return Err(Malformed("an index that is no integer"));
                }
                self.indices.push(Index::Element(vec![index]));
                *element
            }
            Type::Struct { fields, .. } => {
                let number = self.module.const_uint(index).and_then(|n| u32::try_from(n).ok());
                let Some((&field, n)) = number.and_then(|n| Some((fields.get(n as usize)?, n))) else {
                    return Err(Malformed("an address of a member that is not there"));
                };
                self.indices.push(Index::Member(n));
                field
            }
            _ => return Err(Malformed("an address inside a scalar")),
        };
        Ok(())
    }
}
