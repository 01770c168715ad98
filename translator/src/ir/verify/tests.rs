//! Tests of rules that no decoded module breaks: decoding refuses such a module before, or no
//! shader of the tests comes near.

use super::*;
use crate::ir::verify::verify;
use crate::ops::OpCode;

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

/// A type from LLVM's text: `i32`, `f32`, `<2 x i32>`, `[4 x i32]`, `{i32, i1}`, `i32*`.
fn ty(module: &mut Module, text: &str) -> TypeId {
    let inner = |text: &str, open: char, close: char| text.strip_prefix(open)?.strip_suffix(close).map(str::to_owned);
    let of = |text: &str, module: &mut Module| {
        let (len, element) = text.split_once(" x ").expect("a length and a type");
        (ty(module, element), len.parse().expect("a length"))
    };
    let ty = if let Some(pointee) = text.strip_suffix('*') {
        Type::Pointer { pointee: ty(module, pointee), space: AddressSpace::Default }
    } else if let Some(vector) = inner(text, '<', '>') {
        let (element, len) = of(&vector, module);
        Type::Vector { element, len }
    } else if let Some(array) = inner(text, '[', ']') {
        let (element, len) = of(&array, module);
        Type::Array { element, len }
    } else if let Some(fields) = inner(text, '{', '}') {
        let fields = fields.split(", ").filter(|field| !field.is_empty()).map(|field| ty(module, field)).collect();
        Type::Struct { name: "".into(), fields, packed: false }
    } else {
        let bits = text[1..].parse().expect("a width");
        if text.starts_with('i') { Type::Int(bits) } else { Type::Float(bits) }
    };
    module.types.intern(ty)
}

/// What the verifier says of one instruction, whose operands are zero values of these types; an
/// empty text if nothing.
fn verdict(operands: &[&str], result: &str, make: impl Fn(&mut Function, &[Value]) -> InstData) -> String {
    let module = module(|module, function| {
        let operands: Vec<Value> = (operands.iter())
            .map(|text| {
                let ty = ty(module, text);
                module.consts.value(ty, ConstKind::Null)
            })
            .collect();
        let data = make(function, &operands);
        let result = ty(module, result);
        vec![function.make_inst(data, Some(result))]
    });
    verify(&module).err().map(|error| error.message().to_owned()).unwrap_or_default()
}

#[test]
fn types_of_arithmetic_agree() {
    let of = |op: BinaryOp, lhs: &str, rhs: &str, result: &str| {
        verdict(&[lhs, rhs], result, |_, v| InstData::Binary { op, precise: false, lhs: v[0], rhs: v[1] })
    };
    for (op, ty, other) in [(BinaryOp::FMul, "f32", "i32"), (BinaryOp::Mul, "i32", "f32")] {
        assert_eq!(of(op, ty, ty, ty), "");
        let vector = format!("<2 x {ty}>");
        assert_eq!(of(op, &vector, &vector, &vector), "");
        let wide = ty.replace("32", "64");
        let wrong = [(ty, ty, &wide[..]), (ty, &wide, ty), (&wide, ty, ty), (ty, &vector, ty), (other, other, other)];
        for (lhs, rhs, result) in wrong {
            assert_eq!(of(op, lhs, rhs, result), "operand types of arithmetic do not agree", "{lhs}, {rhs}, {result}");
        }
    }
}

#[test]
fn types_of_atomics_agree() {
    let of = |ptr: &str, value: &str, result: &str| {
        let op = RmwOp::Add;
        verdict(&[ptr, value], result, |_, v| InstData::AtomicRmw { op, ptr: v[0], value: v[1] })
    };
    assert_eq!(of("i32*", "i32", "i32"), "");
    assert_eq!(of("f32*", "f32", "f32"), "");
    let vector = ("<2 x i32>*", "<2 x i32>", "<2 x i32>");
    for (ptr, value, result) in [("i64*", "i32", "i32"), ("i32*", "i32", "i64"), ("i32*", "i64", "i32"), vector] {
        assert_eq!(of(ptr, value, result), "operand types of an atomic do not agree", "{ptr}, {value}, {result}");
    }
    let of = |ptr: &str, compare: &str, new: &str, result: &str| {
        verdict(&[ptr, compare, new], result, |_, v| InstData::CmpXchg { ptr: v[0], compare: v[1], new: v[2] })
    };
    assert_eq!(of("i32*", "i32", "i32", "{i32, i1}"), "");
    assert_eq!(of("i64*", "i64", "i64", "{i64, i1}"), "");
    // The result of a record of LLVM before 3.5.
    assert_eq!(of("i32*", "i32", "i32", "i32"), "");
    for (ptr, compare, new, result) in [
        ("i64*", "i32", "i32", "{i32, i1}"),
        ("i32*", "i64", "i32", "{i32, i1}"),
        ("f32*", "f32", "f32", "{f32, i1}"),
        ("i32*", "i32", "i32", "{i64, i1}"),
        ("i32*", "i32", "i32", "{i32, i32}"),
        ("i32*", "i32", "i32", "{i32, i1, i1}"),
        ("i32*", "i32", "i32", "i64"),
    ] {
        let wanted = "operand types of a compare-and-exchange do not agree";
        assert_eq!(of(ptr, compare, new, result), wanted, "{ptr}, {compare}, {new}, {result}");
    }
}

#[test]
fn address_arithmetic_stays_inside_the_type() {
    let of = |operands: &[&str], result: &str| {
        verdict(operands, result, |function, v| InstData::Gep { base: v[0], indices: function.make_list(&v[1..]) })
    };
    assert_eq!(of(&["i32*", "i32"], "i32*"), "");
    assert_eq!(of(&["[4 x {i32, f32}]*", "i32", "i64", "i32"], "i32*"), "");
    let index = "an index of getelementptr is not an integer";
    let part = "the result of getelementptr has another type than the part that it leads to";
    for (operands, result, message) in [
        (&["i32", "i32"][..], "i32*", " is not a pointer"),
        (&["i32*"], "i32*", "getelementptr without indexes"),
        (&["i32*", "f32"], "i32*", index),
        (&["[4 x i32]*", "i32", "i1"], "i32*", index),
        (&["{}*", "i32", "i32"], "i32*", "getelementptr of a member that the structure does not have"),
        (&["i32*", "i32", "i32"], "i32*", "getelementptr into a scalar"),
        (&["[4 x i32]*", "i32", "i32"], "f32*", part),
        (&["[4 x i32]*", "i32", "i32"], "i32", part),
    ] {
        let found = of(operands, result);
        assert!(found.ends_with(message), "{operands:?} to {result}: {found:?}");
    }
}

/// What is overloaded has one type in all places of a call, and one that the row has.
#[test]
fn overloads_of_a_call_agree() {
    use OpCode as O;
    let of = |op: OpCode, operands: &[&str], result: &str| {
        verdict(operands, result, |function, v| InstData::Op { op, precise: false, args: function.make_list(v) })
    };
    let vector = "<3 x f32>";
    for (op, operands, result, message) in [
        (O::FMax, &["f32", "f32"][..], "f32", ""),
        (O::FMax, &["f64", "f64"], "f64", ""),
        (O::FMax, &[vector, vector], vector, ""),
        (O::FMax, &["f32", "f64"], "f32", "operand b of FMax has the wrong type"),
        (O::FMax, &["f32", "f32"], "f64", "the result of FMax has the wrong type"),
        (O::FMax, &["[3 x f32]", "[3 x f32]"], "[3 x f32]", "operand a of FMax has the wrong type"),
        (O::FMax, &["i32", "i32"], "i32", "FMax has no such overload"),
        (O::Sin, &["f32"], "f32", ""),
        (O::Sin, &["f64"], "f64", "Sin has no such overload"),
        (O::FDot, &[vector, vector], "f32", ""),
        (O::FDot, &[vector, vector], "f16", "the result of FDot has the wrong type"),
        (O::FDot, &[vector, vector], vector, "the result of FDot has the wrong type"),
        (O::FDot, &["f32", "f32"], "f32", "FDot has no such overload"),
        // No value is the result of an operation without a result.
        (O::Discard, &["i1"], "i32", "the result of Discard has the wrong type"),
    ] {
        assert_eq!(of(op, operands, result), message, "{op:?} {operands:?} to {result}");
    }
}

/// The properties of a handle are a structure of at most four members, whose types are those of a
/// row.
#[test]
fn properties_have_few_members() {
    for (ty, fits) in [
        ("{i32, i32}", true),
        ("{i32, i32, i32, i8}", true),
        ("{i32, i32, i32, i32}", true),
        ("{i32, i8, i32}", false),
        ("{}", false),
        ("{i32, i32, i32, i32, i32}", false),
    ] {
        let found = verify(&module(|module, function| {
            let handle = module.types.intern(Type::Handle);
            let ty = self::ty(module, ty);
            let operands = [handle, ty].map(|ty| module.consts.intern(ConstData { ty, kind: ConstKind::Null }));
            let args = function.make_list(&operands.map(Value::constant));
            vec![function.make_inst(InstData::Op { op: OpCode::AnnotateHandle, precise: false, args }, Some(handle))]
        }));
        assert_eq!(found.is_ok(), fits, "{ty}: {found:?}");
    }
}

/// The component of a domain location is an i8, or an i32 in containers of earlier compilers.
#[test]
fn components_of_a_domain_location_have_two_types() {
    for (ty, fits) in [("i8", true), ("i32", true), ("i16", false), ("i64", false), ("f32", false)] {
        let found = verify(&module(|module, function| {
            let (float, ty) = (module.types.intern(Type::Float(32)), self::ty(module, ty));
            let component = module.consts.intern(ConstData { ty, kind: ConstKind::Null });
            let args = function.make_list(&[Value::constant(component)]);
            vec![function.make_inst(InstData::Op { op: OpCode::DomainLocation, precise: false, args }, Some(float))]
        }));
        assert_eq!(found.is_ok(), fits, "{ty}: {found:?}");
    }
}

/// A vector of one element is no scalar.
#[test]
fn scalars_are_no_vectors() {
    let select = |condition: &str, ty: &str| {
        verdict(&[condition, ty], ty, |_, v| InstData::Select { condition: v[0], then: v[1], otherwise: v[1] })
    };
    let compare =
        |ty: &str, result: &str| verdict(&[ty], result, |_, v| InstData::Cmp { op: CmpOp::Eq, lhs: v[0], rhs: v[0] });
    let cast = |op, from: &str, to: &str| verdict(&[from], to, |_, v| InstData::Cast { op, value: v[0] });
    for (condition, ty) in [("i1", "i32"), ("i1", "<4 x i32>"), ("<4 x i1>", "<4 x i32>"), ("<1 x i1>", "<1 x i32>")] {
        assert_eq!(select(condition, ty), "", "{condition} {ty}");
    }
    for (condition, ty) in [("<1 x i1>", "i32"), ("<1 x i1>", "<4 x i32>"), ("<1 x i1>", "i32*")] {
        assert_eq!(select(condition, ty), "operand types of a select do not agree", "{condition} {ty}");
    }
    for (ty, result) in [("i32", "<1 x i1>"), ("<1 x i32>", "i1")] {
        assert_eq!(compare(ty, result), "operand types of a comparison do not agree", "{ty} {result}");
    }
    assert_eq!(compare("<1 x i32>", "<1 x i1>"), "");
    assert_eq!(cast(CastOp::Trunc, "<1 x i32>", "i16"), "`trunc` is not valid between these types");
    assert_eq!(cast(CastOp::PtrToInt, "i32*", "<1 x i32>"), "`ptrtoint` is not valid between these types");
    assert_eq!(cast(CastOp::BitCast, "<1 x f32>", "f32"), "", "the bits are the same");
}

/// A call of a function without a result has none.
#[test]
fn no_value_is_the_result_of_a_call() {
    for has_result in [false, true] {
        let found = verify(&module(|module, function| {
            let call = InstData::Call { func: Func::new(0), args: ValueList::default() };
            let void = module.types.intern(Type::Void);
            vec![function.make_inst(call, has_result.then_some(void))]
        }));
        assert_eq!(found.is_err(), has_result, "{found:?}");
    }
}
