//! Tests of rules that no decoded module breaks: decoding refuses such a module before, or no shader
//! of the tests comes near.

use super::*;
use crate::dxil::verify::verify;

/// A module of one function with one block of these instructions.
fn module(make: impl FnOnce(&mut Module, &mut Function) -> Vec<Inst>) -> Module {
    let mut module = Module::default();
    let void = module.types.intern(Type::Void);
    let mut function = Function::new("main".into(), void, 0);
    let insts = make(&mut module, &mut function);
    let (terminator, hints) = (Terminator::Return(None), ControlFlowHints::default());
    let _: Block = function.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints });
    let _: Func = module.functions.push(function);
    module
}

#[test]
fn definitions_are_locals() {
    for number in [0, 1, 7] {
        let module = module(|_, function| {
            function.args.push(Value::local(number));
            Vec::new()
        });
        let error = verify(&module).expect_err("there are no locals");
        assert_eq!(error.message(), format!("v{number} is not a local of the function"));
    }
}

/// Each operation whose row names a scalar type takes and gives this type only.
#[test]
fn scalars_of_a_row_are_exact() {
    use OpCode as O;
    let scalars =
        [Type::Int(1), Type::Int(16), Type::Int(32), Type::Int(64), Type::Float(16), Type::Float(32), Type::Float(64)];
    let rows = [
        (O::BitcastI16toF16, Type::Int(16), Type::Float(16)),
        (O::BitcastF16toI16, Type::Float(16), Type::Int(16)),
        (O::BitcastI32toF32, Type::Int(32), Type::Float(32)),
        (O::BitcastF32toI32, Type::Float(32), Type::Int(32)),
        (O::BitcastI64toF64, Type::Int(64), Type::Float(64)),
        (O::BitcastF64toI64, Type::Float(64), Type::Int(64)),
    ];
    for (op, operand, result) in rows {
        for from in &scalars {
            for to in &scalars {
                let module = module(|module, function| {
                    let [from, to] = [from, to].map(|ty| module.types.intern(ty.clone()));
                    let value = module.consts.intern(ConstData { ty: from, kind: ConstKind::Null });
                    let args = function.make_list(&[Value::constant(value)]);
                    vec![function.make_inst(InstData::Op { op, precise: false, args }, Some(to))]
                });
                let name = op.info().name;
                let wanted = match (*from == operand, *to == result) {
                    (true, true) => None,
                    (false, _) => Some(format!("operand value of {name} has the wrong type")),
                    (true, false) => Some(format!("the result of {name} has the wrong type")),
                };
                let found = verify(&module).err().map(|error| error.message().to_owned());
                assert_eq!(found, wanted, "{from:?} to {to:?}");
            }
        }
    }
}
