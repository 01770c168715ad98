//! Whether two modules have the same code.

use super::{
    BlockCall, BlockData, Const, ConstData, ConstKind, Function, InstData, Module, Terminator, Type, TypeId, Value,
};
use dxil_base::entity::Entity;

/// Whether the functions of two modules, decoded by the same rules, are the same. Types and
/// constants may have other numbers. The cost is linear in the modules.
pub fn has_same_code(a: &Module, b: &Module) -> bool {
    let into = Into { types: types(a, b), consts: Vec::new() };
    let consts = consts(a, b, &into);
    let into = Into { consts, ..into };
    a.functions.len() == b.functions.len()
        && a.functions.values().zip(b.functions.values()).all(|(a, b)| into.function(a, b))
}

/// The types and constants of one module by those of the other; `None` for one that it has not.
struct Into {
    types: Vec<Option<TypeId>>,
    consts: Vec<Option<Const>>,
}

/// Each type comes after those that it consists of.
fn types(a: &Module, b: &Module) -> Vec<Option<TypeId>> {
    let mut types: Vec<Option<TypeId>> = Vec::with_capacity(b.types.len());
    for (_, ty) in b.types.iter() {
        let at = |ty: TypeId| types.get(ty.index()).copied().flatten();
        let same = match ty {
            Type::Pointer { pointee, space } => at(*pointee).map(|pointee| Type::Pointer { pointee, space: *space }),
            Type::Array { element, len } => at(*element).map(|element| Type::Array { element, len: *len }),
            Type::Vector { element, len } => at(*element).map(|element| Type::Vector { element, len: *len }),
            Type::Struct { name, fields, packed } => {
                let fields = fields.iter().map(|&field| at(field)).collect::<Option<_>>();
                fields.map(|fields| Type::Struct { name: name.clone(), fields, packed: *packed })
            }
            other => Some(other.clone()),
        };
        types.push(same.and_then(|ty| a.types.find(&ty)));
    }
    types
}

/// Each constant comes after those that it consists of.
fn consts(a: &Module, b: &Module, into: &Into) -> Vec<Option<Const>> {
    let mut consts: Vec<Option<Const>> = Vec::with_capacity(b.consts.len());
    for (_, ConstData { ty, kind }) in b.consts.iter() {
        let at = |constant: Const| consts.get(constant.index()).copied().flatten();
        let all = |list: &[Const]| list.iter().map(|&constant| at(constant)).collect::<Option<Box<[Const]>>>();
        let kind = match kind {
            ConstKind::Aggregate(parts) => all(parts).map(ConstKind::Aggregate),
            ConstKind::Gep { base, indices } => {
                at(*base).zip(all(indices)).map(|(base, indices)| ConstKind::Gep { base, indices })
            }
            ConstKind::Cast { op, value } => at(*value).map(|value| ConstKind::Cast { op: *op, value }),
            other => Some(other.clone()),
        };
        let same = kind.zip(into.ty(*ty)).map(|(kind, ty)| ConstData { ty, kind });
        consts.push(same.and_then(|data| a.consts.find(&data)));
    }
    consts
}

impl Into {
    fn ty(&self, ty: TypeId) -> Option<TypeId> {
        self.types.get(ty.index()).copied().flatten()
    }

    fn value(&self, value: Value) -> Option<Value> {
        match value.as_const() {
            Some(constant) => self.consts.get(constant.index()).copied().flatten().map(Value::constant),
            None => Some(value),
        }
    }

    fn function(&self, a: &Function, b: &Function) -> bool {
        // Lists are equal if they are at the same places of equal pools.
        let locals = || a.locals.iter().zip(&b.locals).all(|(a, b)| a.def == b.def && self.ty(b.ty) == Some(a.ty));
        let pools = || a.pool.iter().zip(&b.pool).all(|(&a, &b)| self.value(b) == Some(a));
        let insts = || a.insts.values().zip(b.insts.values()).all(|(a, b)| self.inst(b) == Some(*a));
        let blocks = || {
            let same = |(a, b): (&BlockData, &BlockData)| {
                a.params == b.params && a.insts == b.insts && self.terminator(&a.terminator, &b.terminator)
            };
            a.blocks.values().zip(b.blocks.values()).all(same)
        };
        let sizes = |f: &Function| (f.locals.len(), f.pool.len(), f.insts.len(), f.blocks.len());
        (&a.name, &a.args, &a.indices) == (&b.name, &b.args, &b.indices)
            && self.ty(b.ret) == Some(a.ret)
            && sizes(a) == sizes(b)
            && locals()
            && pools()
            && insts()
            && blocks()
    }

    fn inst(&self, data: &InstData) -> Option<InstData> {
        let (mut data, mut known) = (*data, true);
        data.for_each_value_mut(|value| match self.value(*value) {
            Some(same) => *value = same,
            None => known = false,
        });
        if let InstData::Alloca { ty } = &mut data {
            *ty = self.ty(*ty)?;
        }
        known.then_some(data)
    }

    fn terminator(&self, a: &Terminator, b: &Terminator) -> bool {
        let parts = |terminator: &Terminator| match terminator {
            Terminator::Switch { cases, .. } => cases.iter().map(|(label, _)| *label).collect::<Vec<u64>>(),
            _ => Vec::new(),
        };
        let targets = |terminator: &Terminator| terminator.targets().collect::<Vec<BlockCall>>();
        let operand = match b.operand() {
            Some(operand) => self.value(operand),
            None => None,
        };
        std::mem::discriminant(a) == std::mem::discriminant(b)
            && a.operand() == operand
            && targets(a) == targets(b)
            && parts(a) == parts(b)
    }
}
