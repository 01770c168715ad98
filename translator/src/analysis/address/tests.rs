//! Tests of the access paths that addresses of hand-made functions have.

use super::*;
use crate::ir::AddressSpace;

/// The address of element `first` of an array of words, then of the element `by` further on.
fn stepped(first: Type, by: Type) -> (Result<Address, Reason>, [Value; 3]) {
    let mut module = Module::default();
    let [void, word, first, by] = [Type::Void, Type::Int(32), first, by].map(|ty| module.types.intern(ty));
    let array = module.types.intern(Type::Array { element: word, len: 8 });
    let [whole, part] = [array, word].map(|pointee| Type::Pointer { pointee, space: AddressSpace::Default });
    let [whole, part] = [whole, part].map(|ty| module.types.intern(ty));
    let zero = module.consts.value(word, ConstKind::Int(0));
    let mut function = Function::new("main".into(), void, 0);
    let [first, by] = [(0, first), (1, by)].map(|(number, ty)| function.make_local(ty, Def::Arg(number)));
    let add = |data: InstData, ty: TypeId, function: &mut Function| {
        let inst = function.make_inst(data, Some(ty));
        function.result(inst).expect("it has a type")
    };
    let variable = add(InstData::Alloca { ty: array }, whole, &mut function);
    let indices = function.make_list(&[zero, first]);
    let element = add(InstData::Gep { base: variable, indices }, part, &mut function);
    let indices = function.make_list(&[by]);
    let further = add(InstData::Gep { base: element, indices }, part, &mut function);
    (Address::resolve(&module, &function, further), [variable, first, by])
}

/// A step over whole elements adds to the index, which has one type.
#[test]
fn a_step_adds_to_the_index() {
    let (found, [variable, first, by]) = stepped(Type::Int(32), Type::Int(32));
    let found = found.expect("one path");
    assert_eq!(found.variable, MemoryVariable::Alloca(variable));
    assert_eq!(found.indices, [Index::Element(Some(first)), Index::Plus(by)]);
    let (found, _) = stepped(Type::Int(32), Type::Int(64));
    assert_eq!(found, Err(Irregular("address arithmetic with indexes of different widths")));
}
