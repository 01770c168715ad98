//! Tests of which payloads are copied, and of blocks that end early, on modules made by hand. The
//! copies themselves are tested by execution (`tests/fixtures/tracing`).

use super::*;
use crate::ir::verify::verify;
use crate::ir::{BinaryOp, BlockCall, BlockData, CastOp, ControlFlowHints, GlobalVar, ValueList};
use crate::ops::OpCode;
use crate::passes::work::Work;
use dxil_base::entity::Entity;
use dxil_base::limits::Fuel;

/// Runs the pass. Returns whether anything changed.
fn copies(module: &mut Module, main: Func) -> bool {
    let work = Work::find(module, &[main]);
    copy(module, &work.payloads, &[main], &Fuel::default()).expect("small")
}

/// A function `main` without parameters, and the types of a payload of two words.
struct Maker {
    module: Module,
    main: Function,
    word: TypeId,
    /// The payload's type, and the type of its address.
    pair: TypeId,
    pointer: TypeId,
}

impl Maker {
    fn new() -> Self {
        let mut module = Module::default();
        let [void, word] = [Type::Void, Type::Int(32)].map(|ty| module.types.intern(ty));
        let pair = Type::Struct { name: "struct.Payload".into(), fields: [word, word].into(), packed: false };
        let pair = module.types.intern(pair);
        let pointer = module.types.intern(Type::Pointer { pointee: pair, space: AddressSpace::Default });
        Self { module, main: Function::new("main".into(), void, 0), word, pair, pointer }
    }

    fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Const {
        self.module.consts.intern(ConstData { ty, kind })
    }

    fn number(&mut self, number: u64) -> Const {
        self.constant(self.word, ConstKind::Int(number))
    }

    /// The address of a new variable of the module.
    fn global(&mut self, constant: bool) -> Const {
        let (name, space) = ("payload".into(), AddressSpace::Default);
        let global = self.module.globals.push(GlobalVar { name, ty: self.pair, space, constant, init: None });
        self.constant(self.pointer, ConstKind::GlobalAddr(global))
    }

    fn alloca(&mut self) -> (Inst, Value) {
        let inst = self.main.make_inst(InstData::Alloca { ty: self.pair }, Some(self.pointer));
        (inst, self.main.result(inst).expect("an alloca has a result"))
    }

    fn op(&mut self, op: OpCode, args: &[Value]) -> Inst {
        let args = self.main.make_list(args);
        self.main.make_inst(InstData::Op { op, precise: false, args }, None)
    }

    /// `CallShader(0, parameter)`.
    fn call_shader(&mut self, parameter: Value) -> Inst {
        let index = Value::constant(self.number(0));
        self.op(OpCode::CallShader, &[index, parameter])
    }

    fn block(&mut self, insts: Vec<Inst>, terminator: Terminator) -> Block {
        let hints = ControlFlowHints::default();
        self.main.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints })
    }

    /// The module, in which `main` is the only function.
    fn finish(self) -> (Module, Func) {
        let mut module = self.module;
        let main = module.functions.push(self.main);
        verify(&module).expect("made so");
        (module, main)
    }
}

/// Adds a variable to the module. Returns an address in it.
type MakeAddress = fn(&mut Maker) -> Const;

/// The addresses that the shader calls of a function pass.
fn all_passed(function: &Function) -> Vec<Value> {
    let insts = function.blocks.values().flat_map(|block| &block.insts);
    insts.filter_map(|&inst| passed(function, &function.insts[inst])).collect()
}

fn is_alloca(function: &Function, value: Value) -> bool {
    matches!(function.def_inst(value), Some((_, InstData::Alloca { .. })))
}

/// A variable of the module may have irregular accesses in other functions, so a call passes a
/// copy. Its address may be that of the whole variable or of a part. A constant is not written back
/// to, and lowering refuses it.
#[test]
fn variables_of_the_module_are_copied() {
    let whole = |maker: &mut Maker| maker.global(false);
    let part = |maker: &mut Maker| {
        let (base, zero, one) = (maker.global(false), maker.number(0), maker.number(1));
        let pointer = Type::Pointer { pointee: maker.word, space: AddressSpace::Default };
        let ty = maker.module.types.intern(pointer);
        maker.constant(ty, ConstKind::Gep { base, indices: [zero, one].into() })
    };
    let constant = |maker: &mut Maker| maker.global(true);
    let cases: [(MakeAddress, bool); 3] = [(whole, true), (part, true), (constant, false)];
    for (address, copied) in cases {
        let mut maker = Maker::new();
        let address = Value::constant(address(&mut maker));
        let call = maker.call_shader(address);
        maker.block(vec![call], Terminator::Return(None));
        let (mut module, main) = maker.finish();
        assert_eq!(copies(&mut module, main), copied);
        verify(&module).expect("still right");
        let function = &module.functions[main];
        match (all_passed(function).as_slice(), copied) {
            ([passed], true) => assert!(is_alloca(function, *passed)),
            (passed, _) => assert_eq!(passed, [address]),
        }
    }
}

/// A choice between addresses becomes one between offsets into words, although nothing is accessed
/// through it. A payload that is passed keeps its type, so it is copied first.
#[test]
fn what_control_flow_chooses_is_copied() {
    let mut maker = Maker::new();
    let truth = maker.module.types.intern(Type::Int(1));
    let condition = Value::constant(maker.constant(truth, ConstKind::Undef));
    let ((first, a), (second, b)) = (maker.alloca(), maker.alloca());
    let pointer = maker.pointer;
    let choice = maker.main.make_inst(InstData::Select { condition, then: a, otherwise: b }, Some(pointer));
    let call = maker.call_shader(a);
    maker.block(vec![first, second, choice, call], Terminator::Return(None));
    let (mut module, main) = maker.finish();
    crate::passes::run(
        &mut module,
        &mut Default::default(),
        &Default::default(),
        &[main],
        crate::passes::VectorForm::Core,
        &Fuel::default(),
    )
    .expect("small");
    let function = &module.functions[main];
    let chosen = function.blocks.values().flat_map(|block| &block.insts).filter(|&&inst| {
        let is_pointer = |value| module.types.is_pointer(module.type_of(function, value));
        matches!(function.insts[inst], InstData::Select { .. }) && function.result(inst).is_some_and(is_pointer)
    });
    assert_eq!(chosen.count(), 0);
    assert!(matches!(all_passed(function)[..], [passed] if passed != a && is_alloca(function, passed)));
}

#[test]
fn a_block_ends_where_the_invocation_does() {
    for behind in [true, false] {
        let mut maker = Maker::new();
        let one = Value::constant(maker.number(1));
        let hit = maker.op(OpCode::IgnoreHit, &[]);
        let add = InstData::Binary { op: BinaryOp::Add, precise: false, lhs: one, rhs: one };
        let word = maker.word;
        let add = maker.main.make_inst(add, Some(word));
        let insts = if behind { vec![hit, add] } else { vec![hit] };
        maker.block(insts, Terminator::Unreachable);
        let (mut module, main) = maker.finish();
        // Only the code behind the operation is a change.
        assert_eq!(end_blocks(&mut module), behind);
        assert_eq!(module.functions[main].blocks[Block::new(0)].insts, [hit]);
        assert!(!end_blocks(&mut module));
    }
}

/// LLVM lets code that control flow does not reach use a result, whatever its place.
#[test]
fn results_behind_the_end_are_undefined() {
    let mut maker = Maker::new();
    let (one, word) = (Value::constant(maker.number(1)), maker.word);
    let hit = maker.op(OpCode::AcceptHitAndEndSearch, &[]);
    let sum = |lhs| InstData::Binary { op: BinaryOp::Add, precise: false, lhs, rhs: one };
    let add = maker.main.make_inst(sum(one), Some(word));
    let result = maker.main.result(add).expect("a sum has a result");
    let next = BlockCall { block: Block::new(1), args: ValueList::default() };
    maker.block(vec![hit, add], Terminator::Jump(next));
    let more = maker.main.make_inst(sum(result), Some(word));
    maker.block(vec![more], Terminator::Return(None));
    let (mut module, main) = maker.finish();
    assert!(end_blocks(&mut module));
    verify(&module).expect("still right");
    let function = &module.functions[main];
    assert_eq!(function.blocks[Block::new(0)].insts, [hit]);
    assert_eq!(function.blocks[Block::new(0)].terminator, Terminator::Unreachable);
    let InstData::Binary { lhs, .. } = function.insts[more] else { panic!("a sum") };
    assert!(lhs.as_const().is_some_and(|lhs| module.consts[lhs].kind == ConstKind::Undef));
}

/// Lowering refuses an entry function with more arguments than a payload and attributes, so no
/// others are copied: each copy is written back in every block that ends the function.
#[test]
fn only_the_first_arguments_are_copied() {
    let mut maker = Maker::new();
    let (pointer, word) = (maker.pointer, maker.word);
    let words = maker.module.types.intern(Type::Pointer { pointee: word, space: AddressSpace::Default });
    let bytes = maker.module.types.intern(Type::Int(8));
    let bytes = maker.module.types.intern(Type::Pointer { pointee: bytes, space: AddressSpace::Default });
    let zero = Value::constant(maker.number(0));
    let mut insts = Vec::new();
    for number in 0..4 {
        let arg = maker.main.make_local(pointer, Def::Arg(number));
        maker.main.args.push(arg);
        // Arithmetic through a cast to another layout is irregular.
        let cast = maker.main.make_inst(InstData::Cast { op: CastOp::BitCast, value: arg }, Some(bytes));
        let base = maker.main.result(cast).expect("a cast has a result");
        let indices = maker.main.make_list(&[zero]);
        let gep = maker.main.make_inst(InstData::Gep { base, indices }, Some(bytes));
        let value = maker.main.result(gep).expect("an address is a result");
        let back = maker.main.make_inst(InstData::Cast { op: CastOp::BitCast, value }, Some(words));
        let ptr = maker.main.result(back).expect("a cast has a result");
        let store = maker.main.make_inst(InstData::Store { ptr, value: zero, volatile: false }, None);
        insts.extend([cast, gep, back, store]);
    }
    maker.block(insts, Terminator::Return(None));
    let (mut module, main) = maker.finish();
    assert!(copies(&mut module, main));
    verify(&module).expect("still right");
    let allocas = module.functions[main].insts.values().filter(|data| matches!(data, InstData::Alloca { .. }));
    assert_eq!(allocas.count(), 2);
}

/// A copy is function-local memory, and no argument in another address space is one.
#[test]
fn arguments_in_other_address_spaces_stay() {
    for (space, is_copied) in [(AddressSpace::Default, true), (AddressSpace::GroupShared, false)] {
        let mut maker = Maker::new();
        let pair = maker.pair;
        let float = maker.module.types.intern(Type::Float(32));
        let [pointer, floats] =
            [pair, float].map(|pointee| maker.module.types.intern(Type::Pointer { pointee, space }));
        let one = Value::constant(maker.number(1));
        let arg = maker.main.make_local(pointer, Def::Arg(0));
        maker.main.args.push(arg);
        let cast = maker.main.make_inst(InstData::Cast { op: CastOp::BitCast, value: arg }, Some(floats));
        let base = maker.main.result(cast).expect("a cast has a result");
        let indices = maker.main.make_list(&[one]);
        let gep = maker.main.make_inst(InstData::Gep { base, indices }, Some(floats));
        let ptr = maker.main.result(gep).expect("an address is a result");
        let load = maker.main.make_inst(InstData::Load { ptr, volatile: false }, Some(float));
        maker.block(vec![cast, gep, load], Terminator::Return(None));
        let (mut module, main) = maker.finish();
        assert_eq!(copies(&mut module, main), is_copied);
        verify(&module).expect("still right");
    }
}
