//! Replaces vectors that SPIR-V does not have, and accesses to matrices as vectors.
//!
//! In: a verified module. Out: the same program, in which vectors of one element, or of more than
//! four, are arrays, and a vector that a pointer cast lays over a matrix is loaded and stored
//! element by element. What must hold: a vector is laid out like an array of its elements
//! ([`data_layout`](crate::ir::data_layout)). In a module with operations on vectors, or with a
//! vector of more than [`LARGEST`] elements, all vectors become scalars, or only the operands of
//! operations do, if SPIR-V or the device has all vectors of the module ([`split`]).
//!
//! HLSL's matrices are structures of rows in memory, and DXC loads and stores them as one vector:
//! `float2x3` is `{ [2 x <3 x float>] }` in a payload, and is accessed as `<6 x float>`. `float1`
//! is `<1 x float>`.

mod form;
mod rewriter;
mod split;
#[cfg(test)]
mod tests;
mod uses;

use self::form::is_odd;
pub use self::form::{LONGEST_OF_CORE, VectorForm, has_long_in_memory, longest};
use self::rewriter::{KnownPaths, LARGEST, VectorRewriter, cast_from, odd};
use super::functions::placeholder;
use super::growth::Growth;
use crate::ir::{
    Const, ConstData, ConstKind, Func, Function, Inst, InstData, Module, Type, TypeId, Types, Value, ValueKind,
};
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// Rewrites all functions. Returns whether anything changed. [`VectorForm::Long`] is for modules of
/// shader model 6.9 without payloads.
///
/// # Errors
/// `Limit` if the result would be too much code.
pub(super) fn run(module: &mut Module, form: VectorForm, fuel: &Fuel) -> Result<bool> {
    let mut growth = Growth::new(fuel, "instructions for elements of vectors", "elements of vectors");
    if form == VectorForm::Long || splits(module) {
        // Vectors that SPIR-V has need not be split.
        let form = if longest(&module.types) <= LONGEST_OF_CORE { VectorForm::Long } else { form };
        split::run(module, form, &mut growth)?;
        exchange(module, form);
        return Ok(true);
    }
    let wide = uses_odd_vectors(module);
    if wide && !is_supported(module) {
        return Ok(false);
    }
    let mut changed = wide;
    let mut known = KnownPaths::default();
    let functions: Vec<Func> = module.functions.keys().collect();
    for func in functions {
        let none = placeholder(&module.functions[func]);
        let mut function = std::mem::replace(&mut module.functions[func], none);
        let mut writer = VectorRewriter {
            types: &mut module.types,
            consts: &mut module.consts,
            function: &mut function,
            known: &mut known,
            form,
            out: Vec::new(),
        };
        let result = writer.run(&mut growth);
        module.functions[func] = function;
        changed |= result?;
    }
    if wide {
        exchange(module, form);
    }
    Ok(changed)
}

/// Whether a module has an operation on vectors, or a vector that is longer than any of HLSL before
/// shader model 6.9.
fn splits(module: &Module) -> bool {
    // Constants and memory may be the only vectors of such a length.
    match longest(&module.types) {
        0 => return false,
        len if len > LARGEST => return true,
        _ => {}
    }
    module.functions.values().any(|function| function.insts.keys().any(|inst| has_vector(module, function, inst)))
}

/// Whether an instruction is an operation on vectors. Such operations are rewritten, and so are
/// accesses to vectors [through casts](is_cast).
pub(super) fn has_vector(module: &Module, function: &Function, inst: Inst) -> bool {
    let InstData::Op { args, .. } = function.insts[inst] else { return false };
    let is_vector = |ty: TypeId| matches!(module.types[ty], Type::Vector { .. });
    // A load returns a vector and a status. A structure as an operand is the type of a resource.
    let has = |value: Value| match &module.types[module.type_of(function, value)] {
        Type::Struct { fields, .. } => fields.first().is_some_and(|&field| is_vector(field)),
        Type::Vector { .. } => true,
        _ => false,
    };
    function.result(inst).is_some_and(has)
        || function.list(args).iter().any(|&operand| is_vector(module.type_of(function, operand)))
}

/// Whether a pointer is cast from another one.
pub(super) fn is_cast(module: &Module, function: &Function, pointer: Value) -> bool {
    cast_from(&module.consts, function, pointer).is_some()
}

/// Whether each type has such a vector in it. Pointers to such vectors count if `pointees` is set.
fn with_odd_vectors(types: &Types, pointees: bool) -> Vec<bool> {
    // A type comes after those that it consists of.
    let mut has: Vec<bool> = Vec::with_capacity(types.len());
    for (_, ty) in types.iter() {
        let at = |ty: TypeId| has.get(ty.index()).copied().unwrap_or(false);
        has.push(match ty {
            Type::Vector { len, .. } => is_odd(*len),
            Type::Array { element, .. } => at(*element),
            Type::Pointer { pointee, .. } => pointees && at(*pointee),
            Type::Struct { fields, .. } => fields.iter().any(|&field| at(field)),
            _ => false,
        });
    }
    has
}

/// Whether a value of the functions has such a vector in its type.
pub(super) fn uses_odd_vectors(module: &Module) -> bool {
    let has = with_odd_vectors(&module.types, true);
    has.contains(&true)
        && module.functions.values().any(|function| function.locals.iter().any(|local| has[local.ty.index()]))
}

/// Whether every use of such a vector can be rewritten.
fn is_supported(module: &Module) -> bool {
    if module.types.iter().any(|(_, ty)| matches!(*ty, Type::Vector { len, .. } if len == 0 || len > LARGEST)) {
        return false;
    }
    let has = with_odd_vectors(&module.types, false);
    let is_odd = |ty: TypeId| odd(&module.types, ty).is_some();
    let lengths = |ty: TypeId| match module.types[ty] {
        Type::Vector { len, .. } => len,
        _ => 1,
    };
    module.functions.values().all(|function| {
        function.insts.iter().all(|(inst, data)| {
            let result = function.result(inst).map(|value| module.type_of(function, value));
            let mut operands: Vec<TypeId> = Vec::new();
            function.for_each_operand(inst, |operand| operands.push(module.type_of(function, operand)));
            match *data {
                // The table names the types of results, also those of their members.
                InstData::Op { .. } => !operands.into_iter().any(is_odd) && !result.is_some_and(|ty| has[ty.index()]),
                // A cast whose parts are the elements.
                InstData::Cast { .. } => {
                    let types = || operands.iter().chain(&result).copied();
                    !types().any(is_odd) || operands.first().map(|&ty| lengths(ty)) == result.map(lengths)
                }
                // Atomic operations have scalars only.
                _ => true,
            }
        })
    })
}

/// Gives all types, constants and values arrays instead of vectors that the form does not have.
fn exchange(module: &mut Module, form: VectorForm) {
    let mut types: Vec<TypeId> = Vec::with_capacity(module.types.len());
    let ids: Vec<TypeId> = module.types.iter().map(|(id, _)| id).collect();
    for id in ids {
        let at = |ty: TypeId| types.get(ty.index()).copied().unwrap_or(ty);
        let new = match module.types[id].clone() {
            Type::Vector { element, len } if form.is_odd(len) => Type::Array { element, len },
            Type::Array { element, len } => Type::Array { element: at(element), len },
            Type::Pointer { pointee, space } => Type::Pointer { pointee: at(pointee), space },
            Type::Struct { name, fields, packed } => {
                Type::Struct { name, fields: fields.iter().map(|&field| at(field)).collect(), packed }
            }
            other => other,
        };
        types.push(module.types.intern(new));
    }
    let ty = |old: TypeId| types.get(old.index()).copied().unwrap_or(old);
    let mut consts: Vec<Const> = Vec::with_capacity(module.consts.len());
    let ids: Vec<Const> = module.consts.iter().map(|(id, _)| id).collect();
    for id in ids {
        // A constant comes after those that it consists of.
        let at = |constant: Const| consts.get(constant.index()).copied().unwrap_or(constant);
        let data = module.consts[id].clone();
        let kind = match data.kind {
            ConstKind::Aggregate(parts) => ConstKind::Aggregate(parts.iter().map(|&part| at(part)).collect()),
            ConstKind::Gep { base, indices } => ConstKind::Gep { base: at(base), indices },
            ConstKind::Cast { op, value } => ConstKind::Cast { op, value: at(value) },
            other => other,
        };
        consts.push(module.consts.intern(ConstData { ty: ty(data.ty), kind }));
    }
    let constant = |old: Const| consts.get(old.index()).copied().unwrap_or(old);
    for global in module.globals.values_mut() {
        global.ty = ty(global.ty);
        global.init = global.init.map(constant);
    }
    for function in module.functions.values_mut() {
        function.ret = ty(function.ret);
        function.locals.iter_mut().for_each(|local| local.ty = ty(local.ty));
        for data in function.insts.values_mut() {
            if let InstData::Alloca { ty: allocated } = data {
                *allocated = ty(*allocated);
            }
        }
        function.for_each_use_mut(|value| {
            if let ValueKind::Const(old) = value.kind() {
                *value = Value::constant(constant(old));
            }
        });
    }
}
