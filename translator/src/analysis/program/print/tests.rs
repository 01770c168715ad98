//! Tests of the text of constants and of lists of values.

use super::*;
use dxil_base::entity::Entity;

/// A constant is printed by its value, whatever its number in the module.
#[test]
fn constants_are_printed_by_value() {
    let mut module = Module::default();
    let types = [Type::Int(32), Type::Float(16), Type::Float(32), Type::Float(64)];
    let [word, half, float, double] = types.map(|ty| module.types.intern(ty));
    let pair = module.types.intern(Type::Array { element: word, len: 2 });
    let address = module.types.intern(Type::Pointer { pointee: word, space: AddressSpace::GroupShared });
    let mut constant = |ty, kind| module.consts.intern(ConstData { ty, kind });
    let [zero, seven] = [0, 7].map(|number| constant(word, ConstKind::Int(number)));
    let variable = constant(address, ConstKind::GlobalAddr(Global::new(3)));
    let rows = [
        (seven, "i32 7"),
        (constant(half, ConstKind::Float(0x3c00)), "f16 0x3c00"),
        (constant(float, ConstKind::Float(0x3fc0_0000)), "f32 1.5"),
        (constant(double, ConstKind::Float(0xbfe0_0000_0000_0000)), "f64 -0.5"),
        (constant(pair, ConstKind::Null), "[2 x i32] zero"),
        (constant(float, ConstKind::Undef), "f32 undef"),
        (constant(pair, ConstKind::Aggregate([seven, zero].into())), "[2 x i32] {i32 7, i32 0}"),
        (variable, "&g3"),
        (constant(address, ConstKind::FuncAddr(Func::new(1))), "&fn1"),
        (constant(address, ConstKind::Gep { base: variable, indices: [zero, seven].into() }), "gep(&g3, i32 0, i32 7)"),
        (constant(word, ConstKind::Cast { op: CastOp::PtrToInt, value: variable }), "ptrtoint(&g3 to i32)"),
        (constant(word, ConstKind::Unsupported("a\nb".into())), "unsupported `a\\nb`"),
    ];
    for (constant, text) in rows {
        assert_eq!(ConstText(&module, constant).to_string(), text);
    }
}

/// The arguments of a call and of a branch, and the indexes of an address.
#[test]
fn lists_of_values_are_printed() {
    let mut module = Module::default();
    let [void, word] = [Type::Void, Type::Int(32)].map(|ty| module.types.intern(ty));
    let array = module.types.intern(Type::Array { element: word, len: 8 });
    let pointer = |pointee| Type::Pointer { pointee, space: AddressSpace::Default };
    let [whole, part] = [array, word].map(|ty| module.types.intern(pointer(ty)));
    let seven = module.consts.value(word, ConstKind::Int(7));
    let mut function = Function::new("main".into(), void, 0);
    let arg = function.make_local(word, Def::Arg(0));
    function.args.push(arg);
    let alloca = function.make_inst(InstData::Alloca { ty: array }, Some(whole));
    let base = function.result(alloca).expect("it has a type");
    let indices = function.make_list(&[seven, arg]);
    let gep = function.make_inst(InstData::Gep { base, indices }, Some(part));
    let args = function.make_list(&[arg, seven]);
    let call = function.make_inst(InstData::Call { func: Func::new(1), args }, None);
    let next = Block::new(1);
    let terminator = Terminator::Jump(BlockCall { block: next, args });
    let hints = ControlFlowHints::default();
    let insts = vec![alloca, gep, call];
    let _: Block = function.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints });
    let params = [0; 2].map(|_| function.make_local(word, Def::Param(next))).to_vec();
    let terminator = Terminator::Return(None);
    let _: Block = function.blocks.push(BlockData { params, insts: Vec::new(), terminator, hints });
    let _: Func = module.functions.push(function);
    let lines = [
        "function fn0 `main`(v0: i32) -> void",
        "b0:",
        "  v1: [8 x i32]* Default = alloca [8 x i32]",
        "  v2: i32* Default = gep v1, i32 7, v0",
        "  call fn1(v0, i32 7)",
        "  jump b1(v0, i32 7)",
        "b1(v3: i32, v4: i32):",
        "  return",
    ];
    assert_eq!(module.to_string().lines().collect::<Vec<_>>(), lines);
}

/// Text is charged when it is written, so what is not charged yet must be short: a constant and a
/// list of operands are written part by part, however long they are.
#[test]
fn nothing_is_written_in_long_pieces() {
    struct Longest(usize);

    impl fmt::Write for Longest {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = self.0.max(text.len());
            Ok(())
        }
    }

    let mut module = Module::default();
    let [void, word] = [Type::Void, Type::Int(32)].map(|ty| module.types.intern(ty));
    let fields = vec![word; 1_000].into();
    let row = module.types.intern(Type::Struct { name: "".into(), fields, packed: false });
    let table = module.types.intern(Type::Array { element: row, len: 100 });
    let null = module.consts.intern(ConstData { ty: row, kind: ConstKind::Null });
    let all = ConstKind::Aggregate(vec![null; 100].into());
    let all = module.consts.value(table, all);
    let mut function = Function::new("main".into(), void, 0);
    let args = function.make_list(&[all; 2]);
    let insts = vec![function.make_inst(InstData::Call { func: Func::new(1), args }, None)];
    let target = BlockCall { block: Block::new(0), args };
    let terminator = Terminator::Switch { selector: all, default: target, cases: vec![(1, target)].into() };
    let params = vec![function.make_local(row, Def::Param(Block::new(0)))];
    let hints = ControlFlowHints::default();
    let _: Block = function.blocks.push(BlockData { params, insts, terminator, hints });
    let _: Func = module.functions.push(function);
    let mut longest = Longest(0);
    fmt::Write::write_fmt(&mut longest, format_args!("{module}")).expect("the writer does not fail");
    assert!(longest.0 < 100, "{} bytes at once", longest.0);
}

/// Types that pointers lead through may be as many as a module has, and are printed by recursion.
#[test]
fn chains_of_pointers_are_cut() {
    let mut module = Module::default();
    let mut ty = module.types.intern(Type::Int(32));
    for _ in 0..100_000 {
        ty = module.types.intern(Type::Pointer { pointee: ty, space: AddressSpace::Default });
    }
    module.globals.push(GlobalVar { name: "g".into(), ty, space: AddressSpace::Default, constant: false, init: None });
    let text = module.to_string();
    assert_eq!(text.matches('*').count(), limits::TYPE_NESTING, "{text}");
    assert!(text.contains("…*"), "{text}");
}
